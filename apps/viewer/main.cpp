#include <fmt/format.h>
#include <plimsoll/scene.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/failure.h"
#include "cli/free_tool.h"
#include "cli/output.h"
#include "cli/percentile.h"
#include "cli/text.h"
#include "viewer.h"

namespace plimsoll::viewer {
namespace {

constexpr const char* kAbout =
    "Shows the bodies of a scene moving in water, and lets them be taken hold of.";

constexpr const char* kDefaultScene = "scenes/kim2006.json";

constexpr const char* kNotes =
    R"(SCENE.json is what plimsoll simulate reads (see its --help); left out, it is
scenes/kim2006.json where that is found from here.

Mouse: the left button pulls a body by a spring, and selects it; on empty space it turns the view.
The right button moves the view, the wheel goes nearer.
Keys: space pauses; s does one step; r begins anew; f sees all; w turns waves on and off; a shows
the arrows of all bodies, of the selected one, or none; p hides the panel; escape selects none; q
ends. i shows the curves in which surfaces of bodies that touch cross. c shows what culling by
visibility does, n and b go to its next view and back, l looks along it.

--haptics: the first body of the scene is a tool in a hand, as in plimsoll haptics, and the mouse is
the device. A loop of its own ticks a thousand times a second: the scene goes on in real time. The
left button leads the tool; the wheel meanwhile pushes it away or pulls it nearer, and shift turns
it. Green arrow: what the hand would feel, limited to what gives no energy that the hand has not put
in. Gray: the spring from the tool to the device.

Blue arrows: gravity, at the center of mass. Yellow: buoyancy, at the center of buoyancy. Purple:
what each body that it touches pushes it with, at the middle of the pressure. Their lengths are in
proportion to the forces.

Culling by visibility (FAR): each view draws the boxes around what may touch another body; red
stays, grey leaves. Shapes that are no meshes are culled as they are drawn; formulas and Booleans
are left out.

Bodies pass through each other where the scene has no "contact"; with --haptics they meet as by one
that is left empty.

Without a display: plimsoll render, and plimsoll simulate --record.

Exit codes: 0 done; 2 usage; 3 the scene is refused, or there is no display; 6 a limit of time or
memory; 1 internal error.)";

struct Given {
  std::string scene;
  std::optional<std::string> frames, screenshot, selected, culling;
  bool exercises = false, haptics = false;
};

std::uint64_t parse_count(const std::string& given, const char* option) {
  constexpr double kMost = 1e9;
  const double number = cli::parse_number(given).value_or(0);
  if (!(number >= 1 && number <= kMost) || number != std::floor(number))
    throw cli::usage_failure(fmt::format("found \"{}\", expected a whole number from 1 to {}",
                                         cli::printable(given), kMost),
                             option);
  return static_cast<std::uint64_t>(number);
}

ViewerOptions checked(const Given& given) {
  ViewerOptions options;
  if (given.frames) options.frames = parse_count(*given.frames, "--frames");
  if (given.culling) options.culling = parse_count(*given.culling, "--culling") - 1;
  if (!given.frames && (given.screenshot || given.exercises))
    throw cli::usage_failure("it is of the last of --frames",
                             given.screenshot ? "--screenshot" : "--exercise");
  const std::size_t least = 8 * Exercise(given.haptics).act_count();
  if (given.exercises && *options.frames < least)
    throw cli::usage_failure(
        fmt::format("found {}, expected {} or more for --exercise", *options.frames, least),
        "--frames");
  options.screenshot = given.screenshot;
  options.exercises = given.exercises;
  options.haptics = given.haptics;
  return options;
}

/// With a tool in the hand bodies meet as in `plimsoll haptics`.
void make_tangible(Scene& scene, const std::string& name) {
  cli::require_free_tool(scene, name);
  if (!scene.contact) scene.contact = ContactLaw{};
}

Simulation simulation_of(std::string name, bool haptics) {
  if (name.empty()) {
    if (!std::filesystem::exists(kDefaultScene))
      throw cli::usage_failure("found no SCENE.json, expected one");
    name = kDefaultScene;
  }
  Result<Scene> scene = read_scene(std::filesystem::path(name));
  if (!scene) throw cli::failure_of(scene.error());
  for (const Notice& notice : scene->notices)
    cli::print_message("plimsoll_viewer: " + name + ": " + notice.message);
  if (haptics) make_tangible(*scene, name);
  Result<Simulation> simulation = Simulation::create(*std::move(scene));
  if (simulation) return *std::move(simulation);
  cli::Failure failure = cli::failure_of(simulation.error());
  failure.where = name + ": " + failure.where;
  throw failure;
}

/// Of the first body of that name.
std::size_t index_of(const std::string& name, const std::vector<RigidBody>& bodies) {
  const auto at = std::ranges::find(bodies, name, &RigidBody::name);
  if (at != bodies.end()) return static_cast<std::size_t>(at - bodies.begin());
  throw cli::usage_failure(
      fmt::format("found \"{}\", expected the name of a body of the scene, such as \"{}\"",
                  cli::printable(name), cli::printable(bodies.front().name)),
      "--select");
}

void say_about(const HapticTimes& hand) {
  const std::vector<double> latency = cli::ascending(hand.latency);
  cli::print_output(
      fmt::format("{} of the hand, {} late; the force came {:.0f} us after each was due (median), "
                  "{:.0f} us (99 %)\n",
                  cli::counted(latency.size(), "tick", "ticks"), hand.late,
                  1e6 * cli::percentile(latency, 0.5), 1e6 * cli::percentile(latency, 0.99)));
}

cli::ExitCode conclude(const ViewerReport& report, const ViewerOptions& options) {
  if (options.frames && !report.hand) {
    const auto frames = static_cast<double>(std::max<std::uint64_t>(1, report.frames));
    const int steps = std::max(1, report.steps.steps);
    cli::print_output(fmt::format(
        "{} of {:.1f} ms; {} of {:.3f} ms, {:.0f} % of it in buoyancy; the scene is at {:.3f} s\n",
        cli::counted(report.frames, "frame", "frames"), 1e3 * report.frame_seconds / frames,
        cli::counted(static_cast<std::size_t>(report.steps.steps), "step", "steps"),
        1e3 * report.steps.seconds / steps,
        100 * report.steps.buoyancy / std::max(1e-12, report.steps.seconds), report.time));
  }
  if (report.hand) say_about(*report.hand);
  for (const std::string& name : report.failures)
    cli::print_message("plimsoll_viewer: exercise: failed: " + name);
  if (report.problem) throw cli::failure_of(*report.problem);
  return report.failures.empty() ? cli::kDone : cli::kInternalError;
}

cli::ExitCode run(const cli::Arguments& arguments) {
  cli::CommandLine line("plimsoll_viewer", kAbout, kNotes);
  Given given;
  line.positional("SCENE", given.scene, "SCENE.json");
  line.option("--frames", "N", given.frames, "End after N frames, each a sixtieth of a second");
  line.option("--screenshot", "OUT.png", given.screenshot, "Write the last of them");
  line.option("--select", "BODY", given.selected, "Begin with the body of that name selected");
  line.option("--culling", "V", given.culling, "Begin with view V of culling, or the last");
  line.flag("--haptics", given.haptics, "Hold the first body as a tool, led by the mouse");
  line.flag("--exercise", given.exercises, "Try every control meanwhile, and the window's size");
  if (!line.parse(arguments)) return cli::kDone;
  ViewerOptions options = checked(given);
  Simulation simulation = simulation_of(given.scene, given.haptics);
  if (given.selected) options.selected = index_of(*given.selected, simulation.scene().bodies);
  Viewer viewer(std::move(simulation), options);
  return conclude(viewer.run(), options);
}

cli::ExitCode run_and_report(const cli::Arguments& arguments) {
  cli::Failure failure;
  try {
    return run(arguments);
  } catch (const cli::Failure& thrown) {
    failure = thrown;
  } catch (const std::bad_alloc&) {
    failure = cli::failure_of({ErrorCode::kResourceLimit, "there is not enough memory", {}});
  } catch (const std::runtime_error& error) {
    failure = cli::failure_of({ErrorCode::kResourceLimit, error.what(), {}});
  } catch (const std::exception& error) {
    failure = {cli::kInternalError, "internal", error.what(), {}};
  }
  cli::report_failure(failure, "plimsoll_viewer", false);
  return failure.exit_code;
}

}  // namespace
}  // namespace plimsoll::viewer

int main(int argc, char** argv) {
  try {
    return plimsoll::viewer::run_and_report({argv + std::min(argc, 1), argv + argc});
  } catch (...) {  // the error itself could not be reported
    return plimsoll::cli::kInternalError;
  }
}
