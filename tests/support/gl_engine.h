// The engine on OpenGL. Where nothing draws the tests that need it skip and say why; CI sets
// PLIMSOLL_REQUIRE_GL and then they fail.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/gl_image.h>

#include <cstdlib>

namespace plimsoll::test {

/// Made once for all tests of a program; null where there is none.
inline GlImageEngine* gl_engine() {
  static Result<GlContext> context = GlContext::create();
  static Result<GlImageEngine> engine =
      context ? GlImageEngine::create(*context) : Result<GlImageEngine>(context.error());
  if (engine) return &*engine;
  MESSAGE("skipped: ", engine.error().message);
  if (std::getenv("PLIMSOLL_REQUIRE_GL") != nullptr) FAIL("PLIMSOLL_REQUIRE_GL is set");
  return nullptr;
}

}  // namespace plimsoll::test
