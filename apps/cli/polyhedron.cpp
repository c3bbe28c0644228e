#include "polyhedron.h"

#include <utility>
#include <variant>

#include "failure.h"

namespace plimsoll::cli {

std::shared_ptr<const TriangleMesh> polyhedron_of(const Shape& shape) {
  const auto* solid = std::get_if<MeshSolid>(&shape.solid);
  if (solid != nullptr) {
    if (shape.pose.matrix() == Similarity::Identity().matrix()) return solid->mesh;
    return std::make_shared<const TriangleMesh>(posed(*solid->mesh, shape.pose));
  }
  if (!std::holds_alternative<BoxSolid>(shape.solid)) return nullptr;
  constexpr double kAnyFlatness = 1;  // nothing is curved
  Result<std::optional<ShapeMesh>> triangles = to_triangles(shape, kAnyFlatness);
  if (!triangles) throw failure_of(triangles.error());
  return std::make_shared<const TriangleMesh>(std::move((*triangles)->mesh));
}

std::array<Body, 2> read_two_polyhedra(const TwoBodiesArguments& arguments, const char* command) {
  std::array<Body, 2> bodies = read_two_bodies(arguments, command);
  for (Body& body : bodies)
    if (std::shared_ptr<const TriangleMesh> triangles = polyhedron_of(body.shape))
      body.shape = Shape{MeshSolid{std::move(triangles)}};
  return bodies;
}

}  // namespace plimsoll::cli
