#include "cull/scan_visibility.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cull/triangle_box.h"

namespace plimsoll {
namespace {

// What else takes time, in pixels that are looked at.
constexpr double kOfTriangle = 64, kOfRow = 16, kOfCleared = 0.25;

// What rounding moves a corner by is 2^-52 of the number of pixels, below 2^14.
constexpr double kTouch = 0x1p-30;  // [pixels]

/// The part of a triangle between two lines y = low and y = high: its extent along x.
struct Slab {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void extend(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

Slab slab_of(const std::array<Vec3, 3>& corner, double low, double high) {
  Slab slab;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &p = corner[i], &q = corner[(i + 1) % 3];
    if (p.y() >= low && p.y() <= high) slab.extend(p.x());
    for (const double y : {low, high})
      if ((p.y() < y) != (q.y() < y)) {
        const double x = p.x() + (q.x() - p.x()) * ((y - p.y()) / (q.y() - p.y()));
        slab.extend(std::clamp(x, std::min(p.x(), q.x()), std::max(p.x(), q.x())));
      }
  }
  return slab;
}

/// Bounds of the depth of a triangle over a pixel. Rounding them to floats keeps their order, and
/// depths that become equal are taken to meet.
class DepthBounds {
 public:
  explicit DepthBounds(const std::array<Vec3, 3>& corner) : origin_(corner[0]) {
    low_ = std::min({corner[0].z(), corner[1].z(), corner[2].z()});
    high_ = std::max({corner[0].z(), corner[1].z(), corner[2].z()});
    const Vec3 u = corner[1] - corner[0], v = corner[2] - corner[0];
    const Vec3 normal = u.cross(v);
    // Nearer to an edge-on view rounding leaves nothing of the slope.
    constexpr double kSteepest = 0x1p-30;
    has_plane_ = std::fabs(normal.z()) > kSteepest * u.norm() * v.norm();
    if (!has_plane_) return;
    slope_[0] = -normal.x() / normal.z();
    slope_[1] = -normal.y() / normal.z();
    // Products of sides are rounded by 2^-52 each, so a slope g by less than 2^-21 (1 + |g|).
    const double steepness = std::fabs(slope_[0]) + std::fabs(slope_[1]);
    const double size = u.cwiseAbs().maxCoeff() + v.cwiseAbs().maxCoeff() + 2;
    room_ = steepness / 2 + 0x1p-19 * (1 + steepness) * size;
  }

  [[nodiscard]] float nearest(double x, double y) const {
    const double depth = has_plane_ ? std::max(low_, plane(x, y) - room_) : low_;
    return static_cast<float>(depth - kTouch);
  }
  [[nodiscard]] float farthest(double x, double y) const {
    const double depth = has_plane_ ? std::min(high_, plane(x, y) + room_) : high_;
    return static_cast<float>(depth + kTouch);
  }

 private:
  [[nodiscard]] double plane(double x, double y) const {
    return origin_.z() + slope_[0] * (x - origin_.x()) + slope_[1] * (y - origin_.y());
  }

  Vec3 origin_;
  double low_, high_;
  bool has_plane_;
  double slope_[2] = {0, 0};
  double room_ = 0;
};

}  // namespace

void ScanVisibility::load(const CullScene& scene, std::span<const CullPart> parts,
                          const ViewVolume& volume, CullLevel) {
  scene_ = &scene;
  parts_.assign(parts.begin(), parts.end());
  volume_ = volume;
  is_hidden_.assign(parts.size(), 0);
}

void ScanVisibility::start_view(int axis, bool is_backward) {
  axis_ = axis;
  is_backward_ = is_backward;
  const auto side = static_cast<std::size_t>(volume_.pixels);
  pixels_ += kOfCleared * static_cast<double>(side * side);
  depths_.assign(side * side, std::numeric_limits<float>::infinity());
  std::fill(is_hidden_.begin(), is_hidden_.end(), 0);
}

/// Calls fragment(pixel, depth) for each pixel that is touched, until it returns true; returns
/// whether it did. The depth bounds the triangle's from below if `nearest`, else from above.
template <class Fragment>
bool ScanVisibility::rasterize(const Corners& corners, bool nearest, const Fragment& fragment) {
  pixels_ += kOfTriangle;
  const DepthBounds depths(corners);
  const auto pixel = [&](double x) {
    return std::clamp(static_cast<int>(std::floor(x)), 0, volume_.pixels - 1);
  };
  const auto [lowest, highest] = std::minmax({corners[0].y(), corners[1].y(), corners[2].y()});
  const int first_row = pixel(lowest - kTouch), last_row = pixel(highest + kTouch);
  for (int row = first_row; row <= last_row; ++row) {
    const Slab slab = slab_of(corners, row - kTouch, row + 1 + kTouch);
    if (!(slab.low <= slab.high)) continue;
    const int first = pixel(slab.low - kTouch), last = pixel(slab.high + kTouch);
    pixels_ += kOfRow + (last - first);
    for (int column = first; column <= last; ++column) {
      const double x = column + 0.5, y = row + 0.5;
      const auto place = static_cast<std::size_t>(row) * static_cast<std::size_t>(volume_.pixels) +
                         static_cast<std::size_t>(column);
      if (fragment(place, nearest ? depths.nearest(x, y) : depths.farthest(x, y))) return true;
    }
  }
  return false;
}

/// Calls use(corners) for what is drawn for each triangle, until it returns true.
template <class Use>
bool ScanVisibility::visit(const CullPart& part, const Use& use) const {
  const double scale = 1 / volume_.pixel(), middle = 0.5 * volume_.pixels;
  const double forward = is_backward_ ? -scale : scale;
  const auto in_view = [&](const Vec3& p) {
    return Vec3(p[(axis_ + 1) % 3] * scale + middle, p[(axis_ + 2) % 3] * scale + middle,
                p[axis_] * forward + middle);
  };
  for (std::size_t t = part.first; t < part.first + part.count; ++t) {
    const std::array<Vec3, 3> corners = from(volume_.center, scene_->corners[t]);
    if (volume_.radius == 0) {
      if (use(Corners{in_view(corners[0]), in_view(corners[1]), in_view(corners[2])})) return true;
      continue;
    }
    const std::array<Vec3, 8> box = corners_of(box_around(corners), volume_.radius);
    for (const Triangle& face : kBoxTriangles)
      if (use(Corners{in_view(box[face[0]]), in_view(box[face[1]]), in_view(box[face[2]])}))
        return true;
  }
  return false;
}

void ScanVisibility::ask(std::size_t part) {
  if (is_exhausted()) return;
  const bool is_hidden = visit(parts_[part], [&](const Corners& corners) {
    return rasterize(corners, false,
                     [&](std::size_t pixel, float depth) { return depth >= depths_[pixel]; });
  });
  is_hidden_[part] = is_hidden ? 1 : 0;
}

void ScanVisibility::draw(std::size_t first, std::size_t count) {
  for (std::size_t part = first; part < first + count && !is_exhausted(); ++part)
    visit(parts_[part], [&](const Corners& corners) {
      return rasterize(corners, true, [&](std::size_t pixel, float depth) {
        depths_[pixel] = std::min(depths_[pixel], depth);
        return false;
      });
    });
}

}  // namespace plimsoll
