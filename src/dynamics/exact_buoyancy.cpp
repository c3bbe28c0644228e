// The engine of exact integrals, one body after the other.
#include <plimsoll/elementary.h>
#include <plimsoll/engines.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/shape.h>
#include <plimsoll/submersion_tracker.h>

#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "core/number_text.h"
#include "core/parallel.h"
#include "dynamics/check_query.h"
#include "dynamics/engine_memory.h"
#include "dynamics/shared_made.h"
#include "dynamics/world_checks.h"
#include "hydro/primitive_submersion.h"
#include "hydro/water_plane.h"
#include "mesh/trusted_mesh.h"
#include "shape/primitive_moments.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

constexpr double kPatchFlatness = 1e-4;
constexpr double kWaveFlatness = 1e-3;
/// Four times as many pieces as this, at most, for every triangle of a body's size.
constexpr double kRoughest = 1e5;

/// Bodies far from each other in memory are only fast to ask as long as all are in a cache. What a
/// tracker takes of it grows with the waterline: 570 bytes times the root of the triangles.
constexpr double kTrackedBytes = 16e6;
double tracked_bytes(std::size_t triangles) {
  return 570 * std::sqrt(static_cast<double>(triangles));
}

/// A body as both kinds of water see it; equal meshes are shared.
struct WetBody {
  SimilarityParts own;                         // mesh_pose, or the pose of the primitive
  std::unique_ptr<SubmersionTracker> tracker;  // in place of the tree, where there is room
  std::shared_ptr<const SolidTree> tree;
  Shape shape;                               // asked for still water, unless there is a tree
  std::shared_ptr<const TriangleMesh> mesh;  // in the frame of mesh_pose
  Similarity mesh_pose = Similarity::Identity();
  double size = 0;  // the diagonal of its box, whose middle is at
  Vec3 middle = Vec3::Zero();

  WetBody() = default;
  WetBody(const WetBody& other)
      : own(other.own),
        tracker(other.tracker ? std::make_unique<SubmersionTracker>(*other.tracker) : nullptr),
        tree(other.tree),
        shape(other.shape),
        mesh(other.mesh),
        mesh_pose(other.mesh_pose),
        size(other.size),
        middle(other.middle) {}
  WetBody(WetBody&&) noexcept = default;
  WetBody& operator=(WetBody&&) noexcept = default;
  WetBody& operator=(const WetBody& other) { return *this = WetBody(other); }
  ~WetBody() = default;
};

/// What may be nothing but rounding lifts nothing: its center would be anywhere.
Buoyancy still(const Submersion& wet, const SimilarityParts& pose, const Pose& world_from_body) {
  if (!(wet.volume > wet.volume_error)) return {};
  const double volume = pose.scale * pose.scale * pose.scale * wet.volume;
  return {volume, world_from_body * pose(wet.center_of_buoyancy), {0, 0, volume}, Vec3::Zero()};
}

Buoyancy under_still_water(const WetBody& body, const Pose& pose, double level) {
  const SimilarityParts& own = body.own;
  const WaterPlane water =
      plane_in_body({Vec3::UnitZ(), level}, pose.linear(), pose.translation(), own);
  constexpr SubmersionParts kVolumeAndCenter{.wetted_area = false, .waterplane = false};
  const Submersion wet = body.tracker ? body.tracker->submersion(water, kVolumeAndCenter)
                         : body.tree  ? body.tree->submersion(water, kVolumeAndCenter)
                                      : *primitive_submersion(body.shape, water, kVolumeAndCenter);
  return still(wet, own, pose);
}

/// Whether the surface over the body can be cut into pieces.
Result<void> follows(const WetBody& body, const SurfaceNow& surface, const BuoyancyQuery& query) {
  const Vec3 at = query.world_from_body * body.middle, half = Vec3::Constant(body.size / 2);
  const double error = surface.interpolation_error((at - half).head<2>(), (at + half).head<2>());
  if (error <= kRoughest * kWaveFlatness * body.size) return {};
  return Error{ErrorCode::kResourceLimit,
               "found the fluid's surface over a body " + digits(error / body.size) +
                   " of its sizes from flat, expected at most " +
                   digits(kRoughest * kWaveFlatness) + ": it is too rough there to follow",
               body_place(query.body, "")};
}

/// The volume over that of the mesh, whose facets cut some off.
double lacking(const TriangleMesh& mesh, const VolumeMoments& whole) {
  return whole.volume / mass_properties(trusted(mesh)).volume;
}

/// Facets of a tube, away from the circle along its middle; of other solids that turn about z, away
/// from that axis, so that ends stay where they are; of ellipsoids, in all directions. Until the
/// mesh has the volume.
void grow(TriangleMesh& mesh, const decltype(Shape::solid)& solid, const VolumeMoments& whole) {
  if (const auto* torus = std::get_if<Torus>(&solid)) {
    const double ratio = std::sqrt(lacking(mesh, whole));
    for (Vec3& v : mesh.vertices) {
      const Vec3 middle = torus->major * Vec3(v[0], v[1], 0).normalized();
      v = middle + ratio * (v - middle);
    }
  }
  const bool is_turned = std::holds_alternative<Cylinder>(solid) ||
                         std::holds_alternative<Capsule>(solid) ||
                         std::holds_alternative<Cone>(solid);
  const double ratio = lacking(mesh, whole);
  const double across = is_turned ? std::sqrt(ratio) : elementary::cbrt(ratio);
  const Vec3 ratios(across, across, is_turned ? 1 : across);
  for (Vec3& v : mesh.vertices) v = ratios.cwiseProduct(v);
}

class ExactEngine final : public BuoyancyEngine {
 public:
  Result<void> add(std::uint32_t body, const Shape& shape) override {
    const bool is_in_use = body < bodies_.size() && bodies_[body].has_value();
    if (Result<void> usable = check_number(body, is_in_use); !usable) return usable;
    if (Result<void> usable = check_shape(shape); !usable) return usable;
    Result<WetBody> made = wet_body(shape);
    if (!made) return made.error();
    if (body >= bodies_.size()) bodies_.resize(body + std::size_t{1});
    if (made->tree && tracked_bytes_ + room_of(*made) <= kTrackedBytes)
      made->tracker = std::make_unique<SubmersionTracker>(*made->tree);
    if (made->tree) tracked_bytes_ += room_of(*made);
    bodies_[body] = *std::move(made);
    return {};
  }

  void remove(std::uint32_t body) override {
    if (body >= bodies_.size() || !bodies_[body]) return;
    if (bodies_[body]->tree) tracked_bytes_ -= room_of(*bodies_[body]);
    bodies_[body].reset();
    trees_.drop_unused();
    surfaces_.drop_unused();
    primitives_.drop_unused();
  }

  Result<void> answer(std::span<const BuoyancyQuery> queries, const SurfaceNow& surface,
                      std::span<Buoyancy> answers) override {
    if (Result<void> fine = check_places(queries.size(), answers.size()); !fine) return fine;
    for (const BuoyancyQuery& query : queries) {
      const bool has_body = query.body < bodies_.size() && bodies_[query.body].has_value();
      if (!is_answerable(query, has_body)) return unanswerable(query, has_body);
      if (surface.is_plane()) continue;
      if (Result<void> fine = follows(*bodies_[query.body], surface, query); !fine) return fine;
    }
    constexpr std::size_t kWorthwhile = 16;
    std::vector<Result<void>> fine(surface.is_plane() ? 0 : queries.size());
    parallel_for_each_index(queries.size(), kWorthwhile, [&](std::size_t i) {
      const WetBody& body = *bodies_[queries[i].body];
      const Pose& pose = queries[i].world_from_body;
      if (surface.is_plane()) {
        answers[i] = under_still_water(body, pose, surface.highest());
        return;
      }
      const Result<Buoyancy> pushed =
          buoyancy(trusted(*body.mesh), pose * body.mesh_pose, surface, kWaveFlatness * body.size);
      if (pushed)
        answers[i] = *pushed;
      else
        fine[i] = pushed.error();
    });
    for (const Result<void>& of_body : fine)
      if (!of_body) return of_body;
    return {};
  }

  [[nodiscard]] std::shared_ptr<const Memory> save() const override {
    return remembered(Kept{bodies_, tracked_bytes_});
  }
  void restore(const Memory& memory) override {
    const Kept* kept = recalled<Kept>(memory);
    if (kept == nullptr) return;
    bodies_ = kept->bodies;
    tracked_bytes_ = kept->tracked_bytes;
  }

 private:
  using Bodies = std::vector<std::optional<WetBody>>;  // by number
  struct Kept {
    Bodies bodies;
    double tracked_bytes = 0;
  };

  static double room_of(const WetBody& body) { return tracked_bytes(body.tree->triangle_count()); }

  Result<WetBody> wet_body(const Shape& shape) {
    WetBody body;
    body.shape = shape;
    body.size = bounding_box(shape).diagonal().norm();
    body.middle = bounding_box(shape).center();
    body.mesh_pose = shape.pose;
    body.own = SimilarityParts(shape.pose);
    const auto* solid = std::get_if<MeshSolid>(&shape.solid);
    const auto* patches = std::get_if<PatchSolid>(&shape.solid);
    Result<std::shared_ptr<const TriangleMesh>> mesh =
        solid != nullptr ? solid->mesh
        : patches != nullptr
            ? surfaces_.of(patches->surface, [&](const auto&) { return triangles_of(shape); })
            : primitives_.of(shape, [&] { return triangles_of(shape); });
    if (!mesh) return mesh.error();
    body.mesh = *std::move(mesh);
    if (solid == nullptr && patches == nullptr) return body;  // a primitive
    Result<std::shared_ptr<const SolidTree>> tree =
        trees_.of(body.mesh, [](const auto& of) -> Result<std::shared_ptr<const SolidTree>> {
          return std::make_shared<const SolidTree>(trusted(*of));
        });
    if (!tree) return tree.error();
    body.tree = *std::move(tree);
    return body;
  }

  /// Before the pose. Patches become triangles for good, and bodies of one surface share them;
  /// primitives for waves only, made larger by what their facets cut off: a body wholly wet
  /// displaces its volume.
  static Result<std::shared_ptr<const TriangleMesh>> triangles_of(const Shape& shape) {
    Shape home = shape;
    home.pose.setIdentity();
    const std::optional<VolumeMoments> whole = exact_moments(home);
    if (whole && !(whole->volume > 0))
      return Error{ErrorCode::kInvalidArgument,
                   "found a volume below the smallest number: expected a larger body, or its "
                   "measures in another unit",
                   "shape"};
    const double flatness = whole ? kWaveFlatness * elementary::cbrt(whole->volume)
                                  : kPatchFlatness * bounding_box(home).diagonal().norm();
    Result<std::optional<ShapeMesh>> made = to_triangles(home, flatness);
    if (!made) return made.error();
    if (!*made)
      return Error{ErrorCode::kUnavailable,
                   "formulas and Booleans have no exact integrals under water: the image method "
                   "serves them",
                   "shape"};
    // Of bodies whose volume is no number the world has no use; it says so.
    const bool has_volume = whole && std::isfinite(lacking((*made)->mesh, *whole));
    if (has_volume) grow((*made)->mesh, home.solid, *whole);
    return std::make_shared<const TriangleMesh>(std::move((*made)->mesh));
  }

  Bodies bodies_;
  double tracked_bytes_ = 0;
  SharedMade<TriangleMesh, SolidTree> trees_;
  SharedMade<PatchSurface, TriangleMesh> surfaces_;
  SharedOfPrimitives<TriangleMesh> primitives_;
};

}  // namespace

std::shared_ptr<BuoyancyEngine> exact_buoyancy() { return std::make_shared<ExactEngine>(); }

}  // namespace plimsoll
