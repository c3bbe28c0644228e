#include "spheres/cube_kinds.h"

#include <cmath>
#include <numbers>

namespace plimsoll {
namespace {

bool is_cut(CubeKind kind) { return kind == CubeKind::kCutOutside || kind == CubeKind::kCutInside; }

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

double reach_of_cubes(const SolidVoxels& lattice) {
  return std::numbers::sqrt3 / 2 * lattice.edge * (1 + 0x1p-40);
}

CubeKind kind_of(double depth, double reach) {
  if (std::abs(depth) >= reach) return depth > 0 ? CubeKind::kInside : CubeKind::kOutside;
  return depth > 0 ? CubeKind::kCutInside : CubeKind::kCutOutside;
}

void add_cubes(const std::vector<CubeKind>& kinds, SolidVoxels& lattice) {
  lattice.first_run.assign(1, 0);
  for (std::size_t begin = 0; begin < kinds.size(); begin += lattice.counts[2])
    add_column(kinds, begin, lattice.counts[2], lattice);
}

}  // namespace plimsoll
