// The integrals of buoyancy() and what bounds their rounding.
#pragma once

#include <plimsoll/buoyancy.h>

#include <cstddef>

namespace plimsoll {

struct WetIntegrals {
  Buoyancy wet;
  /// No sum was made of more additions, one after another.
  std::size_t additions = 0;
};

/// As buoyancy(), for a pose that is a similarity, and a tolerance that is positive and finite.
[[nodiscard]] Result<WetIntegrals> integrate_wet(const CheckedMesh& mesh, const Similarity& pose,
                                                 const SurfaceNow& surface, double tolerance);

/// Errors: `InvalidArgument` unless `tolerance` is positive and finite.
[[nodiscard]] Result<void> check_tolerance(double tolerance);

}  // namespace plimsoll
