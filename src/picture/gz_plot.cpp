#include "picture/gz_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <vector>

#include "picture/plot.h"

namespace plimsoll::picture {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr int kPoints = 400;  // half a millimeter apart on a page

using Heels = std::pair<double, double>;

PlotPoint point(const HeeledState& state) { return {state.heel / kDegree, state.righting_arm}; }

bool is_within(double heel, const Heels& heels) {
  return heel >= heels.first && heel <= heels.second;
}

/// Evenly spread, and where the curve ends.
std::vector<double> fine_heels(const RightingArms& ends, const Heels& heels) {
  std::vector<double> fine;
  for (int i = 0; i <= kPoints; ++i)
    fine.push_back(heels.first + (heels.second - heels.first) * i / kPoints);
  constexpr double kBefore = 1e-9;
  if (ends.flooding_angle) fine.push_back(*ends.flooding_angle - kBefore);
  if (ends.negative_flooding_angle) fine.push_back(*ends.negative_flooding_angle + kBefore);
  std::erase_if(fine, [&](double heel) { return !is_within(heel, heels); });
  return fine;
}

/// One for each piece, up to the very heels where the trim jumps.
void add_curves(Plot& plot, const RightingArms& arms, const Heels& heels) {
  std::map<int, std::vector<PlotPoint>> pieces;
  const auto add = [&](const HeeledState& state) {
    if (is_within(state.heel, heels)) pieces[state.piece].push_back(point(state));
  };
  for (const auto& state : arms.states)
    if (state) add(*state);
  for (const TrimJump& jump : arms.jumps) {
    add(jump.before);
    add(jump.after);
  }
  for (auto& [piece, points] : pieces) {
    std::sort(points.begin(), points.end(),
              [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    plot.curves.push_back(std::move(points));
  }
}

void add_marks(Plot& plot, const RightingArms& arms, const Heels& heels,
               const std::string& opening) {
  const auto mark = [&](double heel, double arm, const std::string& text, bool is_ring = false) {
    if (is_within(heel, heels)) plot.marks.push_back({{heel / kDegree, arm}, text, is_ring});
  };
  if (arms.largest)
    mark(arms.largest->heel, arms.largest->righting_arm,
         fmt::format("largest {:#.3g} m at {:.1f}°", arms.largest->righting_arm,
                     arms.largest->heel / kDegree));
  if (arms.loll_angle)
    mark(*arms.loll_angle, 0, fmt::format("angle of loll {:.1f}°", *arms.loll_angle / kDegree));
  if (arms.list_angle)
    mark(*arms.list_angle, 0, fmt::format("list {:.1f}°", *arms.list_angle / kDegree));
  const bool is_at_jump =
      arms.vanishing_angle &&
      std::any_of(arms.jumps.begin(), arms.jumps.end(), [&](const TrimJump& jump) {
        return std::fabs(jump.after.heel - *arms.vanishing_angle) <= 1e-9;
      });
  for (const TrimJump& jump : arms.jumps) {
    const bool ends = is_at_jump && std::fabs(jump.after.heel - *arms.vanishing_angle) <= 1e-9;
    mark(jump.before.heel, jump.before.righting_arm,
         fmt::format("trim jumps at {:.1f}°{}", jump.after.heel / kDegree,
                     ends ? ": stability ends" : ""),
         true);
    mark(jump.after.heel, jump.after.righting_arm, "", true);
  }
  if (arms.vanishing_angle && !is_at_jump)
    mark(*arms.vanishing_angle, 0,
         fmt::format("vanishes at {:.1f}°", *arms.vanishing_angle / kDegree));
  for (const auto& flooding : {arms.negative_flooding_angle, arms.flooding_angle})
    if (flooding && is_within(*flooding, heels))
      plot.borders.push_back(
          {*flooding / kDegree, fmt::format("{} under at {:.1f}°", opening, *flooding / kDegree)});
}

/// The slope at 0: it rises by GM in a radian.
void add_slope(Plot& plot, const RightingArms& arms, const Heels& heels) {
  if (!arms.upright || !std::isfinite(arms.upright->slope) || arms.upright->slope == 0) return;
  if (!is_within(0, heels) || heels.second <= 0) return;
  const double gm = arms.upright->slope, arm = arms.upright->righting_arm;
  plot.lines.push_back({{0, arm}, {1 / kDegree, arm + gm}, fmt::format("GM {:#.3g} m", gm)});
}

}  // namespace

std::optional<std::string> gz_plot(const std::string& name, const FloatingBody& body,
                                   const Heeling& heeling, std::pair<double, double> heels,
                                   const std::string& opening) {
  const double ends[] = {heels.first, heels.second};
  const RightingArms arms =
      righting_arms(body, heeling, fine_heels(righting_arms(body, heeling, ends), heels));
  Plot plot;
  plot.title = fmt::format("Righting arms of {}", std::filesystem::path(name).filename().string());
  plot.x_label = heeling.free_trim ? "heel, the trim free" : "heel, the trim held";
  plot.y_label = "righting arm GZ [m]";
  plot.x_is_angle = true;
  add_curves(plot, arms, heels);
  if (plot.curves.empty()) return std::nullopt;
  add_marks(plot, arms, heels, opening);
  add_slope(plot, arms, heels);
  return svg_document(plot);
}

}  // namespace plimsoll::picture
