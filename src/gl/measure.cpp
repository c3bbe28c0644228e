#include "gl/measure.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gl/drawing.h"
#include "image/measured.h"

namespace plimsoll {
namespace {

constexpr int kMaxTile = 2048;  // pixels along a side; larger images are drawn piece by piece

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

ImageReduction reduction_for(const GlImageOptions& options, const GlReduction& reduction,
                             const GlInfo& info) {
  if (options.reduction) return *options.reduction;
  if (!info.is_hardware) return ImageReduction::kReadback;
  return reduction.has_compute() ? ImageReduction::kCompute : ImageReduction::kLogarithmic;
}

// Peeling finds one of several fragments at one depth. Each one that it loses leaves a row whose
// faces do not balance, and takes no more than the depth of its column.
double lost_volume(std::span<const TwelveSums> rows, const View& view) {
  double lost = 0;
  for (const TwelveSums& row : rows) lost += std::abs(row[11]);
  return lost * view.lattice.dx * view.lattice.dy * view.depth;
}

// What the sums along all rows and columns say.
ImageMass image_mass(std::span<const TwelveSums> rows, std::span<const TwelveSums> columns,
                     const View& view, const ImageOptions& options) {
  const Lattice& lattice = view.lattice;
  const Marginals marginals = {ten_of(rows, lattice.dx), ten_of(columns, lattice.dy), {}};
  ImageMass result =
      measured(sum_of_rows(marginals.rows, lattice.dy), marginals, view, options,
               drawing_error(lattice.width, lattice.height), lost_volume(rows, view));
  for (const TwelveSums& row : rows) result.fragments += static_cast<std::size_t>(row[7]);
  for (const TwelveSums& row : rows) result.unbalanced_rows += row[11] != 0 ? 1 : 0;
  return result;
}

}  // namespace

Result<void> GlImageEngine::State::make_room(int width, int height) {
  if (targets.width >= width && targets.height >= height) return {};
  width = std::max(width, targets.width);
  height = std::max(height, targets.height);
  constexpr double kPixelBytes = 3 * 4 * sizeof(float) + 2 * sizeof(float);
  constexpr double kMaxBytes = 0x1p31;
  if (kPixelBytes * width * height > kMaxBytes)
    return Error{ErrorCode::kResourceLimit,
                 "found " + std::to_string(width) + "x" + std::to_string(height) +
                     " pixels to be drawn at once, which take " +
                     std::to_string(std::llround(kPixelBytes * width * height / 1e6)) +
                     " MB, expected " + std::to_string(std::llround(kMaxBytes / 1e6)) +
                     " MB or less",
                 "making images"};
  Result<IntegrandTargets> made = make_targets(width, height);
  if (!made) return made.error();
  gl::LayerDepths made_depths = gl::make_layer_depths(width, height, false);
  if (Result<void> done = gl::reported_error("making images"); !done) return done;
  targets = std::move(*made);
  depths = std::move(made_depths);
  return {};
}

void GlImageEngine::State::draw_additive(const DrawnBody& body, const gl::Program& program,
                                         const Tile& tile) {
  glBindFramebuffer(GL_FRAMEBUFFER, targets.framebuffer.name());
  glFramebufferTexture2D(GL_FRAMEBUFFER, depths.attachment, GL_TEXTURE_2D, 0, 0);
  glViewport(0, 0, tile.width, tile.height);
  gl::clear_images(tile.width, tile.height, 3, false);
  const gl::AddedColors added;
  body.draw(program, tile);
}

Result<int> GlImageEngine::State::peel(const DrawnBody& body, const gl::Program& program,
                                       const Tile& tile, int max_peels,
                                       const std::function<Result<void>()>& use_layer) {
  const gl::Peeling peeling = {.program = program,
                               .depths = depths,
                               .first_layer = targets.framebuffer,
                               .other_layers = targets.framebuffer,
                               .color_images = 3,
                               .width = tile.width,
                               .height = tile.height,
                               .triangle_count = body.triangle_count,
                               .max_layers = max_peels};
  const auto draw = [&](int) {
    glViewport(0, 0, tile.width, tile.height);
    body.draw(program, tile);
  };
  return gl::peel(peeling, draw, [&](int) { return use_layer(); });
}

Result<ImageMass> GlImageEngine::State::measure(const DrawnBody& body,
                                                const IntegrandPrograms& programs, const View& view,
                                                const GlImageOptions& options) {
  const Lattice& lattice = view.lattice;
  if (lattice.dx == 0 || lattice.dy == 0)
    return measured(TenMoments{}, TenMoments{}, view, options.image);  // seen edge-on
  const ImageReduction how = reduction_for(options, reduction, context->info);
  if (how == ImageReduction::kCompute && !reduction.has_compute())
    return Error{ErrorCode::kUnavailable, "this OpenGL has no compute shaders (4.3)", "reduction"};
  const int side = std::min(kMaxTile, context->info.largest_image);
  const int tile_width = std::min(side, lattice.width);
  const int tile_height = std::min(side, lattice.height);
  if (Result<void> room = make_room(tile_width, tile_height); !room) return room.error();
  std::vector<TwelveSums> rows(static_cast<std::size_t>(lattice.height));
  std::vector<TwelveSums> columns(static_cast<std::size_t>(lattice.width));
  int passes = 0;
  for (int j = 0; j < lattice.height; j += tile_height)
    for (int i = 0; i < lattice.width; i += tile_width) {
      const Tile tile = {lattice,
                         view.depth,
                         i,
                         j,
                         std::min(tile_width, lattice.width - i),
                         std::min(tile_height, lattice.height - j)};
      const LineSums sums = {std::span(rows).subspan(static_cast<std::size_t>(j),
                                                     static_cast<std::size_t>(tile.height)),
                             std::span(columns).subspan(static_cast<std::size_t>(i),
                                                        static_cast<std::size_t>(tile.width))};
      const auto reduce = [&] {
        return reduction.add(how, targets, tile.width, tile.height, sums);
      };
      if (options.algorithm == ImageAlgorithm::kPeel) {
        const Result<int> peels = peel(body, programs.peel, tile, options.max_peels, reduce);
        if (!peels) return peels.error();
        passes = std::max(passes, *peels);
      } else {
        draw_additive(body, programs.additive, tile);
        if (Result<void> reduced = reduce(); !reduced) return reduced.error();
        passes = 1;
      }
    }
  if (Result<void> done = gl::reported_error("drawing"); !done) return done.error();
  ImageMass result = image_mass(rows, columns, view, options.image);
  result.passes = passes;
  return result;
}

}  // namespace plimsoll
