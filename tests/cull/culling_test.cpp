#include <doctest/doctest.h>
#include <plimsoll/culling.h>
#include <plimsoll/mesh_generators.h>

#include <array>
#include <limits>
#include <vector>

#include "cull/culling_campaign.h"
#include "cull/culling_cases.h"
#include "cull/found_pairs.h"
#include "support/approx.h"

namespace plimsoll {
namespace {

// Under the rules of [Govindaraju2004, sec. 7].
TEST_CASE("culling by scanline loses no pair that touches, in any scene at any resolution") {
  test::find_all_pairs(11, test::Wanted::kTouching, cull_by_scanline);
}

TEST_CASE("culling by scanline loses no pair that is closer than a distance") {
  test::find_all_pairs(12, test::Wanted::kNear, cull_by_scanline);
}

// So that culling nothing does not pass.
TEST_CASE("bodies apart are culled, and of two that touch what is far from there") {
  const CheckedMesh sphere = test::checked(make_icosphere(1, 3));
  Similarity beside = Similarity::Identity();
  beside.translation().x() = 2.01;
  std::vector<CullBody> bodies{{sphere}, {sphere, beside}};
  Result<Culling> left = cull_by_scanline(bodies);
  REQUIRE(left);
  CHECK(left->surviving_count() == 0);
  bodies[1].world_from_body.translation().x() = 1.9;
  left = cull_by_scanline(bodies, {.part_triangles = 1});
  REQUIRE(left);
  const std::vector<CulledPairs> found = test::pairs_left(bodies, *left);
  REQUIRE(found.size() == 1);
  const std::size_t touching = test::touching_triangles(found);
  CHECK(touching > 50);
  CHECK(left->surviving_count() < 1.5 * static_cast<double>(touching));
}

// Two squares in planes a distance of 1 apart, in units from 1e-200 to 1e200 m.
TEST_CASE("a distance is in meters, whatever the size of the bodies") {
  for (const double unit : {1e-200, 1.0, 1e200}) {
    CAPTURE(unit);
    const CheckedMesh square = test::checked(test::square_sheet(2));
    Similarity lower = Similarity::Identity();
    lower.linear() *= 3 * unit;
    Similarity upper = lower;
    upper.translation().z() = unit;
    const std::vector<CullBody> bodies{{square, lower}, {square, upper}};
    for (const double within : {0.9 * unit, 1.1 * unit}) {
      CAPTURE(within);
      const Result<Culling> left = cull_by_scanline(bodies, {.resolution = 256, .within = within});
      REQUIRE(left);
      CHECK((left->surviving_count() > 0) == (within > unit));
      CHECK(test::pairs_left(bodies, *left).empty() == (within < unit));
    }
  }
}

// The large triangles leave in the first round, and the view closes in on the small ones, down to
// sizes that doubles hold with few digits or none.
TEST_CASE("small triangles among large ones are found, however small they are") {
  Random random(13);
  for (const double size : test::kSmallSizes) {
    CAPTURE(size);
    const std::vector<CullBody> bodies = test::small_among_large(random, size);
    const std::vector<CulledPairs> expected = test::pairs_by_trees(bodies);
    REQUIRE(!expected.empty());
    for (const int pixels : {16, 1024}) {
      const Result<Culling> left = cull_by_scanline(bodies, {.resolution = pixels});
      REQUIRE(left);
      CHECK(test::are_equal(test::pairs_left(bodies, *left), expected));
    }
  }
}

// A point 1e-170 from another, and something 1e280 large: no unit suits both.
TEST_CASE("closeness is decided at any size of the triangles, whatever else is there") {
  const auto with = [](const Vec3& p) {
    TriangleMesh mesh;
    mesh.vertices = {p, p, p, Vec3(1e280, 0, 0), Vec3(2e280, 0, 0), Vec3(1e280, 1e280, 0)};
    mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
    return CullBody{test::checked(std::move(mesh))};
  };
  const std::vector<CullBody> bodies{with(Vec3(1e-170, 0, 0)), with(Vec3(0, 0, 0))};
  for (const auto& [distance, count] : {std::pair{3e-170, 2u}, std::pair{0.5e-170, 1u}}) {
    CAPTURE(distance);
    const Result<Culling> left = cull_by_scanline(bodies, {.within = distance});
    REQUIRE(left);
    const std::vector<CulledPairs> found = test::pairs_left(bodies, *left);
    REQUIRE(found.size() == 1);
    CHECK(found.front().pairs.size() == count);
  }
}

TEST_CASE("what is no body to be culled is refused, and says why") {
  const CheckedMesh sphere = test::checked(make_icosphere(1, 1));
  const std::vector<CullBody> bodies{{sphere}, {sphere}};
  const auto where = [&](const CullOptions& options) {
    const Result<Culling> left = cull_by_scanline(bodies, options);
    return left ? std::string() : left.error().where;
  };
  CHECK(where({.resolution = 15}) == "resolution");
  CHECK(where({.resolution = 16385}) == "resolution");
  CHECK(where({.part_triangles = 0}) == "part_triangles");
  CHECK(where({.within = -1}) == "within");
  CHECK(where({.within = std::numeric_limits<double>::infinity()}) == "within");
  CHECK(where({.method = CullMethod::kCullide}) == "method");
  CHECK(where({.method = CullMethod::kCullide, .within = 1}) == "within");
  CHECK(where({}) == "");
  std::vector<CullBody> flat = bodies;
  flat[1].world_from_body.linear()(0, 0) = 0;
  CHECK(cull_by_scanline(flat).error().where == "body 1");
  flat[1].world_from_body = Similarity::Identity();
  flat[1].world_from_body.translation().x() = 2e300;
  CHECK(cull_by_scanline(flat).error().where == "body 1");
}

TEST_CASE("bodies, triangles and distances that are not those of the culling are refused") {
  const CheckedMesh sphere = test::checked(make_icosphere(1, 1));
  const std::vector<CullBody> bodies{{sphere}, {sphere}};
  const Culling left = cull_by_scanline(bodies).value();
  const auto where = [&](const std::vector<CullBody>& of, const Culling& culling) {
    const Result<std::vector<CulledPairs>> pairs = culled_pairs(of, culling);
    return pairs ? std::string() : pairs.error().where;
  };
  CHECK(where(bodies, left) == "");
  CHECK(where({{sphere}}, left) == "bodies");
  CHECK(where({{sphere}, {test::checked(make_icosphere(1, 0))}}, left) == "body 1");
  Culling wrong = left;
  wrong.within = -1;
  CHECK(where(bodies, wrong) == "within");
  const auto count = static_cast<std::uint32_t>(sphere.view().triangle_count());
  const std::array<std::uint32_t, 1> last{count - 1}, beyond{count};
  CHECK(fattened_boxes(bodies[0], last, 0.1).value().triangles.size() == 12);
  CHECK(fattened_boxes(bodies[0], beyond, 0.1).error().where == "triangles");
  CHECK(fattened_boxes(bodies[0], last, -0.1).error().where == "radius");
}

TEST_CASE("what is no pose is refused by all that takes bodies") {
  const CheckedMesh sphere = test::checked(make_icosphere(1, 1));
  const std::vector<CullBody> bodies{{sphere}, {sphere}};
  const Culling left = cull_by_scanline(bodies).value();
  const std::array<std::uint32_t, 1> first{0};
  const auto check_refused = [&](const Similarity& pose) {
    std::vector<CullBody> wrong = bodies;
    wrong[1].world_from_body = pose;
    CHECK(culled_pairs(wrong, left).error().where == "body 1");
    CHECK(cull_by_scanline(wrong).error().where == "body 1");
    CHECK(fattened_boxes(wrong[1], first, 0.1).error().where == "world_from_body");
  };
  Similarity pose = Similarity::Identity();
  pose(0, 1) = 0.5;  // sheared
  check_refused(pose);
  pose = Similarity::Identity();
  pose(0, 0) = 2;  // stretched
  check_refused(pose);
  pose = Similarity::Identity();
  pose(2, 2) = -1;  // mirrored
  check_refused(pose);
  pose = Similarity::Identity();
  pose.translation().x() = std::numeric_limits<double>::quiet_NaN();
  check_refused(pose);
  pose = Similarity::Identity();
  pose.translation().x() = 1e301;  // beyond what the predicates take
  check_refused(pose);
  pose = Similarity::Identity();
  pose.linear() *= 2;
  CHECK(fattened_boxes({sphere, pose}, first, 0.1));
}

TEST_CASE("bodies without triangles, one body and none are culled") {
  const CheckedMesh sphere = test::checked(make_icosphere(1, 1));
  for (const std::vector<CullBody>& bodies :
       {std::vector<CullBody>{}, {{sphere}}, {{CheckedMesh()}, {sphere}, {CheckedMesh()}}}) {
    const Result<Culling> left = cull_by_scanline(bodies);
    REQUIRE(left);
    CHECK(left->surviving.size() == bodies.size());
    CHECK(left->surviving_count() == 0);
    CHECK(test::pairs_left(bodies, *left).empty());
  }
}

// Of two bodies each order asks about one and draws the other, so that half is asked and drawn. Of
// more, one may be in front of all earlier ones along x alone and in front of all later ones along
// y alone: neither axis culls it, both together do.
TEST_CASE("remembering what each order found asks for less, and leaves no more") {
  Random random(14);
  std::size_t left_as_published = 0, left_over = 0;
  for (int i = 0; i < (test::kAddressSanitizer ? 200 : 500); ++i) {
    CAPTURE(i);
    std::vector<CullBody> bodies;
    for (int k = 0; k < 2 + i % 10; ++k)
      bodies.push_back({test::checked(test::soup_of(1, [&] {
        const Vec3 at = test::random_vector(random);
        return std::array<Vec3, 3>{at, at + 0.7 * test::random_vector(random),
                                   at + 0.7 * test::random_vector(random)};
      }))});
    const Result<Culling> published = cull_by_scanline(
        bodies, {.resolution = 128, .remembers_passes = false, .from_both_ends = false});
    const Result<Culling> remembered =
        cull_by_scanline(bodies, {.resolution = 128, .from_both_ends = false, .keeps_views = true});
    REQUIRE(published);
    REQUIRE(remembered);
    CHECK(remembered->views.back().surviving == remembered->surviving);
    CHECK(remembered->surviving_count() <= published->surviving_count());
    left_as_published += published->surviving_count();
    left_over += remembered->surviving_count();
    if (bodies.size() > 2) continue;
    CHECK(remembered->work.queries <= published->work.queries);
    CHECK(2 * remembered->work.drawn_triangles <= published->work.drawn_triangles);
  }
  CHECK(left_over < left_as_published);
}

// A plate that something pierces stays, and so what it hides from one end of all axes does.
TEST_CASE("what lies behind all others is culled from the other end") {
  const auto add_plate = [](TriangleMesh& mesh, const Vec3& at, const Vec3& u, const Vec3& v) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {at - u - v, at + u - v, at + 2 * v});
    mesh.triangles.push_back({first, first + 1, first + 2});
  };
  const Vec3 u(1, -1, 0), v(1, 1, -2);
  for (const double place : {-0.5, 0.5}) {
    CAPTURE(place);
    TriangleMesh pierced, others;
    add_plate(pierced, Vec3(0, 0, 0), 2 * u, 2 * v);
    add_plate(others, Vec3(1, -1, 0), 0.1 * u, 0.1 * Vec3(1, 1, 1));
    add_plate(others, place * Vec3(1, 1, 1), 0.1 * u, 0.1 * v);
    const std::vector<CullBody> bodies{{test::checked(pierced)}, {test::checked(others)}};
    const Result<Culling> from_one =
        cull_by_scanline(bodies, {.resolution = 64, .part_triangles = 1, .from_both_ends = false});
    REQUIRE(from_one);
    CHECK(from_one->surviving_count() == (place > 0 ? 3 : 2));
    const Result<Culling> from_both =
        cull_by_scanline(bodies, {.resolution = 64, .part_triangles = 1, .keeps_views = true});
    REQUIRE(from_both);
    CHECK(from_both->surviving_count() == 2);
    CHECK(from_both->views.back().is_backward);
  }
}

// Of a stack of parallel plates, aslant to all views, only the outermost are in front of all
// others.
TEST_CASE("rounds end when nothing leaves, or when there were as many as are allowed") {
  std::vector<TriangleMesh> plates(2);
  const Vec3 across = Vec3(1, -1, 0).normalized(), along = Vec3(1, 1, -2).normalized();
  for (std::uint32_t i = 0; i < 60; ++i) {
    TriangleMesh& mesh = plates[i % 2];
    const Vec3 at = 0.02 * i * Vec3(1, 1, 1);
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {at - across - along, at + across, at + along});
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  const std::vector<CullBody> bodies{{test::checked(plates[0])}, {test::checked(plates[1])}};
  const Result<Culling> all = cull_by_scanline(bodies, {.resolution = 256, .part_triangles = 1});
  REQUIRE(all);
  CHECK(all->surviving_count() == 0);
  CHECK(all->work.rounds > 6);
  const Result<Culling> some =
      cull_by_scanline(bodies, {.resolution = 256, .part_triangles = 1, .most_rounds = 2});
  REQUIRE(some);
  CHECK(some->surviving_count() > 0);
  CHECK(some->work.rounds <= 6);
  const Result<Culling> none = cull_by_scanline(bodies, {.most_rounds = 0});
  REQUIRE(none);
  CHECK(none->surviving_count() == 60);
}

TEST_CASE("views tell what was left after each of them") {
  const CheckedMesh sphere = test::checked(make_icosphere(1, 2));
  Similarity beside = Similarity::Identity();
  beside.translation().x() = 1.5;
  const std::vector<CullBody> bodies{{sphere}, {sphere, beside}};
  const Result<Culling> left = cull_by_scanline(bodies, {.resolution = 256, .keeps_views = true});
  REQUIRE(left);
  REQUIRE(left->views.size() > 6);
  CHECK(left->views.front().level == CullLevel::kBodies);
  CHECK(left->views.back().level == CullLevel::kTriangles);
  CHECK(left->views.back().surviving == left->surviving);
  CHECK(left->views.size() == 3 * left->work.rounds);
  std::size_t before = 2 * sphere.view().triangle_count();
  for (const CullView& view : left->views) {
    std::size_t count = 0;
    for (const auto& of : view.surviving) count += of.size();
    CHECK(count <= before);
    before = count;
  }
  // The first shows all: from -1 to 2.5 along x.
  CHECK(left->views.front().center.x() == test::approx(0.75));
  CHECK(left->views.front().half_side > 1.75);
}

}  // namespace
}  // namespace plimsoll
