#include <CGAL/Exact_rational.h>
#include <CGAL/Min_sphere_of_spheres_d.h>
#include <CGAL/Min_sphere_of_spheres_d_traits_3.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Sqrt_extension.h>
#include <doctest/doctest.h>

#include <vector>

#include "ball_cases.h"
#include "spheres/enclosing_ball.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using Number = CGAL::Exact_rational;
using Kernel = CGAL::Simple_cartesian<Number>;
using Traits = CGAL::Min_sphere_of_spheres_d_traits_3<Kernel, Number>;
using Root = CGAL::Sqrt_extension<Number, Number, CGAL::Tag_true>;

// All balls lie within 2 of the origin, and the header promises 1e-14 of that and of the radius.
// The oracle's radius a + b sqrt(c) is compared without rounding: its terms may nearly cancel.
TEST_CASE("the smallest ball is CGAL's in exact numbers") {
  Random random(5);
  for (int round = 0; round < test::campaign(5000); ++round) {
    CAPTURE(round);
    const std::vector<PlacedSphere> balls =
        test::ball_case(random, round % test::kBallCaseKinds, 1 + random.below(12));
    std::vector<Traits::Sphere> exact;
    for (const PlacedSphere& ball : balls)
      exact.emplace_back(Kernel::Point_3(ball.center[0], ball.center[1], ball.center[2]),
                         Number(ball.radius));
    CGAL::Min_sphere_of_spheres_d<Traits> oracle(exact.begin(), exact.end());
    const auto radius = oracle.radius();
    const Root expected(radius.first, radius.second, oracle.discriminant());
    const double found = smallest_enclosing_ball(balls).radius;
    REQUIRE(expected <= Number(found));
    REQUIRE(expected >= Number(found - 4e-14));
  }
}

}  // namespace
}  // namespace plimsoll
