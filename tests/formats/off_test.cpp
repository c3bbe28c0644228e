#include <doctest/doctest.h>

#include "formats/read_text.h"

namespace plimsoll {
namespace {

using test::check_malformed;
using test::check_notices;
using test::check_refused;
using test::check_unit_triangle;

Result<MeshFile> read(const std::string& text) { return test::read_text(text, MeshFormat::kOff); }

const std::string kBody = "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

TEST_CASE("the header of an OFF file may be spelled in many ways") {
  for (const char* header :
       {"OFF\n3 1 0\n", "OFF 3 1 0\n", "3 1 0\n", "OFF\n3 1\n", "OFF\n3 1\n0\n",
        "OFF\n3 1\n\n# c\n3\n", "# made by hand\n\nOFF # head\n#\n3 1 0 # counts\n",
        "\t  OFF3 1 0 # or not\n", "OFF\r\n3\n1\n0\n", "\xEF\xBB\xBFOFF\n3 1 0\n", "OFF 3 1 0 ",
        "OFF\n+3 1 0"}) {
    CAPTURE(header);
    if (std::string_view(header).find('+') == std::string_view::npos)
      check_unit_triangle(read(header + kBody));
    else
      check_malformed(read(header + kBody), "part:2", "found \"+3\"");
  }
}

TEST_CASE("an OFF file may end its lines in several ways") {
  check_unit_triangle(
      read("OFF\r3 1 # no edges\n# points\r# and more\r\n0 0 0\r1 0 0\n0 1 0\r3 0 1 2"));
  check_malformed(read("OFF\r3 1\n\r\n0 0 0\r1 0 0\n0 1 0\r3 0 1 x"), "part:7", "found \"x\"");
}

TEST_CASE("what follows an OFF face on its line is its color") {
  check_unit_triangle(read("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n"));
  const auto file = read("OFF 3 2 0\n0 0 0 1 0 0 0 1 0\n3 0 1 2 0.5 0.5 0.5 1 # red\n3 0 2 1 7");
  REQUIRE(file);
  CHECK(file->mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 1}});
}

TEST_CASE("colors, normals and texture coordinates of OFF vertices are passed over") {
  check_unit_triangle(read("COFF\n3 1 0\n0 0 0 1 0 0 1\n1 0 0 1 0 0 1\n0 1 0 1 0 0 1\n3 0 1 2"));
  check_unit_triangle(read("NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2"));
  check_unit_triangle(read("STCNOFF\n3 1 0\n0 0 0 9 9 9\n1 0 0 9 9\n0 1 0 9\n3 0 1 2"));
}

TEST_CASE(
    "numbers that follow the coordinates of OFF vertices are passed over, unsaid by the keyword "
    "too") {
  const std::string faces = "3 0 1 2\n3 0 2 1\n";
  for (const char* vertices :
       {"0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n0 1 0 255 0 0 255\n",
        "0 0 0 .5 0 1\n1 0 0 .5 0 1\n0 1 0 .5 0 1\n", "0 0 0 3 3 3\n1 0 0 3 3 3\n0 1 0 3 3 3\n",
        "0 0 0 3 1 2\n1 0 0 3 1 2\n0 1 0 3 1 2\n"}) {
    CAPTURE(vertices);
    const auto file = read("OFF\n3 2 0\n" + std::string(vertices) + faces);
    REQUIRE(file);
    CHECK(file->mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 1}});
    CHECK(file->mesh.vertices[2] == Vec3(0, 1, 0));
    REQUIRE(file->notices.size() == 1);
    CHECK(file->notices[0].message.find("more than three numbers") != std::string::npos);
  }
}

TEST_CASE("OFF in binary or of another dimension is refused by name") {
  const auto refused = [](const char* text, const char* found) {
    check_refused(read(text), ErrorCode::kUnsupported, "part:1", found);
  };
  refused("OFF BINARY\n\1\2\3", "binary OFF");
  refused("COFF binary\n\1\2\3", "binary OFF");
  refused("4OFF\n3 1 0\n", "\"4OFF\"");
  refused("nOFF\n3\n3 1 0\n", "\"nOFF\"");
  refused("STCN4nOFF\n", "\"STCN4nOFF\"");
}

TEST_CASE("polygons of an OFF file are fans, and may run over several lines") {
  const auto file = read("OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1\n2 # half\n3 1 0 0\n");
  REQUIRE(file);
  CHECK(file->mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
}

TEST_CASE("a polygon of an OFF file is cut where its fan folds") {
  const auto file = read("OFF 4 2 0\n0 1 0\n0.25 0.25 0\n1 0 0\n0 0 0\n3 0 1 2\n4 0 1 2 3\n");
  REQUIRE(file);
  CHECK(file->notices.empty());
  CHECK(file->mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {3, 0, 1}, {3, 1, 2}});
}

TEST_CASE("a notice tells of polygons of an OFF file whose outline crosses itself") {
  const auto file = read("OFF\n4 1 0\n0 0 0\n1 1 0\n1 0 0\n0 1 0\n4 0 1 2 3\n");
  REQUIRE(file);
  check_notices(*file, {{"polygons",
                         "1 polygon has an outline that crosses itself: it stays the fan from the "
                         "first corner, which covers more than the polygon; the first is face 0, "
                         "triangles 0 to 1, counted from 0"}});
}

TEST_CASE("what follows the last OFF face is passed over with a notice") {
  const auto file = read("OFF\n3 1 0\n" + kBody + "\n# end\n3 2 1 0\n");
  REQUIRE(file);
  CHECK(file->mesh.triangles.size() == 1);
  check_notices(*file, {{"passed_over", "passed over what follows the last face, from line 9"}});
}

TEST_CASE("a fault in an OFF file is named with its line") {
  check_malformed(read("OOF\n3 1 0\n" + kBody), "part:1", "found \"OOF\"");
  check_malformed(read("OFFICE\n3 1 0\n" + kBody), "part:1", "found \"OFFICE\"");
  check_malformed(read("OFF"), "part:1",
                  "found the end of the file, expected the number of vertices");
  check_malformed(read("OFF\n-3 1 0\n" + kBody), "part:2", "found \"-3\"");
  check_malformed(read("OFF\n3 x 0\n" + kBody), "part:2",
                  "found \"x\", expected the number of faces");
  check_malformed(read("OFF\n3 1 0\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n"), "part:4",
                  "the z of vertex 1");
  check_malformed(read("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1e309 0\n3 0 1 2"), "part:5",
                  "beyond the range");
  check_malformed(read("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"), "part:6", "found \"3\"");
  check_malformed(read("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"), "part:6", "found \"-1\"");
  check_malformed(read("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n"), "part:6", "found \"1.5\"");
  check_malformed(read("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n"), "part:6", "found \"2\"");
  check_malformed(read("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n"), "part:6", "found \"-3\"");
  check_malformed(read("OFF\n3 2 0\n" + kBody), "part:7", "3 or more, of face 1");
  check_refused(read("OFF\n0 0 0\n"), ErrorCode::kNoSolid, "part", "no triangle");
}

TEST_CASE("OFF counts that the rest of the file cannot hold are refused at once") {
  check_malformed(read("OFF\n4000000000 1 0\n" + kBody), "part:2",
                  "found a count of 4000000000 vertices; the 27 bytes that follow hold 4 at most");
  check_malformed(read("OFF\n3 999999999999999999 0\n" + kBody), "part:2",
                  "found a count of 999999999999999999 faces");
  // One byte is missing of a line's end and two vertices, "0 0 0\n0 0 0", and then of one and five
  // faces, "0\n0\n0\n0\n0". A count that would fit is read until something is missing.
  check_malformed(read("OFF\n3 0 0\n0 0 0\n0 0 "), "part:2",
                  "found a count of 3 vertices; the 11 bytes that follow hold 2 at most");
  check_malformed(read("OFF\n2 0 0\n0 0 0\n0 0 "), "part:4",
                  "found the end of the file, expected a number: the z of vertex 1");
  check_malformed(read("OFF\n0 6 0\n0\n0\n0\n0\n"), "part:2",
                  "found a count of 6 faces; the 9 bytes that follow hold 5 at most");
  check_malformed(read("OFF\n0 5 0\n0\n0\n0\n0\n"), "part:3", "found \"0\"");
  check_malformed(read("OFF\n9999999999999999999 1 0\n" + kBody), "part:2",
                  "found \"9999999999999999999\"");
}

}  // namespace
}  // namespace plimsoll
