#include "tree/triangle_tree.h"

#include <bit>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "core/parallel.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

constexpr std::size_t kWorthwhile = 64;  // nodes: some 10 us each
/// The frame of vertices that no triangle names may be so much larger than that of those named: it
/// costs their boxes two bits.
constexpr double kMaxExcess = 4;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

using Four = Eigen::Array4d;

/// An interval along each axis; the fourth is not used.
struct Extent {
  Four low, high;

  void extend(const Four& from, const Four& to) {
    low = low.min(from);
    high = high.max(to);
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
  for (std::size_t v = 0; v < tree.vertices.size(); ++v)
    tree.vertices[v] = row_of(tree.frame, mesh.vertex(is_all ? v : tree.sources[v]));
}

/// Leaves in the order given, of the mesh's own vertices.
void lay_out(TriangleTree& tree, const MeshView& mesh, std::span<const std::uint32_t> sorted) {
  constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;
  const std::size_t leaves = (sorted.size() + kOfLeaf - 1) / kOfLeaf;
  tree.triangles = sorted.size();
  tree.leaves.resize(leaves + 1);
  tree.leaves.back() = {};
  tree.numbers.resize((leaves + 1) * kOfLeaf);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Triangle corners = mesh.triangle(sorted[i]);
    for (std::size_t k = 0; k < 3; ++k)
      tree.leaves[i / kOfLeaf].corner[k][i % kOfLeaf] = corners[k];
    tree.numbers[i] = sorted[i];
  }
  for (std::size_t i = sorted.size(); i < tree.numbers.size(); ++i) tree.numbers[i] = kNoIndex;
  TriangleTree::Leaf& last = tree.leaves[leaves - 1];
  for (std::size_t i = sorted.size(); i < leaves * kOfLeaf; ++i)
    for (auto& corner : last.corner) corner[i % kOfLeaf] = last.corner[0][0];
}

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
void set_box(FloatBoxes<kCount>& boxes, std::size_t k, const Extent& extent) {
  const Eigen::Array4f center = ((extent.low + extent.high) * 0.5).cast<float>();
  const Four middle = center.cast<double>();
  const Eigen::Array4f half = (extent.high - middle).max(middle - extent.low).cast<float>();
  for (int i = 0; i < 3; ++i) {
    boxes.center[i][k] = center[i];
    boxes.half[i][k] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(half[i]) + 1);
  }
}

/// The box around the boxes of all children; those that are not there are far above its low and far
/// below its high corner.
Extent extent_of(const ChildBoxes& boxes) {
  Extent all{Four::Zero(), Four::Zero()};
  for (int i = 0; i < 3; ++i) {
    double low = kInfinite, high = -kInfinite;
    for (std::size_t k = 0; k < TriangleTree::kChildren; ++k) {
      const double center = boxes.center[i][k], half = boxes.half[i][k];
      low = std::min(low, center - half);
      high = std::max(high, center + half);
    }
    all.low[i] = low;
    all.high[i] = high;
  }
  return all;
}

Extent extent_of(const VertexRow* vertices, const TriangleTree::Leaf& leaf, std::size_t t) {
  const auto corner = [&](std::size_t k) -> Four {
    return Four::MapAligned(vertices[leaf.corner[k][t]].x);
  };
  const Four a = corner(0), b = corner(1), c = corner(2);
  return {a.min(b).min(c), a.max(b).max(c)};
}

Extent extent_of(const VertexRow* vertices, const TriangleTree::Leaf& leaf) {
  const Extent a = extent_of(vertices, leaf, 0), b = extent_of(vertices, leaf, 1);
  const Extent c = extent_of(vertices, leaf, 2), d = extent_of(vertices, leaf, 3);
  return {a.low.min(b.low).min(c.low.min(d.low)), a.high.max(b.high).max(c.high.max(d.high))};
}

/// Of its triangles.
Box3 exact_box(const TriangleTree& tree, const MeshView& mesh) {
  Box3 box;
  for (std::size_t i = 0; i < tree.triangles; ++i)
    for (const std::uint32_t v : mesh.triangle(tree.numbers[i])) box.extend(mesh.vertex(v));
  return box;
}

/// All boxes from the leaves up, of vertices that are where they should be.
void fit_boxes(TriangleTree& tree, const MeshView& mesh) {
  constexpr std::size_t kChildren = TriangleTree::kChildren;
  const std::size_t last = tree.levels() - 1;
  std::vector<Extent> extents(tree.width(last));
  parallel_for_each_index(tree.width(last), kWorthwhile, [&](std::size_t i) {
    ChildBoxes& boxes = tree.boxes[tree.first[last] + i];
    const std::size_t leaves = std::min(kChildren, tree.leaf_count() - kChildren * i);
    Extent whole{Four::Constant(kInfinite), Four::Constant(-kInfinite)};
    for (std::size_t k = 0; k < leaves; ++k) {
      const Extent extent = extent_of(tree.vertices.data(), tree.leaves[kChildren * i + k]);
      set_box(boxes, k, extent);
      whole.extend(extent.low, extent.high);
    }
    for (std::size_t k = leaves; k < kChildren; ++k) boxes.set_absent(k);
    extents[i] = whole;
  });
  for (std::size_t level = last; level-- > 0;)
    parallel_for_each_index(tree.width(level), kWorthwhile, [&](std::size_t i) {
      ChildBoxes& boxes = tree.boxes[tree.first[level] + i];
      for (std::size_t k = 0; k < kChildren; ++k) {
        const std::size_t child = kChildren * i + k;
        if (child < tree.width(level + 1))
          set_box(boxes, k, extent_of(tree.boxes[tree.first[level + 1] + child]));
        else
          boxes.set_absent(k);
      }
    });
  // Scaled, the smallest coordinates of a body may be rounded.
  if (tree.frame.exponent != 0) {
    tree.box = exact_box(tree, mesh);
    return;
  }
  Extent whole = extents.front();
  for (const Extent& extent : extents) whole.extend(extent.low, extent.high);
  tree.box = {tree.frame.to_meters(whole.low.head<3>()),
              tree.frame.to_meters(whole.high.head<3>())};
}

/// All that depends on where the vertices are, in a frame that holds those of the triangles.
void fit_within(TriangleTree& tree, const MeshView& mesh, const BodyFrame& frame) {
  tree.frame = frame;
  place_vertices(tree, mesh);
  fit_boxes(tree, mesh);
}

bool is_frame_too_large(const TriangleTree& tree) {
  const BodyFrame own = body_frame(tree.box);
  return times_power_of_two(tree.frame.reach, tree.frame.exponent) >
         kMaxExcess * times_power_of_two(own.reach, own.exponent);
}

}  // namespace

void TreeBuilder::build(const MeshView& mesh, TreeQuality quality, TriangleTree& tree) {
  for (std::size_t t = all_.size(); t < mesh.triangle_count(); ++t)
    all_.push_back(static_cast<std::uint32_t>(t));
  build(mesh, std::span(all_).first(mesh.triangle_count()), quality, tree);
}

/// Leaves and nodes, whose boxes are not fitted.
void TreeBuilder::build_within(const BodyFrame& frame, const MeshView& mesh,
                               std::span<const std::uint32_t> chosen, TreeQuality quality,
                               TriangleTree& tree) {
  tree.frame = frame;
  tree.sources.clear();
  place_vertices(tree, mesh);
  lay_out(tree, mesh, order_.sorted(mesh, tree.vertices, frame.reach, quality, chosen));
  number_nodes(tree);
}

void TreeBuilder::build(const MeshView& mesh, std::span<const std::uint32_t> chosen,
                        TreeQuality quality, TriangleTree& tree) {
  if (chosen.empty()) {
    tree = {};
    return;
  }
  if (quality != TreeQuality::kFast) {
    build_within(body_frame(bounding_box(mesh)), mesh, chosen, quality, tree);
    gather_vertices(tree, mesh.vertex_count(), place_);
    tree.vertex_count = 1 + *std::max_element(tree.sources.begin(), tree.sources.end());
    return fit(tree, mesh);
  }
  build_within(body_frame(box_of_vertices(mesh)), mesh, chosen, quality, tree);
  tree.vertex_count = mesh.vertex_count();
  fit_boxes(tree, mesh);
  if (!is_frame_too_large(tree)) return;
  build_within(body_frame(exact_box(tree, mesh)), mesh, chosen, quality, tree);
  fit_boxes(tree, mesh);
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
  fit_within(tree, mesh, body_frame(box));
  if (is_frame_too_large(tree)) fit_within(tree, mesh, body_frame(exact_box(tree, mesh)));
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
  if (tree.use_count() > 1) tree = std::make_shared<TriangleTree>(*tree);
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
