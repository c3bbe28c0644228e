// Closed forms of primitives against independent ones, and how poses change them.
#include "shape/primitive_moments.h"

#include <doctest/doctest.h>
#include <simdjson.h>

#include <numbers>

#include "shape/random_shape.h"
#include "support/shared_data.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

constexpr double kRounding = 1e-14;  // some ten roundings

void check_near(double found, double expected) {
  CHECK(std::abs(found - expected) <= kRounding * std::abs(expected));
}

Shape shape_of(std::string_view id, const simdjson::dom::element& p) {
  const auto number = [&](const char* key) { return p[key].get_double().value(); };
  if (id == "solid01") return {BoxSolid{{number("a"), number("b"), number("c")}}};
  if (id == "solid02") return {Sphere{number("r")}};
  if (id == "solid03") return {Ellipsoid{{number("a"), number("b"), number("c")}}};
  if (id == "solid04") return {Torus{number("R"), number("t")}};
  if (id == "solid05") return {Cone{number("r"), number("h")}};
  if (id == "solid06") return {Cylinder{number("r"), number("h")}};
  return {Capsule{number("r"), number("L")}};
}

TEST_CASE("primitives have their tabulated volume, area, center and inertia") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element truth =
      parser.load((test::shared_data() / "truth" / "analytic.json").string());
  int checked = 0;
  for (const simdjson::dom::element entry : truth["cases"].get_array()) {
    const std::string id(entry["id"].get_string().value());
    CAPTURE(id);
    if ((id < "solid01" || id > "solid06") && id != "solid09") continue;
    ++checked;
    const Shape shape = shape_of(id, entry["parameters"].value());
    const std::optional<VolumeMoments> m = exact_moments(shape);
    REQUIRE(m);
    const simdjson::dom::element values = entry["values"].value();
    check_near(m->volume, values["volume"].get_double());
    double area = 0;
    if (values["area"].get(area) == simdjson::SUCCESS) check_near(*exact_area(shape), area);
    const Vec3 center = m->first / m->volume;
    const Mat3 about = m->second - center * m->first.transpose();
    const Mat3 inertia = about.trace() * Mat3::Identity() - about;
    for (std::size_t i = 0; i < 3; ++i) {
      check_near(center[i], values["centre_of_mass"].at(i).get_double());
      for (std::size_t j = 0; j < 3; ++j)
        check_near(inertia(i, j), values["inertia"].at(i).at(j).get_double());
    }
  }
  CHECK(checked == 7);
}

// Of a spheroid: 2 pi a^2 (1 + (1 - e^2) artanh(e) / e) for a > c, 2 pi a^2 (1 + c asin(e) / (a e))
// for c > a, with e the eccentricity.
TEST_CASE("an ellipsoid of revolution has the area of its elementary formula") {
  for (const double c : {0.1, 0.5, 0.9}) {
    CAPTURE(c);
    const double e = std::sqrt(1 - c * c);
    check_near(*exact_area({Ellipsoid{{1, c, 1}}}), 2 * pi * (1 + c * c * std::atanh(e) / e));
    check_near(*exact_area({Ellipsoid{{c, c, 1}}}), 2 * pi * (c * c + c * std::asin(e) / e));
  }
  check_near(*exact_area({Ellipsoid{{3, 3, 3}}}), 36 * pi);
  // Flat: two disks.
  check_near(*exact_area({Ellipsoid{{1, 1, 1e-9}}}), 2 * pi);
}

// The area of a convex solid is four times the mean of its shadows (Cauchy); that along the unit n
// is
//   pi sqrt(b^2 c^2 n_x^2 + a^2 c^2 n_y^2 + a^2 b^2 n_z^2).
// With n_z = tanh(t), dn_z = dt / cosh(t)^2, the trapezoid rule converges exponentially in t and in
// the angle about z; 160,000 terms added one by one are good to 1e-12.
TEST_CASE("a triaxial ellipsoid has four times the mean of its shadows") {
  const double a = 3, b = 2, c = 1;
  const int n = 400;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double t = -20 + 40 * (i + 0.5) / n, phi = 2 * pi * (j + 0.5) / n;
      const double z = std::tanh(t), rho = 1 / std::cosh(t);
      const double x = rho * std::cos(phi), y = rho * std::sin(phi);
      sum += rho * rho *
             std::sqrt(b * b * c * c * x * x + a * a * c * c * y * y + a * a * b * b * z * z);
    }
  }
  const double mean = pi * sum * (40.0 / n) * (2 * pi / n) / (4 * pi);
  CHECK(std::abs(*exact_area({Ellipsoid{{a, b, c}}}) / (4 * mean) - 1) < 1e-12);
}

TEST_CASE("a pose scales, turns and moves the moments") {
  Random random(1);
  for (int kind = 0; kind < test::kPrimitiveKinds; ++kind) {
    Shape shape = test::random_primitive(random, kind);
    const VolumeMoments posed = *exact_moments(shape);
    const double scale = std::cbrt(shape.pose.linear().determinant());
    const double area = *exact_area(shape);
    const Similarity pose = shape.pose;
    shape.pose.setIdentity();
    const VolumeMoments own = *exact_moments(shape);
    check_near(posed.volume, scale * scale * scale * own.volume);
    check_near(area, scale * scale * *exact_area(shape));
    const Vec3 center = pose * Vec3(own.first / own.volume);
    CHECK((posed.first / posed.volume - center).norm() < kRounding * 10);  // distances below 10
  }
}

TEST_CASE("what has no closed form says so") {
  CHECK_FALSE(exact_moments({Boolean{BooleanOperation::kUnion, {{Sphere{1}}}}}));
  CHECK_FALSE(exact_area({MeshSolid{}}));
}

}  // namespace
}  // namespace plimsoll
