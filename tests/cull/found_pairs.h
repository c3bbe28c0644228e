// What searches that draw nothing find among bodies that are culled.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/culling.h>
#include <plimsoll/distance.h>
#include <plimsoll/pairs.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace plimsoll::test {

/// All pairs that touch, or with `within` above 0 are closer than that, by trees.
inline std::vector<CulledPairs> pairs_by_trees(const std::vector<CullBody>& bodies,
                                               double within = 0) {
  std::vector<MeshTree> trees;
  std::vector<DistanceTree> near_trees;
  for (const CullBody& body : bodies) {
    trees.emplace_back(body.mesh, TreeQuality::kFast);
    if (within > 0) near_trees.emplace_back(trees.back());
  }
  PairSearch search;
  NearPairSearch near_search;
  std::vector<CulledPairs> found;
  for (std::uint32_t a = 0; a < bodies.size(); ++a)
    for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
      const Similarity &of_a = bodies[a].world_from_body, &of_b = bodies[b].world_from_body;
      const auto pairs = within > 0
                             ? near_search.pairs(near_trees[a], of_a, near_trees[b], of_b, within)
                             : search.pairs(trees[a], of_a, trees[b], of_b);
      REQUIRE(pairs);
      if (!pairs->empty()) found.push_back({a, b, {pairs->begin(), pairs->end()}});
    }
  return found;
}

inline bool are_equal(const std::vector<CulledPairs>& x, const std::vector<CulledPairs>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const CulledPairs& p, const CulledPairs& q) {
                      return p.a == q.a && p.b == q.b && p.pairs == q.pairs;
                    });
}

/// What culled_pairs() finds; it must not refuse these bodies.
inline std::vector<CulledPairs> pairs_left(const std::vector<CullBody>& bodies,
                                           const Culling& culling) {
  Result<std::vector<CulledPairs>> pairs = culled_pairs(bodies, culling);
  REQUIRE(pairs);
  return *std::move(pairs);
}

/// How many triangles of all bodies are in some pair.
inline std::size_t touching_triangles(const std::vector<CulledPairs>& found) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> touching;
  for (const CulledPairs& of : found)
    for (const TrianglePair& pair : of.pairs) touching.insert({{of.a, pair.a}, {of.b, pair.b}});
  return touching.size();
}

/// Of `found`, how many pairs have a triangle that was culled.
inline std::size_t lost_pairs(const std::vector<CulledPairs>& found, const Culling& culling) {
  std::size_t lost = 0;
  for (const CulledPairs& of : found)
    for (const TrianglePair& pair : of.pairs) {
      const auto is_left = [&](std::uint32_t body, std::uint32_t triangle) {
        const std::vector<std::uint32_t>& left = culling.surviving[body];
        return std::binary_search(left.begin(), left.end(), triangle);
      };
      if (!is_left(of.a, pair.a) || !is_left(of.b, pair.b)) ++lost;
    }
  return lost;
}

}  // namespace plimsoll::test
