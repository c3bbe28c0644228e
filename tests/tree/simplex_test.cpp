#include "tree/simplex.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using Point = Triple<double>;

/// Points that span a body, a plane, a line or less, perhaps of whole numbers, of which many are
/// equal or in one plane; 0 is among them, beside them or between them.
std::vector<Point> any_points(Random& random) {
  const auto dimensions = random.below(4);
  const bool are_whole = random.below(2) == 0;
  Point shift, flat[3];
  for (Point* v : {&shift, &flat[0], &flat[1], &flat[2]})
    for (double& x : *v)
      x = are_whole ? static_cast<double>(random.below(5)) - 2 : random.uniform(-1, 1);
  if (random.below(3) == 0) shift = {0, 0, 0};
  std::vector<Point> points(1 + random.below(12));
  for (Point& p : points) {
    p = shift;
    for (std::size_t k = 0; k < dimensions; ++k)
      p = p + (are_whole ? static_cast<double>(random.below(4)) : random.uniform(-1, 1)) * flat[k];
  }
  return points;
}

/// The steps of [Gilbert1988] to the point nearest to the origin, as long as they come nearer.
/// `steps` counts them.
SimplexFoot nearest_in_hull(const std::vector<Point>& points, int& steps) {
  std::array<Point, 4> simplex;
  std::size_t count = 0;
  SimplexFoot foot{points[0], points[0], 1};
  for (steps = 0; steps < 50; ++steps) {
    Point next = points[0];
    for (const Point& p : points)
      if (dot(foot.at, p) < dot(foot.at, next)) next = p;
    const double squared = dot(foot.at, foot.at);
    if (count > 0 && !(squared - dot(foot.at, next) > 1e-12 * squared)) break;
    simplex[count++] = next;
    const SimplexFoot nearer = foot_of_simplex(std::span(simplex).first(count));
    if (count > 1 && !(dot(nearer.at, nearer.at) < squared)) break;
    foot = nearer;
    count = keep_points_of(foot, std::span(simplex).first(count));
    if (count == 4 || !(dot(foot.at, foot.at) > 1e-16)) break;
  }
  return foot;
}

// x is the point of a convex set that is nearest to 0 where x . p >= x . x for all p of it.
TEST_CASE(
    "steps from simplex to simplex end at the point of a hull that is nearest to the origin") {
  Random random(1);
  int inside = 0, on_faces = 0;
  for (int round = 0; round < test::campaign(40000); ++round) {
    const std::vector<Point> points = any_points(random);
    int steps = 0;
    const SimplexFoot foot = nearest_in_hull(points, steps);
    REQUIRE(steps < 50);
    const double squared = dot(foot.at, foot.at);
    if (!(squared > 1e-16)) {
      ++inside;
      continue;
    }
    for (const Point& p : points) REQUIRE(dot(foot.at, p) >= squared * (1 - 1e-6));
    // It goes the same way as the foot, and where that is in a triangle along its normal.
    const double along = dot(foot.way, foot.at);
    REQUIRE(along > 0);
    REQUIRE(along * along == test::approx(squared * dot(foot.way, foot.way)).epsilon(1e-6));
    on_faces += foot.way != foot.at ? 1 : 0;
  }
  CHECK(inside > test::campaign(40000) / 10);
  CHECK(on_faces > test::campaign(40000) / 50);
}

TEST_CASE("a foot hangs on a corner, an edge, a face or a tetrahedron") {
  const auto foot = [](const std::vector<Point>& points) { return foot_of_simplex(points); };
  CHECK(foot({{1, 2, 3}}).at == Point{1, 2, 3});
  CHECK(foot({{1, 2, 3}}).points == 1);
  CHECK(foot({{3, 0, 0}, {1, 0, 0}}).points == 2);
  const SimplexFoot edge = foot({{1, 1, 0}, {1, -1, 0}});
  CHECK(edge.at == Point{1, 0, 0});
  CHECK(edge.points == 3);
  const SimplexFoot face = foot({{1, 2, -1}, {1, -2, -1}, {1, 0, 2}});
  CHECK(face.at == Point{1, 0, 0});
  CHECK(face.points == 7);
  CHECK(face.way[0] > 0);
  CHECK(std::hypot(face.way[1], face.way[2]) == 0);
  const SimplexFoot solid = foot({{-1, -1, -1}, {4, -1, -1}, {-1, 4, -1}, {-1, -1, 4}});
  CHECK(solid.points == 15);
  CHECK(dot(solid.at, solid.at) < 1e-30);
  // A triangle that is a segment has no face.
  CHECK(foot({{1, -1, 0}, {1, 3, 0}, {1, 1, 0}}).at == Point{1, 0, 0});
}

TEST_CASE("points that a foot hangs on are kept in their order") {
  std::array<int, 4> numbers{1, 2, 3, 4};
  SimplexFoot foot;
  foot.points = 0b1010;
  CHECK(keep_points_of(foot, std::span<int>(numbers)) == 2);
  CHECK(numbers[0] == 2);
  CHECK(numbers[1] == 4);
}

}  // namespace
}  // namespace plimsoll
