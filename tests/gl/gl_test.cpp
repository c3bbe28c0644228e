// A context without a display: what it tells of itself, and that it leaves others alone.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <epoxy/gl.h>
#include <plimsoll/gl.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gl/context.h"
#include "gl/objects.h"
#include "support/gl_engine.h"

namespace plimsoll {

TEST_CASE("a context tells what draws, of version 3.3 or later") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const GlInfo& info = context->info();
  CHECK(!info.vendor.empty());
  CHECK(!info.renderer.empty());
  CHECK(info.version.starts_with(std::to_string(info.major) + "." + std::to_string(info.minor)));
  CHECK(10 * info.major + info.minor >= 33);
  CHECK(info.largest_image >= 1024);  // what OpenGL 3.3 asks of every driver [3.3, table 6.36]
  // Mesa's drivers for the processor name themselves.
  const bool draws_by_processor = info.renderer.find("llvmpipe") != std::string::npos ||
                                  info.renderer.find("softpipe") != std::string::npos;
  if (draws_by_processor) CHECK(!info.is_hardware);
}

TEST_CASE("a context that has moved is the same, and two are two") {
  Result<GlContext> made = GlContext::create();
  if (test::value_or_skip(made) == nullptr) return;
  const std::shared_ptr<GlContext::State> state = made->state();
  GlContext moved = std::move(*made);
  CHECK(moved.state() == state);
  Result<GlContext> other = GlContext::create();
  REQUIRE(other);
  CHECK(other->state() != state);
  CHECK(other->info().renderer == moved.info().renderer);
  *other = std::move(moved);
  CHECK(other->state() == state);
}

TEST_CASE("libraries that are there are not called missing") {
  for (const char* library : {"libEGL.so.1", "libOpenGL.so.0"})
    if (dlopen(library, RTLD_LAZY | RTLD_GLOBAL) == nullptr) return;
  const Result<GlContext> made = GlContext::create();
  if (!made) CHECK(made.error().message.find("is missing") == std::string::npos);
}

TEST_CASE("a context lives as long as its last owner, and no longer") {
  Result<GlContext> made = GlContext::create();
  if (test::value_or_skip(made) == nullptr) return;
  std::optional<GlContext> context(std::move(*made));
  std::shared_ptr<GlContext::State> owner = context->state();
  const EGLDisplay display = owner->display;
  const EGLContext name = owner->context;
  const auto lives = [&] {
    EGLint api = 0;
    return eglQueryContext(display, name, EGL_CONTEXT_CLIENT_TYPE, &api) == EGL_TRUE;
  };
  CHECK(lives());
  context.reset();
  CHECK(lives());
  owner.reset();
  CHECK(!lives());
  CHECK(eglGetError() == EGL_BAD_CONTEXT);
}

// A name belongs to an object from the first time that it is bound.
template <class Object, class Bind, class Is>
void check_ends_with_owner(const Bind& bind, const Is& is) {
  Object last;
  GLuint name = 0;
  {
    Object first = Object::make();
    name = first.name();
    CHECK(name != 0);
    bind(name);
    CHECK(is(name) == GL_TRUE);
    last = std::move(first);
  }
  CHECK(last.name() == name);
  CHECK(is(name) == GL_TRUE);
  last = Object();
  CHECK(is(name) == GL_FALSE);
}

TEST_CASE("objects of OpenGL are gone with their owner, wherever it has moved") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const gl::Current current(*context->state());
  REQUIRE(current.status());
  check_ends_with_owner<gl::Buffer>([](GLuint name) { glBindBuffer(GL_ARRAY_BUFFER, name); },
                                    [](GLuint name) { return glIsBuffer(name); });
  check_ends_with_owner<gl::VertexArray>([](GLuint name) { glBindVertexArray(name); },
                                         [](GLuint name) { return glIsVertexArray(name); });
  check_ends_with_owner<gl::Texture>([](GLuint name) { glBindTexture(GL_TEXTURE_2D, name); },
                                     [](GLuint name) { return glIsTexture(name); });
  check_ends_with_owner<gl::Framebuffer>(
      [](GLuint name) { glBindFramebuffer(GL_FRAMEBUFFER, name); },
      [](GLuint name) { return glIsFramebuffer(name); });
  check_ends_with_owner<gl::Program>([](GLuint) {}, [](GLuint name) { return glIsProgram(name); });
}

TEST_CASE("a version is there where the context has it or a later one") {
  const std::vector<std::pair<int, int>> in_order = {{2, 9}, {3, 0}, {3, 3}, {4, 0}, {4, 2},
                                                     {4, 3}, {4, 6}, {5, 0}, {5, 3}};
  for (std::size_t has = 0; has < in_order.size(); ++has)
    for (std::size_t asked = 0; asked < in_order.size(); ++asked) {
      CAPTURE(has);
      CAPTURE(asked);
      GlInfo info;
      std::tie(info.major, info.minor) = in_order[has];
      const auto [major, minor] = in_order[asked];
      CHECK(gl::has_version(info, major, minor) == (has >= asked));
    }
}

}  // namespace plimsoll
