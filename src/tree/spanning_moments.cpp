#include "tree/spanning_moments.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/double_double.h"
#include "core/no_index.h"
#include "core/parallel.h"
#include "mesh/point_table.h"

namespace plimsoll {
namespace {

constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;
constexpr std::size_t kWorthwhile = 4096;  // vertices: some milliseconds

/// The triangles of each vertex, by their places in the leaves: 4 leaf + t.
class TrianglesAround {
 public:
  TrianglesAround(const TriangleTree& tree, const std::vector<std::uint32_t>& same)
      : tree_(tree), same_(same), first_(same.size() + 1, 0) {
    for_each_corner([&](std::uint32_t v, std::uint32_t) { ++first_[v + 1]; });
    for (std::size_t v = 0; v < same.size(); ++v) first_[v + 1] += first_[v];
    places_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for_each_corner([&](std::uint32_t v, std::uint32_t place) { places_[next[v]++] = place; });
  }

  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return std::span(places_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }
  [[nodiscard]] std::array<std::uint32_t, 3> corners(std::uint32_t place) const {
    const TriangleTree::Leaf& leaf = tree_.leaves[place / kOfLeaf];
    std::array<std::uint32_t, 3> corner;
    for (std::size_t k = 0; k < 3; ++k) corner[k] = same_[leaf.corner[k][place % kOfLeaf]];
    return corner;
  }

 private:
  /// Triangles that name a vertex twice are none.
  template <class Visit>
  void for_each_corner(const Visit& visit) const {
    for (std::uint32_t place = 0; place < tree_.triangles; ++place) {
      const auto [a, b, c] = corners(place);
      if (a == b || b == c || c == a) continue;
      for (const std::uint32_t v : {a, b, c}) visit(v, place);
    }
  }

  const TriangleTree& tree_;
  const std::vector<std::uint32_t>& same_;
  std::vector<std::uint32_t> first_, places_;
};

std::vector<std::uint32_t> first_of_equals(const TriangleTree& tree) {
  std::vector<Vec3> points;
  PointTable table(points, tree.vertices.size());
  std::vector<std::uint32_t> first, same(tree.vertices.size());
  for (std::uint32_t v = 0; v < same.size(); ++v) {
    const Vec3 at = Vec3::Map(tree.vertices[v].x);
    const std::uint32_t number = table.find_or_add(at, hash_of(at));
    if (number == first.size()) first.push_back(v);
    same[v] = first[number];
  }
  return same;
}

/// Unit normals of the triangles around v. One without area, as where v lies on an edge of others,
/// stands for those beyond its opposite edge.
std::vector<Vec3> normals_at(std::uint32_t v, const TriangleTree& tree,
                             const TrianglesAround& around) {
  std::vector<Vec3> normals;
  normals.reserve(around.of(v).size());
  const auto add = [&](std::uint32_t place) {
    const auto [a, b, c] = tree.unit_corners(tree.leaves[place / kOfLeaf], place % kOfLeaf);
    const Vec3 normal = (b - a).cross(c - a);
    const double length = normal.stableNorm();
    if (length > 0) normals.push_back(normal / length);
    return length > 0;
  };
  for (const std::uint32_t place : around.of(v)) {
    if (add(place)) continue;
    const std::array<std::uint32_t, 3> corner = around.corners(place);
    const std::size_t k = v == corner[0] ? 0 : v == corner[1] ? 1 : 2;
    for (const std::uint32_t beyond : around.of(corner[(k + 1) % 3])) {
      const std::array<std::uint32_t, 3> other = around.corners(beyond);
      if (std::find(other.begin(), other.end(), corner[(k + 2) % 3]) != other.end()) add(beyond);
    }
  }
  return normals;
}

/// Minus the center of the smallest cap of directions that holds all normals, nearly: each step
/// goes toward the normal that is farthest [BadoiuClarkson2003].
std::array<float, 3> inward_of(const std::vector<Vec3>& normals) {
  constexpr double kEnough = 0.25, kLeast = 0x1p-8;
  constexpr int kSteps = 256;
  Vec3 mean = Vec3::Zero();
  for (const Vec3& normal : normals) mean += normal;
  if (normals.empty() || mean.norm() == 0) return {};
  Vec3 best = mean.normalized();
  const auto farthest = [&](const Vec3& way) {
    return *std::min_element(normals.begin(), normals.end(),
                             [&](const Vec3& x, const Vec3& y) { return x.dot(way) < y.dot(way); });
  };
  double margin = farthest(best).dot(best);
  Vec3 center = best;
  for (int step = 1; step <= kSteps && margin < kEnough; ++step) {
    center += (farthest(center) - center) / (step + 1);
    if (center.norm() == 0) break;
    const Vec3 way = center.normalized();
    if (const double reached = farthest(way).dot(way); reached > margin) {
      margin = reached;
      best = way;
    }
  }
  if (margin < kLeast) return {};
  const Eigen::Vector3f inward = -best.cast<float>();
  return {inward[0], inward[1], inward[2]};
}

/// Numbers the components and their trees breadth first: paths are short, and few triangles hang
/// on most edges.
struct Spanning {
  std::vector<std::uint32_t> order, parent;  // by step; of each vertex

  void grow(std::uint32_t root, const TrianglesAround& around,
            std::vector<SpanningMoments::LeafEdges>& edges) {
    parent[root] = root;
    std::size_t next = order.size();
    order.push_back(root);
    for (; next < order.size(); ++next) {
      const std::uint32_t v = order[next];
      for (const std::uint32_t place : around.of(v)) {
        const std::array<std::uint32_t, 3> corner = around.corners(place);
        for (std::size_t k = 0; k < 3; ++k) {
          const std::uint32_t from = corner[k], to = corner[(k + 1) % 3];
          if (from != v && to != v) continue;
          const std::uint32_t other = from == v ? to : from;
          if (parent[other] != kNoIndex) continue;
          parent[other] = v;
          order.push_back(other);
          edges[place / kOfLeaf].child[k][place % kOfLeaf] =
              other == to ? SpanningMoments::kSecond : SpanningMoments::kFirst;
        }
      }
    }
  }
};

/// An edge at v that its triangles do not run along equally often in both directions.
std::optional<std::array<std::uint32_t, 2>> open_edge_at(std::uint32_t v,
                                                         const TrianglesAround& around) {
  struct Run {
    std::uint32_t other;
    int out;
  };
  std::vector<Run> runs;
  for (const std::uint32_t place : around.of(v)) {
    const std::array<std::uint32_t, 3> corner = around.corners(place);
    for (std::size_t k = 0; k < 3; ++k) {
      if (corner[k] != v) continue;
      runs.push_back({corner[(k + 1) % 3], 1});
      runs.push_back({corner[(k + 2) % 3], -1});
    }
  }
  std::sort(runs.begin(), runs.end(), [](const Run& x, const Run& y) { return x.other < y.other; });
  int sum = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    sum += runs[i].out;
    const bool is_last = i + 1 == runs.size() || runs[i + 1].other != runs[i].other;
    if (is_last && sum != 0) return std::array{v, runs[i].other};
  }
  return std::nullopt;
}

void find_extremes(const TriangleTree& tree, std::span<const std::uint32_t> vertices,
                   SpanningMoments::Component& component) {
  component.extreme.fill(vertices.front());
  for (const std::uint32_t v : vertices)
    for (std::size_t i = 0; i < 3; ++i) {
      std::uint32_t &least = component.extreme[2 * i], &most = component.extreme[2 * i + 1];
      if (tree.vertices[v].x[i] < tree.vertices[least].x[i]) least = v;
      if (tree.vertices[v].x[i] > tree.vertices[most].x[i]) most = v;
    }
}

using WideVector = std::array<Parts, 3>;
using WideSums = std::array<Parts, kPatchSums>;

WideVector difference(const Vec3& b, const Vec3& a) {
  return {exact_sum(b[0], -a[0]), exact_sum(b[1], -a[1]), exact_sum(b[2], -a[2])};
}

/// As add_triangle of surface_moments.h, to twice the digits.
void add_triangle(const TriangleTree& tree, std::uint32_t place, WideSums& sums) {
  const auto [a, b, c] = tree.unit_corners(tree.leaves[place / kOfLeaf], place % kOfLeaf);
  const WideVector e = difference(b, a), f = difference(c, a);
  WideVector normal, s;
  Parts d{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    normal[i] = e[j] * f[k] - e[k] * f[j];
    s[i] = exact_sum(a[i], b[i]) + c[i];
    d = d + normal[i] * a[i];
  }
  double square = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) sums[3 * i + j] = sums[3 * i + j] + s[i] * normal[j];
    sums[kPatchNormal + i] = sums[kPatchNormal + i] + normal[i];
    sums[kPatchFirst + i] = sums[kPatchFirst + i] + d * s[i];
    square += normal[i].high * normal[i].high;
  }
  sums[kPatchArea] = sums[kPatchArea] + std::sqrt(square);
}

SpanningMoments::InwardRange inward_range(const TriangleTree::Leaf& leaf,
                                          const SpanningMoments& spanning) {
  const std::array<float, 3>& first = spanning.inward[spanning.same[leaf.corner[0][0]]];
  SpanningMoments::InwardRange range{first, first};
  for (const auto& corners : leaf.corner)
    for (const std::uint32_t vertex : corners)
      for (std::size_t i = 0; i < 3; ++i) {
        const float x = spanning.inward[spanning.same[vertex]][i];
        range.low[i] = std::min(range.low[i], x);
        range.high[i] = std::max(range.high[i], x);
      }
  return range;
}

template <class T>
std::size_t bytes(const std::vector<T>& array) {
  return array.capacity() * sizeof(T);
}

/// The vertices that triangles name, by their places.
std::vector<std::uint32_t> vertices_in_order(const std::vector<SpanningMoments::Range>& range) {
  std::vector<std::uint32_t> in_order(range.size());
  std::uint32_t end = 0;
  for (std::uint32_t v = 0; v < range.size(); ++v) {
    if (range[v].end == 0) continue;
    in_order[range[v].place] = v;
    end = std::max(end, range[v].end);
  }
  in_order.resize(end);
  return in_order;
}

/// Sets what follows from how triangles are joined.
void join(const TrianglesAround& around, SpanningMoments& result) {
  const std::size_t count = result.same.size();
  Spanning spanning{{}, std::vector<std::uint32_t>(count, kNoIndex)};
  for (std::uint32_t v = 0; v < count; ++v) {
    if (around.of(v).empty()) continue;
    if (!result.open_edge) result.open_edge = open_edge_at(v, around);
    if (spanning.parent[v] != kNoIndex) continue;
    spanning.grow(v, around, result.edges);
    result.components.push_back({v, {}});
  }
  std::vector<std::uint32_t> size(count, 1);
  for (std::size_t step = spanning.order.size(); step-- > 0;) {
    const std::uint32_t v = spanning.order[step], up = spanning.parent[v];
    if (up != v) size[up] += size[v];
  }
  std::uint32_t roots = 0;
  std::vector<std::uint32_t> next(count);  // place of the next child
  for (const std::uint32_t v : spanning.order) {
    std::uint32_t& place = spanning.parent[v] == v ? roots : next[spanning.parent[v]];
    result.range[v] = {place, place + size[v]};
    next[v] = place + 1;
    place += size[v];
  }
  for (const std::uint32_t v : vertices_in_order(result.range)) {
    result.first_triangle.push_back(static_cast<std::uint32_t>(result.triangles.size()));
    for (const std::uint32_t triangle : around.of(v))
      if (around.corners(triangle)[1] == v) result.triangles.push_back(triangle);
  }
  result.first_triangle.push_back(static_cast<std::uint32_t>(result.triangles.size()));
}

/// The sums of each vertex to those of its parent: children are added from the last to the first.
void find_sums_below(const TriangleTree& tree, std::span<const std::uint32_t> in_order,
                     SpanningMoments& result) {
  std::vector<WideSums> sums(in_order.size());  // by place
  parallel_for_each_index(sums.size(), kWorthwhile, [&](std::size_t place) {
    for (std::uint32_t i = result.first_triangle[place]; i < result.first_triangle[place + 1]; ++i)
      add_triangle(tree, result.triangles[i], sums[place]);
  });
  std::vector<std::uint32_t> above, parent(in_order.size());  // places
  for (std::uint32_t place = 0; place < in_order.size(); ++place) {
    while (!above.empty() && result.range[in_order[above.back()]].end <= place) above.pop_back();
    parent[place] = above.empty() ? place : above.back();
    above.push_back(place);
  }
  for (std::size_t place = in_order.size(); place-- > 0;) {
    WideMoments& below = result.below[in_order[place]];
    WideSums& up = sums[parent[place]];
    for (std::size_t i = 0; i < kPatchSums; ++i) {
      const auto [high, low] = sums[place][i];
      below.high[i] = high;
      below.low[i] = high != 0 ? static_cast<float>(low / high) : 0;
      if (parent[place] != place) up[i] = up[i] + sums[place][i];
    }
  }
}

/// Sets what follows from where the vertices are.
void measure(const TriangleTree& tree, const TrianglesAround& around, SpanningMoments& result) {
  parallel_for_each_index(result.same.size(), kWorthwhile, [&](std::size_t v) {
    const auto vertex = static_cast<std::uint32_t>(v);
    if (!around.of(vertex).empty()) result.inward[v] = inward_of(normals_at(vertex, tree, around));
  });
  result.inward_of_leaf.resize(tree.leaf_count());
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
    result.inward_of_leaf[leaf] = inward_range(tree.leaves[leaf], result);
  const std::vector<std::uint32_t> in_order = vertices_in_order(result.range);
  for (SpanningMoments::Component& component : result.components) {
    const auto [place, end] = result.range[component.root];
    find_extremes(tree, std::span(in_order).subspan(place, end - place), component);
  }
  find_sums_below(tree, in_order, result);
}

}  // namespace

std::size_t SpanningMoments::memory() const {
  return bytes(same) + bytes(edges) + bytes(range) + bytes(below) + bytes(components) +
         bytes(triangles) + bytes(first_triangle) + bytes(inward) + bytes(inward_of_leaf);
}

SpanningMoments spanning_moments(const TriangleTree& tree, const SpanningMoments* before) {
  SpanningMoments result;
  result.same = first_of_equals(tree);
  const TrianglesAround around(tree, result.same);
  const std::size_t count = result.same.size();
  if (before != nullptr && before->same == result.same) {
    result.edges = before->edges;
    result.range = before->range;
    result.triangles = before->triangles;
    result.first_triangle = before->first_triangle;
    result.components = before->components;
    result.open_edge = before->open_edge;
  } else {
    result.edges.resize(tree.leaf_count());
    result.range.resize(count);
    join(around, result);
  }
  result.inward.resize(count);
  result.below.resize(count);
  measure(tree, around, result);
  return result;
}

}  // namespace plimsoll
