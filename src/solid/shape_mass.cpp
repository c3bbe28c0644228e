// Closed forms, quadrature over patches and tetrahedron sums behind one function.
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>

#include <cmath>
#include <limits>

#include "core/mass_from_moments.h"
#include "patch/patch_moments.h"
#include "shape/primitive_moments.h"
#include "shape/unit_of_length.h"

namespace plimsoll {
namespace {

Similarity in_meters(const Similarity& pose, const LengthUnit& unit) {
  const double meters = unit.numerator / unit.denominator;
  Similarity scaled = pose;
  scaled.linear() *= meters;
  scaled.translation() *= meters;
  return scaled;
}

double square(double x) { return x * x; }

/// The area of a primitive times `scale`, in units of 2^out m; NaN where that underflows.
double primitive_area(Shape at_home, double scale, int out) {
  at_home.pose.setIdentity();
  const double area = std::ldexp(*exact_area(at_home) * square(scale), 2 * out);
  return area > 0 ? area : std::numeric_limits<double>::quiet_NaN();
}

// Closed forms take at most some dozen roundings, and the pose as many. Moments are those of the
// primitive in units of 2^own m, places in units of 2^out m, volumes in units of 2^cubic m^3, and
// masses of a density likewise, so that only what does not fit a double itself over- or underflows.
ShapeMass of_primitive(const Shape& shape, const MassOptions& options) {
  constexpr double kRounding = 64 * 0x1p-53;
  Similarity pose = in_meters(shape.pose, options.unit);
  const double meters_per_unit = pose.linear().col(0).norm();
  const double length = longest_length(shape);
  const int own = unit_exponent(length), out = unit_exponent(meters_per_unit * length);
  const Shape at_home = resized(shape, -own);
  const WideVolume volume = own_volume(shape);
  const VolumeMoments moments = volume.fraction * unit_moments(at_home);
  const int cubic = 3 * (out - own) + volume.exponent;
  pose.linear() =
      pose.linear().unaryExpr([&](double x) { return std::ldexp(x, own - out); }).eval();
  pose.translation() = times_power_of_two(Vec3(pose.translation()), -out);
  const double scale = pose.linear().col(0).norm();
  ShapeMass result;
  MassProperties& p = result.body.properties;
  p = mass_from_moments(moments, pose, options.density, options.mass);
  const double offset = pose.translation().norm() + scale * (moments.first / moments.volume).norm();
  p.error_bound = {kRounding * p.volume, kRounding * offset,
                   kRounding * p.inertia.cwiseAbs().maxCoeff()};
  const int of_mass = options.mass > 0 ? 0 : cubic;
  const auto grow = [](double& x, int e) { x = std::ldexp(x, e); };
  grow(p.volume, cubic);
  grow(p.mass, of_mass);
  grow(p.density, of_mass - cubic);
  p.center_of_mass = times_power_of_two(p.center_of_mass, out);
  for (double& x : p.inertia.reshaped()) grow(x, of_mass + 2 * out);
  grow(p.error_bound.volume, cubic);
  if (!std::isnormal(p.volume)) p.error_bound.volume += std::numeric_limits<double>::denorm_min();
  grow(p.error_bound.center_of_mass, out);
  grow(p.error_bound.inertia, of_mass + 2 * out);
  result.surface_area = primitive_area(at_home, scale, out);
  result.body.error = p.error_bound;
  return result;
}

ShapeMass of_patches(const PatchSurface& surface, const Similarity& shape_pose,
                     const MassOptions& options) {
  const Vec3 origin = bounding_box(surface).center();
  const PatchMoments found = patch_moments(surface, origin);
  const Similarity pose = in_meters(shape_pose, options.unit) * Eigen::Translation3d(origin);
  const double scale = pose.linear().col(0).norm();
  ShapeMass result;
  result.is_proven = false;
  result.surface_area = found.area * square(scale);
  MassProperties& p = result.body.properties;
  p = mass_from_moments(found.moments, pose, options.density, options.mass);
  const double volume = std::abs(found.moments.volume);
  const double relative = found.error.volume / volume;
  const Vec3 center = found.moments.first / found.moments.volume;
  const double first = found.error.first.maxCoeff() / volume;
  const double off_center = first + relative * center.cwiseAbs().maxCoeff();
  const double second =
      found.error.second.maxCoeff() / volume + 2 * off_center * center.cwiseAbs().maxCoeff();
  constexpr double kRounding = 16 * 0x1p-53;  // of the center's place, far from the origin
  result.body.error = {
      p.volume * relative, scale * off_center + kRounding * pose.translation().norm(),
      2 * p.mass * square(scale) * second + relative * p.inertia.cwiseAbs().maxCoeff()};
  return result;
}

Result<ShapeMass> of_mesh(const MeshSolid& solid, const Similarity& pose, MassOptions options) {
  const MeshSolid posed_solid = posed(solid, pose);
  const TriangleMesh& moved = *posed_solid.mesh;
  const Result<CheckedMesh> checked = CheckedMesh::borrow(moved);
  if (!checked) return checked.error();
  options.vertex_error += posed_solid.vertex_error;
  ShapeMass result;
  result.body.properties = mass_properties(*checked, options);
  result.body.error = result.body.properties.error_bound;
  const Box3 box = bounding_box(*checked);
  const int unit = box.isEmpty() ? 0 : unit_exponent(box.sizes().maxCoeff());
  for (const Triangle& t : moved.triangles) {
    const Vec3& a = moved.vertices[t[0]];
    Vec3 b = moved.vertices[t[1]] - a, c = moved.vertices[t[2]] - a;
    if (unit != 0) {
      b = times_power_of_two(b, -unit);
      c = times_power_of_two(c, -unit);
    }
    result.surface_area += b.cross(c).norm() / 2;
  }
  result.surface_area = std::ldexp(result.surface_area, 2 * unit);
  const double meters = options.unit.numerator / options.unit.denominator;
  result.surface_area *= square(meters);
  return result;
}

}  // namespace

Result<ShapeMass> mass_properties(const Shape& shape, const MassOptions& options) {
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid))
    return of_mesh(*mesh, shape.pose, options);
  if (const auto* patches = std::get_if<PatchSolid>(&shape.solid))
    return of_patches(*patches->surface, shape.pose, options);
  if (longest_length(shape) == 0)
    return Error{ErrorCode::kUnavailable,
                 "formulas and Booleans have no exact integrals: take the image method", "shape"};
  return of_primitive(shape, options);
}

}  // namespace plimsoll
