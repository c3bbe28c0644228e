// Depth peeling [Everitt2001]: the layers of a scene, one pass each, the nearest layer first.
//
// In each pixel a layer holds the nearest fragment that is strictly farther than that of the layer
// before, by comparing float32 depths; of fragments at one depth it finds only one. The layer in
// which no fragment is found ends the peeling; an occlusion query tells.
#pragma once

#include <epoxy/gl.h>
#include <plimsoll/result.h>

#include <cstddef>
#include <functional>

#include "gl/objects.h"

namespace plimsoll::gl {

/// Part of the fragment shader of a program that peels, which discards what is_peeled().
inline constexpr const char* kPeelTest = R"(
uniform bool is_first;
uniform sampler2D previous_depth;
bool is_peeled() {
  return !is_first &&
         gl_FragCoord.z <= texelFetch(previous_depth, ivec2(gl_FragCoord.xy), 0).r;
}
)";

/// The texture unit of `previous_depth`, which `peel` sets.
inline constexpr GLint kPreviousDepthUnit = 3;

/// Depth images of two layers: the one that is drawn and the one before.
struct LayerDepths {
  Texture images[2];
  GLenum attachment = GL_DEPTH_ATTACHMENT;

  /// Attaches one of them to the framebuffer bound for drawing.
  void attach(int image) const;
};
[[nodiscard]] LayerDepths make_layer_depths(int width, int height, bool with_stencil);

/// What is peeled, and into which images.
struct Peeling {
  const Program& program;  ///< Its fragment shader contains kPeelTest.
  const LayerDepths& depths;
  const Framebuffer& first_layer;   ///< What the first layer is drawn into,
  const Framebuffer& other_layers;  ///< and all others; may be the same.
  int color_images = 1;             ///< Of each framebuffer.
  int width = 0, height = 0;        ///< The pixels to clear, from the lower left corner.
  std::size_t triangle_count = 0;   ///< What a layer draws.
  int max_layers = 0;
};

/// Calls draw(layer) for layer 0, 1, ... with the framebuffer bound, cleared and tested for depth,
/// and the program in use; then finish(layer) if any fragment was found, with the framebuffer still
/// bound. Layer n leaves its depths in depths.images[n % 2]. Returns the number of layers with
/// fragments. Errors: what finish returns; `ResourceLimit` at `peel` beyond `max_layers`.
[[nodiscard]] Result<int> peel(const Peeling& peeling, const std::function<void(int)>& draw,
                               const std::function<Result<void>(int)>& finish);

}  // namespace plimsoll::gl
