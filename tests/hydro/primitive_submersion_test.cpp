// Primitives under water against tabulated values, closed forms, and where they only just touch it.
#include "hydro/primitive_submersion.h"

#include <doctest/doctest.h>
#include <simdjson.h>

#include <cmath>
#include <numbers>
#include <string>

#include "core/random.h"
#include "shape/primitive_moments.h"
#include "support/shared_data.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

Submersion found(const Shape& shape, const WaterPlane& water) {
  return primitive_submersion(shape, water).value();
}

void check_near(double value, double expected, double tolerance) {
  CAPTURE(value);
  CAPTURE(expected);
  CHECK(std::abs(value - expected) <= tolerance);
}

// ---- tabulated

struct Tabulated {
  Shape shape;
  WaterPlane water;
  Pose table_from_shape = Pose::Identity();
};

Tabulated tabulated(int number, const simdjson::dom::element& p) {
  const auto value = [&](const char* key) { return p[key].get_double().value(); };
  Tabulated entry;
  if (number <= 4) {
    const double r = value("r");
    entry = {{Sphere{r}}, {Vec3::UnitZ(), value("h") - r}};
  } else if (number <= 7) {
    const double angle = value("theta_degrees") * pi / 180, width = value("B");
    const Vec3 size(width, value("L"), value("H")), n(-std::sin(angle), 0, std::cos(angle));
    entry = {{BoxSolid{size}}, {}};
    entry.table_from_shape.translation() << 0, size.y() / 2, size.z() / 2;
    entry.water = {n, value("T") * n.z() - n.z() * size.z() / 2};
  } else if (number <= 10) {
    const double h = value("h");
    entry = {{Cone{value("r"), h}}, {-Vec3::UnitZ(), value("t") - h}};
    entry.table_from_shape.linear() = Vec3(1, -1, -1).asDiagonal();
    entry.table_from_shape.translation().z() = h;
  } else if (number <= 13) {
    entry = {{Torus{value("R"), value("t")}}, {Vec3::UnitZ(), value("z0")}};
  } else if (number <= 16) {
    Vec3 n;
    for (std::size_t i = 0; i < 3; ++i) n[i] = p["n"].at(i).get_double();
    entry = {{Ellipsoid{{value("a"), value("b"), value("c")}}},
             {n.normalized(), value("d") / n.norm()}};
  } else {
    const double r = value("r");
    entry = {{Cylinder{r, value("L")}}, {Vec3::UnitX(), value("h") - r}};
    entry.table_from_shape.linear() << 0, 1, 0, 0, 0, 1, 1, 0, 0;  // x up, z along y
  }
  return entry;
}

// The tables have 16 digits.
TEST_CASE("primitives displace what the tables say") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  int checked = 0;
  for (const simdjson::dom::element entry :
       parser.load((test::shared_data() / "truth" / "analytic.json").string())["cases"]
           .get_array()) {
    const std::string id(entry["id"].get_string().value());
    if (!id.starts_with("buoyancy")) continue;
    CAPTURE(id);
    ++checked;
    const Tabulated c = tabulated(std::stoi(id.substr(8)), entry["parameters"].value());
    const Submersion s = found(c.shape, c.water);
    const simdjson::dom::element values = entry["values"].value();
    const auto check = [&](const char* key, double value) {
      double expected = 0;
      if (values[key].get(expected) == simdjson::SUCCESS)
        check_near(value, expected, 1e-13 * std::abs(expected));
    };
    check("submerged_volume", s.volume);
    check("wetted_area", s.wetted_area);
    check("waterplane_area", s.waterplane.area);
    const Vec3 center = c.table_from_shape * s.center_of_buoyancy;
    for (int i = 0; i < 3; ++i)
      check_near(center[i],
                 values["centre_of_buoyancy"].at(static_cast<std::size_t>(i)).get_double(),
                 1e-13 * center.norm());
  }
  CHECK(checked == 19);
}

// ---- closed forms

// 20 digits of arithmetic on numbers of size 1 lose one.
TEST_CASE("an upright box has its metacentric radius") {
  const WaterSection section = found({BoxSolid{{4, 10, 3}}}, {Vec3::UnitZ(), 0}).waterplane;
  const Mat3 second = section.axes.transpose() * section.second_moments * section.axes;
  check_near(second(0, 0), 10 * 64 / 12.0, 1e-13);
  check_near(second(1, 1), 4 * 1000 / 12.0, 1e-12);
  check_near(second(0, 1), 0, 1e-13);
  CHECK((Vec3(section.axes.row(0).cross(section.axes.row(1))) - Vec3::UnitZ()).norm() < 1e-15);
}

/// The area of z <= d of an ellipsoid of revolution with half axes a, a, c:
///   2 pi a int sqrt(1 + k z^2) dz,  k = (a^2 - c^2) / c^4.
double spheroid_zone(double a, double c, double d) {
  const double k = (a - c) * (a + c) / (c * c * c * c), root = std::sqrt(std::abs(k));
  const auto primitive = [&](double z) {
    const double w = std::sqrt((c * c * (c - z) * (c + z) + a * a * z * z) / (c * c * c * c));
    return (z * w + (k > 0 ? std::asinh(root * z) : std::atan2(root * z, w)) / root) / 2;
  };
  return 2 * pi * a * (primitive(d) - primitive(-c));
}

// However long or flat: 1e-13 of the whole.
TEST_CASE("the zones of ellipsoids of revolution are wet as in closed form") {
  for (const double c : {0.001, 0.03, 0.5, 0.999, 1.001, 2.0, 30.0, 1000.0}) {
    for (const double part : {-0.9999999, -0.9, -0.3, -1e-9, 0.0, 1e-3, 0.5, 0.999}) {
      CAPTURE(c);
      CAPTURE(part);
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 radii = Vec3::Ones();
        radii[axis] = c;
        const Shape shape{Ellipsoid{radii}};
        const Submersion s = found(shape, {Vec3::Unit(axis), part * c});
        check_near(s.wetted_area, spheroid_zone(1, c, part * c), 1e-13 * *exact_area(shape));
      }
    }
  }
}

// A plane that leaves by the sides cuts off pi r^2 times its height over the bottom at the axis, by
// an ellipse of half axes r and r / n_z; its moments are A r^2 / 4 and A r^2 / 4 n_z^2.
TEST_CASE("a post cut aslant displaces what its axis is deep") {
  Random random(19);
  for (int i = 0; i < 500; ++i) {
    const double r = random.uniform(0.2, 2), half = random.uniform(2, 3);
    const double steepest = (half - 0.1) / r, slope = steepest * random.uniform(0.01, 1);
    const double room = half - slope * r, level = room * random.uniform(-0.999, 0.999);
    const double turn = random.uniform(0, 6.28);
    const WaterPlane water{{slope * std::cos(turn), slope * std::sin(turn), 1}, level};
    const Result<Submersion> wet = submersion({Cylinder{r, 2 * half}}, water);
    REQUIRE(wet);
    const double base = pi * r * r, whole = base * 2 * half, length = std::hypot(slope, 1);
    CHECK(std::abs(wet->volume - base * (half + level)) <= 1e-12 * whole);
    CHECK(std::abs(wet->waterplane.area - base * length) <= 1e-12 * whole);
    const double trace = base * length * r * r / 4 * (1 + length * length);
    CHECK(std::abs(wet->waterplane.second_moments.trace() - trace) <= 1e-12 * trace);
  }
}

// The plane leaves a little beyond the rim, by the top: what is cut off of an endless post is more
// than the post has, by a hoof. Over the unit disk the integral of slope (x - c) where x > c is
//   slope (2/3 (1 - c^2)^(3/2) - c (acos(c) - c sqrt(1 - c^2))).
TEST_CASE("a post cut aslant through its rim displaces less by a hoof") {
  for (const double beyond : {1e-9, 1e-6, 1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.5}) {
    for (const double slope : {0.5, 2.0, 8.0}) {
      CAPTURE(beyond);
      CAPTURE(slope);
      const double half = 1.5 * slope;  // the plane's lowest point is in the side
      const double level = half - slope + beyond * half;
      const double c = (half - level) / slope, root = std::sqrt((1 - c) * (1 + c));
      const double hoof = slope * (2.0 / 3 * root * root * root - c * (std::acos(c) - c * root));
      const Result<Submersion> wet = submersion({Cylinder{1, 2 * half}}, {{-slope, 0, 1}, level});
      REQUIRE(wet);
      check_near(wet->volume, pi * (half + level) - hoof, 1e-13 * pi * 2 * half);
      check_near(wet->waterplane.area, std::hypot(slope, 1) * (pi - std::acos(c) + c * root),
                 1e-13 * pi * std::hypot(slope, 1));
    }
  }
}

// Also where the plane all but contains an axis, and of a body a thousand times as long as thick.
TEST_CASE("a plane through the center wets half of an ellipsoid") {
  const Vec3 leaning[] = {{1, 2, 3},       {1, 1e-9, 0},    {1e-9, 1, 1e-5},
                          {1, 1e-3, 1e-3}, {1e-3, 1e-6, 1}, {0, 1, 1}};
  for (const Vec3& radii :
       {Vec3(3, 2, 1), Vec3(1000, 30, 1), Vec3(1, 1000, 999), Vec3(1, 1.01, 1000)}) {
    for (const Vec3& n : leaning) {
      const Shape shape{Ellipsoid{radii}};
      const double area = *exact_area(shape);
      check_near(found(shape, {n.normalized(), 0}).wetted_area, area / 2, 1e-13 * area);
    }
  }
}

// ---- touching

void check_dry(const Submersion& s) {
  CHECK(s.volume == 0);
  CHECK(s.center_of_buoyancy.isZero(0));
  CHECK(s.waterplane.second_moments.isZero());
}

// A few roundings of numbers from 1 to 25.
TEST_CASE("a body that stands on the water is dry but for its bottom") {
  const Submersion box = found({BoxSolid{{2, 3, 4}}}, {Vec3::UnitZ(), -2});
  CHECK(box.volume == 0);
  CHECK(box.center_of_buoyancy.isZero(0));
  CHECK(box.wetted_area == 6);
  check_near(box.waterplane.area, 6, 1e-15);
  CHECK((box.waterplane.center - Vec3(0, 0, -2)).norm() < 1e-15);
  for (const Shape& shape : {Shape{Cylinder{2, 1}}, Shape{Cone{2, 1}}}) {
    const double bottom = std::holds_alternative<Cone>(shape.solid) ? 0 : -0.5;
    const Submersion s = found(shape, {Vec3::UnitZ(), bottom});
    CHECK(s.volume == 0);
    CHECK(s.center_of_buoyancy.isZero(0));
    check_near(s.wetted_area, 4 * pi, 1e-14);
    check_near(s.waterplane.area, 4 * pi, 1e-14);
    CHECK((s.waterplane.center - Vec3(0, 0, bottom)).norm() < 1e-15);
    check_near(s.waterplane.second_moments.trace(), 8 * pi, 1e-13);
  }
}

TEST_CASE("a body whose top is in the surface is all wet") {
  for (const Shape& shape :
       {Shape{BoxSolid{{2, 3, 4}}}, Shape{Cylinder{2, 4}}, Shape{Sphere{2}}, Shape{Capsule{1, 2}},
        Shape{Torus{3, 2}}, Shape{Cone{1, 2}}, Shape{Ellipsoid{{1, 1, 2}}}}) {
    const Submersion s = found(shape, {Vec3::UnitZ(), 2});
    CHECK(s.volume == exact_moments(shape)->volume);
    CHECK(s.wetted_area == *exact_area(shape));
    CHECK(s.waterplane.area == 0);
    CHECK(s.waterplane.center.isZero(0));
  }
}

TEST_CASE("a body that touches the water in a point or along a line is dry") {
  for (const Shape& shape :
       {Shape{Sphere{2}}, Shape{Capsule{1, 2}}, Shape{Torus{3, 2}}, Shape{Ellipsoid{{1, 1, 2}}}})
    check_dry(found(shape, {Vec3::UnitZ(), -2}));
  check_dry(found({Cylinder{2, 1}}, {Vec3::UnitX(), -2}));
  check_dry(found({Capsule{2, 1}}, {Vec3::UnitX(), -2}));
  check_dry(found({Torus{1, 1}}, {Vec3::UnitX(), -2}));
  check_dry(found({Cone{2, 1}}, {-Vec3::UnitZ(), -1}));
  check_dry(found({BoxSolid{}}, {Vec3(1, 1, 0).normalized(), -std::sqrt(0.5)}));
}

TEST_CASE("a body clear of the water has nothing wet and no error") {
  const Submersion s = found({Torus{2, 1}}, {Vec3::UnitZ(), -1.1});
  check_dry(s);
  CHECK(s.wetted_area == 0);
  CHECK(s.volume_error == 0);
}

TEST_CASE("what is no primitive has no closed form") {
  CHECK_FALSE(primitive_submersion({MeshSolid{}}, {}));
  CHECK_FALSE(primitive_submersion({Boolean{BooleanOperation::kUnion, {{Sphere{1}}}}}, {}));
}

// A ball of radius 1 a hundred million radii away: the plane's distance from it is the difference
// of two numbers of 1e8, whose products double would round to 1e-8.
TEST_CASE("far from the origin a primitive displaces what it does near it") {
  const Vec3 far(123456789.0, -98765432.0, 55555555.0);
  Shape ball{Sphere{1}};
  ball.pose.translation() = far;
  const WaterPlane water{{0.3, 0.1, 0.7}, 0.3 * far[0] + 0.1 * far[1] + 0.7 * far[2]};
  long double level = water.offset;
  for (int i = 0; i < 3; ++i)
    level -= static_cast<long double>(water.normal[i]) * static_cast<long double>(far[i]);
  const double depth = 1 + static_cast<double>(level) / water.normal.norm();
  const double volume = std::numbers::pi / 3 * depth * depth * (3 - depth);
  // A long double has 11 bits more than a double, on products of 4e7.
  CHECK(std::abs(submersion(ball, water)->volume - volume) <= 2e-11);
}

}  // namespace
}  // namespace plimsoll
