// Welding with a tolerance.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

/// The definition, vertex by vertex: which of the kept ones each becomes.
Welding weld_by_pairs(const MeshView& mesh, double tolerance) {
  Welding welding;
  welding.mesh = weld(test::checked(mesh));
  const std::vector<Vec3> points = welding.mesh.vertices;
  const auto apart = [&](std::size_t a, std::size_t b) {
    return ((points[a] - points[b]) / tolerance).norm();
  };
  std::vector<std::size_t> kept;
  for (std::size_t v = 0; v < points.size(); ++v)
    if (std::none_of(kept.begin(), kept.end(), [&](std::size_t k) { return apart(k, v) < 1; }))
      kept.push_back(v);
  std::vector<std::uint32_t> number(points.size());
  welding.mesh.vertices.clear();
  for (std::size_t v = 0; v < points.size(); ++v) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < kept.size(); ++k)
      if (apart(kept[k], v) < apart(kept[best], v)) best = k;
    number[v] = static_cast<std::uint32_t>(best);
    welding.merged += kept[best] != v;
  }
  for (const std::size_t k : kept) welding.mesh.vertices.push_back(points[k]);
  for (Triangle& t : welding.mesh.triangles) {
    const auto repeats = [&] { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; };
    const bool before = repeats();
    for (std::uint32_t& corner : t) corner = number[corner];
    welding.collapsed += !before && repeats();
  }
  return welding;
}

void check_equal(const Welding& found, const Welding& wanted) {
  REQUIRE(found.mesh.vertices == wanted.mesh.vertices);
  REQUIRE(found.mesh.triangles == wanted.mesh.triangles);
  REQUIRE(found.merged == wanted.merged);
  REQUIRE(found.collapsed == wanted.collapsed);
}

// Lattices put vertices on the borders of cells, and pairs at the tolerance exactly, which are not
// closer than it; points far away test cells that are narrower than the steps of doubles.
TEST_CASE("vertices become the nearest kept one, as comparing all pairs has it") {
  Random random(4);
  const int cases = test::campaign(4'000);
  for (int i = 0; i < cases; ++i) {
    TriangleMesh mesh;
    mesh.vertices.resize(3 + random.below(60));
    const bool on_lattice = random.below(2) == 0;
    constexpr std::array<double, 5> kCenters{0, 1, -3e5, 1e15, 1e300};
    for (Vec3& v : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) {
        const double size =
            on_lattice ? 0.25 * static_cast<double>(random.below(5)) : random.uniform(-1, 1);
        v[axis] = kCenters[random.below(random.below(4) == 0 ? 5 : 1)] + size;
      }
    mesh.triangles.resize(mesh.vertices.size());
    for (Triangle& t : mesh.triangles)
      for (std::uint32_t& corner : t)
        corner = static_cast<std::uint32_t>(random.below(mesh.vertices.size()));
    constexpr std::array<double, 7> kTolerances{1e-12, 0.1, 0.25, 0.3, 0.5, 1, 10};
    const double tolerance = kTolerances[random.below(7)];
    CAPTURE(tolerance);
    check_equal(*weld(test::checked(mesh), tolerance), weld_by_pairs(mesh, tolerance));
  }
}

/// Each triangle with vertices of its own, moved by no more than `by` along each axis.
TriangleMesh shaken(const TriangleMesh& mesh, double by, Random& random) {
  TriangleMesh apart;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(apart.vertices.size());
    for (const std::uint32_t v : t)
      apart.vertices.push_back(mesh.vertices[v] + Vec3(random.uniform(-by, by),
                                                       random.uniform(-by, by),
                                                       random.uniform(-by, by)));
    apart.triangles.push_back({first, first + 1, first + 2});
  }
  return apart;
}

// Two copies of a corner are at most 2 sqrt(3) by apart.
TEST_CASE("faces that were shaken apart by a millionth close again, and no vertex moves farther") {
  Random random(5);
  constexpr double kShake = 1e-6;
  const double tolerance = 2 * std::sqrt(3.0) * kShake * 1.01;
  for (int trial = 0; trial < 100; ++trial) {
    for (const TriangleMesh& whole : {make_box({1, 1, 1}), make_icosphere(1, 2)}) {
      const TriangleMesh apart = shaken(whole, kShake, random);
      REQUIRE(examine(test::checked(weld(test::checked(apart)))).status == MeshStatus::kOpen);
      const Welding welding = *weld(test::checked(apart), tolerance);
      REQUIRE(examine(test::checked(welding.mesh)).status == MeshStatus::kOk);
      REQUIRE(welding.mesh.vertices.size() == whole.vertices.size());
      REQUIRE(welding.merged == apart.vertices.size() - whole.vertices.size());
      REQUIRE(welding.collapsed == 0);
      REQUIRE(welding.farthest_move < tolerance);
      REQUIRE(welding.farthest_move > kShake / 2);
    }
  }
}

// 100 points 0.6 apart: each is near its neighbors, and the ends are 59.4 apart.
TEST_CASE("a chain of near vertices is not drawn together") {
  TriangleMesh chain;
  for (int i = 0; i < 100; ++i) chain.vertices.emplace_back(0.6 * i, 0, 0);
  for (std::uint32_t i = 0; i + 2 < 100; ++i) chain.triangles.push_back({i, i + 1, i + 2});
  const Welding welding = *weld(test::checked(chain), 1);
  CHECK(welding.mesh.vertices.size() == 50);
  CHECK(welding.farthest_move == test::approx(0.6).epsilon(1e-12));
}

TEST_CASE("a tolerance of 0 welds equal coordinates only, a huge one leaves a point") {
  const TriangleMesh box = make_box({1, 2, 3});
  const Welding none = *weld(test::checked(box), 0);
  CHECK(none.mesh.vertices == weld(test::checked(box)).vertices);
  CHECK(none.merged == 0);
  const Welding all = *weld(test::checked(box), std::numeric_limits<double>::max());
  CHECK(all.mesh.vertices.size() == 1);
  CHECK(all.merged == 7);
  CHECK(all.collapsed == 12);
  CHECK(weld(CheckedMesh(), 1)->mesh.vertices.empty());
}

// A grid whose cells fill up, or whose table degrades, takes minutes here, not a second.
TEST_CASE("a quarter of a million vertices weld in linear time, at any distance from each other") {
  for (const double spacing : {1e-9, 0.99, 1.0, 1e9}) {
    TriangleMesh mesh;
    constexpr std::uint32_t kSide = 500;
    for (std::uint32_t i = 0; i < kSide * kSide; ++i)
      mesh.vertices.emplace_back(spacing * (i % kSide), spacing * (i / kSide), 0);
    for (std::uint32_t i = 0; i + 2 < kSide * kSide; i += 3)
      mesh.triangles.push_back({i, i + 1, i + 2});
    const auto start = std::chrono::steady_clock::now();
    const Welding welding = *weld(test::checked(mesh), 1);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    if (spacing >= 1) CHECK(welding.merged == 0);
    if (spacing < 1) CHECK(welding.merged > kSide * kSide / 4);
  }
}

}  // namespace
}  // namespace plimsoll
