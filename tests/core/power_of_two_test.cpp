#include "core/power_of_two.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>

#include "core/random.h"

namespace plimsoll {
namespace {

double any_double(Random& random) { return std::bit_cast<double>(random.next()); }
/// Below the normal range as often as not.
double small_double(Random& random) {
  return std::bit_cast<double>(random.next() >> (2 + random.below(62)));
}

TEST_CASE("exponents and products with powers of two are those of the C library") {
  Random random(1);
  const auto same = [](double x, int e) {
    CHECK(exponent_of(x) == std::ilogb(x));
    const double found = times_power_of_two(x, e), expected = std::ldexp(x, e);
    CHECK((std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(expected) ||
           (std::isnan(found) && std::isnan(expected))));
  };
  for (int i = 0; i < 20'000; ++i) {
    const int e = static_cast<int>(random.below(4500)) - 2250;
    same(any_double(random), e);
    same(small_double(random), e);
    same(-small_double(random), e);
  }
  for (const double x : {0.0, -0.0, std::numeric_limits<double>::denorm_min(),
                         std::numeric_limits<double>::infinity()})
    for (const int e : {-5000, -1023, -1022, 0, 1023, 1024, 2046, 2047, 5000}) same(x, e);
}

}  // namespace
}  // namespace plimsoll
