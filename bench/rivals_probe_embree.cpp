#include <embree3/rtcore.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "probe_systems.h"

namespace plimsoll::bench {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr double kNothing = std::numeric_limits<double>::infinity();

/// A point or a vector in floats.
struct Float3 {
  float x, y, z;
};
Float3 rounded(const Vec3& p) {
  return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
}
Float3 operator-(const Float3& a, const Float3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
float dot(const Float3& a, const Float3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// a + s u + t v - p, squared.
float squared_length(const Float3& from_p, const Float3& u, float s, const Float3& v, float t) {
  const Float3 way{from_p.x + s * u.x + t * v.x, from_p.y + s * u.y + t * v.y,
                   from_p.z + s * u.z + t * v.z};
  return dot(way, way);
}

/// The squared distance of p from the triangle abc: the region of the plane that p projects into, a
/// corner's, an edge's or the triangle itself, is told by signs of barycentric coordinates, as in
/// Ericson, Real-Time Collision Detection, sec. 5.1.5.
float squared_distance(const Float3& p, const Float3& a, const Float3& b, const Float3& c) {
  const Float3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c, from_p = a - p;
  const float d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return dot(ap, ap);
  const float d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return dot(bp, bp);
  const float along_ab = d1 * d4 - d3 * d2;
  if (along_ab <= 0 && d1 >= 0 && d3 <= 0) return squared_length(from_p, ab, d1 / (d1 - d3), ac, 0);
  const float d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return dot(cp, cp);
  const float along_ac = d5 * d2 - d1 * d6;
  if (along_ac <= 0 && d2 >= 0 && d6 <= 0) return squared_length(from_p, ab, 0, ac, d2 / (d2 - d6));
  const float along_bc = d3 * d6 - d5 * d4;
  if (along_bc <= 0 && d4 >= d3 && d5 >= d6) {
    const float t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return squared_length(from_p, ab, 1 - t, ac, t);
  }
  const float scale = 1 / (along_ab + along_ac + along_bc);
  return squared_length(from_p, ab, along_ac * scale, ac, along_ab * scale);
}

/// Sets lane `i` of a packet.
template <class RayHit>
void set_lane(RayHit& hit, std::size_t i, const Ray& from) {
  const Float3 origin = rounded(from.origin), direction = rounded(from.direction);
  hit.ray.org_x[i] = origin.x;
  hit.ray.org_y[i] = origin.y;
  hit.ray.org_z[i] = origin.z;
  hit.ray.dir_x[i] = direction.x;
  hit.ray.dir_y[i] = direction.y;
  hit.ray.dir_z[i] = direction.z;
  hit.ray.tnear[i] = 0;
  hit.ray.tfar[i] = kInfinite;
  hit.ray.time[i] = 0;
  hit.ray.mask[i] = 0xFFFFFFFF;
  hit.ray.id[i] = 0;
  hit.ray.flags[i] = 0;
  hit.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
}

void set(RTCRayHit& hit, const Ray& from) {
  const Float3 origin = rounded(from.origin), direction = rounded(from.direction);
  hit.ray = {origin.x,    origin.y, origin.z,  0,          direction.x, direction.y,
             direction.z, 0,        kInfinite, 0xFFFFFFFF, 0,           0};
  hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
}
double along_of(const RTCRayHit& hit) {
  return hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kNothing : static_cast<double>(hit.ray.tfar);
}

RTCIntersectContext incoherent() {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  return context;
}

/// A device and a scene of one mesh.
class EmbreeScene {
 public:
  explicit EmbreeScene(const TriangleMesh& mesh) : device_(rtcNewDevice(nullptr)) {
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<Float3*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                sizeof(Float3), mesh.vertices.size()));
    vertices_ = vertices;
    for (const Vec3& v : mesh.vertices) *vertices++ = rounded(v);
    auto* corners = static_cast<std::uint32_t*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(std::uint32_t), mesh.triangles.size()));
    corners_ = corners;
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

  [[nodiscard]] double distance(const Vec3& from) const {
    Nearest nearest{this, rounded(from), kInfinite};
    RTCPointQuery query{nearest.from.x, nearest.from.y, nearest.from.z, 0, kInfinite};
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(scene_, &query, &context, visit, &nearest);
    return std::sqrt(static_cast<double>(nearest.squared));
  }

  [[nodiscard]] double along(const Ray& ray) const {
    RTCIntersectContext context = incoherent();
    RTCRayHit hit;
    set(hit, ray);
    rtcIntersect1(scene_, &context, &hit);
    return along_of(hit);
  }

  void along_by_packets(std::span<const Ray> rays, std::span<double> found) const {
    constexpr std::size_t kLanes = 16;
    RTCIntersectContext context = incoherent();
    RTCRayHit16 packet;
    for (std::size_t begin = 0; begin < rays.size(); begin += kLanes) {
      alignas(64) std::array<int, kLanes> valid{};
      const std::size_t lanes = std::min(kLanes, rays.size() - begin);
      for (std::size_t i = 0; i < lanes; ++i) {
        valid[i] = -1;
        set_lane(packet, i, rays[begin + i]);
      }
      rtcIntersect16(valid.data(), scene_, &context, &packet);
      for (std::size_t i = 0; i < lanes; ++i)
        found[begin + i] = packet.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID
                               ? kNothing
                               : static_cast<double>(packet.ray.tfar[i]);
    }
  }

  void along_by_stream(std::span<const Ray> rays, std::span<double> found) {
    RTCIntersectContext context = incoherent();
    stream_.resize(rays.size());
    for (std::size_t i = 0; i < rays.size(); ++i) set(stream_[i], rays[i]);
    rtcIntersect1M(scene_, &context, stream_.data(), static_cast<unsigned>(stream_.size()),
                   sizeof(RTCRayHit));
    for (std::size_t i = 0; i < rays.size(); ++i) found[i] = along_of(stream_[i]);
  }

 private:
  struct Nearest {
    const EmbreeScene* scene;
    Float3 from;
    float squared;
  };

  /// A triangle that may be nearer than what was found. True where it is.
  static bool visit(RTCPointQueryFunctionArguments* arguments) {
    auto& nearest = *static_cast<Nearest*>(arguments->userPtr);
    const std::uint32_t* corners = nearest.scene->corners_ + std::size_t{3} * arguments->primID;
    const Float3* vertices = nearest.scene->vertices_;
    const float squared = squared_distance(nearest.from, vertices[corners[0]], vertices[corners[1]],
                                           vertices[corners[2]]);
    if (!(squared < nearest.squared)) return false;
    nearest.squared = squared;
    arguments->query->radius = std::sqrt(squared);
    return true;
  }

  RTCDevice device_;
  RTCScene scene_ = nullptr;
  const Float3* vertices_ = nullptr;
  const std::uint32_t* corners_ = nullptr;
  std::vector<RTCRayHit> stream_;
};

}  // namespace

EmbreeSystems embree_systems(const TriangleMesh& mesh) {
  constexpr double kOfPoints = 1e-6;
  constexpr double kOfRays = 1e-4;  // a ray that just misses an edge meets what is behind
  const auto scene = std::make_shared<EmbreeScene>(mesh);
  return {{"embree_float", [=](const Vec3& point) { return scene->distance(point); }, kOfPoints},
          {"embree_float", [=](const Ray& ray) { return scene->along(ray); }, kOfRays},
          {"embree_float_packets",
           [=](std::span<const Ray> rays, std::span<double> found) {
             scene->along_by_packets(rays, found);
           },
           kOfRays},
          {"embree_float_stream",
           [=](std::span<const Ray> rays, std::span<double> found) {
             scene->along_by_stream(rays, found);
           },
           kOfRays}};
}

}  // namespace plimsoll::bench
