// A body that the water holds up, in one attitude: draught, righting arm, metacentric heights.
// Still water. Everything is in the frame of the body; the water moves.
#pragma once

#include <plimsoll/shape.h>
#include <plimsoll/solid_tree.h>

#include <cmath>
#include <memory>
#include <optional>

namespace [[gnu::visibility("default")]] plimsoll {

/// A solid that can be asked what of it is under water. The library has trees and shapes
/// (floating_body); a program may bring its own. Several threads ask at once.
class FloatingSolid {
 public:
  virtual ~FloatingSolid() = default;
  /// With the waterplane; the wetted area is not asked for.
  [[nodiscard]] virtual Submersion submersion(const WaterPlane& water) const = 0;
  /// Whether surface_between answers. Where it does not, isolated poses are told from others by
  /// loops only, and a proof tells their width.
  [[nodiscard]] virtual bool knows_surface() const { return false; }
  /// Its surface near a plane, as SolidTree::surface_between.
  [[nodiscard]] virtual ProjectedSurface surface_between(const WaterPlane& water,
                                                         const LeaningPlanes& planes,
                                                         double enough) const;
  /// The same solid in units of 2^exponent m; nothing where it has no others. Of a body whose size
  /// is so far from 1 m that fourth powers of it are no numbers, the one of about 1 is asked.
  [[nodiscard]] virtual std::shared_ptr<const FloatingSolid> in_units_of(int exponent) const;
};

/// A body that is held up by the water alone.
struct FloatingBody {
  std::shared_ptr<const FloatingSolid> solid;
  Box3 box;                            ///< Encloses it.
  double volume = 0;                   ///< Of all of it [m^3].
  Vec3 center_of_mass = Vec3::Zero();  ///< [m]
  double displacement = 0;             ///< Mass over the density of the water; see floats() [m^3].
  /// About the same body, much faster to ask: come_to_rest begins with it. May be missing.
  std::shared_ptr<const FloatingBody> coarse;
};

/// A millionth of a body is under water at least: volumes are known to 1e-15 of the whole, and the
/// center of so small a part not well enough.
inline constexpr double kLeastDisplacement = 1e-6;

/// Whether the body displaces less than all of itself, by a billionth of its volume, and no less
/// than kLeastDisplacement of it.
[[nodiscard]] inline bool floats(const FloatingBody& body) {
  return body.solid != nullptr && body.center_of_mass.allFinite() && body.volume > 0 &&
         std::isfinite(body.volume) && body.displacement >= kLeastDisplacement * body.volume &&
         body.displacement <= (1 - 1e-9) * body.volume;
}

/// Of 2,500 triangles or more its coarse body has a fortieth (SolidTree::coarse).
[[nodiscard]] FloatingBody floating_body(const SolidTree& tree, const Vec3& center_of_mass,
                                         double displacement);

/// The same for any shape with exact integrals; a mesh becomes a tree. Without a center of mass it
/// is that of the solid, evenly filled. Errors: as submersion and mass_properties of shapes;
/// `InvalidArgument` for a volume that is too large for a number.
[[nodiscard]] Result<FloatingBody> floating_body(const Shape& shape, double displacement,
                                                 const std::optional<Vec3>& center_of_mass = {});

/// The body in water with the outward normal `up`, displacing its displacement.
struct FloatingState {
  Vec3 up{0, 0, 1};  ///< Of unit length.
  double level = 0;  ///< The water is { p : dot(up, p) <= level } [m].
  Submersion wet;    ///< Without the wetted area.
  /// Potential energy over weight: the height of the center of mass over that of buoyancy [m].
  double energy = 0;
  Vec3 righting_arm = Vec3::Zero();  ///< From the center of buoyancy to that of mass, square to
                                     ///< `up` [m]: the gradient of the energy by `up`.
  Vec2 metacentric_heights{0, 0};    ///< Ascending [m]: eigenvalues of its Hessian.
  /// Rows are the unit directions that `up` moves in to heel about either axis.
  Mat23 heel_axes = Mat23::Zero();
};

/// Lets the body rise or sink, `up` held: the displacement is met to 1e-14 or, where the waterplane
/// is so small that levels have not the digits, to a unit in the last place of the level. By
/// Newton's method with dV / dlevel = waterplane area, kept in a bracket. `guess` is where to
/// begin. `up` may have any length. All numbers are NaN where the body does not float or `up` has
/// no direction.
[[nodiscard]] FloatingState float_upright(const FloatingBody& body, const Vec3& up,
                                          std::optional<double> guess = std::nullopt);

/// Whether a state has the body's displacement, to a millionth. It has not where the body is so
/// thin that from one level to the next more than that goes under: what is under water is not known
/// then, and of arm and metacentric heights nothing is right. False where the volume is NaN.
[[nodiscard]] inline bool is_held_up(const FloatingBody& body, const FloatingState& state) {
  return std::fabs(body.displacement - state.wet.volume) <= 1e-6 * body.displacement;
}

/// The body in a world whose water is z <= 0. From `rotation`, in which it stood before, it is
/// turned by the least rotation that brings `up` to the vertical, which leaves its heading, and it
/// is raised or sunk. Where `up` points straight down before, no rotation is the least, and one of
/// them is taken. Precondition: `rotation` is one.
[[nodiscard]] Pose world_from_body(const FloatingState& state,
                                   const Mat3& rotation = Mat3::Identity());

}  // namespace plimsoll
