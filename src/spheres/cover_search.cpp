#include "spheres/cover_search.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "core/no_index.h"
#include "core/parallel.h"
#include "spheres/clearance.h"
#include "spheres/triangle_points.h"

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// How many samples of the surface are taken for some balls.
struct SampleCount {
  std::size_t for_ball, fewest, most;

  [[nodiscard]] std::size_t of(std::size_t balls) const {
    constexpr std::size_t kAtLeast = 40;  // for a ball, of however many
    return std::max(std::clamp(for_ball * balls, fewest, most), kAtLeast * balls);
  }
};
constexpr SampleCount kToSpread{40, 4'000, 32'000}, kToRelocate{160, 8'000, 32'000},
    kToRefine{640, 16'000, 64'000};
constexpr std::size_t kFewestCandidates = 500, kCandidatesForBall = 4;
constexpr std::size_t kMostStarts = 6;                  // of a search for few balls
constexpr int kFirstDoublings = 1, kLastDoublings = 6;  // q = 2 .. 64
constexpr int kSharpest = 8;                            // 256, to end with
constexpr int kSweeps = 20;
constexpr int kAims = 4;               // in so many sweeps
constexpr double kSpread = 0.6;        // of the time, to begin with
constexpr std::size_t kFailures = 20;  // in a row, before no ball is relocated any more
constexpr std::size_t kNeighbors = 24;
constexpr double kClear = 0.98;  // of the room that balls grow into
constexpr double kSlack = 1e-3;  // of the depths that the search knows

/// A point of a surface, and the normal of its triangle.
struct SpreadPoint {
  Vec3 at, normal;
};

/// Points spread over the surface, each for the same area of it, in the order of the tree.
std::vector<SpreadPoint> spread_points(const TriangleTree& tree, std::size_t count) {
  const auto visit_triangles = [&](const auto& visit) {
    for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
      for (std::size_t t = 0; t < tree.size_of(leaf); ++t) {
        const std::array<Vec3, 3> corner = tree.unit_corners(tree.leaves[leaf], t);
        visit(corner, (corner[1] - corner[0]).cross(corner[2] - corner[0]));
      }
  };
  double all = 0;
  visit_triangles([&](const auto&, const Vec3& across) { all += across.norm(); });
  std::vector<SpreadPoint> points;
  const double each = all / static_cast<double>(count);
  double passed = each / 2;
  if (!(each > 0)) return points;
  visit_triangles([&](const std::array<Vec3, 3>& corner, const Vec3& across) {
    passed += across.norm();
    for (int number = 0; passed >= each; ++number, passed -= each)
      points.push_back({point_of_triangle(corner, number), across.normalized()});
  });
  return points;
}

/// The numbers below `count`, so that the first of them, however many, are spread evenly: in the
/// order of their digits turned round [vanderCorput1935].
std::vector<std::size_t> spread_order(std::size_t count) {
  const int digits = static_cast<int>(std::bit_width(count));
  std::vector<std::size_t> order;
  order.reserve(count);
  for (std::size_t k = 0; k >> digits == 0; ++k) {
    std::size_t turned = 0;
    for (int digit = 0; digit < digits; ++digit) turned |= (k >> digit & 1) << (digits - 1 - digit);
    if (turned < count) order.push_back(turned);
  }
  return order;
}

/// Of a golden spiral on the sphere, over and over.
Vec3 direction(std::size_t number) {
  constexpr std::size_t kTurn = 64;
  const double height = (static_cast<double>(number % kTurn) + 0.5) / kTurn;  // one half will do
  const auto [sine, cosine] = elementary::sin_cos(2.399963229728653 * static_cast<double>(number));
  const double across = std::sqrt(1 - height * height);
  return {across * cosine, across * sine, height};
}

/// x^(2^doublings)
double power(double x, int doublings) {
  for (int k = 0; k < doublings; ++k) x *= x;
  return x;
}

}  // namespace

CoverSearch::CoverSearch(const UnitSolid& solid, std::size_t count,
                         const std::function<bool(double share)>& progress)
    : solid_(solid), progress_(progress) {
  take_samples(count);
}

void CoverSearch::take_samples(std::size_t count) {
  const std::vector<SpreadPoint> points = spread_points(solid_.tree, kToRefine.of(count));
  const std::size_t wanted = kFewestCandidates + kCandidatesForBall * count;
  const std::size_t stride = std::max<std::size_t>(1, points.size() / wanted);
  std::vector<std::optional<MedialBall>> below(points.size() / stride);
  parallel_for_each_index(below.size(), 16, [&](std::size_t k) {
    const SpreadPoint& point = points[k * stride];
    below[k] = medial_ball_below(solid_, point.at, point.normal);
  });
  for (const std::optional<MedialBall>& ball : below)
    if (ball) balls_below_.push_back(*ball);
  aim_ = solid_.tree.frame.reach / 2;
  make_candidates();
  // The middle of the solid is to be covered too, and so are corners.
  for (std::size_t k = 0; k < balls_below_.size(); ++k) {
    const MedialBall& ball = balls_below_[k];
    samples_.push_back(ball.center);
    const Vec3 off = 0.7 * ball.depth * direction(k);
    samples_.push_back(ball.center + off);
    samples_.push_back(ball.center - off);
  }
  if (solid_.tree.vertices.size() < points.size() / 8)
    for (const TriangleTree::Vertex& vertex : solid_.tree.vertices)
      samples_.emplace_back(vertex.x[0], vertex.x[1], vertex.x[2]);
  inner_samples_ = samples_.size();
  for (const std::size_t k : spread_order(points.size())) samples_.push_back(points[k].at);
}

void CoverSearch::use_samples(std::size_t on_surface) {
  in_use_ = std::min(samples_.size(), inner_samples_ + on_surface);
}

bool CoverSearch::goes_on(double share) {
  share_ = std::max(share_, share);
  if (progress_ && !is_interrupted_) is_interrupted_ = !progress_(share_);
  return !is_interrupted_;
}

CoverSearch::Mover CoverSearch::mover(const MedialBall& ball) const {
  const double room = solid_.kept_depth(ball.center);
  if (room < ball.depth + aim_ / kClear) return raised(ball);
  return {ball, ball.depth + kClear * (room - ball.depth), 0.1 * solid_.tree.frame.reach};
}

/// To where the ball just may grow as far as is aimed at, or as far as the solid reaches: each step
/// is shorter than the ball is deep, so that it ends in the solid.
CoverSearch::Mover CoverSearch::raised(const MedialBall& ball) const {
  constexpr int kMostSteps = 40, kHalvings = 12;
  const Vec3& up = solid_.kept->normal;
  const double wanted = aim_ / kClear, room = solid_.kept_depth(ball.center);
  struct Place {
    double height, depth;
  };
  const auto place_at = [&](double height) -> Place {
    const Vec3 center = ball.center + height * up;
    return {height, nearest_wall(solid_.tree, center, kInfinite, kSlack).distance};
  };
  // What a ball lacks becomes no more as it is raised, for depths change by no more than that.
  const auto lacks_room = [&](const Place& there) {
    return room + there.height < there.depth + wanted;
  };
  Place before{0, ball.depth}, place = before;
  const bool goes_up = lacks_room(place);
  for (int k = 0; k < kMostSteps && lacks_room(place) == goes_up && place.depth > 1e-3 * wanted;
       ++k) {
    before = place;
    place = place_at(place.height + (goes_up ? 0.9 : -0.9) * place.depth);
  }
  if (lacks_room(place) != goes_up)
    for (int k = 0; k < kHalvings; ++k) {
      const Place middle = place_at((before.height + place.height) / 2);
      (lacks_room(middle) == goes_up ? before : place) = middle;
    }
  const MedialBall found{ball.center + place.height * up, place.depth, up};
  const double clear = found.depth + kClear * (room + place.height - found.depth);
  return {found, clear, 0.1 * solid_.tree.frame.reach, true};
}

/// Aims at the excess that the balls have now, or nearer to it, and raises or lowers them.
void CoverSearch::aim(std::vector<Mover>& movers) {
  if (!solid_.kept) return;
  constexpr double kMost = 1.5;  // by which the aim changes
  const double largest = cells_of(movers, samples()).largest;
  aim_ = std::min(std::clamp(largest, aim_ / kMost, kMost * aim_), solid_.tree.frame.reach);
  parallel_for_each_index(movers.size(), [&](std::size_t i) {
    const double step = movers[i].step;
    movers[i] = movers[i].is_raised ? raised(movers[i].ball) : mover(movers[i].ball);
    movers[i].step = step;
  });
  make_candidates();
}

void CoverSearch::make_candidates() {
  candidates_.resize(balls_below_.size());
  parallel_for_each_index(balls_below_.size(), 16,
                          [&](std::size_t k) { candidates_[k] = mover(balls_below_[k]); });
}

/// At which the ball covers the sample. Where it would have to grow beyond its room the excess is
/// larger, and the larger the more it lacks.
double CoverSearch::excess_of(const Mover& mover, const Vec3& sample) const {
  const double radius = (sample - mover.ball.center).norm();
  return std::max(0.0, radius - mover.ball.depth) + steepness_ * std::max(0.0, radius - mover.room);
}

/// Which ball covers the sample first, but for one that is left out, and when; or the one of
/// `known`, if none covers it before.
CoverSearch::First CoverSearch::first_to_cover(std::span<const Mover> movers, const Vec3& sample,
                                               std::uint32_t except, First known) const {
  First first = known;
  for (std::uint32_t i = 0; i < movers.size() && first.excess > 0; ++i) {
    // Without a root, as most balls are out of the question.
    const double reach = first.excess + movers[i].ball.depth;
    if (!((sample - movers[i].ball.center).squaredNorm() < reach * reach) || i == except) continue;
    const double excess = excess_of(movers[i], sample);
    if (excess < first.excess) first = {i, excess};
  }
  return first;
}

/// Balls that were first of the samples before are looked at first.
void CoverSearch::find_cells(std::span<const Mover> movers, std::span<const Vec3> samples,
                             Cells& cells) const {
  const bool is_new = cells.first.empty();
  cells.first.resize(samples.size());
  parallel_for_each_index(samples.size(), 64, [&](std::size_t k) {
    First& first = cells.first[k];
    if (!is_new) first.excess = excess_of(movers[first.ball], samples[k]);
    first = first_to_cover(movers, samples[k], kNoIndex, first);
  });
  const auto worst =
      std::max_element(cells.first.begin(), cells.first.end(),
                       [](const First& a, const First& b) { return a.excess < b.excess; });
  cells.largest = worst->excess;
  cells.worst = static_cast<std::size_t>(worst - cells.first.begin());
}

CoverSearch::Cells CoverSearch::cells_of(std::span<const Mover> movers,
                                         std::span<const Vec3> samples) const {
  Cells cells;
  find_cells(movers, samples, cells);
  return cells;
}

/// About the deepest of the candidates that cover the sample at half of its excess; else the one
/// that covers it first.
CoverSearch::Mover CoverSearch::mover_for(const Vec3& sample, double excess) const {
  std::optional<Mover> deepest, first;
  double least = kInfinite;
  for (const Mover& candidate : candidates_) {
    const double there = excess_of(candidate, sample);
    if (there <= 0.5 * excess && (!deepest || candidate.ball.depth > deepest->ball.depth))
      deepest = candidate;
    if (there >= least) continue;
    least = there;
    first = candidate;
  }
  return deepest ? *deepest : *first;
}

/// Farthest samples first. The first ball of the first start is the deepest.
std::vector<CoverSearch::Mover> CoverSearch::spread(std::size_t count, std::size_t start) {
  const auto is_shallower = [](const Mover& a, const Mover& b) {
    return a.ball.depth < b.ball.depth;
  };
  std::vector<Mover> movers{
      start == 0 ? *std::max_element(candidates_.begin(), candidates_.end(), is_shallower)
                 : candidates_[candidates_.size() * start / kMostStarts]};
  std::vector<double> excess(in_use_, kInfinite);
  while (true) {
    parallel_for_each_index(in_use_, 4096, [&](std::size_t k) {
      excess[k] = std::min(excess[k], excess_of(movers.back(), samples_[k]));
    });
    const auto worst = std::max_element(excess.begin(), excess.end());
    if (movers.size() == count || !(*worst > 0) || !goes_on(share_)) return movers;
    movers.push_back(mover_for(samples_[static_cast<std::size_t>(worst - excess.begin())], *worst));
  }
}

/// Moves the ball against the gradient of sum (excess / scale)^q over its cell, and back on the
/// medial axis, where that makes the sum less.
void CoverSearch::move(Mover& mover, std::span<const Vec3> cell, double scale,
                       int doublings) const {
  const auto energy = [&](const Mover& there) {
    double sum = 0;
    for (const Vec3& x : cell) sum += power(excess_of(there, x) / scale, doublings);
    return sum;
  };
  double sum = 0;
  Vec3 gradient = Vec3::Zero();
  for (const Vec3& x : cell) {
    const double excess = excess_of(mover, x) / scale;
    if (excess <= 0) continue;
    const double part = power(excess, doublings);
    sum += part;
    gradient += part / excess * ((mover.ball.center - x).normalized() - mover.ball.slope);
  }
  const double length = gradient.norm();
  if (!(length > 1e-12 * sum)) return;
  constexpr int kTries = 3;
  for (int k = 0; k < kTries; ++k) {
    // No longer than the ball is large, so that the center stays on its side of the walls.
    const double step = std::min(mover.step, 0.9 * mover.ball.depth);
    for (Mover& next : moved(mover, mover.ball.center - step / length * gradient)) {
      if (!(energy(next) < sum * (1 - 1e-12))) continue;
      next.step = 1.6 * mover.step;
      mover = next;
      return;
    }
    mover.step /= 2;
  }
}

/// What may become of a ball whose center is moved: on the medial axis, or raised from there.
std::vector<CoverSearch::Mover> CoverSearch::moved(const Mover& mover, const Vec3& center) const {
  std::vector<Mover> choice;
  if (mover.is_raised) {
    const double depth = nearest_wall(solid_.tree, center, kInfinite, kSlack).distance;
    choice.push_back(raised({center, depth, solid_.kept->normal}));
  }
  if (const std::optional<MedialBall> ball = medial_ball(solid_, center, kSlack))
    choice.push_back(this->mover(*ball));
  return choice;
}

void CoverSearch::descend(std::vector<Mover>& movers, std::span<const Vec3> samples, int doublings,
                          int sweeps) {
  Cells cells;
  for (int sweep = 0; sweep < sweeps && goes_on(share_); ++sweep) {
    find_cells(movers, samples, cells);
    if (!(cells.largest > 0)) return;
    std::vector<std::vector<Vec3>> cell(movers.size());
    for (std::size_t k = 0; k < samples.size(); ++k)
      cell[cells.first[k].ball].push_back(samples[k]);
    parallel_for_each_index(movers.size(), [&](std::size_t i) {
      movers[i].step = std::max(movers[i].step, 1e-4 * cells.largest);
      move(movers[i], cell[i], cells.largest, doublings);
    });
  }
}

/// Puts balls that cover no sample first where samples are covered last.
void CoverSearch::reuse(std::vector<Mover>& movers) const {
  const Cells cells = cells_of(movers, samples());
  std::vector<bool> is_used(movers.size());
  std::vector<double> excess;
  for (const First& first : cells.first) {
    is_used[first.ball] = true;
    excess.push_back(first.excess);
  }
  for (std::size_t i = 0; i < movers.size(); ++i) {
    if (is_used[i]) continue;
    const auto worst = std::max_element(excess.begin(), excess.end());
    if (!(*worst > 0)) return;
    movers[i] = mover_for(samples_[static_cast<std::size_t>(worst - excess.begin())], *worst);
    parallel_for_each_index(in_use_, 4096, [&](std::size_t k) {
      excess[k] = std::min(excess[k], excess_of(movers[i], samples_[k]));
    });
  }
}

/// Puts the ball that the others can best do without where the excess is largest, while that helps.
void CoverSearch::relocate(std::vector<Mover>& movers) {
  const std::size_t count = movers.size();
  if (count < 2) return;
  constexpr std::size_t kMostWork = 20'000'000'000;  // pairs of balls and samples
  const std::size_t most = std::min(20 + count / 2, kMostWork / (count * in_use_));
  std::size_t failures = 0;
  const double before = share_;
  for (std::size_t turn = 0; turn < most && failures < std::min(kFailures, count); ++turn) {
    const double done = static_cast<double>(turn) / static_cast<double>(most);
    if (!goes_on(before + (1 - before) * done)) return;
    const Cells cells = cells_of(movers, samples());
    if (!(cells.largest > 0)) return;
    // What the excess of each cell would be without its ball.
    std::vector<double> second(in_use_), loss(count, 0);
    parallel_for_each_index(in_use_, 64, [&](std::size_t k) {
      second[k] = first_to_cover(movers, samples_[k], cells.first[k].ball, {}).excess;
    });
    for (std::size_t k = 0; k < in_use_; ++k)
      loss[cells.first[k].ball] = std::max(loss[cells.first[k].ball], second[k]);
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return loss[a] < loss[b]; });
    failures = relocate(movers, cells, order[failures]) ? 0 : failures + 1;
    if (failures == 0) aim(movers);
  }
}

/// Whether the excess is less then. Only balls about both places are moved, for the samples of
/// their cells: others are covered as before.
bool CoverSearch::relocate(std::vector<Mover>& movers, const Cells& cells, std::uint32_t number) {
  const Mover moved = mover_for(samples_[cells.worst], cells.largest);
  std::vector<bool> is_near(movers.size());
  for (const Mover* place : {std::as_const(movers).data() + number, &moved}) {
    std::vector<std::pair<double, std::uint32_t>> apart;
    for (std::uint32_t i = 0; i < movers.size(); ++i)
      apart.emplace_back((movers[i].ball.center - place->ball.center).norm() - movers[i].ball.depth,
                         i);
    const std::size_t some = std::min(kNeighbors, apart.size());
    std::nth_element(apart.begin(), apart.begin() + static_cast<std::ptrdiff_t>(some) - 1,
                     apart.end());
    for (std::size_t k = 0; k < some; ++k) is_near[apart[k].second] = true;
  }
  is_near[number] = true;
  is_near[cells.first[cells.worst].ball] = true;
  std::vector<std::uint32_t> numbers;
  std::vector<Mover> near;
  for (std::uint32_t i = 0; i < movers.size(); ++i) {
    if (!is_near[i]) continue;
    numbers.push_back(i);
    near.push_back(i == number ? moved : movers[i]);
    near.back().step = 0.05 * cells.largest;
  }
  std::vector<Vec3> samples;
  double others = 0;
  for (std::size_t k = 0; k < in_use_; ++k) {
    if (is_near[cells.first[k].ball])
      samples.push_back(samples_[k]);
    else
      others = std::max(others, cells.first[k].excess);
  }
  for (const int doublings : {3, 5, kLastDoublings}) descend(near, samples, doublings, 8);
  if (!(std::max(others, cells_of(near, samples).largest) < (1 - 1e-4) * cells.largest))
    return false;
  for (std::size_t k = 0; k < numbers.size(); ++k) movers[numbers[k]] = near[k];
  return true;
}

std::vector<GrowingBall> CoverSearch::best() {
  excess_ = cells_of(movers_, samples()).largest;
  std::vector<GrowingBall> balls;
  for (const Mover& mover : movers_)
    balls.push_back({mover.ball.center, mover.ball.depth, solid_.kept_depth(mover.ball.center)});
  return balls;
}

std::vector<GrowingBall> CoverSearch::find(std::size_t count) {
  if (candidates_.empty()) return {};
  const std::size_t starts = std::clamp<std::size_t>(128 / count, 1, kMostStarts);
  use_samples(kToSpread.of(count));
  double least = kInfinite;
  for (std::size_t start = 0; start < starts && !(is_interrupted_ && start > 0); ++start) {
    std::vector<Mover> movers = spread(count, start);
    for (int doublings = kFirstDoublings; doublings <= kLastDoublings; ++doublings) {
      const double done = static_cast<double>(doublings) / (kLastDoublings + 1);
      if (!goes_on(kSpread * (static_cast<double>(start) + done) / static_cast<double>(starts)))
        break;
      reuse(movers);
      const int sweeps = doublings == kFirstDoublings ? 2 * kSweeps : kSweeps;
      const int parts = solid_.kept ? kAims : 1;
      for (int part = 0; part < parts; ++part) {
        aim(movers);
        descend(movers, samples(), doublings, sweeps / parts);
      }
    }
    const double excess = cells_of(movers, samples()).largest;
    if (!(excess < least)) continue;
    least = excess;
    movers_ = std::move(movers);
  }
  use_samples(kToRelocate.of(count));
  aim(movers_);
  descend(movers_, samples(), kLastDoublings, kSweeps);
  relocate(movers_);
  use_samples(kToRefine.of(count));
  aim(movers_);
  descend(movers_, samples(), kLastDoublings, kSweeps);
  return best();
}

/// A part of the surface that no sample was of, however small, is as far away as it is: then
/// balls are put there.
std::vector<GrowingBall> CoverSearch::find_near(std::span<const Vec3> samples) {
  constexpr double kFar = 1.5;  // of the excess before
  const double before = excess_;
  samples_.insert(samples_.end(), samples.begin(), samples.end());
  in_use_ = samples_.size();
  if (solid_.kept) steepness_ *= 2;
  for (Mover& mover : movers_) mover.step = 0.02 * excess_;
  descend(movers_, this->samples(), kSharpest, kSweeps);
  std::vector<GrowingBall> balls = best();
  if (!(excess_ > kFar * before)) return balls;
  add_candidates(samples);
  relocate(movers_);
  return best();
}

void CoverSearch::add_candidates(std::span<const Vec3> samples) {
  std::vector<std::optional<MedialBall>> below(samples.size());
  parallel_for_each_index(samples.size(), 16, [&](std::size_t k) {
    const NearestWall wall = nearest_wall(solid_.tree, samples[k], kInfinite);
    const std::array<Vec3, 3> corner =
        solid_.tree.unit_corners(solid_.tree.leaves[wall.leaf], wall.triangle);
    const Vec3 across = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    if (!across.isZero(0)) below[k] = medial_ball_below(solid_, samples[k], across.normalized());
  });
  for (const std::optional<MedialBall>& ball : below)
    if (ball) balls_below_.push_back(*ball);
  make_candidates();
}

}  // namespace plimsoll
