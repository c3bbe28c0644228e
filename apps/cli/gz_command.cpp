#include <fmt/format.h>
#include <plimsoll/righting_arms.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "commands.h"
#include "file_writer.h"
#include "floating_input.h"
#include "json_writer.h"
#include "output.h"
#include "plot.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Measures the righting arm of a floating body as it is heeled: what brings it back upright, "
    "or\n"
    "over. SI units.";

constexpr const char* kNotes =
    R"(The body is turned about --axis by the right-hand rule from upright (--up), and rises or sinks to
its displacement. With --trim free it also finds its trim: the moment about the horizontal axis
across is zero. Positive arms turn it back. gm is the slope of the curve at heel 0, per radian; the
areas under the curve are energies over weight; vanishing_deg is where the arm, after it was
positive, is zero again.

Exit codes: 0 done; 2 usage; 3 input unreadable or refused, or not available in this version; 4
answered, but the mesh is not sound; 6 not enough memory; 1 internal error.

Examples:
  plimsoll gz hull.stl --mass 1200 --com 0,0,0.3 --plot gz.svg
  plimsoll gz hull.stl --density 400 --heel 0:90:5 --trim fixed --csv gz.csv)";

constexpr double kDegree = std::numbers::pi / 180;

struct GzArguments {
  FloatingArguments floating;
  std::optional<std::string> axis;
  std::string heel = "0:180:1";
  std::string trim = "free";
  std::optional<std::string> csv;
  std::optional<std::string> plot;
  bool json = false;
};

struct GzReport {
  FloatingInput input;
  Heeling heeling;
  std::vector<double> heels_deg;
  std::vector<std::optional<HeeledState>> states;
  std::optional<double> gm;
  double upright_arm = 0;                        // [m]
  std::optional<double> area_to_30, area_to_40;  // [m rad]
  std::optional<double> vanishing_deg;
};

std::vector<double> parse_heels(const std::string& text) {
  constexpr double kMost = 100'000;
  std::string commas = text;
  std::replace(commas.begin(), commas.end(), ':', ',');
  double range[3];
  if (std::count(text.begin(), text.end(), ':') != 2 || text.find(',') != std::string::npos)
    throw usage_failure(
        fmt::format("found \"{}\", expected FIRST:LAST:STEP in degrees", printable(text)),
        "--heel");
  parse_numbers(commas, "--heel", range);
  const auto [first, last, step] = range;
  if (!(step > 0) || !(last >= first) || std::fabs(first) > 360 || std::fabs(last) > 360)
    throw usage_failure(
        fmt::format("found \"{}\", expected angles from -360 to 360, LAST not below FIRST, and a "
                    "STEP above 0",
                    printable(text)),
        "--heel");
  const double count = std::floor((last - first) / step * (1 + 1e-12)) + 1;
  if (count > kMost)
    throw usage_failure(fmt::format("found {:.0f} angles, expected {:.0f} at most", count, kMost),
                        "--heel");
  std::vector<double> heels;
  for (int i = 0; i < static_cast<int>(count); ++i) heels.push_back(first + i * step);
  return heels;
}

GzReport solve(const GzArguments& arguments) {
  GzReport report;
  report.heels_deg = parse_heels(arguments.heel);
  if (arguments.trim != "free" && arguments.trim != "fixed")
    throw usage_failure(fmt::format("found \"{}\", expected free or fixed", arguments.trim),
                        "--trim");
  report.heeling.free_trim = arguments.trim == "free";
  if (arguments.axis) report.heeling.axis = parse_direction(*arguments.axis, "--axis");
  report.input = read_floating(arguments.floating, "gz", false);
  report.heeling.up = report.input.up;
  if (report.heeling.axis.cross(report.heeling.up).norm() < 1e-6)
    throw usage_failure(
        "found an axis along --up, expected one across: turning about the vertical "
        "is no heel",
        "--axis");
  if (!report.input.floats) return report;

  std::vector<double> heels;
  for (const double heel : report.heels_deg) heels.push_back(heel * kDegree);
  report.states = righting_arms(report.input.body, report.heeling, heels);
  const double standard[] = {0, 30 * kDegree, 40 * kDegree};
  const auto at = righting_arms(report.input.body, report.heeling, standard);
  if (at[0]) report.gm = at[0]->slope;
  if (at[0]) report.upright_arm = at[0]->righting_arm;
  if (at[0] && at[1]) report.area_to_30 = at[1]->state.energy - at[0]->state.energy;
  if (at[0] && at[2]) report.area_to_40 = at[2]->state.energy - at[0]->state.energy;
  const double end = *std::max_element(heels.begin(), heels.end());
  if (end > 0)
    if (const auto angle = vanishing_angle(report.input.body, report.heeling, end))
      report.vanishing_deg = *angle / kDegree;
  return report;
}

void write_optional(JsonWriter& out, const char* name, const std::optional<double>& value) {
  if (value)
    out.member(name, *value);
  else
    out.null_member(name);
}

std::optional<double> area_between(const GzReport& report) {
  if (!report.area_to_30 || !report.area_to_40) return std::nullopt;
  return *report.area_to_40 - *report.area_to_30;
}

std::string json_report(const GzReport& report) {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("status", to_string(report.input.status));
  out.member("floats", report.input.floats);
  out.key("heel_deg");
  out.begin_array();
  for (const double heel : report.heels_deg) out.value(heel);
  out.end_array();
  out.key("gz");
  out.begin_array();
  for (std::size_t i = 0; i < report.heels_deg.size(); ++i) {
    if (i < report.states.size() && report.states[i])
      out.value(report.states[i]->righting_arm);
    else
      out.null();
  }
  out.end_array();
  write_optional(out, "gm", report.gm);
  out.key("areas");
  out.begin_object();
  write_optional(out, "0-30", report.area_to_30);
  write_optional(out, "0-40", report.area_to_40);
  write_optional(out, "30-40", area_between(report));
  out.end_object();
  write_optional(out, "vanishing_deg", report.vanishing_deg);
  out.end_object();
  return out.text() + "\n";
}

std::string csv_report(const GzReport& report) {
  std::string text = "heel_deg,gz,trim_deg,plane_offset,energy\n";
  for (std::size_t i = 0; i < report.states.size(); ++i) {
    text += fmt::format("{}", report.heels_deg[i]);
    if (const auto& state = report.states[i])
      text += fmt::format(",{},{},{},{}\n", state->righting_arm, state->trim / kDegree,
                          state->state.level, state->state.energy);
    else
      text += ",,,,\n";
  }
  return text;
}

// The largest arm among the angles asked for.
const HeeledState* largest(const GzReport& report) {
  const HeeledState* best = nullptr;
  for (const auto& state : report.states)
    if (state && (best == nullptr || state->righting_arm > best->righting_arm)) best = &*state;
  return best;
}

std::string plot_of(const GzReport& report) {
  Plot plot;
  plot.title = fmt::format("Righting arm: {}", printable(report.input.name));
  plot.x_label = "heel [degrees]";
  plot.y_label = "GZ [m]";
  plot.curves.emplace_back();
  for (std::size_t i = 0; i < report.states.size(); ++i) {
    if (report.states[i])
      plot.curves.back().push_back({report.heels_deg[i], report.states[i]->righting_arm});
    else if (!plot.curves.back().empty())
      plot.curves.emplace_back();
  }
  std::erase_if(plot.curves, [](const auto& curve) { return curve.empty(); });
  const HeeledState* best = largest(report);
  if (best != nullptr)
    plot.marks.push_back(
        {{best->heel / kDegree, best->righting_arm},
         fmt::format("largest {:.4g} m at {:.4g}", best->righting_arm, best->heel / kDegree)});
  if (report.vanishing_deg)
    plot.marks.push_back(
        {{*report.vanishing_deg, 0}, fmt::format("vanishes at {:.4g}", *report.vanishing_deg)});
  // The slope at 0 rises by GM in a radian; drawn as far as the largest arm.
  const double rise = best != nullptr ? best->righting_arm - report.upright_arm : 0;
  if (report.gm && *report.gm > 0 && rise > 0) {
    const double radians = std::min(1.0, rise / *report.gm);
    plot.tangent = {{0, report.upright_arm},
                    {radians / kDegree, report.upright_arm + *report.gm * radians}};
  }
  return svg_document(plot);
}

std::string text_report(const GzReport& report) {
  const FloatingInput& input = report.input;
  std::string text = heading(input);
  if (!input.floats)
    return text + fmt::format("  too heavy: {:.9g} kg on a volume of {:.9g} m^3 sinks\n",
                              input.mass, input.body.volume);
  const auto row = [&](const char* label, const std::optional<double>& value, const char* unit) {
    text += fmt::format("  {:<24}{} {}\n", label, value ? fmt::format("{:.9g}", *value) : "none",
                        value ? unit : "");
  };
  row("GM, slope at heel 0", report.gm, "m");
  row("area from 0 to 30", report.area_to_30, "m rad");
  row("area from 0 to 40", report.area_to_40, "m rad");
  row("area from 30 to 40", area_between(report), "m rad");
  row("vanishing angle", report.vanishing_deg, "degrees");
  text += fmt::format("\n  {:>10}{:>14}{:>12}\n", "heel deg", "GZ m", "trim deg");
  for (std::size_t i = 0; i < report.states.size(); ++i) {
    if (const auto& state = report.states[i])
      text += fmt::format("  {:>10.6g}{:>14.6g}{:>12.5g}\n", report.heels_deg[i],
                          state->righting_arm, state->trim / kDegree);
    else
      text += fmt::format("  {:>10.6g}{:>14}\n", report.heels_deg[i], "no trim");
  }
  return text;
}

}  // namespace

ExitCode run_gz(const Arguments& arguments) {
  CommandLine line("plimsoll gz", kAbout, kNotes);
  GzArguments given;
  declare_floating(line, given.floating, false);
  line.option("--axis", "X,Y,Z", given.axis,
              "The body turns about it, in the file's frame (1,0,0)");
  line.option("--heel", "A:B:STEP", given.heel, "Angles in degrees (0:180:1)");
  line.option("--trim", "T", given.trim, "free fixed (free)");
  line.option("--csv", "OUT.csv", given.csv, "Also write heel, arm, trim, level and energy");
  line.option("--plot", "OUT.svg", given.plot, "Also draw the curve");
  line.flag("--json", given.json, "One JSON object on stdout");
  if (!line.parse(arguments)) return kDone;
  spare_inputs(given.csv, arguments);
  spare_inputs(given.plot, arguments);
  const GzReport report = solve(given);
  if (given.csv) write_file(csv_report(report), *given.csv);
  if (given.plot) {
    if (!report.input.floats)
      throw Failure{kUnsound, "sinks", "the body is too heavy to float: there is no curve to draw",
                    report.input.name};
    write_file(plot_of(report), *given.plot);
  }
  print_output(given.json ? json_report(report) : text_report(report));
  return is_sound(report.input.status) ? kDone : kUnsound;
}

}  // namespace plimsoll::cli
