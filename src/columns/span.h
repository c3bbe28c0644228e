// Pieces of a line inside a solid, and Boolean algebra on them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace plimsoll {

/// One piece of a column inside a solid. Surfaces number the smooth pieces of the boundary: columns
/// with equal numbers enter and leave through the same ones.
struct Span {
  double enter = 0;
  double leave = 0;
  std::uint32_t enter_surface = 0;
  std::uint32_t leave_surface = 0;
};

/// Up to two pieces, all that a line shares with any of the primitives.
struct LineSpans {
  std::array<Span, 2> spans;
  int count = 0;

  void add(const Span& span) { spans[static_cast<std::size_t>(count++)] = span; }
};

/// Adds to sorted disjoint spans one that starts no earlier than the last, by rounding perhaps
/// within it: then both become one. Nothing is added that has no length.
inline void append(const Span& span, std::vector<Span>& out) {
  if (!(span.leave > span.enter)) return;
  if (out.empty() || span.enter > out.back().leave) {
    out.push_back(span);
  } else if (span.leave > out.back().leave) {
    out.back().leave = span.leave;
    out.back().leave_surface = span.leave_surface;
  }
}

// Sorted disjoint spans to sorted disjoint spans. Ends closer than `touch` are the same: gaps of a
// union close, pieces of an intersection or difference no longer than this are dropped. `out` must
// be neither a nor b.
void unite(const std::vector<Span>& a, const std::vector<Span>& b, double touch,
           std::vector<Span>& out);
void intersect(const std::vector<Span>& a, const std::vector<Span>& b, double touch,
               std::vector<Span>& out);
void subtract(const std::vector<Span>& a, const std::vector<Span>& b, double touch,
              std::vector<Span>& out);

}  // namespace plimsoll
