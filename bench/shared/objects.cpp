#include "shared/objects.h"

#include <plimsoll/mesh_generators.h>
#include <plimsoll/patches.h>

#include <cmath>
#include <numbers>

#include "shared/decimate.h"

namespace plimsoll::bench {
namespace {

// A meander of three legs one above the other, so that a column along z meets it three times. 257
// points and 18 slices make the 9252 faces of the paper's pipe.
TriangleMesh make_pipe() {
  constexpr int kPoints = 257;
  constexpr double kLeg = 3, kBend = 0.5, kRadius = 0.3;
  constexpr double kHalfTurn = std::numbers::pi * kBend;
  constexpr double kLength = 3 * kLeg + 2 * kHalfTurn;
  std::vector<Vec3> path;
  for (int i = 0; i < kPoints; ++i) {
    double s = kLength * i / (kPoints - 1);  // along the path
    double z = -2 * kBend;                   // of the leg
    double forth = 1;                        // or back
    while (s > kLeg + kHalfTurn) {
      s -= kLeg + kHalfTurn;
      z += 2 * kBend;
      forth = -forth;
    }
    const double turn = s > kLeg ? (s - kLeg) / kBend : 0;
    path.emplace_back(forth * (std::min(s, kLeg) - kLeg / 2 + kBend * std::sin(turn)), 0,
                      z + kBend * (1 - std::cos(turn)));
  }
  return make_tube(path, kRadius, 18);
}

}  // namespace

std::vector<PaperObject> generated_objects() {
  return {{"cube", make_box({1, 1, 1}), 8, 12, 2},
          {"sphere", make_sphere(1, 22, 20)},
          {"teapot", make_teapot(5), 821, 1628, 6},
          {"torus", make_torus(1, 0.4, 31, 31, true), 1024, 1922, 4},
          {"knot", make_torus_knot({}, 120, 12), 1440, 2880, 8},
          {"pipe", make_pipe(), 4626, 9252, 6}};
}

PaperObject bunny_of(const MeshView& scan) {
  return {"bunny", decimate(scan, 5110), 2557, 5110, 6};
}

}  // namespace plimsoll::bench
