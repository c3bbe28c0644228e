// What is asked of overlaps, and what is refused.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "overlap/degenerate_pairs.h"
#include "overlap/overlap_checks.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using test::solid;

Similarity shifted_by(const Vec3& by) {
  Similarity pose = Similarity::Identity();
  pose.translation() = by;
  return pose;
}

const Similarity kHere = Similarity::Identity();

bool are_same(const Vec3& x, const Vec3& y) { return x == y; }

/// To the last bit.
bool are_same(const Overlap& x, const Overlap& y) {
  return x.overlaps == y.overlaps && x.volume == y.volume && x.volume_error == y.volume_error &&
         x.center == y.center && are_same(x.force_a, y.force_a) &&
         are_same(x.torque_a, y.torque_a) && are_same(x.force_b, y.force_b) &&
         are_same(x.torque_b, y.torque_b) && x.is_one_sided == y.is_one_sided &&
         x.patch_areas == y.patch_areas && x.curve_length == y.curve_length && x.curve == y.curve &&
         x.contacts.size() == y.contacts.size() && x.second_derivative == y.second_derivative;
}

// Both boxes turned and moved alike: what they share is, to the roundings of the pose. Sizes are
// powers of two, by which nothing more is rounded; beyond 2^100 lengths are in other units.
TEST_CASE("boxes share a box, of which all is known, at any size") {
  OverlapSearch search;
  for (const bool is_turned : {false, true}) {
    double share_of_error = 0;
    for (const double size : {1.0, 0x1p-200, 0x1p200}) {
      CAPTURE(size);
      CAPTURE(is_turned);
      Similarity frame = kHere;
      if (is_turned) frame.linear() = test::some_turn(), frame.translation() = Vec3(1, -2, 0.5);
      Similarity large = frame;
      large.translation() *= size;
      const auto found = search.overlap(solid(make_box(size * Vec3(2, 2, 2))),
                                        large * shifted_by(size * Vec3(1, 1, 0)),
                                        solid(make_box(size * Vec3(2, 4.5, 6))), large,
                                        {.contacts = true, .curve = true, .pieces = true});
      const double enough = is_turned ? 1e-14 : 1e-15, area = size * size, volume = area * size;
      REQUIRE(found);
      CHECK(found->overlaps);
      CHECK(found->volume / volume == test::approx(1 * 2 * 2).epsilon(enough));
      CHECK(found->volume_error > 0);
      // It is made of roundings in proportion to the size, 1e-9 of which stands for their sum.
      if (size == 1) share_of_error = found->volume_error;
      CHECK(found->volume_error / volume == test::approx(share_of_error).epsilon(1e-9));
      const Vec3 center = frame * Vec3(0.5, 1, 0);
      CHECK((*found->center / size - center).norm() <= enough);
      const Vec3 force = frame.linear() * Vec3(4, 0, 0);  // out of the face at x = 1
      // It acts at the middle of what they share.
      const Vec3 torque_a = (frame.linear() * Vec3(-0.5, 0, 0)).cross(force);
      const Vec3 torque_b = -(frame.linear() * Vec3(0.5, 1, 0)).cross(force);
      CHECK((found->force_a / area - force).norm() <= 4 * enough);
      CHECK((found->force_b / area + force).norm() <= 4 * enough);
      CHECK((found->torque_a / volume - torque_a).norm() <= 4 * enough);
      CHECK((found->torque_b / volume - torque_b).norm() <= 8 * enough);
      CHECK(found->patch_areas[0] / area == test::approx(4 + 2 * 2 + 2 * 2 + 0).epsilon(enough));
      CHECK(found->patch_areas[1] / area == test::approx(4).epsilon(enough));
      CHECK(found->curve_length / size == test::approx(8).epsilon(enough));
      CHECK(!found->is_one_sided);
      // One closed curve bounds one piece: each has all of it.
      REQUIRE(found->contacts.size() == 1);
      CHECK((found->contacts[0].force_a / area - force).norm() <= 4 * enough);
      CHECK((found->contacts[0].torque_a / volume - torque_a).norm() <= 4 * enough);
      CHECK(found->contacts[0].curve_length / size == test::approx(8).epsilon(enough));
      double length = 0;
      for (const auto& [from, to] : found->curve) length += (to / size - from / size).norm();
      // The place of each of some 12 ends is rounded, against coordinates of up to 4.
      CHECK(length == test::approx(8).epsilon(12 * enough));
      REQUIRE(found->pieces);
      REQUIRE(found->pieces->size() == 1);
      const OverlapPiece& piece = found->pieces->front();
      CHECK(piece.volume / volume == test::approx(4).epsilon(enough));
      CHECK(std::fabs(piece.volume / volume - 4) <= piece.volume_error / volume);
      CHECK((piece.center / size - center).norm() <= enough);
    }
  }
}

TEST_CASE("a body inside another is shared whole, and pushed nowhere") {
  const TriangleMesh ball = make_icosphere(1, 2);
  const SolidTree outer = solid(make_box({6, 6, 6})), inner = solid(ball);
  OverlapSearch search;
  for (const bool is_first : {true, false}) {
    const Similarity pose = shifted_by({0.5, -0.25, 1});
    const auto found = is_first ? search.overlap(inner, pose, outer, kHere)
                                : search.overlap(outer, kHere, inner, pose);
    REQUIRE(found);
    CHECK(found->overlaps);
    CHECK(found->volume == test::approx(inner.signed_volume()).epsilon(1e-15));
    CHECK((*found->center - pose.translation()).norm() <= 1e-15);
    CHECK(found->force_a.isZero(0));
    CHECK(found->curve_length == 0);
    CHECK(found->patch_areas[is_first ? 1 : 0] == 0);
    CHECK(!found->is_one_sided);
  }
}

TEST_CASE("surfaces turned inward count as turned outward") {
  const TriangleMesh a = make_torus(1, 0.4, 9, 6), b = make_icosphere(1, 1);
  const SolidTree in_a = solid(test::turned(a)), in_b = solid(test::turned(b));
  Random random(421);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(200); ++i) {
    const Similarity pose_a = test::random_similarity(random, 0.7),
                     pose_b = test::random_similarity(random, 0.7);
    const OverlapParts parts{.contacts = true, .second_derivative = true};
    const auto plain = search.overlap(solid(a), pose_a, solid(b), pose_b, parts);
    for (const auto& [x, y] : {std::pair{in_a, solid(b)}, {solid(a), in_b}, {in_a, in_b}}) {
      const auto found = search.overlap(x, pose_a, y, pose_b, parts);
      REQUIRE(plain);
      REQUIRE(found);
      CHECK(std::fabs(found->volume - plain->volume) <= found->volume_error + plain->volume_error);
      CHECK((found->force_a - plain->force_a).norm() <= 1e-13);
      CHECK((found->torque_b - plain->torque_b).norm() <= 1e-13);
      CHECK((*found->second_derivative - *plain->second_derivative).norm() <=
            1e-12 * (1 + plain->second_derivative->norm()));
      for (std::size_t k = 0; k < 2; ++k)
        CHECK(std::fabs(found->patch_areas[k] - plain->patch_areas[k]) <= 1e-13);
      CHECK(found->contacts.size() == plain->contacts.size());
    }
  }
}

TEST_CASE("touching bodies turned inward share nothing") {
  OverlapSearch search;
  const SolidTree inward = solid(test::turned(make_box({2, 2, 2}))),
                  outward = solid(make_box({2, 2, 2}));
  for (const SolidTree& a : {inward, outward}) {
    for (const SolidTree& b : {inward, outward}) {
      for (const Vec3& by : {Vec3(2, 0, 0), Vec3(2, 1, -0.5), Vec3(2, 2, 0), Vec3(2, 2, 2)}) {
        const auto found = search.overlap(a, shifted_by(by), b, kHere);
        REQUIRE(found);
        CHECK(!found->overlaps);
        CHECK(found->volume == 0);
        CHECK(found->is_one_sided == (by.y() < 2));
      }
    }
  }
}

TEST_CASE("a surface that is not closed is refused, and the edge named") {
  const TriangleMesh box = make_box({2, 2, 2});
  TriangleMesh open = box, flipped = box;
  const Triangle gone = open.triangles.back();
  open.triangles.pop_back();
  std::swap(flipped.triangles.back()[1], flipped.triangles.back()[2]);
  OverlapSearch search;
  for (const TriangleMesh& mesh : {open, flipped}) {
    for (const bool is_first : {true, false}) {
      const auto found = is_first ? search.overlap(solid(mesh), kHere, solid(box), kHere)
                                  : search.overlap(solid(box), kHere, solid(mesh), kHere);
      REQUIRE(!found);
      CHECK(found.error().code == ErrorCode::kNotClosed);
      CHECK(found.error().where == (is_first ? "a" : "b"));
      bool names_an_edge = false;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::string v = std::to_string(gone[k]), w = std::to_string(gone[(k + 1) % 3]);
        for (const std::string& words : {v + " and " + w + " ", w + " and " + v + " "})
          names_an_edge =
              names_an_edge || found.error().message.find("vertices " + words) != std::string::npos;
      }
      CHECK(names_an_edge);
    }
  }
}

TEST_CASE("poses that are none are refused, and work that no one may do") {
  const SolidTree box = solid(make_box({2, 2, 2}));
  Similarity sheared = kHere, lost = kHere;
  sheared(0, 1) = 0.5;
  lost(2, 3) = std::numeric_limits<double>::quiet_NaN();
  OverlapSearch search;
  for (const Similarity& pose : {sheared, lost, shifted_by({2e300, 0, 0})}) {
    const auto first = search.overlap(box, pose, box, kHere);
    const auto second = search.overlap(box, kHere, box, pose);
    REQUIRE(!first);
    REQUIRE(!second);
    CHECK(first.error().code == ErrorCode::kInvalidArgument);
    CHECK(second.error().code == ErrorCode::kInvalidArgument);
  }
  const auto negative = search.overlap(box, kHere, box, kHere, {}, -1);
  REQUIRE(!negative);
  CHECK(negative.error().code == ErrorCode::kInvalidArgument);
  const SolidTree ball = solid(make_icosphere(1, 3));
  const auto short_of = search.overlap(ball, kHere, ball, shifted_by({0.1, 0, 0}), {}, 10);
  REQUIRE(!short_of);
  CHECK(short_of.error().code == ErrorCode::kResourceLimit);
}

TEST_CASE("a body without triangles shares nothing") {
  OverlapSearch search;
  for (const auto& found : {search.overlap(solid({}), kHere, solid(make_box({2, 2, 2})), kHere),
                            search.overlap(solid(make_box({2, 2, 2})), kHere, solid({}), kHere)}) {
    REQUIRE(found);
    CHECK(!found->overlaps);
    CHECK(found->volume == 0);
    CHECK(!found->center);
  }
}

/// A vertex of its own for each corner.
TriangleMesh parted(const TriangleMesh& mesh) {
  TriangleMesh parts;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(parts.vertices.size());
    for (const std::uint32_t v : t) parts.vertices.push_back(mesh.vertices[v]);
    parts.triangles.push_back({first, first + 1, first + 2});
  }
  return parts;
}

/// With triangles that name a vertex twice, before all others.
TriangleMesh with_edges_as_triangles(TriangleMesh mesh) {
  std::vector<Triangle> edges;
  for (const Triangle& t : mesh.triangles) edges.push_back({t[0], t[0], t[1]});
  mesh.triangles.insert(mesh.triangles.begin(), edges.begin(), edges.end());
  return mesh;
}

TEST_CASE("vertices count by where they are, and triangles that name one twice count for nothing") {
  const TriangleMesh box = make_box({2, 2, 2}), torus = make_torus(1, 0.4, 9, 6);
  Random random(426);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(100); ++i) {
    const bool is_touching = i % 2 == 0;
    const Similarity pose_a = is_touching ? shifted_by({2, 1, 0}) : kHere;
    const Similarity pose_b = is_touching ? kHere : test::random_similarity(random, 0.7);
    const TriangleMesh& other = is_touching ? box : torus;
    const auto plain = search.overlap(solid(box), pose_a, solid(other), pose_b);
    REQUIRE(plain);
    CHECK(plain->overlaps != is_touching);
    for (const auto& [a, b] : {std::pair{parted(box), other},
                               {box, parted(other)},
                               {with_edges_as_triangles(box), with_edges_as_triangles(other)}}) {
      const auto found = search.overlap(solid(a), pose_a, solid(b), pose_b, {.contacts = true});
      REQUIRE(found);
      CHECK(found->overlaps == plain->overlaps);
      CHECK(std::fabs(found->volume - plain->volume) <= found->volume_error + plain->volume_error);
      CHECK((found->force_a - plain->force_a).norm() <= 1e-13);
      OverlapContact sum;
      for (const OverlapContact& contact : found->contacts) sum.force_a += contact.force_a;
      CHECK((found->force_a - sum.force_a).norm() <= 1e-13);
      CHECK(found->contacts.size() <= 4);  // a box parts a torus in two, each with two rims
    }
  }
}

// All coordinates are whole numbers of eighths, which doubles hold at 2^40 as well.
TEST_CASE("bodies far from the origin share what they share at it, to as many digits") {
  const TriangleMesh a = make_box({2, 2, 2}), b = test::moved(make_box({2, 2, 2}), {1, 0.5, 0.125});
  const Vec3 far(0x1p40, -0x1p40, 0x1p40);
  OverlapSearch search;
  const auto found =
      search.overlap(solid(test::moved(a, far)), kHere, solid(test::moved(b, far)), kHere);
  REQUIRE(found);
  CHECK(found->volume == test::approx(1 * 1.5 * 1.875).epsilon(1e-15));
  CHECK(found->volume_error <= 1e-12);
  CHECK((*found->center - far - Vec3(0.5, 0.25, 0.0625)).norm() <= 0x1p-12);  // a rounding there
}

TEST_CASE("a body of which only a point is left shares nothing, with an error that is a number") {
  TriangleMesh point = make_box({1, 1, 1});
  for (Vec3& v : point.vertices) v.setZero();
  // The point lies in a corner of the box, then within. Boxes are of any size, since a point has
  // no unit of length of its own.
  for (const double shift : {0.5, 0.125})
    for (const double size : {1.0, 0x1p-703, 0x1p-1007, 0x1p900}) {
      CAPTURE(shift);
      CAPTURE(size);
      TriangleMesh box = make_box(Vec3::Ones());
      for (Vec3& v : box.vertices) v = size * (v + Vec3::Constant(shift));
      OverlapSearch search;
      for (const bool is_first : {false, true}) {
        const auto found = is_first ? search.overlap(solid(point), kHere, solid(box), kHere)
                                    : search.overlap(solid(box), kHere, solid(point), kHere);
        REQUIRE(found);
        CHECK(found->volume == 0);
        CHECK(found->volume_error >= 0);
      }
    }
}

TEST_CASE("a body in one that is larger by up to 2^341 is shared whole") {
  for (const int exponent : {0, -100, -300, -340}) {
    CAPTURE(exponent);
    const double size = std::ldexp(1, exponent);
    OverlapSearch search;
    const auto found = search.overlap(solid(make_box(Vec3::Constant(size))), kHere,
                                      solid(make_box({2, 2, 2})), kHere);
    REQUIRE(found);
    CHECK(found->overlaps);
    CHECK(found->volume_error >= 0);
    CHECK(std::fabs(found->volume - std::ldexp(1, 3 * exponent)) <= found->volume_error);
    REQUIRE(found->center);
    CHECK(found->center->norm() <= 1e-14 * size);
  }
}

// Volumes of the larger, in units of the smaller, are beyond the range of numbers.
TEST_CASE("a body that crosses one larger by more than 2^341 has a volume within its error") {
  for (const int exponent : {-342, -400, -520, -775, -1000})
    for (const double off : {0.0, 0.5, 1.0}) {
      CAPTURE(exponent);
      CAPTURE(off);
      const double size = std::ldexp(1, exponent);
      TriangleMesh large = make_box({2, 2, 2});
      for (Vec3& v : large.vertices) v += Vec3(1, 1, off);
      const TriangleMesh small =
          test::moved(make_box(Vec3::Constant(size)), Vec3::Constant(size / 4));
      OverlapSearch search;
      for (const bool is_first : {false, true}) {
        const auto found = is_first ? search.overlap(solid(small), kHere, solid(large), kHere)
                                    : search.overlap(solid(large), kHere, solid(small), kHere);
        REQUIRE(found);
        CHECK(found->overlaps);
        CHECK(std::isfinite(found->volume));
        CHECK(found->volume_error > 0);
        // Three quarters of the smaller lie beyond each plane that it crosses.
        const double beyond = off == 1 ? std::pow(0.75, 3) : std::pow(0.75, 2);
        CHECK(std::fabs(found->volume - std::ldexp(beyond, 3 * exponent)) <= found->volume_error);
        CHECK(found->center.has_value() == (found->volume > found->volume_error));
      }
    }
}

TEST_CASE("pieces of a volume below the least number are none") {
  for (const int exponent : {-300, -358, -400, -1000}) {
    CAPTURE(exponent);
    const double size = std::ldexp(1, exponent);
    const TriangleMesh box = make_box(Vec3::Constant(size));
    OverlapSearch search;
    const auto found =
        search.overlap(solid(box), kHere, solid(test::moved(box, Vec3::Constant(size / 2))), kHere,
                       {.pieces = true});
    REQUIRE(found);
    CHECK(found->overlaps);
    const double volume = std::ldexp(1, 3 * exponent - 3);
    CHECK(std::fabs(found->volume - volume) <= found->volume_error);
    REQUIRE(found->pieces);
    REQUIRE(found->pieces->size() == (volume > 0 ? 1 : 0));
    for (const OverlapPiece& piece : *found->pieces) CHECK(piece.volume == found->volume);
  }
}

TEST_CASE("winding numbers multiply where a shell lies in a shell") {
  const TriangleMesh twice = test::joined(make_box({4, 4, 4}), make_icosphere(1, 1));
  const TriangleMesh other = test::joined(make_box({3, 3, 3}), make_torus(1, 0.4, 7, 5));
  Random random(422);
  OverlapSearch search;
  const SolidTree a = solid(twice), b = solid(other);
  for (int i = 0; i < test::campaign(100); ++i) {
    const Similarity pose_a = test::random_similarity(random, 1),
                     pose_b = test::random_similarity(random, 1);
    const auto found = search.overlap(a, pose_a, b, pose_b);
    REQUIRE(found);
    test::check_overlap(*found, test::exact_overlap(posed(twice, pose_a), posed(other, pose_b)),
                        b.signed_volume());
  }
}

// Which of two solids shrinks more tells where faces coincide, and nowhere else.
TEST_CASE("exchanged bodies share as much, and are pushed the other way") {
  const std::vector<TriangleMesh> bodies = test::lattice_bodies();
  Random random(423);
  OverlapSearch search;
  int one_sided = 0;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const test::PosedPair pair = test::degenerate_pair(bodies, random);
    const SolidTree a = solid(pair.a), b = solid(pair.b);
    const auto found = search.overlap(a, pair.world_from_a, b, pair.world_from_b);
    const auto other = search.overlap(b, pair.world_from_b, a, pair.world_from_a);
    REQUIRE(found);
    REQUIRE(other);
    CHECK(std::fabs(found->volume - other->volume) <= found->volume_error + other->volume_error);
    CHECK(found->overlaps == other->overlaps);
    CHECK(found->is_one_sided == other->is_one_sided);
    one_sided += found->is_one_sided ? 1 : 0;
    if (found->is_one_sided) continue;
    // Curves of corners that touch differ; they bound nothing. Coordinates are below 1000.
    const double size = std::max(1.0, pair.world_from_a.linear().col(0).norm());
    CHECK((found->force_a - other->force_b).norm() <= 1e-10 * size * size);
  }
  CHECK(one_sided > test::campaign(2000) / 10);
}

// Boxes on a lattice have area in common in one plane where they have a face in one, and more than
// edges in common along the other axes.
TEST_CASE("the force is one-sided where faces have area in common in one plane, and nowhere else") {
  Random random(424);
  OverlapSearch search;
  int cases = 0;
  for (int i = 0; i < test::campaign(3000); ++i) {
    Vec3 low[2], size[2];
    for (int k = 0; k < 2; ++k)
      for (int axis = 0; axis < 3; ++axis) {
        low[k][axis] = static_cast<double>(random.below(6));
        size[k][axis] = static_cast<double>(1 + random.below(3));
      }
    const Vec3 high[2] = {low[0] + size[0], low[1] + size[1]};
    bool is_one_sided = false;
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto share_length = [&](int along) {
        return std::max(low[0][along], low[1][along]) < std::min(high[0][along], high[1][along]);
      };
      const bool in_plane = low[0][axis] == low[1][axis] || low[0][axis] == high[1][axis] ||
                            high[0][axis] == low[1][axis] || high[0][axis] == high[1][axis];
      is_one_sided = is_one_sided || (in_plane && share_length(u) && share_length(v));
    }
    const auto found = search.overlap(solid(test::lattice_box(low[0], size[0])), kHere,
                                      solid(test::lattice_box(low[1], size[1])), kHere);
    REQUIRE(found);
    CHECK(found->is_one_sided == is_one_sided);
    cases += is_one_sided ? 1 : 0;
  }
  CHECK(cases > test::campaign(3000) / 10);
}

TEST_CASE("the same question has the same answer to the last bit") {
  const TriangleMesh mesh_a = make_torus(1, 0.4, 24, 12),
                     mesh_b = make_bumpy_sphere(1, 0.3, 12, 20);
  SolidTree a = solid(mesh_a);
  const SolidTree b = solid(mesh_b);
  Random random(425);
  OverlapSearch used, moved;
  const OverlapParts parts{true, true, true, true};
  for (int i = 0; i < test::campaign(100); ++i) {
    const Similarity pose_a = test::random_similarity(random, 0.5),
                     pose_b = test::random_similarity(random, 0.5);
    const auto first = used.overlap(a, pose_a, b, pose_b, parts);
    REQUIRE(first);
    CHECK(are_same(*first, *used.overlap(a, pose_a, b, pose_b, parts)));
    OverlapSearch fresh;
    CHECK(are_same(*first, *fresh.overlap(a, pose_a, b, pose_b, parts)));
    moved = std::move(fresh);
    CHECK(are_same(*first, *moved.overlap(a, pose_a, b, pose_b, parts)));
    CHECK(are_same(*first, *used.overlap(solid(mesh_a), pose_a, b, pose_b, parts)));
    REQUIRE(a.refit(test::checked(mesh_a)));
    CHECK(are_same(*first, *used.overlap(a, pose_a, b, pose_b, parts)));
  }
}

TEST_CASE("a body that was refitted shares what its new shape does") {
  const TriangleMesh box = make_box({2, 2, 2});
  TriangleMesh tall = box;
  for (Vec3& v : tall.vertices) v.z() *= 2;
  SolidTree a = solid(box);
  const SolidTree copy = a, b = solid(make_box({1, 1, 8}));
  OverlapSearch search;
  CHECK(search.overlap(a, kHere, b, kHere)->volume == test::approx(2).epsilon(1e-15));
  REQUIRE(a.refit(test::checked(tall)));
  CHECK(search.overlap(a, kHere, b, kHere)->volume == test::approx(4).epsilon(1e-15));
  CHECK(search.overlap(copy, kHere, b, kHere)->volume == test::approx(2).epsilon(1e-15));
}

TEST_CASE("what is not asked for is left out, and changes nothing else") {
  const SolidTree a = solid(make_icosphere(1, 2)), b = solid(make_torus(1, 0.4, 12, 8));
  OverlapSearch search;
  for (const Vec3& by : {Vec3(0.5, 0.25, 0.1), Vec3(0, 0, 0.01), Vec3(5, 0, 0)}) {
    const auto all = search.overlap(a, shifted_by(by), b, kHere, {true, true, true, true});
    const auto plain = search.overlap(a, shifted_by(by), b, kHere);
    const auto curve = search.overlap(a, shifted_by(by), b, kHere, {.volume = false});
    REQUIRE(all);
    REQUIRE(plain);
    REQUIRE(curve);
    CHECK(plain->curve.empty());
    CHECK(plain->contacts.empty());
    CHECK(!plain->second_derivative);
    CHECK(plain->volume == all->volume);
    CHECK(plain->force_a == all->force_a);
    CHECK(curve->force_a == all->force_a);
    CHECK(curve->torque_a == all->torque_a);
    CHECK(curve->curve_length == all->curve_length);
    CHECK(curve->overlaps == all->overlaps);
    CHECK(curve->volume == 0);
    CHECK(!curve->center);
    CHECK(all->curve.empty() == (all->curve_length == 0));
  }
}

}  // namespace
}  // namespace plimsoll
