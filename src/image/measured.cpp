#include "image/measured.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mass_from_moments.h"
#include "image/sampling_error.h"

namespace plimsoll {
namespace {

// How many times |F(1 / h)| the error is in the worst of 100 cases (image_estimate_test.cpp).
struct Deviations {
  double volume, first, second;
  [[nodiscard]] double of(std::size_t k) const { return k == 0 ? volume : k < 4 ? first : second; }
};
constexpr Deviations kAlong = {2.8, 1.26, 2.2};  // rows sampled
constexpr Deviations kAcross = {5.0, 4.0, 4.2};  // rows and columns sampled

// The moments about `c` of what has the moments `m` about the origin.
TenMoments about(const TenMoments& m, const Vec3& c) {
  const Vec3 f(m[1] - c[0] * m[0], m[2] - c[1] * m[0], m[3] - c[2] * m[0]);
  const auto second = [&](std::size_t term, int i, int j) {
    return m[term] - c[i] * m[static_cast<std::size_t>(j) + 1] -
           c[j] * m[static_cast<std::size_t>(i) + 1] + c[i] * c[j] * m[0];
  };
  return {m[0],
          f[0],
          f[1],
          f[2],
          second(4, 0, 0),
          second(5, 1, 1),
          second(6, 2, 2),
          second(7, 0, 1),
          second(8, 0, 2),
          second(9, 1, 2)};
}

std::vector<TenMoments> about(std::span<const TenMoments> samples, const Vec3& c) {
  std::vector<TenMoments> centered(samples.size());
  std::transform(samples.begin(), samples.end(), centered.begin(),
                 [&](const TenMoments& m) { return about(m, c); });
  return centered;
}

void add_squares(std::span<const TenMoments> samples, const Vec3& center, double step,
                 Falloff falloff, TenMoments& squares) {
  if (samples.empty()) return;
  const TenMoments error = spectrum_at_lattice(about(samples, center), step, falloff);
  for (std::size_t k = 0; k < error.size(); ++k) squares[k] += error[k] * error[k];
}

double meters_of(const ImageOptions& options) {
  return options.unit.numerator / options.unit.denominator;
}

// The body whose integrals are `sums`, in meters.
MassProperties properties_of(const TenMoments& sums, const View& view,
                             const ImageOptions& options) {
  Similarity world_from_view = view.world_from_view;
  world_from_view.linear() *= meters_of(options);
  world_from_view.translation() *= meters_of(options);
  return mass_from_moments(to_volume_moments(sums), world_from_view, options.density, options.mass);
}

// Sums and their errors about the center, in the units of the body.
ImageMass with_errors(const TenMoments& sums, const TenMoments& error, const View& view,
                      const ImageOptions& options) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ImageMass result;
  result.properties = properties_of(sums, view, options);
  const double volume = std::abs(sums[0]);
  const double scale = view.scale() * meters_of(options);
  if (volume == 0) {
    result.error_estimate = {error[0] * scale * scale * scale, kInfinity, kInfinity};
    return result;
  }
  const double relative = error[0] / volume;
  result.error_estimate.volume = result.properties.volume * relative;
  result.error_estimate.center_of_mass = scale * std::max({error[1], error[2], error[3]}) / volume;
  // The tensor's entries: sums of two second moments, or one; with a given mass also its density's.
  const double diagonal = std::max({error[4] + error[5], error[5] + error[6], error[6] + error[4]});
  const double second = std::max({diagonal, error[7], error[8], error[9]}) / volume;
  const double of_density =
      options.mass > 0 ? relative * result.properties.inertia.cwiseAbs().maxCoeff() : 0;
  result.error_estimate.inertia = result.properties.mass * scale * scale * second + of_density;
  return result;
}

}  // namespace

TenMoments sum_of_rows(std::span<const TenMoments> rows, double step) {
  TenMoments sum{};
  for (const TenMoments& row : rows)
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += row[k] * step;
  return sum;
}

ImageMass measured(const TenMoments& sums, const TenMoments& errors, const View& view,
                   const ImageOptions& options) {
  if (sums[0] == 0) return with_errors(sums, errors, view, options);
  // |error about c| <= the error of each term about the origin, times what multiplies it.
  const Vec3 c = (Vec3(sums[1], sums[2], sums[3]) / sums[0]).cwiseAbs();
  TenMoments about_center = errors;
  for (std::size_t i = 0; i < 3; ++i) {
    const double here = c[static_cast<long>(i)];
    about_center[1 + i] += here * errors[0];
    about_center[4 + i] += 2 * here * errors[1 + i] + here * here * errors[0];
  }
  const auto product = [&](std::size_t term, std::size_t i, std::size_t j) {
    const double ci = c[static_cast<long>(i)], cj = c[static_cast<long>(j)];
    about_center[term] += ci * errors[1 + j] + cj * errors[1 + i] + ci * cj * errors[0];
  };
  product(7, 0, 1);
  product(8, 0, 2);
  product(9, 1, 2);
  return with_errors(sums, about_center, view, options);
}

ImageMass measured(const TenMoments& sums, const Marginals& marginals, const View& view,
                   const ImageOptions& options, double rounding, double lost) {
  TenMoments error{};
  error.fill(lost);
  if (sums[0] == 0) return with_errors(sums, error, view, options);
  const Vec3 center = Vec3(sums[1], sums[2], sums[3]) / sums[0];
  TenMoments squares{};
  const bool across = !marginals.columns.empty();
  const Falloff falloff = across ? Falloff::kSilhouette : Falloff::kMeasured;
  add_squares(marginals.rows, center, view.lattice.dy, falloff, squares);
  add_squares(marginals.columns, center, view.lattice.dx, falloff, squares);
  const Deviations& deviations = across ? kAcross : kAlong;
  const double box =
      view.lattice.width * view.lattice.dx * view.lattice.height * view.lattice.dy * 2 * view.depth;
  for (std::size_t k = 0; k < error.size(); ++k)
    error[k] = deviations.of(k) * std::sqrt(squares[k]) + rounding * box + lost;
  for (const TenMoments& change : about(marginals.beside, center))
    for (std::size_t k = 0; k < error.size(); ++k)
      error[k] += std::abs(change[k]) * view.lattice.dy;
  return with_errors(sums, error, view, options);
}

void allow_for(const TenMoments& known, const View& view, const ImageOptions& options,
               ImageMass& result) {
  allow_for(properties_of(known, view, options), result);
}

void allow_for(const MassProperties& known, ImageMass& result) {
  constexpr double kRounded = 1 + 0x1p-6;  // what `known` is itself off by, next to what it finds
  const MassProperties& found = result.properties;
  MassError& estimate = result.error_estimate;
  const auto widen = [](double& error, double difference) {
    error = std::max(error, kRounded * difference);
  };
  widen(estimate.volume, std::abs(found.volume - known.volume));
  if (found.volume == 0 || known.volume == 0) {
    estimate.center_of_mass = estimate.inertia = std::numeric_limits<double>::infinity();
    return;
  }
  widen(estimate.center_of_mass,
        (found.center_of_mass - known.center_of_mass).cwiseAbs().maxCoeff());
  widen(estimate.inertia, (found.inertia - known.inertia).cwiseAbs().maxCoeff());
}

}  // namespace plimsoll
