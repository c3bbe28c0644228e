// The MESH arguments: files, standard input, and a density of their own.
#pragma once

#include <plimsoll/mesh_io.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::cli {

/// One MESH or MESH=DENSITY.
struct PartArgument {
  std::string name;               ///< The path, or "-".
  std::optional<double> density;  ///< [kg/m^3]

  [[nodiscard]] bool is_standard_input() const { return name == "-"; }
};

/// Reads one argument. A name that is a file's as it stands is that file, whatever '=' it holds.
/// Throws Failure (usage) for a density that is no positive number.
[[nodiscard]] PartArgument parse_part(const std::string& argument);

/// A number above 0, as `option` asks for. Throws Failure (usage).
[[nodiscard]] double parse_positive(std::string_view text, std::string_view option);

/// A length in meters: as it is, or with a unit: -0.01, 10mm, 1cm, 2in. Nothing for other text.
[[nodiscard]] std::optional<double> meters_of(std::string_view text);

/// The same above 0. Throws Failure (usage).
[[nodiscard]] double parse_length(std::string_view text, std::string_view option);

/// A whole number from 1 to `largest`, as `option` asks for. Throws Failure (usage).
[[nodiscard]] std::uint64_t parse_count(const std::string& text, const char* option,
                                        std::uint64_t largest);

/// Which of the words of `allowed`, two or more, `given` is. Throws Failure (usage) for another.
std::size_t parse_choice(const std::string& given, std::span<const char* const> allowed,
                         const char* option);
inline std::size_t parse_choice(const std::string& given,
                                std::initializer_list<const char*> allowed, const char* option) {
  return parse_choice(given, std::span(allowed.begin(), allowed.size()), option);
}

/// Whether `name` is that of a SHAPE.json.
[[nodiscard]] bool is_shape(const std::string& name);

/// The mesh that `part` names, with `stdin_format` for standard input. Throws Failure.
[[nodiscard]] MeshFile read_part(const PartArgument& part, std::optional<MeshFormat> stdin_format);

}  // namespace plimsoll::cli
