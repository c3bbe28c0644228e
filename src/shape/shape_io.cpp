#include <plimsoll/shape_io.h>

#include "formats/json_document.h"
#include "shape/shape_reader.h"

namespace plimsoll {
namespace {

Result<ShapeFile> parse_shape(std::span<const std::byte> data, const std::string& name,
                              const std::filesystem::path& folder, Seams seams) {
  return parse_document(
      data, name,
      [&](const JsonValue& root, FirstError& first_error) {
        ShapeReader reader(first_error, folder, seams);
        ShapeFile file{reader.read(root), {}, {}};
        file.notices = reader.notices();
        file.welded = reader.welded();
        return file;
      },
      [](const ShapeFile& file) { return check_shape(file.shape); });
}

Result<Similarity> parse_pose(std::span<const std::byte> data, const std::string& name) {
  return parse_document(
      data, name,
      [&](const JsonValue& root, FirstError& first_error) {
        Similarity pose = Similarity::Identity();
        ShapeReader(first_error, {}).read_matrix(root, pose);
        return pose;
      },
      [](const Similarity& pose) -> Result<void> {
        const Result<Similarity> nearest = nearest_similarity(pose);
        if (!nearest) return nearest.error();
        return {};
      });
}

}  // namespace

Result<ShapeFile> read_shape(const std::filesystem::path& path, Seams seams) {
  const std::string name = path.string();
  const Result<FileBytes> bytes = read_file(path, kMaxDocument);
  if (!bytes) return bytes.error();
  return read_shape(bytes->span(), name, path.has_parent_path() ? path.parent_path() : ".", seams);
}

Result<ShapeFile> read_shape(std::span<const std::byte> text, const std::string& name,
                             const std::filesystem::path& folder, Seams seams) {
  return guarded(name, [&] { return parse_shape(text, name, folder, seams); });
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
