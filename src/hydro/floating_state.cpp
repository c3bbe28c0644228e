// Heave: the level at which a body displaces what it weighs, and what follows from it.
#include <plimsoll/assert.h>
#include <plimsoll/floating.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/rotation.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/number_text.h"
#include "hydro/heave.h"
#include "hydro/units.h"
#include "hydro/water_plane.h"
#include "hydro/water_work.h"
#include "hydro/wet_part.h"
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
    if (step == 0 || std::fabs(missing) < std::fabs(best.missing)) best = {level, wet, missing, 0};
    best.levels = step + 1;
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

Vec3 with_unit_length(const Vec3& v) {
  constexpr double kUnit = 1e-9;
  return std::fabs(v.squaredNorm() - 1) <= kUnit ? v : v.stableNormalized();
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
  // In closed form: the solver by rotations takes ten seconds to compile.
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen;
  eigen.computeDirect(hessian);
  state.metacentric_heights = eigen.eigenvalues();
  // Without a waterplane, under a body's neck or all of it, any two axes will do.
  const Mat23 axes = section.area != 0 ? section.axes : axes_across(up);
  state.heel_axes = eigen.eigenvectors().transpose() * axes;
  return state;
}

FloatingState float_upright(const FloatingBody& body, const Vec3& given,
                            std::optional<double> guess) {
  const Vec3 up = with_unit_length(given);
  if (!floats(body) || !up.allFinite() || up.isZero(0)) return unknown_state();
  if (guess && !std::isfinite(*guess)) guess.reset();
  if (const std::optional<BodyInUnits> own = in_own_units(body)) {
    if (guess) guess = times_power_of_two(*guess, -own->exponent);
    return in_meters(float_upright(own->body, up, guess), own->exponent);
  }
  return state_of(body, up, heave(body, up, guess, 1e-15));
}

Pose world_from_body(const FloatingState& state, const Mat3& rotation) {
  const Vec3 up = rotation * state.up;
  Pose world = Pose::Identity();
  world.linear() = rotation_between(up, Vec3::UnitZ()) * rotation;
  world.translation() = Vec3(0, 0, -state.level);
  return world;
}

ProjectedSurface FloatingSolid::surface_between(const WaterPlane& /*water*/,
                                                const LeaningPlanes& /*planes*/,
                                                double /*enough*/) const {
  return {};
}

std::shared_ptr<const FloatingSolid> FloatingSolid::in_units_of(int /*exponent*/) const {
  return nullptr;
}

std::optional<BodyInUnits> in_own_units(const FloatingBody& body) {
  const int e = unit_exponent(body.box.sizes().maxCoeff());
  if (e == 0) return std::nullopt;
  BodyInUnits own{body, e};
  FloatingBody& sized = own.body;
  sized.box = {times_power_of_two(body.box.min(), -e), times_power_of_two(body.box.max(), -e)};
  sized.center_of_mass = times_power_of_two(body.center_of_mass, -e);
  sized.volume = times_power_of_two(body.volume, -3 * e);
  sized.displacement = times_power_of_two(body.displacement, -3 * e);
  const bool is_number = sized.box.min().allFinite() && sized.box.max().allFinite() &&
                         sized.volume >= std::numeric_limits<double>::min();
  if (!is_number || !floats(sized)) return std::nullopt;
  sized.solid = body.solid->in_units_of(e);
  if (sized.solid == nullptr) return std::nullopt;
  sized.coarse = nullptr;
  return own;
}

namespace {

constexpr SubmersionParts kFloatingParts{.wetted_area = false, .waterplane = true};

class FloatingTree final : public FloatingSolid {
 public:
  explicit FloatingTree(SolidTree tree) : tree_(std::move(tree)) {}
  [[nodiscard]] Submersion submersion(const WaterPlane& water) const override {
    return tree_.submersion(water, kFloatingParts);
  }
  [[nodiscard]] bool knows_surface() const override { return true; }
  [[nodiscard]] ProjectedSurface surface_between(const WaterPlane& water,
                                                 const LeaningPlanes& planes,
                                                 double enough) const override {
    return tree_.surface_between(water, planes, enough);
  }
  [[nodiscard]] std::shared_ptr<const FloatingSolid> in_units_of(int exponent) const override {
    return std::make_shared<const FloatingTree>(tree_.in_units_of(exponent));
  }

  [[nodiscard]] const SolidTree& tree() const { return tree_; }

 private:
  SolidTree tree_;
};

/// A box has its surface as triangles too.
class FloatingShape final : public FloatingSolid {
 public:
  explicit FloatingShape(Shape shape) : shape_(std::move(shape)) {
    if (const auto* box = std::get_if<BoxSolid>(&shape_.solid))
      surface_.emplace(trusted(posed(make_box(box->size), shape_.pose)));
  }
  [[nodiscard]] Submersion submersion(const WaterPlane& water) const override {
    const Result<Submersion> wet = plimsoll::submersion(shape_, water, kFloatingParts);
    return wet ? *wet : unknown_submersion();
  }
  [[nodiscard]] bool knows_surface() const override { return surface_.has_value(); }
  [[nodiscard]] ProjectedSurface surface_between(const WaterPlane& water,
                                                 const LeaningPlanes& planes,
                                                 double enough) const override {
    return surface_ ? surface_->surface_between(water, planes, enough) : ProjectedSurface{};
  }
  [[nodiscard]] std::shared_ptr<const FloatingSolid> in_units_of(int exponent) const override {
    return std::make_shared<const FloatingShape>(plimsoll::in_units_of(exponent, shape_));
  }

 private:
  Shape shape_;
  std::optional<SolidTree> surface_;
};

class CountedSolid final : public FloatingSolid {
 public:
  CountedSolid(std::shared_ptr<const FloatingSolid> solid, WaterWork& work)
      : solid_(std::move(solid)), work_(work) {
    if (const auto* own = dynamic_cast<const FloatingTree*>(solid_.get())) tree_ = &own->tree();
  }
  [[nodiscard]] Submersion submersion(const WaterPlane& water) const override {
    std::uint64_t triangles = 0;
    const Submersion wet = tree_ != nullptr
                               ? counted_submersion(*tree_, water, kFloatingParts, triangles)
                               : solid_->submersion(water);
    work_.add_submersion(triangles);
    return wet;
  }
  [[nodiscard]] bool knows_surface() const override { return solid_->knows_surface(); }
  [[nodiscard]] ProjectedSurface surface_between(const WaterPlane& water,
                                                 const LeaningPlanes& planes,
                                                 double enough) const override {
    std::uint64_t triangles = 0;
    const ProjectedSurface surface = tree_ != nullptr
                                         ? counted_surface(*tree_, water, planes, enough, triangles)
                                         : solid_->surface_between(water, planes, enough);
    work_.add_surface(triangles);
    return surface;
  }
  [[nodiscard]] std::shared_ptr<const FloatingSolid> in_units_of(int exponent) const override {
    return solid_->in_units_of(exponent);
  }

 private:
  std::shared_ptr<const FloatingSolid> solid_;
  const SolidTree* tree_ = nullptr;  // of the solid, if it is one
  WaterWork& work_;
};

}  // namespace

FloatingBody counted(const FloatingBody& body, WaterWork& work) {
  FloatingBody same = body;
  same.solid = std::make_shared<const CountedSolid>(body.solid, work);
  if (body.coarse) same.coarse = std::make_shared<const FloatingBody>(counted(*body.coarse, work));
  return same;
}

// Measured for a scan of 75,000 triangles: 0.38 ms for a start without coarse bodies, 0.24 with one
// of 1,500 triangles, 0.20 with one of 1,900 and for that another of 500.
constexpr std::size_t kWorthCoarse = 2500, kCoarser = 40, kCoarsest = 500;

FloatingBody floating_body(const SolidTree& tree, const Vec3& center_of_mass, double displacement) {
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

namespace {

/// Whether numbers tell the poses of a body apart. Centers of buoyancy are rounded to 1e-16 of the
/// longest side L; beside a body whose volume V is less than 1e-36 L^3, so that its cube root is
/// 1e-12 L, an arm so long is no longer small.
Result<void> check_floatable(double volume, const Box3& box) {
  constexpr double kLeast = 1e-36;
  if (volume == 0) return {};
  const double longest = box.sizes().maxCoeff();
  if (!std::isfinite(volume) || !std::isfinite(longest))
    return Error{ErrorCode::kInvalidArgument,
                 "found a volume or a length beyond 1.8e308, the largest number: its sum overflows",
                 "shape"};
  const int e = exponent_of(longest);
  const double side = times_power_of_two(longest, -e);
  const double share = times_power_of_two(volume, -3 * e) / (side * side * side);
  if (share >= kLeast) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found a body that fills " + digits(share) +
                   " of the cube of its longest side, expected 1e-36 at least: it is so thin that "
                   "rounding moves its center of buoyancy farther than water can",
               "shape"};
}

}  // namespace

Result<FloatingBody> floating_body(const Shape& shape, double displacement,
                                   const std::optional<Vec3>& center_of_mass) {
  const Result<ShapeMass> mass = mass_properties(shape);
  if (!mass) return mass.error();
  const MassProperties& solid = mass->body.properties;
  if (Result<void> usable = check_floatable(solid.volume, bounding_box(shape)); !usable)
    return usable.error();
  const Vec3 center = center_of_mass.value_or(solid.center_of_mass);
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid)) {
    FloatingBody body =
        floating_body(SolidTree(trusted(posed(*mesh->mesh, shape.pose))), center, displacement);
    body.volume = solid.volume;
    return body;
  }
  if (const Result<Submersion> wet = submersion(shape, WaterPlane{}); !wet) return wet.error();
  return FloatingBody{std::make_shared<const FloatingShape>(shape),
                      bounding_box(shape),
                      solid.volume,
                      center,
                      displacement,
                      nullptr};
}

}  // namespace plimsoll
