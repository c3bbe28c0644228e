#include "columns/columns.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/overloaded.h"
#include "shape/shape_box.h"

namespace plimsoll {
namespace {

/// Of a few operations on numbers.
constexpr double kRounding = 0x1p-50;

/// No point of the box is farther from the origin.
double reach_of(const Box3& box) {
  return box.isEmpty() ? 0 : box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).stableNorm();
}

/// The posed solid's box does not depend on the turn of a ball, nor do its crossings.
bool is_round(const Shape& shape) { return std::holds_alternative<Sphere>(shape.solid); }

}  // namespace

// ---- preparation

struct Columns::Builder {
  using Part = std::variant<PrimitiveLeaf, MeshLeaf, ImplicitLeaf, BooleanNode>;

  Columns& columns;
  double flatness;

  /// A pose, and how far from where it belongs its origin may be, as products of poses are rounded.
  struct Frame {
    SimilarityParts pose;
    double rounding = 0;

    friend Frame operator*(const Frame& outer, const SimilarityParts& inner) {
      const double terms =
          outer.pose.scale * inner.translation.stableNorm() + outer.pose.translation.stableNorm();
      return {outer.pose * inner, outer.rounding + kRounding * terms};
    }
  };

  /// Appends the nodes of `shape`, which stands in the frame of `outer`; the last is its own.
  Result<void> add(const Shape& shape, const Frame& outer, std::size_t level) {
    columns.depth_ = std::max(columns.depth_, level + 1);
    const Frame frame = outer * SimilarityParts(shape.pose);
    const SimilarityParts& pose = frame.pose;
    Result<Part> part =
        std::visit([&](const auto& solid) { return part_of(solid, frame, level); }, shape.solid);
    if (!part) return part.error();

    Node node{.part = *std::move(part)};
    place(node, is_round(shape) ? without_turn(pose) : pose);
    if (const auto* boolean = std::get_if<BooleanNode>(&node.part)) {
      bound(node, *boolean);
    } else {
      bound(node, box_of_checked({shape.solid, affine(pose)}));
      const double reach = reach_of(box_of_checked({shape.solid}));
      columns.deviation_ =
          std::max(columns.deviation_, own_deviation(shape, pose.scale) + frame.rounding +
                                           kRounding * pose.scale * reach);
    }
    if (!number_surfaces(node))
      return Error{ErrorCode::kResourceLimit, "found more than 2^32 faces", {}};
    columns.nodes_.push_back(std::move(node));
    return {};
  }

 private:
  template <class Solid>
  static Result<Part> part_of(const Solid& primitive, const Frame&, std::size_t) {
    return Part(PrimitiveLeaf{primitive});
  }
  static Result<Part> part_of(const ImplicitSolid& solid, const Frame&, std::size_t) {
    return Part(ImplicitLeaf{solid.expression, solid.bounds, work_of(solid.expression)});
  }
  Result<Part> part_of(const MeshSolid& solid, const Frame& frame, std::size_t) {
    return Part(
        MeshLeaf{std::make_shared<MeshColumns>(MeshView(*solid.mesh), frame.pose, columns.axis_)});
  }
  Result<Part> part_of(const PatchSolid& solid, const Frame& frame, std::size_t) {
    const Result<TriangleMesh> mesh = tessellate(*solid.surface, flatness / frame.pose.scale);
    if (!mesh) return mesh.error();
    return Part(
        MeshLeaf{std::make_shared<MeshColumns>(MeshView(*mesh), frame.pose, columns.axis_)});
  }
  Result<Part> part_of(const Boolean& boolean, const Frame& frame, std::size_t level) {
    BooleanNode node{boolean.operation, {}};
    for (const Shape& operand : boolean.of) {
      if (const Result<void> added = add(operand, frame, level + 1); !added) return added.error();
      node.operands.push_back(static_cast<std::uint32_t>(columns.nodes_.size() - 1));
    }
    return Part(std::move(node));
  }

  /// How far its surface may be from the true one in a frame without rounding, in the world.
  [[nodiscard]] double own_deviation(const Shape& shape, double scale) const {
    if (std::holds_alternative<PatchSolid>(shape.solid)) return flatness;
    const auto* mesh = std::get_if<MeshSolid>(&shape.solid);
    return mesh != nullptr ? scale * mesh->vertex_error : 0;
  }

  static Similarity affine(const SimilarityParts& pose) {
    Similarity map;
    map.linear() = pose.scale * pose.rotation;
    map.translation() = pose.translation;
    map.makeAffine();
    return map;
  }
  static SimilarityParts without_turn(SimilarityParts pose) {
    pose.rotation.setIdentity();
    return pose;
  }

  void place(Node& node, const SimilarityParts& pose) const {
    const int axis = columns.axis_, u = (axis + 1) % 3, v = (axis + 2) % 3;
    node.local_u = pose.rotation.row(u).transpose() / pose.scale;
    node.local_v = pose.rotation.row(v).transpose() / pose.scale;
    node.direction = pose.rotation.row(axis).transpose().normalized();
    node.origin_u = pose.translation[u];
    node.origin_v = pose.translation[v];
    node.origin_depth = pose.translation[axis];
    node.scale = pose.scale;
  }

  void bound(Node& node, const Box3& box) const {
    const int axis = columns.axis_, u = (axis + 1) % 3, v = (axis + 2) % 3;
    // A few units in the last place for the roundings of the box.
    const double size = std::max(box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff());
    const double margin = box.isEmpty() ? 0 : 0x1p-49 * size;
    node.rectangle = {box.min()[u] - margin, box.max()[u] + margin, box.min()[v] - margin,
                      box.max()[v] + margin};
    node.low = box.min()[axis] - margin;
    node.high = box.max()[axis] + margin;
  }

  void bound(Node& node, const BooleanNode& boolean) const {
    const Node& first = columns.nodes_[boolean.operands.front()];
    node.rectangle = first.rectangle;
    if (boolean.operation == BooleanOperation::kDifference) return;
    const bool unite = boolean.operation == BooleanOperation::kUnion;
    Rectangle& r = node.rectangle;
    for (const std::uint32_t operand : boolean.operands) {
      const Rectangle& other = columns.nodes_[operand].rectangle;
      r.u0 = unite ? std::min(r.u0, other.u0) : std::max(r.u0, other.u0);
      r.u1 = unite ? std::max(r.u1, other.u1) : std::min(r.u1, other.u1);
      r.v0 = unite ? std::min(r.v0, other.v0) : std::max(r.v0, other.v0);
      r.v1 = unite ? std::max(r.v1, other.v1) : std::min(r.v1, other.v1);
    }
  }

  bool number_surfaces(Node& node) const {
    const std::uint32_t own =
        std::visit(Overloaded{[](const PrimitiveLeaf&) { return kPrimitiveSurfaces; },
                              [](const MeshLeaf& leaf) { return leaf.mesh->surface_count(); },
                              [](const ImplicitLeaf&) { return kImplicitSurfaces; },
                              [](const BooleanNode&) { return 0u; }},
                   node.part);
    node.first_surface = columns.surface_count_;
    columns.surface_count_ += own;
    return columns.surface_count_ >= own;
  }
};

Result<Columns> Columns::of(const Shape& shape, int axis, double flatness) {
  if (axis < 0 || axis > 2)
    return Error{ErrorCode::kInvalidArgument,
                 "found the axis " + std::to_string(axis) + ", expected 0, 1 or 2",
                 {}};
  if (const Result<void> sound = check_shape(shape); !sound) return sound.error();
  Columns columns;
  columns.axis_ = axis;
  if (const Result<void> added = Builder{columns, flatness}.add(shape, {}, 0); !added)
    return added.error();
  columns.bounds_ = box_of_checked(shape);
  if (!columns.bounds_.isEmpty())
    columns.touch_ = 0x1p-51 * std::max(std::fabs(columns.bounds_.min()[axis]),
                                        std::fabs(columns.bounds_.max()[axis]));
  return columns;
}

bool Columns::has_formulas() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
    return std::holds_alternative<ImplicitLeaf>(node.part);
  });
}

bool Columns::is_boolean_of_solids() const { return is_boolean() && !has_formulas(); }

bool Columns::has_jumping_surfaces() const {
  return has_formulas() || std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
           return std::holds_alternative<MeshLeaf>(node.part);
         });
}

Error Columns::exhausted() {
  return {
      ErrorCode::kResourceLimit,
      "found a formula whose columns take more than about half a minute of one processor; fewer "
      "pixels, narrower bounds or a formula with fewer edges take less",
      "shape"};
}

// ---- columns

Line Columns::local_line(const Node& node, double u, double v) {
  return {(u - node.origin_u) * node.local_u + (v - node.origin_v) * node.local_v, node.direction};
}

void Columns::spans(double u, double v, Scratch& scratch, std::vector<Span>& out) const {
  if (scratch.levels.size() < depth_) scratch.levels.resize(depth_);
  out.clear();
  evaluate(nodes_.back(), u, v, 0, scratch, out);
}

/// Appends to `out`, which is empty.
void Columns::evaluate(const Node& node, double u, double v, std::size_t level, Scratch& scratch,
                       std::vector<Span>& out) const {
  const Rectangle& r = node.rectangle;
  if (!(u >= r.u0 && u <= r.u1 && v >= r.v0 && v <= r.v1)) return;
  if (const auto* leaf = std::get_if<PrimitiveLeaf>(&node.part)) {
    LineSpans found;
    const Line line = local_line(node, u, v);
    std::visit([&](const auto& primitive) { crossings(line, primitive, found); }, leaf->primitive);
    add_line_spans(node, found, out);
  } else if (const auto* boolean = std::get_if<BooleanNode>(&node.part)) {
    evaluate_boolean(*boolean, u, v, level, scratch, out);
  } else if (const auto* implicit = std::get_if<ImplicitLeaf>(&node.part)) {
    evaluate_implicit(node, *implicit, u, v, scratch, out);
  } else {
    const MeshColumns& mesh = *std::get_if<MeshLeaf>(&node.part)->mesh;
    if (!mesh.spans(u, v, scratch.met, out)) ++scratch.unbalanced;
    for (Span& span : out) {
      span.enter_surface += node.first_surface;
      span.leave_surface += node.first_surface;
    }
  }
}

Span Columns::in_world(const Node& node, const Span& span) {
  return {node.origin_depth + node.scale * span.enter, node.origin_depth + node.scale * span.leave,
          node.first_surface + span.enter_surface, node.first_surface + span.leave_surface};
}

void Columns::add_line_spans(const Node& node, const LineSpans& found, std::vector<Span>& out) {
  for (int i = 0; i < found.count; ++i) {
    const Span& span = found.spans[static_cast<std::size_t>(i)];
    append(in_world(node, span), out);
  }
}

void Columns::evaluate_implicit(const Node& node, const ImplicitLeaf& leaf, double u, double v,
                                Scratch& scratch, std::vector<Span>& out) const {
  const Line line = local_line(node, u, v);
  Span within;
  if (!clip_to_box(line, leaf.bounds, within)) return;
  if (is_exhausted()) return;
  FormulaWork work;
  if (!implicit_crossings(leaf.expression, line, within, scratch.waiting, out, work))
    ++scratch.undecided;
  spend(leaf, work);
  scratch.local.swap(out);
  out.clear();
  for (const Span& span : scratch.local) append(in_world(node, span), out);
}

void Columns::evaluate_boolean(const BooleanNode& boolean, double u, double v, std::size_t level,
                               Scratch& scratch, std::vector<Span>& out) const {
  const BooleanOperation operation = boolean.operation;
  evaluate(nodes_[boolean.operands.front()], u, v, level + 1, scratch, out);
  Scratch::Level& own = scratch.levels[level];
  for (std::size_t i = 1; i < boolean.operands.size(); ++i) {
    if (out.empty() && operation != BooleanOperation::kUnion) return;
    own.operand.clear();
    evaluate(nodes_[boolean.operands[i]], u, v, level + 1, scratch, own.operand);
    if (own.operand.empty()) {
      if (operation == BooleanOperation::kIntersection) out.clear();
      continue;
    }
    switch (operation) {
      case BooleanOperation::kUnion:
        unite(out, own.operand, touch_, own.result);
        break;
      case BooleanOperation::kIntersection:
        intersect(out, own.operand, touch_, own.result);
        break;
      case BooleanOperation::kDifference:
        subtract(out, own.operand, touch_, own.result);
        break;
    }
    out.swap(own.result);
  }
}

}  // namespace plimsoll
