// Heave: the level at which a body displaces what it weighs, and what follows from it.
#include <plimsoll/assert.h>
#include <plimsoll/floating.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hydro/heave.h"
#include "hydro/water_plane.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

/// Heights of the lowest and highest corner of a box along `up`.
struct Extent {
  double low, high;
};
Extent extent_along(const Box3& box, const Vec3& up) {
  const double middle = up.dot(box.center());
  const double half = up.cwiseAbs().dot(box.sizes()) / 2;
  const double room = 1e-9 * half + 4 * std::numeric_limits<double>::epsilon() * std::fabs(middle);
  return {middle - half - room, middle + half + room};
}

}  // namespace

HeaveState heave(const FloatingBody& body, const Vec3& up, std::optional<double> guess,
                 double tolerance) {
  PLIMSOLL_ASSERT(floats(body), "the body floats");
  Extent bracket = extent_along(body.box, up);
  double level = guess.value_or(bracket.low / 2 + bracket.high / 2);
  level = std::clamp(level, bracket.low, bracket.high);
  HeaveState best;
  const double enough = tolerance * body.displacement + 0x1p-52 * body.volume;
  constexpr int kMaxSteps = 200;  // bisection alone needs some 60
  for (int step = 0; step < kMaxSteps; ++step) {
    const Submersion wet = body.solid->submersion({up, level});
    const double missing = body.displacement - wet.volume;
    if (step == 0 || std::fabs(missing) < std::fabs(best.missing)) best = {level, wet, missing};
    if (std::fabs(missing) <= enough) break;
    (missing > 0 ? bracket.low : bracket.high) = level;
    double next = level + missing / wet.waterplane.area;
    // Newton where it stays in the bracket, which also refuses NaN; else, and now and then where it
    // is slow, halve.
    const bool is_slow = step > 20 && step % 3 == 0;
    if (is_slow || !(next > bracket.low && next < bracket.high))
      next = bracket.low / 2 + bracket.high / 2;
    if (next == level || next == bracket.low || next == bracket.high) break;
    level = next;
  }
  return best;
}

double full_displacement(const FloatingBody& body) {
  return 1e-15 * body.displacement + 0x1p-52 * body.volume;
}

/// Of what does not float.
FloatingState unknown_state() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  FloatingState state;
  state.up.setConstant(kNaN);
  state.level = state.energy = kNaN;
  state.wet = unknown_submersion();
  state.righting_arm.setConstant(kNaN);
  state.metacentric_heights.setConstant(kNaN);
  state.heel_axes.setConstant(kNaN);
  return state;
}

FloatingState state_of(const FloatingBody& body, const Vec3& up, const HeaveState& heave) {
  FloatingState state;
  state.up = up;
  state.level = heave.level;
  state.wet = heave.wet;
  const WaterSection& section = heave.wet.waterplane;
  Vec3 center = heave.wet.center_of_buoyancy;
  // A body of which nothing is under water is held up nowhere: it has no arm.
  if (heave.wet.volume == 0) center.setConstant(std::numeric_limits<double>::quiet_NaN());
  // What is missing is a layer on the waterplane: to first order, that is where it adds.
  if (section.area > 0) center += heave.missing / body.displacement * (section.center - center);
  const Vec3 apart = body.center_of_mass - center;
  state.energy = up.dot(apart);
  state.righting_arm = apart - state.energy * up;
  const Mat2 hessian = section.second_moments / body.displacement - state.energy * Mat2::Identity();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(hessian);
  state.metacentric_heights = eigen.eigenvalues();
  state.heel_axes = eigen.eigenvectors().transpose() * section.axes;
  return state;
}

FloatingState float_upright(const FloatingBody& body, const Vec3& given,
                            std::optional<double> guess) {
  constexpr double kUnit = 1e-9;
  const Vec3 up =
      std::fabs(given.squaredNorm() - 1) <= kUnit ? given : Vec3(given.stableNormalized());
  if (!floats(body) || !up.allFinite() || up.isZero(0)) return unknown_state();
  if (guess && !std::isfinite(*guess)) guess.reset();
  return state_of(body, up, heave(body, up, guess, 1e-15));
}

Pose world_from_body(const FloatingState& state, const Mat3& rotation) {
  const Vec3 up = rotation * state.up;
  Pose world = Pose::Identity();
  world.linear() =
      Eigen::Quaterniond::FromTwoVectors(up, Vec3::UnitZ()).toRotationMatrix() * rotation;
  world.translation() = Vec3(0, 0, -state.level);
  return world;
}

ProjectedSurface FloatingSolid::surface_between(const WaterPlane& /*water*/,
                                                const LeaningPlanes& /*planes*/,
                                                double /*enough*/) const {
  return {};
}

namespace {

class FloatingTree final : public FloatingSolid {
 public:
  explicit FloatingTree(SubmersionTree tree) : tree_(std::move(tree)) {}
  Submersion submersion(const WaterPlane& water) const override {
    return tree_.submersion(water, {.wetted_area = false, .waterplane = true});
  }
  bool knows_surface() const override { return true; }
  ProjectedSurface surface_between(const WaterPlane& water, const LeaningPlanes& planes,
                                   double enough) const override {
    return tree_.surface_between(water, planes, enough);
  }

 private:
  SubmersionTree tree_;
};

/// A box has its surface as triangles too.
class FloatingShape final : public FloatingSolid {
 public:
  FloatingShape(Shape shape, std::optional<SubmersionTree> surface)
      : shape_(std::move(shape)), surface_(std::move(surface)) {}
  Submersion submersion(const WaterPlane& water) const override {
    const Result<Submersion> wet = plimsoll::submersion(shape_, water);
    return wet ? *wet : unknown_submersion();
  }
  bool knows_surface() const override { return surface_.has_value(); }
  ProjectedSurface surface_between(const WaterPlane& water, const LeaningPlanes& planes,
                                   double enough) const override {
    return surface_ ? surface_->surface_between(water, planes, enough) : ProjectedSurface{};
  }

 private:
  Shape shape_;
  std::optional<SubmersionTree> surface_;
};

}  // namespace

// Measured for a scan of 75,000 triangles: 0.38 ms for a start without coarse bodies, 0.24 with one
// of 1,500 triangles, 0.20 with one of 1,900 and for that another of 500.
constexpr std::size_t kWorthCoarse = 2500, kCoarser = 40, kCoarsest = 500;

FloatingBody floating_body(const SubmersionTree& tree, const Vec3& center_of_mass,
                           double displacement) {
  FloatingBody body{std::make_shared<const FloatingTree>(tree),
                    tree.box(),
                    std::fabs(tree.signed_volume()),
                    center_of_mass,
                    displacement,
                    nullptr};
  if (tree.triangle_count() < kWorthCoarse) return body;
  if (const auto coarse = tree.coarse(std::max(kCoarsest, tree.triangle_count() / kCoarser))) {
    const double share = displacement / body.volume;
    body.coarse = std::make_shared<const FloatingBody>(
        floating_body(*coarse, center_of_mass, share * std::fabs(coarse->signed_volume())));
  }
  return body;
}

Result<FloatingBody> floating_body(const Shape& shape, double displacement,
                                   const std::optional<Vec3>& center_of_mass) {
  const Result<ShapeMass> mass = mass_properties(shape);
  if (!mass) return mass.error();
  const MassProperties& solid = mass->body.properties;
  const Vec3 center = center_of_mass.value_or(solid.center_of_mass);
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid)) {
    FloatingBody body = floating_body(SubmersionTree(trusted(posed(*mesh->mesh, shape.pose))),
                                      center, displacement);
    body.volume = solid.volume;
    return body;
  }
  if (const Result<Submersion> wet = submersion(shape, WaterPlane{}); !wet) return wet.error();
  std::optional<SubmersionTree> surface;
  if (const auto* box = std::get_if<BoxSolid>(&shape.solid))
    surface.emplace(trusted(posed(make_box(box->size), shape.pose)));
  return FloatingBody{std::make_shared<const FloatingShape>(shape, std::move(surface)),
                      bounding_box(shape),
                      solid.volume,
                      center,
                      displacement,
                      nullptr};
}

}  // namespace plimsoll
