// Drawing a body so that each pixel holds the integrands of its column, and summing them: in one
// pass, or layer by layer [Kim2006, sec. 3.2].
#pragma once

#include <plimsoll/gl_image.h>

#include <functional>
#include <memory>

#include "gl/context.h"
#include "gl/depth_peeling.h"
#include "gl/drawn_body.h"
#include "gl/reduction.h"
#include "image/lattice.h"

namespace plimsoll {

/// A context is current in every call.
struct GlImageEngine::State {
  std::shared_ptr<GlContext::State> context;
  IntegrandPrograms of_meshes;
  IntegrandPrograms of_patches;  // from OpenGL 4.0 on
  GlReduction reduction;
  IntegrandTargets targets;
  gl::LayerDepths depths;

  /// Makes the images at least that large; those of an earlier call are kept if they are, and where
  /// there is an error. Errors: `ResourceLimit` beyond 2^31 bytes, or what this OpenGL has.
  Result<void> make_room(int width, int height);

  /// Peels `body` by `program` and calls `use_layer` for each layer, which `targets` then holds.
  /// Returns how many there were. Precondition: room for the tile.
  Result<int> peel(const DrawnBody& body, const gl::Program& program, const Tile& tile,
                   int max_peels, const std::function<Result<void>()>& use_layer);

  /// The mass properties of `body`, seen in `view`.
  Result<ImageMass> measure(const DrawnBody& body, const IntegrandPrograms& programs,
                            const View& view, const GlImageOptions& options);

 private:
  void draw_additive(const DrawnBody& body, const gl::Program& program, const Tile& tile);
};

}  // namespace plimsoll
