#include "submersion_scenarios.h"

#include <algorithm>
#include <string>

#include "bunnies.h"
#include "cgal_meshes.h"

namespace plimsoll::bench {
namespace {

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
