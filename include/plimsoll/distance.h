// How far apart the surfaces of two bodies are, and where; which of their triangles are near each
// other; which body lies in the other.
//
//   const DistanceTree cup{MeshTree(*CheckedMesh::from_triangles(mesh))};  // once for a shape
//   DistanceSearch search;                                                // once for a thread
//   Result<SurfaceDistance> gap = search.find(cup, world_from_cup, saucer, world_from_saucer);
//   if (gap && gap->nearest) use(gap->nearest->on_a.at, gap->nearest->on_b.at);
//   gap = search.find(cup, a_little_later, saucer, world_from_saucer, {.last = &*gap});
#pragma once

#include <plimsoll/mesh_tree.h>
#include <plimsoll/pairs.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

enum class Containment;
struct OrientedBoxes;
struct SearchCounts;
struct TriangleTree;

/// A body that is asked for its distance from others: its triangles, in a tree that it shares with
/// whatever else is asked of the body, and boxes turned as they lie. Triangles need not bound a
/// solid. It keeps its shape where the MeshTree is refit: make it anew then. Copies share all; any
/// number of threads may ask. About 18 bytes per triangle beyond the tree's.
class DistanceTree {
 public:
  /// O(n log n), in parallel. Trees of TreeQuality::kTight answer fastest.
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
  std::uint32_t leaf = 0;  ///< Of the tree, for DistanceLimits::last.
};

enum class SurfaceMeeting {
  kApart,
  /// A point in common, and no edge of one passes through a face of the other. That says nothing
  /// about the solids: boxes of which two sides lie in one plane may touch so, and overlap.
  kTouches,
  kCrosses,
};

/// In meters, of the posed vertices, rounded as posed() does.
struct SurfaceDistance {
  SurfaceMeeting meeting = SurfaceMeeting::kApart;
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
  /// Of surfaces farther apart than that no more is found: `lower` is that, and the distance is
  /// infinite [m]. To ask for less takes less time.
  double farthest = std::numeric_limits<double>::infinity();
  /// An answer for the same bodies, a little before: the search begins with its triangles, which
  /// saves a tenth to a third of the time. Of any other answer it saves nothing, and does no harm:
  /// what is found is the same, but for which of several nearest pairs is named; where hundreds
  /// are nearest, the numbers may differ too, within the bounds.
  const SurfaceDistance* last = nullptr;
  /// Bounds that differ by no more than this share of `lower` suffice; 0 asks for the distance to
  /// the rounding of doubles. Surfaces that run along each other have as many nearest triangles as
  /// there are, and all are looked at; with a tolerance only as many patches as it takes to tell
  /// these apart, however finely they are meshed. `distance` is then that of two triangles that
  /// may not be the nearest.
  double tolerance = 0;
  /// What the search may take, in microseconds of a core of 3 GHz. It is counted, not measured, and
  /// the same everywhere; the memory is 200 MB at most beside that of the bodies.
  double max_work = 6e7;
};

/// The memory of a search, which its owner keeps from one to the next; one thread at a time.
class DistanceSearch {
 public:
  DistanceSearch();
  DistanceSearch(DistanceSearch&&) noexcept;
  DistanceSearch& operator=(DistanceSearch&&) noexcept;
  ~DistanceSearch();

  /// The least distance of the surfaces, posed. Triangles are closed sets: a common point is a
  /// touch, decided exactly. Errors: `InvalidArgument` unless check_pose (shape.h) accepts both
  /// poses, where a posed coordinate may exceed 1e300, and for limits that are no numbers or below
  /// 0; `ResourceLimit` where the search would take more than max_work.
  [[nodiscard]] Result<SurfaceDistance> find(const DistanceTree& a, const Similarity& world_from_a,
                                             const DistanceTree& b, const Similarity& world_from_b,
                                             const DistanceLimits& limits = {});

 private:
  friend const SearchCounts& counts_of(const DistanceSearch& search);

  struct State;
  std::unique_ptr<State> state_;
};

/// Which of two closed bodies lies in the other.
enum class Containment {
  kNone,    ///< No part of one is in the other.
  kPartly,  ///< One is made of shells that share no vertex, and some of them are in the other.
  kAInB,
  kBInA,
};

/// Of closed surfaces, posed, that have no point in common (SurfaceMeeting::kApart); of others the
/// answer means nothing (OverlapSearch::lies_in knows it). The distance of such solids is that of
/// their surfaces for kNone, and 0 else. Decided exactly. Inside is where a surface winds around,
/// whichever way it is turned. Errors: as DistanceSearch::find. O(n).
[[nodiscard]] Result<Containment> containment(const DistanceTree& a, const Similarity& world_from_a,
                                              const DistanceTree& b,
                                              const Similarity& world_from_b);

/// Looks for triangles that are near each other, and keeps its memory from one question to the
/// next; one thread at a time.
class NearPairSearch {
 public:
  /// A search that would find more ends with an error.
  static constexpr std::size_t kMaxPairs = std::size_t{1} << 27;
  /// What a search may take as a rule, counted as DistanceLimits::max_work is, beside a microsecond
  /// for each pair that it finds.
  static constexpr double kMaxWork = 6e8;

  NearPairSearch();
  NearPairSearch(NearPairSearch&&) noexcept;
  NearPairSearch& operator=(NearPairSearch&&) noexcept;
  ~NearPairSearch();

  /// All pairs of a triangle of `a` and one of `b` that are closer than `distance` [m], ascending.
  /// Decided exactly, as in pairs.h: a pair at that distance is not among them, and one that
  /// touches is, for any distance above 0. The span is good until the next call. Errors:
  /// `InvalidArgument` for poses that are no similarities (check_pose), or may take a vertex beyond
  /// 1e300, and for distances that are not above 0; `ResourceLimit` for more than kMaxPairs pairs,
  /// for a search that takes more than `max_work`, and where so many of them need hundreds of
  /// digits that they would take longer than three seconds and a tenth of a millisecond for each
  /// triangle: coordinates of a damaged file, say, that lie hundreds of powers of ten apart. That
  /// is counted, and the same on every machine. O(pairs whose boxes are near).
  [[nodiscard]] Result<std::span<const TrianglePair>> pairs(
      const DistanceTree& a, const Similarity& world_from_a, const DistanceTree& b,
      const Similarity& world_from_b, double distance, double max_work = kMaxWork);

  /// All pairs of different triangles of one mesh, a < b, that are closer and name no vertex in
  /// common. Otherwise as pairs.
  [[nodiscard]] Result<std::span<const TrianglePair>> self_pairs(
      const DistanceTree& mesh, double distance,
      const Similarity& world_from_mesh = Similarity::Identity(), double max_work = kMaxWork);

 private:
  friend const SearchCounts& counts_of(const NearPairSearch& search);

  [[nodiscard]] Result<std::span<const TrianglePair>> find(
      const DistanceTree& a, const Similarity& world_from_a, const DistanceTree& b,
      const Similarity& world_from_b, double distance, bool is_one_body, double max_work);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
