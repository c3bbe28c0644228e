// The engine on OpenGL. Where nothing draws the tests that need it skip and say why; CI sets
// PLIMSOLL_REQUIRE_GL and then they fail.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/gl_image.h>

#include <cstdlib>

namespace plimsoll::test {

/// Made once for all tests of a program; null where there is none.
inline const GlContext* gl_context() {
  static const Result<GlContext> context = GlContext::create();
  if (context) return &*context;
  MESSAGE("skipped: ", context.error().message);
  if (std::getenv("PLIMSOLL_REQUIRE_GL") != nullptr) FAIL("PLIMSOLL_REQUIRE_GL is set");
  return nullptr;
}

/// The same.
inline GlImageEngine* gl_engine() {
  const GlContext* context = gl_context();
  if (context == nullptr) return nullptr;
  static Result<GlImageEngine> engine = GlImageEngine::create(*context);
  if (engine) return &*engine;
  MESSAGE("skipped: ", engine.error().message);
  if (std::getenv("PLIMSOLL_REQUIRE_GL") != nullptr) FAIL("PLIMSOLL_REQUIRE_GL is set");
  return nullptr;
}

}  // namespace plimsoll::test
