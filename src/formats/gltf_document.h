// What a glTF 2.0 document says about shapes: its buffers, accessors, meshes and nodes, checked as
// far as that needs no buffer's content. Materials, cameras, animations and the like are not read.
// [Khronos2021, sec. 3 and 5]
#pragma once

#include <plimsoll/mesh_io.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/no_index.h"
#include "formats/first_error.h"
#include "formats/placement.h"

namespace plimsoll {

struct GltfBuffer {
  enum class Source { kBinaryChunk, kEmbedded, kExternal, kNowhere };
  Source source = Source::kNowhere;
  std::uint64_t byte_length = 0;
  std::string uri;                 ///< Of an external buffer.
  std::vector<std::byte> content;  ///< Of an embedded one, decoded: at least byte_length.
};

struct GltfView {
  std::uint32_t buffer = 0;
  std::uint32_t byte_stride = 0;  ///< 0: elements follow each other without a gap.
  std::uint64_t byte_offset = 0;  ///< offset + length lie within the buffer.
  std::uint64_t byte_length = 0;
};

/// Values that replace some of an accessor's.
struct GltfSparse {
  std::uint64_t count = 0;
  std::uint32_t indices_view = 0;
  std::uint32_t indices_type = 0;
  std::uint64_t indices_offset = 0;
  std::uint32_t values_view = 0;
  std::uint64_t values_offset = 0;
};

enum class GltfShape : std::uint8_t { kScalar, kVec3, kVec4, kMat4, kOther };

struct GltfAccessor {
  std::uint64_t count = 0;
  std::uint64_t byte_offset = 0;
  std::uint32_t view = kNoIndex;     ///< None: all zeros.
  std::uint32_t sparse = kNoIndex;   ///< Index into `sparse`.
  std::uint32_t component_type = 0;  ///< As in the file: 5126 is float.
  GltfShape shape = GltfShape::kOther;
  bool normalized = false;
};

/// Four joints of each vertex, by their numbers in a skin, and their weights: accessors.
struct GltfInfluence {
  std::uint32_t joints = kNoIndex;
  std::uint32_t weights = kNoIndex;
};

struct GltfPrimitive {
  std::uint32_t positions = kNoIndex;  ///< Accessors.
  std::uint32_t indices = kNoIndex;
  std::uint32_t first_target = 0;  ///< Index into `targets`.
  std::uint32_t target_count = 0;
  std::uint32_t first_influence = 0;  ///< Index into `influences`.
  std::uint32_t influence_count = 0;
  std::uint8_t mode = 4;
  bool compressed = false;  ///< By KHR_draco_mesh_compression, perhaps beside plain data.
};

/// Of morph targets: a range of GltfDocument::weights. Those beyond it are 0.
struct GltfWeights {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct GltfMesh {
  std::uint32_t first_primitive = 0;
  std::uint32_t primitive_count = 0;
  GltfWeights weights;
};

struct GltfSkin {
  std::uint32_t first_joint = 0;  ///< Index into `joints`.
  std::uint32_t joint_count = 0;
  std::uint32_t inverse_binds = kNoIndex;  ///< Accessor; none: identities.
};

/// What few nodes have. Instances are accessors: EXT_mesh_gpu_instancing shows the mesh once for
/// each of their elements.
struct GltfNodeExtra {
  std::uint32_t skin = kNoIndex;
  GltfWeights weights;  ///< Where there are any; else those of the mesh hold.
  std::uint32_t translations = kNoIndex;
  std::uint32_t rotations = kNoIndex;
  std::uint32_t scales = kNoIndex;
  std::uint64_t instances = 1;
};

struct GltfNode {
  std::uint32_t mesh = kNoIndex;
  std::uint32_t placement = kNoIndex;  ///< Index into `placements`; none: the identity.
  std::uint32_t first_child = 0;       ///< Index into `children`.
  std::uint32_t child_count = 0;
  std::uint32_t parent = kNoIndex;  ///< Nodes form a forest.
  std::uint32_t extra = kNoIndex;   ///< Index into `extras`.
};

struct GltfDocument {
  bool quantized_positions = false;  ///< KHR_mesh_quantization is in use.
  std::vector<GltfBuffer> buffers;
  std::vector<GltfView> views;
  std::vector<GltfSparse> sparse;
  std::vector<GltfAccessor> accessors;
  std::vector<GltfPrimitive> primitives;
  std::vector<std::uint32_t> targets;  ///< Accessors of positions; none: it moves no vertex.
  std::vector<GltfInfluence> influences;
  std::vector<GltfMesh> meshes;
  std::vector<double> weights;
  std::vector<GltfSkin> skins;
  std::vector<std::uint32_t> joints;  ///< Nodes; those of one skin differ.
  std::vector<GltfNodeExtra> extras;
  std::vector<GltfNode> nodes;
  std::vector<Placement> placements;
  std::vector<std::uint32_t> children;
  std::vector<std::uint32_t> roots;  ///< Of the scenes to measure; each node once.
  std::vector<Notice> notices;
  std::size_t stretched_rotations = 0;  ///< Of nodes, by quaternions that are far from unit length.
};

/// T R S of a translation t, a quaternion q = (x, y, z, w), not 0, and a scale s. R is that of
/// q / |q|.
[[nodiscard]] Placement placement_of(const std::array<double, 3>& t, const std::array<double, 4>& q,
                                     const std::array<double, 3>& s);

/// Far above the rounding of bytes, the coarsest quaternions there are.
inline constexpr double kQuaternionSlack = 0.01;
[[nodiscard]] double length_of(const std::array<double, 4>& quaternion);

/// Reads the JSON of a document. `has_binary_chunk`: the first buffer may be that of a GLB.
/// The nesting of the JSON is bounded, and so is the memory while this runs (mesh_io.h).
/// Errors: `Malformed`, `Unsupported`, `ResourceLimit`.
[[nodiscard]] Result<GltfDocument> parse_gltf(std::string_view json, bool has_binary_chunk,
                                              std::string_view file);

}  // namespace plimsoll
