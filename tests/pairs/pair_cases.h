// Pairs of small meshes, close to each other in every unpleasant way, drawn from a seed.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/pairs.h>

#include <cmath>
#include <utility>
#include <vector>

#include "pairs/triangle_pair.h"
#include "support/exact_meeting.h"
#include "support/random_mesh.h"

namespace plimsoll::test {

struct ContactCase {
  TriangleMesh a, b;
  Similarity world_from_a = Similarity::Identity(), world_from_b = Similarity::Identity();
};

inline constexpr int kContactCaseKinds = 7;

/// The pairs of triangles that touch, each decided against each; ascending.
inline std::vector<TrianglePair> pairs_by_brute_force(const TriangleMesh& a,
                                                      const TriangleMesh& b) {
  std::vector<TrianglePair> pairs;
  for (std::uint32_t t = 0; t < a.triangles.size(); ++t)
    for (std::uint32_t u = 0; u < b.triangles.size(); ++u)
      if (have_common_point(corners_of(a, t).point, corners_of(b, u).point))
        pairs.push_back({t, u});
  return pairs;
}

inline Vec3 lattice_point(Random& random, std::uint64_t size) {
  return {static_cast<double>(random.below(size)), static_cast<double>(random.below(size)),
          static_cast<double>(random.below(size))};
}

/// Triangles of any corners, one in four without area.
inline TriangleMesh lattice_soup(Random& random, std::uint32_t count, std::uint64_t size) {
  TriangleMesh mesh;
  for (std::uint32_t t = 0; t < count; ++t) {
    const Vec3 a = lattice_point(random, size), b = lattice_point(random, size);
    const std::uint64_t kind = random.below(12);
    const Vec3 c = kind == 0   ? a
                   : kind == 1 ? b
                   : kind == 2 ? 2 * b - a
                               : lattice_point(random, size);
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

/// The square [0, 1]^2 in z = 0, in n x n cells.
inline TriangleMesh square_sheet(std::uint32_t n) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t k = 0; k <= n; ++k) mesh.vertices.emplace_back(1.0 * i / n, 1.0 * k / n, 0);
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t v = (n + 1) * i + k;
      mesh.triangles.push_back({v, v + n + 1, v + n + 2});
      mesh.triangles.push_back({v, v + n + 2, v + 1});
    }
  return mesh;
}

inline Similarity similarity(double scale, const Mat3& turn, const Vec3& shift) {
  Similarity pose = Similarity::Identity();
  pose.linear() = scale * turn;
  pose.translation() = shift;
  return pose;
}

inline ContactCase contact_case(Random& random, int kind) {
  ContactCase c;
  const auto whole = [&random](int reach) {
    return static_cast<double>(random.below(2 * reach + 1)) - reach;
  };
  const Mat3 turn = random_turn(random);
  const Vec3 shift = random_vector(random);
  switch (kind) {
    case 0:  // soups that pass through each other, of any two sizes
      c.a = lattice_soup(random, 12, 1U << 20);
      c.b = lattice_soup(random, 12, 1U << 20);
      c.world_from_a = similarity(0x1p-20, turn, shift);
      c.world_from_b = similarity(0x1p-20 * random.uniform(0.5, 2), random_turn(random),
                                  shift + 0.3 * random_vector(random));
      break;
    case 1:  // corners, edges and faces on each other
      c.a = lattice_soup(random, 12, 4);
      c.b = lattice_soup(random, 12, 4);
      c.world_from_b.translation() = Vec3(whole(2), whole(2), whole(2));
      break;
    case 2:  // cells of a turned lattice, that touch up to rounding
      c.a = make_box({1, 1, 1});
      c.b = make_box({1, 1, 1});
      c.world_from_a = similarity(1, turn, shift);
      c.world_from_b = similarity(1, turn, shift + turn * Vec3(whole(1), whole(1), whole(1)));
      break;
    case 3: {  // faces in one slanted plane, of one pose
      c.a = lattice_soup(random, 10, 5);
      c.b = lattice_soup(random, 10, 5);
      for (TriangleMesh* mesh : {&c.a, &c.b})
        for (std::size_t v = 0; v < mesh->vertices.size(); ++v)
          if (v % 4 != 0) mesh->vertices[v].z() = mesh->vertices[v].x() - 2 * mesh->vertices[v].y();
      if (random.below(2) == 0) c.world_from_a = c.world_from_b = similarity(1, turn, shift);
      break;
    }
    case 4: {  // sheets of unequal cells in one slanted plane: corners of one on edges of the other
      c.a = square_sheet(1 + static_cast<std::uint32_t>(random.below(3)));
      c.b = square_sheet(1 + static_cast<std::uint32_t>(random.below(4)));
      const Vec3 by(whole(1) / 2, whole(1), 0);
      for (Vec3& v : c.b.vertices) v += by;
      Mat3 lean = Mat3::Identity();
      lean(2, 0) = whole(2);
      lean(2, 1) = whole(2);
      for (TriangleMesh* mesh : {&c.a, &c.b})
        for (Vec3& v : mesh->vertices) v = lean * v;
      if (random.below(2) == 0) c.world_from_a = c.world_from_b = similarity(1, turn, shift);
      break;
    }
    case 5:  // the same body twice
      c.a = c.b = random_closed_mesh(random);
      break;
    default:  // round bodies that just touch, far from the origin
      c.a = make_icosphere(1, 1);
      c.b = make_icosphere(0.5, 1);
      c.world_from_a = similarity(1, turn, 1e6 * shift);
      c.world_from_b = similarity(1, turn, 1e6 * shift + turn * (1.5 * c.a.vertices[3]));
      break;
  }
  return c;
}

}  // namespace plimsoll::test
