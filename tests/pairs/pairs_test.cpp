#include <doctest/doctest.h>
#include <plimsoll/pairs.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pairs/pair_cases.h"
#include "pairs/triangle_pair.h"
#include "support/campaign.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

using Pairs = std::vector<TrianglePair>;
using test::ContactCase;

const Similarity kHere = Similarity::Identity();

MeshTree tree_of(const TriangleMesh& mesh, TreeQuality quality = TreeQuality::kTight) {
  return MeshTree(test::checked(mesh), quality);
}

// Each triangle against each, of vertices that posed() rounds.
Pairs by_brute_force(const ContactCase& c) {
  return test::pairs_by_brute_force(posed(c.a, c.world_from_a), posed(c.b, c.world_from_b));
}

Pairs found(PairSearch& search, const ContactCase& c, TreeQuality quality) {
  const MeshTree a = tree_of(c.a, quality), b = tree_of(c.b, quality);
  const auto pairs = search.pairs(a, c.world_from_a, b, c.world_from_b);
  REQUIRE(pairs);
  return {pairs->begin(), pairs->end()};
}

TEST_CASE("pairs are those that asking each triangle against each finds") {
  Random random(1);
  PairSearch search;  // one for all, so that nothing of one question is left in the next
  int touching[test::kContactCaseKinds] = {}, apart = 0;
  for (int i = 0; i < test::campaign(5000); ++i) {
    CAPTURE(i);
    const int kind = i % test::kContactCaseKinds;
    const ContactCase c = test::contact_case(random, kind);
    const Pairs expected = by_brute_force(c);
    for (const TreeQuality quality : {TreeQuality::kFast, TreeQuality::kTight})
      REQUIRE(found(search, c, quality) == expected);
    touching[kind] += expected.empty() ? 0 : 1;
    apart += expected.empty() ? 1 : 0;

    // From the other side, and up to the first.
    const ContactCase other{c.b, c.a, c.world_from_b, c.world_from_a};
    Pairs turned = found(search, other, TreeQuality::kTight);
    for (TrianglePair& pair : turned) std::swap(pair.a, pair.b);
    std::sort(turned.begin(), turned.end());
    REQUIRE(turned == expected);
    const auto first = search.touch(tree_of(c.a), c.world_from_a, tree_of(c.b), c.world_from_b);
    REQUIRE(first);
    REQUIRE(first->has_value() == !expected.empty());
    if (*first) REQUIRE(std::binary_search(expected.begin(), expected.end(), **first));
  }
  for (const int times : touching) CHECK(times > 0);
  CHECK(apart > 0);
}

TEST_CASE("pairs of bodies as small as atoms and as large as galaxies are the same") {
  const TriangleMesh ball = make_icosphere(1, 2);
  ContactCase c{ball, ball};
  c.world_from_b.translation() = Vec3(0.75, 0.5, 0.25);
  const Pairs expected = by_brute_force(c);
  CHECK(expected.size() > 50);
  PairSearch search;
  for (const int exponent : {-1000, -200, 199, 800}) {
    const double unit = std::ldexp(1.0, exponent);  // exact, so that no sign changes
    ContactCase scaled = c;
    for (TriangleMesh* mesh : {&scaled.a, &scaled.b})
      for (Vec3& v : mesh->vertices) v *= unit;
    scaled.world_from_b.translation() *= unit;
    CHECK(found(search, scaled, TreeQuality::kTight) == expected);
    // Brought together from units that are far apart.
    ContactCase mixed = scaled;
    mixed.a = c.a;
    mixed.world_from_a = test::similarity(unit, Mat3::Identity(), Vec3::Zero());
    CHECK(found(search, mixed, TreeQuality::kFast) == expected);
  }
}

// Here products of three coordinates may overflow where those of two do not: what is infinite says
// nothing of a side.
TEST_CASE("pairs are found where volumes are beyond all doubles") {
  Random random(7);
  PairSearch search;
  std::size_t touching = 0;
  for (int i = 0; i < 300; ++i) {
    ContactCase c;
    for (TriangleMesh* mesh : {&c.a, &c.b}) {
      const double unit = std::pow(10, random.uniform(101.5, 104));
      for (std::uint32_t v = 0; v < 12; ++v)
        mesh->vertices.push_back(unit * test::random_vector(random));
      for (std::uint32_t t = 0; t < 12; t += 3) mesh->triangles.push_back({t, t + 1, t + 2});
    }
    const Pairs expected = by_brute_force(c);
    REQUIRE(found(search, c, TreeQuality::kTight) == expected);
    touching += expected.size();
  }
  CHECK(touching > 300);
}

TEST_CASE("a speck in the corner of a large triangle touches what it touches") {
  ContactCase c;
  c.a.vertices = {{0, 0, 0}, {0x1p60, 0, 0}, {0, 0x1p60, 0}};
  c.a.triangles = {{0, 1, 2}};
  for (const double height : {0.0, 0x1p-30}) {
    c.b = make_box({0x1p-20, 0x1p-20, 0x1p-20});
    c.world_from_b.translation() = Vec3(0x1p-19, 0x1p-19, 0x1p-21 + height);
    PairSearch search;
    CHECK(found(search, c, TreeQuality::kTight) == by_brute_force(c));
    CHECK(by_brute_force(c).empty() == (height > 0));
  }
}

TEST_CASE("pairs of bodies of many triangles ascend") {
  const TriangleMesh ball = make_icosphere(1, 5);  // 20,480 triangles
  PairSearch search;
  const ContactCase c{ball, ball, kHere, test::similarity(1, Mat3::Identity(), {0.3, 0.4, 0.5})};
  const Pairs pairs = found(search, c, TreeQuality::kFast);
  CHECK(pairs.size() > 500);
  CHECK(std::is_sorted(pairs.begin(), pairs.end()));
  CHECK(std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end());
  CHECK(pairs == found(search, c, TreeQuality::kTight));
}

TEST_CASE("a mesh without triangles touches nothing") {
  const MeshTree none = tree_of({}), box = tree_of(make_box({1, 1, 1}));
  PairSearch search;
  CHECK(search.pairs(none, kHere, box, kHere)->empty());
  CHECK(search.pairs(box, kHere, none, kHere)->empty());
  CHECK(!search.touch(none, kHere, none, kHere)->has_value());
  CHECK(search.self_pairs(none)->empty());
}

TEST_CASE("one triangle touches another, itself, and no third") {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  const MeshTree tree = tree_of(mesh);
  PairSearch search;
  CHECK(search.pairs(tree, kHere, tree, kHere)->size() == 1);
  CHECK(search.self_pairs(tree)->empty());
  const auto beside = test::similarity(1, Mat3::Identity(), {2, 0, 0});
  CHECK(search.pairs(tree, kHere, tree, beside)->empty());
}

TEST_CASE("poses that are none, and coordinates beyond all doubles, are errors") {
  const MeshTree box = tree_of(make_box({1, 1, 1}));
  PairSearch search;
  Similarity flat = kHere, lost = kHere;
  flat.linear().col(2).setZero();
  lost.translation().x() = std::numeric_limits<double>::quiet_NaN();
  for (const Similarity& bad : {flat, lost}) {
    const auto first = search.pairs(box, bad, box, kHere);
    REQUIRE(!first);
    CHECK(first.error().code == ErrorCode::kInvalidArgument);
    CHECK(first.error().where == "world_from_a");
    CHECK(search.pairs(box, kHere, box, bad).error().where == "world_from_b");
    CHECK(search.touch(box, bad, box, kHere).error().where == "world_from_a");
    CHECK(search.touch(box, kHere, box, bad).error().where == "world_from_b");
    CHECK(search.self_pairs(box, bad).error().where == "world_from_mesh");
  }
  const auto far = test::similarity(1, Mat3::Identity(), {1e301, 0, 0});
  CHECK(search.pairs(box, kHere, box, far).error().code == ErrorCode::kInvalidArgument);
  CHECK(search.pairs(box, kHere, box, kHere)->size() > 12);
}

// --- one mesh with itself

Pairs self_by_brute_force(const TriangleMesh& mesh, const Similarity& pose) {
  const TriangleMesh moved = posed(mesh, pose);
  Pairs pairs;
  for (std::uint32_t t = 0; t < moved.triangles.size(); ++t)
    for (std::uint32_t u = t + 1; u < moved.triangles.size(); ++u) {
      const Corners p = corners_of(moved, t), q = corners_of(moved, u);
      const bool share = std::any_of(p.index.begin(), p.index.end(), [&](std::uint32_t v) {
        return std::find(q.index.begin(), q.index.end(), v) != q.index.end();
      });
      if (!share && test::have_common_point(p.point, q.point)) pairs.push_back({t, u});
    }
  return pairs;
}

TEST_CASE("a mesh touches itself where asking all pairs without a common vertex finds it") {
  Random random(2);
  PairSearch search;
  int touching = 0;
  for (int i = 0; i < test::campaign(1000); ++i) {
    TriangleMesh mesh = test::lattice_soup(random, 30, i % 2 == 0 ? 6 : 1U << 20);
    if (i % 3 == 0) mesh = weld(test::checked(mesh));
    const double scale = i % 2 == 0 ? 1 : 0x1p-20;
    const Similarity pose = i % 5 == 0 ? kHere
                                       : test::similarity(scale, test::random_turn(random),
                                                          test::random_vector(random));
    const Pairs expected = self_by_brute_force(mesh, pose);
    const auto pairs = search.self_pairs(tree_of(mesh, TreeQuality(i % 3)), pose);
    REQUIRE(pairs);
    REQUIRE(std::equal(pairs->begin(), pairs->end(), expected.begin(), expected.end()));
    touching += expected.empty() ? 0 : 1;
  }
  CHECK(touching > test::campaign(1000) / 2);
}

TEST_CASE("a sheet that is folded until it meets itself is found after a refit") {
  const TriangleMesh flat = test::square_sheet(8);
  MeshTree tree = tree_of(flat, TreeQuality::kFast);
  PairSearch search;
  CHECK(search.self_pairs(tree)->empty());
  TriangleMesh folded = flat;
  for (Vec3& v : folded.vertices)  // the half beyond 1/2 stands up, leans back and cuts the other
    if (v.x() > 0.5) v = {1 - v.x(), v.y(), 0.5 * (v.x() - 0.5) - 0.0625};
  REQUIRE(tree.refit(test::checked(folded)));
  const auto pairs = search.self_pairs(tree);
  const Pairs expected = self_by_brute_force(folded, kHere);
  CHECK(std::equal(pairs->begin(), pairs->end(), expected.begin(), expected.end()));
  CHECK(expected.size() > 10);
}

}  // namespace
}  // namespace plimsoll
