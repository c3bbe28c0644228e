#include "pairs/meeting_triangles.h"

#include <algorithm>
#include <array>

#include "core/no_index.h"
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

// What one triangle of a pair is to the other, in a byte: there may be millions of pairs.
struct Encounter {
  std::uint8_t touched_edges : 3 = 0;  // of the other, as in MeetingTriangle
  bool is_in_front : 1 = false, is_behind : 1 = false;
  bool lies_on : 1 = false, is_turned_alike : 1 = false;
  bool crosses_plane : 1 = false;  // of the other, in a segment that may reach its interior
};

// `sides` are those of t's corners beside u, `other_sides` those of u's beside t.
Encounter encounter_of(const Corners& t, const Corners& u, const std::array<int, 3>& sides,
                       const std::array<int, 3>& other_sides) {
  Encounter found;
  for (int i = 0; i < 3; ++i)
    if (edge_is_touched(t, i, u, sides))
      found.touched_edges = static_cast<std::uint8_t>((found.touched_edges | 1 << i) & 7);
  // Where no corner is on the one side and none on the other, u's plane meets the border of t only.
  found.crosses_plane = is_mixed(sides) && !is_tip(other_sides);
  if (found.crosses_plane) {
    found.is_in_front = any(other_sides, 1);
    found.is_behind = any(other_sides, -1);
  }
  return found;
}

// What b is to a, and what a is to b.
std::array<Encounter, 2> encounters_of(const Corners& a, const Corners& b) {
  const auto a_sides = sides_of_corners(b, a), b_sides = sides_of_corners(a, b);
  std::array<Encounter, 2> found{encounter_of(a, b, a_sides, b_sides),
                                 encounter_of(b, a, b_sides, a_sides)};
  if (a_sides == std::array{0, 0, 0} && interiors_overlap_in_plane(a, b)) {
    found[0].lies_on = found[1].lies_on = true;
    found[0].is_turned_alike = found[1].is_turned_alike = turned_alike(a, b);
  }
  return found;
}

void add(std::uint32_t other, const Encounter& found, MeetingTriangle& meeting) {
  meeting.touched_edges = static_cast<std::uint8_t>(meeting.touched_edges | found.touched_edges);
  meeting.in_front = meeting.in_front || found.is_in_front;
  meeting.behind = meeting.behind || found.is_behind;
  meeting.doubled = meeting.doubled || found.is_turned_alike;
  if (!found.lies_on && !found.crosses_plane) return;
  meeting.cutting.push_back({other, found.lies_on});
  meeting.cuts += found.lies_on ? 3 : 1;
}

}  // namespace

std::vector<MeetingTriangle> meeting_triangles(const MeshView& mesh,
                                               std::span<const MeetingPair> pairs) {
  std::vector<std::array<Encounter, 2>> encounters(pairs.size());
  parallel_for_each_index(pairs.size(), [&](std::size_t i) {
    encounters[i] = encounters_of(corners_of(mesh, pairs[i].a), corners_of(mesh, pairs[i].b));
  });
  std::vector<std::uint32_t> place(mesh.triangle_count(), kNoIndex);
  for (const MeetingPair& pair : pairs) place[pair.a] = place[pair.b] = 0;
  std::vector<MeetingTriangle> meetings;
  meetings.reserve(static_cast<std::size_t>(std::count(place.begin(), place.end(), 0u)));
  for (std::uint32_t t = 0; t < place.size(); ++t) {
    if (place[t] == kNoIndex) continue;
    place[t] = static_cast<std::uint32_t>(meetings.size());
    meetings.emplace_back().triangle = t;
  }
  // Pairs ascend and a < b, so that the others of each triangle ascend too.
  for (std::size_t i = 0; i < pairs.size(); ++i)
    add(pairs[i].a, encounters[i][1], meetings[place[pairs[i].b]]);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    add(pairs[i].b, encounters[i][0], meetings[place[pairs[i].a]]);
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
