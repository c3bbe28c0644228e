// Visibility queries, reused, and sent on often enough.
//
// A software renderer bins a scene in tiles and may count wrong when its memory for bins fills
// while a query runs: so commands are flushed after every max(1, min(64, 100000 / tiles)) queries,
// tiles being 64 x 64 pixels, and after each query of a very large mesh. On hardware that costs
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

  /// Starts a query and returns its number; one at a time.
  [[nodiscard]] std::size_t begin();

  /// Ends it. `triangles`: drawn meanwhile.
  void end(std::size_t triangles);

  /// Whether any sample passed in query `i`; waits for it.
  [[nodiscard]] bool any_passed(std::size_t i) const;

  /// All may be used anew.
  void clear() { used_ = 0; }

 private:
  std::vector<GLuint> names_;
  std::size_t used_ = 0;
  std::size_t since_flush_ = 0;
  std::size_t flush_every_;
};

}  // namespace plimsoll::gl
