// Which kind of critical point a search goes to.
#pragma once

namespace plimsoll {

/// The signs that the eigenvalues of the Hessian are given, the lower one's first: 1 goes down
/// along its direction, -1 up.
struct SearchSigns {
  double signs[2];
};
inline constexpr SearchSigns kDown{{1, 1}};
inline constexpr SearchSigns kUp{{-1, -1}};
inline constexpr SearchSigns kToSaddle{{-1, 1}};

}  // namespace plimsoll
