// Plots of righting arms: how far their curves go.
#include "picture/gz_plot.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <numbers>
#include <pugixml.hpp>
#include <regex>
#include <string>
#include <vector>

#include "support/checked.h"

namespace plimsoll::picture {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Where the points of the only curve are along x [pixels].
std::vector<double> curve_of(const std::string& svg) {
  pugi::xml_document document;
  REQUIRE(document.load_buffer(svg.data(), svg.size()));
  static const std::regex point("(-?[0-9.]+) (-?[0-9.]+)");
  std::vector<double> along;
  for (const auto& found : document.child("svg").select_nodes("//path")) {
    const std::string style = found.node().attribute("style").value();
    if (style.find("stroke-width:2.5") == std::string::npos) continue;
    REQUIRE(along.empty());
    const std::string d = found.node().attribute("d").value();
    for (std::sregex_iterator i(d.begin(), d.end(), point), end; i != end; ++i)
      along.push_back(std::stod((*i)[1]));
  }
  return along;
}

// A box half in water and 4 m wide turns about the middle of its waterplane: what is h above the
// water at its side goes under at atan(h / 2).
TEST_CASE("the curve ends on either side at the very heel where an opening goes under") {
  const TriangleMesh mesh = make_box({10, 4, 3});
  const FloatingBody body =
      floating_body(SolidTree(test::checked(mesh)), Vec3(0, 0, -0.2), 0.5 * 120);
  Heeling heeling;
  heeling.free_trim = false;
  heeling.openings = {{0, 2, 1.2}, {0, -2, 0.9}};
  const double left = std::atan(1.2 / 2) / kDegree, right = std::atan(0.9 / 2) / kDegree;
  for (const double sign : {1.0, -1.0}) {
    for (Vec3& opening : heeling.openings) opening.y() *= sign;
    const auto svg = gz_plot("barge.stl", body, heeling, {-50 * kDegree, 50 * kDegree}, "hatch");
    REQUIRE(svg);
    const std::vector<double> x = curve_of(*svg);
    REQUIRE(x.size() > 100);
    // Points are a quarter of a degree apart, the last of each side excepted. Cairo keeps 1/256
    // pixels: over 100 points that is 1/128 of 25 degrees' width, some hundred pixels.
    const double of_degree = (x[60] - x[10]) / (50 * 0.25);
    CHECK(std::abs((x.back() - x.front()) / of_degree - (left + right)) <= 0.02);
    CHECK(svg->find("hatch under at") != std::string::npos);
  }
}

}  // namespace
}  // namespace plimsoll::picture
