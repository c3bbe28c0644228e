// Bodies, water and arrows by OpenGL 3.3.
#pragma once

#include <plimsoll/fluid_surface.h>

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "body_models.h"
#include "camera.h"
#include "gl_objects.h"

namespace plimsoll::viewer {

/// From `from`, as long as `along`; of no length it is not drawn.
struct Arrow {
  Vec3 from = Vec3::Zero();
  Vec3 along = Vec3::Zero();
  picture::Color color;
};

/// A mesh in the world that is drawn as it is; uploaded again when `version` changes.
struct Overlay {
  const TriangleMesh* mesh = nullptr;
  picture::Color color;
  int version = 0;
  bool is_over = false;  ///< Drawn with the arrows.
};

struct Frame {
  std::span<const BodyModel> models;
  std::span<const Pose> poses;          ///< world_from_body, one for each model.
  std::optional<std::size_t> selected;  ///< Is drawn brighter.
  const SurfaceNow* surface = nullptr;  ///< None, no water.
  std::span<const Arrow> arrows;
  std::span<const Overlay> overlays;
};

/// Opaque bodies; over them the water, the bluer the more of it is between a point and the eye,
/// with lines a round number of meters apart; over that the arrows and what else is over the
/// picture, pale where something hides them.
class Renderer {
 public:
  /// Uploads each mesh once. Throws cli::Failure.
  explicit Renderer(std::span<const BodyModel> models);

  /// Into the window's own framebuffer, of `size` pixels. `body_size` is the scene's measure for
  /// what looks thin or clear [m].
  void draw(const Frame& frame, const Camera& camera, picture::PixelSize size, double body_size);

 private:
  struct Uploaded {
    GlVertexArray array;
    GlBuffer corners, indices;
    GLsizei count = 0;
  };
  /// Where the bodies are drawn: several samples a pixel, then one, whose depth the water reads.
  struct Target {
    GlRenderbuffer color, depth;
    GlFramebuffer samples;
    GlTexture flat_color, flat_depth;
    GlFramebuffer flat;
    picture::PixelSize size;
  };

  static Uploaded upload(const TriangleMesh& mesh);
  void resize(picture::PixelSize size);
  void draw_bodies(const Frame& frame, const Camera& camera);
  void draw_water(const SurfaceNow& surface, const Camera& camera, double body_size);
  void draw_overlays(const Frame& frame, const Camera& camera, bool are_over);
  void draw_arrows(const Frame& frame, const Camera& camera, double body_size);
  void set_view(GLuint program, const Camera& camera) const;
  void draw_solid(const Uploaded& mesh, const Similarity& world_from_mesh, const Camera& camera,
                  picture::Color color, bool is_bright) const;

  GLsizei samples_;  // for each pixel
  GlProgram solid_, water_;
  std::map<const TriangleMesh*, Uploaded> meshes_;
  struct UploadedOverlay {
    const TriangleMesh* mesh = nullptr;
    int version = 0;
    Uploaded uploaded;
  };
  std::vector<UploadedOverlay> overlays_;  // as they were last
  Uploaded shaft_, head_;
  GlVertexArray water_array_;
  GlBuffer water_corners_, water_indices_;
  Target target_;
};

}  // namespace plimsoll::viewer
