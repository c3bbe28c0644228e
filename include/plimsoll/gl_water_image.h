// Buoyancy by image on graphics hardware [Kim2006, sec. 5.2]: by depth peeling as published, or in
// one pass. World coordinates, z up.
#pragma once

#include <plimsoll/gl.h>
#include <plimsoll/gl_image.h>
#include <plimsoll/water_image.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// How `peel` finds the pixels whose first wet face looks down: there the fluid's surface is inside
/// the body and has to be drawn. Both give the same sums.
enum class CapRule {
  kTexture,  ///< By the image of the first peel.
  kStencil,  ///< By a stencil bit that the first pass leaves.
};

struct GlWaterOptions {
  WaterImageOptions image;
  /// kAdditive sums antiderivatives that are zero at the fluid's surface, so that the surface need
  /// not be drawn: one pass.
  ImageAlgorithm algorithm = ImageAlgorithm::kAdditive;
  CapRule cap = CapRule::kTexture;
  int max_peels = 4096;  ///< With more layers than that `peel` is refused.
};

/// Names a mesh that GlWaterImage::upload has copied to graphics hardware.
struct GlMeshId {
  std::uint32_t index = 0;
};

struct GlWaterBody {
  GlMeshId mesh;
  Similarity world_from_mesh = Similarity::Identity();
};

/// Keeps meshes, programs and images between calls. One thread at a time may use it and its
/// context.
///
/// kPeel is right for closed meshes that are embedded, in one piece or several, and for open ones
/// whose rim is dry. It finds one of several faces at one depth in a column, draws the surface
/// once, however often the body winds around it, and does not see what lies above the surface.
/// Where shells overlap the columns are wrong and count as unbalanced. Where the first faces
/// coincide they are wrong, and balance all the same if the face lost is the one that looks down.
/// kAdditive has none of these faults.
class GlWaterImage {
 public:
  /// Errors: `Unavailable` where this OpenGL lacks what is needed.
  [[nodiscard]] static Result<GlWaterImage> create(const GlContext& context);

  /// Copies a mesh to graphics hardware, for as long as this lives. A mesh turned inward is
  /// measured as if turned outward. Errors: `InvalidArgument` for a mesh without triangles, or less
  /// than 1e-30 or more than 1e30 across; `ResourceLimit`.
  [[nodiscard]] Result<GlMeshId> upload(const CheckedMesh& mesh);

  /// As WaterColumns::measure for each body, in float32: rounded by 6e-8 of its box. All bodies are
  /// drawn side by side into one image, and read back together.
  /// Errors: `InvalidArgument` for options out of range, and for meshes that this has not uploaded;
  /// as nearest_similarity; `Unavailable` and `ResourceLimit`, as OpenGL reports them;
  /// `ResourceLimit` where there are more layers than `max_peels`. `where` is as in
  /// "bodies[2].world_from_mesh".
  [[nodiscard]] Result<std::vector<WaterImage>> measure(std::span<const GlWaterBody> bodies,
                                                        const SurfaceNow& surface,
                                                        const GlWaterOptions& options = {});
  [[nodiscard]] Result<WaterImage> measure(const GlWaterBody& body, const SurfaceNow& surface,
                                           const GlWaterOptions& options = {});

  /// The layers that kPeel sums, the nearest first; the last is the fluid's surface where it was
  /// drawn. Coordinates are about the middle of the posed body's box and over half its longest
  /// edge.
  [[nodiscard]] Result<std::vector<PeelImage>> peels(const GlWaterBody& body,
                                                     const SurfaceNow& surface,
                                                     const GlWaterOptions& options = {});

 private:
  struct State;
  struct Deleter {
    void operator()(State* state) const;
  };
  explicit GlWaterImage(std::unique_ptr<State, Deleter> state);
  std::unique_ptr<State, Deleter> state_;
};

}  // namespace plimsoll
