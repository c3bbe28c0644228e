// The tracker beside its tree, of planes that wander, stand still and jump.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion_tracker.h>

#include <cmath>
#include <utility>
#include <vector>

#include "core/random.h"
#include "hydro/same_bits.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/instruction_sets.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr SubmersionParts kVolumeAndCenter{.wetted_area = false, .waterplane = false};

/// A plane that wanders about a body of size 1 by steps of some length, and jumps now and then.
class Wanderer {
 public:
  Wanderer(Random& random, double step) : random_(random), step_(step) { jump(); }

  WaterPlane next() {
    if (random_.uniform(0, 1) < 0.01) jump();
    normal_ = (normal_ + step_ * test::random_vector(random_)).normalized();
    level_ += step_ * random_.uniform(-1, 1);
    const double length = random_.uniform(0.5, 2);
    return {length * normal_, length * level_};
  }

 private:
  void jump() {
    normal_ = test::random_vector(random_).normalized();
    level_ = random_.uniform(-1.2, 1.2);
  }

  Random& random_;
  double step_, level_ = 0;
  Vec3 normal_ = Vec3::UnitZ();
};

/// Both say how far they may be off, which is some 1e-13 of the size here. Centers are first
/// moments over volumes.
void check_same(const Submersion& a, const Submersion& b) {
  const double error = a.volume_error + b.volume_error;
  CHECK(std::abs(a.volume - b.volume) <= error);
  if (a.volume > 1e3 * error)
    CHECK((a.center_of_buoyancy - b.center_of_buoyancy).norm() <= 3 * error / a.volume);
  CHECK(std::abs(a.wetted_area - b.wetted_area) <= 1e-12);
  CHECK(std::abs(a.waterplane.area - b.waterplane.area) <= 1e-12);
  CHECK((a.waterplane.second_moments - b.waterplane.second_moments).norm() <= 1e-12);
}

void follow_planes(const TriangleMesh& mesh, Random& random, int questions) {
  const SolidTree tree(test::checked(mesh));
  for (const double step : {0.0, 1e-8, 1e-5, 1e-3, 1e-2, 0.3}) {
    CAPTURE(step);
    SubmersionTracker tracker(tree);
    Wanderer water(random, step);
    for (int i = 0; i < questions; ++i) {
      const WaterPlane plane = water.next();
      const SubmersionParts parts =
          i % 8 == 0 ? SubmersionParts{i % 3 == 0, i % 3 != 1} : kVolumeAndCenter;
      check_same(tracker.submersion(plane, parts), tree.submersion(plane, parts));
    }
  }
}

TEST_CASE("the tracker agrees with the tree along a wandering plane") {
  Random random(31);
  const int questions = test::campaign(20'000);
  for (const auto& mesh : {make_icosphere(0.9, 4), make_bumpy_sphere(0.8, 0.4, 60, 91),
                           make_torus(0.7, 0.3, 60, 40), test::random_shape(random)})
    follow_planes(mesh, random, questions);
}

TEST_CASE("who follows a box sinks it through faces, edges and corners") {
  TriangleMesh box = make_box({1, 1, 1});
  const SolidTree tree(test::checked(box));
  for (const Vec3& up : {Vec3(0, 0, 1), Vec3(0, 1, 1), Vec3(1, 1, 1)}) {
    SubmersionTracker tracker(tree);
    // Sixty-fourths, so that corners are met exactly; the pace changes on the way.
    for (int i = -160; i <= 160; ++i)
      for (int again = 0; again < 1 + i % 2; ++again) {
        const WaterPlane plane{up, i / 64.0};
        check_same(tracker.submersion(plane), tree.submersion(plane));
        check_same(tracker.submersion(plane, kVolumeAndCenter),
                   tree.submersion(plane, kVolumeAndCenter));
      }
  }
}

TEST_CASE("what has left the water displaces exactly nothing, and what is under it all") {
  const SolidTree tree(test::checked(make_bumpy_sphere(1, 0.3, 80, 121)));
  SubmersionTracker tracker(tree);
  const Vec3 up = Vec3(0.1, 0.2, 1).normalized();
  const double reach = up.cwiseAbs().dot(tree.box().sizes()) / 2;
  for (double level = 1.01 * reach; level > -1.01 * reach; level -= 2e-4) {
    const WaterPlane plane{up, level};
    const Submersion followed = tracker.submersion(plane, kVolumeAndCenter);
    const Submersion asked = tree.submersion(plane, kVolumeAndCenter);
    CHECK((followed.volume == 0) == (asked.volume == 0));
    CHECK(std::abs(followed.volume - asked.volume) <= asked.volume_error);
  }
}

TEST_CASE("who follows gives the same bits for all instruction sets") {
  const SolidTree tree(test::checked(make_bumpy_sphere(1, 0.4, 50, 71)));
  const auto followed = [&] {
    std::vector<Submersion> answers;
    SubmersionTracker tracker(tree);
    for (int i = 0; i < 300; ++i) {
      const Vec3 up(1e-3 * std::sin(0.1 * i), 2e-3 * std::cos(0.07 * i), 1);
      answers.push_back(tracker.submersion({up, 3e-3 * std::sin(0.05 * i)},
                                           i % 9 == 0 ? SubmersionParts{} : kVolumeAndCenter));
    }
    return answers;
  };
  const std::vector<Submersion> expected = followed();
  test::for_each_instruction_set([&] {
    const std::vector<Submersion> found = followed();
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(same_bits(found[i], expected[i]));
  });
}

// Both are within 1e-14 of the sum of the terms (submersion.h), here of the body.
TEST_CASE("who follows bodies of any size stays within their triangles") {
  for (const double size : {1e-40, 1e-30, 1e29, 1e31, 1e36, 3e38, 1e60}) {
    const SolidTree tree(test::checked(make_box({size, size, size})));
    SubmersionTracker tracker(tree);
    const Vec3 up = Vec3(1, 0.2, 0.3).normalized();
    for (int i = 0; i < 200; ++i) {
      const WaterPlane plane{up, size * 5e-3 * i * (i > 100 ? 0.1 : 0.01)};
      const Submersion followed = tracker.submersion(plane, kVolumeAndCenter);
      CHECK(std::abs(followed.volume / size / size / size -
                     tree.submersion(plane).volume / size / size / size) <= 1e-14);
    }
  }
}

TEST_CASE("who follows takes corners that are nearer to the plane than floats tell apart") {
  TriangleMesh box = make_box({1, 1, 1});
  for (std::size_t v = 0; v < box.vertices.size(); ++v)
    box.vertices[v][2] = box.vertices[v][2] < 0 ? 1e-42 * static_cast<double>(v) : 1;
  const SolidTree tree(test::checked(box));
  SubmersionTracker tracker(tree);
  for (const double level : {0.0, 0.0, 1e-42, 3e-42, -1e-42, 1e-9, 0.0}) {
    const WaterPlane plane{{0, 0, 1}, level};
    check_same(tracker.submersion(plane, kVolumeAndCenter),
               tree.submersion(plane, kVolumeAndCenter));
  }
}

TEST_CASE("who follows says what the tree says of a body that hardly touches the water") {
  const SolidTree tree(test::checked(make_icosphere(1, 2)));
  SubmersionTracker tracker(tree);
  const Vec3 up = Vec3(0.3, -0.2, 1).normalized();
  for (int i = -500; i < 500; ++i) {
    const WaterPlane plane{up, -0.98 + 1e-8 * i};
    const Submersion followed = tracker.submersion(plane, kVolumeAndCenter);
    const Submersion asked = tree.submersion(plane, kVolumeAndCenter);
    CHECK(followed.volume >= 0);
    CHECK((followed.volume == 0) == (asked.volume == 0));
  }
}

TEST_CASE("a mesh without triangles is followed nowhere") {
  SubmersionTracker tracker{SolidTree(test::checked(TriangleMesh{}))};
  for (int i = 0; i < 3; ++i) CHECK(tracker.submersion({{0, 0, 1}, 0.1 * i}).volume == 0);
}

// ---- bands about the waterline of bodies that are finely meshed in one place and coarsely
// elsewhere

/// Of 200 answers along a wandering plane, how many have the same bits as the tree's, which they
/// have where the tree was asked itself.
int asked_anew(const TriangleMesh& mesh, double step) {
  const SolidTree tree(test::checked(mesh));
  SubmersionTracker tracker(tree);
  int same = 0;
  for (int i = 0; i < 200; ++i) {
    const double a = step * i;
    const WaterPlane water{Vec3(0.05 * std::sin(a), 0.04 * std::cos(1.3 * a), 1),
                           0.1 * std::sin(0.7 * a)};
    const Submersion followed = tracker.submersion(water, kVolumeAndCenter);
    const Submersion expected = tree.submersion(water, kVolumeAndCenter);
    CHECK(std::fabs(followed.volume - expected.volume) <=
          followed.volume_error + expected.volume_error);
    same += followed.center_of_buoyancy == expected.center_of_buoyancy ? 1 : 0;
  }
  return same;
}

// The sizes of triangles that a box's surface tells are those of neither. A band that holds all of
// the ball would take far longer than the tree. At a tenth of the pace a band as wide as the box's
// triangles ask still holds half of the ball, but one as wide as the ball's own ask is worthwhile.
TEST_CASE("a fine ball at the waterline of a coarse box is not followed by bands that hold it") {
  TriangleMesh box = make_box({100, 100, 100});
  for (Vec3& v : box.vertices) v.x() += 60;
  const TriangleMesh ball = make_icosphere(1, 5);
  const TriangleMesh both = test::joined(ball, box);
  CHECK(asked_anew(both, 0.01) >= 190);
  CHECK(asked_anew(both, 1e-3) < 100);
  CHECK(asked_anew(ball, 0.01) < 100);
}

// ---- copies

TEST_CASE("a copy of a tracker remembers the same, and goes its own way from there") {
  const SolidTree tree(test::checked(make_bumpy_sphere(1, 0.4, 50, 71)));
  const auto plane = [](int i) {
    return WaterPlane{Vec3(1e-3 * std::sin(0.1 * i), 0, 1), 1e-4 * i};
  };
  SubmersionTracker tracker(tree), apart{SolidTree(test::checked(make_box({1, 1, 1})))};
  for (int i = 0; i < 50; ++i) (void)tracker.submersion(plane(i), kVolumeAndCenter);
  SubmersionTracker copy(tracker);
  apart = tracker;
  for (int i = 50; i < 100; ++i) {
    const Submersion expected = tracker.submersion(plane(i), kVolumeAndCenter);
    CHECK(same_bits(copy.submersion(plane(i), kVolumeAndCenter), expected));
    CHECK(same_bits(apart.submersion(plane(i), kVolumeAndCenter), expected));
  }
  SubmersionTracker moved(std::move(copy));
  copy = std::move(apart);
  const Submersion expected = tracker.submersion(plane(100), kVolumeAndCenter);
  CHECK(same_bits(moved.submersion(plane(100), kVolumeAndCenter), expected));
  CHECK(same_bits(copy.submersion(plane(100), kVolumeAndCenter), expected));
  CHECK(moved.tree().triangle_count() == tree.triangle_count());
  // What another is asked changes no answer.
  SubmersionTracker left(tracker), right(tracker);
  (void)left.submersion({Vec3(0, 1, 0), 0.3}, kVolumeAndCenter);
  CHECK(same_bits(right.submersion(plane(101), kVolumeAndCenter),
                  tracker.submersion(plane(101), kVolumeAndCenter)));
}

}  // namespace
}  // namespace plimsoll
