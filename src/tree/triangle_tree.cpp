// Building: triangles in the order of the Morton codes of their centers, which puts neighbors into
// common blocks in O(n); within blocks of 256 the medians of the longer sides, which make the
// lowest levels, where the time of a query goes, nearly as tight as medians all the way up would.
#include "tree/triangle_tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

constexpr std::size_t kBlock = 256;      // triangles: 8 nodes of the last level
constexpr std::size_t kWorthwhile = 64;  // blocks, or nodes: some 10 us each

/// A triangle's center, in units of the frame and relative to its center; the fourth number holds
/// the bits of the triangle's own number, so that the four are one vector.
struct Center {
  alignas(16) float x[4];

  [[nodiscard]] std::uint32_t triangle() const { return std::bit_cast<std::uint32_t>(x[3]); }
};

/// The bits of `x`, seven of them, three apart.
std::uint32_t spread(std::uint32_t x) {
  x = (x | (x << 8)) & 0x0000700F;
  x = (x | (x << 4)) & 0x000430C3;
  return (x | (x << 2)) & 0x00049249;
}

/// 128 cells along each axis: a surface goes through some 50,000 of them, so that cells hold less
/// than a block up to 20 million triangles.
std::uint32_t morton_code(const Center& center, float reach) {
  constexpr float kCells = 128;
  std::uint32_t code = 0;
  for (int i = 0; i < 3; ++i) {
    const float unit = reach > 0 ? (center.x[i] / reach + 1) / 2 : 0;
    const auto cell = static_cast<std::uint32_t>(std::clamp(unit * kCells, 0.0F, kCells - 1));
    code |= spread(cell) << i;
  }
  return code;
}

/// Sorts by code; equal ones keep their order.
void sort_by_code(std::vector<Center>& centers, float reach) {
  constexpr int kBits = 11;
  constexpr std::size_t kBins = std::size_t{1} << kBits;
  struct Key {
    std::uint32_t code, index;
  };
  std::vector<Key> keys(centers.size()), sorted(centers.size());
  for (std::size_t i = 0; i < centers.size(); ++i)
    keys[i] = {morton_code(centers[i], reach), static_cast<std::uint32_t>(i)};
  for (int shift = 0; shift < 2 * kBits; shift += kBits) {
    std::array<std::size_t, kBins + 1> begin{};
    for (const Key& key : keys) ++begin[((key.code >> shift) & (kBins - 1)) + 1];
    for (std::size_t bin = 0; bin < kBins; ++bin) begin[bin + 1] += begin[bin];
    for (const Key& key : keys) sorted[begin[(key.code >> shift) & (kBins - 1)]++] = key;
    keys.swap(sorted);
  }
  std::vector<Center> ordered(centers.size());
  for (std::size_t i = 0; i < keys.size(); ++i) ordered[i] = centers[keys[i].index];
  centers.swap(ordered);
}

/// Puts those first that `is_first` holds for, without branches, which nothing could predict.
template <class IsFirst>
Center* partition(Center* begin, Center* end, const IsFirst& is_first) {
  Center* low = begin;
  for (Center* at = begin; at != end; ++at) {
    const Center center = *at;
    *at = *low;
    *low = center;
    low += is_first(center) ? 1 : 0;
  }
  return low;
}

/// Puts the `count` smallest by a coordinate first: quickselect. Equal ones are taken together, so
/// that they do not make it slow.
void select_smallest(Center* begin, Center* end, std::size_t count, int axis) {
  Center* const cut = begin + count;
  while (begin < cut && cut < end) {
    Center* const middle = begin + (end - begin) / 2;
    Center* const last = end - 1;
    // The median of three goes last.
    if (middle->x[axis] < begin->x[axis]) std::swap(*middle, *begin);
    if (last->x[axis] < middle->x[axis]) std::swap(*last, *middle);
    if (middle->x[axis] < begin->x[axis]) std::swap(*middle, *begin);
    std::swap(*middle, *last);
    const float pivot = last->x[axis];
    Center* const low = partition(begin, last, [=](const Center& c) { return c.x[axis] < pivot; });
    if (low == begin) {
      begin = partition(begin, end, [=](const Center& c) { return c.x[axis] == pivot; });
    } else if (cut <= low) {
      end = low;
    } else {
      begin = low;
    }
  }
}

/// The longest side of the box of some centers.
int longest_side(const Center* begin, const Center* end) {
  using Four = Eigen::Array4f;
  const auto vector = [](const Center& c) { return Four::Map(c.x, 4); };
  Four low = vector(*begin), high = low;
  for (const Center* c = begin; c != end; ++c) {
    low = low.min(vector(*c));
    high = high.max(vector(*c));
  }
  int axis = 0;
  (high - low).head<3>().maxCoeff(&axis);
  return axis;
}

/// Halves a block of centers by the longest side, again and again, down to leaves; every half but
/// the last is a whole power of two of leaves.
void split(Center* begin, Center* end) {
  const auto count = static_cast<std::size_t>(end - begin);
  if (count <= TriangleTree::kLeafTriangles) return;
  std::size_t half = TriangleTree::kLeafTriangles;
  while (2 * half < count) half *= 2;
  select_smallest(begin, end, half, longest_side(begin, end));
  split(begin, begin + half);
  split(begin + half, end);
}

std::vector<Center> ordered_centers(const MeshView& mesh, const BodyFrame& frame,
                                    TreeQuality quality) {
  std::vector<Center> centers(mesh.triangle_count());
  for (std::size_t t = 0; t < centers.size(); ++t) {
    const Triangle v = mesh.triangle(t);
    const Vec3 sum = frame.from_center(mesh.vertex(v[0])) + frame.from_center(mesh.vertex(v[1])) +
                     frame.from_center(mesh.vertex(v[2]));
    for (int i = 0; i < 3; ++i) centers[t].x[i] = static_cast<float>(sum[i] * (1.0 / 3));
    centers[t].x[3] = std::bit_cast<float>(static_cast<std::uint32_t>(t));
  }
  if (quality == TreeQuality::kTight) {
    split(centers.data(), centers.data() + centers.size());
    return centers;
  }
  sort_by_code(centers, static_cast<float>(frame.reach));
  parallel_for_each_index((centers.size() + kBlock - 1) / kBlock, kWorthwhile, [&](std::size_t b) {
    split(centers.data() + b * kBlock, centers.data() + std::min((b + 1) * kBlock, centers.size()));
  });
  return centers;
}

/// Leaves in order, vertices in the order of their first use.
void lay_out(TriangleTree& tree, const MeshView& mesh, const std::vector<Center>& centers) {
  std::vector<std::uint32_t> place(mesh.vertex_count(), kNoIndex);
  const std::size_t leaves =
      (centers.size() + TriangleTree::kLeafTriangles - 1) / TriangleTree::kLeafTriangles;
  tree.leaves.assign(leaves + 1, {});
  tree.numbers.assign((leaves + 1) * TriangleTree::kLeafTriangles, kNoIndex);
  for (std::size_t i = 0; i < centers.size(); ++i) {
    tree.numbers[i] = centers[i].triangle();
    const Triangle corners = mesh.triangle(centers[i].triangle());
    TriangleTree::Leaf& leaf = tree.leaves[i / TriangleTree::kLeafTriangles];
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint32_t& v = place[corners[k]];
      if (v == kNoIndex) {
        v = static_cast<std::uint32_t>(tree.sources.size());
        tree.sources.push_back(corners[k]);
      }
      leaf.corner[k][i % TriangleTree::kLeafTriangles] = v;
    }
  }
  for (std::size_t i = centers.size(); i < leaves * TriangleTree::kLeafTriangles; ++i)
    for (auto& corner : tree.leaves[leaves - 1].corner)
      corner[i % TriangleTree::kLeafTriangles] = tree.leaves[leaves - 1].corner[0][0];
}

/// Numbers the nodes, the root's level first.
void number_nodes(TriangleTree& tree) {
  std::vector<std::size_t> counts;  // of nodes, the last level's first
  std::size_t children = tree.leaves.size() - 1;
  do {
    children = (children + TriangleTree::kChildren - 1) / TriangleTree::kChildren;
    counts.push_back(children);
  } while (children > 1);
  std::size_t node = 0;
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    tree.first.push_back(node);
    node += *count;
  }
  tree.boxes.resize(node);
}

/// The box of child k.
void set_box(ChildBoxes& boxes, std::size_t k, const Box3& box) {
  for (int i = 0; i < 3; ++i) {
    const auto center = static_cast<float>((box.min()[i] + box.max()[i]) / 2);
    const double half = std::max(box.max()[i] - center, center - box.min()[i]);
    boxes.center[i][k] = center;
    boxes.half[i][k] =
        std::nextafter(static_cast<float>(half), std::numeric_limits<float>::infinity());
  }
}

void set_absent(ChildBoxes& boxes, std::size_t k) {
  for (int i = 0; i < 3; ++i) {
    boxes.center[i][k] = 0;
    boxes.half[i][k] = -1e38F;
  }
}

/// That of all children.
Box3 united(const ChildBoxes& boxes) {
  Box3 all;
  for (std::size_t k = 0; k < TriangleTree::kChildren; ++k) {
    if (boxes.half[0][k] < 0) continue;
    Vec3 center, half;
    for (int i = 0; i < 3; ++i) {
      center[i] = boxes.center[i][k];
      half[i] = boxes.half[i][k];
    }
    all.extend(Box3(center - half, center + half));
  }
  return all;
}

void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, SurfaceMoments& moments) {
  const Vec3 normal = (b - a).cross(c - a);
  const Vec3 s = a + b + c;
  const double d = a.dot(normal);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) moments.sum[3 * i + j] += s[i] * normal[j];
    moments.sum[kPatchNormal + i] += normal[i];
    moments.sum[kPatchFirst + i] += d * s[i];
  }
  moments.sum[kPatchArea] += normal.norm();
}

/// Child k of a node of the last level: its triangles one by one.
void fit_leaf(TriangleTree& tree, std::size_t node, std::size_t k) {
  const std::size_t number = TriangleTree::kChildren * (node - tree.first.back()) + k;
  if (number + 1 >= tree.leaves.size()) return set_absent(tree.boxes[node], k);
  const TriangleTree::Leaf& leaf = tree.leaves[number];
  const bool has_moments = !tree.moments.empty();
  SurfaceMoments moments;
  Box3 box;
  for (std::size_t t = 0; t < TriangleTree::kLeafTriangles; ++t) {
    Vec3 corner[3];
    for (std::size_t c = 0; c < 3; ++c) {
      corner[c] = Eigen::Map<const Vec3>(tree.vertices[leaf.corner[c][t]].x);
      box.extend(corner[c]);
    }
    if (has_moments) add_triangle(corner[0], corner[1], corner[2], moments);
  }
  set_box(tree.boxes[node], k, box);
  if (has_moments) tree.moments[TriangleTree::kChildren * node + k] = moments;
}

/// Child k of a node above: all children of the node that it is.
void fit_node(TriangleTree& tree, std::size_t level, std::size_t node, std::size_t k) {
  const std::size_t below = TriangleTree::kChildren * (node - tree.first[level]) + k;
  const std::size_t child = tree.first[level + 1] + below;
  const std::size_t end = level + 2 < tree.levels() ? tree.first[level + 2] : tree.boxes.size();
  if (child >= end) return set_absent(tree.boxes[node], k);
  set_box(tree.boxes[node], k, united(tree.boxes[child]));
  if (tree.moments.empty()) return;
  SurfaceMoments& moments = tree.moments[TriangleTree::kChildren * node + k];
  moments = {};
  for (std::size_t j = 0; j < TriangleTree::kChildren; ++j)
    for (std::size_t i = 0; i < kPatchSums; ++i)
      moments.sum[i] += tree.moments[TriangleTree::kChildren * child + j].sum[i];
}

}  // namespace

TriangleTree make_triangle_tree(const MeshView& mesh, TreeQuality quality, bool has_moments) {
  TriangleTree tree;
  tree.triangles = mesh.triangle_count();
  if (tree.triangles == 0) return tree;
  lay_out(tree, mesh, ordered_centers(mesh, body_frame(bounding_box(mesh)), quality));
  tree.vertex_count = 1 + *std::max_element(tree.sources.begin(), tree.sources.end());
  number_nodes(tree);
  if (has_moments) tree.moments.resize(tree.boxes.size() * TriangleTree::kChildren);
  fit(tree, mesh);
  return tree;
}

void fit(TriangleTree& tree, const MeshView& mesh) {
  if (tree.triangles == 0) return;
  tree.box.setEmpty();
  for (const std::uint32_t v : tree.sources) tree.box.extend(mesh.vertex(v));
  tree.frame = body_frame(tree.box);
  tree.vertices.resize(tree.sources.size());
  for (std::size_t v = 0; v < tree.sources.size(); ++v) {
    const Vec3 x = tree.frame.from_center(mesh.vertex(tree.sources[v]));
    tree.vertices[v] = {{x[0], x[1], x[2], 0}};
  }
  for (std::size_t level = tree.levels(); level-- > 0;) {
    const bool is_last = level + 1 == tree.levels();
    const std::size_t end = is_last ? tree.boxes.size() : tree.first[level + 1];
    parallel_for_each_index(end - tree.first[level], kWorthwhile, [&](std::size_t i) {
      const std::size_t node = tree.first[level] + i;
      for (std::size_t k = 0; k < TriangleTree::kChildren; ++k)
        is_last ? fit_leaf(tree, node, k) : fit_node(tree, level, node, k);
    });
  }
}

}  // namespace plimsoll
