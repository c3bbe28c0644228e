// The box that stands for a body's mass and moments.
#include "picture/mass_picture.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <limits>

namespace plimsoll::picture {
namespace {

// A box is its own: I_x = m (b^2 + c^2) / 12 and so on, so that 6 (I_y + I_z - I_x) / m = a^2.
TEST_CASE("the equivalent box of a box is that box") {
  const Vec3 size(3, 0.5, 2);
  TriangleMesh mesh = make_box(size);
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& v : mesh.vertices) v = turn * v + Vec3(5, -6, 7);
  const auto checked = CheckedMesh::from_triangles(mesh);
  REQUIRE(checked);
  const auto box = equivalent_box(mass_properties(*checked));
  REQUIRE(box);
  CHECK((box->center - Vec3(5, -6, 7)).norm() <= 1e-13);
  // The longest edge is along the axis of the least moment.
  CHECK((2 * box->half - Vec3(3, 2, 0.5)).norm() <= 1e-13);
  Box3 corners;
  for (unsigned i = 0; i < 8; ++i)
    corners.extend(Vec3(turn.transpose() * (box->corner(i) - Vec3(5, -6, 7))));
  CHECK((corners.max() - size / 2).norm() <= 1e-13);
  CHECK((corners.min() + size / 2).norm() <= 1e-13);
}

TEST_CASE("moments of no body have no box") {
  MassProperties mass;
  mass.mass = 1;
  mass.inertia = Vec3(1, 1, 3).asDiagonal();  // no two moments are less than the third
  CHECK_FALSE(equivalent_box(mass));
  mass.inertia = Mat3::Constant(std::numeric_limits<double>::quiet_NaN());
  CHECK_FALSE(equivalent_box(mass));
  mass.inertia = Mat3::Identity();
  CHECK(equivalent_box(mass));
  mass.mass = 0;
  CHECK_FALSE(equivalent_box(mass));
}

TEST_CASE("nothing at all is a picture") {
  const Picture picture = draw_mass({}, {700, 420});
  CHECK(picture.width() == 700);
  CHECK(picture.height() == 420);
}

}  // namespace
}  // namespace plimsoll::picture
