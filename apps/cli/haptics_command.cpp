#include <fmt/format.h>
#include <plimsoll/haptics.h>
#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "answer.h"
#include "commands.h"
#include "diagnosis.h"
#include "file_writer.h"
#include "free_tool.h"
#include "haptics_report.h"
#include "input.h"
#include "interruption.h"
#include "output.h"
#include "picture/haptics_plot.h"
#include "picture_file.h"
#include "scene_world.h"
#include "solid_input.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr double kFrequency = 1000, kPeriod = 1 / kFrequency;

constexpr const char* kAbout =
    "Moves the first body of a scene, the tool, as a hand moves a device, a thousand times a "
    "second,\n"
    "and tells what the others do to it. SI units, world coordinates.";

constexpr const char* kNotes =
    R"(PATH.csv has the poses of the device, a millisecond apart, under the header
time,x,y,z,qw,qx,qy,qz (q turns the tool's axes into the world's). The tool begins at rest in the
first. A spring and a damper, the virtual coupling, pull its center of mass to where the device has
it, and others turn it: --coupling K,B in N/m and N s/m, by default critically damped, of the
tool's mass over (4 ms)^2. Steps of the world are as short as the coupling and the contacts need.

SCENE.json is that of plimsoll simulate; the other bodies may move too. Without "contact" it has
that of one that is left empty. --method is that of the scene where it is not given. With spheres
--budget-us ends the searches of a tick after a third of that time, each after its part, and what is
left lists what they found; spheres that were not reached push as they are expected to: other runs
then give other numbers. It is 500 with --realtime and otherwise none. With volume bodies are pushed
by the exact volume that they share, along its mean normal: faster, but energy is not kept. Volumes
are exact, or the spheres' estimate.

The trace has a row per tick: time,x,y,z,qw,qx,qy,qz,fx,fy,fz,tx,ty,tz,volume,query_us, the time
since the path began, the pose of the tool at the end of the tick, when the device has come to its
pose, what the other bodies push it with [N], the torque about its origin [N m], the volume that
it shares with them [m^3], added up, and the time of all queries. --plot draws forces, torques, the
volume and histograms of times.

The hand feels the coupling, limited by what the hand has put in, for a force that is held while the
device goes on may give energy that nobody put in: least_energy is the least that was put in at any
time, never below minus largest_step_of_work, the most that one tick has changed it by, less 1e-13 J.
The device goes no faster than 10 m/s and 100 rad/s.

--realtime runs each tick when it is due, on a thread of its own; it is late where the force comes
more than a millisecond after that. A loop that does nothing takes turns with it and tells how many
are late because of the machine.

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused, or not available
in this version; 4 done, but a mesh is not sound: the answer says which; 6 a limit of time or
memory; 130 and 143 ended by SIGINT and SIGTERM; 1 internal error.

Examples:
  plimsoll haptics press.json --path press.csv --out trace.csv --plot trace.svg
  plimsoll haptics press.json --path press.csv --method spheres --spheres 50000 --realtime)";

struct HapticsArguments {
  std::string scene;
  std::string method;
  std::optional<std::string> path, spheres, coupling, budget, out, plot;
  bool real_time = false, json = false;
};

void declare(CommandLine& line, HapticsArguments& arguments) {
  line.positional("SCENE", arguments.scene, "SCENE.json");
  line.option("--path", "FILE", arguments.path, "Poses of the device, as CSV");
  line.option("--method", "M", arguments.method,
              "exact lesser_depth spheres volume (the scene's, or exact)");
  line.option("--spheres", "N", arguments.spheres, "Spheres of each body (the scene's, or 50000)");
  line.option("--coupling", "K,B", arguments.coupling,
              "Stiffness and damping of the coupling [N/m, N s/m]");
  line.option("--budget-us", "B", arguments.budget, "Time of the spheres in a tick [us]");
  line.flag("--realtime", arguments.real_time, "A tick each millisecond");
  line.option("--out", "FILE", arguments.out,
              "The trace as CSV; - is standard output, the summary then goes to stderr");
  line.option("--plot", "OUT.svg", arguments.plot, "Draw forces, torques, volume and times");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

std::optional<Coupling> coupling_of(const HapticsArguments& given) {
  if (!given.coupling) return std::nullopt;
  double numbers[2];
  parse_numbers(*given.coupling, "--coupling", numbers);
  for (const double number : numbers)
    if (!(number >= 0))
      throw usage_failure(fmt::format("found \"{}\", expected STIFFNESS,DAMPING not below 0",
                                      printable(*given.coupling)),
                          "--coupling");
  return Coupling{numbers[0], numbers[1]};
}

/// How bodies meet: as the scene and the options say.
ContactLaw law_of(const Scene& scene, const HapticsArguments& given) {
  ContactLaw law = scene.contact.value_or(ContactLaw{});
  if (!given.method.empty())
    law.method = static_cast<ContactMethod>(
        parse_choice(given.method, std::span(kContactMethodNames), "--method"));
  if (law.method != ContactMethod::kSpheres) {
    if (given.spheres || given.budget)
      throw usage_failure("it is of --method spheres", given.spheres ? "--spheres" : "--budget-us");
    return law;
  }
  constexpr std::uint64_t kMaxSpheres = 1'000'000;
  constexpr std::size_t kSpheres = 50'000;
  if (given.spheres)
    law.spheres = static_cast<std::size_t>(parse_count(*given.spheres, "--spheres", kMaxSpheres));
  else if (!scene.gives_spheres)
    law.spheres = kSpheres;
  return law;
}

/// Time for the queries of a tick [s].
double budget_of(const HapticsArguments& given, const ContactLaw& law) {
  constexpr double kBudget = 500;  // [us]
  if (given.budget) return 1e-6 * parse_positive(*given.budget, "--budget-us");
  const bool is_needed = given.real_time && law.method == ContactMethod::kSpheres;
  return is_needed ? 1e-6 * kBudget : std::numeric_limits<double>::infinity();
}

/// The device goes as the path does, and no faster than any may.
DeviceLimits limits_of_device(const std::vector<Pose>& path) {
  DeviceLimits limits = limits_of(path, kPeriod);
  limits.speed = std::min(limits.speed, DeviceLimits{}.speed);
  limits.turning = std::min(limits.turning, DeviceLimits{}.turning);
  return limits;
}

std::vector<Pose> path_of(const HapticsArguments& given) {
  if (!given.path) throw usage_failure("found none, expected PATH.csv", "--path");
  Result<std::vector<Pose>> path = read_device_path(std::filesystem::path(*given.path), kPeriod);
  if (!path) throw failure_of(path.error());
  return *std::move(path);
}

HapticLoop loop_of(const HapticsArguments& given, const Scene& scene, const HapticOptions& options,
                   const Pose& start, std::span<const Status> statuses) {
  Result<World> world = World::create(scene.environment, scene.bodies);
  if (!world) throw world_failure(world.error(), given.scene, statuses);
  if (const Result<void> met = apply_contact(scene, *world); !met)
    throw world_failure(met.error(), given.scene, statuses);
  const BodyId tool = world->ids().front();
  Result<HapticLoop> loop = HapticLoop::create(*std::move(world), tool, start, options);
  if (loop) return *std::move(loop);
  Failure failure = world_failure(loop.error(), given.scene, statuses);
  if (failure.where == "coupling") failure.where = "--coupling";
  if (failure.where == "budget") failure.where = "--budget-us";
  throw Failure(failure);
}

/// Poses that the device cannot go between are told before the first tick.
void check_speeds(const std::vector<Pose>& path, const std::string& name) {
  const DeviceLimits any;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const DeviceLimits step = limits_of(std::span(path).subspan(i - 1, 2), kPeriod);
    constexpr double kRounding = 1e-9;
    const bool turns = step.turning > any.turning * (1 + kRounding);
    if (!turns && step.speed <= any.speed * (1 + kRounding)) continue;
    throw Failure{kRejected, "invalid_argument",
                  turns ? fmt::format("found a device that turns at {} rad/s, expected {} at most",
                                      step.turning, any.turning)
                        : fmt::format("found a device that goes at {} m/s, expected {} at most",
                                      step.speed, any.speed),
                  fmt::format("{}: pose {}", name, i + 1)};
  }
}

/// Runs the loop along the path. What was done until an error is kept; the error is returned.
std::optional<Failure> run(const HapticsArguments& given, HapticLoop& loop,
                           const std::vector<Pose>& path, std::span<const Status> statuses,
                           HapticsReport& report) {
  const Interruption interruption;
  Progress progress;
  report.ticks.reserve(path.size());
  const auto take = [&](const HapticTick& tick) {
    report.ticks.push_back(tick);
    progress.say([&] { return fmt::format("tick {} of {}", tick.number + 1, path.size()); });
    return !Interruption::asked();
  };
  std::optional<Error> error;
  if (given.real_time) {
    RecordedDevice device(path);
    Result<HapticTimes> times = run_in_real_time(loop, device, take, true);
    if (times)
      report.times = *std::move(times);
    else
      error = times.error();
  } else {
    for (const Pose& pose : path) {
      const Result<HapticTick> tick = loop.tick(pose);
      if (!tick) error = tick.error();
      if (!tick || !take(*tick)) break;
    }
  }
  report.hand = loop.hand();
  if (const std::optional<ExitCode> signal = Interruption::asked())
    report.say("interrupted", fmt::format("stopped by {} after {} of {} ticks",
                                          *signal == kTerminated ? "SIGTERM" : "SIGINT",
                                          report.ticks.size(), path.size()));
  if (!error) return std::nullopt;
  Failure failure = world_failure(*error, given.scene, statuses);
  failure.message += fmt::format(" (at pose {} of {}", report.ticks.size() + 1, path.size());
  failure.message += given.out ? "; the trace has the ticks before it)" : ")";
  return failure;
}

HapticsReport follow(const HapticsArguments& given) {
  const std::optional<Coupling> coupling = coupling_of(given);
  Scene scene = read_scene_of(given.scene);
  const std::vector<Pose> path = path_of(given);
  check_speeds(path, *given.path);
  require_free_tool(scene, given.scene);
  HapticsReport report;
  report.name = given.scene;
  report.tool = scene.bodies.front().name;
  if (!scene.contact)
    for (const char* key : {"contact.stiffness", "contact.damping", "contact.friction"})
      scene.left_out.emplace_back(key);
  say_about_scene(scene, given.scene, report.notices);
  scene.contact = law_of(scene, given);
  report.method = scene.contact->method;
  const HapticOptions options{.period = kPeriod,
                              .coupling = coupling,
                              .limits = limits_of_device(path),
                              .budget = budget_of(given, *scene.contact)};
  const std::vector<Status> statuses = judge_bodies(scene, given.scene, report.notices);
  report.status = *std::min_element(statuses.begin(), statuses.end());
  HapticLoop loop = loop_of(given, scene, options, path.front(), statuses);
  report.coupling = loop.coupling();
  const std::optional<Failure> failure = run(given, loop, path, statuses, report);
  if (failure) {
    if (given.out) write_file(trace_csv(report.ticks, kFrequency), *given.out);
    throw Failure(*failure);
  }
  return report;
}

}  // namespace

ExitCode run_haptics(const Arguments& arguments) {
  CommandLine line("plimsoll haptics", kAbout, kNotes);
  HapticsArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  check_svg_name(given.plot, "--plot");
  check_apart(given.out, given.plot, "--plot");
  spare_inputs(given.out, arguments);
  spare_inputs(given.plot, arguments);
  check_stdout(given.out, "--out", given.json);
  check_writable(given.out);
  check_writable(given.plot);
  const HapticsReport report = follow(given);
  const auto write_plot = [&] {
    if (!given.plot) return;
    check_font();
    write_file(picture::haptics_plot(report.name, report.ticks,
                                     report.times ? report.times->latency : std::vector<double>{},
                                     kPeriod),
               *given.plot);
  };
  if (!given.out) return answer_and_write(report, report.status, given.json, write_plot);
  return answer_and_write(report, report.status, given.json, trace_csv(report.ticks, kFrequency),
                          *given.out, write_plot);
}

}  // namespace plimsoll::cli
