// OpenGL's objects as values: made with a context current, gone with one current.
#pragma once

#include <epoxy/gl.h>
#include <plimsoll/result.h>

#include <initializer_list>
#include <string_view>
#include <utility>

namespace plimsoll::gl {

/// Owns one name; Traits has make() and drop(name).
template <class Traits>
class Object {
 public:
  Object() = default;
  Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~Object() {
    if (name_ != 0) Traits::drop(name_);
  }

  [[nodiscard]] static Object make() {
    Object object;
    object.name_ = Traits::make();
    return object;
  }
  [[nodiscard]] GLuint name() const { return name_; }

 private:
  GLuint name_ = 0;
};

struct BufferTraits {
  static GLuint make() {
    GLuint name = 0;
    glGenBuffers(1, &name);
    return name;
  }
  static void drop(GLuint name) { glDeleteBuffers(1, &name); }
};
struct VertexArrayTraits {
  static GLuint make() {
    GLuint name = 0;
    glGenVertexArrays(1, &name);
    return name;
  }
  static void drop(GLuint name) { glDeleteVertexArrays(1, &name); }
};
struct TextureTraits {
  static GLuint make() {
    GLuint name = 0;
    glGenTextures(1, &name);
    return name;
  }
  static void drop(GLuint name) { glDeleteTextures(1, &name); }
};
struct FramebufferTraits {
  static GLuint make() {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    return name;
  }
  static void drop(GLuint name) { glDeleteFramebuffers(1, &name); }
};
struct ProgramTraits {
  static GLuint make() { return glCreateProgram(); }
  static void drop(GLuint name) { glDeleteProgram(name); }
};

using Buffer = Object<BufferTraits>;
using VertexArray = Object<VertexArrayTraits>;
using Texture = Object<TextureTraits>;
using Framebuffer = Object<FramebufferTraits>;
using Program = Object<ProgramTraits>;

/// A texture of one level, nearest filtering.
[[nodiscard]] Texture make_texture(GLenum internal_format, int width, int height);

/// Whether what is bound for drawing is complete; an error that names `what` else.
[[nodiscard]] Result<void> check_framebuffer(const char* what);

struct Stage {
  GLenum type;
  std::string_view source;
};

/// Compiled and linked. `captured`: a vertex output to be fed back, or null. Errors: `Unavailable`
/// with the compiler's words, where it stands in the source being ours or the caller's.
[[nodiscard]] Result<Program> make_program(std::initializer_list<Stage> stages,
                                           const char* captured = nullptr);

}  // namespace plimsoll::gl
