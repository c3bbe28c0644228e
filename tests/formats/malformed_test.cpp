// Files that must be refused or survived: those of the data folder whose formats are text or plain
// binary.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>
#include <simdjson.h>

#include <map>
#include <string>

#include "support/shared_data.h"

namespace plimsoll {
namespace {

struct Expectation {
  ErrorCode code = ErrorCode::kMalformed;
  const char* place;  ///< What `where` has after the path.
  const char* found;  ///< What the message names.
};

const std::map<std::string, Expectation> kRefusals{
    {"empty.stl", {ErrorCode::kMalformed, "", "empty"}},
    {"empty.obj", {ErrorCode::kMalformed, "", "empty"}},
    {"empty.off", {ErrorCode::kMalformed, "", "empty"}},
    {"empty.ply", {ErrorCode::kMalformed, "", "empty"}},
    {"stl-truncated.stl", {ErrorCode::kMalformed, ": byte 80", "12 triangles"}},
    {"stl-count-huge.stl", {ErrorCode::kMalformed, ": byte 80", "4294967295 triangles"}},
    {"stl-header-only.stl", {ErrorCode::kMalformed, ": byte 80", "80 bytes"}},
    {"stl-zero-count.stl", {ErrorCode::kNoSolid, "", "no triangle"}},
    {"stl-nan.stl", {ErrorCode::kMalformed, ": byte 96", "nan"}},
    {"stl-inf.stl", {ErrorCode::kMalformed, ": byte 96", "inf"}},
    {"stl-ascii-cut.stl", {ErrorCode::kMalformed, ":18", "the end of the file"}},
    {"stl-ascii-word.stl", {ErrorCode::kMalformed, ":6", "\"three\""}},
    {"stl-ascii-four.stl", {ErrorCode::kMalformed, ":7", "expected \"endloop\""}},
    {"obj-index-high.obj", {ErrorCode::kMalformed, ":15", "\"99\""}},
    {"obj-index-zero.obj", {ErrorCode::kMalformed, ":15", "\"0\""}},
    {"obj-index-negative-low.obj", {ErrorCode::kMalformed, ":15", "\"-99\""}},
    {"obj-two-corners.obj", {ErrorCode::kMalformed, ":15", "2 corners"}},
    {"obj-short-vertex.obj", {ErrorCode::kMalformed, ":9", "the end of the line"}},
    {"obj-nan.obj", {ErrorCode::kMalformed, ":1", "\"nan\""}},
    {"obj-index-overflow.obj", {ErrorCode::kMalformed, ":15", "\"99999999999999999999\""}},
    {"obj-binary-noise.obj", {ErrorCode::kMalformed, ":1", "plain text"}},
    {"off-counts-huge.off", {ErrorCode::kMalformed, ":2", "4000000000 vertices"}},
    {"off-counts-negative.off", {ErrorCode::kMalformed, ":2", "\"-8\""}},
    {"off-index-high.off", {ErrorCode::kMalformed, ":11", "\"800\""}},
    {"off-face-size-huge.off", {ErrorCode::kMalformed, ":12", "2000000000 corners"}},
    {"off-cut.off", {ErrorCode::kMalformed, ":10", "the end of the file"}},
    {"ply-no-end.ply", {ErrorCode::kMalformed, ":10", "end_header"}},
    {"ply-cut.ply", {ErrorCode::kMalformed, ": byte 376", "the end of the file"}},
    {"ply-count-huge.ply", {ErrorCode::kMalformed, ": byte 199", "4000000000 \"vertex\""}},
    {"ply-list-negative.ply", {ErrorCode::kMalformed, ":19", "\"-4\""}},
    {"ply-unknown-type.ply", {ErrorCode::kMalformed, ":5", "\"quad\""}},
    {"ply-no-faces.ply", {ErrorCode::kNoSolid, ": header", "no faces"}},
    {"ply-no-x.ply", {ErrorCode::kMalformed, ": header", "x, y and z"}},
    {"empty.3ds", {ErrorCode::kMalformed, "", "empty"}},
};

TEST_CASE("malformed files are refused with what was found and where") {
  if (!test::has_shared_data()) return;
  for (const auto& [name, expected] : kRefusals) {
    CAPTURE(name);
    const auto path = test::shared_data() / "malformed" / name;
    const Result<MeshFile> file = read_mesh(path);
    REQUIRE_FALSE(file);
    CAPTURE(file.error().message);
    CHECK(file.error().code == expected.code);
    CHECK(file.error().where == path.string() + expected.place);
    CHECK(file.error().message.find(expected.found) != std::string::npos);
  }
}

TEST_CASE("no malformed file in text or plain binary lacks an expectation here") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element index =
      parser.load((test::shared_data() / "malformed" / "index.json").string());
  for (const simdjson::dom::element entry : index["files"].get_array()) {
    const std::string name =
        std::filesystem::path(std::string(entry["file"].get_string().value())).filename();
    const auto format = mesh_format_from_name(name);
    if (!format || *format > MeshFormat::kOff || name == "renamed.stl") continue;
    CHECK_MESSAGE(kRefusals.count(name) == 1, name);
  }
}

TEST_CASE("a PLY file named .stl is read as what it is") {
  if (!test::has_shared_data()) return;
  const auto file = read_mesh(test::shared_data() / "malformed" / "renamed.stl");
  REQUIRE(file);
  CHECK(file->format == MeshFormat::kPly);
  CHECK(file->mesh.triangles.size() == 12);
}

}  // namespace
}  // namespace plimsoll
