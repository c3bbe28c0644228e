// What finding the curve takes, counted, of bodies on which it could grow faster than their
// triangles.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include "overlap/overlap_checks.h"
#include "support/hard_scenes.h"
#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

using test::moved;

/// Whether the work that is counted in microseconds (PairSearch) suffices.
bool suffices(double work, const TriangleMesh& a, const TriangleMesh& b) {
  OverlapSearch search;
  const Similarity here = Similarity::Identity();
  const Result<Overlap> found =
      search.overlap(test::solid(a), here, test::solid(b), here, {}, work);
  if (!found) REQUIRE(found.error().code == ErrorCode::kResourceLimit);
  return found.has_value();
}

// A triangle of a face meets some 13 of one that lies against it: 1.3 us, for the half of the face
// that does. As much is granted for all of it, to bodies of four times the triangles as well.
TEST_CASE("boxes that stand on each other take work as their common faces have triangles") {
  for (const std::uint32_t m : {20U, 40U}) {
    CAPTURE(m);
    const TriangleMesh box = test::grid_box({1, 1, 1}, m, m, m);
    const double face = 2.0 * m * m;
    CHECK(suffices(1.2 * face, box, moved(box, {0.31, 0.17, 1})));
    CHECK(!suffices(0.1 * face, box, moved(box, {0.31, 0.17, 1})));
  }
}

// All of their faces lie against each other: 2 us a triangle. Twice as much is granted.
TEST_CASE("identical boxes take work as they have triangles") {
  for (const std::uint32_t m : {12U, 24U}) {
    CAPTURE(m);
    const TriangleMesh box = test::grid_box({1, 1, 1}, m, m, m);
    CHECK(suffices(4.0 * 12 * m * m, box, box));
  }
}

// Every sliver of the one crosses slivers of the other: 1 us for each. Twice as much is granted.
TEST_CASE("crossing cylinders and cones take work as they have slivers") {
  for (const int slices : {500, 2000}) {
    CAPTURE(slices);
    const test::TwoBodies cylinders = test::crossing_cylinders(slices);
    CHECK(suffices(2.0 * 8 * slices, cylinders.a, cylinders.b));
    const test::TwoBodies cones = test::crossing_cones(slices);
    CHECK(suffices(2.0 * 4 * slices, cones.a, cones.b));
  }
}

}  // namespace
}  // namespace plimsoll
