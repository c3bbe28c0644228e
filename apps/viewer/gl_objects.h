// What OpenGL names by numbers, deleted with their owners. All of it belongs to the context that is
// current when it is made, and has to be when it goes.
#pragma once

#include <epoxy/gl.h>

#include <cstdint>
#include <string>
#include <utility>

namespace plimsoll::viewer {

/// Owns one name; `Kind` knows how it is made and deleted.
template <class Kind>
class GlName {
 public:
  GlName() : name_(Kind::make()) {}
  GlName(GlName&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlName() {
    if (name_ != 0) Kind::erase(name_);
  }
  operator GLuint() const { return name_; }

 private:
  GLuint name_;
};

namespace kind {

struct Buffer {
  static GLuint make() {
    GLuint name = 0;
    glGenBuffers(1, &name);
    return name;
  }
  static void erase(GLuint name) { glDeleteBuffers(1, &name); }
};
struct VertexArray {
  static GLuint make() {
    GLuint name = 0;
    glGenVertexArrays(1, &name);
    return name;
  }
  static void erase(GLuint name) { glDeleteVertexArrays(1, &name); }
};
struct Texture {
  static GLuint make() {
    GLuint name = 0;
    glGenTextures(1, &name);
    return name;
  }
  static void erase(GLuint name) { glDeleteTextures(1, &name); }
};
struct Renderbuffer {
  static GLuint make() {
    GLuint name = 0;
    glGenRenderbuffers(1, &name);
    return name;
  }
  static void erase(GLuint name) { glDeleteRenderbuffers(1, &name); }
};
struct Framebuffer {
  static GLuint make() {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    return name;
  }
  static void erase(GLuint name) { glDeleteFramebuffers(1, &name); }
};
struct Program {
  static GLuint make() { return glCreateProgram(); }
  static void erase(GLuint name) { glDeleteProgram(name); }
};

}  // namespace kind

using GlBuffer = GlName<kind::Buffer>;
using GlVertexArray = GlName<kind::VertexArray>;
using GlTexture = GlName<kind::Texture>;
using GlRenderbuffer = GlName<kind::Renderbuffer>;
using GlFramebuffer = GlName<kind::Framebuffer>;
using GlProgram = GlName<kind::Program>;

/// Throws cli::Failure with the compiler's words.
[[nodiscard]] GlProgram make_program(const std::string& vertex, const std::string& fragment);

[[nodiscard]] inline const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(bytes));
}

}  // namespace plimsoll::viewer
