// Units of length by their names on the command line.
#pragma once

#include <plimsoll/mass_properties.h>

#include <optional>
#include <span>
#include <string_view>

namespace plimsoll::cli {

struct NamedUnit {
  std::string_view symbol;  ///< "mm"
  std::string_view plural;  ///< "millimeters"
  LengthUnit ratio;

  [[nodiscard]] double meters() const { return ratio.numerator / ratio.denominator; }
};

[[nodiscard]] std::span<const NamedUnit> units();

/// The unit of that symbol; nothing for another.
[[nodiscard]] std::optional<NamedUnit> unit_of_symbol(std::string_view symbol);

/// The unit of that length, to 1e-9: files spell theirs in a handful of digits. Files also measure
/// in microns, which have no symbol on the command line.
[[nodiscard]] std::optional<NamedUnit> unit_of_length(double meters);

}  // namespace plimsoll::cli
