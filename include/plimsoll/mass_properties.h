// Exact mass properties of solids bounded by triangles: volume, center of mass, inertia.
#pragma once

#include <plimsoll/mesh.h>

#include <span>
#include <vector>

namespace plimsoll {

/// The rigorous distance of each component from the true value for the given vertices.
struct MassErrorBound {
  double volume = 0;          ///< [m^3]
  double center_of_mass = 0;  ///< [m], each coordinate.
  double inertia = 0;         ///< [kg m^2], each entry.
};

struct MassProperties {
  double density = 1;                  ///< [kg/m^3]
  double volume = 0;                   ///< [m^3]; not negative.
  double mass = 0;                     ///< [kg]
  Vec3 center_of_mass = Vec3::Zero();  ///< In the frame of the mesh [m]; NaN without volume.
  Mat3 inertia = Mat3::Zero();         ///< About the center of mass, in the axes of the mesh,
                                       ///< negative products off the diagonal [kg m^2].
  MassErrorBound error_bound;
  bool inverted = false;  ///< The signed volume was negative; measured as if turned outward.
};

/// A unit of length as an exact ratio: a millimeter is {1, 1000} meters.
struct LengthUnit {
  double numerator = 1;
  double denominator = 1;
};

enum class Precision {
  kTight,  ///< Sums in double-double, in integers where those lose too much: volume, radius of
           ///< gyration, center and second moments known to 2^-56 of their size, then rounded once.
           ///< The bound is the error of that rounding. About 5 times the cost of kFast.
  kFast,   ///< Sums in double, for work at frame rate: good to a few 1e-16 of the absolute terms.
          ///< The bound is a worst case, hundreds of times wider than the error or, for the inertia
          ///< of slivers, thousands; where it exceeds 2^-20 of the result, kTight answers instead.
};

/// Precondition: density and both numbers of the unit are positive and finite, mass not negative
/// and finite. Other values give what the formulas make of them, or NaN.
struct MassOptions {
  double density = 1;  ///< [kg/m^3]
  double mass = 0;     ///< If positive, given instead of the density [kg].
  LengthUnit unit{};   ///< Of the coordinates of the mesh.
  Precision precision = Precision::kTight;
};

/// The mass properties of a solid. The method is the divergence theorem as a sum over tetrahedra
/// with their apex at the center of the box, so the distance from the origin costs no accuracy;
/// docs/theory/mass-properties.md. Bit-identical for any number of threads and instruction set.
/// Cost: O(triangles), parallel for large meshes; bench/results.
/// A volume of exactly 0 gives center and inertia NaN; one too large for a double gives infinity.
[[nodiscard]] MassProperties mass_properties(const ClosedMesh& mesh,
                                             const MassOptions& options = {});

/// The same sums for triangles that need not bound a solid: only `examine` can say what they mean.
/// The apex is the center of the box. Precondition: check_mesh.
[[nodiscard]] MassProperties mass_properties(const MeshView& mesh, const MassOptions& options = {});

/// A body of an assembly. Precondition: check_mesh.
struct AssemblyPart {
  MeshView mesh;
  MassOptions options;
};

struct Assembly {
  MassProperties total;               ///< Moving as one; `density` is the mean.
  std::vector<MassProperties> parts;  ///< In the order given.
};

/// The mass properties of several bodies in one frame, and of all together by parallel axes,
/// carried through in double-double: the bound covers everything. Space that two parts share counts
/// twice. `mass`, if positive, is that of all together [kg]: they are then of one density, whatever
/// their options say.
[[nodiscard]] Assembly assembly_mass_properties(std::span<const AssemblyPart> parts,
                                                double mass = 0);

struct PrincipalAxes {
  Vec3 moments;  ///< Ascending [kg m^2].
  Mat3 axes;     ///< Rows are the matching unit axes, right-handed.
};

/// Diagonalizes an inertia tensor. Accurate to a few units in the last place of the largest moment.
[[nodiscard]] PrincipalAxes principal_axes(const Mat3& inertia);

/// Whether some mass distribution has this tensor: moments not negative and none larger than the
/// sum of the others, up to rounding.
[[nodiscard]] bool is_physical(const Mat3& inertia);

}  // namespace plimsoll
