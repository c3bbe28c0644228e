#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

/// The definition: points numbered by their first use.
TriangleMesh weld_by_map(const MeshView& mesh) {
  std::map<std::array<double, 3>, std::uint32_t> numbers;  // < takes -0 for 0
  TriangleMesh welded;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    Triangle triangle = mesh.triangle(t);
    for (std::uint32_t& corner : triangle) {
      const Vec3 p = mesh.vertex(corner);
      const auto next = static_cast<std::uint32_t>(welded.vertices.size());
      const auto [at, is_new] = numbers.try_emplace({p.x(), p.y(), p.z()}, next);
      if (is_new) welded.vertices.push_back(p);
      corner = at->second;
    }
    welded.triangles.push_back(triangle);
  }
  return welded;
}

bool equal(const TriangleMesh& a, const TriangleMesh& b) {
  return a.triangles == b.triangles && a.vertices == b.vertices;
}

std::vector<double> corners_of(const TriangleMesh& mesh) {
  std::vector<double> corners;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t)
      for (int i = 0; i < 3; ++i) corners.push_back(mesh.vertices[v][i]);
  return corners;
}

TEST_CASE("welding numbers points by their first use, as a map from points to numbers does") {
  Random random(3);
  const int cases = test::campaign(20'000);
  for (int i = 0; i < cases; ++i) {
    TriangleMesh mesh;
    mesh.vertices.resize(1 + random.below(60));
    // Few coordinates, so that many points are equal; 0 and -0 among them.
    constexpr std::array<double, 6> kCoordinates{0, -0.0, 1, 5e-324, -1e300, 0.1};
    for (Vec3& v : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) v[axis] = kCoordinates[random.below(6)];
    mesh.triangles.resize(random.below(80));
    for (Triangle& t : mesh.triangles)
      for (std::uint32_t& corner : t)
        corner = static_cast<std::uint32_t>(random.below(mesh.vertices.size()));
    REQUIRE(equal(weld(test::checked(mesh)), weld_by_map(mesh)));
    const std::vector<double> corners = corners_of(mesh);
    if (corners.empty()) continue;
    REQUIRE(equal(weld(test::checked(MeshView::packed(std::span<const double>(corners)))),
                  weld_by_map(mesh)));
  }
}

TEST_CASE("zero and minus zero are one point, kept as it is met first") {
  TriangleMesh mesh;
  mesh.vertices = {{1, 0, 0}, {-0.0, 0, 0}, {0, 0, 0}, {0, -0.0, -0.0}};
  mesh.triangles = {{0, 1, 2}, {3, 2, 1}};
  const TriangleMesh welded = weld(test::checked(mesh));
  CHECK(welded.vertices.size() == 2);
  CHECK(welded.triangles == std::vector<Triangle>{{0, 1, 1}, {1, 1, 1}});
  CHECK(std::signbit(welded.vertices[1].x()));
}

TEST_CASE("points that differ in the last bit stay apart") {
  const double next = std::nextafter(1.0, 2.0);
  TriangleMesh mesh;
  mesh.vertices = {{1, 1, 1}, {next, 1, 1}, {1, next, 1}, {1, 1, next}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  CHECK(weld(test::checked(mesh)).vertices.size() == 4);
}

TEST_CASE("welding a welded mesh changes nothing, and vertices without a triangle are left out") {
  TriangleMesh ball = make_icosphere(1, 3);
  const std::vector<double> corners = corners_of(ball);
  const TriangleMesh welded =
      weld(test::checked(MeshView::packed(std::span<const double>(corners))));
  CHECK(welded.vertices.size() == ball.vertices.size());
  CHECK(equal(weld(test::checked(welded)), welded));
  TriangleMesh with_unused = welded;
  with_unused.vertices.emplace_back(std::numeric_limits<double>::quiet_NaN(), 0, 0);
  CHECK(equal(weld(test::checked(with_unused)), welded));
}

TEST_CASE("an empty mesh welds to an empty mesh") {
  CHECK(weld(CheckedMesh()).triangles.empty());
  CHECK(weld(test::checked(TriangleMesh{{{0, 0, 0}}, {}})).vertices.empty());
}

TEST_CASE("strided floats weld like doubles") {
  const std::vector<float> points{0, 0, 0, 7, 1, 0, 0, 7, 0, 1, 0, 7, 1, 0, 0, 8};
  const std::vector<std::uint32_t> indices{0, 1, 2, 2, 3, 0};
  const TriangleMesh welded =
      weld(test::checked(MeshView(std::span<const float>(points), indices, 4)));
  CHECK(welded.vertices.size() == 3);
  CHECK(welded.triangles == std::vector<Triangle>{{0, 1, 2}, {2, 1, 0}});
}

// Points on a lattice differ only in a few high bits of the mantissa, those of a scan in the low
// ones: in neither may the table degrade. A table that does takes minutes here, not a second.
TEST_CASE("regular grids weld in linear time") {
  for (const double step : {1.0, 0.001, 0x1p-40, 0x1p60}) {
    constexpr std::uint32_t kSide = 100;
    std::vector<double> corners;
    for (std::uint32_t i = 0; i < kSide * kSide * kSide; ++i) {
      const Vec3 p = step * Vec3(i % kSide, i / kSide % kSide, i / (kSide * kSide));
      corners.insert(corners.end(), p.data(), p.data() + 3);
    }
    corners.resize(corners.size() / 9 * 9);
    const auto start = std::chrono::steady_clock::now();
    const TriangleMesh welded =
        weld(test::checked(MeshView::packed(std::span<const double>(corners))));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    CHECK(welded.vertices.size() == corners.size() / 3);
  }
}

}  // namespace
}  // namespace plimsoll
