#include "picture/overlap_drawing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "picture/bodies_picture.h"

namespace plimsoll::picture {

ParallelView overlap_view(const std::array<TriangleMesh, 2>& meshes, const PictureLayout& layout) {
  constexpr double kElevation = 24, kTurn = 28;
  ParallelView view = view_from(kElevation, kTurn);
  Box3 turned;
  for (const TriangleMesh& mesh : meshes)
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t v : t) turned.extend(Vec3(view.turn * mesh.vertices[v]));
  fit(view, turned, layout.body, 4 * layout.letter);
  return view;
}

void draw_arrow(Picture& picture, const ParallelView& view, const Vec3& from, const Vec3& way,
                double pixels, Color color) {
  if (!(way.norm() > 0)) return;
  const Spot start = spot_of(view, from);
  const Spot end = spot_of(view, from + way.normalized() * (pixels / view.scale));
  const Spot along{end.x - start.x, end.y - start.y};
  const double length = std::hypot(along.x, along.y);
  if (length < 1) return;
  const double head = std::min(0.35 * length, 14.0);
  const Spot u{along.x / length, along.y / length};
  for (const auto& [width, tone] : {std::pair(8.0, kPaper), std::pair(4.0, color)}) {
    stroke(picture, start, end, width, tone);
    for (const double side : {-1.0, 1.0})
      stroke(picture, end,
             {end.x - head * (u.x + 0.6 * side * u.y), end.y - head * (u.y - 0.6 * side * u.x)},
             width, tone);
  }
}

}  // namespace plimsoll::picture
