#include "overlap/whole_sums.h"

#include <cmath>

#include "core/double_double.h"

namespace plimsoll {

// In the solid's frame with y = L^-1 (x - h), h its center: sums about p = -L^-1 h take the factor
// det L. The differences of large sums are taken to twice the digits.
WholeSums whole_sums(const WindingSums& sums, const PosedTree& posed, const LocalFrame& local) {
  // Nothing to sum. A body without extent has no unit of its own, and its matrix may overflow.
  const auto* sizes = sums.normal_size;
  if (sums.size_x18 == 0 && sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 0) return {};
  const Mat3 linear = local.linear_of(posed);
  const Vec3 apex = -(linear.inverse() * local.center_of(posed));
  const auto sum = [&](std::size_t i) { return ordered_sum(sums.high[i], sums.low[i]); };
  Parts volume_x18 = sum(0) + sum(4) + sum(8);
  double size = sums.size_x18, moved = 0;
  Vec3 normal, first;
  for (int i = 0; i < 3; ++i) {
    const Parts along = sum(kPatchNormal + i);
    volume_x18 = volume_x18 - along * (3 * apex[i]);
    size += 3 * std::fabs(apex[i]) * sums.normal_size[i];
    moved += std::fabs(rounded(along));
    first[i] = rounded(sum(kPatchFirst + i));
  }
  Mat3 s_normal;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s_normal(i, j) = rounded(sum(static_cast<std::size_t>(3 * i + j)));
  WholeSums result;
  const double scale = std::fabs(linear.determinant());
  result.volume_x6 = scale * rounded(volume_x18) / 3;
  result.first_x24 = scale * (linear * (first - s_normal * apex - apex * rounded(volume_x18)));
  result.area_x2 = linear.col(0).squaredNorm() * rounded(sum(kPatchArea));
  // Sums: 2^-76 each and 2^-100 for each addition. The apex: 2^-49 of its size. The factor 2^-50.
  result.error_x6 = scale * (0x1p-74 * size + 0x1p-48 * apex.lpNorm<1>() * moved) +
                    0x1p-50 * std::fabs(result.volume_x6);
  return result;
}

}  // namespace plimsoll
