// Where the bytes of a glTF document lie: in it as base64, in a GLB's binary chunk, or in files
// beside it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/gltf_document.h"

namespace plimsoll {

/// The contents of a document's buffers.
class GltfBuffers {
 public:
  /// Loads what the buffers marked in `needed` (one per buffer of the document) need: a file that
  /// several of them name once only. `document` and `binary_chunk` must outlive the result.
  [[nodiscard]] static Result<GltfBuffers> load(const GltfDocument& document,
                                                std::span<const std::byte> binary_chunk,
                                                const std::filesystem::path& directory,
                                                const std::vector<bool>& needed,
                                                std::string_view file);

  /// The bytes of a needed buffer: exactly its byteLength.
  [[nodiscard]] std::span<const std::byte> operator[](std::uint32_t buffer) const {
    return spans_[buffer];
  }
  /// Of the external files.
  [[nodiscard]] std::uint64_t external_bytes() const { return external_bytes_; }

 private:
  std::vector<std::span<const std::byte>> spans_;
  std::map<std::filesystem::path, std::vector<std::byte>> files_;
  std::uint64_t external_bytes_ = 0;
};

}  // namespace plimsoll
