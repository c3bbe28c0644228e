// What visibility leaves behind in its context.
#include "gl/visibility.h"

#include <doctest/doctest.h>

#include <array>

#include "gl/context.h"
#include "support/gl_engine.h"

namespace plimsoll {
namespace {

GLint state(GLenum name) {
  GLint value = -1;
  glGetIntegerv(name, &value);
  return value;
}

// The values that a context of OpenGL begins with.
void check_as_at_first() {
  CHECK(glIsEnabled(GL_CULL_FACE) == GL_FALSE);
  CHECK(state(GL_CULL_FACE_MODE) == GL_BACK);
  CHECK(state(GL_FRONT_FACE) == GL_CCW);
  CHECK(glIsEnabled(GL_DEPTH_TEST) == GL_FALSE);
  CHECK(glIsEnabled(GL_DEPTH_CLAMP) == GL_FALSE);
  CHECK(state(GL_DEPTH_FUNC) == GL_LESS);
  CHECK(state(GL_DEPTH_WRITEMASK) == GL_TRUE);
  std::array<GLfloat, 2> range{-1, -1};
  glGetFloatv(GL_DEPTH_RANGE, range.data());
  CHECK(range == std::array<GLfloat, 2>{0, 1});
}

TEST_CASE("tests of depth and culling of faces are after visibility what they were before") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const gl::Current current(*context->state());
  REQUIRE(current.status());
  constexpr int kPixels = 16;
  Result<VisibilityImage> image = VisibilityImage::create();
  REQUIRE(image);
  REQUIRE(image->bind(kPixels));
  CullScene scene;
  scene.bodies = {{0, 0, 1}};
  scene.corners = {{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0)}};
  scene.numbers = {0};
  scene.body_count = 1;
  const ViewVolume volume = view_volume(Vec3::Zero(), 2, 0, kPixels, 1);
  check_as_at_first();
  for (const CullMethod method : {CullMethod::kCullide, CullMethod::kFar}) {
    {
      GlVisibility renderer(*image, method, kPixels, 1);
      renderer.load(scene, scene.bodies, volume, CullLevel::kParts);
      renderer.start_view(2, false);
      renderer.draw(0, 1);
      renderer.ask(0);
      CHECK(glIsEnabled(GL_DEPTH_TEST) == GL_TRUE);
    }
    check_as_at_first();
  }
}

}  // namespace
}  // namespace plimsoll
