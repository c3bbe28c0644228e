// Solids that need not be meshes: primitives, free-form patches, formulas, and Booleans of them.
#pragma once

#include <plimsoll/expression.h>
#include <plimsoll/mesh.h>
#include <plimsoll/patches.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

// Primitives are centered at the origin with their axis along z; only the cone stands on z = 0.

struct BoxSolid {
  Vec3 size = Vec3::Ones();  ///< Edges along x, y, z [m].
};
struct Sphere {
  double radius = 1;  ///< [m]
};
struct Ellipsoid {
  Vec3 radii = Vec3::Ones();  ///< Half axes along x, y, z [m].
};
struct Torus {
  double major = 1;    ///< From the axis to the middle of the tube [m].
  double minor = 0.5;  ///< Of the tube, at most `major`: a larger tube would cover itself [m].
};
struct Cylinder {
  double radius = 1;  ///< [m]
  double height = 1;  ///< [m]
};
struct Capsule {
  double radius = 1;  ///< [m]
  double height = 1;  ///< Of the straight part; 0 makes a sphere [m].
};
struct Cone {
  double radius = 1;  ///< Of the base, at z = 0 [m].
  double height = 1;  ///< Of the apex [m].
};

/// What a mesh winds around; where it is turned inward as a whole, as if turned outward.
struct MeshSolid {
  std::shared_ptr<const TriangleMesh> mesh;
  /// No vertex is farther from where it belongs, by what reading a file, its unit and welding have
  /// moved it [unit of the mesh]. Bounds of mass_properties and submersion include it.
  double vertex_error = 0;
};

/// The solid with its vertices where `pose` takes them, as posed() of a mesh has them; the error,
/// in the scale of the pose, includes what that rounds.
[[nodiscard]] MeshSolid posed(const MeshSolid& solid, const Similarity& pose);

struct PatchSolid {
  std::shared_ptr<const PatchSurface> surface;
};

/// Where `expression` is negative, inside `bounds`. Where it is NaN is outside.
struct ImplicitSolid {
  Expression expression;
  Box3 bounds;
};

enum class BooleanOperation { kUnion, kIntersection, kDifference };

struct Shape;

/// `kDifference` takes the later shapes off the first.
struct Boolean {
  BooleanOperation operation = BooleanOperation::kUnion;
  std::vector<Shape> of;
};

/// A solid and where it is. Meshes, patches and formulas are shared by copies.
struct Shape {
  std::variant<BoxSolid, Sphere, Ellipsoid, Torus, Cylinder, Capsule, Cone, MeshSolid, PatchSolid,
               ImplicitSolid, Boolean>
      solid;
  /// world_from_shape, or within a Boolean its frame from the shape's: a rotation times one
  /// positive scale, and a translation.
  Similarity pose = Similarity::Identity();
};

/// Booleans may be nested this deep,
inline constexpr int kMaxShapeDepth = 64;
/// and a shape may be made of this many.
inline constexpr int kMaxShapeCount = 100'000;

/// Checks that a pose is finite and a similarity: a rotation times one positive scale, to 1e-9, and
/// a translation. Errors: `InvalidArgument`.
[[nodiscard]] Result<void> check_pose(const Similarity& pose);

/// Matrices that were floats, or printed with few digits, are this far from a rotation at most.
inline constexpr double kRoundedPose = 1e-4;

/// `pose` as it is where check_pose accepts it. Else the similarity nearest to it, if every entry
/// of its linear part, over the scale, is within kRoundedPose of that of the nearest (least squares
/// over the nine entries: the rotation is that of the polar decomposition, the scale the mean of
/// the singular values [Higham1986]). Errors: `InvalidArgument` for all others, saying how far off
/// they are.
[[nodiscard]] Result<Similarity> nearest_similarity(const Similarity& pose);

/// The same for a pose without scale: also refused where the scale is more than kRoundedPose from
/// 1, which it becomes.
[[nodiscard]] Result<Pose> nearest_pose(const Similarity& pose);

/// Checks what every algorithm takes for granted: sizes positive and finite, tubes of tori no
/// thicker than round their axis, meshes that pass check_mesh, bounds that are ordered and finite,
/// Booleans of one shape or more within the limits above, poses that are similarities to 1e-9.
/// Errors: `InvalidArgument`, `ResourceLimit`; `where` is the place in the shape: "of[1].radius".
[[nodiscard]] Result<void> check_shape(const Shape& shape);

/// The box of the posed shape, to rounding: exact for primitives and meshes, for patches that of
/// their control points, for a formula that of its bounds, for an intersection that which the boxes
/// share, for a difference that of the first. Empty for a mesh without triangles, and for a shape
/// that check_shape refuses.
[[nodiscard]] Box3 bounding_box(const Shape& shape);

/// Triangles in place of a shape: for engines that draw, and for diagnosis.
struct ShapeMesh {
  TriangleMesh mesh;     ///< In the world of the shape, welded.
  double deviation = 0;  ///< No farther from the true surface than this [m]: of boxes what their
                         ///< pose rounds, of meshes what MeshSolid::vertex_error becomes, of all
                         ///< else the flatness besides.
};

/// The surface of `shape` as triangles no farther than `flatness` [m] from it: meshes as they are,
/// patches by tessellate, primitives with their vertices on the surface. Nothing for formulas and
/// Booleans, which have no triangles. Errors: as check_shape; `InvalidArgument` unless flatness >
/// 0; `ResourceLimit` beyond 20 million triangles, saying which flatness would do.
[[nodiscard]] Result<std::optional<ShapeMesh>> to_triangles(const Shape& shape, double flatness);

}  // namespace plimsoll
