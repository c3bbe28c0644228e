// Signs of determinants of points that are moved by a little, so that none is 0.
//
// Each point p is moved to p + e w, w being its way and e > 0 so small that only what is 0 without
// it changes. The determinant is a polynomial in e,
//
//   det(b - a, c - a, d - a) = c0 + c1 e + c2 e^2 + c3 e^3,
//
// and its sign is that of the first coefficient that is not 0. All are found exactly: the signs are
// those of points that are really moved, so that whatever is concluded from many of them is
// consistent [Edelsbrunner1990].
#pragma once

#include <plimsoll/types.h>

#include <array>

namespace plimsoll {

struct MovedPoint {
  Vec3 at;   ///< [m]
  Vec3 way;  ///< In any unit that all points share.
};

/// The sign of the determinant; 0 where all coefficients are 0, as for four points of which two are
/// one and have one way.
[[nodiscard]] int moved_orient3d(const MovedPoint& a, const MovedPoint& b, const MovedPoint& c,
                                 const MovedPoint& d);
/// The same where it is known that c0 = 0.
[[nodiscard]] int sign_of_motion(const MovedPoint& a, const MovedPoint& b, const MovedPoint& c,
                                 const MovedPoint& d);

/// Whether the way from p to q passes the plane of the triangle t before that of u. Precondition: p
/// and q are on different sides of both.
[[nodiscard]] bool passes_before(const MovedPoint& p, const MovedPoint& q,
                                 const std::array<MovedPoint, 3>& t,
                                 const std::array<MovedPoint, 3>& u);

/// The first coefficient that is not 0.
struct LeadingTerm {
  double value = 0;  ///< Times 2^exponent.
  int exponent = 0;
  int power = 0;     ///< Of e.
  double error = 0;  ///< The most that the value is off by, over itself: less than 2^-44.
};
[[nodiscard]] LeadingTerm leading_term(const MovedPoint& a, const MovedPoint& b,
                                       const MovedPoint& c, const MovedPoint& d);

}  // namespace plimsoll
