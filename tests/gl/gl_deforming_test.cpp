// The paper's reason for images: shapes that change every frame, where they are drawn.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>

#include "support/approx.h"
#include "support/checked.h"
#include "support/gl_engine.h"

namespace plimsoll {
namespace {

constexpr const char* kSwim = R"(
vec3 deform(vec3 p, float time) {
  float swing = 0.3 * sin(3.0 * p.x + time);
  return vec3(p.x, p.y + swing, p.z * (1.0 + 0.2 * cos(time + p.x)));
}
)";

const GlDeformation kDeformation{kSwim, Box3(Vec3(-1.6, -1.8, -0.8), Vec3(1.6, 1.8, 0.8))};

TEST_CASE("a mesh deformed where it is drawn weighs what the deformed surface weighs") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const TriangleMesh mesh = make_torus(1, 0.4, 60, 30);
  Result<GlDeformingMesh> swimming =
      GlDeformingMesh::create(*engine, test::checked(mesh), kDeformation);
  REQUIRE_MESSAGE(swimming, swimming.error().message);
  for (const ImageAlgorithm algorithm : {ImageAlgorithm::kAdditive, ImageAlgorithm::kPeel})
    for (const float time : {0.0f, 0.7f, 2.0f}) {
      GlImageOptions options;
      options.image.width = options.image.height = 200;
      options.algorithm = algorithm;
      const Result<ImageMass> image = swimming->mass_properties(time, options);
      const Result<TriangleMesh> surface = swimming->deformed(time);
      REQUIRE(image);
      REQUIRE(surface);
      // The shader's own arithmetic, in float32; a sine of GLSL is good to 2^-11 at the least.
      const Vec3& rest = mesh.vertices[17];
      const Vec3& moved = surface->vertices[17];
      CHECK(moved.y() ==
            test::approx(rest.y() + 0.3 * std::sin(3 * rest.x() + time)).epsilon(0.3 * 0x1p-11));
      const MassProperties exact = mass_properties(test::checked(*surface));
      CHECK(std::abs(image->properties.volume - exact.volume) <= image->error_estimate.volume);
      CHECK((image->properties.center_of_mass - exact.center_of_mass).cwiseAbs().maxCoeff() <=
            image->error_estimate.center_of_mass);
      CHECK((image->properties.inertia - exact.inertia).cwiseAbs().maxCoeff() <=
            image->error_estimate.inertia);
      CHECK(image->error_estimate.volume <= 2.0 / 200 * exact.volume);  // two rows of pixels
    }
}

TEST_CASE("GLSL that does not compile is refused with the compiler's words") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const Result<GlDeformingMesh> refused = GlDeformingMesh::create(
      *engine, test::checked(make_box({1, 1, 1})),
      {"vec3 deform(vec3 p, float time) { return nonsense; }", kDeformation.bounds});
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(refused.error().message.find("nonsense") != std::string::npos);
  const Result<GlDeformingMesh> boundless =
      GlDeformingMesh::create(*engine, test::checked(make_box({1, 1, 1})), {kSwim, Box3()});
  CHECK(!boundless);
}

TEST_CASE("the context says what draws, and leaves the caller's own alone") {
  const Result<GlContext> context = GlContext::create();
  if (!context) {
    CHECK(context.error().code == ErrorCode::kUnavailable);
    CHECK(!context.error().message.empty());
    return;
  }
  CHECK(!context->info().renderer.empty());
  CHECK(context->info().major * 10 + context->info().minor >= 33);
  CHECK(context->info().largest_image >= 1024);
  // Two engines of two contexts, used in turn.
  Result<GlContext> other = GlContext::create();
  REQUIRE(other);
  Result<GlImageEngine> first = GlImageEngine::create(*context);
  Result<GlImageEngine> second = GlImageEngine::create(*other);
  REQUIRE(first);
  REQUIRE(second);
  const TriangleMesh ball = make_sphere(1, 10, 20);
  const Result<ImageMass> a = first->mass_properties(test::checked(ball), {});
  const Result<ImageMass> b = second->mass_properties(test::checked(ball), {});
  const Result<ImageMass> again = first->mass_properties(test::checked(ball), {});
  REQUIRE(a);
  REQUIRE(b);
  REQUIRE(again);
  CHECK(a->properties.volume == b->properties.volume);
  CHECK(a->properties.volume == again->properties.volume);
}

}  // namespace
}  // namespace plimsoll
