#include <plimsoll/shape_health.h>

#include <map>
#include <utility>

namespace plimsoll {
namespace {

/// A mesh, borrowed where it is not moved, or patches as one; without triangles for other shapes.
/// Whether patches close, and how they lie to each other, shows in triangles however coarse.
Result<CheckedMesh> surface_at(const Shape& shape, const Similarity& pose) {
  constexpr int kSegments = 16;  // of each patch
  const bool is_moved = pose.matrix() != Similarity::Identity().matrix();
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid))
    return is_moved ? CheckedMesh::from_triangles(posed(*mesh->mesh, pose))
                    : CheckedMesh::borrow(*mesh->mesh);
  const auto* patches = std::get_if<PatchSolid>(&shape.solid);
  if (patches == nullptr) return CheckedMesh();
  Result<TriangleMesh> flat = tessellate_uniform(*patches->surface, kSegments);
  if (!flat) return flat.error();
  return CheckedMesh::from_triangles(posed(std::move(*flat), pose));
}

const void* surface_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid)) return mesh->mesh.get();
  if (const auto* patches = std::get_if<PatchSolid>(&shape.solid)) return patches->surface.get();
  return nullptr;
}

class Examination {
 public:
  explicit Examination(const HealthOptions& options) : options_(options) {}

  /// Visits the surfaces in a shape whose place is given.
  Result<void> visit(const Shape& shape, const std::string& place) {
    if (const auto* boolean = std::get_if<Boolean>(&shape.solid)) {
      for (std::size_t i = 0; i < boolean->of.size(); ++i) {
        const std::string dot = place.empty() ? "" : ".";
        const Result<void> visited =
            visit(boolean->of[i], place + dot + "of[" + std::to_string(i) + "]");
        if (!visited) return visited.error();
      }
      return {};
    }
    if (surface_of(shape) == nullptr) return {};
    const bool is_part = !place.empty();
    const auto [known, is_new] = known_.try_emplace(surface_of(shape), found_.surfaces.size());
    if (!is_new) {
      found_.surfaces.push_back({place, found_.surfaces[known->second].health});
      return {};
    }
    const Result<CheckedMesh> checked =
        surface_at(shape, is_part ? Similarity::Identity() : shape.pose);
    if (!checked) return checked.error();
    MeshHealth health = plimsoll::examine(*checked, options_);
    if (is_part) health.findings.zero_volume = health.findings.inverted = false;
    health.status = worst_of(health.findings);
    found_.findings |= health.findings;
    found_.surfaces.push_back({place, std::move(health)});
    return {};
  }

  ShapeHealth take() {
    found_.status = worst_of(found_.findings);
    return std::move(found_);
  }

 private:
  HealthOptions options_;
  ShapeHealth found_;
  std::map<const void*, std::size_t> known_;  // where in found_.surfaces
};

}  // namespace

Result<ShapeHealth> examine(const Shape& shape, const HealthOptions& options) {
  if (const Result<void> usable = check_shape(shape); !usable) return usable.error();
  Examination examination(options);
  if (const Result<void> done = examination.visit(shape, ""); !done) return done.error();
  return examination.take();
}

}  // namespace plimsoll
