#include "image_systems.h"

#include <cstdio>

#include "checked.h"

namespace plimsoll::bench {
namespace {

ImageSystem drawn(std::string name, GlImageEngine& engine, ImageAlgorithm algorithm,
                  ImageReduction reduction) {
  return {std::move(name),
          [&engine, algorithm, reduction](const MeshView& mesh, const ImageOptions& options) {
            return engine.mass_properties(checked(mesh), {.image = options,
                                                          .algorithm = algorithm,
                                                          .reduction = reduction,
                                                          .patches_by_shader = {}});
          }};
}

ImageSystem scanned(std::string name, Coverage coverage) {
  return {std::move(name), [coverage](const MeshView& mesh, const ImageOptions& options) {
            ImageOptions covered = options;
            covered.coverage = coverage;
            return image_mass_properties(checked(mesh), covered);
          }};
}

}  // namespace

Result<FreshEngine> FreshEngine::create() {
  Result<GlContext> context = GlContext::create();
  if (!context) return context.error();
  Result<GlImageEngine> engine = GlImageEngine::create(*context);
  if (!engine) return engine.error();
  const GlInfo& info = context->info();
  std::fprintf(stderr, "OpenGL %s, %s\n", info.version.c_str(), info.renderer.c_str());
  return FreshEngine(std::move(*context), std::move(*engine));
}

Result<void> FreshEngine::renew() {
  Result<GlImageEngine> engine = GlImageEngine::create(context_);
  if (!engine) return engine.error();
  engine_ = std::move(*engine);
  return {};
}

std::vector<ImageSystem> image_systems(FreshEngine& gl) {
  using enum ImageAlgorithm;
  using enum ImageReduction;
  GlImageEngine& engine = gl.engine();
  const GlInfo& info = gl.info();
  std::vector<ImageSystem> systems = {
      drawn("peel_log", engine, kPeel, kLogarithmic),
      drawn("peel_readback", engine, kPeel, kReadback),
      drawn("additive_readback", engine, kAdditive, kReadback),
      drawn("additive_log", engine, kAdditive, kLogarithmic),
  };
  if (info.major > 4 || (info.major == 4 && info.minor >= 3))
    systems.push_back(drawn("additive_compute", engine, kAdditive, kCompute));
  systems.push_back(scanned("cpu", Coverage::kExact));
  systems.push_back(scanned("cpu_pixel_center", Coverage::kPixelCenter));
  return systems;
}

Result<std::vector<int>> pixels_of_peels(GlImageEngine& engine, const MeshView& mesh, int axis) {
  const ImageOptions options = {.width = 256, .height = 256, .axis = axis};
  const Result<std::vector<PeelImage>> peels =
      engine.peels(checked(mesh), {.image = options, .reduction = {}, .patches_by_shader = {}});
  if (!peels) return peels.error();
  std::vector<int> pixels;
  for (const PeelImage& peel : *peels) {
    int covered = 0;
    for (std::size_t i = 3; i < peel.targets[1].size(); i += 4)
      covered += peel.targets[1][i] != 0 ? 1 : 0;
    pixels.push_back(covered);
  }
  return pixels;
}

Result<DeepestView> deepest_view(GlImageEngine& engine, const MeshView& mesh) {
  DeepestView deepest;
  for (int axis = 0; axis < 3; ++axis) {
    const Result<std::vector<int>> pixels = pixels_of_peels(engine, mesh, axis);
    if (!pixels) return pixels.error();
    const int peels = static_cast<int>(pixels->size());
    if (peels > deepest.peels) deepest = {axis, peels};
  }
  return deepest;
}

}  // namespace plimsoll::bench
