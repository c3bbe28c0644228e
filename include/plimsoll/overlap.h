// The volume that two solids share, exactly, and its gradient: the force and torque that drive them
// apart.
//
//   const SolidTree bunny(MeshTree(*CheckedMesh::from_triangles(mesh)));  // once for a shape
//   OverlapSearch search;                                                 // once for a thread
//   const Result<Overlap> shared = search.overlap(bunny, world_from_a, bunny, world_from_b);
//   if (shared && shared->overlaps) push(shared->force_a, shared->torque_a);
//
// No Boolean mesh is made, and what lies wholly inside is not visited: all follows from the curve
// in which the surfaces cross (docs/theory/overlap.md).
#pragma once

#include <plimsoll/pairs.h>
#include <plimsoll/result.h>
#include <plimsoll/solid_tree.h>
#include <plimsoll/types.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// Selects what is found. Fields not selected are as they were made.
struct OverlapParts {
  bool volume = true;     ///< Volume, error, center and patches; else what the curve tells.
  bool contacts = false;  ///< Overlap::contacts.
  bool curve = false;     ///< Overlap::curve.
  bool second_derivative = false;  ///< Overlap::second_derivative.
  bool pieces = false;             ///< Overlap::pieces, and with them the volume: O(n) more.
};

/// A closed part of the curve, and its share of force and torque.
struct OverlapContact {
  Vec3 force_a = Vec3::Zero();   ///< [m^2]
  Vec3 torque_a = Vec3::Zero();  ///< About the origin of A [m^3].
  double curve_length = 0;       ///< [m]
};

/// A connected part of what is shared. Those that touch in points and along edges alone are two,
/// unless one solid touches itself there, in vertices of its own: they are one then.
struct OverlapPiece {
  double volume = 0;           ///< [m^3]
  double volume_error = 0;     ///< The most that the volume is off by [m^3].
  Vec3 center = Vec3::Zero();  ///< The centroid.
};

/// What two solids A and B share, in the world. Forces are for unit stiffness: the potential is the
/// volume itself.
struct Overlap {
  /// Whether the solids share volume. Decided exactly: those that only touch do not. (Where a solid
  /// touches itself, as cubes along an edge do, no way leads into it, and it is not shrunk: bodies
  /// that touch it only there may be said to share volume. The volume is 0 to its error.)
  bool overlaps = false;
  double volume = 0;  ///< [m^3]
  /// The most that the volume is off by [m^3]. Infinite where one solid is so much larger than the
  /// other that sums leave the range of numbers: no number here means anything then.
  double volume_error = 0;
  /// The centroid of what they share; nothing where the volume is not above its error.
  std::optional<Vec3> center;
  /// Minus the gradient of the volume with respect to where A and B are moved [m^2], and turned
  /// about their own origins [m^3]. The forces are opposite.
  Vec3 force_a = Vec3::Zero(), torque_a = Vec3::Zero();
  Vec3 force_b = Vec3::Zero(), torque_b = Vec3::Zero();
  /// Whether faces lie in one plane and have area in common: the volume has no gradient there, and
  /// the force is that of A shrunk by a little, the limit from one side.
  bool is_one_sided = false;
  /// Areas of A's surface inside B, and of B's inside A [m^2].
  std::array<double, 2> patch_areas{};
  double curve_length = 0;  ///< Of the curve in which the surfaces cross [m].
  /// The curve's closed parts, the longest first.
  std::vector<OverlapContact> contacts;
  /// The connected parts of what is shared, the largest first; those whose volume is not above its
  /// error are left out. Nothing where it was not asked for, and where a surface winds more than
  /// once around what is shared: it does not bound it.
  std::optional<std::vector<OverlapPiece>> pieces;
  /// The curve's segments, from one end to the other, in the order in which they were found [m].
  std::vector<std::array<Vec3, 2>> curve;
  /// Of the volume with respect to a translation of A [m]: minus the integral along the curve of
  /// n m^T / |n x m|, n and m being the normals of A and B. Nothing where it is unbounded: where
  /// faces that cross are parallel, and where `is_one_sided`.
  std::optional<Mat3> second_derivative;
};

/// What an estimate may take: whichever ends first.
struct OverlapLimits {
  double max_time = std::numeric_limits<double>::infinity();  ///< [s]
  /// In microseconds of a core of 3 GHz, counted: the same on every machine, to a factor of two or
  /// so in time.
  double max_work = std::numeric_limits<double>::infinity();
};

/// Bounds of the volume that A and B share.
struct OverlapEstimate {
  double volume = 0;            ///< That of `exact`, or the middle of the bounds [m^3].
  double lower = 0, upper = 0;  ///< Proved: they enclose the volume [m^3].
  /// The force on A is not farther from this than the error [m^2].
  Vec3 force_a = Vec3::Zero();
  double force_error = 0;
  std::optional<Overlap> exact;  ///< Where the budget sufficed for it.
};

/// Keeps its memory from one question to the next. One thread at a time; solids may be shared by
/// any number of them.
class OverlapSearch {
 public:
  OverlapSearch();
  OverlapSearch(OverlapSearch&&) noexcept;
  OverlapSearch& operator=(OverlapSearch&&) noexcept;
  ~OverlapSearch();

  /// What the solids share, of their vertices as posed() rounds them: exact but for rounding, which
  /// `volume_error` bounds. Where vertices, edges and faces coincide, both solids count as shrunk
  /// by a little, A by twice as much as B: whatever the pose, the answer is the limit of one
  /// without coincidences. (In a turned pose rounding decides whether faces cross that should
  /// coincide: `overlaps` may be true then, and the force that of a whole face at no depth. Where
  /// that matters, take a volume that is not above its error for none.) Vertices of equal
  /// coordinates count as one. Solids turned inward count as turned outward. Where surfaces cross
  /// themselves, the volume is the integral of the product of both winding numbers, which is what
  /// they share only where no number is above 1. Errors: `InvalidArgument` unless check_pose
  /// (shape.h) accepts both poses, and where a posed coordinate may exceed 1e300; `NotClosed` for a
  /// surface that is not closed, or not turned one way; `ResourceLimit` where looking for the curve
  /// takes more than `max_work` (PairSearch). The first question to a solid takes O(n) more, about
  /// a microsecond a triangle: ask one before a loop that has no time for it. Then O(curve and
  /// triangles near it).
  [[nodiscard]] Result<Overlap> overlap(const SolidTree& a, const Similarity& world_from_a,
                                        const SolidTree& b, const Similarity& world_from_b,
                                        const OverlapParts& parts = {},
                                        double max_work = PairSearch::kMaxWork);

  /// The exact answer where half of the budget suffices for it, else bounds that become narrower
  /// the larger it is: surfaces are looked at in parts, the largest first. What is in hand is
  /// finished: of a budget of 100 us 99 of 100 questions took 132 us or less (two bodies of 52,000
  /// to 75,000 triangles), and for pairs of triangles by the hundred that lie in one plane it may
  /// take up to a millisecond. The bounds are true where both surfaces bound solids: where none
  /// winds more than once around a point. Errors: as overlap, and `InvalidArgument` for a budget
  /// that is not a number or below 0. The first question to a solid takes O(n) more, whatever the
  /// budget.
  [[nodiscard]] Result<OverlapEstimate> estimate(const SolidTree& a, const Similarity& world_from_a,
                                                 const SolidTree& b, const Similarity& world_from_b,
                                                 const OverlapLimits& budget,
                                                 const OverlapParts& parts = {});

  /// Whether A lies in B, its surface included. Decided exactly: where surfaces coincide, A counts
  /// as shrunk by a little and B as grown. Nothing where they coincide at vertices from which no
  /// way leads into the solid, as at saddles between opposite faces, and that may decide. Solids
  /// turned inward count as turned outward. Errors: as overlap. Takes less time than an overlap,
  /// and ends where surfaces are found to cross.
  [[nodiscard]] Result<std::optional<bool>> lies_in(const SolidTree& a,
                                                    const Similarity& world_from_a,
                                                    const SolidTree& b,
                                                    const Similarity& world_from_b,
                                                    double max_work = PairSearch::kMaxWork);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
