#include "spheres/sphere_shares.h"

#include <plimsoll/elementary.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "spheres/covered_cubes.h"
#include "spheres/cube_owners.h"
#include "spheres/nearest_triangles.h"

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

/// Gathers cones: first the axes, which are sums of normals, then the angles.
class ConeBuilder {
 public:
  ConeBuilder(std::span<const Vec3> normals, std::size_t count)
      : normals_(normals), sums_(count, Vec3::Zero()), counts_(count), chords_(count) {}

  void add(std::uint32_t cone, std::uint32_t triangle) {
    sums_[cone] += normals_[triangle];
    ++counts_[cone];
  }
  /// Once all normals are added.
  void find_axes() {
    // Where normals cancel but for rounding there is no axis.
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const double length = sums_[i].norm();
      sums_[i] = length > 1e-9 * static_cast<double>(counts_[i]) ? Vec3(sums_[i] / length)
                                                                 : Vec3(Vec3::Zero());
    }
  }
  /// Again for each normal.
  void widen(std::uint32_t cone, std::uint32_t triangle) {
    const Vec3& normal = normals_[triangle];
    const double chord = normal.isZero(0) ? 2 : (normal - sums_[cone]).norm();
    chords_[cone] = std::max(chords_[cone], chord);
  }
  [[nodiscard]] NormalCone cone(std::size_t i) const {
    constexpr double kRounding = 1e-14;
    const double angle = 2 * elementary::asin(std::min(chords_[i] / 2, 1.0)) + kRounding;
    if (sums_[i].isZero(0) || angle >= std::numbers::pi) return {Vec3::Zero(), std::numbers::pi};
    return {sums_[i], angle};
  }

 private:
  std::span<const Vec3> normals_;
  std::vector<Vec3> sums_;  // then the axes
  std::vector<std::size_t> counts_;
  std::vector<double> chords_;  // the longest between an axis and a normal, both of length 1
};

/// A triangle that a sphere keeps.
struct KeptTriangle {
  std::uint32_t sphere, triangle;
};

/// Each sphere's triangles ascending, each once.
void sort_triangles(std::span<const KeptTriangle> kept, SphereShares& shares) {
  const std::size_t count = shares.shares.size();
  std::vector<std::size_t> begin(count + 2);
  for (const KeptTriangle& pair : kept) ++begin[pair.sphere + std::size_t{2}];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> sorted(kept.size());
  for (const KeptTriangle& pair : kept)
    sorted[begin[pair.sphere + std::size_t{1}]++] = pair.triangle;
  shares.first_triangle.assign(1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(begin[i]);
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]);
    std::sort(first, end);
    shares.triangles.insert(shares.triangles.end(), first, std::unique(first, end));
    shares.first_triangle.push_back(shares.triangles.size());
  }
}

/// Goes through the cubes and gives each sphere what is its.
class SolidDivision {
 public:
  SolidDivision(const ClosedMesh& solid, const SolidVoxels& voxels,
                std::span<const PlacedSphere> spheres)
      : voxels_(voxels),
        spheres_(spheres),
        owners_(cube_owners(voxels, spheres)),
        covered_(covered_cubes(voxels, spheres)),
        normals_(outward_normals(solid, voxels)),
        cones_(normals_, spheres.size()),
        owned_(spheres.size()) {
    result_.shares.resize(spheres.size());
    for (std::size_t i = 0; i < spheres.size(); ++i)
      result_.shares[i].reach = spheres[i].radius / voxels.edge;
  }

  /// Gives cubes away, and what is nearest to them.
  void add_cubes(std::span<const std::uint32_t> nearest) {
    for_each_owned([&](const CubePlace& place, const CubeRun& run, std::uint32_t number) {
      const CubeOwner& owner = owners_[number];
      ++owned_[owner.sphere];
      add_volume(place, run, number);
      cones_.add(owner.sphere, nearest[number]);
      keep(owner.sphere, nearest[number]);
      if (run.first_cut == kNoIndex) return;
      for (const std::uint32_t t : voxels_.triangles_of(run.cut_of(place[2])))
        keep(owner.sphere, t);
    });
  }

  /// Spheres without cubes keep the triangle nearest to their own center.
  void add_lone_spheres(SurfaceProbe& probe) {
    for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
      if (owned_[i] > 0) continue;
      const Result<NearestOnSurface> found = probe.nearest(spheres_[i].center);
      if (!found || !found->at) continue;
      keep(i, found->at->triangle);
      cones_.add(i, found->at->triangle);
    }
  }

  [[nodiscard]] SphereShares finish(std::span<const std::uint32_t> nearest) {
    cones_.find_axes();
    for_each_owned([&](const CubePlace&, const CubeRun&, std::uint32_t number) {
      cones_.widen(owners_[number].sphere, nearest[number]);
    });
    for (const KeptTriangle& pair : kept_)
      if (owned_[pair.sphere] == 0) cones_.widen(pair.sphere, pair.triangle);
    const double cube = voxels_.edge * voxels_.edge * voxels_.edge;
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
      SphereShare& share = result_.shares[i];
      share.volume *= cube;
      share.published_volume *= cube;
      share.uncovered *= cube;
      share.reach = std::max(share.reach * voxels_.edge * (1 + 0x1p-40), spheres_[i].radius);
      if (owned_[i] == 0) share.reach = spheres_[i].radius;
      share.cone = cones_.cone(i);
    }
    sort_triangles(kept_, result_);
    return std::move(result_);
  }

 private:
  template <class Visit>
  void for_each_owned(const Visit& visit) const {
    voxels_.for_each_cube(0, voxels_.counts[0], [&](const CubePlace& place, const CubeRun& run) {
      visit(place, run, run.number_of(place[2]));
    });
  }

  void add_volume(const CubePlace& place, const CubeRun& run, std::uint32_t number) {
    const CubeOwner& owner = owners_[number];
    SphereShare& share = result_.shares[owner.sphere];
    const double volume = voxels_.share_of(run, place[2]);
    share.volume += volume;
    if (owner.gap <= 0 && voxels_.has_center(run, place[2])) share.published_volume += 1;
    const double rounding = run.first_cut == kNoIndex ? 0 : kShareRounding;
    share.uncovered += std::max(volume + rounding - covered_[number], 0.0);
    share.reach = std::max(share.reach, farthest(place, owner.sphere));
  }

  /// How far the farthest corner of the cube is from the sphere's center; no part of the solid is
  /// outside its box.
  [[nodiscard]] double farthest(const CubePlace& place, std::uint32_t sphere) const {
    const Vec3 off = SolidVoxels::center_of(place) - voxels_.to_cubes(spheres_[sphere].center);
    return (off.cwiseAbs() + Vec3::Constant(0.5)).norm() + kPlaceRounding * off.norm();
  }

  void keep(std::uint32_t sphere, std::uint32_t triangle) {
    if (!kept_.empty() && kept_.back().sphere == sphere && kept_.back().triangle == triangle)
      return;
    kept_.push_back({sphere, triangle});
  }

  // A share is off by a few 1e-16 of the column that carries it down, and a place by as much.
  static constexpr double kShareRounding = 1e-12, kPlaceRounding = 1e-13;

  const SolidVoxels& voxels_;
  std::span<const PlacedSphere> spheres_;
  std::vector<CubeOwner> owners_;
  std::vector<double> covered_;
  std::vector<Vec3> normals_;
  ConeBuilder cones_;
  std::vector<std::size_t> owned_;  // cubes of each sphere
  std::vector<KeptTriangle> kept_;
  SphereShares result_;
};

}  // namespace

std::size_t share_resolution(std::size_t spheres) {
  const double cubes = 5 * elementary::cbrt(static_cast<double>(spheres));
  return static_cast<std::size_t>(std::clamp(std::ceil(cubes), 48.0, 256.0));
}

Result<SphereShares> share_solid(const ClosedMesh& solid, const MeshTree& tree,
                                 const SolidVoxels& voxels, std::span<const PlacedSphere> spheres) {
  if (spheres.empty()) return SphereShares{{}, {0}, {}};
  Result<SurfaceProbe> probe = SurfaceProbe::of(tree);
  if (!probe) return probe.error();
  const std::vector<std::uint32_t> nearest = nearest_triangles(voxels, solid);
  SolidDivision division(solid, voxels, spheres);
  division.add_cubes(nearest);
  division.add_lone_spheres(*probe);
  return division.finish(nearest);
}

Result<SphereShares> share_solid(const ClosedMesh& solid, std::span<const PlacedSphere> spheres,
                                 std::size_t resolution) {
  const Result<SolidVoxels> voxels = solid_voxels(solid, resolution);
  if (!voxels) return voxels.error();
  return share_solid(solid, MeshTree(solid), *voxels, spheres);
}

}  // namespace plimsoll
