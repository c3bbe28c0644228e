// With s(p) the depth of p, positive inside, that of a union, an intersection and a difference is
//
//   max s_i(p),   min s_i(p),   min(s_0(p), -s_1(p), -s_2(p), ...).
//
// An intersection's complement is the union of its parts' complements, and the nearest point of a
// union is the nearest of the nearest: so depths inside an intersection are as near to the truth as
// those of its parts, and distances outside a union too. The other two are bounds that are far too
// small where parts overlap, which cells make up for.
#include "spheres/shape_depth.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/overloaded.h"
#include "proximity/winding_number.h"
#include "shape/primitive_depth.h"
#include "shape/shape_box.h"
#include "spheres/clearance.h"

namespace plimsoll {
namespace {

/// What a depth may be off by, relative to the coordinates and the sizes that it came of.
constexpr double kRounding = 0x1p-46;
constexpr int kMaxLevels = 9;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

double largest_coordinate(const Box3& box) {
  return std::max(box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff());
}

/// A depth whose magnitude may be too large by `rounding`.
double toward_zero(double depth, double rounding) {
  return depth > 0 ? std::max(depth - rounding, 0.0) : std::min(depth + rounding, 0.0);
}

/// 0 in the box, and nowhere too large.
double distance_to_box(const Box3& box, const Vec3& point) {
  if (box.isEmpty()) return kInfinite;
  return toward_zero(box.exteriorDistance(point), kRounding * point.cwiseAbs().maxCoeff());
}

Box3 grown(const Box3& box, double r) {
  return {box.min() - Vec3::Constant(r), box.max() + Vec3::Constant(r)};
}

/// A cube about the box, and how often it is cut for cells no wider than `fineness`, if that often.
struct CellFrame {
  SolidCell root;
  int levels;
};
CellFrame cells_about(const Box3& box, double fineness) {
  const double width = box.sizes().maxCoeff();
  const SolidCell root{box.center(), width / 2 + kRounding * (width + largest_coordinate(box))};
  const double levels = std::ceil(elementary::log2(width / fineness) - 1e-9);
  return {root, static_cast<int>(std::clamp(levels, 0.0, static_cast<double>(kMaxLevels)))};
}

/// Where { p : f(p) < 0 } is proved to have all of a cell that is within the bounds, or none.
CellSide side_of_formula(const Expression& f, const Box3& bounds, const SolidCell& cell) {
  const double reach =
      cell.half + 0x1p-48 * (cell.half + cell.center.cwiseAbs().maxCoeff());  // no gaps between
  const Box3 cube(cell.center - Vec3::Constant(reach), cell.center + Vec3::Constant(reach));
  const Box3 box = cube.intersection(bounds);
  if (box.isEmpty()) return CellSide::kOutside;
  const Interval range = f.range(box);
  if (range.is_empty() || range.low >= 0) return CellSide::kOutside;
  // Where it has no value is outside.
  if (range.high < 0 && f.range_along(box, Vec3::UnitX()).is_continuous) return CellSide::kInside;
  return CellSide::kUnknown;
}

double signed_volume(const MeshView& mesh, const Vec3& apex) {
  double volume = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle v = mesh.triangle(t);
    const Vec3 a = mesh.vertex(v[0]) - apex;
    volume += a.dot((mesh.vertex(v[1]) - apex).cross(mesh.vertex(v[2]) - apex));
  }
  return volume;
}

}  // namespace

// ---- preparation

struct ShapeDepth::Builder {
  ShapeDepth& made;
  double fineness;

  /// Appends the nodes of `shape`, which stands in the frame of `outer`; the last is its own.
  /// `is_taken_off`: distances outside of it are what counts.
  Result<void> add(const Shape& shape, const SimilarityParts& outer, bool is_taken_off,
                   const std::string& place) {
    const SimilarityParts pose = outer * SimilarityParts(shape.pose);
    if (const auto* boolean = std::get_if<Boolean>(&shape.solid))
      return add_boolean(*boolean, pose, is_taken_off, place);
    Node node;
    const Box3 at_home = box_of_checked({shape.solid});
    put(node, pose, at_home);
    const Similarity world_from_part = affine(pose);
    node.box = grown(box_of_checked({shape.solid, world_from_part}), node.rounding);
    if (const auto* implicit = std::get_if<ImplicitSolid>(&shape.solid)) {
      node.part = part_of(*implicit, fineness / node.scale);
    } else if (std::holds_alternative<MeshSolid>(shape.solid) ||
               std::holds_alternative<PatchSolid>(shape.solid)) {
      Result<std::shared_ptr<const SurfacePart>> part =
          part_of_surface({shape.solid}, fineness / node.scale, place);
      if (!part) return part.error();
      node.part = *std::move(part);
    } else {
      node.part = primitive_of(shape);
    }
    made.nodes_.push_back(std::move(node));
    return {};
  }

 private:
  static Similarity affine(const SimilarityParts& pose) {
    Similarity map;
    map.linear() = pose.scale * pose.rotation;
    map.translation() = pose.translation;
    map.makeAffine();
    return map;
  }

  /// Poses are similarities to 1e-9: what they shrink by at most is told from how far R^T R is from
  /// the identity.
  static void put(Node& node, const SimilarityParts& pose, const Box3& at_home) {
    const Mat3& turn = pose.rotation;
    const double skew = (turn.transpose() * turn - Mat3::Identity()).norm();
    node.scale = pose.scale * std::sqrt(1 - skew);
    node.to_part = (pose.scale * turn).inverse();
    node.origin = pose.translation;
    const double size = at_home.isEmpty() ? 0 : largest_coordinate(at_home);
    node.rounding = kRounding * (pose.translation.cwiseAbs().maxCoeff() + 2 * pose.scale * size);
  }

  static Primitive primitive_of(const Shape& shape) {
    return std::visit(
        [](const auto& solid) {
          if constexpr (std::is_constructible_v<Primitive, decltype(solid)>)
            return Primitive(solid);
          else
            return Primitive();
        },
        shape.solid);
  }

  static ImplicitPart part_of(const ImplicitSolid& solid, double width) {
    const CellFrame frame = cells_about(solid.bounds, width);
    return {solid.bounds,
            std::make_shared<SolidCells>(frame.root, frame.levels, [&](const SolidCell& cell) {
              return side_of_formula(solid.expression, solid.bounds, cell);
            })};
  }

  static Result<std::shared_ptr<const SurfacePart>> part_of_surface(const Shape& shape,
                                                                    double width,
                                                                    const std::string& place) {
    Result<std::optional<ShapeMesh>> found = to_triangles(shape, width / 4);
    if (!found) return found.error();
    const double deviation = (*found)->deviation;
    const Result<ClosedMesh> mesh = ClosedMesh::from_triangles(std::move((*found)->mesh));
    if (!mesh) return Error{mesh.error().code, mesh.error().message, place};
    const double volume = signed_volume(mesh->view(), bounding_box(*mesh).center());
    return std::shared_ptr<const SurfacePart>(
        new SurfacePart{UnitSolid(*mesh), volume < 0 ? -1.0 : 1.0, deviation});
  }

  Result<void> add_boolean(const Boolean& boolean, const SimilarityParts& pose, bool is_taken_off,
                           const std::string& place) {
    BooleanPart part{boolean.operation, {}};
    Node node;
    for (std::size_t i = 0; i < boolean.of.size(); ++i) {
      const bool flips = boolean.operation == BooleanOperation::kDifference && i > 0;
      const std::string where =
          (place.empty() ? "" : place + ".") + "of[" + std::to_string(i) + "]";
      if (Result<void> added = add(boolean.of[i], pose, is_taken_off != flips, where); !added)
        return added.error();
      part.operands.push_back(static_cast<std::uint32_t>(made.nodes_.size() - 1));
      join(node.box, made.nodes_.back().box, boolean.operation, i);
    }
    const bool is_union = boolean.operation == BooleanOperation::kUnion;
    if (is_union != is_taken_off && part.operands.size() > 1 && !node.box.isEmpty())
      part.cells = cells_of(part, node.box);
    node.part = std::move(part);
    made.nodes_.push_back(std::move(node));
    return {};
  }

  static void join(Box3& box, const Box3& other, BooleanOperation operation, std::size_t i) {
    if (i == 0 || operation == BooleanOperation::kUnion)
      box.extend(other);
    else if (operation == BooleanOperation::kIntersection)
      box = box.intersection(other);
    if (box.isEmpty()) box.setEmpty();
  }

  [[nodiscard]] std::shared_ptr<const SolidCells> cells_of(const BooleanPart& part,
                                                           const Box3& box) const {
    const CellFrame frame = cells_about(box, fineness);
    return std::make_shared<SolidCells>(frame.root, frame.levels, [&](const SolidCell& cell) {
      const double reach = std::numbers::sqrt3 * cell.half * (1 + 0x1p-40);
      const double depth = made.combined_depth(part, cell.center, reach);
      if (depth >= reach) return CellSide::kInside;
      return depth <= -reach ? CellSide::kOutside : CellSide::kUnknown;
    });
  }
};

Result<ShapeDepth> ShapeDepth::of(const Shape& shape, double fineness) {
  if (Result<void> sound = check_shape(shape); !sound) return sound.error();
  ShapeDepth made;
  if (Result<void> added = Builder{made, fineness}.add(shape, {}, false, {}); !added)
    return added.error();
  const Box3& box = made.nodes_.back().box;
  for (const Node& node : made.nodes_) made.rounding_ = std::max(made.rounding_, node.rounding);
  if (!box.isEmpty()) made.rounding_ += 2 * kRounding * largest_coordinate(box);
  return made;
}

// ---- depths

double ShapeDepth::at(const Vec3& point, double limit) const {
  return depth_in_node(nodes_.back(), point, limit);
}

double ShapeDepth::depth_in_node(const Node& node, const Vec3& point, double limit) const {
  if (const auto* boolean = std::get_if<BooleanPart>(&node.part))
    return depth_in_boolean(*boolean, point, limit);
  const Vec3 local = node.to_part * (point - node.origin);
  const double rounding = node.rounding + kRounding * point.cwiseAbs().maxCoeff();
  const double depth =
      node.scale * depth_in_part(node, local, (limit + rounding) / node.scale * (1 + 0x1p-40));
  return toward_zero(depth, rounding);
}

/// In the part's frame.
double ShapeDepth::depth_in_part(const Node& node, const Vec3& point, double limit) const {
  const auto in_surface = [&](const SurfacePart& part) {
    const UnitSolid& solid = part.solid;
    const Vec3 at = solid.from_mesh(point);
    const double farthest = limit + part.deviation;
    const double unit = solid.to_mesh(1.0);
    const double away = solid.to_mesh(nearest_wall(solid.tree, at, farthest / unit).distance);
    const double depth = std::max(away - part.deviation, 0.0);
    const int winding =
        winding_number({&solid.tree, Similarity::Identity()}, solid.tree.frame.to_meters(at));
    return part.side * winding > 0 ? depth : -depth;
  };
  const auto in_formula = [&](const ImplicitPart& part) {
    const double in_bounds =
        depth_in(BoxSolid{part.bounds.sizes()}, Vec3(point - part.bounds.center()));
    if (in_bounds > 0)
      if (const double depth = part.cells->depth(point, std::min(limit, in_bounds)); depth > 0)
        return depth;
    return -std::max(-in_bounds, part.cells->distance(point, limit));
  };
  return std::visit(
      Overloaded{[&](const Primitive& primitive) {
                   return std::visit([&](const auto& solid) { return depth_in(solid, point); },
                                     primitive);
                 },
                 [&](const std::shared_ptr<const SurfacePart>& part) { return in_surface(*part); },
                 [&](const ImplicitPart& part) { return in_formula(part); },
                 [](const BooleanPart&) { return 0.0; }},
      node.part);
}

double ShapeDepth::depth_in_boolean(const BooleanPart& part, const Vec3& point,
                                    double limit) const {
  const double depth = combined_depth(part, point, limit);
  if (part.cells == nullptr || std::abs(depth) >= limit) return depth;
  // 0 where they prove nothing.
  const bool is_union = part.operation == BooleanOperation::kUnion;
  const double told =
      toward_zero(is_union ? part.cells->depth(point, limit) : part.cells->distance(point, limit),
                  kRounding * point.cwiseAbs().maxCoeff());
  if (!(told > 0)) return depth;
  return is_union ? std::max(depth, told) : std::min(depth, -told);
}

double ShapeDepth::combined_depth(const BooleanPart& part, const Vec3& point, double limit) const {
  const bool is_union = part.operation == BooleanOperation::kUnion;
  const bool is_difference = part.operation == BooleanOperation::kDifference;
  double depth = is_union ? -kInfinite : kInfinite;
  for (std::size_t i = 0; i < part.operands.size(); ++i) {
    const Node& operand = nodes_[part.operands[i]];
    const double from_box = distance_to_box(operand.box, point);
    const bool is_taken_off = is_difference && i > 0;
    // Outside of its box an operand may be too far away to count.
    const bool is_beyond = from_box > 0;
    if (is_beyond && is_union && -from_box <= depth) continue;
    if (is_beyond && is_taken_off && from_box >= depth) continue;
    double in_operand = depth_in_node(operand, point, limit);
    if (is_beyond) in_operand = std::min(in_operand, -from_box);
    if (is_union)
      depth = std::max(depth, in_operand);
    else
      depth = std::min(depth, is_taken_off ? -in_operand : in_operand);
  }
  return depth;
}

}  // namespace plimsoll
