// Where the vertices of a glTF primitive are: its positions, moved by morph targets at their
// weights and then by the joints of a skin. [Khronos2021, sec. 3.7.2.2 and 3.7.3]
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/gltf_accessor.h"
#include "formats/gltf_buffers.h"
#include "formats/gltf_document.h"

namespace plimsoll {

/// "accessors[3]"
[[nodiscard]] std::string accessor_name(std::uint32_t index);

/// A skin at rest.
struct GltfSkinPose {
  std::vector<Placement> joints;  ///< world_from_mesh of what hangs on each joint alone.
  bool is_mirrored = false;       ///< Each joint mirrors.
};

/// How a mesh is shown.
struct GltfPose {
  Placement placement;  ///< world_from_mesh, but of what a skin holds.
  std::span<const double> weights;
  const GltfSkinPose* skin = nullptr;
};

/// Checks the morph targets of `primitive` whose weights are not 0 and, where it is shown with a
/// skin, its joints and weights; adds the buffers that they read from to `needed`.
void check_deformation(const GltfDocument& document, const GltfPrimitive& primitive,
                       std::span<const double> weights, bool has_skin, std::vector<bool>& needed,
                       FirstError& first_error);

/// Precondition: check_deformation() found nothing, and the buffers are loaded.
class GltfVertices {
 public:
  GltfVertices(const GltfDocument& document, const GltfBuffers& buffers,
               const GltfPrimitive& primitive, const GltfPose& pose);

  /// The next vertex: sum_j w_j M_j p / sum_j w_j over the joints that hold it, or P p where there
  /// is no skin, with p = stored position + sum_k a_k d_k over the morph targets.
  [[nodiscard]] Vec3 next();

  /// How far the last one may be from where it belongs, by rounding.
  [[nodiscard]] double error() const { return error_; }

  /// What the rounding of floats is worth where the vertices so far are shown.
  [[nodiscard]] double resolution() const { return resolution_; }

  [[nodiscard]] const Vec3& stored() const { return stored_; }  ///< The last one, not moved.

  /// What is wrong with the joints or weights passed so far; empty: nothing.
  [[nodiscard]] const std::string& fault() const { return fault_; }

  /// The first accessor whose sparse indices do not rise or reach beyond the count; none: kNoIndex.
  [[nodiscard]] std::uint32_t unordered() const;

  /// Vertices whose weights do not sum to 1, beyond the rounding of bytes.
  [[nodiscard]] std::size_t unbalanced_vertices() const { return unbalanced_; }

 private:
  struct Elements {
    std::uint32_t accessor;
    GltfElements elements;
  };
  struct Target {
    double weight;
    Elements offsets;
  };
  struct Influence {
    Elements joints;
    Elements weights;
  };
  Vec3 on_joints(const Vec3& p);

  GltfPose pose_;
  Elements positions_;
  std::vector<Target> targets_;
  std::vector<Influence> influences_;
  Vec3 stored_ = Vec3::Zero();
  double morphing_ = 0;  // rounding of what the morph targets add
  double error_ = 0;
  double stretch_ = 1;  // of the placement, or of the joint that has most
  double resolution_ = 0;
  std::size_t unbalanced_ = 0;
  std::string fault_;
};

}  // namespace plimsoll
