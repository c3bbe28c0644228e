// Bodies with walls, ribs and slots that fall between the columns of an image: combs, gratings,
// heat sinks and rods.
#pragma once

#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mesh/polygon.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll::test {

/// A simple polygon in y and z, counterclockwise, drawn along x from 0 to `length`: one shell.
inline TriangleMesh drawn_out(const std::vector<Vec2>& profile, double length) {
  const auto n = static_cast<std::uint32_t>(profile.size());
  TriangleMesh mesh;
  for (const double x : {0.0, length})
    for (const Vec2& p : profile) mesh.vertices.emplace_back(x, p.x(), p.y());
  Polygons polygons;
  const auto add = [&](const std::vector<std::uint32_t>& corners) {
    polygons.add_fan(mesh.triangles.size(), corners.size());
    PolygonFan fan(mesh.triangles);
    for (const std::uint32_t v : corners) fan.add_corner(v);
  };
  std::vector<std::uint32_t> front, back;
  for (std::uint32_t k = 0; k < n; ++k) {
    back.push_back(n - 1 - k);
    front.push_back(n + k);
  }
  add(back);
  add(front);
  for (std::uint32_t k = 0; k < n; ++k) add({k, (k + 1) % n, n + (k + 1) % n, n + k});
  (void)polygons.split_folded(mesh);
  return mesh;
}

struct Tooth {
  double from, to, height;
};
/// A slab of 1 x `base` over which teeth stand that are given in order, or whose slots they are.
inline std::vector<Vec2> comb_profile(const std::vector<Tooth>& teeth, double base) {
  std::vector<Vec2> profile = {{0, 0}, {1, 0}, {1, base}};
  for (auto tooth = teeth.rbegin(); tooth != teeth.rend(); ++tooth)
    for (const auto& [y, z] : {std::pair(tooth->to, base), std::pair(tooth->to, tooth->height),
                               std::pair(tooth->from, tooth->height), std::pair(tooth->from, base)})
      profile.emplace_back(y, z);
  profile.emplace_back(0, base);
  return profile;
}

/// The slab of 1 x 1 x 0.01 with a rib 3 mm thick and 5 high in its middle, of volume 0.02497: the
/// rib falls between two of 256 columns.
inline TriangleMesh rib_between_columns() {
  return drawn_out(comb_profile({{0.4985, 0.5015, 5}}, 0.01), 1);
}

/// A comb, a grating, a slab with slots, a heat sink, or rods: some 1 across, of walls from 5e-4 to
/// 3e-2 thick; its axes exchanged, and one in four turned.
inline TriangleMesh random_thin_walls(Random& random) {
  const auto thin = [&] { return std::pow(10, random.uniform(-3.3, -1.5)); };
  const double length = random.uniform(0.3, 2);
  std::vector<Tooth> teeth;
  TriangleMesh mesh;
  switch (random.below(5)) {
    case 0:  // a comb
      for (double y = random.uniform(0.02, 0.1); y < 0.8; y += random.uniform(0.15, 0.4))
        teeth.push_back({y, y + thin(), random.uniform(0.5, 5)});
      mesh = drawn_out(comb_profile(teeth, random.uniform(0.005, 0.05)), length);
      break;
    case 1: {  // a grating
      const auto count = 3 + random.below(17);
      const double width = std::pow(10, random.uniform(-3.3, -2)), height = random.uniform(0.1, 2);
      for (std::uint64_t k = 0; k < count; ++k) {
        const double y = (static_cast<double>(k) + 0.5) / static_cast<double>(count);
        teeth.push_back({y - width / 2, y + width / 2, height});
      }
      mesh = drawn_out(comb_profile(teeth, random.uniform(0.005, 0.05)), length);
      break;
    }
    case 2:  // slots
      for (int k = 1; k < 7; ++k)
        teeth.push_back({0.1 * k + random.uniform(0, 0.05), 0.1 * k + random.uniform(0.051, 0.053),
                         1 - random.uniform(0.5, 0.9)});
      mesh = drawn_out(comb_profile(teeth, 1), length);
      break;
    case 3:  // a heat sink: pins on a slab
      mesh = moved(make_box({1, 1, 0.02}), {0.5, 0.5, 0.01});
      for (int k = 0; k < 25; ++k) {
        const double w = thin(), height = random.uniform(0.2, 1);
        mesh = joined(mesh, moved(make_box({w, w, height}),
                                  {0.1 + 0.2 * (k % 5), 0.1 + 0.2 * (k / 5), 0.02 + height / 2}));
      }
      break;
    default:  // rods
      for (std::uint64_t k = 0, count = 1 + random.below(8); k < count; ++k)
        mesh = joined(mesh, moved(make_box({thin(), thin(), random.uniform(0.3, 3)}),
                                  {0.1 * static_cast<double>(k), random.unit(), random.unit()}));
  }
  const auto turn = static_cast<long>(random.below(3));
  for (Vec3& v : mesh.vertices) v = Vec3(v[turn], v[(turn + 1) % 3], v[(turn + 2) % 3]);
  if (random.below(4) == 0) {
    const Mat3 any = random_turn(random);
    for (Vec3& v : mesh.vertices) v = any * v;
  }
  return mesh;
}

}  // namespace plimsoll::test
