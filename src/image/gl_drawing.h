// What is on graphics hardware to be drawn, and the programs that draw it into integrands.
#pragma once

#include <plimsoll/gl_image.h>

#include <span>
#include <string>
#include <vector>

#include "gl/context.h"
#include "gl/objects.h"
#include "image/lattice.h"

namespace plimsoll {

/// Pixels i.. and j.. of a view's lattice.
struct Tile {
  const View* view;
  int i, j;
  int width, height;
};

/// With a context current, as everything here.
class Drawn {
 public:
  virtual ~Drawn() = default;
  virtual void draw(const gl::Program& program, const Tile& tile) const = 0;
  [[nodiscard]] virtual std::size_t triangle_count() const = 0;

 protected:
  Drawn() = default;
  Drawn(Drawn&&) = default;
  Drawn& operator=(Drawn&&) = default;
  /// Uses `program`, and has it draw `tile` into the whole viewport.
  static void set_window(const gl::Program& program, const Tile& tile);
};

class DrawnMesh : public Drawn {
 public:
  DrawnMesh() = default;

  /// `vertices`: 3 x vertex count, mapped into the view by `view_from_body`.
  DrawnMesh(const MeshView& mesh, std::span<const float> vertices,
            const Similarity& view_from_body);

  void set_frame(const Similarity& view_from_body, float time);

  void draw(const gl::Program& program, const Tile& tile) const override;

  /// The vertices that `program` captures, 3 x vertex count.
  [[nodiscard]] Result<std::vector<float>> captured(const gl::Program& program, float time,
                                                    std::size_t vertex_count) const;

  [[nodiscard]] std::size_t triangle_count() const override { return triangle_count_; }

 private:
  gl::VertexArray array_;
  gl::Buffer vertices_;
  gl::Buffer indices_;
  std::size_t triangle_count_ = 0;
  bool indexed_ = false;
  Eigen::Matrix<float, 3, 4> view_from_body_ = Eigen::Matrix<float, 3, 4>::Identity();
  float time_ = 0;
};

/// The mass properties of what is drawn.
[[nodiscard]] Result<ImageMass> measure_drawn(GlImageEngine::State& engine, const Drawn& body,
                                              const gl::Program& additive, const gl::Program& peel,
                                              const View& view, const GlImageOptions& options);

/// `deformation`: GLSL that defines deform().
[[nodiscard]] Result<gl::Program> make_integrand_program(const char* deformation, bool peels);
[[nodiscard]] Result<gl::Program> make_capture_program(const char* deformation);

}  // namespace plimsoll
