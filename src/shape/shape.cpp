// Checks shapes and finds their boxes.
#include <plimsoll/shape.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/number_text.h"
#include "core/overloaded.h"
#include "shape/shape_box.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

// ---- checks

class Checker {
 public:
  Result<void> check(const Shape& shape) {
    visit(shape, {}, 0);
    if (error_) return *error_;
    return {};
  }

 private:
  void visit(const Shape& shape, const std::string& place, int depth) {
    if (error_) return;
    if (++count_ > kMaxShapeCount)
      return fail(ErrorCode::kResourceLimit, place,
                  std::string("found more than ") + std::to_string(kMaxShapeCount) + " shapes");
    if (!is_similarity(shape.pose))
      return fail(place + "pose", check_pose(shape.pose).error().message);
    std::visit(
        Overloaded{
            [&](const BoxSolid& box) { check_sizes(box.size, place, "size"); },
            [&](const Sphere& sphere) { check_size(sphere.radius, place, "radius"); },
            [&](const Ellipsoid& ellipsoid) { check_sizes(ellipsoid.radii, place, "radii"); },
            [&](const Torus& torus) { check_torus(torus, place); },
            [&](const Cylinder& cylinder) {
              check_size(cylinder.radius, place, "radius");
              check_size(cylinder.height, place, "height");
            },
            [&](const Capsule& capsule) {
              check_size(capsule.radius, place, "radius");
              if (capsule.height != 0) check_size(capsule.height, place, "height");
            },
            [&](const Cone& cone) {
              check_size(cone.radius, place, "radius");
              check_size(cone.height, place, "height");
            },
            [&](const MeshSolid& solid) { check_mesh_solid(solid, place + "mesh"); },
            [&](const PatchSolid& solid) {
              if (solid.surface == nullptr) fail(place + "surface", "found no surface");
            },
            [&](const ImplicitSolid& solid) { check_bounds(solid.bounds, place + "bounds"); },
            [&](const Boolean& boolean) { visit_operands(boolean, place, depth); }},
        shape.solid);
  }

  void visit_operands(const Boolean& boolean, const std::string& place, int depth) {
    if (boolean.of.empty()) return fail(place + "of", "found no shape, expected one or more");
    if (depth + 1 > kMaxShapeDepth)
      return fail(ErrorCode::kResourceLimit, place + "of",
                  "found shapes nested deeper than " + std::to_string(kMaxShapeDepth));
    for (std::size_t i = 0; i < boolean.of.size() && !error_; ++i)
      visit(boolean.of[i], place + "of[" + std::to_string(i) + "].", depth + 1);
  }

  static bool is_size(double size) { return size > 0 && std::isfinite(size); }
  /// Of `name` in `place`; that is put together for an error alone.
  void check_size(double size, const std::string& place, const char* name) {
    if (!is_size(size))
      fail(place + name, "found " + to_text(size) + ", expected a positive number");
  }
  void check_sizes(const Vec3& sizes, const std::string& place, const char* name) {
    for (int i = 0; i < 3; ++i)
      if (!is_size(sizes[i])) check_size(sizes[i], place + name, index_of(i));
  }
  static const char* index_of(int axis) { return axis == 0 ? "[0]" : axis == 1 ? "[1]" : "[2]"; }
  void check_torus(const Torus& torus, const std::string& place) {
    check_size(torus.major, place, "major");
    check_size(torus.minor, place, "minor");
    if (torus.minor > torus.major)
      fail(place + "minor", "found " + to_text(torus.minor) +
                                ", expected at most the major radius " + to_text(torus.major) +
                                ": the tube would cover itself");
  }
  void check_mesh_solid(const MeshSolid& solid, const std::string& place) {
    if (solid.mesh == nullptr) return fail(place, "found no mesh");
    if (const Result<void> sound = check_mesh(*solid.mesh); !sound)
      return fail(sound.error().code, place, sound.error().message);
    if (!(solid.vertex_error >= 0))
      fail(place, "found a vertex_error of " + to_text(solid.vertex_error) +
                      ", expected one that is not negative");
  }
  void check_bounds(const Box3& bounds, const std::string& place) {
    const bool finite = bounds.min().allFinite() && bounds.max().allFinite();
    if (!finite || !(bounds.min().array() < bounds.max().array()).all())
      fail(place,
           "found corners that are not in order or not finite, expected the lower one first");
  }

  void fail(const std::string& place, std::string message) {
    fail(ErrorCode::kInvalidArgument, place, std::move(message));
  }
  void fail(ErrorCode code, const std::string& place, std::string message) {
    if (!error_) error_ = {code, std::move(message), place};
  }

  int count_ = 0;
  std::optional<Error> error_;
};

// ---- boxes

/// The box of { p + q : p in a, |q| <= r }.
Box3 grown(const Box3& box, double r) {
  return {box.min() - Vec3::Constant(r), box.max() + Vec3::Constant(r)};
}

/// How far a disk of radius r across `axis` reaches along x, y, z.
Vec3 disk_reach(const Vec3& axis, double r) {
  const Vec3 squares = axis.cwiseAbs2();
  // 1 - axis_i^2 without cancellation.
  return r * Vec3(std::sqrt(squares.y() + squares.z()), std::sqrt(squares.x() + squares.z()),
                  std::sqrt(squares.x() + squares.y()));
}

Box3 around(const Vec3& center, const Vec3& reach) { return {center - reach, center + reach}; }

Box3 box_of(const Shape& shape, const SimilarityParts& outer);

Box3 box_of_operands(const Boolean& boolean, const SimilarityParts& pose) {
  Box3 box = box_of(boolean.of.front(), pose);
  if (boolean.operation == BooleanOperation::kDifference) return box;
  for (std::size_t i = 1; i < boolean.of.size(); ++i) {
    const Box3 other = box_of(boolean.of[i], pose);
    if (boolean.operation == BooleanOperation::kUnion)
      box.extend(other);
    else
      box = box.intersection(other);
    if (box.isEmpty()) box.setEmpty();
  }
  return box;
}

/// In the world, of a shape in the frame of `outer`.
Box3 box_of(const Shape& shape, const SimilarityParts& outer) {
  const SimilarityParts pose = outer * SimilarityParts(shape.pose);
  const Mat3& turn = pose.rotation;
  const Vec3 axis = turn.col(2);
  const Vec3& center = pose.translation;
  const double k = pose.scale;
  const auto of_points = [&](const auto& points, const auto& point_of) {
    Box3 box;
    for (const auto& p : points) box.extend(pose(point_of(p)));
    return box;
  };
  const auto of_box = [&](const Vec3& middle, const Vec3& half) {
    return around(pose(middle), k * (turn.cwiseAbs() * half));
  };
  return std::visit(
      Overloaded{
          [&](const BoxSolid& box) { return of_box(Vec3::Zero(), box.size / 2); },
          [&](const Sphere& sphere) { return around(center, Vec3::Constant(k * sphere.radius)); },
          [&](const Ellipsoid& e) {
            return around(center, k * (turn * e.radii.asDiagonal()).rowwise().norm());
          },
          [&](const Torus& torus) {
            return grown(around(center, disk_reach(axis, k * torus.major)), k * torus.minor);
          },
          [&](const Cylinder& c) {
            return around(center,
                          disk_reach(axis, k * c.radius) + k * c.height / 2 * axis.cwiseAbs());
          },
          [&](const Capsule& c) {
            return grown(around(center, k * c.height / 2 * axis.cwiseAbs()), k * c.radius);
          },
          [&](const Cone& cone) {
            Box3 box = around(center, disk_reach(axis, k * cone.radius));
            return box.extend(pose(Vec3(0, 0, cone.height)));
          },
          [&](const MeshSolid& solid) {
            Box3 box;
            for (const Triangle& t : solid.mesh->triangles)
              for (const std::uint32_t v : t) box.extend(pose(solid.mesh->vertices[v]));
            return box;
          },
          [&](const PatchSolid& solid) {
            Box3 box;
            for (const BezierPatch& patch : solid.surface->patches)
              box.extend(of_points(patch.points,
                                   [](const WeightedPoint& p) -> Vec3 { return p.head<3>(); }));
            return box;
          },
          [&](const ImplicitSolid& solid) {
            return of_box(solid.bounds.center(), solid.bounds.sizes() / 2);
          },
          [&](const Boolean& boolean) { return box_of_operands(boolean, pose); }},
      shape.solid);
}

}  // namespace

Result<void> check_shape(const Shape& shape) { return Checker().check(shape); }

Box3 box_of_checked(const Shape& shape) { return box_of(shape, SimilarityParts()); }

Box3 bounding_box(const Shape& shape) {
  return check_shape(shape) ? box_of_checked(shape) : Box3();
}

}  // namespace plimsoll
