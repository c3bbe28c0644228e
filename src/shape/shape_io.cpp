#include <plimsoll/shape_io.h>

#include "shape/json_document.h"
#include "shape/shape_reader.h"

namespace plimsoll {
namespace {

Result<Shape> parse_shape(std::span<const std::byte> data, const std::string& name,
                          const std::filesystem::path& folder) {
  return parse_document(
      data, name,
      [&](const JsonValue& root, FirstError& first_error) {
        return ShapeReader(first_error, folder).read(root);
      },
      check_shape);
}

Result<Similarity> parse_pose(std::span<const std::byte> data, const std::string& name) {
  return parse_document(
      data, name,
      [&](const JsonValue& root, FirstError& first_error) {
        Similarity pose = Similarity::Identity();
        ShapeReader(first_error, {}).read_pose(root, pose);
        return pose;
      },
      [](const Similarity& pose) -> Result<void> {
        const Result<Similarity> nearest = nearest_similarity(pose);
        if (!nearest) return nearest.error();
        return {};
      });
}

}  // namespace

Result<Shape> read_shape(const std::filesystem::path& path) {
  const std::string name = path.string();
  const Result<FileBytes> bytes = read_file(path, kMaxDocument);
  if (!bytes) return bytes.error();
  return read_shape(bytes->span(), name, path.has_parent_path() ? path.parent_path() : ".");
}

Result<Shape> read_shape(std::span<const std::byte> text, const std::string& name,
                         const std::filesystem::path& folder) {
  return guarded(name, [&] { return parse_shape(text, name, folder); });
}

Result<Similarity> read_pose(const std::filesystem::path& path) {
  const Result<FileBytes> bytes = read_file(path, kMaxDocument);
  if (!bytes) return bytes.error();
  return read_pose(bytes->span(), path.string());
}

Result<Similarity> read_pose(std::span<const std::byte> text, const std::string& name) {
  return guarded(name, [&] { return parse_pose(text, name); });
}

}  // namespace plimsoll
