#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/sphere_packing.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "spheres/open_voxels.h"
#include "support/approx.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

OpenPacking pack(const TriangleMesh& surface, std::size_t resolution,
                 const PackingOptions& options = {.max_count = 100}) {
  Result<OpenPacking> packing =
      pack_spheres_in_open(*CheckedMesh::borrow(surface), resolution, options);
  REQUIRE_MESSAGE(packing, packing.error().message);
  return *std::move(packing);
}

/// The solid angles of all triangles, one after the other, over 4 pi: by the angles of spherical
/// triangles (Girard), which shares no formula with the library.
double winding_by_angles(const TriangleMesh& mesh, const Vec3& point) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    std::array<Vec3, 3> to;
    for (std::size_t i = 0; i < 3; ++i) to[i] = (mesh.vertices[t[i]] - point).normalized();
    const double side = to[0].dot(to[1].cross(to[2]));
    double excess = -std::numbers::pi;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 a = to[i].cross(to[(i + 1) % 3]), b = to[i].cross(to[(i + 2) % 3]);
      excess += std::acos(std::clamp(a.dot(b) / (a.norm() * b.norm()), -1.0, 1.0));
    }
    if (side != 0) sum += std::copysign(excess, side);
  }
  return sum / (4 * std::numbers::pi);
}

/// From a triangle: over its face, or along its sides.
double distance_from(const Vec3& p, const std::array<Vec3, 3>& t) {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0], n = u.cross(v);
  const Vec3 off = p - t[0];
  const double x = off.cross(v).dot(n) / n.squaredNorm(), y = u.cross(off).dot(n) / n.squaredNorm();
  if (x >= 0 && y >= 0 && x + y <= 1) return std::abs(off.dot(n)) / n.norm();
  double least = (p - t[0]).norm();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 side = t[(i + 1) % 3] - t[i];
    const double along = std::clamp((p - t[i]).dot(side) / side.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (p - t[i] - along * side).norm());
  }
  return least;
}

/// Without the two triangles of its top.
TriangleMesh box_without_lid(const Vec3& size) {
  TriangleMesh box = make_box(size);
  std::erase_if(box.triangles, [&](const Triangle& t) {
    return std::all_of(t.begin(), t.end(),
                       [&](std::uint32_t v) { return box.vertices[v].z() > 0; });
  });
  return box;
}

/// Each triangle with vertices of its own, drawn in toward its middle by a share.
TriangleMesh torn(const TriangleMesh& mesh, double share) {
  TriangleMesh apart;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 middle = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3;
    const auto first = static_cast<std::uint32_t>(apart.vertices.size());
    for (const std::uint32_t v : t)
      apart.vertices.push_back(mesh.vertices[v] + share * (middle - mesh.vertices[v]));
    apart.triangles.push_back({first, first + 1, first + 2});
  }
  return apart;
}

/// Spheres reach through no triangle, overlap nowhere, and hold no center of the lattice that the
/// surface does not wind around.
void check_spheres(const TriangleMesh& mesh, std::size_t resolution, const OpenPacking& packing,
                   double side = 1) {
  const std::vector<PlacedSphere>& spheres = packing.packing.spheres;
  REQUIRE(!spheres.empty());
  const Box3 box = bounding_box(*CheckedMesh::borrow(mesh));
  const double edge = box.sizes().maxCoeff() / static_cast<double>(resolution);
  const double rounding = 1e-13 * box.sizes().norm();
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const auto& [center, radius] = spheres[i];
    CHECK(side * winding_by_angles(mesh, center) > 0.5);
    double least = radius;
    for (const Triangle& t : mesh.triangles)
      least = std::min(least, distance_from(center, {mesh.vertices[t[0]], mesh.vertices[t[1]],
                                                     mesh.vertices[t[2]]}));
    CHECK(least >= radius - rounding);
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, (center - spheres[j].center).norm() - spheres[j].radius);
    CHECK(least >= radius - rounding);
    if (i >= 3) continue;
    // Other centers are whole edges away.
    const int reach = static_cast<int>(radius / edge);
    for (int x = -reach; x <= reach; ++x)
      for (int y = -reach; y <= reach; ++y)
        for (int z = -reach; z <= reach; ++z) {
          const Vec3 away = edge * Vec3(x, y, z);
          if (away.norm() < radius - rounding)
            CHECK(side * winding_by_angles(mesh, center + away) > 0.5);
        }
  }
}

TEST_CASE("squares of distances are those to the nearest center that is not marked") {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    const CubePlace counts{1 + static_cast<std::uint32_t>(random.below(9)),
                           1 + static_cast<std::uint32_t>(random.below(9)),
                           1 + static_cast<std::uint32_t>(random.below(9))};
    std::vector<char> marked(std::size_t{counts[0]} * counts[1] * counts[2]);
    for (char& mark : marked) mark = random.below(8) != 0;
    const std::vector<std::uint32_t> squares = squared_distances_within(marked, counts);
    const auto at = [&](int x, int y, int z) {
      return (x * int(counts[1]) + y) * int(counts[2]) + z;
    };
    const auto is_marked = [&](int x, int y, int z) {
      return x >= 0 && y >= 0 && z >= 0 && x < int(counts[0]) && y < int(counts[1]) &&
             z < int(counts[2]) && marked[at(x, y, z)] != 0;
    };
    for (int x = 0; x < int(counts[0]); ++x)
      for (int y = 0; y < int(counts[1]); ++y)
        for (int z = 0; z < int(counts[2]); ++z) {
          int least = 1000;
          for (int i = -1; i <= int(counts[0]); ++i)
            for (int j = -1; j <= int(counts[1]); ++j)
              for (int k = -1; k <= int(counts[2]); ++k)
                if (!is_marked(i, j, k))
                  least =
                      std::min(least, (i - x) * (i - x) + (j - y) * (j - y) + (k - z) * (k - z));
          CHECK(squares[at(x, y, z)] == static_cast<std::uint32_t>(least));
        }
  }
}

TEST_CASE("a box without its lid is packed to where the lid was") {
  // From a point of the lid's plane within the rim, the rest and its mirror image are all of the
  // sky: the winding number is 1/2 there, and all centers below are inside.
  const Vec3 size(1, 0.8, 0.6);
  const TriangleMesh box = box_without_lid(size);
  REQUIRE(box.triangles.size() == 10);
  const OpenPacking packing = pack(box, 20);
  CHECK(packing.packing.solid_volume == test::approx(size.prod()).epsilon(1e-12));
  CHECK(packing.solid.volume == packing.packing.solid_volume);
  CHECK(packing.solid.center_of_mass.norm() < 1e-12);  // the box is about the origin
  for (int i = 0; i < 3; ++i) {
    const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
    CHECK(packing.solid.inertia(i, i) ==
          test::approx(size.prod() * (a * a + b * b) / 12).epsilon(1e-12));
  }
  CHECK(std::isinf(packing.solid.error_bound.volume));
  CHECK_FALSE(packing.solid.inverted);
  check_spheres(box, 20, packing);
  CHECK(packing.packing.spheres.front().radius == test::approx(0.3).epsilon(0.1));

  // Turned inward it is the same.
  const OpenPacking inward = pack(test::turned(box), 20);
  CHECK(inward.solid.inverted);
  REQUIRE(inward.packing.spheres.size() == packing.packing.spheres.size());
  for (std::size_t i = 0; i < inward.packing.spheres.size(); ++i)
    CHECK(inward.packing.spheres[i].radius == packing.packing.spheres[i].radius);
  CHECK(inward.doubtful_share == packing.doubtful_share);
}

// Of a bar as thin as a third of a cube, cubes have what is in its box.
TEST_CASE(
    "a body that is thinner than a cube has the volume of its box, none of which is certain") {
  const OpenPacking bar = pack(box_without_lid({1, 0.01, 0.01}), 33);
  CHECK(bar.solid.volume == test::approx(1e-4).epsilon(1e-12));
  CHECK(bar.cut_share == 1);
  // Of 20 x 16 x 12 cubes those in the walls, and none at the lid, where inside ends with the
  // lattice.
  const OpenPacking box = pack(box_without_lid({1, 0.8, 0.6}), 20);
  CHECK(box.cut_share == test::approx(1 - 18.0 * 14 * 11 / (20 * 16 * 12)).epsilon(1e-12));
}

TEST_CASE("what share is doubtful is what random points say") {
  TriangleMesh ball = make_sphere(1, 24, 32);
  std::erase_if(ball.triangles, [&](const Triangle& t) {
    return ball.vertices[t[0]].z() + ball.vertices[t[1]].z() + ball.vertices[t[2]].z() > 1.5;
  });
  const OpenPacking packing = pack(ball, 40);
  check_spheres(ball, 40, packing);
  Random random(11);
  const Box3 box = bounding_box(*CheckedMesh::borrow(ball));
  int likely = 0, doubtful = 0, inside = 0;
  constexpr int kPoints = 6000;
  for (int i = 0; i < kPoints; ++i) {
    const Vec3 part(random.unit(), random.unit(), random.unit());
    const double winding = winding_by_angles(ball, box.min() + part.cwiseProduct(box.sizes()));
    likely += winding >= 0.25;
    doubtful += winding >= 0.25 && winding < 0.75;
    inside += winding > 0.5;
  }
  // Five standard deviations of what is counted at random; the lattice's own error is far less.
  const double share = double(doubtful) / likely, part = double(inside) / kPoints;
  CHECK(share > 0.05);
  CHECK(std::abs(packing.doubtful_share - share) < 5 * std::sqrt(share * (1 - share) / likely));
  CHECK(std::abs(packing.solid.volume / box.volume() - part) <
        5 * std::sqrt(part * (1 - part) / kPoints));
}

// A shallow bowl winds by less than 1/2 the other way around more of its box than it holds.
TEST_CASE("a shallow bowl holds what is in it, whichever way it winds around the rest") {
  TriangleMesh bowl = make_sphere(1, 40, 32);
  std::erase_if(bowl.triangles, [&](const Triangle& t) {
    return std::any_of(t.begin(), t.end(),
                       [&](std::uint32_t v) { return bowl.vertices[v].z() > -0.7; });
  });
  const OpenPacking packing = pack(bowl, 40);
  CHECK_FALSE(packing.solid.inverted);
  const Box3 box = bounding_box(*CheckedMesh::borrow(bowl));
  const double height = box.sizes().z();
  const double cap = std::numbers::pi * height * height * (3 - height) / 3;
  // What is wrong with a count of cubes is in those that the surface passes through.
  CHECK(std::abs(packing.solid.volume - cap) < packing.cut_share * packing.solid.volume);
  CHECK(packing.cut_share < 0.5);
}

TEST_CASE("cubes are cut where the surface is near, and where a neighbor is on the other side") {
  // Open at a slant, so that inside ends within the lattice.
  const Similarity pose(Eigen::AngleAxisd(0.6, Vec3(1, 2, -1).normalized()));
  const TriangleMesh box = test::moved(box_without_lid({1, 0.8, 0.6}), pose);
  const MeshTree tree(*CheckedMesh::borrow(box));
  const OpenVoxels open = open_voxels(tree, 16, [] { return true; }).value().value();
  const SolidVoxels& voxels = open.voxels;
  const auto center = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return voxels.to_meters(SolidVoxels::center_of({x, y, z}));
  };
  const auto is_inside = [&](const Vec3& point) { return winding_by_angles(box, point) > 0.5; };
  double all = 0, cut = 0;
  for (std::uint32_t x = 0; x < voxels.counts[0]; ++x)
    for (std::uint32_t y = 0; y < voxels.counts[1]; ++y)
      for (std::uint32_t z = 0; z < voxels.counts[2]; ++z) {
        const Vec3 at = center(x, y, z);
        if (!is_inside(at)) continue;
        double least = 1;
        for (const Triangle& t : box.triangles)
          least = std::min(least, distance_from(at, {box.vertices[t[0]], box.vertices[t[1]],
                                                     box.vertices[t[2]]}));
        bool is_cut = least <= std::numbers::sqrt3 / 2 * voxels.edge;
        for (int axis = 0; axis < 3; ++axis)
          for (const int step : {-1, 1}) {
            std::array<int, 3> place{static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
            place[axis] += step;
            if (place[axis] < 0 || place[axis] >= static_cast<int>(voxels.counts[axis])) continue;
            is_cut = is_cut || !is_inside(at + step * voxels.edge * Vec3::Unit(axis));
          }
        const Vec3 half = Vec3::Constant(voxels.edge / 2);
        const double volume = Box3(at - half, at + half).intersection(tree.box()).volume();
        all += volume;
        if (is_cut) cut += volume;
      }
  CHECK(open.moments.volume == test::approx(all).epsilon(1e-9));
  CHECK(open.cut_share == test::approx(cut / all).epsilon(1e-9));
}

TEST_CASE("a closed surface is packed as a solid is, and nothing of it is doubtful") {
  const TriangleMesh knot = make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.12}, 60, 10);
  const OpenPacking open = pack(knot, 40);
  const SpherePacking solid =
      *pack_spheres_on_lattice(*ClosedMesh::borrow(knot), 40, {.max_count = 100});
  CHECK(open.doubtful_share == 0);
  REQUIRE(open.packing.spheres.size() == solid.spheres.size());
  for (std::size_t i = 0; i < solid.spheres.size(); ++i) {
    CHECK(open.packing.spheres[i].center == solid.spheres[i].center);
    CHECK(open.packing.spheres[i].radius == solid.spheres[i].radius);
  }
  // Cubes that the surface only comes near to count here as well.
  const double edge = bounding_box(*CheckedMesh::borrow(knot)).sizes().maxCoeff() / 40;
  CHECK(open.packing.largest_protrusion >= solid.largest_protrusion);
  CHECK(open.packing.largest_protrusion <= solid.largest_protrusion + std::numbers::sqrt3 * edge);
}

TEST_CASE("triangles that all lie apart, and some that are turned, bound nearly what they did") {
  const TriangleMesh whole = make_torus(1, 0.4, 24, 16);
  const SpherePacking solid =
      *pack_spheres_on_lattice(*ClosedMesh::borrow(whole), 30, {.max_count = 100});
  // Gaps of 1 % of the triangles let through 2 % of the sky: no center is doubtful for it.
  const TriangleMesh apart = torn(whole, 0.01);
  const OpenPacking packing = pack(apart, 30);
  check_spheres(apart, 30, packing);
  CHECK(packing.doubtful_share < 0.01);
  // Triangles up to 0.4 wide leave gaps of 0.004 at most, and the box is smaller by that: so
  // distances are larger by no more, from centers that are moved by no more.
  CHECK(std::abs(packing.packing.spheres.front().radius - solid.spheres.front().radius) < 0.008);

  TriangleMesh turned = whole;
  for (std::size_t i = 0; i < 5; ++i)
    std::swap(turned.triangles[100 * i][0], turned.triangles[100 * i][1]);
  const OpenPacking some = pack(turned, 30);
  check_spheres(turned, 30, some);
  CHECK(some.doubtful_share > 0);
  CHECK(some.doubtful_share < 0.1);
  CHECK(some.packing.solid_volume > 0.9 * std::abs(solid.solid_volume));
}

TEST_CASE("what bounds nothing is refused, and a packing that is ended says so") {
  TriangleMesh sheet;  // a triangle is half of the sky at most
  sheet.vertices = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  sheet.triangles = {{0, 1, 2}};
  const Result<OpenPacking> flat = pack_spheres_in_open(*CheckedMesh::borrow(sheet), 20);
  REQUIRE_FALSE(flat);
  CHECK(flat.error().code == ErrorCode::kInvalidArgument);
  CHECK(flat.error().where == "surface");
  CHECK_FALSE(pack_spheres_in_open(CheckedMesh(), 20));
  const TriangleMesh box = box_without_lid({1, 1, 1});
  CHECK_FALSE(pack_spheres_in_open(*CheckedMesh::borrow(box), 0));
  CHECK(pack_spheres_in_open(*CheckedMesh::borrow(box), 20, {.keep = HalfSpace{}}).error().where ==
        "keep");
  const OpenPacking ended = pack(box, 20, {.progress = [](std::size_t) { return false; }});
  CHECK(ended.packing.end == PackingEnd::kInterrupted);
  CHECK(ended.packing.spheres.empty());
}

TEST_CASE("three threads pack an open surface as one does") {
  const TriangleMesh apart = torn(make_torus(1, 0.4, 12, 8), 0.02);
  OpenPacking one, three;
  with_threads(1, [&] { one = pack(apart, 25); });
  with_threads(3, [&] { three = pack(apart, 25); });
  CHECK(one.doubtful_share == three.doubtful_share);
  REQUIRE(one.packing.spheres.size() == three.packing.spheres.size());
  for (std::size_t i = 0; i < one.packing.spheres.size(); ++i)
    CHECK(one.packing.spheres[i].radius == three.packing.spheres[i].radius);
}

}  // namespace
}  // namespace plimsoll
