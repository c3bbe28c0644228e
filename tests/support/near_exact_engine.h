// An engine of buoyancy by image beside the exact one.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/engines.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <memory>
#include <vector>

#include "core/random.h"
#include "support/sanitizers.h"
#include "support/surface_at.h"
#include "support/world_bodies.h"

namespace plimsoll::test {

inline constexpr double kGravity = 9.80665;

inline std::vector<Shape> kinds() {
  const auto bumpy = std::make_shared<const TriangleMesh>(make_bumpy_sphere(0.3, 0.4, 10, 14));
  Shape small{MeshSolid{bumpy}};
  small.pose = Similarity(Eigen::Scaling(0.5));
  return {{BoxSolid{{0.6, 0.4, 0.3}}}, {Sphere{0.3}}, {Torus{0.3, 0.1}}, {MeshSolid{bumpy}}, small};
}

inline std::vector<BuoyancyQuery> strewn(Random& random, std::size_t count) {
  std::vector<BuoyancyQuery> queries;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec4 turn(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                    random.uniform(-1, 1));
    Pose pose = Pose::Identity();
    pose.linear() = Eigen::Quaterniond(turn.normalized()).toRotationMatrix();
    pose.translation() =
        Vec3(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-0.5, 0.5));
    queries.push_back({static_cast<std::uint32_t>(i), pose});
  }
  return queries;
}

inline constexpr int kRounds = kAddressSanitizer ? 2 : 10;

/// At 48 x 48 pixels the 4 x 48 along the outline are off, by either sign, by their area times the
/// depth of a column a pixel's diagonal inside it, a quarter of the body's: 1.4e-3 of the box is
/// the standard deviation of their sum, of which 1e-2 is seven; likewise of moments over its size.
inline void check_near_exact(BuoyancyEngine& engine, const FluidSurface& fluid) {
  const std::vector<Shape> shapes = kinds();
  const auto exact = filled(exact_buoyancy(), shapes);
  Random random(3);
  for (int round = 0; round < kRounds; ++round) {
    const SurfaceNow surface = surface_at(fluid, 0.3 * round, kGravity);
    const std::vector<BuoyancyQuery> queries = strewn(random, shapes.size());
    std::vector<Buoyancy> expected(queries.size()), found(queries.size());
    REQUIRE(exact->answer(queries, surface, expected));
    REQUIRE(engine.answer(queries, surface, found));
    for (std::size_t i = 0; i < queries.size(); ++i) {
      CAPTURE(i);
      const Box3 box = bounding_box(shapes[i]);
      const double bound = 1e-2 * box.volume();
      const Vec3 at = queries[i].world_from_body.translation();
      const auto moment = [&](const Buoyancy& b) { return Vec3(b.volume * (b.center - at)); };
      CHECK(std::fabs(found[i].volume - expected[i].volume) <= bound);
      CHECK((found[i].lift - expected[i].lift).norm() <= bound);
      if (expected[i].volume > 0 && found[i].volume > 0)
        CHECK((moment(found[i]) - moment(expected[i])).norm() <= bound * box.diagonal().norm());
    }
  }
}

inline const Waves kWaves{0.1, {{0.05, 2, 30, 0}, {0.03, 1, 100, 1}}};
inline const WaterImageOptions kImage{.width = 48, .height = 48};

}  // namespace plimsoll::test
