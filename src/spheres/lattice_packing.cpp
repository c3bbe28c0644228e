// Distances are taken late: that of a center differs from that of another by no more than the
// centers are apart, so that one for each block of cubes bounds those of the block. A heap holds
// bounds; what comes to its top is measured, unless the spheres leave it less room by then, and
// goes back below what it is not larger than. So the sphere that is taken is the one that would
// have been taken of all distances.
#include "spheres/lattice_packing.h"

#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "core/mass_from_moments.h"
#include "core/parallel.h"
#include "shape/shape_box.h"
#include "spheres/cube_owners.h"
#include "spheres/open_voxels.h"
#include "spheres/packing_options.h"
#include "spheres/shape_voxels.h"
#include "spheres/solid_voxels.h"

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// What the difference of two points and its length may be off by, relative to it.
constexpr double kRounding = 0x1p-50;

/// Cells of shapes are this small beside the cubes.
constexpr double kCellsPerCube = 8;

/// What is known of a cube's center.
struct Room {
  double radius = -1;  // no sphere about it is larger; below 0 where none is wanted
  bool is_measured = false;
};

/// A cube that waits: the one of most room comes first, of equal ones that of the lowest number.
struct Waiting {
  double radius;
  std::uint32_t cube;

  bool operator<(const Waiting& other) const {
    return radius != other.radius ? radius < other.radius : cube > other.cube;
  }
};

/// How far the surface is from a point: at least and at most.
struct DistanceBounds {
  double lower = -1;
  double upper = kInfinite;
};

/// The surface of a mesh. Precondition: a SurfaceProbe accepts the tree.
struct MeshSurface {
  const MeshTree& tree;
  const std::vector<double>* rooms = nullptr;  // of cubes, where something else ends the inside

  [[nodiscard]] double room_of(std::uint32_t cube) const {
    return rooms != nullptr ? (*rooms)[cube] : kInfinite;
  }

  /// What one thread asks: the surface is not looked for beyond `limit`, and `lower` is that then.
  [[nodiscard]] auto probe() const {
    return [probe = *SurfaceProbe::of(tree)](const Vec3& point, double limit) mutable {
      const Result<NearestOnSurface> found = probe.nearest(point, limit);
      return found ? DistanceBounds{found->lower, found->upper} : DistanceBounds{};
    };
  }
};

/// The surface of a shape, and what its depths are short of it: depths differ by no more than the
/// points are apart, so that they may stand for distances.
struct ShapeSurface {
  const ShapeDepth& depth;

  [[nodiscard]] static double room_of(std::uint32_t /*cube*/) { return kInfinite; }

  [[nodiscard]] auto probe() const {
    return [&depth = depth](const Vec3& point, double limit) {
      const double lower = depth.at(point, limit);
      return DistanceBounds{lower, lower < limit ? lower + 4 * depth.rounding() : kInfinite};
    };
  }
};

/// The centers of a solid's cubes, and how large spheres about them may be.
template <class Surface>
class FreeRoom {
 public:
  using Probe = decltype(std::declval<const Surface&>().probe());

  FreeRoom(const SolidVoxels& voxels, const Surface& surface)
      : voxels_(voxels),
        surface_(surface),
        probe_(surface.probe()),
        rooms_(voxels.cube_count),
        places_(voxels.cube_count) {
    voxels.for_each_cube(0, voxels.counts[0], [&](const CubePlace& place, const CubeRun& run) {
      const std::uint32_t cube = run.number_of(place[2]);
      places_[cube] = place;
      if (voxels.has_center(run, place[2])) rooms_[cube].radius = surface.room_of(cube);
    });
    // The center of a cube was found inside before rounding moved it into the world. Only where it
    // is farther from the surface than that does it count.
    const Vec3 far = voxels.to_meters(Vec3(voxels.counts[0], voxels.counts[1], voxels.counts[2]));
    least_radius_ =
        0x1p-46 * std::max(voxels.corner.cwiseAbs().maxCoeff(), far.cwiseAbs().maxCoeff());
  }

  /// Measures all centers, or bounds them by one of each block.
  void measure(DistancesTaken distances) {
    parallel_for_each_index(voxels_.counts[0], [&](std::size_t x) {
      if (distances == DistancesTaken::kLate && x % kBlock != 0) return;
      Probe probe = surface_.probe();
      if (distances == DistancesTaken::kEarly)
        measure_slab(x, probe);
      else
        bound_blocks(x, probe);
    });
    std::vector<Waiting> waiting;
    for (std::uint32_t cube = 0; cube < rooms_.size(); ++cube)
      if (rooms_[cube].radius >= 0) waiting.push_back({rooms_[cube].radius, cube});
    heap_ = std::priority_queue<Waiting>({}, std::move(waiting));
  }

  /// The largest sphere that there is room for, if any is as large as `min_radius`.
  [[nodiscard]] std::optional<PlacedSphere> largest(double min_radius) {
    while (!heap_.empty()) {
      const auto [radius, cube] = heap_.top();
      heap_.pop();
      Room& room = rooms_[cube];
      if (room.radius < 0 || room.radius < min_radius || room.radius <= least_radius_) continue;
      if (!room.is_measured && room.radius == radius) measure_center(cube, probe_);
      if (room.radius == radius) return PlacedSphere{center(cube), radius};
      if (room.radius >= 0) heap_.push({room.radius, cube});
    }
    return std::nullopt;
  }

  /// Takes a sphere's room away: [Weller2009, sec. 3.1]. No cube has more room than the sphere had,
  /// so that those beyond twice its radius keep theirs.
  void take(const PlacedSphere& sphere) {
    const Vec3 at = voxels_.to_cubes(sphere.center) - Vec3::Constant(0.5);
    const double reach = 2 * sphere.radius / voxels_.edge + 0.01;
    const auto [first_x, end_x] = centers_within(at.x(), reach, voxels_.counts[0]);
    for (std::uint32_t x = first_x; x < end_x; ++x) {
      const double in_x = chord(reach, x - at.x());
      const auto [first_y, end_y] = centers_within(at.y(), in_x, voxels_.counts[1]);
      for (std::uint32_t y = first_y; y < end_y; ++y) {
        const auto [first_z, end_z] =
            centers_within(at.z(), chord(in_x, y - at.y()), voxels_.counts[2]);
        for (const CubeRun& run : voxels_.column(x, y))
          for (std::uint32_t z = std::max(run.begin, first_z); z < std::min(run.end, end_z); ++z)
            shrink(rooms_[run.number_of(z)], {x, y, z}, sphere);
      }
    }
  }

 private:
  [[nodiscard]] Vec3 center(std::uint32_t cube) const {
    return voxels_.to_meters(SolidVoxels::center_of(places_[cube]));
  }

  /// The surface is no farther away than what this returns.
  double measure_center(std::uint32_t cube, Probe& probe) {
    Room& room = rooms_[cube];
    room.is_measured = true;
    // Farther away than the room is, the surface does not matter.
    const DistanceBounds found = probe(center(cube), room.radius);
    room.radius = std::min(room.radius, found.lower);
    return found.upper;
  }

  void measure_slab(std::size_t x, Probe& probe) {
    voxels_.for_each_cube(x, x + 1, [&](const CubePlace& place, const CubeRun& run) {
      const std::uint32_t cube = run.number_of(place[2]);
      if (rooms_[cube].radius >= 0) measure_center(cube, probe);
    });
  }

  /// The center of a block that is measured.
  struct Measured {
    std::uint32_t cube = kNoIndex;
    double distance = kInfinite;
  };

  /// Blocks from x on: the first center of each is measured.
  void bound_blocks(std::size_t x, Probe& probe) {
    const std::size_t end_x = std::min<std::size_t>(x + kBlock, voxels_.counts[0]);
    for (std::uint32_t y = 0; y < voxels_.counts[1]; y += kBlock) {
      std::vector<Measured> firsts(voxels_.counts[2] / kBlock + std::size_t{1});
      const std::uint32_t end_y = std::min(y + kBlock, voxels_.counts[1]);
      for (std::size_t i = x; i < end_x; ++i)
        for (std::uint32_t j = y; j < end_y; ++j)
          for (const CubeRun& run : voxels_.column(i, j))
            for (std::uint32_t z = run.begin; z < run.end; ++z)
              bound(run.number_of(z), firsts[z / kBlock], probe);
    }
  }

  void bound(std::uint32_t cube, Measured& first, Probe& probe) {
    if (rooms_[cube].radius < 0) return;
    if (first.cube == kNoIndex) {
      first = {cube, measure_center(cube, probe)};
      return;
    }
    const double away = (center(cube) - center(first.cube)).norm();
    rooms_[cube].radius = std::min(rooms_[cube].radius, (first.distance + away) * (1 + kRounding));
  }

  /// Half the chord of a circle at a distance from its center; 0 where there is none.
  static double chord(double radius, double distance) {
    return std::sqrt(std::max(radius * radius - distance * distance, 0.0));
  }
  /// The places, of `count`, that are within `reach` of one.
  static std::pair<std::uint32_t, std::uint32_t> centers_within(double at, double reach,
                                                                double count) {
    return {static_cast<std::uint32_t>(std::clamp(std::ceil(at - reach), 0.0, count)),
            static_cast<std::uint32_t>(std::clamp(std::floor(at + reach) + 1, 0.0, count))};
  }

  void shrink(Room& room, const CubePlace& place, const PlacedSphere& sphere) const {
    if (room.radius < 0) return;
    const Vec3 center = voxels_.to_meters(SolidVoxels::center_of(place));
    const double squared = (center - sphere.center).squaredNorm();
    const double both = room.radius + sphere.radius;
    if (squared > both * both * (1 + 8 * kRounding)) return;
    // What is left beside the sphere, rounded down; its own center is in it.
    const double away = std::sqrt(squared) * (1 - kRounding);
    const double left = away - sphere.radius - kRounding * sphere.radius;
    room.radius = left > 0 ? std::min(room.radius, left) : -1;
  }

  static constexpr std::uint32_t kBlock = 4;

  const SolidVoxels& voxels_;
  Surface surface_;
  Probe probe_;
  std::vector<Room> rooms_;        // of each cube
  std::vector<CubePlace> places_;  // of each cube
  double least_radius_ = 0;
  std::priority_queue<Waiting> heap_;
};

Result<void> check(const PackingOptions& options) {
  if (options.keep)
    return Error{ErrorCode::kInvalidArgument,
                 "found a half space to keep, which only pack_spheres does", "keep"};
  return check_packing(options);
}

/// Adds spheres until an option ends it.
class LatticePacking {
 public:
  LatticePacking(const SolidVoxels& voxels, double solid_volume, const PackingOptions& options)
      : voxels_(voxels), options_(options) {
    packing_.solid_volume = solid_volume;
  }

  template <class Surface>
  [[nodiscard]] SpherePacking pack(FreeRoom<Surface>& room) {
    while (!is_ended()) {
      const std::optional<PlacedSphere> sphere = room.largest(options_.min_radius);
      if (!sphere) {
        packing_.end = PackingEnd::kRadius;
        break;
      }
      packing_.spheres.push_back(*sphere);
      volume_ += 4 * std::numbers::pi / 3 * sphere->radius * sphere->radius * sphere->radius;
      room.take(*sphere);
    }
    packing_.coverage = coverage();
    packing_.largest_protrusion = protrusion();
    return std::move(packing_);
  }

 private:
  [[nodiscard]] double coverage() const {
    return volume_ > 0 ? volume_ / packing_.solid_volume : 0;
  }
  [[nodiscard]] double protrusion() const {
    if (packing_.spheres.empty()) return kInfinite;
    return protrusion_of_cubes(voxels_, cube_owners(voxels_, packing_.spheres));
  }

  [[nodiscard]] bool is_ended() {
    const std::size_t count = packing_.spheres.size();
    if (count >= options_.max_count) {
      packing_.end = PackingEnd::kCount;
    } else if (count > 0 && coverage() >= options_.coverage) {
      packing_.end = PackingEnd::kCoverage;
    } else if (options_.max_protrusion > 0 && count >= next_look_) {
      next_look_ = count + std::max<std::size_t>(1, count / 8);
      if (protrusion() > options_.max_protrusion) return false;
      packing_.end = PackingEnd::kProtrusion;
    } else if (options_.progress && count % kProgressSpheres == 0 && !options_.progress(count)) {
      packing_.end = PackingEnd::kInterrupted;
    } else {
      return false;
    }
    return true;
  }

  static constexpr std::size_t kProgressSpheres = 256;

  const SolidVoxels& voxels_;
  const PackingOptions& options_;
  SpherePacking packing_;
  double volume_ = 0;  // of the spheres
  std::size_t next_look_ = 1;
};

}  // namespace

Result<SpherePacking> pack_on_lattice(const ClosedMesh& solid, std::size_t resolution,
                                      const PackingOptions& options, DistancesTaken distances) {
  if (Result<void> usable = check(options); !usable) return usable.error();
  const Result<SolidVoxels> voxels = solid_voxels(solid, resolution);
  if (!voxels) return voxels.error();
  const MeshTree tree(solid);
  if (const Result<SurfaceProbe> probe = SurfaceProbe::of(tree); !probe) return probe.error();
  FreeRoom room(*voxels, MeshSurface{tree});
  room.measure(distances);
  const double volume = std::abs(mass_properties(solid).volume);
  return LatticePacking(*voxels, volume, options).pack(room);
}

namespace {

/// In closed form where there is one; else as an image measures it.
Result<double> volume_of(const Shape& shape) {
  if (Result<ShapeMass> exact = mass_properties(shape); exact)
    return exact->body.properties.volume;
  else if (exact.error().code != ErrorCode::kUnavailable)
    return exact.error();
  const Result<ImageMass> measured = image_mass_properties(shape, {.width = 64, .height = 64});
  if (!measured) return measured.error();
  return measured->properties.volume;
}

}  // namespace

Result<SpherePacking> pack_on_lattice(const Shape& shape, std::size_t resolution,
                                      const PackingOptions& options, DistancesTaken distances) {
  if (Result<void> usable = check(options); !usable) return usable.error();
  if (Result<void> sound = check_shape(shape); !sound) return sound.error();
  const Box3 box = box_of_checked(shape);
  if (box.isEmpty())
    return Error{ErrorCode::kInvalidArgument, "found a shape that is empty, expected a solid",
                 "shape"};
  const Result<SolidVoxels> lattice = lay_lattice(box, resolution, "shape");
  if (!lattice) return lattice.error();
  const Result<double> volume = volume_of(shape);
  if (!volume) return volume.error();
  if (!(*volume > 0))
    return Error{ErrorCode::kInvalidArgument, "found a shape of volume 0, expected a solid",
                 "shape"};
  const Result<ShapeDepth> depth = ShapeDepth::of(shape, lattice->edge / kCellsPerCube);
  if (!depth) return depth.error();
  const Result<SolidVoxels> voxels = shape_voxels(*depth, box, resolution);
  if (!voxels) return voxels.error();
  FreeRoom room(*voxels, ShapeSurface{*depth});
  room.measure(distances);
  return LatticePacking(*voxels, *volume, options).pack(room);
}

Result<SpherePacking> pack_spheres_on_lattice(const ClosedMesh& solid, std::size_t resolution,
                                              const PackingOptions& options) {
  return pack_on_lattice(solid, resolution, options, DistancesTaken::kLate);
}

Result<SpherePacking> pack_spheres_on_lattice(const Shape& shape, std::size_t resolution,
                                              const PackingOptions& options) {
  return pack_on_lattice(shape, resolution, options, DistancesTaken::kLate);
}

Result<OpenPacking> pack_spheres_in_open(const CheckedMesh& surface, std::size_t resolution,
                                         const PackingOptions& options) {
  if (Result<void> usable = check(options); !usable) return usable.error();
  const MeshTree tree(surface);
  const Result<std::optional<OpenVoxels>> found =
      open_voxels(tree, resolution, [&] { return !options.progress || options.progress(0); });
  if (!found) return found.error();
  OpenPacking result;
  result.packing.end = PackingEnd::kInterrupted;
  if (!*found) return result;
  const OpenVoxels& open = **found;
  FreeRoom room(open.voxels, MeshSurface{tree, &open.room});
  room.measure(DistancesTaken::kLate);
  result.packing = LatticePacking(open.voxels, open.moments.volume, options).pack(room);
  const Similarity there(Eigen::Translation3d(open.voxels.corner));
  result.solid = mass_from_moments(open.moments, there, 1, 0);
  result.solid.error_bound = {kInfinite, kInfinite, kInfinite};
  result.solid.inverted = open.voxels.side < 0;
  result.doubtful_share = open.doubtful_share;
  result.cut_share = open.cut_share;
  return result;
}

}  // namespace plimsoll
