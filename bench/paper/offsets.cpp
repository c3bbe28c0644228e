#include "offsets.h"

#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace plimsoll::bench {
namespace {

using Corners = std::array<Vec3, 3>;

double length_of(const Corners& corners) { return 2 * box_around(corners).half.norm(); }

/// FAR's radius, with room for slopes that float32 loses.
double radius_for(double length, const ViewVolume& volume) {
  return volume.radius + box_slope_room(length / volume.pixel()) * volume.pixel();
}

/// A box about the segment from a to b with square ends, turned towards `side`.
void add_edge_box(const Vec3& a, const Vec3& b, const Vec3& side, const ViewVolume& volume,
                  SolidMesh& solids) {
  TriangleBox box;
  const double length = (b - a).norm();
  box.axis[0] = length > 0 ? Vec3((b - a) / length) : Vec3(Vec3::UnitX());
  const Vec3 across = side - box.axis[0].dot(side) * box.axis[0];
  box.axis[1] = across.norm() > 1e-6 ? Vec3(across.normalized()) : any_normal(box.axis[0]);
  box.axis[2] = box.axis[0].cross(box.axis[1]);
  box.center = a / 2 + b / 2;
  box.half = Vec3(length / 2, 0, 0);
  solids.add(corners_of(box, radius_for(length, volume)), kBoxTriangles, volume);
}

/// The triangle moved along its normal to both sides, seen from outside counter-clockwise.
void add_moved(const Corners& corners, const ViewVolume& volume, SolidMesh& solids) {
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  if (!(normal.norm() > 0)) return;  // its edges are all there is
  const Vec3 by = radius_for(length_of(corners), volume) * normal.normalized();
  const std::array<Vec3, 6> moved{corners[0] + by, corners[1] + by, corners[2] + by,
                                  corners[0] - by, corners[1] - by, corners[2] - by};
  solids.add(moved, std::array<Triangle, 2>{{{0, 1, 2}, {3, 5, 4}}}, volume);
}

constexpr const char* kVertexShader = R"(#version 330 core
layout(location = 0) in vec3 position;
uniform int axis;
uniform float forward;
uniform samplerBuffer corners;
flat out vec3 a;
flat out vec3 b;
flat out vec3 c;
vec3 turned(vec3 p) {
  vec3 q = axis == 0 ? p.yzx : axis == 1 ? p.zxy : p;
  return vec3(forward * q.x, q.y, forward * q.z);
}
void main() {
  int first = 3 * (gl_VertexID / 8);
  a = turned(texelFetch(corners, first).xyz);
  b = turned(texelFetch(corners, first + 1).xyz);
  c = turned(texelFetch(corners, first + 2).xyz);
  gl_Position = vec4(turned(position), 1);
}
)";

// The column is (x, y, t). With u along an edge, what is at right angles to it of (x, y, 0) - p and
// of (0, 0, 1) makes the quadratic equation of the cylinder.
constexpr const char* kFragmentShader = R"(#version 330 core
flat in vec3 a;
flat in vec3 b;
flat in vec3 c;
uniform float radius, pixels;
float nearest = 2, farthest = -2;
void take(float t) {
  nearest = min(nearest, t);
  farthest = max(farthest, t);
}
void take_ball(vec2 at, vec3 p) {
  vec2 to = p.xy - at;
  float rest = radius * radius - dot(to, to);
  if (rest < 0) return;
  take(p.z - sqrt(rest));
  take(p.z + sqrt(rest));
}
void take_cylinder(vec2 at, vec3 p, vec3 q) {
  float size = length(q - p);
  if (!(size > 0)) return;
  vec3 u = (q - p) / size;
  vec3 w = vec3(at, 0) - p;
  vec3 across = w - dot(w, u) * u, along = vec3(0, 0, 1) - u.z * u;
  float A = dot(along, along), B = dot(across, along), C = dot(across, across) - radius * radius;
  float under = B * B - A * C;
  if (A < 1e-9 || under < 0) return;
  for (int side = -1; side <= 1; side += 2) {
    float t = (-B + float(side) * sqrt(under)) / A;
    float place = dot(w + vec3(0, 0, t), u);
    if (place >= 0 && place <= size) take(t);
  }
}
void main() {
  vec2 at = gl_FragCoord.xy / pixels * 2 - 1;
  take_ball(at, a);
  take_ball(at, b);
  take_ball(at, c);
  take_cylinder(at, a, b);
  take_cylinder(at, b, c);
  take_cylinder(at, c, a);
  vec3 n = cross(b - a, c - a);
  float area = length(n);
  if (abs(n.z) > 1e-5 * area && area > 0) {
    n /= area;
    for (int side = -1; side <= 1; side += 2) {
      float t = (float(side) * radius - dot(n, vec3(at, 0) - a)) / n.z;
      vec3 p = vec3(at, t);
      if (dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 &&
          dot(cross(a - c, p - c), n) >= 0)
        take(t);
    }
  }
  if (nearest > farthest) discard;
  gl_FragDepth = (0.5 + 0.5 * (gl_FrontFacing ? nearest : farthest)) * gl_DepthRange.far;
}
)";

}  // namespace

void add_prisms(std::span<const Corners> part, const ViewVolume& volume, SolidMesh& solids) {
  for (const Corners& corners : part)
    solids.add(prism_around(corners, {Vec3::Zero(), radius_for(length_of(corners), volume)}),
               kPrismTriangles, volume);
}

void add_edge_boxes(std::span<const Corners> part, const ViewVolume& volume, SolidMesh& solids) {
  for (const Corners& corners : part) {
    const Vec3 normal = box_around(corners).axis[2];
    for (std::size_t i = 0; i < 3; ++i)
      add_edge_box(corners[i], corners[(i + 1) % 3], normal, volume, solids);
    add_moved(corners, volume, solids);
  }
}

void add_shared_edge_boxes(std::span<const Corners> part, const ViewVolume& volume,
                           SolidMesh& solids) {
  const auto key = [](const Vec3& p) { return std::array<double, 3>{p.x(), p.y(), p.z()}; };
  std::set<std::pair<std::array<double, 3>, std::array<double, 3>>> drawn;
  for (const Corners& corners : part) {
    const Vec3 normal = box_around(corners).axis[2];
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &p = corners[i], &q = corners[(i + 1) % 3];
      if (drawn.insert(std::minmax(key(p), key(q))).second)
        add_edge_box(p, q, normal, volume, solids);
    }
    add_moved(corners, volume, solids);
  }
}

void add_balls(std::span<const Corners> part, const ViewVolume& volume, SolidMesh& solids) {
  static const TriangleMesh icosahedron = make_icosphere(1, 0);
  // Of the ball in it, the circumscribed one is larger by this.
  constexpr double kOuter = 1.2584085723648189;
  for (const Corners& corners : part) {
    const double length = length_of(corners);
    // About the middle of the longest edge, or where the other corner is as far.
    const TriangleBox box = box_around(corners);
    double radius = 0;
    for (const Vec3& p : corners) radius = std::max(radius, (p - box.center).norm());
    std::vector<Vec3> vertices;
    for (const Vec3& p : icosahedron.vertices)
      vertices.push_back(box.center + kOuter * (radius + radius_for(length, volume)) * p);
    solids.add(vertices, icosahedron.triangles, volume);
  }
}

void add_axis_boxes(std::span<const Corners> part, const ViewVolume& volume, SolidMesh& solids) {
  for (const Corners& corners : part) {
    Box3 around;
    for (const Vec3& p : corners) around.extend(p);
    TriangleBox box;
    box.center = around.center();
    box.axis = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    box.half = around.sizes() / 2;
    solids.add(corners_of(box, radius_for(length_of(corners), volume)), kBoxTriangles, volume);
  }
}

Result<VisibilityImage> ExactOffsets::create_image() {
  return VisibilityImage::create(kVertexShader, kFragmentShader);
}

ExactOffsets::ExactOffsets(const VisibilityImage& image, int pixels, double fattening)
    : GlVisibility(image, CullMethod::kFar, pixels, fattening),
      pixels_(pixels),
      corners_(gl::Buffer::make()),
      texture_(gl::Texture::make()) {}

void ExactOffsets::load(const CullScene& scene, std::span<const CullPart> parts,
                        const ViewVolume& volume, CullLevel level) {
  GlVisibility::load(scene, parts, volume, level);
  std::vector<float> corners;
  for (const CullPart& part : parts)
    for (std::size_t t = part.first; t < part.first + part.count; ++t)
      for (const Vec3& p : scene.corners[t]) {
        for (const double x : (p - volume.center) / volume.half_side)
          corners.push_back(static_cast<float>(x));
        corners.push_back(0);
      }
  glBindBuffer(GL_TEXTURE_BUFFER, corners_.name());
  glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(corners.size() * sizeof(float)),
               corners.data(), GL_STREAM_DRAW);
  glBindTexture(GL_TEXTURE_BUFFER, texture_.name());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, corners_.name());
  GLint program = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &program);
  const auto uniform = [&](const char* name) {
    return glGetUniformLocation(static_cast<GLuint>(program), name);
  };
  glUniform1f(uniform("radius"), static_cast<float>(volume.radius / volume.half_side));
  glUniform1f(uniform("pixels"), static_cast<float>(pixels_));
}

}  // namespace plimsoll::bench
