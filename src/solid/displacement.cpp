#include "solid/displacement.h"

#include <plimsoll/mass_properties.h>

#include <cmath>
#include <limits>

#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double swept_by(const Shape& shape, const Similarity& outer) {
  const Similarity pose = outer * shape.pose;
  double swept = 0;
  if (const auto* boolean = std::get_if<Boolean>(&shape.solid))
    for (const Shape& operand : boolean->of) swept += swept_by(operand, pose);
  const auto* solid = std::get_if<MeshSolid>(&shape.solid);
  if (solid == nullptr || solid->vertex_error == 0) return swept;
  const MeshSolid moved = posed(*solid, pose);
  return swept_volume(*moved.mesh, moved.vertex_error);
}

}  // namespace

// On straight ways over a distance of d, n triangles whose areas add up to A at first, with edges
// no longer than l, have edges of l + 2 d at most, and areas of A + 3 n d (l + d) together. What a
// moving triangle sweeps is at most its largest area times d.
double swept_volume(const MeshView& mesh, double vertex_error) {
  const double d = vertex_error;
  if (d == 0 || mesh.triangle_count() == 0) return 0;
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto [i, j, k] = mesh.triangle(t);
    const Vec3 a = mesh.vertex(i);
    area += (mesh.vertex(j) - a).cross(mesh.vertex(k) - a).norm() / 2;
  }
  const double n = static_cast<double>(mesh.triangle_count());
  const double length = bounding_box(mesh).diagonal().norm();
  constexpr double kRounding = 0x1p-50;  // of an area, for edges of the greatest length
  area += kRounding * n * (area + length * length);
  const double swept = d * (area + 3 * n * d * (length + d));
  // Where products underflow nothing is known, but that it is small.
  return std::isnan(swept) ? kInfinity : swept + std::numeric_limits<double>::min();
}

double swept_volume(const Shape& shape) { return swept_by(shape, Similarity::Identity()); }

// A body of volume V, area A and diameter D has 3 V <= A D, so that d < D / 12 where 4 d A < V: all
// that was swept lies within r = 1.1 D of the center. First moments about it change by S r at most,
// and second ones by S r^2, once more as the center moves; by the share of S in the volume where a
// mass is given and the density changes.
MassError displacement_error(double swept, double diameter, const MassProperties& measured) {
  if (swept == 0) return {};
  if (!(4 * swept < measured.volume)) return {kInfinity, kInfinity, kInfinity};
  const double share = swept / (measured.volume - swept);
  const double r = 1.1 * diameter;
  return {swept, r * share,
          2 * measured.density * swept * r * r + share * measured.inertia.cwiseAbs().maxCoeff()};
}

MassError displacement_error(const Shape& shape, const MassProperties& measured,
                             const LengthUnit& unit) {
  const double swept = swept_volume(shape);
  if (swept == 0) return {};
  const double meters = unit.numerator / unit.denominator;
  return displacement_error(swept * meters * meters * meters,
                            bounding_box(shape).diagonal().norm() * meters, measured);
}

}  // namespace plimsoll
