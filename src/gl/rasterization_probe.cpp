#include "gl/rasterization_probe.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/random.h"
#include "gl/context.h"

namespace plimsoll {
namespace {

// Views side by side in one image, one triangle in each.
constexpr int kView = 64, kViews = 16;  // pixels of one, and how many stand along a side
constexpr int kImage = kView * kViews;

/// Triangles in a cube of kView - 8 pixels: thin, steep, small, and of no area at all.
CullScene hard_triangles() {
  constexpr double kHalf = kView / 2 - 4;
  Random random(1);
  const auto within = [&](double half) {
    return Vec3(random.uniform(-half, half), random.uniform(-half, half),
                random.uniform(-half, half));
  };
  // Ten to the power of a number between.
  const auto between = [&](double low, double high) {
    return elementary::pow(10.0, random.uniform(low, high));
  };
  CullScene scene;
  for (std::uint32_t i = 0; i < kViews * kViews; ++i) {
    const Vec3 p = within(kHalf / 2), d = within(kHalf / 2);
    std::array<Vec3, 3> corners;
    switch (i % 8) {
      case 0:
        corners = {p, p + d, p + within(kHalf / 2)};
        break;
      case 1:
        corners = {p, p, p};
        break;
      case 2:
        corners = {p, p + d, p + d / 3};
        break;
      case 3:
        corners = {p, p + d, p + d / 2 + within(between(-6, -1))};
        break;
      case 4:
        corners = {p, p + within(between(-3, 0)), p + within(between(-3, 0))};
        break;
      // Nearly along the view: the faces of the box are as steep as they come.
      case 5:
        corners = {p, p + Vec3(between(-5, 0), 0, d.z()), p + Vec3(0, d.y(), 0)};
        break;
      case 6:
        corners = {p, p + Vec3(between(-5, 0), -between(-5, 0), d.z()), p + within(between(-3, 0))};
        break;
      // Corners in the middles and on the borders of pixels.
      default: {
        const auto round = [](const Vec3& x) -> Vec3 { return (x * 2).array().round() / 2; };
        corners = {round(p), round(p + d), round(p + within(kHalf / 2))};
      }
    }
    scene.bodies.push_back({i, i, 1});
    scene.corners.push_back(corners);
  }
  scene.body_count = scene.bodies.size();
  return scene;
}

/// The least and the greatest z of the part of a convex polygon in the square with the given lower
/// corner and side; nothing if it has no point there.
struct DepthRange {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};
std::optional<DepthRange> depths_in(std::vector<Vec3> polygon, double x, double y, double side) {
  std::vector<Vec3> cut;
  for (const auto& [axis, limit, sign] : {std::tuple{0, x, 1.0}, std::tuple{0, x + side, -1.0},
                                          std::tuple{1, y, 1.0}, std::tuple{1, y + side, -1.0}}) {
    cut.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const double at_p = sign * (p[axis] - limit), at_q = sign * (q[axis] - limit);
      if (at_p >= 0) cut.push_back(p);
      if ((at_p < 0) != (at_q < 0)) cut.push_back(p + (q - p) * (at_p / (at_p - at_q)));
    }
    polygon.swap(cut);
  }
  if (polygon.empty()) return std::nullopt;
  DepthRange range;
  for (const Vec3& p : polygon) {
    range.low = std::min(range.low, p.z());
    range.high = std::max(range.high, p.z());
  }
  return range;
}

/// Depths as drawn, from 0 to 1, row by row; where nothing was drawn, what the image was cleared
/// to.
using Depths = std::vector<float>;
Depths read_back() {
  Depths depths(std::size_t{kImage} * kImage);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, kImage, kImage, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
  return depths;
}

/// Whether depths bound those of the triangle in every pixel that it touches.
bool are_bounded(const std::array<Vec3, 3>& corners, std::size_t view, const ViewVolume& volume,
                 const Depths& near, const Depths& far) {
  const double pixel = volume.pixel();
  const auto column0 = kView * (view % kViews), row0 = kView * (view / kViews);
  for (std::size_t row = 0; row < kView; ++row)
    for (std::size_t column = 0; column < kView; ++column) {
      const std::optional<DepthRange> range = depths_in(
          {corners.begin(), corners.end()}, static_cast<double>(column) * pixel - volume.half_side,
          static_cast<double>(row) * pixel - volume.half_side, pixel);
      if (!range) continue;
      const std::size_t place = (row0 + row) * kImage + column0 + column;
      const auto depth = [&](float d) {
        return (2 * static_cast<double>(d) / kDepthRange - 1) * volume.half_side;
      };
      if (!(depth(near[place]) <= range->low && depth(far[place]) >= range->high)) return false;
    }
  return true;
}

/// Whether all of them are bounded, drawn by what that level draws, fattened so.
bool holds(const CullScene& scene, VisibilityImage& image, double fattening, CullLevel level) {
  const ViewVolume volume = view_volume(Vec3::Zero(), kView / 2, 0, kView, fattening);
  GlVisibility renderer(image, CullMethod::kFar, kImage, fattening);
  renderer.load(scene, scene.bodies, volume, level);
  const auto draw_all = [&](const auto& draw) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const auto view = static_cast<GLint>(i);
      glViewport(kView * (view % kViews), kView * (view / kViews), kView, kView);
      draw(i);
    }
    return read_back();
  };
  renderer.start_view(2, false);
  const Depths near = draw_all([&](std::size_t i) { renderer.draw(i, 1); });
  constexpr float kNearest = 0;
  glClearBufferfv(GL_DEPTH, 0, &kNearest);
  const Depths far = draw_all([&](std::size_t i) { renderer.draw_far_side(i); });
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (!are_bounded(scene.corners[i], i, volume, near, far)) return false;
  return true;
}

}  // namespace

Result<double> needed_fattening(VisibilityImage& image) {
  if (Result<void> bound = image.bind(kImage); !bound) return bound.error();
  const CullScene scene = hard_triangles();
  // How far a corner may be moved to where sub-pixels are [pixels].
  const double moved = std::sqrt(2.0) / std::ldexp(1, image.subpixel_bits() + 1);
  for (const double fattening : {1.0, 1.25, 1.5, 2.0, 3.0}) {
    const double room = fattening * std::sqrt(3.0) / 2 - std::sqrt(2.0) / 2;
    const bool is_enough = room > moved && holds(scene, image, fattening, CullLevel::kParts) &&
                           holds(scene, image, fattening, CullLevel::kTriangles);
    if (Result<void> drawn = gl::reported_error("culling"); !drawn) return drawn.error();
    if (is_enough) return fattening;
  }
  return Error{ErrorCode::kUnavailable,
               "this OpenGL moves fragments farther than three times what is usual: FAR would not "
               "be sure to find what touches",
               "culling"};
}

}  // namespace plimsoll
