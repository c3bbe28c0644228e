#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>
#include <embree3/rtcore.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "probe_systems.h"

namespace plimsoll::bench {
namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

struct Surface {
  Triangles triangles;
  Tree tree;
};

Kernel::Point_3 point_of(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

/// A device and a scene of one mesh.
class EmbreeScene {
 public:
  explicit EmbreeScene(const TriangleMesh& mesh) : device_(rtcNewDevice(nullptr)) {
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), mesh.vertices.size()));
    for (const Vec3& v : mesh.vertices)
      for (const double x : v) *vertices++ = static_cast<float>(x);
    auto* corners = static_cast<std::uint32_t*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(std::uint32_t), mesh.triangles.size()));
    for (const Triangle& triangle : mesh.triangles)
      for (const std::uint32_t corner : triangle) *corners++ = corner;
    rtcCommitGeometry(geometry);
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~EmbreeScene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  [[nodiscard]] double along(const Ray& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    RTCRayHit hit{};
    hit.ray.org_x = static_cast<float>(ray.origin.x());
    hit.ray.org_y = static_cast<float>(ray.origin.y());
    hit.ray.org_z = static_cast<float>(ray.origin.z());
    hit.ray.dir_x = static_cast<float>(ray.direction.x());
    hit.ray.dir_y = static_cast<float>(ray.direction.y());
    hit.ray.dir_z = static_cast<float>(ray.direction.z());
    hit.ray.tfar = std::numeric_limits<float>::infinity();
    hit.ray.mask = 0xFFFFFFFF;
    hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &hit);
    if (hit.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::numeric_limits<double>::infinity();
    return static_cast<double>(hit.ray.tfar);
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

}  // namespace

PointSystem cgal_point_system(const TriangleMesh& mesh) {
  auto surface = std::make_shared<Surface>();
  for (const auto& [a, b, c] : mesh.triangles)
    surface->triangles.emplace_back(point_of(mesh.vertices[a]), point_of(mesh.vertices[b]),
                                    point_of(mesh.vertices[c]));
  surface->tree.insert(surface->triangles.begin(), surface->triangles.end());
  surface->tree.build();
  surface->tree.accelerate_distance_queries();
  return {
      "cgal_aabb_tree",
      [surface](const Vec3& p) { return std::sqrt(surface->tree.squared_distance(point_of(p))); },
      1e-9};
}

RaySystem embree_ray_system(const TriangleMesh& mesh) {
  constexpr double kOfFloats = 1e-4;  // a ray that just misses an edge meets what is behind
  return {
      "embree_float",
      [scene = std::make_shared<EmbreeScene>(mesh)](const Ray& ray) { return scene->along(ray); },
      kOfFloats};
}

}  // namespace plimsoll::bench
