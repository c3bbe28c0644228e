#include <plimsoll/shape.h>
#include <plimsoll/sphere_tree.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pairs/pair_finder.h"
#include "spheres/block_overlap.h"
#include "spheres/body_distance.h"
#include "spheres/check_inner_spheres.h"
#include "spheres/faded_overlap.h"
#include "spheres/sphere_distance.h"
#include "spheres/sphere_forces.h"
#include "spheres/sphere_overlap.h"
#include "spheres/sphere_shares.h"
#include "spheres/sphere_tree_state.h"

namespace plimsoll {
SphereTree::SphereTree(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<SphereTree> SphereTree::create(const ClosedMesh& solid,
                                      std::span<const PlacedSphere> spheres,
                                      const SphereTreeOptions& options) {
  if (const Result<void> usable = check_tree_of_spheres(solid, spheres, options); !usable)
    return usable.error();
  Result<SphereShares> shares =
      share_solid(solid, spheres, share_resolution(options, spheres.size()));
  if (!shares) return shares.error();
  if (const Result<void> usable = check_volumes(*shares); !usable) return usable.error();
  SphereHierarchy hierarchy =
      make_sphere_hierarchy(spheres, shares->shares, options.secondary, options.branching);
  return SphereTree(std::make_shared<const State>(
      solid, std::vector<PlacedSphere>(spheres.begin(), spheres.end()), std::move(*shares),
      options.secondary, std::move(hierarchy)));
}

std::span<const PlacedSphere> SphereTree::spheres() const { return state_->spheres; }
std::vector<TreeBall> SphereTree::level(std::size_t depth) const {
  const std::vector<SphereNode>& nodes = state_->hierarchy.nodes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> level{{0, 0}};  // nodes, branches
  for (std::size_t k = 0; k < depth; ++k) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> next;
    for (const auto& [number, branch] : level) {
      const SphereNode& node = nodes[number];
      if (is_leaf(node)) next.emplace_back(number, branch);
      for (std::uint32_t i = 0; i < node.children; ++i)
        next.emplace_back(node.first + i, k == 0 ? i : branch);
    }
    if (next == level) break;
    level = std::move(next);
  }
  std::vector<TreeBall> balls;
  for (const auto& [number, branch] : level)
    balls.push_back({{nodes[number].center, nodes[number].radius}, branch});
  return balls;
}

std::size_t SphereTree::depth() const {
  const std::vector<SphereNode>& nodes = state_->hierarchy.nodes;
  std::vector<std::uint8_t> depths(nodes.size());
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    deepest = std::max<std::size_t>(deepest, depths[i]);
    for (std::uint32_t k = 0; k < nodes[i].children; ++k)
      depths[nodes[i].first + k] = static_cast<std::uint8_t>(depths[i] + 1);
  }
  return deepest;
}

double SphereTree::solid_volume() const { return state_->solid_volume; }
double SphereTree::coverage() const { return state_->coverage; }
Vec3 SphereTree::center_of_mass() const { return state_->center_of_mass; }

std::size_t SphereTree::memory() const {
  const State& state = *state_;
  return state.spheres.size() * sizeof(PlacedSphere) +
         state.shares.shares.size() * (sizeof(SphereShare) + sizeof(std::size_t)) +
         state.shares.triangles.size() * sizeof(std::uint32_t) +
         state.hierarchy.nodes.size() * sizeof(SphereNode) + state.blocks.memory() +
         state.triangles.memory();
}

/// Blocks find volumes and forces, but for bodies so unlike in size that floats would not do. The
/// distance is the published walk's, since few pairs decide it.
struct SphereSearch::State {
  SphereWalk walk;
  BlockOverlapSearch block_overlap;
  BodyDistanceSearch distance;
  NearTriangleSearch triangles;
  OverlapBoundsSearch bounds;
  FadedOverlapSearch timed;
  TimedOverlapSearch timed_unlike;
  std::vector<SphereContact> contacts;  // of the last answer

  SphereOverlap overlap(const PosedHierarchies& bodies, const PosedBlocks& blocks) {
    return blocks.are_alike() ? block_overlap.find(blocks, NodeBall::kSecondary)
                              : sphere_overlap(bodies, walk, NodeBall::kSecondary);
  }
  TimedOverlap overlap_in_time(const PosedHierarchies& bodies, const PosedBlocks& blocks,
                               double max_time, ForceSum* forces) {
    const OverlapBudget budget{.max_time = max_time};
    return blocks.are_alike() ? timed.find(bodies, blocks, NodeBall::kSecondary, budget, forces)
                              : timed_unlike.find(bodies, NodeBall::kSecondary,
                                                  PairOrder::kUncertainty, budget, forces);
  }
  void add_forces(const PosedHierarchies& bodies, const PosedBlocks& blocks, ForceSum& forces) {
    const auto add = [&](SpherePair pair) {
      forces.add(bodies, pair, std::sqrt(bodies.squared_distance(pair)));
    };
    if (!blocks.are_alike())
      return visit_meeting_spheres(bodies, walk, [&](SpherePair pair, double) { add(pair); });
    block_overlap.visit_meeting(blocks, add);
  }
};

SphereSearch::SphereSearch() : state_(std::make_unique<State>()) {}
SphereSearch::SphereSearch(SphereSearch&&) noexcept = default;
SphereSearch& SphereSearch::operator=(SphereSearch&&) noexcept = default;
SphereSearch::~SphereSearch() = default;

namespace {

Error too_large(const char* what) {
  return {ErrorCode::kInvalidArgument,
          std::string("found poses by which ") + what +
              " is beyond the largest double, expected smaller scales",
          "world_from_a, world_from_b"};
}

Result<void> check_time(double max_time) {
  if (max_time >= 0) return {};
  return Error{ErrorCode::kInvalidArgument, "expected a time of 0 or more", "max_time"};
}

Result<void> check_poses(const Similarity& world_from_a, const Similarity& world_from_b) {
  if (Result<void> usable = check_both_poses(world_from_a, world_from_b); !usable)
    return usable.error();
  if (!RelativePose(world_from_a, world_from_b).a_from_b.affine().allFinite())
    return too_large("one body in the frame of the other");
  return {};
}

/// The poses of two bodies, from one to the other and to the world.
struct Frames {
  Similarity world_from_a;
  RelativePose pose;
  double scale;  // of the world, over the frame of `a`

  Frames(const Similarity& a, const Similarity& b)
      : world_from_a(a), pose(a, b), scale(scale_of(a.linear())) {}

  [[nodiscard]] Vec3 direction(const Vec3& x) const { return world_from_a.linear() * x / scale; }
};

}  // namespace

Result<bool> SphereSearch::spheres_meet(const SphereTree& a, const Similarity& world_from_a,
                                        const SphereTree& b, const Similarity& world_from_b) {
  if (const Result<void> usable = check_poses(world_from_a, world_from_b); !usable)
    return usable.error();
  const Frames frames(world_from_a, world_from_b);
  const PosedHierarchies bodies(a.state_->hierarchy, b.state_->hierarchy, frames.pose);
  return plimsoll::spheres_meet(bodies, state_->walk);
}

Result<std::span<const TrianglePair>> SphereSearch::touching_triangles(
    const SphereTree& a, const Similarity& world_from_a, const SphereTree& b,
    const Similarity& world_from_b, double max_work) {
  constexpr double kLargest = 1e300;  // for the predicates
  if (const Result<void> usable = check_max_work(max_work); !usable) return usable.error();
  if (const Result<void> usable = check_poses(world_from_a, world_from_b); !usable)
    return usable.error();
  for (const auto& [tree, pose, name] : {std::tuple(&a, &world_from_a, "world_from_a"),
                                         std::tuple(&b, &world_from_b, "world_from_b")}) {
    const SphereNode& root = tree->state_->hierarchy.nodes.front();
    const double scale = scale_of(pose->linear());
    if (!((*pose * root.center).cwiseAbs().maxCoeff() + scale * root.reach <= kLargest))
      return Error{ErrorCode::kInvalidArgument,
                   "found a pose that may take a vertex beyond 1e300, expected smaller coordinates",
                   name};
  }
  const std::optional<std::span<const TrianglePair>> found = state_->triangles.touching(
      a.state_->body(), world_from_a, b.state_->body(), world_from_b, max_work);
  if (!found) return too_much_pair_work(max_work);
  return *found;
}

Result<SphereTreeDistance> SphereSearch::distance(const SphereTree& a,
                                                  const Similarity& world_from_a,
                                                  const SphereTree& b,
                                                  const Similarity& world_from_b,
                                                  const SphereDistanceOptions& options) {
  if (const Result<void> usable = check_poses(world_from_a, world_from_b); !usable)
    return usable.error();
  if (const Result<void> usable = check_time(options.max_time); !usable) return usable.error();
  const Frames frames(world_from_a, world_from_b);
  const std::vector<SphereNode>&of_a = a.state_->hierarchy.nodes, &of_b = b.state_->hierarchy.nodes;
  std::optional<SpherePair> start;
  if (const auto& last = options.last; last && last->a < of_a.size() && last->b < of_b.size() &&
                                       is_leaf(of_a[last->a]) && is_leaf(of_b[last->b]))
    start = SpherePair{last->a, last->b};
  const BodyDistance found = state_->distance.find(
      a.state_->body(), b.state_->body(), frames.pose, start, {.max_time = options.max_time},
      options.with_triangles ? Refinement::kTriangles : Refinement::kNone);
  SphereTreeDistance answer;
  answer.last = {found.nearest.a, found.nearest.b};
  answer.spheres_meet = found.spheres_meet;
  answer.is_complete = found.is_complete;
  if (found.spheres_meet) return answer;
  answer.distance = frames.scale * found.distance;
  answer.lower = frames.scale * found.lower;
  answer.upper = frames.scale * found.upper;
  answer.surfaces_lower = frames.scale * found.surfaces_lower;
  if (found.point_a) {
    answer.point_a = world_from_a * *found.point_a;
    answer.point_b = world_from_a * *found.point_b;
  }
  const bool is_finite = std::isfinite(answer.upper) &&
                         (!answer.point_a || (*answer.point_a + *answer.point_b).allFinite());
  if (!is_finite) return too_large("a distance");
  return answer;
}

Result<SphereVolume> SphereSearch::volume(const SphereTree& a, const Similarity& world_from_a,
                                          const SphereTree& b, const Similarity& world_from_b,
                                          const SphereVolumeOptions& options) {
  if (const Result<void> usable = check_poses(world_from_a, world_from_b); !usable)
    return usable.error();
  if (const Result<void> usable = check_time(options.max_time); !usable) return usable.error();
  const Frames frames(world_from_a, world_from_b);
  const PosedHierarchies bodies(a.state_->hierarchy, b.state_->hierarchy, frames.pose);
  SphereVolume answer;
  const double b_volume = bodies.volume_scale() * b.state_->solid_volume;
  answer.upper = std::min(a.state_->solid_volume, b_volume);
  if (options.with_bounds) {
    const OverlapBounds bounds =
        state_->bounds.find(a.state_->hierarchy, b.state_->hierarchy, frames.pose);
    answer.lower = bounds.lower;
    answer.upper = std::max(answer.lower, std::min(answer.upper, bounds.upper));
  }
  const bool with_forces = options.with_forces || options.with_contacts;
  ContactList contacts(world_from_a, state_->contacts);
  ForceSum forces(options.direction,
                  {a.state_->center_of_mass, bodies.from_b(b.state_->center_of_mass)},
                  options.with_contacts ? &contacts : nullptr);
  const PosedBlocks blocks(a.state_->blocks, b.state_->blocks, frames.pose.a_from_b);
  if (std::isfinite(options.max_time)) {
    const TimedOverlap overlap =
        state_->overlap_in_time(bodies, blocks, options.max_time, with_forces ? &forces : nullptr);
    answer.volume = overlap.volume;
    answer.is_complete = overlap.is_complete;
    if (overlap.volume > 0) answer.center = overlap.moment / overlap.volume;
  } else {
    const SphereOverlap overlap = state_->overlap(bodies, blocks);
    answer.volume = overlap.volume;
    if (overlap.volume > 0) answer.center = overlap.center();
    if (with_forces) state_->add_forces(bodies, blocks, forces);
  }
  answer.volume = std::clamp(answer.volume, answer.lower, answer.upper);
  const double cube = frames.scale * frames.scale * frames.scale;
  for (double* volume : {&answer.volume, &answer.lower, &answer.upper}) *volume *= cube;
  if (answer.center) *answer.center = world_from_a * *answer.center;
  answer.contacts = state_->contacts;
  if (with_forces) {
    const SphereForces& sum = forces.sum();
    answer.force_a = cube * frames.direction(sum.force_on_a);
    answer.force_b = cube * frames.direction(sum.force_on_b);
    answer.torque_a = cube * frames.scale * frames.direction(sum.torque_on_a);
    answer.torque_b = cube * frames.scale * frames.direction(sum.torque_on_b);
  }
  const bool is_finite =
      std::isfinite(answer.upper) && (!answer.center || answer.center->allFinite()) &&
      (answer.force_a + answer.force_b + answer.torque_a + answer.torque_b).allFinite();
  if (!is_finite) return too_large("a volume, a force or a torque");
  return answer;
}

const SphereHierarchy& hierarchy_of(const SphereTree& tree) { return tree.state_->hierarchy; }

}  // namespace plimsoll
