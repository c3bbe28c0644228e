// Shapes whose surface is made of triangles.
#pragma once

#include <plimsoll/shape.h>

#include <array>
#include <optional>

#include "solid_input.h"

namespace plimsoll::cli {

/// The triangles that a shape is bounded by, where its pose puts them: of a mesh or a box. Nothing
/// for curved shapes, formulas and Booleans, which triangles come near to at best. Throws Failure.
[[nodiscard]] std::optional<MeshSolid> polyhedron_of(const Shape& shape);

/// As read_two_bodies; boxes become meshes. Throws Failure.
[[nodiscard]] std::array<Body, 2> read_two_polyhedra(const TwoBodiesArguments& arguments,
                                                     const char* command);

}  // namespace plimsoll::cli
