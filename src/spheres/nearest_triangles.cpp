#include "spheres/nearest_triangles.h"

#include <plimsoll/surface_queries.h>

#include <limits>

#include "core/parallel.h"

namespace plimsoll {
namespace {

/// Finds the nearest triangles of the cubes of one x, column after column.
class SlabSearch {
 public:
  SlabSearch(const SolidVoxels& voxels, SurfaceProbe& probe, std::vector<std::uint32_t>& nearest)
      : voxels_(voxels), probe_(probe), nearest_(nearest) {}

  void search(std::size_t x) {
    voxels_.for_each_cube(x, x + 1, [&](const CubePlace& place, const CubeRun& run) {
      const Vec3 center = voxels_.to_meters(SolidVoxels::center_of(place));
      // The surface is no farther than from the cube before, and the way from there.
      const double limit = (distance_ + (center - before_).norm()) * (1 + 0x1p-40);
      Result<NearestOnSurface> found = probe_.nearest(center, limit);
      if (found && !found->at) found = probe_.nearest(center);
      if (!found || !found->at) return;
      nearest_[run.number_of(place[2])] = found->at->triangle;
      distance_ = found->upper;
      before_ = center;
    });
  }

 private:
  const SolidVoxels& voxels_;
  SurfaceProbe& probe_;
  std::vector<std::uint32_t>& nearest_;
  Vec3 before_ = Vec3::Zero();
  double distance_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Result<std::vector<std::uint32_t>> nearest_triangles(const SolidVoxels& voxels,
                                                     const MeshTree& tree) {
  if (const Result<SurfaceProbe> probe = SurfaceProbe::of(tree); !probe) return probe.error();
  std::vector<std::uint32_t> nearest(voxels.cube_count);
  parallel_for_each_index(voxels.counts[0], [&](std::size_t x) {
    Result<SurfaceProbe> probe = SurfaceProbe::of(tree);
    SlabSearch(voxels, *probe, nearest).search(x);
  });
  return nearest;
}

}  // namespace plimsoll
