#include "waterline_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "raster.h"

namespace plimsoll::cli {
namespace {

constexpr Color kPaper{255, 255, 255};
constexpr Color kInk{40, 40, 40};
constexpr Color kWater{205, 228, 245};
constexpr Color kLine{0, 70, 160};
constexpr Color kCut{120, 175, 225};
constexpr Color kMass{200, 30, 30};
constexpr Color kBuoyancy{0, 120, 60};
constexpr Color kFlotation{0, 70, 160};

/// Where the plane z = 0 cuts a triangle.
struct Segment {
  Vec3 a, b;
};
std::vector<Segment> waterline_of(const TriangleMesh& mesh) {
  std::vector<Segment> segments;
  for (const Triangle& t : mesh.triangles) {
    std::vector<Vec3> ends;
    for (int k = 0; k < 3; ++k) {
      const Vec3 &p = mesh.vertices[t[k]], &q = mesh.vertices[t[(k + 1) % 3]];
      if ((p[2] <= 0) != (q[2] <= 0)) ends.push_back(p + (q - p) * (p[2] / (p[2] - q[2])));
    }
    if (ends.size() == 2) segments.push_back({ends[0], ends[1]});
  }
  return segments;
}

void draw_body(Canvas& canvas, const TriangleMesh& mesh, const View& view, bool is_pale) {
  const Vec3 light = Vec3(-0.4, -0.7, 1).normalized();
  for (const Triangle& t : mesh.triangles) {
    const std::array<Vec3, 3> p{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    const Vec3 normal = (p[1] - p[0]).cross(p[2] - p[0]);
    const double length = normal.norm();
    if (!(length > 0)) continue;
    const double bright = 0.55 + 0.45 * std::fabs(light.dot(normal)) / length;
    const auto tone = [&](double r, double g, double b) {
      return Color{static_cast<std::uint8_t>(r * bright), static_cast<std::uint8_t>(g * bright),
                   static_cast<std::uint8_t>(b * bright)};
    };
    const Color dry = tone(235, 205, 150), wet = tone(95, 150, 200);
    canvas.triangle({view(p[0]), view(p[1]), view(p[2])}, [&](double u, double v, double w) {
      const bool is_wet = u * p[0].z() + v * p[1].z() + w * p[2].z() <= 0;
      return mixed(is_wet ? wet : dry, kPaper, is_pale ? 0.6 : 0);
    });
  }
}

/// `below`: how far down the letter is, so that marks in one place can be told apart.
void mark(Canvas& canvas, const Vec3& at, Color color, const char* name, int below) {
  if (!at.allFinite()) return;
  const int x = static_cast<int>(at.x()), y = static_cast<int>(at.y());
  canvas.picture.fill(x - 5, y - 5, 11, 11, kPaper);
  canvas.picture.fill(x - 4, y - 4, 9, 9, color);
  canvas.picture.fill(x + 7, y - 9 + below, 14, 18, kPaper);
  canvas.picture.write(x + 9, y - 7 + below, name, 2, color);
}

/// Rows between every other of the segments that they meet.
void fill_cut(Canvas& canvas, const std::vector<Segment>& segments, const View& view) {
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(canvas.picture.height()));
  for (const Segment& segment : segments) {
    Vec3 a = view(segment.a), b = view(segment.b);
    if (a.y() > b.y()) std::swap(a, b);
    const int first = std::max(0, static_cast<int>(std::ceil(a.y() - 0.5)));
    const int end = std::min(canvas.picture.height(), static_cast<int>(std::ceil(b.y() - 0.5)));
    for (int y = first; y < end; ++y)
      rows[static_cast<std::size_t>(y)].push_back(
          a.x() + (b.x() - a.x()) * ((y + 0.5 - a.y()) / (b.y() - a.y())));
  }
  for (int y = 0; y < canvas.picture.height(); ++y) {
    std::vector<double>& row = rows[static_cast<std::size_t>(y)];
    std::sort(row.begin(), row.end());
    for (std::size_t i = 0; i + 1 < row.size(); i += 2) {
      const int from = static_cast<int>(std::ceil(row[i] - 0.5));
      canvas.picture.fill(from, y, static_cast<int>(std::ceil(row[i + 1] - 0.5)) - from, 1, kCut);
    }
  }
}

}  // namespace

Picture draw_waterline(const FloatingScene& scene, PixelSize size) {
  constexpr double kTurn = 25, kElevation = 12;
  Box3 box;
  for (const Triangle& t : scene.mesh.triangles)
    for (const std::uint32_t v : t) box.extend(scene.mesh.vertices[v]);
  View side = view_from(kElevation, kTurn), top = view_from(90, kTurn);
  const double half_width = size.width / 2.0, height = size.height;
  const double scale = 0.9 * std::min(fitting(side, box, half_width, height - 40),
                                      fitting(top, box, half_width, height - 40));
  for (View* view : {&side, &top}) {
    view->scale = scale;
    view->middle = box.center();
    view->center_y = height / 2 + 10;
  }
  side.center_x = half_width / 2;
  top.center_x = half_width * 1.5;

  Canvas canvas(size.width, size.height, kPaper);
  // The water's surface, seen nearly edge-on: all below its middle.
  const int surface = static_cast<int>(side(Vec3(box.center().x(), box.center().y(), 0)).y());
  canvas.picture.fill(0, std::max(surface, 24), size.width / 2, size.height, kWater);
  const std::vector<Segment> waterline = waterline_of(scene.mesh);
  draw_body(canvas, scene.mesh, side, false);
  for (const Segment& s : waterline) canvas.line(side(s.a), side(s.b), 3, kLine, 3);
  for (const auto& [center, color] :
       {std::pair(scene.center_of_mass, kMass), std::pair(scene.center_of_buoyancy, kBuoyancy)}) {
    Vec3 low = center, high = center;
    low[2] = box.min()[2];
    high[2] = box.max()[2];
    canvas.line(side(low), side(high), 1, color, kAlways);
  }
  mark(canvas, side(scene.center_of_mass), kMass, "G", 0);
  mark(canvas, side(scene.center_of_buoyancy), kBuoyancy, "B", 0);

  draw_body(canvas, scene.mesh, top, true);
  fill_cut(canvas, waterline, top);
  for (const Segment& s : waterline) canvas.line(top(s.a), top(s.b), 2, kLine, kAlways);
  if (scene.waterplane_center.allFinite())
    mark(canvas, top(scene.waterplane_center), kFlotation, "F", 18);
  mark(canvas, top(scene.center_of_mass), kMass, "G", -18);
  mark(canvas, top(scene.center_of_buoyancy), kBuoyancy, "B", 0);
  canvas.picture.fill(0, 0, size.width, 24, kPaper);
  canvas.picture.write(8, 4, "afloat", 2, kInk);
  canvas.picture.write(size.width / 2 + 8, 4, "cut at the water, from above", 2, kInk);
  return std::move(canvas.picture);
}

}  // namespace plimsoll::cli
