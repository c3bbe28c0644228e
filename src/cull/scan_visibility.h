// Visibility on the processor, by the rasterization rules that [Govindaraju2004, sec. 7] proposes:
// a fragment for each pixel that a triangle touches, whose depth bounds that of the triangle in the
// pixel: from below where it is drawn, from above where it is asked about.
//
// In units of pixels, with the plane z = z_0 + g . (x - x_0, y - y_0), the depth over a pixel with
// the center (x, y) differs from that at the center by no more than (|g_x| + |g_y|) / 2; and
// nowhere is it outside the triangle's own range, which is all that is known of one seen edge on.
//
// Two triangles that share a point share the pixel that it is in, and there the lower bound of one
// is no more than the point's depth, and that no more than the upper bound of the other: neither
// is fully visible. Rounding is on the safe side: triangles are kTouch larger all around than they
// are, and bounds are rounded outward.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "cull/cull_scene.h"
#include "cull/view_volume.h"

namespace plimsoll {

/// A Renderer of colliding_set.h.
class ScanVisibility {
 public:
  /// May take so many pixels, counted as CullOptions::max_pixels says.
  explicit ScanVisibility(double max_pixels) : max_pixels_(max_pixels) {}

  void load(const CullScene& scene, std::span<const CullPart> parts, const ViewVolume& volume,
            CullLevel level);
  void start_view(int axis, bool is_backward);
  void ask(std::size_t part);
  void draw(std::size_t first, std::size_t count);
  [[nodiscard]] bool is_hidden(std::size_t part) const { return is_hidden_[part] != 0; }
  [[nodiscard]] bool is_exhausted() const { return pixels_ > max_pixels_; }
  [[nodiscard]] double pixels() const { return pixels_; }

 private:
  using Corners = std::array<Vec3, 3>;  // in pixels, depth along z

  template <class Fragment>
  bool rasterize(const Corners& corners, bool nearest, const Fragment& fragment);
  template <class Use>
  bool visit(const CullPart& part, const Use& use) const;

  double max_pixels_;
  double pixels_ = 0;
  const CullScene* scene_ = nullptr;
  std::vector<CullPart> parts_;
  ViewVolume volume_;
  int axis_ = 2;
  bool is_backward_ = false;
  std::vector<float> depths_;  // the least that was drawn in each pixel, row by row
  std::vector<char> is_hidden_;
};

}  // namespace plimsoll
