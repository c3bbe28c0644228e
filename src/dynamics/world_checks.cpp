#include "dynamics/world_checks.h"

#include <utility>

#include "core/number_text.h"

namespace plimsoll {
namespace {

Error refused(const std::string& message, const std::string& where) {
  return {ErrorCode::kInvalidArgument, message, where};
}

Result<void> check_density(double density) {
  if (is_positive(density)) return {};
  return refused("found the density " + digits(density) + ", expected it positive", "density");
}

}  // namespace

std::string body_place(std::size_t index, const std::string& what) {
  return "bodies[" + std::to_string(index) + "]" + (what.empty() ? "" : ".") + what;
}

Error in_body(Error error, std::size_t index) {
  error.where = body_place(index, error.where);
  return error;
}

Result<void> check_finite(const Vec3& vector, const char* where) {
  if (vector.allFinite()) return {};
  return refused("expected finite numbers", where);
}

Result<void> check_resistance(const Resistance& resistance, const std::string& name) {
  const auto is_fine = [](double x) { return x >= 0 && std::isfinite(x); };
  if (is_fine(resistance.linear) && is_fine(resistance.quadratic) && is_fine(resistance.angular) &&
      resistance.center.allFinite() && resistance.fluid_velocity.allFinite())
    return {};
  return refused(
      "found coefficients below 0, or numbers that are not finite, in the resistance of a "
      "force model to \"" +
          name +
          "\", expected finite numbers, none of the "
          "coefficients below 0",
      "resistance");
}

Result<void> check_environment(const Environment& environment) {
  const std::pair<double, const char*> numbers[] = {
      {environment.gravity, "gravity"},
      {environment.fluid_density, "fluid.density"},
      {environment.drag.linear, "drag.linear"},
      {environment.drag.quadratic.value_or(0), "drag.quadratic"},
      {environment.drag.angular, "drag.angular"},
      {environment.added_mass.linear, "added_mass.linear"},
      {environment.added_mass.angular, "added_mass.angular"}};
  for (const auto& [number, name] : numbers)
    if (!(number >= 0) || !std::isfinite(number))
      return refused("found " + digits(number) + ", expected a finite number not below 0", name);
  return {};
}

Result<void> check_body(const RigidBody& body) {
  if (Result<void> usable = body.mass ? check_given_mass(*body.mass) : check_density(body.density);
      !usable)
    return usable;
  if (!body.velocity.allFinite() || !body.angular_velocity.allFinite())
    return refused("expected a finite velocity", "velocity");
  if (const Result<Similarity> pose = nearest_similarity(body.pose); !pose)
    return Error{pose.error().code, pose.error().message, "pose"};
  return {};
}

Result<void> check_weighed(const MassProperties& mass, const RigidBody& body) {
  if (std::isinf(mass.volume) || std::isinf(mass.mass))
    return refused("found a volume or a mass beyond 1.8e308, the largest number: it overflows",
                   "shape");
  if (!is_positive(mass.volume) || !is_positive(mass.mass))
    return refused(
        "found a body without volume, or with one below the smallest number: it has no mass "
        "to move",
        "shape");
  if (body.mass && body.mass->inertia) return {};  // check_given_mass looked at it
  if (!mass.inertia.allFinite() || !is_physical(mass.inertia) ||
      !(principal_axes(mass.inertia).moments[0] > 0))
    return refused(
        "found moments of inertia that are not those of a body: it is too thin, or the mesh "
        "does not bound a solid",
        "shape");
  return {};
}

Result<void> check_given_mass(const GivenMass& given) {
  constexpr double kPrinted = 1e-6;
  if (!is_positive(given.mass))
    return refused("found the mass " + digits(given.mass) + ", expected it positive", "mass");
  if (given.center_of_mass && !given.center_of_mass->allFinite())
    return refused("expected a finite center of mass", "center_of_mass");
  if (!given.inertia) return {};
  const Mat3& inertia = *given.inertia;
  if (!inertia.allFinite()) return refused("expected finite moments", "inertia");
  const double size = inertia.cwiseAbs().maxCoeff();
  const double skew = (inertia - inertia.transpose()).cwiseAbs().maxCoeff();
  if (!(skew <= kPrinted * size))
    return refused("found entries across the diagonal that differ by " + digits(skew) +
                       ", expected a symmetric tensor",
                   "inertia");
  const Vec3 moments = principal_axes((inertia + inertia.transpose()) / 2).moments;
  const std::string found = "found the principal moments " + digits(moments[0]) + ", " +
                            digits(moments[1]) + " and " + digits(moments[2]);
  if (!(moments[0] > 0))
    return refused(found + ", expected them positive: products stand off the diagonal as -int x y",
                   "inertia");
  if (!(moments[2] <= moments[0] + moments[1] + kPrinted * moments[2]))
    return refused(found + ", expected none larger than the sum of the others, as in any body",
                   "inertia");
  return {};
}

}  // namespace plimsoll
