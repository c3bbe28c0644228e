// Exact integrals over a solid bounded by free-form patches: what other engines are measured by.
#pragma once

#include <plimsoll/patches.h>

#include "core/volume_moments.h"

namespace plimsoll {

struct PatchMoments {
  VolumeMoments moments;  ///< About the origin that was given.
  VolumeMoments error;    ///< Estimate of |moments - true| for each entry: quadrature and rounding.
  double area = 0;        ///< [m^2]
  double area_error = 0;  ///< Estimate, likewise.
  double closure = 0;     ///< |int N dA| / area: 0, up to rounding, if the surface is closed.
  bool polynomial = true;  ///< No patch is rational: the quadrature of the moments was exact.
  bool converged = true;   ///< Quadrature errors of moments and area are below 1e-13 of the sum of
                           ///< absolute terms; where not, the estimates say what was reached.
};

/// Integrals of 1, x and x x^T over the solid inside `surface`, x relative to `origin`: choose a
/// point near the body where its second moments are to keep their digits. By the divergence theorem
/// as sums of cones from the center of the box to the patches; a surface that is open gives the
/// solid that these cones fill. Polynomial patches: Gauss-Legendre of the degree of the integrand,
/// exact up to rounding. Rational patches, and all areas: adaptive Gauss-Legendre that compares two
/// orders; docs/theory/patches.md. Precondition: check_patches.
[[nodiscard]] PatchMoments patch_moments(const PatchSurface& surface,
                                         const Vec3& origin = Vec3::Zero());

}  // namespace plimsoll
