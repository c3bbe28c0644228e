// Boolean algebra on spans, against membership point by point.
#include "columns/span.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "columns/column_checks.h"
#include "core/random.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using Spans = std::vector<Span>;

/// Between whole numbers, so that ends of two lists often coincide.
Spans random_spans(Random& random) {
  Spans spans;
  double at = 0;
  for (std::uint64_t i = random.below(5); i > 0; --i) {
    const double enter = at + 1 + static_cast<double>(random.below(3));
    at = enter + 1 + static_cast<double>(random.below(3));
    spans.push_back({enter, at, 0, 0});
  }
  return spans;
}

bool holds(const Spans& spans, double depth) {
  return std::any_of(spans.begin(), spans.end(),
                     [&](const Span& span) { return span.enter < depth && depth < span.leave; });
}

TEST_CASE("every depth is inside a union, intersection or difference as logic has it") {
  Random random(1);
  for (int i = 0; i < test::campaign(20000); ++i) {
    const Spans a = random_spans(random), b = random_spans(random);
    Spans united, shared, rest;
    unite(a, b, 0, united);
    intersect(a, b, 0, shared);
    subtract(a, b, 0, rest);
    CHECK(test::are_sorted(united));
    CHECK(test::are_sorted(shared));
    CHECK(test::are_sorted(rest));
    for (double depth = 0.5; depth < 40; ++depth) {
      CHECK(holds(united, depth) == (holds(a, depth) || holds(b, depth)));
      CHECK(holds(shared, depth) == (holds(a, depth) && holds(b, depth)));
      CHECK(holds(rest, depth) == (holds(a, depth) && !holds(b, depth)));
    }
  }
}

TEST_CASE("ends that nearly touch are the same") {
  Spans out;
  unite({{0, 1, 1, 2}}, {{1 + 1e-15, 2, 3, 4}}, 1e-14, out);
  REQUIRE(out.size() == 1);
  CHECK(out[0].leave_surface == 4);
  intersect({{0, 1, 1, 2}}, {{1 - 1e-15, 2, 3, 4}}, 1e-14, out);
  CHECK(out.empty());
  subtract({{0, 1, 1, 2}}, {{1e-15, 1 - 1e-15, 3, 4}}, 1e-14, out);
  CHECK(out.empty());
}

}  // namespace
}  // namespace plimsoll
