#include <doctest/doctest.h>
#include <plimsoll/body_pairs.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "core/generation.h"
#include "pairs/pair_cases.h"
#include "support/campaign.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

struct Placed {
  MeshTree tree;
  Similarity pose = Similarity::Identity();
  std::uint32_t group = 0;
  std::set<BodyId> ignored = {};  // of larger id
};
using All = std::map<BodyId, Placed>;
using Pairs = std::map<BodyPair, std::vector<TrianglePair>>;

// Of balls around their boxes, with room for what is rounded.
bool are_far_apart(const Placed& a, const Placed& b) {
  const auto center = [](const Placed& body) -> Vec3 {
    return body.pose * body.tree.box().center();
  };
  const auto reach = [](const Placed& body) {
    return body.pose.linear().col(0).norm() * body.tree.box().diagonal().norm() / 2;
  };
  if (a.tree.triangle_count() == 0 || b.tree.triangle_count() == 0) return true;
  const double room = 1e-9 * (center(a).norm() + center(b).norm() + reach(a) + reach(b));
  return (center(a) - center(b)).norm() > reach(a) + reach(b) + room;
}

// Every body asked with every other, but for those that are far apart.
Pairs by_brute_force(const All& all) {
  Pairs touching;
  PairSearch search;
  for (auto a = all.begin(); a != all.end(); ++a)
    for (auto b = std::next(a); b != all.end(); ++b) {
      if (are_far_apart(a->second, b->second)) continue;
      if (a->second.group != 0 && a->second.group == b->second.group) continue;
      if (a->second.ignored.contains(b->first)) continue;
      const auto pairs =
          search.pairs(a->second.tree, a->second.pose, b->second.tree, b->second.pose);
      REQUIRE(pairs);
      if (!pairs->empty()) touching[{a->first, b->first}].assign(pairs->begin(), pairs->end());
    }
  return touching;
}

void require_pairs(BodyPairSearch& bodies, const Pairs& expected) {
  const auto found = bodies.pairs();
  REQUIRE(found.size() == expected.size());
  std::size_t i = 0;
  for (const auto& [pair, pairs] : expected) {
    REQUIRE(BodyPair{found[i].a, found[i].b} == pair);
    REQUIRE(std::equal(pairs.begin(), pairs.end(), found[i].pairs.begin(), found[i].pairs.end()));
    ++i;
  }
}

void require_touching(BodyPairSearch& bodies, const Pairs& expected) {
  const auto found = bodies.touching();
  REQUIRE(found.size() == expected.size());
  REQUIRE(std::equal(found.begin(), found.end(), expected.begin(),
                     [](const BodyPair& pair, const auto& entry) { return pair == entry.first; }));
}

MeshTree tree_of(const TriangleMesh& mesh) { return MeshTree(test::checked(mesh)); }

std::vector<MeshTree> shapes(Random& random) {
  return {tree_of(make_box({1, 1, 1})),     tree_of(make_icosphere(0.7, 1)),
          tree_of(test::square_sheet(3)),   tree_of(test::lattice_soup(random, 9, 3)),
          tree_of(make_box({30, 30, 0.5})), tree_of({})};
}

Similarity some_pose(Random& random, double reach) {
  // Half of them on a lattice, so that bodies touch in corners, edges and faces.
  if (random.below(2) == 0)
    return test::similarity(1, test::random_turn(random), reach * test::random_vector(random));
  Similarity pose = Similarity::Identity();
  pose.translation() = test::lattice_point(random, static_cast<std::uint64_t>(2 * reach)) -
                       Vec3::Constant(std::floor(reach));
  return pose;
}

TEST_CASE("bodies that come, go, move and deform touch as asking each with each finds") {
  Random random(1);
  const std::vector<MeshTree> shape = shapes(random);
  // From crowds in which all touch to a few here and there.
  for (const double reach : {1.5, 4.0, 9.0}) {
    BodyPairSearch bodies;
    All all;
    const auto any = [&] {
      return std::next(all.begin(), static_cast<int>(random.below(all.size())))->first;
    };
    for (int step = 0; step < test::campaign(300); ++step) {
      CAPTURE(step);
      // Now one body is changed, now most of them.
      const std::uint64_t changes = random.below(4) == 0 ? random.below(60) : random.below(4);
      for (std::uint64_t i = 0; i < changes; ++i) {
        const std::uint64_t what = all.empty() ? 0 : random.below(12);
        if (what <= (all.size() < 50 ? 3U : 0U)) {
          const Placed body{shape[random.below(shape.size())], some_pose(random, reach)};
          const Result<BodyId> id = bodies.add(body.tree, body.pose);
          REQUIRE(id);
          REQUIRE(all.emplace(*id, body).second);
        } else if (what == 4) {
          const BodyId id = any();
          REQUIRE(bodies.remove(id));
          CHECK(!bodies.remove(id));
          CHECK(!bodies.move(id, Similarity::Identity()));
          all.erase(id);
        } else if (what == 5) {
          Placed& body = all.at(any());
          body.tree = shape[random.below(shape.size())];
          const auto at = std::find_if(all.begin(), all.end(),
                                       [&](const auto& entry) { return &entry.second == &body; });
          REQUIRE(bodies.reshape(at->first, body.tree));
        } else if (what == 10) {
          const BodyId id = any();
          all.at(id).group = static_cast<std::uint32_t>(random.below(3));
          REQUIRE(bodies.set_group(id, all.at(id).group));
        } else if (what == 11) {
          const BodyId id = any(), other = any();
          if (id == other) continue;
          std::set<BodyId>& ignored = all.at(std::min(id, other)).ignored;
          const bool is_ignored = random.below(3) != 0;
          REQUIRE(bodies.ignore(id, other, is_ignored));
          if (is_ignored)
            ignored.insert(std::max(id, other));
          else
            ignored.erase(std::max(id, other));
        } else {
          const BodyId id = any();
          all.at(id).pose = some_pose(random, reach);
          REQUIRE(bodies.move(id, all.at(id).pose));
        }
      }
      REQUIRE(bodies.body_count() == all.size());
      const Pairs expected = by_brute_force(all);
      if (random.below(2) == 0) require_touching(bodies, expected);
      if (random.below(2) == 0) require_pairs(bodies, expected);
      if (random.below(2) == 0) require_touching(bodies, expected);
    }
  }
}

TEST_CASE("a body in the place of one that was left out is asked about") {
  BodyPairSearch bodies;
  const MeshTree cube = tree_of(make_box({1, 1, 1}));
  const BodyId one = *bodies.add(cube), two = *bodies.add(cube), three = *bodies.add(cube);
  REQUIRE(bodies.ignore(one, two));
  REQUIRE(bodies.set_group(one, 1));
  REQUIRE(bodies.set_group(three, 1));
  CHECK(bodies.touching().size() == 1);
  REQUIRE(bodies.remove(one));
  const BodyId four = *bodies.add(cube);
  CHECK(four.index == one.index);
  CHECK(bodies.touching().size() == 3);
  REQUIRE(bodies.ignore(four, two));
  CHECK(bodies.pairs().size() == 2);
  REQUIRE(bodies.ignore(two, four, false));
  CHECK(bodies.pairs().size() == 3);
}

TEST_CASE("a thousand bodies, still, in a heap, under a huge one, or moved one in a hundred") {
  Random random(2);
  const MeshTree cube = tree_of(make_box({1, 1, 1})), hall = tree_of(make_box({40, 40, 40}));
  for (const double reach : {2.5, 9.0}) {
    BodyPairSearch bodies;
    All all;
    for (int i = 0; i < (reach < 3 ? 150 : 1000); ++i) {
      const Placed body{i == 17 ? hall : cube, some_pose(random, reach)};
      all.emplace(*bodies.add(body.tree, body.pose), body);
    }
    require_pairs(bodies, by_brute_force(all));
    require_pairs(bodies, by_brute_force(all));
    // In the heap many steps, so that some that moved before are met by one that moves now.
    const int last = reach < 3 ? 20 : 2;
    for (int step = 0; step <= last; ++step) {
      for (auto& [id, body] : all)
        if (step == last || random.below(100) == 0)
          REQUIRE(bodies.move(id, body.pose = some_pose(random, reach)));
      require_pairs(bodies, by_brute_force(all));
    }
  }
}

// Boxes of bodies may be no smaller than rounding makes the posed bodies.
TEST_CASE("cubes of a turned lattice touch their neighbors, however far from the origin") {
  Random random(3);
  const MeshTree cube = tree_of(make_box({1, 1, 1}));
  for (const double distance : {0.0, 1e3, 1e9}) {
    const Mat3 turn = test::random_turn(random);
    const Vec3 at = distance * test::random_vector(random);
    BodyPairSearch bodies;
    All all;
    for (int i = 0; i < 64; ++i) {
      const Placed body{cube,
                        test::similarity(1, turn, at + turn * Vec3(i % 4, i / 4 % 4, i / 16))};
      all.emplace(*bodies.add(body.tree, body.pose), body);
    }
    const Pairs expected = by_brute_force(all);
    CHECK(expected.size() > 64);
    require_pairs(bodies, expected);
  }
}

// A place is given up after 2^32 - 1 bodies: an id would come again.
TEST_CASE("the last generation of a place has none after it") {
  constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();
  CHECK(has_next_generation(0));
  CHECK(has_next_generation(kLast - 1));
  CHECK(!has_next_generation(kLast));
}

TEST_CASE("bad poses and ids of no body are errors and change nothing") {
  BodyPairSearch bodies;
  const MeshTree cube = tree_of(make_box({1, 1, 1}));
  const BodyId one = *bodies.add(cube), two = *bodies.add(cube);
  Similarity flat = Similarity::Identity();
  flat.linear().col(0).setZero();
  CHECK(bodies.add(cube, flat).error().where == "world_from_body");
  CHECK(bodies.move(one, flat).error().where == "world_from_body");
  CHECK(bodies.move({7, 1}, Similarity::Identity()).error().code == ErrorCode::kInvalidArgument);
  CHECK(!bodies.remove({0, 0}));
  CHECK(!bodies.reshape({one.index, one.generation + 1}, cube));
  CHECK(bodies.body_count() == 2);
  REQUIRE(bodies.touching().size() == 1);
  CHECK(bodies.touching()[0] == BodyPair{one, two});
  REQUIRE(bodies.remove(one));
  CHECK(bodies.touching().empty());
  const BodyId three = *bodies.add(cube);
  CHECK(three != one);
  CHECK(!bodies.ignore(one, two));
  CHECK(!bodies.ignore(two, one));
  CHECK(!bodies.ignore(two, two));
  CHECK(!bodies.set_group(one, 1));
  CHECK(!bodies.move(one, Similarity::Identity()));
  CHECK(bodies.pairs().size() == 1);
}

}  // namespace
}  // namespace plimsoll
