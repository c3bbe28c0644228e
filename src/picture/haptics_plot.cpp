#include "picture/haptics_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

#include "picture/plot.h"

namespace plimsoll::picture {
namespace {

/// The curve of a value over time, with its largest marked. Very many ticks are drawn as the
/// largest of each of some thousand pieces.
template <class Value>
Plot over_time(std::span<const HapticTick> ticks, double period, const std::string& title,
               const std::string& label, const char* unit, const Value& value) {
  constexpr std::size_t kPieces = 2000;
  const std::size_t piece = (ticks.size() + kPieces - 1) / kPieces;
  Plot plot;
  plot.title = title;
  plot.x_label = "time [s]";
  plot.y_label = fmt::format("{} [{}]", label, unit);
  std::vector<PlotPoint> curve;
  PlotPoint highest{0, -1};
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const PlotPoint point{static_cast<double>(ticks[i].number) * period, value(ticks[i])};
    if (i % piece == 0)
      curve.push_back(point);
    else if (point.y > curve.back().y)
      curve.back() = point;
    if (point.y > highest.y) highest = point;
  }
  plot.curves.push_back(std::move(curve));
  if (highest.y > 0) plot.marks.push_back({highest, fmt::format("{:.4g} {}", highest.y, unit)});
  return plot;
}

/// How many ticks took how long, up to what 99.9 % did. Takes times in seconds.
Plot histogram(std::vector<double> times, const std::string& title) {
  for (double& time : times) time *= 1e6;
  std::sort(times.begin(), times.end());
  const auto percentile = [&](double share) {
    const auto rank = std::ceil(share * static_cast<double>(times.size()));
    return times[static_cast<std::size_t>(rank) - 1];
  };
  constexpr std::size_t kBins = 60;
  const double width = std::max(percentile(0.999), 1e-3) / kBins;
  std::array<double, kBins> counts{};
  for (const double time : times) {
    const auto bin = static_cast<std::size_t>(time / width);
    if (bin < kBins) ++counts[bin];
    if (bin == kBins && time <= width * kBins) ++counts[kBins - 1];
  }
  Plot plot;
  plot.title = title;
  plot.x_label = "[us]";
  plot.y_label = "ticks";
  std::vector<PlotPoint> steps{{0, 0}};
  for (std::size_t i = 0; i < kBins; ++i) {
    steps.push_back({static_cast<double>(i) * width, counts[i]});
    steps.push_back({static_cast<double>(i + 1) * width, counts[i]});
  }
  steps.push_back({kBins * width, 0});
  plot.curves.push_back(std::move(steps));
  plot.borders.push_back({percentile(0.5), fmt::format("half: {:.4g} us", percentile(0.5))});
  plot.borders.push_back({percentile(0.99), fmt::format("99 %: {:.4g} us", percentile(0.99))});
  return plot;
}

}  // namespace

std::string haptics_plot(const std::string& name, std::span<const HapticTick> ticks,
                         std::span<const double> latency, double period) {
  const std::string file = std::filesystem::path(name).filename().string();
  std::vector<double> queries;
  for (const HapticTick& tick : ticks) queries.push_back(tick.query_seconds);
  std::vector plots{
      over_time(ticks, period, file + ": force of contact on the tool", "force", "N",
                [](const HapticTick& tick) { return tick.contact.force.norm(); }),
      over_time(ticks, period, "Torque of contact about the tool's origin", "torque", "N m",
                [](const HapticTick& tick) { return tick.contact.torque.norm(); }),
      over_time(ticks, period, "Volume that the tool shares with other bodies", "volume", "m^3",
                [](const HapticTick& tick) { return tick.volume; }),
      histogram(std::move(queries), "Time of all queries of a tick")};
  if (!latency.empty())
    plots.push_back(histogram({latency.begin(), latency.end()},
                              "Latency: from when a tick was due to its force"));
  return svg_document(plots);
}

}  // namespace plimsoll::picture
