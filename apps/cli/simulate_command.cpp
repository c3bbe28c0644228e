#include <fmt/format.h>
#include <plimsoll/gl_engines.h>
#include <plimsoll/interpenetrations.h>
#include <plimsoll/parallel.h>
#include <plimsoll/scene.h>
#include <plimsoll/shape.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "answer.h"
#include "commands.h"
#include "engine_options.h"
#include "file_writer.h"
#include "input.h"
#include "interruption.h"
#include "output.h"
#include "scene_recorder.h"
#include "scene_world.h"
#include "simulate_report.h"
#include "text.h"
#include "trajectory.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Moves the bodies of a scene under gravity, buoyancy, drag and contact. SI units, world "
    "coordinates, z up.";

constexpr const char* kNotes =
    R"(SCENE.json: {"fluid": {"density": 1025, "surface": {"type": "plane", "height": 0},
                       "force": "pressure"},
             "gravity": [0, 0, -9.80665],
             "drag": {"linear": 0, "quadratic": 1.5, "angular": 0.5},
             "bodies": [{"name": "duck", "shape": {"shape": "mesh", "file": "duck.off", "scale": 1},
                         "density": 500, "fixed": false, "pose": [[...], ...],
                         "velocity": [0, 0, 0], "angular_velocity": [0, 0, 0],
                         "count": 1, "spacing": [1, 1, 1]},
                        {"name": "ship", "shape": {"shape": "box", "size": [20, 6, 4]},
                         "mass": 2e5, "center_of_mass": [0, 0, -0.8],
                         "inertia": [[9e5, 0, 0], [0, 7e6, 0], [0, 0, 7e6]]}]}
The values shown are those of keys left out, but for "quadratic" and those of the bodies' names,
shapes and masses; without "fluid" there is none.

A body has a "density", evenly filled, or a "mass", and then perhaps a "center_of_mass" and an
"inertia" about it [kg m^2] where it is not evenly filled. Both are in the body's own frame: that of
its file after the shape's "scale" (meters for each unit of the file) and the shape's own "pose",
before the body's "pose". A body's "pose" that scales by s scales the center by s and the inertia by
s^2, and leaves the mass.

Other surfaces: {"type": "waves", "height": 0, "components": [{"amplitude": 0.1, "wavelength": 2,
"direction_deg": 0, "phase": 0}]}, deep-water waves, and {"type": "heights", "origin": [0, 0],
"spacing": [1, 1], "heights": [[...], ...]}, a row for each y. "force" says how a surface that is not
level lifts: "pressure" is the integral of the pressure over the wetted surface, which also pushes
down a slope; "weight", of Kim et al. 2006, is the weight of what is displaced, straight up, which
turns a raft BM / GM times too far on a slope and spins a ball without friction. On still water they
are one.

Drag is -(linear + quadratic |v|) rho V v at the center of the submerged volume V, [1/s] and [1/m],
and the torque -angular rho V L^2 w [1/s]. "quadratic" left out is 1/L for each body, L the cube root
of its volume: a body ten times as long then does the same, in the square root of ten times the
time. "added_mass": {"linear": 0, "angular": 0} are multiples of the water that a body displaces at
rest. File names are relative to the scene. What a scene says wrong is told by line and column.

"contact": {"stiffness": 1e6, "damping": 0.2, "friction": 0.5} has bodies push each other where
they meet, but for the pairs of names that "ignore" lists. The stiffness K [N/m^3] is that of a bed
of springs: a flat face of area A that is pressed in by d pushes with K A d. Left out, each body
that moves has m 9.80665 / (1e-4 L^3), L the cube root of its volume, and a pair has the larger: on
a face of L^2 a body sinks in by L/10,000. "damping" is a share of critical, "friction" Coulomb's
coefficient; the values shown are those of keys left out. Without friction and damping contact
keeps energy, to 3e-4 in a hard impact. Formulas and Booleans cannot meet; fixed bodies do not meet
each other; primitives meet as triangles that are off by up to 1e-3 L. A wall much thinner than its
body's box may be passed by what goes through it in a part of a step.

"sleep_after": 0.5 lets bodies that may meet each other fall asleep together once none of them has moved by
more than a millionth of its size for 0.5 s; left out, nobody sleeps. They wake when something that moves comes
near. Steps leave sleeping bodies out.

"method": "lesser_depth" presses bodies apart by the lesser of the depths below both surfaces, where
"exact" takes their mean: flat faces push alike, in 3 to 35 times the time.
"method": "spheres" has "spheres": 20000 inner spheres of each body meet [Weller2009]: each pair
that does pushes along its line of centers with K times the volume that it has in common. A body
sinks in until its spheres meet others, so deep as the packing leaves room; surfaces are as rough
as spheres are. With "exact_fixed": true fixed bodies have no spheres but are met by their surface:
a floor has no gaps then.
"method": "volume" pushes with K times the volume that bodies share, along its mean normal and at
its center: in a tenth of the time or less, right where one face is pressed in, wrong in corners; energy is
not kept.

Without "contact" bodies pass through each other. That is said, but for the pairs of names that
"ignore": [["arm", "hand"], ...] lists: pairs are looked for at the start, every 0.25 s and at the
end. Each pair told was seen to share a point. Where the boxes of two bodies meet, 7 x 7 lines
through them are tried at 7 points for each piece of a line; thinner overlaps may be missed.

The trajectory has a row per body and output step; x y z and v are the position and velocity of the
body's own origin, q turns the body's axes into the world's, w is in the world. Without drag, on
still water, the energies of start and end differ by the oscillation of the method only: the square
of step times frequency, over four. On waves the energies are null. What is said on stderr is in
"notices" too. Frames have purple arrows for what bodies that touch push each other with, a weight
of the heaviest a sixth of the height, and red lines where their surfaces cross. SIGINT and SIGTERM
end the run after the step at hand: the trajectory and the answer are those of the time until then.

--method image finds buoyancy by the columns of an image of each body, of --resolution pixels (32 in
the paper), for shapes of any kind: on the processor or, all bodies in one picture, by OpenGL.
"image" then has the most peels of any step and the fragments of all. Pixels may miss thin walls:
where an image of a body as it starts is off by more than a fiftieth of its volume, a notice says so;
no step has an estimate of its error. Formulas may take about half a minute of one processor for an
image of a body, and more is refused (exit 6).

Steps that a body cannot follow are divided for that body. The state_hash is the same for any number
of threads.

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused, or not available
in this version; 4 done, but a mesh is not sound: the answer says which; 6 a limit of time or
memory; 130 and 143 ended by SIGINT and SIGTERM; 1 internal error.

Examples:
  plimsoll simulate pond.json --seconds 30 --out trajectory.csv
  plimsoll simulate pond.json --out - --every 20 | gzip > trajectory.csv.gz
  plimsoll simulate pond.json --seconds 5 --record frames --size 1280x720)";

struct SimulateArguments {
  std::string scene;
  std::optional<std::string> seconds, dt, threads, every, fps, size, out, record;
  std::string method = "exact";
  EngineArguments engine;
  bool json = false;
};

struct SimulateOptions {
  double dt = 0.005;
  std::uint64_t steps = 2000;
  std::uint64_t every = 1;
  int threads = 0;
  double fps = 30;
  picture::PixelSize size{960, 540};
};

void declare(CommandLine& line, SimulateArguments& arguments) {
  line.positional("SCENE", arguments.scene, "SCENE.json");
  line.option("--seconds", "S", arguments.seconds, "How long, to a whole step [s] (10)");
  line.option("--dt", "H", arguments.dt, "The step [s] (0.005)");
  line.option("--method", "M", arguments.method, "exact image (exact)");
  declare_engine(line, arguments.engine, "Columns of the image run along z, and no other (z)");
  line.option("--threads", "N", arguments.threads, "Threads at most (one per core)");
  line.option("--out", "FILE", arguments.out,
              "The trajectory as CSV; - is standard output, the summary then goes to stderr");
  line.option("--every", "K", arguments.every, "Output steps are every K-th step (1)");
  line.option("--record", "DIR", arguments.record, "Draw frames: DIR/frame_00000.png, ...");
  line.option("--fps", "F", arguments.fps, "Frames for each second of the scene (30)");
  line.option("--size", "WxH", arguments.size, "Of the frames, in pixels (960x540)");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

SimulateOptions checked(const SimulateArguments& arguments) {
  constexpr std::uint64_t kMaxSteps = 1'000'000'000;
  SimulateOptions options;
  double seconds = 10;
  if (arguments.dt) options.dt = parse_positive(*arguments.dt, "--dt");
  if (arguments.seconds) {
    const std::optional<double> number = parse_number(*arguments.seconds);
    if (!number || !(*number >= 0))
      throw usage_failure(
          fmt::format("found \"{}\", expected a number not below 0", printable(*arguments.seconds)),
          "--seconds");
    seconds = *number;
  }
  if (!(seconds / options.dt <= static_cast<double>(kMaxSteps)))
    throw usage_failure("found more than 1e9 steps of --dt", "--seconds");
  options.steps = static_cast<std::uint64_t>(std::llround(seconds / options.dt));
  if (arguments.every) options.every = parse_count(*arguments.every, "--every", kMaxSteps);
  if (arguments.threads)
    options.threads = static_cast<int>(parse_count(*arguments.threads, "--threads", 1024));
  if ((arguments.fps || arguments.size) && !arguments.record)
    throw usage_failure("it is of frames, which --record asks for",
                        arguments.fps ? "--fps" : "--size");
  if (arguments.fps) options.fps = parse_positive(*arguments.fps, "--fps");
  constexpr double kMaxFrames = 1e6, kMaxPixels = 4096.0 * 4096.0;
  if (arguments.record && !(seconds * options.fps <= kMaxFrames))
    throw usage_failure("found more than a million frames", "--fps");
  if (arguments.size) options.size = parse_pixel_size(*arguments.size, "--size");
  if (static_cast<double>(options.size.width) * options.size.height > kMaxPixels)
    throw usage_failure("found more pixels than 4096x4096 has", "--size");
  check_stdout(arguments.out, "--out", arguments.json);
  if (arguments.every && !arguments.out)
    throw usage_failure("it is of the trajectory, which --out asks for", "--every");
  return options;
}

/// The engine by image, if that is asked for.
std::optional<EngineOptions> checked_method(const SimulateArguments& arguments) {
  if (arguments.method == "image" && arguments.engine.axis.value_or("z") != "z")
    throw usage_failure("the columns of this command run along z", "--axis");
  return image_engine(arguments.method, arguments.engine);
}

std::optional<Energy> energy_of(const World& world) {
  const Environment& environment = world.environment();
  const bool is_still = std::holds_alternative<StillWater>(environment.surface);
  if (environment.fluid_density > 0 && !is_still) return std::nullopt;
  return world.energy();
}

/// Looks for overlaps at the start, at every kOverlapInterval and at the end.
class OverlapWatch {
 public:
  OverlapWatch(const Scene& scene, const World& world, SimulateReport& report) : report_(report) {
    if (world.body_count() < 2 || world.contact()) return;
    Result<InterpenetrationSearch> search = InterpenetrationSearch::create(world);
    if (!search) {
      report.say("overlap", "bodies are not looked at for overlaps: " + search.error().message);
      return;
    }
    search_.emplace(*std::move(search));
    for (const auto& [a, b] : scene.ignored)
      search_->ignore(*world.find(scene.bodies[a].name), *world.find(scene.bodies[b].name));
  }

  void look(const World& world, double time) {
    if (time < next_) return;
    next_ += kOverlapInterval;
    look_now(world, time);
  }

  void look_now(const World& world, double time) {
    if (!search_) return;
    OverlapReport& seen = report_.overlaps;
    const Result<Interpenetrations> found = search_->find(world);
    if (!found) return;  // it has looked at every shape before
    seen.is_all = seen.is_all && found->is_all;
    if (found->count == 0) return;
    if (seen.pairs == 0) {
      seen.first_time = time;
      seen.first_at = found->first.front().at;
    }
    seen.pairs += found->count;
    for (const Interpenetration& overlap : found->first)
      if (seen.named.size() < kMaxNamedPairs)
        seen.named.emplace_back(*world.name(overlap.a), *world.name(overlap.b));
  }

 private:
  SimulateReport& report_;
  std::optional<InterpenetrationSearch> search_;
  double next_ = 0;
};

struct Outputs {
  std::optional<Trajectory> trajectory;
  std::optional<SceneRecorder> recorder;

  /// False where nobody reads the trajectory any more.
  bool add(const World& world, const SimulateOptions& options, std::uint64_t step) {
    const double time = static_cast<double>(step) * options.dt;
    const bool is_row = trajectory && step % options.every == 0;
    if (is_row && !trajectory->add(world, time)) return false;
    // The first step at or after each frame's time.
    while (recorder && static_cast<double>(recorder->frames()) / options.fps <= time * (1 + 1e-12))
      recorder->add(world);
    return true;
  }
};

/// Says once that two bodies are so deep in each other that they may come out at the wrong side.
void say_deep_contact(const World& world, double time, SimulateReport& report) {
  if (report.is_deep) return;
  for (const BodyContact& contact : world.contacts()) {
    if (!contact.is_deep) continue;
    report.is_deep = true;
    return report.say(
        "contact_depth",
        fmt::format(
            "\"{}\" and \"{}\" are {:.3g} m deep in each other at {:g} s, near the middle of "
            "the thinner: beyond it they are {}. A larger contact.stiffness or a shorter --dt may "
            "keep them apart",
            *world.name(contact.a), *world.name(contact.b), contact.depth, time,
            world.contact()->method == ContactMethod::kVolume ? "not pushed apart"
                                                              : "pushed out at the other side"));
  }
}

/// Says so where a signal came, which ends the run.
bool is_interrupted(const SimulateOptions& options, SimulateReport& report) {
  const std::optional<ExitCode> signal = Interruption::asked();
  if (!signal) return false;
  report.say("interrupted",
             fmt::format("stopped by {} at {:g} s of {:g} s: what was computed until then is kept",
                         *signal == kTerminated ? "SIGTERM" : "SIGINT",
                         static_cast<double>(report.steps) * options.dt,
                         static_cast<double>(options.steps) * options.dt));
  return true;
}

void run_steps(World& world, const SimulateOptions& options, Outputs& outputs, OverlapWatch& watch,
               SimulateReport& report) {
  const double seconds = static_cast<double>(options.steps) * options.dt;
  Progress progress;
  watch.look(world, 0);
  bool goes_on = outputs.add(world, options, 0);
  for (std::uint64_t step = 1; goes_on && step <= options.steps; ++step) {
    if (is_interrupted(options, report)) break;
    const auto start = std::chrono::steady_clock::now();
    const Result<void> done = world.step(options.dt);
    report.wall_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!done) {  // what there is of the trajectory is kept
      if (outputs.trajectory) outputs.trajectory->finish();
      Failure failure = failure_of(done.error());
      failure.where = report.name + ": " + failure.where;
      failure.message += fmt::format("; at {:g} s", static_cast<double>(step - 1) * options.dt);
      throw failure;
    }
    report.steps = step;
    const double time = static_cast<double>(step) * options.dt;
    goes_on = outputs.add(world, options, step);
    watch.look(world, time);
    say_deep_contact(world, time, report);
    progress.say([&] { return fmt::format("simulated {:.2f} s of {:g} s", time, seconds); });
  }
  watch.look_now(world, static_cast<double>(report.steps) * options.dt);
  if (outputs.trajectory) outputs.trajectory->finish();
  if (outputs.recorder) report.frames = outputs.recorder->frames();
}

/// What images are drawn with; it outlives the world.
struct ImageEngine {
  std::optional<GlContext> context;
  std::shared_ptr<ImageTally> tally = std::make_shared<ImageTally>();
  ImageReport report;

  Result<std::shared_ptr<BuoyancyEngine>> make(const EngineOptions& engine) {
    report = {"cpu", "processor", "additive", engine.width, engine.height, 0, 0};
    GlWaterOptions options;
    options.image.width = engine.width;
    options.image.height = engine.height;
    options.algorithm = engine.algorithm;
    if (!engine.on_gl) return image_buoyancy(options.image, tally);
    Result<GlContext> created = GlContext::create();
    if (!created) return created.error();
    context = *std::move(created);
    report.backend = "gl";
    report.renderer = context->info().renderer;
    if (engine.algorithm == ImageAlgorithm::kPeel) report.algorithm = "peel";
    return gl_buoyancy(*context, options, tally);
  }
};

Result<World> make_world(const Scene& scene, const std::optional<EngineOptions>& engine,
                         ImageEngine& image) {
  if (!engine) return World::create(scene.environment, scene.bodies);
  Result<std::shared_ptr<BuoyancyEngine>> made = image.make(*engine);
  if (!made) return made.error();
  return World::create(scene.environment, scene.bodies, *std::move(made));
}

void say_about_time(const SimulateArguments& given, const SimulateOptions& options,
                    SimulateReport& report) {
  const double seconds = given.seconds ? parse_number(*given.seconds).value_or(0) : options.dt;
  if (seconds == 0 || seconds >= options.dt) return;
  report.say("seconds",
             fmt::format("--seconds {:g} is less than one step of {:g} s: {} taken", seconds,
                         options.dt, options.steps == 0 ? "no step is" : "one step is"));
}

SimulateReport simulate(const SimulateArguments& given, const SimulateOptions& options,
                        const std::optional<EngineOptions>& engine) {
  const Scene scene = read_scene_of(given.scene);
  SimulateReport report;
  report.name = given.scene;
  report.environment = scene.environment;
  say_about_scene(scene, given.scene, report.notices);
  say_about_time(given, options, report);
  const std::vector<Status> statuses = judge_bodies(scene, given.scene, report.notices);
  report.status = *std::min_element(statuses.begin(), statuses.end());
  ImageEngine image;
  Result<World> world = make_world(scene, engine, image);
  if (!world) throw world_failure(world.error(), given.scene, statuses);
  if (const Result<void> met = apply_contact(scene, *world); !met)
    throw world_failure(met.error(), given.scene, statuses);
  report.has_contact = world->contact().has_value();
  report.bodies = world->body_count();
  say_what_images_weigh(*world, report);
  if (engine) say_what_images_lack(*world, *engine, report);
  report.start = energy_of(*world);
  Outputs outputs;
  if (given.out) outputs.trajectory.emplace(*given.out, scene);
  if (given.record) outputs.recorder.emplace(*given.record, scene, *world, options.size);
  OverlapWatch watch(scene, *world, report);
  const double before = world->buoyancy_seconds();
  const Interruption interruption;
  run_steps(*world, options, outputs, watch, report);
  say_overlaps(report);
  report.seconds = static_cast<double>(report.steps) * options.dt;
  report.buoyancy_seconds = world->buoyancy_seconds() - before;
  report.contact_seconds = world->contact_seconds();
  report.contacts = world->contacts().size();
  report.end = energy_of(*world);
  report.dissipated = world->dissipated();
  report.hash = world->state_hash();
  if (engine) {
    report.image = image.report;
    report.image->passes = image.tally->max_peels;
    report.image->fragments = image.tally->fragments;
    if (image.tally->lost_columns > 0)
      report.say("columns",
                 fmt::format("in {} columns of all images together the faces did not add "
                             "up, or a formula met its limit of work",
                             image.tally->lost_columns));
  }
  return report;
}

}  // namespace

ExitCode run_simulate(const Arguments& arguments) {
  CommandLine line("plimsoll simulate", kAbout, kNotes);
  SimulateArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  spare_inputs(given.out, arguments);
  const SimulateOptions options = checked(given);
  const std::optional<EngineOptions> engine = checked_method(given);
  std::optional<SimulateReport> report;
  const auto work = [&] { report = simulate(given, options, engine); };
  if (options.threads > 0)
    with_threads(options.threads, work);
  else
    work();
  if (given.out != "-") return answer(*report, report->status, given.json);
  std::fputs(text_report(*report).c_str(), stderr);  // stdout has the trajectory
  return exit_code_of(report->status);
}

}  // namespace plimsoll::cli
