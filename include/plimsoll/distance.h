// How far apart the surfaces of two bodies are, and where; which of their triangles are near each
// other.
#pragma once

#include <plimsoll/contacts.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace plimsoll {

class DistanceTree;
struct OrientedBoxes;
struct TriangleTree;

/// Which of two closed bodies lies in the other.
enum class Containment {
  kNone,    ///< No part of one is in the other.
  kPartly,  ///< A part of one, of several that share no vertex, is in the other.
  kAInB,
  kBInA,
};

/// Of closed surfaces that have no point in common, posed, decided exactly; where they are open or
/// have one, the answer means nothing. Then the distance of the solids is that of their surfaces
/// for kNone, and 0 for the others. Inside is where a surface winds around, whichever way it is
/// turned. Errors: as DistanceSearch::find. O(n).
[[nodiscard]] Result<Containment> containment(const DistanceTree& a, const Similarity& world_from_a,
                                              const DistanceTree& b,
                                              const Similarity& world_from_b);

/// A body that is asked for its distance from others: its triangles, in a tree that it shares with
/// whatever else is asked of the body, and boxes that lie as they do. Triangles need not bound a
/// solid. Copies share all; any number of threads may ask. About 17 bytes per triangle beyond the
/// tree's.
class DistanceTree {
 public:
  /// O(n log n): 0.8 us per triangle on one thread, in parallel. Trees of TreeQuality::kTight answer fastest.
  explicit DistanceTree(const MeshTree& triangles);

  /// The box of its triangles.
  [[nodiscard]] Box3 box() const;
  [[nodiscard]] std::size_t triangle_count() const;
  /// What tree and boxes take [bytes].
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class DistanceSearch;
  friend class NearPairSearch;
  friend Result<Containment> containment(const DistanceTree&, const Similarity&,
                                         const DistanceTree&, const Similarity&);

  std::shared_ptr<const TriangleTree> tree_;
  std::shared_ptr<const std::vector<OrientedBoxes>> boxes_;
};

/// What part of a triangle a point of it is in.
enum class TrianglePart {
  kCorner,  ///< Corner `number`.
  kEdge,    ///< The edge from corner `number` to the next.
  kFace,
};

struct NearestPoint {
  Vec3 at = Vec3::Zero();      ///< In the world [m].
  std::uint32_t triangle = 0;  ///< Its number in the mesh.
  TrianglePart part = TrianglePart::kFace;
  int number = 0;
  std::uint32_t leaf = 0;  ///< Where the tree keeps the triangle, for DistanceLimits::last.
};

enum class SurfaceContact {
  kApart,
  kTouches,  ///< A point in common, and no edge of one passes through a face of the other.
  kCrosses,
};

/// In meters, of the posed vertices, rounded as posed() does.
struct SurfaceDistance {
  SurfaceContact contact = SurfaceContact::kApart;
  double distance = std::numeric_limits<double>::infinity();
  /// The true distance is no less than `lower` and no more than `upper`.
  double lower = 0, upper = std::numeric_limits<double>::infinity();
  /// A pair of nearest points, or one point that both have; nothing where the surfaces cross, or
  /// where they are farther apart than was asked, or one has no triangles.
  struct Points {
    NearestPoint on_a, on_b;
  };
  std::optional<Points> nearest;
};

struct DistanceLimits {
  /// Surfaces farther apart than that are only said to be: their `lower` is that, their distance
  /// infinite [m].
  double farthest = std::numeric_limits<double>::infinity();
  /// An answer for the same bodies, a little before: the search begins with its triangles, which
  /// makes it faster and changes nothing but which of several nearest pairs is named.
  const SurfaceDistance* last = nullptr;
};

/// The memory of a search, which its owner keeps from one to the next; one thread at a time.
class DistanceSearch {
 public:
  DistanceSearch();
  DistanceSearch(DistanceSearch&&) noexcept;
  DistanceSearch& operator=(DistanceSearch&&) noexcept;
  ~DistanceSearch();

  /// The least distance of the surfaces, posed. Triangles are closed sets: a common point is a
  /// touch, decided exactly. Errors: `InvalidArgument` for poses that are no similarities
  /// (check_pose) and for limits that are no numbers.
  [[nodiscard]] Result<SurfaceDistance> find(const DistanceTree& a, const Similarity& world_from_a,
                                             const DistanceTree& b, const Similarity& world_from_b,
                                             const DistanceLimits& limits = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Looks for triangles that are near each other, and keeps its memory from one question to the
/// next; one thread at a time.
class NearPairSearch {
 public:
  /// A search that would find more ends with an error.
  static constexpr std::size_t kMaxPairs = std::size_t{1} << 27;

  NearPairSearch();
  NearPairSearch(NearPairSearch&&) noexcept;
  NearPairSearch& operator=(NearPairSearch&&) noexcept;
  ~NearPairSearch();

  /// All pairs of a triangle of `a` and one of `b` that are closer than `distance` [m], ascending.
  /// Decided exactly, as contacts are: a pair at that distance is not among them, and one that
  /// touches is, for any distance above 0. The span is good until the next call. Errors:
  /// `InvalidArgument` for poses that are no similarities (check_pose), or may take a vertex beyond
  /// 1e300, and for distances that are not above 0; `ResourceLimit` for more than kMaxPairs pairs.
  /// O(pairs whose boxes are near).
  [[nodiscard]] Result<std::span<const ContactPair>> pairs(const DistanceTree& a,
                                                           const Similarity& world_from_a,
                                                           const DistanceTree& b,
                                                           const Similarity& world_from_b,
                                                           double distance);

  /// All pairs of different triangles of one mesh, a < b, that are closer and name no vertex in
  /// common. Otherwise as pairs.
  [[nodiscard]] Result<std::span<const ContactPair>> self_pairs(
      const DistanceTree& mesh, double distance,
      const Similarity& world_from_mesh = Similarity::Identity());

 private:
  [[nodiscard]] Result<std::span<const ContactPair>> find(const DistanceTree& a,
                                                          const Similarity& world_from_a,
                                                          const DistanceTree& b,
                                                          const Similarity& world_from_b,
                                                          double distance, bool is_one_body);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
