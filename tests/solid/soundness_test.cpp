#include "solid/soundness.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>

#include <algorithm>
#include <array>
#include <utility>

#include "solid/assembly.h"

namespace plimsoll {
namespace {

using test::all;
using test::Assembly;
using test::assess;
using test::faults_in_all_ways;
using test::faults_of;
using test::is_sound;
using test::is_sound_in_all_ways;
using test::kCrossing;
using test::kInward;
using test::kNested;
using test::kOpposed;
using test::Pairs;

TEST_CASE("a box, outward or inward, is sound and has no pairs") {
  const Soundness found = assess(make_box(all(1)));
  CHECK(is_sound(found));
  CHECK(found.self_intersecting_pairs == 0u);
  CHECK(is_sound_in_all_ways(Assembly().add_box(all(0), all(1))));
}

TEST_CASE("pairs are counted only where they are asked for") {
  Assembly boxes;
  boxes.add_box(all(0), all(2)).add_box(all(1), all(3));
  CHECK(assess(boxes.welded(), Pairs::kAll).self_intersecting_pairs > 0u);
  CHECK_FALSE(assess(boxes.welded(), Pairs::kBetweenPatches).self_intersecting_pairs.has_value());
}

// --- in each other, without touching ---

TEST_CASE("a cavity, an island in a cavity and a cavity in the island are sound") {
  Assembly shells;
  for (int depth = 0; depth < 5; ++depth) {
    shells.add_box(all(depth), all(20 - depth), depth % 2 == 0);
    CHECK(is_sound_in_all_ways(shells));
  }
}

TEST_CASE("a shell in another turned the same way is nested, however deep") {
  CHECK(faults_in_all_ways(Assembly().add_box(all(0), all(9)).add_box(all(1), all(8))) == kNested);
  // An island in a cavity that has no cavity around it.
  CHECK(faults_in_all_ways(Assembly()
                               .add_box(all(0), all(9))
                               .add_box(all(1), all(8), kInward)
                               .add_box(all(2), all(7))
                               .add_box(all(3), all(6))) == kNested);
  // A cavity in a cavity: space is counted -1 times there, as it is beside an inward shell.
  CHECK(faults_in_all_ways(Assembly()
                               .add_box(all(0), all(9))
                               .add_box(all(1), all(8), kInward)
                               .add_box(all(2), all(7), kInward)) == kNested);
  CHECK(faults_in_all_ways(
            Assembly().add_box(all(0), all(9)).add_box(all(1), all(8)).add_box(all(2), all(7))) ==
        kNested);
}

TEST_CASE("shells beside each other turned opposite ways are opposed, near and far") {
  for (const double gap : {0.0, 0.5, 1e9}) {
    Assembly boxes;
    boxes.add_box(all(0), all(1)).add_box(Vec3(1 + gap, 0, 0), Vec3(2 + gap, 1, 1), kInward);
    if (gap > 0) CHECK(faults_in_all_ways(boxes) == kOpposed);
    CHECK_FALSE(is_sound(assess(boxes.welded())));
  }
}

TEST_CASE("shells are opposed in whatever bounds nothing around them") {
  Assembly boxes;
  boxes.add_box(all(0), all(9)).add_box(all(0), all(9), kInward);
  boxes.add_box(all(1), all(2));
  CHECK(is_sound_in_all_ways(boxes));
  boxes.add_box(all(3), all(4), kInward);
  CHECK(faults_in_all_ways(boxes) == kOpposed);
}

TEST_CASE("of an open surface the pairs of its own triangles are counted") {
  TriangleMesh mesh = Assembly().add_box(all(0), all(2)).add_box(all(1), all(3)).welded();
  const auto whole = assess(mesh).self_intersecting_pairs;
  mesh.triangles.erase(mesh.triangles.begin() + 2);  // of x = 2, which crosses the other box
  CHECK(faults_of(assess(mesh)) == kCrossing);
  CHECK(faults_of(assess(mesh, Pairs::kBetweenPatches)) == kCrossing);
  CHECK(assess(mesh).self_intersecting_pairs > 0u);
  CHECK(assess(mesh).self_intersecting_pairs < whole);
  CHECK(assess(mesh).defects.size() == assess(mesh).self_intersecting_pairs);
  CHECK_FALSE(assess(mesh, Pairs::kBetweenPatches).self_intersecting_pairs.has_value());
}

TEST_CASE("nested shells are told apart from shells whose boxes only seem to hold each other") {
  // The hole of a torus is outside of it.
  TriangleMesh torus = make_torus(3, 0.5, 24, 12);
  Assembly around;
  for (const Triangle& t : torus.triangles)
    around.add_triangle(torus.vertices[t[0]], torus.vertices[t[1]], torus.vertices[t[2]]);
  Assembly in_hole = around, in_tube = around;
  in_hole.add_box(all(-0.2), all(0.2));
  in_tube.add_box(Vec3(2.9, -0.1, -0.1), Vec3(3.1, 0.1, 0.1));
  CHECK(is_sound_in_all_ways(in_hole));
  CHECK(faults_in_all_ways(in_tube) == kNested);
}

// --- passing through each other ---

TEST_CASE("boxes that overlap cross, in general position and along a lattice") {
  CHECK(faults_in_all_ways(Assembly().add_box(all(0), all(2)).add_box(all(1), all(3))) ==
        kCrossing);
  // All that touch are faces in one plane and edges along edges.
  CHECK(
      faults_in_all_ways(
          Assembly().add_box(Vec3(0, 0, 0), Vec3(2, 3, 5)).add_box(Vec3(1, 0, 0), Vec3(3, 3, 5))) ==
      kCrossing);
  // Through a face like a peg in its hole, with nothing cut out.
  CHECK(faults_in_all_ways(Assembly()
                               .add_box(Vec3(0, 0, 0), Vec3(2, 6, 6))
                               .add_box(Vec3(-1, 2, 2), Vec3(3, 3, 3))) == kCrossing);
}

TEST_CASE("two copies in one place cross") {
  CHECK(faults_in_all_ways(Assembly().add_box(all(0), all(2)).add_box(all(0), all(2))) ==
        kCrossing);
}

TEST_CASE("a box in a box that touches a face of it from inside is not sound") {
  CHECK(faults_in_all_ways(
            Assembly().add_box(all(0), all(8)).add_box(Vec3(2, 2, 2), Vec3(8, 4, 4))) == kCrossing);
  // In a point only: then it simply lies inside.
  CHECK(faults_in_all_ways(Assembly()
                               .add_box(all(0), all(8))
                               .add_tetrahedron(Vec3(8, 4, 4), Vec3(6, 4, 5), Vec3(6, 5, 3),
                                                Vec3(6, 3, 3))) == kNested);
}

TEST_CASE("surfaces that cross exactly along edges of both cross") {
  // A beam through a block, both divided along the loops where it goes in and out, at different
  // points, so that no edge passes through a face and none but its ends is shared.
  Assembly plus;
  plus.add_box({0, 2, 4, 6}, {0, 2}, {0, 2});
  plus.add_box({2, 4}, {-2, 0, 1, 2, 4}, {-1, 0, 1, 2, 3});
  CHECK(faults_in_all_ways(plus) == kCrossing);
}

TEST_CASE("overlapping boxes divided along common edges count space twice") {
  // One shell, whose patches are joined by edges of four triangles and touch nowhere else.
  Assembly cross;
  cross.add_box({0, 2, 4, 6}, {0, 2}, {0, 2});
  cross.add_box({2, 4}, {-2, 0, 2, 4}, {-2, 0, 2, 4});
  CHECK(faults_in_all_ways(cross) != 0);
}

TEST_CASE("combs cross where their teeth overlap, and not where they interlock") {
  const auto combs = [](double shift) {
    Assembly assembly;
    const auto comb = [&](double x, double base, double tip) {
      assembly.add_box(Vec3(x, std::min(base, base * 2), 0),
                       Vec3(x + 30, std::max(base, base * 2), 1));
      for (int tooth = 0; tooth < 7; ++tooth)
        assembly.add_box(Vec3(x + 4 * tooth, std::min(base, tip), 0),
                         Vec3(x + 4 * tooth + 2, std::max(base, tip), 1));
    };
    comb(0, 5, -4);
    comb(shift, -5, 4);
    return assembly;
  };
  CHECK(is_sound_in_all_ways(combs(2)));  // the teeth fill each other's gaps
  CHECK(faults_in_all_ways(combs(2.5)) == kCrossing);
  CHECK(faults_in_all_ways(combs(0)) == kCrossing);
}

TEST_CASE("a tube that passes through itself is found out only where it is asked") {
  const std::vector<Vec3> loop{Vec3(0, 0, 0), Vec3(10, 0, 0), Vec3(10, 10, 0.1), Vec3(5, 10, 0.1),
                               Vec3(5, -5, 0.1)};
  const TriangleMesh tube = make_tube(loop, 1, 12);
  const Soundness asked = assess(tube, Pairs::kAll);
  CHECK(asked.crossing);
  CHECK_FALSE(asked.nested);
  CHECK_FALSE(asked.opposed);
  CHECK(asked.self_intersecting_pairs > 0u);
  CHECK(is_sound(assess(tube, Pairs::kBetweenPatches)));
  std::vector<Vec3> over = loop;
  over[3].z() = over[4].z() = 3;
  CHECK(is_sound(assess(make_tube(over, 1, 12), Pairs::kAll)));
}

TEST_CASE("nesting is seen beside a crossing") {
  Assembly boxes;
  boxes.add_box(all(0), all(4)).add_box(all(3), all(7));  // cross
  CHECK(faults_in_all_ways(boxes) == kCrossing);
  CHECK(faults_in_all_ways(Assembly(boxes).add_box(all(1), all(2))) == (kCrossing | kNested));
  CHECK(faults_in_all_ways(Assembly(boxes).add_box(all(1), all(2), kInward)) == kCrossing);
  CHECK(faults_in_all_ways(
            Assembly(boxes).add_box(all(10), all(12)).add_box(all(13), all(14), kInward)) ==
        (kCrossing | kOpposed));
}

// Each bar begins in the plane of a face of the first of the others, and passes through all others.
// The pairs are more than are listed; the first thousand in the order of the tree only touch.
TEST_CASE(
    "bars that pass through each other do, though they touch as well and are too many to list") {
  constexpr int kCount = 300;
  Assembly bars;
  for (int i = 0; i < kCount; ++i)
    bars.add_box(Vec3(0, i, 0), Vec3(2 * kCount, i + 0.5, 1))
        .add_box(Vec3(i, 0, 0.25), Vec3(i + 0.5, 2 * kCount, 0.75));
  const Soundness found = assess(bars.welded(), Pairs::kBetweenPatches);
  CHECK(found.crossing);
  CHECK_FALSE(found.undecided);
}

TEST_CASE("a wall with much on both sides is sound, as far as that can be decided") {
  // Walls of no thickness stand on it along x inside, along y outside. They bound nothing.
  const auto wall = [](int count) {
    Assembly assembly;
    assembly.add_box(all(0), all(1000));
    for (int i = 1; i <= count; ++i)
      for (const bool up : {false, true}) {
        assembly.add_rectangle(0, 7 * i, {1, 999}, {990, 1000}, up);
        assembly.add_rectangle(1, 7 * i, {1000, 1010}, {1, 999}, up);
      }
    return assembly.welded();
  };
  CHECK(is_sound(assess(wall(20), Pairs::kBetweenPatches)));
  CHECK(is_sound(assess(wall(120), Pairs::kBetweenPatches)));  // each face in 7,200 parts
  const Soundness many = assess(wall(135), Pairs::kBetweenPatches);
  CHECK(many.crossing);  // not proved, so not called sound
  CHECK(many.undecided);
}

// A tube that passes through itself, with a box in it.
TEST_CASE("a nested shell is one whether pairs are counted or not") {
  const std::vector<Vec3> loop{Vec3(0, 0, 0), Vec3(10, 0, 0), Vec3(10, 10, 0.1), Vec3(5, 10, 0.1),
                               Vec3(5, -5, 0.1)};
  const TriangleMesh box = test::moved(make_box({0.2, 0.2, 0.2}), Vec3(8, 0, 0));
  const TriangleMesh tube = test::joined(make_tube(loop, 1, 12), box);
  for (const Pairs pairs : {Pairs::kAll, Pairs::kBetweenPatches}) {
    const Soundness found = assess(tube, pairs);
    CHECK(found.nested);
    CHECK_FALSE(found.opposed);
    CHECK(found.crossing == (pairs == Pairs::kAll));
    REQUIRE(!found.defects.empty());
    CHECK(found.defects[0].kind == DefectKind::kNestedShell);
  }
}

// --- where ---

TEST_CASE("of many shells within each other as many are listed as were asked for") {
  Assembly boxes;
  for (int i = 0; i < 300; ++i) boxes.add_box(all(i), all(1000 - i));
  const TriangleMesh mesh = boxes.welded();
  for (const std::size_t limit : {0, 1, 10, 100, 1000}) {
    const Soundness found = assess(mesh, Pairs::kBetweenPatches, limit);
    CHECK(found.nested);
    CHECK_FALSE(found.crossing);
    CHECK_FALSE(found.opposed);
    CHECK(found.defects.size() == std::min<std::size_t>(limit, 299));
    for (const Defect& defect : found.defects) {
      CHECK(defect.kind == DefectKind::kNestedShell);
      CHECK(defect.triangle >= 12);  // not the outermost
    }
  }
  // The outermost of them is in none, so that it stands beside another that is turned inward.
  boxes.add_box(all(2000), all(2001), kInward);
  const Soundness beside = assess(boxes.welded(), Pairs::kBetweenPatches, 1);
  CHECK(beside.opposed);
  CHECK(beside.nested);
}

TEST_CASE("defects name the shell at fault and the place of a crossing") {
  const TriangleMesh nested = Assembly().add_box(all(0), all(9)).add_box(all(1), all(8)).welded();
  const Soundness within = assess(nested);
  REQUIRE(within.defects.size() == 1);
  CHECK(within.defects[0].kind == DefectKind::kNestedShell);
  CHECK(within.defects[0].triangle >= 12);

  const TriangleMesh opposed =
      Assembly().add_box(all(0), all(1)).add_box(all(2), all(3), kInward).welded();
  const Soundness beside = assess(opposed);
  REQUIRE(beside.defects.size() == 1);
  CHECK(beside.defects[0].kind == DefectKind::kInwardShell);
  CHECK(beside.defects[0].triangle >= 12);
  CHECK(Box3(all(2), all(3)).contains(beside.defects[0].at));

  const Soundness crossing = assess(
      Assembly().add_box(all(0), all(2)).add_box(all(1), all(3)).welded(), Pairs::kBetweenPatches);
  REQUIRE_FALSE(crossing.defects.empty());
  for (const Defect& defect : crossing.defects) {
    CHECK(defect.kind == DefectKind::kSelfIntersection);
    CHECK(Box3(all(1), all(2)).contains(defect.at));  // where they overlap
  }
}

TEST_CASE("no more defects are listed than wanted, and none of a sound mesh whose pairs are not") {
  Assembly boxes;
  for (int i = 0; i < 5; ++i) boxes.add_box(all(i), all(i + 2));
  for (const std::size_t limit : {0u, 1u, 7u})
    CHECK(assess(boxes.welded(), Pairs::kAll, limit).defects.size() == limit);
  Assembly stack;
  stack.add_box(all(0), all(1)).add_box(Vec3(1, 0, 0), Vec3(2, 1, 1));
  CHECK(assess(stack.welded(), Pairs::kBetweenPatches).defects.empty());
  // Asked for, pairs are shown although they do no harm.
  const Soundness asked = assess(stack.welded(), Pairs::kAll);
  CHECK(asked.defects.size() == asked.self_intersecting_pairs);
}

TEST_CASE("what is found does not depend on the number of threads") {
  Assembly boxes;
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    const auto whole = [&](std::uint64_t below) {
      return static_cast<double>(random.below(below));
    };
    const Vec3 low(whole(30), whole(30), whole(30));
    boxes.add_box(low, low + all(1 + whole(3)), random.below(9) != 0);
  }
  const TriangleMesh mesh = boxes.welded();
  std::vector<Soundness> found;
  for (const int threads : {1, 2, 8}) with_threads(threads, [&] { found.push_back(assess(mesh)); });
  for (const Soundness& other : found) {
    CHECK(faults_of(other) == faults_of(found[0]));
    CHECK(other.self_intersecting_pairs == found[0].self_intersecting_pairs);
    REQUIRE(other.defects.size() == found[0].defects.size());
    for (std::size_t i = 0; i < other.defects.size(); ++i) {
      CHECK(other.defects[i].triangle == found[0].defects[i].triangle);
      CHECK(other.defects[i].at == found[0].defects[i].at);
    }
  }
}

}  // namespace
}  // namespace plimsoll
