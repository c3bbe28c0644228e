#include "columns/span.h"

#include <cstddef>

namespace plimsoll {

void unite(const std::vector<Span>& a, const std::vector<Span>& b, double touch,
           std::vector<Span>& out) {
  out.clear();
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool from_a = j == b.size() || (i < a.size() && a[i].enter <= b[j].enter);
    const Span& next = from_a ? a[i++] : b[j++];
    if (out.empty() || next.enter - out.back().leave > touch) {
      out.push_back(next);
    } else if (next.leave > out.back().leave) {
      out.back().leave = next.leave;
      out.back().leave_surface = next.leave_surface;
    }
  }
}

void intersect(const std::vector<Span>& a, const std::vector<Span>& b, double touch,
               std::vector<Span>& out) {
  out.clear();
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const Span& later = a[i].enter >= b[j].enter ? a[i] : b[j];
    const bool a_ends = a[i].leave <= b[j].leave;
    const Span& earlier = a_ends ? a[i] : b[j];
    if (earlier.leave - later.enter > touch)
      out.push_back({later.enter, earlier.leave, later.enter_surface, earlier.leave_surface});
    ++(a_ends ? i : j);
  }
}

void subtract(const std::vector<Span>& a, const std::vector<Span>& b, double touch,
              std::vector<Span>& out) {
  out.clear();
  std::size_t first = 0;
  for (Span rest : a) {
    while (first < b.size() && b[first].leave <= rest.enter) ++first;
    for (std::size_t j = first; j < b.size() && b[j].enter < rest.leave; ++j) {
      if (b[j].enter - rest.enter > touch)
        out.push_back({rest.enter, b[j].enter, rest.enter_surface, b[j].enter_surface});
      rest.enter = b[j].leave;
      rest.enter_surface = b[j].leave_surface;
    }
    if (rest.leave - rest.enter > touch) out.push_back(rest);
  }
}

}  // namespace plimsoll
