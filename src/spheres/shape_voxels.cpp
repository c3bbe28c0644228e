#include "spheres/shape_voxels.h"

#include <vector>

#include "core/parallel.h"
#include "spheres/cube_kinds.h"

namespace plimsoll {

Result<SolidVoxels> shape_voxels(const ShapeDepth& depth, const Box3& box, std::size_t resolution) {
  Result<SolidVoxels> laid = lay_lattice(box, resolution, "shape");
  if (!laid) return laid;
  SolidVoxels& voxels = *laid;
  const double reach = reach_of_cubes(voxels);
  const auto [count_x, count_y, count_z] = voxels.counts;
  std::vector<CubeKind> kinds(std::size_t{count_x} * count_y * count_z);
  parallel_for_each_index(std::size_t{count_x} * count_y, [&](std::size_t column) {
    const auto x = static_cast<std::uint32_t>(column / voxels.counts[1]);
    const auto y = static_cast<std::uint32_t>(column % voxels.counts[1]);
    for (std::uint32_t z = 0; z < voxels.counts[2]; ++z) {
      const Vec3 center = voxels.to_meters(SolidVoxels::center_of({x, y, z}));
      kinds[column * voxels.counts[2] + z] = kind_of(depth.at(center, reach), reach);
    }
  });
  add_cubes(kinds, voxels);
  return laid;
}

}  // namespace plimsoll
