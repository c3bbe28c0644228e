// Questions about spheres: packings, covers, and searches over trees of both.
#pragma once

#include <plimsoll/distance.h>
#include <plimsoll/sphere_cover.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/sphere_tree.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include "check_answer.h"
#include "tiny_bodies.h"
#include "tiny_meshes.h"

namespace plimsoll::fuzz {

struct Spheres {
  std::vector<PlacedSphere> inner;
  std::optional<SphereTree> tree;
};

/// Of the mesh as it was given.
inline void check_packing(const Body& body, const SpherePacking& packing, std::size_t most) {
  require(packing.spheres.size() <= most, "more spheres than were asked for");
  require(!body.is_sound || packing.coverage >= 0, "a share below 0, or none");
  require(packing.largest_protrusion >= 0, "a length below 0, or none");
  Box3 box;
  for (const Triangle& t : body.mesh.triangles)
    for (const std::uint32_t v : t) box.extend(body.mesh.vertices[v]);
  const double size = box.sizes().maxCoeff() +
                      0x1p-10 * box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff();
  const double room = 1e-9 * size;
  for (std::size_t i = 0; i < packing.spheres.size(); ++i) {
    const auto& [center, radius] = packing.spheres[i];
    require(radius > 0, "a sphere without size");
    const double outside = (box.min() - center).cwiseMax(center - box.max()).maxCoeff() + radius;
    require(is_at_most(outside, room), "a sphere that leaves the box");
    for (std::size_t j = 0; j < i; ++j)
      require(is_at_most(radius + packing.spheres[j].radius,
                         length(center - packing.spheres[j].center) + room),
              "spheres that overlap");
  }
}

/// Whether searches for spheres end soon: not in slivers.
inline bool is_thick(const Body& body) {
  if (!body.is_sound || !body.own.are_usual()) return false;
  const double room = body.solid.box().sizes().prod();
  return std::fabs(body.solid.signed_volume()) > 0.02 * room;
}

/// A few balls that contain all corners at least.
inline void check_cover(const Body& body, const ClosedMesh& solid) {
  int calls = 0;
  const Result<SphereCover> cover =
      cover_with_spheres(solid, {.max_count = 2, .progress = [&](double) { return ++calls < 3; }});
  if (!is_answered(cover)) return;
  require(!cover->spheres.empty() && cover->spheres.size() <= 2, "a wrong count");
  require(cover->largest_protrusion >= 0, "a length below 0");
  for (const Triangle& t : body.mesh.triangles)
    for (const std::uint32_t v : t) {
      const Vec3& corner = body.mesh.vertices[v];
      require(std::any_of(cover->spheres.begin(), cover->spheres.end(),
                          [&](const PlacedSphere& sphere) {
                            return (corner - sphere.center).norm() <= (1 + 1e-9) * sphere.radius;
                          }),
              "a corner that no sphere covers");
    }
}

inline Spheres check_spheres(const Body& body, Bytes& bytes) {
  constexpr std::size_t kMost = 6;
  Spheres spheres;
  const Result<ClosedMesh> solid = ClosedMesh::from_triangles(body.mesh);
  const std::uint8_t choice = bytes.byte();
  if (!solid) return spheres;
  const Result<SpherePacking> packing =
      pack_spheres_on_lattice(*solid, 4 + choice % 4, {.max_count = kMost});
  if (is_answered(packing)) {
    check_packing(body, *packing, kMost);
    SphereTreeOptions options;
    options.branching = 2 + choice / 4 % 4;
    options.secondary = static_cast<SecondaryRadii>(choice / 16 % 3);
    options.resolution = 4;
    Result<SphereTree> tree = SphereTree::create(*solid, packing->spheres, options);
    if (is_answered(tree)) {
      require(tree->spheres().size() == packing->spheres.size(), "a wrong count");
      spheres = {packing->spheres, *std::move(tree)};
    }
  }
  if (!is_thick(body)) return spheres;
  if (choice / 64 == 1) {
    const Result<SpherePacking> free = pack_spheres(*solid, {.max_count = 3});
    if (is_answered(free)) check_packing(body, *free, 3);
  }
  if (choice / 64 == 2) check_cover(body, *solid);
  return spheres;
}

/// A ball around all of a mesh.
inline PlacedSphere ball_around(const Body& body) {
  const Box3 box = body.solid.box();
  return {box.center(), with_room(length(box.sizes() / 2)) +
                            1e-12 * box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff()};
}

inline void check_sphere_search(const TwoBodies& two, const Spheres& of_a, const Spheres& of_b,
                                const std::optional<Pairs>& touching,
                                const std::optional<SurfaceDistance>& surfaces,
                                const std::optional<Containment>& inside) {
  if (!of_a.tree || !of_b.tree) return;
  const auto& [a, b] = std::tie(two.a, two.b);
  const bool are_apart = two.are_sound() && surfaces && inside == Containment::kNone;
  SphereSearch search;
  const Result<bool> meet = search.spheres_meet(*of_a.tree, a.pose, *of_b.tree, b.pose);
  require(is_answered(meet), "refused without need");
  if (are_apart) require(!*meet, "spheres of solids that are apart");
  const auto distance = search.distance(*of_a.tree, a.pose, *of_b.tree, b.pose);
  if (is_answered(distance)) {
    require(distance->lower >= 0 && distance->lower <= distance->upper, "bounds out of order");
    if (are_apart)
      require(is_at_most(distance->lower, with_room(surfaces->upper)) &&
                  is_at_most(surfaces->lower, with_room(distance->upper)),
              "bounds that exclude the distance");
  }
  const auto triangles = search.touching_triangles(*of_a.tree, a.pose, *of_b.tree, b.pose, kWork);
  if (is_answered(triangles) && touching)
    require(holds_all(*touching, Pairs(triangles->begin(), triangles->end())),
            "triangles that do not touch");
  const auto shared = search.volume(*of_a.tree, a.pose, *of_b.tree, b.pose);
  if (is_answered(shared)) {
    require(shared->lower >= 0 && shared->lower <= shared->upper, "bounds out of order");
    if (are_apart) require(is_at_most(shared->lower, 0), "a volume that solids apart share");
  }
  const PlacedSphere around_a = ball_around(a), around_b = ball_around(b);
  const auto bounds =
      distance_bounds({of_a.inner, {&around_a, 1}}, a.pose, {of_b.inner, {&around_b, 1}}, b.pose);
  if (!is_answered(bounds)) return;
  require(bounds->lower >= 0 && bounds->lower <= bounds->upper, "bounds out of order");
  if (are_apart)
    require(is_at_most(bounds->lower, with_room(surfaces->upper)) &&
                is_at_most(surfaces->lower, with_room(bounds->upper)),
            "bounds that exclude the distance");
}

}  // namespace plimsoll::fuzz
