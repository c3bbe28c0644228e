// Heights, slopes and bounds of fluid surfaces.
#include <plimsoll/assert.h>
#include <plimsoll/fluid_surface.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace plimsoll {
namespace {

Error refused(const std::string& found, const std::string& where) {
  return {ErrorCode::kInvalidArgument, found, where};
}

Result<void> check(const StillWater& water) {
  if (!std::isfinite(water.height)) return refused("expected a finite height", "height");
  return {};
}

Result<void> check(const Waves& waves) {
  if (!std::isfinite(waves.height)) return refused("expected a finite height", "height");
  for (std::size_t i = 0; i < waves.components.size(); ++i) {
    const WaveComponent& wave = waves.components[i];
    const std::string where = "components[" + std::to_string(i) + "]";
    if (!(wave.amplitude >= 0) || !std::isfinite(wave.amplitude))
      return refused("expected an amplitude that is finite and not negative", where);
    if (!(wave.wavelength > 0) || !std::isfinite(wave.wavelength))
      return refused("expected a wavelength that is finite and positive", where);
    if (!std::isfinite(wave.direction_deg) || !std::isfinite(wave.phase))
      return refused("expected a finite direction and phase", where);
  }
  return {};
}

Result<void> check(const HeightGrid& grid) {
  if (!grid.origin.allFinite()) return refused("expected a finite origin", "origin");
  if (!(grid.spacing.minCoeff() > 0) || !grid.spacing.allFinite())
    return refused("expected spacings that are finite and positive", "spacing");
  if (grid.columns < 2 || grid.rows < 2)
    return refused("expected two rows and columns of heights at least", "heights");
  const auto nodes = static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows);
  if (grid.heights.size() != nodes)
    return refused("expected as many heights as rows times columns", "heights");
  if (!std::all_of(grid.heights.begin(), grid.heights.end(),
                   [](double h) { return std::isfinite(h); }))
    return refused("expected finite heights", "heights");
  return {};
}

/// The largest second derivative of the bilinear patches: only the mixed one is not 0, and along a
/// diagonal direction the second derivative is as large as it.
double twist(const HeightGrid& grid) {
  double most = 0;
  for (int row = 0; row + 1 < grid.rows; ++row)
    for (int column = 0; column + 1 < grid.columns; ++column) {
      const double* h = grid.heights.data() + static_cast<std::size_t>(row) * grid.columns + column;
      most = std::max(most, std::fabs(h[0] - h[1] - h[grid.columns] + h[grid.columns + 1]));
    }
  return most / (grid.spacing[0] * grid.spacing[1]);
}

/// The largest jump of the slope along x plus that along y, at the border too: beyond it the
/// surface is level.
double largest_kink(const HeightGrid& grid) {
  const auto at = [&](int row, int column) {
    return grid.heights[static_cast<std::size_t>(std::clamp(row, 0, grid.rows - 1)) * grid.columns +
                        std::clamp(column, 0, grid.columns - 1)];
  };
  double along_x = 0, along_y = 0;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      const double twice = 2 * at(row, column);
      along_x = std::max(along_x, std::fabs(at(row, column - 1) - twice + at(row, column + 1)));
      along_y = std::max(along_y, std::fabs(at(row - 1, column) - twice + at(row + 1, column)));
    }
  return along_x / grid.spacing[0] + along_y / grid.spacing[1];
}

}  // namespace

Result<void> check_fluid_surface(const FluidSurface& surface) {
  return std::visit([](const auto& kind) { return check(kind); }, surface);
}

SurfaceNow::SurfaceNow(const FluidSurface& surface, double time, double gravity) {
  PLIMSOLL_ASSERT(check_fluid_surface(surface).has_value(), "the surface was checked");
  if (const auto* still = std::get_if<StillWater>(&surface)) {
    mean_ = lowest_ = highest_ = still->height;
  } else if (const auto* waves = std::get_if<Waves>(&surface)) {
    mean_ = waves->height;
    double sum = 0;
    for (const WaveComponent& wave : waves->components) {
      const double k = 2 * std::numbers::pi / wave.wavelength;
      const double omega = std::sqrt(gravity * k);
      const double angle = wave.direction_deg * (std::numbers::pi / 180);
      components_.push_back({wave.amplitude, k * std::cos(angle), k * std::sin(angle), k, omega,
                             wave.phase - omega * time});
      sum += wave.amplitude;
      curvature_ += wave.amplitude * k * k;
    }
    lowest_ = mean_ - sum;
    highest_ = mean_ + sum;
  } else {
    grid_ = &std::get<HeightGrid>(surface);
    const auto [low, high] = std::minmax_element(grid_->heights.begin(), grid_->heights.end());
    lowest_ = *low;
    highest_ = *high;
    mean_ = std::accumulate(grid_->heights.begin(), grid_->heights.end(), 0.0) /
            static_cast<double>(grid_->heights.size());
    curvature_ = twist(*grid_);
    kink_ = largest_kink(*grid_);
  }
}

SurfaceNow::Cell SurfaceNow::cell_at(double x, double y) const {
  const auto along = [&](double at, int axis, int nodes, int& index, double& share, double& by) {
    const double node = (at - grid_->origin[axis]) / grid_->spacing[axis];
    const double within = std::clamp(node, 0.0, static_cast<double>(nodes - 1));
    index = std::min(static_cast<int>(within), nodes - 2);
    share = within - index;
    by = within == node ? 1 / grid_->spacing[axis] : 0;
  };
  Cell cell;
  int column, row;
  along(x, 0, grid_->columns, column, cell.s, cell.ds);
  along(y, 1, grid_->rows, row, cell.t, cell.dt);
  const double* h = grid_->heights.data() + static_cast<std::size_t>(row) * grid_->columns + column;
  cell.h00 = h[0];
  cell.h10 = h[1];
  cell.h01 = h[grid_->columns];
  cell.h11 = h[grid_->columns + 1];
  return cell;
}

double SurfaceNow::height(double x, double y) const {
  if (grid_ != nullptr) {
    const Cell c = cell_at(x, y);
    return std::lerp(std::lerp(c.h00, c.h10, c.s), std::lerp(c.h01, c.h11, c.s), c.t);
  }
  double sum = mean_;
  for (const Component& c : components_)
    sum += c.amplitude * std::cos(c.kx * x + c.ky * y + c.phase);
  return sum;
}

Eigen::Vector2d SurfaceNow::slope(double x, double y) const {
  if (grid_ != nullptr) {
    const Cell c = cell_at(x, y);
    return {std::lerp(c.h10 - c.h00, c.h11 - c.h01, c.t) * c.ds,
            std::lerp(c.h01 - c.h00, c.h11 - c.h10, c.s) * c.dt};
  }
  Eigen::Vector2d sum(0, 0);
  for (const Component& c : components_)
    sum -= c.amplitude * std::sin(c.kx * x + c.ky * y + c.phase) * Eigen::Vector2d(c.kx, c.ky);
  return sum;
}

// cos(a + b) = cos a cos b - sin a sin b with a = kx x + phase and b = ky y.
void SurfaceNow::over_lattice(std::span<const double> x, std::span<const double> y,
                              std::span<double> heights, std::span<Eigen::Vector2d> slopes) const {
  const std::size_t columns = x.size();
  if (grid_ != nullptr) {
    for (std::size_t j = 0; j < y.size(); ++j)
      for (std::size_t i = 0; i < columns; ++i) {
        heights[j * columns + i] = height(x[i], y[j]);
        if (!slopes.empty()) slopes[j * columns + i] = slope(x[i], y[j]);
      }
    return;
  }
  std::fill(heights.begin(), heights.end(), mean_);
  std::fill(slopes.begin(), slopes.end(), Eigen::Vector2d(0, 0));
  std::vector<double> cosines(columns), sines(columns);
  for (const Component& c : components_) {
    for (std::size_t i = 0; i < columns; ++i) {
      cosines[i] = c.amplitude * std::cos(c.kx * x[i] + c.phase);
      sines[i] = c.amplitude * std::sin(c.kx * x[i] + c.phase);
    }
    for (std::size_t j = 0; j < y.size(); ++j) {
      const double cosine = std::cos(c.ky * y[j]), sine = std::sin(c.ky * y[j]);
      for (std::size_t i = 0; i < columns; ++i)
        heights[j * columns + i] += cosines[i] * cosine - sines[i] * sine;
      if (slopes.empty()) continue;
      for (std::size_t i = 0; i < columns; ++i)
        slopes[j * columns + i] -=
            (sines[i] * cosine + cosines[i] * sine) * Eigen::Vector2d(c.kx, c.ky);
    }
  }
}

// With second derivatives up to M it is M e^2 / 6 for edges up to e: no point is farther than
// e / sqrt 3 from all corners. Along a line of length e that meets n kinks of the slope, e / 4
// times their sum is added; over a triangle twice as much, once along the edge opposite a corner
// and once from there to the corner.
double SurfaceNow::interpolation_error(const Eigen::AlignedBox2d& shadow) const {
  const double smooth = curvature_ * shadow.sizes().squaredNorm() / 6;
  if (grid_ == nullptr) return smooth;
  double kinks = 0;
  for (int axis = 0; axis < 2; ++axis) {
    const int nodes = axis == 0 ? grid_->columns : grid_->rows;
    const auto node = [&](double at) {
      return std::clamp((at - grid_->origin[axis]) / grid_->spacing[axis], -0.5, nodes - 0.5);
    };
    const double first = std::ceil(node(shadow.min()[axis]));
    kinks += std::max(0.0, std::floor(node(shadow.max()[axis])) - first + 1);
  }
  return smooth + kinks * kink_ * shadow.sizes().norm() / 2;
}

// With the potential a omega / k exp(k z) sin(k . x - omega t + phase), whose surface is the
// cosine.
Vec3 SurfaceNow::velocity(const Vec3& p) const {
  Vec3 sum = Vec3::Zero();
  for (const Component& c : components_) {
    const double angle = c.kx * p[0] + c.ky * p[1] + c.phase;
    const double speed = c.amplitude * c.omega * std::exp(c.k * std::min(p[2] - mean_, 0.0));
    sum +=
        speed * Vec3(std::cos(angle) * c.kx / c.k, std::cos(angle) * c.ky / c.k, std::sin(angle));
  }
  return sum;
}

}  // namespace plimsoll
