// Two and more bodies on which a query's time can grow faster than the meshes; hard_bodies.h has
// single ones.
#pragma once

#include <plimsoll/types.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "support/hard_bodies.h"
#include "support/mesh_parts.h"

namespace plimsoll::test {

inline Similarity shift(const Vec3& by) {
  Similarity pose = Similarity::Identity();
  pose.translation() = by;
  return pose;
}

inline Similarity turn(const Vec3& axis, double angle) {
  Similarity pose = Similarity::Identity();
  pose.linear() = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  return pose;
}

/// A disc of radius 1 about the origin at z = 0 but for a slit: n slivers around one vertex.
inline TriangleMesh fan(std::uint32_t n) {
  TriangleMesh mesh;
  mesh.vertices.push_back(Vec3::Zero());
  for (std::uint32_t k = 0; k <= n; ++k) {
    const double angle = 6.2 * k / n;
    mesh.vertices.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  for (std::uint32_t k = 1; k <= n; ++k) mesh.triangles.push_back({0, k, k + 1});
  return mesh;
}

/// A sheet of m x m cells rolled to half a cylinder of radius 1 / pi about the x axis: cells of a
/// row along it are coplanar.
inline TriangleMesh rolled_sheet(std::uint32_t m) {
  constexpr double kPi = std::numbers::pi;
  return sheet_of(m, m, [](double x, double y) {
    return Vec3(x, -std::cos(kPi * y) / kPi, std::sin(kPi * y) / kPi);
  });
}

struct TwoBodies {
  TriangleMesh a, b;
};

inline TwoBodies askew(TwoBodies two) { return {askew(std::move(two.a)), askew(std::move(two.b))}; }

/// Rods of length 100 and of 4 `slices` slivers each that cross, 1 apart.
inline TwoBodies crossing_rods(int slices) {
  const TriangleMesh rod = make_cylinder(1, 100, slices);
  return askew({rod, moved(moved(rod, turn(Vec3::UnitY(), 0.5)), shift({0, 3, 10}))});
}

/// n strips of 100 x 100 over as many that run across them, 1/64 apart.
inline TwoBodies crossing_strips(std::uint32_t n) {
  TriangleMesh b = strips(n, 100);
  for (Vec3& v : b.vertices) v = Vec3(v.y(), v.x(), 0x1p-6);
  return askew({strips(n, 100), std::move(b)});
}

/// Fans of n slivers, the centers not above each other, 0.3 apart.
inline TwoBodies stacked_fans(std::uint32_t n) {
  return askew({fan(n), moved(fan(n), shift({0.1, 0.05, 0.3}))});
}

/// A cone of half the size in a cone on one axis, the sides of which run along each other.
inline TwoBodies nested_cones(int slices) {
  return askew({make_cone(1, 2, slices), moved(make_cone(0.5, 1, slices), shift({0, 0, 0.5}))});
}

/// Two cones that pass through each other, tips beside tips.
inline TwoBodies crossing_cones(int slices) {
  const TriangleMesh cone = askew(make_cone(1, 2, slices));
  return {cone, moved(cone, shift({0.6, 0.2, 0.1}))};
}

/// Two cylinders of radius 1 and length 6 that pass through each other at the middle.
inline TwoBodies crossing_cylinders(int slices) {
  const TriangleMesh one = make_cylinder(1, 6, slices);
  return askew({one, moved(one, turn(Vec3::UnitX(), 1.5))});
}

/// Wavy sheets of m x m cells that run along each other, each with a triangle 1e5 away.
inline TwoBodies stray_sheets(std::uint32_t m) {
  const TriangleMesh sheet = with_stray_triangle(wavy_sheet(m), 1e5);
  return {sheet, moved(sheet, shift({0.3, 0.1, 0.4}))};
}

/// A rod of 1000 x 0.01 x 0.01, askew.
inline TriangleMesh thin_rod() { return askew(make_box({1000, 0.01, 0.01})); }
/// Where the i-th of n x n thin rods side by side is, `step` from the next.
inline Similarity place_of_rod(std::uint32_t i, std::uint32_t n, double step) {
  return shift(turn({1, 2, 3}, 0.7) * Vec3(0, step * (i % n), step * (i / n)));
}

}  // namespace plimsoll::test
