// The object of a body that all who ask it share.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/solid_tree.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "support/checked.h"
#include "tree/triangle_tree.h"

namespace plimsoll {
namespace {

WaterPlane water_at(double z) { return WaterPlane{Vec3(0.1, 0.2, 1).normalized(), z}; }

TEST_CASE("trees of any quality answer alike, within their bounds") {
  const CheckedMesh mesh = test::checked(make_bumpy_sphere(1, 0.3, 60, 81));
  const SolidTree alone(mesh);
  for (const TreeQuality quality :
       {TreeQuality::kFast, TreeQuality::kBalanced, TreeQuality::kTight}) {
    const MeshTree body(mesh, quality);
    CHECK(body.triangle_count() == mesh.view().triangle_count());
    CHECK(body.box().min() == alone.box().min());
    CHECK(body.box().max() == alone.box().max());
    CHECK(body.memory() > 0);
    const SolidTree shared(body);
    for (const double z : {-0.7, -0.1, 0.0, 0.4, 3.0}) {
      const Submersion a = alone.submersion(water_at(z)), b = shared.submersion(water_at(z));
      CHECK(std::fabs(a.volume - b.volume) <= a.volume_error + b.volume_error);
    }
  }
}

TEST_CASE("a refit body answers for its new shape; copies and what was made of it, for the old") {
  TriangleMesh mesh = make_icosphere(1, 4);
  MeshTree body(test::checked(mesh));
  const MeshTree copy = body;
  SolidTree before(body);
  const double volume = before.signed_volume();
  for (Vec3& v : mesh.vertices) v *= 2;
  REQUIRE(body.refit(test::checked(mesh)));
  CHECK(body.box().max()[0] == 2 * copy.box().max()[0]);
  CHECK(before.signed_volume() == volume);
  CHECK(SolidTree(copy).signed_volume() == volume);
  CHECK(std::fabs(SolidTree(body).signed_volume() / (8 * volume) - 1) <= 1e-12);

  // The other way round: a submersion tree that is refit leaves the body as it is.
  SolidTree moved(copy);
  REQUIRE(moved.refit(test::checked(mesh)));
  CHECK(std::fabs(moved.signed_volume() / (8 * volume) - 1) <= 1e-12);
  CHECK(copy.box().max()[0] == before.box().max()[0]);
}

TEST_CASE("a body is not refit to a mesh of other triangles, and says what it found") {
  const MeshTree before(test::checked(make_icosphere(1, 3)));
  MeshTree body = before;
  const Result<void> refitted = body.refit(test::checked(make_icosphere(1, 2)));
  REQUIRE_FALSE(refitted);
  CHECK(refitted.error().code == ErrorCode::kInvalidArgument);
  CHECK(refitted.error().message.find("320 triangles") != std::string::npos);
  CHECK(body.box().max() == before.box().max());
}

TEST_CASE("trees of one builder are those that are built alone, whatever was built before") {
  const CheckedMesh large = test::checked(make_bumpy_sphere(1, 0.3, 60, 81));
  const CheckedMesh small = test::checked(make_icosphere(2, 1));
  const CheckedMesh none = test::checked(TriangleMesh());
  MeshTreeBuilder builder;
  MeshTree tree = builder.build(small);
  for (const CheckedMesh* mesh : {&large, &small, &none, &large})
    for (const TreeQuality quality :
         {TreeQuality::kFast, TreeQuality::kBalanced, TreeQuality::kTight}) {
      builder.rebuild(*mesh, tree, quality);
      const MeshTree new_one(*mesh, quality);
      const TriangleTree &rebuilt = triangles_of(tree), &alone = triangles_of(new_one);
      CHECK(rebuilt.numbers == alone.numbers);
      CHECK(rebuilt.first == alone.first);
      CHECK(rebuilt.sources == alone.sources);
      REQUIRE(rebuilt.boxes.size() == alone.boxes.size());
      for (std::size_t i = 0; i < alone.boxes.size(); ++i)
        REQUIRE(std::memcmp(&rebuilt.boxes[i], &alone.boxes[i], sizeof(ChildBoxes)) == 0);
      CHECK(tree.box().min() == new_one.box().min());
    }
}

TEST_CASE("a rebuilt body leaves its copies, and what was made of it, as they are") {
  const CheckedMesh small = test::checked(make_icosphere(1, 2));
  MeshTreeBuilder builder;
  MeshTree body = builder.build(small);
  const MeshTree copy = body;
  const SolidTree made(body);
  const double volume = made.signed_volume();
  builder.rebuild(test::checked(make_icosphere(3, 3)), body);
  CHECK(copy.triangle_count() == small.view().triangle_count());
  CHECK(SolidTree(copy).signed_volume() == volume);
  CHECK(made.signed_volume() == volume);
  CHECK(body.box().max()[0] > 2.9);

  MeshTree taken = std::move(body);
  builder.rebuild(small, body);  // of what was moved away, a new one
  CHECK(body.triangle_count() == small.view().triangle_count());
  CHECK(taken.box().max()[0] > 2.9);
}

TEST_CASE("no triangles make a body without any") {
  const MeshTree body(test::checked(TriangleMesh()));
  CHECK(body.triangle_count() == 0);
  CHECK(body.box().isEmpty());
  CHECK(SolidTree(body).submersion(water_at(0)).volume == 0);
}

}  // namespace
}  // namespace plimsoll
