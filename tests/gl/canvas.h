// What the tests of src/gl draw into: one small image whose pixels are float32, all of it current
// as long as the canvas lives.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/mesh.h>

#include <initializer_list>
#include <vector>

#include "gl/context.h"
#include "gl/depth_peeling.h"
#include "gl/mesh_buffer.h"
#include "gl/objects.h"
#include "support/gl_engine.h"

namespace plimsoll::test {

inline constexpr int kCanvas = 16;  // pixels along a side

class Canvas {
 public:
  explicit Canvas(const GlContext& context) : current_(*context.state()) {
    REQUIRE(current_.status());
    image_ = gl::make_texture(GL_RGBA32F, kCanvas, kCanvas);
    framebuffer_ = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image_.name(), 0);
    REQUIRE(gl::check_framebuffer("canvas"));
    glViewport(0, 0, kCanvas, kCanvas);
    depths_ = gl::make_layer_depths(kCanvas, kCanvas, false);
  }

  [[nodiscard]] const gl::Framebuffer& framebuffer() const { return framebuffer_; }
  [[nodiscard]] const gl::LayerDepths& depths() const { return depths_; }

  /// The red of each pixel, row by row from below.
  [[nodiscard]] std::vector<float> red() const {
    std::vector<float> pixels(kCanvas * kCanvas);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(0, 0, kCanvas, kCanvas, GL_RED, GL_FLOAT, pixels.data());
    return pixels;
  }

 private:
  gl::Current current_;
  gl::Texture image_;
  gl::Framebuffer framebuffer_;
  gl::LayerDepths depths_;
};

/// Positions are clip coordinates as they are. `fragment`: what follows the version.
inline gl::Program program(const std::string& fragment) {
  Result<gl::Program> made =
      gl::make_program({{GL_VERTEX_SHADER,
                         "#version 330 core\n"
                         "layout(location = 0) in vec3 position;\n"
                         "void main() { gl_Position = vec4(position, 1); }\n"},
                        {GL_FRAGMENT_SHADER,
                         "#version 330 core\nlayout(location = 0) out vec4 color;\n" + fragment}});
  REQUIRE_MESSAGE(made, made.error().message);
  return std::move(*made);
}

/// Squares that cover the whole canvas, two triangles each, at these depths of clip coordinates.
inline TriangleMesh squares(std::initializer_list<double> depths) {
  TriangleMesh mesh;
  for (const double z : depths) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
      mesh.vertices.emplace_back(x, y, z);
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangles.push_back({first, first + 2, first + 3});
  }
  return mesh;
}

inline std::vector<float> as_they_are(const MeshView& mesh) {
  return gl::float_vertices(mesh, [](const Vec3& p) { return p; });
}

}  // namespace plimsoll::test
