// Two tiny meshes of coordinates of any exponents are put to every question about one body or two.
// It is refused with its reason, or answered as its header says: what is exact is compared with
// whole numbers, bounds with each other.
#include <plimsoll/mass_properties.h>
#include <plimsoll/shape.h>
#include <plimsoll/submersion.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "check_body.h"
#include "check_shared.h"
#include "check_spheres.h"
#include "check_surfaces.h"
#include "tiny_bodies.h"
#include "tiny_meshes.h"

using namespace plimsoll;
using namespace plimsoll::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes({data, size});
  const auto quality = static_cast<TreeQuality>(bytes.below(3));
  Numbers of_a(bytes);
  TriangleMesh mesh_a = tiny_mesh(bytes, of_a, {});
  Numbers of_b(bytes);
  TriangleMesh mesh_b = tiny_mesh(bytes, of_b, mesh_a.vertices);
  const Similarity pose = tiny_pose(bytes, of_a);
  const Body a(std::move(mesh_a), pose, quality);
  const Body b(std::move(mesh_b), Similarity::Identity(), quality);
  const TwoBodies two(a, b);

  for (const Body* body : {&a, &b}) {
    check_health(*body);
    check_mass(*body);
  }
  const std::optional<Pairs> touching = check_pairs(two);
  const std::optional<SurfaceDistance> surfaces = check_distances(two, touching);
  const std::optional<Containment> inside = check_containment(two, surfaces);
  const double distance = std::fabs(of_b.next());
  const std::optional<Pairs> near = check_near(two, touching, distance);

  const std::array points{a.corners[0][0], of_a.point(), of_b.point()};
  check_probe(a, points, of_a.point());
  const WaterPlane water{of_a.point(), of_b.next()};
  check_submersion(b, water, of_b.next());
  check_buoyancy(a, water.offset);
  check_overlap(two, inside, bytes);
  check_culling(two, touching, near, distance, bytes);
  if (bytes.below(4) == 1) {
    const Spheres spheres_a = check_spheres(a, bytes), spheres_b = check_spheres(b, bytes);
    check_sphere_search(two, spheres_a, spheres_b, touching, surfaces, inside);
  }
  return 0;
}
