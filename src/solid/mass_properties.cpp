// From volume integrals about the center of the box to volume, center of mass and inertia.
//
//   c = (int x) / V,   S_ij = int x_i x_j - (int x_i)(int x_j) / V,   I = tr(S) 1 - S,
//
// S the second moments about c [Goldstein, ch. 5]. Everything between the sums and the last
// rounding is ball arithmetic, so the bounds need no analysis of their own.
#include <plimsoll/mass_properties.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "mesh/trusted_mesh.h"
#include "solid/displacement.h"
#include "solid/framed_moments.h"

namespace plimsoll {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Powers of two that lengths [m], volumes [m^3] and masses [kg] are over, so that bodies whose
/// volume is no double can be added up.
struct Units {
  int length = 0;
  int volume = 0;
  int mass = 0;
};

/// A body before rounding, turned outward.
struct BodyBalls {
  Ball volume;
  Ball density;
  Ball mass;
  Ball center[3];
  Ball inertia[6];  // xx yy zz xy xz yz, about the center
  bool inverted = false;
  bool empty = false;  // the volume is exactly 0
};

template <class Number>
Number power(const Number& b, int n) {
  return n == 1 ? b : b * power(b, n - 1);
}

void add(MassError& sum, const MassError& more) {
  sum.volume += more.volume;
  sum.center_of_mass += more.center_of_mass;
  sum.inertia += more.inertia;
}

/// I of the header comment, xx yy zz xy xz yz.
void inertia_of(const Ball (&s)[6], Ball (&inertia)[6]) {
  inertia[0] = s[1] + s[2];
  inertia[1] = s[2] + s[0];
  inertia[2] = s[0] + s[1];
  for (int i = 3; i < 6; ++i) inertia[i] = -s[i];
}

CentralMoments moments_of(const MeshView& mesh, const MassOptions& options) {
  PLIMSOLL_ASSERT(options.density > 0 && options.mass >= 0, "densities and masses are positive");
  return central_moments(mesh, options.precision);
}

/// Masses that come of a density are over the unit of volume.
BodyBalls measured(const CentralMoments& m, const MassOptions& options, const Units& units) {
  BodyBalls body;
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
  const int e = m.frame.exponent - units.length;
  const int to_volume = 3 * m.frame.exponent + m.weight - units.volume;
  const Ball unit = Ball(options.unit.numerator) / Ball(options.unit.denominator);
  const Ball cubic = volume * power(unit, 3);
  body.volume = scaled(cubic, to_volume);
  for (int i = 0; i < 3; ++i)
    body.center[i] = scaled((Ball(m.frame.apex[i]) + scaled(m.center[i], m.frame.exponent)) * unit,
                            -units.length);
  if (options.mass != 0) {
    body.mass = scaled(Ball(options.mass > 0 ? options.mass : kNaN), -units.mass);
    body.density = scaled(body.mass / cubic, -to_volume);
    const Ball per_volume = power(unit, 2) * body.mass / volume;
    for (Ball& b : body.inertia) b = scaled(b * per_volume, 2 * e);
  } else {
    body.mass = scaled(cubic * body.density, to_volume);
    const Ball of_unit = power(unit, 5) * body.density;
    for (Ball& b : body.inertia) b = scaled(b * of_unit, to_volume + 2 * e);
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
MassProperties rounded(const BodyBalls& body, double mass, const Units& units) {
  MassProperties p;
  p.density = scaled(body.density, units.mass - units.volume).rounded();
  if (body.empty) {
    if (mass != 0) p.density = kNaN;
    p.mass = mass >= 0 ? mass : kNaN;
    p.center_of_mass.setConstant(kNaN);
    p.inertia.setConstant(kNaN);
    return p;
  }
  p.inverted = body.inverted;
  const Ball volume = scaled(body.volume, units.volume);
  p.volume = volume.rounded();
  p.mass = scaled(body.mass, units.mass).rounded();
  p.error_bound.volume = volume.error_of_rounded();
  for (int i = 0; i < 3; ++i) {
    const Ball center = scaled(body.center[i], units.length);
    p.center_of_mass[i] = center.rounded();
    p.error_bound.center_of_mass =
        std::fmax(p.error_bound.center_of_mass, center.error_of_rounded());
  }
  Ball inertia[6];
  for (int i = 0; i < 6; ++i) inertia[i] = scaled(body.inertia[i], units.mass + 2 * units.length);
  constexpr int kIndex[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) p.inertia(i, j) = inertia[kIndex[i][j]].rounded();
  for (const Ball& b : inertia)
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

/// Those of the largest part.
Units common_units(std::span<const CentralMoments> moments, std::span<const AssemblyPart> parts) {
  Units units;
  if (moments.empty()) return units;
  units.length = moments.front().frame.exponent;
  bool is_given = true;
  std::optional<int> volume;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int exponent = moments[i].frame.exponent;
    units.length = std::max(units.length, exponent);
    is_given = is_given && parts[i].options.mass > 0;
    if (is_zero(moments[i].volume)) continue;
    const int cubic = 3 * exponent + moments[i].weight;
    volume = std::max(volume.value_or(cubic), cubic);
  }
  units.volume = volume.value_or(0);
  units.mass = is_given ? 0 : units.volume;
  return units;
}

MassError displacement_of(const CheckedMesh& mesh, const MassProperties& found,
                          const MassOptions& options) {
  if (options.vertex_error == 0) return {};
  const double meters = options.unit.numerator / options.unit.denominator;
  return displacement_error(swept_volume(mesh.view(), options.vertex_error) * power(meters, 3),
                            bounding_box(mesh).diagonal().norm() * meters, found);
}

/// What vertices that are out of place add to the bounds. A mass given for all together is shared
/// out anew where a volume changes: then every density is off by the same part.
void add_displacements(std::span<const AssemblyPart> parts, double mass, Assembly& assembly) {
  if (std::all_of(parts.begin(), parts.end(),
                  [](const AssemblyPart& part) { return part.options.vertex_error == 0; }))
    return;
  std::vector<WeighedBody> moved;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const MassProperties& found = assembly.parts[i];
    moved.push_back({found, displacement_of(parts[i].mesh, found, parts[i].options)});
  }
  WeighedBody total = combined(moved);
  if (mass > 0) {
    const double volume = total.error.volume;
    const double share = 4 * volume < assembly.total.volume
                             ? volume / (assembly.total.volume - volume)
                             : std::numeric_limits<double>::infinity();
    const auto add_share = [&](MassError& error, const MassProperties& body) {
      error.inertia += share * (body.inertia.cwiseAbs().maxCoeff() + error.inertia);
    };
    for (WeighedBody& body : moved) add_share(body.error, body.properties);
    add_share(total.error, assembly.total);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) add(assembly.parts[i].error_bound, moved[i].error);
  add(assembly.total.error_bound, total.error);
}

}  // namespace

MassProperties mass_properties(const ClosedMesh& mesh, const MassOptions& options) {
  return mass_properties(static_cast<const CheckedMesh&>(mesh), options);
}

MassProperties mass_properties(const CheckedMesh& mesh, const MassOptions& options) {
  MassProperties found =
      rounded(measured(moments_of(mesh.view(), options), options, {}), options.mass, {});
  add(found.error_bound, displacement_of(mesh, found, options));
  return found;
}

Assembly assembly_mass_properties(std::span<const AssemblyPart> parts, double mass) {
  Assembly assembly;
  const bool is_given = mass != 0;
  std::vector<CentralMoments> moments;
  for (const AssemblyPart& part : parts)
    moments.push_back(moments_of(part.mesh.view(), part.options));
  Units units = common_units(moments, parts);
  std::vector<BodyBalls> bodies;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    MassOptions options = parts[i].options;
    if (is_given) {
      options.density = 1;
      options.mass = 0;
    }
    bodies.push_back(measured(moments[i], options, units));
  }
  BodyBalls total = together(bodies);
  if (is_given && !total.empty) {
    const Ball of_all(mass > 0 ? mass : kNaN);
    units.mass = 0;
    for (BodyBalls& body : bodies)
      if (!body.empty) share_mass(body, of_all, total.volume);
    share_mass(total, of_all, total.volume);
    total.mass = of_all;
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    assembly.parts.push_back(rounded(bodies[i], is_given ? 0 : parts[i].options.mass, units));
  assembly.total = rounded(total, mass, units);
  add_displacements(parts, mass, assembly);
  return assembly;
}

}  // namespace plimsoll
