// Bodies afloat: the scene of [Kim2006, fig. 9] four seconds after it was dropped, in steps of 5
// ms, by each engine in turn in one process. Prints a CSV to stdout.
//
//   floating [--cache DIR] [--only SCENARIO] [--rounds N]
//
//   fifty_scan    the scene as it stands in scenes/: bunnies of 75,408 triangles
//   fifty         the same with the meshes of the paper's table 1: bunnies of 5,110 triangles,
//                 teapots of 1,640
//   thousand, ten_thousand   twenty and two hundred times the latter
#include <plimsoll/gl_engines.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/patches.h>
#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness.h"
#include "shared/decimate.h"

namespace plimsoll::bench {
namespace {

constexpr double kStep = 0.005;
constexpr int kSettling = 800;

using SharedMesh = std::shared_ptr<const TriangleMesh>;

bool is_kind(const RigidBody& body, const char* kind) { return body.name.starts_with(kind); }

/// In place of the meshes of the scene, those of the paper's sizes.
void coarsen(Scene& scene) {
  constexpr std::size_t kBunny = 5110;
  constexpr int kTeapotSegments = 5;
  constexpr double kTeapotScale = 0.2;  // as in the scene
  SharedMesh bunny;
  TriangleMesh cups = make_teapot(kTeapotSegments);
  for (Vec3& v : cups.vertices) v *= kTeapotScale;
  const auto teapot = std::make_shared<const TriangleMesh>(std::move(cups));
  for (RigidBody& body : scene.bodies) {
    auto* solid = std::get_if<MeshSolid>(&body.shape.solid);
    if (solid == nullptr) continue;
    if (is_kind(body, "teapot")) {
      solid->mesh = teapot;
    } else {
      if (!bunny) bunny = std::make_shared<const TriangleMesh>(decimate(*solid->mesh, kBunny));
      solid->mesh = bunny;
    }
  }
}

void repeat(Scene& scene, int times) {
  const std::vector<RigidBody> once = scene.bodies;
  for (int i = 1; i < times; ++i)
    for (RigidBody body : once) {
      body.name += "/" + std::to_string(i);
      scene.bodies.push_back(std::move(body));
    }
}

/// Where the bodies are, and how they move, when most of them are afloat.
Result<void> settle(Scene& scene) {
  Result<World> world = World::create(scene.environment, scene.bodies);
  if (!world) return world.error();
  for (int step = 0; step < kSettling; ++step)
    if (Result<void> done = world->step(kStep); !done) return done;
  const std::vector<BodyId> ids = world->ids();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyState state = *world->body(ids[i]);
    scene.bodies[i].pose = Similarity(state.pose);
    scene.bodies[i].velocity = state.velocity;
    scene.bodies[i].angular_velocity = state.angular_velocity;
  }
  return {};
}

/// A world, and what of its time went into buoyancy.
class Run {
 public:
  explicit Run(World world) : world_(std::move(world)) {}

  void step() {
    const double start = seconds_now(2);  // the wall, as World measures its share
    const double before = world_.buoyancy_seconds();
    if (Result<void> done = world_.step(kStep); !done) failure_ = done;
    wall_ += seconds_now(2) - start;
    buoyancy_ += world_.buoyancy_seconds() - before;
  }
  [[nodiscard]] double share() const { return buoyancy_ / wall_; }
  [[nodiscard]] const Result<void>& failure() const { return failure_; }

 private:
  World world_;
  double wall_ = 0, buoyancy_ = 0;
  Result<void> failure_;
};

struct System {
  std::string name;
  int threads;
  std::size_t max_bodies;  ///< Beyond, a step takes too long to be worth waiting for.
  std::function<Result<World>(const Scene&)> make;
};

/// The paper's 32 x 32 pixels for each body.
const WaterImageOptions kImage{.width = 32, .height = 32};

Result<World> with_engine(const Scene& scene, Result<std::shared_ptr<BuoyancyEngine>> engine) {
  if (!engine) return engine.error();
  return World::create(scene.environment, scene.bodies, *std::move(engine));
}

std::function<Result<World>(const Scene&)> on_gl(const GlContext& context,
                                                 ImageAlgorithm algorithm) {
  return [&context, algorithm](const Scene& scene) {
    GlWaterOptions options;
    options.image = kImage;
    options.algorithm = algorithm;
    return with_engine(scene, gl_buoyancy(context, options));
  };
}

/// OpenGL without hardware draws on threads of its own: its rows are by the clock on the wall.
std::vector<System> systems(const GlContext& context) {
  const auto exact = [](const Scene& scene) {
    return World::create(scene.environment, scene.bodies);
  };
  const auto columns = [](const Scene& scene) {
    return with_engine(scene, image_buoyancy(kImage));
  };
  return {{"exact", 1, 10'000, exact},
          {"exact", 2, 10'000, exact},
          {"image_cpu", 1, 10'000, columns},
          {"image_gl_additive", 2, 1000, on_gl(context, ImageAlgorithm::kAdditive)},
          {"image_gl_peel", 2, 50, on_gl(context, ImageAlgorithm::kPeel)}};
}

Result<void> measure(const std::string& name, const Scene& scene, const GlContext& context,
                     int rounds) {
  std::vector<std::shared_ptr<Run>> runs;
  std::vector<Row> rows;
  for (const System& system : systems(context)) {
    if (scene.bodies.size() > system.max_bodies) continue;
    Result<World> world = system.make(scene);
    if (!world) return world.error();
    runs.push_back(std::make_shared<Run>(*std::move(world)));
    rows.push_back({system.name, system.threads, 0, [run = runs.back()] { run->step(); }});
  }
  const std::vector<double> seconds = time_interleaved(rows, rounds, 0.02);
  const auto bodies = static_cast<double>(scene.bodies.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!runs[i]->failure()) return runs[i]->failure();
    std::printf("%s,%zu,%s,%d,%.5g,%.4g,%.4g,%.3f,%.4g\n", name.c_str(), scene.bodies.size(),
                rows[i].system.c_str(), rows[i].threads, 1e6 * seconds[i], 1 / seconds[i],
                1e6 * seconds[i] / bodies, runs[i]->share(), seconds[i] / seconds[0]);
  }
  std::fflush(stdout);
  return {};
}

Result<void> run(const Options& options) {
  std::puts(
      "scenario,bodies,system,threads,us_per_step,steps_per_second,us_per_body,share_of_buoyancy,"
      "ratio_to_exact");
  const Result<GlContext> context = GlContext::create();
  if (!context) return context.error();
  const struct {
    const char* name;
    bool is_coarse;
    int times;
  } scenarios[] = {{"fifty_scan", false, 1},
                   {"fifty", true, 1},
                   {"thousand", true, 20},
                   {"ten_thousand", true, 200}};
  for (const auto& scenario : scenarios) {
    if (!options.only.empty() && options.only != scenario.name) continue;
    std::fprintf(stderr, "%s\n", scenario.name);
    Result<Scene> scene = read_scene("scenes/kim2006.json");
    if (!scene) return scene.error();
    if (scenario.is_coarse) coarsen(*scene);
    if (Result<void> done = settle(*scene); !done) return done;
    repeat(*scene, scenario.times);
    if (Result<void> done = measure(scenario.name, *scene, *context, options.rounds); !done)
      return done;
  }
  return {};
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  return run_with_options(argc, argv, run);
}
