#include "picture/body_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "picture/strokes.h"

namespace plimsoll::picture {
namespace {

constexpr int kOversampling = 2;
constexpr float kNowhere = -std::numeric_limits<float>::infinity();

/// How a triangle is seen.
struct SeenTriangle {
  std::array<Vec3, 3> corners;
  bool is_inside = false;  // its inner side
  bool is_line = false;    // it has no area
  double bright = 1;
};

SeenTriangle seen_triangle(const DrawnSurface& surface, std::size_t number,
                           const ParallelView& view) {
  const Vec3 light = Vec3(-0.4, -0.7, 1).normalized();
  const Vec3 eye = view.turn.transpose() * Vec3::UnitZ();
  std::array<Vec3, 3> p;
  for (std::size_t k = 0; k < 3; ++k)
    p[k] = surface.world_from_mesh * surface.mesh->vertices[surface.mesh->triangles[number][k]];
  const Vec3 along = (p[1] - p[0]).stableNormalized(), across = (p[2] - p[0]).stableNormalized();
  const Vec3 normal = along.cross(across).stableNormalized();
  return {{view(p[0]), view(p[1]), view(p[2])},
          (normal.dot(eye) < 0) != surface.is_inverted,
          normal.isZero(0),
          0.58 + 0.42 * std::fabs(light.dot(normal))};
}

/// Whether a triangle is so large that its edges are told from its face.
bool is_large(const std::array<Vec3, 3>& corners) {
  constexpr double kLarge = 30;  // fine pixels
  Box3 box;
  for (const Vec3& corner : corners) box.extend(corner);
  return box.sizes().head<2>().minCoeff() > kLarge;
}

/// Calls take(x, y, z) for the pixels of a line two pixels wide.
template <class Take>
void for_each_pixel_of_line(const Vec3& a, const Vec3& b, PixelSize size, const Take& take) {
  const double longest = 4.0 * (size.width + size.height);
  const int steps = 1 + static_cast<int>(std::min((b - a).head<2>().norm(), longest));
  for (int i = 0; i <= steps; ++i) {
    const Vec3 p = a + (b - a) * (static_cast<double>(i) / steps);
    const int x = static_cast<int>(std::floor(p.x())), y = static_cast<int>(std::floor(p.y()));
    for (const auto& [u, v] : {std::pair(x, y), {x - 1, y}, {x, y - 1}, {x - 1, y - 1}})
      if (u >= 0 && v >= 0 && u < size.width && v < size.height) take(u, v, p.z());
  }
}

}  // namespace

Color body_color(std::size_t number) {
  constexpr std::array<Color, 6> kColors{{{222, 190, 138},
                                          {150, 178, 120},
                                          {168, 160, 200},
                                          {200, 204, 208},
                                          {118, 176, 180},
                                          {196, 160, 110}}};
  return kColors[number % kColors.size()];
}

void extend(Box3& turned, const ParallelView& view, const DrawnSurface& surface) {
  for (const Triangle& t : surface.mesh->triangles)
    for (const std::uint32_t v : t)
      turned.extend(Vec3(view.turn * (surface.world_from_mesh * surface.mesh->vertices[v])));
}

void fit(ParallelView& view, const Box3& turned, const Rectangle& frame, double room) {
  view.middle = view.turn.transpose() * turned.center();
  view.center_x = frame.middle().x;
  view.center_y = frame.middle().y;
  view.scale = std::min((frame.width - room) / std::max(turned.sizes()[0], 1e-300),
                        (frame.height - room) / std::max(turned.sizes()[1], 1e-300));
}

BodyDrawing::BodyDrawing(PixelSize size, const ParallelView& view, bool with_ghosts)
    : view_(view),
      fine_(view),
      size_{kOversampling * size.width, kOversampling * size.height},
      front_(index(0, size_.height), {kNowhere, 0, kPaper}) {
  fine_.scale *= kOversampling;
  fine_.center_x *= kOversampling;
  fine_.center_y *= kOversampling;
  if (with_ghosts) behind_ = front_;
}

void BodyDrawing::take(std::size_t pixel, const Sample& sample) {
  Sample& front = front_[pixel];
  const bool is_front = sample.depth > front.depth;
  if (!behind_.empty() && sample.body != front.body) {
    // What was in front is the nearest of all other bodies than the new one in front.
    Sample& behind = behind_[pixel];
    if (is_front)
      behind = front;
    else if (sample.depth > behind.depth)
      behind = sample;
  }
  if (is_front) front = sample;
}

void BodyDrawing::draw(const DrawnSurface& surface) {
  const std::uint32_t body = ++bodies_;  // 0 is that of the paper
  for (std::size_t number = 0; number < surface.mesh->triangles.size(); ++number) {
    const SeenTriangle seen = seen_triangle(surface, number, fine_);
    const Color tone =
        mixed({0, 0, 0}, seen.is_inside ? surface.inside : surface.color, seen.bright);
    for_each_pixel(seen.corners, size_, [&](int x, int y, double z, double, double, double) {
      take(index(x, y), {static_cast<float>(z), body, tone});
    });
    if (!seen.is_line) continue;
    for (std::size_t k = 0; k < 3; ++k)
      for_each_pixel_of_line(
          seen.corners[k], seen.corners[(k + 1) % 3], size_,
          [&](int x, int y, double z) { take(index(x, y), {static_cast<float>(z), body, tone}); });
  }
}

void BodyDrawing::mark(const DrawnSurface& surface, std::span<const std::uint32_t> triangles,
                       Color color) {
  if (marks_.empty()) marks_.assign(front_.size(), {kNowhere, 0, kPaper});
  for (const std::uint32_t number : triangles) {
    const SeenTriangle seen = seen_triangle(surface, number, fine_);
    const Color tone = mixed({0, 0, 0}, color, seen.bright);
    for_each_pixel(seen.corners, size_, [&](int x, int y, double z, double, double, double) {
      Sample& mark = marks_[index(x, y)];
      if (static_cast<float>(z) > mark.depth) mark = {static_cast<float>(z), 0, tone};
    });
    const Color edge = mixed({0, 0, 0}, tone, is_large(seen.corners) ? 0.5 : 1);
    for (std::size_t k = 0; k < 3; ++k) mark_edge(seen.corners[k], seen.corners[(k + 1) % 3], edge);
  }
}

/// A little before the triangle that it borders.
void BodyDrawing::mark_edge(const Vec3& a, const Vec3& b, Color color) {
  constexpr double kBefore = 1;
  for_each_pixel_of_line(a, b, size_, [&](int x, int y, double z) {
    const auto depth = static_cast<float>(z + kBefore);
    Sample& mark = marks_[index(x, y)];
    if (depth > mark.depth) mark = {depth, 0, color};
  });
}

bool BodyDrawing::is_mark_seen(std::size_t pixel) const {
  constexpr float kNear = 0.5F;  // pixels, for rounding
  return marks_[pixel].depth >= front_[pixel].depth - kNear;
}

Picture BodyDrawing::picture(double ghost) const {
  constexpr double kHidden = 0.5;  // how strong marks are that are hidden
  const PixelSize size{size_.width / kOversampling, size_.height / kOversampling};
  return averaged(size, kOversampling, [&](int x, int y) {
    const std::size_t pixel = index(x, y);
    Color color = front_[pixel].color;
    if (!behind_.empty() && behind_[pixel].depth > kNowhere)
      color = mixed(color, behind_[pixel].color, ghost);
    if (!marks_.empty() && marks_[pixel].depth > kNowhere)
      color = mixed(color, marks_[pixel].color, is_mark_seen(pixel) ? 1 : kHidden);
    return color;
  });
}

bool BodyDrawing::is_seen(const Vec3& p) const {
  const Vec3 at = fine_(p);
  const int x = static_cast<int>(std::floor(at.x())), y = static_cast<int>(std::floor(at.y()));
  if (x < 0 || y < 0 || x >= size_.width || y >= size_.height) return true;
  constexpr double kNear = 6;  // pixels behind the surface that a line on it may be
  return at.z() >= front_[index(x, y)].depth - kNear;
}

double BodyDrawing::seen_marks() const {
  std::size_t count = 0;
  for (std::size_t pixel = 0; pixel < marks_.size(); ++pixel)
    if (marks_[pixel].depth > kNowhere && is_mark_seen(pixel)) ++count;
  return static_cast<double>(count) / (kOversampling * kOversampling);
}

void BodyDrawing::line(Picture& picture, const Vec3& a, const Vec3& b, double width,
                       Color color) const {
  const double pixels = (view_(b) - view_(a)).head<2>().norm();
  const int steps = std::max(1, static_cast<int>(std::ceil(pixels / 2)));
  const auto at = [&](int i) { return Vec3(a + (b - a) * (static_cast<double>(i) / steps)); };
  for (int begin = 0; begin < steps;) {
    const bool seen = is_seen(at(begin));
    int end = begin + 1;
    while (end < steps && is_seen(at(end)) == seen) ++end;
    const Spot from = spot_of(view_, at(begin)), to = spot_of(view_, at(end));
    if (seen)
      stroke(picture, from, to, width, color);
    else
      dashes(picture, from, to, 0.7 * width, 6, color);
    begin = end;
  }
}

}  // namespace plimsoll::picture
