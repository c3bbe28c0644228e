// Points are sent to the shaders relative to the eye, subtracted in double: scenes far from the
// origin do not shake.
#include "renderer.h"

#include <plimsoll/mesh_generators.h>
#include <plimsoll/rotation.h>

#include <algorithm>
#include <cmath>

#include "cli/failure.h"
#include "solid_mesh.h"

namespace plimsoll::viewer {
namespace {

constexpr int kCells = 128;  // of the water along each side
constexpr float kSky[] = {236 / 255.0f, 240 / 255.0f, 243 / 255.0f};

constexpr const char* kSolidVertex = R"(#version 330 core
uniform mat4 near_from_mesh, clip_from_near;
in vec3 position, normal;
out vec3 at, outward;
void main() {
  at = (near_from_mesh * vec4(position, 1)).xyz;
  outward = mat3(near_from_mesh) * normal;
  gl_Position = clip_from_near * vec4(at, 1);
})";

constexpr const char* kSolidFragment = R"(#version 330 core
uniform vec3 color;
uniform float bright;
uniform bool is_over;          // drawn over the picture: pale where that is nearer
uniform sampler2D depth;
in vec3 at, outward;
out vec4 result;
const vec3 kSun = normalize(vec3(-0.45, -0.35, 1));
void main() {
  vec3 to_eye = normalize(-at), n = normalize(outward);
  if (dot(n, to_eye) < 0) n = -n;  // also meshes turned inside out
  float rim = 1 - dot(n, to_eye);
  vec3 lit = color * (0.62 + 0.38 * dot(n, kSun));
  lit += bright * (0.10 + 0.55 * rim * rim);
  bool is_hidden = is_over && gl_FragCoord.z > texelFetch(depth, ivec2(gl_FragCoord.xy), 0).r;
  result = vec4(lit, is_hidden ? 0.45 : 1);
})";

constexpr const char* kWaterVertex = R"(#version 330 core
uniform mat4 clip_from_near;
in vec3 position;  // relative to the eye
in vec3 normal;    // the slope, and how much of it is seen
out vec3 at, slope;
void main() {
  at = position;
  slope = normal;
  gl_Position = clip_from_near * vec4(at, 1);
})";

constexpr const char* kWaterFragment = R"(#version 330 core
uniform sampler2D depth;
uniform vec2 planes;      // near and far
uniform vec2 eye;         // modulo `line`
uniform float line, clear;  // through so much water a third is still seen
in vec3 at, slope;
out vec4 result;
const vec3 kSun = normalize(vec3(-0.45, -0.35, 1));
float straight(float z) {  // distance along the line of sight to the middle of the picture
  return 2 * planes.x * planes.y / (planes.y + planes.x - (2 * z - 1) * (planes.y - planes.x));
}
void main() {
  float below = texelFetch(depth, ivec2(gl_FragCoord.xy), 0).r;
  if (below < gl_FragCoord.z) discard;
  float here = straight(gl_FragCoord.z);
  float thickness = (straight(below) - here) * length(at) / here;
  vec3 to_eye = normalize(-at), n = normalize(vec3(-slope.xy, 1));
  vec3 water = mix(vec3(22, 72, 110), vec3(120, 180, 205),
                   clamp(0.25 + 0.5 * dot(n, kSun), 0, 1)) / 255;
  vec2 p = (at.xy + eye) / line;
  vec2 off = abs(p - round(p)) / max(fwidth(p), vec2(1e-6));
  float dense = max(fwidth(p).x, fwidth(p).y);  // lines closer than pixels would flicker
  float on_line = (1 - smoothstep(0.4, 1.1, min(off.x, off.y))) * (1 - smoothstep(0.05, 0.3, dense));
  water = mix(water, vec3(205, 228, 238) / 255, 0.25 * on_line);
  float facing = abs(dot(n, to_eye));
  water = mix(water, vec3(0.80, 0.87, 0.91), 0.55 * pow(1 - facing, 4));
  water += 0.35 * pow(max(dot(reflect(-kSun, n), to_eye), 0), 60);
  float cover = 1 - 0.78 * exp(-thickness / clear);
  result = vec4(water, cover * slope.z);
})";

/// Where the processor draws, several samples a pixel are too slow to move.
bool is_hardware() {
  const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string name = renderer != nullptr ? renderer : "";
  return name.find("llvmpipe") == std::string::npos && name.find("softpipe") == std::string::npos;
}

GLint place_of(GLuint program, const char* name) { return glGetUniformLocation(program, name); }

void set_matrix(GLuint program, const char* name, const Eigen::Matrix4d& matrix) {
  const Eigen::Matrix4f values = matrix.cast<float>();
  glUniformMatrix4fv(place_of(program, name), 1, GL_FALSE, values.data());
}

void set(GLuint program, const char* name, double value) {
  glUniform1f(place_of(program, name), static_cast<float>(value));
}
void set(GLuint program, const char* name, double x, double y) {
  glUniform2f(place_of(program, name), static_cast<float>(x), static_cast<float>(y));
}

void describe_corners() {
  constexpr GLsizei kStride = 6 * sizeof(float);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, kStride, offset(0));
  glEnableVertexAttribArray(1);
  glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, kStride, offset(3 * sizeof(float)));
}

GLsizeiptr bytes_of(const auto& values) {
  return static_cast<GLsizeiptr>(values.size() * sizeof(values[0]));
}

/// 1, 2 or 5 times a power of ten, about a tenth of `width`.
double round_length(double width) {
  const double power = std::pow(10, std::floor(std::log10(width / 10)));
  const double share = width / 10 / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

/// A turn that takes z to `direction`.
Mat3 turned_to(const Vec3& direction) { return rotation_between(Vec3::UnitZ(), direction); }

std::vector<std::uint32_t> lattice_indices() {
  std::vector<std::uint32_t> indices;
  constexpr std::uint32_t kRow = kCells + 1;
  for (std::uint32_t j = 0; j < kCells; ++j)
    for (std::uint32_t i = 0; i < kCells; ++i) {
      const std::uint32_t k = j * kRow + i;
      indices.insert(indices.end(), {k, k + 1, k + kRow + 1, k, k + kRow + 1, k + kRow});
    }
  return indices;
}

/// Where the water is drawn: a square about what is looked at, on a lattice that stays in place.
struct WaterSquare {
  double half, spacing;
  Vec2 middle;
};

WaterSquare square_of(const Camera& camera) {
  WaterSquare square;
  square.half = 0.8 * std::max(camera.size, camera.distance);
  square.spacing = 2 * square.half / kCells;
  square.middle = {square.spacing * std::round(camera.target[0] / square.spacing),
                   square.spacing * std::round(camera.target[1] / square.spacing)};
  return square;
}

/// Position about the eye, slope, and how much is seen: less towards the border.
std::vector<float> water_corners(const SurfaceNow& surface, const Camera& camera) {
  const WaterSquare square = square_of(camera);
  const Vec3 eye = camera.eye();
  std::vector<float> corners;
  corners.reserve(std::size_t{6} * (kCells + 1) * (kCells + 1));
  for (int j = 0; j <= kCells; ++j)
    for (int i = 0; i <= kCells; ++i) {
      const double s = 2.0 * i / kCells - 1, t = 2.0 * j / kCells - 1;
      const double x = square.middle[0] + square.half * s, y = square.middle[1] + square.half * t;
      const Vec2 slope = surface.slope(x, y);
      const double seen = std::clamp(12 * (1 - std::max(std::fabs(s), std::fabs(t))), 0.0, 1.0);
      for (const double value :
           {x - eye[0], y - eye[1], surface.height(x, y) - eye[2], slope[0], slope[1], seen})
        corners.push_back(static_cast<float>(value));
    }
  return corners;
}

void use_depth(GLuint program, GLuint texture) {
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glUniform1i(place_of(program, "depth"), 0);
}

void make_texture(GLuint texture, GLint format, GLenum layout, GLenum type,
                  picture::PixelSize size) {
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, format, size.width, size.height, 0, layout, type, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

}  // namespace

Renderer::Renderer(std::span<const BodyModel> models)
    : samples_(is_hardware() ? 4 : 0),
      solid_(make_program(kSolidVertex, kSolidFragment)),
      water_(make_program(kWaterVertex, kWaterFragment)),
      shaft_(upload(make_cylinder(1, 1, 20))),
      head_(upload(make_cone(1, 1, 24))) {
  for (const BodyModel& model : models)
    if (!meshes_.contains(model.mesh.get())) meshes_.emplace(model.mesh.get(), upload(*model.mesh));
  const std::vector<std::uint32_t> indices = lattice_indices();
  glBindVertexArray(water_array_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, water_indices_);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, bytes_of(indices), indices.data(), GL_STATIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, water_corners_);
  describe_corners();
  glBindVertexArray(0);
}

Renderer::Uploaded Renderer::upload(const TriangleMesh& mesh) {
  const SolidMesh solid = with_normals(mesh);
  Uploaded uploaded;
  glBindVertexArray(uploaded.array);
  glBindBuffer(GL_ARRAY_BUFFER, uploaded.corners);
  glBufferData(GL_ARRAY_BUFFER, bytes_of(solid.corners), solid.corners.data(), GL_STATIC_DRAW);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, uploaded.indices);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, bytes_of(solid.indices), solid.indices.data(),
               GL_STATIC_DRAW);
  describe_corners();
  glBindVertexArray(0);
  uploaded.count = static_cast<GLsizei>(solid.indices.size());
  return uploaded;
}

void Renderer::resize(picture::PixelSize size) {
  if (size.width == target_.size.width && size.height == target_.size.height) return;
  target_.size = size;
  glBindRenderbuffer(GL_RENDERBUFFER, target_.color);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples_, GL_RGBA8, size.width, size.height);
  glBindRenderbuffer(GL_RENDERBUFFER, target_.depth);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples_, GL_DEPTH_COMPONENT24, size.width,
                                   size.height);
  glBindFramebuffer(GL_FRAMEBUFFER, target_.samples);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target_.color);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target_.depth);
  make_texture(target_.flat_color, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, size);
  make_texture(target_.flat_depth, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, size);
  glBindFramebuffer(GL_FRAMEBUFFER, target_.flat);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target_.flat_color,
                         0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target_.flat_depth, 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw cli::failure_of({ErrorCode::kUnavailable, "cannot draw into a texture", "OpenGL"});
}

void Renderer::set_view(GLuint program, const Camera& camera) const {
  const double aspect = static_cast<double>(target_.size.width) / target_.size.height;
  glUseProgram(program);
  set_matrix(program, "clip_from_near", camera.clip_from_near(aspect));
}

void Renderer::draw_solid(const Uploaded& mesh, const Similarity& world_from_mesh,
                          const Camera& camera, picture::Color color, bool is_bright) const {
  Similarity near_from_mesh = world_from_mesh;
  near_from_mesh.translation() -= camera.eye();
  set_matrix(solid_, "near_from_mesh", near_from_mesh.matrix());
  glUniform3f(place_of(solid_, "color"), static_cast<float>(color.red) / 255,
              static_cast<float>(color.green) / 255, static_cast<float>(color.blue) / 255);
  set(solid_, "bright", is_bright ? 1 : 0);
  glBindVertexArray(mesh.array);
  glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
}

void Renderer::draw_bodies(const Frame& frame, const Camera& camera) {
  glBindFramebuffer(GL_FRAMEBUFFER, target_.samples);
  glClearColor(kSky[0], kSky[1], kSky[2], 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  set_view(solid_, camera);
  glUniform1i(place_of(solid_, "is_over"), 0);
  for (std::size_t i = 0; i < frame.models.size(); ++i) {
    const BodyModel& model = frame.models[i];
    draw_solid(meshes_.at(model.mesh.get()), Similarity(frame.poses[i]) * model.body_from_mesh,
               camera, model.color, frame.selected == i);
  }
  draw_overlays(frame, camera, false);
  const auto [width, height] = target_.size;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target_.samples);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target_.flat);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height,
                    GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target_.flat);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glClear(GL_DEPTH_BUFFER_BIT);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void Renderer::draw_water(const SurfaceNow& surface, const Camera& camera, double body_size) {
  const std::vector<float> corners = water_corners(surface, camera);
  glBindBuffer(GL_ARRAY_BUFFER, water_corners_);
  glBufferData(GL_ARRAY_BUFFER, bytes_of(corners), corners.data(), GL_STREAM_DRAW);
  set_view(water_, camera);
  use_depth(water_, target_.flat_depth);
  const double line = round_length(2 * square_of(camera).half);
  const Vec3 eye = camera.eye();
  set(water_, "planes", camera.near_plane(), camera.far_plane());
  set(water_, "eye", std::remainder(eye[0], line), std::remainder(eye[1], line));
  set(water_, "line", line);
  set(water_, "clear", 1.6 * body_size);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glBindVertexArray(water_array_);
  glDrawElements(GL_TRIANGLES, 6 * kCells * kCells, GL_UNSIGNED_INT, nullptr);
  glDisable(GL_BLEND);
}

void Renderer::draw_overlays(const Frame& frame, const Camera& camera, bool are_over) {
  overlays_.resize(frame.overlays.size());
  for (std::size_t i = 0; i < frame.overlays.size(); ++i) {
    const Overlay& overlay = frame.overlays[i];
    if (overlay.is_over != are_over) continue;
    UploadedOverlay& last = overlays_[i];
    if (last.mesh != overlay.mesh || last.version != overlay.version)
      last = {overlay.mesh, overlay.version, upload(*overlay.mesh)};
    draw_solid(last.uploaded, Similarity::Identity(), camera, overlay.color, false);
  }
}

// The picture's depth is in the texture: the window's own is theirs alone, against each other.
void Renderer::draw_arrows(const Frame& frame, const Camera& camera, double body_size) {
  glClear(GL_DEPTH_BUFFER_BIT);
  set_view(solid_, camera);
  use_depth(solid_, target_.flat_depth);
  glUniform1i(place_of(solid_, "is_over"), 1);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  draw_overlays(frame, camera, true);
  for (const Arrow& arrow : frame.arrows) {
    const double length = arrow.along.norm();
    if (!(length > 0) || !std::isfinite(length)) continue;
    const double thick = std::min(0.045 * body_size, 0.12 * length);
    const double head = std::min(5 * thick, 0.5 * length);
    const Vec3 direction = arrow.along / length;
    const Mat3 turn = turned_to(direction);
    Similarity shaft = Similarity::Identity(), tip = shaft;
    shaft.translation() = arrow.from + (length - head) / 2 * direction;
    shaft.linear() = turn * Vec3(thick, thick, length - head).asDiagonal();
    tip.translation() = arrow.from + (length - head) * direction;
    tip.linear() = turn * Vec3(2.3 * thick, 2.3 * thick, head).asDiagonal();
    draw_solid(shaft_, shaft, camera, arrow.color, false);
    draw_solid(head_, tip, camera, arrow.color, false);
  }
  glDisable(GL_BLEND);
}

void Renderer::draw(const Frame& frame, const Camera& camera, picture::PixelSize size,
                    double body_size) {
  if (size.width < 1 || size.height < 1) return;
  resize(size);
  glViewport(0, 0, size.width, size.height);
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  draw_bodies(frame, camera);
  if (frame.surface != nullptr) draw_water(*frame.surface, camera, body_size);
  draw_arrows(frame, camera, body_size);
  glBindVertexArray(0);
  glUseProgram(0);
  glDisable(GL_DEPTH_TEST);
}

}  // namespace plimsoll::viewer
