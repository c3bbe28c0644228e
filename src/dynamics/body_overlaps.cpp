// Points of one body inside of another. A body knows where columns along its own z enter and leave
// it; so a point is inside where its depth is within a span of its column, and a column of one body
// offers points of that body to try in the other.
#include <plimsoll/body_overlaps.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/parallel.h"
#include "shape/columns.h"
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
        const Vec3 p(u, v, low + (k + 0.5) / kProbes * (high - low));
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

struct OverlapSearch::State {
  std::vector<Probed> bodies;
  std::set<std::pair<std::size_t, std::size_t>> known;

  /// Bodies of one mesh or one surface of patches in one pose share what is made of it.
  std::map<const void*, std::vector<std::pair<Eigen::Matrix4d, Probed>>> shared;

  Result<void> add(const Shape& shape) {
    const void* surface = nullptr;
    if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid)) surface = mesh->mesh.get();
    if (const auto* patches = std::get_if<PatchSolid>(&shape.solid))
      surface = patches->surface.get();
    const Eigen::Matrix4d pose = shape.pose.matrix();
    if (surface != nullptr)
      for (const auto& [known_pose, probed] : shared[surface])
        if (known_pose == pose) return bodies.push_back(probed), Result<void>();
    const double size = bounding_box(shape).diagonal().norm();
    Result<Columns> columns = Columns::of(shape, 2, kPatchDetail * size);
    if (!columns) return columns.error();
    bodies.push_back({std::make_shared<const Columns>(*std::move(columns)), kTouch * size});
    if (surface != nullptr) shared[surface].emplace_back(pose, bodies.back());
    return {};
  }

  /// Pairs of bodies whose boxes meet, by index, but for those known and those of two fixed ones.
  std::vector<std::pair<std::size_t, std::size_t>> near_pairs(const World& world) const {
    std::vector<Box3> boxes;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      boxes.push_back(moved(world.body(i).pose, bodies[i].columns->bounds()));
    const BoxTree tree(boxes);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    const auto none = [](std::size_t, std::size_t) { return false; };
    visit_pairs_below(tree, {0, 0}, none, [&](std::size_t i, std::size_t j) {
      const std::size_t a = tree.item(i), b = tree.item(j);
      if (world.is_fixed(a) && world.is_fixed(b)) return;
      const auto pair = std::minmax(a, b);
      if (!known.contains(pair)) pairs.emplace_back(pair);
    });
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }
};

Result<OverlapSearch> OverlapSearch::create(const World& world) {
  auto state = std::make_unique<State>();
  for (std::size_t i = 0; i < world.body_count(); ++i)
    if (Result<void> added = state->add(world.shape(i)); !added) return added.error();
  return OverlapSearch(std::move(state));
}

std::vector<BodyOverlap> OverlapSearch::find(const World& world) {
  if (state_->bodies.size() < 2) return {};
  const auto pairs = state_->near_pairs(world);
  std::vector<std::optional<Vec3>> points(pairs.size());
  constexpr std::size_t kWorthwhile = 8;
  parallel_for_each_index(pairs.size(), kWorthwhile, [&](std::size_t k) {
    const auto [a, b] = pairs[k];
    points[k] =
        common_point(state_->bodies[a], world.body(a).pose, state_->bodies[b], world.body(b).pose);
  });
  std::vector<BodyOverlap> found;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (!points[k]) continue;
    found.push_back({pairs[k].first, pairs[k].second, *points[k]});
    state_->known.insert(pairs[k]);
  }
  return found;
}

OverlapSearch::OverlapSearch(std::unique_ptr<State> state) : state_(std::move(state)) {}
OverlapSearch::OverlapSearch(OverlapSearch&&) noexcept = default;
OverlapSearch& OverlapSearch::operator=(OverlapSearch&&) noexcept = default;
OverlapSearch::~OverlapSearch() = default;

}  // namespace plimsoll
