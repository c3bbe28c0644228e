// How much is looked at where pieces of surface lie upon each other, and what a limit leaves.
#include <doctest/doctest.h>

#include <utility>

#include "solid/assembly.h"
#include "support/hard_bodies.h"

namespace plimsoll {
namespace {

using test::assess;
using test::Pairs;

/// Each triangle of `sheet` that is turned over in it is parted in three at its middle.
TriangleMesh with_parted_copies(const TriangleMesh& sheet) {
  TriangleMesh parted = sheet;
  parted.triangles.clear();
  for (std::size_t t = 0; t < sheet.triangles.size(); t += 2) {
    parted.triangles.push_back(sheet.triangles[t]);
    const auto [a, b, c] = sheet.triangles[t + 1];
    const auto middle = static_cast<std::uint32_t>(parted.vertices.size());
    parted.vertices.push_back((sheet.vertices[a] + sheet.vertices[b] + sheet.vertices[c]) / 3);
    for (const auto& [p, q] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)})
      parted.triangles.push_back({p, q, middle});
  }
  return parted;
}

TEST_CASE("triangles that cancel their copies are not cut into cells") {
  for (const std::uint32_t n : {10u, 40u}) {
    for (const Pairs pairs : {Pairs::kAll, Pairs::kBetweenPatches}) {
      const Soundness found = assess(test::doubled_sheet(n, 7), pairs);
      CHECK(found.looks == 0);
      CHECK(test::is_sound(found));
    }
  }
  // In the face of a solid they lie on what is not cancelled.
  TriangleMesh box = make_box({2, 2, 2});
  box.vertices.insert(box.vertices.end(), {{-0.5, -0.5, 1}, {0.5, -0.5, 1}, {0, 0.5, 1}});
  box.triangles.insert(box.triangles.end(), {{8, 9, 10}, {10, 9, 8}});
  const Soundness found = assess(box);
  CHECK(found.looks > 0);
  CHECK(test::is_sound(found));
}

TEST_CASE("cells of cubes that touch grow as their number") {
  // Diagonals of faces that lie on each other are not the same in all of them.
  const auto looks = [](std::uint32_t n) {
    return static_cast<double>(assess(test::askew(test::touching_cubes(n))).looks);
  };
  const double few = looks(2), many = looks(3);
  CHECK(few > 0);
  CHECK(many <= 7 * few);  // 27 cubes beside 8, of which more faces lie on others
}

TEST_CASE("what lies upon itself in many pieces is undecided beyond the limit of looks") {
  const TriangleMesh flat = with_parted_copies(test::doubled_sheet(8, 3));
  const MeshHealth decided = examine(test::checked(flat));
  CHECK(decided.status == MeshStatus::kZeroVolume);
  const std::uint64_t needed = assess(flat, Pairs::kBetweenPatches).looks;
  CHECK(needed > 1000);
  CHECK(examine(test::checked(flat), {.max_looks = needed}).status == MeshStatus::kZeroVolume);
  for (const std::uint64_t limit : {needed - 1, needed / 3, std::uint64_t{0}}) {
    const MeshHealth cut = examine(test::checked(flat), {.max_looks = limit});
    CHECK(cut.status == MeshStatus::kUndecided);
    REQUIRE(cut.defects.size() > 0);
    CHECK(cut.defects[0].kind == DefectKind::kSelfIntersection);
  }
}

TEST_CASE("needles that nothing tells apart are undecided where that takes more work") {
  const CheckedMesh needles = test::checked(test::needles(300, 1));
  CHECK(examine(needles).status == MeshStatus::kOk);
  for (const bool with_pairs : {false, true}) {
    const MeshHealth cut =
        examine(needles, {.check_self_intersections = with_pairs, .max_looks = 0});
    CHECK(cut.status == MeshStatus::kUndecided);
    CHECK(cut.has_more_pairs == with_pairs);
  }
  // Pairs of an open mesh are counted apart.
  TriangleMesh open = test::needles(300, 1);
  open.triangles.pop_back();
  const MeshHealth cut =
      examine(test::checked(open), {.check_self_intersections = true, .max_looks = 0});
  CHECK(cut.findings.undecided);
  CHECK(cut.has_more_pairs);
  CHECK(cut.self_intersecting_pairs == 0u);
}

}  // namespace
}  // namespace plimsoll
