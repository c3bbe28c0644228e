// Walks the nodes of a glTF document, with where they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/gltf_document.h"

namespace plimsoll {

/// Calls visit(index, placement) for each node below `roots`, parents before children, in the order
/// of the file. Each node is passed once: nodes form a forest and roots differ.
template <class Visit>
void for_each_node(const GltfDocument& document, std::span<const std::uint32_t> roots,
                   Visit visit) {
  struct Level {
    std::uint32_t node;
    std::uint32_t next_child;
    Placement placement;
  };
  std::vector<Level> levels;  // not the call stack: nodes may nest as deep as the file is long
  const auto enter = [&](std::uint32_t index, const Placement& outer) {
    const std::uint32_t own = document.nodes[index].placement;
    levels.push_back({index, 0, own == kNoIndex ? outer : outer * document.placements[own]});
    visit(index, levels.back().placement);
  };
  for (const std::uint32_t root : roots) {
    enter(root, Placement());
    while (!levels.empty()) {
      Level& level = levels.back();
      const GltfNode& node = document.nodes[level.node];
      if (level.next_child == node.child_count) {
        levels.pop_back();
        continue;
      }
      const std::uint32_t child = document.children[node.first_child + level.next_child++];
      const Placement outer = level.placement;
      enter(child, outer);
    }
  }
}

}  // namespace plimsoll
