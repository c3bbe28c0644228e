#include "haptics_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "diagnosis.h"
#include "json_writer.h"
#include "percentile.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

/// A name for the least time that at least that share of all do not exceed.
struct Percentile {
  const char* name;
  double share;
};
constexpr std::array<Percentile, 4> kPercentiles{
    {{"p50", 0.5}, {"p99", 0.99}, {"p999", 0.999}, {"max", 1}}};

std::vector<double> query_times(const std::vector<HapticTick>& ticks) {
  std::vector<double> seconds;
  for (const HapticTick& tick : ticks) seconds.push_back(tick.query_seconds);
  return ascending(std::move(seconds));
}

void write_percentiles(JsonWriter& out, const char* name, const std::vector<double>& seconds) {
  out.key(name);
  out.begin_object();
  for (const auto& [label, share] : kPercentiles)
    out.member(label, 1e6 * percentile(seconds, share));
  out.end_object();
}

std::string percentiles_in_words(const std::vector<double>& seconds) {
  return fmt::format("{:.4g} us of half the ticks, {:.4g} us of 99 %, {:.4g} us at most",
                     1e6 * percentile(seconds, 0.5), 1e6 * percentile(seconds, 0.99),
                     1e6 * percentile(seconds, 1));
}

}  // namespace

void HapticsReport::say(const std::string& code, const std::string& message) {
  notices.say(name, {code, message});
}

void write_members(JsonWriter& out, const HapticsReport& report) {
  out.member("status", to_string(report.status));
  report.notices.write(out);
  out.member("method", to_string(report.method));
  out.member("ticks", static_cast<std::uint64_t>(report.ticks.size()));
  if (report.times) {
    out.member("late_ticks", static_cast<std::uint64_t>(report.times->late));
    out.member("late_ticks_of_empty_loop",
               static_cast<std::uint64_t>(report.times->late_of_empty.value_or(0)));
    write_percentiles(out, "latency_us", ascending(report.times->latency));
  } else {
    for (const char* name : {"late_ticks", "late_ticks_of_empty_loop", "latency_us"})
      out.null_member(name);
  }
  write_percentiles(out, "query_us", query_times(report.ticks));
  out.member("least_energy", report.hand.least);
  out.member("largest_step_of_work", report.hand.largest_step);
}

std::string text_report(const HapticsReport& report) {
  std::string text = fmt::format("{}: {} - {}\n", printable(report.name), to_string(report.status),
                                 in_words(report.status));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<14}{}\n", label, content);
  };
  double force = 0, torque = 0, volume = 0;
  std::size_t touching = 0, limited = 0;
  for (const HapticTick& tick : report.ticks) {
    force = std::max(force, tick.contact.force.norm());
    torque = std::max(torque, tick.contact.torque.norm());
    volume = std::max(volume, tick.volume);
    touching += tick.contact.force.isZero(0) ? 0 : 1;
    limited += tick.is_limited ? 1 : 0;
  }
  row("tool", fmt::format("\"{}\", {}", printable(report.tool),
                          report.method == ContactMethod::kExact
                              ? "exact"
                              : fmt::format("by {}", to_string(report.method))));
  row("coupling",
      fmt::format("{:.6g} N/m, {:.6g} N s/m", report.coupling.stiffness, report.coupling.damping));
  row("ticks", fmt::format("{}, {} in contact", report.ticks.size(), touching));
  row("contact", fmt::format("{:.6g} N, {:.6g} N m, {:.6g} m^3 at most", force, torque, volume));
  row("queries", percentiles_in_words(query_times(report.ticks)));
  if (report.times) {
    row("latency", percentiles_in_words(ascending(report.times->latency)));
    row("late", fmt::format("{}; of a loop that does nothing {} were late",
                            counted(report.times->late, "tick", "ticks"),
                            report.times->late_of_empty.value_or(0)));
  }
  row("hand", fmt::format("put in {:.6g} J, never below {:.6g} J; a tick changed it by {:.6g} J at "
                          "most; {} limited",
                          report.hand.now, report.hand.least, report.hand.largest_step,
                          counted(limited, "tick was", "ticks were")));
  return text;
}

std::string trace_csv(const std::vector<HapticTick>& ticks, double frequency) {
  std::string text = "time,x,y,z,qw,qx,qy,qz,fx,fy,fz,tx,ty,tz,volume,query_us\n";
  Eigen::Quaterniond before = Eigen::Quaterniond::Identity();
  for (const HapticTick& tick : ticks) {
    Eigen::Quaterniond turn(tick.world_from_tool.linear());
    if (turn.dot(before) < 0) turn.coeffs() = -turn.coeffs();
    before = turn;
    const Vec3 x = tick.world_from_tool.translation();
    const Vec3 &f = tick.contact.force, &t = tick.contact.torque;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                   static_cast<double>(tick.number) / frequency, x[0], x[1], x[2], turn.w(),
                   turn.x(), turn.y(), turn.z(), f[0], f[1], f[2], t[0], t[1], t[2], tick.volume,
                   1e6 * tick.query_seconds);
  }
  return text;
}

}  // namespace plimsoll::cli
