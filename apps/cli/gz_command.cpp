#include <fmt/format.h>
#include <plimsoll/righting_arms.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "answer.h"
#include "commands.h"
#include "file_writer.h"
#include "floating_input.h"
#include "picture/gz_plot.h"
#include "picture_file.h"
#include "text.h"
#include "work_option.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Measures the righting arm of a floating body as it is heeled: what brings it back upright, "
    "or\n"
    "over. SI units.";

constexpr const char* kNotes =
    R"(The body is turned about --axis by the right-hand rule from upright (--up), and rises or sinks to
its displacement. With --trim free it also finds its trim: the moment about the horizontal axis
across is zero, and the trim stable. Positive arms turn it back. gm is the slope of the curve at
heel 0, per radian; vanishing_deg is where the arm, after it was positive, is zero again. loll_deg
is the heel at which a body rests that is at rest upright, but would not stay there; list_deg is
that of a body that upright is not at rest, because its center of mass is to the side.

Where a stable trim ends the body snaps to another one: these heels are listed as "jumps", and the
curve is broken there. Areas are those under the pieces; the energy lost in a jump is no part of them.
A body whose trim of 0 is unstable falls to a stable one at heel 0, and it is said; where it falls on
until --axis is upright there is no curve, and that is said.

An open mesh, such as a hull without a deck, is right as long as its rim is dry: its curve ends
where the rim goes under (rim_immersion_deg). So does that of a mesh with faces that are turned
over, where their seam goes under. Of such a mesh --mass and --com have to be known.

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused, or not available
in this version; 4 answered, but the mesh is not sound; 6 not enough memory; 1 internal error.

Examples:
  plimsoll gz hull.stl --mass 1200 --com 0,0,0.3 --plot gz.svg
  plimsoll gz hull.stl --density 400 --heel 0:90:5 --trim fixed --csv gz.csv)";

constexpr double kDegree = std::numbers::pi / 180;

struct GzArguments {
  FloatingArguments floating;
  std::optional<std::string> axis;
  std::optional<std::string> heel;
  std::string trim = "free";
  std::optional<std::string> csv;
  std::optional<std::string> plot;
  bool json = false;
};

struct GzReport {
  FloatingInput input;
  Heeling heeling;
  std::vector<double> heels_deg;
  std::size_t step = 1;  // of the rows of the table: all that were asked for
  RightingArms arms;
  std::optional<double> gm;                      // [m]
  std::optional<double> area_to_30, area_to_40;  // [m rad]
};

std::vector<double> parse_heels(const std::string& text) {
  constexpr double kMaxAngles = 100'000;
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
  if (count > kMaxAngles)
    throw usage_failure(
        fmt::format("found {:.6g} angles, expected {:.0f} at most", count, kMaxAngles), "--heel");
  std::vector<double> heels;
  for (int i = 0; i < static_cast<int>(count); ++i) heels.push_back(first + i * step);
  return heels;
}

void measure(GzReport& report) {
  const FloatingBody& body = report.input.body;
  std::vector<double> heels;
  for (const double heel : report.heels_deg) heels.push_back(heel * kDegree);
  report.arms = righting_arms(body, report.heeling, heels);
  if (!report.arms.upright)
    report.input.notices->say(report.input.name,
                              {"no_curve", "upright no trim is stable: there is no curve of arms"});
  // Of these it does not matter which angles were asked for.
  const double standard[] = {30 * kDegree, 40 * kDegree};
  const RightingArms up_to_40 = righting_arms(body, report.heeling, standard);
  const auto area = [](const std::optional<HeeledState>& state) {
    return state ? std::optional(state->area) : std::nullopt;
  };
  report.area_to_30 = area(up_to_40.states[0]);
  report.area_to_40 = area(up_to_40.states[1]);
  const bool is_dry = up_to_40.flooding_angle != 0.0;
  if (report.arms.upright && is_dry && std::isfinite(report.arms.upright->slope))
    report.gm = report.arms.upright->slope;
  FloatingInput& input = report.input;
  if (is_dry) input.set_dry();
  if (!report.arms.upright) input.judge_state(float_upright(body, report.heeling.up));
}

GzReport solve(const GzArguments& arguments) {
  GzReport report;
  report.heels_deg = parse_heels(arguments.heel.value_or("0:180:1"));
  if (!arguments.heel) report.step = 10;
  report.heeling.free_trim = parse_choice(arguments.trim, {"free", "fixed"}, "--trim") == 0;
  if (arguments.axis) report.heeling.axis = parse_direction(*arguments.axis, "--axis");
  report.input = read_floating(arguments.floating, "gz", false);
  report.heeling.up = report.input.up;
  report.heeling.openings = report.input.rim;
  if (report.heeling.axis.cross(report.heeling.up).norm() < 1e-6)
    throw usage_failure(
        "found an axis along --up, expected one across: turning about the vertical "
        "is no heel",
        "--axis");
  if (!report.input.floats) return report;
  measure(report);
  return report;
}

std::optional<double> area_between(const GzReport& report) {
  if (!report.area_to_30 || !report.area_to_40) return std::nullopt;
  return *report.area_to_40 - *report.area_to_30;
}

// The degrees that were asked for, where the angle is one of theirs.
double in_degrees(const GzReport& report, double angle) {
  const std::vector<double>& heels = report.heels_deg;
  const double degrees = angle / kDegree;
  const auto near = std::lower_bound(heels.begin(), heels.end(), degrees - 1e-9);
  return near != heels.end() && *near * kDegree == angle ? *near : degrees;
}

std::optional<double> in_degrees(const GzReport& report, const std::optional<double>& angle) {
  return angle ? std::optional(in_degrees(report, *angle)) : std::nullopt;
}

// Where the rim goes under, ascending [degrees].
std::vector<double> rim_immersions(const GzReport& report) {
  std::vector<double> heels;
  const RightingArms& arms = report.arms;
  if (arms.negative_flooding_angle && *arms.negative_flooding_angle < 0)
    heels.push_back(*arms.negative_flooding_angle / kDegree);
  if (arms.flooding_angle) heels.push_back(*arms.flooding_angle / kDegree);
  return heels;
}

template <class Value>
void write_states(JsonWriter& out, const char* name, const GzReport& report, const Value& value) {
  out.key(name);
  out.begin_array();
  for (std::size_t i = 0; i < report.heels_deg.size(); ++i) {
    if (i < report.arms.states.size() && report.arms.states[i])
      out.value(value(*report.arms.states[i]));
    else
      out.null();
  }
  out.end_array();
}

void write_curve(JsonWriter& out, const GzReport& report) {
  out.array_member("heel_deg", report.heels_deg);
  write_states(out, "gz", report, [](const HeeledState& s) { return s.righting_arm; });
  write_states(out, "trim_deg", report, [](const HeeledState& s) { return s.trim / kDegree; });
  write_states(out, "plane_offset", report, [](const HeeledState& s) { return s.state.level; });
  write_states(out, "energy", report, [](const HeeledState& s) { return s.state.energy; });
}

void write_members(JsonWriter& out, const GzReport& report) {
  const RightingArms& arms = report.arms;
  out.member("status", to_string(report.input.status));
  report.input.notices->write(out);
  out.member("floats", report.input.floats);
  write_curve(out, report);
  out.member("gm", report.gm);
  out.key("areas");
  out.begin_object();
  out.member("0-30", report.area_to_30);
  out.member("0-40", report.area_to_40);
  out.member("30-40", area_between(report));
  out.end_object();
  out.member("vanishing_deg", in_degrees(report, arms.vanishing_angle));
  out.member("loll_deg", in_degrees(report, arms.loll_angle));
  out.member("list_deg", in_degrees(report, arms.list_angle));
  if (arms.largest) {
    out.key("largest");
    out.begin_object();
    out.member("heel_deg", in_degrees(report, arms.largest->heel));
    out.member("gz", arms.largest->righting_arm);
    out.end_object();
  } else {
    out.null_member("largest");
  }
  std::vector<double> jumps;
  for (const TrimJump& jump : arms.jumps) jumps.push_back(jump.after.heel / kDegree);
  out.array_member("jumps", jumps);
  out.array_member("rim_immersion_deg", rim_immersions(report));
  out.member("upright_trim_is_unstable", arms.upright_trim_is_unstable);
}

std::string csv_report(const GzReport& report) {
  std::string text =
      "heel_deg,gz_m,trim_deg,plane_offset_m,energy_m,area_m_rad,piece,rim_height_m\n";
  for (std::size_t i = 0; i < report.heels_deg.size(); ++i) {
    text += fmt::format("{}", report.heels_deg[i]);
    if (i >= report.arms.states.size() || !report.arms.states[i]) {
      text += ",,,,,,,\n";
      continue;
    }
    const HeeledState& state = *report.arms.states[i];
    text += fmt::format(",{},{},{},{},{},{},", state.righting_arm, state.trim / kDegree,
                        state.state.level, state.state.energy, state.area, state.piece);
    const std::optional<double> rim = report.input.rim_lowest(state.state);
    text += rim ? fmt::format("{}\n", *rim) : "\n";
  }
  return text;
}

std::string remarks(const GzReport& report) {
  const RightingArms& arms = report.arms;
  std::string text;
  if (!arms.upright)
    text += "  upright no trim is stable: there is no curve\n";
  else if (arms.upright_trim_is_unstable)
    text += fmt::format(
        "  upright a trim of 0 is unstable: the curve begins at {:.5g} degrees, where it falls "
        "to\n",
        arms.upright->trim / kDegree);
  for (const TrimJump& jump : arms.jumps)
    text += fmt::format(
        "  at {:.6g} degrees the trim jumps from {:.5g} to {:.5g}, the arm from {:.5g} to {:.5g} "
        "m\n",
        jump.after.heel / kDegree, jump.before.trim / kDegree, jump.after.trim / kDegree,
        jump.before.righting_arm, jump.after.righting_arm);
  for (const double heel : rim_immersions(report))
    text += fmt::format("  at {:.6g} degrees the {} goes under: beyond it there are no arms\n",
                        heel, report.input.verdict.rim_name());
  return text;
}

// Why there is no arm at that heel.
std::string lack(const GzReport& report, double heel_deg) {
  const RightingArms& arms = report.arms;
  const auto& flooding = heel_deg < 0 ? arms.negative_flooding_angle : arms.flooding_angle;
  if (!flooding) return "no trim";
  return report.input.verdict.surface()->findings.open ? "rim under" : "seam under";
}

std::string table(const GzReport& report) {
  std::string text = fmt::format("\n  {:>10}{:>14}{:>12}\n", "heel deg", "GZ m", "trim deg");
  for (std::size_t i = 0; i < report.arms.states.size(); i += report.step) {
    const double heel = report.heels_deg[i];
    if (const auto& state = report.arms.states[i])
      text += fmt::format("  {:>10.6g}{:>14.6g}{:>12.5g}\n", heel, state->righting_arm,
                          state->trim / kDegree);
    else
      text += fmt::format("  {:>10.6g}{:>14}\n", heel, lack(report, heel));
  }
  return text;
}

std::string text_report(const GzReport& report) {
  const FloatingInput& input = report.input;
  std::string text = heading_in_water(input.name, input.status, input.verdict, !input.is_weighed);
  if (!input.floats)
    return text + fmt::format("  too heavy: {:.9g} kg on a volume of {:.9g} m^3 sinks\n",
                              input.mass, input.body.volume);
  const auto row = [&](const char* label, const std::optional<double>& value, const char* unit) {
    text += fmt::format("  {:<24}{} {}\n", label, value ? fmt::format("{:.9g}", *value) : "none",
                        value ? unit : "");
  };
  const RightingArms& arms = report.arms;
  row("GM, slope at heel 0", report.gm, "m");
  if (arms.loll_angle) row("angle of loll", in_degrees(report, arms.loll_angle), "degrees");
  if (arms.list_angle) row("angle of list", in_degrees(report, arms.list_angle), "degrees");
  if (arms.largest)
    text += fmt::format("  {:<24}{:.9g} m at {:.6g} degrees\n", "largest arm",
                        arms.largest->righting_arm, arms.largest->heel / kDegree);
  row("area from 0 to 30", report.area_to_30, "m rad");
  row("area from 0 to 40", report.area_to_40, "m rad");
  row("area from 30 to 40", area_between(report), "m rad");
  row("vanishing angle", in_degrees(report, arms.vanishing_angle), "degrees");
  return text + remarks(report) + table(report);
}

/// The curve as an SVG document. Throws Failure where there is none.
std::string drawn(const GzReport& report) {
  const FloatingInput& input = report.input;
  if (!input.floats)
    throw Failure{kUnsound, "sinks", "the body is too heavy to float: there is no curve to draw",
                  input.name};
  const auto [first, last] = std::minmax_element(report.heels_deg.begin(), report.heels_deg.end());
  std::optional<std::string> plot =
      picture::gz_plot(input.name, input.body, report.heeling, {*first * kDegree, *last * kDegree},
                       input.rim.empty() ? "" : input.verdict.rim_name());
  if (plot) return *std::move(plot);
  throw Failure{kUnsound, "no_curve",
                report.arms.flooding_angle
                    ? fmt::format("there is no curve to draw: the {} is under water",
                                  input.verdict.rim_name())
                    : "there is no curve to draw: no trim is stable",
                input.name};
}

}  // namespace

ExitCode run_gz(const Arguments& arguments) {
  CommandLine line("plimsoll gz", kAbout, kNotes);
  GzArguments given;
  declare_floating(line, given.floating, false);
  line.option("--axis", "X,Y,Z", given.axis,
              "The body turns about it, in the file's frame (1,0,0)");
  line.option("--heel", "A:B:STEP", given.heel,
              "Angles in degrees (0:180:1, of which every tenth is printed)");
  line.option("--trim", "T", given.trim, "free fixed (free)");
  line.option("--csv", "OUT.csv", given.csv,
              "Also write arm, trim, plane_offset, energy, area, ... over heel; - is stdout");
  line.option("--plot", "OUT.svg", given.plot, "Also draw the curve");
  declare_work(line, given.floating.max_work, "Most work of examining the mesh, in seconds (16)");
  line.flag("--json", given.json, "One JSON object on stdout");
  if (!line.parse(arguments)) return kDone;
  check_svg_name(given.plot, "--plot");
  check_apart(given.csv, given.plot, "--plot");
  spare_inputs(given.csv, arguments);
  spare_inputs(given.plot, arguments);
  check_stdout(given.csv, "--csv", given.json);
  const GzReport report = solve(given);
  std::optional<std::string> plot;
  if (given.plot) plot = drawn(report);
  const auto write_plot = [&] {
    if (!plot) return;
    check_font();
    write_file(*plot, *given.plot);
  };
  const Status status = report.input.status;
  if (!given.csv) return answer_and_write(report, status, given.json, write_plot);
  return answer_and_write(report, status, given.json, csv_report(report), *given.csv, write_plot);
}

}  // namespace plimsoll::cli
