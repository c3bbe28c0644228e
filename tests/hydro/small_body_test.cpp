// Bodies of few triangles, which are clipped in blocks of eight without a tree: beside the clip of
// large meshes, at the borders of blocks, planes in faces, sizes, boxes that are no mesh, and bits.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/shape.h>
#include <plimsoll/submersion_tracker.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "hydro/clip_kernel.h"
#include "support/checked.h"
#include "support/instruction_sets.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr SubmersionParts kVolumeAndCenter{.wetted_area = false, .waterplane = false};
constexpr SubmersionParts kAllParts[] = {
    {false, false}, {false, true}, {true, false}, {true, true}};

// ---- beside the clip of large meshes

Submersion large_clip(const TriangleMesh& mesh, const WaterPlane& water) {
  const MeshView view(mesh);
  const BodyFrame frame = body_frame(bounding_box(test::checked(view)));
  const ClipPlane plane = clip_plane(water, frame);
  const TriangleGroups groups(view);
  WetTotals totals{};
  for (std::size_t i = 0; i < groups.chunks(); ++i) {
    WetLanes lanes;
    groups.visit(i, [&](const auto& corners, std::size_t first) {
      clip_chunk(corners, first, plane, lanes);
    });
    add_lanes(lanes, totals);
  }
  return submersion_of(totals, frame, plane, whole_body(totals, plane), 100);
}

/// Of a body of size 1: the volume within what both tell, areas to 1e-14 of some hundred triangles.
void check_same(const Submersion& a, const Submersion& b, const SubmersionParts& parts) {
  const double error = a.volume_error + b.volume_error;
  CHECK(std::abs(a.volume - b.volume) <= error);
  if (std::abs(a.volume) > 1e3 * error)
    CHECK((a.center_of_buoyancy - b.center_of_buoyancy).norm() <= 3 * error / std::abs(a.volume));
  if (parts.wetted_area) CHECK(std::abs(a.wetted_area - b.wetted_area) <= 1e-13);
  if (!parts.waterplane) return;
  CHECK(std::abs(a.waterplane.area - b.waterplane.area) <= 1e-13);
  CHECK((a.waterplane.second_moments - b.waterplane.second_moments).norm() <= 1e-13);
  if (std::abs(a.waterplane.area) > 1e-3)
    CHECK((a.waterplane.center - b.waterplane.center).norm() <= 1e-10);
}

TEST_CASE("any number of triangles, in whole blocks or not, is clipped like a large mesh") {
  Random random(42);
  const TriangleMesh whole = make_bumpy_sphere(0.8, 0.4, 16, 21);  // 630 triangles
  for (std::size_t count = 1; count <= 600; count += count < 70 ? 1 : 13) {
    CAPTURE(count);
    TriangleMesh part = whole;
    part.triangles.resize(count);
    part = weld(test::checked(part));
    const SolidTree tree(test::checked(part));
    SubmersionTracker tracker(tree);
    for (int i = 0; i < 4; ++i) {
      const WaterPlane water{test::random_vector(random), random.uniform(-0.5, 0.5)};
      const Submersion expected = large_clip(part, water);
      check_same(submersion(test::checked(part), water), expected, {});
      for (const SubmersionParts& parts : kAllParts) {
        check_same(tree.submersion(water, parts), expected, parts);
        check_same(tracker.submersion(water, parts), expected, parts);
      }
    }
  }
}

TEST_CASE("a mesh of floats, packed or with a stride is clipped where it is") {
  TriangleMesh box = make_box({1, 2, 4});
  const WaterPlane water{{0.25, -0.5, 1}, 0.375};
  const Submersion expected = submersion(test::checked(box), water);
  std::vector<float> floats;
  std::vector<double> strided, packed;
  for (const Vec3& v : box.vertices) {
    for (int i = 0; i < 3; ++i) floats.push_back(static_cast<float>(v[i]));
    strided.insert(strided.end(), {v[0], v[1], v[2], 1e300, 1e300});
  }
  std::vector<std::uint32_t> indices;
  for (const Triangle& t : box.triangles) indices.insert(indices.end(), t.begin(), t.end());
  for (const std::uint32_t v : indices)
    packed.insert(packed.end(), box.vertices[v].begin(), box.vertices[v].end());
  for (const MeshView& view :
       {MeshView(floats, indices), MeshView(strided, indices, 5), MeshView::packed(packed)}) {
    const Submersion wet = submersion(test::checked(view), water);
    CHECK(wet.volume == expected.volume);
    CHECK(wet.center_of_buoyancy == expected.center_of_buoyancy);
    CHECK(wet.waterplane.area == expected.waterplane.area);
  }
}

// ---- planes in faces, sizes, parts

// Coordinates are small integers, so that every sum is exact.
TEST_CASE("the volume alone of a cube that stands on the water is nothing, under it all") {
  const SolidTree cube(test::checked(make_box({2, 2, 2})));
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 normal = sign * Vec3::Unit(axis);
      const Submersion dry = cube.submersion({normal, -1}, kVolumeAndCenter);
      CHECK(dry.volume == 0);
      CHECK(dry.center_of_buoyancy.isZero(0));
      const Submersion wet = cube.submersion({normal, 1}, kVolumeAndCenter);
      CHECK(wet.volume == 8);
      CHECK(wet.center_of_buoyancy == Vec3::Zero());
      CHECK(cube.submersion({normal, 0}, kVolumeAndCenter).volume == 4);
      CHECK(cube.submersion({normal, 1e300}, kVolumeAndCenter).volume == 8);
      CHECK(cube.submersion({normal, -1e300}, kVolumeAndCenter).volume == 0);
    }
}

TEST_CASE("powers of two from 1e-100 to 1e100 change no digit") {
  const TriangleMesh unit = make_torus(1, 0.4, 12, 9);
  const WaterPlane water{{0.2, 0.4, 1}, 0.1};
  const Submersion at = SolidTree(test::checked(unit)).submersion(water, kVolumeAndCenter);
  for (const int exponent : {-332, -90, 90, 332}) {
    TriangleMesh scaled = unit;
    for (Vec3& v : scaled.vertices) v *= std::ldexp(1, exponent);
    const WaterPlane there{water.normal, std::ldexp(water.offset, exponent)};
    const Submersion wet = SolidTree(test::checked(scaled)).submersion(there, kVolumeAndCenter);
    CHECK(wet.volume == std::ldexp(at.volume, 3 * exponent));
    // Where the volume may underflow the bound has room for that.
    const double least = exponent == -332 ? std::numeric_limits<double>::denorm_min() : 0;
    CHECK(wet.volume_error == std::ldexp(at.volume_error, 3 * exponent) + least);
    CHECK(wet.center_of_buoyancy == std::ldexp(1, exponent) * at.center_of_buoyancy);
  }
}

// The offset of the plane is rounded to 1e-16 of the distance, which moves the water that much.
TEST_CASE("a small body far from the origin keeps its volume") {
  for (const double far : {1e3, 1e6, 1e9}) {
    const Vec3 at(far, -2 * far, 3 * far);
    TriangleMesh box = make_box({1, 2, 4});
    for (Vec3& v : box.vertices) v += at;
    const Vec3 normal(0.25, -0.5, 1);
    const WaterPlane water{normal, normal.dot(at) + 0.375};
    const Submersion wet = SolidTree(test::checked(box)).submersion(water, kVolumeAndCenter);
    const double expected = submersion(test::checked(make_box({1, 2, 4})), {normal, 0.375}).volume;
    CHECK(std::abs(wet.volume - expected) <= 4 * 8 * 4e-16 * far);
  }
}

TEST_CASE("parts of a small body that are not selected are zero, and change nothing else") {
  const SolidTree tree(test::checked(make_torus(1, 0.4, 12, 9)));
  const WaterPlane water{{0.3, 0.1, 1}, 0.2};
  const Submersion all = tree.submersion(water);
  for (const SubmersionParts& parts : kAllParts) {
    const Submersion some = tree.submersion(water, parts);
    check_same(some, all, parts);
    if (!parts.wetted_area) CHECK(some.wetted_area == 0);
    if (parts.waterplane) continue;
    CHECK(some.waterplane.area == 0);
    CHECK(some.waterplane.center == Vec3::Zero());
    CHECK(some.waterplane.axes == Mat23::Zero());
    CHECK(some.waterplane.second_moments == Mat2::Zero());
  }
}

// ---- boxes that are no mesh

TEST_CASE("a box is clipped like its twelve triangles, of any size and for any part") {
  Random random(44);
  for (int i = 0; i < 300; ++i) {
    const int exponent = i % 5 == 0 ? 200 - 100 * (i % 4) : 0;
    const double unit = std::ldexp(1, exponent);
    const Vec3 size(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.01, 1));
    const Shape box{BoxSolid{unit * size}};
    Vec3 normal = test::random_vector(random);
    Vec3 through = size.cwiseProduct(test::random_vector(random)) / 2;
    if (i % 3 == 0) through = size.cwiseProduct(Vec3(1, -1, 1)) / 2;  // a corner
    if (i % 7 == 0) normal = Vec3::Unit(i % 3);
    const Submersion expected =
        submersion(test::checked(make_box(size)), {normal, normal.dot(through)});
    for (const SubmersionParts& parts : kAllParts) {
      Submersion wet = *submersion(box, {normal, unit * normal.dot(through)}, parts);
      wet.volume = std::ldexp(wet.volume, -3 * exponent);
      wet.volume_error = std::ldexp(wet.volume_error, -3 * exponent);
      wet.center_of_buoyancy /= unit;
      wet.wetted_area = std::ldexp(wet.wetted_area, -2 * exponent);
      wet.waterplane.area = std::ldexp(wet.waterplane.area, -2 * exponent);
      wet.waterplane.center /= unit;
      for (double& m : wet.waterplane.second_moments.reshaped()) m = std::ldexp(m, -4 * exponent);
      check_same(wet, expected, parts);
      CHECK(std::abs(wet.volume_error - expected.volume_error) <= 1e-3 * expected.volume_error);
    }
  }
}

TEST_CASE("a box that stands on the water displaces nothing, whatever the normal's length") {
  const Shape cube{BoxSolid{{2, 2, 2}}};
  for (const double length : {1e-200, 0.3, 1.0, 1e200}) {
    const WaterPlane under{{0, 0, length}, -length}, over{{0, 0, length}, length};
    CHECK(submersion(cube, under, kVolumeAndCenter)->volume == 0);
    CHECK(submersion(cube, over, kVolumeAndCenter)->volume == 8);
    CHECK(submersion(cube, under)->waterplane.area == 4);
    CHECK(submersion(cube, over)->waterplane.area == 0);
    CHECK(submersion(cube, under)->wetted_area == 4);
  }
}

// ---- bits

bool same_bits(const Submersion& a, const Submersion& b) {
  const auto numbers = [](const Submersion& s) {
    std::vector<double> all = {s.volume, s.wetted_area, s.volume_error, s.waterplane.area};
    const auto append = [&](const auto& m) {
      all.insert(all.end(), m.data(), m.data() + m.size());
    };
    append(s.center_of_buoyancy);
    append(s.waterplane.center);
    append(s.waterplane.second_moments);
    append(s.waterplane.axes);
    return all;
  };
  const auto x = numbers(a), y = numbers(b);
  return std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
}

TEST_CASE("small bodies give the same bits for all instruction sets, and any number of threads") {
  Random random(43);
  const TriangleMesh whole = make_bumpy_sphere(1, 0.4, 16, 21);
  for (const std::size_t count : {1u, 8u, 12u, 24u, 25u, 32u, 33u, 64u, 65u, 504u, 512u, 513u}) {
    CAPTURE(count);
    TriangleMesh part = whole;
    part.triangles.resize(count);
    const SolidTree tree(test::checked(part));
    const WaterPlane through_vertex{{0, 0, 1}, part.vertices[part.triangles.back()[0]][2]};
    for (const WaterPlane& water :
         {WaterPlane{test::random_vector(random), random.uniform(-0.3, 0.3)}, through_vertex}) {
      const auto answers = [&] {
        std::vector<Submersion> all = {submersion(test::checked(part), water)};
        for (const SubmersionParts& parts : kAllParts) {
          all.push_back(tree.submersion(water, parts));
          all.push_back(*submersion(Shape{BoxSolid{{0.5, 0.75, 1.25}}}, water, parts));
        }
        return all;
      };
      const std::vector<Submersion> expected = answers();
      const auto check = [&] {
        const std::vector<Submersion> found = answers();
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(same_bits(found[i], expected[i]));
      };
      test::for_each_instruction_set(check);
      for (const int threads : {1, 2}) with_threads(threads, check);
    }
  }
}

TEST_CASE("a small body that is refit answers for its new shape, a copy for the old one") {
  const TriangleMesh ball = make_icosphere(1, 1);
  TriangleMesh wave = ball;
  for (Vec3& v : wave.vertices) v[0] += 0.3 * std::sin(3 * v[2]) + 5;
  SolidTree tree(test::checked(ball));
  const SolidTree copy = tree;
  const WaterPlane water{{0.1, 0.2, 1}, 0.7};
  const Submersion before = tree.submersion(water, kVolumeAndCenter);
  REQUIRE(tree.refit(test::checked(wave)));
  check_same(tree.submersion(water), large_clip(wave, water), {});
  check_same(tree.submersion(water, kVolumeAndCenter), large_clip(wave, water), kVolumeAndCenter);
  CHECK(same_bits(copy.submersion(water, kVolumeAndCenter), before));
}

}  // namespace
}  // namespace plimsoll
