// Exact mass properties: closed forms, exact values of real meshes, laws, bit-equality.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>
#include <simdjson.h>

#include <hwy/targets.h>
#include <bit>

#include "solid/exact_oracle.h"
#include "support/checked.h"
#include "support/random_mesh.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

constexpr double kUlp = 0x1p-52;
// The bound of a figure that is the exact one rounded once, and a little for the sums before.
constexpr double kRoundedOnce = 0.51 * kUlp;

TEST_CASE("a box weighs what its edges say") {
  const MassProperties box =
      mass_properties(test::checked(make_box({2, 3, 5})), test::with_density(2));
  CHECK(box.volume == 30);
  CHECK(box.mass == 60);
  CHECK(box.center_of_mass == Vec3(0, 0, 0));
  // 60 / 12 (3^2 + 5^2) and so on; every number here is exact in double
  CHECK(box.inertia == Mat3(Vec3(170, 145, 65).asDiagonal()));
  CHECK(box.error_bound.volume <= 1.2e-27);  // 30 u^2 times the growth of a chunk, 2900
}

TEST_CASE("a unit converts the results and not the coordinates") {
  const MassProperties box =
      mass_properties(test::checked(make_box({1, 1, 1})), test::in_unit({254, 10000}));
  // The numbers to compare with are rounded, the first once, the second four times.
  const double inertia = 1.6387064e-5 * 0.0254 * 0.0254 / 6;
  CHECK(std::abs(box.volume - 1.6387064e-5) <= kUlp * 1.6387064e-5);
  CHECK(std::abs(box.inertia(0, 0) - inertia) <= 5 * kUlp / 2 * inertia);
}

TEST_CASE("a mass may be given instead of a density") {
  const MassProperties box =
      mass_properties(test::checked(make_box({1, 2, 4})), test::with_mass(4));
  CHECK(box.density == 0.5);
  CHECK(box.mass == 4);
  CHECK(box.inertia(2, 2) == 5. / 3);  // 4 / 12 (1^2 + 2^2)
}

TEST_CASE("a mesh turned inward weighs the same and says so") {
  TriangleMesh inward = make_torus(2, 0.5, 12, 8);
  const MassProperties outward = mass_properties(test::checked(inward));
  for (Triangle& t : inward.triangles) std::swap(t[1], t[2]);
  const MassProperties found = mass_properties(test::checked(inward));
  CHECK(found.inverted);
  CHECK_FALSE(outward.inverted);
  CHECK(std::abs(found.volume - outward.volume) <= kUlp * outward.volume);
}

TEST_CASE("a mesh without volume has no center") {
  TriangleMesh flat = make_box({1, 2, 3});
  for (Vec3& v : flat.vertices) v[1] = 0.1;
  const MassProperties found = mass_properties(test::checked(flat));
  CHECK(found.volume == 0);
  CHECK(found.mass == 0);
  CHECK(std::isnan(found.center_of_mass[0]));
  CHECK(mass_properties(test::checked(TriangleMesh{})).volume == 0);
}

// Two sheets a last bit apart at 1e6: the volume is 2e-10 of the terms it is summed from.
TEST_CASE("a wall one unit in the last place thick has its exact volume") {
  TriangleMesh wall = make_box({1, 1, 1});
  const double x = 1e6;
  for (Vec3& v : wall.vertices) v[0] = v[0] < 0 ? x : std::nextafter(x, 2 * x);
  const MassProperties found = mass_properties(test::checked(wall));
  CHECK(found.volume == std::nextafter(x, 2 * x) - x);
  CHECK(found.center_of_mass[1] == 0);
}

TEST_CASE("sizes whose fifth powers leave the range of doubles are measured as far as they go") {
  for (const int exponent : {-300, -210, -190, 190, 210, 300}) {
    CAPTURE(exponent);
    TriangleMesh box = make_box({2, 3, 5});
    for (Vec3& v : box.vertices) v *= std::ldexp(1.0, exponent);
    const MassProperties found = mass_properties(test::checked(box));
    CHECK(found.volume == std::ldexp(30.0, 3 * exponent));
    CHECK(found.center_of_mass == Vec3(0, 0, 0));
    CHECK(found.inertia(0, 0) == std::ldexp(85.0, 5 * exponent));
  }
}

// Reference values are correctly rounded, hence half a unit of their own last place.
TEST_CASE("real meshes have their exact mass properties within the bound") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element truth =
      parser.load((test::shared_data() / "truth" / "mass.json").string());
  int measured = 0;
  for (const simdjson::dom::element entry : truth["cases"].get_array()) {
    const std::string name(entry["mesh"].get_string().value());
    CAPTURE(name);
    if (name.ends_with(".3ds") || name.ends_with(".gz") || test::has_folded_truth(name)) continue;
    const Result<MeshFile> file = read_mesh(test::shared_data() / name);
    REQUIRE(file);
    const MassProperties found = mass_properties(test::checked(weld(test::checked(file->mesh))));
    const double volume = entry["signed_volume"].get_double();
    CHECK(found.inverted == (volume < 0));
    CHECK(std::abs(found.volume - std::abs(volume)) <=
          found.error_bound.volume + kUlp / 2 * std::abs(volume));
    const simdjson::dom::array center = entry["centre_of_mass"].get_array();
    const simdjson::dom::array inertia = entry["inertia"].get_array();
    const double largest = found.inertia.cwiseAbs().maxCoeff();
    for (std::size_t i = 0; i < 3; ++i) {
      const double c = center.at(i).get_double();
      CHECK(std::abs(found.center_of_mass[i] - c) <=
            found.error_bound.center_of_mass + kUlp / 2 * std::abs(c));
      for (std::size_t j = 0; j < 3; ++j)
        CHECK(std::abs(found.inertia(i, j) - inertia.at(i).at(j).get_double()) <=
              found.error_bound.inertia + kUlp / 2 * largest);
    }
    // In all these meshes what is summed exceeds the result by far less than 2^53.
    CHECK(found.error_bound.volume <= kRoundedOnce * found.volume);
    CHECK(found.error_bound.inertia <= kRoundedOnce * largest);
    ++measured;
  }
  CHECK(measured >= 50);
}

// Each distance costs what rounding the vertices there costs, and nothing more.
TEST_CASE("distance from the origin costs no accuracy") {
  Random random(7);
  for (const double offset : {0., 1e2, 1e4, 1e6, 1e8}) {
    CAPTURE(offset);
    TriangleMesh knot = make_torus_knot({}, 40, 8);
    for (Vec3& v : knot.vertices) v += offset * Vec3(1, -0.7, 0.3);
    const test::ExactProperties exact = test::exact_properties(knot);
    for (const Precision precision : {Precision::kTight, Precision::kFast}) {
      const MassProperties found =
          mass_properties(test::checked(knot), test::with_precision(precision));
      const MassError error = test::true_error(found, exact);
      // Sums in double about the middle of its box: a rounding for each of 640 triangles, some
      // terms of which cancel; of second moments, three times as many factors.
      const double sums = 640 * kUlp / 2;
      CHECK(error.volume <= sums * found.volume);
      CHECK(error.inertia <= 3 * sums * found.inertia.cwiseAbs().maxCoeff());
      CHECK(error.center_of_mass <= sums + kUlp / 2 * offset);
    }
  }
}

// Surfaces that enclose nothing: one point or one edge of a triangle thrice or twice, two sides of
// a sheet. However far away, they change no integral; the sums in double know nothing of that.
TEST_CASE("a stray surface far away that encloses nothing costs no accuracy") {
  for (const double offset : {1e4, 1e7, 1e13, 1e60, 1e150}) {
    for (const char* stray : {"point", "edge", "sheet"}) {
      CAPTURE(offset);
      CAPTURE(stray);
      TriangleMesh mesh = make_torus_knot({}, 20, 5);
      for (Vec3& v : mesh.vertices) v += 100 * Vec3(1, 0.7, 0.3);
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      const test::ExactProperties exact = test::exact_properties(mesh);
      const Vec3 far = offset * Vec3(1, 2.3, -1.7);
      for (const Vec3& v : {far, Vec3(far * 1.25), Vec3(far.x(), -far.y(), far.z())})
        mesh.vertices.push_back(v);
      if (stray == std::string_view("point")) {
        mesh.triangles.push_back({first, first, first});
      } else if (stray == std::string_view("edge")) {
        mesh.triangles.push_back({first, first + 1, first + 1});
      } else {
        mesh.triangles.push_back({first, first + 1, first + 2});
        mesh.triangles.push_back({first + 2, first + 1, first});
      }
      for (const Precision precision : {Precision::kTight, Precision::kFast}) {
        const MassProperties found =
            mass_properties(test::checked(mesh), test::with_precision(precision));
        const MassError error = test::true_error(found, exact);
        const double bound = precision == Precision::kTight ? kRoundedOnce : 0x1p-20;
        const double largest = found.inertia.cwiseAbs().maxCoeff();
        CHECK(error.volume <= found.error_bound.volume);
        CHECK(error.center_of_mass <= found.error_bound.center_of_mass);
        CHECK(error.inertia <= found.error_bound.inertia);
        CHECK(found.error_bound.volume <= bound * found.volume);
        CHECK(found.error_bound.center_of_mass <= 101 * bound);  // at x = 100
        CHECK(found.error_bound.inertia <= bound * largest);
      }
    }
  }
}

// Turned so that no coordinate is small: sums in double-double lose most of the volume.
TEST_CASE("a needle up to 1e15 times as long as thick is known to its last place") {
  const Mat3 turn = Eigen::Quaterniond(0.3, -0.5, 0.7, 0.4).normalized().toRotationMatrix();
  for (const double thickness : {1e-6, 1e-9, 1e-15}) {
    CAPTURE(thickness);
    TriangleMesh needle = make_box({1, thickness, 2 * thickness});
    for (Vec3& v : needle.vertices) v = turn * v;
    const MassProperties found = mass_properties(test::checked(needle));
    const MassError error = test::true_error(found, test::exact_properties(needle));
    CHECK(error.volume <= found.error_bound.volume);
    CHECK(error.center_of_mass <= found.error_bound.center_of_mass);
    CHECK(error.inertia <= found.error_bound.inertia);
    CHECK(found.error_bound.volume <= kRoundedOnce * found.volume);
    CHECK(found.error_bound.inertia <= kRoundedOnce * found.inertia.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("an assembly is the sum of its parts about their common center") {
  // Two boxes side by side are one box.
  TriangleMesh left = make_box({1, 2, 3});
  TriangleMesh right = left;
  for (Vec3& v : left.vertices) v += Vec3(1e6 - 0.5, 5, 7);
  for (Vec3& v : right.vertices) v += Vec3(1e6 + 0.5, 5, 7);
  const Assembly both = assembly_mass_properties(
      std::vector<AssemblyPart>{{test::checked(left), {}}, {test::checked(right), {}}});
  CHECK(both.total.volume == 12);
  CHECK(both.total.center_of_mass == Vec3(1e6, 5, 7));
  CHECK(both.total.inertia == Mat3(Vec3(13, 13, 8).asDiagonal()));
  CHECK(both.parts[1].center_of_mass == Vec3(1e6 + 0.5, 5, 7));
}

// Two cubes of side s, one beside the other at three sides' distance: I_xx = M s^2 / 6, and in the
// other two M (1.5 s)^2 more.
TEST_CASE("the mass of an assembly is shared out at any size") {
  for (const double side : {1e-40, 1., 1e60}) {
    for (const double mass : {1e-140, 3., 1e100}) {
      CAPTURE(side);
      CAPTURE(mass);
      const TriangleMesh left = make_box(side * Vec3::Ones());
      TriangleMesh right = left;
      for (Vec3& v : right.vertices) v.x() += 3 * side;
      const Assembly both = assembly_mass_properties(
          std::vector<AssemblyPart>{{test::checked(left), {}}, {test::checked(right), {}}}, mass);
      const double cube = mass * side * side / 6;
      const double beside = mass * 2.25 * side * side;
      CHECK(both.total.mass == mass);
      CHECK(std::abs(both.parts[0].mass - mass / 2) <= kUlp * mass);
      CHECK(std::abs(both.total.inertia(0, 0) - cube) <= 8 * kUlp * cube);
      CHECK(std::abs(both.total.inertia(1, 1) - cube - beside) <= 8 * kUlp * beside);
      CHECK(both.total.error_bound.inertia <= kUlp * beside);
    }
  }
}

// Inertia per mass is 1e-340 m^2 here, which is no double: lengths are taken over a power of two.
TEST_CASE("an assembly of the smallest bodies is known as well as one of usual size") {
  const auto cubes = [](double side, double mass) {
    TriangleMesh left = make_box(Vec3::Constant(side)), right = left;
    for (Vec3& v : right.vertices) v += Vec3(3 * side, side, 0);
    const MassOptions options = test::with_mass(mass);
    return assembly_mass_properties(
        std::vector<AssemblyPart>{{test::checked(left), options}, {test::checked(right), options}});
  };
  const MassProperties usual = cubes(1, 3).total;
  const MassProperties small = cubes(0x1p-565, 0x1.8p+201).total;
  CHECK(small.mass == std::ldexp(usual.mass, 200));
  CHECK(small.center_of_mass == Vec3(usual.center_of_mass * 0x1p-565));
  for (int i = 0; i < 9; ++i)
    CHECK(small.inertia(i) == std::ldexp(usual.inertia(i), 200 - 2 * 565));
  CHECK(small.error_bound.inertia <= kUlp * small.inertia.maxCoeff());
}

TEST_CASE("an assembly far away is known as well as one near") {
  Random random(11);
  const TriangleMesh knot = make_torus_knot({}, 30, 6);
  TriangleMesh a = knot;
  TriangleMesh b = knot;
  for (Vec3& v : a.vertices) v += Vec3(1e6, 3e5, -2e6);
  for (Vec3& v : b.vertices) v += Vec3(1e6 + 3, 3e5, -2e6);
  TriangleMesh both = a;
  for (const Vec3& v : b.vertices) both.vertices.push_back(v);
  for (Triangle t : b.triangles) {
    for (std::uint32_t& v : t) v += static_cast<std::uint32_t>(a.vertices.size());
    both.triangles.push_back(t);
  }
  const Assembly assembly = assembly_mass_properties(
      std::vector<AssemblyPart>{{test::checked(a), {}}, {test::checked(b), {}}});
  const MassError error = test::true_error(assembly.total, test::exact_properties(both));
  CHECK(error.volume <= assembly.total.error_bound.volume);
  CHECK(error.center_of_mass <= assembly.total.error_bound.center_of_mass);
  CHECK(error.inertia <= assembly.total.error_bound.inertia);
  CHECK(assembly.total.error_bound.inertia <= kRoundedOnce * assembly.total.inertia.maxCoeff());
}

TEST_CASE("principal axes diagonalize the tensor and are right-handed") {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    TriangleMesh mesh = make_box(Vec3(1, 1, 1) + 0.99 * test::random_vector(random));
    const Eigen::Quaterniond turn(random.uniform(0, 1), random.uniform(0, 1), 0.5, 0.1);
    for (Vec3& v : mesh.vertices) v = turn.normalized() * v;
    const MassProperties found = mass_properties(test::checked(mesh));
    const PrincipalAxes p = principal_axes(found.inertia);
    CHECK(p.moments[0] <= p.moments[1]);
    CHECK(p.moments[1] <= p.moments[2]);
    // The axes are made of three turns, four products in each entry each time; 1e-14 is 90
    // roundings.
    CHECK(std::abs(p.axes.determinant() - 1) <= 1e-14);
    const Mat3 back = p.axes.transpose() * p.moments.asDiagonal() * p.axes;
    CHECK((back - found.inertia).cwiseAbs().maxCoeff() <= 1e-14 * p.moments[2]);
    CHECK(is_physical(found.inertia));
  }
  CHECK_FALSE(is_physical(Mat3(Vec3(1, 1, 3).asDiagonal())));
}

}  // namespace
}  // namespace plimsoll
