#include <doctest/doctest.h>
#include <plimsoll/patches.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {
namespace {

Result<PatchSurface> read(std::string_view text) {
  return read_bpt(std::as_bytes(std::span(text.data(), text.size())), "part");
}

void check_refused(std::string_view text, ErrorCode code, const std::string& where,
                   const std::string& found) {
  const Result<PatchSurface> surface = read(text);
  REQUIRE_FALSE(surface);
  CAPTURE(surface.error().message);
  CHECK(surface.error().code == code);
  CHECK(surface.error().where == where);
  CHECK(surface.error().message.find(found) != std::string::npos);
}

void check_malformed(std::string_view text, const std::string& where, const std::string& found) {
  check_refused(text, ErrorCode::kMalformed, where, found);
}

std::string in_full(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string bpt_text(const PatchSurface& surface) {
  std::string text = std::to_string(surface.patches.size()) + '\n';
  for (const BezierPatch& patch : surface.patches) {
    const std::string u = std::to_string(patch.degree_u), v = std::to_string(patch.degree_v);
    text += u + ' ' + v + '\n';
    for (int j = 0; j <= patch.degree_v; ++j) {
      for (int i = 0; i <= patch.degree_u; ++i) {
        const WeightedPoint& p =
            patch.points[static_cast<std::size_t>(i * (patch.degree_v + 1) + j)];
        text += in_full(p.x()) + ' ' + in_full(p.y()) + ' ' + in_full(p.z()) + '\n';
      }
    }
  }
  return text;
}

const std::string kSquare = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n";

TEST_CASE("a teapot written as BPT comes back to the last bit") {
  for (const PatchSurface& expected : {teapot(), closed_teapot()}) {
    const Result<PatchSurface> found = read(bpt_text(expected));
    REQUIRE_MESSAGE(found, found.error().message);
    REQUIRE(found->patches.size() == expected.patches.size());
    for (std::size_t p = 0; p < expected.patches.size(); ++p) {
      CHECK(found->patches[p].degree_u == expected.patches[p].degree_u);
      CHECK(found->patches[p].degree_v == expected.patches[p].degree_v);
      CHECK(found->patches[p].points == expected.patches[p].points);
    }
  }
}

// [Holmes2003]: for a "1 2" patch, the first two points are an edge, the next two the center.
TEST_CASE("points of a BPT file run along u first") {
  const auto found = read("1\n1 2\n0 0 0\n1 0 0\n0 1 5\n1 1 5\n0 2 0\n1 2 0\n");
  REQUIRE(found);
  const BezierPatch& patch = found->patches[0];
  CHECK(patch.degree_u == 1);
  CHECK(patch.degree_v == 2);
  CHECK(evaluate(patch, 1, 0).position == Vec3(1, 0, 0));
  CHECK(evaluate(patch, 0, 1).position == Vec3(0, 2, 0));
  CHECK(evaluate(patch, 0.5, 0.5).position == Vec3(0.5, 1, 2.5));
}

TEST_CASE("line ends, blanks and comments of a BPT file are free") {
  for (const std::string& text :
       std::vector<std::string>{"1\n1 1\n" + kSquare,
                                "# made by hand\n1 # patch\r\n1\r\n1\r\n0 0 0 1 0 0\r\n0 1 0 1 1 0",
                                "\xEF\xBB\xBF"
                                "1\r1 1\r0 0 0\r1 0 0\r0 1 0\r1 1 0\r\r"}) {
    CAPTURE(text);
    const auto found = read(text);
    REQUIRE(found);
    REQUIRE(found->patches.size() == 1);
    CHECK(found->patches[0].points[3] == WeightedPoint(1, 1, 0, 1));
  }
}

TEST_CASE("a fault in a BPT file is named with its line") {
  check_malformed("", "part", "the file is empty");
  check_malformed("# nothing\n", "part:2", "found the end of the file, expected the number of");
  check_malformed("-1\n" + kSquare, "part:1", "found \"-1\", expected the number of patches");
  check_refused("0\n", ErrorCode::kNoSolid, "part:1", "found no patch");
  check_malformed("1\n0 1\n" + kSquare, "part:2", "found \"0\", expected the degree in u");
  check_malformed("1\n1 26\n" + kSquare, "part:2", "found \"26\", expected the degree in v");
  check_malformed("1\n1 1.5\n" + kSquare, "part:2", "found \"1.5\"");
  check_malformed("1\n1 1\n0 0 0\n1 0 x\n0 1 0\n1 1 0\n", "part:4",
                  "found \"x\", expected a number: the z of point 1 of patch 0");
  check_malformed("1\n1 1\n0 0 0\n1 0 nan\n0 1 0\n1 1 0\n", "part:4", "found \"nan\"");
  check_malformed("1\n1 1\n0 0 0\n1 1e999 0\n0 1 0\n1 1 0\n", "part:4", "beyond the range");
  check_malformed("1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 -1e300 0\n", "part:6",
                  "found the y of point 3 of patch 0 beyond 2^200");
  check_malformed("1\n2 2\n" + kSquare, "part:7", "found the end of the file");
  check_malformed("1\n1 1\n" + kSquare + "1 1\n", "part:7",
                  "found \"1\", expected the end of the file after 1 patches");
  check_refused(
      "\xFF\xFE"
      "1",
      ErrorCode::kUnsupported, "part: byte 0", "UTF-16");
}

TEST_CASE("a count of patches that the rest of a BPT file cannot hold is refused at once") {
  check_malformed("999999999999999999\n1 1\n" + kSquare, "part:1",
                  "found a count of 999999999999999999 patches; the");
  check_malformed("2\n1 1\n" + kSquare, "part:1", "hold 1 at most");
}

TEST_CASE("a BPT file that is not there is unreadable") {
  const auto missing = read_bpt(std::filesystem::path("no such folder/teapot.bpt"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::kUnreadable);
}

}  // namespace
}  // namespace plimsoll
