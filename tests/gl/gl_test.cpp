// A context without a display: what it tells of itself, and that it leaves others alone.
#include <doctest/doctest.h>
#include <epoxy/gl.h>
#include <plimsoll/gl.h>

#include <utility>

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

}  // namespace plimsoll
