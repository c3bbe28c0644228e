#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mesh/rim_edges.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

// What a view refers to has to outlive it: a temporary does not.
static_assert(std::is_constructible_v<MeshView, const TriangleMesh&>);
static_assert(!std::is_constructible_v<MeshView, TriangleMesh>);
static_assert(!std::is_convertible_v<TriangleMesh, MeshView>);
static_assert(!std::is_constructible_v<MeshView, std::vector<double>, std::span<std::uint32_t>>);
static_assert(!std::is_constructible_v<MeshView, std::span<double>, std::vector<std::uint32_t>>);
static_assert(std::is_constructible_v<MeshView, std::vector<double>&, std::vector<Triangle>&>);
static_assert(std::is_constructible_v<MeshView, std::span<const float>, std::span<std::uint16_t>>);
// Without a check nothing becomes a checked mesh.
static_assert(!std::is_convertible_v<const TriangleMesh&, CheckedMesh>);
static_assert(!std::is_convertible_v<MeshView, CheckedMesh>);
static_assert(std::is_convertible_v<const ClosedMesh&, const CheckedMesh&>);

std::string fault_of(const MeshView& mesh) {
  const Result<CheckedMesh> checked = CheckedMesh::borrow(mesh);
  REQUIRE(!checked);
  CHECK(checked.error().code == ErrorCode::kInvalidArgument);
  return checked.error().where + ": " + checked.error().message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("the same box in any arrays has the same mass properties, bit by bit") {
  const TriangleMesh box = make_box({1, 2, 3});
  const MassProperties truth = mass_properties(test::checked(box));
  std::vector<double> doubles, strided;
  std::vector<float> floats;
  std::vector<std::uint32_t> wide;
  std::vector<std::uint16_t> narrow;
  std::vector<double> packed;
  for (const Vec3& v : box.vertices) {
    doubles.insert(doubles.end(), v.begin(), v.end());
    strided.insert(strided.end(), {v[0], v[1], v[2], 7, 8});
    floats.insert(floats.end(),
                  {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])});
  }
  strided.resize(strided.size() - 2);  // the last vertex needs no more than three
  for (const Triangle& t : box.triangles) {
    wide.insert(wide.end(), t.begin(), t.end());
    narrow.insert(narrow.end(), t.begin(), t.end());
    for (const std::uint32_t v : t)
      packed.insert(packed.end(), box.vertices[v].begin(), box.vertices[v].end());
  }
  const std::vector<MeshView> views{
      {doubles, wide},          {doubles, narrow},      {doubles, box.triangles},
      {floats, wide},           {floats, narrow},       {floats, box.triangles},
      {box.vertices, wide},     {box.vertices, narrow}, {box.vertices, box.triangles},
      {strided, wide, 5},       {strided, narrow, 5},   {std::span(doubles), std::span(wide)},
      MeshView::packed(packed),
  };
  for (const MeshView& view : views) {
    const MassProperties found = mass_properties(test::checked(view));
    CHECK(found.volume == truth.volume);
    CHECK(found.inertia == truth.inertia);
  }
}

TEST_CASE("coordinates and indices that are left over are an error that counts them") {
  const std::vector<float> ten(10);
  const std::vector<double> eight(8);
  const std::vector<std::uint32_t> three{0, 1, 2}, four{0, 1, 2, 0};
  const std::vector<std::uint16_t> five(5);
  CHECK(contains(fault_of(MeshView(ten, three)), "10 coordinates"));
  CHECK(contains(fault_of(MeshView(eight, three)), "8 coordinates"));
  CHECK(contains(fault_of(MeshView(std::span(ten).first(9), four)), "4 indices"));
  CHECK(contains(fault_of(MeshView(std::span(ten).first(9), five)), "5 indices"));
}

TEST_CASE("packed triangles come in threes of vertices") {
  const std::vector<double> twelve(12), nine(9);
  CHECK(contains(fault_of(MeshView::packed(twelve)), "4 vertices"));
  CHECK(CheckedMesh::borrow(MeshView::packed(nine)));
}

TEST_CASE("a vertex that overlaps the next is an error") {
  const std::vector<double> doubles(9);
  const std::vector<std::uint32_t> indices{0, 1, 2};
  for (const std::size_t stride : {0, 1, 2})
    CHECK(contains(fault_of(MeshView(doubles, indices, stride)), "expected at least 3"));
}

TEST_CASE("an index without a vertex and a coordinate that is no number are named") {
  TriangleMesh mesh = make_box({1, 1, 1});
  for (const std::uint32_t none : {8U, 9U, 0x7fffffffU, 0x80000000U, 0x80000007U, 0xffffffffU}) {
    mesh.triangles[7][1] = none;
    CHECK(contains(fault_of(mesh), "triangle 7: found vertex index " + std::to_string(none) + ","));
  }
  const std::vector<double> doubles(9);
  const std::vector<std::uint16_t> narrow{0, 1, 0xffff};
  CHECK(contains(fault_of(MeshView(doubles, narrow)), "triangle 0: found vertex index 65535,"));
  mesh = make_box({1, 1, 1});
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    mesh.vertices[3][1] = bad;
    CHECK(contains(fault_of(mesh), "vertex 3 has a coordinate that is not finite"));
  }
  mesh.triangles.clear();  // then nobody asks for the vertex
  CHECK(CheckedMesh::borrow(mesh));
}

TEST_CASE("a checked mesh that took arrays over does not need them any more") {
  const std::vector<double> doubles{0, 0, 0, 1, 0, 0, 0, 1, 0};
  std::vector<std::uint16_t> narrow{0, 1, 2};
  const CheckedMesh checked = test::checked(MeshView(doubles, narrow));
  narrow = {2, 2, 2};
  CHECK(checked.view().triangle(0) == Triangle{0, 1, 2});
  TriangleMesh box = make_box({1, 1, 1});
  const CheckedMesh taken = test::checked(std::move(box));
  box = {};
  CHECK(taken.view().triangle_count() == 12);
  CHECK(CheckedMesh().view().triangle_count() == 0);
  CHECK(bounding_box(CheckedMesh()).isEmpty());
}

// 1 + 2^-53 is 1, rounded to even, each time; 2^-53 + 2^-53 first would leave 2^-52.
TEST_CASE("a pose is applied to a mesh in the order that the command line promises") {
  TriangleMesh mesh;
  mesh.vertices = {{1, 0x1p-53, 0x1p-53}};
  mesh.triangles = {{0, 0, 0}};
  Similarity pose = Similarity::Identity();
  pose.linear() << 1, 1, 1, 0, 1, 0, 0, 0, 1;  // no similarity, but it shows the order
  pose.translation() = Vec3(-1, 0, 0);
  CHECK(posed(mesh, pose).vertices[0] == Vec3(0, 0x1p-53, 0x1p-53));
}

TEST_CASE("makers of meshes answer sizes that are none with no triangles") {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Vec3> still{{0, 0, 0}, {0, 0, 0}}, back{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}},
      line{{0, 0, 0}, {1, 0, 0}};
  const std::vector<TriangleMesh> none{
      make_box({0, 1, 1}),
      make_box({1, kNaN, 1}),
      make_sphere(-1, 4, 4),
      make_sphere(1, 1, 4),
      make_sphere(1, 4, 2),
      make_sphere(1, 2'000'000'000, 2'000'000'000),
      make_sphere(1, -2'000'000'000, 3),
      make_icosphere(1, -1),
      make_icosphere(1, 12),
      make_icosphere(kNaN, 1),
      make_ellipsoid({1, 1, -1}, 4, 4),
      make_cylinder(1, 0, 8),
      make_cylinder(1, 1, 1 << 30),
      make_cone(kNaN, 1, 8),
      make_capsule(1, 1, 3, 8),
      make_torus(1, 2, 8, 8),
      make_torus_knot({.p = 2, .q = 4}, 8, 8),
      make_torus_knot({.ripple_depth = 1}, 8, 8),
      make_tube({}, 1, 8),
      make_tube(still, 1, 8),
      make_tube(back, 1, 8),
      make_tube(line, kNaN, 8),
      make_tube(line, 1, 2),
      make_bumpy_sphere(1, kNaN, 8, 8),
  };
  for (const TriangleMesh& mesh : none) CHECK(mesh.triangles.empty());
  CHECK(make_tube(line, 1, 8).triangles.size() == 32);
}

TEST_CASE("welding refuses tolerances that are none") {
  const CheckedMesh box = test::checked(make_box({1, 1, 1}));
  for (const double bad :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK(!weld(box, bad));
  CHECK(weld(box, 0));
}

// Of an edge that n triangles run along one way and m the other, |n - m| half-edges are left, and
// all of them run the way of the more. An edge of two triangles that run the same way is another
// fault and not counted here.
TEST_CASE("as many half-edges are left over as opposite ones do not cancel") {
  Random random(61);
  int left_of_fans = 0;
  for (int round = 0; round < 200; ++round) {
    TriangleMesh mesh;
    mesh.vertices.assign(5, Vec3::Zero());
    for (std::uint64_t n = 1 + random.below(25); n-- > 0;) {
      std::array<std::uint32_t, 5> order{0, 1, 2, 3, 4};
      for (std::size_t k = 4; k > 0; --k) std::swap(order[k], order[random.below(k + 1)]);
      mesh.triangles.push_back({order[0], order[1], order[2]});
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::ptrdiff_t> runs;
    const MeshView view(mesh);
    for (std::uint32_t h = 0; h < 3 * mesh.triangles.size(); ++h)
      ++runs[{start_of(view, h), end_of(view, h)}];
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::ptrdiff_t> found;
    const std::vector<RimEdge> rims = rim_edges(view, find_edges(view));
    for (const RimEdge& edge : rims) {
      CHECK(edge.from == start_of(view, edge.half_edge));
      CHECK(edge.to == end_of(view, edge.half_edge));
      ++found[{edge.from, edge.to}];
    }
    CHECK(std::is_sorted(rims.begin(), rims.end(), [](const RimEdge& a, const RimEdge& b) {
      return std::tie(a.from, a.half_edge) < std::tie(b.from, b.half_edge);
    }));
    for (std::uint32_t a = 0; a < 5; ++a)
      for (std::uint32_t b = 0; b < 5; ++b) {
        const std::ptrdiff_t along = runs[{a, b}], against = runs[{b, a}];
        const bool is_inconsistent = along == 2 && against == 0;
        const std::ptrdiff_t expected =
            is_inconsistent ? 0 : std::max<std::ptrdiff_t>(along - against, 0);
        CHECK(found[{a, b}] == expected);
        left_of_fans += along + against > 2 && expected > 0 ? 1 : 0;
      }
  }
  CHECK(left_of_fans > 200);
}

}  // namespace
}  // namespace plimsoll
