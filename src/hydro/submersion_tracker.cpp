// When to capture a band about the waterline, and how wide.
//
// A plane n . x = l that becomes n' . x = l' moves over the point x of the body by (n' - n) . x -
// (l' - l), and over the box of half sizes a about c by at most |(n' - n) . c - (l' - l)| + sum
// |n'_i - n_i| a_i. As long as this is within the band's margin m, the band answers.
//
// Every answer costs as much more as the band is wider, w m, and a band that costs C lasts for m /
// s answers if the plane moves by s from one to the next: w m + C s / m is least for m = sqrt(C s /
// w), and as C and w e, e the size of a triangle, both grow with the square root of their number, m
// is a multiple of sqrt(s e). The multiple is the best of six tried on scans of 75,000 and
// 1,000,000 triangles, and the fastest pace that of five, beyond which capturing costs more than
// the tree.
#include <plimsoll/submersion_tracker.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "hydro/water_plane.h"
#include "hydro/waterline_band.h"

namespace plimsoll {
namespace {

constexpr double kMargin = 5.5;      ///< sqrt(C / (w e))
constexpr double kFastest = 0.1;     ///< Triangles per question beyond which the tree is faster.
constexpr double kLeast = 0.05;      ///< For water that has stood still.
constexpr double kForgotten = 0.95;  ///< What a question leaves of the pace of those before.
constexpr double kLeastCrowd = 512;  ///< Triangles in a band that are few, whatever is cut.

/// Whether a band can be faster than clipping all of the body: measured, the two meet at some 40
/// triangles.
bool is_followed(const TriangleTree& tree) { return tree.triangles > 48; }

/// A box in units of the tree's frame, relative to its center.
struct Reach {
  Vec3 center = Vec3::Zero(), half = Vec3::Zero();
};

}  // namespace

struct SubmersionTracker::State {
  struct Plane {
    Vec3 unit;
    double level;
  };

  /// How far the plane has moved over the box.
  [[nodiscard]] double moved(const Plane& from, const ClipPlane& to) const {
    const Vec3 turned = to.unit - from.unit;
    return std::fabs(turned.dot(reach.center) - (to.level - from.level)) +
           turned.cwiseAbs().dot(reach.half);
  }

  /// Whether the band can answer, which this captures anew where that is worthwhile.
  bool follow(const MomentTree& tree, const ClipPlane& plane) {
    const double room = 1e-12 * reach.half.sum();  // what rounding may have hidden
    const bool is_first = !last;
    if (!is_first) pace = std::max(kForgotten * pace, moved(*last, plane));
    last = {plane.unit, plane.level};
    if (captured) {
      offset = moved(*captured, plane) + room;
      if (offset <= margin) return true;
    }
    const double in_triangles = pace / triangle;
    if (is_first || !(in_triangles <= kFastest)) return false;
    captured.reset();
    margin = triangle * std::max(kLeast, kMargin * std::sqrt(in_triangles));
    capture(tree, plane, margin, band);
    if (shrink_triangle()) return false;
    captured = last;
    offset = room;
    return true;
  }

  /// Where the triangles near the waterline are much smaller than the box's surface tells, the band
  /// holds many for each that is cut: takes their size instead, and tells that it did.
  bool shrink_triangle() {
    constexpr double kCrowded = 12;  // for each that is cut; on scans at most 5
    constexpr double kEnough = 4;    // beside which the fastest pace's margin is right
    const auto cut = static_cast<double>(
        1 + std::count_if(band.found.begin(), band.found.end(),
                          [](const WaterlineBand::Found& found) { return found.clearance < 0; }));
    const auto all = static_cast<double>(band.found.size());
    if (all <= kLeastCrowd + kCrowded * cut) return false;
    triangle *= kEnough * cut / all;
    return true;
  }

  Reach reach;
  double triangle = 0;  ///< The side of a square as large as a triangle [units of the frame]: by
                        ///< the box's surface, or by what bands were found to hold.
  std::optional<Plane> last;
  double pace = 0;  ///< How far the plane has moved lately from question to question.
  std::optional<Plane> captured;
  double margin = 0;
  double offset = 0;  ///< How far the plane is from the captured one.
  WaterlineBand band;
};

SubmersionTracker::SubmersionTracker(SolidTree tree)
    : tree_(std::move(tree)), state_(std::make_unique<State>()) {
  const TriangleTree& nodes = *tree_.tree_->triangles;
  if (!is_followed(nodes)) return;
  const Vec3 low = nodes.frame.from_center(nodes.box.min());
  const Vec3 high = nodes.frame.from_center(nodes.box.max());
  state_->reach = {low / 2 + high / 2, high / 2 - low / 2};
  const Vec3& a = state_->reach.half;
  const double surface = 8 * (a[0] * a[1] + a[1] * a[2] + a[2] * a[0]);
  state_->triangle = std::sqrt(surface / static_cast<double>(nodes.triangles));
}
SubmersionTracker::SubmersionTracker(const SubmersionTracker& other)
    : tree_(other.tree_), state_(std::make_unique<State>(*other.state_)) {}
SubmersionTracker& SubmersionTracker::operator=(const SubmersionTracker& other) {
  return *this = SubmersionTracker(other);
}
SubmersionTracker::SubmersionTracker(SubmersionTracker&&) noexcept = default;
SubmersionTracker& SubmersionTracker::operator=(SubmersionTracker&&) noexcept = default;
SubmersionTracker::~SubmersionTracker() = default;

Submersion SubmersionTracker::submersion(const WaterPlane& water, const SubmersionParts& parts) {
  if (!is_plane(water)) return unknown_submersion();
  if (!is_followed(*tree_.tree_->triangles)) return tree_.submersion(water, parts);
  const MomentTree& tree = *tree_.tree_;
  const ClipPlane plane = clip_plane(water, tree.triangles->frame);
  if (state_->follow(tree, plane)) {
    TreeTotals totals;
    sum_band(state_->band, plane, state_->offset, parts.wetted_area, parts.waterplane, totals);
    const Submersion wet = submersion_of(tree, plane, parts, totals);
    if (wet.volume > wet.volume_error) return wet;
  }
  return tree_.submersion(water, parts);  // also of what may be dry: it tells exactly
}

}  // namespace plimsoll
