#include "submersion_scenarios.h"

#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_io.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <unordered_map>

#include "cgal_meshes.h"
#include "checked.h"

namespace plimsoll::bench {
namespace {

/// Uniform in 0..1, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  double number() { return 0x1p-53 * static_cast<double>(bits_() >> 11); }

  Vec3 direction() {
    const double z = 2 * number() - 1;
    const double angle = 2 * std::numbers::pi * number();
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }

 private:
  std::mt19937_64 bits_;
};

/// Four triangles in place of each, on the same surface.
TriangleMesh split(TriangleMesh mesh) {
  std::unordered_map<std::uint64_t, std::uint32_t> middles;
  middles.reserve(mesh.triangles.size() * 3 / 2);
  const auto middle = [&](std::uint32_t a, std::uint32_t b) {
    const auto next = static_cast<std::uint32_t>(mesh.vertices.size());
    const std::uint64_t edge = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
    const auto [found, is_new] = middles.try_emplace(edge, next);
    if (is_new) mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) / 2);
    return found->second;
  };
  std::vector<Triangle> triangles;
  triangles.reserve(4 * mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    triangles.insert(triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(triangles);
  return mesh;
}

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
            for (int i = 0; i < splits; ++i) mesh = split(std::move(mesh));
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

/// Where a body of half the density of water comes to rest.
FloatingState at_rest(const MeshView& mesh, const SubmersionTree& tree) {
  const FloatingBody body =
      floating_body(tree, mass_properties(mesh).center_of_mass, tree.signed_volume() / 2);
  const Vec3 up = Vec3(0.1, 0.2, 1).normalized();  // along no axis of a generated mesh
  const std::optional<Equilibrium> rest = come_to_rest(body, up);
  return rest ? rest->state : float_upright(body, up);
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

std::vector<WaterPlane> hot_planes(const MeshView& mesh, const SubmersionTree& tree) {
  const FloatingState rest = at_rest(mesh, tree);
  const Vec3 pivot = rest.wet.waterplane.center;
  const Vec3 roll = rest.heel_axes.row(0);
  const double size = tree.box().sizes().maxCoeff();
  std::vector<WaterPlane> planes;
  for (int i = 0; i < 1024; ++i) {
    const double phase = 2 * std::numbers::pi * i / 102.4;
    const Vec3 up = (rest.up + 1e-3 * std::sin(phase / 2.5) * roll).normalized();
    planes.push_back({up, up.dot(pivot) + 1e-3 * size * std::sin(phase)});
  }
  return planes;
}

std::vector<WaterPlane> random_planes(const SubmersionTree& tree) {
  Random random(1);
  const Box3 box = tree.box();
  const double whole = std::abs(tree.signed_volume());
  std::vector<WaterPlane> planes;
  while (planes.size() < 4096) {
    const Vec3 up = random.direction();
    const double reach = up.cwiseAbs().dot(box.sizes()) / 2;  // of the box, beyond the body's
    const WaterPlane plane{up, up.dot(box.center()) + reach * (2 * random.number() - 1)};
    const double wet = tree.submersion(plane, {.wetted_area = false, .waterplane = false}).volume;
    if (wet > 0 && wet < whole) planes.push_back(plane);
  }
  return planes;
}

std::vector<Vec3> random_directions(int count) {
  Random random(2);
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) directions.push_back(random.direction());
  return directions;
}

}  // namespace plimsoll::bench
