// What the tests of buoyancy on OpenGL share: an engine, bodies in water, comparisons.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/gl_water_image.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <vector>

#include "core/random.h"
#include "support/gl_engine.h"
#include "support/surface_at.h"
#include "support/water_cases.h"

namespace plimsoll::test {

inline constexpr double kGravity = 9.80665;
inline constexpr ImageAlgorithm kBoth[] = {ImageAlgorithm::kAdditive, ImageAlgorithm::kPeel};

/// Made once; null where nothing draws.
inline GlWaterImage* engine() { return engine_on_gl<GlWaterImage>(); }

inline GlMeshId uploaded(const TriangleMesh& mesh) {
  const Result<GlMeshId> id = engine()->upload(test::checked(mesh));
  REQUIRE(id);
  return *id;
}

inline WaterImage measured(const GlWaterBody& body, const SurfaceNow& surface,
                           const GlWaterOptions& options = {}) {
  const Result<WaterImage> image = engine()->measure(body, surface, options);
  REQUIRE_MESSAGE(image, image.error().message);
  return *image;
}

inline WaterImage in_still_water(const TriangleMesh& mesh, double height,
                                 const GlWaterOptions& options) {
  const FluidSurface water = StillWater{height};
  return measured({uploaded(mesh)}, test::surface_at(water, 0, kGravity), options);
}

inline GlWaterOptions peeling(CapRule cap = CapRule::kTexture) {
  return {.image = {}, .algorithm = ImageAlgorithm::kPeel, .cap = cap};
}

inline void check_equal(const WaterImage& a, const WaterImage& b) {
  CHECK(a.buoyancy.volume == b.buoyancy.volume);
  CHECK(a.buoyancy.center == b.buoyancy.center);
  CHECK(a.buoyancy.lift == b.buoyancy.lift);
  CHECK(a.buoyancy.lift_moment == b.buoyancy.lift_moment);
  CHECK(a.second_moments == b.second_moments);
  CHECK(a.peels == b.peels);
  CHECK(a.fragments == b.fragments);
  CHECK(a.unbalanced_columns == b.unbalanced_columns);
}

inline void check_near(const WaterImage& a, const WaterImage& b, double tolerance) {
  CHECK(std::fabs(a.buoyancy.volume - b.buoyancy.volume) <= tolerance);
  CHECK((a.buoyancy.center * a.buoyancy.volume - b.buoyancy.center * b.buoyancy.volume).norm() <=
        tolerance);
  CHECK((a.buoyancy.lift - b.buoyancy.lift).norm() <= tolerance);
  CHECK((a.buoyancy.lift_moment - b.buoyancy.lift_moment).norm() <= tolerance);
  CHECK((a.second_moments - b.second_moments).norm() <= tolerance);
}

/// One body in one pose under one surface.
struct Case {
  TriangleMesh mesh;
  Similarity pose;
  FluidSurface surface;
};

/// Embedded solids, no walls of which are so thin that float32 cannot tell their sides apart.
inline std::vector<Case> random_cases(int count, std::uint64_t seed) {
  const std::vector<TriangleMesh> meshes = {make_box({1, 1, 1}), make_sphere(1, 9, 12),
                                            make_torus(1, 0.4, 24, 12), make_cone(1, 2, 9),
                                            make_torus_knot({}, 80, 10)};
  Random random(seed);
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) {
    const TriangleMesh& mesh = meshes[random.below(meshes.size())];
    cases.push_back({mesh, Similarity(random_pose(random, 0.3)), random_surface(random, i)});
  }
  return cases;
}

}  // namespace plimsoll::test
