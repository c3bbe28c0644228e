// Drawing a body so that each pixel holds the integrands of its column, and summing them: in one
// pass, or layer by layer [Kim2006, sec. 3.2; Everitt 2001].
#include <plimsoll/gl_image.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "gl/query_pool.h"
#include "image/checked_box.h"
#include "image/gl_drawing.h"
#include "image/gl_patches.h"
#include "image/gl_reduction.h"
#include "image/gl_shaders.h"
#include "image/measured.h"
#include "image/shape_parts.h"

namespace plimsoll {
namespace {

constexpr int kTile = 2048;  // pixels along a side; larger images are drawn piece by piece

// The coordinates of the view cube, in which float32 costs 6e-8 wherever the body is.
std::vector<float> view_vertices(const MeshView& mesh, const View& view) {
  const Similarity view_from_body = view.world_from_view.inverse();
  const Vec3 center = view.world_from_view.translation();
  std::vector<float> vertices;
  vertices.reserve(3 * mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 p = view_from_body.linear() * (mesh.vertex(v) - center);
    for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<float>(p[k]));
  }
  return vertices;
}

// The same for a shape's own coordinates, the center taken off first.
Similarity view_from_shape(const Shape& shape, const View& view) {
  Similarity centered = shape.pose;
  centered.translation() -= view.world_from_view.translation();
  Similarity turn = view.world_from_view.inverse();
  turn.translation().setZero();
  return turn * centered;
}

// Of all faces, in the view's units.
double projected_area(const MeshView& mesh, std::span<const float> vertices) {
  const auto at = [&](std::uint32_t v) {
    return Vec2(vertices[3 * std::size_t{v}], vertices[3 * std::size_t{v} + 1]);
  };
  double twice = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle corners = mesh.triangle(t);
    const Vec2 a = at(corners[0]);
    const Vec2 b = at(corners[1]) - a, c = at(corners[2]) - a;
    twice += std::abs(b.x() * c.y() - b.y() * c.x());
  }
  return twice / 2;
}

TenMoments ten_of(const TwelveSums& s, double pixel) {
  TenMoments m = {s[3], s[0], s[1], s[2], s[4], s[8], s[10], s[5], s[6], s[9]};
  for (double& term : m) term *= pixel;
  return m;
}

std::vector<TenMoments> ten_of(std::span<const TwelveSums> lines, double pixel) {
  std::vector<TenMoments> moments(lines.size());
  std::transform(lines.begin(), lines.end(), moments.begin(),
                 [pixel](const TwelveSums& s) { return ten_of(s, pixel); });
  return moments;
}

}  // namespace

struct GlImageEngine::State {
  std::shared_ptr<GlContext::State> context;
  gl::Program additive;
  gl::Program peel;
  gl::Program patches_additive;  // From OpenGL 4.0 on.
  gl::Program patches_peel;
  GlReduction reduction;
  IntegrandTargets targets;
  gl::Texture depths[2];

  Result<void> make_room(int width, int height);
  int peel_tile(const Drawn& body, const gl::Program& program, const Tile& tile, int most_peels,
                const std::function<Result<void>()>& use, Result<void>& status);
};

// Images at least that large; those of an earlier call serve where they are.
Result<void> GlImageEngine::State::make_room(int width, int height) {
  if (targets.width >= width && targets.height >= height) return {};
  width = std::max(width, targets.width);
  height = std::max(height, targets.height);
  Result<IntegrandTargets> made = make_targets(width, height);
  if (!made) return made.error();
  targets = std::move(*made);
  for (gl::Texture& depth : depths) depth = gl::make_texture(GL_DEPTH_COMPONENT32F, width, height);
  return gl::reported_error("making images");
}

namespace {

// Only what is drawn into: images may be larger, from an earlier call.
void clear_targets(const Tile& tile, bool with_depth) {
  constexpr float kZero[4] = {0, 0, 0, 0};
  constexpr float kFar = 1;
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, tile.width, tile.height);
  for (GLint k = 0; k < 3; ++k) glClearBufferfv(GL_COLOR, k, kZero);
  if (with_depth) glClearBufferfv(GL_DEPTH, 0, &kFar);
  glDisable(GL_SCISSOR_TEST);
}

void draw_additive(const Drawn& body, const IntegrandTargets& targets, const gl::Program& program,
                   const Tile& tile) {
  glBindFramebuffer(GL_FRAMEBUFFER, targets.framebuffer.name());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, 0, 0);
  glViewport(0, 0, tile.width, tile.height);
  clear_targets(tile, false);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
  body.draw(program, tile);
  glDisable(GL_BLEND);
}

Error too_many_peels(int most) {
  return {ErrorCode::kResourceLimit,
          "found more than " + std::to_string(most) +
              " peels: take the additive algorithm, which needs one pass, or allow more",
          "peel"};
}

}  // namespace

// Draws layer after layer and calls `use` on each; returns how many there were.
int GlImageEngine::State::peel_tile(const Drawn& body, const gl::Program& program, const Tile& tile,
                                    int most_peels, const std::function<Result<void>()>& use,
                                    Result<void>& status) {
  gl::QueryPool queries(tile.width, tile.height);
  glUseProgram(program.name());
  glUniform1i(glGetUniformLocation(program.name(), "previous_depth"), 3);
  for (int pass = 0;; ++pass) {
    const gl::Texture& depth = depths[pass % 2];
    glBindFramebuffer(GL_FRAMEBUFFER, targets.framebuffer.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth.name(), 0);
    glActiveTexture(GL_TEXTURE3);
    glBindTexture(GL_TEXTURE_2D, depths[1 - pass % 2].name());
    glViewport(0, 0, tile.width, tile.height);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    clear_targets(tile, true);
    glUseProgram(program.name());
    glUniform1i(glGetUniformLocation(program.name(), "is_first"), pass == 0 ? 1 : 0);
    queries.clear();
    const std::size_t query = queries.begin();
    body.draw(program, tile);
    queries.end(body.triangle_count());
    glDisable(GL_DEPTH_TEST);
    const bool any = queries.any_passed(query);
    if (any && pass == most_peels) status = too_many_peels(most_peels);
    if (!any || !status) return pass;
    status = use();
    if (!status) return pass;
  }
}

Result<GlImageEngine> GlImageEngine::create(const GlContext& context) {
  const gl::Current current(*context.state());
  if (!current)
    return Error{ErrorCode::kUnavailable, "the context cannot be made current", "OpenGL"};
  auto state = std::make_unique<State>();
  state->context = context.state();
  for (const bool peels : {false, true}) {
    Result<gl::Program> program = make_integrand_program(shaders::kNoDeformation, peels);
    if (!program) return program.error();
    (peels ? state->peel : state->additive) = std::move(*program);
  }
  for (const bool peels : {false, true}) {
    if (context.info().major < 4) break;
    Result<gl::Program> program = make_patch_program(peels);
    if (!program) return program.error();
    (peels ? state->patches_peel : state->patches_additive) = std::move(*program);
  }
  Result<GlReduction> reduction = GlReduction::create(context.info());
  if (!reduction) return reduction.error();
  state->reduction = std::move(*reduction);
  return GlImageEngine(std::move(state));
}

GlImageEngine::GlImageEngine(std::unique_ptr<State> state) : state_(std::move(state)) {}
GlImageEngine::GlImageEngine(GlImageEngine&&) noexcept = default;
GlImageEngine& GlImageEngine::operator=(GlImageEngine&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
GlImageEngine::~GlImageEngine() {
  if (state_ == nullptr) return;
  const std::shared_ptr<GlContext::State> context = state_->context;
  const gl::Current current(*context);
  state_.reset();
}

namespace {

ImageReduction reduction_for(const GlImageOptions& options, const GlReduction& reduction,
                             const GlInfo& info) {
  if (options.reduction) return *options.reduction;
  if (!info.is_hardware) return ImageReduction::kReadback;
  return reduction.has_compute() ? ImageReduction::kCompute : ImageReduction::kLogarithmic;
}

// Fragments at one depth in one column are one to the strict compare of `peel`; each one lost shows
// as a row whose faces do not balance.
double lost_volume(std::span<const TwelveSums> rows, const View& view) {
  double lost = 0;
  for (const TwelveSums& row : rows) lost += std::abs(row[11]);
  return lost * view.lattice.dx * view.lattice.dy * view.depth;
}

}  // namespace

Result<ImageMass> measure_drawn(GlImageEngine::State& engine, const Drawn& body,
                                const gl::Program& additive, const gl::Program& peel,
                                const View& view, const GlImageOptions& options) {
  const Lattice& lattice = view.lattice;
  if (lattice.dx == 0 || lattice.dy == 0)
    return measured(TenMoments{}, TenMoments{}, view, options.image);
  const ImageReduction how = reduction_for(options, engine.reduction, engine.context->info);
  if (how == ImageReduction::kCompute && !engine.reduction.has_compute())
    return Error{ErrorCode::kUnavailable, "this OpenGL has no compute shaders (4.3)", "reduction"};
  const int side = std::min(kTile, engine.context->info.largest_image);
  const int tile_width = std::min(side, lattice.width);
  const int tile_height = std::min(side, lattice.height);
  if (Result<void> room = engine.make_room(tile_width, tile_height); !room) return room.error();
  std::vector<TwelveSums> rows(static_cast<std::size_t>(lattice.height));
  std::vector<TwelveSums> columns(static_cast<std::size_t>(lattice.width));
  int passes = 0;
  for (int j = 0; j < lattice.height; j += tile_height)
    for (int i = 0; i < lattice.width; i += tile_width) {
      const Tile tile = {&view, i, j, std::min(tile_width, lattice.width - i),
                         std::min(tile_height, lattice.height - j)};
      const LineSums sums = {std::span(rows).subspan(static_cast<std::size_t>(j),
                                                     static_cast<std::size_t>(tile.height)),
                             std::span(columns).subspan(static_cast<std::size_t>(i),
                                                        static_cast<std::size_t>(tile.width))};
      const auto reduce = [&] {
        return engine.reduction.add(how, engine.targets, tile.width, tile.height, sums);
      };
      Result<void> status;
      if (options.algorithm == ImageAlgorithm::kPeel) {
        passes = std::max(passes,
                          engine.peel_tile(body, peel, tile, options.most_peels, reduce, status));
      } else {
        draw_additive(body, engine.targets, additive, tile);
        status = reduce();
        passes = 1;
      }
      if (!status) return status.error();
    }
  if (Result<void> done = gl::reported_error("drawing"); !done) return done.error();
  const Marginals marginals = {ten_of(rows, lattice.dx), ten_of(columns, lattice.dy), {}};
  // Vertices are snapped to 1/256 of a pixel, and float32 holds 24 bits.
  constexpr double kSnapping = 0x1p-9;
  const double rounding = kSnapping / std::max(lattice.width, lattice.height) + 0x1p-22;
  ImageMass result = measured(sum_of_rows(marginals.rows, lattice.dy), marginals, view,
                              options.image, rounding, lost_volume(rows, view));
  for (const TwelveSums& row : rows) result.fragments += static_cast<std::size_t>(row[7]);
  for (const TwelveSums& row : rows) result.unbalanced_rows += row[11] != 0 ? 1 : 0;
  result.passes = passes;
  return result;
}

Result<ImageMass> GlImageEngine::mass_properties(const MeshView& mesh,
                                                 const GlImageOptions& options) {
  const Result<Box3> box = checked_box(mesh);
  if (!box) return box.error();
  const Result<View> view = view_of(*box, options.image);
  if (!view) return view.error();
  const gl::Current current(*state_->context);
  const std::vector<float> vertices = view_vertices(mesh, *view);
  const DrawnMesh drawn(mesh, vertices, Similarity::Identity());
  Result<ImageMass> result =
      measure_drawn(*state_, drawn, state_->additive, state_->peel, *view, options);
  if (!result) return result;
  // As on the processor: faces that no pixel's center is in leave out at most their depth.
  const double pixel = view->lattice.dx * view->lattice.dy;
  const double area = projected_area(mesh, vertices);
  constexpr double kFloat = 1 + 0x1p-20;  // the vertices are in float32
  const double missed = kFloat * std::abs(static_cast<double>(result->fragments) * pixel - area);
  const double scale = view->scale();
  if (missed > kUsuallyMissed * area)
    add_deviation(view->depth * scale, missed * scale * scale, *box, options.image, *result);
  return result;
}

namespace {

// Of a surface that is drawn but not at hand as triangles: 8 x 8 points of each patch.
double area_of(const PatchSurface& surface) {
  constexpr int kPoints = 8;
  double area = 0;
  for (const BezierPatch& patch : surface.patches)
    for (int i = 0; i < kPoints; ++i)
      for (int j = 0; j < kPoints; ++j) {
        const SurfacePoint at = evaluate(patch, (i + 0.5) / kPoints, (j + 0.5) / kPoints);
        area += at.du.cross(at.dv).norm() / (kPoints * kPoints);
      }
  return area;
}

}  // namespace

Result<ImageMass> GlImageEngine::mass_properties(const Shape& shape,
                                                 const GlImageOptions& options) {
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  const Box3 box = bounding_box(shape);
  const Result<View> view = view_of(box, options.image);
  if (!view) return view.error();
  const auto* patches = std::get_if<PatchSolid>(&shape.solid);
  const gl::Current current(*state_->context);
  const double pixel = std::min(view->lattice.dx, view->lattice.dy) * view->scale();
  const GlInfo& info = state_->context->info;
  const bool can = patches != nullptr && DrawnPatches::can_draw(*patches->surface, info);
  if (patches != nullptr && options.patches_by_shader.value_or(false) && !can)
    return Error{ErrorCode::kUnavailable,
                 "this OpenGL has no tessellation shaders (4.0), or no room for so many points",
                 "patches_by_shader"};
  if (!can || !options.patches_by_shader.value_or(info.is_hardware) || !(pixel > 0)) {
    const Result<std::optional<ShapeMesh>> drawn = triangles_to_draw(shape, options.image);
    if (!drawn) return drawn.error();
    if (!*drawn)
      return Error{ErrorCode::kUnavailable,
                   "formulas and Booleans have columns but no triangles to draw: the processor "
                   "measures them",
                   "shape"};
    Result<ImageMass> result = mass_properties((*drawn)->mesh, options);
    if (result) add_deviation(**drawn, options.image, *result);
    return result;
  }
  const double scale = std::cbrt(shape.pose.linear().determinant());
  const double flatness = kFlatness * pixel;
  const Result<std::vector<PatchGrid>> grids = patch_grids(*patches->surface, flatness / scale);
  if (!grids) return grids.error();
  const DrawnPatches drawn(*patches->surface, *grids, view_from_shape(shape, *view));
  Result<ImageMass> result =
      measure_drawn(*state_, drawn, state_->patches_additive, state_->patches_peel, *view, options);
  if (result)
    add_deviation(flatness, area_of(*patches->surface) * scale * scale, box, options.image,
                  *result);
  return result;
}

Result<std::vector<PeelImage>> GlImageEngine::peels(const MeshView& mesh,
                                                    const GlImageOptions& options) {
  const Result<Box3> box = checked_box(mesh);
  if (!box) return box.error();
  const Result<View> view = view_of(*box, options.image);
  if (!view) return view.error();
  const Lattice& lattice = view->lattice;
  if (std::max(lattice.width, lattice.height) > state_->context->info.largest_image)
    return Error{ErrorCode::kResourceLimit,
                 "this OpenGL draws images up to " +
                     std::to_string(state_->context->info.largest_image) + " pixels wide",
                 "peels"};
  const gl::Current current(*state_->context);
  if (Result<void> room = state_->make_room(lattice.width, lattice.height); !room)
    return room.error();
  const DrawnMesh drawn(mesh, view_vertices(mesh, *view), Similarity::Identity());
  std::vector<PeelImage> images;
  const auto read = [&]() -> Result<void> {
    PeelImage image{lattice.width, lattice.height, {}};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, state_->targets.framebuffer.name());
    for (std::size_t k = 0; k < 3; ++k) {
      image.targets[k].resize(4 * static_cast<std::size_t>(lattice.width) *
                              static_cast<std::size_t>(lattice.height));
      glReadBuffer(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(k));
      glReadPixels(0, 0, lattice.width, lattice.height, GL_RGBA, GL_FLOAT, image.targets[k].data());
    }
    images.push_back(std::move(image));
    return gl::reported_error("reading back");
  };
  Result<void> status;
  const Tile whole = {&*view, 0, 0, lattice.width, lattice.height};
  state_->peel_tile(drawn, state_->peel, whole, options.most_peels, read, status);
  if (!status) return status.error();
  return images;
}

struct GlDeformingMesh::State {
  GlImageEngine::State* engine;
  DrawnMesh mesh;
  TriangleMesh at_rest;
  Box3 bounds;
  gl::Program additive;
  gl::Program peel;
  gl::Program capture;
};

Result<GlDeformingMesh> GlDeformingMesh::create(GlImageEngine& engine, const MeshView& mesh,
                                                const GlDeformation& deformation) {
  if (Result<void> usable = check_mesh(mesh); !usable) return usable.error();
  const Vec3 size = deformation.bounds.max() - deformation.bounds.min();
  if (!(size.minCoeff() > 0) || !size.allFinite())
    return Error{ErrorCode::kInvalidArgument, "found bounds without a volume", "deformation"};
  const gl::Current current(*engine.state().context);
  auto state = std::make_unique<State>();
  state->engine = &engine.state();
  state->bounds = deformation.bounds;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    state->at_rest.vertices.push_back(mesh.vertex(v));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    state->at_rest.triangles.push_back(mesh.triangle(t));
  std::vector<float> vertices;
  for (const Vec3& v : state->at_rest.vertices)
    for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<float>(v[k]));
  state->mesh = DrawnMesh(mesh, vertices, Similarity::Identity());
  const std::string glsl = deformation.glsl + "\n";
  Result<gl::Program> programs[3] = {make_integrand_program(glsl.c_str(), false),
                                     make_integrand_program(glsl.c_str(), true),
                                     make_capture_program(glsl.c_str())};
  for (Result<gl::Program>& program : programs)
    if (!program) return Error{ErrorCode::kInvalidArgument, program.error().message, "deformation"};
  state->additive = std::move(*programs[0]);
  state->peel = std::move(*programs[1]);
  state->capture = std::move(*programs[2]);
  return GlDeformingMesh(std::move(state));
}

GlDeformingMesh::GlDeformingMesh(std::unique_ptr<State> state) : state_(std::move(state)) {}
GlDeformingMesh::GlDeformingMesh(GlDeformingMesh&&) noexcept = default;
GlDeformingMesh& GlDeformingMesh::operator=(GlDeformingMesh&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
GlDeformingMesh::~GlDeformingMesh() {
  if (state_ == nullptr) return;
  const gl::Current current(*state_->engine->context);
  state_.reset();
}

Result<ImageMass> GlDeformingMesh::mass_properties(float time, const GlImageOptions& options) {
  const Result<View> view = view_of(state_->bounds, options.image);
  if (!view) return view.error();
  const gl::Current current(*state_->engine->context);
  state_->mesh.set_frame(view->world_from_view.inverse(), time);
  return measure_drawn(*state_->engine, state_->mesh, state_->additive, state_->peel, *view,
                       options);
}

Result<TriangleMesh> GlDeformingMesh::deformed(float time) {
  const gl::Current current(*state_->engine->context);
  Result<std::vector<float>> read =
      state_->mesh.captured(state_->capture, time, state_->at_rest.vertices.size());
  if (!read) return read.error();
  TriangleMesh mesh = state_->at_rest;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    mesh.vertices[v] = Vec3((*read)[3 * v], (*read)[3 * v + 1], (*read)[3 * v + 2]);
  return mesh;
}

}  // namespace plimsoll
