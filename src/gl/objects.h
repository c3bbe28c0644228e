// OpenGL's objects as values: made with a context current, gone with one current.
#pragma once

#include <epoxy/gl.h>
#include <plimsoll/result.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

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

/// Binds `buffer` to `target` and copies `bytes` bytes of `data` into it in place of what it held.
void fill_buffer(GLenum target, const Buffer& buffer, std::size_t bytes, const void* data);

/// A texture of one level, nearest filtering.
[[nodiscard]] Texture make_texture(GLenum internal_format, int width, int height);

/// Whether what is bound for drawing is complete. Errors: what OpenGL reported of making it, which
/// then is not left over for the next call; else `Unavailable`. They name `what`.
[[nodiscard]] Result<void> check_framebuffer(const char* what);

struct Stage {
  GLenum type;
  std::string_view source;
};

/// Compiles and links `stages`. `captured`: the vertex output that transform feedback writes, or
/// null. Errors: `Unavailable` with the words of the compiler or linker.
[[nodiscard]] Result<Program> make_program(const std::vector<Stage>& stages,
                                           const char* captured = nullptr);

}  // namespace plimsoll::gl
