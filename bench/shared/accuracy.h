// How far images are off, as [Kim2006, fig. 4] shows it.
#pragma once

#include <plimsoll/image.h>

#include <array>
#include <cstddef>

namespace plimsoll::bench {

/// Relative errors of mass, Ixx, Iyy, Izz about the center of mass.
using RelativeErrors = std::array<double, 4>;
inline constexpr std::array<const char*, 4> kQuantities = {"mass", "Ixx", "Iyy", "Izz"};

[[nodiscard]] RelativeErrors relative_errors(const MassProperties& found,
                                             const MassProperties& truth);

/// Over views along x, y and z.
struct Accuracy {
  RelativeErrors fitted{};  ///< Worst where the image just holds the body.
  RelativeErrors rms{};     ///< Over placements of the lattice by fractions of a pixel,
  RelativeErrors worst{};   ///< and the worst of them.
};

inline constexpr int kPlacements = 32;  ///< Of each view.

/// Of n x n pixels, by the rule that graphics hardware has or by exact coverage.
[[nodiscard]] Accuracy accuracy_of(const MeshView& mesh, int resolution, Coverage coverage);

}  // namespace plimsoll::bench
