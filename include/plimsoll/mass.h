// What mass, center and inertia of a rigid body are, whichever engine found them.
#pragma once

#include <plimsoll/types.h>

#include <span>

namespace [[gnu::visibility("default")]] plimsoll {

/// The distance of each component from the true value.
struct MassError {
  double volume = 0;          ///< [m^3]
  double center_of_mass = 0;  ///< [m], each coordinate.
  double inertia = 0;         ///< [kg m^2], each entry.
};

struct MassProperties {
  double density = 1;                  ///< [kg/m^3]
  double volume = 0;                   ///< [m^3]; not negative.
  double mass = 0;                     ///< [kg]
  Vec3 center_of_mass = Vec3::Zero();  ///< In the frame of the body [m]; NaN without volume.
  Mat3 inertia = Mat3::Zero();         ///< About the center of mass, in the same axes,
                                       ///< negative products off the diagonal [kg m^2].
  MassError error_bound;  ///< Rigorous, for the given vertices; infinite where only estimated.
  bool inverted = false;  ///< The signed volume was negative; measured as if turned outward.
};

/// A unit of length as an exact ratio: a millimeter is {1, 1000} meters.
struct LengthUnit {
  double numerator = 1;
  double denominator = 1;
};

/// A body, and how far its numbers may be off, be that proven or estimated.
struct WeighedBody {
  MassProperties properties;
  MassError error;
};

/// The mass properties of several bodies moving as one, by parallel axes in double; their errors
/// add up. Bodies without volume are left out.
[[nodiscard]] WeighedBody combined(std::span<const WeighedBody> bodies);

/// `body` with its density, mass and inertia times `factor`.
[[nodiscard]] WeighedBody with_density_times(double factor, const WeighedBody& body);

struct PrincipalAxes {
  Vec3 moments;  ///< Ascending [kg m^2].
  Mat3 axes;     ///< Rows are the matching unit axes, right-handed.
};

/// Diagonalizes an inertia tensor. Accurate to a few units in the last place of the largest moment.
[[nodiscard]] PrincipalAxes principal_axes(const Mat3& inertia);

/// Whether some mass distribution has this tensor: moments not negative and none larger than the
/// sum of the others, up to rounding.
[[nodiscard]] bool is_physical(const Mat3& inertia);

}  // namespace plimsoll
