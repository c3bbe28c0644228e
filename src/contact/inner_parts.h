// The part of one surface that lies in the other solid, in small parts of triangles.
//
// Of triangles that the curve crosses, its segments and the pieces of edges between its knots bound
// the part. Triangles that it does not cross lie inside as a whole where their second corner does:
// the spanning tree has these in ranges.
#pragma once

#include <plimsoll/types.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/plane_part.h"
#include "overlap/curve_search.h"
#include "overlap/edge_knots.h"
#include "overlap/winding_ranges.h"

namespace plimsoll {

/// A triangle of a posed body, and the coordinates of its plane: those of its mesh but the one that
/// its normal is closest to, less those of an anchor.
struct BodyTriangle {
  const Side* side;
  Vec3 anchor;                 // [units of the mesh]
  std::array<Vec3, 3> corner;  // less the anchor
  Vec3 normal;                 // twice its area long
  int axis = 0;                // that is left out
  double scale;                // [m per unit]

  BodyTriangle(const Side& of, std::uint32_t place, const Vec3& anchor_in_mesh);

  [[nodiscard]] bool has_area() const { return normal[axis] != 0; }
  [[nodiscard]] double longest_edge() const;  ///< [m]
  /// Of a point of the mesh, less the anchor.
  [[nodiscard]] Vec2 in_plane(const Vec3& x) const {
    return {x[(axis + 1) % 3], x[(axis + 2) % 3]};
  }
  [[nodiscard]] Vec3 in_world(const Vec2& x) const;  ///< [m]
  /// Of an area in the plane's coordinates [m^2].
  [[nodiscard]] double area_in_world(double area) const {
    return normal.norm() / std::fabs(normal[axis]) * area * scale * scale;
  }
  [[nodiscard]] Vec3 outward() const;  ///< Out of its solid: of length 1, in the world.
};

/// What of a triangle lies inside: a convex piece of it, or what is in one cell of a grid.
struct InnerPart {
  std::size_t triangle;  ///< In InnerParts::triangles.
  CellRange pieces;      ///< In InnerParts::pieces.
  double cell;  ///< The side of cells that it is to be cut to, in the plane; infinite where
                ///< it is no larger.
};

/// Parts of one surface. Keeps its memory from search to search.
class InnerParts {
 public:
  /// The part of surface `s`, of A for 0, after the curve, its segments and the windings around
  /// roots were found. Sides of cells are `cell` long [m], or a twelfth of what is inside of a
  /// triangle if that is longer, and are counted from `anchor`, a point of the world. What is
  /// bounded by many edges comes in cells; whole triangles that are no longer than `cell` are a
  /// part each.
  void find(const CurveSearch& search, const EdgeKnots& knots, std::size_t s, double cell,
            const Vec3& anchor);

  [[nodiscard]] const std::vector<InnerPart>& parts() const { return parts_; }
  [[nodiscard]] const BodyTriangle& triangle(const InnerPart& part) const {
    return triangles_[part.triangle];
  }
  [[nodiscard]] std::span<const ConvexPiece> pieces(const InnerPart& part) const {
    return std::span(pieces_).subspan(part.pieces.begin, part.pieces.end - part.pieces.begin);
  }

 private:
  /// A triangle of a surface, and a segment of the curve that crosses it.
  struct Crossed {
    std::uint32_t triangle, segment;
  };
  void add_crossed(const CurveSearch& search, const EdgeKnots& knots, std::size_t s,
                   const WindingRanges& windings);
  void add_whole(const Side& of, const WindingRanges& windings);
  void add_plane_part(const BodyTriangle& triangle);
  void add_part(const BodyTriangle& triangle, const ConvexPiece& piece, double cell);

  double cell_ = 0;
  Vec3 anchor_ = Vec3::Zero();    // in the mesh
  std::vector<Crossed> crossed_;  // ascending
  PlanePart part_;
  std::vector<CellRange> cells_;
  std::vector<BodyTriangle> triangles_;
  std::vector<ConvexPiece> pieces_;
  std::vector<InnerPart> parts_;
};

}  // namespace plimsoll
