#include "picture/scene_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "picture/overlap_drawing.h"
#include "picture/picture_scale.h"

namespace plimsoll::picture {
namespace {

constexpr Color kSky{236, 240, 243};
constexpr Color kShallow{120, 180, 205};
constexpr Color kDeep{22, 72, 110};
constexpr Color kFoam{205, 228, 238};
constexpr int kOversampling = 2;

Color lit(Color color, double light) {
  const auto channel = [&](std::uint8_t c) {
    return static_cast<std::uint8_t>(std::clamp(c * light, 0.0, 255.0));
  };
  return {channel(color.red), channel(color.green), channel(color.blue)};
}

const Vec3& sun() {
  static const Vec3 direction = Vec3(-0.45, -0.35, 1).normalized();
  return direction;
}

void draw_body(Canvas& canvas, const ParallelView& view, const ColoredBody& body) {
  std::vector<Vec3> seen;
  seen.reserve(body.mesh->vertices.size());
  for (const Vec3& v : body.mesh->vertices) seen.push_back(view(body.world_from_mesh * v));
  for (const Triangle& t : body.mesh->triangles) {
    const std::array<Vec3, 3> p{seen[t[0]], seen[t[1]], seen[t[2]]};
    // Seen coordinates have y down, so that what faces the eye runs clockwise.
    Vec3 normal = (p[2] - p[0]).cross(p[1] - p[0]);
    const double length = normal.norm();
    if (!(length > 0)) continue;
    normal[1] = -normal[1];
    const double facing = sun().dot(view.turn.transpose() * normal) / length;
    const Color color = lit(body.color, 0.62 + 0.38 * facing);
    canvas.triangle(p, color);
  }
}

class Water {
 public:
  Water(const SurfaceNow& surface, const ParallelView& view, double width)
      : surface_(surface),
        view_(view),
        eye_(view.turn.transpose() * Vec3::UnitZ()),
        clear_(width / view.scale / 25),
        line_(round_length(width / view.scale / 10)) {}

  /// Over what is seen at a pixel.
  void cover(Canvas& canvas, int x, int y) const {
    const Vec3 at = meet(x + 0.5, y + 0.5);
    const double near = view_(at)[2], body = canvas.depth(x, y);
    if (!(near > body)) return;
    const double thickness = (near - body) / view_.scale;
    const Vec2 slope = surface_.slope(at[0], at[1]);
    const Vec3 normal = Vec3(-slope[0], -slope[1], 1).normalized();
    const double bright = 0.25 + 0.5 * normal.dot(sun());
    Color water = mixed(kDeep, kShallow, std::clamp(bright, 0.0, 1.0));
    if (is_on_line(at)) water = mixed(water, kFoam, 0.25);
    const double cover = 1 - 0.75 * std::exp(-thickness / clear_);
    Color& color = canvas.color(x, y);
    color = mixed(color, water, cover);
  }

 private:
  /// Newton's method along the line of sight, whose points rise by eye_z for each unit.
  Vec3 meet(double x, double y) const {
    Vec3 p = view_.back({x, y, 0});
    p += (surface_.mean_height() - p[2]) / eye_[2] * eye_;
    if (surface_.is_plane()) return p;
    for (int step = 0; step < 6; ++step) {
      const Vec2 slope = surface_.slope(p[0], p[1]);
      const double rise = std::max(eye_[2] - slope.dot(eye_.head<2>()), 0.2 * eye_[2]);
      p += (surface_.height(p[0], p[1]) - p[2]) / rise * eye_;
    }
    return p;
  }

  bool is_on_line(const Vec3& p) const {
    const auto off = [&](double x) { return std::fabs(x - line_ * std::round(x / line_)); };
    return std::min(off(p[0]), off(p[1])) * view_.scale < kOversampling;
  }

  const SurfaceNow& surface_;
  const ParallelView& view_;
  Vec3 eye_;
  double clear_;  // through so much water a third is still seen [m]
  double line_;
};

}  // namespace

ParallelView scene_view(std::span<const Vec3> points, PixelSize size) {
  constexpr double kElevation = 28, kTurn = 20, kRoom = 1.15;
  ParallelView view = view_from(kElevation, kTurn);
  Box3 seen;
  for (const Vec3& p : points) seen.extend(Vec3(view.turn * p));
  view.middle = view.turn.transpose() * seen.center();
  view.center_x = size.width / 2.0;
  view.center_y = size.height / 2.0;
  const Vec3 extent = kRoom * seen.sizes();
  view.scale = std::min(size.width / extent[0], size.height / extent[1]);
  return view;
}

Picture draw_scene(std::span<const ColoredBody> bodies, const SurfaceNow* surface,
                   const ParallelView& view, PixelSize size) {
  ParallelView fine = view;
  fine.scale *= kOversampling;
  fine.center_x *= kOversampling;
  fine.center_y *= kOversampling;
  Canvas canvas(size, kOversampling, kSky);
  for (const ColoredBody& body : bodies) draw_body(canvas, fine, body);
  if (surface != nullptr) {
    const auto [width, height] = canvas.size();
    const Water water(*surface, fine, width);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) water.cover(canvas, x, y);
  }
  return canvas.picture();
}

void draw_contacts(Picture& picture, const ParallelView& view, const ContactMarks& marks,
                   double pixels) {
  constexpr Color kCrossing{215, 35, 25}, kPush{150, 30, 140};
  for (const auto& [from, to] : marks.crossings)
    stroke(picture, spot_of(view, from), spot_of(view, to), 2, kCrossing);
  for (const ContactMarks::Push& push : marks.pushes)
    draw_arrow(picture, view, push.at, push.force, pixels * push.force.norm(), kPush);
}

}  // namespace plimsoll::picture
