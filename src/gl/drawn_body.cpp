#include "gl/drawn_body.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gl/depth_peeling.h"
#include "gl/image_shaders.h"

namespace plimsoll {

double view_volume_depth(double depth) {
  constexpr double kDeeper = 1.001;
  return std::max(depth * kDeeper, 1e-30);
}

void set_window(const gl::Program& program, const Tile& tile) {
  const Lattice& lattice = tile.lattice;
  const double scale_x = 2 / (lattice.dx * tile.width);
  const double scale_y = 2 / (lattice.dy * tile.height);
  const double left = lattice.x0 + tile.i * lattice.dx;
  const double bottom = lattice.y0 + tile.j * lattice.dy;
  const auto uniform = [&](const char* name) { return glGetUniformLocation(program.name(), name); };
  glUseProgram(program.name());
  glUniform4f(uniform("window"), static_cast<float>(scale_x), static_cast<float>(scale_y),
              static_cast<float>(-left * scale_x - 1), static_cast<float>(-bottom * scale_y - 1));
  glUniform1f(uniform("depth"), static_cast<float>(view_volume_depth(tile.depth)));
}

void draw_mesh(const gl::MeshBuffer& mesh, const Similarity& view_from_mesh, float time,
               const gl::Program& program, const Tile& tile) {
  set_window(program, tile);
  const Eigen::Matrix<float, 3, 4> matrix = view_from_mesh.matrix().topRows<3>().cast<float>();
  glUniformMatrix4x3fv(glGetUniformLocation(program.name(), "view_from_mesh"), 1, GL_FALSE,
                       matrix.data());
  glUniform1f(glGetUniformLocation(program.name(), "time"), time);
  mesh.draw();
}

double drawing_error(int width, int height) {
  // Vertices are snapped to 1/256 of a pixel, and float32 holds 24 bits.
  constexpr double kSnapping = 0x1p-9;
  return kSnapping / std::max(width, height) + 0x1p-22;
}

std::string mesh_vertex_shader(const char* deformation) {
  return std::string(shaders::kVersion) + deformation + shaders::kMeshVertex;
}

Result<IntegrandPrograms> make_integrand_programs(std::vector<gl::Stage> stages) {
  const std::string head = std::string(shaders::kVersion) + shaders::kIntegrands;
  const std::string additive = head + shaders::kAdditiveFragment;
  const std::string peel = head + gl::kPeelTest + shaders::kPeelFragment;
  IntegrandPrograms programs;
  for (const bool peels : {false, true}) {
    stages.push_back({GL_FRAGMENT_SHADER, peels ? peel : additive});
    Result<gl::Program> program = gl::make_program(stages);
    if (!program) return program.error();
    (peels ? programs.peel : programs.additive) = std::move(*program);
    stages.pop_back();
  }
  return programs;
}

}  // namespace plimsoll
