#include "support/by_chance.h"

#include <doctest/doctest.h>

namespace plimsoll {

// Of 20 tosses 18 or more are heads 211 times in 2^20, which is 2.0 in 10,000, and 19 or more 21
// times, 0.2 in 10,000. Of 10, all are heads once in 1024.
TEST_CASE("as many as chance explains are a quantile of the binomial distribution") {
  CHECK(test::max_by_chance(20, 0.5) == 18);
  CHECK(test::min_by_chance(20, 0.5) == 2);
  CHECK(test::max_by_chance(10, 0.5) == 10);
}

// Where p is small the number is Poisson's: of mean 1, 7 or more have 0.83 in 10,000 and 6 or more
// 5.9.
TEST_CASE("of rare things few are explained by chance") {
  CHECK(test::max_by_chance(1'000'000, 1e-6) == 6);
  CHECK(test::max_by_chance(1000, 1e-9) == 0);
}

}  // namespace plimsoll
