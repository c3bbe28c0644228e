// The connected parts of what two solids share, against cells and closed forms.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "core/disjoint_sets.h"
#include "core/random.h"
#include "overlap/random_cells.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

/// The volumes of the connected parts that two sets of cells share, the second moved by `shift`.
std::vector<double> shared_parts(const test::Cells& a, const test::Cells& b, const Vec3& shift) {
  std::vector<Box3> boxes;
  for (const test::Cell& i : a.list())
    for (const test::Cell& j : b.list()) {
      const Vec3 low_a(i[0], i[1], i[2]), low_b = Vec3(j[0], j[1], j[2]) + shift;
      const Box3 box(low_a.cwiseMax(low_b), (low_a.cwiseMin(low_b) + Vec3::Ones()).eval());
      if ((box.sizes().array() > 0).all()) boxes.push_back(box);
    }
  DisjointSets sets(boxes.size());
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = 0; j < i; ++j) {
      const Vec3 common =
          boxes[i].max().cwiseMin(boxes[j].max()) - boxes[i].min().cwiseMax(boxes[j].min());
      if ((common.array() > 0).count() == 2 && common.minCoeff() == 0) sets.join(i, j);
    }
  std::map<std::uint32_t, double> volume;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) volume[sets.find(i)] += boxes[i].volume();
  std::vector<double> volumes;
  for (const auto& [root, size] : volume) volumes.push_back(size);
  std::sort(volumes.rbegin(), volumes.rend());
  return volumes;
}

using test::joined;
using test::moved;
using test::turned;

SolidTree solid(const TriangleMesh& mesh) { return SolidTree(MeshTree(test::checked(mesh))); }

Similarity at(const Vec3& x) {
  Similarity pose = Similarity::Identity();
  pose.translation() = x;
  return pose;
}

Overlap with_pieces(const SolidTree& a, const Similarity& pose_a, const SolidTree& b,
                    const Similarity& pose_b) {
  OverlapSearch search;
  const Result<Overlap> shared = search.overlap(a, pose_a, b, pose_b, {.pieces = true});
  REQUIRE(shared);
  REQUIRE(shared->pieces);
  double sum = 0, error = shared->volume_error;
  Vec3 first = Vec3::Zero();
  for (const OverlapPiece& piece : *shared->pieces) {
    CHECK(piece.volume > 0);
    sum += piece.volume;
    error += piece.volume_error;
    first += piece.volume * piece.center;
  }
  CHECK(std::fabs(sum - shared->volume) <= error);
  // Coordinates are some units at most, and the centers off by as much as the volumes.
  if (shared->center) CHECK((first / sum - *shared->center).norm() <= 16 * error / sum);
  return *shared;
}

void check_volumes(const Overlap& shared, const std::vector<double>& expected, double posing) {
  REQUIRE(shared.pieces->size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const OverlapPiece& piece = (*shared.pieces)[i];
    CHECK(std::fabs(piece.volume - expected[i]) <= piece.volume_error + posing);
  }
}

// Cells are moved by eighths, often by none, so that faces coincide; or turned as well, by numbers
// that leave no two faces in one plane. Posing rounds coordinates below 16 by 2^-49 at most, of
// surfaces of less than 400.
TEST_CASE("pieces of cells are those that have faces in common") {
  Random random(411);
  std::size_t several = 0, coincident = 0;
  constexpr int kRounds = 4000;
  for (int round = 0; round < test::campaign(kRounds); ++round) {
    CAPTURE(round);
    const test::Cells a = test::random_cells(random), b = test::random_cells(random);
    if (a.list().empty() || b.list().empty()) continue;
    Vec3 shift;
    for (double& x : shift) x = static_cast<double>(random.below(17)) / 8 - 1;
    const bool is_turned = round % 3 == 0;
    if (is_turned) shift += Vec3(0.0625, 0.0625, 0.0625);
    const std::vector<double> expected = shared_parts(a, b, shift);
    Similarity turn = Similarity::Identity();
    if (is_turned) turn = test::random_similarity(random, 1);
    const double scale = std::pow(turn.linear().col(0).norm(), 3);
    std::vector<double> scaled;
    for (const double volume : expected) scaled.push_back(scale * volume);
    const Overlap shared =
        with_pieces(solid(a.surface()), turn, solid(b.surface()), turn * at(shift));
    check_volumes(shared, scaled, is_turned ? 0x1p-49 * 400 : 0);
    several += expected.size() > 1;
    coincident += !is_turned && shared.is_one_sided;
  }
  CHECK(several > static_cast<std::size_t>(test::campaign(kRounds)) / 10);
  CHECK(coincident > static_cast<std::size_t>(test::campaign(kRounds)) / 10);
}

TEST_CASE("a cavity belongs to the piece around it") {
  // Two hollow boxes, of walls of different thickness, and a block that holds both.
  const auto hollow = [](double hole, const Vec3& x) {
    return moved(joined(make_box({2, 2, 2}), turned(make_box({hole, hole, hole}))), x);
  };
  const SolidTree boxes = solid(joined(hollow(1, {0, 0, 0}), hollow(1.5, {4, 0, 0})));
  const SolidTree block = solid(make_box({12, 6, 6}));
  check_volumes(with_pieces(boxes, at({0, 0, 0}), block, at({0, 0, 0})), {7, 8 - 3.375}, 0);
  // Half of each: the cavity is open.
  check_volumes(with_pieces(boxes, at({0, 0, 3}), block, at({0, 0, 0})), {3.5, (8 - 3.375) / 2}, 0);
  // A hollow box in the hollow of another, and again within a block.
  const SolidTree nested = solid(joined(
      hollow(1.5, {0, 0, 0}), joined(make_box({1, 1, 1}), turned(make_box({0.5, 0.5, 0.5})))));
  check_volumes(with_pieces(nested, at({0, 0, 0}), block, at({0, 0, 0})), {8 - 3.375, 1 - 0.125},
                0);
}

/// A block with its top at 1 and a pit in it, a pyramid upside down of volume 2, whose tip is at
/// -0.5 under the upper left triangle of a square. Moved by x.
TriangleMesh pitted_block(const Vec3& x) {
  TriangleMesh mesh;
  const double s = 5, t = 1;
  const Vec3 m(-2, 2.5, 0);
  mesh.vertices = {{-s, -s, -1}, {s, -s, -1}, {s, s, -1}, {-s, s, -1},
                   {-s, -s, 1},  {s, -s, 1},  {s, s, 1},  {-s, s, 1}};
  for (const Vec3& d : {Vec3(-t, -t, 1), Vec3(t, -t, 1), Vec3(t, t, 1), Vec3(-t, t, 1)})
    mesh.vertices.push_back(m + d);
  mesh.vertices.push_back(m + Vec3(0, 0, -0.5));
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
                    {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t n = (k + 1) % 4;
    mesh.triangles.push_back({4 + k, 4 + n, 8 + n});
    mesh.triangles.push_back({4 + k, 8 + n, 8 + k});
    mesh.triangles.push_back({8 + k, 8 + n, 12});
  }
  return moved(mesh, x);
}

/// A block of 10 x 10 x 6 with a square shaft of 2 x 2 along z, around (-2, 2.5).
TriangleMesh shaft_block() {
  TriangleMesh mesh;
  const Vec3 around[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  for (const double z : {-3.0, 3.0}) {
    for (const Vec3& d : around) mesh.vertices.push_back(5 * d + Vec3(0, 0, z));
    for (const Vec3& d : around) mesh.vertices.push_back(d + Vec3(-2, 2.5, z));
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
  };
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t n = (k + 1) % 4;
    add(8 + k, 8 + n, 12 + n, 12 + k);
    add(n, k, 4 + k, 4 + n);
    add(k, n, 8 + n, 8 + k);
    add(4 + n, 4 + k, 12 + k, 12 + n);
  }
  return mesh;
}

// The pit goes through one triangle of the top of the slab, at 0: what is left of that is a ring,
// and of the pit a third of its height.
TEST_CASE("a pit that ends in one triangle is taken from its piece") {
  const double left = 100 - 2.0 / 27;
  const SolidTree slab = solid(make_box({20, 20, 4}));
  check_volumes(
      with_pieces(solid(pitted_block({0, 0, 0})), at({0.125, 0.25, 0}), slab, at({0, 0, -2})),
      {left}, 0);
  // Each pit from its own: the second goes deeper by a fourth of its height.
  const SolidTree two = solid(joined(pitted_block({0, 0, 0}), pitted_block({12, 0, -0.375})));
  check_volumes(
      with_pieces(two, at({0.125, 0.25, 0}), solid(make_box({40, 20, 4})), at({10, 0, -2})),
      {137.5 - 2 * std::pow(0.875 / 1.5, 3), left}, 0);
}

// A cavity that ends in a triangle is seen edge-on from its border, and rounding tells the side.
// Posing rounds coordinates below 32 by 2^-48 at most, of surfaces of less than 4000.
TEST_CASE("what ends in one triangle is taken from its piece however the bodies are turned") {
  const SolidTree pits = solid(joined(pitted_block({0, 0, 0}), pitted_block({12, 0, -0.375})));
  const SolidTree slab = solid(make_box({40, 20, 4}));
  // A pillar in a shaft through a block: the shaft is the block's, and not the pillar's.
  const SolidTree pillar = solid(joined(shaft_block(), moved(make_box({1, 1, 6}), {-2, 2.5, 0})));
  const SolidTree wide = solid(make_box({40, 40, 2}));
  Random random(414);
  for (int i = 0; i < 16; ++i) {
    CAPTURE(i);
    Similarity turn = test::random_similarity(random, 1);
    turn.linear() /= turn.linear().col(0).norm();
    check_volumes(with_pieces(pits, turn * at({0.125, 0.25, 0}), slab, turn * at({10, 0, -2})),
                  {137.5 - 2 * std::pow(0.875 / 1.5, 3), 100 - 2.0 / 27}, 0x1p-48 * 4000);
    check_volumes(with_pieces(wide, turn, pillar, turn * at({9, -9, 0})), {192, 2}, 0x1p-48 * 4000);
  }
}

TEST_CASE("a wall as thin as rounding is no piece, and the space in it no part of another") {
  const double hole = 2 - 0x1p-51;
  const SolidTree shells =
      solid(joined(joined(make_box({2, 2, 2}), turned(make_box({hole, hole, hole}))),
                   moved(make_box({3, 1, 1}), {4, 0, 0})));
  OverlapSearch search;
  const Result<Overlap> shared = search.overlap(shells, at({0, 0, 0}), solid(make_box({12, 6, 6})),
                                                at({0, 0, 0}), {.pieces = true});
  REQUIRE(shared);
  REQUIRE(shared->pieces);
  REQUIRE(shared->pieces->size() == 1);
  CHECK(std::fabs(shared->pieces->front().volume - 3) <= shared->pieces->front().volume_error);
}

TEST_CASE("teeth of a comb that are in a bar are pieces") {
  TriangleMesh comb;
  for (int i = 0; i < 7; ++i)
    comb = joined(comb, moved(make_box({0.5, 1 + 0.1 * i, 3}), {1.0 * i, 0, 0}));
  std::vector<double> expected;
  for (int i = 6; i >= 0; --i) expected.push_back(0.5 * (1 + 0.1 * i) * 0.5);
  // Coordinates of teeth are rounded, by 2^-53 each.
  check_volumes(
      with_pieces(solid(comb), at({0, 0, 0}), solid(make_box({20, 9, 1})), at({1, 0, 1.5})),
      expected, 0x1p-48);
}

TEST_CASE("pieces of bodies turned inward are those of the bodies turned outward") {
  const TriangleMesh posts = joined(make_box({1, 1, 3}), moved(make_box({1, 2, 3}), {4, 0, 0}));
  const TriangleMesh slab = make_box({20, 5, 1});
  for (const bool first : {false, true})
    for (const bool second : {false, true})
      check_volumes(with_pieces(solid(first ? turned(posts) : posts), at({0, 0, 0}),
                                solid(second ? turned(slab) : slab), at({0, 0, 0})),
                    {2, 1}, 0);
}

TEST_CASE("a surface that winds twice around what is shared has no pieces") {
  const SolidTree twice =
      solid(joined(make_box({2, 2, 2}), moved(make_box({2, 2, 2}), {1, 0.5, 0.25})));
  const SolidTree box = solid(make_box({1, 1, 1}));
  OverlapSearch search;
  const Result<Overlap> shared =
      search.overlap(twice, at({0, 0, 0}), box, at({0.5, 0.25, 0.125}), {.pieces = true});
  REQUIRE(shared);
  CHECK(!shared->pieces);
  // Where no edge of it passes the other.
  const Result<Overlap> within =
      search.overlap(twice, at({0, 0, 0}), solid(make_box({0.5, 0.5, 0.5})), at({0.5, 0.25, 0.125}),
                     {.pieces = true});
  REQUIRE(within);
  CHECK(within->curve_length == 0);
  CHECK(!within->pieces);
  // Where it winds once, they are told.
  const Result<Overlap> once =
      search.overlap(twice, at({0, 0, 0}), box, at({-1, -0.5, 0}), {.pieces = true});
  REQUIRE(once);
  REQUIRE(once->pieces);
  CHECK(once->pieces->size() == 1);
}

TEST_CASE(
    "of a solid that touches itself along an edge, pieces are one where it has a vertex there") {
  const SolidTree cubes = solid(joined(make_box({1, 1, 1}), moved(make_box({1, 1, 1}), {1, 1, 0})));
  check_volumes(with_pieces(cubes, at({0, 0, 0}), solid(make_box({9, 9, 9})), at({0, 0, 0})), {2},
                0);
  // Cubes whose middles differ, so that no vertex of one is one of the other.
  const SolidTree shifted =
      solid(joined(make_box({1, 1, 1}), moved(make_box({1, 1, 1}), {1, 1, 0.5})));
  check_volumes(with_pieces(shifted, at({0, 0, 0}), solid(make_box({9, 9, 9})), at({0, 0, 0})),
                {1, 1}, 0);
}

TEST_CASE("what passes the wall between two cubes that share a face is one piece") {
  const SolidTree cubes = solid(joined(make_box({1, 1, 1}), moved(make_box({1, 1, 1}), {1, 0, 0})));
  for (const double x : {0.5, 0.375, 0.61})
    check_volumes(
        with_pieces(cubes, at({0, 0, 0}), solid(make_box({0.5, 0.25, 0.25})), at({x, 0.06, -0.03})),
        {0.03125}, 1e-15);
}

TEST_CASE("pieces come with the volume, and only where they are asked for") {
  const SolidTree box = solid(make_box({1, 1, 1}));
  OverlapSearch search;
  const Result<Overlap> all =
      search.overlap(box, at({0, 0, 0}), box, at({0.5, 0, 0}), {.volume = false, .pieces = true});
  REQUIRE(all);
  CHECK(all->volume == 0.5);
  REQUIRE(all->pieces->size() == 1);
  CHECK((all->pieces->front().center - Vec3(0.25, 0, 0)).norm() <= 1e-15);
  const Result<Overlap> none = search.overlap(box, at({0, 0, 0}), box, at({0.5, 0, 0}));
  REQUIRE(none);
  CHECK(!none->pieces);
  const Result<Overlap> apart =
      search.overlap(box, at({0, 0, 0}), box, at({3, 0, 0}), {.pieces = true});
  REQUIRE(apart);
  REQUIRE(apart->pieces);
  CHECK(apart->pieces->empty());
}

// No curve tells: only the corners of the small box lie where the other winds twice.
TEST_CASE("a body where the other winds twice is in no piece, though no curve goes around it") {
  const TriangleMesh large = make_box({4, 4, 4});
  const SolidTree twice = solid(test::joined(large, test::moved(large, {1, 0.5, 0.25}))),
                  small = solid(make_box({0.2, 0.2, 0.2}));
  OverlapSearch search;
  const Similarity here = Similarity::Identity();
  const auto found = search.overlap(small, here, twice, here, {.pieces = true});
  REQUIRE(found);
  CHECK(found->curve_length == 0);
  CHECK_FALSE(found->pieces);
}

}  // namespace
}  // namespace plimsoll
