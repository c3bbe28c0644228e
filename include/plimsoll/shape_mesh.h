// Triangles in place of a shape: for engines that draw, and for diagnosis.
#pragma once

#include <plimsoll/shape.h>

#include <optional>

namespace plimsoll {

struct ShapeMesh {
  TriangleMesh mesh;     ///< In the world of the shape, welded.
  double deviation = 0;  ///< No farther from the true surface than this [m]; 0 for meshes, boxes.
};

/// The surface of `shape` as triangles no farther than `flatness` [m] from it: meshes as they are,
/// patches by tessellate, primitives with their vertices on the surface. Nothing for formulas and
/// Booleans, which have no triangles. Errors: as check_shape; `InvalidArgument` unless flatness >
/// 0; `ResourceLimit` beyond 20 million triangles, saying which flatness would do.
[[nodiscard]] Result<std::optional<ShapeMesh>> to_triangles(const Shape& shape, double flatness);

}  // namespace plimsoll
