#include "mesh/ears.h"

#include <array>
#include <cmath>
#include <numeric>

#include "core/predicates.h"

// A corner c with the neighbors p and q is an ear if the triangle p, c, q is turned like the
// polygon and no other part of the outline enters it. Each simple polygon has two ears
// [Meisters1975], and is one again when an ear is cut off, so that the cutting ends with n - 2
// triangles. Where the outline enters a triangle, the vertex of it that is deepest there is not
// convex: only such corners need to be looked for. Cutting changes the angles of p and q only, and
// whether another corner is an ear changes only with its own neighbors: each cut makes two corners
// be looked at again.
//
// The outline may touch itself, as at the bridge that makes a hole part of it: a corner that lies
// on the border of the triangle blocks if an edge goes from there into the triangle. All that
// matters for the result is decided exactly: no triangle is turned the other way, and since the
// signed areas sum to the polygon's however it is cut, the areas do.

namespace plimsoll {
namespace {

/// The nodes and corners that the search may look at. Most outlines need 30 to 100 for each corner,
/// however many there are; needles side by side need as many as the root.
std::size_t max_visits(std::size_t corners) {
  const double each = 200 + std::sqrt(static_cast<double>(corners));
  return static_cast<std::size_t>(each * static_cast<double>(corners));
}

}  // namespace

int EarCutter::side(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
  return turn_ * orient2d(point(a), point(b), point(c), axis_);
}

bool EarCutter::cut(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners,
                    int axis, int turn, std::span<Triangle> triangles) {
  vertices_ = vertices;
  corners_ = corners;
  triangles_ = triangles;
  axis_ = axis;
  turn_ = turn;
  start();
  return cut_all();
}

void EarCutter::start() {
  const auto n = static_cast<std::uint32_t>(corners_.size());
  previous_.resize(n);
  next_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    previous_[i] = i == 0 ? n - 1 : i - 1;
    next_[i] = i + 1 == n ? 0 : i + 1;
  }
  queue_.resize(n);
  std::iota(queue_.begin(), queue_.end(), 0u);
  queued_.assign(n, true);
  queue_begin_ = 0;
  queue_size_ = n;
  made_ = made_before_ = visits_ = 0;
  max_visits_ = max_visits(n);
  left_ = 0;
  rule_ = Rule::kApart;
  const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
  // Seen from the side from which the polygon runs counter-clockwise.
  tree_.build(vertices_, corners_, turn_ > 0 ? u : v, turn_ > 0 ? v : u);
  for (std::uint32_t i = 0; i < n; ++i) tree_.set_active(i, side(previous_[i], i, next_[i]) <= 0);
}

bool EarCutter::cut_all() {
  for (std::uint32_t i = 0; i < corners_.size(); ++i) take_out_folds(i);
  while (!is_triangle()) {
    if (queue_size_ == 0 && !next_round()) return false;
    if (visits_ > max_visits_) return false;
    const std::uint32_t i = queue_[queue_begin_];
    queue_begin_ = queue_begin_ + 1 == queue_.size() ? 0 : queue_begin_ + 1;
    --queue_size_;
    queued_[i] = false;
    if (is_left(i) && may_be_cut(i)) take_out(i);
  }
  emit(left_);
  return side(previous_[left_], left_, next_[left_]) >= 0;
}

/// Looks at all corners once more, by a wider rule; false if that would change nothing.
bool EarCutter::next_round() {
  if (rule_ == Rule::kFlat && made_ == made_before_) return false;
  rule_ = rule_ == Rule::kApart ? Rule::kTouching : Rule::kFlat;
  made_before_ = made_;
  std::uint32_t i = left_;
  do {
    look_at(i);
    i = next_[i];
  } while (i != left_);
  return true;
}

bool EarCutter::may_be_cut(std::uint32_t i) {
  const int turned = side(previous_[i], i, next_[i]);
  return turned == 0 ? rule_ == Rule::kFlat : turned > 0 && is_ear(i);
}

/// Whether corner `i` is the tip of a spike or repeats a neighbor.
bool EarCutter::folds_back(std::uint32_t i) const {
  const Vec3 &c = point(i), &p = point(previous_[i]), &q = point(next_[i]);
  for (const int k : {(axis_ + 1) % 3, (axis_ + 2) % 3})
    if ((p[k] < c[k] && c[k] < q[k]) || (q[k] < c[k] && c[k] < p[k])) return false;
  return side(previous_[i], i, next_[i]) == 0;
}

/// Precondition: the corner is turned like the polygon.
bool EarCutter::is_ear(std::uint32_t i) {
  const std::uint32_t p = previous_[i], q = next_[i];
  const auto enters = [&](std::uint32_t other, std::uint32_t from, std::uint32_t to) {
    return side(from, to, other) > 0 && side(q, p, other) > 0;
  };
  if (enters(previous_[p], p, i) || enters(next_[q], i, q)) return false;
  return !tree_.any_in_triangle(p, i, q, visits_, [&](std::uint32_t other) {
    return other != p && other != i && other != q && blocks(i, other);
  });
}

/// Whether the outline at corner `other` keeps corner `i` from being cut off.
bool EarCutter::blocks(std::uint32_t i, std::uint32_t other) const {
  const std::array<std::uint32_t, 3> ear{previous_[i], i, next_[i]};
  std::array<bool, 3> on_edge{};
  int edges = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const int where = side(ear[k], ear[(k + 1) % 3], other);
    if (where < 0) return false;
    on_edge[k] = where == 0;
    edges += on_edge[k] ? 1 : 0;
  }
  if (edges == 1 && rule_ == Rule::kApart) return true;
  // Inside, nothing is left to ask for, and any edge enters.
  const auto enters = [&](std::uint32_t neighbor) {
    for (std::size_t k = 0; k < 3; ++k)
      if (on_edge[k] && side(ear[k], ear[(k + 1) % 3], neighbor) <= 0) return false;
    return true;
  };
  return enters(previous_[other]) || enters(next_[other]);
}

void EarCutter::take_out(std::uint32_t i) {
  const std::uint32_t p = previous_[i], q = next_[i];
  remove(i);
  take_out_folds(p);
  take_out_folds(q);
}

/// Takes corner `i` out if it folds back, and each neighbor that then does. What is cut off has no
/// area, and no ear may be cut before: on which side of a spike the polygon lies could not be told.
void EarCutter::take_out_folds(std::uint32_t i) {
  while (!is_triangle() && is_left(i) && folds_back(i)) {
    const std::uint32_t p = previous_[i], q = next_[i];
    remove(i);
    i = folds_back(p) ? p : q;
  }
}

void EarCutter::remove(std::uint32_t i) {
  emit(i);
  const std::uint32_t p = previous_[i], q = next_[i];
  next_[p] = q;
  previous_[q] = p;
  next_[i] = i;
  left_ = q;
  tree_.set_active(i, false);
  for (const std::uint32_t changed : {p, q}) {
    tree_.set_active(changed, side(previous_[changed], changed, next_[changed]) <= 0);
    look_at(changed);
  }
}

void EarCutter::look_at(std::uint32_t i) {
  if (queued_[i]) return;
  queued_[i] = true;
  const std::size_t end = queue_begin_ + queue_size_++;
  queue_[end < queue_.size() ? end : end - queue_.size()] = i;
}

void EarCutter::emit(std::uint32_t i) {
  triangles_[made_++] = {corners_[previous_[i]], corners_[i], corners_[next_[i]]};
}

}  // namespace plimsoll
