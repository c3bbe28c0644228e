// Columns through formulas: what interval arithmetic must not miss, and where it must give up.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "columns/column_checks.h"
#include "columns/implicit_columns.h"
#include "shape/random_shape.h"

namespace plimsoll {
namespace {

using test::columns_of;
using test::spans_at;

Shape solid(const std::string& text, double half = 2) {
  return {ImplicitSolid{test::formula(text), Box3(Vec3::Constant(-half), Vec3::Constant(half))}};
}

/// How many columns `text` answers before it has taken all of `work`.
int answers_within(std::int64_t work, const std::string& text) {
  Columns columns = columns_of(solid(text));
  columns.limit_work(work);
  int answered = 0;
  while (!columns.is_exhausted() && answered < 100'000) {
    static_cast<void>(spans_at(columns, 0.1, 0.2));
    ++answered;
  }
  return answered;
}

// Each is decided by one range: z + c is above 0, and so is its sine. A sine takes more than
// twenty sums do, a power more than a sine; ten of them take ten times as much.
TEST_CASE("slow functions take more of the work that formulas may do") {
  constexpr std::int64_t kWork = 200'000;
  const auto tenfold = [](const std::string& term) {
    std::string sum = "1";
    for (int i = 0; i < 10; ++i) sum += "+" + term;
    return sum;
  };
  const int sums = answers_within(kWork, tenfold("abs(z)"));
  const int sines = answers_within(kWork, tenfold("abs(sin(z))"));
  const int powers = answers_within(kWork, tenfold("(3+z)^(4+z)"));
  CHECK(sums > 5 * sines);
  CHECK(sines > 2 * powers);
  const int one = answers_within(kWork, "1+abs(sin(z))");
  CHECK(one > 6 * sines);
  CHECK(one < 12 * sines);
}

// Two values at the ends, and a range or more, of ten operations: a few columns' worth of work.
TEST_CASE("formulas stop when they have taken the work that they may") {
  Columns columns = columns_of(solid("x^2+y^2+z^2-1"));
  CHECK(!columns.is_exhausted());
  columns.limit_work(2000);
  int answered = 0;
  while (!columns.is_exhausted() && answered < 1000)
    answered += spans_at(columns, 0.1, 0.2).size() == 1 ? 1 : 0;
  CHECK(columns.is_exhausted());
  CHECK(answered > 0);
  CHECK(answered < 100);
  CHECK(spans_at(columns, 0.1, 0.2).empty());
  CHECK(Columns::exhausted().code == ErrorCode::kResourceLimit);
}

// Products that underflow are off by half the smallest double, no more: on either side of the
// plane, a thousandth of its bounds away, their sign is certain.
TEST_CASE("a formula whose values underflow is decided like any other") {
  const Columns columns = columns_of(solid("z*1e-320"));
  const std::vector<Span> spans = spans_at(columns, 0.1, 0.2);
  REQUIRE(spans.size() == 1);
  CHECK(std::abs(spans[0].leave) < 1e-3);
}

TEST_CASE("the bounds cut a formula that is negative there") {
  const std::vector<Span> spans = spans_at(columns_of(solid("x^2+y^2-1")), 0.5, 0);
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].enter == -2);
  CHECK(spans[0].leave == 2);
  CHECK(spans[0].enter_surface == 5);  // the lower face across z
  CHECK(spans[0].leave_surface == 6);
  CHECK(spans_at(columns_of(solid("x^2+y^2-1")), 1.5, 0).empty());
}

TEST_CASE("where a formula has no value is outside") {
  // Negative below z = 1, but without a value below z = 0.
  const std::vector<Span> spans = spans_at(columns_of(solid("sqrt(z)-1")), 0, 0);
  REQUIRE(spans.size() == 1);
  CHECK(std::abs(spans[0].enter) < 4 * kThinnest);  // no value at all to interpolate: halved
  CHECK(std::abs(spans[0].leave - 1) < 1e-15);
  CHECK(spans_at(columns_of(solid("log(-1-z^2)")), 0, 0).empty());
  CHECK(spans_at(columns_of(solid("0/0")), 0, 0).empty());
}

// Halved as above: no line through its two sides has a meaning.
TEST_CASE("a pole is a crossing") {
  const std::vector<Span> spans = spans_at(columns_of(solid("1/z")), 0, 0);
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].enter == -2);
  CHECK(std::abs(spans[0].leave) < 4 * kThinnest);
}

TEST_CASE("pieces on the two sides of a point without a value are one") {
  const std::vector<Span> spans = spans_at(columns_of(solid("0/z-1")), 0, 0);
  REQUIRE(spans.size() == 1);
  CHECK(test::length(spans) == 4);
}

// Shells between z^2 = 1 and (1 + t)^2: two pieces, each t thick.
TEST_CASE("thin pieces are found wherever they lie") {
  for (const double thickness : {1e-2, 1e-4, 1e-6, 1e-8}) {
    CAPTURE(thickness);
    const std::string outer = std::to_string(1 + thickness);
    const std::vector<Span> spans =
        spans_at(columns_of(solid("max(1-x^2-y^2-z^2, x^2+y^2+z^2-(1+" +
                                  std::to_string(thickness * 1e6) + "e-6)^2)")),
                 0.1, 0.2);
    REQUIRE(spans.size() == 2);
    const double along = std::sqrt(0.95);  // sqrt(1 - 0.1^2 - 0.2^2)
    // dz = r dr / z; the next term is smaller by the thickness.
    CHECK(std::abs(spans[0].leave - spans[0].enter - thickness / along) <
          thickness * thickness + 1e-14);
  }
}

TEST_CASE("a column that touches a formula's solid misses it") {
  CHECK(spans_at(columns_of(solid("x^2+y^2+z^2-1")), 1, 0).empty());
  const std::vector<Span> nearly = spans_at(columns_of(solid("x^2+y^2+z^2-1")), 1 - 1e-12, 0);
  REQUIRE(nearly.size() == 1);
  CHECK(std::abs(nearly[0].leave - std::sqrt(2e-12)) < 1e-9);  // 1e-16 of rounding over the slope
}

TEST_CASE("a gyroid fills half of its cell") {
  const Shape gyroid = solid("sin(x)*cos(y)+sin(y)*cos(z)+sin(z)*cos(x)", std::numbers::pi);
  const Columns columns = columns_of(gyroid);
  const int n = 32;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      sum += test::length(spans_at(columns, (2 * (i + 0.5) / n - 1) * std::numbers::pi,
                                   (2 * (j + 0.5) / n - 1) * std::numbers::pi));
  // Point reflection turns the sign of the formula and maps the grid onto itself: exact.
  CHECK(std::abs(sum / (n * n * 2 * std::numbers::pi) - 0.5) < 1e-14);
}

TEST_CASE("a formula that oscillates without end is called undecided, in bounded time") {
  const Columns columns = columns_of(solid("sin(1/z)"));
  Columns::Scratch scratch;
  std::vector<Span> spans;
  columns.spans(0, 0, scratch, spans);
  CHECK(scratch.undecided == 1);
  CHECK(test::are_sorted(spans));
  // Above 1 / (4 pi) everything is found: negative for 1 / z in (pi, 2 pi) and (3 pi, 4 pi).
  REQUIRE(spans.size() >= 3);
  CHECK(std::abs(spans.back().leave - 1 / std::numbers::pi) < 1e-15);
  CHECK(std::abs(spans.back().enter - 0.5 / std::numbers::pi) < 1e-15);
}

// atan2(y, -1) falls everywhere but for its jump from -pi to pi at y = 0, and is below 2 at both
// ends of the column. Behind the jump it falls to 2 where y = -tan(2).
TEST_CASE("a formula that falls on both sides of a jump has pieces on both") {
  const std::vector<Span> spans = spans_at(columns_of(solid("atan2(y,x)-2", 3), 1), 0, -1);
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].enter == -3);
  // Pieces are judged by their ends where they are thinner than kThinnest of the way of 6.
  CHECK(std::abs(spans[0].leave) <= 6 * kThinnest);
  CHECK(std::abs(spans[1].enter + std::tan(2.0)) <= 1e-14);  // a root, to some last bits
  CHECK(spans[1].leave == 3);
}

// The root has no value where |z| < 1, and is far below 9 wherever it has one.
TEST_CASE("a gap without a value between two pieces is outside, as negative as they are") {
  const std::vector<Span> spans = spans_at(columns_of(solid("sqrt(z^2-1)-9")), 0.1, 0.2);
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].enter == -2);
  // Pieces are judged by their ends where they are thinner than kThinnest of the way of 4.
  CHECK(std::abs(spans[0].leave + 1) <= 4 * kThinnest);
  CHECK(std::abs(spans[1].enter - 1) <= 4 * kThinnest);
  CHECK(spans[1].leave == 2);
}

// Where the columns of a tile of edge 0.1 enter and leave the ball of radius 1 is within
// 1 - sqrt(1 - 0.005) < 0.003 of 1. Pieces that are not certain meet those depths and are no longer
// than `thin`, which is 0.01: what is farther than 0.013 from 1 is certain.
TEST_CASE("depths that a bundle is to ignore are uncertain, and all others as they are") {
  const std::vector<Span> ignored = {{-3, -1.5, 0, 0},
                                     {-1.25, -1.1, 0, 0},
                                     {-0.5, -0.25, 0, 0},
                                     {0.25, 0.6, 0, 0},
                                     {1.75, 5, 0, 0}};
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    const Columns columns = columns_of(solid("x^2+y^2+z^2-1"), axis);
    Columns::Scratch scratch;
    const Columns::Bundle bundle =
        columns.bundle({{-0.05, 0.05, -0.05, 0.05}, 0.01, ignored}, scratch);
    CHECK(test::are_sorted(bundle.inner));
    CHECK(test::are_sorted(bundle.outer));
    for (int i = 0; i < 400; ++i) {
      const double depth = -2 + 0.01 * (i + 0.5);  // at no end of what is ignored
      CAPTURE(depth);
      const bool is_ignored = test::holds(ignored, depth);
      const bool is_inside = std::abs(depth) < 1;
      if (!is_ignored && std::abs(std::abs(depth) - 1) < 0.014) continue;
      CHECK(test::holds(bundle.inner, depth) == (is_inside && !is_ignored));
      CHECK(test::holds(bundle.outer, depth) == (is_inside || is_ignored));
    }
  }
}

TEST_CASE("a formula whose depths are all ignored takes no work") {
  Columns columns = columns_of(solid("x^2+y^2+z^2-1"));
  columns.limit_work(0);
  Columns::Scratch scratch;
  const std::vector<Span> halves = {{-7, 0, 0, 0}, {0, 3, 0, 0}};
  const Columns::Bundle bundle =
      columns.bundle({{-0.05, 0.05, -0.05, 0.05}, 0.01, halves}, scratch);
  CHECK(!columns.is_exhausted());
  CHECK(bundle.inner.empty());
  REQUIRE(bundle.outer.size() == 1);
  // Its bounds, which leave room for rounding.
  CHECK(std::abs(bundle.outer[0].enter + 2) <= 1e-12);
  CHECK(std::abs(bundle.outer[0].leave - 2) <= 1e-12);
}

}  // namespace
}  // namespace plimsoll
