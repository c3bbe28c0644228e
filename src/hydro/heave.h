// Heave by itself, to the accuracy that a search needs.
#pragma once

#include <plimsoll/floating.h>

namespace plimsoll {

struct HeaveState {
  double level = 0;
  Submersion wet;
  double missing = 0;  ///< Displacement not yet reached [m^3].
  int levels = 0;      ///< How many were asked for.

  /// What it costs, in states that are found within eight levels, as nearly all are.
  [[nodiscard]] std::size_t cost() const { return 1 + static_cast<std::size_t>(levels) / 8; }
};

/// The level at which `missing` is at most `tolerance` of the displacement, or as near as levels
/// go.
[[nodiscard]] HeaveState heave(const FloatingBody& body, const Vec3& up,
                               std::optional<double> guess, double tolerance);

/// The direction with unit length; itself where it has that to 1e-9.
[[nodiscard]] Vec3 with_unit_length(const Vec3& v);

/// What may be missing where all of the displacement is wanted [m^3].
[[nodiscard]] double full_displacement(const FloatingBody& body);

/// Energy and arm at the full displacement: exact to second order in what is missing.
[[nodiscard]] FloatingState state_of(const FloatingBody& body, const Vec3& up,
                                     const HeaveState& heave);

}  // namespace plimsoll
