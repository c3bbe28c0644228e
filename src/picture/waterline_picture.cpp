#include "picture/waterline_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "picture/annotation.h"
#include "picture/lettering.h"

namespace plimsoll::picture {
namespace {

constexpr Color kHull{222, 190, 138};
constexpr Color kWater{70, 140, 190};
constexpr Color kLine{0, 62, 130};
constexpr Color kCut{150, 196, 232};
constexpr Color kMass{196, 30, 36};
constexpr Color kBuoyancy{0, 116, 62};
constexpr Color kFlotation{0, 62, 130};
constexpr Color kTurning{120, 40, 140};
constexpr int kOversampling = 2;

/// Where everything goes.
struct Layout : PictureLayout {
  Rectangle side, top;
};

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

Box3 box_of(const TriangleMesh& mesh) {
  Box3 box;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) box.extend(mesh.vertices[v]);
  return box;
}

/// The water that is drawn: wider than the body and deeper, up to z = 0.
Box3 block_of(const Box3& body) {
  const double margin = 0.12 * std::max(body.sizes()[0], body.sizes()[1]);
  Box3 block = body;
  block.min() -= Vec3(margin, margin, 0.6 * margin);
  block.max() += Vec3(margin, margin, 0);
  block.max()[2] = 0;
  block.min()[2] = std::min(block.min()[2], -0.6 * margin);
  return block;
}

void draw_body(Canvas& canvas, const TriangleMesh& mesh, const ParallelView& view,
               double paleness) {
  const Vec3 light = Vec3(-0.4, -0.7, 1).normalized();
  for (const Triangle& t : mesh.triangles) {
    const std::array<Vec3, 3> p{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    const Vec3 normal = (p[1] - p[0]).cross(p[2] - p[0]);
    const double length = normal.norm();
    if (!(length > 0)) continue;
    const double bright = 0.55 + 0.45 * std::fabs(light.dot(normal)) / length;
    const Color tone = mixed(mixed({0, 0, 0}, kHull, bright), kPaper, paleness);
    canvas.triangle({view(p[0]), view(p[1]), view(p[2])}, tone);
  }
}

/// Tints what is seen through the block of water, the more the thicker it is.
void draw_water(Canvas& canvas, const Box3& block, const ParallelView& view) {
  const Vec3 eye = view.turn.transpose() * Vec3::UnitZ();
  const double clear = 0.35 * block.sizes().maxCoeff();  // two thirds are lost on that way
  const auto [width, height] = canvas.size();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Vec3 start = view.back({x + 0.5, y + 0.5, 0});
      double out = -kAlways, in = kAlways;  // along the eye's direction
      for (int k = 0; k < 3; ++k) {
        const double a = (block.min()[k] - start[k]) / eye[k];
        const double b = (block.max()[k] - start[k]) / eye[k];
        out = std::max(out, std::min(a, b));
        in = std::min(in, std::max(a, b));
      }
      const double behind = std::max(out, canvas.depth(x, y) / view.scale);
      if (!(behind < in)) continue;
      const double cover = 1 - 0.72 * std::exp(-(in - behind) / clear);
      Color& color = canvas.color(x, y);
      color = mixed(color, kWater, 0.75 * cover);
    }
}

/// The border of the water's surface.
void draw_surface_border(Canvas& canvas, const Box3& block, const ParallelView& view) {
  const Vec3 &low = block.min(), &high = block.max();
  const std::array<Vec3, 4> corners{Vec3(low[0], low[1], 0), Vec3(high[0], low[1], 0),
                                    Vec3(high[0], high[1], 0), Vec3(low[0], high[1], 0)};
  for (std::size_t i = 0; i < corners.size(); ++i)
    canvas.line(view(corners[i]), view(corners[(i + 1) % 4]), 2, kCut, 0);
}

/// Rows between every other of the segments that they meet.
void fill_cut(Canvas& canvas, const std::vector<Segment>& segments, const ParallelView& view) {
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(canvas.size().height));
  for (const Segment& segment : segments) {
    Vec3 a = view(segment.a), b = view(segment.b);
    if (a.y() > b.y()) std::swap(a, b);
    const int first = std::max(0, static_cast<int>(std::ceil(a.y() - 0.5)));
    const int end = std::min(canvas.size().height, static_cast<int>(std::ceil(b.y() - 0.5)));
    for (int y = first; y < end; ++y)
      rows[static_cast<std::size_t>(y)].push_back(
          a.x() + (b.x() - a.x()) * ((y + 0.5 - a.y()) / (b.y() - a.y())));
  }
  for (int y = 0; y < canvas.size().height; ++y) {
    std::vector<double>& row = rows[static_cast<std::size_t>(y)];
    std::sort(row.begin(), row.end());
    for (std::size_t i = 0; i + 1 < row.size(); i += 2) {
      const int from = static_cast<int>(std::ceil(row[i] - 0.5));
      canvas.fill(from, y, static_cast<int>(std::ceil(row[i + 1] - 0.5)) - from, 1, kCut);
    }
  }
}

/// The centers on their verticals, from the lowest of the body to the highest.
void draw_centers(Picture& picture, const FloatingScene& scene, const Box3& box,
                  const ParallelView& view, const Layout& layout) {
  std::vector<Mark> marks;
  const double top =
      scene.metacenter.allFinite() ? std::max(box.max()[2], scene.metacenter[2]) : box.max()[2];
  const auto add = [&](const Vec3& center, Color color, const char* name) {
    if (!center.allFinite()) return;
    const Spot at = spot_of(view, center);
    const bool is_inside = at.y > layout.side.y && at.y < layout.side.y + layout.side.height;
    if (is_inside) marks.push_back({at, color, name});
  };
  for (const Vec3& center : {scene.center_of_mass, scene.center_of_buoyancy}) {
    if (!center.allFinite()) continue;
    Vec3 low = center, high = center;
    low[2] = box.min()[2];
    high[2] = top;
    Spot end = spot_of(view, high);
    end.y = std::max(end.y, layout.side.y);
    dashes(picture, spot_of(view, low), end, 1.3, 5, kInk);
  }
  add(scene.metacenter, kTurning, "M");
  add(scene.center_of_mass, kMass, "G");
  add(scene.center_of_buoyancy, kBuoyancy, "B");
  draw_marks(picture, marks, layout.letter);
}

/// At the block's nearest edge to the left, from the water's surface to the lowest of the body.
void draw_draught(Picture& picture, const Box3& box, const Box3& block, const ParallelView& view,
                  const Layout& layout) {
  const double draught = -box.min()[2];
  if (!(draught > 0) || !layout.has_words) return;
  const Vec3 surface(block.min()[0], block.min()[1], 0);
  const Spot from = spot_of(view, surface), to = spot_of(view, surface - Vec3(0, 0, draught));
  const double left = from.x - 1.2 * layout.letter;
  draw_measure(picture, {left, from.y}, {left, to.y}, 0.8 * layout.letter);
  const std::string text = fmt::format("{:.3g} m", draught);
  const double size = 0.85 * layout.letter;
  letter_on(picture, {left - 0.7 * size - lettered_width(text, size), (from.y + to.y + size) / 2},
            text, size, kInk, kPaper);
}

/// The largest scale at which both views fit into their frames.
double scale_of(const Layout& layout, const ParallelView& side, const ParallelView& top,
                const Box3& block, const Box3& body) {
  Box3 all = block;
  all.extend(body);
  // Room for the draught and for letters beside the body.
  const double room = layout.has_words ? 6.5 * layout.letter : 0;
  return std::min(
      fitting(side, all, layout.side.width - 2 * room, 0.96 * layout.side.height),
      fitting(top, body, 0.9 * layout.top.width, layout.top.height - 2.2 * layout.letter));
}

Layout layout_of(PixelSize size, std::size_t facts, bool is_stacked) {
  Layout layout{layout_for(size, facts), {}, {}};
  layout.side = layout.top = layout.body;
  if (is_stacked) {
    layout.side.height = layout.top.height = layout.body.height / 2;
    layout.top.y += layout.body.height / 2;
  } else {
    layout.side.width = layout.top.width = layout.body.width / 2;
    layout.top.x += layout.body.width / 2;
  }
  return layout;
}

void put(ParallelView& view, const Rectangle& frame, double scale, const Vec3& middle, int factor) {
  view.scale = factor * scale;
  view.middle = middle;
  view.center_x = factor * frame.middle().x;
  view.center_y = factor * frame.middle().y;
}

}  // namespace

Picture draw_waterline(const FloatingScene& scene, PixelSize size) {
  constexpr double kTurn = 20, kElevation = 11;
  const Box3 box = box_of(scene.mesh), block = block_of(box);
  ParallelView side = view_from(kElevation, kTurn), top = view_from(90, 0);
  Layout layout = layout_of(size, scene.facts.size(), false);
  const Layout stacked = layout_of(size, scene.facts.size(), true);
  if (scale_of(stacked, side, top, block, box) > scale_of(layout, side, top, block, box))
    layout = stacked;
  const double scale = scale_of(layout, side, top, block, box);
  Box3 all = block;
  all.extend(box);

  Canvas canvas(size, kOversampling, kPaper);
  put(side, layout.side, scale, all.center(), kOversampling);
  put(top, layout.top, scale, box.center(), kOversampling);
  const std::vector<Segment> waterline = waterline_of(scene.mesh);
  draw_body(canvas, scene.mesh, side, 0);
  draw_water(canvas, block, side);
  draw_surface_border(canvas, block, side);
  for (const Segment& s : waterline) canvas.line(side(s.a), side(s.b), 3, kLine, 5);
  draw_body(canvas, scene.mesh, top, 0.55);
  fill_cut(canvas, waterline, top);
  for (const Segment& s : waterline) canvas.line(top(s.a), top(s.b), 3, kLine, kAlways);

  Picture picture = canvas.picture();
  put(side, layout.side, scale, all.center(), 1);
  put(top, layout.top, scale, box.center(), 1);
  draw_centers(picture, scene, box, side, layout);
  std::vector<Mark> marks{{spot_of(top, scene.center_of_mass), kMass, "G"}};
  if (scene.center_of_buoyancy.allFinite())
    marks.push_back({spot_of(top, scene.center_of_buoyancy), kBuoyancy, "B"});
  if (scene.waterplane_center.allFinite())
    marks.push_back({spot_of(top, scene.waterplane_center), kFlotation, "F"});
  draw_marks(picture, marks, layout.letter);
  if (!layout.has_words) return picture;
  draw_draught(picture, box, block, side, layout);
  draw_scale(picture, top.scale, layout.top, layout.letter);
  draw_facts(picture, scene.facts, layout);
  const double margin = layout.facts.x;
  letter_within(picture, {margin, 2.4 * layout.letter}, scene.title, 1.15 * layout.letter,
                layout.facts.width, kInk);
  return picture;
}

}  // namespace plimsoll::picture
