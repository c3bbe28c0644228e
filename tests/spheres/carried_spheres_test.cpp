// Points tied to a surface, and radii of spheres about centers that moved.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "solids.h"
#include "spheres/sphere_groups.h"
#include "spheres/surface_anchors.h"
#include "support/random_mesh.h"

namespace plimsoll {

// Triangles 1,000 long are 1e-9 of that high; a point on the surface has no chord.
TEST_CASE("needles carry points as well, and points of the surface stay on it") {
  const auto shear = [](const Vec3& x) {
    return Vec3(x.x() + 1e3 * x.y(), x.y() + 1e3 * x.z(), 1e-6 * x.z());
  };
  TriangleMesh mesh = make_box({1, 1, 1});
  for (Vec3& v : mesh.vertices) v = shear(v);
  const ClosedMesh solid = test::closed(mesh);
  const std::vector<Vec3> points{shear({0, 0, 0}), shear({0.3, 0.2, 0.1}), shear({0.5, 0, 0})};
  const Result<SurfaceAnchors> anchors = SurfaceAnchors::of(solid, MeshTree(solid), points);
  REQUIRE(anchors);
  const std::vector<Vec3> carried = anchors->carried(mesh);
  for (std::size_t i = 0; i < points.size(); ++i) CHECK((carried[i] - points[i]).norm() < 1e-11);
}

TEST_CASE("radii in turn are those of plain loops over all pairs") {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    const std::size_t count = 1 + random.below(200);
    std::vector<Vec3> centers;
    std::vector<PlacedSphere> spheres;
    std::vector<double> depths, first;
    for (std::size_t i = 0; i < count; ++i) {
      centers.push_back(test::random_vector(random));
      spheres.push_back({test::random_vector(random), 0.1});  // grouped elsewhere
      depths.push_back(random.uniform(-0.1, 0.5));
      first.push_back(random.uniform(0, 0.3));
    }
    const SphereGroups groups(
        layout_of(make_sphere_hierarchy(spheres, {}, SecondaryRadii::kPrimary, 4)));
    const std::vector<double> found = groups.radii_in_turn(centers, depths, first);
    std::vector<double> radii(count);
    for (const bool grows : {false, true})
      for (std::size_t i = 0; i < count; ++i) {
        double radius = grows ? depths[i] : std::min(depths[i], first[i]);
        for (std::size_t j = 0; j < count; ++j)
          if (j != i && radii[j] > 0)
            radius = std::min(radius, (centers[i] - centers[j]).norm() - radii[j]);
        radii[i] = std::max(radii[i], radius);
      }
    for (std::size_t i = 0; i < count; ++i) REQUIRE(std::abs(found[i] - radii[i]) < 1e-13);
  }
}

}  // namespace plimsoll
