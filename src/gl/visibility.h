// Visibility on graphics hardware: triangles, or FAR's boxes around them, with occlusion queries
// [Govindaraju2004, sec. 4.2].
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "cull/cull_scene.h"
#include "cull/triangle_prism.h"
#include "cull/view_volume.h"
#include "gl/mesh_buffer.h"
#include "gl/objects.h"
#include "gl/query_pool.h"

namespace plimsoll {

/// Depths of the view volume are from 0 to this; 1 is where nothing was drawn.
inline constexpr float kDepthRange = 0.5f;

/// What is drawn in the place of a triangle. Solids are asked about by the faces that look away
/// from the viewer, and drawn by those that look towards him.
enum class Drawn {
  kTriangle,  ///< Itself, both sides.
  kBox,       ///< The box around it, fattened for any view.
  kPrism,     ///< The prism around it, fattened for one.
};

/// Solids for graphics hardware.
struct SolidMesh {
  std::vector<float> vertices;  ///< In units of the half side of the view volume.
  std::vector<Triangle> triangles;

  /// Corners are relative to the center of `volume`; faces have their places among them.
  void add(std::span<const Vec3> corners, std::span<const Triangle> faces,
           const ViewVolume& volume);
};

/// Adds what is drawn in the place of the triangles of a part: their Minkowski sums with the ball
/// of `volume`, or more. Corners are relative to the center of `volume`.
using BoundingOffset = std::function<void(std::span<const std::array<Vec3, 3>> triangles,
                                          const ViewVolume& volume, SolidMesh& solids)>;

/// The program, and an image of depths alone. A context is current in every call.
class VisibilityImage {
 public:
  VisibilityImage() = default;
  /// Errors: as gl::make_program.
  [[nodiscard]] static Result<VisibilityImage> create();
  /// With other shaders, which have `uniform int axis` and `uniform float forward`.
  [[nodiscard]] static Result<VisibilityImage> create(const char* vertex_shader,
                                                      const char* fragment_shader);

  /// Binds it and the program, for square views of that many pixels; clears nothing. Errors:
  /// `Unavailable` and `ResourceLimit`, as OpenGL reports them.
  [[nodiscard]] Result<void> bind(int pixels);

  /// The direction of view of what is drawn from now on: 0, 1, 2 for x, y, z, or against it.
  void look_along(int axis, bool is_backward) const;

  [[nodiscard]] int subpixel_bits() const { return subpixel_bits_; }

 private:
  gl::Program program_;
  gl::Framebuffer framebuffer_;
  gl::Texture depths_;
  int pixels_ = 0;
  int subpixel_bits_ = 0;
};

/// A Renderer of colliding_set.h. A VisibilityImage is bound as long as it lives; at its end
/// the tests of depth and the culling of faces are what they are by default.
class GlVisibility {
 public:
  /// `offset` is drawn for bodies and parts, to be compared with the boxes that are drawn if there
  /// is none.
  GlVisibility(const VisibilityImage& image, CullMethod method, int pixels, double fattening,
               BoundingOffset offset = {});
  ~GlVisibility();
  GlVisibility(const GlVisibility&) = delete;
  GlVisibility& operator=(const GlVisibility&) = delete;

  void load(const CullScene& scene, std::span<const CullPart> parts, const ViewVolume& volume,
            CullLevel level);
  void start_view(int axis, bool is_backward);
  void ask(std::size_t part);
  void draw(std::size_t first, std::size_t count);
  [[nodiscard]] bool is_hidden(std::size_t part) const;
  [[nodiscard]] static bool is_exhausted() { return false; }

  /// Draws the faces that ask() draws, and keeps the farthest depths.
  void draw_far_side(std::size_t part);

 private:
  struct Queries {
    std::size_t begin = 0, end = 0;  // in the pool
  };

  [[nodiscard]] gl::TriangleRange range_of(std::size_t first, std::size_t count) const;

  void upload(int axis);
  void add_solid(const std::array<Vec3, 3>& corners, int axis, SolidMesh& solids) const;

  const VisibilityImage& image_;
  CullMethod method_;
  int pixels_;
  double fattening_;
  BoundingOffset offset_;
  const CullScene* scene_ = nullptr;
  std::vector<CullPart> parts_;
  ViewVolume volume_;
  Drawn drawn_ = Drawn::kTriangle;
  int uploaded_axis_ = -1;  // of prisms
  gl::MeshBuffer buffer_;
  gl::QueryPool pool_;
  std::vector<std::size_t> begin_;  // of each part's triangles in the buffer, and the end
  std::vector<Queries> queries_;    // of each part
};

}  // namespace plimsoll
