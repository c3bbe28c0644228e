#include <plimsoll/rims.h>

#include <cmath>
#include <string>

#include "core/number_text.h"
#include "mesh/closing_weld.h"

namespace plimsoll {

Result<std::optional<double>> closing_tolerance(const CheckedMesh& mesh,
                                                std::span<const double> tolerances) {
  for (std::size_t i = 0; i < tolerances.size(); ++i)
    if (!(tolerances[i] >= (i == 0 ? 0 : tolerances[i - 1]) && std::isfinite(tolerances[i])))
      return Error{
          ErrorCode::kInvalidArgument,
          "found " + to_text(tolerances[i]) + ", expected finite tolerances that ascend from 0 on",
          "tolerances[" + std::to_string(i) + "]"};
  const std::optional<ClosingWeld> closing = closing_weld(mesh.view(), tolerances);
  return closing ? std::optional(closing->tolerance) : std::nullopt;
}

}  // namespace plimsoll
