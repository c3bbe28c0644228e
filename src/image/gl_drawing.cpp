#include "image/gl_drawing.h"

#include <algorithm>
#include <string>

#include "image/gl_shaders.h"

namespace plimsoll {
namespace {

std::string vertex_source(const char* deformation) {
  return std::string(shaders::kVertexHead) + deformation + shaders::kVertex;
}

void fill(GLenum target, const gl::Buffer& buffer, std::size_t bytes, const void* data) {
  glBindBuffer(target, buffer.name());
  glBufferData(target, static_cast<GLsizeiptr>(bytes), data, GL_STATIC_DRAW);
}

}  // namespace

DrawnMesh::DrawnMesh(const MeshView& mesh, std::span<const float> vertices,
                     const Similarity& view_from_body)
    : array_(gl::VertexArray::make()),
      vertices_(gl::Buffer::make()),
      triangle_count_(mesh.triangle_count()),
      indexed_(!mesh.is_packed()) {
  glBindVertexArray(array_.name());
  fill(GL_ARRAY_BUFFER, vertices_, vertices.size_bytes(), vertices.data());
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
  if (indexed_) {
    indices_ = gl::Buffer::make();
    fill(GL_ELEMENT_ARRAY_BUFFER, indices_, 3 * sizeof(GLuint) * triangle_count_, mesh.indices());
  }
  glBindVertexArray(0);
  set_frame(view_from_body, 0);
}

void DrawnMesh::set_frame(const Similarity& view_from_body, float time) {
  view_from_body_ = view_from_body.matrix().topRows<3>().cast<float>();
  time_ = time;
}

void Drawn::set_window(const gl::Program& program, const Tile& tile) {
  // A hair deeper than the body, so that no rounding cuts it off.
  constexpr double kDeeper = 1.001;
  const Lattice& lattice = tile.view->lattice;
  const double scale_x = 2 / (lattice.dx * tile.width);
  const double scale_y = 2 / (lattice.dy * tile.height);
  const double left = lattice.x0 + tile.i * lattice.dx;
  const double bottom = lattice.y0 + tile.j * lattice.dy;
  const auto uniform = [&](const char* name) { return glGetUniformLocation(program.name(), name); };
  glUseProgram(program.name());
  glUniform4f(uniform("window"), static_cast<float>(scale_x), static_cast<float>(scale_y),
              static_cast<float>(-left * scale_x - 1), static_cast<float>(-bottom * scale_y - 1));
  glUniform1f(uniform("depth"), static_cast<float>(std::max(tile.view->depth * kDeeper, 1e-30)));
}

void DrawnMesh::draw(const gl::Program& program, const Tile& tile) const {
  set_window(program, tile);
  glUniformMatrix4x3fv(glGetUniformLocation(program.name(), "view_from_body"), 1, GL_FALSE,
                       view_from_body_.data());
  glUniform1f(glGetUniformLocation(program.name(), "time"), time_);
  glBindVertexArray(array_.name());
  // Counts are ints: meshes of more than 2^29 triangles take several calls.
  constexpr std::size_t kMost = std::size_t{1} << 29;
  for (std::size_t first = 0; first < triangle_count_; first += kMost) {
    const auto corners = static_cast<GLsizei>(3 * std::min(kMost, triangle_count_ - first));
    if (indexed_)
      glDrawElements(GL_TRIANGLES, corners, GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(3 * first * sizeof(GLuint)));
    else
      glDrawArrays(GL_TRIANGLES, static_cast<GLint>(3 * first), corners);
  }
  glBindVertexArray(0);
}

Result<std::vector<float>> DrawnMesh::captured(const gl::Program& program, float time,
                                               std::size_t vertex_count) const {
  const gl::Buffer buffer = gl::Buffer::make();
  std::vector<float> vertices(3 * vertex_count);
  const std::size_t bytes = vertices.size() * sizeof(float);
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer.name());
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr,
               GL_STREAM_READ);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer.name());
  glUseProgram(program.name());
  glUniform1f(glGetUniformLocation(program.name(), "time"), time);
  glBindVertexArray(array_.name());
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(vertex_count));
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glBindVertexArray(0);
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, static_cast<GLsizeiptr>(bytes),
                     vertices.data());
  if (Result<void> done = gl::reported_error("capturing vertices"); !done) return done.error();
  return vertices;
}

Result<gl::Program> make_integrand_program(const char* deformation, bool peels) {
  const std::string fragment = std::string(shaders::kVertexHead) + shaders::kIntegrands +
                               (peels ? shaders::kPeelFragment : shaders::kAdditiveFragment);
  return gl::make_program(
      {{GL_VERTEX_SHADER, vertex_source(deformation)}, {GL_FRAGMENT_SHADER, fragment}});
}

Result<gl::Program> make_capture_program(const char* deformation) {
  return gl::make_program({{GL_VERTEX_SHADER, vertex_source(deformation)}}, "deformed");
}

}  // namespace plimsoll
