#include "cliff_jobs.h"

#include <plimsoll/body_pairs.h>
#include <plimsoll/culling.h>
#include <plimsoll/distance.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/overlap.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/surface_queries.h>

#include <memory>
#include <utility>
#include <vector>

#include "water_planes.h"

namespace plimsoll::bench {
namespace {

const Similarity kHere = Similarity::Identity();

/// What was found; ends the program where there is an error, which no row has.
template <class T>
T found(Result<T> result) {
  return std::move(*result);
}

CheckedMesh checked_mesh(TriangleMesh mesh) {
  return found(CheckedMesh::from_triangles(std::move(mesh)));
}
MeshTree tree_of(TriangleMesh mesh, TreeQuality quality = TreeQuality::kTight) {
  return MeshTree(checked_mesh(std::move(mesh)), quality);
}
DistanceTree distance_tree_of(TriangleMesh mesh) { return DistanceTree(tree_of(std::move(mesh))); }

void ask_nearest(SurfaceProbe& probe, const Vec3& point, const Vec3& /*direction*/) {
  (void)found(probe.nearest(point));
}
void ask_winding(SurfaceProbe& probe, const Vec3& point, const Vec3& /*direction*/) {
  (void)found(probe.winding_number(point));
}
void ask_ray(SurfaceProbe& probe, const Vec3& point, const Vec3& direction) {
  (void)found(probe.first_hit({point, direction}));
}
void ask_ray_in_face(SurfaceProbe& probe, const Vec3& point, const Vec3& direction) {
  (void)found(probe.first_hit({{-2, point.y(), 0.5}, {1, 0.3 * direction.y(), 0}}));
}
void ask_ray_along_edge(SurfaceProbe& probe, const Vec3& /*point*/, const Vec3& direction) {
  const double along = direction.x() < 0 ? 1 : 0.5;
  (void)found(probe.first_hit({{-along, 0, 2 + 2 * along}, {1, 0, -2}}));
}

}  // namespace

CliffJob distance(const test::TwoBodies& two) {
  const DistanceTree a = distance_tree_of(two.a), b = distance_tree_of(two.b);
  const auto search = std::make_shared<DistanceSearch>();
  return {a.triangle_count() + b.triangle_count(), [=] {
            (void)found(search->find(a, kHere, b, kHere));
            return std::size_t{0};
          }};
}

CliffJob near_pairs(const test::TwoBodies& two, double distance) {
  const DistanceTree a = distance_tree_of(two.a), b = distance_tree_of(two.b);
  const auto search = std::make_shared<NearPairSearch>();
  return {a.triangle_count() + b.triangle_count(),
          [=] { return found(search->pairs(a, kHere, b, kHere, distance)).size(); }};
}

CliffJob pairs(const test::TwoBodies& two, TreeQuality quality) {
  const MeshTree a = tree_of(two.a, quality), b = tree_of(two.b, quality);
  const auto search = std::make_shared<PairSearch>();
  return {a.triangle_count() + b.triangle_count(),
          [=] { return found(search->pairs(a, kHere, b, kHere)).size(); }};
}

CliffJob overlap(const test::TwoBodies& two) {
  const SolidTree a(tree_of(two.a)), b(tree_of(two.b));
  const auto search = std::make_shared<OverlapSearch>();
  return {a.triangle_count() + b.triangle_count(),
          [=] { return found(search->overlap(a, kHere, b, kHere, {.curve = true})).curve.size(); }};
}

CliffJob self_pairs(TriangleMesh mesh, TreeQuality quality) {
  const MeshTree body = tree_of(std::move(mesh), quality);
  const auto search = std::make_shared<PairSearch>();
  return {body.triangle_count(), [=] { return found(search->self_pairs(body)).size(); }};
}

CliffJob health(TriangleMesh mesh, bool with_pairs) {
  const CheckedMesh body = checked_mesh(std::move(mesh));
  HealthOptions options;
  options.check_self_intersections = with_pairs;
  return {body.view().triangle_count(), [=] {
            (void)examine(body, options);
            return std::size_t{0};
          }};
}

CliffJob mass(TriangleMesh mesh) {
  const CheckedMesh body = checked_mesh(std::move(mesh));
  return {body.view().triangle_count(), [=] {
            (void)mass_properties(body);
            return std::size_t{0};
          }};
}

/// Of points about a body, and directions.
CliffJob probed(TriangleMesh mesh, ProbeQuestion question, TreeQuality quality) {
  constexpr std::size_t kPoints = 64;
  const MeshTree body = tree_of(std::move(mesh), quality);
  const auto probe = std::make_shared<SurfaceProbe>(found(SurfaceProbe::of(body)));
  Random random(1);
  std::vector<std::pair<Vec3, Vec3>> points;
  const Vec3 size = body.box().sizes().cwiseMin(2);  // where a scan is, not a stray triangle
  for (std::size_t i = 0; i < kPoints; ++i) {
    const Vec3 place(random.number(), random.number(), random.number());
    points.emplace_back(body.box().min() + size.cwiseProduct(place), random.direction());
  }
  const auto ask = [question] {
    switch (question) {
      case ProbeQuestion::kNearest:
        return ask_nearest;
      case ProbeQuestion::kWinding:
        return ask_winding;
      case ProbeQuestion::kRayInFace:
        return ask_ray_in_face;
      case ProbeQuestion::kRayAlongEdge:
        return ask_ray_along_edge;
      default:
        return ask_ray;
    }
  }();
  return {body.triangle_count(),
          [=] {
            for (const auto& [point, direction] : points) ask(*probe, point, direction);
            return std::size_t{0};
          },
          kPoints};
}

CliffJob under_water(TriangleMesh mesh, const WaterPlane& water) {
  const SolidTree body(checked_mesh(std::move(mesh)));
  return {body.triangle_count(), [=] {
            (void)body.submersion(water);
            return std::size_t{0};
          }};
}

/// Of a body at the waterline, which moves by 0.001 from question to question.
CliffJob tracked(TriangleMesh mesh) {
  constexpr std::size_t kPlanes = 64;
  const SolidTree body(checked_mesh(std::move(mesh)));
  const auto tracker = std::make_shared<SubmersionTracker>(body);
  return {body.triangle_count(),
          [=] {
            for (std::size_t i = 0; i < kPlanes; ++i)
              (void)tracker->submersion({Vec3::UnitZ(), 0.001 * static_cast<double>(i % 8)});
            return std::size_t{0};
          },
          kPlanes};
}

CliffJob equilibria(TriangleMesh mesh) {
  const SolidTree body(checked_mesh(std::move(mesh)));
  const FloatingBody afloat = floating_body(body, Vec3::Zero(), body.signed_volume() / 2);
  return {body.triangle_count(), [=] { return find_equilibria(afloat).found.size(); }};
}

CliffJob many_bodies(TriangleMesh mesh, std::uint32_t n, double step) {
  const MeshTree body = tree_of(std::move(mesh));
  return {std::size_t{n} * n * body.triangle_count(), [=] {
            BodyPairSearch search;
            for (std::uint32_t i = 0; i < n * n; ++i)
              (void)found(search.add(body, test::place_of_rod(i, n, step)));
            return search.touching().size();
          }};
}

CliffJob scanline(const test::TwoBodies& two, double within) {
  const std::vector<CullBody> bodies = {{checked_mesh(two.a)}, {checked_mesh(two.b)}};
  return {two.a.triangles.size() + two.b.triangles.size(), [=] {
            CullOptions options;
            options.within = within;
            std::size_t count = 0;
            for (const CulledPairs& touching :
                 found(culled_pairs(bodies, found(cull_by_scanline(bodies, options)))))
              count += touching.pairs.size();
            return count;
          }};
}

}  // namespace plimsoll::bench
