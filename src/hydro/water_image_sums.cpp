#include "hydro/water_image_sums.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "image/sampling_error.h"

namespace plimsoll {
namespace {

// The sums of all columns, in view units but for the pixel's area.
struct Sums {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();  // its upper triangle
  Vec3 lift = Vec3::Zero();
  Vec3 moment = Vec3::Zero();  // about the middle
};

void add_column(const WaterColumn& column, double x, double y, const Vec2& slope, Sums& sums) {
  const auto [l, m, n] = column.integrals;
  sums.volume += l;
  sums.first += Vec3(x * l, y * l, m);
  sums.second(0, 0) += x * x * l;
  sums.second(0, 1) += x * y * l;
  sums.second(1, 1) += y * y * l;
  sums.second(0, 2) += x * m;
  sums.second(1, 2) += y * m;
  sums.second(2, 2) += n;
  const double a = -slope[0], b = -slope[1];  // the push of a unit of length is (a, b, 1)
  sums.lift += Vec3(a * l, b * l, l);
  sums.moment += Vec3(y * l - b * m, a * m - x * l, (x * b - y * a) * l);
}

Mat3 about_center(Mat3 second, const Vec3& center, double volume) {
  second(1, 0) = second(0, 1);
  second(2, 0) = second(0, 2);
  second(2, 1) = second(1, 2);
  return second - volume * center * center.transpose();
}

/// The lattice's error of the volume: what the marginals of the column lengths have at its
/// frequency (image/sampling_error.h). The factor was fitted to random bodies, poses and levels
/// (water_estimate_test.cpp).
double sampling_error(std::span<const WaterColumn> columns, const Lattice& lattice) {
  constexpr double kAcross = 4.0;
  const auto width = static_cast<std::size_t>(lattice.width);
  const auto height = static_cast<std::size_t>(lattice.height);
  std::vector<std::array<double, 1>> along_x(width), along_y(height);
  for (std::size_t j = 0; j < height; ++j)
    for (std::size_t i = 0; i < width; ++i) {
      const double length = columns[j * width + i].integrals[0];
      along_x[i][0] += length * lattice.dy;
      along_y[j][0] += length * lattice.dx;
    }
  const double of_x = spectrum_at_lattice(along_x, lattice.dx, Falloff::kSilhouette);
  const double of_y = spectrum_at_lattice(along_y, lattice.dy, Falloff::kSilhouette);
  return kAcross * elementary::hypot(of_x, of_y);
}

/// What may be too small to have a spectrum, where nothing is known of it: a pixel as deep as the
/// longest column, and a row of pixels as deep as the body reaches below its deepest column.
double unmet_volume(std::span<const WaterColumn> columns, const Lattice& lattice, double deepest) {
  double longest = 0;
  double missed = deepest;
  for (const WaterColumn& column : columns) {
    longest = std::max(longest, std::abs(column.integrals[0]));
    missed = std::min(missed, deepest - column.deepest);
  }
  return lattice.dx * lattice.dy *
         (longest + std::max(missed, 0.0) * std::max(lattice.width, lattice.height));
}

/// How far `volume`, in the view's unit, may be off.
double error_of(double volume, std::span<const WaterColumn> columns, const WaterView& view,
                const WaterEstimate& estimate) {
  constexpr double kRounded = 1 + 0x1p-6;  // what is known is rounded too
  const Lattice& lattice = view.lattice;
  const double area = lattice.dx * lattice.width * lattice.dy * lattice.height;
  const double box = area * 2 * view.depth;
  const double misplaced = area * view.rounding / view.scale;  // what a rise or fall changes
  const double sampled = sampling_error(columns, lattice) + estimate.rounding * box;
  if (!estimate.known)
    return misplaced + sampled + unmet_volume(columns, lattice, estimate.deepest);
  return misplaced + std::max(sampled, kRounded * std::abs(volume - *estimate.known));
}

}  // namespace

double rounding_of(const Similarity& pose, const Vec3& p) {
  constexpr double kRounding = 0x1p-51;
  return kRounding *
         (pose.linear().cwiseAbs() * p.cwiseAbs() + pose.translation().cwiseAbs()).norm();
}

WaterView water_view(const Box3& box, int width, int height) {
  const Vec3 size = box.sizes();
  const double half = size.maxCoeff() / 2;
  WaterView view;
  view.middle = box.min() + size / 2;
  view.scale = half > 0 ? half : 1;
  const Vec3 unit = size / view.scale;
  const Vec3 low = (box.min() - view.middle) / view.scale;
  view.lattice = {width, height, low[0], low[1], unit[0] / width, unit[1] / height};
  view.depth = unit[2] / 2;
  return view;
}

void sample_surface(const SurfaceNow& surface, const WaterView& view, SurfaceSamples& samples) {
  const Lattice& lattice = view.lattice;
  const std::size_t pixels =
      static_cast<std::size_t>(lattice.width) * static_cast<std::size_t>(lattice.height);
  samples.heights.resize(pixels);
  samples.slopes.resize(surface.is_plane() ? 0 : pixels);
  if (surface.is_plane()) {
    std::fill(samples.heights.begin(), samples.heights.end(),
              (surface.lowest() - view.middle[2]) / view.scale);
    return;
  }
  const auto centers = [&](int count, double first, double step, double middle) {
    std::vector<double> at(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < at.size(); ++i)
      at[i] = middle + view.scale * (first + (static_cast<double>(i) + 0.5) * step);
    return at;
  };
  surface.over_lattice(centers(lattice.width, lattice.x0, lattice.dx, view.middle[0]),
                       centers(lattice.height, lattice.y0, lattice.dy, view.middle[1]),
                       samples.heights, samples.slopes);
  for (double& h : samples.heights) h = (h - view.middle[2]) / view.scale;
}

WaterImage sum_columns(std::span<const WaterColumn> columns, const WaterView& view,
                       const SurfaceSamples& surface, double outward,
                       const WaterEstimate& estimate) {
  const Lattice& lattice = view.lattice;
  const double pixel = lattice.dx * lattice.dy, unit = view.scale, area = unit * unit;
  Sums sums;
  WaterImage image;
  std::int64_t sections = 0;
  std::size_t i = 0;
  for (int row = 0; row < lattice.height; ++row)
    for (int column = 0; column < lattice.width; ++column, ++i) {
      const WaterColumn& found = columns[i];
      if (!found.is_balanced()) ++image.unbalanced_columns;
      const std::int32_t wet = found.wet_up + found.wet_down;
      if (wet == 0) continue;
      image.fragments += static_cast<std::size_t>(wet);
      image.peels = std::max(image.peels, wet);
      sections += found.wet_down - found.wet_up;
      add_column(found, lattice.x0 + (column + 0.5) * lattice.dx,
                 lattice.y0 + (row + 0.5) * lattice.dy,
                 surface.slopes.empty() ? Vec2(0, 0) : surface.slopes[i], sums);
    }
  image.waterplane_area = outward * static_cast<double>(sections) * pixel * area;
  const double volume = outward * sums.volume * pixel;
  image.volume_error = estimate.is_wanted ? error_of(volume, columns, view, estimate) * area * unit
                                          : std::numeric_limits<double>::infinity();
  if (!(volume > 0)) return image;
  const Vec3 center = sums.first / sums.volume;
  Buoyancy& result = image.buoyancy;
  result.volume = volume * area * unit;
  result.center = view.middle + unit * center;
  if (surface.slopes.empty()) {
    result.lift = {0, 0, result.volume};
  } else {
    result.lift = outward * pixel * area * unit * sums.lift;
    result.lift_moment = outward * pixel * area * area * (sums.moment - center.cross(sums.lift));
  }
  image.second_moments =
      outward * pixel * area * area * unit * about_center(sums.second, center, sums.volume);
  return image;
}

}  // namespace plimsoll
