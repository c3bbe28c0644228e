// Bodies afloat at the ends of what numbers hold: very light, very thin, very large and very small.
#include <doctest/doctest.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/righting_arms.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

struct Tetrahedron {
  TriangleMesh mesh;
  Vec3 center_of_mass = Vec3::Zero();  // somewhere inside
};

Tetrahedron random_tetrahedron(Random& random) {
  Tetrahedron made;
  double volume_x6 = 0;
  do {
    made.mesh.vertices.clear();
    for (int k = 0; k < 4; ++k) {
      const double x = random.uniform(-0.8, 0.8), y = random.uniform(-0.8, 0.8);
      made.mesh.vertices.emplace_back(x, y, random.uniform(-0.8, 0.8));
    }
    const auto& v = made.mesh.vertices;
    volume_x6 = (v[1] - v[0]).cross(v[2] - v[0]).dot(v[3] - v[0]);
  } while (std::fabs(volume_x6) <= 0.1);
  made.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  if (volume_x6 < 0) made.mesh.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  double sum = 0;
  for (const Vec3& v : made.mesh.vertices) {
    const double weight = random.uniform(0.1, 1);
    made.center_of_mass += weight * v;
    sum += weight;
  }
  made.center_of_mass /= sum;
  return made;
}

Equilibria rests_of(const Tetrahedron& body, double share) {
  const SolidTree tree(test::checked(body.mesh));
  const double displacement = share * std::fabs(tree.signed_volume());
  return find_equilibria(floating_body(tree, body.center_of_mass, displacement),
                         {.all_kinds = false});
}

/// A primitive of each kind, its lengths times a power of two.
std::vector<Shape> shapes_of(double unit) {
  const double u = unit;
  std::vector<Shape> shapes{{BoxSolid{u * Vec3(3, 2, 1)}},
                            {Sphere{u}},
                            {Ellipsoid{u * Vec3(3, 2, 1)}},
                            {Torus{3 * u, u}},
                            {Cylinder{u, 3 * u}},
                            {Capsule{u, 2 * u}},
                            {Cone{u, 2 * u}}};
  TriangleMesh wedge = make_box(u * Vec3(4, 2, 1));
  wedge.vertices[7] *= 1.25;
  shapes.push_back({MeshSolid{std::make_shared<const TriangleMesh>(std::move(wedge))}});
  for (Shape& shape : shapes) shape.pose.translation() = u * Vec3(0.5, 0.25, 0);
  return shapes;
}

FloatingBody half_afloat(const Shape& shape) {
  Result<FloatingBody> body = floating_body(shape, 1);
  REQUIRE_MESSAGE(body, body.error().message);
  body->displacement = body->volume / 2;
  return *body;
}

/// A solid of which a quarter is wet or all of it: no level displaces a half.
class Leaping final : public FloatingSolid {
 public:
  Submersion submersion(const WaterPlane& water) const override {
    ++asked;
    Submersion wet;
    wet.volume = water.offset > 0.1 * water.normal[0] ? 1 : 0.25;
    wet.center_of_buoyancy = 0.1 * Vec3(water.normal[1], water.normal[2], water.normal[0]);
    return wet;
  }
  mutable std::atomic<std::size_t> asked = 0;
};

FloatingBody leaping_body(const std::shared_ptr<Leaping>& solid) {
  FloatingBody body;
  body.solid = solid;
  body.box = Box3(Vec3::Constant(-1), Vec3::Constant(1));
  body.volume = 1;
  body.displacement = 0.5;
  return body;
}

}  // namespace

// With a hundredth and with a 67,000th under water, where rounding moves the center of buoyancy by
// far more than it does halfway.
TEST_CASE("light tetrahedra come to rest wherever they are let go") {
  Tetrahedron known;
  known.mesh.vertices = {{.4, -.8, -.36}, {-.33, .67, -.12}, {.71, -.66, -.33}, {.3, .77, -.1}};
  known.mesh.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  known.center_of_mass = {-.27, -.38, .03};
  for (const double share : {1e-2, 1.5e-5}) CHECK(rests_of(known, share).lost_starts == 0);
  Random random(11);
  const int bodies = test::campaign(1000);
  for (int k = 0; k < bodies; ++k) {
    const Tetrahedron body = random_tetrahedron(random);
    CAPTURE(k);
    for (const double share : {0.3, 1e-2, 1e-3, 1e-4, 1.5e-5, 1.5e-6}) {
      CAPTURE(share);
      CHECK(rests_of(body, share).lost_starts == 0);
    }
  }
}

// All but the hundred-thousandth part of it under water, a ring weighed down to one side.
TEST_CASE("nearly sunk rings come to rest wherever they are let go") {
  Random random(5);
  const TriangleMesh ring = make_torus(1, 0.3, 12, 8);
  const SolidTree tree(test::checked(ring));
  for (const double share : {0.9, 0.99, 0.999, 0.99999})
    for (int k = 0; k < 10; ++k) {
      CAPTURE(share);
      CAPTURE(k);
      const double x = random.uniform(-0.2, 0.2), y = random.uniform(-0.2, 0.2);
      const Vec3 center(x, y, random.uniform(-0.2, 0.2));
      const FloatingBody body = floating_body(tree, center, share * tree.signed_volume());
      CHECK(find_equilibria(body, {.all_kinds = false}).lost_starts == 0);
    }
}

// Powers of two change no digit, whatever the unit is that the library takes.
TEST_CASE("a body rests as one of 1 m does, at any size") {
  const std::vector<Shape> shapes = shapes_of(1);
  for (const int exponent : {-330, -110, 90, 110, 266}) {
    const double unit = std::ldexp(1.0, exponent);
    const std::vector<Shape> sized = shapes_of(unit);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      CAPTURE(exponent);
      CAPTURE(i);
      const FloatingBody body = half_afloat(shapes[i]), other = half_afloat(sized[i]);
      const EquilibriumOptions options{.starts = 16, .max_states = 20'000};
      const Equilibria expected = find_equilibria(body, options);
      const Equilibria all = find_equilibria(other, options);
      CHECK(all.complete == expected.complete);
      CHECK(all.lost_starts == 0);
      REQUIRE(all.found.size() == expected.found.size());
      for (std::size_t k = 0; k < all.found.size(); ++k) {
        const FloatingState &a = all.found[k].state, &b = expected.found[k].state;
        CHECK(all.found[k].kind == expected.found[k].kind);
        CHECK((a.up - b.up).norm() <= 1e-7);
        CHECK(std::fabs(a.level - unit * b.level) <= 1e-7 * unit);
        CHECK(std::fabs(a.metacentric_heights[1] / unit - b.metacentric_heights[1]) <= 1e-6);
      }
      const auto rest = come_to_rest(other, Vec3(1, 2, 3));
      REQUIRE(rest);
      CHECK(rest->residual <= 1e-10);
      const FloatingState leaning = float_upright(other, Vec3(0.3, 0.4, 1));
      const Vec3 arm = float_upright(body, Vec3(0.3, 0.4, 1)).righting_arm;
      CHECK((leaning.righting_arm / unit - arm).norm() <= 1e-12);
      const FloatingState upright = float_upright(other, Vec3::UnitZ());
      CHECK(std::fabs(upright.level - unit * float_upright(body, Vec3::UnitZ()).level) <=
            1e-12 * unit);
    }
  }
}

TEST_CASE("righting arms are those of a body of 1 m, at any size") {
  const std::vector<double> heels{0.1, 0.4, 1};
  for (const int exponent : {-330, -110, 110, 266}) {
    const double unit = std::ldexp(1.0, exponent);
    for (const bool free_trim : {false, true}) {
      Heeling heeling;
      heeling.free_trim = free_trim;
      const RightingArms arms = righting_arms(half_afloat(shapes_of(1)[0]), heeling, heels);
      const RightingArms sized = righting_arms(half_afloat(shapes_of(unit)[0]), heeling, heels);
      REQUIRE(sized.upright);
      for (std::size_t k = 0; k < heels.size(); ++k) {
        REQUIRE(sized.states[k].has_value() == arms.states[k].has_value());
        if (!arms.states[k]) continue;
        const HeeledState &a = *sized.states[k], &b = *arms.states[k];
        CHECK(std::fabs(a.righting_arm / unit - b.righting_arm) <= 1e-9);
        CHECK(std::fabs(a.area / unit - b.area) <= 1e-9);
        CHECK(std::fabs(a.state.level / unit - b.state.level) <= 1e-9);
      }
    }
  }
}

TEST_CASE("a body too large or too thin for numbers to tell its poses is refused") {
  const auto refused = [](const Shape& shape) -> std::string {
    const Result<FloatingBody> body = floating_body(shape, 1);
    return body ? "" : body.error().message;
  };
  CHECK(refused({BoxSolid{{1e300, 1e300, 3}}}).find("overflows") != std::string::npos);
  CHECK(refused({BoxSolid{{8.5e100, 7.5e100, 1e250}}}).find("overflows") != std::string::npos);
  CHECK(refused({Ellipsoid{{1e80, 1, 3}}}).find("thin") != std::string::npos);
  CHECK(refused({Cylinder{1e-40, 1}}).find("thin") != std::string::npos);
  TriangleMesh needle = make_box({1e120, 1, 3});
  CHECK(
      refused({MeshSolid{std::make_shared<const TriangleMesh>(std::move(needle))}}).find("thin") !=
      std::string::npos);
  CHECK(refused({BoxSolid{{1e10, 1, 3}}}).empty());
  CHECK(refused({BoxSolid{{1e80, 2e80, 3e80}}}).empty());
}

// Rounding moves the center of buoyancy of such a plate by more than the water does, and of one of
// 1e-15 no level puts the half under water: there any pose looks like one at rest.
TEST_CASE("what is listed of a thin plate is held up and at rest") {
  std::size_t poses = 0;
  for (const double thickness : {1e-12, 1e-15, 1e-20}) {
    const Vec3 size(0.2, thickness, 1);
    TriangleMesh mesh = make_box(size);
    for (Vec3& v : mesh.vertices) v += size / 2;
    for (const Shape& shape :
         {Shape{BoxSolid{size}},
          Shape{MeshSolid{std::make_shared<const TriangleMesh>(std::move(mesh))}}}) {
      CAPTURE(thickness);
      const FloatingBody body = half_afloat(shape);
      const Equilibria all = find_equilibria(body, {.starts = 8, .max_states = 300});
      for (const Equilibrium& found : all.found) {
        CHECK(found.residual <= 2e-3);
        CHECK(is_held_up(body, found.state));
      }
      poses += all.found.size();
      if (thickness <= 1e-15) CHECK(all.complete != Completeness::kProven);
      const std::vector<double> heels{0.1, 0.4, 1};
      for (const auto& at : righting_arms(body, {}, heels).states)
        if (at) CHECK(is_held_up(body, at->state));
    }
  }
  CHECK(poses > 0);
}

// Where it stands its arm is 0 too: no pose of such a solid has the displacement, and none is one
// at rest.
TEST_CASE("what no level holds up does not come to rest") {
  const FloatingBody body = leaping_body(std::make_shared<Leaping>());
  const Vec3 up = Vec3::Ones().normalized();
  CHECK(float_upright(body, up).righting_arm.norm() <= 1e-15);
  CHECK_FALSE(come_to_rest(body, up));
}

// Bisection alone takes some 60 levels for each state.
TEST_CASE("a proof asks the body about as often as it may") {
  const auto solid = std::make_shared<Leaping>();
  const FloatingBody body = leaping_body(solid);
  constexpr std::size_t kStates = 4000;
  const Equilibria all =
      find_equilibria(body, {.starts = 0, .max_searches = 0, .max_states = kStates});
  CHECK(all.complete == Completeness::kIncomplete);
  CHECK(solid->asked > kStates);
  CHECK(solid->asked <= 10 * kStates);
}

}  // namespace plimsoll
