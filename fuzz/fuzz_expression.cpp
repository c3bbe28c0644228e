// A formula is refused with its column, or its ranges hold its values.
#include <plimsoll/expression.h>

#include <cmath>
#include <cstdint>
#include <string_view>

#include "check_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plimsoll;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Expression> parsed = Expression::parse(text);
  if (!parsed) {
    fuzz::require(!parsed.error().message.empty(), "an error without a message");
    fuzz::require(parsed.error().where.starts_with("column "), "an error without its column");
    return 0;
  }
  const Box3 boxes[] = {{Vec3(-2, -2, -2), Vec3(2, 2, 2)},
                        {Vec3(0, 0.5, -1), Vec3(0.25, 0.5, 0)},
                        {Vec3(1e-9, -1e300, 3), Vec3(1e-8, 1e300, 3)}};
  for (const Box3& box : boxes) {
    const Interval range = parsed->range(box);
    const SlopeRange sloped = parsed->range_along(box, Vec3::UnitZ());
    fuzz::require(!sloped.is_continuous || !sloped.slope.is_empty(), "a slope that is nowhere");
    for (const Vec3& p : {box.min(), box.max(), Vec3(box.min() / 2 + box.max() / 2)}) {
      const double value = (*parsed)(p);
      fuzz::require(!sloped.is_continuous || value == value, "no value where one was proved");
      fuzz::require(value != value || range.contains(value), "a value outside the range");
      fuzz::require(value != value || sloped.value.contains(value), "a value outside the range");
    }
  }
  return 0;
}
