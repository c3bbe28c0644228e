// Questions about the surfaces of two bodies: which triangles touch or are near, how far apart they
// are, whether one lies in the other, what culling leaves. What is exact is compared with whole
// numbers.
#pragma once

#include <plimsoll/body_pairs.h>
#include <plimsoll/culling.h>
#include <plimsoll/distance.h>
#include <plimsoll/pairs.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "check_answer.h"
#include "support/exact_meeting.h"
#include "tiny_bodies.h"
#include "tiny_meshes.h"

namespace plimsoll::fuzz {

// ---- which triangles touch

/// Whether triangles have a point in common, by whole numbers, as long as these take little time.
class ExactMeeting {
 public:
  [[nodiscard]] std::optional<bool> operator()(const Corners& t, const Corners& u) {
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax({t[0][k], t[1][k], t[2][k]});
      const auto [lower, higher] = std::minmax({u[0][k], u[1][k], u[2][k]});
      if (high < lower || higher < low) return false;
    }
    Magnitudes both;
    for (const Corners* corners : {&t, &u}) both.add_all({corners, 1});
    // Where nothing underflows, rounding tells most apart.
    if (both.are_usual() && test::are_clearly_apart(t, u)) return false;
    const double digits = both.digits();
    left_ -= digits * digits;
    if (left_ < 0) return std::nullopt;
    return !test::common_polygon(t, u, test::binary_digits(t, u)).empty();
  }

 private:
  double left_ = 5e6;  // squares of digits
};

inline void check_self_pairs(PairSearch& search, const Body& body, ExactMeeting& meets) {
  const auto found = search.self_pairs(body.tree, body.pose, kWork);
  if (!is_taken(found, body.terms, body.reach)) return;
  const Pairs pairs(found->begin(), found->end());
  check_ascending(pairs, body.count(), body.count());
  if (!body.is_placed || body.own.are_rounded()) return;
  const auto share_a_vertex = [&](std::uint32_t i, std::uint32_t j) {
    const Triangle &t = body.mesh.triangles[i], &u = body.mesh.triangles[j];
    return std::find_first_of(t.begin(), t.end(), u.begin(), u.end()) != t.end();
  };
  for (std::uint32_t i = 0; i < body.count(); ++i)
    for (std::uint32_t j = i + 1; j < body.count(); ++j) {
      const std::optional<bool> meet =
          share_a_vertex(i, j) ? std::optional(false) : meets(body.corners[i], body.corners[j]);
      if (meet) require(*meet == holds(pairs, {i, j}), "another touch of a mesh with itself");
    }
}

/// The pairs that touch; nothing where that was refused.
inline std::optional<Pairs> check_pairs(const TwoBodies& two) {
  const auto& [a, b] = std::tie(two.a, two.b);
  PairSearch search;
  const auto found = search.pairs(a.tree, a.pose, b.tree, b.pose, kWork);
  if (!two.is_taken(found)) return std::nullopt;
  const Pairs pairs(found->begin(), found->end());
  check_ascending(pairs, a.count(), b.count());
  const auto back = search.pairs(b.tree, b.pose, a.tree, a.pose, kWork);
  if (two.is_taken(back))
    require(turned_round(Pairs(back->begin(), back->end())) == pairs,
            "other pairs from the other side");
  const auto one = search.touch(a.tree, a.pose, b.tree, b.pose, kWork);
  if (two.is_taken(one)) {
    require(one->has_value() == !pairs.empty(), "a touch without pairs, or none with some");
    require(!*one || holds(pairs, **one), "a touch that is none of the pairs");
  }
  ExactMeeting meets;
  if (two.are_exact())
    for (std::uint32_t i = 0; i < a.count(); ++i)
      for (std::uint32_t j = 0; j < b.count(); ++j)
        if (const std::optional<bool> meet = meets(a.corners[i], b.corners[j]))
          require(*meet == holds(pairs, {i, j}),
                  "triangles that touch, or do not, by whole numbers");
  check_self_pairs(search, a, meets);

  BodyPairSearch bodies;
  const Result<BodyId> first = bodies.add(a.tree, a.pose), second = bodies.add(b.tree, b.pose);
  if (two.is_taken(first) && two.is_taken(second)) {
    const auto touching = bodies.touching(kWork);
    if (two.is_taken(touching))
      require(touching->size() == (pairs.empty() ? 0 : 1), "bodies that touch without triangles");
  }
  return pairs;
}

// ---- which are near

/// Whole numbers of thousands of digits take a while, and near pairs have no limit that is low.
inline bool are_soon_compared(const TwoBodies& two) {
  Magnitudes both = two.a.all;
  both.add_all(two.b.corners);
  const double digits = both.digits();
  return static_cast<double>(two.a.count() * two.b.count()) * digits * digits < 5e7;
}

/// The pairs that are closer than a distance; nothing where that was refused.
inline std::optional<Pairs> check_near(const TwoBodies& two, const std::optional<Pairs>& touching,
                                       double distance) {
  const auto& [a, b] = std::tie(two.a, two.b);
  if (!are_soon_compared(two)) return std::nullopt;
  NearPairSearch search;
  const auto found = search.pairs(a.distance, a.pose, b.distance, b.pose, distance, kWork);
  if (!(distance > 0)) {
    require(!is_answered(found), "pairs closer than 0");
    return std::nullopt;
  }
  if (!two.is_taken(found)) return std::nullopt;
  const Pairs near(found->begin(), found->end());
  check_ascending(near, a.count(), b.count());
  if (touching) require(holds_all(near, *touching), "a pair that touches and is not near");
  const auto back = search.pairs(b.distance, b.pose, a.distance, a.pose, distance, kWork);
  if (two.is_taken(back))
    require(turned_round(Pairs(back->begin(), back->end())) == near,
            "other near pairs from the other side");
  if (two.is_rounded || !two.are_exact()) return near;
  for (std::uint32_t i = 0; i < a.count(); ++i)
    for (std::uint32_t j = 0; j < b.count(); ++j) {
      const Corners &t = a.corners[i], &u = b.corners[j];
      if (holds(near, {i, j}))
        require(is_at_most(box_gap(t, u), with_room(distance)), "a near pair that is far apart");
      else
        require(is_at_most(distance, with_room(corner_distance(t, u))),
                "a pair whose corners are near that is not");
    }
  return near;
}

// ---- how far apart

inline void check_distance(const TwoBodies& two, const SurfaceDistance& found) {
  check_bounds(found.lower, found.distance, found.upper);
  const bool crosses = found.meeting == SurfaceMeeting::kCrosses;
  if (found.meeting != SurfaceMeeting::kApart)
    require(found.upper == 0, "a distance of what has a point in common");
  require(found.nearest.has_value() == !crosses, "nearest points where surfaces cross, or none");
  if (found.nearest)
    require(found.nearest->on_a.triangle < two.a.count() &&
                found.nearest->on_b.triangle < two.b.count(),
            "a triangle that the mesh has not");
  if (two.is_rounded || !two.are_exact()) return;
  KnownDistance known;
  for (const Corners& t : two.a.corners)
    for (const Corners& u : two.b.corners) known.add(t, u);
  known.check(found.lower, found.upper);
}

/// Whether both may be right.
inline void check_same(const SurfaceDistance& one, const SurfaceDistance& other) {
  require(one.meeting == other.meeting, "surfaces that meet one way only");
  require(one.lower <= other.upper && other.lower <= one.upper, "bounds that exclude each other");
}

inline std::optional<SurfaceDistance> find_distance(DistanceSearch& search, const TwoBodies& two,
                                                    DistanceLimits limits = {}) {
  limits.max_work = kWork;
  const auto& [a, b] = std::tie(two.a, two.b);
  Result<SurfaceDistance> found = search.find(a.distance, a.pose, b.distance, b.pose, limits);
  if (!two.is_taken(found)) return std::nullopt;
  return two.are_placed() ? std::optional(*std::move(found)) : std::nullopt;
}

/// Only what is as far away as was asked, or nearer.
inline void check_farthest(DistanceSearch& search, const TwoBodies& two,
                           const SurfaceDistance& found) {
  constexpr double kNormal = std::numeric_limits<double>::min();
  if (found.meeting != SurfaceMeeting::kApart || !(found.distance >= kNormal) || two.is_rounded)
    return;
  // The distance may be more than the one that was found, by more than rounding where numbers are
  // unusual.
  const double reach = two.is_usual ? found.distance : found.upper;
  if (const auto just = find_distance(search, two, {.farthest = reach}))
    require(just->nearest.has_value(), "nothing at the distance that was found");
  const double near = found.distance / 2;
  if (!(with_room(near) < found.lower)) return;
  if (const auto none = find_distance(search, two, {.farthest = near}))
    require(!none->nearest && none->distance == kInfinite && none->lower <= with_room(near),
            "something nearer than the nearest");
}

inline std::optional<SurfaceDistance> check_distances(const TwoBodies& two,
                                                      const std::optional<Pairs>& touching) {
  DistanceSearch search;
  const std::optional<SurfaceDistance> found = find_distance(search, two);
  if (!found) return std::nullopt;
  check_distance(two, *found);
  if (touching)
    require((found->meeting == SurfaceMeeting::kApart) == touching->empty(),
            "surfaces that meet without triangles, or are apart with some");
  if (const auto back = find_distance(search, two.swapped())) {
    check_distance(two.swapped(), *back);
    check_same(*found, *back);
  }
  if (const auto again = find_distance(search, two, {.last = &*found})) check_same(*found, *again);
  if (const auto rough = find_distance(search, two, {.tolerance = 0.1})) check_same(*found, *rough);
  check_farthest(search, two, *found);
  return found;
}

/// Of closed surfaces that are apart.
inline std::optional<Containment> check_containment(
    const TwoBodies& two, const std::optional<SurfaceDistance>& distance) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const Result<Containment> found = containment(a.distance, a.pose, b.distance, b.pose);
  if (!two.is_taken(found)) return std::nullopt;
  const bool means_something =
      distance && distance->meeting == SurfaceMeeting::kApart && two.are_closed();
  if (!means_something) return std::nullopt;
  const Result<Containment> back = containment(b.distance, b.pose, a.distance, a.pose);
  if (!two.is_taken(back)) return std::nullopt;
  const auto other = [](Containment of) {
    if (of == Containment::kAInB) return Containment::kBInA;
    return of == Containment::kBInA ? Containment::kAInB : of;
  };
  require(other(*back) == *found, "another body inside from the other side");
  if (!two.are_exact()) return *found;
  const Box3 of_a = box_of(a.corners), of_b = box_of(b.corners);
  if (*found == Containment::kAInB) require(of_b.contains(of_a), "a body inside a smaller box");
  if (*found == Containment::kBInA) require(of_a.contains(of_b), "a body inside a smaller box");
  return *found;
}

// ---- culled by visibility

inline void check_culling(const TwoBodies& two, const std::optional<Pairs>& touching,
                          const std::optional<Pairs>& near, double distance, Bytes& bytes) {
  const std::uint8_t choice = bytes.byte();
  const bool asks_for_near = choice % 4 == 0 && near && std::isfinite(distance);
  CullOptions options;
  options.resolution = CullOptions::kMinResolution + choice / 4 % 32;
  options.part_triangles = 1 + choice % 3;
  options.within = asks_for_near ? distance : 0;
  options.refines_triangles = bytes.below(2) == 0;
  options.remembers_passes = bytes.below(2) == 0;
  options.from_both_ends = bytes.below(2) == 0;
  options.most_rounds = 8;
  options.keeps_views = bytes.below(2) == 0;
  options.max_pixels = 2e6;
  const std::array<CullBody, 2> bodies{{{two.a.checked, two.a.pose}, {two.b.checked, two.b.pose}}};
  const Result<Culling> left = cull_by_scanline(bodies, options);
  if (!two.is_taken(left)) return;
  require(left->surviving.size() == 2, "a wrong count");
  const Result<std::vector<CulledPairs>> found = culled_pairs(bodies, *left, kWork);
  if (!two.is_taken(found)) return;
  require(found->size() <= 1, "pairs of more bodies than there are");
  const Pairs pairs = found->empty() ? Pairs{} : found->front().pairs;
  check_ascending(pairs, two.a.count(), two.b.count());
  const std::optional<Pairs>& expected = asks_for_near ? near : touching;
  if (expected && two.are_exact())
    require(pairs == *expected, "other pairs than those that were searched for");
}

}  // namespace plimsoll::fuzz
