// The engine of exact integrals, one body after the other.
#include <plimsoll/dynamics.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/shape_mesh.h>
#include <plimsoll/submersion_tracker.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/parallel.h"
#include "dynamics/digits.h"
#include "hydro/primitive_submersion.h"
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
  std::shared_ptr<SubmersionTracker> tracker;  // in place of the tree, where there is room
  std::shared_ptr<const SubmersionTree> tree;
  Shape shape;                               // asked for still water, unless there is a tree
  std::shared_ptr<const TriangleMesh> mesh;  // in the frame of mesh_pose
  Similarity mesh_pose = Similarity::Identity();
  double size = 0;  // the diagonal of its box, whose middle is at
  Vec3 middle = Vec3::Zero();
};

/// What may be nothing but rounding lifts nothing: its center would be anywhere.
Buoyancy still(const Submersion& wet, const SimilarityParts& pose, const Pose& world_from_body) {
  if (!(wet.volume > wet.volume_error)) return {};
  const double volume = pose.scale * pose.scale * pose.scale * wet.volume;
  return {volume, world_from_body * pose(wet.center_of_buoyancy), {0, 0, volume}, Vec3::Zero()};
}

/// Brings the water into the frame of the solid.
Buoyancy under_still_water(const WetBody& body, const Pose& pose, double level) {
  const SimilarityParts& own = body.own;
  const Vec3 up = pose.linear().row(2);  // in the frame of the body
  const double below = level - pose.translation()[2] - up.dot(own.translation);
  const WaterPlane water{own.rotation.transpose() * up, below / own.scale};
  constexpr SubmersionParts kVolumeAndCenter{.wetted_area = false, .waterplane = false};
  const Submersion wet = body.tracker ? body.tracker->submersion(water, kVolumeAndCenter)
                         : body.tree  ? body.tree->submersion(water, kVolumeAndCenter)
                                      : *primitive_submersion(body.shape, water, kVolumeAndCenter);
  return still(wet, own, pose);
}

Result<void> usable(const WetBody& body, const SurfaceNow& surface, const Pose& pose,
                    std::size_t index) {
  if (surface.is_plane()) return {};
  const Vec3 at = pose * body.middle, half = Vec3::Constant(body.size / 2);
  const double error = surface.interpolation_error((at - half).head<2>(), (at + half).head<2>());
  if (error <= kRoughest * kWaveFlatness * body.size) return {};
  return Error{ErrorCode::kResourceLimit,
               "found the fluid's surface over a body " + digits(error / body.size) +
                   " of its sizes from flat, expected at most " +
                   digits(kRoughest * kWaveFlatness) + ": it is too rough there to follow",
               "bodies[" + std::to_string(index) + "]"};
}

/// About the centroid, until it has the volume.
void grow(TriangleMesh& mesh, const VolumeMoments& whole) {
  const double ratio = std::cbrt(whole.volume / mass_properties(trusted(mesh)).volume);
  const Vec3 middle = whole.first / whole.volume;
  for (Vec3& v : mesh.vertices) v = middle + ratio * (v - middle);
}

class ExactEngine {
 public:
  Result<void> add(const Shape& shape) {
    WetBody body;
    body.shape = shape;
    body.size = bounding_box(shape).diagonal().norm();
    body.middle = bounding_box(shape).center();
    body.mesh_pose = shape.pose;
    body.own = SimilarityParts(shape.pose);
    if (const auto* solid = std::get_if<MeshSolid>(&shape.solid)) {
      body.mesh = solid->mesh;
    } else if (Result<void> made = make_triangles(shape, body); !made) {
      return made;
    }
    const bool is_primitive = !std::holds_alternative<MeshSolid>(shape.solid) &&
                              !std::holds_alternative<PatchSolid>(shape.solid);
    if (!is_primitive) {
      body.tree = tree_of(body.mesh);
      tracked_bytes_ += tracked_bytes(body.tree->triangle_count());
      if (tracked_bytes_ <= kTrackedBytes)
        body.tracker = std::make_shared<SubmersionTracker>(*body.tree);
    }
    bodies_.push_back(std::move(body));
    return {};
  }

  Result<void> operator()(std::span<const BuoyancyQuery> queries, const SurfaceNow& surface,
                          std::span<Buoyancy> answers) const {
    for (const BuoyancyQuery& query : queries)
      if (Result<void> fine =
              usable(bodies_[query.body], surface, query.world_from_body, query.body);
          !fine)
        return fine;
    constexpr std::size_t kWorthwhile = 16;
    std::vector<Result<void>> fine(surface.is_plane() ? 0 : queries.size());
    parallel_for_each_index(queries.size(), kWorthwhile, [&](std::size_t i) {
      const WetBody& body = bodies_[queries[i].body];
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

 private:
  std::shared_ptr<const SubmersionTree> tree_of(const std::shared_ptr<const TriangleMesh>& mesh) {
    std::shared_ptr<const SubmersionTree>& tree = trees_[mesh.get()];
    if (!tree) tree = std::make_shared<const SubmersionTree>(trusted(*mesh));
    return tree;
  }

  /// Patches become triangles for good, and bodies of one surface share them; primitives for waves
  /// only, made larger by what their facets cut off: a body wholly wet displaces its volume.
  Result<void> make_triangles(const Shape& shape, WetBody& body) {
    Shape home = shape;
    home.pose.setIdentity();
    const auto* patches = std::get_if<PatchSolid>(&shape.solid);
    std::shared_ptr<const TriangleMesh> own;
    std::shared_ptr<const TriangleMesh>& mesh = patches ? surfaces_[patches->surface.get()] : own;
    if (!mesh) {
      const std::optional<VolumeMoments> whole = exact_moments(home);
      const double flatness = whole ? kWaveFlatness * std::cbrt(whole->volume)
                                    : kPatchFlatness * bounding_box(home).diagonal().norm();
      Result<std::optional<ShapeMesh>> made = to_triangles(home, flatness);
      if (!made) return made.error();
      if (!*made)
        return Error{ErrorCode::kUnavailable,
                     "formulas and Booleans have no exact integrals under water: the image method "
                     "serves them",
                     "shape"};
      if (whole) grow((*made)->mesh, *whole);
      mesh = std::make_shared<const TriangleMesh>(std::move((*made)->mesh));
    }
    body.mesh = mesh;
    return {};
  }

  std::vector<WetBody> bodies_;
  double tracked_bytes_ = 0;
  std::map<const TriangleMesh*, std::shared_ptr<const SubmersionTree>> trees_;
  std::map<const PatchSurface*, std::shared_ptr<const TriangleMesh>> surfaces_;
};

}  // namespace

Result<BuoyancyEngine> exact_buoyancy(std::span<const Shape> shapes) {
  auto engine = std::make_shared<ExactEngine>();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (Result<void> usable = check_shape(shapes[i]); !usable) return usable.error();
    if (Result<void> added = engine->add(shapes[i]); !added) {
      Error error = added.error();
      error.where =
          "bodies[" + std::to_string(i) + "]" + (error.where.empty() ? "" : ".") + error.where;
      return error;
    }
  }
  return BuoyancyEngine([engine](auto... arguments) { return (*engine)(arguments...); });
}

}  // namespace plimsoll
