#include "tree/oriented_boxes.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

constexpr std::size_t kChildren = TriangleTree::kChildren;

using Real3 = Eigen::Matrix<long double, 3, 1>;
using Reals = Eigen::Matrix<long double, 3, 3>;

Reals axes_of(const OrientedBox& box) {
  Reals axes;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) axes(i, j) = box.axis[j][i];
  return axes;
}
Real3 center_of(const OrientedBox& box) { return {box.center[0], box.center[1], box.center[2]}; }
Real3 half_of(const OrientedBox& box) { return {box.half[0], box.half[1], box.half[2]}; }

OrientedBox child_of(const OrientedBoxes& boxes, std::size_t k) {
  OrientedBox box;
  for (int i = 0; i < 3; ++i) {
    box.center[i] = boxes.center[i][k];
    box.half[i] = boxes.half[i][k];
    for (int j = 0; j < 3; ++j) box.axis[j][i] = boxes.axis[j][i][k];
  }
  return box;
}

// 64 bits more than hold what the box was made with.
bool contains(const OrientedBox& box, const Vec3& x) {
  const Real3 along = axes_of(box).inverse() * (x.cast<long double>() - center_of(box));
  return (along.cwiseAbs().array() <= half_of(box).array()).all();
}

std::vector<TriangleMesh> meshes() {
  std::vector<TriangleMesh> all{make_box({1, 2, 3}), make_icosphere(1, 4),
                                make_torus(2, 0.5, 40, 30),
                                make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.1}, 60, 8)};
  for (const double size : {1e-28, 1e28}) {
    all.push_back(make_icosphere(size, 3));
    for (Vec3& v : all.back().vertices) v[0] += 3 * size;
  }
  TriangleMesh flat;  // and a triangle that is a point, and one that is a line
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 3, 3}, {4, 4, 4}, {5, 5, 5}};
  flat.triangles = {{0, 1, 2}, {3, 3, 3}, {3, 4, 5}};
  all.push_back(flat);
  return all;
}

TEST_CASE("the boxes of a node's children hold all triangles below them, to the last bit") {
  for (const TriangleMesh& mesh : meshes()) {
    const TriangleTree tree = make_triangle_tree(mesh, TreeQuality::kTight);
    const std::vector<OrientedBoxes> boxes = oriented_boxes(tree);
    REQUIRE(boxes.size() == tree.boxes.size());
    for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
      std::size_t child = leaf;
      for (std::size_t level = tree.levels(); level-- > 0; child /= kChildren) {
        const OrientedBox box =
            child_of(boxes[tree.first[level] + child / kChildren], child % kChildren);
        for (std::size_t t = 0; t < tree.size_of(leaf); ++t)
          for (const auto& corner : tree.leaves[leaf].corner)
            REQUIRE(contains(box, Eigen::Map<const Vec3>(tree.vertices[corner[t]].x)));
      }
    }
  }
}

// Four neighbors on a sphere are as thick as an arc over their width is high. Their principal axes
// lean by less than the arc's ends, which is as much again.
TEST_CASE("leaves are as thin as the surface is bent") {
  const TriangleMesh ball = make_icosphere(1, 5);
  const TriangleTree tree = make_triangle_tree(ball, TreeQuality::kTight);
  const std::vector<OrientedBoxes> boxes = oriented_boxes(tree);
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    const OrientedBox box = child_of(boxes[tree.first.back() + leaf / kChildren], leaf % kChildren);
    const Real3 half = half_of(box);
    CHECK(half.minCoeff() <= 2 * half.squaredNorm() / 2);
  }
}

// Three walls of a cube that meet in a corner, each a grid. Their planes pass neither through the
// origin nor through the middle of the body, so that points of a wall, seen from either, are spread
// in all three directions. Vertices and boxes are rounded as floats are, to 2^-24 of the sizes.
TEST_CASE("the boxes of leaves in a plane have no thickness, wherever the plane is") {
  constexpr std::uint32_t kSide = 12;
  const Mat3 turn = Eigen::Quaterniond(0.9, 0.4, -0.3, 0.2).normalized().toRotationMatrix();
  TriangleMesh walls;
  for (int axis = 0; axis < 3; ++axis) {
    const auto first = static_cast<std::uint32_t>(walls.vertices.size());
    for (std::uint32_t i = 0; i <= kSide; ++i)
      for (std::uint32_t j = 0; j <= kSide; ++j) {
        Vec3 p;
        p[axis] = 1;
        p[(axis + 1) % 3] = static_cast<double>(i) / kSide;
        p[(axis + 2) % 3] = static_cast<double>(j) / kSide;
        walls.vertices.push_back(turn * p);
      }
    for (std::uint32_t i = 0; i < kSide; ++i)
      for (std::uint32_t j = 0; j < kSide; ++j) {
        const std::uint32_t a = first + i * (kSide + 1) + j, b = a + kSide + 1;
        walls.triangles.push_back({a, b, b + 1});
        walls.triangles.push_back({a, b + 1, a + 1});
      }
  }
  const TriangleTree tree = make_triangle_tree(walls, TreeQuality::kTight);
  const std::vector<OrientedBoxes> boxes = oriented_boxes(tree);
  int flat = 0;
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    const auto wall_of = [&](std::size_t t) {
      return tree.numbers[TriangleTree::kLeafTriangles * leaf + t] / (2 * kSide * kSide);
    };
    bool is_flat = true;
    for (std::size_t t = 1; t < tree.size_of(leaf); ++t)
      is_flat = is_flat && wall_of(t) == wall_of(0);
    if (!is_flat) continue;
    ++flat;
    const OrientedBox box = child_of(boxes[tree.first.back() + leaf / kChildren], leaf % kChildren);
    CHECK(half_of(box).minCoeff() < 1e-6);
  }
  CHECK(flat > 100);
}

// The two triangles of a square have no longest direction but their diagonal, and the square around
// that has twice the area. One of 16 angles in a quarter turn is within 2.8125 degrees of the best,
// where the area is 1 + sin 5.625 degrees. Floats cost 2^-20.
TEST_CASE("the box around a square is turned as the square is") {
  const double kMost = 1 + std::sin(5.625 * std::numbers::pi / 180) + 0x1p-20;
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Mat3 turn = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1),
                                         random.uniform(-1, 1), random.uniform(-1, 1))
                          .normalized()
                          .toRotationMatrix();
    TriangleMesh square;
    square.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    for (Vec3& v : square.vertices) v = turn * v;
    square.triangles = {{0, 1, 2}, {0, 2, 3}};
    const TriangleTree tree = make_triangle_tree(square, TreeQuality::kTight);
    std::array<long double, 3> half;
    Real3::Map(half.data()) = half_of(child_of(oriented_boxes(tree).front(), 0));
    std::sort(half.begin(), half.end());
    CHECK(half[0] < 1e-6);
    CHECK(4 * half[1] * half[2] <= kMost);
  }
}

// ---- distances

OrientedBox random_box(Random& random, double size) {
  const Eigen::Matrix3f axes = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1),
                                                  random.uniform(-1, 1), random.uniform(-1, 1))
                                   .normalized()
                                   .toRotationMatrix()
                                   .cast<float>();
  OrientedBox box;
  for (int i = 0; i < 3; ++i) {
    box.center[i] = static_cast<float>(size * random.uniform(-1, 1));
    const double flat = random.below(3) == 0 ? 0 : std::pow(10, random.uniform(-3, 0));
    box.half[i] = static_cast<float>(size * flat);
    for (int j = 0; j < 3; ++j) box.axis[j][i] = axes(i, j);
  }
  return box;
}

OrientedBoxes side_by_side(const std::vector<OrientedBox>& all) {
  OrientedBoxes boxes;
  for (std::size_t k = 0; k < kChildren; ++k) set_child(boxes, k, all[k]);
  return boxes;
}

template <class Real>
constexpr Real kNoLimit = std::numeric_limits<Real>::infinity();

/// In floats, and in doubles.
struct BothGaps {
  OrientedGaps<float> in_floats;
  OrientedGaps<double> in_doubles;

  BothGaps(const OrientedBox& one, const OrientedBoxes& boxes, double farthest = kNoLimit<double>) {
    const OrientedBoxes all_alike = side_by_side(std::vector<OrientedBox>(kChildren, one));
    const OrientedMap<double> as_it_is{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1, {0, 0, 0}};
    OrientedRows<double> wide_one, wide_boxes;
    map_boxes(as_it_is, all_alike, wide_one);
    map_boxes(as_it_is, boxes, wide_boxes);
    find_gaps(all_alike, 3, boxes, static_cast<float>(farthest), in_floats);
    find_gaps(wide_one, 3, wide_boxes, farthest, in_doubles);
  }
};

// Projections onto one and the other, so often that nothing changes any more: an upper bound in any
// case, since both ends are points of the boxes.
long double distance(const OrientedBox& a, const OrientedBox& b) {
  const auto nearest = [](const OrientedBox& box, const Real3& x) -> Real3 {
    const Real3 half = half_of(box);
    const Real3 along = axes_of(box).transpose() * (x - center_of(box));
    return center_of(box) + axes_of(box) * along.cwiseMin(half).cwiseMax(-half);
  };
  Real3 y = center_of(b), x = y;
  for (int round = 0; round < 1000; ++round) {
    x = nearest(a, y);
    y = nearest(b, x);
  }
  return (x - y).norm();
}

TEST_CASE("no bound is above the distance of two boxes, and most are near it") {
  Random random(1);
  std::vector<double> shares, shares_of_doubles;
  for (int round = 0; round < test::campaign(2000); ++round) {
    const double size = std::pow(2, round % 3 == 0 ? random.uniform(-100, 100) : 0);
    std::vector<OrientedBox> others;
    for (std::size_t k = 0; k < kChildren; ++k) others.push_back(random_box(random, size));
    const OrientedBox box = random_box(random, size);
    const BothGaps gaps(box, side_by_side(others));
    CHECK(gaps.in_floats.near == 0xFF);
    CHECK(gaps.in_doubles.near == 0xFF);
    for (std::size_t k = 0; k < kChildren; ++k) {
      const long double apart = distance(box, others[k]);
      REQUIRE(gaps.in_floats.gap[k] >= 0);
      REQUIRE(gaps.in_floats.gap[k] <= apart);
      REQUIRE(gaps.in_doubles.gap[k] >= 0);
      REQUIRE(gaps.in_doubles.gap[k] <= apart);
      if (apart <= 0.01 * size) continue;
      shares.push_back(static_cast<double>(gaps.in_floats.gap[k] / apart));
      shares_of_doubles.push_back(static_cast<double>(gaps.in_doubles.gap[k] / apart));
    }
  }
  // Were the normals of no use, half of the bounds would be 0.
  for (std::vector<double>* all : {&shares, &shares_of_doubles}) {
    const auto middle = all->begin() + static_cast<std::ptrdiff_t>(all->size() / 2);
    std::nth_element(all->begin(), middle, all->end());
    CHECK(*middle >= 0.9);
  }
}

OrientedBox cube(float x, float y, float z) {
  return {{x, y, z}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 1, 1}};
}

// Rounding may cost 2^-19 of the sizes and of the distance of the centers; of doubles 2^-48.
TEST_CASE("faces, edges and corners of cubes are as far apart as they are") {
  const std::vector<OrientedBox> others{cube(5, 0, 0),  cube(5, 1, -1), cube(0, 5, 5),
                                        cube(5, -5, 0), cube(5, 5, 5),  cube(-5, 5, -5),
                                        cube(2, 1, 1),  cube(1, 0, 0)};
  const double expected[] = {3, 3, std::sqrt(18), std::sqrt(18), std::sqrt(27), std::sqrt(27),
                             0, 0};
  const BothGaps gaps(cube(0, 0, 0), side_by_side(others));
  for (std::size_t k = 0; k < kChildren; ++k) {
    CAPTURE(k);
    CHECK(gaps.in_floats.gap[k] <= expected[k]);
    CHECK(gaps.in_floats.gap[k] >= expected[k] - 0x1p-19 * (15 + 6 + 1));
    CHECK(gaps.in_doubles.gap[k] <= expected[k]);
    CHECK(gaps.in_doubles.gap[k] >= expected[k] - 0x1p-48 * (15 + 6 + 1));
    // The normal goes from the one to the other.
    const OrientedGaps<double>& wide = gaps.in_doubles;
    const Vec3 n(wide.normal[0][k], wide.normal[1][k], wide.normal[2][k]);
    if (expected[k] > 0)
      CHECK(n.dot(center_of(others[k]).cast<double>()) >= expected[k] * n.norm());
  }
  const BothGaps near(cube(0, 0, 0), side_by_side(others), 4);
  CHECK(near.in_floats.near == 0b11000011);
  CHECK(near.in_doubles.near == 0b11000011);
}

TEST_CASE("a child that is not there is near nothing") {
  const TriangleMesh twelve = make_box({1, 1, 1});  // in three leaves
  const TriangleTree tree = make_triangle_tree(twelve);
  const std::vector<OrientedBoxes> boxes = oriented_boxes(tree);
  const BothGaps gaps(cube(0, 0, 0), boxes[0]);
  CHECK(gaps.in_floats.near == 0b111);
  CHECK(gaps.in_doubles.near == 0b111);
  CHECK(oriented_boxes(make_triangle_tree(MeshView())).empty());
}

// Corners of boxes, mapped, against their map in 64 bits.
TEST_CASE("a map takes boxes to where it takes their points, to the rounding that is said") {
  Random random(2);
  for (int round = 0; round < test::campaign(500); ++round) {
    const double scale = std::pow(10, random.uniform(-3, 3)), away = random.uniform(0, 100);
    const Mat3 turn = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1),
                                         random.uniform(-1, 1), random.uniform(-1, 1))
                          .normalized()
                          .toRotationMatrix();
    OrientedMap<float> narrow;
    OrientedMap<double> wide;
    narrow.scale = static_cast<float>(scale);
    wide.scale = scale;
    for (int i = 0; i < 3; ++i) {
      wide.offset[i] = away * random.uniform(-1, 1);
      narrow.offset[i] = static_cast<float>(wide.offset[i]);
      for (int j = 0; j < 3; ++j) {
        wide.turn[i][j] = turn(i, j);
        narrow.turn[i][j] = static_cast<float>(turn(i, j));
      }
    }
    const OrientedBox box = random_box(random, 1);
    const OrientedBoxes boxes = side_by_side(std::vector<OrientedBox>(kChildren, box));
    OrientedRows<float> in_floats;
    OrientedRows<double> in_doubles;
    map_boxes(narrow, boxes, in_floats);
    map_boxes(wide, boxes, in_doubles);
    const double size = 6 * scale + away;
    const auto corner = [](const auto& rows, const Real3& signs) {
      Real3 x;
      for (int i = 0; i < 3; ++i) {
        x[i] = rows.center[i][5];
        for (int j = 0; j < 3; ++j) x[i] += signs[j] * rows.half[j][5] * rows.axis[j][i][5];
      }
      return x;
    };
    for (int c = 0; c < 8; ++c) {
      const Real3 signs(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
      const Real3 expected =
          scale * (turn.cast<long double>() *
                   (center_of(box) + axes_of(box) * half_of(box).cwiseProduct(signs))) +
          Real3(wide.offset[0], wide.offset[1], wide.offset[2]);
      CHECK((corner(in_floats, signs) - expected).cwiseAbs().maxCoeff() <= 0x1p-20 * size);
      CHECK((corner(in_doubles, signs) - expected).cwiseAbs().maxCoeff() <= 0x1p-49 * size);
    }
  }
}

TEST_CASE("the boxes are the same for every number of threads") {
  const TriangleMesh ball = make_icosphere(1, 5);
  const TriangleTree tree = make_triangle_tree(ball);
  std::vector<std::vector<OrientedBoxes>> all;
  for (const int threads : {1, 2, 8})
    with_threads(threads, [&] { all.push_back(oriented_boxes(tree)); });
  for (std::size_t i = 0; i < all[0].size(); ++i)
    for (std::size_t k = 0; k < kChildren; ++k)
      for (const std::vector<OrientedBoxes>& other : all) {
        const OrientedBox a = child_of(all[0][i], k), b = child_of(other[i], k);
        CHECK(axes_of(a) == axes_of(b));
        CHECK(center_of(a) == center_of(b));
        CHECK(half_of(a) == half_of(b));
      }
}

}  // namespace
}  // namespace plimsoll
