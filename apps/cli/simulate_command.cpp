#include <fmt/format.h>
#include <plimsoll/gl_dynamics.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/parallel.h>
#include <plimsoll/scene.h>
#include <plimsoll/shape_mesh.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>

#include "commands.h"
#include "diagnosis.h"
#include "engine_options.h"
#include "file_writer.h"
#include "input.h"
#include "json_writer.h"
#include "output.h"
#include "reports.h"
#include "scene_recorder.h"
#include "text.h"
#include "trajectory.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Moves the bodies of a scene under gravity, buoyancy and drag. SI units, world coordinates, z "
    "up.";

constexpr const char* kNotes =
    R"(SCENE.json: {"fluid": {"density": 1000, "surface": {"type": "plane", "height": 0},
                       "force": "weight"},
             "gravity": [0, 0, -9.80665],
             "drag": {"linear": 0, "quadratic": 1, "angular": 0.5},
             "bodies": [{"name": "duck", "shape": {"shape": "mesh", "file": "duck.off"},
                         "density": 500, "fixed": false, "pose": [[...], ...],
                         "velocity": [0, 0, 0], "angular_velocity": [0, 0, 0],
                         "count": 1, "spacing": [1, 1, 1]}]}
The values shown are those of keys left out, but for "name", "shape" and "density"; without "fluid"
there is none. Other surfaces: {"type": "waves", "height": 0, "components": [{"amplitude": 0.1,
"wavelength": 2, "direction_deg": 0, "phase": 0}]}, deep-water waves, and {"type": "heights",
"origin": [0, 0], "spacing": [1, 1], "heights": [[...], ...]}, a row for each y. "force": "pressure"
lets waves push along as well as up. "added_mass": {"linear": 0, "angular": 0} are multiples of the
water that a body displaces at rest. File names are relative to the scene.

The trajectory has a row per body and output step; x y z and v are the position and velocity of the
body's own origin, q turns the body's axes into the world's, w is in the world. Without drag, on
still water, the energies of start and end differ by the oscillation of the method only: the square
of step times frequency, over four. On waves the energies are null.

--method image finds buoyancy by the columns of an image of each body, of --resolution pixels (32 in
the paper), for shapes of any kind: on the processor or, all bodies in one picture, by OpenGL.
"image" then has the most peels of any step and the fragments of all.

Steps that a body cannot follow are divided for that body. The state_hash is the same for any number
of threads.

Exit codes: 0 done; 2 usage; 3 input unreadable or refused, or not available in this version; 4
done, but a mesh is not sound: the answer says which; 6 a limit of time or memory; 1 internal error.

Examples:
  plimsoll simulate pond.json --seconds 30 --out trajectory.csv
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
  PixelSize size{960, 540};
};

struct SimulateReport {
  std::string name;
  Status status = Status::kOk;
  std::size_t bodies = 0;
  std::uint64_t steps = 0;
  double seconds = 0;
  double wall_seconds = 0;
  double buoyancy_seconds = 0;
  std::optional<Energy> start, end;
  double dissipated = 0;
  std::uint64_t hash = 0;
  std::size_t frames = 0;
  std::optional<ImageReport> image;  // peels: the most of any body in any step
};

void declare(CommandLine& line, SimulateArguments& arguments) {
  line.positional("SCENE", arguments.scene, "SCENE.json");
  line.option("--seconds", "S", arguments.seconds, "How long, to a whole step [s] (10)");
  line.option("--dt", "H", arguments.dt, "The step [s] (0.005)");
  line.option("--method", "M", arguments.method, "exact image (exact)");
  declare_engine(line, arguments.engine);
  line.option("--threads", "N", arguments.threads, "Threads at most (one per core)");
  line.option("--out", "FILE", arguments.out, "The trajectory as CSV");
  line.option("--every", "K", arguments.every, "Output steps are every K-th step (1)");
  line.option("--record", "DIR", arguments.record, "Draw frames: DIR/frame_00000.png, ...");
  line.option("--fps", "F", arguments.fps, "Frames for each second of the scene (30)");
  line.option("--size", "WxH", arguments.size, "Of the frames, in pixels (960x540)");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

std::uint64_t parse_count(const std::string& text, const char* option, double most) {
  const double number = parse_positive(text, option);
  if (number != std::floor(number) || number > most)
    throw usage_failure(
        fmt::format("found \"{}\", expected a whole number from 1 to {}", printable(text), most),
        option);
  return static_cast<std::uint64_t>(number);
}

SimulateOptions checked(const SimulateArguments& arguments) {
  constexpr double kMostSteps = 1e9;
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
  if (!(seconds / options.dt <= kMostSteps))
    throw usage_failure("found more than 1e9 steps of --dt", "--seconds");
  options.steps = static_cast<std::uint64_t>(std::llround(seconds / options.dt));
  if (arguments.every) options.every = parse_count(*arguments.every, "--every", kMostSteps);
  if (arguments.threads)
    options.threads = static_cast<int>(parse_count(*arguments.threads, "--threads", 1024));
  if ((arguments.fps || arguments.size) && !arguments.record)
    throw usage_failure("it is of frames, which --record asks for",
                        arguments.fps ? "--fps" : "--size");
  if (arguments.fps) options.fps = parse_positive(*arguments.fps, "--fps");
  constexpr double kMostFrames = 1e6, kMostPixels = 4096.0 * 4096.0;
  if (arguments.record && !(seconds * options.fps <= kMostFrames))
    throw usage_failure("found more than a million frames", "--fps");
  if (arguments.size) options.size = parse_pixel_size(*arguments.size, "--size");
  if (static_cast<double>(options.size.width) * options.size.height > kMostPixels)
    throw usage_failure("found more pixels than 4096x4096 has", "--size");
  if (arguments.every && !arguments.out)
    throw usage_failure("it is of the trajectory, which --out asks for", "--every");
  return options;
}

/// The engine by image, if that is asked for.
std::optional<EngineOptions> checked_method(const SimulateArguments& arguments) {
  if (arguments.method != "image" && arguments.method != "exact")
    throw usage_failure(fmt::format("found \"{}\", expected exact or image", arguments.method),
                        "--method");
  if (arguments.method == "exact" && arguments.engine.any())
    throw usage_failure("--resolution, --axis, --backend and --algorithm are of --method image",
                        "--method");
  if (arguments.method == "exact") return std::nullopt;
  if (arguments.engine.axis && *arguments.engine.axis != "z")
    throw usage_failure("the columns of this command run along z", "--axis");
  return checked_engine(arguments.engine);
}

Scene read_scene_of(const std::string& name) {
  if (name.empty()) throw usage_failure("found no SCENE.json, expected one");
  Result<Scene> scene = read_scene(std::filesystem::path(name));
  if (!scene) throw failure_of(scene.error());
  if (scene->has_contact) {
    Failure failure = unavailable("\"contact\" in a scene is");
    failure.where = name + ": contact";
    throw failure;
  }
  return *std::move(scene);
}

/// What bodies of one mesh or one surface of patches share; null for others.
const void* surface_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid)) return mesh->mesh.get();
  if (const auto* patches = std::get_if<PatchSolid>(&shape.solid)) return patches->surface.get();
  return nullptr;
}

/// Of a mesh, or of patches cut into triangles.
Status surface_status(const Shape& shape) {
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid))
    return status_of(examine(*mesh->mesh).status);
  const Result<std::optional<ShapeMesh>> cut =
      to_triangles(shape, 1e-3 * bounding_box(shape).diagonal().norm());
  if (!cut) throw failure_of(cut.error());
  return status_of(examine((*cut)->mesh).status);
}

/// Says of each mesh that bounds no solid what is wrong with it; the gravest status.
Status judge(const Scene& scene) {
  Status gravest = Status::kOk;
  std::set<const void*> known;
  for (const RigidBody& body : scene.bodies) {
    const void* surface = surface_of(body.shape);
    if (surface == nullptr || !known.insert(surface).second) continue;
    const Status status = surface_status(body.shape);
    gravest = std::min(gravest, status);
    if (!is_sound(status))
      print_message(fmt::format("plimsoll: simulate: {}: {} - {}: do not trust how it moves",
                                printable(body.name), to_string(status), in_words(status)));
  }
  return gravest;
}

/// One line on a terminal, rewritten.
class Progress {
 public:
  explicit Progress(double seconds) : seconds_(seconds), is_shown_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (said_) fmt::print(stderr, "\r{:40}\r", "");
  }
  void say(double time) {
    if (!is_shown_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    said_ = true;
    fmt::print(stderr, "\rsimulated {:.2f} s of {:g} s", time, seconds_);
    std::fflush(stderr);
  }

 private:
  double seconds_;
  bool is_shown_, said_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::optional<Energy> energy_of(const World& world) {
  const Environment& environment = world.environment();
  const bool is_still = std::holds_alternative<StillWater>(environment.surface);
  if (environment.fluid_density > 0 && !is_still) return std::nullopt;
  return world.energy();
}

struct Outputs {
  std::optional<Trajectory> trajectory;
  std::optional<SceneRecorder> recorder;

  void add(const World& world, const SimulateOptions& options, std::uint64_t step) {
    const double time = static_cast<double>(step) * options.dt;
    if (trajectory && step % options.every == 0) trajectory->add(world, time);
    // The first step at or after each frame's time.
    while (recorder && static_cast<double>(recorder->frames()) / options.fps <= time * (1 + 1e-12))
      recorder->add(world);
  }
};

void run_steps(World& world, const SimulateOptions& options, Outputs& outputs,
               SimulateReport& report) {
  Progress progress(static_cast<double>(options.steps) * options.dt);
  outputs.add(world, options, 0);
  for (std::uint64_t step = 1; step <= options.steps; ++step) {
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
    outputs.add(world, options, step);
    progress.say(static_cast<double>(step) * options.dt);
  }
  if (outputs.trajectory) outputs.trajectory->finish();
  if (outputs.recorder) report.frames = outputs.recorder->frames();
}

/// What images are drawn with; it outlives the world.
struct ImageEngine {
  std::optional<GlContext> context;
  std::shared_ptr<ImageTally> tally = std::make_shared<ImageTally>();
  ImageReport report;

  Result<BuoyancyEngine> make(const EngineOptions& engine, std::span<const Shape> shapes) {
    report = {"cpu", "processor", "additive", engine.width, engine.height, 0, 0};
    GlWaterOptions options;
    options.image.width = engine.width;
    options.image.height = engine.height;
    options.algorithm = engine.algorithm;
    if (!engine.on_gl) return image_buoyancy(shapes, options.image, tally);
    Result<GlContext> created = GlContext::create();
    if (!created) return created.error();
    context = *std::move(created);
    report.backend = "gl";
    report.renderer = context->info().renderer;
    if (engine.algorithm == ImageAlgorithm::kPeel) report.algorithm = "peel";
    return gl_buoyancy(*context, shapes, options, tally);
  }
};

Result<World> make_world(const Scene& scene, const std::optional<EngineOptions>& engine,
                         ImageEngine& image) {
  if (!engine) return World::create(scene.environment, scene.bodies);
  Result<BuoyancyEngine> made = image.make(*engine, scaled_shapes(scene.bodies));
  if (!made) return made.error();
  return World::create(scene.environment, scene.bodies, *std::move(made));
}

SimulateReport simulate(const SimulateArguments& given, const SimulateOptions& options,
                        const std::optional<EngineOptions>& engine) {
  const Scene scene = read_scene_of(given.scene);
  SimulateReport report;
  report.name = given.scene;
  report.status = judge(scene);
  ImageEngine image;
  Result<World> world = make_world(scene, engine, image);
  if (!world) {
    Failure failure = failure_of(world.error());
    if (world.error().where.starts_with("bodies"))
      failure.where = given.scene + ": " + failure.where;
    throw failure;
  }
  report.bodies = world->body_count();
  report.start = energy_of(*world);
  Outputs outputs;
  if (given.out) outputs.trajectory.emplace(*given.out, scene);
  if (given.record) outputs.recorder.emplace(*given.record, scene, *world, options.size);
  const double before = world->buoyancy_seconds();
  run_steps(*world, options, outputs, report);
  report.seconds = static_cast<double>(report.steps) * options.dt;
  report.buoyancy_seconds = world->buoyancy_seconds() - before;
  report.end = energy_of(*world);
  report.dissipated = world->dissipated();
  report.hash = world->state_hash();
  if (engine) {
    report.image = image.report;
    report.image->passes = image.tally->most_peels;
    report.image->fragments = image.tally->fragments;
    if (image.tally->lost_columns > 0)
      print_message(
          fmt::format("plimsoll: simulate: in {} columns of all images together the faces "
                      "did not add up, or a formula met its limit of work",
                      image.tally->lost_columns));
  }
  return report;
}

double steps_per_second(const SimulateReport& report) {
  return static_cast<double>(report.steps) / report.wall_seconds;
}
double buoyancy_share(const SimulateReport& report) {
  return report.buoyancy_seconds / report.wall_seconds;
}

std::string json_report(const SimulateReport& report) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("status", to_string(report.status));
  out.member("bodies", static_cast<std::uint64_t>(report.bodies));
  out.member("steps", report.steps);
  out.member("seconds", report.seconds);
  out.member("wall_seconds", report.wall_seconds);
  out.member("steps_per_second", steps_per_second(report));
  out.key("share");
  out.begin_object();
  out.member("buoyancy", buoyancy_share(report));
  out.member("contact", report.steps > 0 ? 0.0 : kUnknown);
  out.member("other", 1 - buoyancy_share(report));
  out.end_object();
  out.key("energy");
  out.begin_object();
  out.member("start", report.start ? report.start->total() : kUnknown);
  out.member("end", report.end ? report.end->total() : kUnknown);
  out.member("dissipated", report.dissipated);
  out.end_object();
  out.member("state_hash", fmt::format("{:016x}", report.hash));
  if (report.image) write_image(out, report.image);
  out.end_object();
  return out.text() + "\n";
}

std::string text_report(const SimulateReport& report) {
  std::string text = fmt::format("{}: {} - {}\n", printable(report.name), to_string(report.status),
                                 in_words(report.status));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<14}{}\n", label, content);
  };
  row("bodies", fmt::format("{}", report.bodies));
  row("simulated",
      fmt::format("{:g} s in {}", report.seconds, counted(report.steps, "step", "steps")));
  if (report.steps > 0)
    row("took",
        fmt::format("{:.3g} s: {:.4g} steps per second, {:.0f} % of it in buoyancy",
                    report.wall_seconds, steps_per_second(report), 100 * buoyancy_share(report)));
  if (report.start && report.end)
    row("energy", fmt::format("{:.9g} J at the start, {:.9g} J at the end; drag took {:.9g} J",
                              report.start->total(), report.end->total(), report.dissipated));
  else
    row("energy",
        fmt::format("not defined but on still water; drag took {:.9g} J", report.dissipated));
  row("state", fmt::format("{:016x}", report.hash));
  if (report.frames > 0) row("frames", fmt::format("{}", report.frames));
  return text;
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
  print_output(given.json ? json_report(*report) : text_report(*report));
  return is_sound(report->status) ? kDone : kUnsound;
}

}  // namespace plimsoll::cli
