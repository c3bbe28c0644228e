#include "pairs/self_intersection.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <utility>

#include "core/random.h"
#include "support/hard_bodies.h"
#include "support/sanitizers.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

TEST_CASE("real and faulty meshes have the known number of self-intersecting pairs") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  int counted = 0;
  for (const char* index : {"meshes/index.json", "defects/index.json"}) {
    simdjson::dom::element list = parser.load((test::shared_data() / index).string());
    if (list.is_object()) list = list["files"];
    for (const simdjson::dom::element entry : list.get_array()) {
      const std::string name(entry["file"].get_string().value());
      if (!test::holds_plain_mesh(name) || test::has_folded_truth(name)) continue;
      if (++counted % 4 != 0 && test::kAddressSanitizer) continue;
      CAPTURE(name);
      const TriangleMesh mesh = test::load(name);
      const auto pairs = self_intersecting_pairs(mesh).pairs;
      CHECK(pairs.size() == entry["self_intersecting_pairs"].get_uint64().value());
    }
  }
  CHECK(counted >= 90);
}

// x' = ((m00 x + m01 y) + m02 z) + m03, as the list of pairs was made.
void append_posed(const TriangleMesh& mesh, const simdjson::dom::element& pose,
                  TriangleMesh& scene) {
  std::array<std::array<double, 4>, 3> m;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) m[i][j] = pose.at(i).at(j).get_double();
  const auto first = static_cast<std::uint32_t>(scene.vertices.size());
  for (const Vec3& v : mesh.vertices) {
    Vec3 posed;
    for (int i = 0; i < 3; ++i)
      posed[i] = ((m[i][0] * v.x() + m[i][1] * v.y()) + m[i][2] * v.z()) + m[i][3];
    scene.vertices.push_back(posed);
  }
  for (const Triangle& t : mesh.triangles)
    scene.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

TEST_CASE("two posed bodies meet in just the triangles that CGAL finds") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element truth =
      parser.load((test::shared_data() / "truth" / "contact_pairs.json").string());
  int cases = 0;
  for (const simdjson::dom::element entry : truth["cases"].get_array()) {
    const std::string id(entry["id"].get_string().value());
    const std::string a(entry["mesh_a"].get_string().value());
    const std::string b(entry["mesh_b"].get_string().value());
    if (!test::holds_plain_mesh(a) || !test::holds_plain_mesh(b)) continue;
    if (++cases % 3 != 0 && test::kAddressSanitizer) continue;
    CAPTURE(id);
    TriangleMesh scene;
    append_posed(test::load(a), entry["pose_a"], scene);
    const auto first_of_b = static_cast<std::uint32_t>(scene.triangles.size());
    append_posed(test::load(b), entry["pose_b"], scene);
    std::vector<std::uint32_t> body(scene.triangles.size(), 1);
    std::fill(body.begin(), body.begin() + first_of_b, 0);

    TriangleTree tree;
    TreeBuilder().build(scene, triangles_with_area(scene), TreeQuality::kTight, tree);
    const auto found = intersecting_pairs(scene, tree, body).pairs;
    std::vector<std::array<std::uint32_t, 2>> expected;
    std::ifstream list(test::shared_data() / "truth" /
                       std::string(entry["list"].get_string().value()));
    for (std::array<std::uint32_t, 2> pair; list >> pair[0] && list.ignore() && list >> pair[1];)
      expected.push_back({pair[0], pair[1] + first_of_b});
    std::sort(expected.begin(), expected.end());
    REQUIRE(expected.size() == entry["intersecting_triangle_pairs"].get_uint64().value());
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      REQUIRE(std::array{found[i].a, found[i].b} == expected[i]);
  }
  CHECK(cases >= 5);
}

TEST_CASE("generated solids do not meet themselves") {
  KnotShape knot;
  knot.ripples = 7;
  knot.ripple_depth = 0.2;
  for (const TriangleMesh& mesh :
       {make_box(Vec3(1, 2, 3)), make_sphere(1, 12, 17), make_icosphere(2, 3),
        make_cylinder(1, 2, 30), make_cone(1, 2, 30), make_torus(2, 0.5, 30, 20),
        make_torus_knot(knot, 300, 12), make_bumpy_sphere(1, 0.2, 30, 40)})
    CHECK(self_intersecting_pairs(mesh).pairs.empty());
}

TriangleMesh soup(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  TriangleMesh mesh;
  for (std::uint32_t t = 0; t < count; ++t) {
    const Vec3 at(random.unit(), random.unit(), random.unit());
    for (int i = 0; i < 3; ++i)
      mesh.vertices.emplace_back(at + 0.4 * Vec3(random.unit(), random.unit(), random.unit()));
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

TEST_CASE("the tree finds the pairs that asking all of them finds, whatever the threads") {
  const TriangleMesh mesh = soup(400, 1);
  std::vector<MeetingPair> expected;
  for (std::uint32_t a = 0; a < 400; ++a)
    for (std::uint32_t b = a + 1; b < 400; ++b) {
      const Meeting meeting = meeting_within_mesh(corners_of(mesh, a), corners_of(mesh, b));
      if (meeting != Meeting::kApart) expected.push_back({a, b, meeting == Meeting::kCrosses});
    }
  CHECK(expected.size() > 100);
  for (const int threads : {1, 2, 8})
    with_threads(threads, [&] { CHECK(self_intersecting_pairs(mesh).pairs == expected); });
}

TEST_CASE("only pairs of different groups are found where groups are given") {
  const TriangleMesh mesh = soup(300, 2);
  std::vector<std::uint32_t> group(300);
  for (std::uint32_t t = 0; t < 300; ++t) group[t] = t / 100;
  std::vector<MeetingPair> expected = self_intersecting_pairs(mesh).pairs;
  std::erase_if(expected, [&](const MeetingPair& p) { return group[p.a] == group[p.b]; });
  for (const TreeQuality quality :
       {TreeQuality::kFast, TreeQuality::kBalanced, TreeQuality::kTight}) {
    const TriangleTree tree = make_triangle_tree(mesh, quality);
    CHECK(intersecting_pairs(mesh, tree, group).pairs == expected);
    CHECK(intersecting_pairs(mesh, tree, std::vector<std::uint32_t>(300, 7)).pairs.empty());
  }
  CHECK_FALSE(expected.empty());
}

// Floats of the wide tree hold no more than 2^-22 of the whole: to them all of the small soup is
// one place, and hulls take over.
TEST_CASE("a small soup in the corner of a large triangle is told apart all the same") {
  TriangleMesh mesh = soup(2000, 3);
  for (Vec3& v : mesh.vertices) v = 0x1p-40 * v + Vec3(1, 1, 1);
  const std::vector<MeetingPair> alone = self_intersecting_pairs(mesh).pairs;
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1)});
  mesh.triangles.push_back({first, first + 1, first + 2});
  const FoundPairs found = self_intersecting_pairs(mesh);
  CHECK(found.is_dense);
  CHECK(found.pairs == alone);
  CHECK_FALSE(alone.empty());

  // Neighbors are of different groups, and some nodes of one.
  std::vector<std::uint32_t> group(mesh.triangles.size());
  for (std::size_t t = 0; t < group.size(); ++t)
    group[t] = mesh.vertices[3 * t][0] < 1 + 0x1p-41 ? static_cast<std::uint32_t>(t % 2) : 0;
  const TriangleTree tree = make_triangle_tree(mesh, TreeQuality::kTight);
  std::vector<MeetingPair> of_two_groups = alone;
  std::erase_if(of_two_groups, [&](const MeetingPair& p) { return group[p.a] == group[p.b]; });
  const FoundPairs grouped = intersecting_pairs(mesh, tree, group);
  CHECK(grouped.is_dense);
  CHECK(grouped.pairs == of_two_groups);
  CHECK_FALSE(of_two_groups.empty());
}

TEST_CASE("triangles without an area meet nothing") {
  TriangleMesh mesh = make_box(Vec3(1, 1, 1));
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {Vec3(-2, 0, 0), Vec3(0, 0, 0), Vec3(2, 0, 0)});
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first});
  CHECK(self_intersecting_pairs(mesh).pairs.empty());
  CHECK(triangles_with_area(mesh).size() == 12);
  CHECK(self_intersecting_pairs(MeshView()).pairs.empty());
}

void append(const TriangleMesh& mesh, TriangleMesh& to) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  to.vertices.insert(to.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
  for (const Triangle& t : mesh.triangles)
    to.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

/// So many boxes in one place: any two faces of a side lie on each other.
TriangleMesh pile_of(int boxes) {
  TriangleMesh pile;
  for (int i = 0; i < boxes; ++i) append(make_box({1, 2, 3}), pile);
  return pile;
}

bool comes_before(const MeetingPair& x, const MeetingPair& y) {
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}

TEST_CASE("the search stops at more pairs than the limit, and lists some of them") {
  const TriangleMesh pile = pile_of(30);
  const FoundPairs all = self_intersecting_pairs(pile);
  CHECK(all.is_complete);
  CHECK(all.count == all.pairs.size());
  CHECK(self_intersecting_pairs(pile, all.count).pairs == all.pairs);
  const FoundPairs counted = self_intersecting_pairs(pile, all.count - 1);
  CHECK(!counted.is_complete);
  CHECK(counted.count == all.count);
  CHECK(counted.pairs.size() == 1000);
  CHECK(std::includes(all.pairs.begin(), all.pairs.end(), counted.pairs.begin(),
                      counted.pairs.end(), comes_before));
  for (const int threads : {1, 2, 8})
    with_threads(threads, [&] {
      const FoundPairs stopped = self_intersecting_pairs(pile, 100);
      CHECK(!stopped.is_complete);
      CHECK(stopped.count == 101);
      CHECK(stopped.pairs == counted.pairs);
    });
}

// 20 us for each triangle it may take in any case.
double work_that_is_needed(const TriangleMesh& mesh, const FoundPairs& found) {
  return found.looks.work() - 20.0 * static_cast<double>(mesh.triangles.size());
}

TEST_CASE("the search ends after the work that it may take, with what it found by then") {
  const TriangleMesh needles = test::needles(200, 1);
  const FoundPairs whole = self_intersecting_pairs(needles);
  CHECK(whole.is_complete);
  CHECK(whole.is_dense);
  CHECK(whole.pairs.empty());
  CHECK(whole.looks.pairs > 150'000);  // half of all
  const double needed = work_that_is_needed(needles, whole);
  REQUIRE(needed > 0);
  CHECK(self_intersecting_pairs(needles, kAllPairs, needed + 1).is_complete);
  for (const double limit : {0.0, 0.5 * needed, needed - 1}) {
    const FoundPairs cut = self_intersecting_pairs(needles, kAllPairs, limit);
    CHECK(!cut.is_complete);
    CHECK(!cut.is_dense);
    CHECK(cut.pairs.empty());
    CHECK(cut.looks.pairs <= whole.looks.pairs);
  }

  // Pairs of the pile and of two boxes that cross, the last of all.
  TriangleMesh mesh = pile_of(30);
  append(needles, mesh);
  TriangleMesh crossing = make_box({1, 2, 3});
  for (const double shift : {8.0, 8.1}) {
    for (Vec3& v : crossing.vertices) v += shift * Vec3(1, 0.7, 0.3);
    append(crossing, mesh);
  }
  const FoundPairs all = self_intersecting_pairs(mesh);
  CHECK(all.is_complete);
  const double enough = work_that_is_needed(mesh, all);
  for (const double limit : {0.3 * enough, enough - 1}) {
    if (test::kAddressSanitizer && limit < enough - 1) continue;
    const FoundPairs cut = self_intersecting_pairs(mesh, kAllPairs, limit);
    CHECK(!cut.is_complete);
    CHECK(cut.count <= all.count);
    CHECK(cut.pairs.size() <= 1001);
    CHECK(std::includes(all.pairs.begin(), all.pairs.end(), cut.pairs.begin(), cut.pairs.end(),
                        comes_before));
    for (const int threads : {1, 3})
      with_threads(threads, [&] {
        const FoundPairs again = self_intersecting_pairs(mesh, kAllPairs, limit);
        CHECK(again.pairs == cut.pairs);
        CHECK(again.count == cut.count);
        CHECK(again.looks.work() == cut.looks.work());
      });
    if (limit < enough - 1) continue;
    CHECK(cut.count == all.count);
    REQUIRE(cut.pairs.size() == 1001);
    CHECK(cut.pairs.back().crosses);
    CHECK(!cut.pairs[999].crosses);
  }
}

TEST_CASE("pairs within strips and cones take looks as there are triangles") {
  const auto strips = [](std::uint32_t n) { return test::strip_box({1000, 1, 1}, n / 16); };
  const auto cone = [](std::uint32_t n) { return make_cone(1, 2, static_cast<int>(n / 2)); };
  const auto looks = [](const TriangleMesh& mesh) {
    const TriangleMesh turned = test::askew(mesh);
    const FoundPairs found = self_intersecting_pairs(turned);
    CHECK(found.is_dense);
    CHECK(found.pairs.empty());
    CHECK(found.looks.hulls > 1000);
    return static_cast<double>(found.looks.pairs + found.looks.hulls);
  };
  constexpr std::uint32_t kFew = test::kAddressSanitizer ? 1000 : 4000, kMany = 4 * kFew;
  for (const auto& [few, many] : {std::pair(looks(strips(kFew)), looks(strips(kMany))),
                                  std::pair(looks(cone(kFew)), looks(cone(kMany)))}) {
    CAPTURE(few);
    CAPTURE(many);
    CHECK(many < 5.5 * few);
    CHECK(many < 60 * kMany);
  }
}

}  // namespace
}  // namespace plimsoll
