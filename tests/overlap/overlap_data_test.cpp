// Overlaps of real meshes, and of pairs that other programs were reported to get wrong: exact
// values of the data folder.
#include <doctest/doctest.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "overlap/overlap_checks.h"
#include "support/posed_case.h"
#include "support/sanitizers.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

simdjson::dom::element truth(simdjson::dom::parser& parser, const char* name) {
  return parser.load((test::shared_data() / "truth" / name).string())["cases"];
}

Vec3 vector_in(const simdjson::dom::element& numbers) {
  return {numbers.at(0).get_double(), numbers.at(1).get_double(), numbers.at(2).get_double()};
}

// Far from the origin the table is of other vertices than those that posed() rounds: it says so, by
// 1e-7 of the body.
TEST_CASE("real meshes share what the table says") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  OverlapSearch search;
  int cases = 0;
  for (const simdjson::dom::element entry : truth(parser, "overlap.json").get_array()) {
    const std::string name_a(entry["mesh_a"].get_string().value()),
        name_b(entry["mesh_b"].get_string().value());
    if (!test::holds_plain_mesh(name_a) || !test::holds_plain_mesh(name_b)) continue;
    if (++cases % 4 != 0 && test::kAddressSanitizer) continue;
    const std::string id(entry["id"].get_string().value());
    CAPTURE(id);
    const SolidTree a = test::solid(test::load(name_a)), b = test::solid(test::load(name_b));
    const Similarity pose_a = test::pose_in(entry["pose_a"]),
                     pose_b = test::pose_in(entry["pose_b"]);
    const auto found = search.overlap(a, pose_a, b, pose_b);
    REQUIRE_MESSAGE(found, found.error().message);
    const double volume = entry["overlap_volume"].get_double();
    const double small = std::min(test::posed_volume(a, pose_a), test::posed_volume(b, pose_b));
    const bool is_far = entry["tag"].get_string().value() == "far-from-origin";
    CHECK(std::fabs(found->volume - volume) <= (is_far ? 1e-7 : 1e-11) * small);
    CHECK(found->volume_error <= (is_far ? 1e-7 : 1e-9) * small);
    CHECK(found->overlaps == (volume > 0));
    CHECK(found->center.has_value() == (volume > 0));
    if (found->center && !is_far)
      CHECK((*found->center - vector_in(entry["overlap_centroid"])).norm() <=
            1e-9 * std::pow(small, 4 / 3.0) / volume);
  }
  CHECK(cases >= 25);
}

TriangleMesh mesh_in(const simdjson::dom::element& body) {
  TriangleMesh mesh;
  for (const simdjson::dom::element at : body["vertices"].get_array())
    mesh.vertices.push_back(vector_in(at));
  for (const simdjson::dom::element face : body["faces"].get_array()) {
    const simdjson::dom::array corners = face.get_array();
    const auto corner = [&](std::size_t k) {
      return static_cast<std::uint32_t>(corners.at(k).get_uint64().value());
    };
    for (std::size_t k = 1; k + 1 < corners.size(); ++k)
      mesh.triangles.push_back({corner(0), corner(k), corner(k + 1)});
  }
  return mesh;
}

// What the table rounds once; forces follow from the points of the curve, whose digits are those of
// coordinates far from the origin.
TEST_CASE("pairs that were reported to be hard share what the table says, in either order") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  OverlapSearch search;
  int cases = 0;
  for (const simdjson::dom::element entry : truth(parser, "reported.json").get_array()) {
    const std::string id(entry["id"].get_string().value());
    CAPTURE(id);
    const SolidTree a = test::solid(mesh_in(entry["a"])), b = test::solid(mesh_in(entry["b"]));
    const Similarity here = Similarity::Identity();
    const auto found = search.overlap(a, here, b, here), other = search.overlap(b, here, a, here);
    ++cases;
    if (entry["status"].get_string().value() != "ok") {
      REQUIRE(!found);
      CHECK(found.error().code == ErrorCode::kNotClosed);
      continue;
    }
    REQUIRE_MESSAGE(found, found.error().message);
    REQUIRE_MESSAGE(other, other.error().message);
    const double volume = entry["volume"].get_double();
    const double small = std::min(std::fabs(a.signed_volume()), std::fabs(b.signed_volume()));
    const double enough = std::min(1e-12 * small, 0.01 * volume);
    CHECK(std::fabs(found->volume - volume) <= enough);
    CHECK(std::fabs(other->volume - volume) <= enough);
    CHECK(std::fabs(found->volume - volume) <= found->volume_error + 0x1p-53 * volume);
    CHECK(found->overlaps == (volume > 0));
    if (volume > 0) {
      const Vec3 center = vector_in(entry["center"]);
      REQUIRE(found->center);
      CHECK((*found->center - center).norm() <=
            1e-9 * std::pow(small, 4 / 3.0) / volume + 1e-15 * center.norm());
    } else {
      CHECK(!found->center);
      CHECK(found->force_a.isZero(0));
    }
    if (entry["force_a"].is_null()) {
      CHECK(found->is_one_sided);
      continue;
    }
    const Vec3 force = vector_in(entry["force_a"]);
    CHECK((found->force_a - force).norm() <= 1e-9 * std::pow(small, 2 / 3.0));
    CHECK((other->force_b - force).norm() <= 1e-9 * std::pow(small, 2 / 3.0));
  }
  CHECK(cases >= 13);
}

}  // namespace
}  // namespace plimsoll
