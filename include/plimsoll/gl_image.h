// The image engine on graphics hardware [Kim2006, sec. 3]: by depth peeling as published, or in one
// pass. Also for meshes that a vertex shader deforms, so that only the hardware has their vertices.
#pragma once

#include <plimsoll/gl.h>
#include <plimsoll/image.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

enum class ImageAlgorithm {
  kAdditive,  ///< One pass without depth test that adds the integrands of all faces in a pixel.
  kPeel,  ///< As published: layer after layer by depth, until one is empty. Of faces at the same
          ///< depth in a column only one is found.
};

/// How the integrands in the pixels are summed.
enum class ImageReduction {
  kReadback,     ///< Read back and summed in double.
  kLogarithmic,  ///< Halved pass after pass by a fragment shader [Kim2006, sec. 3.3].
  kCompute,      ///< A compute shader, for OpenGL 4.3 and later.
};

struct GlImageOptions {
  ImageOptions image;  ///< `coverage` is kPixelCenter whatever it says.
  ImageAlgorithm algorithm = ImageAlgorithm::kAdditive;
  /// By default kReadback where the processor draws, else kCompute or, without it, kLogarithmic.
  std::optional<ImageReduction> reduction;
  int max_peels = 4096;  ///< With more layers than that `peel` is refused.
  /// Whether tessellation shaders (OpenGL 4.0) cut patches into triangles, or the processor does.
  /// By default shaders do where hardware runs them: emulated, they take three times as long.
  std::optional<bool> patches_by_shader;
};

/// How a vertex shader moves the vertices of a body before they are drawn.
struct GlDeformation {
  /// GLSL 3.30 that defines `vec3 deform(vec3 p, float time)`, p in the body's frame.
  std::string glsl;
  Box3 bounds;  ///< Contains the deformed body at all times; what is outside is cut off.
};

/// One layer of a body as `peel` found it: three images of four floats, bottom row first.
struct PeelImage {
  int width = 0;
  int height = 0;
  std::vector<float> targets[3];  ///< (xz, yz, z^2/2, z), (x^2 z, xyz, xz^2/2, 1), (y^2 z, yz^2/2,
                                  ///< z^3/3, 1), all but the 1 of the second times sgn(n_z); view
                                  ///< units. Zeros where the layer has no surface.
};

/// Measures what it draws. Keeps programs and images between calls. One thread at a time may use
/// the engine and its context.
class GlImageEngine {
 public:
  /// Errors: `Unavailable` where this OpenGL lacks what is needed.
  [[nodiscard]] static Result<GlImageEngine> create(const GlContext& context);

  /// As image_mass_properties. Images larger than the hardware draws are drawn in tiles.
  /// Errors: also `Unavailable` and `ResourceLimit`, as OpenGL reports them; `ResourceLimit` where
  /// there are more layers than `max_peels`.
  [[nodiscard]] Result<ImageMass> mass_properties(const CheckedMesh& mesh,
                                                  const GlImageOptions& options = {});

  /// The same for a shape that triangles_to_draw finds triangles for. Shaders that tessellate
  /// patches make their triangles as flat. Errors: also as check_shape; `Unavailable` for formulas
  /// and Booleans, and if `patches_by_shader` is asked for where OpenGL has no such shaders or no
  /// room.
  [[nodiscard]] Result<ImageMass> mass_properties(const Shape& shape,
                                                  const GlImageOptions& options = {});

  /// The layers of a body, the nearest first. Errors: also `ResourceLimit` for an image larger than
  /// the hardware draws, or than fits 2^31 bytes (6192 x 6192 pixels). After any error the engine
  /// can be used as before.
  [[nodiscard]] Result<std::vector<PeelImage>> peels(const CheckedMesh& mesh,
                                                     const GlImageOptions& options = {});

  struct State;
  [[nodiscard]] State& state() { return *state_; }  ///< For GlDeformingMesh.

 private:
  struct Deleter {
    void operator()(State* state) const;
  };
  explicit GlImageEngine(std::unique_ptr<State, Deleter> state);
  std::unique_ptr<State, Deleter> state_;
};

/// A mesh on graphics hardware that a shader deforms there. It is measured without reading its
/// vertices back.
class GlDeformingMesh {
 public:
  /// The engine must outlive it. Errors: `InvalidArgument` with the compiler's words for GLSL that
  /// it refuses, or for bounds without a volume.
  [[nodiscard]] static Result<GlDeformingMesh> create(GlImageEngine& engine,
                                                      const CheckedMesh& mesh,
                                                      const GlDeformation& deformation);

  /// As GlImageEngine::mass_properties, of the mesh as deformed at `time` [s]. Where its triangles
  /// are is not read back, so that the estimate does not know of walls between pixels.
  [[nodiscard]] Result<ImageMass> mass_properties(float time, const GlImageOptions& options = {});

  /// The deformed mesh, read back; for tests and for looking at it.
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
