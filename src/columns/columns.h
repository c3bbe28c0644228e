// What the image engine needs of a shape: where columns enter and leave it.
//
// Columns run along the world axis `axis` = 0, 1, 2; (u, v) are the world coordinates along the
// axes (axis + 1) % 3 and (axis + 2) % 3.
#pragma once

#include <plimsoll/shape.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "columns/implicit_columns.h"
#include "columns/line_crossings.h"
#include "columns/mesh_columns.h"
#include "columns/span.h"
#include "shape/expression_work.h"
#include "shape/similarity_parts.h"

namespace plimsoll {

/// A shape prepared for columns along one axis. Immutable but for the work that its formulas may
/// still take, so that threads may share it.
class Columns {
 public:
  /// Memory that queries reuse, and what they found to be doubtful. One for each thread.
  struct Scratch {
    /// Columns of formulas that met their limit of work: pieces may be missing.
    std::int64_t undecided = 0;
    /// Columns of meshes whose faces do not balance.
    std::int64_t unbalanced = 0;

    // The rest is Columns' own: lists of spans for each level of nesting, and lists of its leaves.
    struct Level {
      std::vector<Span> operand;
      std::vector<Span> result;
    };
    std::vector<Level> levels;
    std::vector<MeshCrossing> met;
    std::vector<LineSegment> waiting;
    std::vector<Span> local;
  };

  /// `flatness`: patches become triangles this near to them [m]. Primitives and formulas are not
  /// approximated.
  /// Errors: as check_shape and tessellate; `InvalidArgument` for another axis.
  [[nodiscard]] static Result<Columns> of(const Shape& shape, int axis, double flatness);

  /// Replaces `out` by the sorted disjoint spans along the column at (u, v), in world coordinates:
  /// depths are rounded like numbers of their size, so bring a shape far from the origin near it
  /// first. No allocation once `scratch` and `out` have grown.
  void spans(double u, double v, Scratch& scratch, std::vector<Span>& out) const;

  /// What holds for every column with |u - center_u| <= half_u and |v - center_v| <= half_v.
  struct Bundle {
    std::vector<Span> inner;  ///< Inside of the solid, in each of them.
    std::vector<Span> outer;  ///< Outside of these no column is inside.
  };
  struct Rectangle {
    double u0, u1, v0, v1;
  };
  /// How a bundle is looked at: formulas in pieces no shorter than `thin` along the column, and not
  /// at all at the depths `ignored`, sorted and disjoint, where they may come out as uncertain.
  struct BundleQuery {
    Rectangle tile;
    double thin;
    std::span<const Span> ignored{};
  };
  /// Surfaces of its spans mean nothing.
  [[nodiscard]] Bundle bundle(const BundleQuery& query, Scratch& scratch) const;

  [[nodiscard]] bool is_boolean() const { return nodes_.size() > 1; }
  [[nodiscard]] bool has_formulas() const;
  /// Whether it is a Boolean without formulas, of which bundles take far longer than of all else.
  [[nodiscard]] bool is_boolean_of_solids() const;
  /// Whether some part is a mesh or a formula: the numbers of their surfaces do not tell walls
  /// apart.
  [[nodiscard]] bool has_jumping_surfaces() const;
  /// The parts that are no Booleans and may meet columns of `tile`; and the same two of each alone.
  [[nodiscard]] std::vector<std::uint32_t> leaves_in(const Rectangle& tile) const;
  [[nodiscard]] bool is_primitive(std::uint32_t leaf) const {
    return std::holds_alternative<PrimitiveLeaf>(nodes_[leaf].part);
  }
  [[nodiscard]] bool is_formula(std::uint32_t leaf) const {
    return std::holds_alternative<ImplicitLeaf>(nodes_[leaf].part);
  }
  /// The mesh that a leaf is; null for others.
  [[nodiscard]] const MeshColumns* mesh_of(std::uint32_t leaf) const {
    const auto* part = std::get_if<MeshLeaf>(&nodes_[leaf].part);
    return part != nullptr ? part->mesh.get() : nullptr;
  }
  /// No column outside of it meets the leaf.
  [[nodiscard]] const Rectangle& leaf_rectangle(std::uint32_t leaf) const {
    return nodes_[leaf].rectangle;
  }
  void leaf_spans(std::uint32_t leaf, double u, double v, Scratch& scratch,
                  std::vector<Span>& out) const;
  [[nodiscard]] Bundle leaf_bundle(std::uint32_t leaf, const BundleQuery& query,
                                   Scratch& scratch) const;

  /// True only if no column within `tile` meets the solid.
  [[nodiscard]] bool certainly_empty(const Rectangle& tile, Scratch& scratch) const;

  /// From now on formulas may take so much work; until then as much as they need.
  void limit_work(std::int64_t work = kMaxWork) { work_left_->store(work); }
  /// Whether they have taken more. Columns that were asked since are empty, so that whoever asks
  /// for many comes to an end soon; what they say means nothing.
  [[nodiscard]] bool is_exhausted() const {
    return work_left_->load(std::memory_order_relaxed) < 0;
  }
  /// The error that an exhausted shape is answered with: `ResourceLimit` at `shape`.
  [[nodiscard]] static Error exhausted();
  /// In units of ExpressionWork: half a minute or so of a processor that does nothing else.
  static constexpr std::int64_t kMaxWork = 40'000'000'000;

  [[nodiscard]] int axis() const { return axis_; }
  /// Of the shape, in the world; see bounding_box.
  [[nodiscard]] const Box3& bounds() const { return bounds_; }
  /// How far surfaces may lie from the true ones [m]: patches that became triangles, meshes whose
  /// vertices are out of place, and parts of which poses or coordinates are large and rounded.
  [[nodiscard]] double deviation() const { return deviation_; }
  /// Surfaces are numbered below this.
  [[nodiscard]] std::uint32_t surface_count() const { return surface_count_; }

 private:
  using Primitive = std::variant<BoxSolid, Sphere, Ellipsoid, Torus, Cylinder, Capsule, Cone>;

  struct PrimitiveLeaf {
    Primitive primitive;
  };
  struct MeshLeaf {
    std::shared_ptr<const MeshColumns> mesh;
  };
  struct ImplicitLeaf {
    Expression expression;
    Box3 bounds;
    ExpressionWork work{};  // of one value and of one range
  };
  struct BooleanNode {
    BooleanOperation operation;
    std::vector<std::uint32_t> operands;  // nodes
  };
  /// A part of the shape. Lines are handed to primitives and formulas in their own frame, from the
  /// depth of its origin on.
  struct Node {
    Rectangle rectangle{};                              // outside of it columns miss the part
    double low = 0, high = 0;                           // its depths
    Vec3 local_u{Vec3::Zero()}, local_v{Vec3::Zero()};  // of unit steps along u and v, in its frame
    Vec3 direction{Vec3::Zero()};                       // of the column, there
    double origin_u = 0, origin_v = 0, origin_depth = 0;
    double scale = 1;
    std::uint32_t first_surface = 0;
    std::variant<PrimitiveLeaf, MeshLeaf, ImplicitLeaf, BooleanNode> part;
  };
  struct Builder;

  Columns() = default;
  void spend(const ImplicitLeaf& leaf, const FormulaWork& work) const {
    work_left_->fetch_sub(leaf.work.value * work.values + leaf.work.range * work.ranges,
                          std::memory_order_relaxed);
  }
  [[nodiscard]] static Line local_line(const Node& node, double u, double v);
  /// Both ends from the part's frame to depths in the world, its surfaces to those of the whole.
  [[nodiscard]] static Span in_world(const Node& node, const Span& span);
  static void add_line_spans(const Node& node, const LineSpans& found, std::vector<Span>& out);
  void evaluate(const Node& node, double u, double v, std::size_t level, Scratch& scratch,
                std::vector<Span>& out) const;
  void evaluate_implicit(const Node& node, const ImplicitLeaf& leaf, double u, double v,
                         Scratch& scratch, std::vector<Span>& out) const;
  void evaluate_boolean(const BooleanNode& boolean, double u, double v, std::size_t level,
                        Scratch& scratch, std::vector<Span>& out) const;
  [[nodiscard]] Bundle bundle_of(const Node& node, const BundleQuery& query,
                                 Scratch& scratch) const;
  [[nodiscard]] Bundle bundle_of(const Node& node, const Primitive& primitive,
                                 const Rectangle& tile) const;
  [[nodiscard]] static bool misses_shadow(const Node& node, const Ellipsoid& ellipsoid,
                                          const Rectangle& tile);
  [[nodiscard]] bool add_convex(const Node& node, const Primitive& primitive, const Rectangle& tile,
                                Bundle& found) const;
  [[nodiscard]] static Bundle bundle_of(const MeshColumns& mesh, const Rectangle& tile,
                                        Scratch& scratch);
  [[nodiscard]] Bundle bundle_of(const Node& node, const ImplicitLeaf& leaf,
                                 const BundleQuery& query) const;
  [[nodiscard]] Bundle bundle_of(const BooleanNode& boolean, const BundleQuery& query,
                                 Scratch& scratch) const;

  std::vector<Node> nodes_;  // the last is the whole
  int axis_ = 2;
  std::size_t depth_ = 1;  // of nesting
  double touch_ = 0;       // ends nearer than this are the same
  double deviation_ = 0;
  std::uint32_t surface_count_ = 0;
  Box3 bounds_;
  std::shared_ptr<std::atomic<std::int64_t>> work_left_ =
      std::make_shared<std::atomic<std::int64_t>>(std::numeric_limits<std::int64_t>::max());
};

}  // namespace plimsoll
