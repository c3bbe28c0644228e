// The real meshes and the defective ones of the data folder: every file loads to the counts of its
// index.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>
#include <simdjson.h>

#include <string>

#include "mesh/mesh_properties.h"
#include "support/checked.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

std::uint64_t number(const simdjson::dom::element& entry, const char* key) {
  return entry[key].get_uint64();
}

constexpr double kIndexDigits = 1e-8;  // the index gives the box with 9 digits

TEST_CASE("real meshes load to the counts, box and volume of their index") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::array index =
      parser.load((test::shared_data() / "meshes" / "index.json").string()).get_array();
  int loaded = 0;
  for (const simdjson::dom::element entry : index) {
    const std::string name(entry["file"].get_string().value());
    if (!mesh_format_from_name(name)) continue;  // .3ds, .gz
    CAPTURE(name);
    const Result<MeshFile> file = read_mesh(test::shared_data() / name);
    REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
    CHECK(file->notices.empty());
    if (file->format != MeshFormat::kStl)
      CHECK(file->mesh.vertices.size() == number(entry, "vertices_in_file"));
    CHECK(file->mesh.triangles.size() == number(entry, "triangles"));
    const TriangleMesh welded = weld(test::checked(file->mesh));
    CHECK(welded.vertices.size() == number(entry, "welded_vertices"));
    const Box3 box = bounding_box(test::checked(welded));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<int>(axis);
      const double low = entry["bbox"].at(0).at(axis).get_double();
      const double high = entry["bbox"].at(1).at(axis).get_double();
      CHECK(std::abs(box.min()[i] - low) <= kIndexDigits * std::abs(low));
      CHECK(std::abs(box.max()[i] - high) <= kIndexDigits * std::abs(high));
    }
    if (!test::has_folded_truth(name) && entry["closed_and_oriented"].get_bool()) {
      // The index's volume comes from sums in double: 1e5 terms leave 1e-11 at worst.
      const double volume = entry["signed_volume_approx"].get_double();
      const double cancelled = box.sizes().prod();
      CHECK(std::abs(test::plain_properties(welded).volume - volume) <= 1e-11 * cancelled);
    }
    ++loaded;
  }
  CHECK(loaded >= 70);
}

TEST_CASE("files with geometric faults load as they are, to be diagnosed later") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element index =
      parser.load((test::shared_data() / "defects" / "index.json").string());
  for (const simdjson::dom::element entry : index["files"].get_array()) {
    const std::string name(entry["file"].get_string().value());
    CAPTURE(name);
    const Result<MeshFile> file = read_mesh(test::shared_data() / name);
    REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
    CHECK(file->mesh.vertices.size() == number(entry, "vertices"));
    CHECK(file->mesh.triangles.size() == number(entry, "triangles"));
    CHECK(weld(test::checked(file->mesh)).vertices.size() == number(entry, "welded_vertices"));
  }
}

}  // namespace
}  // namespace plimsoll
