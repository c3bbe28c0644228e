// Scenes of a few bodies that are hard to draw, drawn from a seed: what falls between pixels, on
// their borders, or into one depth.
#pragma once

#include <plimsoll/culling.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "pairs/pair_cases.h"
#include "support/checked.h"
#include "support/random_mesh.h"

namespace plimsoll::test {

inline constexpr int kCullingCaseKinds = 10;

/// So many triangles, each made by corners().
template <class Corners>
TriangleMesh soup_of(std::uint32_t count, const Corners& corners) {
  TriangleMesh mesh;
  for (std::uint32_t t = 0; t < count; ++t) {
    for (const Vec3& p : corners()) mesh.vertices.push_back(p);
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

/// The meshes of two or three bodies in a cube of side 2 about 0.
inline std::vector<TriangleMesh> culling_meshes(Random& random, int kind) {
  constexpr std::uint32_t kTriangles = 8;
  using Corners = std::array<Vec3, 3>;
  const auto any = [&](double size = 1) -> Vec3 { return size * random_vector(random); };
  const auto power = [&](double low, double high) {
    return std::pow(10.0, random.uniform(low, high));
  };
  const auto two = [&](const auto& corners) {
    return std::vector<TriangleMesh>{soup_of(kTriangles, corners), soup_of(kTriangles, corners)};
  };
  switch (kind) {
    case 0:  // any
      return two([&] { return Corners{any(), any(), any()}; });
    case 1: {  // slivers and needles, of an aspect up to 1e6
      return two([&] {
        const Vec3 a = any(), b = any();
        return Corners{a, b, a + random.unit() * (b - a) + any(power(-6, -2))};
      });
    }
    case 2:  // triangles below the size of a pixel, among large ones
      return two([&] {
        const Vec3 at = any();
        const double size = random.below(2) == 0 ? power(-6, -2) : 1;
        return Corners{at, at + any(size), at + any(size)};
      });
    case 3:  // all of them in a place below the size of a pixel, and one far away
      return two([&] {
        const Vec3 at = random.below(8) == 0 ? any() : Vec3(0.3, -0.2, 0.1);
        return Corners{at + any(1e-3), at + any(1e-3), at + any(1e-3)};
      });
    case 4: {  // edges on the borders of pixels: of a view of 2^n pixels with bodies at its border
      const double cell = std::exp2(-static_cast<double>(random.below(8)));
      const auto on_cells = [&] { return Vec3((any() / cell).array().round() * cell); };
      return two([&] { return Corners{on_cells(), on_cells(), on_cells()}; });
    }
    case 5: {  // seen edge on along an axis, or nearly
      const int axis = static_cast<int>(random.below(3));
      return two([&] {
        Corners corners{any(), any(), any()};
        const double at = std::round(10 * corners[0][axis]) / 10;
        const double off = random.below(2) == 0 ? 0 : power(-8, -2);
        for (Vec3& p : corners) p[axis] = at + off * p[axis];
        return corners;
      });
    }
    case 6: {  // that touch in one corner
      std::vector<TriangleMesh> meshes = two([&] { return Corners{any(), any(), any()}; });
      for (std::size_t t = 0; t < kTriangles; t += 2)
        meshes[1].vertices[3 * t] = meshes[0].vertices[random.below(3 * kTriangles)];
      return meshes;
    }
    case 7: {  // that overlap in one plane, or are there twice
      const Mat3 turn = random.below(2) == 0 ? Mat3(Mat3::Identity()) : random_turn(random);
      std::vector<TriangleMesh> meshes = two([&] {
        Corners corners{any(), any(), any()};
        for (Vec3& p : corners) p = turn * Vec3(p.x(), p.y(), 0.25);
        return corners;
      });
      if (random.below(3) == 0) meshes[1] = meshes[0];
      return meshes;
    }
    case 8: {  // three round bodies, nested or side by side
      const double gap = random.below(2) == 0 ? 0 : power(-6, -1);
      std::vector<TriangleMesh> meshes(3, make_icosphere(0.4, 1));
      for (Vec3& v : meshes[1].vertices) v *= 1 - gap;
      const Vec3 by = random.uniform(0.6, 0.8) * any().normalized();
      for (Vec3& v : meshes[2].vertices) v += by;
      return meshes;
    }
    default: {  // those that pairs are tested with
      const ContactCase c = contact_case(random, static_cast<int>(random.below(kContactCaseKinds)));
      return {posed(c.a, c.world_from_a), posed(c.b, c.world_from_b)};
    }
  }
}

/// Some triangles of each mesh as a mesh of its own: more bodies.
inline std::vector<TriangleMesh> cut_in_two(Random& random,
                                            const std::vector<TriangleMesh>& meshes) {
  std::vector<TriangleMesh> pieces;
  for (const TriangleMesh& mesh : meshes) {
    TriangleMesh some = mesh, others = mesh;
    some.triangles.clear();
    others.triangles.clear();
    for (const Triangle& t : mesh.triangles)
      (random.below(2) == 0 ? some : others).triangles.push_back(t);
    pieces.push_back(std::move(some));
    pieces.push_back(std::move(others));
  }
  return pieces;
}

/// Bodies of these meshes, of any size, turned, or up to 1e6 sizes from the origin, all alike.
inline std::vector<CullBody> culling_case(Random& random, int kind) {
  const double size = random.below(3) == 0 ? std::pow(10.0, random.uniform(-6, 6)) : 1;
  const double far = random.below(4) == 0 ? size * std::pow(10.0, random.uniform(0, 6)) : 0;
  Similarity pose = Similarity::Identity();
  if (random.below(2) == 0) pose.linear() = random_turn(random);
  pose.linear() *= size;
  pose.translation() = far * random_vector(random);
  std::vector<TriangleMesh> meshes = culling_meshes(random, kind);
  if (random.below(4) == 0) meshes = cut_in_two(random, meshes);
  std::vector<CullBody> bodies;
  for (TriangleMesh& mesh : meshes) bodies.push_back({checked(std::move(mesh)), pose});
  return bodies;
}

/// What doubles hold with all, few or no digits.
inline constexpr double kSmallSizes[] = {1e-322, 1e-310, 1e-305, 1e-200, 1e-150, 1e-20};

/// Two bodies, each of two large triangles far from the other's and six of that size about 0.
inline std::vector<CullBody> small_among_large(Random& random, double size) {
  std::vector<CullBody> bodies;
  for (const double side : {-1.0, 1.0}) {
    std::uint32_t count = 0;
    bodies.push_back({checked(soup_of(8, [&] {
      const bool is_large = count++ < 2;
      std::array<Vec3, 3> corners;
      for (Vec3& p : corners)
        p = is_large ? Vec3(Vec3(side, side, side) + 0.3 * random_vector(random))
                     : Vec3(size * random_vector(random));
      return corners;
    }))});
  }
  return bodies;
}

/// The longest side of the box around them.
inline double size_of(const std::vector<CullBody>& bodies) {
  Box3 box;
  for (const CullBody& body : bodies)
    for (std::size_t t = 0; t < body.mesh.view().triangle_count(); ++t)
      for (const std::uint32_t v : body.mesh.view().triangle(t))
        box.extend(body.world_from_body * body.mesh.view().vertex(v));
  return box.sizes().maxCoeff();
}

/// A distance from 1e-3 to 0.3 of their size.
inline double culling_distance(Random& random, const std::vector<CullBody>& bodies) {
  return size_of(bodies) * std::pow(10.0, random.uniform(-3, -0.5));
}

}  // namespace plimsoll::test
