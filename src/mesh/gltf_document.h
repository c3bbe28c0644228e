// What a glTF 2.0 document says about shapes: its buffers, accessors, meshes and nodes, checked as
// far as that needs no buffer's content. Materials, cameras, animations and the like are not read.
// [Khronos2021, sec. 3 and 5]
#pragma once

#include <plimsoll/mesh_io.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/first_error.h"
#include "mesh/placement.h"

namespace plimsoll {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;  ///< Where an index is absent.

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

enum class GltfShape : std::uint8_t { kScalar, kVec3, kOther };

struct GltfAccessor {
  std::uint64_t count = 0;
  std::uint64_t byte_offset = 0;
  std::uint32_t view = kNone;        ///< None: all zeros.
  std::uint32_t sparse = kNone;      ///< Index into `sparse`.
  std::uint32_t component_type = 0;  ///< As in the file: 5126 is float.
  GltfShape shape = GltfShape::kOther;
  bool normalized = false;
};

struct GltfPrimitive {
  std::uint32_t positions = kNone;  ///< Accessors.
  std::uint32_t indices = kNone;
  std::uint8_t mode = 4;
  bool compressed = false;  ///< By KHR_draco_mesh_compression, perhaps beside plain data.
};

struct GltfMesh {
  std::uint32_t first_primitive = 0;
  std::uint32_t primitive_count = 0;
};

struct GltfNode {
  std::uint32_t mesh = kNone;
  std::uint32_t placement = kNone;  ///< Index into `placements`; none: the identity.
  std::uint32_t first_child = 0;    ///< Index into `children`.
  std::uint32_t child_count = 0;
  std::uint32_t parent = kNone;  ///< Nodes form a forest.
  bool skinned = false;
};

struct GltfDocument {
  bool quantized_positions = false;  ///< KHR_mesh_quantization is in use.
  std::vector<GltfBuffer> buffers;
  std::vector<GltfView> views;
  std::vector<GltfSparse> sparse;
  std::vector<GltfAccessor> accessors;
  std::vector<GltfPrimitive> primitives;
  std::vector<GltfMesh> meshes;
  std::vector<GltfNode> nodes;
  std::vector<Placement> placements;
  std::vector<std::uint32_t> children;
  std::vector<std::uint32_t> roots;  ///< Of the scenes to measure; each node once.
  std::vector<Notice> notices;
  bool partial = false;  ///< As in MeshFile.
};

/// Reads the JSON of a document. `has_binary_chunk`: the first buffer may be that of a GLB.
/// The nesting of the JSON is bounded; memory is some 30 times `json` while this runs.
/// Errors: `Malformed`, `Unsupported`, `ResourceLimit`.
[[nodiscard]] Result<GltfDocument> parse_gltf(std::string_view json, bool has_binary_chunk,
                                              std::string_view file);

}  // namespace plimsoll
