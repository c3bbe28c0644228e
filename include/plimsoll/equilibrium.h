// Floating at rest: draught, equilibria, metacentric heights, righting arms. Still water.
// Everything is in the frame of the body; the water moves.
#pragma once

#include <plimsoll/shape.h>
#include <plimsoll/submersion_tree.h>

#include <memory>
#include <optional>
#include <vector>

namespace plimsoll {

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
  /// Its surface near a plane, as SubmersionTree::surface_between.
  [[nodiscard]] virtual ProjectedSurface surface_between(const WaterPlane& water,
                                                         const LeaningPlanes& planes,
                                                         double enough) const;
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
         body.displacement >= kLeastDisplacement * body.volume &&
         body.displacement <= (1 - 1e-9) * body.volume;
}

/// Of 2,500 triangles or more its coarse body has a fortieth (SubmersionTree::coarse).
[[nodiscard]] FloatingBody floating_body(const SubmersionTree& tree, const Vec3& center_of_mass,
                                         double displacement);

/// The same for any shape with exact integrals; a mesh becomes a tree. Without a center of mass it
/// is that of the solid, evenly filled. Errors: as submersion and mass_properties of shapes.
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

enum class EquilibriumKind { kMinimum, kSaddle, kMaximum };
[[nodiscard]] const char* to_string(EquilibriumKind kind);  ///< "minimum", ...

/// Equilibria that are not isolated.
enum class EquilibriumFamily {
  kNone,
  kAxis,  ///< A circle of them: `up` may turn about an axis of the body (cylinder).
  kAll,   ///< Any `up` is one (ball).
  kArc,   ///< A curve with two ends, or closed but no circle (a cube of relative density 0.23).
};

struct Equilibrium {
  FloatingState state;
  EquilibriumKind kind = EquilibriumKind::kMinimum;
  EquilibriumFamily family = EquilibriumFamily::kNone;
  Vec3 family_axis = Vec3::Zero();  ///< Unit axis of kAxis.
  std::vector<Vec3> arc;            ///< Up-vectors along a kArc, its ends first and last.
  /// Of a family, or of a pose whose metacentric heights do not tell that it is alone: nothing else
  /// is at rest outside the loop at this angle around it [rad]. Inside, that is not decided.
  double loop_angle = 0;
  double residual = 0;  ///< Righting arm over the cube root of the body's volume.
  int starts = 0;       ///< Of the given starts, those that came to rest here.
};

/// What is known of poses that may be missing.
enum class Completeness {
  kProven,      ///< There are none: every direction outside the loops is shown to hold none.
  kConsistent,  ///< minima - saddles + maxima = 2, which holds for some incomplete lists too.
  kIncomplete,  ///< It is not 2, or no minimum or no maximum was found.
};
[[nodiscard]] const char* to_string(Completeness complete);  ///< "proven", ...

struct Equilibria {
  std::vector<Equilibrium> found;  ///< Stable ones first, most starts first.
  /// Sum of the indices of the gradient of the energy: minima and maxima 1, saddles -1, circles 0,
  /// arcs 1, 0 or -1, all directions 2. It is 2 if none is missing [Milnor1963, sec. 5; Bott1954].
  int minima_minus_saddles_plus_maxima = 0;
  Completeness complete = Completeness::kIncomplete;
  int lost_starts = 0;  ///< Starts that did not come to rest; of a sound solid none is known.
};

struct EquilibriumOptions {
  int starts = 64;            ///< Directions spread evenly over the sphere; below 0 is none.
  double tolerance = 1e-12;   ///< On `residual`; at most 1e-3, and 1e-15 if that is less.
  bool all_kinds = true;      ///< Also look for saddles and maxima, and for a proof that none is
                              ///< missing; else only where starts end.
  int max_searches = 20'000;  ///< From directions in which a pose could be missing.
  std::size_t max_states = 300'000;  ///< Floating states that the proof may ask for.
};

/// Every pose in which the body rests: minimizes the potential energy at fixed displacement, E(n) =
/// n . (G - B), over the directions n, by Newton's method with the Hessian M / V - E 1 (M the
/// second moments of the waterplane, V the displacement), its eigenvalues taken positive, and
/// backtracking. Then the sphere of directions is covered by cells in which nothing else is at
/// rest; where a cell cannot be settled, further searches begin, for maxima and saddles with signs
/// changed. docs/theory/hydrostatics.md, "At rest". A proof takes it that the body is a solid: its
/// surface turns around no point less than zero times. Some hundred to some thousand floating
/// states; parallel. A body that sinks, or weighs nothing, has none, which is proven; of what is no
/// body (a displacement that is no number, no volume) nothing is.
[[nodiscard]] Equilibria find_equilibria(const FloatingBody& body,
                                         const EquilibriumOptions& options = {});

/// Where the body comes to rest when let go at `up`: first its coarse one, then the body from
/// there, so that near the border of two poses, or where many lie close together, it may be the
/// next one. find_equilibria, which counts them, does without. Nothing where it does not within a
/// thousand steps, and where the body does not float.
[[nodiscard]] std::optional<Equilibrium> come_to_rest(const FloatingBody& body, const Vec3& up,
                                                      double tolerance = 1e-12);

}  // namespace plimsoll
