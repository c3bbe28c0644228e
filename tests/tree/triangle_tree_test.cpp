#include "tree/triangle_tree.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "mesh/trusted_mesh.h"
#include "support/processor_time.h"

namespace plimsoll {
namespace {

constexpr std::size_t kLeaf = TriangleTree::kLeafTriangles, kChildren = TriangleTree::kChildren;

constexpr TreeQuality kQualities[] = {TreeQuality::kFast, TreeQuality::kBalanced,
                                      TreeQuality::kTight};

// Triangles anywhere, of all sizes, some of them points or lines.
TriangleMesh soup(Random& random, std::size_t triangles) {
  TriangleMesh mesh;
  for (std::size_t t = 0; t < triangles; ++t) {
    const Vec3 at(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const double size = std::pow(10, random.uniform(-3, 0));
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int k = 0; k < 3; ++k)
      mesh.vertices.push_back(at + size * Vec3(random.unit(), random.unit(), random.unit()));
    if (t % 7 == 0) mesh.vertices[first + 1] = mesh.vertices[first];
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

/// The order of a mesh may be that of neighbors, which would help a tree that keeps it.
TriangleMesh in_no_order(TriangleMesh mesh) {
  Random random(5);
  for (std::size_t t = mesh.triangles.size(); t > 1; --t)
    std::swap(mesh.triangles[t - 1], mesh.triangles[random.below(t)]);
  return mesh;
}

std::vector<TriangleMesh> meshes() {
  Random random(1);
  std::vector<TriangleMesh> all{
      make_box({1, 2, 3}),      make_icosphere(1, 3), make_icosphere(1, 5),
      make_torus(2, 1, 40, 30), soup(random, 1),      soup(random, 5),
      soup(random, 33),         soup(random, 257),    soup(random, 4000)};
  TriangleMesh far = make_bumpy_sphere(1, 0.3, 30, 41);
  for (Vec3& v : far.vertices) v += Vec3(1e6, -1e6 + 0.1, 1e-6);
  all.push_back(far);
  for (const double size : {1e-120, 1e120}) {
    TriangleMesh scaled = make_icosphere(size, 3);
    for (Vec3& v : scaled.vertices) v[0] += 3 * size;
    all.push_back(scaled);
  }
  return all;
}

// The box of child k of a node, in units of the frame about its center.
Box3 child_box(const ChildBoxes& boxes, std::size_t k) {
  const auto of = [k](const float(&values)[3][8]) {
    return Vec3(values[0][k], values[1][k], values[2][k]);
  };
  if (boxes.half[0][k] < 0) return {};
  return {of(boxes.center) - of(boxes.half), of(boxes.center) + of(boxes.half)};
}

// Everything that boxes of floats promise, from the leaves up.
void check_boxes(const TriangleTree& tree) {
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    const ChildBoxes& boxes = tree.boxes[tree.first.back() + leaf / kChildren];
    const Box3 box = child_box(boxes, leaf % kChildren);
    for (std::size_t t = 0; t < kLeaf; ++t)
      for (std::size_t k = 0; k < 3; ++k)
        REQUIRE(
            box.contains(Eigen::Map<const Vec3>(tree.vertices[tree.leaves[leaf].corner[k][t]].x)));
  }
  for (std::size_t level = 0; level + 1 < tree.levels(); ++level)
    for (std::size_t node = tree.first[level]; node < tree.first[level + 1]; ++node)
      for (std::size_t k = 0; k < kChildren; ++k) {
        const std::size_t below =
            tree.first[level + 1] + kChildren * (node - tree.first[level]) + k;
        const Box3 box = child_box(tree.boxes[node], k);
        const bool is_there =
            below < (level + 2 < tree.levels() ? tree.first[level + 2] : tree.boxes.size());
        REQUIRE(box.isEmpty() == !is_there);
        for (std::size_t j = 0; is_there && j < kChildren; ++j) {
          const Box3 inner = child_box(tree.boxes[below], j);
          REQUIRE((inner.isEmpty() || box.contains(inner)));
        }
      }
}

TEST_CASE("each triangle of a mesh is in one leaf, its corners to the last bit") {
  for (const TriangleMesh& mesh : meshes()) {
    for (const TreeQuality quality : kQualities) {
      const TriangleTree tree = make_triangle_tree(mesh, quality);
      std::vector<int> seen(mesh.triangles.size());
      for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
        for (std::size_t t = 0; t < kLeaf; ++t) {
          const std::uint32_t number = tree.numbers[kLeaf * leaf + t];
          if (number == kNoIndex) continue;
          ++seen[number];
          const std::array<Vec3, 3> corners = tree.corners(leaf, t);
          for (std::size_t k = 0; k < 3; ++k)
            REQUIRE(corners[k] == mesh.vertices[mesh.triangles[number][k]]);
        }
      CHECK(std::count(seen.begin(), seen.end(), 1) ==
            static_cast<std::ptrdiff_t>(mesh.triangles.size()));
      check_boxes(tree);
    }
  }
}

TEST_CASE("a tree takes moved vertices over and keeps its triangles") {
  TriangleMesh mesh = make_bumpy_sphere(1, 0.3, 30, 41);
  for (const TreeQuality quality : kQualities) {
    TriangleTree tree = make_triangle_tree(mesh, quality);
    const std::vector<std::uint32_t> numbers = tree.numbers;
    for (Vec3& v : mesh.vertices) v = Vec3(2 * v[0] + 5, v[1] + 0.3 * v[2] * v[2], v[2]);
    fit(tree, mesh);
    CHECK(tree.numbers == numbers);
    check_boxes(tree);
    const Box3 box = bounding_box(MeshView(mesh));
    CHECK(tree.box.min() == box.min());
    CHECK(tree.box.max() == box.max());
  }
}

// Were triangles in no order, the boxes of all nodes but the root's would be about as large as its
// own, and their sum hundreds of times that of neighbors. All orders keep neighbors together; the
// leaves of four that a curve alone makes follow the curve, not the surface, for which twice as
// much is allowed. The last mesh is in no order itself, and has so few triangles that the curve
// alone sorts them.
TEST_CASE("all kinds of trees keep neighbors in common boxes") {
  for (const TriangleMesh& mesh :
       {make_icosphere(1, 5), make_torus(2, 1, 80, 60), in_no_order(make_icosphere(1, 3))}) {
    const auto surface = [&](TreeQuality quality) {
      const TriangleTree tree = make_triangle_tree(mesh, quality);
      double sum = 0;
      for (const ChildBoxes& boxes : tree.boxes)
        for (std::size_t k = 0; k < kChildren; ++k) {
          const Box3 box = child_box(boxes, k);
          if (box.isEmpty()) continue;
          const Vec3 s = box.sizes();
          sum += s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
        }
      return sum;
    };
    CHECK(surface(TreeQuality::kTight) <= 2 * surface(TreeQuality::kBalanced));
    CHECK(surface(TreeQuality::kBalanced) <= 2 * surface(TreeQuality::kTight));
    CHECK(surface(TreeQuality::kFast) <= 4 * surface(TreeQuality::kTight));
  }
}

TEST_CASE("a tree of some triangles has no others, and their box") {
  const TriangleMesh mesh = make_icosphere(1, 4);
  std::vector<std::uint32_t> chosen;
  Box3 box;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (mesh.vertices[mesh.triangles[t][0]][0] < 0.5) continue;
    chosen.push_back(t);
    for (const std::uint32_t v : mesh.triangles[t]) box.extend(mesh.vertices[v]);
  }
  TreeBuilder builder;
  TriangleTree tree;
  for (const TreeQuality quality : kQualities) {
    builder.build(mesh, chosen, quality, tree);
    std::vector<std::uint32_t> numbers = tree.numbers;
    std::erase(numbers, kNoIndex);
    std::sort(numbers.begin(), numbers.end());
    CHECK(numbers == chosen);
    CHECK(tree.box.min() == box.min());
    CHECK(tree.box.max() == box.max());
    check_boxes(tree);
  }
}

// In units of 2^398 the heights are 0.
TEST_CASE("the box of a large and very flat mesh is as high as the mesh is") {
  TriangleMesh mesh;
  mesh.vertices = {{1e120, 0, 1e-250}, {0, 1e120, 2e-250}, {-1e120, -1e120, 1.5e-250}};
  mesh.triangles = {{0, 1, 2}};
  for (const TreeQuality quality : kQualities) {
    const TriangleTree tree = make_triangle_tree(mesh, quality);
    CHECK(tree.box.min() == Vec3(-1e120, -1e120, 1e-250));
    CHECK(tree.box.max() == Vec3(1e120, 1e120, 2e-250));
  }
}

// Coordinates that are floats, indices of 16 bits, strides, packed triangles, chosen ones that are
// all.
TEST_CASE("the tree of a mesh does not depend on how it is stored") {
  const TriangleMesh mesh = make_bumpy_sphere(1, 0.3, 30, 41);
  std::vector<float> floats, strided;
  std::vector<std::uint16_t> shorts;
  std::vector<std::uint32_t> indices, numbers;
  std::vector<double> doubles, packed;
  for (const Vec3& v : mesh.vertices) {
    for (const double x : v) {
      floats.push_back(static_cast<float>(x));
      strided.push_back(floats.back());
      doubles.push_back(floats.back());
    }
    strided.push_back(std::numeric_limits<float>::quiet_NaN());
  }
  for (const Triangle& triangle : mesh.triangles) {
    numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
    for (const std::uint32_t v : triangle) {
      indices.push_back(v);
      shorts.push_back(static_cast<std::uint16_t>(v));
      packed.insert(packed.end(), &doubles[3 * v], &doubles[3 * v] + 3);
    }
  }
  const MeshView plain(doubles, indices);
  for (const TreeQuality quality : kQualities) {
    const TriangleTree expected = make_triangle_tree(plain, quality);
    const auto check = [&](const TriangleTree& tree) {
      CHECK(tree.numbers == expected.numbers);
      CHECK(tree.box.min() == expected.box.min());
      CHECK(tree.box.max() == expected.box.max());
      REQUIRE(tree.boxes.size() == expected.boxes.size());
      CHECK(std::memcmp(tree.boxes.data(), expected.boxes.data(),
                        sizeof(ChildBoxes) * tree.boxes.size()) == 0);
    };
    for (const MeshView& view :
         {MeshView(floats, indices), MeshView(strided, indices, 4), MeshView(strided, shorts, 4),
          MeshView(doubles, shorts), MeshView::packed(packed)})
      check(make_triangle_tree(view, quality));
    TriangleTree tree;
    TreeBuilder().build(plain, numbers, quality, tree);
    check(tree);
  }
}

// The frame of a fast tree holds all vertices of the mesh, unless it would be far too large.
TEST_CASE("vertices far away that no triangle names leave the boxes as small as they are") {
  for (const double size : {1e3, 1e-3, 1e-40, 1e-80})
    for (const double far : {2 * size, 1.0, 1e30, 1e50, 1e200, 1.7e308}) {
      const TriangleMesh plain = make_icosphere(size, 4);
      TriangleMesh mesh = plain;
      mesh.vertices.push_back(Vec3(far, -far, far));
      for (const TreeQuality quality : kQualities) {
        TriangleTree tree = make_triangle_tree(mesh, quality);
        for (const bool is_refit : {false, true}) {
          if (is_refit) fit(tree, mesh);
          CHECK(std::ldexp(tree.frame.reach, tree.frame.exponent) <= 4 * size);
          CHECK(tree.box.max() == bounding_box(MeshView(plain)).max());
          check_boxes(tree);
          for (std::size_t t = 0; t < kLeaf; ++t)
            for (std::size_t k = 0; k < 3; ++k)
              CHECK(tree.corners(0, t)[k] == plain.vertices[plain.triangles[tree.numbers[t]][k]]);
        }
      }
    }
}

TEST_CASE("boxes hold triangles of the smallest double there is") {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  for (const double size : {kLeast, 3 * kLeast, 1e-310}) {
    TriangleMesh mesh;
    mesh.vertices = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {-size, 0, size}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 2, 3}};
    for (const TreeQuality quality : kQualities) {
      TriangleTree tree = make_triangle_tree(mesh, quality);
      for (const bool is_refit : {false, true}) {
        if (is_refit) fit(tree, mesh);
        CHECK(tree.frame.exponent < -1000);
        check_boxes(tree);
        for (std::size_t t = 0; t < 3; ++t)
          for (std::size_t k = 0; k < 3; ++k)
            CHECK(tree.corners(0, t)[k] == mesh.vertices[mesh.triangles[tree.numbers[t]][k]]);
      }
    }
  }
}

// Units of the size would make such coordinates infinite.
TEST_CASE("a body far smaller than its coordinates has a tree") {
  Random random(17);
  for (const double away : {1.0, 1e10, 1e150, 1e300})
    for (const double size : {1e-308, 1e-300, 1e-250, 1e-150}) {
      CAPTURE(away);
      CAPTURE(size);
      TriangleMesh mesh;
      for (int i = 0; i < 100; ++i)
        mesh.vertices.emplace_back(away, -away, size * random.uniform(0, 1));
      for (std::uint32_t i = 0; i + 2 < 100; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
      for (const TreeQuality quality : kQualities) {
        const TriangleTree tree = make_triangle_tree(mesh, quality);
        CHECK(tree.frame.center.allFinite());
        CHECK(std::isfinite(tree.frame.reach));
        for (const TriangleTree::Vertex& vertex : tree.vertices)
          for (const double x : vertex.x) REQUIRE(std::isfinite(x));
        check_boxes(tree);
      }
    }
}

/// The median of the squared diagonals of leaves.
double square_of_leaf(const TriangleTree& tree) {
  std::vector<double> squares;
  for (std::size_t node = tree.first.back(); node < tree.boxes.size(); ++node)
    for (std::size_t k = 0; k < kChildren; ++k) {
      const Box3 box = child_box(tree.boxes[node], k);
      if (!box.isEmpty()) squares.push_back(box.sizes().squaredNorm());
    }
  std::nth_element(squares.begin(), squares.begin() + squares.size() / 2, squares.end());
  return squares[squares.size() / 2];
}

// Ten bits for each coordinate where there are many.
TEST_CASE("a fast tree of a million triangles has small leaves, in their own box or a larger one") {
  TriangleMesh mesh = in_no_order(make_icosphere(1, 8));  // 1,310,720
  // Of an edge's square there are 4 pi / (n sqrt(3) / 4) on the sphere.
  const double edge2 = 4 * std::numbers::pi / (1310720 * std::sqrt(3.0) / 4);
  // One of 1,024 cells for each coordinate is less than half an edge wide: four triangles that
  // follow each other are next to each other, and no more than four edges long. One of 128 is more
  // than three edges wide, and has 27 triangles.
  CHECK(square_of_leaf(make_triangle_tree(mesh, TreeQuality::kFast)) <= 4 * 4 * edge2);
  mesh.vertices.insert(mesh.vertices.end(), {Vec3(19, 0, 0), Vec3(0, 19, 0), Vec3(0, 0, 19)});
  const std::uint32_t first = 10 * (1U << 16) + 2;
  mesh.triangles.push_back({first, first + 1, first + 2});
  // A cell is 4 edges wide now; of 128 cells it were 33, and had some 2,000 triangles. Four of one
  // cell, in any order, are apart by up to its diagonal, and as large as an edge on both sides.
  const double side = 4 + 2;
  CHECK(square_of_leaf(make_triangle_tree(mesh, TreeQuality::kFast)) <= 3 * side * side * edge2);
}

// Both halves of the list begin with the least, so that it is the median of first, middle and last:
// by such pivots the tree took 8.7 s, and takes 0.05.
TEST_CASE("two rows of triangles in ascending order make a tight tree in less than 2 s") {
  constexpr std::uint32_t kCount = 160000;
  TriangleMesh mesh;
  for (std::uint32_t t = 0; t < kCount; ++t) {
    const double x = t % (kCount / 2);
    mesh.vertices.insert(mesh.vertices.end(), {Vec3(x, 0, 0), Vec3(x + 1, 0, 0), Vec3(x, 1, 0)});
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  const double start = test::processor_seconds();
  with_threads(1,
               [&] { CHECK(make_triangle_tree(mesh, TreeQuality::kTight).triangles == kCount); });
  if (test::kTimed) CHECK(test::processor_seconds() - start < 2);
}

TEST_CASE("no triangles make an empty tree") {
  const TriangleTree tree = make_triangle_tree(MeshView());
  CHECK(tree.leaf_count() == 0);
  CHECK(tree.levels() == 0);
}

}  // namespace
}  // namespace plimsoll
