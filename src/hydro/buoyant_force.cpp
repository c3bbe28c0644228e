// Force and torque from the integrals over the wet part, and what they may be off by.
//
// With u = 2^-53, F = rho g L of the lift L and P the point that the torque is about,
//
//   T = rho g (M + (c - P) x L),
//
// M the moment of the lift about the center of buoyancy c. A surface that is off by e in height
// takes e dA n of pressure over rho g from each part dA of the body's surface, whose lever about P
// is no longer than the distance R of P from the farthest point of the body: with A the area of
// that surface the lift is off by e A at most, its moment by R e A. A term is a depth times the
// area of a triangle, a cross product, which rounding changes by its longest edge l squared times
// some u, however small it is: of a thin triangle that is more than its area. A point where an edge
// is cut is rounded as coordinates about the middle are, by u S, S the size of the body, and not
// alike from both sides: between them lies a gap as long as the edge, which is no deeper than l. So
// sums of N terms, D being the depth of the lowest point, are off by (N + 64) u (D + S) Q more, Q
// the sum of l^2 and 64 for the roundings in a term; and half as much again in each of three
// components is twice as much. A tree bounds its volume likewise, by the sum over its terms; those
// of the first moment are these times coordinates from the middle of its box, whose size is below 3
// sqrt(3) R. Together with the way from there to P that is below 8 R.
//
// A plane is brought into the body as plane_in_body() does, for any linear part L of the pose.
// Rounding turns L^T n by less than 8 u and moves the level by a unit in its last place: over a
// body whose points are within R of its origin, by less than 16 u R in height where the plane meets
// it. No plane cuts more than a b + b c + c a out of a box of the edges a, b, c.
#include <plimsoll/buoyancy.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linear_scale.h"
#include "core/number_text.h"
#include "hydro/buoyancy_integrals.h"
#include "hydro/water_plane.h"
#include "shape/unit_of_length.h"

namespace plimsoll {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kUsualTolerance = 1e-3;  // of the diagonal of the box

Result<void> check_options(const BuoyancyOptions& options) {
  const auto refused = [](double found, const char* where) {
    return Error{ErrorCode::kInvalidArgument,
                 "found " + to_text(found) + ", expected a finite number not below 0", where};
  };
  const auto is_usable = [](double x) { return x >= 0 && std::isfinite(x); };
  if (!is_usable(options.fluid_density)) return refused(options.fluid_density, "fluid_density");
  if (!is_usable(options.gravity)) return refused(options.gravity, "gravity");
  if (!options.about.allFinite())
    return Error{ErrorCode::kInvalidArgument, "expected finite numbers", "about"};
  return options.tolerance ? check_tolerance(*options.tolerance) : Result<void>();
}

Result<Similarity> pose_of(const Similarity& world_from_body) {
  Result<Similarity> pose = nearest_similarity(world_from_body);
  if (!pose) return Error{pose.error().code, pose.error().message, "world_from_body"};
  return pose;
}

/// The distance from `p` to the farthest point of `box`.
double reach_from(const Vec3& p, const Box3& box) {
  return (box.min() - p).cwiseAbs().cwiseMax((box.max() - p).cwiseAbs()).stableNorm();
}

/// The box of the corners of `box`, posed.
Box3 posed_box(const Box3& box, const Similarity& pose) {
  Box3 moved;
  for (int corner = 0; corner < 8; ++corner)
    moved.extend(pose * Vec3(box.corner(static_cast<Box3::CornerType>(corner))));
  return moved;
}

/// `lift_error` is that of the lift, over rho g; `box` has the posed body, none of whose
/// coordinates is a sum of terms larger than `terms`.
Result<BuoyantForce> force_of(const Buoyancy& wet, const Vec3& about, const Box3& box, double terms,
                              double lift_error, const BuoyancyOptions& options) {
  constexpr double kTiny = std::numeric_limits<double>::min();  // what may have underflowed
  const double weight = options.fluid_density * options.gravity;
  BuoyantForce pushed;
  pushed.wet = wet;
  pushed.force = weight * wet.lift;
  pushed.torque = weight * (wet.lift_moment + (wet.center - about).cross(wet.lift));
  const double far = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).stableNorm() +
                     about.stableNorm() + 2 * terms;
  const double strength = weight * wet.lift.norm();
  pushed.force_error = weight * (lift_error + kTiny) + 8 * kUnit * strength;
  pushed.torque_error = 8 * reach_from(about, box) * pushed.force_error +
                        16 * kUnit * (far * strength + weight * wet.lift_moment.norm());
  if (!pushed.force.allFinite() || !pushed.torque.allFinite() ||
      !std::isfinite(pushed.force_error) || !std::isfinite(pushed.torque_error))
    return Error{ErrorCode::kResourceLimit,
                 "found a force or torque, or a bound of them, that is too large for a number: the "
                 "body, its pose or the water are out of range",
                 "body"};
  return pushed;
}

/// Sums over the triangles of a mesh: of areas, and of the squares of their longest edges.
struct TriangleSums {
  double area = 0;
  double edge_squared = 0;
};

/// In squares of 2^e m.
TriangleSums triangle_sums(const MeshView& mesh, int e) {
  TriangleSums sums;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle corners = mesh.triangle(t);
    const Vec3 a = mesh.vertex(corners[0]);
    const Vec3 b = times_power_of_two(Vec3(mesh.vertex(corners[1]) - a), -e);
    const Vec3 c = times_power_of_two(Vec3(mesh.vertex(corners[2]) - a), -e);
    sums.area += b.cross(c).norm() / 2;
    sums.edge_squared += std::max({b.squaredNorm(), c.squaredNorm(), (c - b).squaredNorm()});
  }
  return sums;
}

}  // namespace

Result<BuoyantForce> buoyancy(const CheckedMesh& body, const Similarity& world_from_body,
                              const SurfaceNow& surface, const BuoyancyOptions& options) {
  if (Result<void> usable = check_options(options); !usable) return usable.error();
  const Result<Similarity> pose = pose_of(world_from_body);
  if (!pose) return pose.error();
  const Box3 own = bounding_box(body);
  if (own.isEmpty()) return BuoyantForce{};
  const Box3 box = posed_box(own, *pose);
  const double scale = scale_of(pose->linear()), size = scale * own.diagonal().stableNorm();
  const double tolerance = options.tolerance.value_or(size > 0 ? kUsualTolerance * size : 1);
  const Result<WetIntegrals> found = integrate_wet(body, *pose, surface, tolerance);
  if (!found) return found.error();
  const int e = unit_exponent(own.sizes().maxCoeff());  // an area need not fit a number
  const TriangleSums sums = triangle_sums(body.view(), e);
  // A posed coordinate is a sum whose terms may be far larger than itself.
  const double terms = 3 * scale * own.min().cwiseAbs().cwiseMax(own.max().cwiseAbs()).maxCoeff() +
                       pose->translation().cwiseAbs().maxCoeff();
  const double far = terms + std::max(std::fabs(surface.lowest()), std::fabs(surface.highest()));
  const double off = (surface.is_plane() ? 0 : tolerance) + 32 * kUnit * far;
  const double depth = std::max(0.0, surface.highest() - box.min().z());
  const double roundings = 2 * (static_cast<double>(found->additions) + 64) * kUnit;
  const double in_units = times_power_of_two(off, -e) * sums.area +
                          times_power_of_two(roundings * (depth + size), -e) * sums.edge_squared;
  const double lift_error = times_power_of_two(scale * scale * in_units, 3 * e);
  return force_of(found->wet, *pose * options.about, box, terms, lift_error, options);
}

Result<BuoyantForce> buoyancy(const SolidTree& body, const Similarity& world_from_body,
                              const WaterPlane& water, const BuoyancyOptions& options) {
  if (Result<void> usable = check_options(options); !usable) return usable.error();
  if (!is_plane(water)) return no_plane();
  const Result<Similarity> pose = pose_of(world_from_body);
  if (!pose) return pose.error();
  const Box3 own = body.box();
  if (own.isEmpty()) return BuoyantForce{};
  const WaterPlane in_body = plane_in_body(water, pose->linear(), pose->translation());
  const Submersion wet = body.submersion(in_body, {.wetted_area = false, .waterplane = false});
  const double scale = scale_of(pose->linear()), growth = scale * scale * scale;
  Buoyancy pushed;
  if (wet.volume > 0) {
    pushed.volume = growth * wet.volume;
    pushed.center = *pose * wet.center_of_buoyancy;
    pushed.lift = pushed.volume * with_unit_normal(water).normal;
  }
  const Vec3 size = own.sizes();
  const double section = size.x() * size.y() + size.y() * size.z() + size.z() * size.x();
  const double tilt = 32 * kUnit * reach_from(Vec3::Zero(), own);
  const double lift_error = growth * (wet.volume_error + tilt * section);
  return force_of(pushed, *pose * options.about, posed_box(own, *pose), 0, lift_error, options);
}

}  // namespace plimsoll
