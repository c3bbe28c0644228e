#include "scenarios.h"
#include "checked.h"

#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>

namespace plimsoll::bench {
namespace {

Scenario knot(std::string name, int rings, int slices) {
  return {std::move(name),
          [=] { return make_torus_knot({.ripples = 12, .ripple_depth = 0.2}, rings, slices); }};
}

Result<TriangleMesh> read_bunny(const std::filesystem::path& cache) {
  Result<MeshFile> file = read_mesh(cache / "glmark2" / "bunny.obj");
  if (!file) return file.error();
  return weld(checked(file->mesh));
}

}  // namespace

std::vector<Scenario> scenarios(const std::filesystem::path& cache) {
  return {{"bunny_70k", [=] { return read_bunny(cache); }},
          knot("knot_1k", 50, 10),
          knot("knot_8k", 200, 20),
          knot("knot_70k", 700, 50),
          knot("knot_1m", 5000, 100),
          knot("knot_4m", 10000, 200),
          {"bumpy_1m", [] { return make_bumpy_sphere(1, 0.3, 501, 1000); }}};
}

}  // namespace plimsoll::bench
