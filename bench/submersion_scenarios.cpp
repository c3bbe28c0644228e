#include "submersion_scenarios.h"

#include <plimsoll/mesh_io.h>

#include <algorithm>
#include <string>

#include "cgal_meshes.h"
#include "checked.h"
#include "decimate.h"

namespace plimsoll::bench {
namespace {

Result<TriangleMesh> read_scan(const std::filesystem::path& cache) {
  Result<MeshFile> file = read_mesh(cache / "cgal" / "bunny00.off");
  if (!file) return file.error();
  return weld(checked(file->mesh));
}

/// The scan simplified to `triangles`, each of which is then split in four `splits` times.
Scenario bunny(std::string name, const std::filesystem::path& cache, std::size_t triangles,
               int splits = 0) {
  return {std::move(name), [=]() -> Result<TriangleMesh> {
            const Result<TriangleMesh> scan = read_scan(cache);
            if (!scan) return scan.error();
            TriangleMesh mesh = simplify(*scan, triangles);
            for (int i = 0; i < splits; ++i) mesh = split_in_four(std::move(mesh));
            return mesh;
          }};
}

Scenario hull(int points) {
  return {"hull_" + std::to_string(points), [=]() -> Result<TriangleMesh> {
            Random random(static_cast<std::uint64_t>(points));
            std::vector<Vec3> on_sphere;
            for (int i = 0; i < points; ++i) on_sphere.push_back(random.direction());
            return convex_hull(on_sphere);
          }};
}

}  // namespace

std::vector<Scenario> submersion_scenarios(const std::filesystem::path& cache) {
  const std::vector<Scenario> solids = scenarios(cache);
  const auto named = [&](const char* name) {
    return *std::find_if(solids.begin(), solids.end(),
                         [=](const Scenario& scenario) { return scenario.name == name; });
  };
  return {hull(8),
          hull(16),
          hull(32),
          hull(64),
          hull(128),
          hull(254),
          bunny("bunny_1k", cache, 1000),
          bunny("bunny_4k", cache, 4000),
          bunny("bunny_16k", cache, 16000),
          {"bunny_75k", [=] { return read_scan(cache); }},
          bunny("bunny_250k", cache, 62500, 1),
          bunny("bunny_1m", cache, 62500, 2),
          bunny("bunny_4m", cache, 62500, 3),
          named("knot_70k"),
          named("knot_1m"),
          named("bumpy_1m")};
}

}  // namespace plimsoll::bench
