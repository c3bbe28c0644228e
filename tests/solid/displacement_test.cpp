// Bounds of solids whose vertices are not where they belong.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>

#include <cmath>
#include <vector>

#include "solid/displacement.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

/// `mesh` with each vertex moved by up to `d`; every second time by as much as may be, all of a
/// kind outward.
TriangleMesh moved(TriangleMesh mesh, double d, Random& random) {
  const bool grows = random.below(2) == 0;
  const Vec3 center = bounding_box(test::checked(mesh)).center();
  for (Vec3& v : mesh.vertices) {
    const Vec3 way = grows ? Vec3(v - center) : test::random_vector(random);
    v += 0.999 * d * way.normalized();
  }
  return mesh;
}

void check_within(const MassProperties& found, const MassProperties& other,
                  const MassError& bound) {
  const double slack = 1 + 1e-9;
  CHECK(std::fabs(found.volume - other.volume) <= slack * bound.volume);
  CHECK((found.center_of_mass - other.center_of_mass).cwiseAbs().maxCoeff() <=
        slack * bound.center_of_mass);
  CHECK((found.inertia - other.inertia).cwiseAbs().maxCoeff() <= slack * bound.inertia);
}

TEST_CASE("what vertices out of place change is within the bounds") {
  Random random(1);
  double tightest = 0;
  for (int n = 0; n < test::campaign(2000); ++n) {
    TriangleMesh mesh = test::random_shape(random);
    const double size = std::pow(10.0, random.uniform(-3, 3));
    const Vec3 offset = 10 * size * test::random_vector(random);
    for (Vec3& v : mesh.vertices) v = size * v + offset;
    const double d = size * std::pow(10.0, random.uniform(-12, -2));
    MassOptions options{.density = 3, .unit = {1, 1000}, .vertex_error = d};
    if (random.below(2) == 0) options.mass = 2;
    const MassProperties found = mass_properties(test::checked(mesh), options);
    options.vertex_error = 0;
    const MassProperties exact = mass_properties(test::checked(mesh), options);
    CHECK(found.volume == exact.volume);
    CHECK(found.error_bound.volume > exact.error_bound.volume);
    const MassProperties other = mass_properties(test::checked(moved(mesh, d, random)), options);
    check_within(found, other, found.error_bound);
    tightest =
        std::max(tightest, std::fabs(found.volume - other.volume) / found.error_bound.volume);
  }
  CHECK(tightest > 0.5);  // a ball that grows
}

TEST_CASE("the bounds of an assembly hold what moves in its parts") {
  Random random(2);
  for (int n = 0; n < test::campaign(500); ++n) {
    const double d = std::pow(10.0, random.uniform(-9, -3));
    const double mass = random.below(2) == 0 ? 0 : 5;
    std::vector<AssemblyPart> given, other;
    for (int p = 0; p < 3; ++p) {
      TriangleMesh mesh = make_sphere(1, 5, 7);
      const Vec3 offset = 1000 * test::random_vector(random);
      for (Vec3& v : mesh.vertices) v += offset;
      const MassOptions options{.density = random.uniform(1, 9)};
      other.push_back({test::checked(moved(mesh, d, random)), options});
      given.push_back({test::checked(std::move(mesh)), options});
      given.back().options.vertex_error = p == 2 ? 0 : d;
    }
    other[2] = given[2];
    const Assembly found = assembly_mass_properties(given, mass);
    const Assembly moved_parts = assembly_mass_properties(other, mass);
    check_within(found.total, moved_parts.total, found.total.error_bound);
    for (std::size_t p = 0; p < 3; ++p)
      check_within(found.parts[p], moved_parts.parts[p], found.parts[p].error_bound);
  }
}

TEST_CASE("what may be a quarter of a body has no bound") {
  const Shape wall{MeshSolid{std::make_shared<const TriangleMesh>(make_box({1, 1, 1e-6})), 1e-6}};
  const Result<ShapeMass> mass = mass_properties(wall);
  REQUIRE(mass);
  CHECK(std::isinf(mass->body.error.volume));
  CHECK(swept_volume(wall) == test::approx(2e-6).epsilon(1e-3));
  CHECK(swept_volume({Sphere{1}}) == 0);
  CHECK(displacement_error({Sphere{1}}, mass->body.properties).inertia == 0);
}

// A body that is small beside the error of its vertices may be a large one. What it may gain is
// swept, however small its own area is.
TEST_CASE("a speck sweeps the volume of all that it may become") {
  for (const double size : {1e-12, 1e-3, 1.}) {
    CAPTURE(size);
    const TriangleMesh speck = make_box(Vec3::Constant(size));
    TriangleMesh grown = speck;
    for (Vec3& v : grown.vertices) v += 0.999 * v.normalized();
    const double gained = mass_properties(test::checked(grown)).volume - size * size * size;
    CHECK(gained > 1.5);
    CHECK(gained <= swept_volume(speck, 1));
  }
}

TEST_CASE("meshes within Booleans sweep what they do alone, posed and scaled") {
  const auto box = std::make_shared<const TriangleMesh>(make_box({1, 1, 1}));
  Shape part{MeshSolid{box, 1e-6}};
  part.pose.linear() *= 2;
  Shape both{Boolean{BooleanOperation::kUnion, {part, Shape{Sphere{1}}, part}}};
  both.pose.linear() *= 3;
  CHECK(swept_volume(both) == test::approx(2 * 6 * 36 * 6e-6).epsilon(1e-3));
  const Shape negative{MeshSolid{box, -1}};
  CHECK_FALSE(check_shape(negative));
  CHECK_FALSE(check_shape({MeshSolid{box, std::nan("")}}));
}

// Lengths in a file are multiples of its unit u: what is swept grows as u^3, the diameter as u. The
// bounds are those written above displacement_error, with the digits of a few products. Lengths are
// those of a box whose coordinates, of 3e4, are rounded by some 3e-13 of its size.
TEST_CASE("the bounds of a shape in any unit are those of the same shape in meters") {
  Shape box{MeshSolid{std::make_shared<const TriangleMesh>(make_box({3, 4, 12})), 1e-5}};
  box.pose.translation() = Vec3(1e4, -2e4, 3e4);
  for (const LengthUnit unit :
       {LengthUnit{1, 1000}, LengthUnit{254, 10000}, LengthUnit{1, 1}, LengthUnit{1852, 1}}) {
    CAPTURE(unit.numerator);
    const double meters = unit.numerator / unit.denominator;
    Shape in_meters = box;
    in_meters.pose = Eigen::Scaling(meters) * box.pose;
    MassProperties measured;
    measured.density = 7;
    measured.volume = 3 * 4 * 12 * meters * meters * meters;
    measured.mass = measured.density * measured.volume;
    measured.inertia = Vec3(16 + 144, 9 + 144, 9 + 16).asDiagonal();
    measured.inertia *= measured.mass * meters * meters / 12;
    const double swept = swept_volume(in_meters), share = swept / (measured.volume - swept);
    const double r = 1.1 * 13 * meters;  // 3^2 + 4^2 + 12^2 = 13^2
    // A box moves by 1e-5 of its 192 square units, and its edges by far less.
    CHECK(swept == test::approx(192e-5 * meters * meters * meters).epsilon(1e-3));
    const MassError same = displacement_error(in_meters, measured),
                    found = displacement_error(box, measured, unit);
    for (const MassError& error : {same, found}) {
      CHECK(error.volume == test::approx(swept).epsilon(1e-12));
      CHECK(error.center_of_mass == test::approx(r * share).epsilon(1e-12));
      CHECK(error.inertia ==
            test::approx(2 * 7 * swept * r * r + share * measured.inertia(0, 0)).epsilon(1e-12));
    }
  }
}

}  // namespace
}  // namespace plimsoll
