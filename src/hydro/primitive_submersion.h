// The wet part of primitives under a water plane of any direction.
#pragma once

#include <plimsoll/shape.h>
#include <plimsoll/submersion.h>

#include <optional>

namespace plimsoll {

/// The submersion of a primitive at its own place (its pose is not looked at); nothing for meshes,
/// patches, formulas and Booleans. Closed forms, but for the wetted area of ellipsoids, tori, and
/// planes where closed forms cancel, which take a fixed quadrature: docs/theory/hydrostatics.md.
/// All to 1e-12 of the whole body's volume, area and moments, or what a shift of the plane by a
/// rounding of the size makes where that is more: a line of the surface that touches the plane has
/// an area like the root of the shift. Precondition: check_shape; water.normal has unit length.
[[nodiscard]] std::optional<Submersion> primitive_submersion(const Shape& shape,
                                                             const WaterPlane& water,
                                                             const SubmersionParts& parts = {});

/// The same in place, of which a new Submersion becomes the result. False for the others.
[[nodiscard]] bool find_primitive_submersion(const Shape& shape, const WaterPlane& water,
                                             const SubmersionParts& parts, Submersion& result);

}  // namespace plimsoll
