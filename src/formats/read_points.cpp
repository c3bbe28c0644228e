#include <plimsoll/mesh_io.h>

#include "formats/csv_rows.h"
#include "formats/file_bytes.h"

namespace plimsoll {

Result<std::vector<Vec3>> read_points(std::span<const std::byte> text, const std::string& name) {
  const Result<std::string_view> characters = text_of({text, name, {}});
  if (!characters) return characters.error();
  CsvRows rows(*characters, name);
  constexpr std::string_view kHeader = "x,y,z";
  if (const std::optional<std::string_view> header = rows.next(); header != kHeader)
    return rows.malformed(header.value_or(""), "the header " + std::string(kHeader));
  std::vector<Vec3> points;
  while (const std::optional<std::string_view> line = rows.next()) {
    const std::optional<std::array<double, 3>> row = CsvRows::numbers<3>(*line);
    if (!row) return rows.malformed(*line, "three finite numbers, comma between them");
    points.emplace_back((*row)[0], (*row)[1], (*row)[2]);
  }
  if (points.empty()) return rows.malformed({}, "a point");
  return points;
}

Result<std::vector<Vec3>> read_points(const std::filesystem::path& path) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 34;
  const Result<FileBytes> bytes = read_file(path, kMaxBytes);
  if (!bytes) return bytes.error();
  return read_points(bytes->span(), path.string());
}

}  // namespace plimsoll
