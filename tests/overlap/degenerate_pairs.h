// Small solids on lattices, and pairs of them whose vertices, edges and faces coincide.
#pragma once

#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"
#include "support/cells.h"
#include "support/hard_bodies.h"
#include "support/mesh_parts.h"

namespace plimsoll::test {

/// A box with corners on the lattice.
inline TriangleMesh lattice_box(const Vec3& low, const Vec3& size) {
  return moved(make_box(size), low + size / 2);
}

/// Two units high, over the L of three squares, its faces as large as they can be.
inline TriangleMesh l_prism() {
  const double plan[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  TriangleMesh mesh;
  for (const double z : {0.0, 2.0})
    for (const auto& [x, y] : plan) mesh.vertices.emplace_back(x, y, z);
  for (std::uint32_t k = 0; k < 6; ++k) {
    const std::uint32_t next = (k + 1) % 6;
    mesh.triangles.insert(mesh.triangles.end(), {{k, next, next + 6}, {k, next + 6, k + 6}});
    if (k > 0 && k < 5)
      mesh.triangles.insert(mesh.triangles.end(), {{0, next, k}, {6, k + 6, next + 6}});
  }
  return mesh;
}

inline TriangleMesh lattice_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c) {
  return {{Vec3::Zero(), a, b, c}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

inline TriangleMesh octahedron() {
  TriangleMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const double x : {2.0, -2.0}) mesh.vertices.push_back(x * Vec3::Unit(axis));
  for (std::uint32_t k = 0; k < 8; ++k) {
    const std::uint32_t x = k & 1U, y = 2 + (k >> 1U & 1U), z = 4 + (k >> 2U & 1U);
    const bool is_mirrored = (k & 1U) ^ (k >> 1U & 1U) ^ (k >> 2U & 1U);
    mesh.triangles.push_back(is_mirrored ? Triangle{x, z, y} : Triangle{x, y, z});
  }
  return mesh;
}

/// With a vertex amid one edge, where one of its triangles is split and the other is not: between
/// them lies a triangle without area.
inline TriangleMesh with_flat_triangle(TriangleMesh mesh, std::size_t t) {
  const auto [a, b, c] = mesh.triangles[t];
  const auto middle = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.emplace_back((mesh.vertices[a] + mesh.vertices[b]) / 2);
  mesh.triangles[t] = {a, middle, c};
  mesh.triangles.insert(mesh.triangles.end(), {{middle, b, c}, {a, b, middle}});
  return mesh;
}

/// Few triangles first.
inline std::vector<TriangleMesh> lattice_bodies() {
  const TriangleMesh cube = lattice_box(Vec3::Zero(), Vec3::Constant(2));
  return {
      lattice_tetrahedron({2, 0, 0}, {0, 2, 0}, {0, 0, 2}),
      lattice_tetrahedron({2, 0, 2}, {2, 2, 0}, {0, 2, 2}),
      lattice_tetrahedron({3, 1, 0}, {-1, 2, 1}, {1, 0, 3}),
      lattice_tetrahedron({100, 1, 1}, {100, 2, 1}, {100, 1, 2}),  // a needle
      octahedron(),
      cube,
      lattice_box(Vec3::Zero(), {1, 2, 4}),
      lattice_box({-2, -2, -1}, {4, 4, 2}),
      with_flat_triangle(cube, 3),
      l_prism(),
      joined(lattice_box({-1, -1, -1}, {4, 4, 4}), turned(cube)),  // with a void
      joined(cube, lattice_box({3, 0, 0}, {1, 2, 2})),             // two shells
      with_flat_triangle(l_prism(), 0),
      moved(grid_box({2, 2, 2}, 2, 1, 1), {1, 1, 1}),
      cells({"###", ".#."}),         // a T
      cells({"#.#", "###"}),         // a U
      cells({"###", "#.#", "###"}),  // a frame with a window
  };
}

/// One of the turns that keep the lattice.
inline Mat3 lattice_turn(Random& random) {
  Mat3 turn = Mat3::Zero();
  const auto first = static_cast<int>(random.below(3));
  const int step = random.below(2) == 0 ? 1 : 2;
  for (int row = 0; row < 3; ++row)
    turn(row, (first + step * row) % 3) = random.below(2) == 0 ? 1 : -1;
  if (turn.determinant() < 0) turn = -turn;
  return turn;
}

/// A point of a triangle: a corner, amid an edge, or within.
inline Vec3 feature_of(const TriangleMesh& mesh, Random& random) {
  const Triangle& t = mesh.triangles[random.below(mesh.triangles.size())];
  const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
  switch (random.below(3)) {
    case 0:
      return a;
    case 1:
      return (a + b) / 2;
    default:
      return (a + b) / 4 + c / 2;
  }
}

/// Whether some triangle has no area. Where rounding moves its corners it may turn over, and the
/// surface then crosses itself.
inline bool has_flat_triangle(const TriangleMesh& mesh) {
  return std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const Triangle& t) {
    const Vec3& a = mesh.vertices[t[0]];
    return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).isZero(0);
  });
}

/// The lattice, turned: square columns of whole length, so that points of it remain whole; or, if
/// they may be rounded, of length 1.
inline Mat3 lattice_axes(bool may_be_rounded, Random& random) {
  Mat3 axes = Mat3::Identity();
  switch (random.below(4)) {
    case 0:
      axes << 1, 2, 2, 2, 1, -2, -2, 2, -1;
      break;
    case 1:
      axes << 2, 3, 6, 3, -6, 2, 6, 2, -3;
      break;
    default:
      return axes;
  }
  return may_be_rounded && random.below(2) == 0 ? Mat3(axes / axes.col(0).norm()) : axes;
}

struct PosedPair {
  const TriangleMesh &a, &b;
  Similarity world_from_a, world_from_b;
};

/// Two bodies in one lattice: equal and in one place, shifted by whole steps, or with a corner,
/// edge or face of one on one of the other.
inline PosedPair degenerate_pair(const std::vector<TriangleMesh>& bodies, Random& random) {
  const TriangleMesh& a = bodies[random.below(bodies.size())];
  const bool is_copy = random.below(6) == 0;
  const TriangleMesh& b = is_copy ? a : bodies[random.below(bodies.size())];
  const Mat3 turn_a = lattice_turn(random), turn_b = is_copy ? turn_a : lattice_turn(random);
  Vec3 shift = Vec3::Zero();
  switch (random.below(is_copy ? 3 : 2)) {
    case 0:
      for (double& x : shift) x = static_cast<double>(random.below(5)) - 2;
      break;
    case 1:
      shift = turn_a * feature_of(a, random) - turn_b * feature_of(b, random);
      break;
    default:  // one place
      break;
  }
  const Mat3 axes = lattice_axes(!has_flat_triangle(a) && !has_flat_triangle(b), random);
  const Vec3 origin = random.below(2) == 0 ? Vec3(0, 0, 0) : Vec3(17, -5, 3);
  PosedPair pair{a, b, Similarity::Identity(), Similarity::Identity()};
  pair.world_from_a.linear() = axes * turn_a;
  pair.world_from_a.translation() = axes * origin;
  pair.world_from_b.linear() = axes * turn_b;
  pair.world_from_b.translation() = axes * (origin + shift);
  return pair;
}

}  // namespace plimsoll::test
