// The diagnosis of meshes: the counts of the data folder's indexes, the status of hand-made cases.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/mesh_io.h>
#include <simdjson.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

#include "core/random.h"
#include "support/checked.h"
#include "support/mesh_parts.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

using simdjson::dom::element;

MeshStatus status_of(const TriangleMesh& mesh) {
  return examine(test::checked(weld(test::checked(mesh)))).status;
}

/// Compares each count that the entry has with the one found.
void check_counts(const element& entry, const MeshHealth& found) {
  const std::map<const char*, std::size_t> counts = {
      {"triangles", found.triangles},
      {"welded_vertices", found.vertices},
      {"boundary_edges", found.boundary_edges},
      {"nonmanifold_edges", found.nonmanifold_edges},
      {"nonmanifold_vertices", found.nonmanifold_vertices},
      {"inconsistent_edges", found.inconsistent_edges},
      {"unbalanced_edges", found.unbalanced_edges},
      {"repeated_index_triangles", found.repeated_index_triangles},
      {"zero_area_triangles", found.zero_area_triangles},
      {"duplicate_triangles", found.duplicate_triangles},
      {"shells", found.shells.size()},
      {"inward_shells", found.inward_shells},
      {"self_intersecting_pairs", found.self_intersecting_pairs.value_or(0)}};
  for (const auto& [name, count] : counts) {
    std::int64_t wanted = 0;
    if (entry[name].get_int64().get(wanted) != simdjson::SUCCESS) continue;
    CAPTURE(name);
    CHECK(count == static_cast<std::size_t>(wanted));
  }
  CHECK((found.unbalanced_edges == 0) == entry["closed_and_oriented"].get_bool().value());
}

MeshHealth examined(const std::string& name) {
  const Result<MeshFile> file = read_mesh(test::shared_data() / name);
  REQUIRE_MESSAGE(file, name, " ", file.error().message);
  HealthOptions options;
  options.check_self_intersections = true;
  return examine(test::checked(weld(test::checked(file->mesh))), options);
}

TEST_CASE("every deliberate defect is found, counted and given its status") {
  if (!test::has_shared_data()) return;
  const std::map<std::string, MeshStatus> statuses = {
      {"inverted", MeshStatus::kInverted},
      {"one-face-flipped", MeshStatus::kInconsistent},
      {"open-one-missing", MeshStatus::kOpen},
      {"soup", MeshStatus::kOk},
      {"duplicate-face", MeshStatus::kInconsistent},
      {"repeated-index", MeshStatus::kOk},
      {"zero-area", MeshStatus::kOpen},
      {"t-junction", MeshStatus::kOpen},
      {"two-share-edge", MeshStatus::kOk},
      {"two-share-vertex", MeshStatus::kOk},
      {"two-share-face", MeshStatus::kOk},
      {"cavity", MeshStatus::kOk},
      {"nested-both-out", MeshStatus::kNested},
      {"overlapping-shells", MeshStatus::kSelfIntersecting},
      {"single-triangle", MeshStatus::kOpen},
      {"two-sided-triangle", MeshStatus::kZeroVolume},
      {"flat-box", MeshStatus::kZeroVolume},
      {"far", MeshStatus::kOk},
      {"tiny", MeshStatus::kOk},
      {"huge", MeshStatus::kOk},
      {"thousand-to-one", MeshStatus::kOk},
      {"moebius", MeshStatus::kOpen}};
  simdjson::dom::parser parser;
  const element index = parser.load((test::shared_data() / "defects" / "index.json").string());
  for (const element entry : index["files"].get_array()) {
    const std::string name(entry["file"].get_string().value());
    CAPTURE(name);
    const MeshHealth found = examined(name);
    check_counts(entry, found);
    const auto wanted = statuses.find(std::filesystem::path(name).stem().string());
    if (wanted != statuses.end())
      CHECK(std::string(to_string(found.status)) == to_string(wanted->second));
  }
}

TEST_CASE("real meshes have the counts of exact arithmetic") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const element index = parser.load((test::shared_data() / "meshes" / "index.json").string());
  for (const element entry : index.get_array()) {
    const std::string name(entry["file"].get_string().value());
    if (name.ends_with(".3ds") || name.ends_with(".gz") || test::has_folded_truth(name)) continue;
    CAPTURE(name);
    const MeshHealth found = examined(name);
    check_counts(entry, found);
    if (entry["clean"].get_bool().value()) CHECK(is_sound(found.status));
  }
}

TEST_CASE("overlapping shells are found without being asked for") {
  const TriangleMesh box = make_box({2, 3, 5});
  CHECK(status_of(test::joined(box, test::moved(box, {0.5, 0.25, 1}))) ==
        MeshStatus::kSelfIntersecting);
  // Every touch is degenerate: faces in common planes, edges in faces.
  CHECK(status_of(test::joined(box, test::moved(box, {1, 0, 0}))) == MeshStatus::kSelfIntersecting);
  CHECK(status_of(test::joined(box, test::moved(box, {2, 0, 0}))) == MeshStatus::kOk);
  CHECK(status_of(test::joined(box, test::moved(box, {2, 1, 1}))) == MeshStatus::kOk);
}

TEST_CASE("shells inside one another are judged by how often space is counted") {
  const TriangleMesh large = make_box({4, 4, 4});
  const TriangleMesh middle = make_box({3, 3, 3});
  const TriangleMesh small = make_box({1, 1, 1});
  CHECK(status_of(test::joined(large, middle)) == MeshStatus::kNested);
  CHECK(status_of(test::joined(large, test::turned(middle))) == MeshStatus::kOk);
  CHECK(status_of(test::joined(test::joined(large, test::turned(middle)), small)) ==
        MeshStatus::kOk);
  CHECK(status_of(test::turned(test::joined(large, test::turned(middle)))) ==
        MeshStatus::kInverted);
  CHECK(status_of(test::joined(small, test::turned(test::moved(small, {3, 0, 0})))) ==
        MeshStatus::kInconsistent);
}

TEST_CASE("bodies that meet in too many places to be followed are not called sound") {
  TriangleMesh pile;
  for (int i = 0; i < 200; ++i) pile = test::joined(pile, make_box({1, 2, 3}));
  for (const bool check : {false, true}) {
    const MeshHealth found = examine(test::checked(pile), {.check_self_intersections = check});
    CHECK(found.status == MeshStatus::kUndecided);
    CHECK(!is_sound(found.status));
    CHECK(std::string(to_string(found.status)) == "undecided");
    CHECK(found.findings.undecided);
    CHECK(found.self_intersecting_pairs.has_value() == check);
    CHECK(!found.defects.empty());
  }
  const TriangleMesh box = make_box({1, 2, 3});
  CHECK(!examine(test::checked(test::joined(box, test::moved(box, {0.5, 0.25, 1}))))
             .findings.undecided);
}

TEST_CASE("an open box says how far its volume depends on the point of reference") {
  TriangleMesh box = make_box({1, 1, 1});
  CHECK(examine(test::checked(box)).shift_sensitivity == 0);
  box.triangles.pop_back();
  const MeshHealth open = examine(test::checked(box));
  CHECK(open.status == MeshStatus::kOpen);
  CHECK(open.boundary_edges == 3);
  // About the middle every face holds 1/6, so 11/12 is left; the missing triangle's area vector is
  // 1/2 long and the diagonal sqrt(3): d.N / 3 = sqrt(3) / 6.
  CHECK(std::abs(open.shift_sensitivity - std::sqrt(3.) / 6 / (11. / 12)) <= 1e-15);
  CHECK(std::abs(open.closure_residual - 0.5 / 5.5) <= 1e-15);
  CHECK(open.defects.size() == 3);
  CHECK(open.defects[0].kind == DefectKind::kBoundaryEdge);
}

TEST_CASE("areas are those of the faces at any size") {
  for (const int exponent : {-300, 0, 300}) {
    TriangleMesh box = make_box({1, 2, 3});
    for (Vec3& v : box.vertices) v *= std::ldexp(1.0, exponent);
    CHECK(examine(test::checked(box)).surface_area == std::ldexp(22.0, 2 * exponent));
  }
}

TEST_CASE("a triangle that names a vertex twice changes nothing, however far away") {
  for (const double far : {1e8, 1e90, 1e160, 1e305}) {
    CAPTURE(far);
    TriangleMesh box = make_box({1, 1, 1});
    box.vertices.push_back(Vec3::Constant(far));
    box.vertices.push_back({far, 0, 0});
    box.triangles.push_back({8, 8, 9});
    box.triangles.push_back({8, 9, 9});
    box.triangles.push_back({9, 8, 9});
    const MeshHealth found = examine(test::checked(box));
    CHECK(found.status == MeshStatus::kOk);
    CHECK(found.surface_area == 6);
    CHECK(found.repeated_index_triangles == 3);
    // A sheet encloses nothing, but it is there: with both its sides the solid remains one.
    box.vertices.push_back({0, far, 0});
    box.triangles.push_back({8, 9, 10});
    box.triangles.push_back({10, 9, 8});
    CHECK(examine(test::checked(box)).status == MeshStatus::kOk);
  }
}

// Corners are integers below 2^20, so that their cross products are exact in 64 bits; powers of two
// keep what lies on a line on it. More triangles than a chunk of the kernel has, each along one of
// the axes, so that few of them are near each other.
TEST_CASE("triangles on a line are counted at any size, and none that is a unit off") {
  Random random(5);
  const auto coordinate = [&] { return static_cast<std::int64_t>(random.below(1 << 18)); };
  using Point = std::array<std::int64_t, 3>;
  TriangleMesh soup;
  std::size_t on_a_line = 0;
  for (int i = 0; i < 5000; ++i) {
    const Point a{coordinate(), coordinate(), coordinate()};
    const auto side = [&] { return static_cast<std::int64_t>(random.below(1 << 7)); };
    Point d{side(), side(), side()};
    d[static_cast<std::size_t>(i) / 3 % 3] = coordinate();
    Point c{a[0] + 2 * d[0], a[1] + 2 * d[1], a[2] + 2 * d[2]};
    if (i % 3 != 0) c[i % 2] += i % 3;
    bool is_flat = true;
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3;
      is_flat = is_flat && d[k] * (c[l] - a[l]) == d[l] * (c[k] - a[k]);
    }
    on_a_line += is_flat ? 1 : 0;
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const Point& p : {a, Point{a[0] + d[0], a[1] + d[1], a[2] + d[2]}, c})
      soup.vertices.emplace_back(p[0], p[1], p[2]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  CHECK(on_a_line >= 1667);
  for (const int exponent : {-1060, -400, 0, 300, 1000}) {
    CAPTURE(exponent);
    TriangleMesh scaled = soup;
    for (Vec3& v : scaled.vertices)
      for (double& x : v) x = std::ldexp(x, exponent);
    CHECK(examine(test::checked(scaled)).zero_area_triangles == on_a_line);
  }
}

// Three thirds of the largest number, rounded, are infinite.
TEST_CASE("defects lie in their triangles' boxes up to the largest number") {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (int axis = 0; axis < 3; ++axis)
    for (const double at : {kMost, -kMost, std::nextafter(kMost, 0), 0x1p-1000, 1 / 3.0}) {
      CAPTURE(axis);
      CAPTURE(at);
      TriangleMesh mesh;  // a triangle without area, on a line
      for (const double along : {1.0, 2.0, 3.0}) {
        Vec3 v = Vec3::Constant(at);
        v[axis] = along;
        mesh.vertices.push_back(v);
      }
      mesh.triangles = {{0, 1, 2}};
      const MeshHealth health = examine(test::checked(mesh));
      REQUIRE(!health.defects.empty());
      for (const Defect& defect : health.defects)
        for (int k = 0; k < 3; ++k) {
          CAPTURE(k);
          CHECK(defect.at[k] >= (k == axis ? 1 : at));
          CHECK(defect.at[k] <= (k == axis ? 3 : at));
        }
    }
}

TEST_CASE("no more defects are listed than were asked for, the gravest first") {
  TriangleMesh sheet;
  for (std::uint32_t t = 0; t < 1000; ++t) {
    for (int i = 0; i < 3; ++i) sheet.vertices.emplace_back(t, i % 2, i / 2);
    sheet.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  const MeshHealth found = examine(test::checked(sheet));
  CHECK(found.boundary_edges == 3000);
  CHECK(found.shells.size() == 1000);
  REQUIRE(found.defects.size() == 100);
  CHECK(found.defects[99].triangle == 33);
}

}  // namespace
}  // namespace plimsoll
