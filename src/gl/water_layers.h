// The passes that draw bodies under a fluid's surface [Kim2006, sec. 5.2], as published layer by
// layer or all faces in one.
#pragma once

#include <plimsoll/gl_water_image.h>

#include <functional>
#include <span>
#include <vector>

#include "gl/depth_peeling.h"
#include "gl/objects.h"
#include "gl/water_tiles.h"

namespace plimsoll {

/// Programs and images. A context is current in every call.
class GlWaterLayers {
 public:
  GlWaterLayers() = default;

  /// Errors: as gl::make_program.
  [[nodiscard]] static Result<GlWaterLayers> create();

  /// Draws a page and calls `use_layer` with its pixels for each layer: the sum of all faces, or
  /// peel after peel and last the fluid's surface. A pixel is four floats, as water_shaders.h
  /// says; rows follow each other, the lowest first.
  [[nodiscard]] Result<void> draw(const GlWaterPage& page, const GlWaterOptions& options,
                                  const std::function<void(std::span<const float>)>& use_layer);

 private:
  /// What a layer is drawn into.
  struct Layer {
    gl::Framebuffer framebuffer;
    gl::Texture sums;
  };

  Result<void> make_room(int width, int height);
  void upload_heights(const GlWaterPage& page, const WaterImageOptions& options);
  std::span<const float> read_back(const GlWaterPage& page);
  void draw_additive(const GlWaterPage& page, const WaterImageOptions& options);
  void draw_surface_depth(const GlWaterPage& page, const WaterImageOptions& options);
  Result<int> draw_peels(const GlWaterPage& page, const GlWaterOptions& options,
                         const std::function<void(std::span<const float>)>& use_layer);
  void draw_surface(const GlWaterPage& page, const GlWaterOptions& options);
  void cover(const GlWaterPage& page, const gl::Program& program,
             const WaterImageOptions& options) const;

  gl::Program additive_, surface_depth_, peel_, surface_;
  gl::VertexArray no_attributes_;
  int width_ = 0, height_ = 0;  // of the images
  Layer first_, others_;
  gl::Texture heights_, surface_depths_;
  gl::LayerDepths depths_;
  std::vector<float> pixels_;
};

}  // namespace plimsoll
