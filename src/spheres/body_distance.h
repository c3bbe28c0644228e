// How far two bodies are apart by spheres and triangles, as far as a budget goes.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>

#include "spheres/near_triangles.h"

namespace plimsoll {

struct DistanceBudget {
  std::size_t max_steps = std::numeric_limits<std::size_t>::max();  ///< See StepLimit.
  double max_time = std::numeric_limits<double>::infinity();        ///< [s]
};

/// What is looked at after the spheres.
enum class Refinement {
  kTriangles,  ///< The triangles of all spheres that may hold the answer.
  kNone,       ///< Nothing: the lower bound is the distance less both protrusions.
};

/// Lengths and points in the frame of `a`.
struct BodyDistance {
  double distance = 0;          ///< The least that was found: of spheres or of triangles [m].
  double lower = 0, upper = 0;  ///< Enclose the distance of the solids [m].
  double surfaces_lower = 0;    ///< The surfaces are no nearer [m].
  bool spheres_meet = false;    ///< All lengths are 0 then.
  bool is_complete = true;      ///< The budget sufficed.
  /// That far apart; nothing where surfaces touch or cross.
  std::optional<Vec3> point_a = std::nullopt, point_b = std::nullopt;
  SpherePair nearest;  ///< The nearest spheres that were found.
};

/// Keeps its memory from one search to the next; one thread at a time.
class BodyDistanceSearch {
 public:
  /// The distance of the nearest spheres, then that of the triangles that may be nearer
  /// [Weller2009, sec. 4.1], unless that is left out. `last`: two leaves by which the search
  /// begins. With a budget all bounds hold wherever the search ends. The spheres, which tell
  /// nothing about what is nearest but an upper bound, have a part of it; all else goes to the
  /// parts that may be nearest. What a budget of time finds depends on the machine; all else does
  /// not.
  [[nodiscard]] BodyDistance find(const SphereBody& a, const SphereBody& b,
                                  const RelativePose& pose, std::optional<SpherePair> last,
                                  const DistanceBudget& budget = {},
                                  Refinement refinement = Refinement::kTriangles);

 private:
  SphereWalk walk_;
  NearTriangleSearch triangles_;
};

}  // namespace plimsoll
