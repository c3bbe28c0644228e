// Bodies on which a query's time can grow faster than the mesh: slivers, fans, strips, flat faces
// finely meshed, triangles far from all others. CAD, games and damaged files are full of them.
#pragma once

#include <plimsoll/mesh_generators.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"

namespace plimsoll::test {

/// By 0.7 about (1, 2, 3): no plane of the result is one of the axes'.
inline TriangleMesh askew(TriangleMesh mesh) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& v : mesh.vertices) v = turn * v;
  return mesh;
}

/// A sheet of m x n cells of two triangles each, vertices at `point(i / m, j / n)`.
template <class Point>
TriangleMesh sheet_of(std::uint32_t m, std::uint32_t n, const Point& point) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i <= m; ++i)
    for (std::uint32_t j = 0; j <= n; ++j)
      mesh.vertices.push_back(point(i / double(m), j / double(n)));
  for (std::uint32_t i = 0; i < m; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t a = i * (n + 1) + j, b = a + n + 1;
      mesh.triangles.insert(mesh.triangles.end(), {{a, b, b + 1}, {a, b + 1, a + 1}});
    }
  }
  return mesh;
}

/// A wavy sheet about the unit square, m x m cells: a scan's kind of surface, for comparison.
inline TriangleMesh wavy_sheet(std::uint32_t m) {
  return sheet_of(m, m, [](double x, double y) {
    return Vec3(x, y, 0.05 * std::sin(7 * x) * std::cos(5 * y));
  });
}

/// A sheet over the square 0 <= x, y <= `side` in `n` strips, which run along x.
inline TriangleMesh strips(std::uint32_t n, double side) {
  return sheet_of(1, n, [&](double x, double y) { return Vec3(side * x, side * y, 0); });
}

/// A box from the origin to `size`, closed: its four sides along x are parted into n strips each,
/// its two ends are fans. 16 n triangles.
inline TriangleMesh strip_box(const Vec3& size, std::uint32_t n) {
  TriangleMesh mesh;
  const std::uint32_t ring = 4 * n;
  for (const double x : {0.0, size.x()}) {
    for (std::uint32_t k = 0; k < ring; ++k) {
      const double s = k % n / double(n);
      const double corner[4][2] = {{s, 0}, {1, s}, {1 - s, 1}, {0, 1 - s}};
      const auto& [y, z] = corner[k / n];
      mesh.vertices.emplace_back(x, y * size.y(), z * size.z());
    }
  }
  mesh.vertices.emplace_back(0, size.y() / 2, size.z() / 2);
  mesh.vertices.emplace_back(size.x(), size.y() / 2, size.z() / 2);
  for (std::uint32_t k = 0; k < ring; ++k) {
    const std::uint32_t j = (k + 1) % ring;
    mesh.triangles.insert(mesh.triangles.end(), {{k, ring + j, ring + k},
                                                 {k, j, ring + j},
                                                 {2 * ring, j, k},
                                                 {2 * ring + 1, ring + k, ring + j}});
  }
  return mesh;
}

/// A box of nx x ny x nz cells, from -size / 2 to size / 2: each face is a grid, closed, without a
/// common vertex twice. 4 (nx ny + ny nz + nz nx) triangles.
inline TriangleMesh grid_box(const Vec3& size, std::uint32_t nx, std::uint32_t ny,
                             std::uint32_t nz) {
  TriangleMesh mesh;
  const std::uint32_t n[3] = {nx, ny, nz};
  std::vector<std::uint32_t> index((nx + 1) * (ny + 1) * (nz + 1), UINT32_MAX);
  const auto vertex = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    std::uint32_t& v = index[(i * (ny + 1) + j) * (nz + 1) + k];
    if (v == UINT32_MAX) {
      v = static_cast<std::uint32_t>(mesh.vertices.size());
      mesh.vertices.push_back(size.cwiseProduct(
          Vec3(i / double(nx) - 0.5, j / double(ny) - 0.5, k / double(nz) - 0.5)));
    }
    return v;
  };
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, w = (axis + 2) % 3;
    for (const bool top : {false, true}) {
      for (std::uint32_t i = 0; i < n[u]; ++i) {
        for (std::uint32_t j = 0; j < n[w]; ++j) {
          const auto corner = [&](std::uint32_t a, std::uint32_t b) {
            std::uint32_t at[3];
            at[axis] = top ? n[axis] : 0;
            at[u] = i + a;
            at[w] = j + b;
            return vertex(at[0], at[1], at[2]);
          };
          Triangle one = {corner(0, 0), corner(1, 0), corner(1, 1)};
          Triangle two = {corner(0, 0), corner(1, 1), corner(0, 1)};
          if (!top) std::swap(one[1], one[2]), std::swap(two[1], two[2]);
          mesh.triangles.push_back(one);
          mesh.triangles.push_back(two);
        }
      }
    }
  }
  return mesh;
}

/// n triangles with corners drawn from the unit square at z = 0, each twice, turned over: closed,
/// without volume.
inline TriangleMesh doubled_sheet(std::uint32_t n, std::uint64_t seed) {
  Random random(seed);
  TriangleMesh mesh;
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t a = 3 * k;
    for (int c = 0; c < 3; ++c)
      mesh.vertices.emplace_back(random.uniform(0, 1), random.uniform(0, 1), 0);
    mesh.triangles.insert(mesh.triangles.end(), {{a, a + 1, a + 2}, {a, a + 2, a + 1}});
  }
  return mesh;
}

/// `mesh` and one triangle of edges 1 at (distance, 0, 0).
inline TriangleMesh with_stray_triangle(TriangleMesh mesh, double distance) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& v : {Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
    mesh.vertices.push_back(Vec3(distance, 0, 0) + v);
  mesh.triangles.push_back({first, first + 1, first + 2});
  return mesh;
}

/// The same triangles in an order drawn from the seed.
inline TriangleMesh shuffled(TriangleMesh mesh, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t k = mesh.triangles.size(); k > 1; --k)
    std::swap(mesh.triangles[k - 1], mesh.triangles[random.below(k)]);
  return mesh;
}

/// n^3 cubes of edge 1 that touch, each with 8 vertices of its own.
inline TriangleMesh touching_cubes(std::uint32_t n) {
  const TriangleMesh cube = make_box(Vec3::Ones());
  TriangleMesh mesh;
  for (std::uint32_t x = 0; x < n; ++x) {
    for (std::uint32_t y = 0; y < n; ++y) {
      for (std::uint32_t z = 0; z < n; ++z) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        for (const Vec3& v : cube.vertices) mesh.vertices.push_back(v + Vec3(x, y, z));
        for (const Triangle& t : cube.triangles)
          mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      }
    }
  }
  return mesh;
}

/// n needles that go through a ball in all directions, closed, 1e-9 thick: neither boxes nor hulls
/// tell many apart. 4 n triangles.
inline TriangleMesh needles(std::uint32_t n, std::uint64_t seed) {
  Random random(seed);
  const auto vector = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  TriangleMesh mesh;
  for (std::uint32_t k = 0; k < 4 * n; k += 4) {
    const Vec3 tip = vector(), end = 0.2 * vector() - tip;
    const Vec3 across = 1e-9 * tip.cross(vector()).normalized();
    const Vec3 other = tip.cross(across).normalized() * 1e-9;
    mesh.vertices.insert(mesh.vertices.end(), {tip, end, end + across, end + other});
    mesh.triangles.insert(
        mesh.triangles.end(),
        {{k, k + 1, k + 2}, {k, k + 2, k + 3}, {k, k + 3, k + 1}, {k + 1, k + 3, k + 2}});
  }
  return mesh;
}

}  // namespace plimsoll::test
