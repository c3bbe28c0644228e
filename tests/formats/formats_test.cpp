// Every text and binary spelling of the same solid, from the data folder.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>
#include <simdjson.h>

#include "mesh/mesh_properties.h"
#include "support/checked.h"
#include "support/shared_data.h"

namespace plimsoll {
namespace {

// The solids have volumes, areas and coordinates of a few units, and sums in long double: what is
// left is the rounding of the results to double and, in node-trs.glb, of the transformed
// coordinates up to 40 (4e-15 each).
constexpr double kRounding = 1e-15;

TEST_CASE("the same solid loads from every spelling of every format") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element index =
      parser.load((test::shared_data() / "formats" / "index.json").string());
  int loaded = 0;
  for (const simdjson::dom::element entry : index["files"].get_array()) {
    const std::string name(entry["file"].get_string().value());
    const auto format = mesh_format_from_name(name);
    REQUIRE(format);
    CAPTURE(name);
    const Result<MeshFile> file = read_mesh(test::shared_data() / name);
    REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
    CHECK(file->format == *format);
    if (*format > MeshFormat::kOff) {
      CHECK(file->notices.empty());
      CHECK(file->meters_per_unit.has_value());
    }
    const test::PlainProperties found = test::plain_properties(weld(test::checked(file->mesh)));
    const double volume = entry["volume"].get_double();
    CHECK(std::abs(found.volume - volume) <= kRounding * volume);
    const double area = entry["surface_area"].get_double();
    CHECK(std::abs(found.area - area) <= kRounding * area);
    int axis = 0;
    for (const double coordinate : entry["centre_of_mass"].get_array())
      CHECK(std::abs(found.center[axis++] - coordinate) <= 8 * kRounding);
    ++loaded;
  }
  CHECK(loaded >= 46);
}

}  // namespace
}  // namespace plimsoll
