// The engines on OpenGL. Where nothing draws the tests that need one skip and say why; CI sets
// PLIMSOLL_REQUIRE_GL and then they fail.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/gl_image.h>

#include <cstdlib>

namespace plimsoll::test {

/// What was made; null, and said why, where it could not be.
template <class T>
T* value_or_skip(Result<T>& made) {
  if (made) return &*made;
  MESSAGE("skipped: ", made.error().message);
  if (std::getenv("PLIMSOLL_REQUIRE_GL") != nullptr) FAIL("PLIMSOLL_REQUIRE_GL is set");
  return nullptr;
}

/// Made once for all tests of a program; null where there is none.
inline const GlContext* gl_context() {
  static Result<GlContext> context = GlContext::create();
  return value_or_skip(context);
}

/// The same of an engine on that context.
template <class Engine>
Engine* engine_on_gl() {
  const GlContext* context = gl_context();
  if (context == nullptr) return nullptr;
  static Result<Engine> engine = Engine::create(*context);
  return value_or_skip(engine);
}

inline GlImageEngine* gl_engine() { return engine_on_gl<GlImageEngine>(); }

}  // namespace plimsoll::test
