// Columns and what is found along them, for the tests of shapes.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "columns/columns.h"

namespace plimsoll::test {

/// Patches flat to 1e-3.
inline Columns columns_of(const Shape& shape, int axis = 2) {
  const Result<Columns> columns = Columns::of(shape, axis, 1e-3);
  REQUIRE_MESSAGE(columns, columns.error().where, " ", columns.error().message);
  return *columns;
}

inline std::vector<Span> spans_at(const Columns& columns, double u, double v) {
  Columns::Scratch scratch;
  std::vector<Span> spans;
  columns.spans(u, v, scratch, spans);
  CHECK(scratch.undecided == 0);
  CHECK(scratch.unbalanced == 0);
  return spans;
}

inline double length(const std::vector<Span>& spans) {
  double sum = 0;
  for (const Span& span : spans) sum += span.leave - span.enter;
  return sum;
}

/// Positive lengths, in order, apart from each other.
inline bool are_sorted(const std::vector<Span>& spans) {
  for (std::size_t i = 0; i < spans.size(); ++i)
    if (!(spans[i].enter < spans[i].leave) || (i > 0 && !(spans[i - 1].leave < spans[i].enter)))
      return false;
  return true;
}

inline bool holds(const std::vector<Span>& spans, double depth) {
  for (const Span& span : spans)
    if (span.enter <= depth && depth <= span.leave) return true;
  return false;
}

/// The world point on the column (u, v) along `axis`.
inline Vec3 point_on(int axis, double u, double v, double depth) {
  Vec3 p;
  p[axis] = depth;
  p[(axis + 1) % 3] = u;
  p[(axis + 2) % 3] = v;
  return p;
}

}  // namespace plimsoll::test
