// The engine of buoyancy that draws, beside the exact one.
#include <doctest/doctest.h>
#include <plimsoll/gl_engines.h>

#include <limits>
#include <memory>

#include "support/gl_engine.h"
#include "support/near_exact_engine.h"

namespace plimsoll {

TEST_CASE("images of OpenGL hold bodies up as the exact integrals do, in one pass and by peels") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  for (const ImageAlgorithm algorithm : {ImageAlgorithm::kAdditive, ImageAlgorithm::kPeel}) {
    GlWaterOptions options;
    options.image = test::kImage;
    options.algorithm = algorithm;
    const auto tally = std::make_shared<ImageTally>();
    const Result<std::shared_ptr<BuoyancyEngine>> made = gl_buoyancy(*context, options, tally);
    REQUIRE(made);
    const auto engine = test::filled(*made, test::kinds());
    test::check_near_exact(*engine, StillWater{0.05});
    test::check_near_exact(*engine, test::kWaves);
    CHECK(tally->fragments > 0);
    // Of peels the driver may lose one where two faces share a pixel's depth.
    CHECK(tally->lost_columns < 1e-4 * static_cast<double>(tally->fragments));
  }
}

TEST_CASE("an engine that draws refuses poses and bodies that are not there, and formulas") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const Result<std::shared_ptr<BuoyancyEngine>> made = gl_buoyancy(*context);
  REQUIRE(made);
  BuoyancyEngine& engine = **made;
  const Shape ball{Sphere{0.3}};
  REQUIRE(engine.add(0, ball));
  CHECK(!engine.add(0, ball));
  const SurfaceNow surface = test::surface_at(StillWater{0}, 0, test::kGravity);
  BuoyancyQuery query;
  Buoyancy answer;
  CHECK(engine.answer({&query, 1}, surface, {&answer, 1}));
  CHECK(!engine.answer({&query, 1}, surface, {}));
  query.body = 1;
  CHECK(!engine.answer({&query, 1}, surface, {&answer, 1}));
  query.body = 0;
  query.world_from_body.translation().x() = std::numeric_limits<double>::quiet_NaN();
  CHECK(!engine.answer({&query, 1}, surface, {&answer, 1}));
  const Result<Expression> formula = Expression::parse("x^2+y^2+z^2-1");
  REQUIRE(formula);
  const Shape implicit{ImplicitSolid{*formula, Box3(Vec3::Constant(-2), Vec3::Constant(2))}};
  const auto unavailable = engine.add(2, implicit);
  REQUIRE(!unavailable);
  CHECK(unavailable.error().code == ErrorCode::kUnavailable);
  engine.remove(0);
  query.world_from_body = Pose::Identity();
  CHECK(!engine.answer({&query, 1}, surface, {&answer, 1}));
}

}  // namespace plimsoll
