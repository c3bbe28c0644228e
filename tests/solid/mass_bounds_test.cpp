// The bounds of mass properties against exact arithmetic, over random closed meshes.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "solid/exact_oracle.h"
#include "support/campaign.h"
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

  void add(const MassErrorBound& bound, const MassErrorBound& error) {
    volume.push_back(bound.volume / error.volume);
    center.push_back(bound.center_of_mass / error.center_of_mass);
    inertia.push_back(bound.inertia / error.inertia);
  }
};

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
      const MassProperties found = mass_properties(MeshView(mesh), test::with_precision(precision));
      const MassErrorBound error = test::true_error(found, exact);
      REQUIRE(error.volume <= found.error_bound.volume);
      REQUIRE(error.center_of_mass <= found.error_bound.center_of_mass);
      REQUIRE(error.inertia <= found.error_bound.inertia);
      REQUIRE(found.inverted == (exact.volume < 0));
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

}  // namespace
}  // namespace plimsoll
