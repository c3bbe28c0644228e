// Signs of determinants of moved points, against rational numbers with a small step.
#include "overlap/moved_points.h"

#include <doctest/doctest.h>

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/random.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using Rational = boost::multiprecision::cpp_rational;

/// The determinant with e = 2^-2000: what is not 0 of a coefficient of doubles of these tests is
/// above 2^-900, and below 2^100.
Rational moved_determinant(const std::array<MovedPoint, 4>& points) {
  const Rational step(1, boost::multiprecision::cpp_int(1) << 2000);
  std::array<std::array<Rational, 3>, 4> p;
  for (std::size_t i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k)
      p[i][k] = Rational(points[i].at[k]) + step * Rational(points[i].way[k]);
  std::array<std::array<Rational, 3>, 3> row;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) row[i][k] = p[i + 1][k] - p[0][k];
  Rational sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
    sum += row[0][k] * (row[1][l] * row[2][m] - row[1][m] * row[2][l]);
  }
  return sum;
}

/// In one plane or nearly, on one line, or one point: and moved alike, nearly alike or anyhow.
std::array<MovedPoint, 4> points_that_are_close_to_none(Random& random) {
  const auto any = [&] { return test::random_vector(random); };
  const auto whole = [&] {
    Vec3 p;
    for (double& x : p) x = static_cast<double>(random.below(9)) - 4;
    return p;
  };
  std::array<MovedPoint, 4> points;
  for (MovedPoint& p : points) p = {whole(), any()};
  auto& [a, b, c, d] = points;
  if (random.below(4) != 0) d.at = a.at + b.at - c.at;
  if (random.below(3) == 0) c.at = a.at + 2 * (b.at - a.at), d.at = b.at;
  switch (random.below(4)) {
    case 0:
      d.way = a.way + b.way - c.way;  // rounded: the first coefficient is that
      break;
    case 1:
      b.way = c.way = d.way = a.way;
      break;
    case 2:
      for (MovedPoint& p : points) p.way = whole();
      break;
    default:
      break;
  }
  return points;
}

TEST_CASE("the sign of a determinant of moved points is that of a small step") {
  Random random(441);
  int ties = 0, none = 0;
  for (int i = 0; i < test::campaign(3000); ++i) {
    CAPTURE(i);
    const std::array<MovedPoint, 4> p = points_that_are_close_to_none(random);
    const int sign = moved_determinant(p).sign();
    CHECK(moved_orient3d(p[0], p[1], p[2], p[3]) == sign);
    std::array<MovedPoint, 4> still = p;
    for (MovedPoint& x : still) x.way.setZero();
    const bool is_tie = moved_determinant(still) == 0;
    if (is_tie) CHECK(sign_of_motion(p[0], p[1], p[2], p[3]) == sign);
    ties += is_tie ? 1 : 0;
    none += sign == 0 ? 1 : 0;
    CHECK(leading_term(p[0], p[1], p[2], p[3]).value * sign >= 0);
    CHECK((leading_term(p[0], p[1], p[2], p[3]).value == 0) == (sign == 0));
  }
  CHECK(ties > test::campaign(3000) / 3);
  CHECK(none < ties / 2);
}

// e^power times the value is the determinant but for later terms, which are 2^-900 of it or less.
TEST_CASE("the leading term is within its error of the determinant") {
  Random random(442);
  for (int i = 0; i < test::campaign(3000); ++i) {
    CAPTURE(i);
    const std::array<MovedPoint, 4> p = points_that_are_close_to_none(random);
    const LeadingTerm term = leading_term(p[0], p[1], p[2], p[3]);
    Rational exact = moved_determinant(p);
    if (exact == 0) continue;
    using boost::multiprecision::cpp_int;
    exact *= Rational(cpp_int(1) << (2000 * term.power));
    const Rational unit = term.exponent < 0 ? Rational(1, cpp_int(1) << -term.exponent)
                                            : Rational(cpp_int(1) << term.exponent);
    const Rational off = abs(Rational(term.value) * unit / exact - 1);
    CHECK(off <= Rational(term.error) + Rational(0x1p-500));
    CHECK(term.error < 0x1p-44);
  }
}

}  // namespace
}  // namespace plimsoll
