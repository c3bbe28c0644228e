#include "units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll::cli {
namespace {

// The inch is 25.4 mm and the foot 12 inches, exactly, since 1959.
constexpr std::array<NamedUnit, 5> kUnits = {{{"m", "meters", {1, 1}},
                                              {"mm", "millimeters", {1, 1000}},
                                              {"cm", "centimeters", {1, 100}},
                                              {"in", "inches", {127, 5000}},
                                              {"ft", "feet", {381, 1250}}}};

constexpr NamedUnit kMicron = {"", "microns", {1, 1000000}};

template <class Condition>
std::optional<NamedUnit> find(const Condition& condition) {
  const auto* const found = std::find_if(kUnits.begin(), kUnits.end(), condition);
  if (found == kUnits.end()) return std::nullopt;
  return *found;
}

}  // namespace

std::span<const NamedUnit> units() { return kUnits; }

std::optional<NamedUnit> unit_of_symbol(std::string_view symbol) {
  return find([&](const NamedUnit& unit) { return unit.symbol == symbol; });
}

std::optional<NamedUnit> unit_of_length(double meters) {
  const auto has_that_length = [&](const NamedUnit& unit) {
    return std::abs(unit.meters() - meters) <= 1e-9 * unit.meters();
  };
  return has_that_length(kMicron) ? std::optional(kMicron) : find(has_that_length);
}

}  // namespace plimsoll::cli
