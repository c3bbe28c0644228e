// Ranges and slopes of formulas hold what they promise, for random formulas in random boxes.
#include <doctest/doctest.h>
#include <plimsoll/expression.h>

#include <cmath>
#include <string>

#include "shape/random_shape.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

std::string random_formula(Random& random, int depth) {
  const auto operand = [&] { return random_formula(random, depth - 1); };
  const auto constant = [&] {
    return random.below(3) == 0 ? std::to_string(random.below(4))
                                : std::to_string(random.uniform(0, 3));
  };
  if (depth == 0 || random.below(8) == 0) {
    const std::uint64_t kind = random.below(5);
    return kind < 3 ? std::string(1, static_cast<char>('x' + kind)) : constant();
  }
  switch (random.below(14)) {
    case 0:
      return std::string("(") + operand() + "+" + operand() + ")";
    case 1:
      return std::string("(") + operand() + "-" + operand() + ")";
    case 2:
    case 3:
      return std::string("(") + operand() + "*" + operand() + ")";
    case 4:
      return std::string("(") + operand() + "/" + operand() + ")";
    case 5:
      return std::string("(") + operand() + ")^" + std::to_string(random.below(6));
    case 6:
      return std::string("(") + operand() + ")^(-" + std::to_string(random.below(4)) + ")";
    case 7:
      return std::string("(") + operand() + ")^" + constant();
    case 8:
      return "abs(" + operand() + ")^(" + operand() + ")";
    case 9:
      return std::string("(-") + operand() + ")";
    case 10:
      return (random.below(2) == 0 ? "min(" : "max(") + operand() + "," + operand() + ")";
    case 11:
      return "atan2(" + operand() + "," + operand() + ")";
    default: {
      constexpr const char* kNames[] = {"abs(", "sqrt(", "exp(", "log(", "sin(", "cos(", "tan("};
      return kNames[random.below(7)] + operand() + ")";
    }
  }
}

Box3 random_box(Random& random) {
  const Vec3 low = test::random_point(random, 3);
  const double size = std::pow(10.0, random.uniform(-12, 0.7));
  Vec3 sizes = size * (test::random_point(random) + Vec3::Ones());
  for (int i = 0; i < 3; ++i)
    if (random.below(4) == 0) sizes[i] = 0;
  return {low, low + sizes};
}

Vec3 point_in(Random& random, const Box3& box) {
  Vec3 p;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t kind = random.below(5);
    p[i] = kind == 0   ? box.min()[i]
           : kind == 1 ? box.max()[i]
                       : std::min(random.uniform(box.min()[i], box.max()[i]), box.max()[i]);
  }
  return p;
}

TEST_CASE("the range of a formula holds its value at every point of the box") {
  Random random(1);
  int valued = 0;
  for (int i = 0; i < test::campaign(200'000); ++i) {
    const std::string text = random_formula(random, 1 + static_cast<int>(random.below(4)));
    const Expression f = test::formula(text);
    const Box3 box = random_box(random);
    const Interval range = f.range(box);
    const SlopeRange sloped = f.range_along(box, Vec3::UnitZ());
    for (int j = 0; j < 10; ++j) {
      const double value = f(point_in(random, box));
      if (std::isnan(value)) {
        CHECK_MESSAGE(!sloped.is_continuous, text);
        continue;
      }
      ++valued;
      CHECK_MESSAGE(range.contains(value), text, " is ", value, " not in ", range.low, " ",
                    range.high);
      CHECK_MESSAGE(sloped.value.contains(value), text);
    }
  }
  CHECK(valued > test::campaign(1'000'000));  // most of ten points each
}

// By the mean value theorem the mean slope between two points is one of the slopes between. The
// difference of two values is known to 1e-9 of what they are computed from, for these formulas, and
// the points are a tenth apart or more.
TEST_CASE("the slope of a formula holds its mean slope between any two points") {
  Random random(2);
  int checked = 0;
  for (int i = 0; i < test::campaign(100'000); ++i) {
    const std::string text = random_formula(random, 1 + static_cast<int>(random.below(3)));
    const Expression f = test::formula(text);
    const Vec3 direction = test::random_point(random);
    const Vec3 a = test::random_point(random, 3);
    const double step = random.uniform(0.1, 0.5);
    const Vec3 b = a + step * direction;
    const SlopeRange range = f.range_along({a.cwiseMin(b), a.cwiseMax(b)}, direction);
    if (!range.is_continuous || !std::isfinite(f(b) - f(a))) continue;
    ++checked;
    const double slope = (f(b) - f(a)) / step;
    const double room = 1e-8 * (1 + std::abs(f(a)) + std::abs(f(b)));
    CHECK_MESSAGE(range.slope.low - room <= slope, text, " ", range.slope.low, " ", slope);
    CHECK_MESSAGE(range.slope.high + room >= slope, text, " ", range.slope.high, " ", slope);
  }
  CHECK(checked > 1000);
}

TEST_CASE("ranges shrink with the box to the value") {
  Random random(3);
  for (const char* text : {"x^2+y^2+z^2-1", "(sqrt(x^2+y^2)-1)^2+z^2-0.1", "sin(x)*cos(y)+exp(z)",
                           "atan2(y+4,x)*log(z+4)", "max(x,y)-min(y,z)^3"}) {
    CAPTURE(text);
    const Expression f = test::formula(text);
    for (int i = 0; i < 100; ++i) {
      const Vec3 p = test::random_point(random, 2);
      const Interval range = f.range({p, p});
      CHECK(range.contains(f(p)));
      CHECK(range.high - range.low < 1e-13);  // some ten roundings of numbers below 100
    }
  }
}

TEST_CASE("slopes prove that a formula rises or falls") {
  const Expression f = test::formula("x^2+y^2+z^2-1");
  const SlopeRange upper = f.range_along({Vec3(-1, -1, 0), Vec3(1, 1, 1)}, Vec3::UnitZ());
  CHECK(upper.is_continuous);
  CHECK(upper.slope.low == 0);
  CHECK(upper.slope.high >= 2);
  const SlopeRange pole =
      test::formula("1/z").range_along({Vec3(0, 0, -1), Vec3(0, 0, 1)}, Vec3::UnitZ());
  CHECK_FALSE(pole.is_continuous);
  CHECK(test::formula("sqrt(z)").range({Vec3(0, 0, -2), Vec3(0, 0, -1)}).is_empty());
}

}  // namespace
}  // namespace plimsoll
