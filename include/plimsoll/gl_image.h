// The image engine on graphics hardware [Kim2006, sec. 3]: by depth peeling as published, or in one
// pass. Also for surfaces that only the hardware has: meshes deformed by a vertex shader.
#pragma once

#include <plimsoll/gl.h>
#include <plimsoll/image.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

enum class ImageAlgorithm {
  kAdditive,  ///< One pass without depth test, the integrands blended by addition: the sum has no
              ///< order.
  kPeel,  ///< As published: layer after layer by depth, until one is empty. Of faces at the same
          ///< depth in a column only one is found.
};

/// How the integrands of the pixels become sums.
enum class ImageReduction {
  kReadback,     ///< Read back and summed in double.
  kLogarithmic,  ///< Halved pass after pass by a fragment shader [Kim2006, sec. 3.3].
  kCompute,      ///< A compute shader, for OpenGL 4.3 and later.
};

struct GlImageOptions {
  ImageOptions image;  ///< `coverage` is kPixelCenter whatever it says.
  ImageAlgorithm algorithm = ImageAlgorithm::kAdditive;
  /// Readback where the processor draws, else by compute shader or logarithmically.
  std::optional<ImageReduction> reduction;
  int max_peels = 4096;  ///< `peel` gives up beyond.
  /// Whether tessellation shaders cut patches (OpenGL 4.0), or they become triangles before they
  /// are drawn. By default shaders do where hardware runs them: emulated, they take three times as
  /// long.
  std::optional<bool> patches_by_shader;
};

/// What graphics hardware does to a body's vertices before it draws them.
struct GlDeformation {
  /// GLSL 3.30 that defines `vec3 deform(vec3 p, float time)`, p in the body's frame.
  std::string glsl;
  Box3 bounds;  ///< Holds the deformed body at all times; what leaves it is cut off.
};

/// One layer of a body as `peel` found it: three images of four floats, bottom row first.
struct PeelImage {
  int width = 0;
  int height = 0;
  std::vector<float> targets[3];  ///< (xz, yz, z^2/2, z), (x^2 z, xyz, xz^2/2, 1), (y^2 z, yz^2/2,
                                  ///< z^3/3, 1), all but the 1 of the second times sgn(n_z); view
                                  ///< units. Zeros where the layer has no surface.
};

/// Programs and buffers, kept between calls. Used with its context by one thread at a time.
class GlImageEngine {
 public:
  /// Errors: `Unavailable` where this OpenGL lacks what is needed.
  [[nodiscard]] static Result<GlImageEngine> create(const GlContext& context);

  /// As image_mass_properties. Images larger than the hardware draws are drawn in tiles.
  /// Errors: also `Unavailable` and `ResourceLimit`, as OpenGL reports them; `ResourceLimit` beyond
  /// `max_peels`.
  [[nodiscard]] Result<ImageMass> mass_properties(const MeshView& mesh,
                                                  const GlImageOptions& options = {});

  /// The same of what triangles_to_draw has triangles for; patches may be tessellated where they
  /// are drawn, as flat. Errors: also as check_shape; `Unavailable` for formulas and Booleans, and
  /// where shaders are asked for that this OpenGL does not have or has no room for.
  [[nodiscard]] Result<ImageMass> mass_properties(const Shape& shape,
                                                  const GlImageOptions& options = {});

  /// The layers of a body; the image must fit the hardware.
  [[nodiscard]] Result<std::vector<PeelImage>> peels(const MeshView& mesh,
                                                     const GlImageOptions& options = {});

  struct State;
  [[nodiscard]] State& state() { return *state_; }

 private:
  struct Deleter {
    void operator()(State* state) const;
  };
  explicit GlImageEngine(std::unique_ptr<State, Deleter> state);
  std::unique_ptr<State, Deleter> state_;
};

/// A mesh that lives on graphics hardware and changes there: its ten sums each frame, without its
/// vertices ever coming back.
class GlDeformingMesh {
 public:
  /// The engine must outlive it. Errors: as check_mesh; `InvalidArgument` with the compiler's words
  /// for GLSL that it refuses, or for bounds without a volume.
  [[nodiscard]] static Result<GlDeformingMesh> create(GlImageEngine& engine, const MeshView& mesh,
                                                      const GlDeformation& deformation);

  [[nodiscard]] Result<ImageMass> mass_properties(float time, const GlImageOptions& options = {});

  /// The deformed vertices, read back; for tests and for looking at them.
  [[nodiscard]] Result<TriangleMesh> deformed(float time);

 private:
  struct State;
  struct Deleter {
    void operator()(State* state) const;
  };
  explicit GlDeformingMesh(std::unique_ptr<State, Deleter> state);
  std::unique_ptr<State, Deleter> state_;
};

}  // namespace plimsoll
