// Bodies that leave the water by the smallest steps, followed and asked anew; and refits.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion_tracker.h>

#include <cmath>

#include "core/random.h"
#include "support/checked.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr SubmersionParts kVolumeAndCenter{.wetted_area = false, .waterplane = false};

TriangleMesh turned(TriangleMesh mesh, Random& random) {
  const Eigen::Quaterniond turn(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                                random.uniform(-1, 1));
  for (Vec3& v : mesh.vertices) v = turn.normalized() * v;
  return mesh;
}

double lowest(const TriangleMesh& mesh, const Vec3& up) {
  double low = up.dot(mesh.vertices.front());
  for (const Vec3& v : mesh.vertices) low = std::min(low, up.dot(v));
  return low;
}

// Whether anything is wet is decided exactly by the tree. A band that the plane has left answers
// with sums that cancel to rounding, of either sign.
void lift(const TriangleMesh& mesh, const Vec3& up, double step) {
  const SolidTree tree(test::checked(mesh));
  SubmersionTracker tracker(tree);
  const double touching = lowest(mesh, up);
  for (int i = 60; i > -40; --i) {
    const WaterPlane water{up, touching + i * step};
    const Submersion followed = tracker.submersion(water, kVolumeAndCenter);
    const Submersion asked = tree.submersion(water, kVolumeAndCenter);
    CHECK(asked.volume >= 0);
    CHECK(followed.volume >= 0);
    CHECK((followed.volume == 0) == (asked.volume == 0));
    CHECK(std::abs(followed.volume - asked.volume) <= followed.volume_error + asked.volume_error);
    CHECK(asked.center_of_buoyancy.isZero(0) == (asked.volume == 0));
  }
}

TEST_CASE("a body leaves the water without a volume below zero") {
  Random random(21);
  for (int i = 0; i < 8; ++i) {
    const Vec3 up = i < 4 ? Vec3(0, 0, 1) : test::random_vector(random).normalized();
    const TriangleMesh box = turned(make_box({1, 0.7, 0.4}), random);
    const TriangleMesh ball = turned(make_icosphere(1, 2), random);
    for (double step = 1e-3; step > 1e-17; step /= 10) {
      CAPTURE(step);
      lift(box, up, step);
      lift(ball, up, step);
    }
  }
}

// A triangle of area 1/2 a meter under the water, looking up: minus the pyramid over it.
TEST_CASE("a surface that bounds nothing keeps a sum below zero that is no rounding") {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  const Submersion wet = submersion(test::checked(mesh), {{0, 0, 1}, 1});
  CHECK(std::abs(wet.volume + 1. / 6) <= wet.volume_error);
}

TEST_CASE("a refit tree has the box, the volume and the error of the new shape") {
  const TriangleMesh ball = make_icosphere(1, 3);
  for (const double size : {0.1, 3.0, -0.5}) {  // smaller, larger, and turned inside out
    CAPTURE(size);
    TriangleMesh moved = ball;
    for (Vec3& v : moved.vertices) v = size * v + Vec3(0.3, -2, 5);
    SolidTree tree(test::checked(ball));
    REQUIRE(tree.refit(test::checked(moved)));
    const SolidTree fresh(test::checked(moved));
    CHECK(tree.box().min() == fresh.box().min());
    CHECK(tree.box().max() == fresh.box().max());
    // Sums over 1,280 triangles in different orders.
    CHECK(std::abs(tree.signed_volume() / fresh.signed_volume() - 1) <= 1e-12);
    const WaterPlane water{{0.1, 0.2, 1}, 4.6};
    const Submersion refit = tree.submersion(water), anew = fresh.submersion(water);
    CHECK(anew.volume > 0);
    CHECK(std::abs(refit.volume - anew.volume) <= refit.volume_error + anew.volume_error);
    // Both count the roundings of their own order, some hundreds; sizes count by their cubes.
    CHECK(std::abs(refit.volume_error / anew.volume_error - 1) <= 0.5);
  }
}

}  // namespace
}  // namespace plimsoll
