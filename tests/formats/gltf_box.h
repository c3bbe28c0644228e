// A glTF box to which a test adds what moves it.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <string>
#include <vector>

#include "formats/read_text.h"
#include "support/gltf_builder.h"

namespace plimsoll::test {

/// Of volumes of some ten units from coordinates of some units, each rounded some ten times.
constexpr double kRounding = 1e-13;

/// A box of 1 x 1 x 2 at the origin: accessor 0 its indices, 1 its corners, of which the upper four
/// come last. Each accessor that is added has a view of its own.
class BoxFile {
 public:
  BoxFile() {
    add(5123, "SCALAR", 36,
        bytes_of<std::uint16_t>(0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7,
                                3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5));
    add(5126, "VEC3", 8,
        bytes_of<float>(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 2, 1, 0, 2, 0, 1, 2, 1, 1, 2));
  }

  /// The number of the new accessor.
  int add(int component_type, const std::string& type, int count, const std::string& bytes,
          const std::string& members = {}) {
    views_.push_back(R"({"buffer": 0, "byteOffset": )" + std::to_string(binary_.size()) +
                     R"(, "byteLength": )" + std::to_string(bytes.size()) + "}");
    accessors_.push_back(R"({"bufferView": )" + std::to_string(accessors_.size()) +
                         R"(, "componentType": )" + std::to_string(component_type) +
                         R"(, "count": )" + std::to_string(count) + R"(, "type": ")" + type + '"' +
                         members + "}");
    binary_ += bytes;
    while (binary_.size() % 4 != 0) binary_ += '\0';
    return static_cast<int>(accessors_.size()) - 1;
  }

  std::string attributes = R"("POSITION": 1)";
  std::string primitive;  ///< Further members: R"(, "targets": [])".
  std::string mesh;
  std::string nodes = R"([{"mesh": 0}])";
  std::string more;

  [[nodiscard]] Result<MeshFile> read() const {
    GltfPieces pieces;
    pieces.meshes = R"([{"primitives": [{"attributes": {)" + attributes + R"(}, "indices": 0)" +
                    primitive + "}]" + mesh + "}]";
    pieces.nodes = nodes;
    if (nodes == "[]") pieces.scenes.clear();  // which name them
    pieces.more = more;
    pieces.views = "[" + joined(views_) + "]";
    pieces.accessors = "[" + joined(accessors_) + "]";
    pieces.binary = binary_;
    return read_text(test::glb(pieces), MeshFormat::kGlb);
  }
  [[nodiscard]] MeshFile file() const {
    Result<MeshFile> file = read();
    REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
    CHECK_FALSE(file->partial);
    return *std::move(file);
  }

 private:
  static std::string joined(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += (text.empty() ? "" : ",") + item;
    return text;
  }
  std::vector<std::string> views_;
  std::vector<std::string> accessors_;
  std::string binary_;
};

}  // namespace plimsoll::test
