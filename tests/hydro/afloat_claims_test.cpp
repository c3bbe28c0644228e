// "The framebuffer resolution used in this example was 32 x 32, allowing at most 5% approximation
// error", with peels "twice" for balls and boxes [Kim2006, sec. 5.3]: on the bodies of the
// benchmark (bench/paper; the bunny, which is not in the source tree, by a bumpy sphere), all
// through a heave and a roll, upright and askew. bench/README.md has the figures, also of the
// published passes.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>

#include "shared/afloat.h"
#include "support/water_cases.h"

namespace plimsoll {
namespace {

constexpr double kClaim = 0.05;

std::vector<bench::ImmersionError> errors_of(const TriangleMesh& mesh) {
  Result<WaterColumns> columns = WaterColumns::create(test::solid(mesh));
  REQUIRE(columns);
  const auto measure = [&](const Similarity& pose, const SurfaceNow& now) -> Result<WaterImage> {
    return columns->measure(pose, now);
  };
  const Result<std::vector<bench::ImmersionError>> errors = bench::errors_afloat(mesh, measure);
  REQUIRE(errors);
  return *errors;
}

}  // namespace

// Of the body's volume the claim holds everywhere, five times over. Of the wet part's it does not:
// what is under water may be smaller than a pixel. It fails for less than 1 % of the body, as it
// enters.
TEST_CASE("32 x 32 columns give the wet volume within 5 %, but for the last drop") {
  std::vector<bench::PaperObject> objects = bench::floating_objects();
  objects.push_back({"bumpy sphere", bench::centered(make_bumpy_sphere(1, 0.3, 40, 60))});
  for (const bench::PaperObject& object : objects) {
    CAPTURE(object.name);
    for (const bench::ImmersionError& error : errors_of(object.mesh)) {
      CAPTURE(error.pose.attitude);
      CAPTURE(error.pose.motion);
      CAPTURE(error.pose.at);
      CHECK(error.of_whole <= kClaim / 5);
      const double wet = error.of_whole / error.of_wet;  // the share of the body under water
      if (std::isnan(error.of_wet) || error.of_wet <= kClaim) continue;
      CHECK(wet < 0.01);
      CHECK(error.pose.motion == "heave");
    }
  }
}

TEST_CASE("balls and boxes meet the columns below water twice at most, teapots six times") {
  for (const bench::PaperObject& object : bench::floating_objects()) {
    int peels = 0;
    for (const bench::ImmersionError& error : errors_of(object.mesh))
      peels = std::max(peels, error.peels);
    CAPTURE(object.name);
    if (object.name == "sphere" || object.name == "box") CHECK(peels == 2);
    if (object.name == "teapot") CHECK(peels == 6);
  }
}

}  // namespace plimsoll
