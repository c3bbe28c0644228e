// The image engine by every way it has, beside the exact sums, on the same meshes at growing
// resolutions. Prints a CSV to stdout; README.md tells how to read it.
//
//   image_engine [--cache DIR] [--only SCENARIO] [--rounds N]
#include <plimsoll/gl_image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>

#include <filesystem>
#include <string>
#include <vector>

#include "checked.h"
#include "clocks.h"
#include "image_systems.h"
#include "options.h"
#include "scenarios.h"
#include "shared/decimate.h"

namespace plimsoll::bench {
namespace {

volatile double sink;  // what is computed must look used

Result<TriangleMesh> read_scan(const std::filesystem::path& path) {
  Result<MeshFile> file = read_mesh(path);
  if (!file) return file.error();
  return weld(checked(file->mesh));
}

std::vector<Scenario> image_scenarios(const std::filesystem::path& cache) {
  const std::filesystem::path bunny = cache / "cgal" / "bunny00.off";
  return {{"bunny_4k",
           [=]() -> Result<TriangleMesh> {
             Result<TriangleMesh> scan = read_scan(bunny);
             if (!scan) return scan.error();
             return decimate(*scan, 3700);
           }},
          {"bunny_75k", [=] { return read_scan(bunny); }},
          {"sphere_5k", [] { return make_sphere(1, 51, 48); }},
          {"sphere_500k", [] { return make_sphere(1, 501, 500); }},
          {"torus_70k", [] { return make_torus(1, 0.4, 350, 100); }}};
}

struct Measured {
  std::string system;
  std::function<void()> work;
};

std::vector<Measured> rows_of(const std::vector<ImageSystem>& systems, const MeshView& mesh,
                              const ImageOptions& options) {
  std::vector<Measured> rows;
  for (const ImageSystem& system : systems) {
    rows.push_back({system.name, [compute = system.compute, mesh, options] {
                      sink = compute(mesh, options)->properties.volume;
                    }});
  }
  const CheckedMesh whole = checked(mesh);
  for (const Precision precision : {Precision::kFast, Precision::kTight})
    rows.push_back({precision == Precision::kFast ? "exact_fast" : "exact_tight",
                    [=] { sink = mass_properties(whole, {.precision = precision}).volume; }});
  return rows;
}

Result<void> run(const Scenario& scenario, FreshEngine& gl, int rounds) {
  const Result<TriangleMesh> mesh = scenario.make();
  if (!mesh) return mesh.error();
  const Result<DeepestView> deepest = deepest_view(gl.engine(), *mesh);
  if (!deepest) return deepest.error();
  const std::size_t triangles = mesh->triangles.size();
  std::fprintf(stderr, "%s: %zu triangles\n", scenario.name.c_str(), triangles);
  for (const int n : {32, 64, 128, 256, 512, 1024}) {
    if (const Result<void> renewed = gl.renew(); !renewed) return renewed;
    const std::vector<Measured> rows =
        rows_of(image_systems(gl), *mesh, {.width = n, .height = n, .axis = deepest->axis});
    std::vector<std::function<void()>> works;
    std::size_t cpu = 0;
    for (const Measured& row : rows) {
      if (row.system == "cpu") cpu = works.size();
      works.push_back(row.work);
    }
    const std::vector<Times> times = time_on_two_clocks(works, {.rounds = rounds});
    for (std::size_t i = 0; i < works.size(); ++i)
      std::printf("%s,%zu,%d,%d,%s,%.4g,%.4g,%.4g,%.4g\n", scenario.name.c_str(), triangles,
                  deepest->peels, n, rows[i].system.c_str(), 1e6 * times[i].cpu,
                  1e6 * times[i].wall, times[i].cpu / times[cpu].cpu,
                  times[i].wall / times[cpu].wall);
    std::fflush(stdout);
  }
  return {};
}

Result<void> run_all(const Options& options) {
  Result<FreshEngine> gl = FreshEngine::create();
  if (!gl) return gl.error();
  std::puts("scenario,triangles,peels,resolution,system,cpu_us,wall_us,cpu_to_ours,wall_to_ours");
  int found = 0;
  for (const Scenario& scenario : image_scenarios(options.cache)) {
    if (!options.only.empty() && options.only != scenario.name) continue;
    if (Result<void> done = run(scenario, *gl, options.rounds); !done) return done;
    ++found;
  }
  if (found == 0)
    return Error{ErrorCode::kInvalidArgument, "there is no scenario of this name", options.only};
  return {};
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  return run_with_options(argc, argv, run_all);
}
