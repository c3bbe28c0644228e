#include "spheres/open_voxels.h"

#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.h"
#include "spheres/cube_kinds.h"

namespace plimsoll {
namespace {

/// What is known of the lattice's centers, numbered z + nz (y + ny x).
struct Centers {
  std::vector<double> winding;
  std::vector<char> is_near;  // the surface may touch the cube

  explicit Centers(std::size_t count) : winding(count), is_near(count) {}
};

/// False where `goes_on` ended it.
bool ask_centers(const MeshTree& surface, const SolidVoxels& lattice,
                 const std::function<bool()>& goes_on, Centers& centers) {
  const double reach = reach_of_cubes(lattice);
  const auto [count_x, count_y, count_z] = lattice.counts;
  for (std::uint32_t x = 0; x < count_x; ++x) {
    if (!goes_on()) return false;
    parallel_for_each_index(count_y, [&, x, count_y = count_y, count_z = count_z](std::size_t y) {
      SurfaceProbe probe = *SurfaceProbe::of(surface);
      for (std::uint32_t z = 0; z < count_z; ++z) {
        const Vec3 center =
            lattice.to_meters(SolidVoxels::center_of({x, static_cast<std::uint32_t>(y), z}));
        const std::size_t number = z + count_z * (y + std::size_t{count_y} * x);
        centers.winding[number] = *probe.generalized_winding_number(center);
        centers.is_near[number] = probe.nearest(center, reach)->at.has_value();
      }
    });
  }
  return true;
}

/// -1 where the surface winds the other way around more centers.
double side_of(const std::vector<double>& windings) {
  const auto around = [&](double side) {
    return std::count_if(windings.begin(), windings.end(),
                         [&](double winding) { return side * winding > 0.5; });
  };
  return around(-1) > around(1) ? -1 : 1;
}

/// Calls visit(place, number) for all cubes of a lattice.
template <class Visit>
void for_each_place(const CubePlace& counts, const Visit& visit) {
  std::size_t number = 0;
  for (std::uint32_t x = 0; x < counts[0]; ++x)
    for (std::uint32_t y = 0; y < counts[1]; ++y)
      for (std::uint32_t z = 0; z < counts[2]; ++z) visit(CubePlace{x, y, z}, number++);
}

/// Whether one of six neighbors is on the other side of where inside ends.
bool is_at_the_end(const std::vector<char>& inside, const CubePlace& counts, const CubePlace& place,
                   std::size_t number) {
  std::size_t stride = 1;
  for (std::size_t axis = 3; axis-- > 0; stride *= counts[axis]) {
    if (place[axis] > 0 && inside[number - stride] != inside[number]) return true;
    if (place[axis] + 1 < counts[axis] && inside[number + stride] != inside[number]) return true;
  }
  return false;
}

/// Of what of a cube of edge 1 is in a box.
VolumeMoments moments_of_cube(const CubePlace& place, const Box3& box) {
  const Vec3 low(place[0], place[1], place[2]);
  const Box3 part = Box3(low, low + Vec3::Ones()).intersection(box);
  if (part.isEmpty()) return {};
  const Vec3 center = part.center(), squares = part.sizes().cwiseAbs2() / 12;
  const Mat3 about_center = squares.asDiagonal();
  const double volume = part.volume();
  return {volume, volume * center, volume * (center * center.transpose() + about_center)};
}

}  // namespace

std::vector<std::uint32_t> squared_distances_within(const std::vector<char>& marked,
                                                    const CubePlace& counts) {
  constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max() / 2;
  std::vector<std::uint32_t> squares(marked.size());
  for (std::size_t i = 0; i < marked.size(); ++i) squares[i] = marked[i] != 0 ? kFar : 0;
  // One axis after the other: the least over a line of those along the axes before, and the square
  // of the distance along it. Beyond the ends of the line it is 0.
  std::size_t stride = 1;
  for (std::size_t axis = 3; axis-- > 0; stride *= counts[axis]) {
    const std::size_t count = counts[axis];
    parallel_for_each_index(squares.size() / count, [&](std::size_t line) {
      const std::size_t begin = line / stride * stride * count + line % stride;
      std::vector<std::uint32_t> before(count);
      for (std::size_t i = 0; i < count; ++i) before[i] = squares[begin + i * stride];
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t least = before[i];
        for (std::size_t away = 1; away * away < least; ++away) {
          const std::uint32_t below = away > i ? 0 : before[i - away];
          const std::uint32_t above = i + away >= count ? 0 : before[i + away];
          least = std::min(least, static_cast<std::uint32_t>(away * away) + std::min(below, above));
        }
        squares[begin + i * stride] = least;
      }
    });
  }
  return squares;
}

Result<std::optional<OpenVoxels>> open_voxels(const MeshTree& surface, std::size_t resolution,
                                              const std::function<bool()>& goes_on) {
  Result<SolidVoxels> lattice = lay_lattice(surface.box(), resolution, "surface");
  if (!lattice) return lattice.error();
  if (const Result<SurfaceProbe> probe = SurfaceProbe::of(surface); !probe) return probe.error();
  OpenVoxels open{std::move(*lattice), {}, {}, 0};
  SolidVoxels& voxels = open.voxels;
  const CubePlace counts = voxels.counts;
  Centers centers(std::size_t{counts[0]} * counts[1] * counts[2]);
  if (!ask_centers(surface, voxels, goes_on, centers)) return std::optional<OpenVoxels>();

  voxels.side = side_of(centers.winding);
  std::vector<char> inside(centers.winding.size());
  std::size_t likely = 0, doubtful = 0;
  for (std::size_t number = 0; number < inside.size(); ++number) {
    const double winding = voxels.side * centers.winding[number];
    inside[number] = winding > 0.5;
    likely += winding >= 0.25;
    doubtful += winding >= 0.25 && winding < 0.75;
  }
  const std::vector<std::uint32_t> squares = squared_distances_within(inside, counts);
  std::vector<CubeKind> kinds(inside.size());
  const Box3 box(voxels.to_cubes(surface.box().min()), voxels.to_cubes(surface.box().max()));
  VolumeMoments moments;
  double cut_volume = 0;
  for_each_place(counts, [&](const CubePlace& place, std::size_t number) {
    const bool is_in = inside[number] != 0;
    if (centers.is_near[number] != 0 || is_at_the_end(inside, counts, place, number))
      kinds[number] = is_in ? CubeKind::kCutInside : CubeKind::kCutOutside;
    else
      kinds[number] = is_in ? CubeKind::kInside : CubeKind::kOutside;
    if (kinds[number] != CubeKind::kOutside)
      open.room.push_back(voxels.edge * std::sqrt(static_cast<double>(squares[number])));
    if (!is_in) return;
    const VolumeMoments part = moments_of_cube(place, box);
    moments = moments + part;
    if (kinds[number] == CubeKind::kCutInside) cut_volume += part.volume;
  });
  if (!(moments.volume > 0))
    return Error{ErrorCode::kInvalidArgument,
                 "found no center of a cube that it winds around more than half, expected a "
                 "surface that encloses something",
                 "surface"};
  open.moments = transformed(moments, Similarity(Eigen::UniformScaling<double>(voxels.edge)));
  open.doubtful_share = static_cast<double>(doubtful) / static_cast<double>(likely);
  open.cut_share = cut_volume / moments.volume;
  add_cubes(kinds, voxels);
  return std::optional(std::move(open));
}

}  // namespace plimsoll
