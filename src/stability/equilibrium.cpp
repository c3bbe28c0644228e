// Equilibria at fixed displacement are the critical points of E(n) = n . (G - B) over the
// directions n. Moving n by a tangent vector t moves the center of buoyancy by -(M / V) t along the
// waterplane (M its second moments about its center) and nothing else to first order, so that
//
//   grad E = (1 - n n^T)(G - B),     Hessian = M / V - E 1   on the tangent plane,
//
// the metacentric formula GM = BM - BG in both directions at once.
//
// Starts are let go, and then the sphere of directions is covered by cells in which nothing is at
// rest (direction_cover.h); where a cell cannot be settled, a search begins. By Morse's theorem,
// with Bott's extension to circles of critical points, minima - saddles + maxima of isolated points
// is the Euler characteristic of the sphere, 2 [Milnor1963, sec. 5; Bott1954].
#include <plimsoll/equilibrium.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "completeness/direction_cover.h"
#include "core/parallel.h"
#include "hydro/heave.h"
#include "hydro/units.h"
#include "hydro/water_work.h"
#include "stability/equilibrium_list.h"
#include "stability/equilibrium_search.h"

namespace plimsoll {
namespace {

/// Below the least, rounding would decide; beyond the largest, a state is not at rest.
double usable_tolerance(double tolerance) {
  constexpr double kLeast = 1e-15;
  return tolerance >= kLeast ? std::min(tolerance, kLargestResidual) : kLeast;
}

constexpr std::size_t kAtATime = 64;  // searches; between them it is asked whether to go on

/// What was done of what may be.
class Budget {
 public:
  Budget(const WaterWork& asked, const EquilibriumList& list, double max_work)
      : asked_(asked), list_(list), max_work_(max_work) {}

  /// Cells are compared with the poses that are known to be alone.
  void add_comparisons(std::size_t count) { compared_ += count; }

  [[nodiscard]] double work() const {
    return asked_.microseconds() + list_.work() + 0.01 * static_cast<double>(compared_);
  }
  /// Whether so much more may be done; remembers where not.
  [[nodiscard]] bool allows(double more = 0) {
    const bool is_allowed = work() + more < max_work_;
    has_refused_ = has_refused_ || !is_allowed;
    return is_allowed;
  }
  [[nodiscard]] bool has_refused() const { return has_refused_; }

 private:
  const WaterWork& asked_;
  const EquilibriumList& list_;
  const double max_work_;
  std::size_t compared_ = 0;
  bool has_refused_ = false;
};

/// Where the starts come to rest, as far as the work allows; how many do not.
int let_go(const FloatingBody& body, const EquilibriumOptions& options, EquilibriumList& list,
           Budget& budget) {
  const auto count = static_cast<std::size_t>(options.starts);
  int lost = 0;
  for (std::size_t first = 0; first < count && budget.allows(); first += kAtATime) {
    std::vector<std::optional<FloatingState>> ends(std::min(kAtATime, count - first));
    parallel_for_each_index(ends.size(), [&](std::size_t k) {
      const Vec3 up = spread_direction(static_cast<int>(first + k), options.starts);
      ends[k] = search_rest(body, kDown, options.tolerance, up);
    });
    for (const auto& end : ends) {
      if (!end)
        ++lost;
      else if (list.size() == 0 || budget.allows())
        list.add(*end, 1);
    }
  }
  return lost;
}

class Completion {
 public:
  Completion(const FloatingBody& body, const EquilibriumOptions& options, EquilibriumList& list,
             Budget& budget)
      : body_(body), options_(options), list_(list), budget_(budget), cover_(body) {}

  /// Whether every direction is shown to hold nothing but what is listed.
  bool prove() {
    if (list_.has_all()) return true;
    for (int round = 0; round < kMaxRounds && budget_.allows(); ++round) {
      const double work = budget_.work();
      const std::size_t cells = cover_.open().size();
      const std::size_t states = cover_.states();
      const std::size_t poses = list_.size();
      const std::vector<IsolatedPose> isolated = list_.isolated();
      budget_.add_comparisons(cells * isolated.size());
      cover_.settle(isolated);
      search_open_cells();
      if (round >= kFirstLoops) {
        const std::vector<double> loops = list_.loops(kNarrowLoop);
        cover_.leave([&](const DirectionCover::Cell& cell) {
          return list_.loop_around(cell, loops).has_value();
        });
      }
      const std::size_t open = cover_.open().size();
      if (open == 0) break;
      const bool is_growing =
          round > kFirstLoops && list_.size() == poses && 10 * open > 17 * (cells / 4);
      growing_ = is_growing ? growing_ + 1 : 0;
      const bool is_hopeless =
          round >= kTelling && (10 * open > 9 * cells || growing_ >= kPatience);
      // As many for each cell as in this round.
      const std::size_t next = (cover_.states() - states) * 4 * open / cells;
      const double next_work =
          (budget_.work() - work) * 4 * static_cast<double>(open) / static_cast<double>(cells);
      if (is_hopeless || is_too_much() || cover_.states() + next > options_.max_states ||
          !budget_.allows(next_work))
        break;
      cover_.split();
    }
    std::vector<DirectionCover::Cell> cells = cover_.left();
    cells.insert(cells.end(), cover_.open().begin(), cover_.open().end());
    return list_.enclose(cells, kWidestLoop);
  }

 private:
  static constexpr int kMaxRounds = 21;        // cells of 7e-7 rad
  static constexpr int kFirstLoops = 6;        // cells of 0.01 rad
  static constexpr int kTelling = 5;           // cells of 0.02 rad tell of those within them
  static constexpr int kPatience = 4;          // rounds in which open cells grow by 1.7 and more
  static constexpr double kNarrowLoop = 0.01;  // [rad]
  static constexpr double kWidestLoop = 0.1;   // [rad]

  void search_open_cells() {
    std::vector<const DirectionCover::Cell*> cells;
    for (const DirectionCover::Cell& cell : cover_.open())
      if (cell.may_hold && !list_.knows(cell.target, cell.radius() / 4)) cells.push_back(&cell);
    const auto left = static_cast<std::size_t>(std::max(options_.max_searches - searches_, 0));
    if (cells.size() > left) cells.resize(left);
    searches_ += static_cast<int>(cells.size());
    for (std::size_t first = 0; first < cells.size() && !is_too_much(); first += kAtATime)
      search(std::span(cells).subspan(first, std::min(kAtATime, cells.size() - first)));
  }

  void search(std::span<const DirectionCover::Cell* const> cells) {
    std::vector<std::optional<FloatingState>> ends(cells.size());
    std::vector<std::size_t> costs(cells.size());
    parallel_for_each_index(cells.size(), [&](std::size_t i) {
      const DirectionCover::Cell& cell = *cells[i];
      ends[i] =
          search_rest(body_, cell.signs, options_.tolerance, cell.middle(), cell.level, &costs[i]);
    });
    search_cost_ = std::accumulate(costs.begin(), costs.end(), search_cost_);
    for (const auto& end : ends)
      if (end && budget_.allows()) list_.add(*end, 0);
  }

  /// Searches may cost as much as the proof.
  [[nodiscard]] bool is_too_much() {
    return search_cost_ > options_.max_states || !budget_.allows();
  }

  const FloatingBody& body_;
  const EquilibriumOptions& options_;
  EquilibriumList& list_;
  Budget& budget_;
  DirectionCover cover_;
  int searches_ = 0;
  std::size_t search_cost_ = 0;
  int growing_ = 0;  // rounds
};

}  // namespace

const char* to_string(EquilibriumKind kind) {
  switch (kind) {
    case EquilibriumKind::kMinimum:
      return "minimum";
    case EquilibriumKind::kSaddle:
      return "saddle";
    case EquilibriumKind::kMaximum:
      return "maximum";
  }
  return "";
}

const char* to_string(Completeness complete) {
  switch (complete) {
    case Completeness::kProven:
      return "proven";
    case Completeness::kConsistent:
      return "consistent";
    case Completeness::kIncomplete:
      return "incomplete";
  }
  return "";
}

std::optional<Equilibrium> come_to_rest(const FloatingBody& body, const Vec3& given,
                                        double tolerance) {
  const Vec3 up = with_unit_length(given);
  if (!floats(body) || !up.allFinite() || up.isZero(0)) return std::nullopt;
  if (const std::optional<BodyInUnits> own = in_own_units(body)) {
    std::optional<Equilibrium> found = come_to_rest(own->body, up, tolerance);
    if (found) found->state = in_meters(found->state, own->exponent);
    return found;
  }
  tolerance = usable_tolerance(tolerance);
  constexpr double kNear = 1e-3;  // a coarse body is off by more
  std::optional<FloatingState> near, at;
  if (body.coarse) near = search_rest(*body.coarse, kDown, kNear, up);
  if (near) at = search_rest(body, kDown, tolerance, near->up, near->level);
  if (!at) at = search_rest(body, kDown, tolerance, up);
  if (!at) return std::nullopt;
  return classified(body, *at);
}

Equilibria find_equilibria(const FloatingBody& body, const EquilibriumOptions& given) {
  Equilibria result;
  if (!floats(body)) {
    const bool is_body = body.solid != nullptr && body.center_of_mass.allFinite() &&
                         body.volume > 0 && std::isfinite(body.volume) && body.displacement >= 0 &&
                         std::isfinite(body.displacement);
    result.complete = is_body ? Completeness::kProven : Completeness::kIncomplete;
    return result;
  }
  if (const std::optional<BodyInUnits> own = in_own_units(body)) {
    result = find_equilibria(own->body, given);
    for (Equilibrium& found : result.found) found.state = in_meters(found.state, own->exponent);
    return result;
  }
  WaterWork asked;
  const FloatingBody counted_body = counted(body, asked);
  EquilibriumList list(counted_body);
  Budget budget(asked, list, given.max_work);
  EquilibriumOptions options = given;
  options.starts = std::max(given.starts, 0);
  options.tolerance = usable_tolerance(given.tolerance);
  result.lost_starts = let_go(counted_body, options, list, budget);
  // Where no start comes to rest, rounding leaves no pose to prove anything of.
  const bool all_are_lost = options.starts > 0 && result.lost_starts > 0 && list.size() == 0;
  const bool is_proven =
      options.all_kinds && !all_are_lost && Completion(counted_body, options, list, budget).prove();
  result.out_of_work = !is_proven && budget.has_refused();
  if (!is_proven) list.find_indices();
  result.minima_minus_saddles_plus_maxima = list.characteristic();
  result.complete = !list.is_consistent() ? Completeness::kIncomplete
                    : is_proven           ? Completeness::kProven
                                          : Completeness::kConsistent;
  result.found = list.sorted();
  return result;
}

}  // namespace plimsoll
