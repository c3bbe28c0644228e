// Whether estimates hold: random bodies, poses, axes and resolutions, boxes and prisms among them,
// against the exact sums. An estimate should hold in 99 of 100 cases, and be no more than ten times
// the true error in the median (support/by_chance.h has how many cases may contradict).
//
// About a center of symmetry the section's first moments are odd, and the sum over any lattice that
// has its symmetry is 0: the center is found far better than an estimate that does not know of the
// symmetry can tell. So it has to hold, but how wide it is says nothing.
#include <doctest/doctest.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <vector>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/closed_truth.h"
#include "support/estimate_checks.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

struct Body {
  TriangleMesh mesh;
  bool has_center = false;  // of symmetry, but for where its vertices are
};

Body random_body(Random& random) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low)));
  };
  switch (random.below(8)) {
    case 0:
      return {make_box({random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)}),
              true};
    case 1: {  // prisms
      const int sides = between(3, 15);
      return {make_cylinder(1, random.uniform(0.1, 3), sides), sides % 2 == 0};
    }
    case 2:
      return {make_sphere(1, between(10, 50), between(10, 70)), true};
    case 3:
      return {make_torus(1, random.uniform(0.1, 0.6), between(20, 80), between(10, 50)), true};
    case 4:
      return {make_torus_knot({}, between(60, 260), between(8, 28))};
    case 5:
      return {make_cone(1, random.uniform(0.3, 3), between(3, 43))};
    case 6:
      return {make_bumpy_sphere(1, 0.3, between(20, 60), between(20, 60), random.next())};
    default:
      return {make_capsule(1, random.uniform(0.2, 3), 8 + 2 * between(0, 10), between(8, 48)),
              true};
  }
}

struct Ratios {
  std::vector<double> volume, inertia, center, center_of_symmetry;  // true error to estimate
};

Ratios campaign_of(Coverage coverage, int cases, std::uint64_t seed) {
  Random random(seed);
  Ratios ratios;
  for (int i = 0; i < cases; ++i) {
    auto [mesh, has_center] = random_body(random);
    if (random.below(4) != 0) {  // one in four stands straight
      const Mat3 turn = test::random_turn(random);
      for (Vec3& v : mesh.vertices) v = turn * v;
    }
    constexpr int kSizes[] = {16, 24, 32, 48, 64, 100, 128, 256};
    ImageOptions options;
    options.coverage = coverage;
    options.width = options.height = kSizes[random.below(8)];
    options.axis = static_cast<int>(random.below(3));
    if (random.below(2) == 0) {
      options.margin = 0.1;
      const double play = std::min(1.0, (1 - 1 / 1.1) * options.width / 2);
      options.shift_u = random.uniform(-play, play);
      options.shift_v = random.uniform(-play, play);
    }
    const Result<ImageMass> image = image_mass_properties(test::checked(MeshView(mesh)), options);
    REQUIRE(image);
    const MassProperties& found = image->properties;
    const MassProperties exact = mass_properties(test::checked(mesh));
    if (found.volume == 0) {
      ratios.volume.push_back(1e9);
      continue;
    }
    ratios.volume.push_back(std::abs(found.volume - exact.volume) / image->error_estimate.volume);
    (has_center ? ratios.center_of_symmetry : ratios.center)
        .push_back((found.center_of_mass - exact.center_of_mass).cwiseAbs().maxCoeff() /
                   image->error_estimate.center_of_mass);
    ratios.inertia.push_back((found.inertia - exact.inertia).cwiseAbs().maxCoeff() /
                             image->error_estimate.inertia);
  }
  return ratios;
}

void check(const Ratios& ratios) {
  test::check_estimates_hold("volume", ratios.volume);
  test::check_estimates_hold("inertia", ratios.inertia);
  test::check_estimates_hold("center", ratios.center);
  test::check_estimates_hold("center of symmetry", ratios.center_of_symmetry);
  test::check_estimates_are_close("volume", ratios.volume, 10);
  test::check_estimates_are_close("inertia", ratios.inertia, 10);
  test::check_estimates_are_close("center", ratios.center, 10);
}

TEST_CASE("estimates of images with exact borders hold and are not much too wide") {
  check(campaign_of(Coverage::kExact, test::campaign(20000), 21));
}

TEST_CASE("estimates of images of pixel centers hold and are not much too wide") {
  check(campaign_of(Coverage::kPixelCenter, test::campaign(20000), 22));
}

// The section's area A changes from row to row by the surface between them: int |dA/dy| dy is at
// most the sum of the triangles' areas as seen along y. A row stands for what is within half a row
// of it, so that the volume is off by that change times h / 2 at most.
double largest_error(const TriangleMesh& mesh, int across, double row) {
  double change = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]];
    change += std::abs((mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a)[across]) / 2;
  }
  return change * row / 2;
}

TEST_CASE("clean meshes of the collection are within their estimates along all axes") {
  if (!test::has_shared_data()) return;
  std::vector<double> ratios;
  for (const test::TrueMass& truth : test::clean_meshes()) {
    const TriangleMesh mesh = test::load(truth.name);
    for (int axis = 0; axis < 3; ++axis) {
      ImageOptions options;
      options.axis = axis;
      const ImageMass image = *image_mass_properties(test::checked(MeshView(mesh)), options);
      const double error = std::abs(image.properties.volume - truth.volume);
      const int across = (axis + 2) % 3;
      const double row = bounding_box(test::checked(mesh)).sizes()[across] / options.height;
      CHECK_MESSAGE(error <= largest_error(mesh, across, row), truth.name, " axis ", axis);
      ratios.push_back(error / image.error_estimate.volume);
    }
  }
  test::check_estimates_hold("volume", ratios);
}

}  // namespace
}  // namespace plimsoll
