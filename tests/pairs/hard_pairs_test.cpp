// Bodies whose boxes tell little: what a search looks at grows as the mesh does.
#include <doctest/doctest.h>
#include <plimsoll/body_pairs.h>
#include <plimsoll/pairs.h>
#include <plimsoll/parallel.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "pairs/pair_cases.h"
#include "pairs/pair_finder.h"
#include "pairs/triangle_pair.h"
#include "support/checked.h"
#include "support/hard_scenes.h"
#include "support/random_mesh.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

using Pairs = std::vector<TrianglePair>;

using test::moved;
using test::shift;
using test::turn;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct Search {
  PairCounts counts;
  Pairs pairs;
};

Search within(const TriangleMesh& mesh, int threads = 1,
              TreeQuality quality = TreeQuality::kTight) {
  const MeshTree tree(test::checked(mesh), quality);
  Search search;
  PairFinder finder;
  with_threads(threads, [&] {
    REQUIRE(finder.find_within({&triangles_of(tree)}, static_cast<std::size_t>(threads), kNoLimit,
                               search.pairs));
  });
  search.counts = finder.counts();
  std::sort(search.pairs.begin(), search.pairs.end());
  return search;
}

Search between(const TriangleMesh& a, const TriangleMesh& b, int threads = 1) {
  const MeshTree tree(test::checked(a)), other(test::checked(b));
  Search search;
  PairFinder finder;
  with_threads(threads, [&] {
    REQUIRE(finder.find({&triangles_of(tree)}, {&triangles_of(other)}, false,
                        static_cast<std::size_t>(threads), kNoLimit, search.pairs));
  });
  search.counts = finder.counts();
  std::sort(search.pairs.begin(), search.pairs.end());
  return search;
}

Search between(const test::TwoBodies& two) { return between(two.a, two.b); }

bool share_vertex(const Triangle& t, const Triangle& u) {
  return std::any_of(t.begin(), t.end(),
                     [&](std::uint32_t v) { return std::find(u.begin(), u.end(), v) != u.end(); });
}

Pairs by_brute_force(const TriangleMesh& mesh) {
  Pairs pairs;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::uint32_t u = t + 1; u < mesh.triangles.size(); ++u)
      if (!share_vertex(mesh.triangles[t], mesh.triangles[u]) &&
          test::have_common_point(corners_of(mesh, t).point, corners_of(mesh, u).point))
        pairs.push_back({t, u});
  return pairs;
}

std::size_t looks(const Search& search) {
  return search.counts.leaf_pairs + search.counts.box_pairs + search.counts.decisions;
}

using Body = std::function<TriangleMesh(std::uint32_t)>;

/// Triangles of a small and a large body.
constexpr std::uint32_t kFew = test::kAddressSanitizer ? 1000 : 4000, kMany = 4 * kFew;

// Of n triangles each; a scan is looked at some 4 times a triangle.
TEST_CASE("self pairs of strips, fans and cones take looks as the mesh has triangles") {
  const std::vector<std::pair<std::string, Body>> bodies{
      {"long strips",
       [](std::uint32_t n) { return test::askew(test::strip_box({1000, 1, 1}, n / 16)); }},
      {"strips", [](std::uint32_t n) { return test::askew(test::strip_box({1, 1, 1}, n / 16)); }},
      {"cone",
       [](std::uint32_t n) { return test::askew(make_cone(1, 2, static_cast<int>(n / 2))); }},
      {"cylinder",
       [](std::uint32_t n) { return test::askew(make_cylinder(1, 6, static_cast<int>(n / 4))); }},
      {"fan", [](std::uint32_t n) { return test::askew(test::fan(n)); }}};
  for (const auto& [name, body] : bodies) {
    CAPTURE(name);
    const Search small = within(body(kFew)), large = within(body(kMany));
    CHECK(small.pairs.empty());
    CHECK(large.pairs.empty());
    CHECK(2 * looks(large) < 11 * looks(small));
    CHECK(looks(large) < 50 * kMany);
    for (const TreeQuality quality : {TreeQuality::kFast, TreeQuality::kBalanced})
      CHECK(looks(within(body(kFew), 1, quality)) < 60 * kFew);
  }
}

TEST_CASE(
    "pairs of cones, crossing cylinders and layers of strips take looks as they have triangles") {
  const auto cones = [](std::uint32_t n) {
    return between(test::crossing_cones(static_cast<int>(n / 4)));
  };
  const auto cylinders = [](std::uint32_t n) {
    return between(test::crossing_cylinders(static_cast<int>(n / 8)));
  };
  const auto layers = [](std::uint32_t n) {
    const TriangleMesh one = test::strips(n / 4, 100);
    return between(test::askew(one),
                   test::askew(moved(moved(one, turn({0, 0, 1}, 1.5)), shift({100, 0, 0.02}))));
  };
  for (const auto& [search, touches] :
       {std::pair<std::function<Search(std::uint32_t)>, bool>{cones, true},
        {cylinders, true},
        {layers, false}}) {
    const Search small = search(kFew), large = search(kMany);
    CHECK(small.pairs.empty() != touches);
    CHECK(2 * looks(large) < 11 * looks(small));
    CHECK(looks(large) < 40 * kMany + 8 * large.pairs.size());
  }
}

TEST_CASE("hard bodies have the pairs that asking each triangle against each finds") {
  Random random(4);
  for (int i = 0; i < (test::kAddressSanitizer ? 2 : 4); ++i) {
    CAPTURE(i);
    // More than the patience of a search, so that hulls are asked; they cross and touch.
    TriangleMesh one = i % 2 == 0 ? test::strip_box({20, 1, 1}, 40) : make_cone(1, 2, 320);
    if (i % 3 == 0) one = test::askew(one);
    TriangleMesh both = one;
    const TriangleMesh other =
        moved(one, i < 3 ? test::random_similarity(random, 0.5) : shift({0, 0.5, 0}));
    const auto first = static_cast<std::uint32_t>(both.vertices.size());
    both.vertices.insert(both.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const Triangle& t : other.triangles)
      both.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    const Pairs expected = by_brute_force(both),
                expected_between = test::pairs_by_brute_force(one, other);
    for (const int threads : {1, 3}) {
      CHECK(within(both, threads).pairs == expected);
      CHECK(between(one, other, threads).pairs == expected_between);
    }
  }
}

// Boxes are floats: their room is relative to the box, not to the whole.
TEST_CASE("a stray triangle far away does not make boxes coarse") {
  const TriangleMesh scan = test::wavy_sheet(60);
  const Search alone = within(scan);
  const TriangleMesh other = moved(moved(scan, turn({1, 0, 0}, 1.2)), shift({0.1, 0.1, 0.03}));
  const Search two = between(scan, other);
  CHECK(two.pairs.size() > 40);
  for (const double distance : {1e3, 1e5, 1e7}) {
    const TriangleMesh stray = test::with_stray_triangle(scan, distance);
    const Search found = within(stray);
    CHECK(found.pairs.empty());
    CHECK(3 * looks(found) < 4 * looks(alone));
    const Search both = between(stray, test::with_stray_triangle(other, distance));
    CHECK(both.pairs.size() == two.pairs.size() + 1);             // the strays touch
    CHECK(looks(both) < looks(two) + 2 * scan.triangles.size());  // leaves with a stray meet many
  }
}

// Boxes of neighbors touch, and all lie in one plane: no sign of a determinant is certain.
TEST_CASE("triangles of flat faces and of rolled ones take looks as there are triangles") {
  const auto flat = [](std::uint32_t m) {
    return test::sheet_of(m, m, [](double x, double y) { return Vec3(x, y, 0); });
  };
  for (const Body& body : {Body(flat), Body(test::rolled_sheet)}) {
    const Search straight = within(body(60)), turned = within(test::askew(body(60)));
    for (const Search* search : {&straight, &turned}) {
      CHECK(search->pairs.empty());
      CHECK(looks(*search) < 7 * 7200);  // triangles, of which a scan's take three
      CHECK(search->counts.decisions < 3 * 7200);
    }
  }
}

/// Slivers that go through a ball in all directions: no box, hull or plane tells many apart.
TriangleMesh needles(std::uint32_t n, std::uint64_t seed) {
  Random random(seed);
  TriangleMesh mesh;
  for (std::uint32_t k = 0; k < 3 * n; k += 3) {
    const Vec3 tip = test::random_vector(random);
    mesh.vertices.insert(mesh.vertices.end(), {tip, -tip + 0.2 * test::random_vector(random),
                                               tip + Vec3(1e-9, 0, 1e-9)});
    mesh.triangles.push_back({k, k + 1, k + 2});
  }
  return mesh;
}

TEST_CASE("a search for pairs ends with an error where it may not take the work") {
  const auto here = Similarity::Identity();
  const TriangleMesh a = needles(1500, 1), b = needles(1500, 2);
  const MeshTree tree(test::checked(a)), other(test::checked(b));
  for (const int threads : {1, 3})
    with_threads(threads, [&] {
      PairSearch search;
      BodyPairSearch bodies;
      REQUIRE(bodies.add(tree));
      REQUIRE(bodies.add(other));
      for (const double limit : {0.0, 1e3, 1e4}) {
        const ErrorCode codes[] = {search.pairs(tree, here, other, here, limit).error().code,
                                   search.touch(tree, here, other, here, limit).error().code,
                                   search.self_pairs(tree, here, limit).error().code,
                                   bodies.touching(limit).error().code,
                                   bodies.pairs(limit).error().code};
        for (const ErrorCode code : codes) CHECK(code == ErrorCode::kResourceLimit);
      }
      CHECK(search.pairs(tree, here, other, here)->empty());
      CHECK(search.self_pairs(tree)->size() == within(a).pairs.size());
      CHECK(bodies.pairs(PairSearch::kMaxWork)->empty());
      CHECK(bodies.pairs(0)->empty());  // it is known
      for (const double limit : {-1.0, std::nan("")}) {
        CHECK(search.self_pairs(tree, here, limit).error().code == ErrorCode::kInvalidArgument);
        CHECK(search.pairs(tree, here, other, here, limit).error().where == "max_work");
        CHECK(bodies.touching(limit).error().code == ErrorCode::kInvalidArgument);
      }
    });
  // It ends soon after the limit.
  for (const double limit : {1e3, 1e4}) {
    PairFinder finder;
    Pairs found;
    CHECK_FALSE(finder.find_within({&triangles_of(tree)}, 1, limit, found));
    CHECK(finder.counts().work() > limit);
    CHECK(finder.counts().work() < limit + 5e3);
  }
}

TEST_CASE("pairs of scans and of hard bodies take little of the work that they may") {
  const Search balls =
      between(make_icosphere(1, 4), moved(make_icosphere(1, 4), shift({0.5, 0, 0})));
  CHECK(balls.counts.work() < 5e3);
  const Search strips = within(test::askew(test::strip_box({1000, 1, 1}, 500)));
  CHECK(strips.counts.hulls > 0);
  CHECK(strips.counts.work() < 1e5);
}

// All of the scan is in few cells of a grid over the whole.
TEST_CASE("a shuffled scan and a stray triangle have a fast tree as good as the scan's") {
  const TriangleMesh scan = test::wavy_sheet(80);
  const TriangleMesh stray = test::with_stray_triangle(test::shuffled(scan, 3), 100);
  for (const TreeQuality quality : {TreeQuality::kFast, TreeQuality::kBalanced}) {
    const Search alone = within(scan, 1, quality), found = within(stray, 1, quality);
    CHECK(found.pairs.empty());
    CHECK(2 * looks(found) < 3 * looks(alone));
  }
}

// Leaves of tight trees ringed the column, and each met all that was inside.
TEST_CASE("leaves of a column of thin rings lie in its faces") {
  const TriangleMesh column = test::grid_box({1, 1, 1}, 1, 1, 1000);
  const MeshTree body(test::checked(column), TreeQuality::kTight);
  const TriangleTree& tree = triangles_of(body);
  std::size_t around = 0;
  for (std::size_t node = tree.first.back(); node < tree.boxes.size(); ++node)
    for (std::size_t k = 0; k < TriangleTree::kChildren; ++k)
      if (tree.boxes[node].half[0][k] > 0.25F && tree.boxes[node].half[1][k] > 0.25F) ++around;
  CHECK(around < tree.leaf_count() / 20);
}

}  // namespace
}  // namespace plimsoll
