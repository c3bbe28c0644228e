#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <doctest/doctest.h>

#include "core/predicate_cases.h"
#include "core/predicates.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;

Kernel::Point_3 exact_point(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

Kernel::Point_2 projected(const Vec3& p, int axis) {
  return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

TEST_CASE("the signs are those of CGAL's exact kernel") {
  Random random(4);
  for (int i = 0; i < test::campaign(500000); ++i) {
    const auto p = test::predicate_case(random, i % test::kPredicateCaseKinds);
    const auto a = exact_point(p[0]), b = exact_point(p[1]), c = exact_point(p[2]),
               d = exact_point(p[3]);
    REQUIRE(orient3d(p[0], p[1], p[2], p[3]) == static_cast<int>(CGAL::orientation(a, b, c, d)));
    REQUIRE(are_collinear(p[0], p[1], p[2]) == CGAL::collinear(a, b, c));
    const int axis = i / test::kPredicateCaseKinds % 3;
    REQUIRE(orient2d(p[0], p[1], p[2], axis) ==
            static_cast<int>(CGAL::orientation(projected(p[0], axis), projected(p[1], axis),
                                               projected(p[2], axis))));
  }
}

}  // namespace
}  // namespace plimsoll
