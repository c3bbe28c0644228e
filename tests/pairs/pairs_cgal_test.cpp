#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <doctest/doctest.h>
#include <plimsoll/pairs.h>

#include <algorithm>
#include <vector>

#include "pairs/pair_cases.h"
#include "pairs/triangle_pair.h"
#include "support/campaign.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;

Point point(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

// CGAL asks for triangles with an area, so each comes as what it is.
struct Piece {
  int dimension;
  std::array<Point, 3> corner;  // sorted where they lie on one line

  explicit Piece(const std::array<Vec3, 3>& t) : corner{point(t[0]), point(t[1]), point(t[2])} {
    dimension = 2;
    if (!CGAL::collinear(corner[0], corner[1], corner[2])) return;
    std::sort(corner.begin(), corner.end());
    dimension = corner[0] == corner[2] ? 0 : 1;
  }
  [[nodiscard]] Kernel::Triangle_3 triangle() const { return {corner[0], corner[1], corner[2]}; }
  [[nodiscard]] Kernel::Segment_3 segment() const { return {corner[0], corner[2]}; }
};

bool meet(const Piece& t, const Piece& u) {
  if (t.dimension < u.dimension) return meet(u, t);
  if (t.dimension == 0) return t.corner[0] == u.corner[0];
  if (t.dimension == 1)
    return u.dimension == 0 ? t.segment().has_on(u.corner[0])
                            : CGAL::do_intersect(t.segment(), u.segment());
  if (u.dimension == 2) return CGAL::do_intersect(t.triangle(), u.triangle());
  return u.dimension == 1 ? CGAL::do_intersect(t.triangle(), u.segment())
                          : t.triangle().has_on(u.corner[0]);
}

TEST_CASE("pairs of bodies in close and degenerate places are those that CGAL finds") {
  Random random(7);
  PairSearch search;
  for (int i = 0; i < test::campaign(5000); ++i) {
    CAPTURE(i);
    const test::ContactCase c = test::contact_case(random, i % test::kContactCaseKinds);
    const TriangleMesh a = posed(c.a, c.world_from_a), b = posed(c.b, c.world_from_b);
    std::vector<TrianglePair> expected;
    for (std::uint32_t t = 0; t < a.triangles.size(); ++t)
      for (std::uint32_t u = 0; u < b.triangles.size(); ++u)
        if (meet(Piece(corners_of(a, t).point), Piece(corners_of(b, u).point)))
          expected.push_back({t, u});
    const auto pairs = search.pairs(MeshTree(test::checked(c.a)), c.world_from_a,
                                    MeshTree(test::checked(c.b)), c.world_from_b);
    REQUIRE(pairs);
    REQUIRE(std::equal(pairs->begin(), pairs->end(), expected.begin(), expected.end()));
  }
}

}  // namespace
}  // namespace plimsoll
