// Mass properties by Plimsoll and others, side by side in one process; README.md tells how to read
// the figures. Prints a CSV to stdout, and to stderr what it does and which answers are wrong.
//
//   mass_properties [--cache DIR] [--only SCENARIO] [--rounds N]
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/version.h>

#include <string>
#include <vector>

#include "checked.h"
#include "harness.h"
#include "memory_floor.h"
#include "options.h"
#include "scenarios.h"
#include "shared/mirtich.h"
#include "systems.h"

namespace plimsoll::bench {
namespace {

volatile double sink;  // what is computed must look used

/// The same mesh in the three layouts that callers hold.
struct Layouts {
  explicit Layouts(TriangleMesh from) : mesh(std::move(from)) {
    for (const Vec3& v : mesh.vertices)
      for (const double x : v) floats.push_back(static_cast<float>(x));
    packed.reserve(9 * mesh.triangles.size());
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t v : t)
        packed.insert(packed.end(), mesh.vertices[v].begin(), mesh.vertices[v].end());
  }
  [[nodiscard]] std::span<const double> doubles() const {
    return {mesh.vertices.front().data(), 3 * mesh.vertices.size()};
  }
  [[nodiscard]] std::span<const std::uint32_t> indices() const {
    return {mesh.triangles.front().data(), 3 * mesh.triangles.size()};
  }

  TriangleMesh mesh;
  std::vector<float> floats;
  std::vector<double> packed;
};

Answer answer_of(const MassProperties& found) {
  return {found.volume, found.center_of_mass, Mat3(found.inertia / found.mass)};
}

// What is wrong with an answer, or nothing. Roundings, and those of Bullet's diagonalization, which
// stops at 1e-5, are not called wrong; a vertex mean in place of a centroid is.
std::string fault(const Answer& found, const MassProperties& truth) {
  const double size = std::cbrt(truth.volume);
  char text[160];
  if (found.volume && !(std::abs(*found.volume / truth.volume - 1) <= 1e-6)) {
    std::snprintf(text, sizeof text, "volume %.6g, should be %.6g (%+.2g %%)", *found.volume,
                  truth.volume, 100 * (*found.volume / truth.volume - 1));
    return text;
  }
  if (found.center && !((*found.center - truth.center_of_mass).norm() <= 1e-6 * size)) {
    std::snprintf(text, sizeof text, "center off by %.2g of the cube root of the volume",
                  (*found.center - truth.center_of_mass).norm() / size);
    return text;
  }
  const Mat3 inertia = truth.inertia / truth.mass;
  if (found.inertia && !((*found.inertia - inertia).norm() <= 1e-4 * inertia.norm())) {
    std::snprintf(text, sizeof text, "inertia off by %.2g of its size",
                  (*found.inertia - inertia).norm() / inertia.norm());
    return text;
  }
  return {};
}

/// Lower bits are wider instruction sets.
bool has_wider_than_avx2() { return (hwy::SupportedTargets() & (HWY_AVX2 - 1)) != 0; }

/// The rows of one scenario as they are gathered.
class Table {
 public:
  Table(std::string scenario, const TriangleMesh& mesh)
      : scenario_(std::move(scenario)), truth_(mass_properties(checked(mesh))) {}

  /// Plimsoll on one layout, and the time to read its arrays.
  void add_ours(const std::string& layout, const MeshView& view, std::function<double()> floor) {
    const std::size_t first = rows_.size();
    const CheckedMesh mesh = checked(view);
    for (const Precision precision : {Precision::kFast, Precision::kTight}) {
      const std::string name = precision == Precision::kFast ? "ours_fast_" : "ours_tight_";
      const auto compute = [=] {
        return answer_of(mass_properties(mesh, {.precision = precision}));
      };
      const auto work = [=] { sink = *compute().volume; };
      for (const int threads : {1, 2})
        rows_.push_back({marked({name + layout, compute}), threads, first, work});
      if (has_wider_than_avx2())
        rows_.push_back({name + layout + "_avx2", 1, first, work, HWY_AVX2});
    }
    rows_.push_back({"floor_" + layout, 1, first, [floor = std::move(floor)] { sink = floor(); }});
  }

  void add_health(const MeshView& view) {
    const CheckedMesh mesh = checked(view);
    for (const int threads : {1, 2})
      rows_.push_back({"ours_health", threads, 0, [=] { sink = examine(mesh).surface_area; }});
  }

  void add(const System& system) {
    rows_.push_back({marked(system), 1, 0,
                     [compute = system.compute] { sink = compute().volume.value_or(0); }});
  }

  void time_and_print(std::size_t triangles, int rounds) const {
    print_rows(scenario_, triangles, rows_, time_interleaved(rows_, rounds));
  }

 private:
  // The system's name, marked if its answer is not that of the solid.
  [[nodiscard]] std::string marked(const System& system) const {
    const std::string wrong = fault(system.compute(), truth_);
    if (wrong.empty()) return system.name;
    std::fprintf(stderr, "%s: %s: %s\n", scenario_.c_str(), system.name.c_str(), wrong.c_str());
    return system.name + " (wrong)";
  }

  std::string scenario_;
  MassProperties truth_;
  std::vector<Row> rows_;
};

System mirtich_system(const MeshView& view) {
  return {"mirtich", [view] {
            const VolumeIntegrals sums = mirtich_integrals(view);
            return Answer{sums.volume, center_of_mass(sums), Mat3(inertia(sums) / sums.volume)};
          }};
}

void run(const std::string& scenario, TriangleMesh mesh, int rounds) {
  const Layouts layouts(std::move(mesh));
  const MeshView view(layouts.mesh);
  Table table(scenario, layouts.mesh);
  table.add_ours("indexed_double", view,
                 [&] { return sum_of(layouts.doubles()) + sum_of(layouts.indices()); });
  table.add_ours("indexed_float", MeshView(std::span(layouts.floats), layouts.indices()), [&] {
    return double{sum_of(std::span<const float>(layouts.floats))} + sum_of(layouts.indices());
  });
  table.add_ours("packed_double", MeshView::packed(layouts.packed),
                 [&] { return sum_of(layouts.packed); });
  table.add_health(view);
  table.add(mirtich_system(view));
  for (const auto systems : {cgal_systems, vtk_systems, bullet_systems})
    for (const System& system : systems(layouts.mesh)) table.add(system);
  table.time_and_print(layouts.mesh.triangles.size(), rounds);
}

int main(int argc, char** argv) {
  const std::optional<Options> options = options_of(argc, argv);
  if (!options) return 2;
  std::fprintf(stderr, "plimsoll %s, %s\n", version().c_str(), simd_level().c_str());
  print_load();
  print_header();
  int found = 0;
  for (const Scenario& scenario : scenarios(options->cache)) {
    if (!options->only.empty() && options->only != scenario.name) continue;
    Result<TriangleMesh> mesh = scenario.make();
    if (!mesh) {
      std::fprintf(stderr, "%s: %s (%s)\n", scenario.name.c_str(), mesh.error().message.c_str(),
                   mesh.error().where.c_str());
      return 1;
    }
    std::fprintf(stderr, "%s: %zu triangles\n", scenario.name.c_str(), mesh->triangles.size());
    run(scenario.name, std::move(*mesh), options->rounds);
    ++found;
  }
  if (found == 0) {
    std::fprintf(stderr, "no scenario is called '%s'\n", options->only.c_str());
    return 2;
  }
  print_load();
  return 0;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main(argc, argv); }
