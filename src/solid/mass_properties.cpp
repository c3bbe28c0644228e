// From volume integrals about the center of the box to volume, center of mass and inertia.
//
//   c = (int x) / V,   S_ij = int x_i x_j - (int x_i)(int x_j) / V,   I = tr(S) 1 - S,
//
// S the second moments about c [Goldstein, ch. 5]. Everything between the sums and the last
// rounding is ball arithmetic, so the bounds need no analysis of their own.
#include <plimsoll/mass_properties.h>

#include <cmath>
#include <limits>

#include "solid/framed_moments.h"

namespace plimsoll {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A body before rounding; lengths in meters, turned outward.
struct BodyBalls {
  Ball volume;
  Ball density;
  Ball mass;
  Ball center[3];
  Ball inertia[6];  // xx yy zz xy xz yz, about the center
  bool inverted = false;
  bool empty = false;  // the volume is exactly 0
};

Ball power(const Ball& b, int n) { return n == 1 ? b : b * power(b, n - 1); }

/// I of the header comment, xx yy zz xy xz yz.
void inertia_of(const Ball (&s)[6], Ball (&inertia)[6]) {
  inertia[0] = s[1] + s[2];
  inertia[1] = s[2] + s[0];
  inertia[2] = s[0] + s[1];
  for (int i = 3; i < 6; ++i) inertia[i] = -s[i];
}

BodyBalls measure(const MeshView& mesh, const MassOptions& options) {
  PLIMSOLL_ASSERT(options.density > 0 && options.mass >= 0, "densities and masses are positive");
  BodyBalls body;
  const CentralMoments m = central_moments(mesh, options.precision);
  body.density = Ball(options.density);
  if (is_zero(m.volume)) {
    body.empty = true;
    return body;
  }
  inertia_of(m.second, body.inertia);
  Ball volume = m.volume;
  body.inverted = volume.is_negative();
  if (body.inverted) {
    volume = -volume;
    for (Ball& b : body.inertia) b = -b;
  }

  // The power of two goes on last: what does not fit a double overflows there and only there.
  const int e = m.frame.exponent;
  const Ball unit = Ball(options.unit.numerator) / Ball(options.unit.denominator);
  const Ball cubic = volume * power(unit, 3);
  body.volume = scaled(cubic, 3 * e);
  for (int i = 0; i < 3; ++i)
    body.center[i] = (Ball(m.frame.apex[i]) + scaled(m.center[i], e)) * unit;
  if (options.mass > 0) {
    body.mass = Ball(options.mass);
    body.density = body.mass / body.volume;
    const Ball per_volume = power(unit, 2) * body.mass / volume;
    for (Ball& b : body.inertia) b = scaled(b * per_volume, 2 * e);
  } else {
    body.mass = scaled(cubic * body.density, 3 * e);
    const Ball of_unit = power(unit, 5) * body.density;
    for (Ball& b : body.inertia) b = scaled(b * of_unit, 5 * e);
  }
  return body;
}

/// A body of density 1 given its share of the mass of all, whose volume is `volume`.
void share_mass(BodyBalls& body, const Ball& mass, const Ball& volume) {
  body.density = mass / volume;
  body.mass = body.volume / volume * mass;
  for (Ball& b : body.inertia) b = b / volume * mass;
}

/// `mass` is that which was given, 0 if none was.
MassProperties rounded(const BodyBalls& body, double mass) {
  MassProperties p;
  p.density = body.density.rounded();
  if (body.empty) {
    if (mass > 0) p.density = kNaN;
    p.mass = mass;
    p.center_of_mass.setConstant(kNaN);
    p.inertia.setConstant(kNaN);
    return p;
  }
  p.inverted = body.inverted;
  p.volume = body.volume.rounded();
  p.mass = body.mass.rounded();
  p.error_bound.volume = body.volume.error_of_rounded();
  for (int i = 0; i < 3; ++i) {
    p.center_of_mass[i] = body.center[i].rounded();
    p.error_bound.center_of_mass =
        std::fmax(p.error_bound.center_of_mass, body.center[i].error_of_rounded());
  }
  constexpr int kIndex[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) p.inertia(i, j) = body.inertia[kIndex[i][j]].rounded();
  for (const Ball& b : body.inertia)
    p.error_bound.inertia = std::fmax(p.error_bound.inertia, b.error_of_rounded());
  return p;
}

/// Parallel axes: I = sum I_k + m_k (|d_k|^2 1 - d_k d_k^T), d_k = c_k - c.
void add_parallel_axes(const BodyBalls& part, const Ball (&center)[3], Ball (&inertia)[6]) {
  const Ball d[3] = {part.center[0] - center[0], part.center[1] - center[1],
                     part.center[2] - center[2]};
  const Ball shift[6] = {d[1] * d[1] + d[2] * d[2],
                         d[2] * d[2] + d[0] * d[0],
                         d[0] * d[0] + d[1] * d[1],
                         -(d[0] * d[1]),
                         -(d[0] * d[2]),
                         -(d[1] * d[2])};
  for (int i = 0; i < 6; ++i) inertia[i] = inertia[i] + part.inertia[i] + part.mass * shift[i];
}

BodyBalls together(const std::vector<BodyBalls>& parts) {
  BodyBalls total;
  total.empty = true;
  for (const BodyBalls& part : parts) {
    if (part.empty) continue;
    total.empty = false;
    total.inverted = total.inverted || part.inverted;
    total.volume = total.volume + part.volume;
    total.mass = total.mass + part.mass;
    for (int i = 0; i < 3; ++i) total.center[i] = total.center[i] + part.mass * part.center[i];
  }
  if (total.empty) return total;
  for (Ball& c : total.center) c = c / total.mass;
  for (const BodyBalls& part : parts)
    if (!part.empty) add_parallel_axes(part, total.center, total.inertia);
  total.density = total.mass / total.volume;
  return total;
}

}  // namespace

MassProperties mass_properties(const ClosedMesh& mesh, const MassOptions& options) {
  return mass_properties(static_cast<const CheckedMesh&>(mesh), options);
}

MassProperties mass_properties(const CheckedMesh& mesh, const MassOptions& options) {
  return rounded(measure(mesh.view(), options), options.mass);
}

Assembly assembly_mass_properties(std::span<const AssemblyPart> parts, double mass) {
  Assembly assembly;
  std::vector<BodyBalls> bodies;
  for (const AssemblyPart& part : parts) {
    MassOptions options = part.options;
    if (mass > 0) {
      options.density = 1;
      options.mass = 0;
    }
    bodies.push_back(measure(part.mesh.view(), options));
  }
  BodyBalls total = together(bodies);
  if (mass > 0 && !total.empty) {
    for (BodyBalls& body : bodies)
      if (!body.empty) share_mass(body, Ball(mass), total.volume);
    share_mass(total, Ball(mass), total.volume);
    total.mass = Ball(mass);
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    assembly.parts.push_back(rounded(bodies[i], mass > 0 ? 0 : parts[i].options.mass));
  assembly.total = rounded(total, mass);
  return assembly;
}

}  // namespace plimsoll
