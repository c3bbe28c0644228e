// Affine maps of instances: what they keep, and on which side they leave the surface.
#include "mesh/placement.h"

#include <doctest/doctest.h>

#include "core/random.h"

namespace plimsoll {
namespace {

TEST_CASE("the orientation of a map is the sign of its determinant") {
  Random random(111);
  int mirrored = 0;
  for (int i = 0; i < 500; ++i) {
    std::array<double, 12> rows{};
    for (double& number : rows) number = random.uniform(-1, 1);
    Mat3 linear;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) linear(r, c) = rows[static_cast<std::size_t>(4 * r + c)];
    const double determinant = linear.determinant();
    if (std::abs(determinant) < 1e-12) continue;
    CHECK(Placement(rows).orientation() == (determinant > 0 ? 1 : -1));
    mirrored += determinant < 0 ? 1 : 0;
  }
  CHECK(mirrored > 100);
}

TEST_CASE("a map after another maps as one after the other") {
  Random random(112);
  for (int i = 0; i < 100; ++i) {
    std::array<double, 12> a{}, b{};
    for (double& number : a) number = random.uniform(-2, 2);
    for (double& number : b) number = random.uniform(-2, 2);
    const Vec3 p(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
    const Placement outer(a), inner(b);
    CHECK(((outer * inner)(p)-outer(inner(p))).norm() <= 1e-13);
    CHECK(((outer * Placement())(p)-outer(p)).norm() == 0);
  }
}

}  // namespace
}  // namespace plimsoll
