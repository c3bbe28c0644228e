// What images of columns allow for: cusps and crossings between pixels, patches that were cut,
// slits in surfaces that lean.
#include <doctest/doctest.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "core/random.h"
#include "image/shape_images.h"
#include "image/shape_parts.h"
#include "patch/patch_shapes.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

constexpr double kPi = std::numbers::pi;

using test::measured;

/// How much the image of a posed ring of major radius 1 lacks, of its estimate.
double share_of_estimate(double minor, const Eigen::Quaterniond& turn, int pixels) {
  Shape ring{Torus{1, minor}};
  ring.pose.linear() = turn.normalized().toRotationMatrix();
  const ImageMass image = measured(ring, pixels);
  const double missing = std::abs(image.properties.volume - 2 * kPi * kPi * minor * minor);
  CHECK(missing > 1e-7);
  return missing / image.error_estimate.volume;
}

// The silhouette of the first has a cusp between the pixels, which hides more than the differences
// of quadrature tell; sections of the second have kinks, of which these differences tell too
// little.
TEST_CASE("cusps and kinks of rings are inside the estimate") {
  CHECK(share_of_estimate(
            0.78184953502808829,
            {0.83132967509434752, 0.48519833555971198, 0.26419171893983268, -0.060632352100410097},
            19) <= 1);
  CHECK(share_of_estimate(
            0.54409708212953845,
            {-0.88556881051409553, 0.25413582371070276, 0.35408095535457079, 0.16065348426575493},
            75) <= 1);
}

// No column meets the last of what a ring reaches to, which quadrature cannot tell of.
TEST_CASE("what lies beyond the last columns of a ring is inside the estimate") {
  CHECK(share_of_estimate(0.73, {1.75, 0.86, -0.38, -0.48}, 6) <= 1);
  CHECK(share_of_estimate(0.66, {-0.21, -0.17, 1.3, 0.55}, 10) <= 1);
}

// A surface of area A that is off by d is a layer of volume dV = d A. With V the volume of the
// body, m its mass and s half the diagonal of its box, the center is off by dV / V s and the
// moments by dV / V m s^2, beside what they were off before. Both sides together have less than
// sixteen roundings.
TEST_CASE("a surface that is off adds its layer to the estimate, and its share of size and mass") {
  const Box3 box(Vec3(1, 2, 3), Vec3(4, 6, 15));
  ImageMass image;
  image.properties.volume = 2.5;
  image.properties.mass = 7;
  image.error_estimate = {.volume = 0.25, .center_of_mass = 0.5, .inertia = 0.75};
  const ImageMass before = image;
  const auto is_near = [](double found, double expected) {
    return std::abs(found - expected) <= 16 * 0x1p-53 * expected;
  };
  add_deviation(0, 30, box, {}, image);
  CHECK(image.error_estimate.volume == 0.25);
  CHECK(image.error_estimate.center_of_mass == 0.5);
  CHECK(image.error_estimate.inertia == 0.75);
  for (const double meters : {1.0, 0.5}) {
    image = before;
    ImageOptions options;
    options.unit = {1, 1 / meters};
    add_deviation(0.001, 30, box, options, image);
    const double layer = 0.03 * meters * meters * meters, size = 6.5 * meters;
    CHECK(is_near(image.error_estimate.volume, 0.25 + layer));
    CHECK(is_near(image.error_estimate.center_of_mass, 0.5 + layer / 2.5 * size));
    CHECK(is_near(image.error_estimate.inertia, 0.75 + layer / 2.5 * 7 * size * size));
  }
  // A body without volume has no share that its center could move by.
  image = before;
  image.properties.volume = 0;
  add_deviation(0.001, 30, box, {}, image);
  CHECK(is_near(image.error_estimate.volume, 0.28));
  CHECK(image.error_estimate.center_of_mass == 0.5);
  CHECK(image.error_estimate.inertia == 0.75);
  // The surface of a cube of edge 1 is 6 m^2.
  image = before;
  add_deviation(ShapeMesh{make_box({1, 1, 1}), 0.01}, {}, image);
  CHECK(is_near(image.error_estimate.volume, 0.25 + 0.06));
}

// Where edges of two parts pass through a pixel a pocket of a twentieth of its cube may lie between
// the columns (shape_image.cpp). Bars along the axes have no cusps and no kinks: alone they are
// known much better than that. The outlines of two that cross meet in four places.
TEST_CASE("edges that cross within a pixel are allowed for") {
  const Shape along{BoxSolid{{2, 0.5, 0.4}}}, across{BoxSolid{{0.5, 2, 0.3}}};
  constexpr int kPixels = 33;
  const Shape both{Boolean{BooleanOperation::kUnion, {along, across}}};
  const double pixel = 2.0 / kPixels;
  CHECK(measured(both, kPixels).error_estimate.volume >= 4 * 0.05 * std::pow(pixel, 3));
  CHECK(measured(along, kPixels).error_estimate.volume <= 0.05 * std::pow(pixel, 3));
}

// A hundredth of a pixel over all of a ball is ten times what its columns lose.
TEST_CASE("patches in a Boolean are allowed for as they are cut") {
  const Shape ball{
      PatchSolid{std::make_shared<const PatchSurface>(test::patches_of(test::nurbs_sphere(1)))}};
  const Shape both{Boolean{BooleanOperation::kUnion, {ball, {BoxSolid{{0.5, 0.5, 0.5}}}}}};
  const ImageMass image = measured(both, test::kAddressSanitizer ? 8 : 16);
  const double cut = 4 * kPi / 3 - image.properties.volume;
  CHECK(cut > 0);
  CHECK(cut <= image.error_estimate.volume);
}

// As wide as a tenth of a pixel, in a block that leans: its depths differ from pixel to pixel.
TEST_CASE("a slit in a surface that leans is told of, and allowed for") {
  constexpr double kThin = 3e-3;
  Shape groove{BoxSolid{{kThin, 3, 1}}};
  groove.pose.translation() = Vec3(0.1234, 0, 0.6);
  Shape block{Boolean{BooleanOperation::kDifference, {{BoxSolid{{2, 2, 2}}}, groove}}};
  for (const double lean : {0.2, 0.5, 0.9}) {
    block.pose.linear() = Eigen::AngleAxisd(lean, Vec3::UnitY()).toRotationMatrix();
    const ImageMass image = measured(block, 64);
    CHECK(std::abs(image.properties.volume - (8 - kThin * 2 * 0.9)) <= image.error_estimate.volume);
    CHECK(image.error_estimate.volume <= 0.3);
  }
}

/// The pose that moves by `x` along each axis.
Similarity moved_by(double x) {
  Similarity pose = Similarity::Identity();
  pose.translation().setConstant(x);
  return pose;
}

// Each number is a double, and so is the distance of two that are close; what adding them up in a
// chain of poses rounds is in the estimate.
TEST_CASE("parts that are far from the origin of a Boolean are rounded, and the estimate says so") {
  Random random(71);
  int told = 0;
  for (int i = 0; i < 30; ++i) {
    const double far = random.uniform(1e8, 1e9), farther = far + random.uniform(0.1, 0.9);
    Shape two{Boolean{BooleanOperation::kUnion, {{BoxSolid{}}, {BoxSolid{}}}}};
    auto& of = std::get<Boolean>(two.solid).of;
    of[0].pose = moved_by(far);
    of[1].pose = moved_by(farther);
    two.pose = moved_by(-far);
    const double apart = farther - far;
    const double volume = 2 - (1 - apart) * (1 - apart) * (1 - apart);
    const ImageMass image = measured(two, 24);
    const double off = std::abs(image.properties.volume - volume);
    CHECK(off <= image.error_estimate.volume);
    CHECK(image.error_estimate.volume <= 1e-3);
    told += off > 1e-9 ? 1 : 0;
  }
  CHECK(told > 0);
}

// At 1e8 m a vertex is rounded to 1.5e-8 m, and the box is a millimeter long.
TEST_CASE("vertices that a pose rounds are in the estimate") {
  Random random(72);
  const Vec3 size(1e-3, 1.3e-3, 1.7e-3);
  int told = 0;
  const TriangleMesh box = make_box(size);
  for (int i = 0; i < 30; ++i) {
    const Shape far{MeshSolid{std::make_shared<const TriangleMesh>(box)},
                    moved_by(random.uniform(1e5, 1e8))};
    for (const Shape& shape : {far, Shape{Boolean{BooleanOperation::kUnion, {far}}}}) {
      const ImageMass image = measured(shape, 24);
      const double off = std::abs(image.properties.volume - size.prod());
      CHECK(off <= image.error_estimate.volume);
      told += off > 1e-15 ? 1 : 0;
    }
    CHECK((*to_triangles(far, 1))->deviation >= 0x1p-54 * 1e5);
  }
  CHECK(told > 0);
}

}  // namespace
}  // namespace plimsoll
