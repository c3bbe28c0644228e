#include "spheres/shape_voxels.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/parallel.h"

namespace plimsoll {
namespace {

enum class CubeKind : std::uint8_t { kOutside, kInside, kCutOutside, kCutInside };

bool is_cut(CubeKind kind) { return kind == CubeKind::kCutOutside || kind == CubeKind::kCutInside; }

CubeKind kind_of(double depth, double reach) {
  if (std::abs(depth) >= reach) return depth > 0 ? CubeKind::kInside : CubeKind::kOutside;
  return depth > 0 ? CubeKind::kCutInside : CubeKind::kCutOutside;
}

/// Appends the runs of a column to those of columns before it.
void add_column(const std::vector<CubeKind>& kinds, std::size_t begin, std::uint32_t count,
                SolidVoxels& voxels) {
  const std::size_t first = voxels.runs.size();
  for (std::uint32_t z = 0; z < count; ++z) {
    const CubeKind kind = kinds[begin + z];
    if (kind == CubeKind::kOutside) continue;
    CubeRun* last = voxels.runs.size() > first ? &voxels.runs.back() : nullptr;
    if (last != nullptr && last->end == z && (last->first_cut != kNoIndex) == is_cut(kind)) {
      ++last->end;
    } else {
      const auto cut = static_cast<std::uint32_t>(voxels.is_inside.size());
      voxels.runs.push_back({z, z + 1, static_cast<std::uint32_t>(voxels.cube_count),
                             is_cut(kind) ? cut : kNoIndex, is_cut(kind) ? 0 : 1});
    }
    ++voxels.cube_count;
    if (is_cut(kind)) voxels.is_inside.push_back(kind == CubeKind::kCutInside);
  }
  voxels.first_run.push_back(voxels.runs.size());
}

}  // namespace

Result<SolidVoxels> shape_voxels(const ShapeDepth& depth, const Box3& box, std::size_t resolution) {
  Result<SolidVoxels> laid = lay_lattice(box, resolution, "shape");
  if (!laid) return laid;
  SolidVoxels& voxels = *laid;
  const double reach = std::numbers::sqrt3 / 2 * voxels.edge * (1 + 0x1p-40);
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
  voxels.first_run.assign(1, 0);
  for (std::size_t begin = 0; begin < kinds.size(); begin += count_z)
    add_column(kinds, begin, count_z, voxels);
  return laid;
}

}  // namespace plimsoll
