// glTF documents and binaries of a tetrahedron, of which a test replaces the piece it is about.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace plimsoll::test {

static_assert(std::endian::native == std::endian::little, "the builder copies numbers as they are");

/// The bytes of `numbers`, one after the other.
template <class T, class... Numbers>
std::string bytes_of(Numbers... numbers) {
  std::string bytes;
  for (const T number : {static_cast<T>(numbers)...}) {
    char raw[sizeof(T)];
    std::memcpy(raw, &number, sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  return bytes;
}

/// Indices of 16 bits (24 bytes), then positions (48 bytes): corners at the origin and at 1 on each
/// axis, faces outward, volume 1/6.
inline std::string tetrahedron_bytes() {
  return bytes_of<std::uint16_t>(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3) +
         bytes_of<float>(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
}

/// The members of a document as JSON. Accessor 0 holds the indices, accessor 1 the positions.
struct GltfPieces {
  std::string asset = R"({"version": "2.0"})";
  std::string scenes = R"("scene": 0, "scenes": [{"nodes": [0]}],)";
  std::string nodes = R"([{"mesh": 0}])";
  std::string meshes = R"([{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0}]}])";
  std::string accessors =
      R"([{"bufferView": 0, "componentType": 5123, "count": 12, "type": "SCALAR"},
                              {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC3"}])";
  std::string views = R"([{"buffer": 0, "byteLength": 24},
                          {"buffer": 0, "byteOffset": 24, "byteLength": 48}])";
  std::string buffers;  ///< Empty: one, the binary chunk.
  std::string more;     ///< Further members, each with a comma after it.
  std::string binary = tetrahedron_bytes();
};

inline std::string gltf_json(const GltfPieces& pieces) {
  const std::string buffers =
      pieces.buffers.empty() ? R"([{"byteLength": )" + std::to_string(pieces.binary.size()) + "}]"
                             : pieces.buffers;
  return "{" + pieces.scenes + pieces.more + R"("nodes": )" + pieces.nodes + R"(, "meshes": )" +
         pieces.meshes + R"(, "accessors": )" + pieces.accessors + R"(, "bufferViews": )" +
         pieces.views + R"(, "buffers": )" + buffers + R"(, "asset": )" + pieces.asset + "}";
}

inline std::string glb_chunk(std::string_view type, std::string content, char padding) {
  while (content.size() % 4 != 0) content += padding;
  return bytes_of<std::uint32_t>(content.size()) + std::string(type) + content;
}

inline std::string glb_file(const std::string& chunks) {
  return "glTF" + bytes_of<std::uint32_t>(2, 12 + chunks.size()) + chunks;
}

inline std::string glb(const GltfPieces& pieces) {
  return glb_file(glb_chunk("JSON", gltf_json(pieces), ' ') +
                  glb_chunk(std::string_view("BIN\0", 4), pieces.binary, '\0'));
}

}  // namespace plimsoll::test
