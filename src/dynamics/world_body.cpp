#include "dynamics/world_body.h"

#include <plimsoll/elementary.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/world_checks.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

/// By image where no engine is exact; then `is_estimated` and the error is the image's.
Result<WeighedBody> weigh(const Shape& shape, double density, bool& is_estimated) {
  is_estimated = false;
  const Result<ShapeMass> exact = mass_properties(shape, {.density = density});
  if (exact) return WeighedBody{exact->body.properties, {}};
  if (exact.error().code != ErrorCode::kUnavailable) return exact.error();
  ImageOptions options;
  options.density = density;
  const Result<ImageMass> image = image_mass_properties(shape, options);
  if (!image) return image.error();
  is_estimated = true;
  return WeighedBody{image->properties, image->error_estimate};
}

/// 1 where it is 1 but for rounding: what is not scaled keeps its bits.
double scale_of(const Similarity& pose) {
  const double scale = elementary::cbrt(pose.linear().determinant());
  return std::fabs(scale - 1) > 1e-9 ? scale : 1;
}

/// `even`, of whatever density, with the mass that is given, and with its center and inertia where
/// they are. The body is scaled by `scale`.
WeighedBody loaded(const WeighedBody& even, const GivenMass& given, double scale) {
  WeighedBody loaded = with_density_times(given.mass / even.properties.mass, even);
  MassProperties& mass = loaded.properties;
  mass.mass = given.mass;
  if (given.center_of_mass) {
    mass.center_of_mass = scale * *given.center_of_mass;
    mass.error_bound.center_of_mass = loaded.error.center_of_mass = 0;
  }
  if (given.inertia) {
    mass.inertia = scale * scale / 2 * (*given.inertia + given.inertia->transpose());
    mass.error_bound.inertia = loaded.error.inertia = 0;
  }
  return loaded;
}

/// x over a power of two, at least 1 and less than 2.
double mantissa(double x) {
  int exponent = 0;
  return 2 * std::frexp(x, &exponent);
}

/// Finds `mass` and `filled`. A density near the ends of the range of numbers may leave mass and
/// inertia few digits or none. So what they are at its mantissa is kept: the power of two between
/// changes no bit of a number in range.
Result<void> weigh(const RigidBody& given, WorldBody& body) {
  const Result<WeighedBody> even =
      weigh(body.shape, given.mass ? 1 : mantissa(given.density), body.is_estimated);
  if (!even) return even.error();
  body.filled = *even;
  body.mass = mass_at(body, given.mass ? 1 : given.density).properties;
  if (!given.mass || !is_positive(even->properties.mass)) return {};
  const WeighedBody heavy = loaded(*even, *given.mass, scale_of(given.pose));
  body.mass = heavy.properties;
  const double density = body.mass.density;
  if (!is_positive(density)) return {};
  body.filled = with_density_times(std::min(mantissa(density) / density, 0x1p1000), heavy);
  return {};
}

/// The stiffness of the water against heave is rho g A, A the waterplane, no larger than the widest
/// section of the body's box. Against a turn about principal axis i it is at most
/// rho g (A r^2 + V r), r the greatest distance from that axis: the waterplane's second moment, and
/// the moment of buoyancy and weight about each other. Over mass and moments of inertia these are
/// the diagonal of a matrix whose largest eigenvalue is omega^2, no more than its trace.
double fastest_of(const WorldBody& body, const Environment& environment) {
  const Vec3 size = body.box.sizes();
  const double area = Vec3(size[1] * size[2], size[2] * size[0], size[0] * size[1]).norm();
  const double weight = environment.fluid_density * environment.gravity;
  double trace = weight * area / body.inertia.mass;
  for (int axis = 0; axis < 3; ++axis) {
    double reach = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p = body.box.corner(static_cast<Box3::CornerType>(corner));
      const Vec3 arm = body.axes * (p - body.mass.center_of_mass);
      reach = std::max(reach, elementary::hypot(arm[(axis + 1) % 3], arm[(axis + 2) % 3]));
    }
    trace +=
        weight * (area * reach * reach + body.mass.volume * reach) / body.inertia.moments[axis];
  }
  return std::sqrt(trace);
}

/// In its frame in a World: scaled, where its pose scales.
Shape scaled_shape(const RigidBody& body) {
  Shape shape = body.shape;
  const double scale = scale_of(body.pose);
  if (scale != 1) shape.pose = Eigen::UniformScaling<double>(scale) * body.shape.pose;
  return shape;
}

}  // namespace

BodyState WorldBody::state() const {
  BodyState state;
  state.pose = now.world_from_body;
  state.center_of_mass = motion.center;
  state.buoyancy = now.buoyancy;
  state.angular_velocity = now.is_kinematic ? turning : angular_velocity();
  state.velocity = now.is_kinematic
                       ? origin_velocity
                       : Vec3(motion.velocity + state.angular_velocity.cross(
                                                    state.pose.translation() - motion.center));
  return state;
}

Pose WorldBody::pose_in(const RigidMotion& there) const {
  Pose pose;
  pose.linear() = there.turn.toRotationMatrix() * axes;
  pose.translation() = there.center - pose.linear() * mass.center_of_mass;
  return pose;
}

void WorldBody::update_pose() {
  now.world_from_body = pose_in(motion);
  now.center_of_mass = motion.center;
}

void WorldBody::update_velocity() {
  now.velocity = motion.velocity;
  now.angular_velocity = angular_velocity();
}

Result<WorldBody> weigh_body(const RigidBody& as_given, const Environment& environment) {
  if (Result<void> usable = check_body(as_given); !usable) return usable.error();
  RigidBody given = as_given;
  given.pose = *nearest_similarity(as_given.pose);
  WorldBody body;
  body.name = given.name;
  body.shape = scaled_shape(given);
  if (Result<void> usable = check_shape(body.shape); !usable) {
    Error error = usable.error();
    error.where = error.where.empty() ? "shape" : "shape." + error.where;
    return error;
  }
  if (Result<void> weighed = weigh(given, body); !weighed) return weighed.error();
  if (Result<void> usable = check_weighed(body.mass, given); !usable) return usable.error();
  body.box = bounding_box(body.shape);
  body.diagonal = body.box.diagonal().norm();
  body.axes = principal_axes(body.mass.inertia).axes;
  body.now.is_kinematic = given.is_kinematic;
  body.now.size = elementary::cbrt(body.mass.volume);
  set_inertia(body, environment);
  const SimilarityParts pose(given.pose);
  set_motion(body, pose.rotation, pose.translation, given.velocity, given.angular_velocity);
  return body;
}

WeighedBody mass_at(const WorldBody& body, double density) {
  WeighedBody mass = with_density_times(density / body.filled.properties.density, body.filled);
  mass.properties.density = density;
  return mass;
}

void set_inertia(WorldBody& body, const Environment& environment) {
  const Vec3 rates = body.motion.rates(body.inertia);
  const PrincipalAxes principal = principal_axes(body.mass.inertia);
  const double displaced = std::min(body.mass.mass, environment.fluid_density * body.mass.volume);
  body.inertia.mass = body.mass.mass + environment.added_mass.linear * displaced;
  body.inertia.moments =
      principal.moments * (1 + environment.added_mass.angular * displaced / body.mass.mass);
  body.motion.spin = rates.cwiseProduct(body.inertia.moments);
  body.fastest = fastest_of(body, environment);
  body.now.mass = body.mass.mass;
}

void set_motion(WorldBody& body, const Mat3& rotation, const Vec3& origin, const Vec3& velocity,
                const Vec3& angular_velocity) {
  RigidMotion& motion = body.motion;
  motion.turn = Eigen::Quaterniond(Mat3(rotation * body.axes.transpose())).normalized();
  motion.center = origin + rotation * body.mass.center_of_mass;
  motion.velocity = velocity + angular_velocity.cross(motion.center - origin);
  motion.spin = (motion.turn.conjugate() * angular_velocity).cwiseProduct(body.inertia.moments);
  body.origin_velocity = velocity;
  body.turning = angular_velocity;
  body.update_pose();
  body.update_velocity();
}

// The origin goes along a line and the body turns about it at a constant rate.
RigidMotion told_motion(const WorldBody& body, double time) {
  RigidMotion motion = body.motion;
  const Vec3 origin = body.now.world_from_body.translation();
  const Eigen::Quaterniond turn = turn_by(time * body.turning);
  const Vec3 arm = turn * Vec3(motion.center - origin);
  motion.center = origin + time * body.origin_velocity + arm;
  motion.velocity = body.origin_velocity + body.turning.cross(arm);
  motion.turn = (turn * motion.turn).normalized();
  motion.spin = (motion.turn.conjugate() * body.turning).cwiseProduct(body.inertia.moments);
  return motion;
}

bool is_told_to_move(const WorldBody& body) {
  return body.now.is_kinematic && !(body.origin_velocity.isZero(0) && body.turning.isZero(0));
}

bool is_finite(const WorldBody& body) {
  const RigidMotion& motion = body.motion;
  const double sum =
      motion.center.sum() + motion.velocity.sum() + motion.spin.sum() + motion.turn.coeffs().sum();
  if (std::isfinite(sum)) return true;  // else it may have overflowed by itself
  return motion.center.allFinite() && motion.velocity.allFinite() && motion.spin.allFinite() &&
         motion.turn.coeffs().allFinite();
}

Buoyancy within_reason(Buoyancy wet, const WorldBody& body) {
  const Pose& pose = body.now.world_from_body;
  const double whole = body.mass.volume;
  if (!(wet.volume > 0)) return {};
  if (wet.volume > whole) {
    wet.lift *= whole / wet.volume;
    wet.lift_moment *= whole / wet.volume;
    wet.volume = whole;
  }
  const Vec3 inside =
      (pose.inverse() * wet.center).cwiseMax(body.box.min()).cwiseMin(body.box.max());
  if ((pose * inside - wet.center).norm() > 1e-9 * body.diagonal) wet.center = pose * inside;
  return wet;
}

}  // namespace plimsoll
