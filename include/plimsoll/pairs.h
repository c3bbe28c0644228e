// Which triangles of two bodies touch, and which triangles of a body touch others of the same.
//
//   const MeshTree teapot(*CheckedMesh::from_triangles(mesh));  // once for a shape
//   PairSearch search;         // once for a thread
//   const auto pairs = search.pairs(teapot, world_from_a, teapot, world_from_b);
//
// A triangle is a closed set, so touching counts: two touch if they have a point in common, be it
// one corner. Whether they do is decided exactly, of the vertices as posed() rounds them: no
// tolerance, and the same answer whichever body comes first. (Of a body larger than 2^100,
// coordinates below 2^-1022 of its size are rounded first.) Meshes may be open, torn, folded or
// soups. A triangle without area is the segment or the point that its corners span. Inside and
// outside play no part: a body that lies in another without touching it makes no pair. What is here
// says which triangles touch, not where, or how deep the bodies overlap.
#pragma once

#include <plimsoll/mesh_tree.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace [[gnu::visibility("default")]] plimsoll {

/// Two triangles that touch, by their numbers in the meshes that the trees were made of.
struct TrianglePair {
  std::uint32_t a = 0, b = 0;
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// Looks for pairs that touch, and keeps its memory from one question to the next. One thread at a
/// time; trees may be shared by any number of them. Neither mesh is copied or moved: poses are, so
/// to ask again after a body has moved costs as much as asking the first time. Where vertices moved
/// too, refit its MeshTree, or make a new one.
class PairSearch {
 public:
  /// What a search may take as a rule, in microseconds of a core of 3 GHz, beside one for each pair
  /// that it finds. It is counted, not measured: the same on every machine with as many threads.
  /// No body has come near it but soups of triangles that lie in each other's boxes by the hundred
  /// thousand and touch in few; n triangles that all do take some n^2 / 20.
  static constexpr double kMaxWork = 6e8;

  PairSearch();
  PairSearch(PairSearch&&) noexcept;
  PairSearch& operator=(PairSearch&&) noexcept;
  ~PairSearch();

  /// All pairs of a triangle of `a` and one of `b` that touch, ascending. The span is good until
  /// the next call. Errors: `InvalidArgument` unless check_pose (shape.h) accepts both poses, and
  /// where a posed coordinate may exceed 1e300; `ResourceLimit` for a search that takes more than
  /// `max_work`. O(pairs whose boxes meet), in parallel where these are many.
  [[nodiscard]] Result<std::span<const TrianglePair>> pairs(const MeshTree& a,
                                                            const Similarity& world_from_a,
                                                            const MeshTree& b,
                                                            const Similarity& world_from_b,
                                                            double max_work = kMaxWork);

  /// One of these pairs, or nothing if there is none; it stops there. A Result is true where there
  /// was no error: `found && *found` says that they touch. Errors: as pairs.
  [[nodiscard]] Result<std::optional<TrianglePair>> touch(const MeshTree& a,
                                                          const Similarity& world_from_a,
                                                          const MeshTree& b,
                                                          const Similarity& world_from_b,
                                                          double max_work = kMaxWork);

  /// All pairs of different triangles of one mesh, a < b, that touch and name no vertex in common:
  /// what a cloth that folds onto itself is asked for. Vertices count as common by index: weld()
  /// makes equal ones one. Ascending. The span is good until the next call. Errors: as pairs.
  /// O(triangles and pairs whose boxes meet), in parallel where these are many.
  [[nodiscard]] Result<std::span<const TrianglePair>> self_pairs(
      const MeshTree& mesh, const Similarity& world_from_mesh = Similarity::Identity(),
      double max_work = kMaxWork);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
