// Parts of a plane in cells, against points chosen at random and closed forms.
#include "contact/plane_part.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

void add_polygon(PlanePart& part, const std::vector<Vec2>& corners, int times) {
  for (std::size_t i = 0; i < corners.size(); ++i)
    part.add(corners[i], corners[(i + 1) % corners.size()], times);
}

std::vector<PlaneSums> cells_of(PlanePart& part, double cell) {
  std::vector<ConvexPiece> pieces;
  std::vector<CellRange> cells;
  part.find_pieces(cell, pieces, cells);
  std::vector<PlaneSums> sums;
  for (const CellRange& range : cells)
    sums.push_back(sums_of(std::span(pieces).subspan(range.begin, range.end - range.begin)));
  return sums;
}

struct Total {
  double area = 0;
  Vec2 first = Vec2::Zero();
};

/// Of all cells, each of which lies where it should.
Total total_of(PlanePart& part, double cell) {
  Total total;
  for (const PlaneSums& found : cells_of(part, cell)) {
    CHECK(found.area > 0);
    CHECK(found.area <= cell * cell * (1 + 1e-12));
    total.area += found.area;
    total.first += found.first;
  }
  return total;
}

std::vector<Vec2> ring(double radius, int corners, const Vec2& center) {
  std::vector<Vec2> ring;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners + 0.1;
    ring.push_back(center + radius * Vec2(std::cos(angle), std::sin(angle)));
  }
  return ring;
}

double area_of_ring(double radius, int corners) {
  return corners * radius * radius * std::sin(2 * std::numbers::pi / corners) / 2;
}

TEST_CASE("areas and centroids of cells add up to those of the part, whatever the cells") {
  const Vec2 center(0.3, -1.7);
  for (const double cell : {0.05, 0.31, 1.0, 100.0})
    for (const int sense : {1, -1}) {
      PlanePart part;
      add_polygon(part, ring(2, 17, center), sense);
      add_polygon(part, ring(0.5, 5, center), -sense);  // a hole
      const Total total = total_of(part, cell);
      const double area = area_of_ring(2, 17) - area_of_ring(0.5, 5);
      CHECK(total.area == test::approx(area).epsilon(1e-13));
      CHECK((total.first / area - center).norm() < 1e-13);
    }
}

TEST_CASE("a cell that lies wholly inside has its own area and center") {
  PlanePart part;
  add_polygon(part, {Vec2(0, 0), Vec2(3, 0), Vec2(3, 2), Vec2(0, 2)}, 1);
  const std::vector<PlaneSums> cells = cells_of(part, 1);
  REQUIRE(cells.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(cells[i].area == 1);
    CHECK((cells[i].centroid() -
           Vec2(0.5 + static_cast<double>(i % 3), 0.5 + static_cast<double>(i / 3)))
              .norm() < 1e-15);
  }
}

TEST_CASE("no edges, and edges that go and come back, are around nothing") {
  PlanePart part;
  CHECK(cells_of(part, 1).empty());
  part.add({0, 0}, {2, 3}, 1);
  part.add({2, 3}, {0, 0}, 1);
  CHECK(cells_of(part, 1).empty());
  part.clear();
  part.add({0, 1}, {2, 1}, 1);
  part.add({2, 1}, {0, 1}, 1);
  CHECK(cells_of(part, 1).empty());
}

// What winds around a point is counted along a ray to the right. The share of points inside is
// binomial: five of its standard deviations are left to chance in 1 of 1.7 million.
TEST_CASE("the part is where edges wind around, also where polygons overlap") {
  Random random(7);
  constexpr int kPoints = 20'000;
  for (int round = 0; round < test::campaign(20); ++round) {
    std::vector<std::vector<Vec2>> polygons;
    PlanePart part;
    for (int i = 0; i < 3; ++i) {
      // Overlapping polygons of one sense do not cancel; edges that cross are for no curve of two
      // surfaces, so the rings are one in the other or apart.
      polygons.push_back(ring(0.9 - 0.3 * i, 3 + static_cast<int>(random.below(9)),
                              Vec2(0.02 * random.unit(), 0.02 * random.unit())));
      add_polygon(part, polygons.back(), i == 1 ? -1 : 1);
    }
    const auto is_inside = [&](const Vec2& x) {
      int winding = 0;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < polygons[i].size(); ++k) {
          const Vec2 &p = polygons[i][k], &q = polygons[i][(k + 1) % polygons[i].size()];
          if ((p.y() <= x.y()) == (q.y() <= x.y())) continue;
          const double at = p.x() + (x.y() - p.y()) / (q.y() - p.y()) * (q.x() - p.x());
          if (at > x.x()) winding += (q.y() > p.y() ? 1 : -1) * (i == 1 ? -1 : 1);
        }
      return winding != 0;
    };
    const Total total = total_of(part, 0.2);
    int inside = 0;
    for (int i = 0; i < kPoints; ++i)
      inside += is_inside({random.uniform(-1, 1), random.uniform(-1, 1)}) ? 1 : 0;
    const double share = total.area / 4;
    CHECK(std::fabs(inside - kPoints * share) < 5 * std::sqrt(kPoints * share * (1 - share)));
  }
}

}  // namespace
}  // namespace plimsoll
