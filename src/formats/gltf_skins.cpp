#include "formats/gltf_skins.h"

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "formats/gltf_nodes.h"

namespace plimsoll {
namespace {

// Columns first, as in the file. The last row is that of an affine map, up to rounding.
Placement affine(const std::array<double, 16>& m, std::uint32_t accessor, FirstError& first_error) {
  constexpr double kSlack = 1e-4;  // floats that came out of an inversion
  if (!(std::fabs(m[3]) <= kSlack && std::fabs(m[7]) <= kSlack && std::fabs(m[11]) <= kSlack &&
        std::fabs(m[15] - 1) <= kSlack))
    first_error.set("found a matrix whose last row is not 0 0 0 1, expected an affine map",
                    accessor_name(accessor));
  return Placement({m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]});
}

std::span<const std::uint32_t> joints_of(const GltfDocument& document, std::uint32_t skin) {
  const GltfSkin& source = document.skins[skin];
  return std::span(document.joints).subspan(source.first_joint, source.joint_count);
}

/// Where the joints are, also those outside of the scene.
void place_joints(const GltfDocument& document, std::map<std::uint32_t, Placement>& joints) {
  std::vector<std::uint32_t> roots;
  for (std::uint32_t node = 0; node < document.nodes.size(); ++node)
    if (document.nodes[node].parent == kNoIndex) roots.push_back(node);
  for_each_node(document, roots, [&](std::uint32_t node, const Placement& placement) {
    if (const auto joint = joints.find(node); joint != joints.end()) joint->second = placement;
  });
}

}  // namespace

void GltfSkins::add(std::uint32_t index, std::vector<bool>& needed, FirstError& first_error) {
  if (!poses_.try_emplace(index).second) return;
  const GltfSkin& skin = document_.skins[index];
  const std::string place = "skins[" + std::to_string(index) + ']';
  joint_count_ += skin.joint_count;
  if (skin.joint_count == 0) return first_error.set("found no joints, expected one or more", place);
  if (skin.inverse_binds == kNoIndex) return;
  std::string fault = accessor_fault(document_, skin.inverse_binds, GltfUse::kMatrices);
  const std::uint64_t count = document_.accessors[skin.inverse_binds].count;
  if (fault.empty() && count < skin.joint_count)
    fault = "found " + std::to_string(count) + " matrices, expected one for each of the " +
            std::to_string(skin.joint_count) + " joints of " + place;
  if (!fault.empty()) return first_error.set(fault, accessor_name(skin.inverse_binds));
  mark_buffers(document_, skin.inverse_binds, needed);
}

// world_from_mesh = world_from_joint * joint_from_mesh, of which the latter is the inverse bind
// matrix.
void GltfSkins::pose(const GltfBuffers& buffers, FirstError& first_error) {
  if (poses_.empty()) return;
  std::map<std::uint32_t, Placement> world_from_joint;
  for (const auto& [index, pose] : poses_)
    for (const std::uint32_t joint : joints_of(document_, index))
      world_from_joint.try_emplace(joint);
  place_joints(document_, world_from_joint);
  for (auto& [index, pose] : poses_) {
    const std::uint32_t accessor = document_.skins[index].inverse_binds;
    std::optional<GltfElements> matrices;
    if (accessor != kNoIndex) matrices.emplace(document_, buffers, accessor);
    pose.is_mirrored = true;
    for (const std::uint32_t joint : joints_of(document_, index)) {
      Placement placement = world_from_joint[joint];
      if (matrices) placement = placement * affine(matrices->next_matrix(), accessor, first_error);
      pose.is_mirrored = pose.is_mirrored && placement.orientation() < 0;
      pose.joints.push_back(placement);
    }
  }
}

}  // namespace plimsoll
