// Solids that touch each other or themselves, in every degenerate way.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/predicates.h"
#include "solid/assembly.h"

namespace plimsoll {
namespace {

using test::all;
using test::Assembly;
using test::assess;
using test::faults_in_all_ways;
using test::is_sound;
using test::is_sound_in_all_ways;
using test::kInward;
using test::kNested;
using test::Pairs;

TEST_CASE("boxes that share a vertex, an edge or a face are sound") {
  const Vec3 one = all(1);
  CHECK(is_sound_in_all_ways(Assembly().add_box(all(0), one).add_box(one, all(2))));
  CHECK(
      is_sound_in_all_ways(Assembly().add_box(all(0), one).add_box(Vec3(1, 1, 0), Vec3(2, 2, 1))));
  CHECK(
      is_sound_in_all_ways(Assembly().add_box(all(0), one).add_box(Vec3(1, 0, 0), Vec3(2, 1, 1))));
}

TEST_CASE("boxes that touch in part of a face, across edges or in a point are sound") {
  const Assembly base = Assembly().add_box(Vec3(0, 0, 0), Vec3(8, 8, 1));
  CHECK(is_sound_in_all_ways(Assembly(base).add_box(Vec3(1, 2, 1), Vec3(4, 4, 3))));
  CHECK(is_sound_in_all_ways(Assembly(base).add_box(Vec3(7, 7, 1), Vec3(9, 9, 2))));
  CHECK(is_sound_in_all_ways(Assembly(base).add_box(Vec3(8, 1, -1), Vec3(9, 3, 3))));
  // Edges crossing in one point.
  CHECK(is_sound_in_all_ways(
      Assembly(base).add_tetrahedron(Vec3(7, 4, 2), Vec3(9, 4, 0), Vec3(9, 5, 2), Vec3(9, 3, 2))));
  // A tip on a face, in its middle and on the diagonal.
  for (const Vec3& tip : {Vec3(5, 2, 1), Vec3(4, 4, 1)})
    CHECK(is_sound_in_all_ways(Assembly(base).add_tetrahedron(
        tip, tip + Vec3(1, 0, 1), tip + Vec3(-1, 1, 1), tip + Vec3(-1, -1, 1))));
}

TEST_CASE("a cavity that touches the outer wall in a point, an edge or a face is sound") {
  const Assembly wall = Assembly().add_box(all(0), all(8));
  CHECK(is_sound_in_all_ways(
      Assembly(wall).add_tetrahedron(Vec3(8, 4, 4), Vec3(6, 4, 5), Vec3(6, 3, 3), Vec3(6, 5, 3))));
  CHECK(is_sound_in_all_ways(Assembly(wall).add_box(Vec3(2, 2, 2), Vec3(8, 4, 4), kInward)));
  CHECK(is_sound_in_all_ways(Assembly(wall).add_box(Vec3(2, 2, 2), Vec3(8, 8, 4), kInward)));
}

/// A box each of whose triangles is touched by the edge of a tetrahedron: solids outside the box,
/// or else cavities in it. The first face of each is square to the box's.
Assembly touched_box(bool from_outside, bool outward) {
  Assembly box;
  box.add_box(all(0), all(8), outward);
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {0.0, 8.0})
      for (const double v : {2.0, 6.0}) {  // in different triangles, whichever way it is split
        const Vec3 u = Vec3::Unit((axis + 1) % 3), w = Vec3::Unit((axis + 2) % 3);
        const Vec3 out = (side > 0 ? 1 : -1) * Vec3::Unit(axis);
        const Vec3 on = side * Vec3::Unit(axis) + 4 * u + v * w;
        const Vec3 off = on + (from_outside ? 4 : -1) * out;
        Vec3 p[4] = {on - 0.25 * u, on + 0.25 * u, off, off + 0.25 * w};
        if ((orient3d(p[0], p[1], p[2], p[3]) > 0) != from_outside) std::swap(p[0], p[1]);
        box.add_tetrahedron(p[0], p[1], p[2], p[3]);
      }
  return box;
}

TEST_CASE("a box each of whose triangles is touched, from within or from outside, is sound") {
  CHECK(is_sound_in_all_ways(touched_box(false, true)));
  CHECK(is_sound_in_all_ways(touched_box(true, true)));
}

// The rays of the tetrahedra pass the box by, so that only its own shows that it is turned inward.
TEST_CASE("a box turned inward is opposed to the solids that touch each of its triangles") {
  CHECK(assess(touched_box(true, false).welded(), Pairs::kBetweenPatches).opposed);
}

// Wherever one of the middle box's walls is asked, another wall most likely lies on it: only along
// the edges is it by itself. Inside a larger box each of the seven is one too many.
TEST_CASE("a box all of whose walls but for a rim lie on others is judged by the rim") {
  Assembly boxes;
  boxes.add_box(all(0), all(8));
  for (int axis = 0; axis < 3; ++axis)
    for (const double low : {-1.0, 8.0}) {
      Vec3 from = all(0.25), to = all(7.75);
      from[axis] = low;
      to[axis] = low + 1;
      boxes.add_box(from, to);
    }
  CHECK(is_sound_in_all_ways(boxes));
  boxes.add_box(all(-10), all(20));
  CHECK(faults_in_all_ways(boxes) == kNested);
  const Soundness found = assess(boxes.welded());
  CHECK(std::count_if(found.defects.begin(), found.defects.end(), [](const Defect& defect) {
          return defect.kind == DefectKind::kNestedShell;
        }) == 7);
}

TEST_CASE("a wall touched from both sides is sound") {
  Assembly wall;
  wall.add_box(all(0), all(8));
  wall.add_tetrahedron(Vec3(8, 4, 4), Vec3(6, 4, 5), Vec3(6, 3, 3), Vec3(6, 5, 3));  // a cavity
  wall.add_box(Vec3(8, 1, 1), Vec3(9, 5, 5));
  CHECK(is_sound_in_all_ways(wall));
  // A tunnel along the wall with an edge in it, and a box on the other side with its edge there.
  Assembly tunnel;
  tunnel.add_box(all(0), all(8));
  tunnel.add_box(Vec3(2, 2, 2), Vec3(8, 6, 6), kInward);
  tunnel.add_box(Vec3(8, 3, 3), Vec3(9, 4, 4));
  tunnel.add_box(Vec3(8, 4, 3), Vec3(9, 7, 4));
  CHECK(is_sound_in_all_ways(tunnel));
}

TEST_CASE("a fin of no thickness is sound inside a solid, outside and across its wall") {
  const auto with_fin = [](const Vec3& a, const Vec3& b, const Vec3& c) {
    Assembly assembly;
    assembly.add_box(all(0), all(4));
    assembly.add_triangle(a, b, c);
    assembly.add_triangle(a, c, b);
    return assembly;
  };
  CHECK(is_sound_in_all_ways(with_fin(Vec3(1, 1, 1), Vec3(2, 1, 1), Vec3(1, 2, 2))));
  CHECK(is_sound_in_all_ways(with_fin(Vec3(5, 1, 1), Vec3(6, 1, 1), Vec3(5, 2, 2))));
  CHECK(is_sound_in_all_ways(with_fin(Vec3(1, 1, 1), Vec3(6, 1, 2), Vec3(1, 2, 2))));
  CHECK(is_sound_in_all_ways(with_fin(Vec3(4, 1, 1), Vec3(4, 2, 1), Vec3(4, 1, 2))));
}

TEST_CASE("a shell that lies on itself in part is judged by the rest of it") {
  // A tent on a triangle: the floor is one triangle, above it a flat brim and in the middle a tip.
  // The brim, which comes first and reaches furthest, lies on the floor and bounds nothing.
  const auto add_tent = [](Assembly& assembly, const Vec3& at) {
    const Vec3 a = at + Vec3(6, 0, 0), b = at + Vec3(-6, 6, 0), c = at + Vec3(-6, -6, 0);
    const Vec3 p = at + Vec3(1, 0, 0), q = at + Vec3(-2, 1, 0), r = at + Vec3(-2, -1, 0);
    const Vec3 tip = at + Vec3(-1, 0, 2);
    for (const auto& [outer, next, inner, inner_next] :
         {std::array{a, b, p, q}, std::array{b, c, q, r}, std::array{c, a, r, p}}) {
      assembly.add_triangle(outer, next, inner);
      assembly.add_triangle(next, inner_next, inner);
      assembly.add_triangle(inner, inner_next, tip);
    }
    assembly.add_triangle(a, c, b);
  };
  Assembly apart, inside;
  apart.add_box(all(20), all(30));
  add_tent(apart, all(0));
  CHECK(is_sound_in_all_ways(apart));
  inside.add_box(all(-20), all(20));
  add_tent(inside, all(0));
  CHECK(faults_in_all_ways(inside) == kNested);
}

TEST_CASE("a surface and its copy turned round bound nothing and are sound") {
  Assembly copies;
  copies.add_box(all(0), all(2)).add_box(all(0), all(2), kInward);
  CHECK(is_sound_in_all_ways(copies));
}

// Alone they bound nothing. On the face of a box that is turned inward three sheets lie, one on
// balance, and each of them is it as much as the others.
TEST_CASE("a sheet and its copy on a face are at fault as the face is, however they are divided") {
  const TriangleMesh boxes =
      Assembly().add_box(all(0), all(1)).add_box(all(2), all(3), kInward).welded();
  for (const bool other_diagonal : {false, true}) {
    CAPTURE(other_diagonal);
    Assembly sheets;
    for (const bool up : {false, true})
      sheets.add_rectangle(2, 3, {2, 3}, {2, 3}, up, other_diagonal);
    const Soundness found = assess(test::joined(boxes, sheets.welded()), Pairs::kBetweenPatches);
    CHECK(found.opposed);
    REQUIRE(found.defects.size() == 2);
    for (const Defect& defect : found.defects) CHECK(defect.kind == DefectKind::kInwardShell);
  }
}

TEST_CASE("many boxes standing on one triangle are sound") {
  Assembly table;
  table.add_box(Vec3(0, 0, -1), Vec3(100, 100, 0));
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      table.add_box(Vec3(4 * i + 20, 4 * j + 1, 0), Vec3(4 * i + 22, 4 * j + 3, 1));
  CHECK(is_sound_in_all_ways(table));
}

}  // namespace
}  // namespace plimsoll
