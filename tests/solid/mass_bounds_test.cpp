// The bounds of mass properties against exact arithmetic, over random closed meshes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solid/exact_oracle.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Bound over error; errors of exactly 0 count as infinitely well bounded, to the disadvantage of
/// the median.
struct Slack {
  std::vector<double> volume, center, inertia;

  void add(const MassError& bound, const MassError& error) {
    volume.push_back(bound.volume / error.volume);
    center.push_back(bound.center_of_mass / error.center_of_mass);
    inertia.push_back(bound.inertia / error.inertia);
  }
};

/// What Precision promises: 2^-56 (kTight) or 2^-20 of the result, and half a unit of its last
/// place. The trace of the inertia is twice that of the second moments, also where a shaken mesh
/// counts some space negatively.
void require_known(const MassProperties& found, Precision precision) {
  const double share = (precision == Precision::kTight ? 0x1p-56 : 0x1p-20) + 0x1p-53;
  const double trace = std::abs(found.inertia.trace());
  const double largest = std::max(trace, found.inertia.cwiseAbs().maxCoeff());
  const double radius = std::sqrt(trace / 2 / found.mass);
  const double center = found.center_of_mass.cwiseAbs().maxCoeff();
  REQUIRE(found.error_bound.volume <= share * found.volume);
  REQUIRE(found.error_bound.inertia <= share * largest);
  REQUIRE(found.error_bound.center_of_mass <= share * (radius + center));
}

TEST_CASE("the bound holds the exact result of any closed mesh and is no wider than it must") {
  Random random(20061);
  const int meshes = test::campaign(10000);
  Slack tight;
  Slack fast;
  for (int i = 0; i < meshes; ++i) {
    CAPTURE(i);
    const TriangleMesh mesh = test::random_closed_mesh(random);
    const test::ExactProperties exact = test::exact_properties(mesh);
    if (exact.volume == 0) continue;
    for (const Precision precision : {Precision::kTight, Precision::kFast}) {
      const MassProperties found =
          mass_properties(test::checked(mesh), test::with_precision(precision));
      const MassError error = test::true_error(found, exact);
      REQUIRE(error.volume <= found.error_bound.volume);
      REQUIRE(error.center_of_mass <= found.error_bound.center_of_mass);
      REQUIRE(error.inertia <= found.error_bound.inertia);
      REQUIRE(found.inverted == (exact.volume < 0));
      require_known(found, precision);
      (precision == Precision::kTight ? tight : fast).add(found.error_bound, error);
    }
  }
  MESSAGE(meshes, " meshes; median of bound over error: volume ", median(tight.volume), ", center ",
          median(tight.center), ", inertia ", median(tight.inertia), "; in plain double ",
          median(fast.volume), ", ", median(fast.center), ", ", median(fast.inertia));
  // The bound knows what the last rounding cost, and the sums before it are good to 100 bits.
  CHECK(median(tight.volume) <= 1.001);
  CHECK(median(tight.center) <= 1.001);
  CHECK(median(tight.inertia) <= 1.001);
  // Worst case against chance: a few dozen roundings for each term, whose signs cancel.
  CHECK(median(fast.volume) <= 1000);
}

// Corners of tetrahedra almost in one plane, so that integers must do the sums.
TEST_CASE("slivers have bounds as narrow as other solids") {
  Random random(11);
  const int slivers = test::campaign(5000);
  for (int i = 0; i < slivers; ++i) {
    CAPTURE(i);
    const double thickness = std::pow(10.0, random.uniform(-17, -6));
    const Vec3 offset = 30 * test::random_vector(random);
    TriangleMesh mesh;
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(offset + test::random_vector(random));
    mesh.vertices.push_back((mesh.vertices[0] + mesh.vertices[1] + mesh.vertices[2]) / 3 +
                            thickness * test::random_vector(random));
    mesh.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const test::ExactProperties exact = test::exact_properties(mesh);
    if (exact.volume == 0) continue;
    const MassProperties found = mass_properties(test::checked(mesh));
    const MassError error = test::true_error(found, exact);
    REQUIRE(error.volume <= found.error_bound.volume);
    REQUIRE(error.center_of_mass <= found.error_bound.center_of_mass);
    REQUIRE(error.inertia <= found.error_bound.inertia);
    require_known(found, Precision::kTight);
  }
}

}  // namespace
}  // namespace plimsoll
