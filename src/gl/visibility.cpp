#include "gl/visibility.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cull/triangle_box.h"
#include "cull/triangle_prism.h"
#include "gl/context.h"
#include "gl/drawing.h"

namespace plimsoll {
namespace {

// The three axes in turn, or the view from behind: nothing is mirrored.
constexpr const char* kVertexShader = R"(#version 330 core
layout(location = 0) in vec3 position;
uniform int axis;
uniform float forward;
void main() {
  vec3 p = axis == 0 ? position.yzx : axis == 1 ? position.zxy : position;
  gl_Position = vec4(forward * p.x, p.y, forward * p.z, 1);
}
)";

constexpr const char* kFragmentShader = R"(#version 330 core
void main() {}
)";

// A software renderer that runs out of memory for what is to be drawn while a query runs may count
// wrong (gl/query_pool.h): of more triangles, several queries are made.
constexpr std::size_t kMostOfQuery = 16384;

}  // namespace

void SolidMesh::add(std::span<const Vec3> corners, std::span<const Triangle> faces,
                    const ViewVolume& volume) {
  const auto first = static_cast<std::uint32_t>(vertices.size() / 3);
  for (const Vec3& p : corners)
    for (const double x : p / volume.half_side) vertices.push_back(static_cast<float>(x));
  for (const Triangle& face : faces)
    triangles.push_back({first + face[0], first + face[1], first + face[2]});
}

Result<VisibilityImage> VisibilityImage::create() { return create(kVertexShader, kFragmentShader); }

Result<VisibilityImage> VisibilityImage::create(const char* vertex_shader,
                                                const char* fragment_shader) {
  VisibilityImage image;
  Result<gl::Program> program =
      gl::make_program({{GL_VERTEX_SHADER, vertex_shader}, {GL_FRAGMENT_SHADER, fragment_shader}});
  if (!program) return program.error();
  image.program_ = std::move(*program);
  glGetIntegerv(GL_SUBPIXEL_BITS, &image.subpixel_bits_);
  return image;
}

Result<void> VisibilityImage::bind(int pixels) {
  if (pixels > pixels_) {
    depths_ = gl::make_texture(GL_DEPTH_COMPONENT32F, pixels, pixels);
    framebuffer_ = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depths_.name(),
                           0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    pixels_ = 0;
    if (Result<void> complete = gl::check_framebuffer("views for culling"); !complete)
      return complete;
    if (Result<void> made = gl::reported_error("making images"); !made) return made;
    pixels_ = pixels;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, pixels, pixels);
  glUseProgram(program_.name());
  return {};
}

void VisibilityImage::look_along(int axis, bool is_backward) const {
  glUniform1i(glGetUniformLocation(program_.name(), "axis"), axis);
  glUniform1f(glGetUniformLocation(program_.name(), "forward"), is_backward ? -1.0f : 1.0f);
}

// Seen along an axis with the other two to the right and up, depths growing away from the viewer,
// what is counter-clockwise in space is clockwise in the window.
//
// A face seen nearly edge on has depths far beyond it. They are clamped to the view volume's, which
// is half of what there is: so none passes where nothing was drawn.
GlVisibility::GlVisibility(const VisibilityImage& image, CullMethod method, int pixels,
                           double fattening, BoundingOffset offset)
    : image_(image),
      method_(method),
      pixels_(pixels),
      fattening_(fattening),
      offset_(std::move(offset)),
      pool_(pixels, pixels) {
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_DEPTH_CLAMP);
  glDepthRange(0, kDepthRange);
  glFrontFace(GL_CW);
  if (method == CullMethod::kFar) glEnable(GL_CULL_FACE);
}

GlVisibility::~GlVisibility() {
  glDisable(GL_CULL_FACE);
  glCullFace(GL_BACK);
  glFrontFace(GL_CCW);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_DEPTH_CLAMP);
  glDepthRange(0, 1);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
}

void GlVisibility::load(const CullScene& scene, std::span<const CullPart> parts,
                        const ViewVolume& volume, CullLevel level) {
  scene_ = &scene;
  parts_.assign(parts.begin(), parts.end());
  volume_ = volume;
  drawn_ = method_ == CullMethod::kCullide  ? Drawn::kTriangle
           : level == CullLevel::kTriangles ? Drawn::kPrism
                                            : Drawn::kBox;
  queries_.assign(parts.size(), {});
  uploaded_axis_ = -1;
}

/// What is drawn in the place of a triangle.
void GlVisibility::add_solid(const std::array<Vec3, 3>& corners, int axis,
                             SolidMesh& solids) const {
  if (drawn_ == Drawn::kTriangle) {
    solids.add(corners, std::array<Triangle, 1>{{{0, 1, 2}}}, volume_);
    return;
  }
  const TriangleBox box = box_around(corners);
  const double pixel = volume_.pixel(), length = 2 * box.half.norm() / pixel;
  if (drawn_ == Drawn::kBox)
    solids.add(corners_of(box, volume_.radius + fattening_ * box_slope_room(length) * pixel),
               kBoxTriangles, volume_);
  else
    solids.add(prism_around(corners, view_fattening(volume_, axis, fattening_,
                                                    image_.subpixel_bits(), length)),
               kPrismTriangles, volume_);
}

/// Puts what a view along an axis draws into the buffer; only prisms differ from view to view.
void GlVisibility::upload(int axis) {
  if (uploaded_axis_ == axis || (uploaded_axis_ >= 0 && drawn_ != Drawn::kPrism)) return;
  uploaded_axis_ = axis;
  SolidMesh solids;
  std::vector<std::array<Vec3, 3>> triangles;
  begin_.clear();
  for (const CullPart& part : parts_) {
    begin_.push_back(solids.triangles.size());
    triangles.clear();
    for (std::size_t t = part.first; t < part.first + part.count; ++t)
      triangles.push_back(from(volume_.center, scene_->corners[t]));
    if (offset_ && drawn_ == Drawn::kBox)
      offset_(triangles, volume_, solids);
    else
      for (const std::array<Vec3, 3>& corners : triangles) add_solid(corners, axis, solids);
  }
  begin_.push_back(solids.triangles.size());
  buffer_ = gl::MeshBuffer(MeshView(std::span<const float>(solids.vertices),
                                    std::span<const Triangle>(solids.triangles)),
                           solids.vertices);
}

void GlVisibility::start_view(int axis, bool is_backward) {
  upload(axis);
  pool_.clear();
  std::fill(queries_.begin(), queries_.end(), Queries{});
  gl::clear_images(pixels_, pixels_, 0, true);
  image_.look_along(axis, is_backward);
}

gl::TriangleRange GlVisibility::range_of(std::size_t first, std::size_t count) const {
  return {begin_[first], begin_[first + count] - begin_[first]};
}

void GlVisibility::ask(std::size_t part) {
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_GEQUAL);
  glCullFace(GL_FRONT);
  gl::TriangleRange rest = range_of(part, 1);
  Queries& queries = queries_[part];
  while (rest.count > 0) {
    const gl::TriangleRange some{rest.first, std::min(rest.count, kMostOfQuery)};
    const std::size_t query = pool_.begin();
    buffer_.draw(some);
    pool_.end(some.count);
    if (queries.end == 0) queries.begin = query;
    queries.end = query + 1;
    rest = {rest.first + some.count, rest.count - some.count};
  }
}

void GlVisibility::draw(std::size_t first, std::size_t count) {
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LEQUAL);
  glCullFace(GL_BACK);
  const gl::TriangleRange range = range_of(first, count);
  buffer_.draw(range);
  pool_.note_drawn(range.count);
}

void GlVisibility::draw_far_side(std::size_t part) {
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_GEQUAL);
  glCullFace(GL_FRONT);
  buffer_.draw(range_of(part, 1));
}

bool GlVisibility::is_hidden(std::size_t part) const {
  const Queries& queries = queries_[part];
  for (std::size_t i = queries.begin; i < queries.end; ++i)
    if (pool_.any_passed(i)) return true;
  return false;
}

}  // namespace plimsoll
