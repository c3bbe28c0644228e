// Tiny bodies and what is known of them by other means: lengths of any exponents, bounds of a
// distance, whether coordinates are taken, refused or rounded.
#pragma once

#include <plimsoll/distance.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/pairs.h>
#include <plimsoll/shape.h>
#include <plimsoll/solid_tree.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "check_answer.h"

namespace plimsoll::fuzz {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
inline constexpr double kLeast = std::numeric_limits<double>::denorm_min();
inline constexpr double kWork = 1e5;       // of a search [us]
inline constexpr double kLargest = 1e300;  // coordinate that most searches take

using Corners = std::array<Vec3, 3>;
using Pairs = std::vector<TrianglePair>;

// ---- lengths of any exponents

inline double length(const Vec3& v) {
  const double largest = v.cwiseAbs().maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) return largest;
  const int exponent = std::ilogb(largest);
  const Vec3 scaled = v.unaryExpr([&](double x) { return std::ldexp(x, -exponent); });
  return std::ldexp(scaled.norm(), exponent);
}

/// A little more, for what lengths are rounded.
inline double with_room(double length) { return length * (1 + 0x1p-40) + 4 * kLeast; }

/// Not farther from each other than that, as far as all are numbers.
inline bool is_near(double x, double y, double room) {
  return x == y || is_at_most(std::fabs(x - y), room);
}

/// No two points of the triangles are nearer.
inline double box_gap(std::span<const Vec3> t, std::span<const Vec3> u) {
  Box3 of_t, of_u;
  for (const Vec3& p : t) of_t.extend(p);
  for (const Vec3& p : u) of_u.extend(p);
  return length((of_t.min() - of_u.max()).cwiseMax(of_u.min() - of_t.max()).cwiseMax(Vec3::Zero()));
}

inline double corner_distance(std::span<const Vec3> t, std::span<const Vec3> u) {
  double least = kInfinite;
  for (const Vec3& p : t)
    for (const Vec3& q : u) least = std::min(least, length(p - q));
  return least;
}

inline Box3 box_of(std::span<const Corners> triangles) {
  Box3 box;
  for (const Corners& corners : triangles)
    for (const Vec3& p : corners) box.extend(p);
  return box;
}

/// The least and the largest number but 0, of those that are finite.
class Magnitudes {
 public:
  void add(const Vec3& p) {
    for (const double x : p) {
      if (x == 0 || !std::isfinite(x)) continue;
      least_ = std::min(least_, std::fabs(x));
      largest_ = std::max(largest_, std::fabs(x));
    }
  }
  void add_all(std::span<const Corners> triangles) {
    for (const Corners& corners : triangles)
      for (const Vec3& p : corners) add(p);
  }
  /// Whether the least are rounded beside the largest (pairs.h).
  [[nodiscard]] bool are_rounded() const {
    return largest_ > 0x1p99 && least_ < 0x1p-1020 * largest_;
  }
  /// Binary digits of whole numbers that all are.
  [[nodiscard]] int digits() const {
    return largest_ > 0 ? std::ilogb(largest_) - std::ilogb(least_) + 54 : 0;
  }
  /// Whether products of some of them are usual numbers.
  [[nodiscard]] bool are_usual() const {
    return largest_ < 0x1p150 && (largest_ == 0 || least_ > 0x1p-150);
  }

 private:
  double least_ = kInfinite, largest_ = 0;
};

// ---- bodies

struct Body {
  Body(TriangleMesh given, const Similarity& placed_by, TreeQuality quality)
      : mesh(std::move(given)),
        pose(placed_by),
        checked(*CheckedMesh::from_triangles(mesh)),
        is_closed(ClosedMesh::from_triangles(mesh).has_value()),
        tree(checked, quality),
        distance(tree),
        solid(tree),
        placed(posed(mesh, pose)),
        health(examine(checked, kHealth)) {
    for (const Triangle& t : mesh.triangles) {
      Corners& corner = corners.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& v = mesh.vertices[t[k]];
        own.add(v);
        corner[k] = placed.vertices[t[k]];
        terms = std::max(
            terms,
            (pose.linear().cwiseAbs() * v.cwiseAbs() + pose.translation().cwiseAbs()).maxCoeff());
        // What is no number counts as infinite.
        const double largest = corner[k].cwiseAbs().maxCoeff();
        reach =
            std::isfinite(largest) && !corner[k].hasNaN() ? std::max(reach, largest) : kInfinite;
      }
    }
    all = own;
    all.add_all(corners);
    is_placed = check_mesh(placed).has_value() && std::isfinite(reach);
    if (!is_placed) return;
    const CheckedMesh there = *CheckedMesh::from_triangles(placed);
    is_sound = is_closed && plimsoll::is_sound(health.status) &&
               plimsoll::is_sound(examine(there, kHealth).status);
    mass = mass_properties(there);
  }

  [[nodiscard]] std::size_t count() const { return mesh.triangles.size(); }

  static constexpr HealthOptions kHealth{.check_self_intersections = true, .max_looks = 5000};

  TriangleMesh mesh;
  Similarity pose;  ///< world_from_mesh
  CheckedMesh checked;
  bool is_closed;
  MeshTree tree;
  DistanceTree distance;
  SolidTree solid;
  TriangleMesh placed;                ///< In the world.
  MeshHealth health;                  ///< Of the mesh as it was given.
  std::vector<Corners> corners = {};  ///< Of the triangles, in the world.
  Magnitudes own = {}, all = {};      ///< As given; and in the world too.
  double terms = 0;                   ///< The most that coordinates in the world are sums of.
  double reach = 0;                   ///< The largest of them.
  bool is_placed = false;             ///< All of them are numbers.
  bool is_sound = false;              ///< It bounds a solid, as given and in the world.
  MassProperties mass = {};           ///< In the world, where it is placed.
};

/// Whether it is answered: refused where a coordinate may be beyond 1e300, and nowhere else but at
/// limits of work.
template <class T>
inline bool is_taken(const Result<T>& answer, double terms, double reach) {
  if (is_answered(answer)) {
    require(reach <= kLargest * (1 + 1e-9), "coordinates beyond 1e300 were taken");
    return true;
  }
  const ErrorCode code = answer.error().code;
  require(code == ErrorCode::kResourceLimit ||
              (code == ErrorCode::kInvalidArgument && terms > kLargest / 10),
          "refused without need");
  return false;
}

struct TwoBodies {
  TwoBodies(const Body& first, const Body& second) : a(first), b(second) {
    Magnitudes both = a.all;
    both.add_all(b.corners);
    is_rounded = both.are_rounded();
    is_usual = a.all.are_usual() && b.all.are_usual();
  }
  [[nodiscard]] TwoBodies swapped() const { return {b, a}; }

  template <class T>
  [[nodiscard]] bool is_taken(const Result<T>& answer) const {
    return fuzz::is_taken(answer, std::max(a.terms, b.terms), std::max(a.reach, b.reach));
  }
  [[nodiscard]] bool are_placed() const { return a.is_placed && b.is_placed; }
  [[nodiscard]] bool are_closed() const { return a.is_closed && b.is_closed; }
  [[nodiscard]] bool are_sound() const { return a.is_sound && b.is_sound; }
  /// Whether what the trees hold is what was given.
  [[nodiscard]] bool are_exact() const {
    return are_placed() && !a.own.are_rounded() && !b.own.are_rounded();
  }

  const Body &a, &b;
  bool is_rounded = false;
  bool is_usual = false;
};

inline void check_ascending(const Pairs& pairs, std::size_t count_a, std::size_t count_b) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    require(pairs[i].a < count_a && pairs[i].b < count_b, "a triangle that the mesh has not");
    require(i == 0 || pairs[i - 1] < pairs[i], "pairs that do not ascend");
  }
}

inline bool holds(const Pairs& pairs, const TrianglePair& pair) {
  return std::binary_search(pairs.begin(), pairs.end(), pair);
}
inline bool holds_all(const Pairs& pairs, const Pairs& some) {
  return std::includes(pairs.begin(), pairs.end(), some.begin(), some.end());
}

inline Pairs turned_round(Pairs pairs) {
  for (TrianglePair& pair : pairs) std::swap(pair.a, pair.b);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Bounds of a distance that hold for any surfaces.
struct KnownDistance {
  double least = kInfinite, most = kInfinite;

  void add(std::span<const Vec3> t, std::span<const Vec3> u) {
    least = std::min(least, box_gap(t, u));
    most = std::min(most, corner_distance(t, u));
  }
  void check(double lower, double upper) const {
    require(is_at_most(lower, with_room(most)), "a lower bound beyond two corners");
    require(is_at_most(least, with_room(upper)), "an upper bound within the gap of boxes");
  }
};

inline void check_bounds(double lower, double distance, double upper) {
  require(0 <= lower && lower <= distance && distance <= upper, "bounds out of order");
}

}  // namespace plimsoll::fuzz
