// What happens where a caller breaks a precondition.
#include <doctest/doctest.h>
#include <plimsoll/assert.h>

#include <cstring>
#include <string>

namespace plimsoll {
namespace {

struct Broken {
  std::string condition, message, file;
  int line;
};

TEST_CASE("a handler is told what was broken and where, and the one before comes back") {
  const AssertionHandler before = set_assertion_handler([](const AssertionInfo& info) {
    throw Broken{info.condition, info.message, info.file, info.line};
  });
  try {
    assertion_failed({"x > 0", "x is positive", "here.cpp", 12});
    FAIL("it returned");
  } catch (const Broken& broken) {
    CHECK(broken.condition == "x > 0");
    CHECK(broken.message == "x is positive");
    CHECK(broken.file == "here.cpp");
    CHECK(broken.line == 12);
  }
  const auto second = [](const AssertionInfo&) { throw 2; };
  const AssertionHandler first = set_assertion_handler(second);
  CHECK((first != nullptr));
  CHECK_THROWS_AS(assertion_failed({"", "", "", 0}), int);
  CHECK((set_assertion_handler(nullptr) == static_cast<AssertionHandler>(second)));
  CHECK((set_assertion_handler(before) != static_cast<AssertionHandler>(second)));
}

#if defined(PLIMSOLL_ENABLE_ASSERTS)
TEST_CASE("an assertion that holds does nothing, one that fails tells its own text and line") {
  const AssertionHandler before = set_assertion_handler([](const AssertionInfo& info) {
    throw Broken{info.condition, info.message, info.file, info.line};
  });
  PLIMSOLL_ASSERT(1 + 1 == 2, "a sum");
  const int line = __LINE__ + 2;
  try {
    PLIMSOLL_ASSERT(1 + 1 == 3, "another sum");
    FAIL("it went on");
  } catch (const Broken& broken) {
    CHECK(broken.condition == "1 + 1 == 3");
    CHECK(broken.message == "another sum");
    CHECK(broken.line == line);
  }
  set_assertion_handler(before);
}
#else
TEST_CASE("where assertions are off, their conditions are not even asked") {
  int asked = 0;
  const auto ask = [&asked] { return ++asked > 100; };
  PLIMSOLL_ASSERT(ask(), "it is not asked");
  CHECK(asked == 0);
  (void)ask;
}
#endif

}  // namespace
}  // namespace plimsoll
