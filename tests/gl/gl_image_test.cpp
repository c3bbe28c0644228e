// The engine on OpenGL against the processor's, which sums the same pixel centers in double, and
// against exact sums. OpenGL snaps vertices to 1/256 of a pixel and holds 24 bits.
#include <doctest/doctest.h>
#include <plimsoll/gl_image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>

#include "core/random.h"
#include "gl/context.h"
#include "gl/measure.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/closed_truth.h"
#include "support/estimate_checks.h"
#include "support/gl_engine.h"
#include "support/mesh_parts.h"
#include "support/thin_walls.h"

namespace plimsoll {
namespace {

TriangleMesh turned(TriangleMesh mesh) {
  for (Vec3& v : mesh.vertices) v = test::some_turn() * v;
  return mesh;
}

constexpr int kAxes = test::kAddressSanitizer ? 1 : 3;

ImageMass drawn(GlImageEngine& engine, const MeshView& mesh, const GlImageOptions& options) {
  Result<ImageMass> result = engine.mass_properties(test::checked(mesh), options);
  REQUIRE_MESSAGE(result, result.error().where, " ", result.error().message);
  return *result;
}

ImageMass on_processor(const MeshView& mesh, GlImageOptions options) {
  options.image.coverage = Coverage::kPixelCenter;
  return *image_mass_properties(test::checked(mesh), options.image);
}

GlImageOptions at(int width, int height, int axis) {
  GlImageOptions options;
  options.image.width = width;
  options.image.height = height;
  options.image.axis = axis;
  return options;
}

/// How far a sum over what OpenGL drew may be from the processor's. Snapping moves the surface by
/// half a pixel's diagonal over 256 at most, and so the volume by its area times that; and it moves
/// a silhouette over a pixel center in 1 of 256 pixels along it, taken as eight times around the
/// image: there a column comes or goes as deep as a ball of the body's size is so near its outline.
struct Snapping {
  int columns = 0;
  double volume = 0, reach = 0;
};
Snapping snapping(const MeshView& mesh, const ImageOptions& image) {
  const Vec3 sizes = bounding_box(test::checked(mesh)).sizes();
  const double du = sizes[(image.axis + 1) % 3] / image.width;
  const double dv = sizes[(image.axis + 2) % 3] / image.height;
  const double moved = std::hypot(du, dv) / 512;
  Snapping result;
  result.reach = sizes.norm() / 2;
  result.columns = test::max_by_chance(8 * 2 * (image.width + image.height), 1.0 / 256);
  result.volume = examine(test::checked(mesh)).surface_area * moved +
                  result.columns * du * dv * std::sqrt(8 * result.reach * moved);
  return result;
}

constexpr ImageReduction kReductions[] = {ImageReduction::kReadback, ImageReduction::kLogarithmic,
                                          ImageReduction::kCompute};

/// Whether this OpenGL is said to have it. An engine's `Unavailable` does not tell: errors that
/// OpenGL reports while it draws have that code too.
bool has(ImageReduction reduction) {
  return reduction != ImageReduction::kCompute || gl::has_version(test::gl_context()->info(), 4, 3);
}

/// The image is that of the processor, but for what the card snaps to its grid. That lies no
/// farther from the center than the corners of the box lie from its middle.
void check_as_on_processor(GlImageEngine& engine, const TriangleMesh& mesh,
                           const GlImageOptions& options) {
  const ImageMass gl = drawn(engine, mesh, options);
  const ImageMass cpu = on_processor(mesh, options);
  const Snapping off = snapping(mesh, options.image);
  CHECK(std::abs(gl.properties.volume - cpu.properties.volume) <= off.volume);
  CHECK((gl.properties.center_of_mass - cpu.properties.center_of_mass).norm() <=
        off.volume / cpu.properties.volume * off.reach);
  CHECK((gl.properties.inertia - cpu.properties.inertia).norm() <=
        off.volume * off.reach * off.reach);
  CHECK(gl.unbalanced_rows == 0);
  CHECK(std::abs(static_cast<double>(gl.fragments) - static_cast<double>(cpu.fragments)) <=
        2 * off.columns);
}

TEST_CASE("OpenGL sums the same columns as the processor, by every algorithm and reduction") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  for (const TriangleMesh& mesh :
       {turned(make_torus(1, 0.4, 40, 20)), turned(make_box({1, 0.7, 0.4})),
        turned(make_torus_knot({}, 120, 12)), make_bumpy_sphere(1, 0.3, 30, 40)})
    for (int axis = 0; axis < kAxes; ++axis)
      for (const ImageAlgorithm algorithm : {ImageAlgorithm::kAdditive, ImageAlgorithm::kPeel})
        for (const ImageReduction reduction : kReductions) {
          GlImageOptions options = at(96, 61, axis);
          options.algorithm = algorithm;
          options.reduction = reduction;
          if (!has(reduction)) continue;
          check_as_on_processor(*engine, mesh, options);
        }
}

// Images, buffers and memory that are left of an earlier, larger image or another reduction would
// hide that there is too little of them.
TEST_CASE("each reduction may be an engine's first, and images may grow, shrink and turn") {
  if (test::gl_engine() == nullptr) return;
  const TriangleMesh mesh = turned(make_torus(1, 0.4, 20, 10));
  for (const ImageReduction reduction : kReductions) {
    if (!has(reduction)) continue;
    Result<GlImageEngine> engine = GlImageEngine::create(*test::gl_context());
    REQUIRE(engine);
    for (const auto& [width, height] :
         {std::pair(9, 7), {61, 7}, {9, 50}, {96, 61}, {1, 1}, {2, 1}, {1, 2}, {5, 96}}) {
      CAPTURE(width);
      CAPTURE(height);
      GlImageOptions options = at(width, height, 2);
      options.reduction = reduction;
      const ImageMass gl = drawn(*engine, mesh, options);
      const ImageMass cpu = on_processor(mesh, options);
      CHECK(std::abs(gl.properties.volume - cpu.properties.volume) <=
            snapping(mesh, options.image).volume);
      CHECK(gl.unbalanced_rows == 0);
    }
  }
}

TEST_CASE("a ball has two peels, a torus seen along its plane four") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  GlImageOptions options = at(64, 64, 0);
  options.algorithm = ImageAlgorithm::kPeel;
  CHECK(drawn(*engine, test::checked(make_sphere(1, 21, 20)).view(), options).passes == 2);
  CHECK(drawn(*engine, test::checked(make_torus(1, 0.4, 40, 20)).view(), options).passes == 4);
  options.algorithm = ImageAlgorithm::kAdditive;
  CHECK(drawn(*engine, test::checked(make_torus(1, 0.4, 40, 20)).view(), options).passes == 1);
}

// Two unit boxes, one on the other: the faces between them are at one depth in every column, of
// which a strict compare lets one pass. Peeling loses half of the inner faces' terms; adding does
// not care.
TEST_CASE("adding is right where coincident faces break the strict peel, and peeling says so") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const TriangleMesh box = make_box({1, 1, 1});
  const TriangleMesh pair = test::joined(box, test::moved(box, Vec3(0.2, 0.1, 1)));
  GlImageOptions options = at(120, 120, 2);
  const ImageMass added = drawn(*engine, pair, options);
  CHECK(std::abs(added.properties.volume - 2) <= added.error_estimate.volume);
  CHECK(std::abs(added.properties.volume - on_processor(pair, options).properties.volume) <=
        snapping(pair, options.image).volume);
  CHECK(added.unbalanced_rows == 0);
  options.algorithm = ImageAlgorithm::kPeel;
  const ImageMass peeled = drawn(*engine, pair, options);
  CHECK(peeled.unbalanced_rows > 60);
  CHECK(std::abs(peeled.properties.volume - 2) <= peeled.error_estimate.volume);
  CHECK(peeled.error_estimate.volume > 0.1);
}

TEST_CASE("an image larger than a tile is drawn in tiles") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const TriangleMesh mesh = turned(make_torus(1, 0.4, 40, 20));
  const GlImageOptions options = at(2500, 40, 2);
  CHECK(std::abs(drawn(*engine, mesh, options).properties.volume -
                 on_processor(mesh, options).properties.volume) <=
        snapping(mesh, options.image).volume);
}

TEST_CASE("a body far away, and one turned inward, are drawn like any other") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  TriangleMesh mesh = turned(make_torus(1, 0.4, 40, 20));
  const ImageMass here = drawn(*engine, mesh, at(64, 64, 2));
  for (Vec3& v : mesh.vertices) v += Vec3(1e6, -2e6, 3e6);
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  const ImageMass there = drawn(*engine, mesh, at(64, 64, 2));
  CHECK(there.properties.inverted);
  CHECK(std::abs(there.properties.volume - here.properties.volume) <=
        snapping(mesh, at(64, 64, 2).image).volume);
}

TEST_CASE("packed triangles draw like indexed ones") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const TriangleMesh mesh = turned(make_cone(1, 2, 9));
  std::vector<double> corners;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t)
      for (int k = 0; k < 3; ++k) corners.push_back(mesh.vertices[v][k]);
  CHECK(drawn(*engine, MeshView::packed(corners), at(50, 50, 1)).properties.volume ==
        drawn(*engine, mesh, at(50, 50, 1)).properties.volume);
}

// Half a pixel wide, so that every second one is not drawn at all.
TEST_CASE("what falls between pixels is inside the estimate") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  TriangleMesh fins;
  for (int i = 0; i < 20; ++i)
    fins = test::joined(fins, test::moved(make_box({0.05 / 6, 1, 1}), Vec3(i / 19.0, 0, 0)));
  const double truth = 20 * 0.05 / 6;
  for (const int n : {16, 33, 64, 100}) {
    GlImageOptions options;
    options.image.width = options.image.height = n;
    const ImageMass image = *engine->mass_properties(test::checked(fins), options);
    CHECK(std::abs(image.properties.volume - truth) <= image.error_estimate.volume);
  }
  GlImageOptions one;
  one.image.width = one.image.height = 1;
  const ImageMass ring = *engine->mass_properties(test::checked(make_torus(2, 0.5, 30, 20)), one);
  CHECK(ring.properties.volume == 0);
  CHECK(ring.error_estimate.volume >=
        mass_properties(test::checked(make_torus(2, 0.5, 30, 20))).volume);
}

TEST_CASE("more peels than allowed are refused, and the additive algorithm is named") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  GlImageOptions options = at(64, 64, 0);
  options.algorithm = ImageAlgorithm::kPeel;
  options.max_peels = 3;
  const Result<ImageMass> refused =
      engine->mass_properties(test::checked(make_torus(1, 0.4, 40, 20)), options);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kResourceLimit);
  CHECK(refused.error().message.find("additive") != std::string::npos);
}

TEST_CASE("peels come one by one, the nearest first, and add up to the body") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const Result<std::vector<PeelImage>> peels =
      engine->peels(test::checked(make_box({2, 2, 2})), at(8, 8, 2));
  REQUIRE(peels);
  REQUIRE(peels->size() == 2);
  // View units: the cube is [-1, 1]^3; z is +1 on the first peel, seen from above, -1 on the
  // second; with the sign of the face both add 1 to every column.
  for (const PeelImage& peel : *peels)
    for (std::size_t pixel = 0; pixel < 64; ++pixel) {
      CHECK(peel.targets[0][4 * pixel + 3] == test::approx(1).epsilon(16 * 0x1p-24));  // float32
      CHECK(peel.targets[1][4 * pixel + 3] == 1);
    }
  CHECK((*peels)[0].targets[2][3] == 1);
  CHECK((*peels)[1].targets[2][3] == -1);
}

// What does not fit is refused by its size before anything is made. What the limit lets through
// may be too much for some OpenGL all the same: that must not be left over for the next call.
TEST_CASE("an image too large is refused with its bytes, and the engine goes on") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const TriangleMesh box = make_box({1, 1, 1});
  const GlImageOptions small = at(64, 64, 2);
  const ImageMass before = drawn(*engine, box, small);
  const Result<std::vector<PeelImage>> refused =
      engine->peels(test::checked(box), at(16384, 16384, 2));
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kResourceLimit);
  if (test::gl_context()->info().largest_image >= 16384)
    CHECK(refused.error().message.find("MB") != std::string::npos);
  CHECK(drawn(*engine, box, small).properties.volume == before.properties.volume);
#ifndef PLIMSOLL_ENABLE_ASSERTS  // where any error of OpenGL ends the program
  const gl::Current current(*engine->state().context);
  const int too_wide = 2 * test::gl_context()->info().largest_image;
  CHECK(!engine->state().make_room(too_wide, 16));
  CHECK(glGetError() == GL_NO_ERROR);
  CHECK(drawn(*engine, box, small).properties.volume == before.properties.volume);
#endif
}

TEST_CASE("estimates of combs, gratings, slots, heat sinks and rods hold, peeled and added alike") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  Random random(62);
  for (int i = 0; i < test::campaign(600); ++i) {
    const TriangleMesh mesh =
        i == 0 ? test::rib_between_columns() : test::random_thin_walls(random);
    GlImageOptions options = at(16 << random.below(5), 16 << random.below(5), i % 3);
    if (i == 0) options = at(256, 256, 2);
    options.algorithm = i % 2 == 0 ? ImageAlgorithm::kAdditive : ImageAlgorithm::kPeel;
    const ImageMass image = drawn(*engine, mesh, options);
    CAPTURE(i);
    test::check_is_within_estimate(image, mass_properties(test::checked(mesh)));
  }
}

TEST_CASE("clean meshes of the collection are within their estimates, peeled and added alike") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr || !test::has_shared_data()) return;
  std::vector<double> ratios;
  for (const test::TrueMass& truth : test::clean_meshes()) {
    const TriangleMesh mesh = test::load(truth.name);
    // The rest of the collection in tools' checks.
    if (mesh.triangles.size() > (test::kAddressSanitizer ? 3000 : 30000)) continue;
    for (int axis = 0; axis < kAxes; ++axis) {
      GlImageOptions options = at(256, 256, axis);
      const ImageMass added = drawn(*engine, mesh, options);
      ratios.push_back(std::abs(added.properties.volume - truth.volume) /
                       added.error_estimate.volume);
      if (axis != kAxes - 1 || mesh.triangles.size() > 5000) continue;
      options.algorithm = ImageAlgorithm::kPeel;
      const ImageMass peeled = drawn(*engine, mesh, options);
      // Equal but where faces are nearer to one another than the depth buffer resolves, and for the
      // roundings of columns, 24 bits of up to 16 crossings.
      CHECK_MESSAGE(std::abs(peeled.properties.volume - added.properties.volume) <=
                        16 * 0x1p-24 * truth.volume +
                            (peeled.unbalanced_rows > 0 ? peeled.error_estimate.volume : 0),
                    truth.name);
    }
  }
  test::check_estimates_hold("volume", ratios);
}

// Images are drawn in pieces of 2048 pixels a side at most, and summed over all of them.
TEST_CASE("an image wider or higher than what is drawn at once is that of the processor") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const TriangleMesh mesh = turned(make_torus(1, 0.4, 40, 20));
  for (const auto& [width, height] : {std::pair(2500, 3), {3, 2500}})
    for (const ImageAlgorithm algorithm : {ImageAlgorithm::kAdditive, ImageAlgorithm::kPeel}) {
      GlImageOptions options = at(width, height, 0);
      options.algorithm = algorithm;
      check_as_on_processor(*engine, mesh, options);
    }
}

}  // namespace
}  // namespace plimsoll
