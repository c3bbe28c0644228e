// Solids of known volume as patches: surfaces of revolution as NURBS, boxes with bulging sides.
#pragma once

#include <plimsoll/patches.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace plimsoll::test {

/// A quadratic arc's control point beside the axis z.
struct ProfilePoint {
  double radius, z, weight;
};

inline const double kHalfRoot = std::sqrt(0.5);

/// Turns a profile of quadratic arcs about z by a circle of four arcs [PieglTiller1997, sec. 8.5].
/// The profile rises on the outside: dS/du x dS/dv points outward.
inline NurbsSurface revolved(const std::vector<ProfilePoint>& profile) {
  NurbsSurface surface{2, 2, {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}, {0, 0}, {}};
  const std::size_t arcs = (profile.size() - 1) / 2;
  for (std::size_t i = 0; i <= arcs; ++i)
    surface.knots_v.insert(surface.knots_v.end(), 2, static_cast<double>(i));
  surface.knots_v.erase(surface.knots_v.begin());
  surface.knots_v.push_back(static_cast<double>(arcs));
  constexpr std::array<std::array<double, 2>, 9> kSquare{
      {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}}};
  for (std::size_t i = 0; i < kSquare.size(); ++i)
    for (const ProfilePoint& p : profile)
      surface.points.push_back({p.radius * kSquare[i][0], p.radius * kSquare[i][1], p.z,
                                p.weight * (i % 2 == 0 ? 1 : kHalfRoot)});
  return surface;
}

inline NurbsSurface nurbs_sphere(double r) {
  return revolved({{0, -r, 1}, {r, -r, kHalfRoot}, {r, 0, 1}, {r, r, kHalfRoot}, {0, r, 1}});
}

inline NurbsSurface nurbs_torus(double major, double minor) {
  const double in = major - minor, out = major + minor;
  return revolved({{in, 0, 1},
                   {in, -minor, kHalfRoot},
                   {major, -minor, 1},
                   {out, -minor, kHalfRoot},
                   {out, 0, 1},
                   {out, minor, kHalfRoot},
                   {major, minor, 1},
                   {in, minor, kHalfRoot},
                   {in, 0, 1}});
}

/// Centered; ends, side and ends are straight quadratic arcs.
inline NurbsSurface nurbs_cylinder(double r, double height) {
  const double top = height / 2;
  return revolved({{0, -top, 1},
                   {r / 2, -top, 1},
                   {r, -top, 1},
                   {r, 0, 1},
                   {r, top, 1},
                   {r / 2, top, 1},
                   {0, top, 1}});
}

/// A patch of degree n in both directions whose points run evenly from `corner` along `u` and `v`,
/// the inner ones moved by `bulge`.
inline BezierPatch parallelogram(int degree, const Vec3& corner, const Vec3& u, const Vec3& v,
                                 const Vec3& bulge = Vec3::Zero()) {
  BezierPatch patch{degree, degree, {}};
  for (int i = 0; i <= degree; ++i) {
    for (int j = 0; j <= degree; ++j) {
      const bool inside = i > 0 && j > 0 && i < degree && j < degree;
      const Vec3 p = corner + i * u / degree + j * v / degree + (inside ? bulge : Vec3::Zero());
      patch.points.push_back({p.x(), p.y(), p.z(), 1});
    }
  }
  return patch;
}

/// The box from 0 to `size`, all sides of one degree, the inner points of the top raised by
/// `bulge`.
inline PatchSurface bulging_box(const Vec3& size, int degree, double bulge) {
  const Vec3 x{size.x(), 0, 0}, y{0, size.y(), 0}, z{0, 0, size.z()}, o = Vec3::Zero();
  return {{parallelogram(degree, o, y, x), parallelogram(degree, z, x, y, {0, 0, bulge}),
           parallelogram(degree, o, x, z), parallelogram(degree, y, z, x),
           parallelogram(degree, o, z, y), parallelogram(degree, x, y, z)}};
}

inline PatchSurface patches_of(const NurbsSurface& surface) { return to_bezier(surface).value(); }

}  // namespace plimsoll::test
