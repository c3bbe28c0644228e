#include "formats/gltf_buffers.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <system_error>

#include "formats/uri.h"

namespace plimsoll {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Result<std::vector<std::byte>> read_start(const std::filesystem::path& path,
                                          std::uint64_t byte_count) {
  std::error_code failure;
  const std::uintmax_t held = std::filesystem::file_size(path, failure);
  const Error unreadable{ErrorCode::kUnreadable, "cannot be read", path.string()};
  if (failure) return unreadable;
  if (held < byte_count)
    return Error{ErrorCode::kMalformed,
                 "found " + std::to_string(held) +
                     " bytes in the file, expected byteLength = " + std::to_string(byte_count),
                 path.string()};
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return unreadable;
  std::vector<std::byte> bytes(byte_count);
  if (std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) return unreadable;
  return bytes;
}

}  // namespace

Result<GltfBuffers> GltfBuffers::load(const GltfDocument& document,
                                      std::span<const std::byte> binary_chunk,
                                      const std::filesystem::path& directory,
                                      const std::vector<bool>& needed, std::string_view file) {
  using Source = GltfBuffer::Source;
  const auto place = [&](std::size_t b) {
    return std::string(file) + ": buffers[" + std::to_string(b) + ']';
  };
  GltfBuffers result;
  const std::size_t count = document.buffers.size();
  std::vector<std::filesystem::path> paths(count);
  std::map<std::filesystem::path, std::uint64_t> lengths;
  for (std::size_t b = 0; b < count; ++b) {
    const GltfBuffer& buffer = document.buffers[b];
    if (!needed[b] || buffer.source != Source::kExternal) continue;
    Result<std::filesystem::path> path = resolve_uri(buffer.uri, directory);
    if (!path) return Error{path.error().code, path.error().message, place(b) + ".uri"};
    paths[b] = *path;
    std::uint64_t& length = lengths[paths[b]];
    length = std::max(length, buffer.byte_length);
  }
  for (const auto& [path, length] : lengths) {
    Result<std::vector<std::byte>> bytes = read_start(path, length);
    if (!bytes) return bytes.error();
    result.external_bytes_ += length;
    result.files_[path] = std::move(*bytes);
  }
  result.spans_.resize(count);
  for (std::size_t b = 0; b < count; ++b) {
    const GltfBuffer& buffer = document.buffers[b];
    if (!needed[b]) continue;
    if (buffer.source == Source::kNowhere)
      return Error{ErrorCode::kMalformed,
                   "found a buffer without \"uri\" that holds positions or "
                   "indices, expected its bytes somewhere",
                   place(b)};
    std::span<const std::byte> bytes = buffer.content;
    if (buffer.source == Source::kBinaryChunk) bytes = binary_chunk;
    if (buffer.source == Source::kExternal) bytes = result.files_[paths[b]];
    if (bytes.size() < buffer.byte_length)
      return Error{ErrorCode::kMalformed,
                   "found " + std::to_string(bytes.size()) +
                       " bytes in the binary chunk, expected byteLength = " +
                       std::to_string(buffer.byte_length),
                   place(b)};
    result.spans_[b] = bytes.first(buffer.byte_length);
  }
  return result;
}

}  // namespace plimsoll
