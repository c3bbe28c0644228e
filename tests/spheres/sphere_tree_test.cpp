// Trees of inner spheres against exact distances, closed forms and laws.
#include <doctest/doctest.h>
#include <plimsoll/distance.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/sphere_tree.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

struct Body {
  ClosedMesh mesh;
  SphereTree tree;
  MeshTree surface;
  DistanceTree exact;

  Body(TriangleMesh triangles, std::size_t spheres)
      : mesh(*ClosedMesh::from_triangles(std::move(triangles))),
        tree(*SphereTree::create(mesh, pack_spheres(mesh, {.max_count = spheres})->spheres)),
        surface(mesh),
        exact(surface) {}
};

/// How far a point of the world is from a body's surface.
double from_surface(const Body& body, const Similarity& pose, const Vec3& point) {
  SurfaceProbe probe = *SurfaceProbe::of(body.surface);
  return std::cbrt(pose.linear().determinant()) * probe.nearest(pose.inverse() * point)->distance;
}

/// How far it is from the surface of the nearest sphere.
double from_spheres(const Body& body, const Similarity& pose, const Vec3& point) {
  const Vec3 here = pose.inverse() * point;
  double least = std::numeric_limits<double>::infinity();
  for (const PlacedSphere& sphere : body.tree.spheres())
    least = std::min(least, std::abs((here - sphere.center).norm() - sphere.radius));
  return std::cbrt(pose.linear().determinant()) * least;
}

Similarity moved(double x, double y, double z) { return Similarity(Eigen::Translation3d(x, y, z)); }

}  // namespace

TEST_CASE("refined by triangles, the distance is that of the surfaces") {
  const Body bodies[] = {
      {make_box({1, 1, 1}), 30}, {make_torus(1, 0.3, 24, 12), 200}, {make_cone(1, 2, 9), 50}};
  Random random(3);
  SphereSearch search;
  DistanceSearch exact;
  std::optional<NearestSpheres> last;
  int apart = 0;
  for (int round = 0; round < test::campaign(2000); ++round) {
    const Body &a = bodies[random.below(3)], &b = bodies[random.below(3)];
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Similarity pose_a = test::random_similarity(random, 2 * scale, scale);
    const Similarity pose_b =
        test::random_similarity(random, 2 * scale, scale * random.uniform(0.2, 2));
    const Result<SphereTreeDistance> found =
        search.distance(a.tree, pose_a, b.tree, pose_b, {.last = last});
    REQUIRE(found);
    const Result<SurfaceDistance> truth = exact.find(a.exact, pose_a, b.exact, pose_b);
    REQUIRE(truth);
    last = found->last;
    if (found->spheres_meet) {
      CHECK(found->distance == 0);
      // Spheres of both that meet are in both solids: surfaces cross, or one solid is in the other.
      CHECK((truth->meeting != SurfaceMeeting::kApart ||
             *containment(a.exact, pose_a, b.exact, pose_b) != Containment::kNone));
      continue;
    }
    // Posing rounds coordinates of up to ten sizes by 2^-53 each, in two frames.
    const double rounding = 1e-13 * scale;
    CHECK(std::abs(found->distance - truth->distance) <= rounding);
    CHECK(found->surfaces_lower <= truth->upper + rounding);
    CHECK(found->upper >= truth->lower - rounding);
    if (found->lower > 0) {
      ++apart;
      CHECK(*containment(a.exact, pose_a, b.exact, pose_b) == Containment::kNone);
      CHECK(found->lower <= truth->upper);
    }
    if (!found->point_a) {
      CHECK(found->distance == 0);
      continue;
    }
    CHECK((*found->point_a - *found->point_b).norm() ==
          test::approx(found->distance).epsilon(1e-9));
    if (found->surfaces_lower > found->distance) continue;  // nested: the points are of spheres
    CHECK(from_surface(a, pose_a, *found->point_a) <= 1e-12 * scale);
    CHECK(from_surface(b, pose_b, *found->point_b) <= 1e-12 * scale);
  }
  CHECK(apart > 20);
}

TEST_CASE(
    "without triangles the distance is that of the spheres, and bounds enclose the true one") {
  const Body bodies[] = {
      {make_box({1, 1, 1}), 300}, {make_torus(1, 0.3, 24, 12), 500}, {make_cone(1, 2, 9), 50}};
  Random random(23);
  SphereSearch search;
  DistanceSearch exact;
  int apart = 0;
  for (int round = 0; round < test::campaign(1000); ++round) {
    const Body &a = bodies[random.below(3)], &b = bodies[random.below(3)];
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Similarity pose_a = test::random_similarity(random, 3 * scale, scale);
    const Similarity pose_b =
        test::random_similarity(random, 3 * scale, scale * random.uniform(0.2, 2));
    const Result<SphereTreeDistance> found =
        search.distance(a.tree, pose_a, b.tree, pose_b, {.with_triangles = false});
    REQUIRE(found);
    if (found->spheres_meet) continue;
    // Where one solid is in the other, their distance is 0.
    const double surfaces = exact.find(a.exact, pose_a, b.exact, pose_b)->distance;
    const double truth =
        *containment(a.exact, pose_a, b.exact, pose_b) == Containment::kNone ? surfaces : 0;
    const double rounding = 1e-13 * scale;
    // Surfaces are no nearer than solids.
    CHECK(found->surfaces_lower >= found->lower);
    CHECK(found->surfaces_lower <= surfaces + rounding);
    CHECK(found->lower <= truth + rounding);
    CHECK(found->upper >= truth - rounding);
    CHECK(found->distance >= truth - rounding);
    CHECK((*found->point_a - *found->point_b).norm() ==
          test::approx(found->distance).epsilon(1e-9));
    CHECK(from_spheres(a, pose_a, *found->point_a) <= 1e-12 * scale);
    CHECK(from_spheres(b, pose_b, *found->point_b) <= 1e-12 * scale);
    apart += found->lower > 0 ? 1 : 0;
  }
  CHECK(apart > test::campaign(1000) / 2);
}

TEST_CASE("triangles that touch are some of all that do, as soon as spheres meet at a surface") {
  const std::size_t spheres = test::kAddressSanitizer ? 500 : 2000;
  const Body bodies[] = {{make_torus(1, 0.3, 48, 24), spheres}, {make_box({1, 1, 1}), 500}};
  Random random(17);
  SphereSearch search;
  PairSearch exact;
  std::size_t found_pairs = 0, all_pairs = 0;
  for (int round = 0; round < test::campaign(300); ++round) {
    const Body &a = bodies[random.below(2)], &b = bodies[random.below(2)];
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Similarity pose_a = test::random_similarity(random, scale, scale);
    const Similarity pose_b = test::random_similarity(random, scale, scale);
    const MeshTree tree_a(a.mesh), tree_b(b.mesh);
    const auto found = search.touching_triangles(a.tree, pose_a, b.tree, pose_b);
    const auto all = exact.pairs(tree_a, pose_a, tree_b, pose_b);
    REQUIRE(found);
    REQUIRE(all);
    CHECK(std::includes(all->begin(), all->end(), found->begin(), found->end()));
    CHECK(std::adjacent_find(found->begin(), found->end()) == found->end());
    found_pairs += found->size();
    all_pairs += all->size();
    if (!*search.spheres_meet(a.tree, pose_a, b.tree, pose_b)) CHECK(found->empty());
  }
  // How many are missing depends on the packing: 41 of 1,750 here. A tenth would be too many.
  CHECK(10 * (all_pairs - found_pairs) < all_pairs);
  Similarity far = Similarity::Identity();
  far.translation().x() = 2e300;
  const SphereTree& tree = bodies[1].tree;
  CHECK(!search.touching_triangles(tree, far, tree, Similarity::Identity()));
}

// 2,304 triangles for five spheres.
TEST_CASE("few spheres that keep many triangles end with an error where these take more work") {
  const Body body(make_torus(1, 0.3, 48, 24), 5);
  Similarity beside = Similarity::Identity();
  beside.translation().x() = 0.01;
  const Similarity here = Similarity::Identity();
  SphereSearch search;
  const auto found = search.touching_triangles(body.tree, here, body.tree, beside);
  REQUIRE(found);
  CHECK(found->size() > 500);
  // It takes 12.9 ms, of which balls around triangles are half.
  CHECK(search.touching_triangles(body.tree, here, body.tree, beside, 14e3));
  for (const double limit : {0.0, 1e3, 12e3}) {
    const auto cut = search.touching_triangles(body.tree, here, body.tree, beside, limit);
    REQUIRE_FALSE(cut);
    CHECK(cut.error().code == ErrorCode::kResourceLimit);
    CHECK(cut.error().where == "max_work");
  }
  for (const double limit : {-1.0, std::nan("")})
    CHECK(search.touching_triangles(body.tree, here, body.tree, beside, limit).error().code ==
          ErrorCode::kInvalidArgument);
}

TEST_CASE("a mesh turned inward makes the same tree of the same solid") {
  TriangleMesh box = make_box({1, 2, 3});
  const Body outward(box, 200);
  for (Triangle& t : box.triangles) std::swap(t[1], t[2]);
  const Body inward(box, 200);
  CHECK(inward.tree.solid_volume() == outward.tree.solid_volume());
  CHECK(inward.tree.coverage() == test::approx(outward.tree.coverage()).epsilon(0.01));
}

// Cubes that are shifted by x share 1 - x of their volume. Two hundredths are thinner than the
// spheres are.
TEST_CASE("the volume that cubes share lies within its bounds, and near the estimate" *
          doctest::skip(test::kAddressSanitizer)) {
  const Body cube(make_box({1, 1, 1}), 5000);
  SphereSearch search;
  for (const double x : {0.02, 0.3, 0.5, 0.9, 0.98}) {
    const Result<SphereVolume> found =
        search.volume(cube.tree, moved(0, 0, 0), cube.tree, moved(x, 0, 0));
    REQUIRE(found);
    CAPTURE(x);
    CHECK(found->lower <= 1 - x);
    CHECK(found->upper >= 1 - x);
    CHECK(found->is_complete);
    CHECK(found->volume >= found->lower);
    CHECK(found->volume <= found->upper);
    CHECK(std::abs(found->volume / (1 - x) - 1) < (x < 0.95 ? 0.03 : 0.4));
    REQUIRE(found->center);
    CHECK((*found->center - Vec3(x / 2, 0, 0)).norm() < 0.02);
  }
}

TEST_CASE("a common similarity of both bodies scales and turns the answer") {
  const Body a(make_torus(1, 0.4, 20, 12), 500), b(make_box({1, 1, 1}), 500);
  SphereSearch search;
  Random random(9);
  for (int round = 0; round < test::campaign(100); ++round) {
    const Similarity pose_a = test::random_similarity(random, 0.5, 1);
    const Similarity pose_b = test::random_similarity(random, 0.5, 1);
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Similarity common = test::random_similarity(random, 3 * scale, scale);
    const Mat3 turn = common.linear() / scale;
    for (const ForceDirection direction :
         {ForceDirection::kConesOrCenters, ForceDirection::kCenters}) {
      const SphereVolumeOptions options{.direction = direction};
      const SphereVolume one = *search.volume(a.tree, pose_a, b.tree, pose_b, options);
      const SphereVolume other =
          *search.volume(a.tree, common * pose_a, b.tree, common * pose_b, options);
      // Distances of spheres are rounded by 1e-15 of the bodies, lenses of radius r by r^2 times
      // that.
      const double cube = scale * scale * scale, rounding = 1e-12;
      CHECK(std::abs(other.volume / cube - one.volume) < rounding);
      CHECK(std::abs(other.lower / cube - one.lower) < rounding);
      CHECK(std::abs(other.upper / cube - one.upper) < 1e-3);  // parts that just meet count or not
      CHECK((other.force_a / cube - turn * one.force_a).norm() < rounding);
      CHECK((other.force_b / cube - turn * one.force_b).norm() < rounding);
      CHECK((other.torque_a / cube / scale - turn * one.torque_a).norm() < 10 * rounding);
      CHECK((other.torque_b / cube / scale - turn * one.torque_b).norm() < 10 * rounding);
      if (direction == ForceDirection::kCenters) {
        CHECK((one.force_a + one.force_b).norm() < rounding);
        // About one point, torques are opposite too.
        const Vec3 lever = pose_a * a.tree.center_of_mass() - pose_b * b.tree.center_of_mass();
        CHECK((one.torque_a + one.torque_b + lever.cross(one.force_a)).norm() < 10 * rounding);
      }
    }
  }
}

TEST_CASE("without a budget nothing is left out, and with one the answer says so") {
  const Body cube(make_box({1, 1, 1}), test::kAddressSanitizer ? 300 : 3000);
  SphereSearch search;
  const Similarity shifted = moved(0.3, 0.2, 0.1);
  const SphereVolume all = *search.volume(cube.tree, moved(0, 0, 0), cube.tree, shifted);
  const SphereVolume long_enough =
      *search.volume(cube.tree, moved(0, 0, 0), cube.tree, shifted, {.max_time = 1000});
  CHECK(long_enough.is_complete);
  // Without a budget lenses are summed in float, each to some 1e-6 of itself.
  CHECK(long_enough.volume == test::approx(all.volume).epsilon(2e-6));
  CHECK((*long_enough.center - *all.center).norm() < 2e-6);
  CHECK((long_enough.force_a - all.force_a).norm() < 1e-12);
  const SphereVolume none =
      *search.volume(cube.tree, moved(0, 0, 0), cube.tree, shifted, {.max_time = 0});
  CHECK_FALSE(none.is_complete);
  CHECK(none.volume >= all.lower);
  CHECK(none.volume <= all.upper);
}

TEST_CASE("a distance in no time has bounds, and one in much time is that without a budget") {
  const Body torus(make_torus(1, 0.3, 24, 12), 500), cube(make_box({1, 1, 1}), 500);
  SphereSearch search;
  for (const double scale : {1e-3, 1.0, 1e3}) {
    Similarity here = moved(0, 0, 0), there = moved(1.5 * scale, scale, 0.7 * scale);
    here.linear() *= scale;
    there.linear() *= scale;
    const SphereTreeDistance all = *search.distance(torus.tree, here, cube.tree, there);
    CHECK(all.is_complete);
    const SphereTreeDistance none =
        *search.distance(torus.tree, here, cube.tree, there, {.max_time = 0});
    CHECK_FALSE(none.is_complete);
    CHECK(none.lower <= all.upper);
    CHECK(none.upper >= all.lower);
    CHECK(none.upper < 4 * scale);
    const SphereTreeDistance much =
        *search.distance(torus.tree, here, cube.tree, there, {.max_time = 1000});
    CHECK(much.is_complete);
    CHECK(much.distance == all.distance);
    // The pair of the answer in no time is two spheres, by which the next search may begin.
    CHECK(search.distance(torus.tree, here, cube.tree, there, {.last = none.last})->distance ==
          all.distance);
  }
}

// The squares of such distances, the cubes of such scales are infinite.
TEST_CASE("bodies too far apart or too large for numbers are refused, in time too") {
  const Body cube(make_box({1, 1, 1}), 100);
  SphereSearch search;
  const Similarity here = moved(0, 0, 0);
  for (const double time : {0.0, 1000.0, std::numeric_limits<double>::infinity()}) {
    CHECK_FALSE(
        search.distance(cube.tree, here, cube.tree, moved(1e200, 0, 0), {.max_time = time}));
    const Result<SphereVolume> apart =
        search.volume(cube.tree, here, cube.tree, moved(1e200, 0, 0), {.max_time = time});
    REQUIRE(apart);
    CHECK(apart->volume == 0);
    CHECK(apart->lower == 0);
    for (const double scale : {1e110, 1e200}) {
      Similarity large = here;
      large.linear() *= scale;
      const Result<SphereVolume> same =
          search.volume(cube.tree, large, cube.tree, large, {.max_time = time});
      REQUIRE_FALSE(same);
      CHECK(same.error().code == ErrorCode::kInvalidArgument);
    }
  }
  Similarity large = here, small = here;
  large.linear() *= 1e200;
  small.linear() *= 1e-200;
  CHECK_FALSE(search.spheres_meet(cube.tree, small, cube.tree, large));
}

// Volumes are by the cube of the scale, 2^795, and torques by its fourth power, 2^1060, which is
// infinite. The poses of one body in the frame of the other are the same, and so are the spheres'
// lenses, each of a float's accuracy.
TEST_CASE("volumes have any scale whose cube is a number, where no torque is asked for") {
  const Body cube(make_box({1, 1, 1}), 100);
  SphereSearch search;
  constexpr int kExponent = 265;
  const SphereVolume unscaled = *search.volume(cube.tree, moved(0, 0, 0), cube.tree,
                                               moved(0.4, 0.1, 0), {.with_forces = false});
  REQUIRE(unscaled.volume > 0);
  for (const int sign : {-1, 1}) {
    const double scale = std::ldexp(1, sign * kExponent), cube_of = std::pow(scale, 3);
    Similarity here = moved(0, 0, 0), there = moved(0.4 * scale, 0.1 * scale, 0);
    here.linear() *= scale;
    there.linear() *= scale;
    for (const double time : {1000.0, std::numeric_limits<double>::infinity()}) {
      const Result<SphereVolume> found = search.volume(cube.tree, here, cube.tree, there,
                                                       {.max_time = time, .with_forces = false});
      REQUIRE(found);
      CHECK(found->volume / cube_of == test::approx(unscaled.volume).epsilon(1e-5));
      CHECK(found->lower / cube_of == test::approx(unscaled.lower).epsilon(1e-5));
      CHECK(found->upper / cube_of == test::approx(unscaled.upper).epsilon(1e-5));
      REQUIRE(found->center);
      CHECK((*found->center / scale - *unscaled.center).norm() < 1e-5);
      for (const Vec3& none : {found->force_a, found->force_b, found->torque_a, found->torque_b})
        CHECK(none.isZero(0));
      CHECK(bool(search.volume(cube.tree, here, cube.tree, there, {.max_time = time})) ==
            (sign < 0));
    }
  }
}

// 1e110 is a scale whose cube is infinite, 1e-110 one whose cube is 0.
TEST_CASE("distances have any scale whose lengths are numbers") {
  const Body cube(make_box({1, 1, 1}), 100);
  SphereSearch search;
  for (const double scale : {1e-110, 1e110}) {
    Similarity here = moved(0, 0, 0), there = moved(1.5 * scale, 0, 0);
    here.linear() *= scale;
    there.linear() *= scale;
    const Result<SphereTreeDistance> found = search.distance(cube.tree, here, cube.tree, there);
    REQUIRE(found);
    CHECK(found->distance == test::approx(0.5 * scale).epsilon(1e-12));
    CHECK(found->lower == test::approx(0.5 * scale).epsilon(1e-12));
  }
}

// The small cube lies in a sphere of the other, and is too small for floats in its frame.
TEST_CASE("a budget of time is kept for bodies of very different sizes too") {
  const Body cube(make_box({1, 1, 1}), 500);
  SphereSearch search;
  const PlacedSphere& largest = cube.tree.spheres().front();
  Similarity small = Similarity::Identity();
  small.translation() = largest.center;
  small.linear() *= 1e-9;
  for (const double max_time : {0.0, 1000.0}) {
    const SphereVolume found =
        *search.volume(cube.tree, moved(0, 0, 0), cube.tree, small, {.max_time = max_time});
    CHECK(found.is_complete == (max_time > 0));
    if (found.is_complete) CHECK(found.volume == test::approx(1e-27).epsilon(1e-3));
  }
}

// Boxes that touch in doubles, and boxes that a pose within 1e-9 of a similarity makes longer.
TEST_CASE("bounds hold for the poses as they are") {
  const Body cube(make_box({1, 1, 1}), 100);
  SphereSearch search;
  for (const double more : {4e-10, -4e-10})
    for (const bool skews_a : {false, true})
      for (const bool skews_b : {false, true})
        for (const bool with_triangles : {false, true}) {
          Similarity here = moved(0, 0, 0), far = moved(3, 0, 0);
          if (skews_a) here.linear()(0, 0) += more;
          if (skews_b) far.linear()(0, 0) += more;
          const SphereTreeDistance found =
              *search.distance(cube.tree, here, cube.tree, far, {.with_triangles = with_triangles});
          const double truth = 2 - more * ((skews_a ? 0.5 : 0) + (skews_b ? 0.5 : 0));
          CHECK(found.lower <= truth + 1e-15);
          CHECK(found.upper >= truth - 1e-15);
        }
  // In a world whose origin is far away: the gap of two faces along the first axis, from the poses
  // in long doubles.
  using Wide3 = Eigen::Matrix<long double, 3, 3>;
  Random random(31);
  for (int i = 0; i < test::campaign(500); ++i) {
    const double away = std::pow(10.0, random.uniform(0, 10));
    const Similarity here = test::random_similarity(random, away, random.uniform(0.5, 2));
    const Similarity there = here * moved(1 + random.uniform(-1e-15, 1e-15) * away, 0, 0);
    const Wide3 linear = here.linear().cast<long double>();
    const auto off = (there.translation() - here.translation()).cast<long double>().eval();
    const long double gap = (linear.inverse() * off).x() - 1;
    const long double truth = std::max(0.0L, gap * std::cbrt(linear.determinant()));
    for (const bool with_triangles : {false, true}) {
      const SphereTreeDistance found =
          *search.distance(cube.tree, here, cube.tree, there, {.with_triangles = with_triangles});
      CHECK(found.surfaces_lower <= truth);
      CHECK(found.lower <= truth);
      if (!found.spheres_meet) CHECK(found.upper >= truth);
      if (gap > 0) CHECK_FALSE(found.spheres_meet);
    }
    if (gap > 0) CHECK_FALSE(*search.spheres_meet(cube.tree, here, cube.tree, there));
  }
}

TEST_CASE("spheres that only touch do not meet") {
  const ClosedMesh cube = *ClosedMesh::from_triangles(make_box({1, 1, 1}));
  const std::vector<PlacedSphere> ball{{Vec3::Zero(), 0.5}};
  const SphereTree one = *SphereTree::create(cube, ball);
  SphereSearch search;
  for (const double scale : {0.1, 0.3, 1.0, 1.0 / 3}) {
    Similarity here = moved(0, 0, 0), there = moved(scale, 0, 0);
    here.linear() *= scale;
    there.linear() *= scale;
    CHECK_FALSE(*search.spheres_meet(one, here, one, there));
    const SphereTreeDistance found = *search.distance(one, here, one, there);
    CHECK_FALSE(found.spheres_meet);
    CHECK(found.distance <= 1e-15 * scale);
    CHECK(found.lower == 0);
  }
}

TEST_CASE("a tree is made of spheres that lie in the solid and do not overlap") {
  const ClosedMesh cube = *ClosedMesh::from_triangles(make_box({1, 1, 1}));
  const std::vector<PlacedSphere> packed = pack_spheres(cube, {.max_count = 50})->spheres;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  const auto is_refused = [&](std::size_t number, const PlacedSphere& sphere) {
    std::vector<PlacedSphere> spheres = packed;
    spheres[number] = sphere;
    const Result<SphereTree> tree = SphereTree::create(cube, spheres);
    return !tree && tree.error().where == "spheres[" + std::to_string(number) + "]";
  };
  for (const double radius : {nan, infinite, 0.0, -1.0, 5.0, 1e300})
    CHECK(is_refused(3, {packed[3].center, radius}));
  for (const Vec3& center : {Vec3(nan, 0, 0), Vec3(0, infinite, 0), Vec3(0, 0, 1e300),
                             Vec3(0, 0, 2), Vec3(0.5, 0.5, 0.55)})
    CHECK(is_refused(7, {center, 1e-3}));
  CHECK(is_refused(49, {packed[49].center, packed[49].radius + 1e-6}));
  // Nearly at a wall, away from all others; 1e-9 of the size is the room for rounding.
  CHECK(is_refused(0, {Vec3(0, 0, 0), 0.5 + 1e-8}));
  // Between two boxes, away from the walls of both.
  TriangleMesh two = make_box({1, 1, 1});
  const TriangleMesh other = make_box({1, 1, 1});
  for (const Vec3& v : other.vertices) two.vertices.emplace_back(v + Vec3(3, 0, 0));
  for (const Triangle& t : other.triangles) two.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  const std::vector<PlacedSphere> between{{Vec3(1.5, 0, 0), 0.1}};
  CHECK_FALSE(SphereTree::create(*ClosedMesh::from_triangles(two), between));
  std::vector<PlacedSphere> twice = packed;
  twice.insert(twice.end(), packed.begin(), packed.end());
  CHECK_FALSE(SphereTree::create(cube, twice));
  std::vector<PlacedSphere> rounded = packed;
  for (PlacedSphere& sphere : rounded) sphere.radius += 1e-11;
  CHECK(SphereTree::create(cube, rounded));
}

TEST_CASE("without bounds the volume is that of the smaller solid at most") {
  const Body cube(make_box({1, 1, 1}), 50), small(make_box({0.5, 0.5, 0.5}), 50);
  SphereSearch search;
  const Similarity here = moved(0, 0, 0);
  for (const bool is_swapped : {false, true}) {
    const Body &a = is_swapped ? small : cube, &b = is_swapped ? cube : small;
    const SphereVolume found =
        *search.volume(a.tree, here, b.tree, moved(0.5, 0, 0), {.with_bounds = false});
    CHECK(found.lower == 0);
    CHECK(found.upper == 0.125);
  }
}

TEST_CASE("the last pair of other trees changes no distance") {
  const Body cube(make_box({1, 1, 1}), 50);
  SphereSearch search;
  const Similarity here = moved(0, 0, 0), there = moved(1.5, 0.2, 0);
  const double distance = search.distance(cube.tree, here, cube.tree, there)->distance;
  for (const NearestSpheres last :
       {NearestSpheres{0, 0}, NearestSpheres{0xfffffffe, 3}, NearestSpheres{3, 0xffffffff}})
    CHECK(search.distance(cube.tree, here, cube.tree, there, {.last = last})->distance == distance);
}

TEST_CASE("poses and options without sense are refused") {
  const Body cube(make_box({1, 1, 1}), 5);
  SphereSearch search;
  Similarity skewed = moved(0, 0, 0);
  skewed.linear()(0, 1) = 1;
  CHECK(search.distance(cube.tree, skewed, cube.tree, moved(0, 0, 0)).error().where ==
        "world_from_a");
  CHECK(search.volume(cube.tree, moved(0, 0, 0), cube.tree, skewed).error().where ==
        "world_from_b");
  CHECK_FALSE(search.spheres_meet(cube.tree, skewed, cube.tree, skewed));
  const Similarity here = moved(0, 0, 0);
  // The center is nearer than 1e300, a corner is not.
  Similarity large = here;
  large.linear() *= 1e299;
  large.translation().x() = 9.6e299;
  CHECK(search.touching_triangles(cube.tree, large, cube.tree, large).error().where ==
        "world_from_a");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double time : {nan, -1.0, -std::numeric_limits<double>::infinity()}) {
    CHECK(search.distance(cube.tree, here, cube.tree, here, {.max_time = time}).error().where ==
          "max_time");
    CHECK(search.volume(cube.tree, here, cube.tree, here, {.max_time = time}).error().where ==
          "max_time");
  }
  CHECK_FALSE(SphereTree::create(cube.mesh, {}));
  for (const std::size_t branching : {0, 1, 17})
    CHECK(SphereTree::create(cube.mesh, cube.tree.spheres(), {.branching = branching})
              .error()
              .where == "branching");
}

}  // namespace plimsoll
