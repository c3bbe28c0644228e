// Bodies of few triangles beside exact rational arithmetic.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/solid_tree.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <vector>

#include "hydro/clip_plane.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr SubmersionParts kVolumeAndCenter{.wetted_area = false, .waterplane = false};

using Rational = boost::multiprecision::cpp_rational;
struct Rational3 {
  Rational x[3];
};
Rational3 rational(const Vec3& v) { return {{Rational(v[0]), Rational(v[1]), Rational(v[2])}}; }
Rational3 operator-(const Rational3& a, const Rational3& b) {
  return {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}
Rational dot(const Rational3& a, const Rational3& b) {
  return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}
Rational determinant(const Rational3& a, const Rational3& b, const Rational3& c) {
  return a.x[0] * (b.x[1] * c.x[2] - b.x[2] * c.x[1]) +
         a.x[1] * (b.x[2] * c.x[0] - b.x[0] * c.x[2]) +
         a.x[2] * (b.x[0] * c.x[1] - b.x[1] * c.x[0]);
}

/// The signed volume between the wet part of the surface and the point of the plane next to the
/// center of the body's frame: of a closed one, that of the wet part.
Rational exact_volume(const TriangleMesh& mesh, const WaterPlane& water) {
  const BodyFrame frame = body_frame(bounding_box(test::checked(mesh)));
  const Rational3 normal = rational(water.normal), center = rational(frame.to_meters(Vec3::Zero()));
  const Rational over = (Rational(water.offset) - dot(normal, center)) / dot(normal, normal);
  Rational3 apex;
  for (int i = 0; i < 3; ++i) apex.x[i] = center.x[i] + over * normal.x[i];
  Rational sum = 0;
  for (const Triangle& triangle : mesh.triangles) {
    std::vector<Rational3> wet;
    for (std::size_t k = 0; k < 3; ++k) {
      const Rational3 from = rational(mesh.vertices[triangle[k]]) - apex;
      const Rational3 to = rational(mesh.vertices[triangle[(k + 1) % 3]]) - apex;
      const Rational h = dot(normal, from), g = dot(normal, to);
      if (h <= 0) wet.push_back(from);
      if ((h < 0 && g > 0) || (h > 0 && g < 0)) {
        Rational3 at;
        for (int i = 0; i < 3; ++i) at.x[i] = from.x[i] + (to.x[i] - from.x[i]) * (h / (h - g));
        wet.push_back(at);
      }
    }
    for (std::size_t k = 2; k < wet.size(); ++k) sum += determinant(wet[0], wet[k - 1], wet[k]);
  }
  return sum / 6;
}

/// A mesh of up to 100 triangles: whole, inside out, with triangles taken away, or with some whose
/// corners are one or two points.
TriangleMesh hostile_mesh(Random& random) {
  TriangleMesh mesh = test::random_closed_mesh(random);
  switch (random.below(4)) {
    case 0:
      mesh.triangles.resize(1 + random.below(mesh.triangles.size()));
      mesh = weld(test::checked(mesh));  // large meshes take their frame from all vertices
      break;
    case 1:
      for (int i = 0; i < 3; ++i) {
        Triangle twice = mesh.triangles[random.below(mesh.triangles.size())];
        twice[1] = twice[0];
        if (i == 0) twice[2] = twice[0];
        mesh.triangles.push_back(twice);
      }
      break;
    default:
      break;
  }
  return mesh;
}

/// Through any point, a vertex, an edge or a face of the mesh, of a normal of any length.
WaterPlane hostile_plane(const TriangleMesh& mesh, Random& random) {
  const Box3 box = bounding_box(test::checked(mesh));
  const Triangle& t = mesh.triangles[random.below(mesh.triangles.size())];
  const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
  Vec3 normal = test::random_vector(random), through = a;
  const auto way = random.below(5);
  if (way == 0) normal = (b - a).cross(c - a);
  if (way == 1) normal = (b - a).cross(normal);
  if (way == 2) normal = Vec3::Unit(static_cast<int>(random.below(3)));
  if (way == 3)
    for (int i = 0; i < 3; ++i) through[i] = random.uniform(box.min()[i], box.max()[i]);
  if (!(normal.cwiseAbs().maxCoeff() > 0)) normal = Vec3::UnitZ();
  normal *= std::pow(10.0, random.uniform(-200, 100)) / normal.cwiseAbs().maxCoeff();
  return {normal, normal.dot(through)};
}

TEST_CASE("a small body displaces its exact volume within the error that it tells") {
  Random random(41);
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const TriangleMesh mesh = hostile_mesh(random);
    const SolidTree tree(test::checked(mesh));
    const WaterPlane water = hostile_plane(mesh, random);
    const double size = bounding_box(test::checked(mesh)).diagonal().norm();
    const Rational sign = tree.signed_volume() < 0 ? -1 : 1;
    const Rational exact = sign * exact_volume(mesh, water);
    for (const Submersion& wet : {tree.submersion(water, kVolumeAndCenter), tree.submersion(water),
                                  submersion(test::checked(mesh), water)}) {
      // Of a surface that encloses nothing the sign is rounding.
      const bool has_sign = std::abs(tree.signed_volume()) > wet.volume_error;
      const Rational off = has_sign ? Rational(abs(Rational(wet.volume) - exact))
                                    : Rational(abs(abs(Rational(wet.volume)) - abs(exact)));
      CAPTURE(static_cast<double>(off));
      CAPTURE(wet.volume_error);
      CHECK((off <= Rational(wet.volume_error)));
      // About 400 roundings of 1.1e-16 of the area times the size at most.
      CHECK(wet.volume_error <=
            1e-12 * size * size * size * static_cast<double>(mesh.triangles.size()));
    }
  }
}

// Whole numbers: the plane holds the lowest corner, or the highest, to the last bit. Its normal has
// no rounded length, so that heights near it are told apart in whole numbers only.
TEST_CASE("a small body that stands on the water displaces nothing, and one that hangs all of it") {
  Random random(42);
  const auto whole = [&] { return static_cast<double>(random.below(2001)) - 1000; };
  int standing = 0;
  for (int i = 0; i < 2000; ++i) {
    TriangleMesh mesh;
    for (int k = 0; k < 4; ++k) mesh.vertices.emplace_back(whole(), whole(), whole());
    const Vec3 normal(whole(), whole(), whole());
    const auto height = [&](std::size_t k) { return normal.dot(mesh.vertices[k]); };
    std::size_t lowest = 0;
    for (std::size_t k = 1; k < 4; ++k) lowest = height(k) < height(lowest) ? k : lowest;
    int in_plane = 0;
    for (std::size_t k = 0; k < 4; ++k) in_plane += height(k) == height(lowest) ? 1 : 0;
    const Vec3 a = mesh.vertices[0];
    const double volume_x6 =
        (mesh.vertices[1] - a).cross(mesh.vertices[2] - a).dot(mesh.vertices[3] - a);
    if (in_plane > 1 || std::fabs(volume_x6) < 1e6 || normal.isZero(0)) continue;
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    if (volume_x6 < 0)
      for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    // Each corner of each triangle comes first once.
    for (Triangle& t : mesh.triangles)
      for (std::uint64_t turns = random.below(3); turns-- > 0;) t = {t[1], t[2], t[0]};
    const SolidTree tree(test::checked(mesh));
    CHECK(tree.submersion({normal, height(lowest)}, kVolumeAndCenter).volume == 0);
    const double all = tree.submersion({-normal, -height(lowest)}, kVolumeAndCenter).volume;
    // Whole numbers below 2^53, divided and summed a few dozen times.
    CHECK(std::fabs(all - std::fabs(volume_x6) / 6) <= 1e-14 * 8e9);
    ++standing;
  }
  CHECK(standing > 1000);
}

}  // namespace
}  // namespace plimsoll
