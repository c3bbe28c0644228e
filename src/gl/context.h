// The state behind GlContext, and making it current.
#pragma once

#include <epoxy/gl.h>
// epoxy's EGL has to come after its GL.
#include <epoxy/egl.h>
#include <plimsoll/gl.h>

#include <memory>
#include <string>

namespace plimsoll {

struct GlContext::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  GlInfo info;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();
};

namespace gl {

/// Makes a context current; at its end the one that was current before is so again.
class Current {
 public:
  explicit Current(const GlContext::State& state);
  ~Current();
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

  /// `Unavailable` if the system refused; then nothing may be drawn.
  [[nodiscard]] Result<void> status() const;

 private:
  EGLDisplay display_;
  EGLDisplay display_before_;
  EGLContext context_before_;
  EGLSurface draw_before_;
  EGLSurface read_before_;
  bool made_;
};

/// Deletes `state`, which holds OpenGL's objects, with their context current.
template <class State>
void delete_in_context(const std::shared_ptr<GlContext::State>& context, State* state) {
  const Current current(*context);
  delete state;
}

/// Whether the context is of that version or later.
[[nodiscard]] inline bool has_version(const GlInfo& info, int major, int minor) {
  return info.major > major || (info.major == major && info.minor >= minor);
}

/// The first error that OpenGL has reported since the last call, as an error at `operation`.
[[nodiscard]] Result<void> reported_error(const char* operation);

}  // namespace gl
}  // namespace plimsoll
