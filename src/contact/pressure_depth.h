// The depth that the pressure on a surface is half of, for each potential of contact.h.
#pragma once

#include <plimsoll/contact.h>
#include <plimsoll/types.h>

#include "contact/surface_depth.h"

namespace plimsoll {

/// A depth at a point of a plane, and how it changes over the plane near it.
struct LocalDepth {
  double depth = 0;  ///< [m]
  /// In the world; what of it is square to the plane means nothing, and all of it nothing unless
  /// the depth is linear: that of one flat face.
  Vec3 gradient = Vec3::Zero();
  bool is_linear = false;
  /// Where the surface moves by u beside the other solid, the depth grows by the product of this
  /// with u. Of a column that no face ends it is taken to be 0: it is not damped.
  Vec3 growth = Vec3::Zero();
};

/// Of points of one surface.
///
/// For ContactPotential::kMeanDepth it is the depth in the other solid. For kLesserDepth consider
/// the column that goes from the point x down into its own solid, along the normal n: up to the
/// height h at which a point x - h n is no deeper below x's surface than below the other's, or than
/// below another part of its own. Columns fill what is nearer to this surface than to the other,
/// where the gradient of the lesser depth is n. So the pressure at x is 2 h times the stiffness:
/// the depth is twice h on either surface. Where the surface bends at an edge, by an angle u, the
/// columns of both sides overlap or leave a gap: at the height t each side has t tan(u / 2) less of
/// the edge's length, or more where it bends inward.
class PressureDepth {
 public:
  /// Keeps references to both.
  PressureDepth(ContactPotential potential, SurfaceDepth& own, SurfaceDepth& other)
      : potential_(potential), own_(own), other_(other) {}

  /// Of a point x of the surface, there with the normal `outward` of length 1.
  [[nodiscard]] double at(const Vec3& x, const Vec3& outward);
  [[nodiscard]] LocalDepth near(const Vec3& x, const Vec3& outward);
  [[nodiscard]] bool has_columns() const { return potential_ == ContactPotential::kLesserDepth; }
  /// tan(u / 2) of the edge between a part with the normal `outward` and the point x, which is just
  /// beyond it in the direction `beyond` of the part's plane: below 0 where the surface bends
  /// inward. 0 of sharp edges: single columns end there.
  [[nodiscard]] double bend(const Vec3& x, const Vec3& outward, const Vec3& beyond);

 private:
  [[nodiscard]] LocalDepth column(const Vec3& x, const Vec3& outward);

  ContactPotential potential_;
  SurfaceDepth& own_;
  SurfaceDepth& other_;
};

}  // namespace plimsoll
