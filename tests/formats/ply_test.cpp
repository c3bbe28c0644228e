#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "formats/byte_order.h"
#include "formats/read_text.h"

namespace plimsoll {
namespace {

using test::check_malformed;
using test::check_notices;
using test::check_refused;
using test::check_unit_triangle;

Result<MeshFile> read(const std::string& text) { return test::read_text(text, MeshFormat::kPly); }

const std::string kVertex =
    "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
const std::string kFace = "element face 1\nproperty list uchar int vertex_indices\n";
const std::string kEnd = "end_header\n";
const std::string kText = "ply\nformat ascii 1.0\n";

std::string text_with(const std::string& body) { return kText + kVertex + kFace + kEnd + body; }

/// Numbers one after the other in a stated order.
class Bytes {
 public:
  explicit Bytes(std::endian order) : order_(order) {}
  template <class T, class... Values>
  Bytes& add(Values... values) {
    (add_one(static_cast<T>(values)), ...);
    return *this;
  }
  [[nodiscard]] const std::string& string() const { return bytes_; }

 private:
  template <class T>
  void add_one(T value) {
    for (const std::byte b : ordered_bytes(value, order_)) bytes_ += static_cast<char>(b);
  }
  std::endian order_;
  std::string bytes_;
};

/// A triangle whose coordinates have type C, named `c`, and its indices type I, named `i`.
template <class C, class I>
std::string binary(std::endian order, const std::string& c, const std::string& i) {
  Bytes body(order);
  body.add<C>(0, 0, 0, 1, 0, 0, 0, 1, 0).template add<I>(3, 0, 1, 2);
  return std::string("ply\nformat binary_") + (order == std::endian::big ? "big" : "little") +
         "_endian 1.0\nelement vertex 3\nproperty " + c + " x\nproperty " + c + " y\nproperty " +
         c + " z\nelement face 1\nproperty list " + i + ' ' + i + " vertex_index\nend_header\n" +
         body.string();
}

TEST_CASE("a PLY file may hold coordinates and indices of any type, in either order") {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    check_unit_triangle(read(binary<std::int8_t, std::uint8_t>(order, "char", "uchar")));
    check_unit_triangle(read(binary<std::uint8_t, std::int8_t>(order, "uint8", "int8")));
    check_unit_triangle(read(binary<std::int16_t, std::uint16_t>(order, "short", "ushort")));
    check_unit_triangle(read(binary<std::uint16_t, std::int16_t>(order, "uint16", "int16")));
    check_unit_triangle(read(binary<std::int32_t, std::uint32_t>(order, "int", "uint")));
    check_unit_triangle(read(binary<std::uint32_t, std::int32_t>(order, "uint32", "int32")));
    check_unit_triangle(read(binary<float, std::int32_t>(order, "float", "int")));
    check_unit_triangle(read(binary<float, std::int32_t>(order, "float32", "int")));
    check_unit_triangle(read(binary<double, std::int32_t>(order, "double", "int")));
    check_unit_triangle(read(binary<double, std::int32_t>(order, "float64", "int")));
  }
}

TEST_CASE("whole coordinates of a PLY file may be negative, down to the least of their type") {
  const auto corner = [](const Result<MeshFile>& file) {
    REQUIRE(file);
    return file->mesh.vertices[0];
  };
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const auto with_corner = [&]<class C>(const std::string& name, C low, C high) {
      std::string file = binary<C, std::uint8_t>(order, name, "uchar");
      const std::size_t body = file.find(kEnd) + kEnd.size();
      const std::string bytes = Bytes(order).add<C>(low, -1, high).string();
      return corner(read(file.replace(body, bytes.size(), bytes)));
    };
    CHECK(with_corner("char", std::int8_t{-128}, std::int8_t{127}) == Vec3(-128, -1, 127));
    CHECK(with_corner("short", std::int16_t{-32768}, std::int16_t{32767}) ==
          Vec3(-32768, -1, 32767));
    CHECK(with_corner("int", std::int32_t{-2147483647 - 1}, std::int32_t{2147483647}) ==
          Vec3(-2147483648.0, -1, 2147483647));
  }
}

TEST_CASE("what PLY elements and properties hold besides triangles is passed over as declared") {
  const std::string header =
      "comment made by hand\nobj_info x\nelement camera 1\nproperty list int double view\n"
      "property char id\nelement vertex 3\nproperty uchar red\nproperty double z\nproperty float "
      "x\n"
      "property list uchar float w\nproperty float y\nelement nothing 1000000000000\n"
      "element face 1\nproperty list uchar float uv\nproperty list uchar uint vertex_indices\n"
      "property int flags\nend_header\n";
  check_unit_triangle(read(kText + header +
                           "2 0.5 nan 1\n255 0 0 0 0\n255 0 1 1 9 0\n255 0 0 2 9 9 1\n"
                           "6 1 2 3 4 5 6 3 0 1 2 -1\n"));
  Bytes body(std::endian::little);
  body.add<std::int32_t>(2).add<double>(0.5, 0.5).add<std::int8_t>(1);
  body.add<std::uint8_t>(255).add<double>(0).add<float>(0).add<std::uint8_t>(0).add<float>(0);
  body.add<std::uint8_t>(255).add<double>(0).add<float>(1).add<std::uint8_t>(1).add<float>(9, 0);
  body.add<std::uint8_t>(255).add<double>(0).add<float>(0).add<std::uint8_t>(2).add<float>(9, 9, 1);
  body.add<std::uint8_t>(2).add<float>(0, 0).add<std::uint8_t>(3).add<std::uint32_t>(0, 1, 2);
  body.add<std::int32_t>(-1);
  check_unit_triangle(read("ply\nformat binary_little_endian 1.0\n" + header + body.string()));
}

TEST_CASE("PLY faces may come before the vertices") {
  check_unit_triangle(read(kText + kFace + kVertex + kEnd + "3 0 1 2\n0 0 0\n1 0 0\n0 1 0"));
}

TEST_CASE("a polygon of a PLY file is cut where its fan folds, also before its vertices") {
  const std::vector<Triangle> cut{{0, 1, 2}, {3, 0, 1}, {3, 1, 2}};
  const std::string vertices =
      "element vertex 4\nproperty char x\nproperty char y\nproperty char z\n";
  const std::string faces =
      "element face 2\nproperty list uchar int vertex_indices\nproperty char a\n";
  const std::string points = "0 4 0\n1 1 0\n4 0 0\n0 0 0\n", corners = "3 0 1 2 7\n4 0 1 2 3 7\n";
  for (const auto& text : {kText + vertices + faces + kEnd + points + corners,
                           kText + faces + vertices + kEnd + corners + points}) {
    const auto file = read(text);
    REQUIRE(file);
    CHECK(file->mesh.triangles == cut);
  }
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    Bytes body(order);
    body.add<std::int8_t>(0, 4, 0, 1, 1, 0, 4, 0, 0, 0, 0, 0);
    body.add<std::uint8_t>(3).add<std::int32_t>(0, 1, 2).add<std::int8_t>(7);
    body.add<std::uint8_t>(4).add<std::int32_t>(0, 1, 2, 3).add<std::int8_t>(7);
    const auto file =
        read(std::string("ply\nformat binary_") + (order == std::endian::big ? "big" : "little") +
             "_endian 1.0\n" + vertices + faces + kEnd + body.string());
    REQUIRE(file);
    CHECK(file->mesh.triangles == cut);
  }
}

// The tetrahedron (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), once as one strip and once as two.
TEST_CASE("PLY triangle strips alternate in direction and begin anew after -1") {
  const std::string vertices =
      "element vertex 4\nproperty char x\nproperty char y\nproperty char z\n";
  const std::string strips = "element tristrips 1\nproperty list int int vertex_indices\n";
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  const auto file = read(kText + vertices + strips + kEnd + points + "6 0 2 1 3 0 2\n");
  REQUIRE(file);
  CHECK(file->notices.empty());
  CHECK(file->mesh.triangles == std::vector<Triangle>{{0, 2, 1}, {2, 3, 1}, {1, 3, 0}, {3, 2, 0}});
  const std::vector<Triangle> two{{2, 0, 1}, {1, 3, 2}, {0, 2, 3}, {0, 3, 1}};
  const auto split = read(kText + vertices + kFace + strips + kEnd + points +
                          "3 2 0 1\n13 -1 1 3 2 -1 -1 0 2 3 -1 0 3 1\n");
  REQUIRE(split);
  CHECK(split->mesh.triangles == two);
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    Bytes body(order);
    body.add<std::int8_t>(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1).add<std::uint8_t>(3);
    body.add<std::int32_t>(2, 0, 1, 13, -1, 1, 3, 2, -1, -1, 0, 2, 3, -1, 0, 3, 1);
    const auto binary =
        read(std::string("ply\nformat binary_") + (order == std::endian::big ? "big" : "little") +
             "_endian 1.0\n" + vertices + kFace + strips + kEnd + body.string());
    REQUIRE(binary);
    CHECK(binary->mesh.triangles == two);
    CHECK(binary->notices.empty());
  }
}

TEST_CASE("a fault in a PLY strip is named with its place") {
  const auto with = [](const std::string& row) {
    return read(kText + kVertex + "element tristrips 1\nproperty list int int vertex_indices\n" +
                kEnd + "0 0 0\n1 0 0\n0 1 0\n" + row);
  };
  check_malformed(with("3 0 1 3\n"), "part:13", "found index 3, expected one below 3");
  check_malformed(with("3 0 1 -2\n"), "part:13", "found \"-2\"");
  check_malformed(with("4 0 1 2\n"), "part:13",
                  "index 3 of the 4 in \"vertex_indices\" of tristrips 0");
  check_refused(with("2 0 1\n"), ErrorCode::kNoSolid, "part", "no triangle");
  check_refused(with("5 0 1 -1 1 2\n"), ErrorCode::kNoSolid, "part", "no triangle");
}

TEST_CASE("a PLY header may end its lines in any way, also before binary data") {
  const auto with_line_ends = [](const std::string& line_end) {
    const std::string file = binary<double, std::int32_t>(std::endian::little, "double", "int");
    const std::size_t body = file.find(kEnd) + kEnd.size();
    std::string header;
    for (const char c : file.substr(0, body)) header += c == '\n' ? line_end : std::string(1, c);
    return header + file.substr(body);
  };
  check_unit_triangle(read(with_line_ends("\r\n")));
  check_unit_triangle(read(with_line_ends("\r")));
  check_unit_triangle(read(with_line_ends("  \n")));
  // A first byte of the data that looks like the end of a line.
  Bytes body(std::endian::little);
  body.add<std::int8_t>(10, 0, 0, 11, 0, 0, 10, 1, 0, 3).add<std::int32_t>(0, 1, 2);
  for (const std::string line_end : {"\n", "\r", "\r\n"}) {
    std::string header;
    for (const char c :
         "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty char x\n"
         "property char y\nproperty char z\n" +
             kFace + kEnd)
      header += c == '\n' ? line_end : std::string(1, c);
    const auto file = read(header + body.string());
    REQUIRE(file);
    CHECK(file->mesh.vertices[1] == Vec3(11, 0, 0));
  }
  check_unit_triangle(read("\xEF\xBB\xBF" + text_with("0 0 0\r\n1 0 0\r\n\r\n0 1 0\r\n3 0 1 2")));
}

TEST_CASE("text beyond the declared PLY properties and elements is passed over with a notice") {
  const auto file = read(text_with("0 0 0\n1 0 0 7\n0 1 0\n3 0 1 2 9\n\n4 4 4\n"));
  REQUIRE(file);
  check_notices(*file,
                {{"passed_over", "passed over what follows the declared properties, from line 11"},
                 {"passed_over", "passed over what follows the last element, from line 15"}});
  const auto longer = read(binary<float, std::int32_t>(std::endian::big, "float", "int") + "tail");
  REQUIRE(longer);
  check_notices(*longer, {{"passed_over", "passed over 4 bytes after the last element"}});
}

TEST_CASE("faces under another name are said to be passed over") {
  const auto with = [](const std::string& name, const std::string& count) {
    return "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
           "property float z\nelement face 1\nproperty list uchar int vertex_indices\nelement " +
           name + " " + count +
           "\nproperty list uchar int vertex_indices\nend_header\n"
           "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n" +
           (count == "1" ? "3 0 2 1\n" : "");
  };
  const auto polygons = read(with("polygon", "1"));
  REQUIRE(polygons);
  CHECK(polygons->partial);
  check_notices(*polygons, {{"partial",
                             "passed over the element \"polygon\", whose 1 row lists "
                             "vertices as faces do"}});
  const auto lines = read(with("polyline", "1"));
  REQUIRE(lines);
  CHECK_FALSE(lines->partial);
  CHECK(lines->notices.size() == 1);
  CHECK(read(with("polygon", "0"))->notices.empty());
}

TEST_CASE(
    "a line of a PLY header that PLY does not have is passed over if the data fits the rest") {
  const std::string body = "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  for (const auto& text : {"ply\nCreated by hand\nformat ascii 1.0\n" + kVertex + kFace + kEnd,
                           kText + "Created by hand\n" + kVertex + kFace + kEnd,
                           kText + kVertex + kFace + "Created by hand\n" + kEnd}) {
    const auto file = read(text + body);
    REQUIRE(file);
    CHECK(file->mesh.triangles.size() == 1);
    REQUIRE(file->notices.size() == 1);
    CHECK(file->notices[0].message.find(
              "passed over 1 line of the header that PLY does not have: found "
              "\"Created\", expected element,") == 0);
  }
  const std::string typo =
      "element vertex 3\nproperty int x\nproperty int y\nproprety int w\nproperty int z\n";
  Bytes numbers(std::endian::little);
  numbers.add<std::int32_t>(0, 0, 7, 0, 1, 0, 7, 0, 0, 1, 7, 0).add<std::int8_t>(3);
  numbers.add<std::int32_t>(0, 1, 2);
  check_malformed(
      read("ply\nformat binary_little_endian 1.0\n" + typo + kFace + kEnd + numbers.string()),
      "part:6", "found \"proprety\", expected element, property,");
  check_malformed(read(kText + typo + kFace + kEnd + "0 0 7 0\n1 0 7 0\n0 1 7 0\n3 0 1 2\n"),
                  "part:6", "found \"proprety\"");
  check_malformed(read(kText + kVertex + "elemnet face 1\n" + kEnd + body), "part:7",
                  "found \"elemnet\"");
  check_malformed(read("ply\nCreated by hand\n"), "part:2", "found \"Created\"");
}

TEST_CASE("a PLY vertex that is not finite matters only where a face names it") {
  Bytes body(std::endian::little);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  body.add<float>(0, 0, 0, 1, 0, 0, 0, 1, 0, nan, 0, 0).add<std::int8_t>(3);
  const auto with_corner = [&](int corner) {
    Bytes file = body;
    file.add<std::int32_t>(0, 1, corner);
    return read(
        "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\n"
        "property float y\nproperty float z\n" +
        kFace + kEnd + file.string());
  };
  check_unit_triangle(with_corner(2));
  check_malformed(with_corner(3), "part: triangle 0", "vertex 3");
}

TEST_CASE("a fault in a PLY header is named with its line") {
  check_malformed(read("plz\n"), "part:1", "found \"plz\", expected ply");
  check_malformed(read("ply\nformat utf8 1.0\n"), "part:2", "found \"utf8\"");
  check_malformed(read("ply\nelement vertex 3\n"), "part:2", "found \"element\", expected format");
  check_malformed(read(kText + "property float x\n"), "part:3", "expected an element before");
  check_malformed(read(kText + "element vertex\n"), "part:3", "found the end of the line");
  check_malformed(read(kText + "element vertex -1\n"), "part:3", "found \"-1\"");
  check_malformed(read(kText + "element a 1\nproperty quad x\n"), "part:4", "found \"quad\"");
  check_malformed(read(kText + "element a 1\nproperty float\n"), "part:4",
                  "the name of a property");
  check_malformed(read(kText + "element a 1\nproperty list float int x\n"), "part:4",
                  "not an integer");
  check_malformed(read(kText + kVertex + "property float x\n"), "part:7", "second property \"x\"");
  check_malformed(read(kText + kVertex + kVertex), "part:7", "second element \"vertex\"");
  check_malformed(read(kText + "element vertex 1\nproperty list uchar float x\n"), "part:4",
                  "is a list, expected one number");
  check_malformed(read(kText + "element face 1\nproperty int vertex_index\n"), "part:4",
                  "is one number, expected a list");
  check_malformed(read(kText + "element face 1\nproperty list uchar float vertex_index\n"),
                  "part:4", "not integers");
  check_malformed(read(kText + kVertex + kFace), "part:9", "expected end_header");
  check_malformed(read(kText + kVertex + "element face 1\nproperty int n\n" + kEnd), "part: header",
                  "no list vertex_indices");
  check_malformed(read(kText + kFace + kEnd), "part: header", "no element vertex");
  check_refused(read(kText + kVertex + kEnd), ErrorCode::kNoSolid, "part: header", "no faces");
  check_malformed(read(kText + kVertex + "element tristrips 1\n" + kEnd), "part: header",
                  "no list vertex_indices in the element tristrips");
}

TEST_CASE("a fault in the text of a PLY file is named with its line, element and property") {
  check_malformed(read(text_with("0 0 0\n1 0\n0 1 0\n3 0 1 2\n")), "part:11",
                  "found the end of the line, expected a number: \"z\" of vertex 1 of 3");
  check_malformed(read(text_with("0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n")), "part:11", "found \"nan\"");
  check_malformed(read(text_with("0 0 0\n1 0 1e999\n0 1 0\n3 0 1 2\n")), "part:11",
                  "beyond the range");
  check_malformed(read(text_with("0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n")), "part:13", "found index 3");
  check_malformed(read(text_with("0 0 0\n1 0 0\n0 1 0\n3 0 1 -2\n")), "part:13", "found \"-2\"");
  check_malformed(read(text_with("0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n")), "part:13", "found \"-3\"");
  check_malformed(read(text_with("0 0 0\n1 0 0\n0 1 0\n2 0 1\n")), "part:13", "found 2 corners");
  check_malformed(read(text_with("0 0 0\n1 0 0\n0 1 0\n3 0 1\n")), "part:13", "index 2 of the 3");
  check_malformed(read(text_with("0 0 0\n1 0 0\n0 1 0\n   \n")), "part:14",
                  "found the end of the file, expected face 0 of 1");
}

TEST_CASE("a fault in the bytes of a PLY file is named with its byte") {
  const std::string whole = binary<float, std::int8_t>(std::endian::little, "float", "char");
  const std::size_t body = whole.find(kEnd) + kEnd.size();
  const auto at = [&](std::size_t offset) { return "part: byte " + std::to_string(body + offset); };
  const auto with_byte = [&](std::size_t offset, char value) {
    std::string changed = whole;
    changed[body + offset] = value;
    return read(changed);
  };
  check_unit_triangle(read(whole));
  check_malformed(with_byte(38, 3), at(38), "found index 3, expected one below 3");
  check_malformed(with_byte(36, 2), at(36), "found 2 corners, expected 3 or more");
  check_malformed(with_byte(36, -1), at(37), "found a negative number, expected the length");
  check_malformed(with_byte(38, -1), at(39), "found a negative number, expected index 1 of the 3");
  check_malformed(with_byte(36, 4), at(40), "found the end of the file, expected index 3 of the 4");
  check_malformed(read(whole.substr(0, body + 20)), at(0),
                  "the header declares 3 \"vertex\" of at least 12 bytes; found 20");
}

TEST_CASE("PLY counts that the rest of the file cannot hold are refused at once") {
  const std::string vertices =
      "element vertex 4000000000\nproperty char x\nproperty char y\n"
      "property char z\n";
  check_malformed(read("ply\nformat binary_big_endian 1.0\n" + vertices + kFace + kEnd + "abcdef"),
                  "part: byte 172",
                  "the header declares 4000000000 \"vertex\" of at least 3 bytes");
  check_malformed(read(kText + kFace + vertices + kEnd + "3 0 1 2\n0 0 0\n"), "part:11",
                  "the header declares 4000000000 \"vertex\"");
  check_malformed(read(kText + "element a 999999999999999999\nproperty int i\n" + kVertex + kFace +
                       kEnd + "1 2 3\n"),
                  "part:12", "the header declares 999999999999999999 \"a\"");
  // A number of text is a digit and a blank, but for the last: three points take 17 bytes.
  const auto points = [](const char* count) {
    return read(kText + kFace + "element vertex " + count +
                "\nproperty float x\nproperty float y\nproperty float z\n" + kEnd +
                "3 0 1 2\n0 0 0\n1 0 0\n0 1 0");
  };
  CHECK(points("3"));
  check_malformed(points("4"), "part:11",
                  "the header declares 4 \"vertex\" of at least 6 bytes; found 17");
}

}  // namespace
}  // namespace plimsoll
