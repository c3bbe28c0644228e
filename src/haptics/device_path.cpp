#include <plimsoll/haptics.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/number_text.h"
#include "formats/csv_rows.h"
#include "formats/file_bytes.h"
#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

constexpr std::string_view kHeader = "time,x,y,z,qw,qx,qy,qz";
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

Result<std::vector<Pose>> read_poses(std::string_view text, const std::string& name,
                                     double period) {
  CsvRows rows(text, name);
  if (const std::optional<std::string_view> header = rows.next(); header != kHeader)
    return rows.malformed(header.value_or(""), "the header " + std::string(kHeader));
  std::vector<Pose> poses;
  double first_time = 0;
  while (const std::optional<std::string_view> line = rows.next()) {
    const std::optional<std::array<double, 8>> row = CsvRows::numbers<8>(*line);
    if (!row) return rows.malformed(*line, "eight finite numbers, comma between them");
    const auto [time, x, y, z, qw, qx, qy, qz] = *row;
    const auto count = static_cast<double>(poses.size());
    if (poses.empty()) first_time = time;
    constexpr double kJitter = 0.01;  // of a period: what rounding in a file may do
    if (const double due = first_time + count * period;
        !(std::fabs(time - due) <= kJitter * period))
      return rows.malformed(*line, "a time of " + to_text(due) + " s, not " + to_text(time) +
                                       ": poses are " + digits(period) + " s apart");
    Eigen::Quaterniond turn(qw, qx, qy, qz);
    constexpr double kRounding = 1e-3;
    if (!(std::fabs(turn.norm() - 1) <= kRounding))
      return rows.malformed(*line,
                            "a quaternion qw,qx,qy,qz of length 1, not " + digits(turn.norm()));
    Pose pose = Pose::Identity();
    pose.linear() = turn.normalized().toRotationMatrix();
    pose.translation() = Vec3(x, y, z);
    poses.push_back(pose);
  }
  if (poses.empty()) return rows.malformed({}, "a pose");
  return poses;
}

}  // namespace

Result<std::vector<Pose>> read_device_path(std::span<const std::byte> text, const std::string& name,
                                           double period) {
  const Result<std::string_view> characters = text_of({text, name, {}});
  if (!characters) return characters.error();
  return read_poses(*characters, name, period);
}

Result<std::vector<Pose>> read_device_path(const std::filesystem::path& path, double period) {
  const Result<FileBytes> bytes = read_file(path, kMaxBytes);
  if (!bytes) return bytes.error();
  return read_device_path(bytes->span(), path.string(), period);
}

}  // namespace plimsoll
