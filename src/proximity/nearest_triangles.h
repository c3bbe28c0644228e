// The triangles of two bodies that are measured, and which of them are nearest.
#pragma once

#include <plimsoll/distance.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "pairs/triangle_pair.h"
#include "proximity/closest.h"
#include "proximity/nearest_point.h"
#include "proximity/posed_triangles.h"
#include "proximity/triangle_distance.h"

namespace plimsoll {

/// The triangles of both bodies, and the nearest pairs of those that were measured.
class NearestTriangles {
  /// Measures with bounds that hold. Slivers side by side may need 113 bits by the thousand, to be
  /// told from the nearest by less than these bounds may differ anyway.
  [[nodiscard]] auto measure_pair() {
    return [this](const TwoTriangles& pair) -> std::optional<MeasuredDistance> {
      const TripleCorners<double> a = triangles_.triangle(0, pair.place[0]);
      const TripleCorners<double> b = triangles_.triangle(1, pair.place[1]);
      const MeasuredDistance found = measured_in_doubles(a, b, nearest_points(a, b));
      if (is_sharp(found)) return found;
      if (wide_ >= kMaxWide && found.lower >= alike()) {
        leave_out(alike());
        return std::nullopt;
      }
      ++wide_;
      return measured_in_113_bits(a, b);
    };
  }

 public:
  NearestTriangles(const PosedBodies& bodies, PosedLeaves (&leaves)[2],
                   Closest<TwoTriangles>::Memory& kept)
      : triangles_(bodies, leaves), closest_(kept) {}

  [[nodiscard]] PosedTriangles& triangles() { return triangles_; }

  /// Bounds that differ by so much of the lower one suffice.
  void allow(double tolerance) {
    tolerance_ = tolerance;
    alike_share_ = std::min(kAlike, 1 / (1 + tolerance));
  }
  [[nodiscard]] bool has_tolerance() const { return tolerance_ > 0; }
  /// Surfaces farther apart than that do not matter [m].
  void limit(double farthest) {
    limit_ = triangles_.to_units(farthest);
    closest_.limit(limit_);
  }

  [[nodiscard]] SurfaceMeeting meeting() const { return meeting_; }
  /// Whether any were measured that are no farther apart than that.
  [[nodiscard]] bool has_any() const { return closest_.has_any(); }
  /// How far apart triangles may be that matter still [units].
  [[nodiscard]] double distance() const { return closest_.distance(); }

  /// All pairs of triangles of two leaves that may be nearer than those before, or meet. `n` is
  /// between nearly nearest points of them, of a length of about 1, or 0.
  void measure(std::uint32_t a_leaf, std::uint32_t b_leaf, const Triple<double>& n) {
    triangles_.visit_near(
        a_leaf, b_leaf,
        [&](const PosedLeaf& a, const PosedLeaf& b) {
          LeafTriangles pairs = near_pairs(a, b, n, distance());
          if (pairs.near != 0 && closest_.found()) leave_alike_out(a, b, pairs);
          return pairs;
        },
        [&](const TwoTriangles& pair, const PosedTriangles::Measured& measured) {
          if (measured.may_meet) find_meeting(pair);
          if (meeting_ == SurfaceMeeting::kApart)
            closest_.offer(pair, measured.squared, measured.a, measured.b_corners(),
                           measure_pair());
        });
  }

  /// The leaves of an answer before, if the trees have them.
  void measure(const SurfaceDistance::Points& last) {
    if (triangles_.has_leaf(0, last.on_a.leaf) && triangles_.has_leaf(1, last.on_b.leaf))
      measure(last.on_a.leaf, last.on_b.leaf, {0, 0, 0});
  }

  /// Pairs that were not measured are no nearer than that [units].
  void leave_out(double distance) { left_out_ = std::min(left_out_, distance); }
  /// Whether pairs that are no nearer than that can be nearer than what was measured by no more
  /// than the rounding of that, or than is asked [units]. It is remembered.
  [[nodiscard]] bool is_near_enough(double least) {
    if (!has_any() || !(least > 0 && least >= alike_share_ * distance())) return false;
    leave_out(least);
    return true;
  }
  /// Whether parts that are no nearer than that need not be looked at [units]. Where they may be
  /// among the nearest, it is remembered.
  [[nodiscard]] bool leaves_out(double gap) {
    if (gap > distance()) return true;
    if (!(gap > 0 && gap >= enough())) return false;
    leave_out(std::min(gap, alike()));
    return true;
  }
  /// From how far on that is so [units].
  [[nodiscard]] double enough() const {
    double least = distance();
    if (tolerance_ > 0 && has_any()) least /= 1 + tolerance_;
    return std::min(least, alike());
  }

  [[nodiscard]] SurfaceDistance result() {
    SurfaceDistance found;
    found.meeting = meeting_;
    if (meeting_ == SurfaceMeeting::kCrosses) {
      found.distance = found.lower = found.upper = 0;
      return found;
    }
    closest_.settle(measure_pair());
    const std::optional<MeasuredDistance>& closest = closest_.found();
    const auto meters = [&](double x) { return triangles_.to_meters(x); };
    if (meeting_ == SurfaceMeeting::kTouches) {
      found.distance = found.lower = found.upper = 0;
    } else if (closest && closest->distance <= limit_) {
      found.distance = meters(closest->distance);
      found.lower = meters(std::min({closest_.lower(), left_out_, closest->distance}));
      found.upper = meters(closest->upper);
    } else {
      found.lower = meters(std::min({limit_, closest_.lower(), left_out_}));
      return found;
    }
    found.nearest = points();
    return found;
  }

 private:
  /// Faces that are flat and parallel have as many nearest pairs as triangles. Where many pairs
  /// were measured, and one of them is an answer, those are left out that along the normal of the
  /// nearest are no nearer than it, but for what its bounds may differ.
  void leave_alike_out(const PosedLeaf& a, const PosedLeaf& b, LeafTriangles& pairs) {
    const double enough = alike();
    if (enough == kNever) return;
    const unsigned near = near_pairs(a, b, closest_.found()->normal, enough).near;
    if ((pairs.near & ~near) != 0) leave_out(enough);
    pairs.near &= near;
  }

  /// From what distance on pairs are as near as the nearest, but for what its bounds may differ;
  /// kNever where none was measured with bounds.
  [[nodiscard]] double alike() const {
    if (!closest_.found()) return kNever;
    const MeasuredDistance& nearest = *closest_.found();
    const double least = closest_.lower() - nearest.sharpness;
    return least > 0 && nearest.distance <= limit_ ? least : kNever;
  }

  void find_meeting(const TwoTriangles& pair) {
    const Meeting meeting =
        meeting_of(triangles_.corners(0, pair.place[0]), triangles_.corners(1, pair.place[1]));
    if (meeting == Meeting::kCrosses) meeting_ = SurfaceMeeting::kCrosses;
    if (meeting != Meeting::kTouch || meeting_ != SurfaceMeeting::kApart) return;
    meeting_ = SurfaceMeeting::kTouches;
    closest_.set(pair, measure_pair());
  }

  [[nodiscard]] SurfaceDistance::Points points() {
    const auto point = [&](int side, const Triple<double>& weights) {
      const TrianglePlace& place = closest_.pair().place[side];
      NearestPoint at = nearest_point(triangles_.triangle(side, place), weights);
      for (double& x : at.at) x = triangles_.to_meters(x);
      at.triangle = triangles_.number(side, place);
      at.leaf = place.leaf;
      return at;
    };
    return {point(0, closest_.found()->nearest.on_a), point(1, closest_.found()->nearest.on_b)};
  }

  static constexpr std::size_t kMaxWide = 1024;  // pairs in 113 bits
  static constexpr double kAlike = 1 - 0x1p-44;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  PosedTriangles triangles_;
  Closest<TwoTriangles> closest_;
  double limit_ = kNever, left_out_ = kNever;  // [units]
  std::size_t wide_ = 0;                       // pairs that were measured in 113 bits
  double tolerance_ = 0, alike_share_ = kAlike;
  SurfaceMeeting meeting_ = SurfaceMeeting::kApart;
};

}  // namespace plimsoll
