// Free-form patches on graphics hardware, tessellated there.
//
// The processor decides how finely each patch and each edge is cut (tessellate.h); the hardware
// evaluates the points. A patch is drawn as cells x cells pieces, as many as the hardware's
// greatest tessellation level asks for, the same for all patches of a surface. Both patches of an
// edge evaluate it as a curve, in the same direction at the same parameters, so that their vertices
// agree to the last bit and no column of pixels falls between them.
#pragma once

#include <span>
#include <vector>

#include "gl/drawn_body.h"
#include "patch/tessellate.h"

namespace plimsoll {

class DrawnPatches {
 public:
  /// Control points are mapped to the view by `view_from_body`, in double. A context is current, as
  /// in every call.
  DrawnPatches(const PatchSurface& surface, std::span<const PatchGrid> grids,
               const Similarity& view_from_body);

  /// Whether this OpenGL has tessellation shaders, and room for the points of `surface`.
  [[nodiscard]] static bool can_draw(const PatchSurface& surface, const GlInfo& info);

  void draw(const gl::Program& program, const Tile& tile) const;
  [[nodiscard]] std::size_t triangle_count() const { return triangle_count_; }

 private:
  gl::VertexArray array_;
  gl::Buffer cells_;
  gl::Buffer points_;
  gl::Texture texture_;
  struct Batch {
    GLint first;
    GLsizei count;
  };
  std::vector<Batch> batches_;  // each drawn by one call
  std::size_t triangle_count_ = 0;
};

/// The programs that draw them. They need OpenGL 4.0.
[[nodiscard]] Result<IntegrandPrograms> make_patch_programs();

}  // namespace plimsoll
