// Images of formulas that describe thin slabs, whose volume is known in closed form.
#include <doctest/doctest.h>
#include <plimsoll/image.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "image/shape_images.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

using test::formula;
using test::measured;

/// The slabs sin(f t + c) < 0 in a cube of edge 1.
struct Grating {
  const char* text;
  double f, c;
  int pixels;

  [[nodiscard]] double volume() const {
    const double low = c - f / 2, high = c + f / 2;
    double sum = 0;
    for (double k = std::floor(low / std::numbers::pi); k * std::numbers::pi < high; ++k)
      if (std::fmod(k, 2) != 0)
        sum += std::min(high, (k + 1) * std::numbers::pi) - std::max(low, k * std::numbers::pi);
    return sum / f;
  }
};

// The walls are thinner than a row. Quadrature says nothing of them; what the estimate allows is
// half a row for each.
TEST_CASE("walls of a formula that lie along the rows are inside the estimate") {
  for (const Grating& g : {Grating{"sin(91.8*y+0.627)", 91.8, 0.627, 22},
                           {"sin(112.8*y+0.595)", 112.8, 0.595, 27},
                           {"sin(104.6*y+0.438)", 104.6, 0.438, 25},
                           {"sin(112.9*y+0.136)", 112.9, 0.136, 30}}) {
    CAPTURE(g.text);
    const ImageMass image = measured(formula(g.text, 0.5), g.pixels);
    CHECK(std::abs(image.properties.volume - g.volume()) <= image.error_estimate.volume);
  }
}

// The first or last slab ends at the bounds, and is thinner than half a pixel: no center is in it.
TEST_CASE("a wall of a formula that its bounds cut off is measured") {
  for (const Grating& g : {Grating{"sin(30.4*x+0.634)", 30.4, 0.634, 10},
                           {"sin(30.4*x+2.508)", 30.4, 2.508, 10},
                           {"sin(30.4*y+0.634)", 30.4, 0.634, 10},
                           {"sin(30.4*y+2.508)", 30.4, 2.508, 10}}) {
    CAPTURE(g.text);
    const Shape whole = formula(g.text, 0.5);
    for (const Shape& shape :
         {whole, Shape{Boolean{BooleanOperation::kIntersection, {whole, {BoxSolid{{2, 2, 2}}}}}}}) {
      const ImageMass image = measured(shape, g.pixels);
      CHECK(std::abs(image.properties.volume - g.volume()) <= 1e-6);
      CHECK(image.error_estimate.volume <= 1e-3);
    }
  }
}

// Where the bounds begin is rounded in the view, to one side or the other.
TEST_CASE("a wall of a formula that its bounds cut off is measured wherever it stands") {
  for (const Grating& g :
       {Grating{"sin(30.4*x+0.634)", 30.4, 0.634, 10}, {"sin(30.4*x+2.508)", 30.4, 2.508, 10}})
    for (int k = 0; k < (test::kAddressSanitizer ? 3 : 40); ++k) {
      CAPTURE(g.text);
      CAPTURE(k);
      const double size = 1 + 0.1 * k, cube = size * size * size;
      Shape shape = formula(g.text, 0.5);
      shape.pose.linear() *= size;
      shape.pose.translation().x() = 0.3 * k;
      const ImageMass image = measured(shape, g.pixels);
      CHECK(std::abs(image.properties.volume - g.volume() * cube) <= 1e-6 * cube);
      CHECK(image.error_estimate.volume <= 1e-3 * cube);
    }
}

}  // namespace
}  // namespace plimsoll
