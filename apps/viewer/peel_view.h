// The peels of a body [Kim2006, fig. 10] as a texture for the panel.
#pragma once

#include <plimsoll/gl_image.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "body_models.h"
#include "gl_objects.h"
#include "picture/peel_picture.h"

namespace plimsoll::viewer {

class PeelView {
 public:
  /// Peels the body where it is now, along `axis`, if that was last done a while ago or for
  /// another body or axis.
  void update(std::size_t body, const BodyModel& model, const Pose& world_from_body, int axis);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const std::array<double, 3>& ranges() const { return ranges_; }
  [[nodiscard]] GLuint texture() const { return *texture_; }
  /// Pixels of each image, and its corners in the texture: u0 v0 u1 v1.
  [[nodiscard]] picture::PixelSize tile() const { return tiles_.size; }
  [[nodiscard]] std::array<float, 4> corners(int peel, int target) const;
  /// Why there are none; else empty.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] double seconds() const { return seconds_; }  ///< The last update took.

 private:
  [[nodiscard]] Result<void> make_engine();
  [[nodiscard]] Result<std::vector<PeelImage>> peel(const BodyModel& model,
                                                    const Pose& world_from_body, int axis);
  void show(const picture::PeelPicture& drawn);

  std::optional<GlContext> context_;
  std::optional<GlImageEngine> engine_;
  std::optional<GlTexture> texture_;
  picture::PixelSize size_;
  picture::PeelTiles tiles_;
  std::array<double, 3> ranges_{};
  int count_ = 0;
  std::string problem_;
  double seconds_ = 0;
  std::size_t body_ = 0;
  int axis_ = -1;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace plimsoll::viewer
