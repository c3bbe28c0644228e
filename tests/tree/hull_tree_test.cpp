// Which nodes are told apart: never two whose triangles meet, and nearly all others of triangles
// whose boxes overlap by thousands.
#include "tree/hull_tree.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/predicates.h"
#include "core/random.h"
#include "pairs/self_intersection.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr double kPi = std::numbers::pi;

void add_triangle(TriangleMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
}

/// Long triangles side by side along (1, 0.7, 1).
TriangleMesh slanted(int count) {
  TriangleMesh mesh;
  const int side = static_cast<int>(std::sqrt(count));
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const Vec3 foot(0.06 * i, 0.06 * j, 0);
      add_triangle(mesh, foot, foot + Vec3(0.04, 0.01, 0), foot + Vec3(1, 0.7, 1));
    }
  return mesh;
}

/// The faces of tetrahedra, each within the next.
TriangleMesh nested(int count) {
  TriangleMesh mesh;
  for (int i = 0; i < count / 4; ++i) {
    const double s = 4 * (i + 1.0) / count;
    const Vec3 p[4] = {{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}};
    for (int k = 0; k < 4; ++k) add_triangle(mesh, p[k], p[(k + 1) % 4], p[(k + 2) % 4]);
  }
  return mesh;
}

/// Triangles that share one vertex, on rays over the sphere that are far enough from each other.
TriangleMesh star(int count) {
  TriangleMesh mesh;
  mesh.vertices.push_back(Vec3::Zero());
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, turn = kPi * (3 - std::sqrt(5.0)) * i;
    const Vec3 up(std::sqrt(1 - z * z) * std::cos(turn), std::sqrt(1 - z * z) * std::sin(turn), z);
    const Vec3 across = up.unitOrthogonal() / std::sqrt(count);
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {up, up + across});
    mesh.triangles.push_back({0, first, first + 1});
  }
  return mesh;
}

/// Around a tip, each sharing an edge with the next.
TriangleMesh fan(int count) {
  TriangleMesh mesh;
  mesh.vertices.push_back({0, 0, 1});
  for (int i = 0; i < count; ++i) {
    const double turn = 2 * kPi * i / count;
    mesh.vertices.emplace_back(std::cos(turn), std::sin(turn), 0);
    const auto here = static_cast<std::uint32_t>(i);
    mesh.triangles.push_back({0, here + 1, (here + 1) % static_cast<std::uint32_t>(count) + 1});
  }
  return mesh;
}

/// The pages of an open book: all share one edge.
TriangleMesh book(int count) {
  TriangleMesh mesh;
  mesh.vertices = {{0.1, 0.2, 0}, {0.3, 0, 1}};
  for (int i = 0; i < count; ++i) {
    const double turn = 2 * kPi * i / count;
    mesh.vertices.emplace_back(std::cos(turn), std::sin(turn), 0.5);
    mesh.triangles.push_back({0, 1, static_cast<std::uint32_t>(i + 2)});
  }
  return mesh;
}

TriangleMesh soup(Random& random, int count) {
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vec3 at = test::random_vector(random);
    const double size = std::pow(10.0, random.uniform(-3, 0));
    add_triangle(mesh, at, at + size * test::random_vector(random),
                 at + size * test::random_vector(random));
  }
  return mesh;
}

struct Tree {
  explicit Tree(const TriangleMesh& mesh)
      : hulls(mesh, triangles_with_area(mesh)), boxes(hulls.boxes()) {}

  /// The triangles below a node.
  std::vector<std::uint32_t> below(std::size_t node) const {
    if (boxes.is_leaf(node)) {
      std::vector<std::uint32_t> found;
      for (std::size_t slot = boxes.first_slot(node); slot < boxes.first_slot(node + 1); ++slot)
        found.push_back(hulls.triangle(boxes.item(slot)));
      return found;
    }
    std::vector<std::uint32_t> found = below(2 * node + 1);
    for (const std::uint32_t t : below(2 * node + 2)) found.push_back(t);
    return found;
  }

  HullTree hulls;
  const BoxTree& boxes;
};

TEST_CASE("of nodes that are told apart no triangles meet") {
  Random random(61);
  std::vector<TriangleMesh> meshes{slanted(64), nested(64), star(64), fan(64), book(64)};
  for (int i = 0; i < 10; ++i) meshes.push_back(soup(random, 64));
  int told = 0;
  for (const TriangleMesh& at_home : meshes)
    for (const double scale : {1.0, 0x1p-300, 0x1p300, 0x1p-500, 0x1p500}) {
      TriangleMesh mesh = at_home;
      for (Vec3& v : mesh.vertices) v *= scale;
      const Tree tree(mesh);
      for (std::size_t a = 0; a < tree.boxes.node_count(); ++a)
        for (std::size_t b = 0; b < tree.boxes.node_count(); ++b) {
          if (!tree.hulls.are_apart(a, b)) continue;
          ++told;
          for (const std::uint32_t t : tree.below(a))
            for (const std::uint32_t u : tree.below(b))
              REQUIRE(meeting_within_mesh(corners_of(mesh, t), corners_of(mesh, u)) ==
                      Meeting::kApart);
        }
    }
  CHECK(told > 0);
}

/// Pages of a book that lie upon each other, in one plane and on one side of the spine. Their outer
/// corners are in eight bundles beyond the two ends of the spine, some 2^-46 of its length away
/// from its line. All coordinates are whole numbers, and so exact.
TriangleMesh closed_book(Random& random, const Vec3& along, const Vec3& aside) {
  const auto whole = [&](int bits) {
    return 2 * std::floor(std::ldexp(random.uniform(0.5, 1), bits)) + 1;
  };
  TriangleMesh mesh;
  mesh.vertices = {Vec3::Zero(), whole(44) * along};
  for (int bundle = 0; bundle < 8; ++bundle) {
    const double place = (bundle % 2 == 0 ? -1 : 1) * whole(45);
    for (int page = 1; page <= 5; ++page) {
      mesh.triangles.push_back({0, 1, static_cast<std::uint32_t>(mesh.vertices.size())});
      mesh.vertices.emplace_back(place * along + page * aside);
    }
  }
  return mesh;
}

// The plane that is tried is square to a difference of the directions from the spine to two
// bundles, which roundings turn so near the spine: the plane then misses one end of the spine.
TEST_CASE("pages that lie upon each other are told apart by no plane through their spine") {
  Random random(63);
  for (const auto& [along, aside] : {std::pair{Vec3(3, 5, 7), Vec3(1, -2, 3)},
                                     {Vec3(7, -3, 5), Vec3(2, 1, 1)},
                                     {Vec3(-5, 7, 3), Vec3(-1, 1, 4)}})
    for (int round = 0; round < 10; ++round) {
      const TriangleMesh mesh = closed_book(random, along, aside);
      const Tree tree(mesh);
      REQUIRE(tree.boxes.node_count() > 8);
      for (std::size_t a = 0; a < tree.boxes.node_count(); ++a)
        for (std::size_t b = 0; b < tree.boxes.node_count(); ++b)
          REQUIRE_FALSE(tree.hulls.are_apart(a, b));
    }
}

bool meets_segment(const Corners& t, const Vec3& p, const Vec3& q) {
  const auto& [a, b, c] = t.point;
  if (orient3d(a, b, c, p) * orient3d(a, b, c, q) > 0) return false;
  const int sides[3] = {orient3d(p, q, a, b), orient3d(p, q, b, c), orient3d(p, q, c, a)};
  return (sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0) ||
         (sides[0] <= 0 && sides[1] <= 0 && sides[2] <= 0);
}

TEST_CASE("no triangle meets a segment that its node is told to be apart from") {
  Random random(62);
  int told = 0, met = 0;
  for (const TriangleMesh& mesh : {slanted(64), nested(64), star(64), soup(random, 64)}) {
    const Tree tree(mesh);
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = test::random_vector(random), q = test::random_vector(random);
      const Box3 ends[2] = {Box3(p), Box3(q)};
      for (std::size_t node = 0; node < tree.boxes.node_count(); ++node) {
        const bool is_apart = tree.hulls.is_apart_from(node, ends);
        told += is_apart ? 1 : 0;
        for (const std::uint32_t t : tree.below(node)) {
          const bool meets = meets_segment(corners_of(mesh, t), p, q);
          met += meets ? 1 : 0;
          REQUIRE_FALSE((is_apart && meets));
        }
      }
    }
  }
  CHECK(told > 0);
  CHECK(met > 0);
}

// A node has one hub; the tips of the other fans below it count like all other corners.
TEST_CASE("no node is told to be apart from a corner of its triangles, however many share it") {
  TriangleMesh fans;
  for (int i = 0; i < 4; ++i) {
    const TriangleMesh one = fan(40);
    const auto first = static_cast<std::uint32_t>(fans.vertices.size());
    for (const Vec3& v : one.vertices) fans.vertices.push_back(v + Vec3(3 * i, i % 2, 0));
    for (const Triangle& t : one.triangles)
      fans.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  for (const TriangleMesh& mesh : {fans, star(64), nested(64)}) {
    const Tree tree(mesh);
    for (std::size_t node = 0; node < tree.boxes.node_count(); ++node)
      for (const std::uint32_t t : tree.below(node))
        for (const std::uint32_t v : mesh.triangles[t]) {
          const Box3 corner(mesh.vertices[v]);
          REQUIRE_FALSE(tree.hulls.is_apart_from(node, {&corner, 1}));
        }
  }
}

// Pairs of leaves that have to be looked at, for each triangle.
double looked_at(const TriangleMesh& mesh) {
  const Tree tree(mesh);
  const auto skip = [&](std::size_t a, std::size_t b) { return tree.hulls.are_apart(a, b); };
  std::size_t pairs = 0;
  visit_pairs_below(tree.boxes, {0, 0}, skip, [&](std::size_t, std::size_t) { ++pairs; });
  return static_cast<double>(pairs) / static_cast<double>(mesh.triangles.size());
}

// All boxes overlap there, n / 2 pairs for each triangle. With hulls a triangle has some neighbors,
// however many there are: less than half as many again for 16 times as many triangles.
TEST_CASE("long, nested and fanned triangles have a few neighbors each, however many they are") {
  for (const auto& make : {slanted, nested, star, fan, book}) {
    const double few = looked_at(make(1024)), many = looked_at(make(16384));
    CAPTURE(few);
    CAPTURE(many);
    CHECK(many <= 1.5 * few);
  }
}

}  // namespace
}  // namespace plimsoll
