#include <fmt/format.h>
#include <plimsoll/elementary.h>
#include <plimsoll/mesh_health.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "answer.h"
#include "commands.h"
#include "diagnosis.h"
#include "file_writer.h"
#include "float_picture.h"
#include "floating_input.h"
#include "floating_scene.h"
#include "picture_file.h"
#include "text.h"
#include "work_option.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Finds how a body floats at rest: every pose, stable and unstable, with draught, waterplane "
    "and\n"
    "metacentric heights. SI units.";

constexpr const char* kNotes =
    R"(With --attitude free the body is let go from --starts directions spread evenly over the sphere.
Then the sphere of directions is covered by cells in which nothing else can be at rest; where that
cannot be shown of a cell, the search goes on in it, for saddles and maxima of the potential energy
too. "complete" says how that ended:
  proven      no direction is left in which another pose could be
  consistent  minima - saddles + maxima = 2, which an incomplete list can satisfy too
  incomplete  that sum is not 2, or no minimum or no maximum was found (exit 4)
A proof takes the body for a solid; that of a mesh that passes through itself is not attempted. A
search that would take more work than --max-work seconds ends with what was found, and says so: that
is counted, not measured, and the same on every machine.

Poses that are not isolated are listed once, as a family: "axis", a circle of them about an axis;
"arc", a curve of them with two ends; "all", any pose of a ball. They are neutral in that direction.
Within "loop_deg" of a pose the proof decides nothing: around families, poses of which a metacentric
height is zero, and all poses of shapes other than meshes and boxes. Of free bodies --pose counts by
its scale, and by the heading that they keep.

With --attitude fixed the body keeps --pose and rises or sinks. "residual" is the righting arm that
the pose leaves over, over the cube root of the body's volume: above 1e-9 the body is not at rest
and would turn if it were let go. "stable" then is whether it is at rest, and both metacentric
heights are positive.

up_body is the water's outward normal, and plane_offset and center_of_buoyancy are, in the file's
frame; pose brings the body into a world whose water is z <= 0, by the least turn from --pose: with
--attitude fixed by none, where --up is the z axis. Metacentric heights are those of small turns
about the two principal axes of the waterplane.

An open mesh, such as a hull without a deck, is right in poses whose rim is dry: rim_lowest is the
height of the rim's lowest point over the water. Its --mass and --com have to be given.

heel_deg is the turn about the file's x axis (the y axis, where --up is along x) by the right-hand
rule, trim_deg that axis's angle over the water, from upright: where --up is up in the file, or of a
body that is held, its z axis.

--picture draws the stable pose nearest to --up, or the K-th of the list.

Exit codes: 0 done, also where the body is too heavy to float; 2 usage, or no place to write; 3
input unreadable or refused, or not available in this version; 4 answered, but the mesh is not sound
or poses are missing; 6 not enough memory; 1 internal error.

Examples:
  plimsoll float hull.stl --mass 1200 --com 0.1,0,0.4
  plimsoll float buoy.json --density 300 --rho 1000
  plimsoll float hull.stl --mass 1200 --attitude fixed --json)";

struct FloatArguments {
  FloatingArguments floating;
  std::string attitude = "free";
  std::optional<std::string> starts;
  std::optional<std::string> picture;
  std::optional<std::string> picture_pose;
  bool json = false;
};

struct FloatReport {
  FloatingInput input;
  std::optional<Completeness> complete;  // of free bodies that float
  std::string no_proof;                  // why nothing is claimed to be proven
  int characteristic = 0;
  int lost_starts = 0;
  bool out_of_work = false;
  std::vector<Equilibrium> equilibria;
};

std::optional<std::size_t> parse_picture_pose(const FloatArguments& arguments) {
  if (!arguments.picture_pose) return std::nullopt;
  if (!arguments.picture)
    throw usage_failure("it is of --picture, which is missing", "--picture-pose");
  const double number = parse_positive(*arguments.picture_pose, "--picture-pose");
  constexpr double kMaxNumber = 1e6;
  if (number != std::floor(number) || number > kMaxNumber)
    throw usage_failure(fmt::format("found \"{}\", expected the number of a pose, from 1",
                                    printable(*arguments.picture_pose)),
                        "--picture-pose");
  return static_cast<std::size_t>(number);
}

Equilibrium held_up(const FloatingBody& body, const Vec3& up) {
  Equilibrium found;
  found.state = float_upright(body, up);
  found.residual = found.state.righting_arm.norm() / elementary::cbrt(body.volume);
  return found;
}

/// Why the shape may be no solid, in words; empty if it is one.
std::string doubt_of(const FloatingInput& input, HealthOptions health) {
  if (!std::holds_alternative<MeshSolid>(input.shape.solid)) return "";
  health.check_self_intersections = true;
  const MeshFindings found = examine(input.mesh, health).findings;
  if (found.undecided) return "whether the mesh passes through itself is not decided";
  return found.self_intersecting ? "the mesh passes through itself" : "";
}

void find_all(const EquilibriumOptions& options, const HealthOptions& health, FloatReport& report) {
  Equilibria found = find_equilibria(report.input.body, options);
  report.complete = found.complete;
  report.characteristic = found.minima_minus_saddles_plus_maxima;
  report.lost_starts = found.lost_starts;
  report.out_of_work = found.out_of_work;
  report.equilibria = std::move(found.found);
  if (report.complete != Completeness::kProven) return;
  report.no_proof = doubt_of(report.input, health);
  if (!report.no_proof.empty()) report.complete = Completeness::kConsistent;
}

FloatReport solve(const FloatArguments& arguments) {
  FloatReport report;
  const bool is_held = parse_choice(arguments.attitude, {"free", "fixed"}, "--attitude") == 1;
  EquilibriumOptions options;
  if (arguments.starts)
    options.starts = static_cast<int>(parse_count(*arguments.starts, "--starts", 1'000'000));
  options.max_work = parse_work(arguments.floating.max_work).value_or(options.max_work);
  report.input = read_floating(arguments.floating, "float", is_held);
  options.all_kinds = is_sound(report.input.status);  // else there is nothing to prove
  if (!report.input.floats) return report;
  if (is_held) {
    report.equilibria = {held_up(report.input.body, report.input.up)};
    report.input.judge_state(report.equilibria.front().state);
  } else {
    find_all(options, examination(arguments.floating.max_work), report);
  }
  const bool is_dry =
      std::all_of(report.equilibria.begin(), report.equilibria.end(),
                  [&](const Equilibrium& found) { return report.input.has_dry_rim(found.state); });
  if (!report.equilibria.empty() && is_dry) report.input.set_dry();
  return report;
}

bool is_stable(const Equilibrium& found, const FloatingInput& input) {
  if (input.is_held)
    return input.is_at_rest(found.state) && found.state.metacentric_heights.minCoeff() > 0;
  return found.kind == EquilibriumKind::kMinimum;
}

const char* to_string(EquilibriumFamily family) {
  switch (family) {
    case EquilibriumFamily::kAxis:
      return "axis";
    case EquilibriumFamily::kAll:
      return "all";
    case EquilibriumFamily::kArc:
      return "arc";
    case EquilibriumFamily::kNone:
      break;
  }
  return "";
}

constexpr double kDegree = std::numbers::pi / 180;

/// "ends" and "points" of a curve of up-vectors, in the file's frame.
void write_arc(JsonWriter& out, const std::vector<Vec3>& arc, const FloatingInput& input) {
  const auto list = [&](const char* name, const std::vector<Vec3>& points) {
    out.key(name);
    out.begin_array();
    for (const Vec3& up : points) out.value(input.in_file(up));
    out.end_array();
  };
  out.key("arc");
  out.begin_object();
  list("ends", {arc.front(), arc.back()});
  list("points", arc);
  out.end_object();
}

void write_equilibrium(JsonWriter& out, const FloatReport& report, const Equilibrium& found) {
  const FloatingState& state = found.state;
  const FloatingInput& input = report.input;
  const Similarity& body_from_file = input.body_from_file;
  const double scale = elementary::cbrt(body_from_file.linear().determinant());
  const Similarity pose = world_from_body(state, input.heading) * body_from_file;
  const Attitude attitude = input.attitude(state);
  out.begin_object();
  out.member("stable", is_stable(found, input));
  out.member("kind", input.is_held ? "fixed" : plimsoll::to_string(found.kind));
  if (found.family == EquilibriumFamily::kNone)
    out.null_member("family");
  else
    out.member("family", to_string(found.family));
  if (!found.arc.empty()) write_arc(out, found.arc, input);
  if (found.loop_angle > 0) out.member("loop_deg", found.loop_angle / kDegree);
  out.member("up_body", input.in_file(state.up));
  out.member("heel_deg", attitude.heel / kDegree);
  out.member("trim_deg", attitude.trim / kDegree);
  out.rows_member("pose", pose.matrix());
  out.member("plane_offset", (state.level - state.up.dot(body_from_file.translation())) / scale);
  out.member("draught", state.level - input.lowest(state.up));
  out.member("submerged_volume", state.wet.volume);
  out.member("center_of_buoyancy", Vec3(body_from_file.inverse() * state.wet.center_of_buoyancy));
  out.member("waterplane_area", state.wet.waterplane.area);
  out.member("rim_lowest", input.rim_lowest(state));
  out.array_member("metacentric_heights", state.metacentric_heights);
  out.member("residual", found.residual);
  out.member("starts", static_cast<std::uint64_t>(found.starts));
  out.end_object();
}

void write_members(JsonWriter& out, const FloatReport& report) {
  const FloatingInput& input = report.input;
  out.member("status", to_string(input.status));
  input.notices->write(out);
  out.member("rho", input.rho);
  out.member("mass", input.mass);
  out.member("volume", input.body.volume);
  out.member("floats", input.floats);
  if (report.complete) {
    out.member("complete", plimsoll::to_string(*report.complete));
    out.member("minima_minus_saddles_plus_maxima", static_cast<double>(report.characteristic));
  } else {
    out.null_member("complete");
    out.null_member("minima_minus_saddles_plus_maxima");
  }
  out.key("equilibria");
  out.begin_array(JsonWriter::Layout::kLines);
  for (const Equilibrium& found : report.equilibria) write_equilibrium(out, report, found);
  out.end_array();
}

/// Along a curve of unit vectors [rad].
double length_of(const std::vector<Vec3>& arc) {
  double length = 0;
  for (std::size_t i = 0; i + 1 < arc.size(); ++i) length += (arc[i + 1] - arc[i]).norm();
  return length;
}

/// In degrees, without a sign where two decimals are zero.
double shown_angle(double angle) {
  const double degrees = angle / kDegree;
  return std::fabs(degrees) < 0.005 ? 0 : degrees;
}

std::string in_words(const FloatReport& report, const Equilibrium& found) {
  if (report.input.is_held)
    return !report.input.is_at_rest(found.state) ? "held, not at rest"
           : is_stable(found, report.input)      ? "held, stable"
                                                 : "held, unstable";
  std::string words = is_stable(found, report.input)            ? "stable"
                      : found.kind == EquilibriumKind::kMaximum ? "unstable either way"
                                                                : "unstable one way";
  if (found.family == EquilibriumFamily::kAxis) words += ", one of a circle";
  if (found.family == EquilibriumFamily::kArc)
    words += fmt::format(", one of an arc of {:.3g} deg", length_of(found.arc) / kDegree);
  if (found.family == EquilibriumFamily::kAll) words = "at rest in any pose";
  return words;
}

/// The widest loop around something of which the proof decides nothing nearer [rad].
double widest_loop(const FloatReport& report) {
  double widest = 0;
  for (const Equilibrium& found : report.equilibria) widest = std::max(widest, found.loop_angle);
  return widest;
}

std::string completeness(const FloatReport& report) {
  if (!is_sound(report.input.status) || !report.input.rim.empty())
    return "only where the starts ended was looked for poses";
  const std::string sum = fmt::format("minima - saddles + maxima = {}", report.characteristic);
  switch (*report.complete) {
    case Completeness::kProven: {
      const double loop = widest_loop(report);
      return loop == 0 ? "proven: there is no other pose"
                       : fmt::format(
                             "proven: there is no other pose, unless within {:.2g} deg of one "
                             "that is listed",
                             loop / kDegree);
    }
    case Completeness::kConsistent:
      return fmt::format("not proven{}, some may be missing: {}, as if none is",
                         report.no_proof.empty() ? "" : " (" + report.no_proof + ")", sum);
    case Completeness::kIncomplete:
      break;
  }
  return report.characteristic == 2 ? "some are missing: no minimum or no maximum was found"
                                    : fmt::format("the list does not add up: {}, not 2", sum);
}

std::string text_report(const FloatReport& report) {
  const FloatingInput& input = report.input;
  std::string text = heading_in_water(input.name, input.status, input.verdict, !input.is_weighed);
  text += fmt::format("  {:.9g} kg on a volume of {:.9g} m^3 in water of {:.9g} kg/m^3\n",
                      input.mass, input.body.volume, input.rho);
  if (!input.floats) return text + "  too heavy: it sinks\n";
  if (report.complete) text += fmt::format("  {}\n", completeness(report));
  text +=
      fmt::format("\n  {:<26}{:>30}{:>10}{:>10}{:>12}{:>25}{:>8}\n", "", "up in the file's frame",
                  "heel deg", "trim deg", "draught m", "metacentric heights m", "starts");
  for (const Equilibrium& found : report.equilibria) {
    const Vec3 up = input.in_file(found.state.up);
    const Attitude attitude = input.attitude(found.state);
    text += fmt::format(
        "  {:<26}{:>10.6f}{:>10.6f}{:>10.6f}{:>10.2f}{:>10.2f}{:>12.6g}{:>12.5g} {:>12.5g}{:>8}\n",
        in_words(report, found), shown_component(up[0]), shown_component(up[1]),
        shown_component(up[2]), shown_angle(attitude.heel), shown_angle(attitude.trim),
        found.state.level - input.lowest(found.state.up), found.state.metacentric_heights[0],
        found.state.metacentric_heights[1], found.starts);
    if (input.is_held && !input.is_at_rest(found.state))
      text += fmt::format("  {:<26}righting arm {:.6g} m: let go, it would turn\n", "",
                          found.state.righting_arm.norm());
    if (const auto rim = input.rim_lowest(found.state))
      text += fmt::format("  {:<26}{} {:.6g} m {}\n", "", input.verdict.rim_name(), std::fabs(*rim),
                          *rim > 0 ? "over the water" : "under water: it does not float so");
  }
  return text;
}

}  // namespace

ExitCode run_float(const Arguments& arguments) {
  CommandLine line("plimsoll float", kAbout, kNotes);
  FloatArguments given;
  declare_floating(line, given.floating, true);
  line.option("--attitude", "A", given.attitude, "free fixed (free)");
  line.option("--starts", "N", given.starts, "Directions to let the body go from (64)");
  declare_work(line, given.floating.max_work,
               "Most work of looking for poses (60) and of examining (16), in seconds");
  line.option("--picture", "OUT.png", given.picture,
              "Also draw the stable pose nearest to --up: the body in the water, and the cut");
  line.option("--picture-pose", "K", given.picture_pose, "Draw the K-th pose of the list instead");
  line.flag("--json", given.json, "One JSON object on stdout");
  if (!line.parse(arguments)) return kDone;
  check_png_name(given.picture, "--picture");
  spare_inputs(given.picture, arguments);
  const std::optional<std::size_t> pose = parse_picture_pose(given);
  const FloatReport report = solve(given);
  if (report.lost_starts > 0)
    report.input.notices->say(
        report.input.name,
        {"lost_starts", fmt::format("from {} the body did not come to rest",
                                    counted(static_cast<std::size_t>(report.lost_starts),
                                            "direction", "directions"))});
  if (report.out_of_work)
    report.input.notices->say(report.input.name,
                              {"max_work",
                               "the search for poses ended at the limit of work: some may be "
                               "missing that a larger --max-work finds"});
  std::optional<picture::Picture> drawn;
  if (given.picture) drawn = float_picture(report.input, report.equilibria, pose, {1600, 900});
  const ExitCode code = answer_and_write(report, report.input.status, given.json, [&] {
    if (drawn) write_picture(*drawn, *given.picture);
  });
  return report.complete == Completeness::kIncomplete ? kUnsound : code;
}

}  // namespace plimsoll::cli
