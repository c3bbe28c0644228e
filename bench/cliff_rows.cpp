#include "cliff_rows.h"

#include <cmath>

namespace plimsoll::bench {
namespace {

using test::askew;
using test::moved;
using test::shift;
using test::TwoBodies;

/// Cells along each side of a sheet of n triangles.
std::uint32_t side(std::uint32_t n) {
  return static_cast<std::uint32_t>(std::lround(std::sqrt(n / 2.0)));
}
int slices(std::uint32_t n) { return static_cast<int>(n); }

TriangleMesh scan(std::uint32_t n) { return test::wavy_sheet(side(n)); }
/// A ball with n triangles of about one size, askew to all axes.
TriangleMesh ball(std::uint32_t n, double radius = 1) {
  const auto rings = static_cast<int>(std::lround(std::sqrt(n / 4.0)));
  return askew(make_bumpy_sphere(radius, 0.05, rings, 2 * rings));
}
TriangleMesh flat_sheet(std::uint32_t n) {
  return test::sheet_of(side(n), side(n), [](double x, double y) { return Vec3(x, y, 0); });
}
/// Sheets that run along each other, 0.4 apart.
TwoBodies sheets(std::uint32_t n) {
  return {scan(n / 2), moved(scan(n / 2), shift({0.3, 0.1, 0.4}))};
}
/// A ball in a larger one, whose surfaces run along each other.
TwoBodies nested_balls(std::uint32_t n) {
  const auto rings = static_cast<int>(std::lround(std::sqrt(n / 8.0)));
  return {make_sphere(1, rings, 2 * rings), askew(make_sphere(0.9, rings, 2 * rings))};
}
/// Sheets 0.4 of a cell apart; near pairs are those closer than half a cell.
TwoBodies close_sheets(std::uint32_t n) {
  return {scan(n / 2), moved(scan(n / 2), shift({0, 0, 0.4 / side(n / 2)}))};
}
CliffJob close_pairs(const TwoBodies& two, std::uint32_t n) {
  return near_pairs(two, 0.5 / side(n / 2));
}
/// Each with a triangle 1e5 away.
TwoBodies with_strays(const TwoBodies& two) {
  return {test::with_stray_triangle(two.a, 1e5), test::with_stray_triangle(two.b, 1e5)};
}
/// Sheets that cross along a line.
TwoBodies crossing(const TriangleMesh& sheet) {
  return {sheet, moved(moved(sheet, test::turn(Vec3::UnitX(), 1.2)), shift({0.1, 0.1, 0.03}))};
}
TwoBodies crossing_balls(std::uint32_t n) {
  return {ball(n / 2), moved(ball(n / 2), shift({0.6, 0.2, 0.1}))};
}
TriangleMesh meshed_box(std::uint32_t n) {
  const auto m = static_cast<std::uint32_t>(std::lround(std::sqrt(n / 12.0)));
  return test::grid_box({1, 1, 1}, m, m, m);
}
/// A ball and its copy, turned by that angle.
TwoBodies copies(std::uint32_t n, double angle) {
  return {ball(n / 2), moved(ball(n / 2), test::turn({3, 1, 2}, angle))};
}
/// A box of some n triangles, whose upper and lower face are waves of the same form.
TriangleMesh wavy_box(std::uint32_t n) {
  TriangleMesh box = meshed_box(n);
  for (Vec3& v : box.vertices) v.z() += 0.05 * std::sin(7 * v.x()) * std::cos(5 * v.y());
  return box;
}
/// The same with waves across a few cells in place of wide ones: stacked, their faces cross all
/// over.
TriangleMesh rough_box(std::uint32_t n) {
  TriangleMesh box = meshed_box(n);
  const double cell = std::sqrt(12.0 / n);
  for (Vec3& v : box.vertices)
    v.z() += 0.2 * cell * std::sin(1.3 * v.x() / cell) * std::cos(1.1 * v.y() / cell);
  return box;
}
/// A box that stands on its copy, a part of a cell beside it; turned about the way up.
TwoBodies stacked(const TriangleMesh& box, std::uint32_t n, double angle = 0) {
  const double cell = std::sqrt(24.0 / n);
  const TriangleMesh upper = moved(box, test::turn(Vec3::UnitZ(), angle));
  return {box, moved(upper, shift({0.37 * cell, 0.21 * cell, 1}))};
}
/// Boxes in strips, one on the other.
TwoBodies stacked_strips(std::uint32_t n) {
  const TriangleMesh box = test::strip_box({1000, 1, 1}, n / 32);
  return {box, moved(box, shift({0.3, 0.4 / n, 1}))};
}
TriangleMesh stray_scan(std::uint32_t n) {
  return test::with_stray_triangle(test::shuffled(scan(n), 3), 100);
}
/// Balls of n / 2 triangles each, 0.3 apart along x.
TwoBodies balls_apart(std::uint32_t n, double apart) {
  return {ball(n / 2), moved(ball(n / 2), shift({2.1 + apart, 0, 0}))};
}
TriangleMesh column(std::uint32_t n) { return test::grid_box({1, 1, 1}, 1, 1, n / 8); }
/// A box of 100 m with a ball of radius 1 beside it, at its middle.
TriangleMesh ball_and_box(std::uint32_t n) {
  TriangleMesh both = moved(ball(n), shift({60, 0, 0}));
  const TriangleMesh box = make_box({100, 100, 100});
  const auto first = static_cast<std::uint32_t>(both.vertices.size());
  both.vertices.insert(both.vertices.end(), box.vertices.begin(), box.vertices.end());
  for (const Triangle& t : box.triangles)
    both.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return both;
}

/// Across a box that stands askew, so high above its middle.
WaterPlane water_at(double level) { return {test::turn({1, 2, 3}, 0.7) * Vec3(0, 0, 1), level}; }

using Size = std::uint32_t;

const CliffRow kRows[] = {
    {"distance",
     "crossing rods",
     "sheets",
     {16'000, 64'000},
     [](Size n) { return distance(test::crossing_rods(slices(n / 8))); },
     [](Size n) { return distance(sheets(n)); },
     CliffItem::kQuestion},
    {"distance",
     "strips over strips",
     "sheets",
     {16'000, 64'000},
     [](Size n) { return distance(test::crossing_strips(n / 4)); },
     [](Size n) { return distance(sheets(n)); },
     CliffItem::kQuestion},
    {"distance",
     "fan on fan",
     "sheets",
     {16'000, 64'000},
     [](Size n) { return distance(test::stacked_fans(n / 2)); },
     [](Size n) { return distance(sheets(n)); },
     CliffItem::kQuestion},
    {"distance",
     "cone in cone",
     "ball in ball",
     {8'000, 32'000},
     [](Size n) { return distance(test::nested_cones(slices(n / 4))); },
     [](Size n) { return distance(nested_balls(n)); }},
    {"distance",
     "stray triangle 1e5 away",
     "sheets",
     {16'000, 64'000},
     [](Size n) { return distance(test::stray_sheets(side(n / 2))); },
     [](Size n) { return distance(sheets(n)); },
     CliffItem::kQuestion},
    {"near pairs",
     "stray triangle 1e5 away",
     "sheets",
     {16'000, 64'000},
     [](Size n) { return close_pairs(with_strays(close_sheets(n)), n); },
     [](Size n) { return close_pairs(close_sheets(n), n); }},
    {"self pairs",
     "box 1000 x 1 x 1 in strips",
     "sheet",
     {16'000, 64'000},
     [](Size n) { return self_pairs(askew(test::strip_box({1000, 1, 1}, n / 16))); },
     [](Size n) { return self_pairs(scan(n)); }},
    {"self pairs",
     "box 1 x 1 x 1 in strips",
     "sheet",
     {16'000, 64'000},
     [](Size n) { return self_pairs(askew(test::strip_box({1, 1, 1}, n / 16))); },
     [](Size n) { return self_pairs(scan(n)); }},
    {"self pairs",
     "cone",
     "sheet",
     {16'000, 64'000},
     [](Size n) { return self_pairs(askew(make_cone(1, 2, slices(n / 2)))); },
     [](Size n) { return self_pairs(scan(n)); }},
    {"self pairs",
     "stray triangle 1e5 away",
     "sheet",
     {16'000, 64'000},
     [](Size n) { return self_pairs(test::with_stray_triangle(scan(n), 1e5)); },
     [](Size n) { return self_pairs(scan(n)); }},
    {"self pairs",
     "shuffled and stray in a fast tree",
     "shuffled sheet",
     {16'000, 64'000},
     [](Size n) { return self_pairs(stray_scan(n), TreeQuality::kFast); },
     [](Size n) { return self_pairs(test::shuffled(scan(n), 3), TreeQuality::kFast); }},
    {"self pairs",
     "flat sheet",
     "sheet",
     {16'000, 64'000},
     [](Size n) { return self_pairs(flat_sheet(n)); },
     [](Size n) { return self_pairs(scan(n)); }},
    {"self pairs",
     "rolled sheet",
     "sheet",
     {16'000, 64'000},
     [](Size n) { return self_pairs(test::rolled_sheet(side(n))); },
     [](Size n) { return self_pairs(scan(n)); }},
    {"pairs",
     "crossing cones",
     "crossing balls",
     {16'000, 64'000},
     [](Size n) { return pairs(test::crossing_cones(slices(n / 4))); },
     [](Size n) { return pairs(crossing_balls(n)); },
     CliffItem::kFound},
    {"pairs",
     "crossing cylinders",
     "crossing balls",
     {16'000, 64'000},
     [](Size n) { return pairs(test::crossing_cylinders(slices(n / 8))); },
     [](Size n) { return pairs(crossing_balls(n)); },
     CliffItem::kFound},
    {"pairs",
     "shuffled and stray in a fast tree",
     "shuffled sheets",
     {16'000, 64'000},
     [](Size n) { return pairs(crossing(stray_scan(n / 2)), TreeQuality::kFast); },
     [](Size n) { return pairs(crossing(test::shuffled(scan(n / 2), 3)), TreeQuality::kFast); },
     CliffItem::kFound},
    {"overlap",
     "identical copies",
     "copies turned by 0.01",
     {16'000, 64'000},
     [](Size n) { return overlap(copies(n, 0)); },
     [](Size n) { return overlap(copies(n, 0.01)); }},
    {"overlap",
     "boxes that stand on each other",
     "wavy boxes",
     {48'000, 192'000},
     [](Size n) { return overlap(stacked(meshed_box(n / 2), n)); },
     [](Size n) { return overlap(stacked(wavy_box(n / 2), n)); },
     CliffItem::kQuestion},
    {"overlap",
     "boxes that stand on each other",
     "rough boxes",
     {48'000, 192'000},
     [](Size n) { return overlap(stacked(meshed_box(n / 2), n)); },
     [](Size n) { return overlap(stacked(rough_box(n / 2), n)); },
     CliffItem::kQuestion},
    {"overlap",
     "askew boxes that stand on each other",
     "askew rough boxes",
     {48'000, 192'000},
     [](Size n) { return overlap(askew(stacked(meshed_box(n / 2), n))); },
     [](Size n) { return overlap(askew(stacked(rough_box(n / 2), n))); },
     CliffItem::kQuestion},
    {"overlap",
     "askew boxes, one turned in the plane",
     "askew rough boxes",
     {48'000, 192'000},
     [](Size n) { return overlap(askew(stacked(meshed_box(n / 2), n, 0.3))); },
     [](Size n) { return overlap(askew(stacked(rough_box(n / 2), n))); },
     CliffItem::kQuestion},
    {"overlap",
     "askew boxes in strips on each other",
     "askew rough boxes",
     {16'000, 64'000},
     [](Size n) { return overlap(askew(stacked_strips(n))); },
     [](Size n) { return overlap(askew(stacked(rough_box(n / 2), n))); },
     CliffItem::kQuestion},
    {"overlap",
     "crossing cylinders",
     "crossing balls",
     {16'000, 64'000},
     [](Size n) { return overlap(test::crossing_cylinders(slices(n / 8))); },
     [](Size n) { return overlap(crossing_balls(n)); },
     CliffItem::kFound},
    {"overlap",
     "crossing cones",
     "crossing balls",
     {16'000, 64'000},
     [](Size n) { return overlap(test::crossing_cones(slices(n / 4))); },
     [](Size n) { return overlap(crossing_balls(n)); },
     CliffItem::kFound},
    {"nearest",
     "shuffled and stray in a fast tree",
     "shuffled sheet",
     {16'000, 64'000},
     [](Size n) { return probed(stray_scan(n), ProbeQuestion::kNearest, TreeQuality::kFast); },
     [](Size n) {
       return probed(test::shuffled(scan(n), 3), ProbeQuestion::kNearest, TreeQuality::kFast);
     },
     CliffItem::kQuestion},
    {"nearest",
     "column of thin rings",
     "ball",
     {16'000, 64'000},
     [](Size n) { return probed(column(n), ProbeQuestion::kNearest); },
     [](Size n) { return probed(ball(n), ProbeQuestion::kNearest); },
     CliffItem::kQuestion},
    {"winding",
     "column of thin rings",
     "ball",
     {16'000, 64'000},
     [](Size n) { return probed(column(n), ProbeQuestion::kWinding); },
     [](Size n) { return probed(ball(n), ProbeQuestion::kWinding); },
     CliffItem::kQuestion},
    {"rays",
     "column of thin rings",
     "ball",
     {16'000, 64'000},
     [](Size n) { return probed(column(n), ProbeQuestion::kRay); },
     [](Size n) { return probed(ball(n), ProbeQuestion::kRay); },
     CliffItem::kQuestion},
    {"rays",
     "in a meshed face",
     "ball",
     {16'000, 64'000},
     [](Size n) { return probed(meshed_box(n), ProbeQuestion::kRayInFace); },
     [](Size n) { return probed(ball(n), ProbeQuestion::kRay); },
     CliffItem::kQuestion},
    {"rays",
     "along edges of a cone",
     "ball",
     {16'000, 64'000},
     [](Size n) { return probed(make_cone(1, 2, slices(n / 2)), ProbeQuestion::kRayAlongEdge); },
     [](Size n) { return probed(ball(n), ProbeQuestion::kRay); },
     CliffItem::kQuestion},
    {"examine",
     "coplanar triangles and their backs",
     "ball",
     {200, 800},
     [](Size n) { return health(test::doubled_sheet(n / 2, 7)); },
     [](Size n) { return health(ball(n)); }},
    {"examine",
     "askew touching cubes",
     "ball",
     {6'144, 49'152},
     [](Size n) { return health(askew(test::touching_cubes(n > 10'000 ? 16 : 8))); },
     [](Size n) { return health(ball(n)); }},
    {"examine",
     "askew strips with pairs",
     "ball",
     {16'000, 64'000},
     [](Size n) { return health(askew(test::strip_box({1000, 1, 1}, n / 16)), true); },
     [](Size n) { return health(ball(n), true); }},
    {"mass",
     "coplanar triangles and their backs",
     "ball",
     {16'000, 64'000},
     [](Size n) { return mass(askew(test::doubled_sheet(n / 2, 7))); },
     [](Size n) { return mass(ball(n)); }},
    {"mass",
     "plate of 1e-13",
     "ball",
     {16'000, 64'000},
     [](Size n) { return mass(askew(test::grid_box({1, 1, 1e-13}, side(n / 2), side(n / 2), 1))); },
     [](Size n) { return mass(ball(n)); }},
    {"equilibria",
     "cylinder",
     "ball",
     {500, 2'000},
     [](Size n) { return equilibria(make_cylinder(1, 2, slices(n / 4))); },
     [](Size n) { return equilibria(ball(n)); }},
    {"tracker",
     "ball beside a box of 100 m",
     "ball",
     {16'000, 64'000},
     [](Size n) { return tracked(ball_and_box(n)); },
     [](Size n) { return tracked(ball(n)); },
     CliffItem::kQuestion},
    {"submerge",
     "water in a meshed face",
     "just below",
     {48'000, 192'000},
     [](Size n) { return under_water(askew(meshed_box(n)), water_at(0.5)); },
     [](Size n) { return under_water(askew(meshed_box(n)), water_at(0.4999)); },
     CliffItem::kQuestion},
    {"many bodies",
     "askew rods 0.1 apart",
     "cubes",
     {12'288, 48'000},
     [](Size n) { return many_bodies(test::thin_rod(), side(n / 6), 0.1); },
     [](Size n) { return many_bodies(make_box({0.09, 0.09, 0.09}), side(n / 6), 0.1); }},
    {"scanline",
     "balls 0.3 apart within 0.3",
     "balls that touch",
     {2'000, 8'000},
     [](Size n) { return scanline(balls_apart(n, 0.3), 0.3); },
     [](Size n) { return scanline(balls_apart(n, -0.1), 0); }},
};

}  // namespace

std::span<const CliffRow> cliff_rows() { return kRows; }

}  // namespace plimsoll::bench
