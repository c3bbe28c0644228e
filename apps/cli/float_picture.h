// Which of the poses of a floating body is drawn, and how.
#pragma once

#include <plimsoll/equilibrium.h>

#include <cstddef>
#include <optional>
#include <span>

#include "floating_input.h"
#include "picture/picture.h"

namespace plimsoll::cli {

/// The pose nearest to upright: of the stable ones, or of all where there is none. In a family of
/// poses it is the one nearest to upright that counts. Precondition: some pose.
[[nodiscard]] std::size_t nearest_to_upright(const FloatingInput& input,
                                             std::span<const Equilibrium> poses);

/// Draws pose `number`, counted from 1, or the one nearest to upright. Throws Failure where there
/// are fewer, or none.
[[nodiscard]] picture::Picture float_picture(const FloatingInput& input,
                                             std::span<const Equilibrium> poses,
                                             std::optional<std::size_t> number,
                                             picture::PixelSize size);

}  // namespace plimsoll::cli
