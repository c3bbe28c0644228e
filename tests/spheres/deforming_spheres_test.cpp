// Spheres that a deforming surface carries, against plain distances and trees made anew.
#include <doctest/doctest.h>
#include <plimsoll/deforming_spheres.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/random.h"
#include "solids.h"
#include "spheres/sphere_hierarchy.h"
#include "support/approx.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using test::closed;

using Deformation = std::function<Vec3(const Vec3&)>;

TriangleMesh deformed(TriangleMesh mesh, const Deformation& deformation) {
  for (Vec3& v : mesh.vertices) v = deformation(v);
  return mesh;
}

/// A round bar along x from -2 to 2, of radius 0.5.
TriangleMesh make_bar() {
  std::vector<Vec3> path;
  for (int i = 0; i <= 16; ++i) path.emplace_back(0.25 * i - 2, 0, 0);
  return make_tube(path, 0.5, 12);
}

/// To an arc of that angle in all.
Deformation bend(double angle) {
  return [angle](const Vec3& x) {
    const double radius = 4 / angle - x.y(), turn = angle * x.x() / 4;
    return Vec3(radius * std::sin(turn), 4 / angle - radius * std::cos(turn), x.z());
  };
}
/// Of the ends against each other.
Deformation twist(double angle) {
  return [angle](const Vec3& x) {
    const double c = std::cos(angle * x.x() / 4), s = std::sin(angle * x.x() / 4);
    return Vec3(x.x(), c * x.y() - s * x.z(), s * x.y() + c * x.z());
  };
}
/// The middle is that much wider along y and z.
Deformation bulge(double y, double z) {
  return [y, z](const Vec3& x) {
    const double most = std::exp(-x.x() * x.x());
    return Vec3(x.x(), x.y() * (1 + (y - 1) * most), x.z() * (1 + (z - 1) * most));
  };
}

DeformingSpheres deforming(const TriangleMesh& mesh, std::size_t count) {
  const ClosedMesh solid = closed(mesh);
  Result<DeformingSpheres> spheres =
      DeformingSpheres::create(solid, pack_spheres(solid, {.max_count = count})->spheres);
  REQUIRE(spheres);
  return *std::move(spheres);
}

std::size_t vanished(const DeformingSpheres& body) {
  return static_cast<std::size_t>(
      std::count_if(body.spheres().begin(), body.spheres().end(),
                    [](const PlacedSphere& sphere) { return sphere.radius == 0; }));
}

bool are_same(std::span<const PlacedSphere> a, std::span<const PlacedSphere> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.center == y.center && x.radius == y.radius;
  });
}

/// In long doubles: what is rounded there is below the roundings that radii take off.
void check_inside_and_apart(const TriangleMesh& mesh, std::span<const PlacedSphere> spheres) {
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    CAPTURE(i);
    REQUIRE(spheres[i].radius >= 0);
    if (spheres[i].radius == 0) continue;
    REQUIRE(test::winding(spheres[i].center, mesh) != 0);
    REQUIRE(test::distance(spheres[i].center, mesh) >= spheres[i].radius);
    const test::WideVec3 center = spheres[i].center.cast<long double>();
    for (std::size_t j = 0; j < i; ++j)
      if (spheres[j].radius > 0)
        REQUIRE((center - spheres[j].center.cast<long double>()).norm() >=
                static_cast<long double>(spheres[i].radius) + spheres[j].radius);
  }
}

/// Each answer of the tree, and of one made anew over its spheres, about another body. Volumes in
/// blocks of floats differ by 2^-20 of the area of the disks; the rest by rounding of doubles.
void check_as_made_anew(const SphereTree& tree, const ClosedMesh& mesh,
                        const SphereTreeOptions& options = {}) {
  const Result<SphereTree> anew = SphereTree::create(mesh, tree.spheres(), options);
  REQUIRE(anew);
  CHECK(tree.coverage() == test::approx(anew->coverage()).epsilon(1e-12));
  CHECK(tree.solid_volume() == anew->solid_volume());
  CHECK(tree.center_of_mass() == anew->center_of_mass());
  const ClosedMesh ball = closed(make_icosphere(0.6, 2));
  const SphereTree other =
      *SphereTree::create(ball, pack_spheres(ball, {.max_count = 100})->spheres);
  SphereSearch search, search_anew;
  const Similarity here = Similarity::Identity();
  const SphereVolumeOptions along_centers{.direction = ForceDirection::kCenters};
  for (const Vec3& at :
       {Vec3(0, 0.4, 0.2), Vec3(1.5, 0.7, 0), Vec3(-1, -0.3, 0.5), Vec3(3, 3, 3)}) {
    const Similarity there(Eigen::Translation3d{at});
    const SphereVolume volume = *search.volume(tree, here, other, there, along_centers);
    const SphereVolume truth = *search_anew.volume(*anew, here, other, there, along_centers);
    CHECK(volume.volume == test::approx(truth.volume).epsilon(1e-5));
    CHECK(volume.lower == test::approx(truth.lower).epsilon(1e-9));
    CHECK(volume.upper == test::approx(truth.upper).epsilon(1e-9));
    CHECK((volume.force_a - truth.force_a).norm() <= 1e-5 * truth.volume);
    CHECK((volume.torque_a - truth.torque_a).norm() <= 1e-5 * truth.volume);
    const SphereVolume in_time = *search.volume(tree, here, other, there, {.max_time = 0});
    CHECK(in_time.volume >= volume.lower * (1 - 1e-9));
    CHECK(in_time.volume <= volume.upper * (1 + 1e-9));
    const SphereVolume late = *search.volume(tree, here, other, there, {.max_time = 10});
    CHECK(late.is_complete);
    CHECK(late.volume == test::approx(truth.volume).epsilon(1e-5));
    for (const bool with_triangles : {false, true}) {
      const SphereDistanceOptions refined{.with_triangles = with_triangles};
      const SphereTreeDistance apart = *search.distance(tree, here, other, there, refined);
      const SphereTreeDistance apart_anew =
          *search_anew.distance(*anew, here, other, there, refined);
      CHECK(apart.spheres_meet == apart_anew.spheres_meet);
      CHECK(std::abs(apart.distance - apart_anew.distance) <= 1e-12);
      CHECK(std::abs(apart.upper - apart_anew.upper) <= 1e-12);
    }
  }
}

/// The spheres in the order of a walk through all leaves, children in their order.
std::vector<std::uint32_t> walk(const SphereTree& tree) {
  const std::vector<SphereNode>& nodes = hierarchy_of(tree).nodes;
  std::vector<std::uint32_t> spheres, waiting{0};
  while (!waiting.empty()) {
    const SphereNode& node = nodes[waiting.back()];
    waiting.pop_back();
    CHECK(node.children != 1);
    if (node.children == 0) spheres.push_back(node.first);
    for (std::uint32_t k = node.children; k > 0; --k) waiting.push_back(node.first + k - 1);
  }
  return spheres;
}

}  // namespace

// Sums of 42 products are rounded by 2^-49 of the largest at most, and so were the points at rest.
TEST_CASE("affine maps carry centers to where they take the solid") {
  Random random(1);
  for (const TriangleMesh& mesh :
       {make_box({1, 2, 3}), make_bar(), make_bumpy_sphere(1, 0.3, 20, 20, 5)}) {
    DeformingSpheres body = deforming(mesh, 60);
    const std::vector<PlacedSphere> at_rest(body.spheres().begin(), body.spheres().end());
    for (int round = 0; round < 10; ++round) {
      CAPTURE(round);
      Mat3 linear;
      for (double& x : linear.reshaped()) x = random.uniform(-2, 2);
      const Vec3 offset = 10 * test::random_vector(random);
      const TriangleMesh there =
          deformed(mesh, [&](const Vec3& x) { return Vec3(linear * x + offset); });
      REQUIRE(body.follow(closed(there)));
      for (std::size_t i = 0; i < at_rest.size(); ++i)
        REQUIRE((body.spheres()[i].center - linear * at_rest[i].center - offset).norm() < 1e-13);
      check_inside_and_apart(there, body.spheres());
    }
  }
}

TEST_CASE("at rest spheres are those that were given, and the tree is the same") {
  for (const TriangleMesh& mesh : {make_box({1, 2, 3}), make_bar(), make_torus(1, 0.3, 24, 12)}) {
    const ClosedMesh solid = closed(mesh);
    const std::vector<PlacedSphere> spheres = pack_spheres(solid, {.max_count = 300})->spheres;
    const SphereTreeOptions options{
        .branching = 3, .secondary = SecondaryRadii::kPublished, .resolution = 30};
    Result<DeformingSpheres> body = DeformingSpheres::create(solid, spheres, options);
    REQUIRE(body);
    CHECK(are_same(body->spheres(), spheres));
    const std::vector<std::uint32_t> order = walk(body->tree());
    CHECK(order == walk(*SphereTree::create(solid, spheres, options)));
    REQUIRE(body->follow(solid));
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      REQUIRE((body->spheres()[i].center - spheres[i].center).norm() < 1e-14);
      REQUIRE(body->spheres()[i].radius >= spheres[i].radius * (1 - 1e-12));
    }
    CHECK(walk(body->tree()) == order);
    CHECK(body->tree().depth() > 2);
    check_as_made_anew(body->tree(), solid, options);
  }
}

TEST_CASE("bent, twisted and bulging bodies have spheres inside that do not overlap") {
  const TriangleMesh bar = make_bar();
  DeformingSpheres body = deforming(bar, 250);
  const double at_rest = body.tree().coverage();
  const SphereTree before = body.tree();
  struct Case {
    Deformation deformation;
    double kept;  // of the coverage, at the least
  };
  // They kept 0.98, 0.89, 0.98, 0.92, 0.81, 0.71 and 0.81 of it.
  const Case cases[] = {{bend(0.5), 0.95},      {bend(2.5), 0.85},       {twist(1), 0.95},
                        {twist(3), 0.88},       {bulge(1.3, 1.3), 0.75}, {bulge(1.4, 0.7), 0.65},
                        {bulge(0.5, 0.5), 0.75}};
  for (const Case& c : cases) {
    CAPTURE(&c - cases);
    const TriangleMesh there = deformed(bar, c.deformation);
    REQUIRE(body.follow(closed(there)));
    check_inside_and_apart(there, body.spheres());
    CHECK(body.tree().coverage() > c.kept * at_rest);
    check_as_made_anew(body.tree(), closed(there));
  }
  CHECK(before.coverage() == at_rest);  // copies keep their shape
}

// Flattened to a 300th, centers come nearer to each other than spheres are thick.
TEST_CASE("spheres that are squeezed vanish, and return when the body is released") {
  const TriangleMesh bar = make_bar();
  DeformingSpheres body = deforming(bar, 250);
  REQUIRE(body.follow(closed(bar)));
  const std::vector<PlacedSphere> at_rest(body.spheres().begin(), body.spheres().end());
  const std::vector<std::uint32_t> order = walk(body.tree());
  const std::size_t memory = body.memory();
  const TriangleMesh squeezed = deformed(bar, bulge(0.003, 2));
  REQUIRE(body.follow(closed(squeezed)));
  CHECK(vanished(body) > 5);
  check_inside_and_apart(squeezed, body.spheres());
  check_as_made_anew(body.tree(), closed(squeezed));
  const Result<SphereTree> read = SphereTree::from_bytes(body.tree().to_bytes());
  REQUIRE(read);
  CHECK(read->to_bytes() == body.tree().to_bytes());
  // The tree has those that are left, and has them in the same branches.
  std::vector<std::uint32_t> left, numbers;
  for (const PlacedSphere& sphere : body.spheres()) {
    numbers.push_back(static_cast<std::uint32_t>(left.size()));
    if (sphere.radius > 0) left.push_back(0);
  }
  CHECK(body.tree().spheres().size() == left.size());
  left.clear();
  for (const std::uint32_t i : order)
    if (body.spheres()[i].radius > 0) left.push_back(numbers[i]);
  CHECK(walk(body.tree()) == left);
  REQUIRE(body.follow(closed(bar)));
  CHECK(are_same(body.spheres(), at_rest));
  CHECK(walk(body.tree()) == order);
  CHECK(body.memory() == memory);
}

// A spike from above passes the middle of a ball, whose center follows the surface on all sides.
TEST_CASE("a sphere whose center left the solid vanishes") {
  TriangleMesh ball = make_icosphere(1, 3);
  const ClosedMesh solid = closed(ball);
  const std::vector<PlacedSphere> spheres{{{0, 0, 0}, 0.5}, {{0, 0, -0.75}, 0.1}};
  Result<DeformingSpheres> body = DeformingSpheres::create(solid, spheres);
  REQUIRE(body);
  const NormalCone below = hierarchy_of(body->tree()).nodes[2].cone;
  for (Vec3& v : ball.vertices)
    if (v.z() > 0) v.z() = v.z() - 2 * std::max(0.0, 0.7 - 2 * std::hypot(v.x(), v.y()));
  REQUIRE(body->follow(closed(ball)));
  CHECK(body->spheres()[0].radius == 0);
  CHECK(body->spheres()[1].radius > 0);
  check_inside_and_apart(ball, body->spheres());
  CHECK(body->tree().spheres().size() == 1);
  const NormalCone left =
      hierarchy_of(body->tree()).nodes[0].cone;  // the surface there is as it was
  CHECK(below.angle < 1.5);
  CHECK((left.axis - below.axis).norm() < 1e-12);
  CHECK(std::abs(left.angle - below.angle) < 1e-12);
  check_as_made_anew(body->tree(), closed(ball));
}

TEST_CASE("scaled bodies have scaled spheres") {
  const TriangleMesh torus = make_torus(1, 0.3, 24, 12);
  DeformingSpheres body = deforming(torus, 50);
  REQUIRE(body.follow(closed(torus)));
  const std::vector<PlacedSphere> at_rest(body.spheres().begin(), body.spheres().end());
  for (const double scale : {0x1p-300, 0x1p-20, 0x1p20, 0x1p300}) {
    REQUIRE(body.follow(closed(deformed(torus, [&](const Vec3& x) { return Vec3(scale * x); }))));
    const double larger = scale > 1 ? 0.02 : 0;  // what was first in the way may come later
    double volume = 0, volume_at_rest = 0;
    for (std::size_t i = 0; i < at_rest.size(); ++i) {
      CHECK(body.spheres()[i].center == scale * at_rest[i].center);
      volume += std::pow(body.spheres()[i].radius / scale, 3);
      volume_at_rest += std::pow(at_rest[i].radius, 3);
    }
    CHECK(volume == test::approx(volume_at_rest).epsilon(0.02 + larger));
  }
}

// Coordinates near 1e6 are rounded by 6e-11, and radii of 0.01 to 0.5 change by as much. Moved back
// by 1e6 they are exact.
TEST_CASE("far from the origin spheres lie inside too") {
  const TriangleMesh bar = make_bar();
  DeformingSpheres body = deforming(bar, 100);
  REQUIRE(body.follow(closed(deformed(bar, bend(1)))));
  const double near = body.tree().coverage();
  const Vec3 far(1e6, -1e6, 1e6);
  const TriangleMesh there =
      deformed(bar, [&](const Vec3& x) { return Vec3(bend(1)(x) + Vec3(0.1, 0.2, 0.3) + far); });
  REQUIRE(body.follow(closed(there)));
  CHECK(body.tree().coverage() == test::approx(near).epsilon(1e-7));
  std::vector<PlacedSphere> back(body.spheres().begin(), body.spheres().end());
  for (PlacedSphere& sphere : back) sphere.center -= far;
  check_inside_and_apart(deformed(there, [&](const Vec3& x) { return Vec3(x - far); }), back);
}

TEST_CASE("what cannot be followed is refused and changes nothing") {
  const TriangleMesh two =
      test::joined(make_icosphere(1, 1), test::moved(make_icosphere(1, 1), Vec3(5, 0, 0)));
  DeformingSpheres body = deforming(two, 40);
  const std::vector<PlacedSphere> before(body.spheres().begin(), body.spheres().end());
  const auto refused = [&](const TriangleMesh& mesh) {
    const Result<void> followed = body.follow(closed(mesh));
    REQUIRE_FALSE(followed);
    CHECK(are_same(body.spheres(), before));
    CHECK(are_same(body.tree().spheres(), before));
    return followed.error();
  };
  const Error other = refused(make_icosphere(1, 2));
  CHECK(other.code == ErrorCode::kInvalidArgument);
  CHECK(other.message.find("found 320 triangles") != std::string::npos);
  CHECK(other.message.find("expected the 160 triangles") != std::string::npos);
  TriangleMesh turned = two;
  std::swap(turned.triangles[0], turned.triangles[1]);
  CHECK(refused(turned).code == ErrorCode::kInvalidArgument);
  const Error flat = refused(deformed(two, [](const Vec3& x) { return Vec3(x.x(), x.y(), 0); }));
  CHECK(flat.code == ErrorCode::kInvalidArgument);
  CHECK(flat.message.find("found no room for any of 40 spheres") != std::string::npos);
  CHECK(refused(deformed(two, [](const Vec3& x) { return Vec3(1e301 * x); })).code ==
        ErrorCode::kInvalidArgument);
  const Error inside_out = refused(
      deformed(two, [](const Vec3& x) { return x.x() > 2.5 ? Vec3(x.x(), x.y(), -x.z()) : x; }));
  CHECK(inside_out.code == ErrorCode::kNotClosed);
  REQUIRE(body.follow(closed(two)));
  CHECK(vanished(body) == 0);

  const ClosedMesh solid = closed(two);
  CHECK(DeformingSpheres::create(solid, {}).error().where == "spheres");
  CHECK(DeformingSpheres::create(solid, before, {.branching = 1}).error().where == "branching");
  const PlacedSphere outside{{2.5, 0, 0}, 0.1};
  CHECK(DeformingSpheres::create(solid, {&outside, 1}).error().where == "spheres[0]");
}

TEST_CASE("spheres that follow are the same for any number of threads") {
  const TriangleMesh bar = make_bar();
  const auto followed = [&] {
    DeformingSpheres body = deforming(bar, 400);
    REQUIRE(body.follow(closed(deformed(bar, bend(1)))));
    return body;
  };
  const DeformingSpheres many = followed();
  with_threads(1, [&] {
    const DeformingSpheres one = followed();
    CHECK(are_same(one.spheres(), many.spheres()));
    CHECK(one.tree().to_bytes() == many.tree().to_bytes());
  });
}

}  // namespace plimsoll
