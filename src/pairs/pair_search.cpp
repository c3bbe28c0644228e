#include <plimsoll/pairs.h>
#include <plimsoll/parallel.h>

#include <vector>

#include "pairs/pair_finder.h"

namespace plimsoll {

struct PairSearch::State {
  PairFinder finder;
  std::vector<TrianglePair> found, memory;

  /// Fills `found`, ascending.
  Result<void> find(const PosedTree& a, const PosedTree& b, bool stops_at_first, double max_work) {
    if (Result<void> usable = check_posed(a, "world_from_a"); !usable) return usable;
    if (Result<void> usable = check_posed(b, "world_from_b"); !usable) return usable;
    if (Result<void> usable = check_max_work(max_work); !usable) return usable;
    found.clear();
    if (!finder.find(a, b, stops_at_first, static_cast<std::size_t>(thread_limit()), max_work,
                     found))
      return too_much_pair_work(max_work);
    sort_pairs(found, memory);
    return {};
  }
};

PairSearch::PairSearch() : state_(std::make_unique<State>()) {}
PairSearch::PairSearch(PairSearch&&) noexcept = default;
PairSearch& PairSearch::operator=(PairSearch&&) noexcept = default;
PairSearch::~PairSearch() = default;

Result<std::span<const TrianglePair>> PairSearch::pairs(const MeshTree& a,
                                                        const Similarity& world_from_a,
                                                        const MeshTree& b,
                                                        const Similarity& world_from_b,
                                                        double max_work) {
  const Result<void> done = state_->find({&triangles_of(a), world_from_a},
                                         {&triangles_of(b), world_from_b}, false, max_work);
  if (!done) return done.error();
  return std::span<const TrianglePair>(state_->found);
}

Result<std::optional<TrianglePair>> PairSearch::touch(const MeshTree& a,
                                                      const Similarity& world_from_a,
                                                      const MeshTree& b,
                                                      const Similarity& world_from_b,
                                                      double max_work) {
  const Result<void> done = state_->find({&triangles_of(a), world_from_a},
                                         {&triangles_of(b), world_from_b}, true, max_work);
  if (!done) return done.error();
  std::optional<TrianglePair> first;
  if (!state_->found.empty()) first = state_->found.front();
  return first;
}

Result<std::span<const TrianglePair>> PairSearch::self_pairs(const MeshTree& mesh,
                                                             const Similarity& world_from_mesh,
                                                             double max_work) {
  const PosedTree posed{&triangles_of(mesh), world_from_mesh};
  if (Result<void> usable = check_posed(posed, "world_from_mesh"); !usable) return usable.error();
  if (Result<void> usable = check_max_work(max_work); !usable) return usable.error();
  state_->found.clear();
  if (!state_->finder.find_within(posed, static_cast<std::size_t>(thread_limit()), max_work,
                                  state_->found))
    return too_much_pair_work(max_work);
  sort_pairs(state_->found, state_->memory);
  return std::span<const TrianglePair>(state_->found);
}

}  // namespace plimsoll
