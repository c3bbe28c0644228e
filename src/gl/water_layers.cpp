#include "gl/water_layers.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "gl/context.h"
#include "gl/drawing.h"
#include "gl/image_shaders.h"
#include "gl/water_shaders.h"

namespace plimsoll {
namespace {

// The texture unit of each texture, whichever program reads it; gl::kPreviousDepthUnit is taken.
enum Unit : GLint { kHeights, kSurfaceDepths, kFirstPeel };
static_assert(kFirstPeel < gl::kPreviousDepthUnit);

void use(const gl::Program& program) {
  glUseProgram(program.name());
  constexpr const char* kNames[] = {"heights", "surface_depths", "first_peel"};
  for (const Unit unit : {kHeights, kSurfaceDepths, kFirstPeel})
    glUniform1i(glGetUniformLocation(program.name(), kNames[unit]), unit);
}

void bind(Unit unit, const gl::Texture& texture) {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, texture.name());
}

Result<gl::Program> make_program(const std::string& vertex_shader,
                                 std::initializer_list<const char*> fragment_shader) {
  std::string fragment = std::string(shaders::kVersion) + shaders::kWaterHead;
  for (const char* part : fragment_shader) fragment += part;
  return gl::make_program({{GL_VERTEX_SHADER, vertex_shader}, {GL_FRAGMENT_SHADER, fragment}});
}

void draw_bodies(const GlWaterPage& page, const gl::Program& program,
                 const WaterImageOptions& options) {
  for (const GlWaterTile& tile : page.tiles) {
    glViewport(tile.x, tile.y, options.width, options.height);
    glFrontFace(tile.mesh->is_inward ? GL_CW : GL_CCW);
    draw_mesh(tile.mesh->buffer, tile.view_from_vertices, 0, program,
              {tile.view.lattice, tile.view.depth, 0, 0, options.width, options.height});
  }
  glFrontFace(GL_CCW);
}

}  // namespace

Result<GlWaterLayers> GlWaterLayers::create() {
  GlWaterLayers layers;
  const std::string bodies = mesh_vertex_shader(shaders::kNoDeformation);
  const std::string tiles = shaders::kCoverVertex;
  const auto keep = [](Result<gl::Program> made, gl::Program& program) -> Result<void> {
    if (!made) return made.error();
    program = std::move(*made);
    return {};
  };
  for (const Result<void>& made :
       {keep(make_program(bodies, {shaders::kWaterAdditive}), layers.additive_),
        keep(make_program(bodies, {gl::kPeelTest, shaders::kWaterPeel}), layers.peel_),
        keep(make_program(tiles, {shaders::kWaterDepth}), layers.surface_depth_),
        keep(make_program(tiles, {shaders::kWaterSurface}), layers.surface_)})
    if (!made) return made.error();
  layers.no_attributes_ = gl::VertexArray::make();
  return layers;
}

Result<void> GlWaterLayers::make_room(int width, int height) {
  if (width_ >= width && height_ >= height) return {};
  width = std::max(width_, width);
  height = std::max(height_, height);
  width_ = height_ = 0;  // until all are made
  heights_ = gl::make_texture(GL_R32F, width, height);
  surface_depths_ = gl::make_texture(GL_DEPTH32F_STENCIL8, width, height);
  depths_ = gl::make_layer_depths(width, height, true);
  for (Layer* layer : {&first_, &others_}) {
    layer->sums = gl::make_texture(GL_RGBA32F, width, height);
    layer->framebuffer = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, layer->framebuffer.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, layer->sums.name(),
                           0);
    depths_.attach(0);
    if (Result<void> complete = gl::check_framebuffer("making images"); !complete)
      return complete.error();
  }
  width_ = width;
  height_ = height;
  return {};
}

// Where the surface is beyond the body it is moved to just beyond, within the view volume.
void GlWaterLayers::upload_heights(const GlWaterPage& page, const WaterImageOptions& options) {
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  bind(kHeights, heights_);
  std::vector<float> heights;
  for (const GlWaterTile& tile : page.tiles) {
    const double limit = 1.0005 * tile.view.depth;
    heights.clear();
    for (const double h : tile.surface.heights)
      heights.push_back(static_cast<float>(std::clamp(h, -limit, limit)));
    glTexSubImage2D(GL_TEXTURE_2D, 0, tile.x, tile.y, options.width, options.height, GL_RED,
                    GL_FLOAT, heights.data());
  }
}

std::span<const float> GlWaterLayers::read_back(const GlWaterPage& page) {
  pixels_.resize(4 * static_cast<std::size_t>(page.width) * static_cast<std::size_t>(page.height));
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glReadPixels(0, 0, page.width, page.height, GL_RGBA, GL_FLOAT, pixels_.data());
  return pixels_;
}

// Runs the fragment shader of `program` once for each pixel of each tile.
void GlWaterLayers::cover(const GlWaterPage& page, const gl::Program& program,
                          const WaterImageOptions& options) const {
  glBindVertexArray(no_attributes_.name());
  for (const GlWaterTile& tile : page.tiles) {
    glViewport(tile.x, tile.y, options.width, options.height);
    glUniform1f(glGetUniformLocation(program.name(), "depth"),
                static_cast<float>(view_volume_depth(tile.view.depth)));
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glBindVertexArray(0);
}

void GlWaterLayers::draw_additive(const GlWaterPage& page, const WaterImageOptions& options) {
  glBindFramebuffer(GL_FRAMEBUFFER, others_.framebuffer.name());
  gl::clear_images(page.width, page.height, 1, false);
  use(additive_);
  const gl::AddedColors added;
  draw_bodies(page, additive_, options);
}

// Pass 0: the depth of the fluid's surface, into a texture. The colors are not used.
void GlWaterLayers::draw_surface_depth(const GlWaterPage& page, const WaterImageOptions& options) {
  glBindFramebuffer(GL_FRAMEBUFFER, others_.framebuffer.name());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D,
                         surface_depths_.name(), 0);
  gl::clear_images(page.width, page.height, 1, true);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_ALWAYS);
  use(surface_depth_);
  cover(page, surface_depth_, options);
  glDisable(GL_DEPTH_TEST);
}

// Passes 1 to n; returns n. The first leaves 1 in the stencil of its depths where the nearest face
// under the surface looks down.
Result<int> GlWaterLayers::draw_peels(
    const GlWaterPage& page, const GlWaterOptions& options,
    const std::function<void(std::span<const float>)>& use_layer) {
  gl::Peeling peeling = {.program = peel_,
                         .depths = depths_,
                         .first_layer = first_.framebuffer,
                         .other_layers = others_.framebuffer,
                         .width = page.width,
                         .height = page.height,
                         .max_layers = options.max_peels};
  for (const GlWaterTile& tile : page.tiles)
    peeling.triangle_count += tile.mesh->buffer.triangle_count();
  bind(kSurfaceDepths, surface_depths_);
  use(peel_);
  constexpr GLint kUnmarked = 0;
  glBindFramebuffer(GL_FRAMEBUFFER, first_.framebuffer.name());
  depths_.attach(0);
  glClearBufferiv(GL_STENCIL, 0, &kUnmarked);
  const auto draw = [&](int layer) {
    if (layer == 0) {
      glEnable(GL_STENCIL_TEST);
      glStencilFuncSeparate(GL_FRONT, GL_ALWAYS, 0, 1);
      glStencilFuncSeparate(GL_BACK, GL_ALWAYS, 1, 1);
      glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    }
    draw_bodies(page, peel_, options.image);
    glDisable(GL_STENCIL_TEST);
  };
  return gl::peel(peeling, draw, [&](int) -> Result<void> {
    use_layer(read_back(page));
    return {};
  });
}

// The last pass: the fluid's surface where it is inside the body.
void GlWaterLayers::draw_surface(const GlWaterPage& page, const GlWaterOptions& options) {
  glBindFramebuffer(GL_FRAMEBUFFER, others_.framebuffer.name());
  depths_.attach(0);
  gl::clear_images(page.width, page.height, 1, false);
  const bool by_texture = options.cap == CapRule::kTexture;
  if (!by_texture) {
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 1, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  }
  bind(kFirstPeel, first_.sums);
  use(surface_);
  glUniform1i(glGetUniformLocation(surface_.name(), "by_texture"), by_texture ? 1 : 0);
  cover(page, surface_, options.image);
  glDisable(GL_STENCIL_TEST);
}

Result<void> GlWaterLayers::draw(const GlWaterPage& page, const GlWaterOptions& options,
                                 const std::function<void(std::span<const float>)>& use_layer) {
  if (Result<void> room = make_room(page.width, page.height); !room) return room;
  upload_heights(page, options.image);
  if (options.algorithm == ImageAlgorithm::kPeel) {
    draw_surface_depth(page, options.image);
    if (Result<int> peels = draw_peels(page, options, use_layer); !peels) return peels.error();
    draw_surface(page, options);
  } else {
    draw_additive(page, options.image);
  }
  use_layer(read_back(page));
  return gl::reported_error("drawing under water");
}

}  // namespace plimsoll
