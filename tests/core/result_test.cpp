#include <doctest/doctest.h>
#include <plimsoll/result.h>

#include <string>

namespace plimsoll {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{ErrorCode::kInvalidArgument, "found an odd number", "argument"};
  return number / 2;
}

TEST_CASE("a result holds either its value or the reason why there is none") {
  CHECK(half(8).value() == 4);
  const Result<int> failed = half(7);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == "found an odd number");
  CHECK(std::string(to_string(failed.error().code)) == "invalid_argument");
}

}  // namespace
}  // namespace plimsoll
