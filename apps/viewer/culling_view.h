// What culling by visibility [Govindaraju2004] draws of the bodies and leaves of them, view by
// view.
#pragma once

#include <plimsoll/gl_culling.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "body_models.h"

namespace plimsoll::viewer {

class CullingView {
 public:
  /// Culls the bodies where they are now, with views of that many pixels, if that was last done a
  /// while ago, or for another number of pixels.
  void update(std::span<const BodyModel> models, std::span<const Pose> poses, int pixels);

  /// All rounds, of whole bodies, parts and triangles. None before the first update.
  [[nodiscard]] std::span<const CullView> views() const { return views_; }
  /// The boxes that a view draws and that are still there after it, and those of the others, in the
  /// world.
  struct Boxes {
    TriangleMesh left, culled;
  };
  [[nodiscard]] Boxes boxes(std::size_t view) const;
  /// How many triangles were in the set before a view, and after it.
  [[nodiscard]] std::size_t count_before(std::size_t view) const;
  [[nodiscard]] std::size_t count_after(std::size_t view) const;

  /// Changes with each update.
  [[nodiscard]] int version() const { return version_; }
  /// Why there are no views; else empty.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] double seconds() const { return seconds_; }  ///< The last update took.

 private:
  [[nodiscard]] Result<void> make_engine();
  [[nodiscard]] Result<std::vector<CullView>> cull(int pixels);

  std::optional<GlContext> context_;
  std::optional<GlCulling> engine_;
  std::vector<TriangleMesh> meshes_;  // in the world
  std::vector<CullBody> bodies_;      // of these
  std::vector<CullView> views_;
  std::string problem_;
  int pixels_ = 0, version_ = 0;
  double seconds_ = 0;
  std::vector<Pose> poses_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace plimsoll::viewer
