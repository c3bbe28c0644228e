// Planes that lie in a face of a body, or next to it by less than floats tell apart: boxes of
// leaves are tested in float with a margin, and heights near 0 are computed exactly.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/solid_tree.h>

#include <cmath>

#include "core/random.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

/// A box of edges 1 about `middle`, each face in n x n squares.
TriangleMesh tiled_box(int n, const Vec3& middle) {
  TriangleMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
          Vec3 p;
          p[axis] = 0.5 * side;
          p[u] = static_cast<double>(i) / n - 0.5;
          p[v] = static_cast<double>(j) / n - 0.5;
          mesh.vertices.push_back(middle + p);
        }
      const auto at = [&](int i, int j) {
        return first + static_cast<std::uint32_t>(i * (n + 1) + j);
      };
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const std::uint32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1),
                              d = at(i, j + 1);
          if (side > 0)
            mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
          else
            mesh.triangles.insert(mesh.triangles.end(), {{a, c, b}, {a, d, c}});
        }
    }
  return weld(test::checked(mesh));
}

// A leaf that floats take for wholly wet, though the plane cuts it, adds its area times the height
// of the plane over it: 1e-9 of the box and more, where the answers say that they are good to
// 1e-12.
TEST_CASE("a plane that leans by less than floats tell apart cuts the face that it goes through") {
  Random random(11);
  for (const Vec3& middle : {Vec3(0, 0, 0), Vec3(0.1, 0.3, -0.2)}) {
    const TriangleMesh box = tiled_box(16, middle);
    const SolidTree tree(test::checked(box));
    for (int axis = 0; axis < 3; ++axis)
      for (const double tilt : {1e-7, 3e-8, 1e-8, 3e-9, 1e-9})
        for (const double side : {-0.5, 0.5})
          for (int i = 0; i < 4; ++i) {
            Vec3 normal = Vec3::Unit(axis) * (i % 2 == 0 ? 1 : -1);
            normal[(axis + 1) % 3] = tilt * random.uniform(-1, 1);
            normal[(axis + 2) % 3] = tilt * random.uniform(-1, 1);
            const Vec3 on_face = middle + side * Vec3::Unit(axis);
            const WaterPlane water{normal, normal.dot(on_face)};
            const Submersion by_clip = submersion(test::checked(box), water);
            const Submersion by_tree = tree.submersion(water);
            CHECK(std::abs(by_tree.volume - by_clip.volume) <=
                  by_tree.volume_error + by_clip.volume_error);
            // Areas are sums of 3,072 triangles in [0, 6]: 3072 x 6 roundings of 1.1e-16.
            CHECK(std::abs(by_tree.wetted_area - by_clip.wetted_area) <= 2e-12);
            CHECK(std::abs(by_tree.waterplane.area - by_clip.waterplane.area) <= 2e-12);
          }
  }
}

/// A tetrahedron with corners of whole numbers, turned outward.
TriangleMesh whole_tetrahedron(Random& random) {
  TriangleMesh mesh;
  double volume = 0;
  do {
    mesh.vertices.clear();
    for (int k = 0; k < 4; ++k) {
      Vec3 p;
      for (int i = 0; i < 3; ++i) p[i] = static_cast<double>(random.below(2001)) - 1000;
      mesh.vertices.push_back(p);
    }
    const auto& v = mesh.vertices;
    volume = (v[1] - v[0]).cross(v[2] - v[0]).dot(v[3] - v[0]);
  } while (volume == 0);
  if (volume < 0) std::swap(mesh.vertices[0], mesh.vertices[1]);
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  return mesh;
}

// All numbers are whole and below 2^53, so that the face is in the plane to the last bit: the body
// has either no volume under it or all, and no waterplane but that face itself.
TEST_CASE("a body that stands on the water by a whole face displaces exactly nothing") {
  Random random(12);
  for (int i = 0; i < 500; ++i) {
    const TriangleMesh body = whole_tetrahedron(random);
    const auto& v = body.vertices;
    // The face of corners 0, 2, 1, seen from outside; the fourth corner is behind it.
    const Vec3 outward = (v[2] - v[0]).cross(v[1] - v[0]);
    const double whole = -outward.dot(v[3] - v[0]) / 6;
    const SolidTree tree(test::checked(body));
    const WaterPlane under{-outward, -outward.dot(v[0])}, over{outward, outward.dot(v[0])};
    for (const Submersion& dry :
         {submersion(test::checked(body), under), tree.submersion(under),
          tree.submersion(under, {.wetted_area = false, .waterplane = false})}) {
      CHECK(dry.volume == 0);
      CHECK(dry.center_of_buoyancy.isZero(0));
    }
    for (const Submersion& wet : {submersion(test::checked(body), over), tree.submersion(over)}) {
      CHECK(std::abs(wet.volume - whole) <= wet.volume_error);
      CHECK(wet.waterplane.area == 0);
    }
  }
}

}  // namespace
}  // namespace plimsoll
