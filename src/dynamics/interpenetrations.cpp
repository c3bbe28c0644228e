// Points of one body inside of another. A body knows where columns along its own z enter and leave
// it; so a point is inside where its depth is within a span of its column, and a column of one body
// offers points of that body to try in the other.
#include <plimsoll/interpenetrations.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "columns/columns.h"
#include "core/parallel.h"
#include "tree/box_tree.h"

namespace plimsoll {
namespace {

constexpr int kProbes = 7;             // odd: one goes through the middle
constexpr double kTouch = 1e-9;        // of a body's size: nearer than this is touching
constexpr double kPatchDetail = 1e-4;  // of its size

struct Probed {
  std::shared_ptr<const Columns> columns;  // in the frame of the body
  double touch = 0;                        // [m]
};

/// What a thread needs to ask.
struct Scratch {
  Columns::Scratch columns;
  std::vector<Span> own, other;
};

/// Replaces `out` by the spans of a body along the column; none where its faces do not balance.
void spans(const Probed& body, double u, double v, Columns::Scratch& scratch,
           std::vector<Span>& out) {
  const std::int64_t before = scratch.unbalanced;
  body.columns->spans(u, v, scratch, out);
  if (scratch.unbalanced != before) out.clear();
}

bool contains(const Probed& body, const Vec3& p, Scratch& scratch) {
  if (!body.columns->bounds().contains(p)) return false;
  spans(body, p[0], p[1], scratch.columns, scratch.other);
  return std::any_of(scratch.other.begin(), scratch.other.end(), [&](const Span& span) {
    return p[2] > span.enter + body.touch && p[2] < span.leave - body.touch;
  });
}

Box3 moved(const Pose& pose, const Box3& box) {
  const Vec3 middle = pose * box.center();
  const Vec3 half = pose.linear().cwiseAbs() * (box.sizes() / 2);
  return {middle - half, middle + half};
}

/// A point of `own` in its frame that `other` contains too; `region` holds all that both share.
std::optional<Vec3> common_point(const Probed& own, const Probed& other, const Pose& other_from_own,
                                 const Box3& region, Scratch& scratch) {
  const Vec3 cell = region.sizes() / kProbes;
  for (int column = 0; column < kProbes * kProbes; ++column) {
    const double u = region.min()[0] + (column % kProbes + 0.5) * cell[0];
    const double v = region.min()[1] + (column / kProbes + 0.5) * cell[1];
    spans(own, u, v, scratch.columns, scratch.own);
    for (const Span& span : scratch.own) {
      const double low = std::max(span.enter + own.touch, region.min()[2]);
      const double high = std::min(span.leave - own.touch, region.max()[2]);
      for (int k = 0; k < kProbes && low < high; ++k) {
        Vec3 p(u, v, low + (k + 0.5) / kProbes * (high - low));
        if (contains(other, other_from_own * p, scratch)) return p;
      }
    }
  }
  return std::nullopt;
}

/// In the frame of the body whose box shares less space with the box of the other.
std::optional<Vec3> common_point(const Probed& a, const Pose& world_from_a, const Probed& b,
                                 const Pose& world_from_b) {
  const Pose a_from_b = world_from_a.inverse() * world_from_b, b_from_a = a_from_b.inverse();
  const Box3& box_a = a.columns->bounds();
  const Box3& box_b = b.columns->bounds();
  const Box3 in_a = box_a.intersection(moved(a_from_b, box_b));
  const Box3 in_b = box_b.intersection(moved(b_from_a, box_a));
  const double touch = std::max(a.touch, b.touch);
  for (const Box3& region : {in_a, in_b})
    if (region.isEmpty() || !(region.sizes().minCoeff() > touch)) return std::nullopt;
  Scratch scratch;
  const bool by_a = in_a.volume() <= in_b.volume();
  const std::optional<Vec3> p = by_a ? common_point(a, b, b_from_a, in_a, scratch)
                                     : common_point(b, a, a_from_b, in_b, scratch);
  if (!p) return std::nullopt;
  return (by_a ? world_from_a : world_from_b) * *p;
}

}  // namespace

namespace {

using IdPair = std::pair<BodyId, BodyId>;

constexpr std::size_t kMaxKnown = std::size_t{1} << 20;  // pairs of 16 bytes
constexpr std::size_t kMaxTried = std::size_t{1} << 22;  // pairs, in one call
constexpr std::size_t kBlock = std::size_t{1} << 16;     // pairs, tried at a time

}  // namespace

struct InterpenetrationSearch::State {
  std::map<BodyId, Probed> bodies;
  std::vector<IdPair> known;  // ascending

  /// Bodies of one mesh or one surface of patches in one pose share what is made of it.
  std::map<std::shared_ptr<const void>, std::vector<std::pair<Eigen::Matrix4d, Probed>>> shared;

  Result<Probed> probed(const Shape& shape) {
    std::shared_ptr<const void> surface;
    if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid)) surface = mesh->mesh;
    if (const auto* patches = std::get_if<PatchSolid>(&shape.solid)) surface = patches->surface;
    const Eigen::Matrix4d pose = shape.pose.matrix();
    if (surface != nullptr)
      for (const auto& [known_pose, made] : shared[surface])
        if (known_pose == pose) return made;
    const double size = bounding_box(shape).diagonal().norm();
    Result<Columns> columns = Columns::of(shape, 2, kPatchDetail * size);
    if (!columns) return columns.error();
    Probed made{std::make_shared<const Columns>(*std::move(columns)), kTouch * size};
    if (surface != nullptr) shared[surface].emplace_back(pose, made);
    return made;
  }

  /// Takes in bodies that have come, and lets those go that have gone.
  Result<void> update(const World& world) {
    const std::vector<BodyId> ids = world.ids();
    std::erase_if(bodies, [&](const auto& item) {
      return !std::binary_search(ids.begin(), ids.end(), item.first);
    });
    for (const BodyId id : ids) {
      if (bodies.contains(id)) continue;
      Result<Probed> made = probed(*world.shape(id));
      if (!made) return made.error();
      bodies.emplace(id, *std::move(made));
    }
    return {};
  }
};

namespace {

/// A body where it is.
struct Placed {
  BodyId id;
  const Probed* body;
  Pose pose;
  bool is_kinematic;
};

/// One call's search: pairs whose boxes meet are tried in blocks, so that no more of them are kept
/// than are looked at together.
class PairTrial {
 public:
  PairTrial(const std::vector<Placed>& bodies, const std::vector<IdPair>& known)
      : bodies_(bodies), known_(known) {}

  /// Tries each pair but for those known and those of two kinematic bodies.
  void try_all() {
    std::vector<Box3> boxes;
    for (const Placed& placed : bodies_)
      boxes.push_back(moved(placed.pose, placed.body->columns->bounds()));
    const BoxTree tree(boxes);
    const auto ends = [&](std::size_t, std::size_t) { return !found_.is_all; };
    visit_pairs_below(tree, {0, 0}, ends, [&](std::size_t i, std::size_t j) {
      const auto [a, b] = std::minmax({tree.item(i), tree.item(j)});
      offer(a, b);
    });
    try_block();
  }

  [[nodiscard]] const Interpenetrations& found() const { return found_; }
  /// All that were found, ascending.
  [[nodiscard]] std::vector<IdPair> pairs() {
    std::sort(pairs_.begin(), pairs_.end());
    return std::move(pairs_);
  }

 private:
  void offer(std::size_t a, std::size_t b) {
    if (!found_.is_all || (bodies_[a].is_kinematic && bodies_[b].is_kinematic)) return;
    if (std::binary_search(known_.begin(), known_.end(), IdPair(bodies_[a].id, bodies_[b].id)))
      return;
    if (tried_ == kMaxTried || known_.size() + found_.count + block_.size() >= kMaxKnown) {
      try_block();
      found_.is_all = tried_ < kMaxTried && known_.size() + found_.count < kMaxKnown;
      if (!found_.is_all) return;
    }
    ++tried_;
    block_.emplace_back(a, b);
    if (block_.size() == kBlock) try_block();
  }

  void try_block() {
    constexpr std::size_t kWorthwhile = 8;
    points_.assign(block_.size(), std::nullopt);
    parallel_for_each_index(block_.size(), kWorthwhile, [&](std::size_t k) {
      const Placed &a = bodies_[block_[k].first], &b = bodies_[block_[k].second];
      points_[k] = common_point(*a.body, a.pose, *b.body, b.pose);
    });
    for (std::size_t k = 0; k < block_.size(); ++k)
      if (points_[k]) add({bodies_[block_[k].first].id, bodies_[block_[k].second].id, *points_[k]});
    block_.clear();
  }

  void add(const Interpenetration& overlap) {
    ++found_.count;
    pairs_.emplace_back(overlap.a, overlap.b);
    const auto comes_before = [](const Interpenetration& x, const Interpenetration& y) {
      return IdPair(x.a, x.b) < IdPair(y.a, y.b);
    };
    std::vector<Interpenetration>& first = found_.first;
    if (first.size() == kMaxNamedPairs && !comes_before(overlap, first.back())) return;
    first.insert(std::upper_bound(first.begin(), first.end(), overlap, comes_before), overlap);
    if (first.size() > kMaxNamedPairs) first.pop_back();
  }

  const std::vector<Placed>& bodies_;  // in the order of their ids
  const std::vector<IdPair>& known_;
  Interpenetrations found_;
  std::vector<IdPair> pairs_;
  std::size_t tried_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> block_;  // of `bodies_`
  std::vector<std::optional<Vec3>> points_;                 // of the block
};

}  // namespace

Result<InterpenetrationSearch> InterpenetrationSearch::create(const World& world) {
  auto state = std::make_unique<State>();
  if (Result<void> updated = state->update(world); !updated) return updated.error();
  return InterpenetrationSearch(std::move(state));
}

void InterpenetrationSearch::ignore(BodyId a, BodyId b) {
  const IdPair pair = std::minmax(a, b);
  std::vector<IdPair>& known = state_->known;
  const auto place = std::lower_bound(known.begin(), known.end(), pair);
  if (place == known.end() || *place != pair) known.insert(place, pair);
}

Result<Interpenetrations> InterpenetrationSearch::find(const World& world) {
  if (Result<void> updated = state_->update(world); !updated) return updated.error();
  std::vector<Placed> bodies;
  for (const auto& [id, body] : state_->bodies)
    bodies.push_back({id, &body, world.body(id)->pose, world.is_kinematic(id)});
  if (bodies.size() < 2) return Interpenetrations();
  std::vector<IdPair>& known = state_->known;
  PairTrial trial(bodies, known);
  trial.try_all();
  const std::vector<IdPair> fresh = trial.pairs();
  const auto middle = static_cast<std::ptrdiff_t>(known.size());
  known.insert(known.end(), fresh.begin(), fresh.end());
  std::inplace_merge(known.begin(), known.begin() + middle, known.end());
  return trial.found();
}

InterpenetrationSearch::InterpenetrationSearch(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
InterpenetrationSearch::InterpenetrationSearch(InterpenetrationSearch&&) noexcept = default;
InterpenetrationSearch& InterpenetrationSearch::operator=(InterpenetrationSearch&&) noexcept =
    default;
InterpenetrationSearch::~InterpenetrationSearch() = default;

}  // namespace plimsoll
