#include <plimsoll/haptics.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "core/number_text.h"
#include "formats/file_bytes.h"
#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

constexpr std::string_view kHeader = "time,x,y,z,qw,qx,qy,qz";
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

using Row = std::array<double, 8>;

class PathReader {
 public:
  PathReader(std::string_view text, const std::string& name, double period)
      : text_(text), name_(name), period_(period) {}

  Result<std::vector<Pose>> read() {
    std::string_view line;
    if (!next(line) || line != kHeader)
      return malformed(line, "the header " + std::string(kHeader));
    std::vector<Pose> poses;
    double first_time = 0;
    while (next(line)) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      Row row;
      if (!parse(line, row)) return malformed(line, "eight finite numbers, comma between them");
      const auto count = static_cast<double>(poses.size());
      if (poses.empty()) first_time = row[0];
      constexpr double kJitter = 0.01;  // of a period: what rounding in a file may do
      if (const double due = first_time + count * period_;
          !(std::fabs(row[0] - due) <= kJitter * period_))
        return malformed(line, "a time of " + to_text(due) + " s, not " + to_text(row[0]) +
                                   ": poses are " + digits(period_) + " s apart");
      Eigen::Quaterniond turn(row[4], row[5], row[6], row[7]);
      constexpr double kRounding = 1e-3;
      if (!(std::fabs(turn.norm() - 1) <= kRounding))
        return malformed(line, "a quaternion qw,qx,qy,qz of length 1, not " + digits(turn.norm()));
      Pose pose = Pose::Identity();
      pose.linear() = turn.normalized().toRotationMatrix();
      pose.translation() = Vec3(row[1], row[2], row[3]);
      poses.push_back(pose);
    }
    if (poses.empty()) return malformed({}, "a pose");
    return poses;
  }

 private:
  /// The next line, without its end; false at the end of the text.
  bool next(std::string_view& line) {
    if (at_ >= text_.size()) {
      line = {};
      return false;
    }
    const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    line = text_.substr(at_, end - at_);
    at_ = end + (text_.substr(end).starts_with("\r\n") ? 2 : 1);
    ++line_;
    return true;
  }

  static bool parse(std::string_view line, Row& row) {
    const char *p = line.data(), *end = p + line.size();
    const auto skip_blanks = [&] {
      while (p != end && (*p == ' ' || *p == '\t')) ++p;
    };
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && (p == end || *p++ != ',')) return false;
      skip_blanks();
      p = parse_double(p, end, row[i]);
      if (p == nullptr) return false;
      skip_blanks();
    }
    return p == end;
  }

  [[nodiscard]] Error malformed(std::string_view found, const std::string& expected) const {
    const std::string what = found.empty() ? "nothing" : in_quotes(found);
    return {ErrorCode::kMalformed, "found " + what + ", expected " + expected,
            at_line(name_, std::max<std::size_t>(line_, 1))};
  }

  std::string_view text_;
  const std::string& name_;
  double period_;
  std::size_t at_ = 0, line_ = 0;
};

}  // namespace

Result<std::vector<Pose>> read_device_path(std::span<const std::byte> text, const std::string& name,
                                           double period) {
  const Result<std::string_view> characters = text_of({text, name, {}});
  if (!characters) return characters.error();
  return PathReader(*characters, name, period).read();
}

Result<std::vector<Pose>> read_device_path(const std::filesystem::path& path, double period) {
  const Result<FileBytes> bytes = read_file(path, kMaxBytes);
  if (!bytes) return bytes.error();
  return read_device_path(bytes->span(), path.string(), period);
}

}  // namespace plimsoll
