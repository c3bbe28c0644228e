// What a World refuses.
#pragma once

#include <plimsoll/forces.h>
#include <plimsoll/mass.h>
#include <plimsoll/result.h>
#include <plimsoll/rigid_body.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace plimsoll {

/// "bodies[2].density"; `what` may be empty.
[[nodiscard]] std::string body_place(std::size_t index, const std::string& what);
/// The error, of the body of that index.
[[nodiscard]] Error in_body(Error error, std::size_t index);

[[nodiscard]] inline bool is_positive(double x) { return x > 0 && std::isfinite(x); }

/// Errors: `InvalidArgument` at `where`.
[[nodiscard]] Result<void> check_finite(const Vec3& vector, const char* where);

/// What a force model says resists the body of that name.
[[nodiscard]] Result<void> check_resistance(const Resistance& resistance, const std::string& name);

/// All but the surface.
[[nodiscard]] Result<void> check_environment(const Environment& environment);

/// Everything that can be looked at before the body is weighed.
[[nodiscard]] Result<void> check_body(const RigidBody& body);

/// Whether a body can move with what was found of it.
[[nodiscard]] Result<void> check_weighed(const MassProperties& mass, const RigidBody& body);

}  // namespace plimsoll
