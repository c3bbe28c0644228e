// Bodies of all kinds in random poses, against the overlap in whole numbers: what is said of the
// error holds, on inputs made to break it.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>
#include <plimsoll/rotation.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "overlap/overlap_checks.h"
#include "support/campaign.h"
#include "support/hard_bodies.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

/// A tube of square section along an open trefoil.
TriangleMesh knotted_tube() {
  std::vector<Vec3> path;
  for (int i = 0; i < 13; ++i) {
    const double s = 6 * i / 12.0;
    path.emplace_back((2 + std::cos(3 * s)) * std::cos(2 * s) / 3,
                      (2 + std::cos(3 * s)) * std::sin(2 * s) / 3, std::sin(3 * s) / 3);
  }
  return make_tube(path, 0.1, 3);
}

/// Scaled along x, so that its triangles are slivers.
TriangleMesh stretched(TriangleMesh mesh, double by) {
  for (Vec3& v : mesh.vertices) v.x() *= by;
  return mesh;
}

/// All of about size 1, of 12 to 80 triangles.
std::vector<TriangleMesh> coarse_bodies() {
  return {make_icosphere(1, 0),
          make_icosphere(1, 1),
          make_torus(1, 0.4, 6, 4),
          make_bumpy_sphere(1, 0.4, 4, 6),
          knotted_tube(),
          make_cone(1, 1.5, 12),
          make_cylinder(0.5, 2, 9),
          test::strip_box({1.5, 1, 1}, 3),
          test::askew(test::grid_box({1.5, 1.5, 1.5}, 2, 1, 2)),
          stretched(make_icosphere(1, 0), 1e-3),
          stretched(make_torus(1, 0.4, 5, 4), 0x1p-20),
          make_cone(0.01, 1.5, 9)};
}

/// What is claimed of the error. The oracle's last rounding is half a place.
void check_error(const Overlap& found, const test::ExactOverlap& exact) {
  CHECK(std::fabs(found.volume - exact.volume) <= found.volume_error + 0x1p-53 * exact.volume);
}

// Volumes of bodies of size 1 are sums of a few hundred terms below 1: small bodies, as slivers
// are, have no more digits than that leaves, and as large a share of it as their smallest width.
TEST_CASE("bodies in random poses share what whole numbers say") {
  const std::vector<TriangleMesh> bodies = coarse_bodies();
  Random random(431);
  OverlapSearch search;
  int crossing = 0;
  for (int i = 0; i < test::campaign(300); ++i) {
    CAPTURE(i);
    const TriangleMesh& mesh_a = bodies[random.below(bodies.size())];
    const TriangleMesh& mesh_b = bodies[random.below(bodies.size())];
    const SolidTree a = test::solid(mesh_a), b = test::solid(mesh_b);
    const Similarity pose_a = test::random_similarity(random, 0.7),
                     pose_b = test::random_similarity(random, 0.7);
    const auto found = search.overlap(a, pose_a, b, pose_b);
    REQUIRE(found);
    const test::ExactOverlap exact =
        test::exact_overlap(posed(mesh_a, pose_a), posed(mesh_b, pose_b));
    const double small = std::min(a.signed_volume(), b.signed_volume());
    check_error(*found, exact);
    CHECK(found->overlaps == (exact.volume > 0));
    CHECK(found->volume_error <= 1e-11);
    if (small > 0.1) test::check_overlap(*found, exact, small);
    crossing += found->curve_length > 0 ? 1 : 0;
  }
  CHECK(crossing > test::campaign(300) / 2);
}

// Coordinates of 53 bits a million sizes away are rounded to 1e-10 of the size, the bodies that the
// oracle is asked about as well: their volume is as exact as at the origin, but for what posing
// rounds of the triangles that are not near the curve, which the error counts.
TEST_CASE("errors hold at any size and far from the origin") {
  const std::vector<TriangleMesh> bodies = coarse_bodies();
  Random random(432);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(300); ++i) {
    CAPTURE(i);
    const double size = std::pow(10.0, random.uniform(-100, 90));
    const double ratio = random.below(2) == 0 ? 1 : std::pow(10.0, random.uniform(-3, 0));
    const double distance = random.below(2) == 0 ? 0 : std::pow(10.0, random.uniform(0, 6));
    const Vec3 origin = distance * test::random_vector(random);
    const auto place = [&](TriangleMesh mesh, double scale, bool in_mesh, Similarity& pose) {
      // Half of the scale and of the place stands in the vertices for some, else in the pose.
      pose = test::random_similarity(random, 0.4 * scale, scale);
      pose.translation() += origin;
      pose.linear() *= in_mesh ? 1 : size;
      pose.translation() *= in_mesh ? 1 : size;
      if (!in_mesh) return mesh;
      mesh = posed(std::move(mesh), pose);
      for (Vec3& v : mesh.vertices) v *= size;
      pose = Similarity::Identity();
      return mesh;
    };
    Similarity pose_a, pose_b;
    const TriangleMesh mesh_a =
        place(bodies[random.below(bodies.size())], 1, random.below(2) == 0, pose_a);
    const TriangleMesh mesh_b =
        place(bodies[random.below(bodies.size())], ratio, random.below(2) == 0, pose_b);
    const SolidTree a = test::solid(mesh_a), b = test::solid(mesh_b);
    const auto found = search.overlap(a, pose_a, b, pose_b);
    REQUIRE(found);
    const test::ExactOverlap exact =
        test::exact_overlap(posed(mesh_a, pose_a), posed(mesh_b, pose_b));
    check_error(*found, exact);
    CHECK(found->volume_error <= 1e-10 * (1 + distance) * size * size * size);
    if (found->center) CHECK(found->volume > found->volume_error);
  }
}

/// The same triangles, of which none has vertex v second.
TriangleMesh never_second(TriangleMesh mesh, std::uint32_t v, Random& random) {
  for (Triangle& t : mesh.triangles)
    if (t[1] == v)
      t = random.below(2) == 0 ? Triangle{t[1], t[2], t[0]} : Triangle{t[2], t[0], t[1]};
  return mesh;
}

// A corner of one body goes by a depth of 1e-16 to 1e-3 of the size into a face of the other. Half
// of them are placed by their poses, which rounds more than what they share. What is whole belongs
// to the second corners of triangles: often none of it is shared, and no rounding of it hides
// others.
TEST_CASE("errors hold for small parts of large bodies") {
  const std::vector<TriangleMesh> bodies{make_icosphere(1, 1), make_box({1, 1, 2}),
                                         make_cone(1, 1.5, 12), make_bumpy_sphere(1, 0.2, 4, 6)};
  Random random(435);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    TriangleMesh a = bodies[random.below(bodies.size())];
    const TriangleMesh& b = bodies[random.below(bodies.size())];
    const auto tip = static_cast<std::uint32_t>(random.below(a.vertices.size()));
    if (random.below(2) == 0) a = never_second(std::move(a), tip, random);
    Similarity pose_a = Similarity::Identity(), pose_b = test::random_similarity(random, 1);
    const Triangle& t = b.triangles[random.below(b.triangles.size())];
    const Vec3 p = pose_b * b.vertices[t[0]], q = pose_b * b.vertices[t[1]],
               r = pose_b * b.vertices[t[2]];
    const double depth = std::pow(10.0, random.uniform(-16, -3));
    // Turned, so that the corner looks into the face.
    const Vec3& corner = a.vertices[tip];
    const Vec3 normal = (q - p).cross(r - p).normalized();
    pose_a.linear() = rotation_between(corner, -normal);
    pose_a.translation() = (p + q + r) / 3 - depth * normal - pose_a.linear() * corner;
    const bool is_posed = random.below(2) == 0;
    const TriangleMesh in_world_a = posed(a, pose_a), in_world_b = posed(b, pose_b);
    const Similarity here = Similarity::Identity();
    const auto found =
        is_posed ? search.overlap(test::solid(a), pose_a, test::solid(b), pose_b)
                 : search.overlap(test::solid(in_world_a), here, test::solid(in_world_b), here);
    REQUIRE(found);
    const test::ExactOverlap exact = test::exact_overlap(in_world_a, in_world_b);
    check_error(*found, exact);
    CHECK(found->overlaps == (exact.volume > 0));
  }
}

// Long triangles reach from 500 away to where they cross, and are 3 wide there at most: each of
// some ten rounds its area vector by 500 * 3 * 2^-53 times 3 or so, and is 2 from the origin of the
// sums. Their volumes from their far ends would be off by a hundred times that.
TEST_CASE("needles share to as many digits as their points have") {
  const TriangleMesh needle = test::askew({{{0, 0, 0}, {1000, 1, 1}, {1000, 2, 1}, {1000, 1, 2}},
                                           {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
  const Vec3 middle = (needle.vertices[0] + needle.vertices[1]) / 2;
  const TriangleMesh cube = make_box({2, 2, 2});
  Random random(436);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(300); ++i) {
    CAPTURE(i);
    Similarity pose = test::random_similarity(random, 0.5);
    pose.translation() += middle;
    const SolidTree a = test::solid(needle), b = test::solid(cube);
    const auto found = search.overlap(a, Similarity::Identity(), b, pose);
    REQUIRE(found);
    const test::ExactOverlap exact = test::exact_overlap(needle, posed(cube, pose));
    check_error(*found, exact);
    CHECK(std::fabs(found->volume - exact.volume) <= 1e-11);
  }
}

// Closed meshes with shaken vertices cross themselves: the winding numbers' product is what counts,
// and where it is below 0 in sum 0 is said, as bodies that share nothing do.
TEST_CASE(
    "errors hold for shaken and stretched bodies, thin walls, and such as are turned inward") {
  Random random(433);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(250); ++i) {
    CAPTURE(i);
    const TriangleMesh mesh_a = test::random_closed_mesh(random);
    TriangleMesh mesh_b = test::random_closed_mesh(random);
    const SolidTree a = test::solid(mesh_a), made = test::solid(mesh_b);
    // Of about A's size, at about A's place.
    const double scale = a.box().diagonal().norm() / made.box().diagonal().norm();
    const Vec3 by =
        a.box().center() + 0.3 * a.box().diagonal().norm() * test::random_vector(random);
    const Vec3 center = made.box().center();
    for (Vec3& v : mesh_b.vertices) v = scale * (v - center) + by;
    const SolidTree b = test::solid(mesh_b);
    const auto found = search.overlap(a, Similarity::Identity(), b, Similarity::Identity());
    REQUIRE(found);
    test::ExactOverlap exact = test::exact_overlap(mesh_a, mesh_b);
    exact.volume =
        std::max(0.0, std::copysign(1.0, a.signed_volume() * b.signed_volume()) * exact.volume);
    check_error(*found, exact);
  }
}

// Poses in which faces are nearly in one plane, by angles down to a few roundings.
TEST_CASE("nearly coplanar faces share what whole numbers say") {
  const std::vector<TriangleMesh> bodies{make_box({1, 2, 1}), test::strip_box({1, 2, 1}, 2),
                                         test::grid_box({2, 2, 1}, 2, 2, 1),
                                         make_cylinder(1, 1, 8)};
  Random random(434);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(600); ++i) {
    CAPTURE(i);
    const TriangleMesh& mesh_a = bodies[random.below(bodies.size())];
    const TriangleMesh& mesh_b = bodies[random.below(bodies.size())];
    const SolidTree a = test::solid(mesh_a), b = test::solid(mesh_b);
    Similarity pose_a = test::random_similarity(random, 10), pose_b = pose_a;
    const double little = std::pow(10.0, random.uniform(-17, -6));
    pose_b.linear() = (Eigen::AngleAxisd(little, test::random_vector(random).normalized()) *
                       Eigen::Quaterniond(pose_a.linear()))
                          .toRotationMatrix();
    pose_b.translation() += little * test::random_vector(random) +
                            pose_a.linear() * Vec3(0, 0, random.below(2) == 0 ? 0 : 1);
    const auto found = search.overlap(a, pose_a, b, pose_b);
    REQUIRE(found);
    const test::ExactOverlap exact =
        test::exact_overlap(posed(mesh_a, pose_a), posed(mesh_b, pose_b));
    test::check_overlap(*found, exact, std::min(a.signed_volume(), b.signed_volume()));
  }
}

}  // namespace
}  // namespace plimsoll
