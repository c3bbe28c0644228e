#include "input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "failure.h"
#include "text.h"
#include "units.h"

namespace plimsoll::cli {
namespace {

bool is_file(const std::string& name) {
  std::error_code ignored;
  return name == "-" || std::filesystem::exists(name, ignored);
}

std::vector<std::byte> read_standard_input() {
  std::vector<std::byte> data;
  std::array<std::byte, 65536> block;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), stdin)) {
    if (data.size() + count > kMaxStreamBytes)
      throw failure_of({ErrorCode::kResourceLimit,
                        fmt::format("found more than {} bytes, which are the most that standard "
                                    "input may hold: give a file",
                                    kMaxStreamBytes),
                        "standard input"});
    data.insert(data.end(), block.begin(), block.begin() + static_cast<long>(count));
  }
  if (std::ferror(stdin) != 0)
    throw failure_of({ErrorCode::kUnreadable, "cannot be read", "standard input"});
  return data;
}

}  // namespace

bool is_shape(const std::string& name) { return extension_of(name) == ".json"; }

double parse_positive(std::string_view text, std::string_view option) {
  const std::optional<double> number = parse_number(text);
  if (!number || !std::isfinite(*number) || *number <= 0)
    throw usage_failure(fmt::format("found \"{}\", expected a number above 0", text),
                        std::string(option));
  return *number;
}

std::optional<double> meters_of(std::string_view text) {
  std::string_view number = text;
  double meters = 1;
  for (const NamedUnit& unit : units())
    if (text.ends_with(unit.symbol) && unit.symbol.size() > text.size() - number.size()) {
      number = text.substr(0, text.size() - unit.symbol.size());
      meters = unit.meters();
    }
  const std::optional<double> length = parse_number(number);
  return length ? std::optional(*length * meters) : std::nullopt;
}

double parse_length(std::string_view text, std::string_view option) {
  const std::optional<double> length = meters_of(text);
  if (length && std::isfinite(*length) && *length > 0) return *length;
  throw usage_failure(fmt::format("found \"{}\", expected a length above 0 in meters, or with a "
                                  "unit, as in 10mm",
                                  printable(text)),
                      std::string(option));
}

std::uint64_t parse_count(const std::string& text, const char* option, std::uint64_t largest) {
  const double number = parse_positive(text, option);
  if (number != std::floor(number) || number > static_cast<double>(largest))
    throw usage_failure(
        fmt::format("found \"{}\", expected a whole number from 1 to {}", printable(text), largest),
        option);
  return static_cast<std::uint64_t>(number);
}

std::size_t parse_choice(const std::string& given, std::span<const char* const> allowed,
                         const char* option) {
  const auto found = std::find(allowed.begin(), allowed.end(), given);
  if (found != allowed.end()) return static_cast<std::size_t>(found - allowed.begin());
  const auto last = allowed.end() - 1;
  throw usage_failure(fmt::format("found \"{}\", expected {} or {}", given,
                                  fmt::join(allowed.begin(), last, ", "), *last),
                      option);
}

PartArgument parse_part(const std::string& argument) {
  const std::size_t equals = argument.rfind('=');
  if (is_file(argument) || equals == std::string::npos) return {argument, std::nullopt};
  const std::string name = argument.substr(0, equals);
  const std::string density = argument.substr(equals + 1);
  // "a=b.stl" that does not exist is a missing file, not a bad density.
  if (!is_file(name) && !parse_number(density)) return {argument, std::nullopt};
  return {name, parse_positive(density, "density of " + name)};
}

MeshFile read_part(const PartArgument& part, std::optional<MeshFormat> stdin_format) {
  if (part.name.empty()) throw usage_failure("found an empty name, expected that of a mesh");
  Result<MeshFile> file =
      part.is_standard_input()
          ? read_mesh(read_standard_input(), stdin_format.value(), "standard input")
          : read_mesh(std::filesystem::path(part.name));
  if (!file) throw failure_of(file.error());
  return std::move(*file);
}

}  // namespace plimsoll::cli
