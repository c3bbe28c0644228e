// The sums over the wetted surface S alone: where the fluid's surface closes the wet part V, the
// depth d = h - z is 0. With n the outward unit normal,
//
//   integral_V dV     = -integral_S d n_z dA
//   integral_V x dV   = -integral_S d x n_z dA, y likewise
//   integral_V z dV   = -integral_S d (h + z) / 2 n_z dA
//   integral_V (-dh/dx, -dh/dy, 1) dV             = -integral_S d n dA
//   integral_V (x, y, z) x (-dh/dx, -dh/dy, 1) dV = -integral_S d (x, y, z) x n dA
//
// by the divergence theorem for (0, 0, -d), (0, 0, -d x), (0, 0, z^2 / 2 - h^2 / 2) and d along
// each axis. With d linear over a triangle all are of second degree, for which the midpoints of
// its edges suffice.
#include <plimsoll/buoyancy.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/number_text.h"
#include "core/parallel.h"
#include "hydro/buoyancy_integrals.h"
#include "shape/unit_of_length.h"

namespace plimsoll {
namespace {

/// A point relative to the middle of the body and how deep it is, in units of the body.
struct Corner {
  Vec3 at;
  double depth;
};
using WetCorners = std::array<Corner, 3>;

constexpr std::size_t kMaxPieces = 20'000'000;  // half a second
constexpr std::size_t kStep = 4096;             // a power of two
constexpr int kMaxHalvings = 40;                // of an edge: less than a billionth of a part left

struct Sums {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Vec3 lift = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  double whole = 0;        // signed volume of the body, wet and dry, times 6
  std::size_t pieces = 0;  // that triangles were cut into; more than kMaxPieces where that is known

  void operator+=(const Sums& other) {
    volume += other.volume;
    first += other.first;
    lift += other.lift;
    moment += other.moment;
    whole += other.whole;
    pieces += other.pieces;
  }
};

/// A triangle wholly wet.
void add_wet(const WetCorners& c, Sums& sums) {
  const Vec3 area = (c[1].at - c[0].at).cross(c[2].at - c[0].at) / 2;
  for (int k = 0; k < 3; ++k) {
    const Corner &a = c[k], &b = c[(k + 1) % 3];
    const Vec3 at = (a.at + b.at) / 2;
    const double depth = (a.depth + b.depth) / 2;
    const Vec3 push = (-depth / 3) * area;
    sums.volume += push[2];
    sums.first += push[2] * Vec3(at[0], at[1], at[2] + depth / 2);  // (h + z) / 2 = z + d / 2
    sums.lift += push;
    sums.moment += at.cross(push);
  }
}

/// The part of a triangle with depth >= 0, as a fan.
void add_clipped(const WetCorners& c, Sums& sums) {
  std::array<Corner, 4> polygon;
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    const Corner &a = c[k], &b = c[(k + 1) % 3];
    if (a.depth >= 0) polygon[count++] = a;
    if ((a.depth < 0) != (b.depth < 0) && a.depth != 0 && b.depth != 0)
      polygon[count++] = {a.at + (b.at - a.at) * (a.depth / (a.depth - b.depth)), 0};
  }
  for (int k = 2; k < count; ++k) add_wet({polygon[0], polygon[k - 1], polygon[k]}, sums);
}

/// In units of 2^e m, or in meters, which costs nothing.
template <bool kInMeters>
class Integrator {
 public:
  /// Precondition: e is 0 if kInMeters.
  Integrator(const SurfaceNow& surface, const Vec3& middle, int e, double tolerance)
      : surface_(surface),
        middle_(middle),
        unit_(times_power_of_two(1, e)),
        per_unit_(times_power_of_two(1, -e)),
        tolerance_(tolerance) {}

  void add(const std::array<Vec3, 3>& p, Sums& sums) const {
    sums.whole += p[0].dot(p[1].cross(p[2]));
    if (middle_[2] + meters(std::min({p[0][2], p[1][2], p[2][2]})) <= surface_.highest())
      add({corner(p[0]), corner(p[1]), corner(p[2])}, 0, sums);
  }

 private:
  [[nodiscard]] double meters(double length) const { return kInMeters ? length : unit_ * length; }
  [[nodiscard]] Vec3 meters(const Vec3& x) const { return kInMeters ? x : Vec3(unit_ * x); }

  Corner corner(const Vec3& at) const {
    const Vec3 world = middle_ + meters(at);
    const double depth = surface_.height(world[0], world[1]) - world[2];
    return {at, kInMeters ? depth : depth * per_unit_};
  }

  /// In pieces of a quarter each until the surface is flat over them or they are certainly dry.
  void add(const WetCorners& c, int halvings, Sums& sums) const {
    if (sums.pieces > kMaxPieces) return;
    const auto [shallowest, deepest] = std::minmax({c[0].depth, c[1].depth, c[2].depth});
    if (!surface_.is_plane()) {
      Eigen::AlignedBox2d shadow;
      for (const Corner& corner : c) {
        const Vec3 world = middle_ + meters(corner.at);
        shadow.extend(Vec2(world[0], world[1]));
      }
      const double error = surface_.interpolation_error(shadow.min(), shadow.max());
      if (meters(deepest) < -error) return;
      if (!(error <= tolerance_)) return split(c, halvings + 1, sums);
    }
    if (deepest < 0) return;
    if (shallowest >= 0)
      add_wet(c, sums);
    else
      add_clipped(c, sums);
  }

  void split(const WetCorners& c, int halvings, Sums& sums) const {
    sums.pieces += 4;
    if (sums.pieces % kStep == 0) spent_ += kStep;
    if (halvings > kMaxHalvings || spent_ > kMaxPieces) sums.pieces = kMaxPieces + 1;
    const Corner ab = corner((c[0].at + c[1].at) / 2), bc = corner((c[1].at + c[2].at) / 2),
                 ca = corner((c[2].at + c[0].at) / 2);
    add({c[0], ab, ca}, halvings, sums);
    add({ab, c[1], bc}, halvings, sums);
    add({ca, bc, c[2]}, halvings, sums);
    add({ab, bc, ca}, halvings, sums);
  }

  const SurfaceNow& surface_;
  Vec3 middle_;
  double unit_, per_unit_;
  double tolerance_;
  // By all chunks, in steps: once it is beyond the limit, all stop. Where it never is, none does.
  mutable std::atomic<std::size_t> spent_ = 0;
};

constexpr std::size_t kChunkTriangles = 4096;

/// Of each chunk of the mesh, about `middle`, which is in its own frame.
template <bool kInMeters>
std::vector<Sums> sums_of(const MeshView& mesh, const Similarity& pose, const Vec3& middle, int e,
                          const SurfaceNow& surface, double tolerance) {
  const Integrator<kInMeters> integrator(surface, pose * middle, e, tolerance);
  const std::size_t triangles = mesh.triangle_count();
  std::vector<Sums> chunks((triangles + kChunkTriangles - 1) / kChunkTriangles);
  parallel_for_each_index(chunks.size(), [&](std::size_t chunk) {
    const std::size_t end = std::min(triangles, (chunk + 1) * kChunkTriangles);
    for (std::size_t t = chunk * kChunkTriangles; t < end; ++t) {
      std::array<Vec3, 3> p;
      for (int k = 0; k < 3; ++k)
        p[k] = pose.linear() * (mesh.vertex(mesh.triangle(t)[k]) - middle);
      if constexpr (!kInMeters)
        for (Vec3& x : p) x = times_power_of_two(x, -e);
      integrator.add(p, chunks[chunk]);
    }
  });
  return chunks;
}

/// From units of 2^e m, under a surface that is level or not.
Buoyancy buoyancy_of(const Sums& sums, const Vec3& middle, int e, bool is_level) {
  const double sign = sums.whole < 0 ? -1 : 1;
  Buoyancy result;
  result.volume = times_power_of_two(sign * sums.volume, 3 * e);
  // What is dry has no faces in the sums, what has no volume no center.
  if (!(result.volume > 0)) return {};
  const Vec3 center = sums.first / sums.volume;
  result.center = middle + times_power_of_two(center, e);
  if (is_level) {
    result.lift = {0, 0, result.volume};
    return result;
  }
  result.lift = times_power_of_two(Vec3(sign * sums.lift), 3 * e);
  result.lift_moment =
      times_power_of_two(Vec3(sign * (sums.moment - center.cross(sums.lift))), 4 * e);
  return result;
}

}  // namespace

Result<void> check_tolerance(double tolerance) {
  if (tolerance > 0 && std::isfinite(tolerance)) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found " + to_text(tolerance) + ", expected a positive finite length", "tolerance"};
}

Result<Buoyancy> buoyancy(const CheckedMesh& mesh, const Similarity& world_from_mesh,
                          const SurfaceNow& surface, double tolerance) {
  if (Result<void> usable = check_tolerance(tolerance); !usable) return usable.error();
  const Result<Similarity> pose = nearest_similarity(world_from_mesh);
  if (!pose) return Error{pose.error().code, pose.error().message, "world_from_mesh"};
  const Result<WetIntegrals> found = integrate_wet(mesh, *pose, surface, tolerance);
  if (!found) return found.error();
  return found->wet;
}

Result<WetIntegrals> integrate_wet(const CheckedMesh& checked, const Similarity& pose,
                                   const SurfaceNow& surface, double tolerance) {
  const MeshView& mesh = checked.view();
  Box3 box;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) box.extend(mesh.vertex(v));
  if (!box.sizes().allFinite()) box = bounding_box(checked);  // of vertices that are a triangle's
  const Vec3 middle_in_mesh = box.center();
  const double size = box.isEmpty() ? 0 : pose.linear().norm() * box.sizes().maxCoeff();
  const int e = std::clamp(unit_exponent(size), -1000, 1000);  // its inverse is a number, too
  const std::vector<Sums> chunks =
      e == 0 ? sums_of<true>(mesh, pose, middle_in_mesh, e, surface, tolerance)
             : sums_of<false>(mesh, pose, middle_in_mesh, e, surface, tolerance);
  Sums total;
  for (const Sums& chunk : chunks) total += chunk;
  if (total.pieces > kMaxPieces)
    return Error{ErrorCode::kResourceLimit,
                 "the surface is within " + to_text(tolerance) +
                     " of its interpolation over no less than " + std::to_string(kMaxPieces) +
                     " pieces of the mesh, which are too many; expected a larger tolerance",
                 "tolerance"};
  // A piece is a fan of two triangles at most, of three terms each.
  const std::size_t pieces = std::min(mesh.triangle_count(), kChunkTriangles) + total.pieces;
  const WetIntegrals found{buoyancy_of(total, pose * middle_in_mesh, e, surface.is_plane()),
                           6 * pieces + chunks.size()};
  if (!std::isfinite(found.wet.volume) || !found.wet.center.allFinite() ||
      !found.wet.lift.allFinite() || !found.wet.lift_moment.allFinite())
    return Error{ErrorCode::kResourceLimit,
                 "found a wet part whose volume or moment is too large for a number", "mesh"};
  return found;
}

}  // namespace plimsoll
