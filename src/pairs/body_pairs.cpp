// Boxes of bodies stand in a tree, which is as good as on the day it was built. Bodies that were
// changed since are loose: they are compared with the tree and with each other. Where more than an
// eighth of all are, the tree is built anew. With n bodies of which m change from answer to answer,
// an answer so costs O(m (log n + n / 8)) comparisons of boxes and, once in n / (8 m) answers,
// O(n log n); with all of them changing O(n log n) each time.
//
// Long bodies that lie askew have boxes of which nearly all meet. Where these are many for each
// body, hulls of the bodies and of the tree's nodes (body_hulls.h) are asked as well: O(n log n)
// and the pairs that hulls do not tell apart, in time and memory.
//
// Why no sweep along an axis, sorted as it was left: where bodies fill space and not a line, it
// looks at O(n^(5/3)) pairs of intervals. To build the tree and find the pairs took 2.7 ms for
// 10,000 boxes and 13 for 40,000, spread out or with a huge one among them, 3.7 and 19 in a heap;
// the sweep 4.2 and 43, 9.3 and 98.
#include <plimsoll/body_pairs.h>
#include <plimsoll/parallel.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/generation.h"
#include "core/parallel.h"
#include "pairs/body_hulls.h"
#include "pairs/pair_finder.h"
#include "tree/box_tree.h"

namespace plimsoll {
namespace {

/// A box around the posed tree, rounding of its vertices included. With u = 2^-53 and S a bound of
/// the absolute terms of a posed coordinate, posed() moves it by less than 4 u S, and center and
/// half size of the box are off by less than 12 u S together.
Box3 box_in_world(const PosedTree& posed) {
  if (posed.tree->triangles == 0) return {};
  const Box3& box = posed.tree->box;
  const Vec3 middle = box.min() / 2 + box.max() / 2, half = box.max() / 2 - box.min() / 2;
  const Vec3 center = posed.world_from_mesh * middle;
  const double room = 0x1p-48 * largest_coordinate(posed) + 0x1p-1060;
  const Vec3 reach = posed.world_from_mesh.linear().cwiseAbs() * half + Vec3::Constant(room);
  return {center - reach, center + reach};
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct Body {
  std::optional<MeshTree> tree;  ///< Nothing where the place is free.
  Similarity world_from_body = Similarity::Identity();
  Box3 box;
  std::uint32_t generation = 0;
  std::uint32_t group = 0;  ///< Two of one other than 0 are not asked about.
  std::vector<std::uint32_t>
      ignored;              ///< Places of those that it is not asked about with, ascending.
  bool is_changed = false;  ///< Since the last answer.
  bool is_loose = false;    ///< Since the tree was built.

  [[nodiscard]] PosedTree posed() const { return {&triangles_of(*tree), world_from_body}; }
};

/// Pairs of bodies that may touch, where work has a limit: they take up to two gigabytes.
constexpr std::size_t kMaxNear = std::size_t{1} << 25;

}  // namespace

struct BodyPairSearch::State {
  /// What one of several threads looks for, and what it finds.
  struct Share {
    std::span<const std::size_t> numbers;  // of `near`
    PairFinder finder;
    std::vector<TrianglePair> pairs, memory;
    std::vector<std::size_t> ends;  // in `pairs`, for each number
  };

  /// Two bodies whose boxes meet, a < b, and what is known of their triangles.
  struct Near {
    std::uint32_t a, b;
    enum class Known { kNothing, kWhether, kAll } known = Known::kNothing;
    std::size_t first = 0, count = 0;  ///< Among `pairs`.
  };

  std::vector<Body> bodies;
  std::vector<std::uint32_t> free, changed, loose;  // places among `bodies`
  std::size_t count = 0;
  bool is_unfinished = false;  ///< Memory or work ran out while `near` was brought up to date.
  BoxTree tree;
  BodyHulls hulls;                       // empty where boxes tell enough
  std::vector<std::uint32_t> item_body;  // of each item of the tree
  std::vector<Near> near;                // ascending
  std::size_t most_near = 0;
  std::vector<TrianglePair> pairs, memory;
  std::vector<Share> shares;
  std::vector<std::size_t> asked;  // of `near`
  std::vector<BodyPair> touching;
  std::vector<TouchingBodies> touching_with_pairs;

  [[nodiscard]] Result<Body*> find(BodyId id) {
    if (id.index < bodies.size() && bodies[id.index].tree &&
        bodies[id.index].generation == id.generation)
      return &bodies[id.index];
    return Error{ErrorCode::kInvalidArgument,
                 "found an id of no body, expected one that was added and not removed",
                 "id " + std::to_string(id.index)};
  }
  [[nodiscard]] BodyId id_of(std::uint32_t place) const {
    return {place, bodies[place].generation};
  }

  /// Room for one more body: nothing that adds, changes or removes one needs memory afterwards.
  void reserve_one() {
    if (bodies.size() == bodies.capacity()) bodies.reserve(2 * bodies.size() + 16);
    for (std::vector<std::uint32_t>* places : {&free, &changed, &loose})
      places->reserve(bodies.capacity());
  }

  void change(std::uint32_t place) {
    Body& body = bodies[place];
    body.box = body.tree ? box_in_world(body.posed()) : Box3();
    if (!body.is_changed) changed.push_back(place);
    body.is_changed = true;
    if (!body.is_loose) loose.push_back(place);
    body.is_loose = true;
  }

  void add_near(std::uint32_t a, std::uint32_t b) {
    near.push_back({std::min(a, b), std::max(a, b)});
  }

  /// Brings `near` up to date; of pairs that were not changed it keeps what is known. False where
  /// that takes more work [us], or more memory than kMaxNear pairs do: then it begins anew.
  bool update(double max_work) {
    if (is_unfinished) begin_anew();
    if (changed.empty()) return true;
    most_near = max_work < kNoLimit ? kMaxNear : near.max_size();
    is_unfinished = true;
    std::erase_if(near, [&](const Near& pair) {
      return bodies[pair.a].is_changed || bodies[pair.b].is_changed;
    });
    const std::size_t kept = near.size();
    if (8 * loose.size() > count) {
      rebuild();
      constexpr double kPatience = 32;    // pairs for each body; in a heap they have ten
      constexpr double kOfMeeting = 0.3;  // [us]
      if (!find_near(kPatience * (static_cast<double>(count) + kPatience))) {
        near.resize(kept);
        for (const std::uint32_t place : item_body) hulls.pose(place, bodies[place].posed());
        hulls.take(tree, item_body);
        if (!find_near(max_work / kOfMeeting)) return false;
      }
    } else {
      if (!hulls.empty())
        for (const std::uint32_t place : changed)
          if (!bodies[place].box.isEmpty()) hulls.pose(place, bodies[place].posed());
      for (const std::uint32_t place : changed) {
        add_near_of(place);
        if (near.size() > most_near) return false;
      }
    }
    const auto by_number = [](const Near& x, const Near& y) {
      return x.a != y.a ? x.a < y.a : x.b < y.b;
    };
    const auto middle = near.begin() + static_cast<std::ptrdiff_t>(kept);
    std::sort(middle, near.end(), by_number);
    std::inplace_merge(near.begin(), middle, near.end(), by_number);
    for (const std::uint32_t place : changed) bodies[place].is_changed = false;
    changed.clear();
    is_unfinished = false;
    return true;
  }
  /// Adds the pairs of bodies of the tree of which one was changed; those of which none was are
  /// among those kept. False if more than `most` boxes meet, of bodies, or of nodes that hulls are
  /// asked of, or more than `most_near` pairs are near.
  bool find_near(double most) {
    double met = 0;
    const auto is_over = [&] { return met > most || near.size() > most_near; };
    const auto skip = [&](std::size_t a, std::size_t b) {
      if (is_over()) return true;
      if (hulls.empty()) return false;
      ++met;
      return hulls.are_nodes_apart(a, b);
    };
    if (tree.size() > 1)
      visit_pairs_below(tree, {0, 0}, skip, [&](std::size_t i, std::size_t k) {
        const std::uint32_t a = item_body[tree.item(i)], b = item_body[tree.item(k)];
        ++met;
        if ((bodies[a].is_changed || bodies[b].is_changed) && !are_apart(a, b)) add_near(a, b);
      });
    return !is_over();
  }

  [[nodiscard]] bool are_apart(std::uint32_t a, std::uint32_t b) {
    return is_ignored(a, b) || (!hulls.empty() && hulls.are_apart(a, b));
  }

  [[nodiscard]] bool is_ignored(std::uint32_t a, std::uint32_t b) const {
    const Body &of_a = bodies[a], &of_b = bodies[b];
    if (of_a.group != 0 && of_a.group == of_b.group) return true;
    return std::binary_search(of_a.ignored.begin(), of_a.ignored.end(), b);
  }
  void set_ignored(std::uint32_t a, std::uint32_t b, bool is_ignored) {
    std::vector<std::uint32_t>& others = bodies[a].ignored;
    const auto place = std::lower_bound(others.begin(), others.end(), b);
    const bool is_in = place != others.end() && *place == b;
    if (is_ignored && !is_in) others.insert(place, b);
    if (!is_ignored && is_in) others.erase(place);
  }

  /// As if all bodies had just been added.
  void begin_anew() {
    near.clear();
    pairs.clear();
    changed.clear();
    loose.clear();
    for (Body& body : bodies) body.is_changed = body.is_loose = false;
    for (std::uint32_t place = 0; place < bodies.size(); ++place) change(place);
  }

  void rebuild() {
    std::vector<Box3> boxes;
    hulls.clear();
    item_body.clear();
    for (std::uint32_t place = 0; place < bodies.size(); ++place)
      if (!bodies[place].box.isEmpty()) {
        boxes.push_back(bodies[place].box);
        item_body.push_back(place);
      }
    tree = BoxTree(boxes);
    for (const std::uint32_t place : loose) bodies[place].is_loose = false;
    loose.clear();
  }

  /// Of two that were changed, the pair is found from the one of the larger number.
  void add_near_of(std::uint32_t place) {
    const Box3 box = bodies[place].box;
    if (box.isEmpty()) return;
    visit_items(
        tree, [&](const Box3& other) { return boxes_meet(box, other); },
        [&](std::uint32_t item) {
          const std::uint32_t other = item_body[item];
          if (!bodies[other].is_loose && !are_apart(place, other)) add_near(place, other);
        });
    for (const std::uint32_t other : loose)
      if ((other < place || !bodies[other].is_changed) && other != place &&
          boxes_meet(box, bodies[other].box) && !are_apart(place, other))
        add_near(place, other);
  }

  /// Asks about all pairs of which less is known than is wanted. Returns whether that took no more
  /// work [us]: else less is known of some.
  [[nodiscard]] bool ask(bool stops_at_first, double max_work) {
    if (!update(max_work)) return false;
    asked.clear();
    for (std::size_t i = 0; i < near.size(); ++i)
      if (near[i].known == Near::Known::kNothing ||
          (near[i].known == Near::Known::kWhether && !stops_at_first))
        asked.push_back(i);
    constexpr std::size_t kWorthOthers = 64;  // pairs of bodies
    const std::size_t sharers =
        asked.size() < kWorthOthers ? 1 : static_cast<std::size_t>(thread_limit());
    if (shares.size() < sharers) shares.resize(sharers);
    const std::size_t threads = sharers == 1 ? static_cast<std::size_t>(thread_limit()) : 1;
    for (std::size_t i = 0; i < sharers; ++i) {
      const std::size_t begin = asked.size() * i / sharers, end = asked.size() * (i + 1) / sharers;
      shares[i].numbers = std::span(asked).subspan(begin, end - begin);
    }
    const double max_work_each = max_work / static_cast<double>(sharers);
    parallel_for_each_index(sharers, [&](std::size_t i) {
      look_for(shares[i], stops_at_first, threads, max_work_each);
    });
    std::size_t size = pairs.size();
    for (const Share& share : std::span(shares).first(sharers)) size += share.pairs.size();
    if (size > pairs.capacity()) pairs.reserve(std::max(size, 2 * pairs.size()));
    // From here on nothing throws: what is known of a pair stands among `pairs`.
    for (const Share& share : std::span(shares).first(sharers)) {
      std::size_t begin = 0;
      for (std::size_t i = 0; i < share.ends.size(); ++i) {
        Near& pair = near[share.numbers[i]];
        pair.known = stops_at_first ? Near::Known::kWhether : Near::Known::kAll;
        pair.first = pairs.size() + begin;
        pair.count = share.ends[i] - begin;
        begin = share.ends[i];
      }
      pairs.insert(pairs.end(), share.pairs.begin(), share.pairs.end());
    }
    std::size_t wanted = 0;
    for (const Near& pair : near) wanted += pair.count;
    constexpr std::size_t kLittle = 4096;
    if (pairs.size() > 2 * wanted + kLittle) drop_unwanted(wanted);
    return std::all_of(
        shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(sharers),
        [](const Share& share) { return share.ends.size() == share.numbers.size(); });
  }
  [[nodiscard]] Error what_ended(double max_work) const {
    return near.size() > most_near ? too_many_near_bodies(kMaxNear) : too_much_pair_work(max_work);
  }
  /// The pairs of triangles of some pairs of bodies: of the first of them, where all would take
  /// more work. What is found is worth a microsecond each.
  void look_for(Share& share, bool stops_at_first, std::size_t threads, double max_work) const {
    share.pairs.clear();
    share.ends.clear();
    for (const std::size_t i : share.numbers) {
      const std::size_t first = share.pairs.size();
      const bool is_complete =
          share.finder.find(bodies[near[i].a].posed(), bodies[near[i].b].posed(), stops_at_first,
                            threads, max_work, share.pairs);
      max_work -= share.finder.counts().work();
      max_work += static_cast<double>(share.pairs.size() - first);
      if (!is_complete) return share.pairs.resize(first);
      sort_pairs(std::span(share.pairs).subspan(first), share.memory);
      share.ends.push_back(share.pairs.size());
      if (max_work < 0) return;
    }
  }

  /// Pairs of bodies that parted or were asked again stay among `pairs` until they are the most.
  void drop_unwanted(std::size_t wanted) {
    memory.clear();
    memory.reserve(wanted);
    for (Near& pair : near) {
      const auto begin = pairs.begin() + static_cast<std::ptrdiff_t>(pair.first);
      pair.first = memory.size();
      memory.insert(memory.end(), begin, begin + static_cast<std::ptrdiff_t>(pair.count));
    }
    pairs.swap(memory);
  }
};

BodyPairSearch::BodyPairSearch() : state_(std::make_unique<State>()) {}
BodyPairSearch::BodyPairSearch(BodyPairSearch&&) noexcept = default;
BodyPairSearch& BodyPairSearch::operator=(BodyPairSearch&&) noexcept = default;
BodyPairSearch::~BodyPairSearch() = default;

Result<BodyId> BodyPairSearch::add(const MeshTree& tree, const Similarity& world_from_body) {
  if (Result<void> usable = check_posed({&triangles_of(tree), world_from_body}, "world_from_body");
      !usable)
    return usable.error();
  State& state = *state_;
  state.reserve_one();
  std::uint32_t place = static_cast<std::uint32_t>(state.bodies.size());
  if (state.free.empty()) {
    state.bodies.emplace_back();
  } else {
    place = state.free.back();
    state.free.pop_back();
  }
  Body& body = state.bodies[place];
  body.tree = tree;
  state.hulls.forget(place);
  body.world_from_body = world_from_body;
  ++body.generation;
  ++state.count;
  state.change(place);
  return state.id_of(place);
}

Result<void> BodyPairSearch::move(BodyId id, const Similarity& world_from_body) {
  const Result<Body*> body = state_->find(id);
  if (!body) return body.error();
  const PosedTree posed{&triangles_of(*(*body)->tree), world_from_body};
  if (Result<void> usable = check_posed(posed, "world_from_body"); !usable) return usable;
  (*body)->world_from_body = world_from_body;
  state_->change(id.index);
  return {};
}

Result<void> BodyPairSearch::reshape(BodyId id, const MeshTree& tree) {
  const Result<Body*> body = state_->find(id);
  if (!body) return body.error();
  const PosedTree posed{&triangles_of(tree), (*body)->world_from_body};
  if (Result<void> usable = check_posed(posed, "tree"); !usable) return usable;
  (*body)->tree = tree;
  state_->hulls.forget(id.index);
  state_->change(id.index);
  return {};
}

Result<void> BodyPairSearch::remove(BodyId id) {
  const Result<Body*> body = state_->find(id);
  if (!body) return body.error();
  for (const std::uint32_t other : (*body)->ignored) state_->set_ignored(other, id.index, false);
  (*body)->ignored.clear();
  (*body)->group = 0;
  (*body)->tree.reset();
  --state_->count;
  state_->change(id.index);
  if (has_next_generation((*body)->generation)) state_->free.push_back(id.index);
  return {};
}

Result<void> BodyPairSearch::ignore(BodyId a, BodyId b, bool is_ignored) {
  for (const BodyId id : {a, b})
    if (const Result<Body*> body = state_->find(id); !body) return body.error();
  if (a == b)
    return Error{ErrorCode::kInvalidArgument, "found one body twice, expected two",
                 "id " + std::to_string(a.index)};
  // Room for both first: the pair is left out as a whole or not at all.
  for (const BodyId id : {a, b}) {
    std::vector<std::uint32_t>& others = state_->bodies[id.index].ignored;
    if (others.size() == others.capacity()) others.reserve(2 * others.size() + 4);
  }
  state_->set_ignored(a.index, b.index, is_ignored);
  state_->set_ignored(b.index, a.index, is_ignored);
  state_->change(a.index);
  return {};
}

Result<void> BodyPairSearch::set_group(BodyId id, std::uint32_t group) {
  const Result<Body*> body = state_->find(id);
  if (!body) return body.error();
  if ((*body)->group == group) return {};
  (*body)->group = group;
  state_->change(id.index);
  return {};
}

std::size_t BodyPairSearch::body_count() const { return state_->count; }

std::span<const BodyPair> BodyPairSearch::touching() { return *touching(kNoLimit); }
std::span<const TouchingBodies> BodyPairSearch::pairs() { return *pairs(kNoLimit); }

Result<std::span<const BodyPair>> BodyPairSearch::touching(double max_work) {
  if (Result<void> usable = check_max_work(max_work); !usable) return usable.error();
  State& state = *state_;
  if (!state.ask(true, max_work)) return state.what_ended(max_work);
  state.touching.clear();
  for (const State::Near& pair : state.near)
    if (pair.count > 0) state.touching.push_back({state.id_of(pair.a), state.id_of(pair.b)});
  return std::span<const BodyPair>(state.touching);
}

Result<std::span<const TouchingBodies>> BodyPairSearch::pairs(double max_work) {
  if (Result<void> usable = check_max_work(max_work); !usable) return usable.error();
  State& state = *state_;
  if (!state.ask(false, max_work)) return state.what_ended(max_work);
  state.touching_with_pairs.clear();
  for (const State::Near& pair : state.near)
    if (pair.count > 0)
      state.touching_with_pairs.push_back({state.id_of(pair.a), state.id_of(pair.b),
                                           std::span(state.pairs).subspan(pair.first, pair.count)});
  return std::span<const TouchingBodies>(state.touching_with_pairs);
}

}  // namespace plimsoll
