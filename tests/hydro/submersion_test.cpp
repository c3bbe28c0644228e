// Submersion of meshes: closed forms, exact values of real meshes, laws, planes through vertices,
// edges and faces, and a long double clip. Everything is asked of the clip and of the tree.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/solid_tree.h>

#include <cmath>
#include <functional>

#include "hydro/clip_oracle.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr double kRounding = 1e-15;  // some ten roundings
// What submersion.h promises of sums, of their absolute terms.
constexpr double kPromised = 1e-14;

/// Calls `check` with the answers of both engines.
void for_both(const TriangleMesh& mesh, const WaterPlane& water,
              const std::function<void(const Submersion&)>& check) {
  {
    INFO("by clipping all triangles");
    check(submersion(test::checked(mesh), water));
  }
  INFO("by the tree");
  check(SolidTree(test::checked(mesh)).submersion(water));
}

bool is_near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

TEST_CASE("a box is under water as deep as it is") {
  // 2 x 4 x 6 about the origin, the water 1 above the middle: all numbers are small integers.
  for_both(make_box({2, 4, 6}), {{0, 0, 1}, 1}, [](const Submersion& wet) {
    CHECK(is_near(wet.volume, 32, 32 * kRounding));
    CHECK((wet.center_of_buoyancy - Vec3(0, 0, -1)).norm() <= 1e-15);
    CHECK(is_near(wet.wetted_area, 8 + 12 * 4, 56 * kRounding));
    CHECK(is_near(wet.waterplane.area, 8, 8 * kRounding));
    CHECK((wet.waterplane.center - Vec3(0, 0, 1)).norm() <= kRounding);
    // Edges 2 and 4: 2 4^3 / 12 and 4 2^3 / 12, whichever way the axes lie.
    CHECK(is_near(wet.waterplane.second_moments.trace(), 128. / 12 + 32. / 12, 14 * kRounding));
    CHECK(is_near(wet.waterplane.second_moments.determinant(), 128. / 12 * 32. / 12,
                  2 * 30 * kRounding));
    // Some 200 roundings (clip_sums.h) of the area of 88 times a reach of less than 5, over 3.
    CHECK(wet.volume_error <= 2 * 200 * 0x1p-53 * 88 * 5 / 3);
  });
}

TEST_CASE("the normal of the plane may have any length") {
  const TriangleMesh box = make_box({2, 4, 6});
  const Submersion unit = submersion(test::checked(box), {{0, 0, 1}, 1});
  for (const double length : {1e-300, 1e-10, 3.0, 1e300})
    for_both(box, {{0, 0, length}, length}, [&](const Submersion& wet) {
      CHECK(is_near(wet.volume, unit.volume, kRounding * unit.volume));
      CHECK(is_near(wet.waterplane.area, unit.waterplane.area, kRounding * unit.waterplane.area));
    });
}

// The plane x + y + z = c cuts corners off the cube |x_i| <= 1.
TEST_CASE("planes through the corners of a cube are cut exactly there") {
  const TriangleMesh cube = make_box({2, 2, 2});
  const double root3 = std::sqrt(3.0);
  for_both(cube, {{1, 1, 1}, 0}, [&](const Submersion& wet) {  // a regular hexagon
    CHECK(is_near(wet.volume, 4, 4e-15));
    CHECK(is_near(wet.waterplane.area, 3 * root3, 1e-14));
    CHECK(is_near(wet.wetted_area, 12, 1e-14));
  });
  for_both(cube, {{1, 1, 1}, 1}, [&](const Submersion& wet) {  // through three corners
    CHECK(is_near(wet.volume, 8 - 4. / 3, 1e-14));
    CHECK(is_near(wet.waterplane.area, 2 * root3, 1e-14));
    CHECK(is_near(wet.wetted_area, 18, 1e-14));
  });
  for_both(cube, {{1, 1, 0}, 0}, [&](const Submersion& wet) {  // through two edges
    CHECK(is_near(wet.volume, 4, 4e-15));
    CHECK(is_near(wet.waterplane.area, 4 * std::sqrt(2.0), 1e-14));
  });
  for_both(cube, {{1, 1, 1}, -3}, [&](const Submersion& wet) {  // touching one corner
    CHECK(wet.volume == 0);
    CHECK(wet.center_of_buoyancy.isZero(0));
    CHECK(wet.wetted_area == 0);
    CHECK(wet.waterplane.area == 0);
  });
}

TEST_CASE("a face in the plane is wet, and so is the waterplane over a body that stands on it") {
  const TriangleMesh cube = make_box({2, 2, 2});
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 normal = sign * Vec3::Unit(axis);
      for_both(cube, {normal, -1}, [](const Submersion& wet) {  // the body above
        CHECK(wet.volume == 0);
        CHECK(wet.center_of_buoyancy.isZero(0));
        CHECK(is_near(wet.wetted_area, 4, 1e-14));
        CHECK(is_near(wet.waterplane.area, 4, 1e-14));
      });
      for_both(cube, {normal, 1}, [](const Submersion& wet) {  // the body below
        CHECK(is_near(wet.volume, 8, 1e-14));
        CHECK(is_near(wet.wetted_area, 24, 1e-13));
        CHECK(wet.waterplane.area == 0);
        CHECK(wet.waterplane.center.isZero(0));
      });
    }
}

// The doubles 0.1 and 0.2 add up to less than the double next to 0.3 that their sum is rounded to:
// in double the corners of the base lie in the plane x + y + z = 0, in truth they are 2.8e-17 below
// it.
TEST_CASE("whether a vertex is in the plane is decided exactly") {
  const double a = 0.1, b = 0.2, c = -(0.1 + 0.2);
  REQUIRE(a + b + c == 0);
  TriangleMesh tetrahedron;
  tetrahedron.vertices = {{a, b, c}, {b, c, a}, {c, a, b}, {1, 1, 1}};
  tetrahedron.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  const double base = (tetrahedron.vertices[1] - tetrahedron.vertices[0])
                          .cross(tetrahedron.vertices[2] - tetrahedron.vertices[0])
                          .norm() /
                      2;
  for_both(tetrahedron, {{1, 1, 1}, 0}, [&](const Submersion& wet) {  // the base is wet
    CHECK(is_near(wet.wetted_area, base, 1e-14));
  });
  for (Vec3& v : tetrahedron.vertices) v = -v;  // now it is above the plane, and so is the rest
  tetrahedron.vertices[3] = {1, 1, 1};
  for_both(tetrahedron, {{1, 1, 1}, 0}, [](const Submersion& wet) {
    CHECK(wet.wetted_area == 0);
    CHECK(wet.waterplane.area == 0);
    CHECK(wet.volume == 0);
  });
}

void check_none(const WaterSection& section) {
  CHECK(section.area == 0);
  CHECK(section.center == Vec3::Zero());
  CHECK(section.second_moments == Mat2::Zero());
  CHECK(section.axes == Mat23::Zero());
}

TEST_CASE("dry and wholly wet bodies are that, wherever the plane is") {
  const TriangleMesh torus = make_torus(3, 1, 20, 12);
  const double volume = submersion(test::checked(torus), {{0, 0, 1}, 100}).volume;
  for (const double far : {1.1, 10.0, 1e10, 1e300}) {
    for_both(torus, {{0, 0, 1}, -far}, [](const Submersion& wet) {
      CHECK(wet.volume == 0);
      CHECK(wet.wetted_area == 0);
      CHECK(wet.center_of_buoyancy == Vec3::Zero());
      check_none(wet.waterplane);
    });
    for_both(torus, {{0, 0, 1}, far}, [&](const Submersion& wet) {
      CHECK(is_near(wet.volume, volume, kPromised * volume));
      CHECK(wet.center_of_buoyancy.norm() <= kPromised);
      check_none(wet.waterplane);
    });
  }
}

TEST_CASE("no triangles, no water") {
  for_both({}, {{0, 0, 1}, 0}, [](const Submersion& wet) {
    CHECK(wet.volume == 0);
    CHECK(wet.wetted_area == 0);
    CHECK(wet.volume_error == 0);
  });
}

// The same terms, summed by the tree in another order; the knot is some 2 across.
TEST_CASE("a mesh turned inward displaces what it does turned outward") {
  TriangleMesh knot = make_torus_knot({}, 60, 8);
  const WaterPlane water{{0.3, -0.2, 0.9}, 0.1};
  const Submersion outward = submersion(test::checked(knot), water);
  for (Triangle& t : knot.triangles) std::swap(t[1], t[2]);
  for_both(knot, water, [&](const Submersion& wet) {
    CHECK(is_near(wet.volume, outward.volume, kPromised * outward.volume));
    CHECK(is_near(wet.waterplane.area, outward.waterplane.area, kPromised));
    CHECK((wet.center_of_buoyancy - outward.center_of_buoyancy).norm() <= kPromised);
    CHECK((wet.waterplane.second_moments - outward.waterplane.second_moments).norm() <= kPromised);
  });
}

TEST_CASE("a hull without a deck is right while its rim is dry") {
  TriangleMesh hull = make_box({2, 4, 6});
  std::erase_if(hull.triangles, [&](const Triangle& t) {  // the top
    return hull.vertices[t[0]][2] + hull.vertices[t[1]][2] + hull.vertices[t[2]][2] > 8;
  });
  REQUIRE(hull.triangles.size() == 10);
  for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(0.1, 0.2, 1)}) {
    const WaterPlane water{normal, 1};
    const Submersion closed = submersion(test::checked(make_box({2, 4, 6})), water);
    for_both(hull, water, [&](const Submersion& wet) {
      CHECK(is_near(wet.volume, closed.volume, 1e-13));
      CHECK((wet.center_of_buoyancy - closed.center_of_buoyancy).norm() <= 1e-14);
      CHECK(is_near(wet.waterplane.area, closed.waterplane.area, 1e-13));
    });
  }
  CHECK(is_near(*rim_height(test::checked(hull), {{0, 0, 2}, 2}), 2, 1e-15));
  CHECK(*rim_height(test::checked(hull), {{0, 0, 1}, 4}) < 0);
  CHECK_FALSE(rim_height(test::checked(make_box({1, 1, 1})), {{0, 0, 1}, 0}));
}

TEST_CASE("what a plane wets and what it leaves dry is the whole") {
  Random random(7);
  for (int i = 0; i < test::campaign(2000); ++i) {
    const TriangleMesh mesh = test::random_shape(random);
    const Vec3 normal = test::random_vector(random);
    const double offset = random.uniform(-1, 1);
    const Submersion wet = submersion(test::checked(mesh), {normal, offset});
    const Submersion dry = submersion(test::checked(mesh), {-normal, -offset});
    const Submersion all = submersion(test::checked(mesh), {normal, 1e3});
    // Bodies of size 1 to 3, whose absolute terms are below 100.
    CHECK(is_near(wet.volume + dry.volume, all.volume, 1e-14 * 100));
    CHECK(is_near(wet.wetted_area + dry.wetted_area, all.wetted_area, 1e-14 * 100));
    CHECK(is_near(wet.waterplane.area, dry.waterplane.area, 1e-14 * 100));
    if (wet.volume > 1e-3 && dry.volume > 1e-3)
      CHECK((wet.volume * wet.center_of_buoyancy + dry.volume * dry.center_of_buoyancy -
             all.volume * all.center_of_buoyancy)
                .norm() <= 1e-12);
  }
}

// d volume / d offset is the waterplane's area, and d (volume center) / d offset its first moment.
// The area is smooth but for kinks at vertices: a difference over a step of 1e-4 that passes one is
// off by the step times the change of slope, which is below 1e-2 here.
TEST_CASE("raising the water adds the waterplane") {
  const TriangleMesh mesh = make_bumpy_sphere(1, 0.3, 12, 17);
  const SolidTree tree(test::checked(mesh));
  const double step = 1e-4;
  for (double level = -0.9; level < 1; level += 0.0731) {
    const Vec3 normal = Vec3(0.3, -0.5, 0.8).normalized();
    const Submersion at = tree.submersion({normal, level});
    const Submersion low = tree.submersion({normal, level - step / 2});
    const Submersion high = tree.submersion({normal, level + step / 2});
    CHECK(is_near((high.volume - low.volume) / step, at.waterplane.area, 1e-6));
    const Vec3 moved =
        (high.volume * high.center_of_buoyancy - low.volume * low.center_of_buoyancy) / step;
    CHECK((moved - at.waterplane.area * at.waterplane.center).norm() <= 1e-6);
  }
}

// Heeling about an axis through the waterplane's center moves the center of buoyancy sideways by
// the second moment over the volume (Bouguer's metacenter).
TEST_CASE("heeling shifts the center of buoyancy by the second moments") {
  const TriangleMesh mesh = make_bumpy_sphere(1, 0.3, 24, 35);
  const SolidTree tree(test::checked(mesh));
  const Vec3 up(0, 0, 1);
  const Submersion at = tree.submersion({up, 0.2});
  const double angle = 1e-5;
  for (int row = 0; row < 2; ++row) {
    const Vec3 lean = at.waterplane.axes.row(row);
    const auto tilted = [&](double a) {
      const Vec3 normal = std::cos(a) * up + std::sin(a) * lean;
      const Submersion wet = tree.submersion({normal, normal.dot(at.waterplane.center)});
      return Vec3(wet.volume * wet.center_of_buoyancy);
    };
    // The water sinks where the lean is ahead: the shift is minus the second moments.
    const Vec3 shift = (tilted(angle / 2) - tilted(-angle / 2)) / angle;
    const Vec2 in_plane = at.waterplane.axes * shift;
    CHECK((in_plane + at.waterplane.second_moments.row(row).transpose()).norm() <= 1e-6);
  }
}

// The volume is a sum. The areas are roots and differences of such sums, ten and a hundred times
// less certain, the center a quotient, whose error grows as the volume vanishes.
void check_against_oracle(const TriangleMesh& mesh, const WaterPlane& water) {
  const auto truth = test::oracle_submersion(mesh, water);
  const Box3 box = bounding_box(test::checked(mesh));
  const double size = box.diagonal().norm();
  const double absolute = static_cast<double>(truth.absolute);
  const auto sign = submersion(test::checked(mesh), {water.normal, 1e300}).volume;
  REQUIRE(sign >= 0);
  for_both(mesh, water, [&](const Submersion& wet) {
    const double volume = std::abs(static_cast<double>(truth.volume));
    const double off = std::abs(std::abs(wet.volume) - volume);
    CHECK(off <= kPromised * absolute);
    CHECK(off <= wet.volume_error);
    CHECK(is_near(wet.wetted_area, static_cast<double>(truth.wetted_area),
                  10 * kPromised * (absolute / size + size * size)));
    CHECK(is_near(std::abs(wet.waterplane.area),
                  std::abs(static_cast<double>(truth.waterplane_area)),
                  100 * kPromised * size * size));
    if (volume > 1e-6 * absolute) {
      const test::Long3 center = truth.first / truth.volume;
      const Vec3 found = wet.center_of_buoyancy - truth.middle.cast<double>();
      // The middle is rounded, and so is the center's own place, far from the origin.
      const double place = box.min().cwiseAbs().maxCoeff() + size;
      CHECK((found - center.cast<double>()).norm() <=
            10 * kPromised * size * absolute / volume + 4e-16 * place);
    }
  });
}

TEST_CASE("random meshes are cut as a long double clip cuts them") {
  Random random(11);
  for (int i = 0; i < test::campaign(10000); ++i) {
    const TriangleMesh mesh = test::random_closed_mesh(random);
    const Box3 box = bounding_box(test::checked(mesh));
    const Vec3 normal = test::random_vector(random) * std::pow(10.0, random.uniform(-3, 3));
    Vec3 through;
    for (int k = 0; k < 3; ++k) through[k] = random.uniform(box.min()[k], box.max()[k]);
    if (random.below(3) == 0) through = mesh.vertices[random.below(mesh.vertices.size())];
    CAPTURE(i);
    check_against_oracle(mesh, {normal, normal.dot(through)});
  }
}

// Powers of two change no bit; the tree sums in another order than the clip that it is compared to.
TEST_CASE("sizes from 1e-60 to 1e60 make no difference") {
  const TriangleMesh unit = make_torus(1, 0.4, 12, 9);
  const WaterPlane water{{0.2, 0.4, 1}, 0.1};
  const Submersion at = submersion(test::checked(unit), water);
  for (const int exponent : {-200, -130, -40, 40, 130, 200}) {
    TriangleMesh scaled = unit;
    for (Vec3& v : scaled.vertices) v *= std::ldexp(1, exponent);
    for_both(
        scaled, {water.normal, std::ldexp(water.offset, exponent)}, [&](const Submersion& wet) {
          CHECK(is_near(std::ldexp(wet.volume, -3 * exponent), at.volume, kPromised));
          CHECK(is_near(std::ldexp(wet.waterplane.area, -2 * exponent), at.waterplane.area,
                        kPromised));
          CHECK(
              (wet.center_of_buoyancy * std::ldexp(1, -exponent) - at.center_of_buoyancy).norm() <=
              kPromised);
        });
  }
}

}  // namespace
}  // namespace plimsoll
