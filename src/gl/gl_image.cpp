// The engine: meshes and shapes become what is drawn, and the images of it mass properties.
#include <plimsoll/elementary.h>
#include <plimsoll/gl_image.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/mass_from_moments.h"
#include "gl/drawn_patches.h"
#include "gl/image_shaders.h"
#include "gl/measure.h"
#include "image/measured.h"
#include "image/scanline.h"
#include "image/shape_parts.h"
#include "mesh/trusted_mesh.h"
#include "patch/patch_moments.h"

namespace plimsoll {
namespace {

// The coordinates of the view cube, in which float32 costs 6e-8 wherever the body is.
std::vector<float> view_vertices(const MeshView& mesh, const View& view) {
  const Similarity view_from_body = view.world_from_view.inverse();
  const Vec3 center = view.world_from_view.translation();
  return gl::float_vertices(
      mesh, [&](const Vec3& p) { return Vec3(view_from_body.linear() * (p - center)); });
}

// The map of a shape's own coordinates to the same. The center is subtracted first.
Similarity view_from_shape(const Shape& shape, const View& view) {
  Similarity centered = shape.pose;
  centered.translation() -= view.world_from_view.translation();
  Similarity turn = view.world_from_view.inverse();
  turn.translation().setZero();
  return turn * centered;
}

// A mesh whose vertices are in view coordinates already.
DrawnBody drawn_mesh(const gl::MeshBuffer& mesh) {
  return {[&mesh](const gl::Program& program, const Tile& tile) {
            draw_mesh(mesh, Similarity::Identity(), 0, program, tile);
          },
          mesh.triangle_count()};
}

// The area of patches of which no triangles are at hand, from 8 x 8 points of each.
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

// What the patches themselves hold, whatever pixels of them were seen.
MassProperties quadrature_of(const PatchSurface& surface, const Similarity& pose,
                             const ImageOptions& options) {
  const Vec3 origin = bounding_box(surface).center();
  Similarity world_from_patches = pose * Eigen::Translation3d(origin);
  const double meters = options.unit.numerator / options.unit.denominator;
  world_from_patches.linear() *= meters;
  world_from_patches.translation() *= meters;
  return mass_from_moments(patch_moments(surface, origin).moments, world_from_patches,
                           options.density, options.mass);
}

// Whether tessellation shaders cut the shape. Errors: `Unavailable` where they are asked for and
// cannot.
Result<bool> is_cut_by_shader(const Shape& shape, std::optional<bool> wanted, const GlInfo& info) {
  const auto* patches = std::get_if<PatchSolid>(&shape.solid);
  if (patches == nullptr) return false;
  const bool can = DrawnPatches::can_draw(*patches->surface, info);
  if (wanted.value_or(false) && !can)
    return Error{ErrorCode::kUnavailable,
                 "this OpenGL has no tessellation shaders (4.0), or no room for so many points",
                 "patches_by_shader"};
  return can && wanted.value_or(info.is_hardware);
}

}  // namespace

void GlImageEngine::Deleter::operator()(State* state) const {
  gl::delete_in_context(state->context, state);
}

GlImageEngine::GlImageEngine(std::unique_ptr<State, Deleter> state) : state_(std::move(state)) {}

Result<GlImageEngine> GlImageEngine::create(const GlContext& context) {
  const gl::Current current(*context.state());
  if (Result<void> made = current.status(); !made) return made.error();
  std::unique_ptr<State, Deleter> state(new State{context.state(), {}, {}, {}, {}, {}});
  Result<IntegrandPrograms> of_meshes =
      make_integrand_programs({{GL_VERTEX_SHADER, mesh_vertex_shader(shaders::kNoDeformation)}});
  if (!of_meshes) return of_meshes.error();
  state->of_meshes = std::move(*of_meshes);
  if (context.info().major >= 4) {
    Result<IntegrandPrograms> of_patches = make_patch_programs();
    if (!of_patches) return of_patches.error();
    state->of_patches = std::move(*of_patches);
  }
  Result<GlReduction> reduction = GlReduction::create(context.info());
  if (!reduction) return reduction.error();
  state->reduction = std::move(*reduction);
  return GlImageEngine(std::move(state));
}

Result<ImageMass> GlImageEngine::mass_properties(const CheckedMesh& checked,
                                                 const GlImageOptions& options) {
  const MeshView& mesh = checked.view();
  const Box3 box = bounding_box(mesh);
  const Result<View> view = view_of(box, options.image);
  if (!view) return view.error();
  const gl::Current current(*state_->context);
  const gl::MeshBuffer buffer(mesh, view_vertices(mesh, *view));
  Result<ImageMass> result = state_->measure(drawn_mesh(buffer), state_->of_meshes, *view, options);
  const bool is_edge_on = view->lattice.dx == 0 || view->lattice.dy == 0;
  if (result && !is_edge_on)
    allow_for(integrals_of(mesh, lattice_vertices(mesh, *view), view->lattice), *view,
              options.image, *result);
  return result;
}

Result<ImageMass> GlImageEngine::mass_properties(const Shape& shape,
                                                 const GlImageOptions& options) {
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  const Box3 box = bounding_box(shape);
  const Result<View> view = view_of(box, options.image);
  if (!view) return view.error();
  const gl::Current current(*state_->context);
  const double pixel = std::min(view->lattice.dx, view->lattice.dy) * view->scale();
  const Result<bool> by_shader =
      is_cut_by_shader(shape, options.patches_by_shader, state_->context->info);
  if (!by_shader) return by_shader.error();
  if (!*by_shader || !(pixel > 0)) {
    const Result<ShapeMesh> drawn = required_triangles(triangles_to_draw(shape, options.image));
    if (!drawn) return drawn.error();
    const Result<CheckedMesh> mesh = CheckedMesh::borrow(drawn->mesh);
    if (!mesh) return mesh.error();
    Result<ImageMass> result = mass_properties(*mesh, options);
    if (result) add_deviation(*drawn, options.image, *result);
    return result;
  }
  const PatchSurface& surface = *std::get<PatchSolid>(shape.solid).surface;
  const double scale = elementary::cbrt(shape.pose.linear().determinant());
  const double flatness = kFlatness * pixel;
  const Result<std::vector<PatchGrid>> grids = patch_grids(surface, flatness / scale);
  if (!grids) return grids.error();
  const DrawnPatches patches(surface, *grids, view_from_shape(shape, *view));
  const DrawnBody body = {
      [&](const gl::Program& program, const Tile& tile) { patches.draw(program, tile); },
      patches.triangle_count()};
  Result<ImageMass> result = state_->measure(body, state_->of_patches, *view, options);
  if (!result) return result;
  allow_for(quadrature_of(surface, shape.pose, options.image), *result);
  add_deviation(flatness, area_of(surface) * scale * scale, box, options.image, *result);
  return result;
}

Result<std::vector<PeelImage>> GlImageEngine::peels(const CheckedMesh& checked,
                                                    const GlImageOptions& options) {
  const MeshView& mesh = checked.view();
  const Box3 box = bounding_box(mesh);
  const Result<View> view = view_of(box, options.image);
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
  const gl::MeshBuffer buffer(mesh, view_vertices(mesh, *view));
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
  const Tile whole = {lattice, view->depth, 0, 0, lattice.width, lattice.height};
  const Result<int> peels =
      state_->peel(drawn_mesh(buffer), state_->of_meshes.peel, whole, options.max_peels, read);
  if (!peels) return peels.error();
  return images;
}

}  // namespace plimsoll
