// Floating at rest: every pose in which a body is in equilibrium. Still water. Everything is in the
// frame of the body; the water moves.
#pragma once

#include <plimsoll/floating.h>

#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

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
  /// Starts that did not come to rest. Known only of solids so thin (1e-8 of their length) that
  /// rounding moves the center of buoyancy as far as water does.
  int lost_starts = 0;
  /// Whether EquilibriumOptions::max_work ended the search: starts were not let go, or directions
  /// not looked at.
  bool out_of_work = false;
};

struct EquilibriumOptions {
  int starts = 64;            ///< Directions spread evenly over the sphere; below 0 is none.
  double tolerance = 1e-12;   ///< On `residual`; at most 1e-3, and 1e-15 if that is less.
  bool all_kinds = true;      ///< Also look for saddles and maxima, and for a proof that none is
                              ///< missing; else only where starts end.
  int max_searches = 20'000;  ///< From directions in which a pose could be missing.
  std::size_t max_states = 600'000;  ///< Floating states that the proof may ask for.
  /// What all of it may take as a rule, in microseconds of a core of 3 GHz. It is counted, by the
  /// triangles that are looked at, and the same everywhere. A round that has begun is ended: some
  /// hundred states, which for bodies of a million slivers may take longer than a small limit.
  double max_work = 6e7;
};

/// Every pose in which the body rests: minimizes the potential energy at fixed displacement, E(n) =
/// n . (G - B), over the directions n, by Newton's method with the Hessian M / V - E 1 (M the
/// second moments of the waterplane, V the displacement), its eigenvalues taken positive, and
/// backtracking. Then the sphere of directions is covered by cells in which nothing else is at
/// rest; where a cell cannot be settled, further searches begin, for maxima and saddles with signs
/// changed. docs/theory/hydrostatics.md, "At rest". A proof takes it that the body is a solid: its
/// surface turns around no point less than zero times. Where every start is lost, as of a body so
/// thin that rounding moves its center of buoyancy farther than the water does, no more is looked
/// for. Some hundred to some thousand floating states; parallel.
/// Bodies of n flat facets in a ring, cylinders of mesh, rest on each or between each two, and the
/// water cuts a share of all triangles in each of these poses: O(n^2), up to `max_work`. A body
/// that sinks, or weighs nothing, has none, which is proven; of what is no body (a displacement
/// that is no number, no volume) nothing is.
[[nodiscard]] Equilibria find_equilibria(const FloatingBody& body,
                                         const EquilibriumOptions& options = {});

/// Where the body comes to rest when let go at `up`, of any length: first its coarse one, then the
/// body from there, so that near the border of two poses, or where many lie close together, it may
/// be the next one. find_equilibria, which counts them, does without. Nothing where it does not
/// within a thousand steps, and where the body does not float.
[[nodiscard]] std::optional<Equilibrium> come_to_rest(const FloatingBody& body, const Vec3& up,
                                                      double tolerance = 1e-12);

}  // namespace plimsoll
