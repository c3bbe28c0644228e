#include "spheres/sphere_shares.h"

#include <plimsoll/elementary.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "core/number_text.h"
#include "spheres/covered_cubes.h"
#include "spheres/cube_owners.h"
#include "spheres/nearest_triangles.h"
#include "spheres/solid_voxels.h"

namespace plimsoll {
namespace {

/// Unit normals out of the solid; 0 for triangles without area.
std::vector<Vec3> outward_normals(const ClosedMesh& solid, const SolidVoxels& voxels) {
  const MeshView& mesh = solid.view();
  std::vector<Vec3> normals(mesh.triangle_count());
  for (std::size_t t = 0; t < normals.size(); ++t) {
    const Triangle v = mesh.triangle(t);
    const Vec3 a = voxels.to_cubes(mesh.vertex(v[0]));
    const Vec3 along = voxels.to_cubes(mesh.vertex(v[1])) - a;
    const Vec3 across = voxels.to_cubes(mesh.vertex(v[2])) - a;
    normals[t] = voxels.side * along.stableNormalized().cross(across.stableNormalized());
    normals[t].stableNormalize();
  }
  return normals;
}

/// The smallest cone about the mean of normals, each counted once for each cube, that contains them
/// all.
NormalCone cone_of(std::span<const NearestOfPart> triangles, const std::vector<Vec3>& normals) {
  constexpr double kRounding = 1e-14;
  NormalCone all{Vec3::Zero(), std::numbers::pi};
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (const NearestOfPart& t : triangles) {
    sum += t.cubes * normals[t.triangle];
    count += t.cubes;
  }
  // Where normals cancel but for rounding there is no axis.
  const double length = sum.norm();
  if (!(length > 1e-9 * count)) return all;
  const Vec3 axis = sum / length;
  double chord = 0;  // the longest between the axis and a normal, both of length 1
  for (const NearestOfPart& t : triangles) {
    const Vec3& normal = normals[t.triangle];
    chord = std::max(chord, normal.isZero(0) ? 2 : (normal - axis).norm());
  }
  const double angle = 2 * elementary::asin(std::min(chord / 2, 1.0)) + kRounding;
  return angle < std::numbers::pi ? NormalCone{axis, angle} : all;
}

/// A triangle that belongs to a sphere's part.
struct KeptTriangle {
  std::uint32_t sphere, triangle;
  bool operator==(const KeptTriangle&) const = default;
};

/// The pairs by spheres: those of sphere i are [first[i], first[i + 1]), in the order given.
struct BySphere {
  std::vector<std::size_t> first;
  std::vector<KeptTriangle> pairs;
};

BySphere by_sphere(std::span<const KeptTriangle> pairs, std::size_t spheres) {
  BySphere sorted{std::vector<std::size_t>(spheres + 2), std::vector<KeptTriangle>(pairs.size())};
  for (const KeptTriangle& pair : pairs) ++sorted.first[pair.sphere + std::size_t{2}];
  std::partial_sum(sorted.first.begin(), sorted.first.end(), sorted.first.begin());
  for (const KeptTriangle& pair : pairs)
    sorted.pairs[sorted.first[pair.sphere + std::size_t{1}]++] = pair;
  sorted.first.pop_back();
  return sorted;
}

/// Goes through the cubes and gives each sphere what is its.
class SolidDivision {
 public:
  SolidDivision(const ClosedMesh& solid, const SolidVoxels& voxels,
                std::span<const PlacedSphere> spheres)
      : solid_(solid),
        voxels_(voxels),
        spheres_(spheres),
        owners_(cube_owners(voxels, spheres)),
        owned_(spheres.size()) {
    for_each_owned([&](const CubePlace&, const CubeRun&, std::uint32_t number) {
      ++owned_[owners_[number].sphere];
    });
  }

  /// Spheres without cubes have the triangle nearest to their own center.
  [[nodiscard]] NearestOfParts nearest(SurfaceProbe& probe) const {
    const std::vector<std::uint32_t> of_cubes = nearest_triangles(voxels_, solid_);
    std::vector<KeptTriangle> pairs;
    for_each_owned([&](const CubePlace&, const CubeRun&, std::uint32_t number) {
      pairs.push_back({owners_[number].sphere, of_cubes[number]});
    });
    for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
      if (owned_[i] > 0) continue;
      const Result<NearestOnSurface> found = probe.nearest(spheres_[i].center);
      if (found && found->at) pairs.push_back({i, found->at->triangle});
    }
    BySphere sorted = by_sphere(pairs, spheres_.size());
    NearestOfParts nearest;
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
      const std::span<KeptTriangle> part =
          std::span(sorted.pairs).subspan(sorted.first[i], sorted.first[i + 1] - sorted.first[i]);
      std::sort(part.begin(), part.end(), [](const KeptTriangle& a, const KeptTriangle& b) {
        return a.triangle < b.triangle;
      });
      for (const KeptTriangle& pair : part) {
        if (nearest.triangles.size() > nearest.first.back() &&
            nearest.triangles.back().triangle == pair.triangle)
          ++nearest.triangles.back().cubes;
        else
          nearest.triangles.push_back({pair.triangle, 1});
      }
      nearest.first.push_back(nearest.triangles.size());
    }
    return nearest;
  }

  [[nodiscard]] SphereShares shares(const NearestOfParts& nearest) const {
    SphereShares result{volumes(), {0}, {}};
    const std::vector<Vec3> normals = outward_normals(solid_, voxels_);
    const BySphere crossing = crossing_triangles();
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
      result.shares[i].cone = cone_of(nearest.of(i), normals);
      const auto begin = static_cast<std::ptrdiff_t>(result.triangles.size());
      for (const NearestOfPart& t : nearest.of(i)) result.triangles.push_back(t.triangle);
      for (std::size_t k = crossing.first[i]; k < crossing.first[i + 1]; ++k)
        result.triangles.push_back(crossing.pairs[k].triangle);
      std::sort(result.triangles.begin() + begin, result.triangles.end());
      result.triangles.erase(std::unique(result.triangles.begin() + begin, result.triangles.end()),
                             result.triangles.end());
      result.first_triangle.push_back(result.triangles.size());
    }
    return result;
  }

 private:
  template <class Visit>
  void for_each_owned(const Visit& visit) const {
    voxels_.for_each_cube(0, voxels_.counts[0], [&](const CubePlace& place, const CubeRun& run) {
      visit(place, run, run.number_of(place[2]));
    });
  }

  /// All of the shares but the cones.
  [[nodiscard]] std::vector<SphereShare> volumes() const {
    const std::vector<double> covered = covered_cubes(voxels_, spheres_);
    std::vector<SphereShare> shares(spheres_.size());
    for_each_owned([&](const CubePlace& place, const CubeRun& run, std::uint32_t number) {
      const CubeOwner& owner = owners_[number];
      SphereShare& share = shares[owner.sphere];
      const double volume = voxels_.share_of(run, place[2]);
      share.volume += volume;
      if (owner.gap <= 0 && voxels_.has_center(run, place[2])) share.published_volume += 1;
      const double rounding = run.first_cut == kNoIndex ? 0 : kShareRounding;
      share.uncovered += std::max(volume + rounding - covered[number], 0.0);
      share.reach = std::max(share.reach, farthest(place, owner.sphere));
    });
    const double cube = voxels_.edge * voxels_.edge * voxels_.edge;
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
      SphereShare& share = shares[i];
      share.volume *= cube;
      share.published_volume *= cube;
      share.uncovered *= cube;
      share.reach = std::max(share.reach * voxels_.edge * (1 + 0x1p-40), spheres_[i].radius);
    }
    return shares;
  }

  /// How far the farthest corner of the cube is from the sphere's center; no part of the solid is
  /// outside its box.
  [[nodiscard]] double farthest(const CubePlace& place, std::uint32_t sphere) const {
    const Vec3 off = SolidVoxels::center_of(place) - voxels_.to_cubes(spheres_[sphere].center);
    return (off.cwiseAbs() + Vec3::Constant(0.5)).norm() + kPlaceRounding * off.norm();
  }

  /// Those that pass through the cubes of each part.
  [[nodiscard]] BySphere crossing_triangles() const {
    std::vector<KeptTriangle> pairs;
    for_each_owned([&](const CubePlace& place, const CubeRun& run, std::uint32_t number) {
      if (run.first_cut == kNoIndex) return;
      for (const std::uint32_t t : voxels_.triangles_of(run.cut_of(place[2])))
        if (const KeptTriangle pair{owners_[number].sphere, t};
            pairs.empty() || pairs.back() != pair)
          pairs.push_back(pair);
    });
    return by_sphere(pairs, spheres_.size());
  }

  // A share is off by a few 1e-16 of the column that carries it down, and a place by as much.
  static constexpr double kShareRounding = 1e-12, kPlaceRounding = 1e-13;

  const ClosedMesh& solid_;
  const SolidVoxels& voxels_;
  std::span<const PlacedSphere> spheres_;
  std::vector<CubeOwner> owners_;
  std::vector<std::size_t> owned_;  // cubes of each sphere
};

}  // namespace

std::size_t share_resolution(std::size_t spheres) {
  const double cubes = 5 * elementary::cbrt(static_cast<double>(spheres));
  return static_cast<std::size_t>(std::clamp(std::ceil(cubes), 48.0, 256.0));
}

std::size_t share_resolution(const SphereTreeOptions& options, std::size_t spheres) {
  return options.resolution > 0 ? options.resolution : share_resolution(spheres);
}

Result<void> check_volumes(const SphereShares& shares) {
  for (std::size_t i = 0; i < shares.shares.size(); ++i)
    if (shares.shares[i].volume < 0)
      return Error{ErrorCode::kNotClosed,
                   "found a part of the solid whose volume is " + digits(shares.shares[i].volume) +
                       ", expected a surface that winds around all of it the same way",
                   "spheres[" + std::to_string(i) + "]"};
  return {};
}

Result<DividedSolid> divide_solid(const ClosedMesh& solid, std::span<const PlacedSphere> spheres,
                                  std::size_t resolution) {
  const Result<SolidVoxels> voxels = solid_voxels(solid, resolution);
  if (!voxels) return voxels.error();
  if (spheres.empty()) return DividedSolid{};
  Result<SurfaceProbe> probe = SurfaceProbe::of(MeshTree(solid));
  if (!probe) return probe.error();
  const SolidDivision division(solid, *voxels, spheres);
  NearestOfParts nearest = division.nearest(*probe);
  SphereShares shares = division.shares(nearest);
  return DividedSolid{std::move(shares), std::move(nearest)};
}

Result<SphereShares> share_solid(const ClosedMesh& solid, std::span<const PlacedSphere> spheres,
                                 std::size_t resolution) {
  Result<DividedSolid> divided = divide_solid(solid, spheres, resolution);
  if (!divided) return divided.error();
  return std::move(divided->shares);
}

Result<SphereShares> share_solid(const ClosedMesh& solid, std::span<const PlacedSphere> spheres,
                                 std::size_t resolution, const NearestOfParts& nearest) {
  const Result<SolidVoxels> voxels = solid_voxels(solid, resolution);
  if (!voxels) return voxels.error();
  return SolidDivision(solid, *voxels, spheres).shares(nearest);
}

}  // namespace plimsoll
