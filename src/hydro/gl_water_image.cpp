// Drawing bodies side by side into one image, each pixel a column under the fluid's surface: in one
// pass, or peel by peel with the surface drawn where it is inside the body [Kim2006, sec. 5.2].
#include <plimsoll/assert.h>
#include <plimsoll/gl_water_image.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "gl/query_pool.h"
#include "hydro/gl_water_shaders.h"
#include "hydro/water_sums.h"
#include "image/gl_drawing.h"
#include "image/gl_shaders.h"
#include "image/lattice.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

constexpr int kSide = 2048;  // pixels along a side of what is drawn at once

/// A mesh where it is drawn, about the middle of its box and over its half size.
struct Uploaded {
  DrawnMesh drawn;
  std::vector<Vec3> vertices;  // about the middle, [m]
  Vec3 middle = Vec3::Zero();
  double scale = 1;
  bool is_inward = false;
};

/// A body in its tile.
struct Placed {
  std::size_t body;  // of those asked about
  Uploaded* mesh;
  WaterView view;
  View drawn_view;
  Similarity view_from_vertices;
  SurfaceSamples surface;
  int x = 0, y = 0;  // of the tile [pixels]
};

/// One image of what is drawn, and what decides about it.
struct Layer {
  gl::Framebuffer framebuffer;
  gl::Texture sums;
};

struct Size {
  int width = 0, height = 0;
};

Error invalid(std::string message, const char* where) {
  return {ErrorCode::kInvalidArgument, std::move(message), where};
}

double signed_volume(const MeshView& mesh, std::span<const Vec3> vertices) {
  double volume = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle v = mesh.triangle(t);
    volume += vertices[v[0]].dot(vertices[v[1]].cross(vertices[v[2]]));
  }
  return volume;
}

// Where the body's columns are. Nothing if it is dry, or is seen edge-on.
std::optional<Placed> place(std::size_t body, Uploaded& mesh, const Similarity& pose,
                            const SurfaceNow& surface, const WaterImageOptions& options) {
  Box3 box;
  for (const Vec3& v : mesh.vertices) box.extend(pose.linear() * v);
  Placed placed{body, &mesh, water_view(box, options.width, options.height), {}, {}, {}};
  WaterView& view = placed.view;
  const Vec3 offset = view.middle;
  view.middle += pose * mesh.middle;
  const Lattice& lattice = view.lattice;
  if (!(lattice.dx > 0) || !(lattice.dy > 0)) return std::nullopt;
  if (view.middle[2] - view.scale * view.depth > surface.highest()) return std::nullopt;
  placed.drawn_view.lattice = lattice;
  placed.drawn_view.depth = view.depth;
  placed.view_from_vertices.linear() = pose.linear() * (mesh.scale / view.scale);
  placed.view_from_vertices.translation() = -offset / view.scale;
  placed.view_from_vertices.makeAffine();
  sample_surface(surface, view, placed.surface);
  return placed;
}

/// The depth of the view volume, as Drawn::set_window has it.
double volume_depth(const Placed& placed) { return std::max(placed.view.depth * 1.001, 1e-30); }

void add_texel(const float* texel, WaterColumn& column) {
  for (std::size_t k = 0; k < 3; ++k) column.integrals[k] += static_cast<double>(texel[k]);
  const auto count = static_cast<std::int32_t>(texel[3]);
  const std::int32_t others = count >= 0 ? count / 65536 : -((65535 - count) / 65536);
  const std::int32_t wet = count - 65536 * others;
  column.wet_up += wet % 256;
  column.wet_down += wet / 256;
  column.others += others;
}

PeelImage peel_image(const float* texels, std::size_t stride, const Lattice& lattice) {
  PeelImage image{lattice.width, lattice.height, {}};
  const auto width = static_cast<std::size_t>(lattice.width);
  for (std::size_t j = 0; j < static_cast<std::size_t>(lattice.height); ++j)
    for (std::size_t i = 0; i < width; ++i) {
      const float* texel = texels + 4 * (j * stride + i);
      const auto x = static_cast<float>(lattice.x0 + (static_cast<double>(i) + 0.5) * lattice.dx);
      const auto y = static_cast<float>(lattice.y0 + (static_cast<double>(j) + 0.5) * lattice.dy);
      const float z = texel[0], zz = texel[1], zzz = texel[2];
      const float one = texel[3] != 0 ? 1.0F : 0.0F;
      const float sign = texel[3] == 256 ? -one : one;
      for (const float term : {x * z, y * z, zz, z}) image.targets[0].push_back(term);
      for (const float term : {x * x * z, x * y * z, x * zz, one}) image.targets[1].push_back(term);
      for (const float term : {y * y * z, y * zz, zzz, sign}) image.targets[2].push_back(term);
    }
  return image;
}

Result<gl::Program> covering_program(const char* fragment) {
  return gl::make_program({{GL_VERTEX_SHADER, shaders::kCoverVertex},
                           {GL_FRAGMENT_SHADER, std::string(shaders::kWaterHead) + fragment}});
}

Result<gl::Program> body_program(const char* fragment) {
  return gl::make_program({{GL_VERTEX_SHADER, std::string(shaders::kVertexHead) +
                                                  shaders::kNoDeformation + shaders::kVertex},
                           {GL_FRAGMENT_SHADER, std::string(shaders::kWaterHead) + fragment}});
}

// Textures are bound to the same units for all programs.
enum Unit : GLint { kHeights, kWaterDepth, kPreviousDepth, kFirstPeel };

void use(const gl::Program& program) {
  glUseProgram(program.name());
  constexpr const char* kNames[] = {"heights", "water_depth", "previous_depth", "first_peel"};
  for (GLint unit = 0; unit < 4; ++unit)
    glUniform1i(glGetUniformLocation(program.name(), kNames[unit]), unit);
}

void bind(Unit unit, const gl::Texture& texture) {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, texture.name());
}

void set_tile(const Placed& placed, const WaterImageOptions& options) {
  glViewport(placed.x, placed.y, options.width, options.height);
  glFrontFace(placed.mesh->is_inward ? GL_CW : GL_CCW);
}

Error too_many_peels(int most) {
  return {ErrorCode::kResourceLimit,
          "found more than " + std::to_string(most) +
              " peels: take the additive algorithm, which needs one pass, or allow more",
          "peel"};
}

}  // namespace

struct GlWaterImage::State {
  std::shared_ptr<GlContext::State> context;
  gl::Program additive, water_depth, peel, cap;
  gl::VertexArray no_attributes;
  std::vector<Uploaded> meshes;

  Size size;  // of the images
  Layer first, next;
  gl::Texture heights, water, depths[2];
  std::vector<float> pixels;

  // What a page is drawn into: its bodies, and how much of the images they take.
  struct Page {
    std::span<Placed> bodies;
    Size size;
  };
  using UseLayer = std::function<void()>;

  Result<void> make_room(Size wanted);
  void upload_heights(const Page& page, const WaterImageOptions& options);
  void clear(const Layer& layer, const Page& page) const;
  void read_back(const Page& page);
  void draw_bodies(const Page& page, const gl::Program& program, const WaterImageOptions& options);
  void draw_additive(const Page& page, const WaterImageOptions& options);
  void draw_surface(const Page& page, const WaterImageOptions& options);
  Result<int> draw_peels(const Page& page, const GlWaterOptions& options,
                         const UseLayer& use_layer);
  void draw_cap(const Page& page, const GlWaterOptions& options);
  Result<void> draw(const Page& page, const GlWaterOptions& options, const UseLayer& use_layer);
  Result<std::vector<Placed>> place_all(std::span<const GlWaterBody> bodies,
                                        const SurfaceNow& surface,
                                        const WaterImageOptions& options);
  Size tiles_on_page(std::size_t count, const WaterImageOptions& options) const;
};

Result<void> GlWaterImage::State::make_room(Size wanted) {
  if (size.width >= wanted.width && size.height >= wanted.height) return {};
  size = {std::max(size.width, wanted.width), std::max(size.height, wanted.height)};
  heights = gl::make_texture(GL_R32F, size.width, size.height);
  for (gl::Texture* depth : {&water, &depths[0], &depths[1]})
    *depth = gl::make_texture(GL_DEPTH32F_STENCIL8, size.width, size.height);
  for (Layer* layer : {&first, &next}) {
    layer->sums = gl::make_texture(GL_RGBA32F, size.width, size.height);
    layer->framebuffer = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, layer->framebuffer.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, layer->sums.name(),
                           0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D,
                           depths[0].name(), 0);
    if (Result<void> complete = gl::check_framebuffer("columns under water"); !complete)
      return complete.error();
  }
  return gl::reported_error("making images");
}

// A surface beyond the body becomes one just beyond, within the view volume.
void GlWaterImage::State::upload_heights(const Page& page, const WaterImageOptions& options) {
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  bind(kHeights, heights);
  std::vector<float> tile;
  for (const Placed& placed : page.bodies) {
    const double limit = 1.0005 * placed.view.depth;
    tile.clear();
    for (const double h : placed.surface.heights)
      tile.push_back(static_cast<float>(std::clamp(h, -limit, limit)));
    glTexSubImage2D(GL_TEXTURE_2D, 0, placed.x, placed.y, options.width, options.height, GL_RED,
                    GL_FLOAT, tile.data());
  }
}

// Images may be larger, from an earlier call.
void GlWaterImage::State::clear(const Layer& layer, const Page& page) const {
  constexpr float kZero[4] = {0, 0, 0, 0};
  constexpr float kFar = 1;
  glBindFramebuffer(GL_FRAMEBUFFER, layer.framebuffer.name());
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, page.size.width, page.size.height);
  glClearBufferfv(GL_COLOR, 0, kZero);
  glDepthMask(GL_TRUE);
  glClearBufferfv(GL_DEPTH, 0, &kFar);
  glDisable(GL_SCISSOR_TEST);
}

void GlWaterImage::State::read_back(const Page& page) {
  pixels.resize(4 * static_cast<std::size_t>(page.size.width) *
                static_cast<std::size_t>(page.size.height));
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glReadPixels(0, 0, page.size.width, page.size.height, GL_RGBA, GL_FLOAT, pixels.data());
}

void GlWaterImage::State::draw_bodies(const Page& page, const gl::Program& program,
                                      const WaterImageOptions& options) {
  for (const Placed& placed : page.bodies) {
    set_tile(placed, options);
    placed.mesh->drawn.set_frame(placed.view_from_vertices, 0);
    placed.mesh->drawn.draw(program, {&placed.drawn_view, 0, 0, options.width, options.height});
  }
  glFrontFace(GL_CCW);
}

void GlWaterImage::State::draw_additive(const Page& page, const WaterImageOptions& options) {
  clear(next, page);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
  use(additive);
  draw_bodies(page, additive, options);
  glDisable(GL_BLEND);
}

// Pass 0. Nothing of the image is used but its depth, which becomes the texture `water`.
void GlWaterImage::State::draw_surface(const Page& page, const WaterImageOptions& options) {
  glBindFramebuffer(GL_FRAMEBUFFER, next.framebuffer.name());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, water.name(),
                         0);
  clear(next, page);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_ALWAYS);
  use(water_depth);
  glBindVertexArray(no_attributes.name());
  for (const Placed& placed : page.bodies) {
    set_tile(placed, options);
    glUniform1f(glGetUniformLocation(water_depth.name(), "depth"),
                static_cast<float>(volume_depth(placed)));
    glFrontFace(GL_CCW);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
}

// Passes 1 to n; returns n. The first leaves 1 in the stencil of its depths where its nearest face
// looks down.
Result<int> GlWaterImage::State::draw_peels(const Page& page, const GlWaterOptions& options,
                                            const UseLayer& use_layer) {
  gl::QueryPool queries(page.size.width, page.size.height);
  std::size_t triangles = 0;
  for (const Placed& placed : page.bodies) triangles += placed.mesh->drawn.triangle_count();
  for (int pass = 0;; ++pass) {
    const Layer& layer = pass == 0 ? first : next;
    glBindFramebuffer(GL_FRAMEBUFFER, layer.framebuffer.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D,
                           depths[pass % 2].name(), 0);
    clear(layer, page);
    if (pass == 0) {
      constexpr GLint kNone = 0;
      glClearBufferiv(GL_STENCIL, 0, &kNone);
      glEnable(GL_STENCIL_TEST);
      glStencilFuncSeparate(GL_FRONT, GL_ALWAYS, 0, 1);
      glStencilFuncSeparate(GL_BACK, GL_ALWAYS, 1, 1);
      glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    }
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    bind(kWaterDepth, water);
    bind(kPreviousDepth, depths[1 - pass % 2]);
    use(peel);
    glUniform1i(glGetUniformLocation(peel.name(), "is_first"), pass == 0 ? 1 : 0);
    queries.clear();
    const std::size_t query = queries.begin();
    draw_bodies(page, peel, options.image);
    queries.end(triangles);
    glDisable(GL_STENCIL_TEST);
    if (!queries.any_passed(query)) return pass;
    if (pass == options.most_peels) return too_many_peels(options.most_peels);
    read_back(page);
    use_layer();
  }
}

// The last pass.
void GlWaterImage::State::draw_cap(const Page& page, const GlWaterOptions& options) {
  glBindFramebuffer(GL_FRAMEBUFFER, next.framebuffer.name());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D,
                         depths[0].name(), 0);
  clear(next, page);
  const bool by_texture = options.cap == CapRule::kTexture;
  glDisable(GL_DEPTH_TEST);
  if (!by_texture) {
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 1, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  }
  bind(kFirstPeel, first.sums);
  use(cap);
  glUniform1i(glGetUniformLocation(cap.name(), "by_texture"), by_texture ? 1 : 0);
  glBindVertexArray(no_attributes.name());
  for (const Placed& placed : page.bodies) {
    set_tile(placed, options.image);
    glFrontFace(GL_CCW);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glDisable(GL_STENCIL_TEST);
}

Result<void> GlWaterImage::State::draw(const Page& page, const GlWaterOptions& options,
                                       const UseLayer& use_layer) {
  if (Result<void> room = make_room(page.size); !room) return room;
  upload_heights(page, options.image);
  if (options.algorithm == ImageAlgorithm::kPeel) {
    draw_surface(page, options.image);
    if (Result<int> peels = draw_peels(page, options, use_layer); !peels) return peels.error();
    draw_cap(page, options);
  } else {
    draw_additive(page, options.image);
  }
  read_back(page);
  use_layer();
  glBindVertexArray(0);
  return gl::reported_error("drawing under water");
}

Result<std::vector<Placed>> GlWaterImage::State::place_all(std::span<const GlWaterBody> bodies,
                                                           const SurfaceNow& surface,
                                                           const WaterImageOptions& options) {
  const int most = std::min(kSide, context->info.largest_image);
  for (const int side : {options.width, options.height})
    if (side < 1 || side > most)
      return invalid("found a resolution of " + std::to_string(side) + ", expected 1 to " +
                         std::to_string(most) + " pixels",
                     "water image options");
  std::vector<Placed> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    PLIMSOLL_ASSERT(bodies[i].mesh.index < meshes.size(), "the mesh was uploaded");
    std::optional<Placed> placed =
        place(i, meshes[bodies[i].mesh.index], bodies[i].world_from_mesh, surface, options);
    if (placed) all.push_back(std::move(*placed));
  }
  return all;
}

// Columns and rows of tiles, about a square of them.
Size GlWaterImage::State::tiles_on_page(std::size_t count, const WaterImageOptions& options) const {
  const int side = std::min(kSide, context->info.largest_image);
  const int most_columns = side / options.width, most_rows = side / options.height;
  const auto wanted = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  const int columns = std::min(most_columns, wanted);
  const int rows = static_cast<int>((count + static_cast<std::size_t>(columns) - 1) /
                                    static_cast<std::size_t>(columns));
  return {columns, std::min(most_rows, rows)};
}

namespace {

// Gives each body a tile, row after row.
Size lay_out(std::span<Placed> bodies, int columns, const WaterImageOptions& options) {
  Size size;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].x = static_cast<int>(i) % columns * options.width;
    bodies[i].y = static_cast<int>(i) / columns * options.height;
    size = {std::max(size.width, bodies[i].x + options.width),
            std::max(size.height, bodies[i].y + options.height)};
  }
  return size;
}

WaterImage image_of(const Placed& placed, std::span<const WaterColumn> columns,
                    const GlWaterOptions& options) {
  // Vertices are snapped to 1/256 of a pixel, and float32 holds 24 bits.
  constexpr double kSnapping = 0x1p-9;
  const double rounding = kSnapping / std::max(options.image.width, options.image.height) + 0x1p-22;
  const double highest =
      *std::max_element(placed.surface.heights.begin(), placed.surface.heights.end());
  WaterImage image =
      sum_columns(columns, placed.view, placed.surface, 1,
                  {options.image.has_estimate, highest + placed.view.depth, rounding});
  if (options.algorithm != ImageAlgorithm::kPeel) return image;
  image.passes = image.peels + 2;
  // A face lost, or a surface too few, is up to the whole depth of its column.
  const WaterView& view = placed.view;
  image.volume_error += static_cast<double>(image.unbalanced_columns) * view.lattice.dx *
                        view.lattice.dy * 2 * view.depth * std::pow(view.scale, 3);
  return image;
}

}  // namespace

GlWaterImage::GlWaterImage(std::unique_ptr<State> state) : state_(std::move(state)) {}
GlWaterImage::GlWaterImage(GlWaterImage&&) noexcept = default;
GlWaterImage& GlWaterImage::operator=(GlWaterImage&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
GlWaterImage::~GlWaterImage() {
  if (state_ == nullptr) return;
  const std::shared_ptr<GlContext::State> context = state_->context;
  const gl::Current current(*context);
  state_.reset();
}

Result<GlWaterImage> GlWaterImage::create(const GlContext& context) {
  const gl::Current current(*context.state());
  if (!current)
    return Error{ErrorCode::kUnavailable, "the context cannot be made current", "OpenGL"};
  auto state = std::make_unique<State>();
  state->context = context.state();
  state->no_attributes = gl::VertexArray::make();
  const auto keep = [](Result<gl::Program> made, gl::Program& program) -> Result<void> {
    if (!made) return made.error();
    program = std::move(*made);
    return {};
  };
  for (Result<void> made : {keep(body_program(shaders::kWaterAdditive), state->additive),
                            keep(body_program(shaders::kWaterPeel), state->peel),
                            keep(covering_program(shaders::kWaterDepth), state->water_depth),
                            keep(covering_program(shaders::kWaterCap), state->cap)})
    if (!made) return made.error();
  return GlWaterImage(std::move(state));
}

Result<GlMeshId> GlWaterImage::upload(const MeshView& mesh) {
  if (Result<void> usable = check_mesh(mesh); !usable) return usable.error();
  const Box3 box = bounding_box(mesh);
  const double half = box.isEmpty() ? 0 : box.sizes().maxCoeff() / 2;
  constexpr double kLargest = 1e30;  // float32 holds 1e38
  if (!(half >= 1 / kLargest && half <= kLargest))
    return invalid("found nothing, or a body less than 1e-30 or more than 1e30 across", "mesh");
  Uploaded uploaded;
  uploaded.middle = box.center();
  uploaded.scale = half;
  std::vector<float> vertices;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    // Vertices that no triangle names may be anywhere.
    const Vec3 p = mesh.vertex(v).cwiseMax(box.min()).cwiseMin(box.max()) - uploaded.middle;
    uploaded.vertices.push_back(p);
    for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<float>(p[k] / half));
  }
  uploaded.is_inward = signed_volume(mesh, uploaded.vertices) < 0;
  const gl::Current current(*state_->context);
  uploaded.drawn = DrawnMesh(mesh, vertices, Similarity::Identity());
  if (Result<void> done = gl::reported_error("uploading a mesh"); !done) return done.error();
  state_->meshes.push_back(std::move(uploaded));
  return GlMeshId{static_cast<std::uint32_t>(state_->meshes.size() - 1)};
}

Result<std::vector<WaterImage>> GlWaterImage::measure(std::span<const GlWaterBody> bodies,
                                                      const SurfaceNow& surface,
                                                      const GlWaterOptions& options) {
  const gl::Current current(*state_->context);
  Result<std::vector<Placed>> placed = state_->place_all(bodies, surface, options.image);
  if (!placed) return placed.error();
  std::vector<WaterImage> images(bodies.size());
  if (options.algorithm == ImageAlgorithm::kPeel)
    for (WaterImage& image : images) image.passes = 2;
  const std::span<Placed> all(*placed);
  const std::size_t columns_of_tile = static_cast<std::size_t>(options.image.width) *
                                      static_cast<std::size_t>(options.image.height);
  std::vector<WaterColumn> columns;
  for (std::size_t begin = 0, count; begin < all.size(); begin += count) {
    const Size tiles = state_->tiles_on_page(all.size() - begin, options.image);
    count = std::min(all.size() - begin, static_cast<std::size_t>(tiles.width * tiles.height));
    State::Page page{all.subspan(begin, count), {}};
    page.size = lay_out(page.bodies, tiles.width, options.image);
    columns.assign(count * columns_of_tile, WaterColumn{});
    const auto add_layer = [&] {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const Placed& body = page.bodies[i / columns_of_tile];
        const int pixel = static_cast<int>(i % columns_of_tile);
        const int x = body.x + pixel % options.image.width;
        const int y = body.y + pixel / options.image.width;
        add_texel(&state_->pixels[4 * (static_cast<std::size_t>(y) *
                                           static_cast<std::size_t>(page.size.width) +
                                       static_cast<std::size_t>(x))],
                  columns[i]);
      }
    };
    if (Result<void> drawn = state_->draw(page, options, add_layer); !drawn) return drawn.error();
    for (std::size_t i = 0; i < count; ++i)
      images[page.bodies[i].body] =
          image_of(page.bodies[i], std::span(columns).subspan(i * columns_of_tile, columns_of_tile),
                   options);
  }
  return images;
}

Result<WaterImage> GlWaterImage::measure(const GlWaterBody& body, const SurfaceNow& surface,
                                         const GlWaterOptions& options) {
  Result<std::vector<WaterImage>> images = measure(std::span(&body, 1), surface, options);
  if (!images) return images.error();
  return images->front();
}

Result<std::vector<PeelImage>> GlWaterImage::peels(const GlWaterBody& body,
                                                   const SurfaceNow& surface,
                                                   const GlWaterOptions& options) {
  const gl::Current current(*state_->context);
  Result<std::vector<Placed>> placed =
      state_->place_all(std::span(&body, 1), surface, options.image);
  if (!placed) return placed.error();
  std::vector<PeelImage> layers;
  if (placed->empty()) return layers;
  State::Page page{*placed, {}};
  page.size = lay_out(page.bodies, 1, options.image);
  GlWaterOptions peeling = options;
  peeling.algorithm = ImageAlgorithm::kPeel;
  Result<void> drawn = state_->draw(page, peeling, [&] {
    layers.push_back(peel_image(state_->pixels.data(), static_cast<std::size_t>(page.size.width),
                                placed->front().view.lattice));
  });
  if (!drawn) return drawn.error();
  return layers;
}

}  // namespace plimsoll
