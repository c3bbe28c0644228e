#include <doctest/doctest.h>
#include <plimsoll/text.h>

namespace plimsoll {

TEST_CASE("names survive XML") {
  CHECK(xml_attribute("a&b<c>\"d\"") == "a&amp;b&lt;c&gt;&quot;d&quot;");
  CHECK(xml_attribute("tab\there") == "tab\xEF\xBF\xBDhere");
  CHECK(xml_attribute("\xEF\xBF\xBF") == "\xEF\xBF\xBD");
}

TEST_CASE("no file name ends an XML comment") {
  for (const char* name : {"a--b", "a---b", "----", "-->", "a-", "--"}) {
    const std::string comment = xml_comment(name);
    CHECK(comment.find("--") == std::string::npos);
    CHECK_FALSE(comment.ends_with('-'));
  }
}

TEST_CASE("a terminal gets no control characters") {
  CHECK(printable("\x1b[31m\n") == "\\x1b[31m\\x0a");
  CHECK(printable("gr\xC3\xBCn") == "gr\xC3\xBCn");
}

}  // namespace plimsoll
