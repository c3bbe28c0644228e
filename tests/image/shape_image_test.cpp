// Shapes that only columns are known of, against closed forms: right, and inside their estimates.
#include <doctest/doctest.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "image/shape_images.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/mesh_parts.h"
#include "support/thin_walls.h"

namespace plimsoll {
namespace {

using test::formula;
using test::measured;

constexpr double kPi = std::numbers::pi;

// The address sanitizer walks the code of an axis, of a count of pixels and of a size once.
constexpr int kAxes = test::kAddressSanitizer ? 1 : 3;

Shape turned(Shape shape) {
  shape.pose.linear() = test::some_turn() * shape.pose.linear();
  return shape;
}

Shape difference(Shape a, Shape b) {
  return {Boolean{BooleanOperation::kDifference, {std::move(a), std::move(b)}}};
}

// Between the places where faces change the integrands are smooth, so that hardly more than
// rounding is left, up to 1e-7 where square roots meet at grazing circles; that of pixels four
// times as wide is 4^3 times as much. Inside the estimate always.
constexpr double kGrazing = 1e-7;
TEST_CASE("primitives in any pose come out as their closed forms") {
  const Shape shapes[] = {{BoxSolid{{2, 3, 5}}}, {Sphere{1.5}},       {Ellipsoid{{3, 2, 1}}},
                          {Torus{3, 1}},         {Cylinder{1.25, 4}}, {Capsule{0.5, 2}},
                          {Cone{2, 3}}};
  for (const Shape& at_home : shapes)
    for (const Shape& shape : {at_home, turned(at_home)}) {
      const Result<ShapeMass> exact = mass_properties(shape);
      REQUIRE(exact);
      const MassProperties& truth = exact->body.properties;
      for (const int n : {8, 16, 64})
        for (int axis = 0; axis < kAxes; ++axis) {
          if (test::kAddressSanitizer != (n == 8)) continue;
          CAPTURE(shape.solid.index());
          CAPTURE(n);
          CAPTURE(axis);
          const ImageMass image = measured(shape, n, axis);
          const double off = std::abs(image.properties.volume - truth.volume);
          const double inertia = (image.properties.inertia - truth.inertia).cwiseAbs().maxCoeff();
          const double center =
              (image.properties.center_of_mass - truth.center_of_mass).cwiseAbs().maxCoeff();
          CHECK(off <= std::pow(64.0 / n, 3) * kGrazing * truth.volume);
          CHECK(off <= image.error_estimate.volume);
          CHECK(center <= image.error_estimate.center_of_mass);
          CHECK(inertia <= image.error_estimate.inertia);
          CHECK(image.unseen_pixels == 0);
        }
    }
}

// What image-engine.md promises of these at 64 pixels.
constexpr double kPromised = 1e-9;

// Closed forms: cap pi h^2 (3 r - h) / 3; hollow ball by difference; napkin ring pi h^3 / 6 of
// height h whatever the ball.
TEST_CASE("Booleans of primitives come out as their closed forms") {
  Shape slab{BoxSolid{{8, 8, 1.5}}};
  slab.pose.translation() = Vec3(0, 0, 2);
  const struct {
    Shape shape;
    double volume;
  } cases[] = {
      {{Boolean{BooleanOperation::kIntersection, {{Sphere{2}}, slab}}},
       kPi * 0.75 * 0.75 * (6 - 0.75) / 3},
      {difference({Sphere{2}}, {Sphere{1}}), 4 * kPi / 3 * 7},
      {difference({Sphere{1.25}}, {Cylinder{0.75, 4}}), kPi * 8 / 6},
      {difference({Sphere{1.25}}, difference({Sphere{1}}, {Sphere{0.5}})),
       4 * kPi / 3 * (1.953125 - 1 + 0.125)},
  };
  for (const auto& [shape, volume] : cases)
    for (const Shape& posed : {shape, turned(shape)})
      for (int axis = 0; axis < kAxes; ++axis) {
        const ImageMass image = measured(posed, 64, axis);
        const double off = std::abs(image.properties.volume - volume);
        CHECK(off <= kPromised * volume);
        CHECK(off <= image.error_estimate.volume);
        CHECK(image.unseen_pixels == 0);
      }
}

// Where a row's columns change is found to 1e-12 of the view (row_probe.h), which is two long.
TEST_CASE("two boxes that share a face are one box, and boxes that only touch share nothing") {
  Shape right{BoxSolid{{1, 1, 1}}};
  right.pose.translation() = Vec3(1, 0, 0);
  for (int axis = 0; axis < 3; ++axis) {
    const Shape both{Boolean{BooleanOperation::kUnion, {{BoxSolid{{1, 1, 1}}}, right}}};
    CHECK(measured(both, 32, axis).properties.volume == test::approx(2).epsilon(2e-12));
    const Shape shared{Boolean{BooleanOperation::kIntersection, {{BoxSolid{{1, 1, 1}}}, right}}};
    CHECK(measured(shared, 32, axis).properties.volume <= 2e-12);
  }
}

// The estimate allows 0.01 pixel^3 for slivers beside a cusp and 0.05 where pieces of a row meet
// (shape_image.cpp), which happens once where a formula ends.
TEST_CASE("formulas come out as the solids that they describe") {
  const auto pixels = [](double size, double count) { return count * std::pow(size / 64, 3); };
  const ImageMass ball = measured(formula("x^2+y^2+z^2-1.5^2", 3), 64);
  CHECK(std::abs(ball.properties.volume - 4 * kPi / 3 * 3.375) <= ball.error_estimate.volume);
  CHECK(ball.error_estimate.volume <= pixels(3, 0.1));
  const ImageMass ring = measured(formula("(sqrt(x^2+y^2)-3)^2+z^2-1", 5), 64);
  CHECK(std::abs(ring.properties.volume - 6 * kPi * kPi) <= ring.error_estimate.volume);
  CHECK(ring.error_estimate.volume <= pixels(8, 0.1));
  // Creases within one formula are not seen as faces; quadrature finds them, less well.
  const ImageMass cube = measured(formula("max(abs(x),abs(y),abs(z))-1", 2), 64);
  CHECK(std::abs(cube.properties.volume - 8) <= cube.error_estimate.volume);
  CHECK(cube.error_estimate.volume <= pixels(2, 0.1));
}

// A hole of 1e-3 of the body is narrower than a pixel of 16: its rows begin between two pixels.
TEST_CASE("a thin hole is found where its first rows are narrower than a pixel") {
  const Shape drilled = difference({BoxSolid{{2, 2, 2}}}, {Cylinder{0.2, 4}});
  for (const int n : {16, 64, 256}) {
    if (test::kAddressSanitizer && n > 64) continue;
    const ImageMass image = measured(drilled, n);
    const double truth = 8 - 2 * kPi * 0.04;
    CHECK(std::abs(image.properties.volume - truth) <= kPromised * truth);
    CHECK(std::abs(image.properties.volume - truth) <= image.error_estimate.volume);
  }
}

// The pose is rounded by 2^-53 of up to 3e6 m, and so is every column's end.
TEST_CASE("a solid a million sizes from the origin loses only what its pose rounds") {
  Shape far{Torus{3, 1}};
  far.pose.translation() = Vec3(1e6, -2e6, 3e6);
  const ImageMass image = measured(far, 64);
  const double rounded = std::sqrt(3) * 3e6 * 0x1p-53;
  CHECK(std::abs(image.properties.volume - 6 * kPi * kPi) <= kPromised * 6 * kPi * kPi);
  CHECK((image.properties.center_of_mass - Vec3(1e6, -2e6, 3e6)).norm() <= rounded + kPromised);
}

TEST_CASE("what is nowhere has no volume") {
  Shape far{Sphere{1}};
  far.pose.translation() = Vec3(5, 0, 0);
  const Shape apart{Boolean{BooleanOperation::kIntersection, {{Sphere{1}}, far}}};
  const Result<ImageMass> nothing = image_mass_properties(apart, {});
  if (nothing) CHECK(nothing->properties.volume == 0);
  CHECK(measured(formula("x^2+1", 1), 16).properties.volume == 0);
}

// A plate of a tenth of a pixel beside a ball may fall between two columns.
TEST_CASE("parts thinner than a pixel are allowed for by the estimate") {
  for (const double x : {0.1, 0.1234, 0.5}) {
    Shape plate{BoxSolid{{1e-3, 2, 2}}};
    plate.pose.translation() = Vec3(1.5 + x, 0, 0);
    const Shape both{Boolean{BooleanOperation::kUnion, {{Sphere{1}}, plate}}};
    const double truth = 4 * kPi / 3 + 4e-3;
    for (int axis = 0; axis < kAxes; ++axis) {
      const ImageMass image = measured(both, 64, axis);
      CHECK(std::abs(image.properties.volume - truth) <= image.error_estimate.volume);
    }
  }
}

// The walls of a tube, a channel, a web between two flanges and a frame, each what boxes leave of a
// box, and plates in the three planes, as they are and turned about the columns. No column of the
// pixels' centers need meet any. Edges are located to 1e-12, of walls of 1e-5, with room for ten of
// them. Askew the integrals have a tolerance of 1e-4 of a pixel's share of the box, with room for
// thirty intervals between the corners of the walls.
TEST_CASE("walls that the parts of a Boolean leave between two columns are measured") {
  const auto box = [](const Vec3& size, Vec3 at = Vec3::Zero()) {
    Shape part{BoxSolid{size}};
    part.pose.translation() = at;
    return part;
  };
  const Shape cube = box({1, 1, 1});
  for (const double t : {0.03, 1e-3, 1e-5}) {
    if (test::kAddressSanitizer && t > 1e-5) continue;
    const double deep = (1 - t) / 4 + t / 2;  // the middle of half of what a web leaves
    const Shape half = box({0.8, (1 - t) / 2, 2}, {0, deep, 0});
    const Shape other = box({0.8, (1 - t) / 2, 2}, {0, -deep, 0});
    const Shape plates{
        Boolean{BooleanOperation::kUnion,
                {box({t, 0.6, 0.8}, {0.123, 0.01, 0}), box({0.6, t, 0.8}, {0, -0.2, 0}),
                 box({0.6, 0.8, t}, {0, 0, 0.45})}}};
    const struct {
      std::string what;
      Shape shape;
      double volume;
    } cases[] = {
        {"tube", difference(cube, box({1 - t, 1 - t, 2})), 1 - (1 - t) * (1 - t)},
        {"channel", difference(cube, box({1 - 2 * t, 1, 2}, {0, t, 0})), 1 - (1 - 2 * t) * (1 - t)},
        {"web", {Boolean{BooleanOperation::kDifference, {cube, half, other}}}, 1 - 0.8 * (1 - t)},
        {"plates", plates, 1.44 * t - 0.8 * t * t},
    };
    for (const auto& [what, shape, volume] : cases) {
      Shape askew = shape;
      askew.pose.linear() = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
      for (const int n : {33, 100}) {
        if (test::kAddressSanitizer && n > 33) continue;
        CAPTURE(what);
        CAPTURE(t);
        CAPTURE(n);
        const auto check = [&](const ImageMass& image, double relative) {
          const double error = std::abs(image.properties.volume - volume);
          CHECK(error <= relative * volume);
          CHECK(error <= image.error_estimate.volume);
        };
        for (int axis = 0; axis < 3; ++axis) check(measured(shape, n, axis), 1e-6);
        check(measured(askew, n), 3e-3 / (n * n * volume));
      }
    }
  }
}

// The box has the shape of the comb for a hole: what is left is known exactly. Teeth are up to 90
// times thinner than pixels are.
TEST_CASE("thin walls of a mesh are measured where a box has them for holes") {
  Random random(7);
  for (int k = 0; k < (test::kAddressSanitizer ? 1 : 8); ++k) {
    const TriangleMesh walls = test::random_thin_walls(random);
    const Result<MassProperties> known = mass_properties(*CheckedMesh::borrow(walls));
    REQUIRE(known);
    const Box3 box = bounding_box(*CheckedMesh::borrow(walls));
    const Vec3 size = 1.2 * box.sizes() + Vec3::Constant(1e-3);
    Shape block{BoxSolid{size}};
    block.pose.translation() = box.center();
    const Shape rest = difference(block, {MeshSolid{std::make_shared<TriangleMesh>(walls)}});
    const double volume = size.prod() - known->volume;
    const ImageMass image = measured(rest, 32, k % 3);
    CAPTURE(k);
    CHECK(std::abs(image.properties.volume - volume) <= image.error_estimate.volume);
    CHECK(std::abs(image.properties.volume - volume) <= 0.02 * known->volume);
  }
}

// As wide as a tenth of a pixel: a slit and a rib of a box, the rib of a formula, a slit in a mesh.
TEST_CASE("slits and ribs that no column meets are told of, and allowed for") {
  constexpr double kThin = 3e-3;
  Shape groove{BoxSolid{{kThin, 3, 1}}};
  groove.pose.translation() = Vec3(0.1234, 0, 0.6);
  Shape inner{BoxSolid{{kThin, 1.5, 1}}};
  inner.pose.translation() = Vec3(0.1234, 0, 0);
  const TriangleMesh hollow =
      test::joined(make_box({2, 2, 2}),
                   test::turned(test::moved(make_box({kThin, 1.5, 1}), Vec3(0.1234, 0, 0))));
  const Shape mesh{MeshSolid{std::make_shared<TriangleMesh>(hollow)}};
  const struct {
    Shape shape;
    double volume;
  } cases[] = {
      {difference({BoxSolid{{2, 2, 2}}}, groove), 8 - kThin * 2 * 0.9},
      {{Boolean{BooleanOperation::kUnion, {{BoxSolid{{2, 2, 2}}}, groove}}},
       8 + kThin * (3 - 2 * 0.9)},
      {difference({BoxSolid{{2, 2, 2}}}, inner), 8 - kThin * 1.5},
      {difference(mesh, {Sphere{0.05}}), 8 - kThin * 1.5 - 4 * kPi / 3 * 1.25e-4},
      // int exp(-(1000 (x - c))^2) dx = sqrt(pi) / 1000
      {formula("z+0.9-1.8*exp(-1e6*(x-0.3123)^2)", 1), 4 * (0.1 + 1.8 * std::sqrt(kPi) / 2000)},
  };
  for (const auto& [shape, volume] : cases) {
    CAPTURE(volume);
    const ImageMass image = measured(shape, 64);
    CHECK(std::abs(image.properties.volume - volume) <= image.error_estimate.volume);
    CHECK(image.unseen_pixels > 0);
    CHECK(image.error_estimate.volume <= 0.1);  // ten times as much as there is
  }
}

// A block of pixels is as wide in depth as the groove is deep where the surface leans by 45
// degrees, so that it says nothing: its pixels do. Next to the ends of the groove, in the sides of
// the box, nothing is asked, by at most two blocks.
TEST_CASE("a slit in a leaning surface is found pixel by pixel") {
  constexpr int kPixels = 64, kBlock = 8;
  const ImageMass image = measured(formula("z-y+0.25*exp(-1e6*(x-0.3123)^2)", 1), kPixels);
  CHECK(image.unseen_pixels >= kPixels - 4 * kBlock);
}

// Rows half as far apart as the fins are, which then fall between rows or do not.
TEST_CASE("fins that come and go with the rows are inside the estimate") {
  Boolean sink{BooleanOperation::kUnion, {}};
  sink.of.push_back({BoxSolid{{1, 1, 0.1}}});
  for (int i = 1; i <= 30; ++i) {
    Shape fin{BoxSolid{{2e-3, 1, 0.9}}};
    fin.pose.translation() = Vec3(i / 32.0 + 1e-3 - 0.5, 0, 0.5);
    sink.of.push_back(fin);
  }
  const double truth = 0.1 + 30 * 2e-3 * 0.9;
  for (const int n : {64, 256})
    for (int axis = 0; axis < kAxes; ++axis) {
      if (test::kAddressSanitizer && n > 64) continue;
      const ImageMass image = measured({sink}, n, axis);
      CHECK(std::abs(image.properties.volume - truth) <= image.error_estimate.volume);
    }
}

// Nothing is hidden where they do, though no bundle is certain of the whole there.
TEST_CASE("solids that touch are as good as one") {
  Boolean stairs{BooleanOperation::kUnion, {}};
  for (int i = 1; i <= 10; ++i) {
    Shape step{BoxSolid{{1, 4, static_cast<double>(i)}}};
    step.pose.translation() = Vec3(i, 0, i / 2.0);
    stairs.of.push_back(step);
  }
  for (const Shape& shape : {Shape{stairs}, turned({stairs})}) {
    const ImageMass image = measured(shape, 128);
    CHECK(image.unseen_pixels == 0);
    CHECK(std::abs(image.properties.volume - 220) <= image.error_estimate.volume);
    CHECK(image.error_estimate.volume <= 220.0 / 128);  // a row of pixels
  }
}

// Its rows come to a point between the centers of 13 pixels.
TEST_CASE("the tip of a box that stands askew is found") {
  Shape box{BoxSolid{{0.06, 0.015, 0.6}}};
  box.pose.linear() = Eigen::AngleAxisd(1.9, Vec3::UnitZ()).toRotationMatrix();
  ImageOptions options;
  options.width = 13;
  options.height = 60;
  const ImageMass image = *image_mass_properties(box, options);
  CHECK(std::abs(image.properties.volume - 5.4e-4) <= image.error_estimate.volume);
  CHECK(std::abs(image.properties.volume - 5.4e-4) <= kGrazing * 5.4e-4);
}

// All its columns cross the same two faces: only where rows have their ends tells that a tooth
// begins. The breaks at the teeth are found, and the volume is as good as that of boxes.
TEST_CASE("teeth of a mesh within a union are not stepped over") {
  TriangleMesh comb = test::drawn_out(
      test::comb_profile({{0.067, 0.088, 3.6}, {0.294, 0.312, 5.0}, {0.697, 0.718, 3.1}}, 0.03),
      1.5);
  for (Vec3& v : comb.vertices) v = Vec3(-v.z(), v.y(), v.x());
  Shape ball{Sphere{0.3}};
  ball.pose.translation() = Vec3(0.5, 0.5, -1);
  const Shape both{Boolean{BooleanOperation::kUnion,
                           {{MeshSolid{std::make_shared<const TriangleMesh>(comb)}}, ball}}};
  const double teeth = 0.021 * 3.57 + 0.018 * 4.97 + 0.021 * 3.07;
  const double exact = 1.5 * (0.03 + teeth) + 4 * std::numbers::pi / 3 * 0.027;
  const ImageMass image = *image_mass_properties(both);
  CHECK(std::abs(image.properties.volume - exact) <= image.error_estimate.volume);
  CHECK(std::abs(image.properties.volume - exact) <= 1e-6 * exact);
}

// It takes minutes under the address sanitizer, where the water of such a formula is asked alone.
TEST_CASE("a formula that cannot be decided is said not to be" *
          doctest::skip(test::kAddressSanitizer)) {
  const Result<ImageMass> image =
      image_mass_properties(formula("sin(1/(x^2+y^2+z^2)^4)", 1), {.width = 1, .height = 1});
  REQUIRE(image);
  CHECK(image->undecided_columns > 0);
}

TEST_CASE("shapes are the same for any number of threads") {
  // Columns through a ring take long.
  const Shape round = test::kAddressSanitizer ? Shape{Sphere{3}} : Shape{Torus{3, 1}};
  const Shape shape = turned(difference(round, {BoxSolid{{4, 4, 4}}}));
  ImageMass results[2];
  with_threads(1, [&] { results[0] = measured(shape, 32); });
  with_threads(4, [&] { results[1] = measured(shape, 32); });
  CHECK(results[0].properties.volume == results[1].properties.volume);
  CHECK(results[0].error_estimate.volume == results[1].error_estimate.volume);
}

}  // namespace
}  // namespace plimsoll
