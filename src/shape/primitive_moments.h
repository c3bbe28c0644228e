// Volume, center, inertia and area of posed primitives in closed form.
#pragma once

#include <plimsoll/shape.h>

#include <optional>

#include "core/volume_moments.h"

namespace plimsoll {

/// To a few units in the last place about the origin of the primitive; the pose then rounds like
/// `transformed`. Nothing for meshes, patches, formulas and Booleans. Precondition: check_shape.
[[nodiscard]] std::optional<VolumeMoments> exact_moments(const Shape& shape);

/// The area of the surface to 1e-14 relative, for the same shapes.
[[nodiscard]] std::optional<double> exact_area(const Shape& shape);

/// A volume of fraction 2^exponent [m^3]: that of a primitive may be no double, as a needle's,
/// whose lengths are.
struct WideVolume {
  double fraction = 0;  ///< 0, or from 1/2 to 1.
  int exponent = 0;
};

/// The volume before the pose, to the last bits of `exact_moments`. Precondition: a primitive.
[[nodiscard]] WideVolume own_volume(const Shape& shape);

/// The moments before the pose over the volume: 1, the center, and the means of products of
/// coordinates. Precondition: a primitive.
[[nodiscard]] VolumeMoments unit_moments(const Shape& shape);

/// Moments and area of a solid about its own origin, as it stands.
[[nodiscard]] VolumeMoments own_moments(const BoxSolid& box);
[[nodiscard]] VolumeMoments own_moments(const Sphere& sphere);
[[nodiscard]] VolumeMoments own_moments(const Ellipsoid& ellipsoid);
[[nodiscard]] VolumeMoments own_moments(const Torus& torus);
[[nodiscard]] VolumeMoments own_moments(const Cylinder& cylinder);
[[nodiscard]] VolumeMoments own_moments(const Capsule& capsule);
[[nodiscard]] VolumeMoments own_moments(const Cone& cone);
[[nodiscard]] double own_area(const BoxSolid& box);
[[nodiscard]] double own_area(const Sphere& sphere);
[[nodiscard]] double own_area(const Ellipsoid& ellipsoid);
[[nodiscard]] double own_area(const Torus& torus);
[[nodiscard]] double own_area(const Cylinder& cylinder);
[[nodiscard]] double own_area(const Capsule& capsule);
[[nodiscard]] double own_area(const Cone& cone);

}  // namespace plimsoll
