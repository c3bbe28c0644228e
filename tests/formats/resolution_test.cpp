// What a file rounds its coordinates to.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <string>

#include "formats/gltf_box.h"
#include "formats/read_text.h"
#include "formats/text_scanner.h"
#include "support/approx.h"
#include "support/threemf_builder.h"

namespace plimsoll {
namespace {

double resolution_of(const std::string& bytes, MeshFormat format) {
  const Result<MeshFile> file = test::read_text(bytes, format);
  REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
  return file->resolution;
}

std::string obj(const std::string& largest, const std::string& other = "0.5") {
  return "v 0 0 0\nv " + largest + " 0 0\nv 0 " + other + " 0\nf 1 2 3\n";
}

TEST_CASE("decimals are rounded to a unit of their last digit, at the largest coordinate") {
  const auto unit = [](const std::string& largest, const std::string& other = "0.5") {
    return resolution_of(obj(largest, other), MeshFormat::kObj);
  };
  CHECK(unit("1.000000") == 1e-6);
  CHECK(unit("-123.456") == 1e-3);
  CHECK(unit("1.5e3") == 1e2);
  CHECK(unit("1.000000e+01") == 1e-5);
  CHECK(unit("0.050000") == 1e-5);  // 0.5 is larger
  CHECK(unit("0.050000", "0.01") == 1e-6);
  CHECK(unit("9999.5", "99999.5") == 1e-1);
  // Six digits that are significant: 100 stands for 100.000.
  CHECK(unit("100", "33.3333") == 1e-3);
  CHECK(unit("100", "-3.9e-18") == 1);
  CHECK(unit("3", "0.1000000000000000055") == 1e-19);
  CHECK(unit("0.00000000000000000000000012", "0.00000000000000000000000001") < 1e-25);
  CHECK(unit("1e300", "1e-5") == 1e300);
  CHECK(unit("1e-320", "0") == 1e-320);
}

TEST_CASE("digits are counted, however many") {
  // The unit at 1: 10^(1 - n) for n digits.
  const auto unit_of = [](std::initializer_list<const char*> numbers) {
    DecimalDigits digits;
    for (const std::string text : numbers) {
      double value = 0;
      REQUIRE(parse_double(text.data(), text.data() + text.size(), value, digits) ==
              text.data() + text.size());
    }
    return digits.unit_at(1);
  };
  CHECK(unit_of({"-1.050e-3"}) == 1e-3);
  CHECK(unit_of({"0.000"}) == 0);
  CHECK(unit_of({"12345678901234567890.123"}) == 1e-19);
  CHECK(unit_of({"1234567890.123456789"}) == 1e-18);
  CHECK(unit_of({"1e-400000000000000000000"}) == 1);
  CHECK(unit_of({}) == 0);
  // Whole numbers are exact, but tell digits beside others.
  CHECK(unit_of({"100", "-7"}) == 0);
  CHECK(unit_of({"100", "-7.", "2"}) == 1e-2);
  CHECK(unit_of({"1e2", "12"}) == 1e-1);
}

TEST_CASE("text of all formats has it, and floats and doubles in binary") {
  CHECK(resolution_of("solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 2.500e-1 0 0\nvertex 0 1 0\n"
                      "endloop\nendfacet\nendsolid\n",
                      MeshFormat::kStl) == 1e-3);
  CHECK(resolution_of("OFF\n3 1 0\n0 0 0\n0 0.25 0\n0.5 0 0\n3 0 1 2\n", MeshFormat::kOff) == 1e-2);
  std::string stl = std::string(80, '\0') + test::bytes_of<std::uint32_t>(1);
  stl += test::bytes_of<float>(0, 0, 1, 0, 0, 0, -8, 0, 0, 0, 1, 0) + std::string(2, '\0');
  CHECK(resolution_of(stl, MeshFormat::kStl) == 0x1p-20);

  const auto ply = [](const std::string& encoding, const std::string& type) {
    std::string header = "ply\nformat " + encoding + " 1.0\nelement vertex 3\n";
    for (const char* axis : {"x", "y", "z"}) header += "property " + type + " " + axis + "\n";
    return header + "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  };
  const std::string triangle = std::string(1, '\3') + test::bytes_of<std::int32_t>(0, 1, 2);
  CHECK(resolution_of(ply("binary_little_endian", "float") +
                          test::bytes_of<float>(0, 0, 0, 4, 0, 0, 0, 1, 0) + triangle,
                      MeshFormat::kPly) == 0x1p-21);
  CHECK(resolution_of(ply("binary_little_endian", "double") +
                          test::bytes_of<double>(0, 0, 0, 4, 0, 0, 0, 1, 0) + triangle,
                      MeshFormat::kPly) == 0);
  // Text of floats is rounded twice: by the coarser.
  const auto text = [&](const std::string& type, const std::string& x) {
    return resolution_of(ply("ascii", type) + "0 0 0\n" + x + " 0 0\n0 1 0\n3 0 1 2\n",
                         MeshFormat::kPly);
  };
  CHECK(text("float", "4.000") == 1e-3);
  CHECK(text("float", "4.000000000000000") == 0x1p-21);
  CHECK(text("double", "4.000000000000000") == 1e-15);
}

TEST_CASE("what places a mesh scales it") {
  test::BoxFile box;
  CHECK(box.file().resolution == 0x1p-22);
  box.nodes = R"([{"mesh": 0, "translation": [1e6, 0, 0], "scale": [1, 8, 2]}])";
  CHECK(box.file().resolution == 0x1p-19);
  box.nodes = R"([{"mesh": 0, "rotation": [0, 0, 0.6, 0.8]}])";
  CHECK(box.file().resolution == test::approx(0x1p-22).epsilon(1e-12));

  test::ThreemfPieces pieces;
  std::string fine = test::kTetrahedronMesh;
  fine.replace(fine.find("x=\"1\""), 5, "x=\"1.000\"");
  pieces.resources = "<object id=\"1\">" + fine + "</object>";
  CHECK(resolution_of(test::threemf(pieces), MeshFormat::k3mf) == 1e-3);
  pieces.items = R"(<item objectid="1" transform="5 0 0 0 5 0 0 0 5 1000 0 0"/>)";
  CHECK(resolution_of(test::threemf(pieces), MeshFormat::k3mf) == test::approx(5e-3));
}

}  // namespace
}  // namespace plimsoll
