#include "gl/objects.h"

#include <string>

#include "gl/context.h"

namespace plimsoll::gl {
namespace {

// What the compiler or linker said of a shader or program.
std::string log_of(GLuint name, PFNGLGETSHADERIVPROC get, PFNGLGETSHADERINFOLOGPROC get_log) {
  GLint length = 0;
  get(name, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length), '\0');
  get_log(name, length, nullptr, log.data());
  return log.c_str();
}

}  // namespace

void fill_buffer(GLenum target, const Buffer& buffer, std::size_t bytes, const void* data) {
  glBindBuffer(target, buffer.name());
  glBufferData(target, static_cast<GLsizeiptr>(bytes), data, GL_STATIC_DRAW);
}

Texture make_texture(GLenum internal_format, int width, int height) {
  Texture texture = Texture::make();
  const bool is_depth = internal_format == GL_DEPTH_COMPONENT32F;
  const bool has_stencil = internal_format == GL_DEPTH32F_STENCIL8;
  glBindTexture(GL_TEXTURE_2D, texture.name());
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal_format), width, height, 0,
               is_depth      ? GL_DEPTH_COMPONENT
               : has_stencil ? GL_DEPTH_STENCIL
                             : GL_RGBA,
               has_stencil ? GL_FLOAT_32_UNSIGNED_INT_24_8_REV : GL_FLOAT, nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  return texture;
}

Result<void> check_framebuffer(const char* what) {
  if (Result<void> made = reported_error(what); !made) return made;
  if (glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return {};
  return Error{ErrorCode::kUnavailable, "this OpenGL cannot draw into its buffers", what};
}

Result<Program> make_program(const std::vector<Stage>& stages, const char* captured) {
  Program program = Program::make();
  for (const Stage& stage : stages) {
    const GLuint shader = glCreateShader(stage.type);
    const GLchar* text = stage.source.data();
    const auto length = static_cast<GLint>(stage.source.size());
    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled != GL_TRUE) {
      Error error{ErrorCode::kUnavailable, log_of(shader, glGetShaderiv, glGetShaderInfoLog),
                  "shader"};
      glDeleteShader(shader);
      return error;
    }
    glAttachShader(program.name(), shader);
    glDeleteShader(shader);  // the program keeps it
  }
  if (captured != nullptr)
    glTransformFeedbackVaryings(program.name(), 1, &captured, GL_INTERLEAVED_ATTRIBS);
  glLinkProgram(program.name());
  GLint linked = GL_FALSE;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &linked);
  if (linked != GL_TRUE)
    return Error{ErrorCode::kUnavailable,
                 log_of(program.name(), glGetProgramiv, glGetProgramInfoLog), "shader"};
  return program;
}

}  // namespace plimsoll::gl
