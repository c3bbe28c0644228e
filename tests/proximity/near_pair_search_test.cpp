#include <doctest/doctest.h>
#include <plimsoll/distance.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/pairs.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/random.h"
#include "exact_distance.h"
#include "pairs/triangle_pair.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/hard_scenes.h"
#include "support/random_mesh.h"
#include "triangle_corners.h"

namespace plimsoll {
namespace {

using test::corners_of;
using test::Rational;
using test::triple;

DistanceTree tree_of(const TriangleMesh& mesh, TreeQuality quality = TreeQuality::kTight) {
  return DistanceTree(MeshTree(test::checked(mesh), quality));
}

// Rational numbers are slow: they decide only what corners, and balls around the triangles, leave
// open.
bool are_close(const TriangleMesh& a, std::size_t t, const TriangleMesh& b, std::size_t u,
               double distance) {
  const auto of_a = corners_of(a, t), of_b = corners_of(b, u);
  for (const Vec3& p : of_a)
    for (const Vec3& q : of_b)
      if ((p - q).norm() < distance * (1 - 1e-9)) return true;
  const auto center = [](const std::array<Vec3, 3>& c) -> Vec3 { return (c[0] + c[1] + c[2]) / 3; };
  const auto reach = [&](const std::array<Vec3, 3>& c) {
    double farthest = 0;
    for (const Vec3& p : c) farthest = std::max(farthest, (p - center(c)).norm());
    return farthest;
  };
  if ((center(of_a) - center(of_b)).norm() > (distance + reach(of_a) + reach(of_b)) * (1 + 1e-9))
    return false;
  if (meeting_of(of_a, of_b) != Meeting::kApart) return true;
  return test::exact_squared_distance(triple(of_a), triple(of_b)) <
         Rational(distance) * Rational(distance);
}

std::vector<TrianglePair> brute(const TriangleMesh& a, const TriangleMesh& b, double distance) {
  std::vector<TrianglePair> all;
  for (std::uint32_t t = 0; t < a.triangles.size(); ++t)
    for (std::uint32_t u = 0; u < b.triangles.size(); ++u)
      if (are_close(a, t, b, u, distance)) all.push_back({t, u});
  return all;
}

std::vector<TrianglePair> found(const TriangleMesh& a, const Similarity& a_pose,
                                const TriangleMesh& b, const Similarity& b_pose, double distance) {
  NearPairSearch search;
  const auto pairs = search.pairs(tree_of(a), a_pose, tree_of(b), b_pose, distance);
  REQUIRE(pairs);
  return {pairs->begin(), pairs->end()};
}

/// Some triangles of a mesh, one after the other.
TriangleMesh some_of(const TriangleMesh& mesh, std::size_t first, std::size_t count) {
  TriangleMesh some = mesh;
  some.triangles.assign(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(first),
                        mesh.triangles.begin() + static_cast<std::ptrdiff_t>(first + count));
  return some;
}

TEST_CASE("the pairs that are closer are those that rational numbers find") {
  Random random(1);
  const TriangleMesh ball = make_icosphere(0.8, 2), ring = make_torus(0.7, 0.3, 14, 10);
  std::size_t close = 0, apart = 0;
  for (int round = 0; round < test::campaign(1000); ++round) {
    CAPTURE(round);
    const TriangleMesh a = some_of(ball, random.below(300), 12);
    const TriangleMesh b = some_of(ring, random.below(260), 12);
    const double scale = round % 3 == 0 ? std::pow(10, random.uniform(-3, 3)) : 1;
    Similarity a_pose = test::random_similarity(random, 1, 1),
               b_pose = test::random_similarity(random, 1, scale);
    if (round % 5 == 0) {
      const Vec3 far = 1e7 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 1);
      a_pose.translation() += far;
      b_pose.translation() += far;
    }
    const double distance = std::max(1.0, scale) * std::pow(10, random.uniform(-2, 0.5));
    const std::vector<TrianglePair> expected = brute(posed(a, a_pose), posed(b, b_pose), distance);
    CHECK(found(a, a_pose, b, b_pose, distance) == expected);
    close += expected.size();
    apart += 12 * 12 - expected.size();
  }
  CHECK(close > 0);
  CHECK(apart > 0);
}

// Searches of so few triangles end before they ask hulls; the one of all of them asks.
TEST_CASE("hulls part no slivers that are near: pieces of the bodies have the same pairs") {
  const Similarity here = Similarity::Identity();
  const std::vector<std::pair<test::TwoBodies, double>> scenes{{test::crossing_rods(400), 1.02},
                                                               {test::nested_cones(300), 0.225}};
  for (const auto& [two, distance] : scenes) {
    std::vector<TrianglePair> pieces;
    constexpr std::size_t kPiece = 50;
    for (std::size_t i = 0; i < two.a.triangles.size(); i += kPiece)
      for (std::size_t k = 0; k < two.b.triangles.size(); k += kPiece) {
        const std::size_t of_a = std::min(kPiece, two.a.triangles.size() - i),
                          of_b = std::min(kPiece, two.b.triangles.size() - k);
        for (const TrianglePair& pair :
             found(some_of(two.a, i, of_a), here, some_of(two.b, k, of_b), here, distance))
          pieces.push_back(
              {static_cast<std::uint32_t>(pair.a + i), static_cast<std::uint32_t>(pair.b + k)});
      }
    std::sort(pieces.begin(), pieces.end());
    CHECK(pieces.size() > 100);
    CHECK(found(two.a, here, two.b, here, distance) == pieces);
  }
}

// The planes are turned by a right triangle of sides 3, 4 and 5, so that their distance is a whole
// number and no coordinate is rounded.
TEST_CASE("a pair at just the distance is not closer") {
  TriangleMesh floor, lid;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const Vec3 at(4 * i, 3 * i, j);
      const auto first = static_cast<std::uint32_t>(floor.vertices.size());
      for (TriangleMesh* mesh : {&floor, &lid}) {
        mesh->vertices.insert(mesh->vertices.end(), {at, at + Vec3(4, 3, 0), at + Vec3(0, 0, 1)});
        mesh->triangles.push_back({first, first + 1, first + 2});
      }
    }
  Similarity above = Similarity::Identity();
  above.translation() = Vec3(-3, 4, 0);
  const Similarity here = Similarity::Identity();
  CHECK(found(floor, here, lid, above, 5).empty());
  const double more = std::nextafter(5.0, 6.0), less = std::nextafter(5.0, 4.0);
  CHECK(found(floor, here, lid, above, less).empty());
  CHECK(found(floor, here, lid, above, more) == brute(floor, posed(lid, above), more));
  CHECK(found(floor, here, lid, above, more).size() >= 16);
  // Of any size, which is taken off and put back.
  for (const int exponent : {-400, 400}) {
    Similarity of_floor = here, of_lid = above;
    of_floor.linear() *= std::ldexp(1.0, exponent);
    of_lid.linear() *= std::ldexp(1.0, exponent);
    of_lid.translation() *= std::ldexp(1.0, exponent);
    CHECK(found(floor, of_floor, lid, of_lid, std::ldexp(5.0, exponent)).empty());
    CHECK(found(floor, of_floor, lid, of_lid, std::ldexp(more, exponent)) ==
          found(floor, here, lid, above, more));
  }
}

TEST_CASE("triangles that touch or cross are closer than anything") {
  const TriangleMesh box = make_box({1, 1, 1});
  const Similarity here = Similarity::Identity();
  for (const Vec3& off : {Vec3(1, 0, 0), Vec3(1, 1, 1), Vec3(0.5, 0.25, 0.125)}) {
    Similarity there = here;
    there.translation() = off;
    PairSearch search;
    const auto touching =
        search.pairs(MeshTree(test::checked(box)), here, MeshTree(test::checked(box)), there);
    REQUIRE(touching);
    CHECK(found(box, here, box, there, 1e-300) ==
          std::vector<TrianglePair>(touching->begin(), touching->end()));
    CHECK(found(box, here, box, there, 10).size() == 144);
    CHECK(found(box, here, box, there, std::numeric_limits<double>::infinity()).size() == 144);
  }
}

TEST_CASE("of one mesh each pair without a common vertex is found once") {
  const int along = test::is_full_run() ? 16 : test::kAddressSanitizer ? 6 : 11;
  const TriangleMesh knot = make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.1}, along, 3);
  Random random(2);
  NearPairSearch search;
  for (const double distance : {0.01, 0.2}) {
    CAPTURE(distance);
    const Similarity pose = test::random_similarity(random, 1, 1);
    const TriangleMesh there = posed(knot, pose);
    std::vector<TrianglePair> expected;
    for (std::uint32_t t = 0; t < knot.triangles.size(); ++t)
      for (std::uint32_t u = t + 1; u < knot.triangles.size(); ++u) {
        bool is_apart = true;
        for (const std::uint32_t v : knot.triangles[t])
          for (const std::uint32_t w : knot.triangles[u]) is_apart = is_apart && v != w;
        if (is_apart && are_close(there, t, there, u, distance)) expected.push_back({t, u});
      }
    const auto pairs = search.self_pairs(tree_of(knot), distance, pose);
    REQUIRE(pairs);
    CHECK(std::vector<TrianglePair>(pairs->begin(), pairs->end()) == expected);
    if (distance > 0.1) CHECK(!expected.empty());
  }
}

TEST_CASE("what cannot be asked is refused") {
  const DistanceTree box = tree_of(make_box({1, 1, 1}));
  NearPairSearch search;
  const Similarity here = Similarity::Identity();
  Similarity bad = here;
  bad(0, 0) = 2;
  CHECK(search.pairs(box, bad, box, here, 1).error().where == "world_from_a");
  CHECK(search.pairs(box, here, box, bad, 1).error().where == "world_from_b");
  CHECK(search.self_pairs(box, 1, bad).error().where == "world_from_mesh");
  for (const double distance : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(search.pairs(box, here, box, here, distance).error().where == "distance");
    CHECK(search.self_pairs(box, distance).error().where == "distance");
  }
  const DistanceTree none = tree_of(TriangleMesh());
  CHECK(search.pairs(box, here, none, here, 1)->empty());
  CHECK(search.self_pairs(none, 1)->empty());
}

// Two points beside triangles 1 m large: their squares are too small for doubles.
TEST_CASE("triangles that are small against their bodies are told apart, however small they are") {
  const auto with_point = [](double x) {
    TriangleMesh mesh;
    const Vec3 p(x, 0, 0);
    mesh.vertices = {p, p, p, Vec3(5, 5, 5), Vec3(6, 5, 5), Vec3(5, 6, 5)};
    mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
    return mesh;
  };
  const Similarity here = Similarity::Identity();
  const TrianglePair points{0, 0}, triangles{1, 1};
  for (const double size : {1e-170, 1e-200, 1e-300}) {
    CAPTURE(size);
    const TriangleMesh a = with_point(size), b = with_point(0);
    CHECK(found(a, here, b, here, 0.5 * size) == std::vector<TrianglePair>{triangles});
    CHECK(found(a, here, b, here, 2 * size) == std::vector<TrianglePair>{points, triangles});
    CHECK(found(a, here, b, here, std::numeric_limits<double>::infinity()).size() == 4);
  }
}

TEST_CASE("a search that may not work says what it found and what would help") {
  const DistanceTree ball = tree_of(make_icosphere(1, 3));
  NearPairSearch search;
  const Similarity here = Similarity::Identity();
  const auto check = [](const Error& error) {
    CHECK(error.code == ErrorCode::kResourceLimit);
    CHECK(error.where == "max_work");
    CHECK(error.message ==
          "found parts that are near each other, but for their triangles, which take more work "
          "than 0 us, expected a smaller distance, or more work");
  };
  const auto pairs = search.pairs(ball, here, ball, here, 0.01, 0);
  REQUIRE(!pairs);
  check(pairs.error());
  const auto own = search.self_pairs(ball, 0.01, here, 0);
  REQUIRE(!own);
  check(own.error());
  const auto distance = DistanceSearch().find(ball, here, ball, here, {.max_work = 0});
  REQUIRE(!distance);
  CHECK(distance.error().code == ErrorCode::kResourceLimit);
  CHECK(distance.error().where == "max_work");
  CHECK(distance.error().message ==
        "found surfaces that run along each other, which take more work than 0 us, expected a "
        "tolerance, or more work");
}

// A gigabyte of pairs: of the full run.
TEST_CASE("a search that finds too many pairs ends with an error") {
  if (!test::is_full_run()) return;
  const DistanceTree ball = tree_of(make_icosphere(1, 6));  // 81,920 triangles: 6.7e9 pairs
  NearPairSearch search;
  const Similarity here = Similarity::Identity();
  const auto pairs = search.pairs(ball, here, ball, here, 10);
  REQUIRE(!pairs);
  CHECK(pairs.error().code == ErrorCode::kResourceLimit);
}

// A frame's unit may be no float, and sizes may have few digits or none: bodies that share a corner
// touch whatever the pose makes of them, since both are posed alike.
TEST_CASE("what shares a corner is found in meshes of any size, posed by any scale") {
  Random random(41);
  PairSearch touching;
  NearPairSearch near;
  DistanceSearch distances;
  for (const double size : {1e-323, 1e-320, 1e-310, 1e-308, 1e-45, 1e-20, 1.0, 1e20, 1e100})
    for (const double scale : {1e-60, 1e-20, 1.0, 1e20, 1e45, 1e60, 1e200}) {
      if (!(size * scale >= 1e-323 && size * scale < 1e100)) continue;
      CAPTURE(size);
      CAPTURE(scale);
      for (int i = 0; i < (test::kAddressSanitizer ? 4 : 20); ++i) {
        CAPTURE(i);
        Similarity pose = Similarity::Identity();
        if (i % 2 == 0) pose.linear() = test::random_turn(random);
        pose.linear() *= scale;
        const auto any = [&]() -> Vec3 { return size * test::random_vector(random); };
        const auto body = [&](const Vec3& p, const Vec3& q, const Vec3& r) {
          TriangleMesh mesh;
          mesh.vertices = {p, q, r};
          mesh.triangles = {{0, 1, 2}};
          return MeshTree(test::checked(mesh));
        };
        const Vec3 p = any();
        const MeshTree first_tree = body(p, any(), any());
        const DistanceTree first(first_tree), point(body(p, p, p));
        for (const MeshTree& second_tree : {body(p, any(), any()), body(p, p, p)}) {
          const DistanceTree second(second_tree);
          CHECK(touching.pairs(first_tree, pose, second_tree, pose).value().size() == 1);
          const double distance =
              std::max(0.01 * size * scale, std::numeric_limits<double>::denorm_min());
          CHECK(near.pairs(first, pose, second, pose, distance).value().size() == 1);
          CHECK(distances.find(first, pose, second, pose).value().distance == 0);
        }
        CHECK(near.pairs(point, pose, point, pose, scale * size).value().size() == 1);
      }
    }
}

}  // namespace
}  // namespace plimsoll
