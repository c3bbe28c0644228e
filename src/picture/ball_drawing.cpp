#include "picture/ball_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll::picture {
namespace {

constexpr int kOversampling = 2;

/// From the left and above the eye.
Vec3 light() { return Vec3(-0.45, 0.6, 0.66).normalized(); }

/// Darker where it looks away from the light, and at its border, which tells balls apart.
Color lit(Color color, const Vec3& normal) {
  const double from_light = std::max(0.0, normal.dot(light()));
  const double bright = (0.6 + 0.4 * from_light) * (0.65 + 0.35 * std::max(0.0, normal.z()));
  const double shine = 0.35 * std::pow(from_light, 24);
  return mixed(mixed({0, 0, 0}, color, std::min(1.0, 1.12 * bright)), {255, 255, 255}, shine);
}

/// The more of a veil the steeper it is seen.
float veil_share(const Vec3& normal) {
  constexpr double kFacing = 0.10, kSteep = 0.75;
  const double steep = 1 - normal.z();
  return static_cast<float>(kFacing + kSteep * steep * steep * steep);
}

ParallelView finer(ParallelView view) {
  view.scale *= kOversampling;
  view.center_x *= kOversampling;
  view.center_y *= kOversampling;
  return view;
}

}  // namespace

BallDrawing::BallDrawing(PixelSize size, const ParallelView& view,
                         const std::optional<HalfSpace>& shown)
    : view_(finer(view)),
      size_{kOversampling * size.width, kOversampling * size.height},
      balls_(index(0, size_.height)),
      outlines_(balls_.size()) {
  if (!shown) return;
  // p = middle + turn^T q / scale, and q = (x - center_x, center_y - y, z).
  const Vec3 g = view_.turn * shown->normal / view_.scale;
  shown_.normal = {g.x(), -g.y(), g.z()};
  shown_.offset = shown->offset - shown->normal.dot(view_.middle) + g.x() * view_.center_x -
                  g.y() * view_.center_y;
}

/// Calls take(pixel, depth, normal) where the ball's front is seen, or what is cut of it.
template <class Take>
void BallDrawing::for_each_of(const PlacedSphere& ball, const Take& take) const {
  const Vec3 center = view_(ball.center);
  const Vec3 cut_normal =
      -Vec3(shown_.normal.x(), -shown_.normal.y(), shown_.normal.z()).stableNormalized();
  // Balls that are smaller than a pixel are seen as one.
  const double radius = std::max(0.7, view_.scale * ball.radius);
  const auto within = [](double x, int count) {
    return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(count)));
  };
  const int x_end = within(std::ceil(center.x() + radius), size_.width);
  const int y_end = within(std::ceil(center.y() + radius), size_.height);
  for (int y = within(std::floor(center.y() - radius), size_.height); y < y_end; ++y)
    for (int x = within(std::floor(center.x() - radius), size_.width); x < x_end; ++x) {
      const double u = (x + 0.5 - center.x()) / radius, v = (center.y() - y - 0.5) / radius;
      const double rest = 1 - u * u - v * v;
      if (rest < 0) continue;
      const Vec3 normal(u, v, std::sqrt(rest));
      const double front = center.z() + radius * normal.z(), back = 2 * center.z() - front;
      const Vec3 at(x + 0.5, y + 0.5, front);
      if (is_shown(at)) {
        take(index(x, y), static_cast<float>(front), normal);
        continue;
      }
      // The plane of the cut, where it faces the eye.
      const double face = front + (shown_.offset - shown_.normal.dot(at)) / shown_.normal.z();
      if (face < front && face > back) take(index(x, y), static_cast<float>(face), cut_normal);
    }
}

void BallDrawing::draw(const PlacedSphere& ball, Color color, std::uint8_t kind) {
  for_each_of(ball, [&](std::size_t pixel, float depth, const Vec3& normal) {
    Sample& sample = balls_[pixel];
    if (depth > sample.depth) sample = {depth, lit(color, normal), kind};
  });
}

std::size_t BallDrawing::seen(std::uint8_t kind) const {
  return static_cast<std::size_t>(std::count_if(
      balls_.begin(), balls_.end(),
      [&](const Sample& sample) { return std::isfinite(sample.depth) && sample.kind == kind; }));
}

void BallDrawing::draw_glass(std::span<const PlacedSphere> balls, Color color) {
  std::vector<Veil>& veils = glasses_.emplace_back(balls_.size());
  for (const PlacedSphere& ball : balls)
    for_each_of(ball, [&](std::size_t pixel, float depth, const Vec3& normal) {
      if (depth > veils[pixel].depth) veils[pixel] = {depth, veil_share(normal), color};
    });
}

/// Calls take(pixel, depth, normal towards the eye, whether the inner side is seen).
template <class Take>
void BallDrawing::for_each_seen(const TriangleMesh& mesh, const Take& take) const {
  for (const Triangle& t : mesh.triangles) {
    const std::array<Vec3, 3> p{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    Vec3 normal =
        view_.turn * (p[1] - p[0]).stableNormalized().cross((p[2] - p[0]).stableNormalized());
    normal.stableNormalize();
    const bool is_inside = normal.z() < 0;
    if (is_inside) normal = -normal;
    for_each_pixel({view_(p[0]), view_(p[1]), view_(p[2])}, size_,
                   [&](int x, int y, double z, double, double, double) {
                     if (is_shown({x + 0.5, y + 0.5, z}))
                       take(index(x, y), static_cast<float>(z), normal, is_inside);
                   });
  }
}

void BallDrawing::draw_glass(const TriangleMesh& mesh, Color color) {
  std::vector<Veil>& veils = glasses_.emplace_back(balls_.size());
  for_each_seen(mesh, [&](std::size_t pixel, float depth, const Vec3& normal, bool is_inside) {
    if (is_inside || depth <= veils[pixel].depth) return;
    veils[pixel] = {depth, veil_share(normal), color};
  });
}

void BallDrawing::draw_surface(const TriangleMesh& mesh, Color color) {
  draw_glass(mesh, color);
  const Color wall = mixed(color, {255, 255, 255}, 0.45);
  for_each_seen(mesh, [&](std::size_t pixel, float depth, const Vec3& normal, bool is_inside) {
    if (is_inside && depth > balls_[pixel].depth) balls_[pixel] = {depth, lit(wall, normal)};
  });
}

void BallDrawing::draw_outline(const TriangleMesh& mesh, Color color) {
  std::vector<bool> is_taken(balls_.size());
  for_each_seen(mesh, [&](std::size_t pixel, float, const Vec3&, bool) { is_taken[pixel] = true; });
  const auto taken = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < size_.width && y < size_.height && is_taken[index(x, y)];
  };
  for (int y = 0; y < size_.height; ++y)
    for (int x = 0; x < size_.width; ++x) {
      const bool is_border = taken(x, y) && !(taken(x - 2, y) && taken(x + 2, y) &&
                                              taken(x, y - 2) && taken(x, y + 2));
      if (is_border) outlines_[index(x, y)] = {std::numeric_limits<float>::infinity(), 1, color};
    }
}

void BallDrawing::draw_line(const Vec3& from, const Vec3& to, Color color) {
  const double length = (to - from).head<2>().cwiseAbs().maxCoeff();
  if (!(length < 1e8)) return;
  const int steps = 1 + static_cast<int>(length);
  for (int i = 0; i <= steps; ++i) {
    const Vec3 at = from + (to - from) * (static_cast<double>(i) / steps);
    if (!is_shown(at)) continue;
    const double left = std::floor(at.x()), top = std::floor(at.y());
    for (int k = 0; k < 9; ++k) {
      const double x = left + k % 3 - 1, y = top + k / 3 - 1;  // 1.5 pixels wide
      if (x < 0 || y < 0 || x >= size_.width || y >= size_.height) continue;
      outlines_[index(static_cast<int>(x), static_cast<int>(y))] = {
          std::numeric_limits<float>::infinity(), 1, color};
    }
  }
}

void BallDrawing::draw_section(const TriangleMesh& mesh, const HalfSpace& half_space, Color color) {
  const auto height = [&](const Vec3& p) { return half_space.normal.dot(p) - half_space.offset; };
  for (const Triangle& t : mesh.triangles) {
    std::vector<Vec3> ends;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &a = mesh.vertices[t[k]], &b = mesh.vertices[t[(k + 1) % 3]];
      const double of_a = height(a), of_b = height(b);
      if ((of_a < 0) != (of_b < 0)) ends.push_back(view_(a + (b - a) * (of_a / (of_a - of_b))));
    }
    if (ends.size() == 2) draw_line(ends[0], ends[1], color);
  }
}

Picture BallDrawing::picture(Color background) const {
  const PixelSize size{size_.width / kOversampling, size_.height / kOversampling};
  std::vector<Veil> veils(glasses_.size());
  return averaged(size, kOversampling, [&](int x, int y) {
    const std::size_t pixel = index(x, y);
    const Veil& outline = outlines_[pixel];
    if (outline.share > 0) return outline.color;
    const Sample& sample = balls_[pixel];
    Color color = std::isfinite(sample.depth) ? sample.color : background;
    for (std::size_t k = 0; k < veils.size(); ++k) veils[k] = glasses_[k][pixel];
    std::sort(veils.begin(), veils.end(),
              [](const Veil& a, const Veil& b) { return a.depth < b.depth; });
    for (const Veil& veil : veils)
      if (veil.depth > sample.depth) color = mixed(color, veil.color, veil.share);
    return color;
  });
}

}  // namespace plimsoll::picture
