// Bodies drawn on graphics hardware into pixels of a view's lattice, and the programs for it.
#pragma once

#include <plimsoll/gl_image.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gl/mesh_buffer.h"
#include "gl/objects.h"
#include "image/lattice.h"

namespace plimsoll {

/// The pixels of `lattice` that fill the viewport: `width` columns from column `i` on, `height`
/// rows from row `j` on. What is drawn lies within -depth <= z <= depth.
struct Tile {
  Lattice lattice;
  double depth = 0;
  int i = 0, j = 0;
  int width = 0, height = 0;
};

/// Half the depth of the view volume: a little more than `depth`, so that no rounding cuts the
/// body.
[[nodiscard]] double view_volume_depth(double depth);

/// Uses `program` and sets the uniforms `window` and `depth` of its vertex shader for `tile`.
void set_window(const gl::Program& program, const Tile& tile);

/// Draws `mesh` by `program`, whose vertex shader is made by mesh_vertex_shader: `view_from_mesh`
/// maps its vertices, deformed as at `time`, to the view of `tile`.
void draw_mesh(const gl::MeshBuffer& mesh, const Similarity& view_from_mesh, float time,
               const gl::Program& program, const Tile& tile);

/// `deformation`: GLSL that defines deform().
[[nodiscard]] std::string mesh_vertex_shader(const char* deformation);

/// The error of what is drawn into an image of that many pixels, relative to the body's box.
[[nodiscard]] double drawing_error(int width, int height);

/// A body that can be drawn, whatever it is made of.
struct DrawnBody {
  std::function<void(const gl::Program&, const Tile&)> draw;
  std::size_t triangle_count = 0;
};

/// The two programs that write a body's integrands: all faces at once, or layer by layer.
struct IntegrandPrograms {
  gl::Program additive;
  gl::Program peel;
};

/// `stages`: all that stands before the fragment shader.
[[nodiscard]] Result<IntegrandPrograms> make_integrand_programs(std::vector<gl::Stage> stages);

}  // namespace plimsoll
