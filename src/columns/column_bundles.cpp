// What holds for all columns of a rectangle at once.
//
// Every column of a bundle passes within r = hypot(half_u, half_v) of the one in its middle. Where
// the middle one is outside a primitive grown by r on all sides, all are outside of the primitive;
// where it is inside the primitive shrunk by r, all are inside. If all corners meet it, and it is
// convex, they tell better. Formulas tell by their range over
// boxes, meshes by the faces that the rectangle meets. Booleans of bundles:
//
//   A or B       inner = inner_A or inner_B        outer = outer_A or outer_B
//   A and B      inner = inner_A and inner_B       outer = outer_A and outer_B
//   A without B  inner = inner_A without outer_B   outer = outer_A without inner_B
#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "columns/columns.h"

namespace plimsoll {
namespace {

/// A primitive, and where its frame's origin moved to.
template <class Primitive>
struct Offset {
  Primitive primitive;
  Vec3 origin = Vec3::Zero();
};

// What holds all points within r of a primitive, or, for r < 0, only points that are |r| deep in
// it; nothing where there are none.

std::optional<Offset<BoxSolid>> offset(const BoxSolid& box, double r) {
  const Vec3 size = box.size + Vec3::Constant(2 * r);
  if (!(size.minCoeff() > 0)) return std::nullopt;
  return Offset<BoxSolid>{{size}};
}

std::optional<Offset<Sphere>> offset(const Sphere& sphere, double r) {
  if (!(sphere.radius + r > 0)) return std::nullopt;
  return Offset<Sphere>{{sphere.radius + r}};
}

// The support of (1 + r / least) E is that of E and at least r more, or r less.
std::optional<Offset<Ellipsoid>> offset(const Ellipsoid& ellipsoid, double r) {
  const double factor = 1 + r / ellipsoid.radii.minCoeff();
  if (!(factor > 0)) return std::nullopt;
  return Offset<Ellipsoid>{{factor * ellipsoid.radii}};
}

std::optional<Offset<Torus>> offset(const Torus& torus, double r) {
  if (!(torus.minor + r > 0)) return std::nullopt;
  return Offset<Torus>{{torus.major, torus.minor + r}};
}

std::optional<Offset<Cylinder>> offset(const Cylinder& cylinder, double r) {
  if (!(cylinder.radius + r > 0) || !(cylinder.height + 2 * r > 0)) return std::nullopt;
  return Offset<Cylinder>{{cylinder.radius + r, cylinder.height + 2 * r}};
}

std::optional<Offset<Capsule>> offset(const Capsule& capsule, double r) {
  if (!(capsule.radius + r > 0)) return std::nullopt;
  return Offset<Capsule>{{capsule.radius + r, capsule.height}};
}

// Side and base move by r along their normals.
std::optional<Offset<Cone>> offset(const Cone& cone, double r) {
  const double slant = elementary::hypot(cone.radius, cone.height);
  const double height = cone.height + r * slant / cone.radius + r;
  if (!(height > 0)) return std::nullopt;
  return Offset<Cone>{{cone.radius / cone.height * height, height}, {0, 0, -r}};
}

void add_line_spans(const LineSpans& found, std::vector<Span>& out) {
  for (int i = 0; i < found.count; ++i) append(found.spans[static_cast<std::size_t>(i)], out);
}

template <class Primitive>
void add_offset(const Line& line, const Primitive& primitive, double r, std::vector<Span>& out) {
  const auto grown = offset(primitive, r);
  if (!grown) return;
  LineSpans found;
  crossings({line.origin - grown->origin, line.direction}, grown->primitive, found);
  add_line_spans(found, out);
}

// A tube thicker than the ring is wide covers itself: the cylinder that holds it.
void add_offset(const Line& line, const Torus& torus, double r, std::vector<Span>& out) {
  const double minor = torus.minor + r;
  if (minor > torus.major) {
    add_offset(line, Cylinder{torus.major + minor, 2 * minor}, 0, out);
    return;
  }
  const auto grown = offset(torus, r);
  if (!grown) return;
  LineSpans found;
  crossings(line, grown->primitive, found);
  add_line_spans(found, out);
}

void sort_and_join(std::vector<Span>& spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.enter < b.enter; });
  std::vector<Span> joined;
  for (const Span& span : spans) append(span, joined);
  spans.swap(joined);
}

}  // namespace

Columns::Bundle Columns::bundle(const BundleQuery& query, Scratch& scratch) const {
  return bundle_of(nodes_.back(), query, scratch);
}

std::vector<std::uint32_t> Columns::leaves_in(const Rectangle& tile) const {
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const Rectangle& r = nodes_[i].rectangle;
    if (!std::holds_alternative<BooleanNode>(nodes_[i].part) && tile.u0 <= r.u1 &&
        tile.u1 >= r.u0 && tile.v0 <= r.v1 && tile.v1 >= r.v0)
      leaves.push_back(i);
  }
  return leaves;
}

void Columns::leaf_spans(std::uint32_t leaf, double u, double v, Scratch& scratch,
                         std::vector<Span>& out) const {
  out.clear();
  evaluate(nodes_[leaf], u, v, 0, scratch, out);
}

Columns::Bundle Columns::leaf_bundle(std::uint32_t leaf, const BundleQuery& query,
                                     Scratch& scratch) const {
  return bundle_of(nodes_[leaf], query, scratch);
}

bool Columns::certainly_empty(const Rectangle& tile, Scratch& scratch) const {
  const double thin = (nodes_.back().high - nodes_.back().low) / 8;
  return bundle({tile, thin}, scratch).outer.empty();
}

Columns::Bundle Columns::bundle_of(const Node& node, const BundleQuery& query,
                                   Scratch& scratch) const {
  const Rectangle& r = node.rectangle;
  const Rectangle& tile = query.tile;
  if (!(tile.u0 <= r.u1 && tile.u1 >= r.u0 && tile.v0 <= r.v1 && tile.v1 >= r.v0)) return {};
  if (const auto* leaf = std::get_if<PrimitiveLeaf>(&node.part))
    return bundle_of(node, leaf->primitive, tile);
  if (const auto* boolean = std::get_if<BooleanNode>(&node.part))
    return bundle_of(*boolean, query, scratch);
  if (const auto* implicit = std::get_if<ImplicitLeaf>(&node.part))
    return bundle_of(node, *implicit, query);
  return bundle_of(*std::get_if<MeshLeaf>(&node.part)->mesh, tile, scratch);
}

Columns::Bundle Columns::bundle_of(const Node& node, const Primitive& primitive,
                                   const Rectangle& tile) const {
  Bundle found;
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&primitive);
      ellipsoid != nullptr && misses_shadow(node, *ellipsoid, tile))
    return found;
  if (!std::holds_alternative<Torus>(primitive) && add_convex(node, primitive, tile, found))
    return found;
  const Line line = local_line(node, (tile.u0 + tile.u1) / 2, (tile.v0 + tile.v1) / 2);
  const double reach = elementary::hypot(tile.u1 - tile.u0, tile.v1 - tile.v0) / 2;
  std::visit(
      [&](const auto& solid) {
        add_offset(line, solid, -reach / node.scale, found.inner);
        add_offset(line, solid, reach / node.scale, found.outer);
      },
      primitive);
  for (Span& span : found.inner) span = in_world(node, span);
  for (Span& span : found.outer) {
    span = in_world(node, span);
    span.enter = std::max(span.enter, node.low);
    span.leave = std::min(span.leave, node.high);
  }
  std::erase_if(found.outer, [](const Span& span) { return !(span.enter < span.leave); });
  return found;
}

// The shadow of an ellipsoid is an ellipse { x : k(x) <= 1 }, k^2 = x^T P^-1 x. With y = P^-1 x the
// line at right angles to y that touches it is (k^2 - k) / |y| away from x.
bool Columns::misses_shadow(const Node& node, const Ellipsoid& ellipsoid, const Rectangle& tile) {
  const double area = node.scale * node.scale;  // world u = origin_u + scale^2 local_u . p
  const Vec3 a = area * node.local_u.cwiseProduct(ellipsoid.radii);
  const Vec3 b = area * node.local_v.cwiseProduct(ellipsoid.radii);
  const double determinant = a.squaredNorm() * b.squaredNorm() - a.dot(b) * a.dot(b);
  const double u = (tile.u0 + tile.u1) / 2 - node.origin_u;
  const double v = (tile.v0 + tile.v1) / 2 - node.origin_v;
  const double y_u = (b.squaredNorm() * u - a.dot(b) * v) / determinant;
  const double y_v = (a.squaredNorm() * v - a.dot(b) * u) / determinant;
  const double k2 = u * y_u + v * y_v;
  const double reach = elementary::hypot(tile.u1 - tile.u0, tile.v1 - tile.v0) / 2;
  // Not where rounding could decide, or the shadow is a line.
  return k2 > 1 && (k2 - std::sqrt(k2)) > 1.000001 * reach * elementary::hypot(y_u, y_v);
}

// Where all four corners of the tile meet a convex solid. Its columns enter at a convex function of
// the place: at most at the greatest of the corners' depths, and, since the middle lies between any
// place and its mirror image, at least at twice the middle's less that.
bool Columns::add_convex(const Node& node, const Primitive& primitive, const Rectangle& tile,
                         Bundle& found) const {
  const auto span_at = [&](double u, double v, Span& span) {
    LineSpans spans;
    const Line line = local_line(node, u, v);
    std::visit([&](const auto& solid) { crossings(line, solid, spans); }, primitive);
    if (spans.count == 0) return false;
    span = in_world(node, spans.spans[0]);
    return true;
  };
  Span middle;
  if (!span_at((tile.u0 + tile.u1) / 2, (tile.v0 + tile.v1) / 2, middle)) return false;
  double enter = middle.enter, leave = middle.leave;
  for (const double u : {tile.u0, tile.u1})
    for (const double v : {tile.v0, tile.v1}) {
      Span corner;
      if (!span_at(u, v, corner)) return false;
      enter = std::max(enter, corner.enter);
      leave = std::min(leave, corner.leave);
    }
  append({enter, leave, 0, 0}, found.inner);
  append({2 * middle.enter - enter, 2 * middle.leave - leave, 0, 0}, found.outer);
  return true;
}

Columns::Bundle Columns::bundle_of(const MeshColumns& mesh, const Rectangle& tile,
                                   Scratch& scratch) {
  Bundle found;
  std::vector<Span> faces, middle;
  mesh.depths_within(tile.u0, tile.u1, tile.v0, tile.v1, faces);
  sort_and_join(faces);
  mesh.spans((tile.u0 + tile.u1) / 2, (tile.v0 + tile.v1) / 2, scratch.met, middle);
  subtract(middle, faces, 0, found.inner);
  unite(middle, faces, 0, found.outer);
  return found;
}

// The formula's sign is that of its range, over pieces that are halved until it is certain.
Columns::Bundle Columns::bundle_of(const Node& node, const ImplicitLeaf& leaf,
                                   const BundleQuery& query) const {
  const Rectangle& tile = query.tile;
  const double u0 = std::max(tile.u0, node.rectangle.u0), u1 = std::min(tile.u1, node.rectangle.u1);
  const double v0 = std::max(tile.v0, node.rectangle.v0), v1 = std::min(tile.v1, node.rectangle.v1);
  const bool reaches_out = tile.u0 < u0 || tile.u1 > u1 || tile.v0 < v0 || tile.v1 > v1;
  const Line line = local_line(node, (u0 + u1) / 2, (v0 + v1) / 2);
  const Vec3 across =
      (u1 - u0) / 2 * node.local_u.cwiseAbs() + (v1 - v0) / 2 * node.local_v.cwiseAbs();
  // Room for the rounding of the corners.
  const Vec3 room = Vec3::Constant(
      0x1p-48 * (leaf.bounds.min().cwiseAbs() + leaf.bounds.max().cwiseAbs() + leaf.bounds.sizes())
                    .maxCoeff());
  struct Piece {
    double low, high;  // in the world
    bool is_ignored;
  };
  std::vector<Piece> waiting;
  double low = node.low;
  for (const Span& span : query.ignored) {
    const double enter = std::clamp(span.enter, low, node.high);
    const double leave = std::clamp(span.leave, low, node.high);
    if (low < enter) waiting.push_back({low, enter, false});
    if (enter < leave) waiting.push_back({enter, leave, true});
    low = leave;
  }
  if (low < node.high) waiting.push_back({low, node.high, false});
  std::reverse(waiting.begin(), waiting.end());

  constexpr int kMaxParts = 500;
  int ranges = 0;
  FormulaWork work;
  Bundle found;
  while (!waiting.empty() && !is_exhausted()) {
    const Piece piece = waiting.back();
    waiting.pop_back();
    const Span span = {piece.low, piece.high, 0, 0};
    if (piece.is_ignored) {
      append(span, found.outer);
      continue;
    }
    const double middle = (piece.low + piece.high) / 2;
    const Vec3 center = line.origin + (middle - node.origin_depth) / node.scale * line.direction;
    const Vec3 reach =
        across + room + (piece.high - piece.low) / 2 / node.scale * line.direction.cwiseAbs();
    const Box3 box(center - reach, center + reach);
    const Box3 within = box.intersection(leaf.bounds);
    if (within.isEmpty()) continue;
    const Interval range = leaf.expression.range(within);
    ++work.ranges;
    if (range.is_empty() || range.low >= 0) continue;
    if (range.high < 0 && !reaches_out && leaf.bounds.contains(box) &&
        leaf.expression.range_along(within, line.direction).is_continuous) {
      append(span, found.inner);
    } else if (piece.high - piece.low > query.thin && ++ranges < kMaxParts) {
      waiting.push_back({middle, piece.high, false});
      waiting.push_back({piece.low, middle, false});
      continue;
    }
    append(span, found.outer);
  }
  spend(leaf, work);
  return found;
}

Columns::Bundle Columns::bundle_of(const BooleanNode& boolean, const BundleQuery& query,
                                   Scratch& scratch) const {
  Bundle whole = bundle_of(nodes_[boolean.operands.front()], query, scratch);
  std::vector<Span> inner, outer;
  for (std::size_t i = 1; i < boolean.operands.size(); ++i) {
    if (whole.outer.empty() && boolean.operation != BooleanOperation::kUnion) break;
    const Bundle other = bundle_of(nodes_[boolean.operands[i]], query, scratch);
    switch (boolean.operation) {
      case BooleanOperation::kUnion:
        unite(whole.inner, other.inner, touch_, inner);
        unite(whole.outer, other.outer, touch_, outer);
        break;
      case BooleanOperation::kIntersection:
        intersect(whole.inner, other.inner, touch_, inner);
        intersect(whole.outer, other.outer, touch_, outer);
        break;
      case BooleanOperation::kDifference:
        subtract(whole.inner, other.outer, touch_, inner);
        subtract(whole.outer, other.inner, touch_, outer);
        break;
    }
    whole.inner.swap(inner);
    whole.outer.swap(outer);
  }
  return whole;
}

}  // namespace plimsoll
