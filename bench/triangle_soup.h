// Triangles one by one, for libraries that list pairs of boxes and leave it to the caller whether
// the triangles in them touch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pair_systems.h"
#include "pairs/triangle_pair.h"

namespace plimsoll::bench {

struct SoupTriangle {
  std::array<Vec3, 3> corners;  ///< In the world.
  Triangle index;
  std::uint32_t body = 0, number = 0;
};
using TriangleSoup = std::vector<SoupTriangle>;

/// The triangles of the bodies at the places `first` to `last`, that excluded.
inline TriangleSoup soup_of(const PosedFrame& frame, std::size_t first, std::size_t last) {
  TriangleSoup soup;
  for (std::size_t i = first; i < last; ++i) {
    const TriangleMesh& mesh = *frame.posed[i];
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      soup.push_back({{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]},
                      mesh.triangles[t],
                      frame.bodies[i].id,
                      t});
    }
  }
  return soup;
}

/// Our exact test, behind one of the boxes, which spares it most of what trees let through.
inline bool touch_exactly(const std::array<Vec3, 3>& t, const std::array<Vec3, 3>& u) {
  for (int k = 0; k < 3; ++k) {
    if (std::max({t[0][k], t[1][k], t[2][k]}) < std::min({u[0][k], u[1][k], u[2][k]}) ||
        std::max({u[0][k], u[1][k], u[2][k]}) < std::min({t[0][k], t[1][k], t[2][k]}))
      return false;
  }
  return meeting_of(t, u) != Meeting::kApart;
}

inline bool share_a_vertex(const Triangle& t, const Triangle& u) {
  for (const std::uint32_t v : t)
    if (v == u[0] || v == u[1] || v == u[2]) return true;
  return false;
}

/// Whether t comes before u and the pair is among those that are asked for.
inline bool is_wanted(Question question, const SoupTriangle& t, const SoupTriangle& u) {
  if (question != Question::kSelf) return t.body < u.body;
  return t.number < u.number && !share_a_vertex(t.index, u.index);
}

inline FoundPair pair_of(const SoupTriangle& t, const SoupTriangle& u) {
  return {t.body, u.body, t.number, u.number};
}

}  // namespace plimsoll::bench
