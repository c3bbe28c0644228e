#include "contact/pressure_depth.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr double kSame = 1e-10;  // of the depth at the column's foot
constexpr double kFarther = 2;   // than the last height: planes tell no more than that
constexpr int kMostHeights = 32;

/// Where a column meets a face that it does not begin at: at the height h at which it is h from the
/// face's plane.
struct Meeting {
  bool is_on_face = false;  // its nearest point is
  double height = 0;
  Vec3 gradient = Vec3::Zero();  // of the height, over the plane that the column stands on
};
Meeting meeting(const NearestFace& face, double height, const Vec3& outward) {
  // The distance from the plane falls by `closing` where the height grows by 1.
  const double closing = face.inward.dot(outward), both = 1 + closing;
  if (!face.is_below || !(both > kSame)) return {};
  return {true, (face.depth + height * closing) / both, face.inward / both};
}

}  // namespace

// The depth below the other surface less the height falls along the column, by 2 at most for
// each 1. So does that below the own surface, which is 0 as long as no other part is nearer. Where
// the lesser depth d is below the height t, the end is no higher than (d + t) / 2; else it is not
// below t.
LocalDepth PressureDepth::column(const Vec3& x, const Vec3& outward) {
  // Parts of the own surface move along with the point.
  const auto ended = [](double height, const Meeting& end, bool is_own) {
    const Vec3 gradient = 2 * end.gradient;
    return LocalDepth{2 * height, gradient, end.is_on_face, is_own ? Vec3(Vec3::Zero()) : gradient};
  };
  const NearestFace first = other_.face_at(x);
  const double same = kSame * first.depth + own_.rounding() + other_.rounding();
  double low = 0, high = std::numeric_limits<double>::infinity();
  Meeting end = meeting(first, 0, outward);
  bool is_own = false;  // of the face that is met
  const auto is_near = [&](double from) { return end.height <= kFarther * (from + first.depth); };
  double height = end.is_on_face && is_near(0) ? end.height : first.depth;
  for (int k = 0; k < kMostHeights && height > same; ++k) {
    const Vec3 y = x - height * outward;
    const NearestFace in_other = other_.face_at(y), in_own = own_.face_at(y);
    if (std::min(in_other.depth, in_own.depth) >= height - same) {
      if (in_other.depth <= height + same)
        return ended(height, meeting(in_other, height, outward), false);
      if (is_own) return ended(height, end, true);
      low = height;
      is_own = false;
      end = meeting(in_other, height, outward);
    } else {
      is_own = in_own.depth < in_other.depth;
      const NearestFace& nearest = is_own ? in_own : in_other;
      high = (nearest.depth + height) / 2;
      end = meeting(nearest, height, outward);
    }
    if (high - low <= same) return ended(high, {}, is_own);
    const bool is_met = end.is_on_face && end.height > low && end.height <= high && is_near(height);
    is_own = is_own && is_met;
    if (is_met)
      height = end.height;
    else if (!std::isfinite(high))
      height *= kFarther;
    else
      height = high - low < (height - low) / kFarther ? high : (low + high) / 2;
  }
  return ended(std::isfinite(high) ? high : low, {}, is_own);
}

LocalDepth PressureDepth::near(const Vec3& x, const Vec3& outward) {
  if (has_columns()) return column(x, outward);
  const NearestFace face = other_.face_at(x);
  return {face.depth, face.inward, face.is_below, face.inward};
}

double PressureDepth::at(const Vec3& x, const Vec3& outward) {
  return has_columns() ? column(x, outward).depth : other_.at(x);
}

double PressureDepth::bend(const Vec3& x, const Vec3& outward, const Vec3& beyond) {
  constexpr double kSharp = 0.25;
  const NearestFace face = own_.face_at(x);
  const double bend = -face.inward.dot(beyond) / (1 - face.inward.dot(outward));
  return face.is_below && std::fabs(bend) < kSharp ? bend : 0;
}

}  // namespace plimsoll
