// Rims of open meshes, and the volume that caps give them.
#include <plimsoll/rims.h>

#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.h"
#include "mesh/edges.h"
#include "mesh/shells.h"
#include "solid/rim_caps.h"
#include "support/approx.h"
#include "support/checked.h"
#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

// Sums of some hundred terms no larger than the body, each rounded a few times.
constexpr double kRounding = 1e-12;

/// The unit cube from 0 to 1 without the faces at x = 0 and x = 1.
TriangleMesh square_tube() {
  TriangleMesh box = test::moved(make_box({1, 1, 1}), {0.5, 0.5, 0.5});
  std::erase_if(box.triangles, [&](const Triangle& t) {
    const double x = box.vertices[t[0]].x();
    return x == box.vertices[t[1]].x() && x == box.vertices[t[2]].x();
  });
  return box;
}

// The sum over the sides alone is 2/3 about any point: it does not move, and is wrong all the same.
TEST_CASE("a tube with two open ends weighs as the cube that its caps make of it") {
  const TriangleMesh tube = square_tube();
  const MeshHealth health = examine(test::checked(tube));
  REQUIRE(health.status == MeshStatus::kOpen);
  REQUIRE(health.shift_sensitivity < 1e-15);
  REQUIRE(mass_properties(test::checked(tube)).volume == test::approx(2.0 / 3).epsilon(kRounding));
  const std::optional<Rims> found = find_rims(test::checked(tube));
  REQUIRE(found);
  REQUIRE(found->rims.size() == 2);
  CHECK(found->fan_volume == test::approx(1).epsilon(kRounding));
  CHECK(found->plane_volume == test::approx(1).epsilon(kRounding));
  CHECK(found->cap_differences < kRounding);
  for (const Rim& rim : found->rims) {
    CHECK(rim.vertices.size() == 4);
    CHECK(rim.length == test::approx(4).epsilon(kRounding));
    CHECK(rim.area == test::approx(1).epsilon(kRounding));
    CHECK(rim.fan_cap_volume == test::approx(1.0 / 6).epsilon(kRounding));
    CHECK(std::abs(std::abs(rim.center.x() - 0.5) - 0.5) < kRounding);
    CHECK((rim.center.tail<2>() - Vec2(0.5, 0.5)).norm() < kRounding);
  }
}

// Two tubes, of which the second narrows: its ends are squares of sides 2 and 1, so that it holds
// (4 + 2 + 1) / 3.
TEST_CASE("rims come the longest first, then by their first triangles, as their triangles run") {
  const TriangleMesh tube = square_tube();
  const std::size_t tube_triangles = tube.triangles.size();
  TriangleMesh narrowing = tube;
  for (Vec3& v : narrowing.vertices)
    if (v.x() == 0) v.tail<2>() *= 2;
  const TriangleMesh mesh = test::joined(tube, test::moved(narrowing, {5, 0, 0}));

  const std::optional<Rims> found = find_rims(test::checked(mesh));
  REQUIRE(found);
  REQUIRE(found->rims.size() == 4);
  CHECK(found->fan_volume == test::approx(1 + 7.0 / 3).epsilon(kRounding));
  CHECK(found->rims[0].length == test::approx(8).epsilon(kRounding));
  CHECK(found->rims[0].area == test::approx(4).epsilon(kRounding));
  CHECK((found->rims[0].center - Vec3(5, 1, 1)).norm() < 10 * kRounding);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(found->rims[i].length == test::approx(4).epsilon(kRounding));
    CHECK(found->rims[i].area == test::approx(1).epsilon(kRounding));
    if (i > 1) CHECK(found->rims[i - 1].triangle < found->rims[i].triangle);
  }
  CHECK(found->rims[0].triangle >= tube_triangles);
  CHECK(found->rims[2].triangle < tube_triangles);
  for (const Rim& rim : found->rims) {
    const auto runs_along = [&](const Triangle& t) {
      for (std::size_t k = 0; k < rim.vertices.size(); ++k)
        for (std::size_t j = 0; j < 3; ++j)
          if (t[j] == rim.vertices[k] &&
              t[(j + 1) % 3] == rim.vertices[(k + 1) % rim.vertices.size()])
            return true;
      return false;
    };
    const auto first = std::find_if(mesh.triangles.begin(), mesh.triangles.end(), runs_along);
    CHECK(first - mesh.triangles.begin() == rim.triangle);
    CHECK(std::count_if(mesh.triangles.begin(), mesh.triangles.end(), runs_along) == 4);
  }
}

TEST_CASE("a closed mesh has no rims, and its own volume") {
  const TriangleMesh ball = make_icosphere(1, 2);
  const std::optional<Rims> found = find_rims(test::checked(ball));
  REQUIRE(found);
  CHECK(found->rims.empty());
  CHECK(found->fan_volume ==
        test::approx(mass_properties(test::checked(ball)).volume).epsilon(kRounding));
}

// The cube without its faces x = 1 and z = 1. The wire of the six edges left has its center at
// (2/3, 1/2, 2/3): the fan from there takes two pyramids of base 1 and height 1/3 off the cube. The
// plane that fits is x + z = 4/3, and leaves a prism of section 1/2 + 1/3.
TEST_CASE("caps of a rim that is not flat differ, and the difference is stated") {
  TriangleMesh box = test::moved(make_box({1, 1, 1}), {0.5, 0.5, 0.5});
  std::erase_if(box.triangles, [&](const Triangle& t) {
    const auto all_at_one = [&](int axis) {
      return std::all_of(t.begin(), t.end(),
                         [&](std::uint32_t v) { return box.vertices[v][axis] == 1; });
    };
    return all_at_one(0) || all_at_one(2);
  });
  const std::optional<Rims> found = find_rims(test::checked(box));
  REQUIRE(found);
  REQUIRE(found->rims.size() == 1);
  CHECK((found->rims[0].center - Vec3(2.0 / 3, 0.5, 2.0 / 3)).norm() < kRounding);
  CHECK(found->fan_volume == test::approx(7.0 / 9).epsilon(kRounding));
  CHECK(found->plane_volume == test::approx(5.0 / 6).epsilon(kRounding));
  CHECK(found->cap_differences == test::approx(1.0 / 18).epsilon(kRounding));
}

// Holes that share vertices, but no edge: rims touch and branch, and each still runs around its own
// hole, for the surface is smooth enough to tell left from right.
TEST_CASE("holes of single triangles are closed exactly, wherever they touch") {
  Random random(12);
  const TriangleMesh whole = make_icosphere(1, 2);
  const double volume = mass_properties(test::checked(whole)).volume;
  const std::size_t count = whole.vertices.size();
  for (int trial = 0; trial < 200; ++trial) {
    TriangleMesh holed = whole;
    std::vector<bool> is_rim(count * count, false);
    std::size_t holes = 0;
    for (std::size_t i = 0; i < whole.triangles.size() / 2; ++i) {
      const std::size_t at = random.below(holed.triangles.size());
      const Triangle t = holed.triangles[at];
      const auto edge = [&](std::size_t k) { return count * t[k] + t[(k + 1) % 3]; };
      const auto back = [&](std::size_t k) { return count * t[(k + 1) % 3] + t[k]; };
      if (is_rim[back(0)] || is_rim[back(1)] || is_rim[back(2)]) continue;
      for (std::size_t k = 0; k < 3; ++k) is_rim[edge(k)] = true;
      holed.triangles.erase(holed.triangles.begin() + static_cast<std::ptrdiff_t>(at));
      ++holes;
    }
    const std::optional<Rims> found = find_rims(test::checked(holed));
    REQUIRE(found);
    REQUIRE(found->rims.size() == holes);
    REQUIRE(found->fan_volume == test::approx(volume).epsilon(kRounding));
    REQUIRE(found->plane_volume == test::approx(volume).epsilon(kRounding));
  }
}

// Caps make the surface closed, so the capped volume stands still when the body moves.
TEST_CASE("the capped volume does not depend on where the body is, nor on its numbering") {
  Random random(13);
  for (int trial = 0; trial < 300; ++trial) {
    TriangleMesh soup;
    const std::size_t points = 4 + random.below(8);
    for (std::size_t i = 0; i < points; ++i)
      soup.vertices.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1),
                                 random.uniform(-1, 1));
    for (std::size_t i = 0; i < 12; ++i) {
      Triangle t;
      for (std::uint32_t& v : t) v = static_cast<std::uint32_t>(random.below(points));
      soup.triangles.push_back(t);
    }
    const std::optional<Rims> here = find_rims(test::checked(soup));
    const std::optional<Rims> there = find_rims(test::checked(test::moved(soup, {3, -2, 7})));
    const std::optional<Rims> inside_out = find_rims(test::checked(test::turned(soup)));
    REQUIRE(here.has_value() == there.has_value());
    REQUIRE(here.has_value() == inside_out.has_value());
    if (!here) continue;
    CHECK(std::abs(here->fan_volume - there->fan_volume) < 1e-11);
    CHECK(here->rims.size() == there->rims.size());
    for (const Rim& rim : here->rims) CHECK(rim.vertices.size() >= 2);
  }
}

TEST_CASE("an edge that both of its triangles run along the same way has no caps") {
  TriangleMesh tube = square_tube();
  std::swap(tube.triangles[0][1], tube.triangles[0][2]);
  CHECK(!find_rims(test::checked(tube)));
}

// A wall inside a box: its edges at the box are of three triangles. Its own cap takes it away.
TEST_CASE("a wall that ends at the skin of a body counts for nothing when it is capped") {
  TriangleMesh box = test::moved(make_box({1, 1, 1}), {0.5, 0.5, 0.5});
  const auto corner = [&](double x, double y, double z) {
    for (std::uint32_t v = 0; v < box.vertices.size(); ++v)
      if (box.vertices[v] == Vec3(x, y, z)) return v;
    return 0u;
  };
  const std::uint32_t a = corner(0, 0, 0);
  const std::uint32_t b = corner(1, 0, 0);
  box.vertices.emplace_back(0.5, 0.5, 0.5);
  box.triangles.push_back({a, b, 8});
  const std::optional<Rims> found = find_rims(test::checked(box));
  REQUIRE(found);
  REQUIRE(found->rims.size() == 1);
  CHECK(found->rims[0].vertices.size() == 3);
  CHECK(found->fan_volume == test::approx(1).epsilon(kRounding));
}

TEST_CASE("sizes near the ends of the doubles leave the capped volume what it is") {
  for (const double size : {1e-90, 1e90}) {
    TriangleMesh tube = square_tube();
    for (Vec3& v : tube.vertices) v *= size;
    const std::optional<Rims> found = find_rims(test::checked(tube));
    REQUIRE(found);
    CHECK(found->fan_volume / size / size / size == test::approx(1).epsilon(kRounding));
    CHECK(found->rims[0].length / size == test::approx(4).epsilon(kRounding));
  }
}

// Corners of faces shaken apart by 1e-6 along each axis are at most 2 sqrt(3) 1e-6 apart; at 1e-7
// none of them meet but by chance.
TEST_CASE(
    "the least tolerance that closes a shaken mesh is found, and none where a face is missing") {
  Random random(14);
  const std::array<double, 8> tolerances{1e-9, 1e-8, 1e-7, 1e-6, 2e-6, 3e-6, 4e-6, 1e-5};
  for (int trial = 0; trial < 50; ++trial) {
    TriangleMesh apart;
    for (const Triangle& t : make_icosphere(1, 2).triangles) {
      const auto first = static_cast<std::uint32_t>(apart.vertices.size());
      for (const std::uint32_t v : t)
        apart.vertices.push_back(make_icosphere(1, 2).vertices[v] +
                                 Vec3(random.uniform(-1e-6, 1e-6), random.uniform(-1e-6, 1e-6),
                                      random.uniform(-1e-6, 1e-6)));
      apart.triangles.push_back({first, first + 1, first + 2});
    }
    const std::optional<double> found = *closing_tolerance(test::checked(apart), tolerances);
    REQUIRE(found);
    REQUIRE(*found > 1e-6);
    REQUIRE(*found <= 4e-6);
    REQUIRE(examine(test::checked(weld(test::checked(apart), *found)->mesh)).status ==
            MeshStatus::kOk);
    for (const double smaller : tolerances)
      if (smaller < *found)
        REQUIRE(examine(test::checked(weld(test::checked(apart), smaller)->mesh)).status ==
                MeshStatus::kOpen);
    apart.triangles.pop_back();
    REQUIRE(!*closing_tolerance(test::checked(apart), tolerances));
  }
  CHECK(!*closing_tolerance(test::checked(square_tube()), tolerances));
  CHECK(!*closing_tolerance(test::checked(make_box({1, 1, 1})), tolerances));
  CHECK(!*closing_tolerance(test::checked(square_tube()), {}));
}

TEST_CASE("nothing, and triangles that name a vertex twice, have no rims") {
  CHECK(find_rims(test::checked(TriangleMesh{}))->rims.empty());
  CHECK(find_rims(test::checked(TriangleMesh{{{0, 0, 0}, {1, 0, 0}}, {{0, 1, 1}}}))->rims.empty());
}

// The hull of a rim of four corners is their tetrahedron. A point is as far from it at least as it
// is above the face that it is farthest above. Near to the hull the answer is free: where the hull
// is four times as long as thick, three hundredths of its size are more than that takes.
TEST_CASE("points outside the hull of a rim are told from those inside") {
  Random random(62);
  int outside = 0, inside = 0;
  for (int round = 0; round < 300; ++round) {
    const Vec3 shape(1, std::exp2(random.uniform(-2, 0)), std::exp2(random.uniform(-2, 0)));
    const Mat3 turn = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1),
                                         random.uniform(-1, 1), random.uniform(-1, 1))
                          .normalized()
                          .toRotationMatrix();
    TriangleMesh sheet;
    for (int k = 0; k < 4; ++k)
      sheet.vertices.push_back(turn *
                               shape.cwiseProduct(Vec3(random.uniform(-1, 1), random.uniform(-1, 1),
                                                       random.uniform(-1, 1))));
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    const MeshView view(sheet);
    const Edges edges = find_edges(view);
    const RimCaps caps(view, edges, find_shells(view, edges));
    const Box3 box = bounding_box(test::checked(sheet));
    for (int i = 0; i < 40; ++i) {
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = random.uniform(box.min()[k], box.max()[k]);
      double above = -1;
      for (std::size_t k = 0; k < 4; ++k) {
        const Vec3 &a = sheet.vertices[(k + 1) % 4], &b = sheet.vertices[(k + 2) % 4],
                   &c = sheet.vertices[(k + 3) % 4], &opposite = sheet.vertices[k];
        Vec3 normal = (b - a).cross(c - a).normalized();
        if (normal.dot(opposite - a) > 0) normal = -normal;
        above = std::max(above, normal.dot(p - a));
      }
      if (above < 0) CHECK_FALSE(caps.is_clear_of(p));
      if (above > 0.03 * box.sizes().maxCoeff()) CHECK(caps.is_clear_of(p));
      (above < 0 ? inside : outside) += 1;
    }
  }
  CHECK(outside > 1000);
  CHECK(inside > 300);
}

}  // namespace
}  // namespace plimsoll
