#include "image/sampling_error.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll {
namespace {

constexpr int kFrequencies = 16;  // in each octave, spread evenly over its logarithm
constexpr double kTop = 0.5;      // cycles per row: half the lattice's frequency

// (3 E^2 + O^2) / 2 for each term, added to `power`: E and O are the sums of f_j cos and sin of
// 2 pi nu (j - (n - 1) / 2).
template <std::size_t N>
void add_power(std::span<const std::array<double, N>> rows, double nu,
               std::array<double, N>& power) {
  const double angle = 2 * std::numbers::pi * nu;
  const auto [turn_s, turn_c] = elementary::sin_cos(angle);
  const double first = -angle * (static_cast<double>(rows.size()) - 1) / 2;
  auto [s, c] = elementary::sin_cos(first);
  std::array<double, N> even{}, odd{};
  for (const std::array<double, N>& row : rows) {
    for (std::size_t k = 0; k < N; ++k) {
      even[k] += c * row[k];
      odd[k] += s * row[k];
    }
    const double next = c * turn_c - s * turn_s;
    s = c * turn_s + s * turn_c;
    c = next;
  }
  for (std::size_t k = 0; k < N; ++k) power[k] += (3 * even[k] * even[k] + odd[k] * odd[k]) / 2;
}

// Root mean square over the octave below `top`.
template <std::size_t N>
std::array<double, N> octave(std::span<const std::array<double, N>> rows, double top) {
  std::array<double, N> power{};
  for (int i = 0; i < kFrequencies; ++i)
    add_power(rows, top * elementary::exp2((i + 0.5) / kFrequencies - 1), power);
  for (double& p : power) p = std::sqrt(p / kFrequencies);
  return power;
}

TenMoments scaled_sum(const TenMoments& a, double factor, const TenMoments& b) {
  TenMoments sum;
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = a[k] + factor * b[k];
  return sum;
}

template <std::size_t N>
std::array<double, N> spectrum(std::span<const std::array<double, N>> rows, double step,
                               Falloff falloff) {
  // Fitted to random bodies (image_estimate_test.cpp): 0.6 of the measured slope, between 1 and 2.
  constexpr double kTrusted = 0.6;
  constexpr double kFlattest = 1;
  constexpr double kSteepest = 2;
  const std::array<double, N> first = octave(rows, kTop / 4);
  const std::array<double, N> second = octave(rows, kTop / 2);
  const std::array<double, N> last = octave(rows, kTop);
  const double beyond = kTop / std::numbers::sqrt2;  // the middle of the last octave
  std::array<double, N> error;
  for (std::size_t k = 0; k < N; ++k) {
    const double slope =
        std::min(elementary::log2(second[k] / last[k]), elementary::log2(first[k] / second[k]));
    const double fall =
        falloff == Falloff::kSilhouette ? 1.5 : std::clamp(kTrusted * slope, kFlattest, kSteepest);
    error[k] = last[k] > 0 ? step * last[k] * elementary::pow(beyond, fall) : 0;
  }
  return error;
}

}  // namespace

TenMoments spectrum_at_lattice(std::span<const TenMoments> rows, double step, Falloff falloff) {
  return spectrum(rows, step, falloff);
}

double spectrum_at_lattice(std::span<const std::array<double, 1>> rows, double step,
                           Falloff falloff) {
  return spectrum(rows, step, falloff)[0];
}

std::vector<std::uint8_t> jumping_rows(std::span<const TenMoments> rows) {
  const std::size_t n = rows.size();
  // The section's area before and after the body is 0.
  const auto area = [&](std::size_t j) { return j >= 2 && j < n + 2 ? rows[j - 2][0] : 0.0; };
  // How far the step from row j - 1 to row j is from the mean of its neighbours.
  std::vector<double> jump(n + 1);
  for (std::size_t j = 0; j <= n; ++j)
    jump[j] = std::abs((area(j + 2) - area(j + 1)) -
                       ((area(j + 1) - area(j)) + (area(j + 3) - area(j + 2))) / 2);
  std::vector<double> sorted = jump;
  std::sort(sorted.begin(), sorted.end());
  // What stands out from most rows, but never more than a quarter of them. Where there are few
  // rows, the two ends of a body and their neighbours are most of them.
  constexpr double kStandsOut = 8;
  const bool few = n < 16;
  const double usual = sorted[few ? n / 4 : n / 2];
  const std::size_t max_jumps = n / 16 + (few ? 2 : 1);
  const double threshold =
      std::max({kStandsOut * usual, sorted[n - std::min(n, max_jumps)], 1e-12 * sorted[n]});
  std::vector<std::uint8_t> chosen(n, 0);
  for (std::size_t j = 0; j <= n; ++j) {
    if (!(jump[j] > threshold)) continue;
    for (std::size_t i = std::max<std::size_t>(j, 2) - 2; i < std::min(n, j + 2); ++i)
      chosen[i] = 1;
  }
  return chosen;
}

std::vector<TenMoments> without_jumps(std::span<const TenMoments> rows,
                                      std::span<const std::uint8_t> exact) {
  const auto n = static_cast<long>(rows.size());
  const auto row = [&](long j) {
    return j >= 0 && j < n ? rows[static_cast<std::size_t>(j)] : TenMoments{};
  };
  const auto is_exact = [&](long j) {
    return j >= 0 && j < n && exact[static_cast<std::size_t>(j)] != 0;
  };
  std::vector<TenMoments> smooth(rows.begin(), rows.end());
  TenMoments offset{};
  for (long j = 0; j < n; ++j) {
    if (!is_exact(j)) {
      smooth[static_cast<std::size_t>(j)] = scaled_sum(row(j), -1, offset);
      continue;
    }
    // The group j..last, continued linearly from both sides to its middle.
    long last = j;
    while (is_exact(last + 1)) ++last;
    const double half = static_cast<double>(last - j + 2) / 2;
    const TenMoments left = row(j - 1);
    const TenMoments right = row(last + 1);
    const double slope_left = is_exact(j - 2) ? 0 : half;
    const double slope_right = is_exact(last + 2) ? 0 : half;
    const TenMoments before = scaled_sum(left, slope_left, scaled_sum(left, -1, row(j - 2)));
    const TenMoments after = scaled_sum(right, slope_right, scaled_sum(right, -1, row(last + 2)));
    const TenMoments from = scaled_sum(left, -1, offset);
    offset = scaled_sum(offset, 1, scaled_sum(after, -1, before));
    const TenMoments to = scaled_sum(right, -1, offset);
    for (long i = j; i <= last; ++i) {
      const double t = static_cast<double>(i - j + 1) / static_cast<double>(last - j + 2);
      smooth[static_cast<std::size_t>(i)] = scaled_sum(from, t, scaled_sum(to, -1, from));
    }
    j = last;
  }
  // Back to 0 at the end, so smoothly that the spectrum above does not see it.
  for (long j = 0; j < n; ++j) {
    const double t = static_cast<double>(j + 1) / static_cast<double>(n + 1);
    const double ramp = t - elementary::sin(2 * std::numbers::pi * t) / (2 * std::numbers::pi);
    TenMoments& s = smooth[static_cast<std::size_t>(j)];
    s = scaled_sum(s, ramp, offset);
  }
  return smooth;
}

}  // namespace plimsoll
