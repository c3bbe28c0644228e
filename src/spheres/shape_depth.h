// How deep points lie in a shape: bounds from which balls are proved to lie inside.
#pragma once

#include <plimsoll/shape.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "shape/similarity_parts.h"
#include "spheres/solid_cells.h"
#include "spheres/unit_solid.h"

namespace plimsoll {

/// A shape that is asked for depths. Immutable, so that threads may share it.
///
/// A depth d > 0 proves that the ball of radius d about the point lies inside, d < 0 that the ball
/// of radius -d lies outside; 0 proves nothing. Depths of two points differ by no more than the
/// points are apart. |d| is less than the true distance to the surface by
///   - rounding, some 2^-44 of the coordinates, for primitives and closed meshes;
///   - `fineness` / 4 at most for patches, which become triangles that near to them;
///   - the diagonal of a cell for formulas, more where their range over a cell is much wider than
///     their values there: interval arithmetic tells on which side each cell is;
///   - nothing more for intersections, and for differences of such.
/// The depth in a union is the largest of its parts'. Where parts overlap it is increased to what
/// cells tell that lie inside one part each, to the diagonal of a cell. Where parts only touch, the
/// wall between them counts as surface. The same holds of a difference or an intersection that is
/// taken off another shape.
class ShapeDepth {
 public:
  /// Cells are at most `fineness` [m] wide, or the 512th of the width of what they fill.
  /// Errors: as check_shape; as to_triangles for patches; `NotClosed` for meshes and patches that
  /// bound no solid. O(parts) for each cell at the surface of formulas and unions, in parallel.
  [[nodiscard]] static Result<ShapeDepth> of(const Shape& shape, double fineness);

  /// The depth [m]. Beyond `limit` it need not be told how deep, but it is not less. O(parts).
  [[nodiscard]] double at(const Vec3& point,
                          double limit = std::numeric_limits<double>::infinity()) const;

  /// The rounding of depths of points in the shape's box is less [m].
  [[nodiscard]] double rounding() const { return rounding_; }

 private:
  using Primitive = std::variant<BoxSolid, Sphere, Ellipsoid, Torus, Cylinder, Capsule, Cone>;

  struct SurfacePart {
    UnitSolid solid;
    double side;       // -1 where the mesh is turned inward
    double deviation;  // of the mesh from the true surface, in its frame
  };
  struct ImplicitPart {
    Box3 bounds;
    std::shared_ptr<const SolidCells> cells;
  };
  struct BooleanPart {
    BooleanOperation operation;
    std::vector<std::uint32_t> operands;  // nodes
    std::shared_ptr<const SolidCells> cells = nullptr;
  };
  struct Node {
    Box3 box;  // in the world; rounded outward
    Mat3 to_part = Mat3::Identity();
    Vec3 origin = Vec3::Zero();  // of the part's frame, in the world
    double scale = 1;            // no length is multiplied by less from the part to the world
    double rounding = 0;         // of depths, next to that of the point's coordinates
    std::variant<Primitive, std::shared_ptr<const SurfacePart>, ImplicitPart, BooleanPart> part;
  };
  struct Builder;

  ShapeDepth() = default;
  [[nodiscard]] double depth_in_node(const Node& node, const Vec3& point, double limit) const;
  [[nodiscard]] double depth_in_part(const Node& node, const Vec3& point, double limit) const;
  [[nodiscard]] double depth_in_boolean(const BooleanPart& part, const Vec3& point,
                                        double limit) const;
  [[nodiscard]] double combined_depth(const BooleanPart& part, const Vec3& point,
                                      double limit) const;

  std::vector<Node> nodes_;  // the last is the whole
  double rounding_ = 0;
};

}  // namespace plimsoll
