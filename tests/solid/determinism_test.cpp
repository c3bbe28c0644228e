// Results are the same bits for every instruction set and every number of threads, today and
// tomorrow: golden hashes over meshes made of integers and exactly rounded operations only.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/parallel.h>

#include <bit>
#include <functional>

#include "core/random.h"
#include "solid/exact_oracle.h"
#include "support/checked.h"
#include "support/instruction_sets.h"

namespace plimsoll {
namespace {

/// A closed surface of about 2 n^2 triangles: a torus of a grid, its vertices drawn at random.
TriangleMesh random_grid_torus(std::uint32_t n, std::uint64_t seed) {
  Random random(seed);
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < n * n; ++i) {
    const double z = random.uniform(2, 3);  // one after another: arguments have no order
    const double y = random.uniform(-1, 1);
    const double x = random.uniform(-1, 1);
    mesh.vertices.emplace_back(x, y, z);
  }
  const auto vertex = [n](std::uint32_t i, std::uint32_t j) { return i % n * n + j % n; };
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)});
      mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
  return mesh;
}

/// FNV-1a over the bits of the numbers.
class Hash {
 public:
  void add(double x) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    for (int i = 0; i < 8; ++i, bits >>= 8) value_ = (value_ ^ (bits & 0xFF)) * 0x100000001B3u;
  }
  void add(const MassProperties& p) {
    add(p.volume);
    for (int i = 0; i < 3; ++i) add(p.center_of_mass[i]);
    for (int i = 0; i < 9; ++i) add(p.inertia.data()[i]);
    add(p.error_bound.volume);
    add(p.error_bound.center_of_mass);
    add(p.error_bound.inertia);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

/// Sizes around every boundary of lanes, groups, blocks and chunks; doubles, floats and packed.
std::uint64_t hash_of_everything() {
  Hash hash;
  for (const std::uint32_t n : {2u, 3u, 5u, 11u, 12u, 45u, 46u, 120u}) {
    const TriangleMesh mesh = random_grid_torus(n, n);
    std::vector<float> floats;
    std::vector<double> packed;
    for (const Vec3& v : mesh.vertices)
      for (int i = 0; i < 3; ++i) floats.push_back(static_cast<float>(v[i]));
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t v : t)
        for (int i = 0; i < 3; ++i) packed.push_back(mesh.vertices[v][i]);
    const std::span indices(mesh.triangles[0].data(), 3 * mesh.triangles.size());
    for (const Precision precision : {Precision::kTight, Precision::kFast}) {
      const MassOptions options = test::with_precision(precision);
      hash.add(mass_properties(test::checked(mesh), options));
      hash.add(mass_properties(test::checked(MeshView(std::span<const float>(floats), indices)),
                               options));
      hash.add(mass_properties(test::checked(MeshView::packed(std::span<const double>(packed))),
                               options));
    }
    const MeshHealth health = examine(test::checked(mesh));
    hash.add(health.surface_area);
    hash.add(health.closure_residual);
  }
  return hash.value();
}

constexpr std::uint64_t kGolden = 6266444237304120342u;

TEST_CASE("every instruction set and every number of threads gives the same bits") {
  for (const int threads : {1, 2, 4, 8}) {
    CAPTURE(threads);
    with_threads(threads, [] { CHECK(hash_of_everything() == kGolden); });
  }
  test::for_each_instruction_set([] { CHECK(hash_of_everything() == kGolden); });
}

TEST_CASE("the same triangles give the same bits however they are stored") {
  for (const std::uint32_t n : {2u, 5u, 12u, 46u, 120u}) {
    const TriangleMesh mesh = random_grid_torus(n, n);
    std::vector<double> packed;
    std::vector<double> strided;
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t v : t)
        for (int i = 0; i < 3; ++i) packed.push_back(mesh.vertices[v][i]);
    for (const Vec3& v : mesh.vertices) strided.insert(strided.end(), {v.x(), v.y(), v.z(), 7, 7});
    strided.resize(strided.size() - 2);  // nothing need lie behind the last vertex
    const std::span indices(mesh.triangles[0].data(), 3 * mesh.triangles.size());
    Hash hashes[3];
    hashes[0].add(mass_properties(test::checked(mesh)));
    hashes[1].add(
        mass_properties(test::checked(MeshView::packed(std::span<const double>(packed)))));
    hashes[2].add(
        mass_properties(test::checked(MeshView(std::span<const double>(strided), indices, 5))));
    CHECK(hashes[0].value() == hashes[1].value());
    CHECK(hashes[0].value() == hashes[2].value());
  }
}

// The same sums without the library's tree of lanes would differ in the last bits: this is what the
// golden hash protects, so it must be able to change.
TEST_CASE("the hash notices one bit") {
  Hash a;
  Hash b;
  a.add(1.0);
  b.add(std::nextafter(1.0, 2.0));
  CHECK(a.value() != b.value());
}

}  // namespace
}  // namespace plimsoll
