// A shape from a document is weighed, floated, examined and drawn: each is refused with its reason,
// or answers with the numbers of a body.
#include <plimsoll/equilibrium.h>
#include <plimsoll/floating.h>
#include <plimsoll/fluid_surface.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/shape_health.h>
#include <plimsoll/shape_io.h>
#include <plimsoll/submersion.h>
#include <plimsoll/water_image.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check_answer.h"
#include "columns/columns.h"
#include "picture/body_triangles.h"
#include "picture/mass_picture.h"
#include "picture/waterline_picture.h"

namespace {

using namespace plimsoll;
using fuzz::Bits;
using fuzz::Choices;
using fuzz::is_answered;
using fuzz::is_at_most;
using fuzz::is_error;
using fuzz::require;

// ---- which shapes take little time

/// What of a shape takes time.
struct Parts {
  std::size_t shapes = 0, formulas = 0;
  bool has_surfaces = false;  ///< Meshes and patches.
};

void count(const Shape& shape, Parts& parts) {
  ++parts.shapes;
  if (const auto* boolean = std::get_if<Boolean>(&shape.solid))
    for (const Shape& part : boolean->of) count(part, parts);
  parts.formulas += std::holds_alternative<ImplicitSolid>(shape.solid) ? 1 : 0;
  parts.has_surfaces = parts.has_surfaces || std::holds_alternative<MeshSolid>(shape.solid) ||
                       std::holds_alternative<PatchSolid>(shape.solid);
}

/// Patches become triangles by the pixels of an image: few of low degree, and nowhere thin.
bool are_few(const PatchSurface& surface) {
  constexpr std::size_t kMost = 6;
  constexpr int kHighest = 2;
  constexpr double kLongest = 4, kHeaviest = 2;
  if (surface.patches.size() > kMost) return false;
  double lightest = std::numeric_limits<double>::infinity(), heaviest = 0;
  for (const BezierPatch& patch : surface.patches) {
    if (std::max(patch.degree_u, patch.degree_v) > kHighest) return false;
    for (const WeightedPoint& point : patch.points) {
      lightest = std::min(lightest, point[3]);
      heaviest = std::max(heaviest, point[3]);
    }
  }
  const Vec3 sizes = bounding_box(surface).sizes();
  return heaviest <= kHeaviest * lightest && sizes.maxCoeff() <= kLongest * sizes.minCoeff();
}

bool takes_little_time(const Shape& shape) {
  constexpr std::size_t kMostShapes = 6, kMostFormulas = 2;
  if (const auto* patches = std::get_if<PatchSolid>(&shape.solid))
    return are_few(*patches->surface);
  Parts parts;
  count(shape, parts);
  return parts.shapes <= kMostShapes && parts.formulas <= kMostFormulas && !parts.has_surfaces;
}

bool is_primitive(const Shape& shape) {
  return !std::holds_alternative<Boolean>(shape.solid) &&
         !std::holds_alternative<ImplicitSolid>(shape.solid) &&
         !std::holds_alternative<PatchSolid>(shape.solid) &&
         !std::holds_alternative<MeshSolid>(shape.solid);
}
bool is_of_patches(const Shape& shape) { return std::holds_alternative<PatchSolid>(shape.solid); }

/// Whether columns through formulas are found soon: an image asks for thousands.
bool has_simple_columns(const Shape& shape, int axis) {
  constexpr std::int64_t kWork = 100'000;  // for all
  constexpr int kSide = 5;
  Result<Columns> columns = Columns::of(shape, axis, 0.1);
  if (!columns || !columns->has_formulas() || columns->bounds().isEmpty()) return true;
  columns->limit_work(kWork);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const Box3& box = columns->bounds();
  Columns::Scratch scratch;
  std::vector<Span> spans;
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j)
      columns->spans(box.min()[u] + (i + 0.5) / kSide * box.sizes()[u],
                     box.min()[v] + (j + 0.5) / kSide * box.sizes()[v], scratch, spans);
  return scratch.undecided == 0 && !columns->is_exhausted();
}

// ---- weighed

Bits bits_of(const MassProperties& mass, const MassError& error) {
  Bits bits;
  for (const double number :
       {mass.density, mass.volume, mass.mass, error.volume, error.center_of_mass, error.inertia})
    bits.add(number);
  bits.add(mass.center_of_mass);
  bits.add(mass.inertia);
  return bits;
}

/// How far a point is beyond a box, along the axis where it is farthest.
double beyond(const Box3& box, const Vec3& point) {
  return (box.min() - point).cwiseMax(point - box.max()).maxCoeff();
}

/// What is as large as the numbers of a box are.
double size_of(const Box3& box) {
  return box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff();
}

/// The most that a box may hold whose numbers are rounded.
double volume_of(const Box3& box) {
  if (box.isEmpty()) return 0;
  return (1 + 1e-12) * (box.sizes().array() + 0x1p-50 * size_of(box)).prod();
}

/// Of any surface. Without a volume there is no center, and no error of it.
void check_mass(const MassProperties& mass, const MassError& error) {
  require(mass.volume >= 0, "a volume below 0, or none");
  require(mass.mass >= 0, "a mass below 0, or none");
  if (mass.volume == 0) return;
  require(!mass.center_of_mass.hasNaN(), "a center of mass that is nowhere");
  require(!mass.inertia.hasNaN(), "an inertia that is no number");
  require(is_error(error.volume) && is_error(error.center_of_mass) && is_error(error.inertia),
          "an error that is no number");
}

/// Of a solid.
void check_solid(const Shape& shape, const MassProperties& mass, const MassError& error) {
  constexpr double kRounding = 1e-12;
  if (mass.volume == 0) return;
  const Box3 box = bounding_box(shape);
  require(
      is_at_most(beyond(box, mass.center_of_mass), error.center_of_mass + kRounding * size_of(box)),
      "a center of mass out of the box");
  require(mass.inertia.diagonal().minCoeff() >= 0, "a moment of inertia below 0");
  const double volume = volume_of(box);
  if (std::isnormal(volume))
    require(is_at_most(mass.volume, volume + error.volume), "a solid larger than its box");
}

/// Nothing where there are no exact integrals.
std::optional<ShapeMass> weigh_exactly(const Shape& shape) {
  const Result<ShapeMass> found = mass_properties(shape);
  const Result<ShapeMass> again = mass_properties(Shape(shape));
  require(is_answered(found) == is_answered(again), "a mass the first time only");
  if (!found) {
    require(!is_primitive(shape), "a primitive without a mass");
    return std::nullopt;
  }
  const MassProperties& mass = found->body.properties;
  const MassError& error = found->body.error;
  check_mass(mass, error);
  require(is_at_most(0, found->surface_area), "an area below 0");
  require(bits_of(mass, error) == bits_of(again->body.properties, again->body.error),
          "another mass the second time");
  if (is_primitive(shape)) {
    require(found->is_proven, "a closed form without a bound");
    check_solid(shape, mass, error);
  }
  return *found;
}

void weigh_by_image(const Shape& shape, Choices& choices) {
  ImageOptions options;
  options.width = 1 + choices.below(6);
  options.height = 1 + choices.below(5);
  options.axis = choices.below(3);
  options.coverage = choices.one_in(2) ? Coverage::kExact : Coverage::kPixelCenter;
  if (choices.one_in(2)) options.mass = 3;
  const bool asks_again = choices.one_in(8);
  if (!has_simple_columns(shape, options.axis)) return;
  const Result<ImageMass> found = image_mass_properties(shape, options);
  if (!is_answered(found)) return;
  check_mass(found->properties, found->error_estimate);
  require(found->passes >= 1, "an image that was not drawn");
  if (!asks_again) return;
  const Result<ImageMass> again = image_mass_properties(shape, options);
  require(is_answered(again) && bits_of(found->properties, found->error_estimate) ==
                                    bits_of(again->properties, again->error_estimate),
          "another image the second time");
}

// ---- floated

/// A direction with small whole numbers.
Vec3 direction(Choices& choices) {
  Vec3 normal(choices.below(5) - 2, choices.below(5) - 2, choices.below(5) - 2);
  if (normal.isZero(0)) normal = Vec3::UnitZ();
  return normal;
}

/// Offsets of planes from below a box to above it.
std::vector<double> offsets_over(const Box3& box, const Vec3& normal) {
  const double middle = normal.dot(box.min() / 2 + box.max() / 2);
  const double half = normal.cwiseAbs().dot(box.max() / 2 - box.min() / 2);
  std::vector<double> offsets;
  for (const double share : {-1.2, -0.7, 0.0, 0.4, 1.2}) offsets.push_back(middle + share * half);
  return offsets;
}

/// By what volumes under two planes may differ more than their errors tell: quadrature is right to
/// 1e-12 of the whole, of thin tori to less.
double quadrature_error(const Shape& shape, double whole) {
  constexpr double kUsual = 1e-11, kOfThin = 1e-15;
  const auto* torus = std::get_if<Torus>(&shape.solid);
  return whole *
         (torus == nullptr ? kUsual : std::max(kUsual, kOfThin * torus->major / torus->minor));
}

void submerge(const Shape& shape, const ShapeMass& whole, Choices& choices) {
  const Vec3 normal = direction(choices);
  const double volume = whole.body.properties.volume;
  const double slack = whole.body.error.volume + quadrature_error(shape, volume);
  double before = 0, error_before = 0;
  for (const double offset : offsets_over(bounding_box(shape), normal)) {
    const Result<Submersion> wet = submersion(shape, {normal, offset});
    if (!is_answered(wet)) return;
    require(wet->volume >= 0, "a volume under water below 0, or none");
    require(is_error(wet->volume_error), "an error that is no number");
    require(is_at_most(0, wet->wetted_area) && is_at_most(0, wet->waterplane.area),
            "an area below 0");
    require(is_at_most(wet->volume, volume + wet->volume_error + slack),
            "more under water than there is");
    require(is_at_most(before, wet->volume + wet->volume_error + error_before + slack),
            "less under a higher plane");
    before = wet->volume;
    error_before = wet->volume_error;
  }
}

/// Planes are level, heights as a surface may have them.
void submerge_by_image(const Shape& shape) {
  constexpr WaterImageOptions kFew{.width = 4, .height = 3};
  if (!has_simple_columns(shape, 2)) return;
  const Box3 box = bounding_box(shape);
  const double whole = volume_of(box);
  double before = 0;
  for (const double height : offsets_over(box, Vec3::UnitZ())) {
    const Result<FreeSurface> surface = FreeSurface::create(StillWater{height});
    if (!is_answered(surface)) return;
    const Result<WaterImage> image = water_image(shape, *surface->at(0, 9.8), kFew);
    if (!is_answered(image)) return;
    const double volume = image->buoyancy.volume;
    require(!std::isnan(volume), "a volume that is no number");
    require(is_error(image->volume_error), "an error that is no number");
    if (is_of_patches(shape)) continue;  // they need not bound a solid
    require(volume >= 0, "a volume under water below 0");
    require(is_at_most(volume, (1 + 1e-9) * whole), "more under water than the box holds");
    require(is_at_most(before, volume + 1e-9 * whole), "less under a higher plane");
    before = volume;
  }
}

/// The wet part as a solid of its own.
void cut_at_water(const Shape& shape, Choices& choices) {
  const Vec3 normal = direction(choices);
  const double offset = offsets_over(bounding_box(shape), normal)[2];
  const Result<ShapeInWater> wet = wet_columns(shape, {normal, offset});
  if (!is_answered(wet)) return;
  require(check_shape(wet->shape).has_value(), "a wet part that does not pass its check");
  weigh_by_image(wet->shape, choices);
}

void check_state(const FloatingBody& body, const FloatingState& state) {
  if (!floats(body)) {
    require(std::isnan(state.level), "a level of what does not float");
    return;
  }
  require(std::isfinite(state.level), "a level that is no number");
  require(std::fabs(state.up.norm() - 1) <= 1e-8, "a direction that is not of length 1");
  require(state.wet.volume >= 0, "a volume under water below 0, or none");
  if (state.wet.volume > 0)
    require(state.righting_arm.allFinite() && std::isfinite(state.energy),
            "an arm that is no number");
}

/// Up in the body, and how it floats then.
std::optional<FloatingState> let_float(const Shape& shape, const ShapeMass& whole,
                                       Choices& choices) {
  constexpr double kShares[] = {0.01, 0.25, 0.5, 0.9, 1.5};
  const double displacement =
      kShares[choices.below(std::size(kShares))] * whole.body.properties.volume;
  const Vec3 up = direction(choices);
  const bool rests = choices.one_in(3), looks_for_all = choices.one_in(8);
  const Result<FloatingBody> body = floating_body(shape, displacement);
  if (!is_answered(body)) return std::nullopt;
  const FloatingState state = float_upright(*body, up);
  check_state(*body, state);
  // Tori are integrated numerically, and a search asks for hundreds of planes.
  if (rests && !std::holds_alternative<Torus>(shape.solid)) {
    const std::optional<Equilibrium> rest = come_to_rest(*body, up);
    require(!rest || floats(*body), "a rest of what does not float");
    if (rest) check_state(*body, rest->state);
    if (rest) require(rest->residual >= 0, "a residual that is no number");
  }
  if (looks_for_all && !std::holds_alternative<Torus>(shape.solid)) {
    const Equilibria all = find_equilibria(
        *body, {.starts = 2, .max_searches = 4, .max_states = 100, .max_work = 200});
    for (const Equilibrium& found : all.found) check_state(*body, found.state);
    require(all.lost_starts >= 0, "fewer than no starts lost");
  }
  return floats(*body) ? std::optional(state) : std::nullopt;
}

// ---- examined and drawn

void check_health(const Shape& shape, Choices& choices) {
  const HealthOptions options{.check_self_intersections = choices.one_in(2), .max_looks = 2000};
  const Result<ShapeHealth> health = examine(shape, options);
  if (!is_answered(health)) return;
  require(health->status == worst_of(health->findings), "a status that is not the worst finding");
  if (is_primitive(shape))
    require(health->status == MeshStatus::kOk, "a primitive that is unsound");
  for (const SurfaceHealth& surface : health->surfaces) {
    require(surface.health.status == worst_of(surface.health.findings),
            "a status that is not the worst finding");
    require(is_at_most(0, surface.health.surface_area), "an area below 0");
    require(surface.health.self_intersecting_pairs.has_value() == options.check_self_intersections,
            "pairs that were not asked for, or were");
  }
}

constexpr picture::PixelSize kSmall{80, 60};

void check_picture(const picture::Picture& drawn, const picture::Picture& again) {
  require(drawn.width() == kSmall.width && drawn.height() == kSmall.height,
          "a picture of another size");
  for (std::size_t i = 0; i < drawn.pixels().size(); ++i)
    require(((drawn.pixels()[i] ^ again.pixels()[i]) & 0xFFFFFFu) == 0,
            "another picture the second time");
}

/// As `plimsoll mass --picture` does.
void draw_weighed(const Shape& shape, const ShapeMass& whole) {
  const Result<picture::BodyTriangles> triangles = picture::body_triangles(shape, 0.05);
  if (!is_answered(triangles)) return;
  const TriangleMesh mesh = posed(*triangles->mesh, triangles->body_from_mesh);
  if (!check_mesh(mesh)) return;
  const MassProperties& mass = whole.body.properties;
  picture::MassScene scene;
  scene.parts.push_back({mesh, mass.inverted});
  const Box3 box = bounding_box(shape);
  const double size = box.diagonal().stableNorm();
  if (mass.center_of_mass.allFinite() && beyond(box, mass.center_of_mass) <= 1e-9 * size) {
    scene.center_of_mass = mass.center_of_mass;
    scene.box = picture::equivalent_box(mass);
    if (scene.box && scene.box->half.maxCoeff() > size) scene.box.reset();
  }
  scene.title = "input";
  scene.facts = {{"volume", "1 m"}};
  check_picture(draw_mass(scene, kSmall), draw_mass(scene, kSmall));
}

/// As `plimsoll float --picture` does.
void draw_afloat(const Shape& shape, const ShapeMass& whole, const FloatingState& state) {
  const double size = bounding_box(shape).diagonal().stableNorm();
  Result<std::optional<ShapeMesh>> drawn = to_triangles(shape, 0.05 * size);
  if (!is_answered(drawn) || !*drawn) return;
  const Pose world = world_from_body(state);
  picture::FloatingScene scene;
  scene.mesh = std::move((*drawn)->mesh);
  for (Vec3& v : scene.mesh.vertices) v = world * v;
  if (!check_mesh(scene.mesh)) return;
  scene.center_of_mass = world * whole.body.properties.center_of_mass;
  if (state.wet.volume != 0) scene.center_of_buoyancy = world * state.wet.center_of_buoyancy;
  if (state.wet.waterplane.area != 0) scene.waterplane_center = world * state.wet.waterplane.center;
  scene.metacenter = scene.center_of_mass;
  scene.metacenter[2] += state.metacentric_heights[0];
  scene.title = "input";
  check_picture(draw_waterline(scene, kSmall), draw_waterline(scene, kSmall));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  const Result<ShapeFile> file = read_shape(std::as_bytes(input), "input", {});
  if (!file || !takes_little_time(file->shape)) return 0;
  const Shape& shape = file->shape;
  Choices choices(input);
  weigh_by_image(shape, choices);
  submerge_by_image(shape);
  if (choices.one_in(4)) cut_at_water(shape, choices);
  check_health(shape, choices);
  const bool is_drawn = choices.one_in(2);
  const std::optional<ShapeMass> whole = weigh_exactly(shape);
  if (!whole) return 0;
  submerge(shape, *whole, choices);
  const std::optional<FloatingState> afloat = let_float(shape, *whole, choices);
  if (is_drawn) draw_weighed(shape, *whole);
  if (is_drawn && afloat) draw_afloat(shape, *whole, *afloat);
  return 0;
}
