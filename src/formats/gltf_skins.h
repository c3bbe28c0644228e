// The skins of a glTF scene at rest: where the nodes of their joints are, whatever animations do.
// [Khronos2021, sec. 3.7.3]
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "formats/gltf_buffers.h"
#include "formats/gltf_vertices.h"

namespace plimsoll {

class GltfSkins {
 public:
  explicit GltfSkins(const GltfDocument& document) : document_(document) {}

  /// Takes note that a node shows a mesh with the skin `index`; checks it and adds the buffers that
  /// it reads from to `needed`.
  void add(std::uint32_t index, std::vector<bool>& needed, FirstError& first_error);

  /// What the skins take up [bytes].
  [[nodiscard]] std::uint64_t bytes() const { return joint_count_ * sizeof(Placement); }

  /// Poses every skin that was added.
  void pose(const GltfBuffers& buffers, FirstError& first_error);

  /// Precondition: it was added and posed.
  [[nodiscard]] const GltfSkinPose& operator[](std::uint32_t index) const {
    return poses_.at(index);
  }

 private:
  const GltfDocument& document_;
  std::map<std::uint32_t, GltfSkinPose> poses_;
  std::uint64_t joint_count_ = 0;
};

}  // namespace plimsoll
