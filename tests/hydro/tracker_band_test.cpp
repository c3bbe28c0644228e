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

// The sizes of triangles that a box's surface tells are those of neither. A band that holds all of
// the ball would take far longer than the tree, which has the same bits only if it is asked itself.
TEST_CASE("a fine ball at the waterline of a coarse box is not followed by bands that hold it") {
  TriangleMesh box = make_box({100, 100, 100});
  for (Vec3& v : box.vertices) v.x() += 60;
  const TriangleMesh ball = make_icosphere(1, 5);
  const auto asked_anew = [](const TriangleMesh& mesh) {
    const SubmersionTree tree(test::checked(mesh));
    SubmersionTracker tracker(tree);
    int same = 0;
    for (int i = 0; i < 200; ++i) {
      const double a = 0.01 * i;
      const WaterPlane water{Vec3(0.05 * std::sin(a), 0.04 * std::cos(1.3 * a), 1),
                             0.1 * std::sin(0.7 * a)};
      const Submersion followed = tracker.submersion(water, kVolumeAndCenter);
      const Submersion expected = tree.submersion(water, kVolumeAndCenter);
      CHECK(std::fabs(followed.volume - expected.volume) <=
            followed.volume_error + expected.volume_error);
      same += followed.center_of_buoyancy == expected.center_of_buoyancy ? 1 : 0;
    }
    return same;
  };
  CHECK(asked_anew(test::joined(ball, box)) >= 190);
  CHECK(asked_anew(ball) < 100);
}

}  // namespace
}  // namespace plimsoll
