#include "overlap_scenes.h"

#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "bunnies.h"
#include "cgal_meshes.h"
#include "checked.h"
#include "shared/decimate.h"
#include "water_planes.h"

namespace plimsoll::bench {
namespace {

using Make = std::function<Result<TriangleMesh>()>;

Result<TriangleMesh> read_welded(const std::filesystem::path& path) {
  Result<MeshFile> file = read_mesh(path);
  if (!file) return file.error();
  return weld(checked(file->mesh));
}

/// Around the origin, the longest side of its box of that length [m].
TriangleMesh of_size(TriangleMesh mesh, double size) {
  const Box3 box = bounding_box(checked(mesh));
  const double scale = size / box.sizes().maxCoeff();
  for (Vec3& v : mesh.vertices) v = scale * (v - box.center());
  return mesh;
}

/// A body and its copy.
OverlapScene twins(std::string name, const Make& make, bool is_medium = false) {
  return {std::move(name),
          [make]() -> Result<TwoMeshes> {
            Result<TriangleMesh> mesh = make();
            if (!mesh) return mesh.error();
            const TriangleMesh body = of_size(std::move(*mesh), 1);
            return TwoMeshes{body, body};
          },
          is_medium};
}

/// A scan made coarse, then each triangle split in four `splits` times.
Make resized(const Make& scan, std::size_t triangles, int splits = 0) {
  return [=]() -> Result<TriangleMesh> {
    const Result<TriangleMesh> fine = scan();
    if (!fine) return fine.error();
    TriangleMesh mesh = simplify(*fine, triangles);
    for (int i = 0; i < splits; ++i) mesh = split_in_four(std::move(mesh));
    return mesh;
  };
}

Make knot(int rings, int slices) {
  return [=] { return make_torus_knot({.ripples = 12, .ripple_depth = 0.2}, rings, slices); };
}

TriangleMesh random_hull(std::uint64_t seed) {
  constexpr int kPoints = 64;
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < kPoints; ++i) points.push_back(random.direction());
  return convex_hull(points);
}

SolidTree tree_of(const TriangleMesh& mesh) { return SolidTree(MeshTree(checked(mesh))); }

double half_diagonal(const SolidTree& tree) { return tree.box().diagonal().norm() / 2; }

/// Where A stands: askew to all axes.
Similarity askew_pose(const Vec3& center) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  return pose_about(center, turn, Vec3(0.1, 0.2, 0.3));
}

/// B on its way along a direction away from A.
class Departure {
 public:
  Departure(const TwoSolids& solids, Random& random)
      : axis(random.direction()),
        direction(random.direction()),
        angle(2 * std::numbers::pi * random.number()),
        solids_(solids),
        world_from_a_(askew_pose(solids.center_a)),
        start_(world_from_a_ * solids.center_a) {}

  /// With centers that far apart.
  [[nodiscard]] PosedPair at(double way) const {
    const Mat3 turn = Eigen::AngleAxisd(angle, axis).toRotationMatrix() * world_from_a_.linear();
    return {world_from_a_, pose_about(solids_.center_b, turn, start_ + way * direction)};
  }

  /// How far apart the centers are where that volume is shared; nothing where it nowhere is.
  Result<std::optional<double>> way_for(OverlapSearch& search, double volume) const {
    constexpr double kTolerance = 0.01;
    constexpr int kMaxSteps = 60;
    double low = 0, high = solids_.reach;
    for (int i = 0; i < kMaxSteps; ++i) {
      const double way = i == 0 ? 0 : (low + high) / 2;
      const PosedPair pair = at(way);
      const Result<Overlap> found =
          search.overlap(solids_.a, pair.world_from_a, solids_.b, pair.world_from_b);
      if (!found) return found.error();
      if (std::abs(found->volume / volume - 1) <= kTolerance) return std::optional(way);
      if (i == 0 && found->volume < volume) return std::optional<double>();
      (found->volume > volume ? low : high) = way;
    }
    return std::optional<double>();
  }

  Vec3 axis, direction;
  double angle;

 private:
  const TwoSolids& solids_;
  Similarity world_from_a_;
  Vec3 start_;
};

/// A departure and how far it has come where that part of the smaller volume is shared.
struct Placed {
  Departure departure;
  double way;
};

Result<Placed> placed(const TwoSolids& solids, OverlapSearch& search, Random& random,
                      double share) {
  constexpr int kMaxHalvings = 12;
  Departure departure(solids, random);
  for (int i = 0; i < kMaxHalvings; ++i, departure.angle /= 2) {
    const Result<std::optional<double>> way =
        departure.way_for(search, share * solids.smaller_volume);
    if (!way) return way.error();
    if (*way) return Placed{departure, **way};
  }
  return Error{ErrorCode::kInvalidArgument, "the bodies nowhere share that much", "share"};
}

}  // namespace

std::vector<OverlapScene> overlap_scenes(const std::filesystem::path& cache) {
  const Make scan = [=] { return read_scan(cache); };
  const Make armadillo = [=] { return read_welded(cache / "cgal" / "armadillo.off"); };
  const auto aside = [=]() -> Result<TwoMeshes> {
    Result<TriangleMesh> dragon = read_welded(cache / "dragon" / "dragon_vrip.ply");
    if (!dragon) return dragon.error();
    Result<TriangleMesh> dinosaur = read_welded(cache / "cgal" / "diplodocus.off");
    if (!dinosaur) return dinosaur.error();
    return TwoMeshes{of_size(std::move(*dragon), 1), of_size(std::move(*dinosaur), 0.5)};
  };
  return {twins("bunny_5k", resized(scan, 5'000)),
          twins("bunny_75k", scan, true),
          twins("bunny_700k", resized(scan, 43'750, 2)),
          twins("armadillo_5k", resized(armadillo, 5'000)),
          twins("armadillo_52k", armadillo, true),
          twins("armadillo_700k", resized(armadillo, 43'750, 2)),
          twins("knot_5k", knot(190, 13)),
          twins("knot_70k", knot(700, 50), true),
          twins("knot_700k", knot(2'200, 159)),
          {"aside_dragon_dinosaur", aside, false, true}};
}

std::vector<OverlapScene> small_overlap_scenes() {
  return {{"boxes", [] { return TwoMeshes{make_box({1, 2, 3}), make_box({1, 2, 3})}; }},
          {"hulls_64", [] { return TwoMeshes{random_hull(1), random_hull(2)}; }}};
}

TwoSolids::TwoSolids(const TwoMeshes& meshes)
    : a(tree_of(meshes.a)),
      b(tree_of(meshes.b)),
      center_a(mass_properties(checked(meshes.a)).center_of_mass),
      center_b(mass_properties(checked(meshes.b)).center_of_mass),
      smaller_volume(std::min(std::abs(a.signed_volume()), std::abs(b.signed_volume()))),
      reach(2 * (half_diagonal(a) + half_diagonal(b))) {}

Result<std::vector<PosedPair>> sharing_poses(const TwoSolids& solids, double share,
                                             std::size_t count, std::uint64_t seed) {
  Random random(seed);
  OverlapSearch search;
  std::vector<PosedPair> poses;
  while (poses.size() < count) {
    const Result<Placed> found = placed(solids, search, random, share);
    if (!found) return found.error();
    poses.push_back(found->departure.at(found->way));
  }
  return poses;
}

Result<std::vector<PosedPair>> sharing_path(const TwoSolids& solids, double share,
                                            std::size_t count, std::uint64_t seed) {
  constexpr double kStep = 3e-4, kTurn = 1e-3;  // [m], [rad]: 0.3 m/s, 1 rad/s
  Random random(seed);
  OverlapSearch search;
  Result<Placed> found = placed(solids, search, random, share);
  if (!found) return found.error();
  Departure& departure = found->departure;
  const Vec3 side = departure.direction.cross(random.direction()).normalized();
  std::vector<PosedPair> poses;
  for (std::size_t i = 0; i < count; ++i) {
    const auto moment = static_cast<double>(i);
    PosedPair pair = departure.at(found->way);
    pair.world_from_b.pretranslate(moment * kStep * side);
    poses.push_back(pair);
    departure.angle += kTurn;
  }
  return poses;
}

}  // namespace plimsoll::bench
