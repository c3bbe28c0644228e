#include "gl/query_pool.h"

#include <algorithm>

namespace plimsoll::gl {

QueryPool::QueryPool(int width, int height) {
  const std::size_t tiles =
      static_cast<std::size_t>((width + 63) / 64) * static_cast<std::size_t>((height + 63) / 64);
  flush_every_ = std::clamp<std::size_t>(100000 / std::max<std::size_t>(tiles, 1), 1, 64);
}

QueryPool::~QueryPool() {
  if (!names_.empty()) glDeleteQueries(static_cast<GLsizei>(names_.size()), names_.data());
}

std::size_t QueryPool::begin() {
  if (used_ == names_.size()) {
    names_.push_back(0);
    glGenQueries(1, &names_.back());
  }
  glBeginQuery(GL_ANY_SAMPLES_PASSED, names_[used_]);
  return used_++;
}

void QueryPool::end(std::size_t triangles) {
  glEndQuery(GL_ANY_SAMPLES_PASSED);
  ++since_flush_;
  note_drawn(triangles);
}

void QueryPool::note_drawn(std::size_t triangles) {
  constexpr std::size_t kMany = 100000;
  triangles_since_flush_ += triangles;
  if (since_flush_ < flush_every_ && triangles_since_flush_ < kMany) return;
  glFlush();
  since_flush_ = triangles_since_flush_ = 0;
}

bool QueryPool::any_passed(std::size_t i) const {
  GLuint any = 0;
  glGetQueryObjectuiv(names_[i], GL_QUERY_RESULT, &any);
  return any != 0;
}

}  // namespace plimsoll::gl
