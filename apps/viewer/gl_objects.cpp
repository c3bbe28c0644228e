#include "gl_objects.h"

#include "cli/failure.h"

namespace plimsoll::viewer {
namespace {

cli::Failure refused(const char* what, const std::string& words) {
  return cli::failure_of({ErrorCode::kUnavailable, std::string(what) + ": " + words, "OpenGL"});
}

void attach(GLuint program, GLenum stage, const std::string& source) {
  const GLuint shader = glCreateShader(stage);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint is_compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
  std::string log(1024, '\0');
  GLsizei length = 0;
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
  log.resize(static_cast<std::size_t>(length));
  glAttachShader(program, shader);
  glDeleteShader(shader);  // stays as long as the program has it
  if (is_compiled == 0) throw refused("a shader does not compile", log);
}

}  // namespace

GlProgram make_program(const std::string& vertex, const std::string& fragment) {
  GlProgram program;
  attach(program, GL_VERTEX_SHADER, vertex);
  attach(program, GL_FRAGMENT_SHADER, fragment);
  glBindAttribLocation(program, 0, "position");
  glBindAttribLocation(program, 1, "normal");
  glLinkProgram(program);
  GLint is_linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
  if (is_linked == 0) throw refused("a program does not link", "its shaders do not fit");
  return program;
}

}  // namespace plimsoll::viewer
