// Many long bodies that lie askew: the boxes of nearly all of them meet.
#include <doctest/doctest.h>
#include <plimsoll/body_pairs.h>

#include <algorithm>
#include <map>
#include <vector>

#include "pairs/body_hulls.h"
#include "support/checked.h"
#include "support/hard_scenes.h"

namespace plimsoll {
namespace {

using test::place_of_rod;

/// Of a tree of rods: pairs of nodes and of rods that hulls do not tell apart.
std::size_t looks(std::uint32_t n, double step) {
  const MeshTree rod(test::checked(test::thin_rod()));
  BodyHulls hulls;
  std::vector<Box3> boxes;
  std::vector<std::uint32_t> bodies;
  for (std::uint32_t i = 0; i < n * n; ++i) {
    const Similarity pose = place_of_rod(i, n, step);
    boxes.emplace_back(rod.box().min() + pose.translation(), rod.box().max() + pose.translation());
    hulls.pose(i, {&triangles_of(rod), pose});
    bodies.push_back(i);
  }
  const BoxTree tree(boxes);
  hulls.take(tree, bodies);
  std::size_t count = 0;
  visit_pairs_below(
      tree, {0, 0},
      [&](std::size_t a, std::size_t b) {
        ++count;
        return hulls.are_nodes_apart(a, b);
      },
      [&](std::size_t, std::size_t) { ++count; });
  return count;
}

TEST_CASE("rods side by side take looks as there are rods") {
  const std::size_t few = looks(16, 0.1), many = looks(32, 0.1);
  CHECK(many < 6 * few);
  CHECK(many < 200 * 32 * 32);
}

TEST_CASE("to find which rods are near each other ends with an error where it takes more work") {
  constexpr std::uint32_t kSide = 24;
  const MeshTree rod(test::checked(test::thin_rod()));
  BodyPairSearch all;
  for (std::uint32_t i = 0; i < kSide * kSide; ++i)
    REQUIRE(all.add(rod, place_of_rod(i, kSide, 0.1)));
  for (const double limit : {0.0, 100.0}) {
    const auto touching = all.touching(limit);
    REQUIRE_FALSE(touching);
    CHECK(touching.error().code == ErrorCode::kResourceLimit);
    CHECK(all.pairs(limit).error().where == "max_work");
  }
  CHECK(all.touching(1e5).value().empty());
  CHECK(all.pairs(0).value().empty());  // it is known
}

TEST_CASE("rods that touch are found among many that do not, also where some move") {
  constexpr std::uint32_t kSide = 24;
  const Mat3 askew = test::turn({1, 2, 3}, 0.7).linear();
  const MeshTree rod(test::checked(test::thin_rod()));
  BodyPairSearch all;
  std::vector<BodyId> ids;
  std::vector<Similarity> poses;
  Random random(3);
  for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
    poses.push_back(place_of_rod(i, kSide, 0.05));
    ids.push_back(*all.add(rod, poses.back()));
  }
  PairSearch search;
  const auto expected = [&] {
    std::vector<BodyPair> touching;
    for (std::size_t a = 0; a < ids.size(); ++a)
      for (std::size_t b = a + 1; b < ids.size(); ++b) {
        const Vec3 apart = askew.transpose() * (poses[a].translation() - poses[b].translation());
        if (std::abs(apart.y()) > 0.02 || std::abs(apart.z()) > 0.02) continue;
        if (search.touch(rod, poses[a], rod, poses[b])->has_value())
          touching.push_back({ids[a], ids[b]});
      }
    return touching;
  };
  const auto found = [&] {
    const auto touching = all.touching();
    return std::vector<BodyPair>(touching.begin(), touching.end());
  };
  CHECK(found().empty());
  for (const std::size_t some : {30, 5, 200}) {
    for (std::size_t k = 0; k < some; ++k) {
      const auto i = random.below(ids.size()), j = random.below(ids.size());
      poses[i] = poses[j];
      poses[i].translation() += askew * Vec3(random.uniform(-1, 1), random.uniform(0, 0.02), 0.005);
      REQUIRE(all.move(ids[i], poses[i]));
    }
    const std::vector<BodyPair> touching = expected();
    CHECK(!touching.empty());
    CHECK(found() == touching);
  }
  // Another shape in the same place is another hull.
  const MeshTree ball(test::checked(make_icosphere(1, 1)));
  REQUIRE(all.reshape(ids[100], ball));
  std::size_t meets = 0;
  for (std::size_t i = 0; i < ids.size(); ++i)
    meets += i != 100 && search.touch(ball, poses[100], rod, poses[i])->has_value() ? 1 : 0;
  const std::vector<BodyPair> now = found();
  CHECK(std::count_if(now.begin(), now.end(), [&](const BodyPair& pair) {
          return pair.a == ids[100] || pair.b == ids[100];
        }) == static_cast<std::ptrdiff_t>(meets));
  CHECK(meets > 3);
}

}  // namespace
}  // namespace plimsoll
