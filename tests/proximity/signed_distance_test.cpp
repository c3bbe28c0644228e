// On which side of a surface a point is: closed ones exactly, open ones by the solid angle that
// they are seen under.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/surface_queries.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/predicates.h"
#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

MeshTree tree_of(const TriangleMesh& mesh) { return MeshTree(test::checked(mesh)); }
SurfaceProbe probe_of(const MeshTree& tree, const Similarity& pose = Similarity::Identity()) {
  Result<SurfaceProbe> probe = SurfaceProbe::of(tree, pose);
  REQUIRE(probe);
  return *std::move(probe);
}

/// The sum over all triangles of the solid angle [VanOosterom1983], over 4 pi, in long doubles.
double summed_winding(const TriangleMesh& mesh, const Vec3& point) {
  using Wide = Eigen::Matrix<long double, 3, 1>;
  long double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    Wide x[3];
    for (std::size_t k = 0; k < 3; ++k)
      x[k] = mesh.vertices[t[k]].cast<long double>() - point.cast<long double>();
    const long double a = x[0].norm(), b = x[1].norm(), c = x[2].norm();
    sum += 2 * std::atan2(x[0].dot(x[1].cross(x[2])),
                          a * b * c + x[0].dot(x[1]) * c + x[1].dot(x[2]) * a + x[2].dot(x[0]) * b);
  }
  return static_cast<double>(sum / (4 * std::numbers::pi_v<long double>));
}

}  // namespace

TEST_CASE("distances from a box have the sign of the side") {
  const Vec3 size(2, 3, 4);
  Random random(1);
  for (int round = 0; round < test::campaign(300); ++round) {
    CAPTURE(round);
    const double scale = std::pow(10.0, random.uniform(-6, 6));
    const Similarity pose = test::random_similarity(random, 3 * scale, scale);
    const MeshTree tree = tree_of(make_box(size));
    SurfaceProbe probe = probe_of(tree, pose);
    const Vec3 x = 4 * test::random_vector(random);
    const Vec3 off = x.cwiseAbs() - size / 2;
    const double outside = off.cwiseMax(0).norm();
    const double expected = scale * (outside > 0 ? outside : off.maxCoeff());
    const Result<SignedDistance> found = probe.signed_distance(pose * x);
    REQUIRE(found);
    CHECK(found->distance == test::approx(expected).epsilon(1e-9));
    CHECK(std::fabs(found->distance) == found->nearest.distance);
    CHECK(found->nearest.at);
    CHECK(*probe.contains(pose * x) == (expected < 0));
  }
}

TEST_CASE("a point on the surface is in the solid and 0 away") {
  const MeshTree tree = tree_of(make_box({2, 2, 2}));
  SurfaceProbe probe = probe_of(tree);
  for (const Vec3& point : {Vec3(1, 0.5, 0.25), Vec3(1, 1, 0), Vec3(-1, -1, 1), Vec3(0, 0, 1)}) {
    CHECK(probe.signed_distance(point)->distance == 0);
    CHECK(*probe.contains(point));
  }
  CHECK_FALSE(*probe.contains(Vec3(std::nextafter(1, 2), 0.5, 0.25)));
  CHECK(*probe.contains(Vec3(std::nextafter(1, 0), 0.5, 0.25)));
  CHECK(probe.signed_distance(Vec3(std::nextafter(1, 0), 0.5, 0.25))->distance == -0x1p-53);
}

// Points of faces are rounded, to one side or the other: an exact determinant tells to which.
// Nodes on faces are points of the faces' triangles exactly, but rounding finds some 1e-34 away.
TEST_CASE(
    "of a grid through a box just the nodes inside are inside, and those on its faces 0 away") {
  const MeshTree box = tree_of(make_box({1, 2, 3}));
  std::vector<Vec3> nodes;
  for (int x = -3; x <= 3; ++x)
    for (int y = -5; y <= 5; ++y)
      for (int z = -7; z <= 7; ++z) nodes.push_back(Vec3(x, y, z) / 4);
  const std::vector<SignedDistance> found =
      signed_distance(box, Similarity::Identity(), nodes).value();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3 beyond = nodes[i].cwiseAbs() - Vec3(0.5, 1, 1.5);
    const double outside = beyond.maxCoeff();
    CHECK((found[i].distance > 0) == (outside > 0));
    CHECK((found[i].distance < 0) == (outside < 0));
    if (outside == 0) CHECK(found[i].nearest.at->at == nodes[i]);
  }
}

TEST_CASE("points next to a tilted face are in the solid where they are not in front of the face") {
  Random random(5);
  const MeshTree tree = tree_of(make_box({2, 3, 4}));
  int in_front = 0, behind = 0;
  for (int round = 0; round < test::campaign(300); ++round) {
    const Similarity pose =
        test::random_similarity(random, 3, std::pow(10.0, random.uniform(-3, 3)));
    TriangleMesh there = make_box({2, 3, 4});
    for (Vec3& v : there.vertices) v = pose * v;
    SurfaceProbe probe = probe_of(tree, pose);
    for (const Triangle& t : there.triangles) {
      const Vec3 &a = there.vertices[t[0]], &b = there.vertices[t[1]], &c = there.vertices[t[2]];
      const Vec3 point = (a + b + c) / 3;
      const bool is_in_front = orient3d(a, b, c, point) > 0;
      (is_in_front ? in_front : behind) += 1;
      CHECK(*probe.contains(point) == !is_in_front);
    }
    for (const Vec3& corner : there.vertices) CHECK(*probe.contains(corner));
  }
  CHECK(in_front > 0);
  CHECK(behind > 0);
}

// Turned inward, or around twice, a solid is where the surface winds at all.
TEST_CASE("solids that are turned inward or lie in each other have an inside") {
  const TriangleMesh ball = make_icosphere(1, 3);
  const MeshTree inward = tree_of(test::turned(ball));
  const MeshTree twice = tree_of(test::joined(ball, make_box({0.5, 0.5, 0.5})));
  const MeshTree hollow = tree_of(test::joined(ball, test::turned(make_box({0.5, 0.5, 0.5}))));
  const Vec3 middle(0.01, 0.02, 0.03), shell(0.5, 0.5, 0.5), outside(1, 1, 1);
  for (const MeshTree* tree : {&inward, &twice, &hollow}) {
    SurfaceProbe probe = probe_of(*tree);
    CHECK(*probe.contains(middle) == (tree != &hollow));
    CHECK(*probe.contains(shell));
    CHECK_FALSE(*probe.contains(outside));
  }
  CHECK(probe_of(hollow).signed_distance(middle)->distance == test::approx(0.22).epsilon(1e-12));
  CHECK(probe_of(twice).signed_distance(middle)->distance == test::approx(-0.22).epsilon(1e-12));
}

TEST_CASE("an open surface has no sign, and says what it has") {
  TriangleMesh open = make_box({2, 2, 2});
  open.triangles.pop_back();
  const MeshTree tree = tree_of(open);
  SurfaceProbe probe = probe_of(tree);
  CHECK(probe.winding_number(Vec3(0, 0, 0)).error().code == ErrorCode::kNotClosed);
  const Error error = probe.signed_distance(Vec3(0, 0, 0)).error();
  CHECK(error.code == ErrorCode::kNotClosed);
  CHECK(error.where == "triangles");
  CHECK(error.message.find("3 edges have no partner") != std::string::npos);
  CHECK(error.message.find("generalized_winding_number") != std::string::npos);
  CHECK(probe.contains(Vec3(0, 0, 0)).error().code == ErrorCode::kNotClosed);
  const std::vector<Vec3> points(3, Vec3::Zero());
  CHECK(signed_distance(tree, Similarity::Identity(), points).error().where == "triangles");
  CHECK(contains(tree, Similarity::Identity(), points).error().code == ErrorCode::kNotClosed);
  // One triangle that runs the wrong way leaves its three edges without partners, twice each.
  TriangleMesh torn = make_box({2, 2, 2});
  std::swap(torn.triangles[0][1], torn.triangles[0][2]);
  const MeshTree wrong = tree_of(torn);
  CHECK(probe_of(wrong).contains(Vec3(0, 0, 0)).error().code == ErrorCode::kNotClosed);
}

// A face of a cube is a sixth of the sky from its middle.
TEST_CASE("an open surface winds as far around a point as it is seen from there") {
  TriangleMesh open = make_box({2, 2, 2});
  std::erase_if(open.triangles, [&](const Triangle& t) {
    return open.vertices[t[0]][2] > 0 && open.vertices[t[1]][2] > 0 && open.vertices[t[2]][2] > 0;
  });
  REQUIRE(open.triangles.size() == 10);
  const MeshTree tree = tree_of(open);
  CHECK(*probe_of(tree).generalized_winding_number(Vec3(0, 0, 0)) ==
        test::approx(5.0 / 6).epsilon(1e-14));
  // In the fan's plane, at its apex, and on an edge of it: as on either side.
  for (const Vec3& point : {Vec3(0.25, 0.5, 1), Vec3(0, 0, 1), Vec3(0.5, 0.5, 1)})
    CHECK(*probe_of(tree).generalized_winding_number(point) ==
          test::approx(*probe_of(tree).generalized_winding_number(point - Vec3(0, 0, 1e-12)))
              .epsilon(1e-10));
  CHECK(*probe_of(tree).generalized_winding_number(Vec3(0, 0, 1)) == test::approx(0.5));

  Random random(2);
  for (int round = 0; round < test::campaign(200); ++round) {
    CAPTURE(round);
    TriangleMesh torn = round % 2 == 0 ? make_icosphere(1, 2) : make_torus(0.8, 0.3, 12, 8);
    // Holes, triangles turned over, and triangles twice.
    for (int k = 0; k < 8; ++k) {
      const std::size_t t = random.below(torn.triangles.size());
      if (k % 3 == 0)
        torn.triangles.erase(torn.triangles.begin() + static_cast<std::ptrdiff_t>(t));
      else if (k % 3 == 1)
        std::swap(torn.triangles[t][0], torn.triangles[t][1]);
      else
        torn.triangles.push_back(torn.triangles[t]);
    }
    const Similarity pose =
        test::random_similarity(random, 2, std::pow(10.0, random.uniform(-3, 3)));
    const MeshTree there = tree_of(torn);
    for (Vec3& v : torn.vertices) v = pose * v;
    SurfaceProbe probe = probe_of(there, pose);
    for (int k = 0; k < 10; ++k) {
      const Vec3 point = pose * Vec3(1.3 * test::random_vector(random));
      CHECK(*probe.generalized_winding_number(point) ==
            test::approx(summed_winding(torn, point)).epsilon(1e-11));
    }
  }
}

TEST_CASE("many points at once, by three threads, have the answers of one after the other") {
  Random random(3);
  const MeshTree knot = tree_of(make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.1}, 60, 8));
  const Similarity pose = test::random_similarity(random, 1, 2);
  std::vector<Vec3> points;
  for (int i = 0; i < 700; ++i) points.push_back(pose * Vec3(1.2 * test::random_vector(random)));
  std::vector<SignedDistance> distances;
  std::vector<char> inside;
  std::vector<double> windings;
  with_threads(3, [&] {
    distances = signed_distance(knot, pose, points).value();
    inside = contains(knot, pose, points).value();
    windings = generalized_winding_numbers(knot, pose, points).value();
  });
  SurfaceProbe probe = probe_of(knot, pose);
  int found = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(probe.signed_distance(points[i])->distance == distances[i].distance);
    CHECK(*probe.contains(points[i]) == (inside[i] != 0));
    CHECK(windings[i] == (inside[i] != 0 ? 1 : 0));
    found += inside[i];
  }
  CHECK(found > 0);
  const std::vector<Vec3> wrong{points[0], Vec3(0, std::nan(""), 0)};
  CHECK(signed_distance(knot, pose, wrong).error().where == "points[1].point");
}

}  // namespace plimsoll
