// Sets of numbered items that are joined two by two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace plimsoll {

/// Disjoint sets with path halving; the lower number is the root. [Tarjan1984]
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) {
    i = find(i);
    j = find(j);
    if (i < j) std::swap(i, j);
    parent_[i] = j;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace plimsoll
