#include "polyhedron.h"

#include <memory>
#include <utility>
#include <variant>

#include "failure.h"

namespace plimsoll::cli {

std::optional<MeshSolid> polyhedron_of(const Shape& shape) {
  if (const auto* solid = std::get_if<MeshSolid>(&shape.solid)) return posed(*solid, shape.pose);
  if (!std::holds_alternative<BoxSolid>(shape.solid)) return std::nullopt;
  constexpr double kAnyFlatness = 1;  // nothing is curved
  Result<std::optional<ShapeMesh>> triangles = to_triangles({shape.solid}, kAnyFlatness);
  if (!triangles) throw failure_of(triangles.error());
  return posed(MeshSolid{std::make_shared<const TriangleMesh>(std::move((*triangles)->mesh))},
               shape.pose);
}

std::array<Body, 2> read_two_polyhedra(const TwoBodiesArguments& arguments, const char* command) {
  std::array<Body, 2> bodies = read_two_bodies(arguments, command);
  for (Body& body : bodies)
    if (std::optional<MeshSolid> solid = polyhedron_of(body.shape))
      body.shape = Shape{std::move(*solid)};
  return bodies;
}

}  // namespace plimsoll::cli
