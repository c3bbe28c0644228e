// Bodies of a section that goes round an axis and may change on the way.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/types.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace plimsoll::test {

/// About z. `section(angle)` gives the corners (radius, z) of a polygon with its inside to the
/// left, as many for each angle; those with the radius 0 for one angle have it for all.
template <class Section>
TriangleMesh revolved(std::uint32_t slices, const Section& section) {
  TriangleMesh mesh;
  std::vector<std::vector<std::uint32_t>> number(slices);
  for (std::uint32_t k = 0; k < slices; ++k) {
    const double angle = 2 * std::numbers::pi * k / slices;
    std::size_t i = 0;
    for (const Vec2& at : section(angle)) {
      const bool is_known = k > 0 && at.x() == 0;
      number[k].push_back(is_known ? number[0][i]
                                   : static_cast<std::uint32_t>(mesh.vertices.size()));
      if (!is_known)
        mesh.vertices.emplace_back(at.x() * std::cos(angle), at.x() * std::sin(angle), at.y());
      ++i;
    }
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  };
  for (std::uint32_t k = 0; k < slices; ++k) {
    const std::vector<std::uint32_t>&here = number[k], &next = number[(k + 1) % slices];
    for (std::size_t i = 0; i < here.size(); ++i) {
      const std::size_t j = (i + 1) % here.size();
      add(here[i], next[i], next[j]);
      add(here[i], next[j], here[j]);
    }
  }
  return mesh;
}

/// The same section all round.
inline TriangleMesh revolved(std::uint32_t slices, const std::vector<Vec2>& section) {
  return revolved(slices, [&](double) { return section; });
}

/// A disc with a hole.
inline TriangleMesh washer(double inner, double outer, double height, std::uint32_t slices) {
  const double half = height / 2;
  return revolved(slices, {{inner, -half}, {outer, -half}, {outer, half}, {inner, half}});
}

}  // namespace plimsoll::test
