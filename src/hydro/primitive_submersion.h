// The wet part of primitives under a water plane of any direction.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/shape.h>
#include <plimsoll/submersion.h>

namespace plimsoll {

/// The submersion of a primitive at its own place: its pose is not looked at. Closed forms, but for
/// the wetted area of ellipsoids, tori, and planes where closed forms cancel, which take a fixed
/// quadrature: docs/theory/hydrostatics.md. All to 1e-12 of the whole body's volume, area and
/// moments, or what a shift of the plane by a rounding of the size makes where that is more: a line
/// of the surface that touches the plane has an area like the root of the shift. Errors:
/// `Unavailable` for other shapes. Precondition: check_shape; water.normal has unit length.
[[nodiscard]] Result<Submersion> primitive_submersion(const Shape& shape, const WaterPlane& water,
                                                      const SubmersionParts& parts = {});

}  // namespace plimsoll
