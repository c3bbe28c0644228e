// Bands about the waterline of bodies that are finely meshed in one place and coarsely elsewhere.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion_tracker.h>

#include <cmath>

#include "support/checked.h"
#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

constexpr SubmersionParts kVolumeAndCenter{.wetted_area = false, .waterplane = false};

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

}  // namespace
}  // namespace plimsoll
