// What clip and tree say of themselves: the bound of the volume, the volume of an open surface,
// exactness where a body reaches around the origin, vertices that no triangle names.
#include <doctest/doctest.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/solid_tree.h>

#include <cmath>

#include "core/random.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

// The proof in clip_sums.h asks for (192 + additions) u r M / 6, r = reach + |level| and M the sum
// of |e_j f_k|, j != k, over the edges of all triangles: of a box, twice the area of each face. A
// sum takes 4 additions at least, of two blocks and of eight lanes in pairs. No bound needs to be
// twice that.
TEST_CASE("the bound of a volume is that of its proof") {
  const TriangleMesh box = make_box({2, 4, 60});
  const double magnitude = 2 * 2 * (2 * 4 + 4 * 60 + 60 * 2);
  for (const double level : {0.0, 1.0, -2.5}) {
    const WaterPlane water{{0, 0, 1}, level};
    const double proven = (192 + 4) * 0x1p-53 * (30 + std::abs(level)) * magnitude / 6;
    for (const Submersion& wet :
         {submersion(test::checked(box), water), SolidTree(test::checked(box)).submersion(water)}) {
      CHECK(wet.volume_error >= proven);
      CHECK(wet.volume_error <= 2 * proven);
    }
  }
}

// The lower corner of such a box is less than half as far from the origin as the upper one, so that
// differences to the middle are rounded: then the origin serves as center, and heights are exact.
TEST_CASE("a face is in the plane exactly, also where its body reaches far from the origin") {
  Random random(61);
  for (int i = 0; i < 200; ++i) {
    const int axis = i % 3;
    TriangleMesh box = make_box({1, 1, 1});
    const double low = random.uniform(0.01, 0.3), high = random.uniform(3, 10);
    for (Vec3& v : box.vertices) v[axis] = v[axis] < 0 ? low : high;
    const WaterPlane water{Vec3::Unit(axis), low};
    for (const Submersion& wet :
         {submersion(test::checked(box), water), SolidTree(test::checked(box)).submersion(water)}) {
      CHECK(wet.volume == 0);
      CHECK(std::abs(wet.wetted_area - 1) <= 1e-14);
      CHECK(std::abs(wet.waterplane.area - 1) <= 1e-14);
    }
  }
}

TEST_CASE("a vertex that no triangle names is nowhere, however far away") {
  const TriangleMesh ball = make_icosphere(1, 3);
  const WaterPlane water{{0.1, 0.2, 1}, 0.3};
  const Submersion expected = submersion(test::checked(ball), water);
  for (const double far : {2e3, 1e9, 1e200}) {
    TriangleMesh stray = ball;
    stray.vertices.push_back({far, -far, far});
    const Submersion found = submersion(test::checked(stray), water);
    CHECK(std::abs(found.volume - expected.volume) <= 2 * expected.volume_error);
    CHECK(found.volume_error <= 2 * expected.volume_error);
  }
}

// About the center of its box: a corner of a box, three faces of areas 1 at a distance of 1/2.
TEST_CASE("the volume of an open surface is that about the middle of its box") {
  TriangleMesh corner = make_box({1, 1, 1});
  std::erase_if(corner.triangles, [&](const Triangle& t) {
    const Vec3 normal = (corner.vertices[t[1]] - corner.vertices[t[0]])
                            .cross(corner.vertices[t[2]] - corner.vertices[t[0]]);
    return normal.sum() < 0 || normal.x() > 0.5;  // only those that look along y and z
  });
  REQUIRE(corner.triangles.size() == 4);
  CHECK(std::abs(SolidTree(test::checked(corner)).signed_volume() - 2 * 0.5 / 3) <= 1e-15);
}

/// Another solid, which counts what it is asked.
struct Counting final : FloatingSolid {
  explicit Counting(std::shared_ptr<const FloatingSolid> solid) : other(std::move(solid)) {}
  Submersion submersion(const WaterPlane& water) const override {
    ++questions;
    return other->submersion(water);
  }
  std::shared_ptr<const FloatingSolid> other;
  mutable int questions = 0;
};

// Newton's method doubles the digits: from the middle of the box some six levels are tried, where
// halving alone would ask for fifty.
TEST_CASE("a level is found with few questions") {
  FloatingBody body =
      floating_body(SolidTree(test::checked(make_icosphere(1, 3))), Vec3::Zero(), 1.3);
  const auto counting = std::make_shared<Counting>(body.solid);
  body.solid = counting;
  const FloatingState state = float_upright(body, {0, 0, 1});
  CHECK(std::abs(state.wet.volume - 1.3) <= 1e-14);
  CHECK(counting->questions <= 12);
}

}  // namespace
}  // namespace plimsoll
