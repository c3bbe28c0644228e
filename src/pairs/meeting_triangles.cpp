#include "pairs/meeting_triangles.h"

#include <algorithm>
#include <array>

#include "core/parallel.h"
#include "core/predicates.h"
#include "pairs/triangle_pair.h"

namespace plimsoll {
namespace {

bool any(const std::array<int, 3>& signs, int sign) {
  return std::find(signs.begin(), signs.end(), sign) != signs.end();
}
// Whether the plane that the corners lie beside has but one of them in it, and no other point.
bool is_tip(const std::array<int, 3>& sides) {
  return std::count(sides.begin(), sides.end(), 0) == 1 && !is_mixed(sides);
}

bool turned_alike(const Corners& t, const Corners& u) {
  const int axis = projection_axis(t);
  return orient2d(t.point[0], t.point[1], t.point[2], axis) ==
         orient2d(u.point[0], u.point[1], u.point[2], axis);
}

void note_other(const Corners& t, const Corners& u, MeetingTriangle& meeting) {
  const auto sides = sides_of_corners(u, t);
  for (int i = 0; i < 3; ++i)
    if (edge_is_touched(t, i, u, sides))
      meeting.touched_edges = static_cast<std::uint8_t>(meeting.touched_edges | 1 << i);
  if (sides == std::array{0, 0, 0}) {
    if (!interiors_overlap_in_plane(t, u)) return;
    meeting.doubled = meeting.doubled || turned_alike(t, u);
    meeting.cuts += 3;
  } else if (is_mixed(sides)) {  // else the plane of u meets the border of t only
    const auto other_sides = sides_of_corners(t, u);
    if (is_tip(other_sides)) return;
    meeting.in_front = meeting.in_front || any(other_sides, 1);
    meeting.behind = meeting.behind || any(other_sides, -1);
    ++meeting.cuts;
  }
}

}  // namespace

std::vector<MeetingTriangle> meeting_triangles(const MeshView& mesh,
                                               std::span<const MeetingPair> pairs) {
  std::vector<std::array<std::uint32_t, 2>> met;
  met.reserve(2 * pairs.size());
  for (const MeetingPair& pair : pairs) {
    met.push_back({pair.a, pair.b});
    met.push_back({pair.b, pair.a});
  }
  std::sort(met.begin(), met.end());
  std::vector<MeetingTriangle> meetings;
  for (const auto& [triangle, other] : met) {
    if (meetings.empty() || meetings.back().triangle != triangle)
      meetings.emplace_back().triangle = triangle;
    meetings.back().others.push_back(other);
  }
  parallel_for_each_index(meetings.size(), [&](std::size_t i) {
    const Corners t = corners_of(mesh, meetings[i].triangle);
    for (const std::uint32_t other : meetings[i].others)
      note_other(t, corners_of(mesh, other), meetings[i]);
  });
  return meetings;
}

const MeetingTriangle* meeting_triangle_at(std::span<const MeetingTriangle> meetings,
                                           std::uint32_t triangle) {
  const auto at = std::lower_bound(
      meetings.begin(), meetings.end(), triangle,
      [](const MeetingTriangle& meeting, std::uint32_t t) { return meeting.triangle < t; });
  return at != meetings.end() && at->triangle == triangle ? &*at : nullptr;
}

}  // namespace plimsoll
