#include "work_option.h"

#include <algorithm>

#include "input.h"

namespace plimsoll::cli {

void declare_work(CommandLine& line, std::optional<std::string>& target, const char* limits) {
  line.option("--max-work", "S", target, limits);
}

std::optional<double> parse_work(const std::optional<std::string>& given) {
  if (!given) return std::nullopt;
  return 1e6 * parse_positive(*given, "--max-work");
}

HealthOptions examination(const std::optional<std::string>& max_work) {
  constexpr double kPerLook = 0.4;    // [us]; HealthOptions::max_looks
  constexpr double kMaxLooks = 1e18;  // a whole number of 64 bits
  HealthOptions options;
  if (const std::optional<double> work = parse_work(max_work))
    options.max_looks = static_cast<std::uint64_t>(std::min(*work / kPerLook, kMaxLooks));
  return options;
}

}  // namespace plimsoll::cli
