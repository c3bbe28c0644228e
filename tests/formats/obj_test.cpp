#include <doctest/doctest.h>

#include "formats/read_text.h"

namespace plimsoll {
namespace {

using test::check_malformed;
using test::check_notices;
using test::check_refused;
using test::check_unit_triangle;

Result<MeshFile> read(const std::string& text) { return test::read_text(text, MeshFormat::kObj); }

const std::string kVertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

TEST_CASE("a corner of an OBJ face is its vertex, whatever else it names") {
  for (const char* face :
       {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//1 3//1", "f 1/4/1 2/5/1 3/6/1", "f 1/ 2/ 3/",
        "f 1// 2// 3//", "f 1/-1/-1 2/-2/-1 3/-3/-1", "f -3 -2 -1", "f\t1  2\t 3  ", "f 1/1 2//2 3",
        "  f 1 2 3", "f 1 2 3 # and a comment", "f 1 2 3#", "f 001 0002 3"}) {
    CAPTURE(face);
    check_unit_triangle(read(kVertices + face));
    check_unit_triangle(read(kVertices + face + "\r\n"));
  }
}

TEST_CASE("numbers that follow the coordinates of an OBJ vertex are passed over") {
  check_unit_triangle(read("v 0 0 0 1\nv 1 0 0 2 3 4\nv 0 1 0 nan nan nan\nf 1 2 3"));
}

TEST_CASE("an OBJ face may come before its vertices") {
  check_unit_triangle(read("f 1 2 3\n" + kVertices));
}

TEST_CASE("a negative index counts back from the face, not from the end of the file") {
  check_unit_triangle(read(kVertices + "f -3 -2 -1\nv 9 9 9\n"));
}

TEST_CASE("a backslash joins OBJ lines, but not at the end of a comment") {
  check_unit_triangle(read("v 0 0 \\\n0\nv 1 0\\\r\n 0\nv 0 1 0\nf 1 \\\n 2 \\ \n\\\n 3"));
  check_unit_triangle(read("# C:\\models\\\n" + kVertices + "f 1 2 3 # path\\\n"));
  check_unit_triangle(read("v 0 0 0 1 \\\n2 3\nv 1 0 0\nv 0 1 0\ng a \\\nf 7 8 9\nf 1 2 3"));
  check_unit_triangle(read(kVertices + "f 1 2 3\\"));
}

TEST_CASE("OBJ with the line ends of old Macintoshes is read") {
  check_unit_triangle(read("# part\rv 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r"));
}

TEST_CASE("an OBJ file may end its lines in several ways, and lines are counted right") {
  check_unit_triangle(read("# part\rv 0 0 0\nv 1 0 0\r\nv 0 1 0 1\r\rf 1 2 \\\r\n3\r"));
  check_unit_triangle(read("# a\n# b\r# c\r\nv 0 0 0 # d\rv 1 0 0\nv 0 1 0\rf 1 2 \\\r3"));
  check_malformed(read("# part\rv 0 0 0\n\r\nv 1 0 0\r\nv 0 1 0\n\rf 1 2 4\r"), "part:7",
                  "found \"4\"");
}

TEST_CASE("a polygon of an OBJ file is the fan from its first corner") {
  const auto file = read(kVertices + "v 1 1 0\nv 2 2 0\nf 1 2 3 4 5\n");
  REQUIRE(file);
  CHECK(file->mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}});
}

TEST_CASE("a polygon of an OBJ file is cut where its fan folds, also before its vertices") {
  const std::string points = "v 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 0\n";
  const std::vector<Triangle> cut{{5, 0, 1}, {5, 1, 2}, {5, 2, 3}, {5, 3, 4}};
  const std::string face = "f 1 2 3 4 5 6\n";
  for (const std::string& text : {points + face, face + points}) {
    const auto file = read(text);
    REQUIRE(file);
    CHECK(file->mesh.triangles == cut);
    CHECK(file->notices.empty());
  }
}

TEST_CASE("an OBJ polygon that crosses itself is told once") {
  const auto file = read(kVertices + "v 1 1 0\nf 1 2 3\nf 1 4 2 3\nf 1 2 4 3\nf 1 4 2 3\n");
  REQUIRE(file);
  CHECK(file->mesh.triangles.size() == 7);
  REQUIRE(file->notices.size() == 1);
  CHECK(file->notices[0].message.find("2 polygons have outlines that cross themselves") == 0);
  CHECK(file->notices[0].message.find("face 1, triangles 1 to 2,") != std::string::npos);
}

TEST_CASE("OBJ statements that hold no polygons are passed over in silence") {
  check_unit_triangle(read("mtllib a.mtl\no part\ng\ns off\nvt 0 0\nvn 0 0 1\nvp 0\nusemtl red\n" +
                           kVertices + "p 1\nl 1 2 3\nf 1 2 3\n"));
}

TEST_CASE("OBJ statements that are not known are passed over with one notice") {
  const auto file = read(kVertices + "csh ls\nf 1 2 3\ncall other.obj\n");
  REQUIRE(file);
  check_notices(
      *file,
      {{"passed_over", "passed over 2 statements that are not read, the first \"csh\" in line 4"}});
}

TEST_CASE("free-form surfaces of an OBJ beside its faces are not read, and the file is partial") {
  const auto file = read(kVertices + "f 1 2 3\nsurf 0 1 0 1 1 2\nend\nsurf 0 1 0 1 1 2\n");
  REQUIRE(file);
  CHECK(file->partial);
  check_notices(*file, {{"partial",
                         "passed over 2 free-form surfaces (surf), the first in line 5: only faces "
                         "are measured"}});
  const auto curves = read(kVertices + "f 1 2 3\ncurv 0 1 1 2\n");  // they have no surface
  REQUIRE(curves);
  CHECK_FALSE(curves->partial);
}

TEST_CASE("an OBJ file of free-form surfaces only says so") {
  const std::string surface = "cstype bspline\ndeg 1 1\nsurf 0 1 0 1 1 2 3 1\nparm u 0 1\nend\n";
  check_refused(read(kVertices + surface), ErrorCode::kUnsupported, "part:6",
                "found free-form geometry (\"surf\") and no faces");
  check_refused(read(kVertices + "curv2 1 2\n"), ErrorCode::kUnsupported, "part:4", "\"curv2\"");
}

TEST_CASE("a fault in an OBJ file is named with its line") {
  check_malformed(read(kVertices + "f 1 2\n"), "part:4", "a face of 2 corners");
  check_malformed(read(kVertices + "f 1\n"), "part:4", "a face of 1 corner,");
  check_malformed(read(kVertices + "f\n"), "part:4", "a face of 0 corners");
  check_malformed(read("v 1 2\nv 0 0 0"), "part:1", "found the end of the line");
  check_malformed(read("v 1 2"), "part:1", "found the end of the file");
  check_malformed(read("v 1 2 three"), "part:1", "found \"three\"");
  check_malformed(read("v 1 2 1e400"), "part:1", "beyond the range of a double");
  check_malformed(read("\nv 1,5 2 3"), "part:2", "found \"1,5\"");
  check_malformed(
      read("v 20,000 2 3"), "part:1",
      "found \"20,000\", expected a number: the x of a vertex; numbers are written with a "
      "point and without commas");
  check_malformed(read("v 1 2 \\\n\\\nx"), "part:3", "found \"x\"");
  check_malformed(read("v 0 0 0\xFF"), "part:1", "found \"0\\xFF\"");
  check_malformed(read("\xD9\xD9 1 2 3"), "part:1", "found \"\\xD9\\xD9\", expected a statement");
  check_refused(read(kVertices), ErrorCode::kNoSolid, "part", "no triangle");
}

TEST_CASE("an OBJ index that names no vertex is refused at its line, even before the vertices") {
  check_malformed(read(kVertices + "f 1 2 4"), "part:4",
                  "found \"4\", expected an index from 1 to 3");
  check_malformed(read("f 1 2 3\nf 2 3 44/1\n" + kVertices), "part:2", "found \"44/1\"");
  check_malformed(read(kVertices + "f 1 2 0"), "part:4", "found \"0\"");
  check_malformed(read(kVertices + "f 1 2 -0"), "part:4", "found \"-0\"");
  check_malformed(read(kVertices + "f 1 2 -4"), "part:4", "the 3 vertices before it");
  check_malformed(read("f -1 -1 -1\n" + kVertices), "part:1", "the 0 vertices before it");
  for (const char* index : {"4294967296", "4294967297", "18446744073709551617",
                            "99999999999999999999", "-4294967297", "-18446744073709551617"})
    check_malformed(read(kVertices + "f 1 2 " + index), "part:4", index);
}

TEST_CASE("a corner of an OBJ face that is no index is refused") {
  for (const char* corner :
       {"x", "1.5", "1/a", "1/2/3/4", "/1", "1/1/1/", "+3", "--3", "3,", "3\\"})
    check_malformed(read(kVertices + "f 1 2 " + corner + " 3"), "part:4", "expected a corner");
}

}  // namespace
}  // namespace plimsoll
