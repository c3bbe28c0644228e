#include "tree/triangle_tree.h"

#include <hwy/cache_control.h>

#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>

#include "core/parallel.h"
#include "core/sole_owner.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

constexpr std::size_t kWorthwhile = 64;  // nodes
constexpr std::size_t kManyVertices = 8192;
/// The frame of vertices that no triangle names may be so much larger than that of those named: it
/// costs their boxes two bits.
constexpr double kMaxExcess = 4;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

template <class Row>
using RowScalar = std::remove_cvref_t<decltype(Row::x[0])>;
using Four = Eigen::Array4d;

/// An interval along each axis; the fourth is not used.
template <class Scalar>
struct Extent {
  using Four = Eigen::Array<Scalar, 4, 1>;
  Four low, high;

  void extend(const Extent& other) {
    low = low.min(other.low);
    high = high.max(other.high);
  }
};

Box3 box_of_vertices(const MeshView& mesh) {
  double low[3] = {kInfinite, kInfinite, kInfinite}, high[3] = {-kInfinite, -kInfinite, -kInfinite};
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 x = mesh.vertex(v);
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], x[i]);
      high[i] = std::max(high[i], x[i]);
    }
  }
  return {Vec3::Map(low), Vec3::Map(high)};
}

VertexRow row_of(const BodyFrame& frame, const Vec3& vertex) {
  const Vec3 x = frame.from_center(vertex);
  return {{x[0], x[1], x[2], 0}};
}

void place_vertices(TriangleTree& tree, const MeshView& mesh) {
  const bool is_all = tree.sources.empty();
  tree.vertices.resize(is_all ? mesh.vertex_count() : tree.sources.size());
  parallel_for_each_index(tree.vertices.size(), kManyVertices, [&](std::size_t v) {
    tree.vertices[v] = row_of(tree.frame, mesh.vertex(is_all ? v : tree.sources[v]));
  });
}

/// The vertices, rounded to floats.
void round_vertices(const TriangleTree& tree, std::vector<FloatRow>& rounded) {
  rounded.resize(tree.vertices.size());
  parallel_for_each_index(rounded.size(), kManyVertices, [&](std::size_t v) {
    for (std::size_t i = 0; i < 4; ++i) rounded[v].x[i] = static_cast<float>(tree.vertices[v].x[i]);
  });
}

/// Leaves in the order given, of the mesh's own vertices.
class LeafWriter {
 public:
  LeafWriter(TriangleTree& tree, const MeshView& mesh, std::span<const std::uint32_t> sorted)
      : mesh_(mesh), sorted_(sorted), leaves_(tree.leaves.data()), numbers_(tree.numbers.data()) {}

  /// Calls visit(t, named) for each triangle; in the last leaf more than once for the last one.
  template <class Visit>
  [[gnu::always_inline]] void write(std::size_t leaf, const Visit& visit) const {
    const std::size_t first = kOfLeaf * leaf, last = std::min(first + kOfLeaf, sorted_.size()) - 1;
    fetch(first + kAhead);
    auto& corner = leaves_[leaf].corner;
    for (std::size_t t = 0; t < kOfLeaf; ++t) {
      const std::uint32_t number = sorted_[std::min(first + t, last)];
      const Triangle named = mesh_.triangle(number);
      for (std::size_t k = 0; k < 3; ++k) corner[k][t] = named[k];
      numbers_[first + t] = number;
      visit(t, named);
    }
    for (std::size_t i = last + 1; i < first + kOfLeaf; ++i) {
      for (auto& corners : corner) corners[i - first] = corner[0][0];
      numbers_[i] = kNoIndex;
    }
  }

 private:
  static constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles, kAhead = 8 * kOfLeaf;

  /// Asks the memory for the triangles of a leaf.
  [[gnu::always_inline]] void fetch(std::size_t first) const {
    if (first + kOfLeaf > sorted_.size() || mesh_.indices() == nullptr) return;
    for (std::size_t t = 0; t < kOfLeaf; ++t)
      hwy::Prefetch(mesh_.indices() + 3 * std::size_t{sorted_[first + t]});
  }

  MeshView mesh_;
  std::span<const std::uint32_t> sorted_;
  TriangleTree::Leaf* leaves_;
  std::uint32_t* numbers_;
};

/// Numbers the nodes, the root's level first.
void number_nodes(TriangleTree& tree) {
  std::vector<std::size_t> counts;  // of nodes, the last level's first
  std::size_t children = tree.leaf_count();
  do {
    children = (children + TriangleTree::kChildren - 1) / TriangleTree::kChildren;
    counts.push_back(children);
  } while (children > 1);
  tree.first.clear();
  std::size_t node = 0;
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    tree.first.push_back(node);
    node += *count;
  }
  tree.boxes.resize(node);
}

/// Makes room for so many triangles, and numbers the nodes.
void make_room(TriangleTree& tree, std::size_t triangles) {
  constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;
  const std::size_t leaves = (triangles + kOfLeaf - 1) / kOfLeaf;
  tree.triangles = triangles;
  tree.leaves.resize(leaves + 1);
  tree.leaves.back() = {};
  tree.numbers.resize((leaves + 1) * kOfLeaf);
  std::fill(tree.numbers.end() - kOfLeaf, tree.numbers.end(), kNoIndex);
  number_nodes(tree);
}

/// Numbers vertices in the order of their first use, so that a leaf's are near each other.
void gather_vertices(TriangleTree& tree, std::size_t vertex_count,
                     std::vector<std::uint32_t>& place) {
  place.assign(vertex_count, kNoIndex);
  for (std::size_t i = 0; i < tree.triangles; ++i)
    for (auto& corner : tree.leaves[i / TriangleTree::kLeafTriangles].corner) {
      std::uint32_t& v = corner[i % TriangleTree::kLeafTriangles];
      if (place[v] == kNoIndex) {
        place[v] = static_cast<std::uint32_t>(tree.sources.size());
        tree.sources.push_back(v);
      }
      v = place[v];
    }
  TriangleTree::Leaf& last = tree.leaves[tree.leaf_count() - 1];
  for (std::size_t k = tree.size_of(tree.leaf_count() - 1); k < TriangleTree::kLeafTriangles; ++k)
    for (auto& corner : last.corner) corner[k] = last.corner[0][0];
}

/// Sets box k. What float loses of the half sizes, the next larger float makes up for.
template <std::size_t kCount>
void set_box(FloatBoxes<kCount>& boxes, std::size_t k, const Extent<double>& extent) {
  const Eigen::Array4f center = ((extent.low + extent.high) * 0.5).cast<float>();
  const Four middle = center.cast<double>();
  const Eigen::Array4f half = (extent.high - middle).max(middle - extent.low).cast<float>();
  for (int i = 0; i < 3; ++i) {
    boxes.center[i][k] = center[i];
    boxes.half[i][k] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(half[i]) + 1);
  }
}

/// The same of rounded vertices, with `room` for what rounding took from them.
[[gnu::always_inline]] inline void set_box(ChildBoxes& boxes, std::size_t k,
                                           const Extent<float>& extent, float room) {
  const Eigen::Array4f center = (extent.low + extent.high) * 0.5F;
  const Eigen::Array4f half = (extent.high - center).max(center - extent.low) + room;
  for (int i = 0; i < 3; ++i) {
    boxes.center[i][k] = center[i];
    boxes.half[i][k] = half[i];
  }
}

/// The box around the boxes of all children; those that are not there are far above its low and far
/// below its high corner.
template <class Scalar>
Extent<Scalar> extent_of(const ChildBoxes& boxes) {
  using Rows = Eigen::Array<Scalar, TriangleTree::kChildren, 1>;
  using Row = Eigen::Map<const Eigen::Array<float, TriangleTree::kChildren, 1>, Eigen::Aligned32>;
  Extent<Scalar> all{Extent<Scalar>::Four::Zero(), Extent<Scalar>::Four::Zero()};
  for (int i = 0; i < 3; ++i) {
    const Rows center = Row(boxes.center[i]).template cast<Scalar>();
    const Rows half = Row(boxes.half[i]).template cast<Scalar>();
    all.low[i] = (center - half).minCoeff();
    all.high[i] = (center + half).maxCoeff();
  }
  return all;
}

template <class Row>
[[gnu::always_inline]] inline auto extent_of(const Row* vertices, const Triangle& named) {
  using Result = Extent<RowScalar<Row>>;
  using Corner = typename Result::Four;
  const Corner a = Corner::MapAligned(vertices[named[0]].x);
  const Corner b = Corner::MapAligned(vertices[named[1]].x);
  const Corner c = Corner::MapAligned(vertices[named[2]].x);
  return Result{a.min(b).min(c), a.max(b).max(c)};
}

/// Of triangle t of a leaf.
template <class Row>
[[gnu::always_inline]] inline auto extent_of(const Row* vertices, const TriangleTree::Leaf& leaf,
                                             std::size_t t) {
  return extent_of(vertices, {leaf.corner[0][t], leaf.corner[1][t], leaf.corner[2][t]});
}

template <class Row>
[[gnu::always_inline]] inline auto extent_of(const Row* vertices, const TriangleTree::Leaf& leaf) {
  auto a = extent_of(vertices, leaf, 0), b = extent_of(vertices, leaf, 1);
  auto c = extent_of(vertices, leaf, 2), d = extent_of(vertices, leaf, 3);
  a.extend(b);
  c.extend(d);
  a.extend(c);
  return a;
}

/// Of its triangles.
Box3 exact_box(const TriangleTree& tree, const MeshView& mesh) {
  Box3 box;
  for (std::size_t i = 0; i < tree.triangles; ++i)
    for (const std::uint32_t v : mesh.triangle(tree.numbers[i])) box.extend(mesh.vertex(v));
  return box;
}

/// Sets the boxes of a level, `set(boxes, k, child)` that of a child by its number below it.
template <class SetBox>
void fit_level(TriangleTree& tree, std::size_t level, const SetBox& set) {
  constexpr std::size_t kChildren = TriangleTree::kChildren;
  parallel_for_each_index(tree.width(level), kWorthwhile, [&](std::size_t i) {
    ChildBoxes& boxes = tree.boxes[tree.first[level] + i];
    const std::size_t children = std::min(kChildren, tree.width(level + 1) - kChildren * i);
    for (std::size_t k = 0; k < children; ++k) set(boxes, k, kChildren * i + k);
    for (std::size_t k = children; k < kChildren; ++k) boxes.set_absent(k);
  });
}

/// All boxes from the leaves up: `of_leaf(boxes, k, leaf)` sets that of a leaf, `of_node(boxes, k,
/// below)` the one around the boxes below.
template <class OfLeaf, class OfNode>
void fit_levels(TriangleTree& tree, const OfLeaf& of_leaf, const OfNode& of_node) {
  const std::size_t last = tree.levels() - 1;
  fit_level(tree, last, of_leaf);
  for (std::size_t level = last; level-- > 0;) {
    const ChildBoxes* below = &tree.boxes[tree.first[level + 1]];
    fit_level(tree, level, [=](ChildBoxes& boxes, std::size_t k, std::size_t child) {
      of_node(boxes, k, below[child]);
    });
  }
}

/// Of vertices that are where they should be.
void fit_boxes(TriangleTree& tree) {
  const VertexRow* vertices = tree.vertices.data();
  const TriangleTree::Leaf* leaves = tree.leaves.data();
  fit_levels(
      tree,
      [=](ChildBoxes& boxes, std::size_t k, std::size_t leaf) {
        set_box(boxes, k, extent_of(vertices, leaves[leaf]));
      },
      [](ChildBoxes& boxes, std::size_t k, const ChildBoxes& below) {
        set_box(boxes, k, extent_of<double>(below));
      });
}

/// The same in a third of the time, by rounded vertices, and leaves are laid out on the way. With u
/// = 2^-24 and r the reach, rounding moves a corner, or a face of a box below, by at most 1.01 u r,
/// and a half size, which is a difference and a sum of at most 1.01 r, by 2.02 u r: together less
/// than 4 u r.
void lay_out_and_fit(TriangleTree& tree, const MeshView& mesh,
                     std::span<const std::uint32_t> sorted, std::span<const FloatRow> rounded) {
  make_room(tree, sorted.size());
  // Floats below 2^-126 have fewer digits: each of three roundings is half of the least at most.
  const auto room =
      static_cast<float>(0x1p-22 * tree.frame.reach) + 2 * std::numeric_limits<float>::denorm_min();
  const LeafWriter leaves(tree, mesh, sorted);
  const FloatRow* vertices = rounded.data();
  fit_levels(
      tree,
      [=](ChildBoxes& boxes, std::size_t k, std::size_t leaf) {
        Extent<float> all;
        leaves.write(leaf, [&](std::size_t t, const Triangle& named) {
          const Extent<float> one = extent_of(vertices, named);
          if (t == 0)
            all = one;
          else
            all.extend(one);
        });
        set_box(boxes, k, all, room);
      },
      [=](ChildBoxes& boxes, std::size_t k, const ChildBoxes& below) {
        set_box(boxes, k, extent_of<float>(below), room);
      });
}

/// How far triangles reach from the center, up an axis (sign 1) or down (-1): as far as is found,
/// and at most.
struct Reach {
  int axis;
  double sign, found, limit;
};

/// Looks through a subtree, but not into boxes that do not reach farther.
void extend(Reach& reach, const TriangleTree& tree, std::size_t level, std::size_t node) {
  if (level == tree.levels()) {
    for (const auto& corner : tree.leaves[node].corner)
      for (const std::uint32_t v : corner)
        reach.found = std::max(reach.found, reach.sign * tree.vertices[v].x[reach.axis]);
    return;
  }
  const ChildBoxes& boxes = tree.boxes[tree.first[level] + node];
  for (std::size_t k = 0; k < TriangleTree::kChildren && reach.found < reach.limit; ++k) {
    const double center = boxes.center[reach.axis][k], half = boxes.half[reach.axis][k];
    if (boxes.is_there(k) && reach.sign * center + half > reach.found)
      extend(reach, tree, level + 1, TriangleTree::kChildren * node + k);
  }
}

/// The same by the boxes of the nodes; `bounds`, which the frame was made for, holds it.
Box3 box_within(const Box3& bounds, const TriangleTree& tree, const MeshView& mesh) {
  // Scaled, the smallest coordinates of a body may be rounded.
  if (tree.frame.exponent != 0) return exact_box(tree, mesh);
  const auto found = [&](int axis, double sign, const Vec3& bound) {
    Reach reach{axis, sign, -tree.frame.reach, sign * tree.frame.from_center(bound)[axis]};
    extend(reach, tree, 0, 0);
    return sign * reach.found;
  };
  Vec3 low, high;
  for (int i = 0; i < 3; ++i) {
    low[i] = found(i, -1, bounds.min());
    high[i] = found(i, 1, bounds.max());
  }
  return {tree.frame.to_meters(low), tree.frame.to_meters(high)};
}

/// All that depends on where the vertices are, in a frame that holds those of the triangles.
void fit_within(const Box3& bounds, TriangleTree& tree, const MeshView& mesh) {
  tree.frame = body_frame(bounds);
  place_vertices(tree, mesh);
  fit_boxes(tree);
  tree.box = box_within(bounds, tree, mesh);
}

bool is_frame_too_large(const TriangleTree& tree) {
  const BodyFrame own = body_frame(tree.box);
  return times_power_of_two(tree.frame.reach, tree.frame.exponent) >
         kMaxExcess * times_power_of_two(own.reach, own.exponent);
}

}  // namespace

void TreeBuilder::build(const MeshView& mesh, TreeQuality quality, TriangleTree& tree) {
  build(mesh, ChosenTriangles{mesh.triangle_count()}, quality, tree);
}

void TreeBuilder::build(const MeshView& mesh, std::span<const std::uint32_t> chosen,
                        TreeQuality quality, TriangleTree& tree) {
  build(mesh, ChosenTriangles{chosen.size(), chosen.data()}, quality, tree);
}

void TreeBuilder::build(const MeshView& mesh, const ChosenTriangles& chosen, TreeQuality quality,
                        TriangleTree& tree) {
  if (chosen.count == 0) {
    tree = {};
    return;
  }
  tree.sources.clear();
  tree.found_open_edges = std::make_shared<Lazy<std::vector<OpenEdge>>>();
  if (quality == TreeQuality::kFast) {
    tree.vertex_count = mesh.vertex_count();
    build_fast(box_of_vertices(mesh), mesh, chosen, tree);
    if (is_frame_too_large(tree)) build_fast(exact_box(tree, mesh), mesh, chosen, tree);
    return;
  }
  tree.frame = body_frame(bounding_box(mesh));
  place_vertices(tree, mesh);
  const auto sorted = order_.split(mesh, tree.vertices, tree.frame.reach, quality, chosen);
  make_room(tree, sorted.size());
  const LeafWriter leaves(tree, mesh, sorted);
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
    leaves.write(leaf, [](std::size_t, const Triangle&) {});
  gather_vertices(tree, mesh.vertex_count(), place_);
  tree.vertex_count = 1 + *std::max_element(tree.sources.begin(), tree.sources.end());
  fit(tree, mesh);
}

/// In the frame of a box that holds the vertices of the triangles chosen.
void TreeBuilder::build_fast(const Box3& bounds, const MeshView& mesh,
                             const ChosenTriangles& chosen, TriangleTree& tree) {
  tree.frame = body_frame(bounds);
  place_vertices(tree, mesh);
  round_vertices(tree, rounded_);
  const auto sorted = order_.along_curve(mesh, rounded_, tree.frame.reach, chosen);
  lay_out_and_fit(tree, mesh, sorted, rounded_);
  tree.box = box_within(bounds, tree, mesh);
}

TriangleTree make_triangle_tree(const MeshView& mesh, TreeQuality quality) {
  TriangleTree tree;
  TreeBuilder().build(mesh, quality, tree);
  return tree;
}

void fit(TriangleTree& tree, const MeshView& mesh) {
  if (tree.triangles == 0) return;
  Box3 box;
  if (tree.sources.empty()) box = box_of_vertices(mesh);
  for (const std::uint32_t v : tree.sources) box.extend(mesh.vertex(v));
  fit_within(box, tree, mesh);
  if (is_frame_too_large(tree)) fit_within(exact_box(tree, mesh), tree, mesh);
}

namespace {

/// One that names other vertices than it did when the tree was made.
std::optional<std::uint32_t> other_triangle(const TriangleTree& tree, const MeshView& mesh) {
  for (std::size_t i = 0; i < tree.triangles; ++i) {
    const TriangleTree::Leaf& leaf = tree.leaves[i / TriangleTree::kLeafTriangles];
    const Triangle named = mesh.triangle(tree.numbers[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = leaf.corner[k][i % TriangleTree::kLeafTriangles];
      if (named[k] != (tree.sources.empty() ? v : tree.sources[v])) return tree.numbers[i];
    }
  }
  return std::nullopt;
}

}  // namespace

Result<void> refit(std::shared_ptr<TriangleTree>& tree, const MeshView& mesh) {
  if (mesh.triangle_count() != tree->triangles || mesh.vertex_count() < tree->vertex_count)
    return Error{ErrorCode::kInvalidArgument,
                 "found " + std::to_string(mesh.triangle_count()) + " triangles of " +
                     std::to_string(mesh.vertex_count()) + " vertices, expected the " +
                     std::to_string(tree->triangles) + " triangles and no fewer than the " +
                     std::to_string(tree->vertex_count) + " vertices of the tree",
                 "mesh"};
  if (const std::optional<std::uint32_t> other = other_triangle(*tree, mesh))
    return Error{ErrorCode::kInvalidArgument,
                 "found other vertices than the tree was made of, expected the same triangles",
                 "triangle " + std::to_string(*other)};
  if (!is_sole_owner(tree)) tree = std::make_shared<TriangleTree>(*tree);
  fit(*tree, mesh);
  return {};
}

std::vector<TriangleBoxes> triangle_boxes(const TriangleTree& tree) {
  std::vector<TriangleBoxes> boxes(tree.leaf_count());
  parallel_for_each_index(boxes.size(), kWorthwhile, [&](std::size_t leaf) {
    for (std::size_t t = 0; t < TriangleTree::kLeafTriangles; ++t)
      if (t < tree.size_of(leaf))
        set_box(boxes[leaf], t, extent_of(tree.vertices.data(), tree.leaves[leaf], t));
      else
        boxes[leaf].set_absent(t);
  });
  return boxes;
}

std::size_t memory_of(const TriangleTree& tree) {
  const auto bytes = [](const auto& array) { return array.capacity() * sizeof(array[0]); };
  return sizeof(tree) + bytes(tree.first) + bytes(tree.boxes) + bytes(tree.leaves) +
         bytes(tree.numbers) + bytes(tree.vertices) + bytes(tree.sources);
}

}  // namespace plimsoll
