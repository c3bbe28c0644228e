// The distance of two triangle meshes by trees of rectangle swept spheres, the classic that ours is
// measured against [Larsen1999]: a plain version, written for this benchmark.
#pragma once

#include <plimsoll/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace plimsoll::bench {

/// A rotation and a translation.
struct RigidMap {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Vec3 shift = Vec3::Zero();
};

using Corners = std::array<Vec3, 3>;

struct TriangleGap {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
};

/// Nearest points of two triangles, 0 where they have a point in common.
[[nodiscard]] TriangleGap triangle_gap(const Corners& a, const Corners& b);

/// A binary tree with a triangle in each leaf. Each node is what a ball covers whose center is
/// somewhere on a rectangle.
class SweptSphereTree {
 public:
  /// O(n log n).
  explicit SweptSphereTree(const TriangleMesh& mesh);

 private:
  friend class SweptSphereSearch;
  friend class SweptSphereBuild;

  struct Node {
    RigidMap frame;  ///< Parent from node: the rectangle is [0, side 0] x [0, side 1] in z = 0.
    double side[2];
    double radius;
    float size;           ///< Of two nodes the larger is opened.
    std::int32_t within;  ///< Of two children the first, or -1 - the triangle.
    [[nodiscard]] bool is_leaf() const { return within < 0; }
  };

  std::vector<Node> nodes_;  // the root first
  std::vector<Corners> triangles_;
};

struct SweptSphereAnswer {
  TriangleGap nearest;  ///< In the world.
  std::int32_t a_triangle = 0, b_triangle = 0;
  std::size_t node_pairs = 0, triangle_pairs = 0;  ///< How many were measured.
};

/// Its memory, kept from one question to the next.
class SweptSphereSearch {
 public:
  enum class Order {
    kDepthFirst,    ///< Recursive, the nearer child first.
    kNearestFirst,  ///< A priority queue of pairs of nodes.
  };
  explicit SweptSphereSearch(Order order) : order_(order) {}

  /// `last` is an answer for the same trees, whose triangles give the first bound.
  [[nodiscard]] SweptSphereAnswer find(const SweptSphereTree& a, const RigidMap& world_from_a,
                                       const SweptSphereTree& b, const RigidMap& world_from_b,
                                       const SweptSphereAnswer* last = nullptr);

 private:
  using Node = SweptSphereTree::Node;
  struct Pair {
    RigidMap a_from_b;  // between the frames of the nodes
    std::int32_t a, b;
    double gap;
  };

  void measure(std::int32_t a_triangle, std::int32_t b_triangle);
  [[nodiscard]] Pair child_of(const Pair& pair, bool opens_a, int which);
  [[nodiscard]] bool opens_a(const Pair& pair) const;
  bool measure_leaves(const Pair& pair);
  void recurse(const Pair& pair);
  void wait(const Pair& pair);
  bool take(Pair& pair);
  void run_queue(Pair pair);

  Order order_;
  const SweptSphereTree* a_ = nullptr;
  const SweptSphereTree* b_ = nullptr;
  RigidMap a_from_b_;  // between the meshes
  SweptSphereAnswer best_;
  struct Waiting {
    double gap;
    std::uint32_t place;
  };
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> free_;
  std::vector<Waiting> heap_;
};

}  // namespace plimsoll::bench
