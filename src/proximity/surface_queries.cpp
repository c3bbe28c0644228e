// A point or a ray goes into the frame of the tree, where boxes along the axes tell what is too far
// away or beside it, with room for what posing and this rounds; of leaves that remain, triangles
// are measured or asked in the world.
#include <plimsoll/shape.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "core/no_index.h"
#include "core/parallel.h"
#include "core/power_of_two.h"
#include "pairs/pair_finder.h"
#include "proximity/closest.h"
#include "proximity/leaf_kernel.h"
#include "proximity/nearest_point.h"
#include "proximity/open_rim.h"
#include "proximity/posed_triangles.h"
#include "proximity/probe_walk.h"
#include "proximity/ray_triangle.h"
#include "proximity/search_start.h"
#include "proximity/winding_number.h"
#include "tree/crowded_cells.h"

namespace plimsoll {
namespace {

constexpr std::size_t kChildren = TriangleTree::kChildren, kLeaf = TriangleTree::kLeafTriangles;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kLargest = 1e300;

/// A child of a node, and what it is not nearer than [units of the frame].
struct PartAhead {
  std::uint32_t level, number;
  double least;
};

Result<void> check_point(const Vec3& point, const char* where) {
  if (point.cwiseAbs().maxCoeff() <= kLargest && point.allFinite()) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found coordinates that are no numbers or exceed 1e300, expected smaller ones",
               where};
}

/// A visitor that calls a function.
template <class Call>
class LeafCalls final : public LeafVisitor {
 public:
  explicit LeafCalls(Call call) : call_(std::move(call)) {}
  double visit(std::uint32_t leaf) override { return call_(leaf); }

 private:
  Call call_;
};

/// A ball in which there is nothing of the surface: it winds equally often around all its points.
struct FreeBall {
  Vec3 center = Vec3::Constant(kInfinite);  // far from all points, where none is known
  double radius = 0;                        // [m]
  int winding = 0;
};

}  // namespace

struct SurfaceProbe::State {
  std::shared_ptr<const TriangleTree> owner;
  PosedTree posed;
  PosedLeaves leaves;
  Mat3 into_frame;    // [units of the frame per meter]
  Vec3 center;        // of the frame, in the world [m]
  double unit;        // of the frame [m]
  double world_room;  // what posing rounds [m]
  Closest<TrianglePlace>::Memory kept;
  std::vector<PartAhead> waiting;
  std::optional<OpenRim> rim_found;  // when it is asked for first
  // Of the answers before, for questions about the same region.
  std::uint32_t nearest_leaf = kNoIndex, hit_leaf = kNoIndex;
  FreeBall free_ball;

  State(std::shared_ptr<const TriangleTree> tree, const Similarity& world_from_mesh)
      : owner(std::move(tree)), posed{owner.get(), world_from_mesh} {
    leaves.start(posed);
    const double scale = world_from_mesh.linear().cwiseAbs().maxCoeff();
    into_frame = Mat3(world_from_mesh.linear() / scale).inverse() / scale;
    center = posed_center(posed);
    unit = unit_of(posed);
    world_room = owner->triangles > 0 ? 0x1p-44 * largest_coordinate(posed) : 0;
  }

  const OpenRim& rim() {
    if (!rim_found) rim_found.emplace(posed);
    return *rim_found;
  }

  /// As winding_number.h tells, by a walk in floats where that can be.
  [[nodiscard]] int winding_number(const Vec3& point) {
    if (owner->triangles == 0) return 0;
    const Vec3 from = turned(point - center), up = turned(Vec3::UnitZ()).stableNormalized();
    const Vec3 near_by = from + way_to_body(from, up) * up;
    if (!fits_float_walk(*owner, near_by)) return plimsoll::winding_number(posed, point);
    const double large = std::max(point.cwiseAbs().maxCoeff(), largest_coordinate(posed));
    const RayPoints ray{point, point + std::ldexp(1.0, exponent_of(large) + 1) * Vec3::UnitZ()};
    int winding = 0;
    LeafCalls calls([&](std::uint32_t leaf) {
      const PosedLeaf& there = leaves.posed(leaf);
      const unsigned near = on_line(ray, there);
      for (std::size_t t = 0; t < owner->size_of(leaf); ++t)
        if ((near >> t) % 2 != 0) winding += times_passed(there.corners(t), point);
      return kInfinite;
    });
    walk_on_ray(*owner, near_by, up, room(point, from), kInfinite, calls);
    return winding;
  }

  /// The same, where nothing of the surface is within `radius`.
  [[nodiscard]] int winding_in_ball(const Vec3& point, double radius) {
    const double apart = (point - free_ball.center).stableNorm() * (1 + 0x1p-40);
    const bool is_known = apart < std::max(radius, free_ball.radius);
    free_ball = {point, radius, is_known ? free_ball.winding : winding_number(point)};
    return free_ball.winding;
  }

  /// How far along a ray the body is at least, so that floats tell boxes apart from there on.
  [[nodiscard]] double way_to_body(const Vec3& from, const Vec3& along) const {
    return std::max(0.0, -from.dot(along) - 2 * std::sqrt(3) * owner->frame.reach);
  }

  /// Into the frame, without its origin.
  [[nodiscard]] Vec3 turned(const Vec3& x) const {
    const Vec3 there = into_frame * x;
    return there.unaryExpr([&](double c) { return std::ldexp(c, -owner->frame.exponent); });
  }

  /// What a point in the frame may be off by, and boxes be too small by [units of the frame].
  [[nodiscard]] double room(const Vec3& in_world, const Vec3& in_frame) const {
    const double in_units =
        turned(Vec3::Constant(world_room + 0x1p-48 * in_world.cwiseAbs().maxCoeff())).norm();
    return 2 * in_units + 0x1p-44 * (in_frame.cwiseAbs().maxCoeff() + owner->frame.reach);
  }

  /// Goes through parts, those that wait last first, in doubles: for what floats do not tell apart.
  /// `least` tells from center and half sizes of a
  /// box what is not nearer, below 0 for boxes that are beside; `farthest` what does not matter any
  /// more; `visit` takes leaves.
  template <class Least, class Farthest, class Visit>
  void walk(const Least& least, const Farthest& farthest, const Visit& visit) {
    const TriangleTree& tree = *owner;
    if (tree.triangles == 0) return;
    waiting.assign(1, {0, 0, 0});
    while (!waiting.empty()) {
      const PartAhead part = waiting.back();
      waiting.pop_back();
      if (part.least > farthest()) continue;
      if (part.level == tree.levels()) {
        visit(part.number);
        continue;
      }
      const ChildBoxes& boxes = tree.boxes[tree.first[part.level] + part.number];
      const std::size_t begin = kChildren * part.number;
      const std::size_t count = std::min(kChildren, tree.width(part.level + 1) - begin);
      const std::size_t before = waiting.size();
      for (std::size_t k = 0; k < count; ++k) {
        const double distance =
            least(Vec3(boxes.center[0][k], boxes.center[1][k], boxes.center[2][k]),
                  Vec3(boxes.half[0][k], boxes.half[1][k], boxes.half[2][k]));
        if (distance >= 0 && distance <= farthest())
          waiting.push_back({part.level + 1, static_cast<std::uint32_t>(begin + k), distance});
      }
      std::sort(waiting.begin() + static_cast<std::ptrdiff_t>(before), waiting.end(),
                [](const PartAhead& x, const PartAhead& y) { return x.least > y.least; });
    }
  }
};

namespace {

/// Whether all of a triangle is farther along a ray than `along`. Told in doubles, but for
/// rounding: triangles in the ray's plane take whole numbers to be met.
class BehindOnRay {
 public:
  explicit BehindOnRay(const RayPoints& ray) : from_(ray.from) {
    const Vec3 to = ray.through - ray.from;
    const double large = to.cwiseAbs().maxCoeff();
    per_length_ = 1 / large;
    const Vec3 turn = to / large;
    share_ = turn / turn.squaredNorm();
  }

  [[nodiscard]] bool operator()(const std::array<Vec3, 3>& triangle, double along) const {
    double first = kInfinite, terms = 0;
    for (const Vec3& corner : triangle) {
      const Vec3 off = (corner - from_) * per_length_;
      first = std::min(first, off.dot(share_));
      terms = std::max(terms, off.cwiseAbs().dot(share_.cwiseAbs()));
    }
    return first - 0x1p-40 * terms > along;
  }

 private:
  Vec3 from_, share_;
  double per_length_;
};

/// Triangles of a posed body beside a point, in meters times a power of two, so that no square
/// over- or underflows.
class PointDistance {
  [[nodiscard]] auto measure_triangle() {
    return [this](const TrianglePlace& place) {
      const TripleCorners<double> there = triangle(place);
      return measured(point_, there, nearest_points(point_, there));
    };
  }

 public:
  PointDistance(const Vec3& point, PosedLeaves& leaves, int exponent,
                Closest<TrianglePlace>::Memory& memory)
      : leaves_(leaves), exponent_(exponent), closest_(memory) {
    Triple<double> p;
    for (int i = 0; i < 3; ++i) p[static_cast<std::size_t>(i)] = to_units(point[i]);
    point_ = {p, p, p};
  }

  [[nodiscard]] double to_units(double meters) const {
    return times_power_of_two(meters, -exponent_);
  }
  [[nodiscard]] Closest<TrianglePlace>& closest() { return closest_; }

  void measure(std::uint32_t number, std::size_t count) {
    PosedLeaf scaled;
    const PosedLeaf& leaf = in_units(leaves_, number, exponent_, scaled);
    double squared[kLeaf], rounding[kLeaf];
    squared_distances(point_[0], leaf, squared, rounding);
    for (std::uint32_t t = 0; t < count; ++t)
      closest_.offer({number, t}, squared[t], rounding[t], measure_triangle());
  }

  /// In units.
  [[nodiscard]] TripleCorners<double> triangle(const TrianglePlace& place) {
    PosedLeaf scaled;
    return corners_of(in_units(leaves_, place.leaf, exponent_, scaled), place.t);
  }

  void settle() { closest_.settle(measure_triangle()); }

 private:
  PosedLeaves& leaves_;
  int exponent_;
  Closest<TrianglePlace> closest_;
  TripleCorners<double> point_;
};

}  // namespace

SurfaceProbe::SurfaceProbe(std::unique_ptr<State> state) : state_(std::move(state)) {}
SurfaceProbe::SurfaceProbe(SurfaceProbe&&) noexcept = default;
SurfaceProbe& SurfaceProbe::operator=(SurfaceProbe&&) noexcept = default;
SurfaceProbe::~SurfaceProbe() = default;

Result<SurfaceProbe> SurfaceProbe::of(const MeshTree& triangles,
                                      const Similarity& world_from_mesh) {
  if (Result<void> usable =
          check_posed({triangles.tree_.get(), world_from_mesh}, "world_from_mesh");
      !usable)
    return usable.error();
  return SurfaceProbe(std::make_unique<State>(triangles.tree_, world_from_mesh));
}

Result<NearestOnSurface> SurfaceProbe::nearest(const Vec3& point, double farthest) {
  if (Result<void> usable = check_point(point, "point"); !usable) return usable.error();
  if (Result<void> usable = check_farthest(farthest); !usable) return usable.error();
  State& state = *state_;
  NearestOnSurface nearest;
  nearest.lower = farthest;
  if (state.owner->triangles == 0) return nearest;
  const Vec3 off = point - state.center;
  const int exponent =
      frame_exponent(std::max(off.cwiseAbs().maxCoeff(), state.unit * state.owner->frame.reach));
  PointDistance distance(point, state.leaves, exponent, state.kept);
  Closest<TrianglePlace>& closest = distance.closest();
  closest.limit(distance.to_units(farthest));

  const Vec3 there = state.turned(off);
  const double room = state.room(point, there);
  // Units of the frame are as long along each axis, to 1e-9, which posing allows for.
  const double units = distance.to_units(state.unit) * (1 - 0x1p-28);
  const auto measure = [&](std::uint32_t leaf) {
    distance.measure(leaf, state.owner->size_of(leaf));
  };
  // The leaf that was nearest to the point before is near this one too.
  const std::uint32_t first = state.nearest_leaf;
  if (first != kNoIndex) measure(first);
  const auto measure_other = [&](std::uint32_t leaf) {
    if (leaf != first) measure(leaf);
  };
  if (fits_float_walk(*state.owner, there)) {
    LeafCalls calls([&](std::uint32_t leaf) {
      measure_other(leaf);
      return closest.distance() / units;
    });
    walk_near(*state.owner, there, room, closest.distance() / units, calls);
  } else {
    state.walk(
        [&](const Vec3& center, const Vec3& half) {
          const Vec3 beyond = (center - there).cwiseAbs() - half - Vec3::Constant(room);
          const double least = beyond.cwiseMax(0).stableNorm() * units;
          // Where a point is so far away that it overflows in the frame, boxes tell nothing.
          return std::isfinite(least) ? least : 0.0;
        },
        [&] { return closest.distance(); }, measure_other);
  }

  distance.settle();
  const double limit = distance.to_units(farthest);
  if (!closest.found() || closest.found()->distance > limit) {
    nearest.lower = times_power_of_two(std::min(limit, closest.lower()), exponent);
    return nearest;
  }
  nearest.distance = times_power_of_two(closest.found()->distance, exponent);
  nearest.lower =
      times_power_of_two(std::min(closest.lower(), closest.found()->distance), exponent);
  nearest.upper = times_power_of_two(closest.found()->upper, exponent);
  const TrianglePlace place = closest.pair();
  nearest.at = nearest_point(distance.triangle(place), closest.found()->nearest.on_b);
  for (double& x : nearest.at->at) x = times_power_of_two(x, exponent);
  nearest.at->triangle = state.owner->numbers[kLeaf * place.leaf + place.t];
  nearest.at->leaf = place.leaf;
  state.nearest_leaf = place.leaf;
  return nearest;
}

Result<std::optional<RayHit>> SurfaceProbe::first_hit(const Ray& ray, double farthest) {
  if (Result<void> usable = check_point(ray.origin, "origin"); !usable) return usable.error();
  if (Result<void> usable = check_point(ray.direction, "direction"); !usable) return usable.error();
  if (Result<void> usable = check_farthest(farthest); !usable) return usable.error();
  const double length = ray.direction.cwiseAbs().maxCoeff();
  if (!(length > 0))
    return Error{ErrorCode::kInvalidArgument, "found a direction that is 0, expected another",
                 "direction"};
  State& state = *state_;
  std::optional<RayHit> hit;
  if (state.owner->triangles == 0) return hit;
  // A second point as far away as the coordinates are large: rounding turns the ray little.
  const double large =
      std::max({ray.origin.cwiseAbs().maxCoeff(), largest_coordinate(state.posed), 0x1p-1000});
  const int exponent = exponent_of(large) - exponent_of(length) + 1;
  RayPoints points{ray.origin, ray.origin};
  for (int i = 0; i < 3; ++i) points.through[i] += std::ldexp(ray.direction[i], exponent);

  const Vec3 from = state.turned(ray.origin - state.center);
  Vec3 along = state.turned(points.through - points.from);
  const double step = along.stableNorm();  // of the second point, in units of the frame
  along /= step;
  const double room = state.room(ray.origin, from);
  const Vec3 size = along.cwiseAbs();
  double last = std::ldexp(farthest, -exponent) * step;  // [units of the frame]
  const auto ahead = [&](const Vec3& center, const Vec3& half) {
    const Vec3 off = center - from, reach = half + Vec3::Constant(room);
    const Vec3 beside = along.cross(off).cwiseAbs();
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      if (beside[i] > reach[j] * size[k] + reach[k] * size[j]) return -1.0;
    }
    const double middle = along.dot(off), depth = size.dot(reach);
    return middle + depth < 0 ? -1.0 : std::max(0.0, middle - depth);
  };
  const BehindOnRay is_behind(points);
  RaySides sides(points);
  double first_along = kInfinite;  // of the hit, in lengths to the second point
  const auto meet = [&](std::uint32_t leaf) {
    const PosedLeaf& posed = state.leaves.posed(leaf);
    const unsigned near = on_line(points, posed);
    for (std::size_t t = 0; t < state.owner->size_of(leaf); ++t) {
      if ((near >> t) % 2 == 0) continue;
      const std::uint32_t triangle = state.owner->numbers[kLeaf * leaf + t];
      if (first_along == 0 && triangle > hit->triangle) continue;
      const std::array<Vec3, 3> corners = posed.corners(t);
      if (is_behind(corners, first_along)) continue;
      const std::optional<RayMeeting> meeting = first_meeting(sides, corners);
      if (!meeting) continue;
      const double x = std::ldexp(meeting->along, exponent);
      if (x > farthest || (hit && std::pair(x, triangle) >= std::pair(hit->along, hit->triangle)))
        continue;
      const Vec3 at = ray.origin + meeting->along * (points.through - points.from);
      hit = RayHit{x, at, triangle, meeting->is_from_behind};
      first_along = meeting->along;
      state.hit_leaf = leaf;
      last = std::min(last, meeting->along * step * (1 + 0x1p-40) + room);
    }
  };
  // What the ray before met may be what this one meets.
  const std::uint32_t first = state.hit_leaf;
  if (first != kNoIndex) meet(first);
  const auto meet_other = [&](std::uint32_t leaf) {
    if (leaf != first) meet(leaf);
  };
  const double before = state.way_to_body(from, along);
  const Vec3 near_by = from + before * along;
  if (fits_float_walk(*state.owner, near_by)) {
    LeafCalls calls([&](std::uint32_t leaf) {
      meet_other(leaf);
      return last - before;
    });
    if (last >= before) walk_on_ray(*state.owner, near_by, along, room, last - before, calls);
  } else {
    state.walk(ahead, [&] { return last; }, meet_other);
  }
  return hit;
}

namespace {

Error not_closed(const OpenRim& rim) {
  return {ErrorCode::kNotClosed,
          "found a surface of which " + std::to_string(rim.size()) +
              (rim.size() == 1 ? " edge has" : " edges have") +
              " no partner, expected a closed one: the distance from it has no sign. "
              "generalized_winding_number tells how far it winds around a point",
          "triangles"};
}

}  // namespace

Result<int> SurfaceProbe::winding_number(const Vec3& point) {
  if (!state_->rim().is_closed()) return not_closed(state_->rim());
  if (Result<void> usable = check_point(point, "point"); !usable) return usable.error();
  return state_->winding_number(point);
}

Result<double> SurfaceProbe::generalized_winding_number(const Vec3& point) {
  if (Result<void> usable = check_point(point, "point"); !usable) return usable.error();
  return state_->rim().winding_number(state_->posed, point);
}

Result<SignedDistance> SurfaceProbe::signed_distance(const Vec3& point) {
  if (!state_->rim().is_closed()) return not_closed(state_->rim());
  Result<NearestOnSurface> nearest = this->nearest(point);
  if (!nearest) return nearest.error();
  SignedDistance found{nearest->distance, *std::move(nearest)};
  // Of a point on the surface, whose distance rounding may have made another, no side is asked.
  if (!(found.nearest.lower > 0) && is_on_surface(state_->posed, point)) {
    found.distance = found.nearest.distance = 0;
    found.nearest.at->at = point;
    return found;
  }
  if (found.distance > 0 && state_->winding_in_ball(point, found.nearest.lower) != 0)
    found.distance = -found.distance;
  return found;
}

Result<bool> SurfaceProbe::contains(const Vec3& point) {
  if (!state_->rim().is_closed()) return not_closed(state_->rim());
  if (Result<void> usable = check_point(point, "point"); !usable) return usable.error();
  return is_on_surface(state_->posed, point) || state_->winding_number(point) != 0;
}

namespace {

const Vec3& place_of(const Vec3& point) { return point; }
const Vec3& place_of(const Ray& ray) { return ray.origin; }

/// The answer to each question, in blocks along a curve: what is near one question is near the
/// next. Each thread has its own probe.
template <class Answer, class Question, class Ask>
Result<std::vector<Answer>> ask_all(const MeshTree& triangles, const Similarity& world_from_mesh,
                                    std::span<const Question> questions, const char* name,
                                    const Ask& ask) {
  constexpr std::size_t kBlock = 256;
  if (const Result<SurfaceProbe> probe = SurfaceProbe::of(triangles, world_from_mesh); !probe)
    return probe.error();
  if (questions.size() >= kNoIndex)
    return Error{ErrorCode::kResourceLimit, "expected fewer than 2^32 - 1", name};
  std::vector<Answer> answers(questions.size());
  std::vector<std::uint32_t> order(questions.size());
  std::iota(order.begin(), order.end(), 0);
  if (questions.size() > 1)
    sort_along_curve(order, [&](std::uint32_t i) {
      Eigen::Array4f place = Eigen::Array4f::Zero();
      for (int k = 0; k < 3; ++k) {
        constexpr double kFar = 1e30;
        const double x = place_of(questions[i])[k];
        if (std::abs(x) < kFar) place[k] = static_cast<float>(x);  // else anywhere
      }
      return place;
    });
  struct Refused {
    std::uint32_t number = kNoIndex;
    Error error;
  };
  Refused first;  // of all that are refused
  std::mutex mutex;
  for_each_range((questions.size() + kBlock - 1) / kBlock, [&](std::size_t begin, std::size_t end) {
    SurfaceProbe probe = *SurfaceProbe::of(triangles, world_from_mesh);
    for (std::size_t k = kBlock * begin; k < std::min(questions.size(), kBlock * end); ++k) {
      const std::uint32_t i = order[k];
      auto answer = ask(probe, questions[i]);
      if (answer) {
        answers[i] = *std::move(answer);
        continue;
      }
      const std::lock_guard lock(mutex);
      if (i < first.number) first = {i, answer.error()};
    }
  });
  if (first.number == kNoIndex) return answers;
  if (first.error.where != "farthest" && first.error.where != "triangles")
    first.error.where =
        std::string(name) + "[" + std::to_string(first.number) + "]." + first.error.where;
  return first.error;
}

}  // namespace

Result<std::vector<NearestOnSurface>> nearest_on_surface(const MeshTree& triangles,
                                                         const Similarity& world_from_mesh,
                                                         std::span<const Vec3> points,
                                                         double farthest) {
  return ask_all<NearestOnSurface>(
      triangles, world_from_mesh, points, "points",
      [&](SurfaceProbe& probe, const Vec3& point) { return probe.nearest(point, farthest); });
}

Result<std::vector<std::optional<RayHit>>> first_hits(const MeshTree& triangles,
                                                      const Similarity& world_from_mesh,
                                                      std::span<const Ray> rays, double farthest) {
  return ask_all<std::optional<RayHit>>(
      triangles, world_from_mesh, rays, "rays",
      [&](SurfaceProbe& probe, const Ray& ray) { return probe.first_hit(ray, farthest); });
}

Result<std::vector<int>> winding_numbers(const MeshTree& triangles,
                                         const Similarity& world_from_mesh,
                                         std::span<const Vec3> points) {
  return ask_all<int>(
      triangles, world_from_mesh, points, "points",
      [](SurfaceProbe& probe, const Vec3& point) { return probe.winding_number(point); });
}

Result<std::vector<double>> generalized_winding_numbers(const MeshTree& triangles,
                                                        const Similarity& world_from_mesh,
                                                        std::span<const Vec3> points) {
  return ask_all<double>(triangles, world_from_mesh, points, "points",
                         [](SurfaceProbe& probe, const Vec3& point) {
                           return probe.generalized_winding_number(point);
                         });
}

Result<std::vector<SignedDistance>> signed_distance(const MeshTree& triangles,
                                                    const Similarity& world_from_mesh,
                                                    std::span<const Vec3> points) {
  return ask_all<SignedDistance>(
      triangles, world_from_mesh, points, "points",
      [](SurfaceProbe& probe, const Vec3& point) { return probe.signed_distance(point); });
}

Result<std::vector<char>> contains(const MeshTree& triangles, const Similarity& world_from_mesh,
                                   std::span<const Vec3> points) {
  return ask_all<char>(
      triangles, world_from_mesh, points, "points",
      [](SurfaceProbe& probe, const Vec3& point) { return probe.contains(point); });
}

}  // namespace plimsoll
