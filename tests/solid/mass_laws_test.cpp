// What holds for the mass properties of any solid: closed forms, scaling, rigid motion, cutting,
// joining; and the paper's baseline, which shares no code.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <simdjson.h>

#include <map>

#include "shared/mirtich.h"
#include "solid/exact_oracle.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"
#include "support/shared_data.h"

namespace plimsoll {
namespace {

using simdjson::dom::element;

double number(const element& parameters, const char* name) { return parameters[name].get_double(); }

TriangleMesh regular_tetrahedron(double edge) {
  const double h = edge / std::sqrt(8.);
  return {{{h, h, h}, {h, -h, -h}, {-h, h, -h}, {-h, -h, h}},
          {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
}

/// The solid of an entry, n steps around; empty for one that is not made of a generator.
TriangleMesh meshed(const std::string& id, const element& p, int n) {
  if (id == "solid01") return make_box({number(p, "a"), number(p, "b"), number(p, "c")});
  if (id == "solid02") return make_sphere(number(p, "r"), n, 2 * n);
  if (id == "solid03")
    return make_ellipsoid({number(p, "a"), number(p, "b"), number(p, "c")}, n, 2 * n);
  if (id == "solid04") return make_torus(number(p, "R"), number(p, "t"), n, n);
  if (id == "solid05") return make_cone(number(p, "r"), number(p, "h"), n);
  if (id == "solid06") return make_cylinder(number(p, "r"), number(p, "h"), n);
  if (id == "solid08")
    return test::joined(make_sphere(number(p, "ro"), n, 2 * n),
                        test::turned(make_sphere(number(p, "ri"), n, 2 * n)));
  if (id == "solid09") return make_capsule(number(p, "r"), number(p, "L"), n, 2 * n);
  if (id == "solid10") return regular_tetrahedron(number(p, "e"));
  return {};
}

/// The greatest relative error of volume and inertia, and of the center relative to 1 m.
double error_of(const TriangleMesh& mesh, const element& values) {
  const MassProperties found = mass_properties(test::checked(mesh));
  const double volume = values["volume"].get_double();
  double error = std::abs(found.volume / volume - 1);
  double largest = 0;
  double off = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double wanted = values["inertia"].at(i).at(j).get_double();
      largest = std::max(largest, std::abs(wanted));
      off = std::max(off, std::abs(found.inertia(i, j) - wanted));
    }
    double center = 0;
    if (values["centre_of_mass"].at(i).get_double().get(center) != simdjson::SUCCESS) continue;
    error = std::max(error, std::abs(found.center_of_mass[i] - center));
  }
  return std::max(error, off / largest);
}

// A chord of angle h lies h^2 / 8 of the radius inside its arc, so everything converges with h^2:
// 256 steps around leave (2 pi / 256)^2 / 6 = 1e-4 of an area, up to three times that of an
// inertia, which has the length to the fifth power, and a fourth of it at twice the steps.
// Polyhedra are exact.
TEST_CASE("generated meshes tend to the closed forms as fast as chords tend to arcs") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const element truth = parser.load((test::shared_data() / "truth" / "analytic.json").string());
  int compared = 0;
  for (const element entry : truth["cases"].get_array()) {
    if (std::string_view(entry["group"].get_string()) != "solid") continue;
    const std::string id(entry["id"].get_string().value());
    CAPTURE(id);
    const TriangleMesh coarse = meshed(id, entry["parameters"], 256);
    if (coarse.triangles.empty()) continue;
    const double error = error_of(coarse, entry["values"]);
    if (id == "solid01" || id == "solid10") {
      CHECK(error <= 1e-15);
    } else {
      CHECK(error <= 3.1e-4);
      const double finer = error_of(meshed(id, entry["parameters"], 512), entry["values"]);
      CHECK(error / finer == test::approx(4).epsilon(1e-3));  // the next order: (2 pi / 256)^2
    }
    ++compared;
  }
  CHECK(compared == 9);
}

TEST_CASE("scaling by k multiplies volume by k^3 and inertia by k^5") {
  Random random(31);
  for (int i = 0; i < test::campaign(1000); ++i) {
    TriangleMesh mesh = test::random_closed_mesh(random);
    const MassProperties before = mass_properties(test::checked(mesh));
    const double k = 8;  // a power of two, so that every result is too
    for (Vec3& v : mesh.vertices) v *= k;
    const MassProperties after = mass_properties(test::checked(mesh));
    CHECK(after.volume == std::pow(k, 3) * before.volume);
    CHECK(after.center_of_mass == Vec3(k * before.center_of_mass));
    CHECK(after.inertia == Mat3(std::pow(k, 5) * before.inertia));
  }
}

// The turned vertices are rounded, which moves them by a few 1e-16 of their distance: 1e-14 leaves
// room for the fifth power and for the solids' being smaller than their boxes.
TEST_CASE("a turned and moved solid has its center moved along and its tensor turned") {
  Random random(32);
  for (int i = 0; i < test::campaign(1000); ++i) {
    TriangleMesh mesh = make_torus_knot({}, 24, 6);
    const MassProperties before = mass_properties(test::checked(mesh));
    const Mat3 turn = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), 0.3, 0.1)
                          .normalized()
                          .toRotationMatrix();
    const Vec3 shift = test::random_vector(random);
    for (Vec3& v : mesh.vertices) v = turn * v + shift;
    const MassProperties after = mass_properties(test::checked(mesh));
    CHECK(std::abs(after.volume - before.volume) <= 1e-14);
    CHECK((after.center_of_mass - (turn * before.center_of_mass + shift)).norm() <= 1e-14);
    CHECK((after.inertia - turn * before.inertia * turn.transpose()).cwiseAbs().maxCoeff() <=
          1e-14);
  }
}

// An even number of rings has an equator; each half is closed by the fan of its disk.
TEST_CASE("the halves of a cut solid weigh as much as the whole") {
  const int rings = 20;
  const int slices = 30;
  const TriangleMesh whole = make_ellipsoid({3, 2, 1}, rings, slices);
  TriangleMesh halves[2];
  for (int side = 0; side < 2; ++side) {
    TriangleMesh& half = halves[side];
    half.vertices = whole.vertices;
    const auto middle = static_cast<std::uint32_t>(half.vertices.size());
    half.vertices.push_back(Vec3::Zero());
    const double up = side == 0 ? 1 : -1;
    for (const Triangle& t : whole.triangles) {
      double z = 0;
      for (const std::uint32_t v : t) z += up * whole.vertices[v].z();
      if (z <= 0) continue;
      half.triangles.push_back(t);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k];
        const std::uint32_t b = t[(k + 1) % 3];
        if (std::abs(whole.vertices[a].z()) < 1e-12 && std::abs(whole.vertices[b].z()) < 1e-12)
          half.triangles.push_back({b, a, middle});
      }
    }
    REQUIRE(ClosedMesh::borrow(half));
  }
  const MassProperties all = mass_properties(test::checked(whole));
  const MassProperties sum =
      assembly_mass_properties(
          std::vector<AssemblyPart>{{test::checked(halves[0]), {}}, {test::checked(halves[1]), {}}})
          .total;
  CHECK(std::abs(sum.volume - all.volume) <= 4e-16 * all.volume);
  CHECK((sum.center_of_mass - all.center_of_mass).norm() <= 1e-16);
  CHECK((sum.inertia - all.inertia).cwiseAbs().maxCoeff() <= 4e-16 * all.inertia(2, 2));
}

TEST_CASE("a mass below 0 is no mass of all parts together") {
  const TriangleMesh box = make_box({1, 2, 3});
  const std::vector<AssemblyPart> parts{{test::checked(box), {}}, {test::checked(box), {}}};
  const Assembly none = assembly_mass_properties(parts, -1);
  CHECK(std::isnan(none.total.mass));
  CHECK(std::isnan(none.total.density));
  CHECK(std::isnan(none.parts[0].mass));
  CHECK(std::abs(none.total.volume - 12) <= 1e-14);
}

// Either side is the exact figure rounded once, the inertia also of the parts before it.
TEST_CASE("disjoint solids in one mesh weigh as much as apart") {
  TriangleMesh knot = make_torus_knot({}, 30, 8);
  TriangleMesh ball = make_sphere(0.7, 9, 14);
  for (Vec3& v : ball.vertices) v += Vec3(0, 5, 2);
  const MassProperties together = mass_properties(test::checked(test::joined(knot, ball)));
  const MassProperties apart =
      assembly_mass_properties(
          std::vector<AssemblyPart>{{test::checked(knot), {}}, {test::checked(ball), {}}})
          .total;
  CHECK(std::abs(together.volume - apart.volume) <= 4e-16 * apart.volume);
  CHECK((together.center_of_mass - apart.center_of_mass).norm() <= 1e-15);
  CHECK((together.inertia - apart.inertia).cwiseAbs().maxCoeff() <=
        4e-16 * apart.inertia.maxCoeff());
}

// Mirtich sums about the origin in double, by other integrals; near it he loses little: 1e-11 is
// what the slivers among these shapes cost him, relative to terms of size 1.
TEST_CASE("Mirtich's method agrees near the origin") {
  Random random(33);
  for (int i = 0; i < test::campaign(1000); ++i) {
    TriangleMesh mesh = test::random_shape(random);
    for (Vec3& v : mesh.vertices) v += 0.2 * test::random_vector(random);
    const MassProperties ours = mass_properties(test::checked(mesh));
    const VolumeIntegrals his = mirtich_integrals(mesh);
    CHECK(std::abs(ours.volume - std::abs(his.volume)) <= 1e-11);
    if (ours.volume < 0.1) continue;
    CHECK((ours.center_of_mass - center_of_mass(his)).norm() <= 1e-10);
    const double sign = his.volume < 0 ? -1 : 1;
    CHECK((ours.inertia - sign * inertia(his)).cwiseAbs().maxCoeff() <= 1e-10);
  }
}

}  // namespace
}  // namespace plimsoll
