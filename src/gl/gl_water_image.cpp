// Buoyancy from the pixels of what graphics hardware draws, each a column of a body under the
// fluid's surface.
#include <plimsoll/gl_water_image.h>

#include <algorithm>
#include <string>
#include <utility>

#include "gl/context.h"
#include "gl/drawn_body.h"
#include "gl/water_layers.h"
#include "gl/water_tiles.h"
#include "hydro/water_image_sums.h"
#include "hydro/wet_triangles.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

constexpr int kMaxSide = 2048;  // pixels of what is drawn at once

double signed_volume(const MeshView& mesh, std::span<const Vec3> vertices) {
  double volume = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle v = mesh.triangle(t);
    volume += vertices[v[0]].dot(vertices[v[1]].cross(vertices[v[2]]));
  }
  return volume;
}

// The count is that of water_shaders.h: wet_up + 256 wet_down + 65536 others.
void add_texel(const float* texel, WaterColumn& column) {
  for (std::size_t k = 0; k < 3; ++k) column.integrals[k] += static_cast<double>(texel[k]);
  const auto count = static_cast<std::int32_t>(texel[3]);
  const std::int32_t others = count >= 0 ? count / 65536 : -((65535 - count) / 65536);
  const std::int32_t wet = count - 65536 * others;
  column.wet_up += wet % 256;
  column.wet_down += wet / 256;
  column.others += others;
}

// One layer of a page that holds one body.
PeelImage peel_image(std::span<const float> pixels, const Lattice& lattice) {
  PeelImage image{lattice.width, lattice.height, {}};
  const auto width = static_cast<std::size_t>(lattice.width);
  for (std::size_t j = 0; j < static_cast<std::size_t>(lattice.height); ++j)
    for (std::size_t i = 0; i < width; ++i) {
      const float* texel = &pixels[4 * (j * width + i)];
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

// What the mesh has under water, whatever its columns met; negative where it is turned inward.
double known_volume(const GlWaterTile& tile) {
  const Lattice& lattice = tile.view.lattice;
  std::vector<Vec3> vertices;
  vertices.reserve(tile.mesh->vertices.size());
  for (const Vec3& v : tile.mesh->vertices) {
    const Vec3 p = tile.view_from_vertices * Vec3(v / tile.mesh->scale);
    vertices.emplace_back((p[0] - lattice.x0) / lattice.dx - 0.5,
                          (p[1] - lattice.y0) / lattice.dy - 0.5, p[2]);
  }
  return wet_volume(tile.mesh->triangles, vertices, lattice, tile.surface);
}

WaterImage image_of(const GlWaterTile& tile, std::span<const WaterColumn> columns,
                    const GlWaterOptions& options) {
  WaterEstimate estimate{.is_wanted = options.image.has_estimate,
                         .rounding = drawing_error(options.image.width, options.image.height)};
  if (estimate.is_wanted) estimate.known = (tile.mesh->is_inward ? -1 : 1) * known_volume(tile);
  WaterImage image = sum_columns(columns, tile.view, tile.surface, 1, estimate);
  if (options.algorithm == ImageAlgorithm::kPeel) image.passes = image.peels + 2;
  return image;
}

}  // namespace

struct GlWaterImage::State {
  std::shared_ptr<GlContext::State> context;
  std::vector<GlWaterMesh> meshes;
  GlWaterLayers layers;

  [[nodiscard]] int max_side() const { return std::min(kMaxSide, context->info.largest_image); }

  Result<std::vector<GlWaterTile>> tiles_of(std::span<const GlWaterBody> bodies,
                                            const SurfaceNow& surface,
                                            const WaterImageOptions& options) const;
};

// Without those of bodies that are dry.
Result<std::vector<GlWaterTile>> GlWaterImage::State::tiles_of(
    std::span<const GlWaterBody> bodies, const SurfaceNow& surface,
    const WaterImageOptions& options) const {
  if (Result<void> usable =
          check_resolution(options.width, options.height, max_side(), "water image options");
      !usable)
    return usable.error();
  std::vector<GlWaterTile> tiles;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].mesh.index >= meshes.size())
      return Error{ErrorCode::kInvalidArgument,
                   "found mesh " + std::to_string(bodies[i].mesh.index) + ", but " +
                       std::to_string(meshes.size()) + " were uploaded here",
                   "bodies[" + std::to_string(i) + "].mesh"};
    const Result<Similarity> pose = nearest_similarity(bodies[i].world_from_mesh);
    if (!pose)
      return Error{pose.error().code, pose.error().message,
                   "bodies[" + std::to_string(i) + "].world_from_mesh"};
    std::optional<GlWaterTile> tile =
        tile_of(i, meshes[bodies[i].mesh.index], *pose, surface, options);
    if (tile) tiles.push_back(std::move(*tile));
  }
  return tiles;
}

void GlWaterImage::Deleter::operator()(State* state) const {
  gl::delete_in_context(state->context, state);
}

GlWaterImage::GlWaterImage(std::unique_ptr<State, Deleter> state) : state_(std::move(state)) {}

Result<GlWaterImage> GlWaterImage::create(const GlContext& context) {
  const gl::Current current(*context.state());
  if (Result<void> made = current.status(); !made) return made.error();
  Result<GlWaterLayers> layers = GlWaterLayers::create();
  if (!layers) return layers.error();
  return GlWaterImage(
      std::unique_ptr<State, Deleter>(new State{context.state(), {}, std::move(*layers)}));
}

Result<GlMeshId> GlWaterImage::upload(const CheckedMesh& checked) {
  const MeshView& mesh = checked.view();
  const Box3 box = bounding_box(mesh);
  const double across = box.isEmpty() ? 0 : box.sizes().maxCoeff();
  constexpr double kLeast = 1e-30, kLargest = 1e30;  // float32 holds 1e38
  if (!(across >= kLeast && across <= kLargest))
    return Error{ErrorCode::kInvalidArgument,
                 "found nothing, or a body less than 1e-30 or more than 1e30 across", "mesh"};
  GlWaterMesh uploaded;
  uploaded.middle = box.center();
  uploaded.scale = across / 2;
  // Vertices that no triangle names may be anywhere.
  const auto about_middle = [&](const Vec3& p) -> Vec3 {
    return p.cwiseMax(box.min()).cwiseMin(box.max()) - uploaded.middle;
  };
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    uploaded.vertices.push_back(about_middle(mesh.vertex(v)));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    uploaded.triangles.push_back(mesh.triangle(t));
  uploaded.is_inward = signed_volume(mesh, uploaded.vertices) < 0;
  const std::vector<float> vertices = gl::float_vertices(
      mesh, [&](const Vec3& p) -> Vec3 { return about_middle(p) / uploaded.scale; });
  const gl::Current current(*state_->context);
  uploaded.buffer = gl::MeshBuffer(mesh, vertices);
  if (Result<void> done = gl::reported_error("uploading a mesh"); !done) return done.error();
  state_->meshes.push_back(std::move(uploaded));
  return GlMeshId{static_cast<std::uint32_t>(state_->meshes.size() - 1)};
}

Result<std::vector<WaterImage>> GlWaterImage::measure(std::span<const GlWaterBody> bodies,
                                                      const SurfaceNow& surface,
                                                      const GlWaterOptions& options) {
  const gl::Current current(*state_->context);
  Result<std::vector<GlWaterTile>> tiles = state_->tiles_of(bodies, surface, options.image);
  if (!tiles) return tiles.error();
  std::vector<WaterImage> images(bodies.size());
  if (options.algorithm == ImageAlgorithm::kPeel)
    for (WaterImage& image : images) image.passes = 2;
  const auto width = static_cast<std::size_t>(options.image.width);
  const std::size_t columns_of_tile = width * static_cast<std::size_t>(options.image.height);
  std::vector<WaterColumn> columns;
  for (std::span<GlWaterTile> rest(*tiles); !rest.empty();) {
    const GlWaterPage page = lay_out(rest, state_->max_side(), options.image);
    rest = rest.subspan(page.tiles.size());
    columns.assign(page.tiles.size() * columns_of_tile, WaterColumn{});
    const auto add_layer = [&](std::span<const float> pixels) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const GlWaterTile& tile = page.tiles[i / columns_of_tile];
        const std::size_t column = i % columns_of_tile;
        const std::size_t x = static_cast<std::size_t>(tile.x) + column % width;
        const std::size_t y = static_cast<std::size_t>(tile.y) + column / width;
        add_texel(&pixels[4 * (y * static_cast<std::size_t>(page.width) + x)], columns[i]);
      }
    };
    if (Result<void> drawn = state_->layers.draw(page, options, add_layer); !drawn)
      return drawn.error();
    for (std::size_t i = 0; i < page.tiles.size(); ++i)
      images[page.tiles[i].body] = image_of(
          page.tiles[i], std::span(columns).subspan(i * columns_of_tile, columns_of_tile), options);
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
  Result<std::vector<GlWaterTile>> tiles =
      state_->tiles_of(std::span(&body, 1), surface, options.image);
  if (!tiles) return tiles.error();
  std::vector<PeelImage> layers;
  if (tiles->empty()) return layers;
  const GlWaterPage page = lay_out(*tiles, state_->max_side(), options.image);
  GlWaterOptions peeling = options;
  peeling.algorithm = ImageAlgorithm::kPeel;
  Result<void> drawn = state_->layers.draw(page, peeling, [&](std::span<const float> pixels) {
    layers.push_back(peel_image(pixels, tiles->front().view.lattice));
  });
  if (!drawn) return drawn.error();
  return layers;
}

}  // namespace plimsoll
