#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "formats/read_text.h"

namespace plimsoll {
namespace {

using test::check_malformed;
using test::check_notices;
using test::check_refused;
using test::check_unit_triangle;

Result<MeshFile> read(std::string_view text) { return test::read_text(text, MeshFormat::kStl); }

const std::string kFacet =
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\n"
    "endfacet\n";

template <class T>
void append(std::string& bytes, T value) {
  static_assert(std::endian::native == std::endian::little);
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), &value, sizeof(T));
  bytes.append(raw.data(), raw.size());
}

/// A binary file of one triangle that declares `count`.
std::string binary(std::uint32_t count, float x = 0) {
  std::string bytes(80, ' ');
  append(bytes, count);
  for (const float c : {0.f, 0.f, 1.f, x, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f}) append(bytes, c);
  append(bytes, std::uint16_t{0});
  return bytes;
}

TEST_CASE("text STL is read in any case, spacing and line ending") {
  check_unit_triangle(read("solid a\n" + kFacet + "endsolid a\n"));
  check_unit_triangle(
      read("  SOLID\nFACET NORMAL 0 0 1 OUTER LOOP VERTEX 0 0 0 VERTEX 1E0 0 0\t"
           "VERTEX +0 1. .0 ENDLOOP ENDFACET ENDSOLID"));
  check_unit_triangle(read("\xEF\xBB\xBFsolid\n" + kFacet + "endsolid"));
  std::string old_mac = "solid a\n" + kFacet + "endsolid a\n";
  for (char& c : old_mac)
    if (c == '\n') c = '\r';
  check_unit_triangle(read(old_mac));
}

/// `text` with its lines ended by `ends` in turn.
std::string with_line_ends(const std::string& text, const std::vector<std::string>& ends) {
  std::string changed;
  std::size_t line = 0;
  for (const char c : text) changed += c == '\n' ? ends[line++ % ends.size()] : std::string(1, c);
  return changed;
}

TEST_CASE(
    "text STL is read whole whatever ends its lines, also in turn, and lines are counted right") {
  const std::string text = "solid a\n" + kFacet + "endsolid a\n";
  const std::string bad = "solid a\n" + kFacet + "facet\nouter loop\nvertex 0 0 zero\n";
  for (const std::vector<std::string>& ends :
       {std::vector<std::string>{"\n"},
        {"\r\n"},
        {"\r"},
        {"\r", "\n"},
        {"\r\n", "\n", "\r"},
        {"\r", "\r", "\r", "\r", "\r", "\r", "\r", "\r", "\n"}}) {
    check_unit_triangle(read(with_line_ends(text, ends)));
    check_malformed(read(with_line_ends(bad, ends)), "part:11", "found \"zero\"");
  }
}

TEST_CASE("the normal of a text facet may be missing or no number: nothing depends on it") {
  const std::string body =
      "outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid";
  check_unit_triangle(read("solid\nfacet " + body));
  check_unit_triangle(read("solid\nfacet normal -nan(ind) nan 1.#QNAN " + body));
  check_unit_triangle(read("solid\nfacet normal 0 " + body));
}

TEST_CASE("several solids in one text file are read as one mesh") {
  const auto file = read("solid a\n" + kFacet + "endsolid a\nsolid b\n" + kFacet + "endsolid b\n");
  REQUIRE(file);
  CHECK(file->mesh.triangles.size() == 2);
}

TEST_CASE("a text STL that stops after a facet is read with a notice") {
  const auto file = read("solid a\n" + kFacet);
  REQUIRE(file);
  check_notices(*file, {{"cut_short", "the file ends without \"endsolid\": it may have been cut"}});
}

TEST_CASE("a fault in a text STL is named with its line") {
  check_malformed(
      read("solid a\n" + kFacet + "facet normal 0 0 1\n outer loop\n  vertex 0 0 zero\n"),
      "part:11", "found \"zero\"");
  check_malformed(read("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex 1 0 0"),
                  "part:5", "found \"vertex\", expected a number: the z of a vertex");
  check_malformed(read("solid a\nfacet\nouter loop\nvertex 0 0 1e999"), "part:4",
                  "beyond the range of a double");
  check_malformed(read("solid a\n" + kFacet + "color 1 0 0\n"), "part:9",
                  "found \"color\", expected \"facet\" or \"endsolid\"");
  check_malformed(read("solid a\n" + kFacet + "endsolid a\njunk\n"), "part:10",
                  "found \"junk\", expected \"solid\"");
  check_malformed(read("solid a\nfacet"), "part:2", "found the end of the file");
  check_refused(read("solid empty\nendsolid"), ErrorCode::kNoSolid, "part", "no triangle");
}

TEST_CASE("binary STL is told from text by its size, not by its first word") {
  check_unit_triangle(read(binary(1)));
  std::string named = binary(1);
  named.replace(0, 15, "solid of revolu");
  check_unit_triangle(read(named));
  named += "trailer";
  const auto file = read(named);  // now it is told by the control characters of its count
  REQUIRE(file);
  check_notices(*file, {{"passed_over", "passed over 7 bytes after the last triangle"}});
}

TEST_CASE("binary STL whose size and count disagree is refused") {
  check_malformed(read(binary(2)), "part: byte 80", "a count of 2 triangles, which take 184 bytes");
  check_malformed(read(binary(1).substr(0, 133)), "part: byte 80", "the file has 133");
  check_malformed(read(binary(std::numeric_limits<std::uint32_t>::max())), "part: byte 80",
                  "a count of 4294967295");
  check_malformed(read(binary(0)), "part: byte 80", "a count of 0, but 50 bytes");
  check_malformed(read(std::string(83, 'x')), "part: byte 83", "found 83 bytes");
}

TEST_CASE("a coordinate of a binary STL that is not finite is named with its byte") {
  check_malformed(read(binary(1, std::numeric_limits<float>::quiet_NaN())), "part: byte 96", "nan");
  check_malformed(read(binary(1, -std::numeric_limits<float>::infinity())), "part: byte 96",
                  "-inf");
}

TEST_CASE("a float of a binary STL is widened exactly") {
  const auto file = read(binary(1, 0.1f));
  REQUIRE(file);
  CHECK(file->mesh.vertices[0].x() == static_cast<double>(0.1f));
}

TEST_CASE("STL in UTF-16 is refused by name") {
  using namespace std::string_view_literals;
  check_refused(read("\xFF\xFEs\0o\0l\0i\0d\0"sv), ErrorCode::kUnsupported, "part: byte 0",
                "UTF-16");
  check_refused(read("s\0o\0l\0i\0d\0"sv), ErrorCode::kUnsupported, "part: byte 0", "UTF-16");
}

}  // namespace
}  // namespace plimsoll
