// Solids of unit cubes on a lattice.
#pragma once

#include <plimsoll/mesh.h>

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/disjoint_sets.h"
#include "core/random.h"

namespace plimsoll::test {

using Cell = std::array<int, 3>;

/// Unit cubes with corners at whole numbers, of which no two touch along an edge or in a corner
/// alone, nor two gaps.
class Cells {
 public:
  static constexpr int kSide = 4;

  [[nodiscard]] bool has(const Cell& c) const {
    for (const int x : c)
      if (x < 0 || x >= kSide) return false;
    return full_[c[0]][c[1]][c[2]];
  }
  /// Turns the cell over, if the rest allows it.
  void try_to_flip(const Cell& c) {
    bool& cell = full_[c[0]][c[1]][c[2]];
    cell = !cell;
    for (int corner = 0; corner < 8; ++corner)
      if (!is_sound_at({c[0] + (corner & 1), c[1] + (corner >> 1 & 1), c[2] + (corner >> 2)})) {
        cell = !cell;
        return;
      }
  }
  [[nodiscard]] std::vector<Cell> list() const {
    std::vector<Cell> cells;
    for (int i = 0; i < kSide; ++i)
      for (int j = 0; j < kSide; ++j)
        for (int k = 0; k < kSide; ++k)
          if (full_[i][j][k]) cells.push_back({i, j, k});
    return cells;
  }
  [[nodiscard]] TriangleMesh surface() const {
    TriangleMesh mesh;
    std::map<Cell, std::uint32_t> number;
    const auto vertex = [&](const Cell& at) {
      const auto [place, is_new] =
          number.try_emplace(at, static_cast<std::uint32_t>(mesh.vertices.size()));
      if (is_new) mesh.vertices.emplace_back(at[0], at[1], at[2]);
      return place->second;
    };
    for (const Cell& cell : list())
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (const int side : {0, 1}) {
          Cell beyond = cell;
          beyond[axis] += 2 * side - 1;
          if (has(beyond)) continue;
          Cell corner = cell;
          corner[axis] += side;
          std::array<std::uint32_t, 4> face{};
          for (std::size_t k = 0; k < 4; ++k) {
            Cell at = corner;
            at[(axis + 1) % 3] += k == 1 || k == 2;
            at[(axis + 2) % 3] += k >= 2;
            face[k] = vertex(at);
          }
          if (side == 0) std::swap(face[1], face[3]);
          mesh.triangles.push_back({face[0], face[1], face[2]});
          mesh.triangles.push_back({face[0], face[2], face[3]});
        }
    return mesh;
  }

 private:
  /// Whether the full ones of the eight cells around a corner are connected by faces, and the empty
  /// ones too.
  [[nodiscard]] bool is_sound_at(const Cell& corner) const {
    std::array<bool, 8> full{};
    for (int i = 0; i < 8; ++i)
      full[i] = has({corner[0] - (i & 1), corner[1] - (i >> 1 & 1), corner[2] - (i >> 2)});
    DisjointSets sets(8);
    for (std::uint32_t i = 0; i < 8; ++i)
      for (const std::uint32_t bit : {1U, 2U, 4U})
        if (full[i] == full[i ^ bit]) sets.join(i, i ^ bit);
    for (std::uint32_t i = 0; i < 8; ++i)
      for (std::uint32_t j = 0; j < i; ++j)
        if (full[i] == full[j] && sets.find(i) != sets.find(j)) return false;
    return true;
  }

  bool full_[kSide][kSide][kSide] = {};
};

inline Cells random_cells(Random& random) {
  Cells cells;
  const std::uint64_t tries = 10 + random.below(150);
  const auto any = [&] { return static_cast<int>(random.below(Cells::kSide)); };
  for (std::uint64_t i = 0; i < tries; ++i) cells.try_to_flip({any(), any(), any()});
  return cells;
}

}  // namespace plimsoll::test
