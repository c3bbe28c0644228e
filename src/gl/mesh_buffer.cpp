#include "gl/mesh_buffer.h"

#include <plimsoll/assert.h>

#include <algorithm>

namespace plimsoll::gl {

MeshBuffer::MeshBuffer(const MeshView& mesh, std::span<const float> vertices)
    : array_(VertexArray::make()),
      vertices_(Buffer::make()),
      vertex_count_(mesh.vertex_count()),
      triangle_count_(mesh.triangle_count()),
      is_indexed_(!mesh.is_packed()) {
  set_vertices(vertices);
  glBindVertexArray(array_.name());
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
  if (is_indexed_) {
    indices_ = Buffer::make();
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, indices_, 3 * sizeof(GLuint) * triangle_count_,
                mesh.indices());
  }
  glBindVertexArray(0);
}

void MeshBuffer::set_vertices(std::span<const float> vertices) {
  PLIMSOLL_ASSERT(vertices.size() == 3 * vertex_count_, "a mesh keeps its number of vertices");
  fill_buffer(GL_ARRAY_BUFFER, vertices_, vertices.size_bytes(), vertices.data());
}

void MeshBuffer::draw(TriangleRange range) const {
  PLIMSOLL_ASSERT(range.first <= triangle_count_ && range.count <= triangle_count_ - range.first,
                  "the triangles exist");
  // OpenGL counts corners by a signed int: more than 2^29 triangles take several calls.
  constexpr std::size_t kMaxTriangles = std::size_t{1} << 29;
  glBindVertexArray(array_.name());
  while (range.count > 0) {
    const std::size_t count = std::min(kMaxTriangles, range.count);
    const auto corners = static_cast<GLsizei>(3 * count);
    if (is_indexed_)
      glDrawElements(GL_TRIANGLES, corners, GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(3 * range.first * sizeof(GLuint)));
    else
      glDrawArrays(GL_TRIANGLES, static_cast<GLint>(3 * range.first), corners);
    range = {range.first + count, range.count - count};
  }
  glBindVertexArray(0);
}

void MeshBuffer::draw_points() const {
  glBindVertexArray(array_.name());
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(vertex_count_));
  glBindVertexArray(0);
}

}  // namespace plimsoll::gl
