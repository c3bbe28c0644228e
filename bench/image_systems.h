// The image engine by every way it has, and the sums that it is compared with.
#pragma once

#include <plimsoll/gl_image.h>

#include <functional>
#include <string>
#include <vector>

namespace plimsoll::bench {

struct ImageSystem {
  std::string name;  ///< peel_log, additive_readback, cpu, ...
  std::function<Result<ImageMass>(const MeshView&, const ImageOptions&)> compute;
};

/// OpenGL and an engine on it that has drawn nothing yet. Images that an engine once needed it
/// keeps, and clears whole: after a large one, small ones take longer.
class FreshEngine {
 public:
  /// Errors: as GlContext::create and GlImageEngine::create.
  [[nodiscard]] static Result<FreshEngine> create();
  [[nodiscard]] Result<void> renew();

  [[nodiscard]] GlImageEngine& engine() { return engine_; }
  [[nodiscard]] const GlContext& context() const { return context_; }
  [[nodiscard]] const GlInfo& info() const { return context_.info(); }

 private:
  FreshEngine(GlContext context, GlImageEngine engine)
      : context_(std::move(context)), engine_(std::move(engine)) {}
  GlContext context_;
  GlImageEngine engine_;
};

/// peel_log, peel_readback (as published), additive_readback, additive_log, additive_compute (where
/// this OpenGL has compute shaders), cpu (the default), cpu_pixel_center. `gl` must outlive
/// them.
[[nodiscard]] std::vector<ImageSystem> image_systems(FreshEngine& gl);

/// Pixels that each peel of `mesh` covers, in an image of 256 x 256 along `axis`.
[[nodiscard]] Result<std::vector<int>> pixels_of_peels(GlImageEngine& engine, const MeshView& mesh,
                                                       int axis);

/// The axis along which there are the most peels.
struct DeepestView {
  int axis = 0;
  int peels = 0;
};
[[nodiscard]] Result<DeepestView> deepest_view(GlImageEngine& engine, const MeshView& mesh);

}  // namespace plimsoll::bench
