#include <plimsoll/submersion.h>
namespace plimsoll {
Result<Submersion> submersion(const Shape& shape, const WaterPlane& water) {
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid)) {
    TriangleMesh posed = *mesh->mesh;
    for (Vec3& v : posed.vertices) v = shape.pose * v;
    return submersion(posed, water);
  }
  return Error{ErrorCode::kUnavailable, "no closed form yet", {}};
}
}  // namespace plimsoll
