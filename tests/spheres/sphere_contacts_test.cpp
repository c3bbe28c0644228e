// Contacts of spheres against closed forms, all pairs, and the sums that they make.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/sphere_tree.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "random_spheres.h"
#include "solids.h"
#include "spheres/faded_overlap.h"
#include "spheres/lens.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/heap_peak.h"

namespace plimsoll {
namespace {

SphereTree packed(TriangleMesh triangles, std::size_t spheres) {
  const ClosedMesh mesh = test::closed(std::move(triangles));
  return *SphereTree::create(mesh, pack_spheres(mesh, {.max_count = spheres})->spheres);
}

/// A cube of side 1 with the one sphere that touches all its faces.
SphereTree ball_in_cube() {
  const ClosedMesh cube = test::closed(make_box({1, 1, 1}));
  return *SphereTree::create(cube, {{{.center = Vec3::Zero(), .radius = 0.5}}});
}

struct Sums {
  Vec3 force_a = Vec3::Zero(), torque_a = Vec3::Zero();
  Vec3 force_b = Vec3::Zero(), torque_b = Vec3::Zero();
  double volume = 0;
};

Sums sums_of(std::span<const SphereContact> contacts, const Vec3& about_a, const Vec3& about_b) {
  Sums sums;
  for (const SphereContact& contact : contacts) {
    sums.force_a += contact.force_a;
    sums.force_b += contact.force_b;
    sums.torque_a += (contact.point - about_a).cross(contact.force_a);
    sums.torque_b += (contact.point - about_b).cross(contact.force_b);
    sums.volume += contact.volume;
  }
  return sums;
}

/// Bodies that are about `size` large; what a sum of thousands of terms may lose.
void check_sums(const SphereVolume& answer, const Vec3& about_a, const Vec3& about_b, double size) {
  const Sums sums = sums_of(answer.contacts, about_a, about_b);
  const double cube = size * size * size, rounding = 1e-12;
  CHECK((sums.force_a - answer.force_a).norm() <= rounding * cube);
  CHECK((sums.force_b - answer.force_b).norm() <= rounding * cube);
  CHECK((sums.torque_a - answer.torque_a).norm() <= rounding * cube * size);
  CHECK((sums.torque_b - answer.torque_b).norm() <= rounding * cube * size);
}

bool comes_first(const SphereContact& x, const SphereContact& y) { return x.point[0] < y.point[0]; }

}  // namespace

// Balls of radius r whose centers are d apart touch in the middle, and their lens is as deep to
// either side of it.
TEST_CASE("two balls have one contact, in the middle of their lens") {
  const SphereTree ball = ball_in_cube();
  SphereSearch search;
  for (const double scale : {1e-3, 1.0, 20.0})
    for (const double d : {0.1, 0.6, 0.999}) {
      Similarity here = Similarity::Identity();
      here.linear() *= scale;
      here.translation() = scale * Vec3(3, 2, 1);
      Similarity there = here;
      there.translation()[1] += scale * d;
      const SphereVolume answer = *search.volume(
          ball, here, ball, there, {.with_contacts = true, .direction = ForceDirection::kCenters});
      REQUIRE(answer.contacts.size() == 1);
      const SphereContact& contact = answer.contacts[0];
      const double volume = scale * scale * scale * lens_volume(0.5, 0.5, d);
      CHECK(contact.volume == test::approx(volume).epsilon(1e-11));
      CHECK((contact.point - scale * Vec3(3, 2 + d / 2, 1)).norm() <= 1e-14 * scale);
      // The disk between two equal balls; and what it takes to bring them there from where they
      // touch.
      CHECK(contact.area ==
            test::approx(scale * scale * std::numbers::pi * (0.25 - d * d / 4)).epsilon(1e-11));
      double work = 0;
      constexpr int kSteps = 2000;
      for (int k = 0; k < kSteps; ++k) {
        const double at = d + (1 - d) * (k + 0.5) / kSteps;
        work += (1 - d) / kSteps * lens_push(0.5, 0.5, at) * at;
      }
      // The midpoint rule is off by 1 / (24 kSteps^2) of the change of the force's slope.
      CHECK(contact.energy == test::approx(scale * scale * scale * scale * work).epsilon(1e-5));
      // The push fades where centers are nearer than half a radius.
      // Rounding moves a lens of depth 1e-3 by 1e-15.
      const Vec3 push(0, volume * std::min(1.0, d / 0.25), 0);
      CHECK((contact.force_b - push).norm() <= 1e-11 * volume);
      CHECK((contact.force_a + push).norm() <= 1e-11 * volume);
      CHECK_FALSE(contact.is_expected);
    }
}

TEST_CASE("contacts are those of all pairs of spheres that meet") {
  const SphereTree a = packed(make_torus(1, 0.4, 20, 12), 300),
                   b = packed(make_box({1, 1, 1}), 200);
  SphereSearch search;
  Random random(1);
  std::size_t count = 0;
  for (int round = 0; round < test::campaign(200); ++round) {
    const Similarity pose_a = test::random_similarity(random, 0.5);
    const Similarity pose_b = test::random_similarity(random, 1, random.uniform(0.5, 1.5));
    const double scale = std::cbrt(pose_b.linear().determinant());
    std::vector<SphereContact> expected;
    for (const PlacedSphere& x : a.spheres())
      for (const PlacedSphere& y : b.spheres()) {
        const Vec3 from = pose_a * x.center, way = pose_b * y.center - from;
        const double s = scale * y.radius, d = way.norm();
        // Thinner lenses are found or not as the distance is rounded.
        if (!(x.radius + s - d > 1e-7)) continue;
        expected.push_back({.point = from + lens_centroid(x.radius, s, d) / d * way,
                            .volume = lens_volume(x.radius, s, d),
                            .force_b = lens_push(x.radius, s, d) * way});
      }
    const SphereVolume answer = *search.volume(
        a, pose_a, b, pose_b, {.with_contacts = true, .direction = ForceDirection::kCenters});
    std::vector<SphereContact> found;
    for (const SphereContact& contact : answer.contacts) {
      CHECK_FALSE(contact.is_expected);
      CHECK(contact.volume > 0);
      CHECK(contact.force_a == -contact.force_b);
      // pi r s / (r + s) depth^2 is the volume of a thin lens.
      if (contact.volume > 1e-14 * 3) found.push_back(contact);
    }
    std::erase_if(expected, [](const SphereContact& x) { return !(x.volume > 1e-14 * 3); });
    REQUIRE(found.size() == expected.size());
    count += found.size();
    std::sort(found.begin(), found.end(), comes_first);
    std::sort(expected.begin(), expected.end(), comes_first);
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK((found[i].point - expected[i].point).norm() <= 1e-8);
      CHECK(std::abs(found[i].volume - expected[i].volume) <= 1e-12);
      CHECK((found[i].force_b - expected[i].force_b).norm() <= 1e-12);
    }
  }
  CHECK(count > 50 * static_cast<std::size_t>(test::campaign(200)));
}

TEST_CASE("the forces of all contacts, and their torques, make those of the answer") {
  const SphereTree trees[] = {packed(make_torus(1, 0.4, 20, 12), 500),
                              packed(make_box({1, 2, 1}), 400), packed(make_cone(1, 2, 9), 1)};
  SphereSearch search;
  Random random(2);
  int pushed = 0, expected = 0;
  for (int round = 0; round < test::campaign(1000); ++round) {
    const SphereTree &a = trees[random.below(3)], &b = trees[random.below(3)];
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Similarity pose_a = test::random_similarity(random, scale, scale);
    const Similarity pose_b =
        test::random_similarity(random, scale, scale * random.uniform(0.5, 2));
    const Vec3 about_a = pose_a * a.center_of_mass(), about_b = pose_b * b.center_of_mass();
    for (const auto direction : {ForceDirection::kConesOrCenters, ForceDirection::kCenters})
      for (const double time : {std::numeric_limits<double>::infinity(), 1000.0, 0.0}) {
        const SphereVolume answer =
            *search.volume(a, pose_a, b, pose_b,
                           {.max_time = time, .with_contacts = true, .direction = direction});
        check_sums(answer, about_a, about_b, 3 * scale);
        pushed += answer.contacts.empty() ? 0 : 1;
        for (const SphereContact& contact : answer.contacts) {
          if (time > 0) CHECK_FALSE(contact.is_expected);
          expected += contact.is_expected ? 1 : 0;
        }
      }
  }
  CHECK(pushed > test::campaign(1000));
  CHECK(expected > test::campaign(100));
}

// At each number of expansions some pairs have been opened, some wait, some fade.
TEST_CASE("contacts make the forces of a search wherever it ends, and those not reached say so") {
  Random random(3);
  FadedOverlapSearch search;
  std::vector<SphereContact> memory;
  std::size_t reached = 0, expected = 0;
  for (int round = 0; round < test::campaign(500); ++round) {
    const test::RandomPair pair(random, 200);
    const SphereBlocks a_blocks = make_sphere_blocks(pair.a), b_blocks = make_sphere_blocks(pair.b);
    const PosedBlocks blocks(a_blocks, b_blocks, pair.a_from_b);
    const Similarity world_from_a = test::random_similarity(random, 2, random.uniform(0.1, 10));
    const double scale = std::cbrt(world_from_a.linear().determinant());
    const TorquePoints about{test::random_vector(random), test::random_vector(random)};
    for (const std::size_t budget : {0u, 3u, 30u, 300u}) {
      ContactList contacts(world_from_a, memory);
      ForceSum forces(ForceDirection::kConesOrCenters, about, &contacts);
      const TimedOverlap found = search.find(pair.posed(), blocks, NodeBall::kSecondary,
                                             {.max_expansions = budget}, &forces);
      const Sums sums = sums_of(memory, world_from_a * about.of_a, world_from_a * about.of_b);
      const double cube = scale * scale * scale;
      const Mat3 turn = world_from_a.linear() / scale;
      const SphereForces& sum = forces.sum();
      CHECK((sums.force_a - cube * (turn * sum.force_on_a)).norm() <= 1e-11 * cube);
      CHECK((sums.force_b - cube * (turn * sum.force_on_b)).norm() <= 1e-11 * cube);
      CHECK((sums.torque_a - cube * scale * (turn * sum.torque_on_a)).norm() <=
            1e-11 * cube * scale);
      CHECK((sums.torque_b - cube * scale * (turn * sum.torque_on_b)).norm() <=
            1e-11 * cube * scale);
      for (const SphereContact& contact : memory) {
        CHECK(contact.volume > 0);
        if (found.is_complete) CHECK_FALSE(contact.is_expected);
        (contact.is_expected ? expected : reached) += 1;
      }
    }
  }
  CHECK(reached > static_cast<std::size_t>(test::campaign(500)));
  CHECK(expected > static_cast<std::size_t>(test::campaign(500)));
}

TEST_CASE("contacts come only where they are asked for, and take no memory the second time") {
  const SphereTree cube = packed(make_box({1, 1, 1}), 2000);
  SphereSearch search;
  Similarity there = Similarity::Identity();
  there.translation() = Vec3(0.3, 0.2, 0.1);
  for (const double time : {std::numeric_limits<double>::infinity(), 1000.0}) {
    const auto ask = [&](bool with_contacts) {
      return *search.volume(cube, Similarity::Identity(), cube, there,
                            {.max_time = time, .with_contacts = with_contacts});
    };
    const SphereVolume with = ask(true);
    const std::size_t count = with.contacts.size();
    CHECK(count > 1000);
    const SphereVolume without = ask(false);
    CHECK(without.contacts.empty());
    // Nothing else changes, but for the order in which a search in time adds forces.
    CHECK((without.force_a - with.force_a).norm() <= 1e-12 * with.force_a.norm());
    CHECK((without.torque_b - with.torque_b).norm() <= 1e-12 * with.force_b.norm());
    CHECK(without.volume == with.volume);
    test::reset_heap_peak();
    CHECK(ask(true).contacts.size() == count);
    CHECK(test::heap_peak() == 0);
  }
  // Contacts have forces, whether their sums are asked for or not.
  const SphereVolume alone = *search.volume(cube, Similarity::Identity(), cube, there,
                                            {.with_forces = false, .with_contacts = true});
  CHECK(alone.contacts.size() > 1000);
  CHECK(alone.force_a.norm() > 0);
}

}  // namespace plimsoll
