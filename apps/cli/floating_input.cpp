#include "floating_input.h"

#include <fmt/format.h>
#include <plimsoll/elementary.h>
#include <plimsoll/rotation.h>
#include <plimsoll/shape.h>

#include <cmath>
#include <limits>

#include "diagnosis.h"
#include "failure.h"
#include "far_off.h"
#include "text.h"
#include "work_option.h"

namespace plimsoll::cli {
namespace {

void put(Shape& shape, const Similarity& pose) {
  if (auto* solid = std::get_if<MeshSolid>(&shape.solid)) {
    *solid = posed(*solid, pose);
  } else {
    shape.pose = pose * shape.pose;
  }
}

void scale_shape(Shape& shape, double scale) {
  if (scale == 1) return;
  put(shape, Similarity(Eigen::Scaling(scale)));
}

/// Patches float as triangles, within 1e-4 of their size: it is said.
void cut_patches(FloatingInput& input) {
  if (!std::holds_alternative<PatchSolid>(input.shape.solid)) return;
  Result<std::optional<ShapeMesh>> cut =
      to_triangles(input.shape, 1e-4 * bounding_box(input.shape).diagonal().norm());
  if (!cut) throw failure_of(cut.error());
  ShapeMesh& drawn = **cut;
  input.notices->say(
      input.name,
      {"tessellated", fmt::format("the patches are cut into {} triangles, no farther than {:.2g} m "
                                  "from them",
                                  drawn.mesh.triangles.size(), drawn.deviation)});
  input.shape = {MeshSolid{std::make_shared<const TriangleMesh>(std::move(drawn.mesh))}};
}

void judge_body(FloatingInput& input, bool partial, const HealthOptions& health) {
  input.verdict = judge(input.name, input.shape, partial, health);
  say_faulty_parts(input.name, input.verdict, *input.notices);
  input.status = input.verdict.status();
  const auto* solid = std::get_if<MeshSolid>(&input.shape.solid);
  if (solid == nullptr) return;
  input.mesh = checked_mesh(*solid->mesh);
  if (input.verdict.has_rim()) input.rim = rim_points(input.mesh);
}

/// What is wrong with a body without volume is what its status says.
void require_volume(const FloatingInput& input) {
  if (input.body.volume != 0 || has_bound(input.status)) return;
  const bool is_flat = input.status == Status::kZeroVolume;
  throw Failure{kRejected, to_string(input.status),
                is_flat ? "found a body that encloses nothing, expected a solid"
                        : fmt::format("found a surface whose volume is 0 ({}), expected a solid",
                                      in_words(input.status)),
                input.name};
}

/// Products and quotients of numbers may be none: volume and mass have to be. A displacement beyond
/// them is that of a body that sinks.
void weigh(FloatingInput& input, const FloatingArguments& arguments, double given) {
  const auto require_number = [&](const char* what, double found, const char* unit) {
    if (std::isnormal(found)) return;
    throw Failure{kRejected, to_string(Status::kTolerance),
                  fmt::format("found a {} {}, expected one that numbers hold: take a {} body, or "
                              "its measures in another unit",
                              what,
                              found > 1 ? fmt::format("beyond 1.8e308 {}, the largest number", unit)
                                        : fmt::format("below 2.2e-308 {}, the smallest number that "
                                                      "has all its digits",
                                                      unit),
                              found > 1 ? "smaller" : "larger"),
                  input.name};
  };
  require_number("volume", input.body.volume, "m^3");
  input.mass = arguments.mass ? given : given * input.body.volume;
  require_number("mass", input.mass, "kg");
  input.body.displacement = input.mass / input.rho;
  if (input.body.displacement < input.body.volume)
    require_number("displacement", input.body.displacement, "m^3");
}

/// About the middle of the rim, so that a flat lid on it would add nothing.
double volume_up_to(const std::vector<Vec3>& rim, const TriangleMesh& mesh) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : rim) middle += p / static_cast<double>(rim.size());
  double sixfold = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - middle, b = mesh.vertices[t[1]] - middle;
    sixfold += a.dot(b.cross(mesh.vertices[t[2]] - middle));
  }
  return std::fabs(sixfold) / 6;
}

/// The filling of an open mesh is not known: neither its mass by a density, nor its center.
void weigh_open(FloatingInput& input, const FloatingArguments& arguments) {
  if (input.rim.empty()) return;
  if (const auto* solid = std::get_if<MeshSolid>(&input.shape.solid))
    input.body.volume = volume_up_to(input.rim, *solid->mesh);
  input.is_weighed = arguments.mass && arguments.com;
  if (input.is_weighed) return;
  input.notices->say(
      input.name,
      {to_string(input.verdict.surface()->findings.open ? Status::kOpen : Status::kInconsistent),
       fmt::format("the mesh is {}, so that what it is filled with is not known: --mass and --com "
                   "say how heavy it is, and where",
                   input.verdict.rim_fault())});
}

/// Throws Failure where the shape has no exact integrals.
FloatingBody afloat(const FloatingInput& input, const std::optional<Vec3>& com) {
  Result<FloatingBody> body = floating_body(input.shape, 1, com);
  if (body) return std::move(*body);
  Failure failure = failure_of(body.error());
  if (body.error().code == ErrorCode::kUnavailable)
    failure.message =
        "formulas and Booleans have no exact integrals under a plane, and at rest by image they "
        "are "
        "not available in this version; `plimsoll simulate --method image` lets them float";
  failure.where = input.name;
  throw failure;
}

}  // namespace

void FloatingInput::judge_state(const FloatingState& state) {
  if (is_held_up(body, state)) return;
  if (is_sound(status)) status = Status::kTolerance;
  notices->say(name, {"rounding",
                      fmt::format("the body is so thin that no level puts {:.6g} m^3 of it under "
                                  "water: the nearest {:.6g} m^3",
                                  body.displacement, state.wet.volume)});
}

double FloatingInput::lowest(const Vec3& up) const {
  double low = std::numeric_limits<double>::infinity();
  if (const auto* solid = std::get_if<MeshSolid>(&shape.solid)) {
    for (const Vec3& v : solid->mesh->vertices) low = std::min(low, up.dot(v));
    return low;
  }
  // The box of the shape turned so that `up` is z.
  Shape turned = shape;
  turned.pose = rotation_between(up, Vec3::UnitZ()) * shape.pose;
  return bounding_box(turned).min()[2];
}

std::optional<double> FloatingInput::rim_lowest(const FloatingState& state) const {
  std::optional<double> lowest;
  for (const Vec3& p : rim) {
    const double height = state.up.dot(p) - state.level;
    lowest = std::min(lowest.value_or(height), height);
  }
  return lowest;
}

void FloatingInput::set_dry() {
  if (rim.empty() || !is_weighed) return;
  status = verdict.status(RimUse::kDry);
  if (is_lost && is_sound(status)) status = Status::kTolerance;
}

bool FloatingInput::is_at_rest(const FloatingState& state) const {
  return state.righting_arm.norm() <= 1e-9 * elementary::cbrt(body.volume);
}

Vec3 FloatingInput::in_file(const Vec3& direction) const {
  const Mat3 linear = body_from_file.linear();
  return linear.transpose() * direction / elementary::cbrt(linear.determinant());
}

Attitude FloatingInput::attitude(const FloatingState& state) const {
  return attitude_of(in_file(state.up), is_held ? Vec3(Vec3::UnitZ()) : up);
}

Attitude attitude_of(const Vec3& up, const Vec3& upright) {
  const bool is_along_x = std::fabs(upright[0]) > 1 - 1e-12;
  Vec3 axis = is_along_x ? Vec3::UnitY() : Vec3::UnitX();
  axis = (axis - axis.dot(upright) * upright).normalized();
  const Vec3 across = up - axis.dot(up) * axis;
  return {-elementary::atan2(axis.dot(upright.cross(across)), upright.dot(across)),
          elementary::asin(std::clamp(axis.dot(up), -1.0, 1.0))};
}

Vec3 parse_point(const std::string& text, const char* option) {
  const auto failure = [&](const char* expected) {
    return usage_failure(fmt::format("found \"{}\", expected {}", printable(text), expected),
                         option);
  };
  Vec3 point;
  bool some_have_units = false, some_have_none = false;
  std::string_view left = text;
  for (int i = 0; i < 3; ++i) {
    const std::size_t end = left.find(',');
    const std::string_view field = left.substr(0, end);
    const std::optional<double> length = meters_of(field);
    if (!length || !std::isfinite(*length) || (end == std::string_view::npos) != (i == 2))
      throw failure("three lengths with commas between them, in meters or with a unit, as in 10mm");
    point[i] = *length;
    if (!parse_number(field))
      some_have_units = true;
    else if (*length != 0)
      some_have_none = true;
    if (i < 2) left.remove_prefix(end + 1);
  }
  if (some_have_units && some_have_none)
    throw failure("a unit on each number but zeros, or on none");
  return point;
}

Vec3 parse_vector(const std::string& text, const char* option) {
  Vec3 v;
  parse_numbers(text, option, {v.data(), 3});
  return v;
}

Vec3 parse_direction(const std::string& text, const char* option) {
  const Vec3 v = parse_vector(text, option);
  if (v.isZero(0)) throw usage_failure("found 0,0,0, expected a direction", option);
  return v.stableNormalized();
}

WaterPlane parse_plane(const std::optional<std::string>& text, const char* option) {
  if (!text) throw usage_failure("found none, expected NX,NY,NZ,D", option);
  double numbers[4];
  std::string_view left = *text;
  for (int i = 0; i < 4; ++i) {
    const std::size_t end = left.find(',');
    const std::string_view field = left.substr(0, end);
    const std::optional<double> number = i < 3 ? parse_number(field) : meters_of(field);
    if (!number || !std::isfinite(*number) || (end == std::string_view::npos) != (i == 3))
      throw usage_failure(fmt::format("found \"{}\", expected NX,NY,NZ,D: a direction of three "
                                      "numbers, and a length in meters or with a unit, as in 10mm",
                                      printable(*text)),
                          option);
    numbers[i] = *number;
    if (i < 3) left.remove_prefix(end + 1);
  }
  const WaterPlane plane{{numbers[0], numbers[1], numbers[2]}, numbers[3]};
  if (plane.normal.isZero(0))
    throw usage_failure("found the normal 0,0,0, expected a direction", option);
  return plane;
}

void declare_floating(CommandLine& line, FloatingArguments& arguments, bool with_pose) {
  declare_body(line, arguments.body, with_pose);
  line.option("--mass", "M", arguments.mass, "Mass of the body [kg]");
  line.option("--density", "D", arguments.density, "Mean density of the body [kg/m^3], instead");
  line.option("--com", "X,Y,Z", arguments.com,
              "Center of mass, in the file's frame [m], or 0,0,10mm (evenly filled)");
  line.option("--rho", "R", arguments.rho, "Density of the water [kg/m^3] (1025)");
  line.option("--up", "X,Y,Z", arguments.up, "Outward normal of the water (0,0,1)");
}

FloatingInput read_floating(const FloatingArguments& arguments, const char* command, bool held) {
  FloatingInput input;
  const HealthOptions health = examination(arguments.max_work);
  if (arguments.mass && arguments.density)
    throw usage_failure("--density and --mass exclude each other");
  if (!arguments.mass && !arguments.density)
    throw usage_failure("found neither --mass nor --density, expected one: how heavy is the body?");
  if (arguments.rho) input.rho = parse_positive(*arguments.rho, "--rho");
  if (arguments.up) input.up = parse_direction(*arguments.up, "--up");
  const double given = arguments.mass ? parse_positive(*arguments.mass, "--mass")
                                      : parse_positive(*arguments.density, "--density");
  std::optional<Vec3> com;
  if (arguments.com) com = parse_point(*arguments.com, "--com");

  const Body body = read_body(arguments.body, command);
  if (held) remark_if_far(body.pose, bounding_box(body.shape), body.name, *body.notices);
  input.name = body.name;
  input.notices = body.notices;
  input.shape = body.shape;
  input.is_held = held;
  const double scale = elementary::cbrt(body.pose.linear().determinant());
  if (held) {
    input.body_from_file = body.pose;
    put(input.shape, body.pose);
  } else {
    input.body_from_file.linear() *= scale;
    input.heading = body.pose.linear() / scale;
    scale_shape(input.shape, scale);
  }
  cut_patches(input);
  judge_body(input, body.partial, health);
  input.is_lost = body.is_lost;
  if (body.is_lost && is_sound(input.status)) input.status = Status::kTolerance;
  if (com) *com = input.body_from_file * *com;
  if (com) remark_if_far(*com, bounding_box(input.shape), input.name, *input.notices);
  input.body = afloat(input, com);
  weigh_open(input, arguments);
  require_volume(input);
  weigh(input, arguments, given);
  const double volume = input.body.volume;
  if (input.body.displacement < kLeastDisplacement * volume)
    throw usage_failure(
        fmt::format(
            "found a body of {:.3g} kg that displaces {:.3g} of its volume; less than {:.0g} "
            "of it cannot be told from rounding",
            input.mass, input.body.displacement / volume, kLeastDisplacement),
        arguments.mass ? "--mass" : "--density");
  input.floats = floats(input.body);
  return input;
}

}  // namespace plimsoll::cli
