// What is wrong with meshes that do not close, beside their rims.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "solid/assembly.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

constexpr double kTop = 8;  // the rim is there, and all else below

/// Without the triangles at the top.
TriangleMesh without_lid(const TriangleMesh& mesh) {
  TriangleMesh open = mesh;
  std::erase_if(open.triangles, [&](const Triangle& t) {
    return std::all_of(t.begin(), t.end(),
                       [&](std::uint32_t v) { return mesh.vertices[v].z() == kTop; });
  });
  return open;
}

TriangleMesh moved_by(const Mat3& turn, TriangleMesh mesh) {
  for (Vec3& v : mesh.vertices) v = turn * v;
  return mesh;
}

MeshFindings findings_of(const TriangleMesh& mesh, bool count_pairs = false) {
  return examine(test::checked(mesh), {.check_self_intersections = count_pairs}).findings;
}

MeshStatus status_when_dry(const TriangleMesh& mesh) {
  return worst_of(findings_of(mesh), RimUse::kDry);
}

/// An open hull, as deep as it is high, and a box.
TriangleMesh hull_and(const Vec3& low, const Vec3& high, bool outward = true) {
  return without_lid(test::Assembly()
                         .add_box(Vec3(0, 0, 0), Vec3(8, 8, kTop))
                         .add_box(low, high, outward)
                         .welded());
}

TEST_CASE("a dry rim excuses the rim alone") {
  const TriangleMesh hull =
      without_lid(test::Assembly().add_box(Vec3(0, 0, 0), Vec3(8, 8, kTop)).welded());
  CHECK(status_when_dry(hull) == MeshStatus::kOk);
  CHECK(status_when_dry(test::turned(hull)) == MeshStatus::kInverted);
  CHECK(worst_of(findings_of(hull)) == MeshStatus::kOpen);

  CHECK(status_when_dry(hull_and({3, 3, 1}, {5, 5, 3})) == MeshStatus::kNested);
  CHECK(status_when_dry(hull_and({6, 3, 1}, {10, 5, 3})) == MeshStatus::kSelfIntersecting);
  CHECK(status_when_dry(hull_and({10, 3, 1}, {12, 5, 3}, test::kInward)) ==
        MeshStatus::kInconsistent);
  CHECK(status_when_dry(hull_and({10, 3, 1}, {12, 5, 3})) == MeshStatus::kOk);
  CHECK(status_when_dry(hull_and({8, 3, 1}, {12, 5, 3})) == MeshStatus::kOk);  // touches a side
  CHECK(status_when_dry(hull_and({3, 3, 1}, {5, 5, 3}, test::kInward)) == MeshStatus::kOk);
  CHECK(status_when_dry(test::turned(hull_and({10, 3, 1}, {12, 5, 3}, test::kInward))) ==
        MeshStatus::kInconsistent);
  // A post on the bottom, out through the rim: below the space is counted twice, and seen to be
  // whichever of its ends comes first.
  TriangleMesh post = hull_and({3, 3, 1}, {5, 5, 12});
  CHECK(!is_sound(status_when_dry(post)));
  std::reverse(post.triangles.begin(), post.triangles.end());
  CHECK(!is_sound(status_when_dry(post)));
}

TEST_CASE("sheets that pass through each other do so without an inside") {
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  TriangleMesh upright = sheet;
  for (Vec3& v : upright.vertices) v = Vec3(v.x() + 0.5, 1, v.y() - 1.5);
  CHECK(findings_of(test::joined(sheet, upright)).self_intersecting);
  CHECK(!findings_of(test::joined(sheet, test::moved(upright, {0, 9, 0}))).self_intersecting);
}

TEST_CASE("all findings of a mesh are named, whatever its status") {
  TriangleMesh mesh = without_lid(test::Assembly()
                                      .add_box(Vec3(0, 0, 0), Vec3(8, 8, kTop))
                                      .add_box(Vec3(3, 3, 1), Vec3(5, 5, 3))
                                      .add_box(Vec3(10, 0, 0), Vec3(11, 1, 1), test::kInward)
                                      .welded());
  const MeshHealth health = examine(test::checked(mesh));
  CHECK(health.status == MeshStatus::kOpen);
  CHECK(health.findings.open);
  CHECK(health.findings.nested);
  CHECK(health.findings.opposed);
  CHECK(!health.findings.inconsistent);
  CHECK(!health.findings.self_intersecting);
  const auto has = [&](DefectKind kind) {
    return std::any_of(health.defects.begin(), health.defects.end(),
                       [&](const Defect& defect) { return defect.kind == kind; });
  };
  CHECK(has(DefectKind::kBoundaryEdge));
  CHECK(has(DefectKind::kNestedShell));
  CHECK(has(DefectKind::kInwardShell));
}

TEST_CASE("pieces turned opposite ways are told apart along dry edges too") {
  // The sides above z = 4 are turned inward, where all edges that do not balance are.
  TriangleMesh hull = without_lid(test::Assembly().add_box({0, 8}, {0, 8}, {0, 4, kTop}).welded());
  const MeshFindings before = findings_of(hull);
  CHECK(!before.inconsistent);
  CHECK(!before.opposed);
  for (Triangle& t : hull.triangles)
    if (std::all_of(t.begin(), t.end(), [&](std::uint32_t v) { return hull.vertices[v].z() >= 4; }))
      std::swap(t[0], t[1]);
  const MeshFindings found = findings_of(hull);
  CHECK(found.inconsistent);
  CHECK(found.opposed);
  CHECK(worst_of(found, RimUse::kDry) == MeshStatus::kInconsistent);
}

TEST_CASE("a face turned over is a fault wherever the plane is") {
  TriangleMesh box = test::Assembly().add_box({0, 8}, {0, 8}, {0, kTop}).welded();
  TriangleMesh hull = without_lid(box);
  for (TriangleMesh* mesh : {&box, &hull}) {
    std::swap(mesh->triangles[0][0], mesh->triangles[0][1]);
    CHECK(status_when_dry(*mesh) == MeshStatus::kInconsistent);
  }
  // Three triangles at an edge: a sheet that stands on the floor.
  hull = without_lid(test::Assembly().add_box({0, 8}, {0, 4, 8}, {0, kTop}).welded());
  CHECK(status_when_dry(hull) == MeshStatus::kOk);
  const auto at = [&](const Vec3& p) {
    return static_cast<std::uint32_t>(std::find(hull.vertices.begin(), hull.vertices.end(), p) -
                                      hull.vertices.begin());
  };
  const std::uint32_t left = at({0, 4, 0}), right = at({8, 4, 0});
  REQUIRE(std::max(left, right) < hull.vertices.size());
  hull.vertices.emplace_back(4, 4, 9);
  hull.triangles.push_back({left, right, static_cast<std::uint32_t>(hull.vertices.size() - 1)});
  CHECK(status_when_dry(hull) == MeshStatus::kInconsistent);
}

TEST_CASE("two open hulls are judged like two closed ones") {
  const auto pair_of = [](const Vec3& low, const Vec3& high, bool outward) {
    return without_lid(test::Assembly()
                           .add_box(Vec3(0, 0, 0), Vec3(8, 8, kTop))
                           .add_box(low, high, outward)
                           .welded());
  };
  CHECK(status_when_dry(pair_of({9, 0, 0}, {12, 8, kTop}, true)) == MeshStatus::kOk);
  CHECK(status_when_dry(pair_of({9, 0, 0}, {12, 8, kTop}, false)) == MeshStatus::kInconsistent);
  CHECK(status_when_dry(pair_of({1, 1, 1}, {7, 7, kTop}, false)) == MeshStatus::kOk);  // a wall
  CHECK(status_when_dry(pair_of({1, 1, 1}, {7, 7, kTop}, true)) == MeshStatus::kNested);
  CHECK(status_when_dry(pair_of({4, 4, 1}, {12, 7, kTop}, true)) == MeshStatus::kSelfIntersecting);
}

TEST_CASE("a beam through what closes the rims in thought is no fault") {
  // The deck between two floats rises over their rims.
  TriangleMesh floats = without_lid(test::Assembly()
                                        .add_box(Vec3(0, 0, 0), Vec3(3, 8, kTop))
                                        .add_box(Vec3(9, 0, 0), Vec3(12, 8, kTop))
                                        .add_box(Vec3(4, 3, 5), Vec3(8, 5, 11))
                                        .welded());
  CHECK(status_when_dry(floats) == MeshStatus::kOk);
}

/// A prism over an L, without its roof; `height` of the edge in its corner.
TriangleMesh open_corner(double height) {
  const Vec3 corners[6] = {{0, 0, 0}, {9, 0, 0}, {9, 3, 0}, {3, 3, 0}, {3, 9, 0}, {0, 9, 0}};
  TriangleMesh prism;
  for (const double z : {0.0, kTop})
    for (const Vec3& corner : corners) prism.vertices.push_back(corner + Vec3(0, 0, z));
  prism.vertices[9].z() = height;
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    prism.triangles.push_back({i, j, j + 6});
    prism.triangles.push_back({i, j + 6, i + 6});
  }
  for (const Triangle& t :
       {Triangle{0, 3, 1}, Triangle{1, 3, 2}, Triangle{0, 5, 3}, Triangle{3, 5, 4}})
    prism.triangles.push_back(t);
  return prism;
}

TEST_CASE("a rim that is not convex, in no plane of the axes, hides nothing below it") {
  const TriangleMesh prism = open_corner(kTop);
  const auto with_box = [&](const Vec3& low, bool outward) {
    TriangleMesh box = test::moved(make_box({1, 1, 1}), low + Vec3(0.5, 0.5, 0.5));
    if (!outward) box = test::turned(box);
    return moved_by(test::some_turn(), test::joined(prism, box));
  };
  CHECK(status_when_dry(moved_by(test::some_turn(), prism)) == MeshStatus::kOk);
  for (const double z : {1.0, 4.0, 6.5}) {
    CAPTURE(z);
    CHECK(status_when_dry(with_box({1, 1, z}, true)) == MeshStatus::kNested);
    CHECK(status_when_dry(with_box({1, 1, z}, false)) == MeshStatus::kOk);
    CHECK(status_when_dry(with_box({5, 5, z}, true)) == MeshStatus::kOk);
    CHECK(status_when_dry(with_box({5, 5, z}, false)) == MeshStatus::kInconsistent);
    CHECK(status_when_dry(with_box({5, 2.5, z}, true)) == MeshStatus::kSelfIntersecting);
  }
}

TEST_CASE("what lies between the edges of a rim is no fault, on whichever side of a cap") {
  // Beside the raised edge, where the fan over the rim is folded.
  const TriangleMesh beside = test::moved(make_box({0.4, 0.4, 0.4}), {3.5, 3.5, 9.3});
  CHECK(status_when_dry(test::joined(open_corner(12), beside)) == MeshStatus::kOk);
  CHECK(status_when_dry(test::joined(open_corner(12), test::moved(beside, {0, 0, -7}))) ==
        MeshStatus::kOk);
  CHECK(status_when_dry(test::joined(open_corner(12), test::moved(beside, {-2, -2, -7}))) ==
        MeshStatus::kNested);
}

// The oracle: with its lid the mesh closes, and is judged by other rules.
TEST_CASE("without its lid a mesh has the faults that it has with it") {
  Random random(11);
  int faulty = 0, sound = 0;
  for (int i = test::campaign(4000); i > 0; --i) {
    CAPTURE(i);
    const auto number = [&](double low, double high) {
      return low + static_cast<double>(random.below(static_cast<std::uint64_t>(high - low)));
    };
    test::Assembly assembly;
    assembly.add_box(Vec3(0, 0, 0), Vec3(6, 6, kTop), random.below(8) != 0);
    if (random.below(3) == 0) assembly.add_box(Vec3(8, 0, 0), Vec3(12, 6, kTop));
    for (std::uint64_t boxes = random.below(3); boxes > 0; --boxes) {
      const Vec3 low(number(-2, 12), number(-2, 6), number(-2, 5));
      assembly.add_box(low, low + Vec3(number(1, 4), number(1, 4), number(1, 3)),
                       random.below(3) != 0);
    }
    TriangleMesh closed = assembly.welded();
    TriangleMesh open = without_lid(closed);
    if (i % 2 == 0) {
      closed = moved_by(test::some_turn(), closed);
      open = moved_by(test::some_turn(), open);
    }
    for (const bool count_pairs : {false, true}) {
      const MeshFindings with = findings_of(closed, count_pairs);
      const MeshFindings found = findings_of(open, count_pairs);
      REQUIRE(found.open);
      const bool is_fine = is_sound(worst_of(with));
      REQUIRE(is_sound(worst_of(found, RimUse::kDry)) == is_fine);
      REQUIRE(found.self_intersecting == with.self_intersecting);
      if (with.self_intersecting) continue;
      REQUIRE(found.nested == with.nested);
      REQUIRE(found.opposed == with.opposed);
      if (is_fine) REQUIRE(found.inverted == with.inverted);
      ++(is_fine ? sound : faulty);
    }
  }
  CHECK(faulty > 10);
  CHECK(sound > 10);
}

// Each lies in the hull of its own rim, so that none is judged but for passing through others.
TEST_CASE("a soup that its rims hide is undecided only where it has too many pieces to try") {
  const auto soup = [](int count) {
    TriangleMesh mesh;
    for (int i = 0; i < count; ++i) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0.5)})
        mesh.vertices.emplace_back(p + Vec3(3 * i, 0, 0));
      mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
  };
  const MeshFindings apart = findings_of(soup(4000));
  CHECK(apart.open);
  CHECK_FALSE(apart.self_intersecting);
  CHECK(worst_of(apart, RimUse::kDry) == MeshStatus::kOk);
  TriangleMesh across;  // through the first of them
  across.vertices = {{0.2, 0.2, -1}, {0.2, 0.3, 1}, {0.3, 0.2, 1}};
  across.triangles = {{0, 1, 2}};
  const TriangleMesh crossed = test::joined(soup(4000), across);
  CHECK(findings_of(crossed).self_intersecting);
  const MeshFindings many = findings_of(soup(33'000));
  CHECK(many.undecided);
  CHECK_FALSE(many.self_intersecting);
}

}  // namespace
}  // namespace plimsoll
