// Heave by itself, to the accuracy that a search needs.
#pragma once

#include <plimsoll/floating.h>

namespace plimsoll {

struct HeaveState {
  double level = 0;
  Submersion wet;
  double missing = 0;  ///< Displacement not yet reached [m^3].
};

/// The level at which `missing` is at most `tolerance` of the displacement, or as near as levels
/// go.
[[nodiscard]] HeaveState heave(const FloatingBody& body, const Vec3& up,
                               std::optional<double> guess, double tolerance);

/// What may be missing where all of the displacement is wanted [m^3].
[[nodiscard]] double full_displacement(const FloatingBody& body);

/// Energy and arm at the full displacement: exact to second order in what is missing.
[[nodiscard]] FloatingState state_of(const FloatingBody& body, const Vec3& up,
                                     const HeaveState& heave);

}  // namespace plimsoll
