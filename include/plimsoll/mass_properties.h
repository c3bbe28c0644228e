// Exact mass properties of solids bounded by triangles: volume, center of mass, inertia.
#pragma once

#include <plimsoll/mass.h>
#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/shape.h>

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

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
  double mass = 0;     ///< If not 0, given instead of the density; NaN comes of one below 0 [kg].
  LengthUnit unit{};   ///< Of the coordinates of the mesh.
  Precision precision = Precision::kTight;
  /// No vertex is farther than that from where it belongs, which the bounds include; not negative
  /// [unit of the mesh].
  double vertex_error = 0;
};

/// The mass properties of a solid. The method is the divergence theorem as a sum over tetrahedra
/// with their apex at the center of the box, so the distance from the origin costs no accuracy;
/// docs/theory/mass-properties.md. Bit-identical for any number of threads and instruction set.
/// Cost: O(triangles), parallel for large meshes; bench/results.
/// A body without volume has center and inertia NaN; one whose volume is too large for a double has
/// an infinite volume, and one whose volume is too small, 0.
[[nodiscard]] MassProperties mass_properties(const ClosedMesh& mesh,
                                             const MassOptions& options = {});

/// The same sums for triangles that need not bound a solid: only `examine` can say what they mean.
/// The apex is the center of the box.
[[nodiscard]] MassProperties mass_properties(const CheckedMesh& mesh,
                                             const MassOptions& options = {});

/// What is known of a shape without looking at it.
struct ShapeMass {
  WeighedBody body;
  bool is_proven = true;    ///< The error is a bound; else an estimate that quadrature gave.
  double surface_area = 0;  ///< [m^2]
};

/// The mass properties of primitives in closed form, of meshes as above and of patches by Gauss
/// quadrature, exact for polynomial ones (docs/theory/patches.md); `precision` is for meshes.
/// Errors: as check_shape; `Unavailable` for formulas and Booleans, whose integrals have no closed
/// form: image.h measures them. Patches and meshes need not bound a solid: only `examine`, of
/// to_triangles, can say what the numbers mean then.
[[nodiscard]] Result<ShapeMass> mass_properties(const Shape& shape,
                                                const MassOptions& options = {});

/// The volume that the surfaces of the meshes in `shape` sweep at most while every vertex goes
/// straight to where it belongs, by MeshSolid::vertex_error: no volume of it, of its wet part or of
/// what it shares with another body is off by more because of that [m^3]. 0 where no mesh has such
/// an error, infinite where a sum overflows. O(n).
[[nodiscard]] double swept_volume(const Shape& shape);

/// How far the mass properties of `shape`, measured in meters by `unit`, are off because of it;
/// infinite where a quarter of the volume may be. Their own bounds or estimates come on top.
[[nodiscard]] MassError displacement_error(const Shape& shape, const MassProperties& measured,
                                           const LengthUnit& unit = {});

/// A body of an assembly.
struct AssemblyPart {
  CheckedMesh mesh;
  MassOptions options;
};

struct Assembly {
  MassProperties total;               ///< Moving as one; `density` is the mean.
  std::vector<MassProperties> parts;  ///< In the order given.
};

/// The mass properties of several bodies in one frame, and of all together by parallel axes,
/// carried through in double-double: the bound covers everything. Space that two parts share counts
/// twice. `mass`, if not 0, is that of all together [kg]: they are then of one density, whatever
/// their options say. NaN comes of one below 0.
[[nodiscard]] Assembly assembly_mass_properties(std::span<const AssemblyPart> parts,
                                                double mass = 0);

}  // namespace plimsoll
