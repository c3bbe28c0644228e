// Solids of unit cubes side by side.
#pragma once

#include <plimsoll/mesh.h>

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::test {

/// The cells of a plan one unit high, '#' filled: every face of a cell that no other cell covers
/// is two triangles. A row is along x, rows go up in y.
inline TriangleMesh cells(const std::vector<std::string_view>& plan) {
  TriangleMesh mesh;
  std::map<std::array<int, 3>, std::uint32_t> index;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [place, is_new] =
        index.try_emplace(at, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) mesh.vertices.emplace_back(at[0], at[1], at[2]);
    return place->second;
  };
  const auto is_filled = [&](const std::array<int, 3>& cell) {
    const auto [x, y, z] = cell;
    return z == 0 && y >= 0 && y < static_cast<int>(plan.size()) && x >= 0 &&
           x < static_cast<int>(plan[y].size()) && plan[y][x] == '#';
  };
  for (int y = 0; y < static_cast<int>(plan.size()); ++y) {
    for (int x = 0; x < static_cast<int>(plan[y].size()); ++x) {
      if (!is_filled({x, y, 0})) continue;
      for (int axis = 0; axis < 3; ++axis) {
        for (const int side : {0, 1}) {
          std::array<int, 3> at{x, y, 0}, beside = at;
          beside[axis] += side == 1 ? 1 : -1;
          if (is_filled(beside)) continue;
          at[axis] += side;
          std::array<int, 3> along = at, across = at, far = at;
          ++along[(axis + 1) % 3], ++far[(axis + 1) % 3];
          ++across[(axis + 2) % 3], ++far[(axis + 2) % 3];
          if (side == 0) std::swap(along, across);
          const std::uint32_t a = vertex(at), b = vertex(along), c = vertex(far);
          mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, vertex(across)}});
        }
      }
    }
  }
  return mesh;
}

}  // namespace plimsoll::test
