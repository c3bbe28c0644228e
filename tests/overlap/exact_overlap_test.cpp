// The oracle that overlaps are tested against, in closed forms.
#include "support/exact_overlap.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

using test::exact_overlap;
using test::moved;

TriangleMesh corner_of_cube(double size) {
  return {{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

/// From one corner to the opposite.
TriangleMesh box(const Vec3& low, const Vec3& high) {
  return moved(make_box(high - low), (low + high) / 2);
}

/// All numbers of this file are halves, quarters and the like of small whole ones, so that what is
/// rounded once is what the formula gives.
void check(const TriangleMesh& a, const TriangleMesh& b, double volume, const Vec3& center) {
  const test::ExactOverlap found = exact_overlap(a, b), exchanged = exact_overlap(b, a);
  CHECK(found.volume == volume);
  CHECK(found.center == center);
  CHECK(exchanged.volume == volume);
  CHECK(exchanged.center == center);
}

TEST_CASE("shifted boxes share a box") {
  const TriangleMesh a = box({0, 0, 0}, {4, 4, 4});
  check(a, box({1, 2, -1}, {8, 3, 3}), 3 * 1 * 3, {2.5, 2.5, 1.5});
  check(a, box({2, 0, 0}, {6, 4, 4}), 2 * 4 * 4, {3, 2, 2});  // four faces lie in one plane each
  check(a, a, 64, {2, 2, 2});
  check(a, box({1, 1, 1}, {2, 3, 4}), 6, {1.5, 2, 2.5});  // nested, one wall touching
}

TEST_CASE("boxes that touch share nothing") {
  const TriangleMesh a = box({0, 0, 0}, {4, 4, 4});
  for (const Vec3& by :
       {Vec3(4, 0, 0), Vec3(4, 1, -2), Vec3(4, 4, 0), Vec3(4, 4, 4), Vec3(9, 0, 0)})
    check(a, moved(a, by), 0, Vec3::Zero());
}

// What two such corners of cubes share is one of edge 1 less, which has the volume of its cube by
// six and its center a quarter of its edge from its corner.
TEST_CASE("shifted corners of cubes share a corner of a cube") {
  const TriangleMesh tet = corner_of_cube(4);
  check(tet, moved(tet, {1, 0, 0}), 27 / 6.0, {1.75, 0.75, 0.75});
  check(tet, moved(tet, {0, -1, 0}), 27 / 6.0, {0.75, 0.75, 0.75});
  check(tet, moved(tet, {1, 1, 1}), 1 / 6.0, {1.25, 1.25, 1.25});
  check(tet, moved(tet, {4, 0, 0}), 0, Vec3::Zero());
}

// The two tetrahedra within a cube of edge 2 share an octahedron, a sixth of the cube.
TEST_CASE("tetrahedra that cross share an octahedron") {
  const TriangleMesh tet{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                         {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  TriangleMesh other = test::turned(tet);
  for (Vec3& v : other.vertices) v = -v;
  const double volume = exact_overlap(tet, tet).volume;
  CHECK(std::fabs(volume) == 8 / 3.0);
  check(tet, other, std::copysign(8 / 6.0, volume), Vec3::Zero());
}

TEST_CASE("a box with a void shares what lies around the void") {
  const TriangleMesh hollow =
      test::joined(box({0, 0, 0}, {4, 4, 4}), test::turned(box({1, 1, 1}, {3, 3, 3})));
  check(hollow, box({0, 0, 0}, {2, 4, 4}), 32 - 4, {(32 * 1 - 4 * 1.5) / 28, 2, 2});
  check(hollow, box({1, 1, 1}, {3, 3, 3}), 0, Vec3::Zero());
  check(hollow, hollow, 64 - 8, {2, 2, 2});
}

TEST_CASE("winding numbers multiply, and a surface turned inward counts below 0") {
  const TriangleMesh a = box({0, 0, 0}, {4, 4, 4}), b = box({3, 3, 3}, {5, 5, 5});
  check(test::joined(a, a), b, 2, {3.5, 3.5, 3.5});
  check(test::joined(a, a), test::joined(b, b), 4, {3.5, 3.5, 3.5});
  check(test::turned(a), b, -1, {3.5, 3.5, 3.5});
}

// (1, 2, 2), (2, 1, -2), (2, -2, 1) are square to each other and 3 long.
TEST_CASE("turned bodies share what they share without the turn, coordinates of any size") {
  const TriangleMesh a = corner_of_cube(4), b = box({0, 0, 0}, {2, 1, 1});
  const test::ExactOverlap plain = exact_overlap(a, b);
  const auto turned = [](TriangleMesh mesh, double unit) {
    Mat3 rows;
    rows << 1, 2, 2, 2, 1, -2, 2, -2, 1;
    for (Vec3& v : mesh.vertices) v = unit * (rows * v);
    return test::turned(mesh);  // the matrix mirrors
  };
  for (const double unit : {1.0, 0x1p-300, 0x1p+300})
    CHECK(exact_overlap(turned(a, unit), turned(b, unit)).volume ==
          27 * unit * unit * unit * plain.volume);
}

}  // namespace
}  // namespace plimsoll
