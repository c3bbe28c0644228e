// Whether estimates hold: random bodies, poses, axes and resolutions, boxes and prisms among them,
// against the exact sums. An estimate should hold in 99 of 100 cases, and be no more than ten times
// the true error in the median. 1 % of 500 cases is 5; the quick run allows three standard
// deviations above that, 12, the full one of 5,000 the 1 % itself.
#include <doctest/doctest.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <vector>

#include "core/random.h"
#include "support/campaign.h"
#include "support/closed_truth.h"

namespace plimsoll {
namespace {

TriangleMesh body(Random& random, const std::vector<TriangleMesh>& real) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low)));
  };
  switch (random.below(real.empty() ? 8 : 10)) {
    case 0:
      return make_box({random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)});
    case 1:  // prisms
      return make_cylinder(1, random.uniform(0.1, 3), between(3, 15));
    case 2:
      return make_sphere(1, between(10, 50), between(10, 70));
    case 3:
      return make_torus(1, random.uniform(0.1, 0.6), between(20, 80), between(10, 50));
    case 4:
      return make_torus_knot({}, between(60, 260), between(8, 28));
    case 5:
      return make_cone(1, random.uniform(0.3, 3), between(3, 43));
    case 6:
      return make_bumpy_sphere(1, 0.3, between(20, 60), between(20, 60), random.next());
    case 7:
      return make_capsule(1, random.uniform(0.2, 3), 8 + 2 * between(0, 10), between(8, 48));
    default:
      return real[random.below(real.size())];
  }
}

struct Ratios {
  std::vector<double> volume, center, inertia;  // of the true error to the estimate
};

Ratios campaign_of(Coverage coverage, int cases, std::uint64_t seed) {
  std::vector<TriangleMesh> real;
  if (test::has_shared_data())
    for (const char* name : {"elephant", "knot1", "pipe", "anchor", "cheese"})
      real.push_back(test::load(std::string("meshes/cgal/") + name + ".off"));
  Random random(seed);
  Ratios ratios;
  for (int i = 0; i < cases; ++i) {
    TriangleMesh mesh = body(random, real);
    if (random.below(4) != 0) {  // one in four stands straight
      const Mat3 turn = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1),
                                           random.uniform(-1, 1), random.uniform(-1, 1))
                            .normalized()
                            .toRotationMatrix();
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
    const Result<ImageMass> image = image_mass_properties(mesh, options);
    REQUIRE(image);
    const MassProperties& found = image->properties;
    const MassProperties exact = mass_properties(mesh);
    if (found.volume == 0) {
      ratios.volume.push_back(1e9);
      continue;
    }
    ratios.volume.push_back(std::abs(found.volume - exact.volume) / image->error_estimate.volume);
    ratios.center.push_back((found.center_of_mass - exact.center_of_mass).cwiseAbs().maxCoeff() /
                            image->error_estimate.center_of_mass);
    ratios.inertia.push_back((found.inertia - exact.inertia).cwiseAbs().maxCoeff() /
                             image->error_estimate.inertia);
  }
  return ratios;
}

void check_ratios(const char* what, std::vector<double> ratios, double widest) {
  const auto outside = std::count_if(ratios.begin(), ratios.end(), [](double r) { return r > 1; });
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<long>(ratios.size() / 2),
                   ratios.end());
  const double median = 1 / ratios[ratios.size() / 2];
  INFO(what, ": ", outside, " of ", ratios.size(), " outside; median estimate / error ", median);
  MESSAGE(what, ": ", outside, " of ", ratios.size(), " outside; median estimate / error ", median);
  CHECK(outside <= (test::is_full_run() ? ratios.size() / 100 : 12));
  CHECK(median <= widest);
}

TEST_CASE("estimates of images with exact borders hold and are not much too wide") {
  const Ratios ratios = campaign_of(Coverage::kExact, test::campaign(5000), 21);
  check_ratios("volume", ratios.volume, 10);
  check_ratios("inertia", ratios.inertia, 10);
  check_ratios("center", ratios.center, 10.5);  // 500 cases do not tell a median better
}

TEST_CASE("estimates of images of pixel centers hold and are not much too wide") {
  const Ratios ratios = campaign_of(Coverage::kPixelCenter, test::campaign(5000), 22);
  check_ratios("volume", ratios.volume, 10);
  check_ratios("inertia", ratios.inertia, 10);
  check_ratios("center", ratios.center, 10);
}

// Pixels of a 256th of the longest edge; 3 % may lie outside.
TEST_CASE("clean meshes of the collection are within their estimates along all axes") {
  if (!test::has_shared_data()) return;
  std::size_t outside = 0, all = 0;
  for (const test::TrueMass& truth : test::clean_meshes()) {
    const TriangleMesh mesh = test::load(truth.name);
    for (int axis = 0; axis < 3; ++axis) {
      ImageOptions options;
      options.axis = axis;
      const ImageMass image = *image_mass_properties(mesh, options);
      const double error = std::abs(image.properties.volume - truth.volume);
      CHECK_MESSAGE(error <= 2e-3 * truth.volume, truth.name, " axis ", axis);
      outside += error > image.error_estimate.volume ? 1 : 0;
      ++all;
    }
  }
  MESSAGE(outside, " of ", all, " outside");
  CHECK(100 * outside <= 3 * all);
}

}  // namespace
}  // namespace plimsoll
