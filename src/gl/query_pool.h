// Occlusion queries that are used again, and commands flushed often enough for them to be right.
//
// A software renderer sorts what it draws into tiles of 64 x 64 pixels. Where its memory for that
// fills while a query runs, it may count wrong. So commands are flushed after every
// max(1, min(64, 100000 / tiles)) queries, and after 100,000 triangles. On hardware that costs
// nothing.
#pragma once

#include <epoxy/gl.h>

#include <cstddef>
#include <vector>

namespace plimsoll::gl {

class QueryPool {
 public:
  /// For images of that size. A context is current, as in every call.
  QueryPool(int width, int height);
  ~QueryPool();
  QueryPool(const QueryPool&) = delete;
  QueryPool& operator=(const QueryPool&) = delete;

  /// Starts a query and returns its number. Only one runs at a time.
  [[nodiscard]] std::size_t begin();

  /// Ends the query, during which so many triangles were drawn.
  void end(std::size_t triangles);

  /// So many were drawn while no query ran.
  void note_drawn(std::size_t triangles);

  /// Whether any sample passed in query `i`. Waits for the answer.
  [[nodiscard]] bool any_passed(std::size_t i) const;

  /// Forgets all queries, so that they are used again.
  void clear() { used_ = 0; }

 private:
  std::vector<GLuint> names_;
  std::size_t used_ = 0;
  std::size_t since_flush_ = 0, triangles_since_flush_ = 0;
  std::size_t flush_every_;
};

}  // namespace plimsoll::gl
