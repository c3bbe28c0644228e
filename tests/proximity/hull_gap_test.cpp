#include "proximity/hull_gap.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/random.h"
#include "pairs/posed_leaves.h"
#include "pairs/triangle_pair.h"
#include "proximity/hull_search.h"
#include "proximity/nearest_triangles.h"
#include "proximity/part_pairs.h"
#include "proximity/part_reach.h"
#include "proximity/search_work.h"
#include "proximity/triangle_distance.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/hard_bodies.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

/// Two bodies and the gaps of their parts.
struct Bodies {
  Bodies(const TriangleMesh& a, const Similarity& a_pose, const TriangleMesh& b,
         const Similarity& b_pose)
      : tree{make_triangle_tree(a, TreeQuality::kTight),
             make_triangle_tree(b, TreeQuality::kTight)},
        boxes{oriented_boxes(tree[0]), oriented_boxes(tree[1])},
        bodies({&tree[0], a_pose}, boxes[0], {&tree[1], b_pose}, boxes[1]),
        triangles(bodies, leaves) {
    gaps.start(bodies, triangles);
  }
  explicit Bodies(const Bodies&) = delete;

  /// A part of a tree, at random.
  [[nodiscard]] Part any_part(Random& random, int side) const {
    const auto level = static_cast<unsigned>(random.below(tree[side].levels() + 2));
    if (level == 0) return {};
    if (level <= tree[side].levels())
      return {level, static_cast<std::uint32_t>(random.below(tree[side].width(level)))};
    const auto leaf = static_cast<std::uint32_t>(random.below(tree[side].leaf_count()));
    return {level, 4 * leaf + static_cast<std::uint32_t>(random.below(tree[side].size_of(leaf)))};
  }
  [[nodiscard]] std::vector<TripleCorners<double>> triangles_of(int side, const Part& part) {
    std::vector<TripleCorners<double>> found;
    const std::size_t levels = tree[side].levels();
    for (std::uint32_t leaf = 0; leaf < tree[side].leaf_count(); ++leaf)
      for (std::uint32_t t = 0; t < tree[side].size_of(leaf); ++t) {
        const bool is_below = part.level > levels
                                  ? part.number == 4 * leaf + t
                                  : leaf >> 3 * (levels - part.level) == part.number;
        if (is_below) found.push_back(triangles.triangle(side, {leaf, t}));
      }
    return found;
  }

  TriangleTree tree[2];
  std::vector<OrientedBoxes> boxes[2];
  PosedBodies bodies;
  PosedLeaves leaves[2];
  PosedTriangles triangles;
  HullGaps gaps;
};

TriangleMesh any_body(Random& random) {
  switch (random.below(5)) {
    case 0:
      return make_icosphere(1, 2);
    case 1:
      return make_cylinder(0.1, 20, 30);
    case 2:
      return test::strips(30, 3);
    case 3:
      return test::with_stray_triangle(test::wavy_sheet(6), 1e5);
    default:
      return make_box({1, 2, 3});
  }
}

/// How far corners of a's triangles reach back along a normal, or those of b ahead.
double least_along(const Triple<double>& normal, int side,
                   const std::vector<TripleCorners<double>>& triangles) {
  double least = HUGE_VAL;
  for (const auto& t : triangles)
    for (const auto& p : t) least = std::min(least, (side == 0 ? 1 : -1) * dot(normal, p));
  return least;
}

// The planes square to the normal bound both parts, whatever led to it; triangles are the oracle.
TEST_CASE("no triangles of two parts are nearer than the gap of their hulls") {
  Random random(1);
  int apart = 0, on_triangles = 0;
  for (int round = 0; round < test::campaign(60); ++round) {
    CAPTURE(round);
    Bodies two(any_body(random), test::random_similarity(random, 2, 1), any_body(random),
               test::random_similarity(random, 2, 1));
    for (int i = 0; i < 10; ++i) {
      const Part a = two.any_part(random, 0), b = two.any_part(random, 1);
      const HullGap found = two.gaps.find(a, b, {0, 0, 0}, HUGE_VAL);
      const auto of_a = two.triangles_of(0, a), of_b = two.triangles_of(1, b);
      if (of_a.size() * of_b.size() > 40000) continue;
      double least = HUGE_VAL, between = HUGE_VAL;
      for (const auto& t : of_a)
        for (const auto& u : of_b) {
          least = std::min(least, std::sqrt(nearest_points(t, u).squared));
          for (const auto& p : t)
            for (const auto& q : u) between = std::min(between, dot(found.normal, p - q));
        }
      CHECK(found.gap <= least * (1 + 1e-12) + 1e-13);
      if (found.gap > 0) {
        ++apart;
        CHECK(found.gap <= between + 1e-13 * two.bodies.extent);
        CHECK(found.apart >= found.gap);
        CHECK(found.apart <= found.gap * (1 + 1e-6) + 1e-9 * two.bodies.extent);
        if (found.is_on_triangle[0] && found.is_on_triangle[1]) {
          ++on_triangles;
          CHECK(least == test::approx(found.apart).epsilon(1e-6));
        }
        // The points that were found are `apart`, so that along the normal each is farther into
        // its own hull than the corner that is nearest the other by no more than apart - gap.
        for (const int side : {0, 1}) {
          if (!found.is_on_triangle[side]) continue;
          const auto leaf = two.triangles_of(
              side, {static_cast<unsigned>(two.tree[side].levels()), found.leaf[side]});
          const double from_part = least_along(found.normal, side, side == 0 ? of_a : of_b);
          CHECK(least_along(found.normal, side, leaf) <=
                from_part + (found.apart - found.gap) + 1e-13 * two.bodies.extent);
        }
      }
    }
  }
  CHECK(apart > 0);
  CHECK(on_triangles > 0);
}

/// Checks the normals of all pairs of parts that are opened first. Returns how many are apart.
template <class Real>
int check_normals(Bodies& two) {
  // Twice what room() grants for taking boxes over, as a normal may be sqrt(3) long.
  const double room = (std::is_same_v<Real, float> ? 0x1p-17 : 0x1p-46) * two.bodies.extent;
  PartPairs<Real> pairs;
  pairs.start(two.bodies);
  int apart = 0;
  std::vector<PartPair> waiting;
  const auto check = [&](const Family<Real>& family) {
    for (std::size_t k = 0; k < TriangleTree::kChildren; ++k) {
      if ((family.near >> k & 1U) == 0) continue;
      const PartPair pair = family.first.sibling(family.side, k);
      if (!pairs.are_leaves(pair)) waiting.push_back(pair);
      if (!(family.gap[k] > 0)) continue;
      ++apart;
      const Triple<Real> n = family.normal_of(k);
      const Triple<double> normal{n[0], n[1], n[2]};
      const auto of_side = [&](int side) {
        return least_along({-normal[0], -normal[1], -normal[2]}, side,
                           two.triangles_of(side, {pair.level(side), pair.number(side)}));
      };
      const double between = of_side(0) + of_side(1), length = std::sqrt(dot(normal, normal));
      CHECK(between >= family.gap[k] * length - room);
      // A quotient and a product are rounded, by 2^-24 each.
      const double longest =
          std::max({std::fabs(normal[0]), std::fabs(normal[1]), std::fabs(normal[2])});
      CHECK(longest == test::approx(1).epsilon(1e-6));
    }
  };
  Family<Real> family;
  const Real farthest = std::numeric_limits<Real>::infinity();
  for (std::uint32_t k = 0; k < pairs.root_children(); ++k) {
    pairs.open_roots(k, farthest, family);
    check(family);
  }
  for (std::size_t i = 0; i < waiting.size() && i < 30; ++i) {
    pairs.open(PartPair(waiting[i]), farthest, family);
    check(family);
  }
  return apart;
}

// Whichever body is opened, and whichever way and along whichever axis the other lies.
TEST_CASE("the normal of a gap leads from a part of a to one of b, and keeps them as far apart") {
  const TriangleMesh a = make_icosphere(1, 1), b = make_box({1, 2, 3});
  for (const Vec3& way : {Vec3(4, 0, 0), Vec3(0, -5, 0), Vec3(0, 0, 6), Vec3(0, 0, -4),
                          Vec3(-4, 5, 6), Vec3(3, -4, 1)}) {
    CAPTURE(way);
    Similarity there = Similarity::Identity();
    there.translation() = way;
    Bodies two(a, Similarity::Identity(), b, there), turned(b, there, a, Similarity::Identity());
    for (Bodies* bodies : {&two, &turned}) {
      CHECK(check_normals<double>(*bodies) > 10);
      CHECK(check_normals<float>(*bodies) > 10);
    }
  }
}

// All slivers of a cone have the tip: boxes around them reach as far as it does.
TEST_CASE("gaps of fans look at few leaves once many were looked at, and are the same") {
  Random random(2);
  const auto looks = [&](int slices) {
    const auto here = Similarity::Identity();
    const TriangleMesh a = test::askew(make_cone(1, 2, slices)), b = make_cone(0.4, 1, slices);
    Similarity there = here;
    there.translation() = Vec3(0.1, 0.2, 0.6);
    Bodies many(a, here, b, there), one(a, here, b, there);
    const auto ask = [&](HullGaps& gaps, const Part& part, const Part& other) {
      return gaps.find(part, other, {0.3, 0.5, 0.7}, HUGE_VAL);
    };
    while (many.gaps.leaves_looked_at() <= 10 * many.tree[0].leaf_count())
      (void)ask(many.gaps, {}, many.any_part(random, 1));
    const std::size_t before = many.gaps.leaves_looked_at();
    for (int i = 0; i < 100; ++i) {
      const Part part = many.any_part(random, 0), other = many.any_part(random, 1);
      one.gaps.start(one.bodies, one.triangles);
      const HullGap expected = ask(one.gaps, part, other), found = ask(many.gaps, part, other);
      CHECK(found.gap == expected.gap);
      CHECK(found.apart == expected.apart);
      CHECK(found.normal == expected.normal);
      for (const int side : {0, 1}) {
        CHECK(found.leaf[side] == expected.leaf[side]);
        CHECK(found.is_on_triangle[side] == expected.is_on_triangle[side]);
      }
    }
    return many.gaps.leaves_looked_at() - before;
  };
  const std::size_t few = looks(300), more = looks(1200);
  CHECK(few < 100 * 60);
  CHECK(2 * more < 5 * few);
}

/// Triangles between vertices in a cube of edge 2: of few vertices, each is a corner of many.
TriangleMesh crowded_vertices(Random& random, std::uint32_t vertices, int triangles) {
  TriangleMesh mesh;
  for (std::uint32_t v = 0; v < vertices; ++v) mesh.vertices.push_back(test::random_vector(random));
  const auto vertex = [&] { return static_cast<std::uint32_t>(random.below(vertices)); };
  for (int t = 0; t < triangles; ++t) mesh.triangles.push_back({vertex(), vertex(), vertex()});
  return mesh;
}

// Two hubs of a part stand beside its box, and any more are in the box. Rounding is monotonic, so
// that the farthest corner itself is the oracle; along a normal whose terms are below 1 a box of
// edge 2 reaches no more than 6 farther.
TEST_CASE(
    "no corner of a part goes beyond what the part is known to reach, with any number of hubs") {
  Random random(3);
  for (const std::uint32_t vertices : {3u, 4u, 10u, 40u, 2000u}) {
    const TriangleMesh mesh = crowded_vertices(random, vertices, 600);
    const TriangleTree tree = make_triangle_tree(mesh);
    const auto at = [&](std::uint32_t v) {
      const auto& x = tree.vertices[v].x;
      return Triple<double>{x[0], x[1], x[2]};
    };
    const auto corners_of = [&](std::uint32_t leaf, std::vector<PosedCorner>& all) {
      for (std::size_t t = 0; t < tree.size_of(leaf); ++t)
        for (const auto& corner : tree.leaves[leaf].corner)
          all.push_back({corner[t], at(corner[t])});
    };
    PartReach reach;
    reach.start(tree, corners_of);
    for (std::size_t level = 1; level <= tree.levels(); ++level)
      for (std::size_t i = 0; i < tree.width(level); ++i) {
        std::vector<PosedCorner> corners;
        for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
          if (leaf >> 3 * (tree.levels() - level) == i) corners_of(leaf, corners);
        const Vec3 along = test::random_vector(random), from = test::random_vector(random);
        const Triple<double> n{along[0], along[1], along[2]}, origin{from[0], from[1], from[2]};
        double farthest = -HUGE_VAL;
        for (const PosedCorner& corner : corners)
          farthest = std::max(farthest, dot(n, corner.at - origin));
        CHECK(reach.goes_beyond(level, i, n, origin, std::nextafter(farthest, -HUGE_VAL)));
        CHECK_FALSE(reach.goes_beyond(level, i, n, origin, farthest + 6));
      }
  }
}

// Each distance is off by rounding that is little against the bodies (kSquareRounding).
TEST_CASE("a search by hulls finds what is nearest of all triangles, and whether they meet") {
  Random random(4);
  int apart = 0, crossing = 0;
  for (int round = 0; round < test::campaign(300); ++round) {
    CAPTURE(round);
    // Every other pair lies close together.
    const double reach = round % 2 == 0 ? 0.5 : 3;
    Bodies two(any_body(random), test::random_similarity(random, reach, 1), any_body(random),
               test::random_similarity(random, reach, 1));
    const auto of_a = two.triangles_of(0, {}), of_b = two.triangles_of(1, {});
    if (of_a.size() * of_b.size() > 40000) continue;
    PosedLeaves memory[2];
    Closest<TwoTriangles>::Memory kept;
    NearestTriangles triangles(two.bodies, memory, kept);
    HullSearch::Memory hulls;
    hulls.gaps.start(two.bodies, triangles.triangles());
    SearchWork none(0), work(HUGE_VAL);
    CHECK(!HullSearch(two.bodies, hulls, triangles, none).run(1000));
    CHECK(!HullSearch(two.bodies, hulls, triangles, work).run(0));
    REQUIRE(HullSearch(two.bodies, hulls, triangles, work).run(1'000'000));
    double least = HUGE_VAL;
    Meeting meeting = Meeting::kApart;
    const auto vector = [](const Triple<double>& p) { return Vec3(p[0], p[1], p[2]); };
    const auto corners = [&](const TripleCorners<double>& t) {
      return std::array<Vec3, 3>{vector(t[0]), vector(t[1]), vector(t[2])};
    };
    for (const auto& t : of_a)
      for (const auto& u : of_b) {
        meeting = std::max(meeting, meeting_of(corners(t), corners(u)));
        least = std::min(least, nearest_points(t, u).squared);
      }
    const SurfaceDistance found = triangles.result();
    CHECK((found.meeting == SurfaceMeeting::kCrosses) == (meeting == Meeting::kCrosses));
    if (meeting == Meeting::kCrosses) {
      CHECK(found.distance == 0);
      ++crossing;
    } else {
      const double distance = triangles.triangles().to_units(found.distance);
      const double size = two.bodies.extent;
      CHECK(std::abs(distance * distance - least) <= 2 * kSquareRounding * size * size);
      ++apart;
    }
  }
  CHECK(apart > 0);
  CHECK(crossing > 0);
}

TEST_CASE("a search for a gap ends as soon as there is one") {
  const TriangleMesh ball = make_icosphere(1, 2);
  Similarity there = Similarity::Identity();
  there.translation() = Vec3(3, 0.5, 0.25);
  Bodies two(ball, Similarity::Identity(), ball, there);
  const HullGap all = two.gaps.find({}, {}, {0, 0, 0}, HUGE_VAL);
  CHECK(all.gap == test::approx(all.apart).epsilon(1e-9));
  const HullGap enough = two.gaps.find({}, {}, {0, 0, 0}, 0.5);
  CHECK(enough.gap > 0.5);
  CHECK(enough.gap <= all.apart);
  // From the normal of the gap, that is known at once.
  CHECK(two.gaps.find({}, {}, all.normal, 0.999 * all.gap).gap >= 0.999 * all.gap);
}

// Floats are rounded by 2^-19 of all sizes and the distance, which is little as long as it is less
// than a thousandth of either body.
TEST_CASE(
    "parts are taken to floats where neither body is small beside the other or the distance") {
  const auto check = [](double size_a, double size_b, const Vec3& apart, bool are_alike) {
    CAPTURE(size_a);
    CAPTURE(size_b);
    CAPTURE(apart);
    Similarity there = Similarity::Identity();
    there.translation() = apart;
    const TriangleMesh a = make_box(Vec3::Constant(2 * size_a));
    const TriangleMesh b = make_box(Vec3::Constant(2 * size_b));
    const Bodies two(a, Similarity::Identity(), b, there),
        turned(b, there, a, Similarity::Identity());
    // Whether a mesh is small or its pose makes it so.
    Similarity shrunk = there;
    shrunk.linear() *= size_b;
    const Bodies by_pose(a, Similarity::Identity(), make_box({2, 2, 2}), shrunk);
    for (const Bodies* bodies : {&two, &turned, &by_pose}) {
      CHECK(bodies->bodies.are_for_floats == are_alike);
      if (are_alike)
        CHECK(bodies->bodies.room<float>() <= std::min(size_a, size_b) / 1000);
      else
        CHECK(bodies->bodies.room<float>() > std::min(size_a, size_b) / 2000);
    }
  };
  for (const double size : {1e-3, 1.0, 1e3}) {
    check(size, size, Vec3(3, 0, 0) * size, true);
    check(size, 50 * size, Vec3(0, 0, 0), true);
    check(50 * size, size, Vec3(0, 3, 0) * size, true);
    check(size, size, Vec3(0, 200, 0) * size, true);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 way = size * Vec3::Unit(axis);
      check(size, 1e3 * size, 5 * way, false);
      check(1e3 * size, size, -5 * way, false);
      check(size, size, 1e3 * way, false);
      check(size, 2 * size, -1e3 * way, false);
    }
  }
}

}  // namespace
}  // namespace plimsoll
