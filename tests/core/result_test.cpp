#include <doctest/doctest.h>
#include <plimsoll/assert.h>
#include <plimsoll/result.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

// What a temporary holds would be gone before the first number is looked at.
TEST_CASE("the value of a result that nobody keeps is kept by who takes it") {
  const auto some = [] { return Result<std::vector<int>>({1, 2, 3}); };
  int sum = 0;
  for (const int number : *some()) sum += number;
  for (const int number : some().value()) sum += number;
  CHECK(sum == 12);
  const std::vector<int>& kept = *some();
  CHECK(kept.size() == 3);
  static_assert(std::is_same_v<decltype(*some()), std::vector<int>>);
}

/// In place of the end of the program.
struct Ended {
  std::string words;
};

/// What the program would say in the end; empty where it goes on.
template <class Act>
std::string last_words(const Act& act) {
  const AssertionHandler before =
      set_assertion_handler([](const AssertionInfo& info) { throw Ended{info.message}; });
  std::string words;
  try {
    act();
  } catch (const Ended& ended) {
    words = ended.words;
  }
  set_assertion_handler(before);
  return words;
}

TEST_CASE("to look into an error ends the program with the error's place and words") {
  Result<std::string> failed = Error{ErrorCode::kMalformed, "found no number", "a.stl: line 7"};
  const Result<std::string>& seen = failed;
  const std::string expected =
      "a value was taken of an error: malformed at a.stl: line 7: found no number";
  std::size_t length = 0;
  CHECK(last_words([&] { length = failed.value().size(); }) == expected);
  CHECK(last_words([&] { length = seen.value().size(); }) == expected);
  CHECK(last_words([&] { length = (*failed).size(); }) == expected);
  CHECK(last_words([&] { length = (*seen).size(); }) == expected);
  CHECK(last_words([&] { length = failed->size(); }) == expected);
  CHECK(last_words([&] { length = seen->size(); }) == expected);
  CHECK(last_words([&] { length = std::string(*std::move(failed)).size(); }) == expected);
  CHECK(last_words([&] { length = std::string(std::move(failed).value()).size(); }) == expected);
  CHECK(length == 0);
  CHECK(last_words([] { (void)*half(7); }) ==
        "a value was taken of an error: invalid_argument at argument: found an odd number");
  CHECK(last_words([] { (void)*half(8); }).empty());
}

TEST_CASE("to look for an error where there is none ends the program") {
  CHECK(last_words([] { (void)half(8).error(); }) == "an error was taken of a value");
  CHECK(last_words([] { (void)Result<void>().error(); }) == "an error was taken of a value");
  CHECK(last_words([] { (void)half(7).error(); }).empty());
}

}  // namespace
}  // namespace plimsoll
