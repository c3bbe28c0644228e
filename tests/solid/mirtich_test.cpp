// Mirtich's method against closed forms and against the same integrals by another formula.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <vector>

#include "core/random.h"
#include "shared/mirtich.h"
#include "support/checked.h"
#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

VolumeIntegrals negated(const VolumeIntegrals& of) {
  return {-of.volume, -of.first, -of.squares, -of.products};
}

void check_close(const VolumeIntegrals& found, const VolumeIntegrals& expected, double tolerance) {
  const double size = std::cbrt(std::abs(expected.volume));
  CHECK(std::abs(found.volume - expected.volume) <= tolerance * std::pow(size, 3));
  CHECK((found.first - expected.first).norm() <= tolerance * std::pow(size, 4));
  CHECK((found.squares - expected.squares).norm() <= tolerance * std::pow(size, 5));
  CHECK((found.products - expected.products).norm() <= tolerance * std::pow(size, 5));
}

// The tetrahedron with corners 0, a, b, c and s = a + b + c has volume V = a . (b x c) / 6, first
// moment V s / 4 and second moments V / 20 (s s^T + a a^T + b b^T + c c^T). In long double.
VolumeIntegrals tetrahedron_sums(const TriangleMesh& mesh) {
  using Wide = Eigen::Matrix<long double, 3, 1>;
  using WideMatrix = Eigen::Matrix<long double, 3, 3>;
  long double volume = 0;
  Wide first = Wide::Zero();
  WideMatrix second = WideMatrix::Zero();
  for (const Triangle& t : mesh.triangles) {
    const Wide a = mesh.vertices[t[0]].cast<long double>();
    const Wide b = mesh.vertices[t[1]].cast<long double>();
    const Wide c = mesh.vertices[t[2]].cast<long double>();
    const Wide s = a + b + c;
    const long double v = a.dot(b.cross(c)) / 6;
    volume += v;
    first += v / 4 * s;
    second +=
        v / 20 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  return {static_cast<double>(volume), first.cast<double>(), second.diagonal().cast<double>(),
          WideMatrix(second).cast<double>()({0, 1, 2}, {1, 2, 0}).diagonal()};
}

TEST_CASE("a box off the origin has the integrals of its closed form") {
  const Vec3 size{2, 3, 5}, center{0.5, -1.25, 2};
  const VolumeIntegrals box =
      mirtich_integrals(test::checked(test::moved(make_box(size), center)).view());
  const Vec3 squares = 30 * (center.cwiseProduct(center) + size.cwiseProduct(size) / 12);
  const Vec3 products = 30 * center.cwiseProduct(Vec3{center.y(), center.z(), center.x()});
  // 12 triangles whose terms are at most 30 times the result: some hundred roundings.
  check_close(box, {30, 30 * center, squares, products}, 1e-14);
  CHECK((center_of_mass(box) - center).norm() < 1e-15);
  const Vec3 moments{30 / 12.0 * (9 + 25), 30 / 12.0 * (4 + 25), 30 / 12.0 * (4 + 9)};
  CHECK((inertia(box) - Mat3(moments.asDiagonal())).norm() < 1e-12);
}

// Corners e_x, e_y, e_z scaled by a, b, c: V = abc / 6, int x^2 = V a^2 / 10, int xy = V ab / 20.
TEST_CASE("a tetrahedron with a corner at the origin has the integrals of its closed form") {
  const double a = 1, b = 2, c = 4, v = a * b * c / 6;
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}};
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  const VolumeIntegrals expected{v, v / 4 * Vec3{a, b, c}, v / 10 * Vec3{a * a, b * b, c * c},
                                 v / 20 * Vec3{a * b, b * c, c * a}};
  check_close(mirtich_integrals(mesh), expected, 1e-15);
}

// Every projection axis in both directions, faces at every angle. The mesh lies within some sizes
// of the origin; a tetrahedron's own volume is the size, and it may be 1e-3 of its extent cubed.
TEST_CASE("random tetrahedra have the integrals that their corners give") {
  Random random(42);
  for (int i = 0; i < 2000; ++i) {
    TriangleMesh mesh;
    for (int v = 0; v < 4; ++v)
      mesh.vertices.push_back(
          {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
    const VolumeIntegrals expected = tetrahedron_sums(mesh);
    const VolumeIntegrals found = mirtich_integrals(mesh);
    CAPTURE(i);
    // Absolute: faces of area up to 2 sqrt(3) and |n / n_gamma| <= 1, |gamma| <= 3 on Pi, so no
    // term exceeds 100; a few dozen of them are rounded.
    CHECK(std::abs(found.volume - expected.volume) < 1e-14);
    CHECK((found.first - expected.first).norm() < 1e-14);
    CHECK((found.squares - expected.squares).norm() < 1e-14);
    CHECK((found.products - expected.products).norm() < 1e-14);
  }
}

TEST_CASE("generated solids have the same integrals by Mirtich's method and by tetrahedra") {
  const std::vector<Vec3> path{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {1, 2, 1.5}, {-1, 3, 2}};
  const Vec3 offset{0.3, -0.2, 0.7};
  for (const TriangleMesh& centered :
       {make_sphere(1, 20, 33), make_ellipsoid({3, 2, 1}, 16, 20), make_cone(1, 2, 15),
        make_torus(1, 0.4, 20, 12), make_torus_knot({}, 200, 12), make_tube(path, 0.3, 9),
        make_bumpy_sphere(1, 0.4, 30, 40)}) {
    const TriangleMesh mesh = test::moved(centered, offset);
    // The knot and the tube fill a twentieth of their box, whose terms must cancel.
    check_close(mirtich_integrals(mesh), tetrahedron_sums(mesh), 2e-13);
  }
}

TEST_CASE("a solid turned inside out has the negative of its integrals") {
  const TriangleMesh mesh = make_torus(1, 0.4, 20, 12);
  TriangleMesh inward = mesh;
  for (Triangle& t : inward.triangles) std::swap(t[1], t[2]);
  const VolumeIntegrals found = mirtich_integrals(inward);
  CHECK(found.volume < 0);
  check_close(negated(found), mirtich_integrals(mesh), 1e-15);
}

TEST_CASE("triangles without area count nothing") {
  TriangleMesh mesh = make_box({2, 3, 5});
  const VolumeIntegrals before = mirtich_integrals(mesh);
  mesh.triangles.push_back({0, 0, 1});
  mesh.vertices.push_back((mesh.vertices[0] + mesh.vertices[1]) / 2);
  mesh.triangles.push_back({0, 1, 8});
  CHECK(mirtich_integrals(mesh).volume == before.volume);
  CHECK(mirtich_integrals(mesh).squares == before.squares);
}

// Known fault of the published method, which is why it is an oracle near the origin only: k sizes
// away terms of k^4 cancel in the inertia, 2e10 units in the last place here.
TEST_CASE("summing about the origin loses the inertia of a distant solid") {
  const TriangleMesh mesh = make_sphere(1, 20, 33);
  const Mat3 near = inertia(mirtich_integrals(mesh));
  const Mat3 far =
      inertia(mirtich_integrals(test::checked(test::moved(mesh, {100, 200, -300})).view()));
  const double error = (far - near).norm() / near.norm();
  CHECK(error > 1e-9);
  CHECK(error < 1e-4);
}

}  // namespace
}  // namespace plimsoll
