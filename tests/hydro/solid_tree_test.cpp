// The moment tree beside the plain clip: real meshes, refits, bits.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/solid_tree.h>
#include <simdjson.h>

#include <cmath>

#include "core/random.h"
#include "hydro/same_bits.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/instruction_sets.h"
#include "support/random_mesh.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

Similarity pose_of(const simdjson::dom::element& rows) {
  Similarity pose;
  int i = 0;
  for (const simdjson::dom::element row : rows.get_array()) {
    int j = 0;
    for (const double x : row.get_array()) pose.matrix()(i, j++) = x;
    ++i;
  }
  return pose;
}

Vec3 vector_of(const simdjson::dom::element& numbers) {
  Vec3 v;
  int i = 0;
  for (const double x : numbers.get_array()) v[i++] = x;
  return v;
}

// 1e-11 of the whole is what the data folder holds a good double implementation to; volumes of 0
// are exact. Areas are not relative to a volume, and get the rounding of some 1e5 triangles.
void check_truth(const simdjson::dom::element& entry) {
  const TriangleMesh mesh =
      posed(test::load(std::string(entry["mesh"].get_string().value())), pose_of(entry["pose"]));
  const WaterPlane water{vector_of(entry["plane_normal"]), entry["plane_offset"]};
  const double volume = entry["submerged_volume"], share = entry["fraction"];
  const double total = share > 0 ? volume / share : 1;
  const double area = std::pow(total, 2. / 3);
  for (const Submersion& wet :
       {submersion(test::checked(mesh), water), SolidTree(test::checked(mesh)).submersion(water)}) {
    CHECK(std::abs(wet.volume - volume) <= (share > 0 ? 1e-13 * total : 0));
    CHECK(std::abs(wet.volume - volume) <= wet.volume_error);
    CHECK(std::abs(wet.wetted_area - double(entry["wetted_area"])) <= 1e-12 * area);
    CHECK(std::abs(wet.waterplane.area - double(entry["waterplane_area"])) <= 1e-12 * area);
    if (share == 0) {
      CHECK(wet.center_of_buoyancy.isZero(0));
      continue;
    }
    const Vec3 center = vector_of(entry["centre_of_buoyancy"]);
    CHECK((wet.center_of_buoyancy - center).norm() <=
          1e-13 * std::cbrt(total) / share + 4e-16 * center.norm());
  }
}

TEST_CASE("real meshes displace what exact arithmetic says") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const auto path = (test::shared_data() / "truth" / "submerged.json").string();
  for (const simdjson::dom::element entry : parser.load(path)["cases"].get_array()) {
    const std::string_view name = entry["mesh"].get_string();
    CAPTURE(std::string(name));
    if (test::holds_plain_mesh(name)) check_truth(entry);
  }
}

TEST_CASE("all instruction sets give the same bits, and any number of threads") {
  Random random(3);
  for (const int rings : {3, 5, 20, 111}) {
    const TriangleMesh mesh = make_bumpy_sphere(1, 0.4, rings, 2 * rings + 1);
    const SolidTree tree(test::checked(mesh));
    const WaterPlane water{test::random_vector(random), random.uniform(-0.5, 0.5)};
    const Submersion by_clip = submersion(test::checked(mesh), water);
    const Submersion by_tree = tree.submersion(water);
    test::for_each_instruction_set([&] {
      CHECK(same_bits(submersion(test::checked(mesh), water), by_clip));
      CHECK(same_bits(tree.submersion(water), by_tree));
    });
    for (const int threads : {1, 2, 5})
      with_threads(threads, [&] {
        CHECK(same_bits(submersion(test::checked(mesh), water), by_clip));
        CHECK(same_bits(SolidTree(test::checked(mesh)).submersion(water), by_tree));
      });
  }
}

TEST_CASE("every number of triangles has a tree") {
  Random random(5);
  const TriangleMesh whole = make_bumpy_sphere(1, 0.4, 40, 61);
  for (const std::size_t count :
       {1u, 2u, 3u, 4u, 5u, 31u, 32u, 33u, 255u, 256u, 257u, 511u, 513u, 2048u, 2049u, 4758u}) {
    TriangleMesh part = whole;
    part.triangles.resize(std::min<std::size_t>(count, whole.triangles.size()));
    part = weld(test::checked(part));  // the clip takes its frame from all vertices
    const WaterPlane water{test::random_vector(random), random.uniform(-0.5, 0.5)};
    const Submersion clip = submersion(test::checked(part), water);
    const Submersion tree = SolidTree(test::checked(part)).submersion(water);
    // An open surface: only sums over the same triangles, about the same apex.
    CHECK(std::abs(clip.volume - tree.volume) <= 1e-14);
    CHECK(std::abs(clip.wetted_area - tree.wetted_area) <= 1e-13);
    CHECK(std::abs(clip.waterplane.area - tree.waterplane.area) <= 1e-14);
  }
}

// Refit boxes are passed in another order: 1e-14 of a body of 4 m^3 (submersion.h), whose terms are
// five times that where they are taken about the origin, 5 m away.
TEST_CASE("a refit tree answers for the new shape, and a copy for the old one") {
  const TriangleMesh ball = make_icosphere(1, 3);
  TriangleMesh wave = ball;
  for (Vec3& v : wave.vertices) v[0] += 0.3 * std::sin(3 * v[2]) + 5;
  SolidTree tree(test::checked(ball));
  const SolidTree copy = tree;
  REQUIRE(tree.refit(test::checked(wave)));
  const WaterPlane water{{0.1, 0.2, 1}, 0.7};
  const Submersion fresh = SolidTree(test::checked(wave)).submersion(water);
  const Submersion refit = tree.submersion(water);
  CHECK(std::abs(refit.volume - fresh.volume) <= 1e-14);
  CHECK((refit.center_of_buoyancy - fresh.center_of_buoyancy).norm() <= 1e-14);
  CHECK(same_bits(copy.submersion(water), SolidTree(test::checked(ball)).submersion(water)));
  CHECK(std::abs(tree.signed_volume() - tree.submersion({{0, 0, 1}, 9}).volume) <= 4 * 5 * 1e-14);
}

TEST_CASE("what is not wanted stays zero and changes nothing else") {
  const SolidTree tree(test::checked(make_torus(3, 1, 30, 20)));
  const WaterPlane water{{0.3, 0.1, 1}, 0.2};
  const Submersion all = tree.submersion(water);
  const Submersion little = tree.submersion(water, {.wetted_area = false, .waterplane = false});
  CHECK(little.volume == all.volume);
  CHECK(little.center_of_buoyancy == all.center_of_buoyancy);
  CHECK(little.wetted_area == 0);
  CHECK(little.waterplane.area == 0);
}

// It has the number of triangles "about", within a factor of two, and the volume to a tenth
// (solid_tree.h), of which a plane cuts off no more than all.
TEST_CASE("a coarse tree is of nearly the same body") {
  const SolidTree tree(test::checked(make_bumpy_sphere(1, 0.3, 80, 121)));
  const std::optional<SolidTree> coarse = tree.coarse(1000);
  REQUIRE(coarse);
  CHECK(coarse->triangle_count() >= 500);
  CHECK(coarse->triangle_count() <= 2000);
  Random random(9);
  for (int i = 0; i < 20; ++i) {
    const WaterPlane water{test::random_vector(random).normalized(), random.uniform(-0.5, 0.5)};
    const Submersion fine = tree.submersion(water), rough = coarse->submersion(water);
    CHECK(std::abs(rough.volume - fine.volume) <= 0.1 * tree.signed_volume());
  }
  // A wall of 1e-3, whose sides fall together, and what is coarse already.
  CHECK(!SolidTree(test::checked(make_torus(1, 1e-3, 300, 30))).coarse(500));
  CHECK(!SolidTree(test::checked(make_box({1, 1, 1}))).coarse(500));
  CHECK(!SolidTree(test::checked(TriangleMesh{})).coarse(500));
}

}  // namespace
}  // namespace plimsoll
