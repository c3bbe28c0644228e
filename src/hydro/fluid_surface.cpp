// Heights, slopes and bounds of fluid surfaces.
#include <plimsoll/elementary.h>
#include <plimsoll/fluid_surface.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

namespace plimsoll {
namespace {

Error refused(const std::string& found, const std::string& where) {
  return {ErrorCode::kInvalidArgument, found, where};
}

/// What is larger, or shorter, overflows in slopes and curvatures.
constexpr double kMaxNumber = 1e60;
constexpr std::size_t kMaxComponents = 1000;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool is_usable(double x) { return std::fabs(x) <= kMaxNumber; }

Result<void> check(const StillWater& water) {
  if (!is_usable(water.height)) return refused("expected a height up to 1e60", "height");
  return {};
}

Result<void> check(const Waves& waves) {
  if (waves.components.size() > kMaxComponents)
    return refused("expected a thousand waves at most", "components");
  if (!is_usable(waves.height)) return refused("expected a height up to 1e60", "height");
  for (std::size_t i = 0; i < waves.components.size(); ++i) {
    const WaveComponent& wave = waves.components[i];
    const std::string where = "components[" + std::to_string(i) + "]";
    if (!(wave.amplitude >= 0) || !is_usable(wave.amplitude))
      return refused("expected an amplitude from 0 to 1e60", where);
    if (!(wave.wavelength >= 1 / kMaxNumber) || !is_usable(wave.wavelength))
      return refused("expected a wavelength from 1e-60 to 1e60", where);
    if (!is_usable(wave.direction_deg) || !is_usable(wave.phase))
      return refused("expected a direction and phase up to 1e60", where);
  }
  return {};
}

Result<void> check(const HeightGrid& grid) {
  if (!is_usable(grid.origin.cwiseAbs().maxCoeff()) || !grid.origin.allFinite())
    return refused("expected an origin up to 1e60", "origin");
  if (!grid.spacing.allFinite() || !(grid.spacing.minCoeff() >= 1 / kMaxNumber) ||
      !is_usable(grid.spacing.maxCoeff()))
    return refused("expected spacings from 1e-60 to 1e60", "spacing");
  if (grid.columns < 2 || grid.rows < 2)
    return refused("expected two rows and columns of heights at least", "heights");
  const auto nodes = static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows);
  if (grid.heights.size() != nodes)
    return refused("expected as many heights as rows times columns", "heights");
  if (!std::all_of(grid.heights.begin(), grid.heights.end(), [](double h) { return is_usable(h); }))
    return refused("expected heights up to 1e60", "heights");
  return {};
}

/// Columns and rows of nodes, the last included.
struct NodeRange {
  int first_column, last_column, first_row, last_row;

  [[nodiscard]] double nodes() const {
    return (last_column - first_column + 1.0) * (last_row - first_row + 1.0);
  }
};
NodeRange all_nodes(const HeightGrid& grid) { return {0, grid.columns - 1, 0, grid.rows - 1}; }

double height_at(const HeightGrid& grid, int row, int column) {
  return grid.heights[static_cast<std::size_t>(std::clamp(row, 0, grid.rows - 1)) * grid.columns +
                      std::clamp(column, 0, grid.columns - 1)];
}

/// The largest second derivative of the bilinear patches: only the mixed one is not 0, and along a
/// diagonal direction the second derivative is as large as it.
double twist(const HeightGrid& grid, const NodeRange& range) {
  double largest = 0;
  for (int row = range.first_row; row < range.last_row; ++row)
    for (int column = range.first_column; column < range.last_column; ++column)
      largest = std::max(
          largest,
          std::fabs(height_at(grid, row, column) - height_at(grid, row, column + 1) -
                    height_at(grid, row + 1, column) + height_at(grid, row + 1, column + 1)));
  return largest / (grid.spacing[0] * grid.spacing[1]);
}

/// The largest jump of the slope along x plus that along y, at the border too: beyond it the
/// surface is level.
double largest_kink(const HeightGrid& grid, const NodeRange& range) {
  double along_x = 0, along_y = 0;
  for (int row = range.first_row; row <= range.last_row; ++row)
    for (int column = range.first_column; column <= range.last_column; ++column) {
      const double twice = 2 * height_at(grid, row, column);
      along_x = std::max(along_x, std::fabs(height_at(grid, row, column - 1) - twice +
                                            height_at(grid, row, column + 1)));
      along_y = std::max(along_y, std::fabs(height_at(grid, row - 1, column) - twice +
                                            height_at(grid, row + 1, column)));
    }
  return along_x / grid.spacing[0] + along_y / grid.spacing[1];
}

}  // namespace

double steepness(const WaveComponent& wave) {
  return 2 * std::numbers::pi / wave.wavelength * wave.amplitude;
}

Result<void> check_fluid_surface(const FluidSurface& surface) {
  return std::visit([](const auto& kind) { return check(kind); }, surface);
}

/// What does not change with time.
struct FreeSurface::Checked {
  FluidSurface description;
  double mean = 0, lowest = 0, highest = 0;
  double curvature = 0, kink = 0;

  explicit Checked(FluidSurface surface) : description(std::move(surface)) {
    std::visit([this](const auto& kind) { measure(kind); }, description);
  }

 private:
  void measure(const StillWater& still) { mean = lowest = highest = still.height; }

  void measure(const Waves& waves) {
    mean = waves.height;
    double sum = 0;
    for (const WaveComponent& wave : waves.components) {
      const double k = 2 * std::numbers::pi / wave.wavelength;
      sum += wave.amplitude;
      curvature += wave.amplitude * k * k;
    }
    lowest = mean - sum;
    highest = mean + sum;
  }

  void measure(const HeightGrid& grid) {
    const auto [low, high] = std::minmax_element(grid.heights.begin(), grid.heights.end());
    lowest = *low;
    highest = *high;
    mean = std::accumulate(grid.heights.begin(), grid.heights.end(), 0.0) /
           static_cast<double>(grid.heights.size());
    curvature = twist(grid, all_nodes(grid));
    kink = largest_kink(grid, all_nodes(grid));
  }
};

FreeSurface::FreeSurface() : FreeSurface(std::make_shared<const Checked>(StillWater{})) {}
FreeSurface::FreeSurface(std::shared_ptr<const Checked> checked) : checked_(std::move(checked)) {}

Result<FreeSurface> FreeSurface::create(FluidSurface description) {
  if (Result<void> usable = check_fluid_surface(description); !usable) return usable.error();
  return FreeSurface(std::make_shared<const Checked>(std::move(description)));
}

const FluidSurface& FreeSurface::description() const { return checked_->description; }

Result<SurfaceNow> FreeSurface::at(double time, double gravity) const {
  if (!std::isfinite(time)) return refused("expected a finite time", "time");
  if (!(gravity >= 0) || !std::isfinite(gravity))
    return refused("expected a gravity that is finite and not below 0", "gravity");
  SurfaceNow now;
  now.mean_ = checked_->mean;
  now.lowest_ = checked_->lowest;
  now.highest_ = checked_->highest;
  now.curvature_ = checked_->curvature;
  now.kink_ = checked_->kink;
  if (const auto* grid = std::get_if<HeightGrid>(&checked_->description))
    now.grid_ = std::shared_ptr<const HeightGrid>(checked_, grid);
  const auto* waves = std::get_if<Waves>(&checked_->description);
  if (waves == nullptr) return now;
  now.components_.reserve(waves->components.size());
  for (const WaveComponent& wave : waves->components) {
    const double k = 2 * std::numbers::pi / wave.wavelength;
    const double omega = std::sqrt(gravity * k);
    const auto [sine, cosine] = elementary::sin_cos(wave.direction_deg * (std::numbers::pi / 180));
    constexpr double kMaxAngle = 1e300;
    if (!(std::fabs(omega * time) <= kMaxAngle))
      return refused("found waves that have gone through more than 1e300 radians", "time");
    now.components_.push_back(
        {wave.amplitude, k * cosine, k * sine, k, omega, wave.phase - omega * time});
  }
  return now;
}

SurfaceNow::Cell SurfaceNow::cell_at(double x, double y) const {
  const auto along = [&](double at, int axis, int nodes, int& index, double& share, double& by) {
    const double node = (at - grid_->origin[axis]) / grid_->spacing[axis];
    const double within = std::clamp(node, 0.0, static_cast<double>(nodes - 1));
    index = within > 0 ? std::min(static_cast<int>(within), nodes - 2) : 0;  // not of NaN
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
    if (std::isnan(x) || std::isnan(y)) return kNan;  // which lerp may lose
    const Cell c = cell_at(x, y);
    return std::lerp(std::lerp(c.h00, c.h10, c.s), std::lerp(c.h01, c.h11, c.s), c.t);
  }
  double sum = mean_;
  for (const Component& c : components_)
    sum += c.amplitude * elementary::cos(c.kx * x + c.ky * y + c.phase);
  return sum;
}

Vec2 SurfaceNow::slope(double x, double y) const {
  if (grid_ != nullptr) {
    if (std::isnan(x) || std::isnan(y)) return {kNan, kNan};
    const Cell c = cell_at(x, y);
    return {std::lerp(c.h10 - c.h00, c.h11 - c.h01, c.t) * c.ds,
            std::lerp(c.h01 - c.h00, c.h11 - c.h10, c.s) * c.dt};
  }
  Vec2 sum(0, 0);
  for (const Component& c : components_)
    sum -= c.amplitude * elementary::sin(c.kx * x + c.ky * y + c.phase) * Vec2(c.kx, c.ky);
  return sum;
}

// cos(a + b) = cos a cos b - sin a sin b with a = kx x + phase and b = ky y.
void SurfaceNow::over_lattice(std::span<const double> x, std::span<const double> y,
                              std::span<double> heights, std::span<Vec2> slopes) const {
  const std::size_t columns = x.size(), places = columns * y.size();
  if (heights.size() != places || (!slopes.empty() && slopes.size() != places)) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    std::fill(heights.begin(), heights.end(), kNaN);
    std::fill(slopes.begin(), slopes.end(), Vec2(kNaN, kNaN));
    return;
  }
  if (grid_ != nullptr) {
    for (std::size_t j = 0; j < y.size(); ++j)
      for (std::size_t i = 0; i < columns; ++i) {
        heights[j * columns + i] = height(x[i], y[j]);
        if (!slopes.empty()) slopes[j * columns + i] = slope(x[i], y[j]);
      }
    return;
  }
  std::fill(heights.begin(), heights.end(), mean_);
  std::fill(slopes.begin(), slopes.end(), Vec2(0, 0));
  std::vector<double> cosines(columns), sines(columns);
  for (const Component& c : components_) {
    for (std::size_t i = 0; i < columns; ++i) {
      const auto [sine, cosine] = elementary::sin_cos(c.kx * x[i] + c.phase);
      cosines[i] = c.amplitude * cosine;
      sines[i] = c.amplitude * sine;
    }
    for (std::size_t j = 0; j < y.size(); ++j) {
      const auto [sine, cosine] = elementary::sin_cos(c.ky * y[j]);
      for (std::size_t i = 0; i < columns; ++i)
        heights[j * columns + i] += cosines[i] * cosine - sines[i] * sine;
      if (slopes.empty()) continue;
      for (std::size_t i = 0; i < columns; ++i)
        slopes[j * columns + i] -= (sines[i] * cosine + cosines[i] * sine) * Vec2(c.kx, c.ky);
    }
  }
}

// With second derivatives up to M it is M e^2 / 6 for edges up to e: no point is farther than
// e / sqrt 3 from all corners. Along a line of length e that meets n kinks of the slope, e / 4
// times their sum is added; over a triangle twice as much, once along the edge opposite a corner
// and once from there to the corner.
double SurfaceNow::interpolation_error(const Vec2& low, const Vec2& high) const {
  if (is_plane()) return 0;
  const double square = (high - low).squaredNorm();
  if (!std::isfinite(square)) return std::numeric_limits<double>::infinity();
  if (grid_ == nullptr) return curvature_ * square / 6;
  double kinks = 0;
  int first[2], last[2];  // nodes around the shadow
  for (int axis = 0; axis < 2; ++axis) {
    const int nodes = axis == 0 ? grid_->columns : grid_->rows;
    const auto node = [&](double at) {
      return std::clamp((at - grid_->origin[axis]) / grid_->spacing[axis], -0.5, nodes - 0.5);
    };
    const double begin = node(low[axis]), end = node(high[axis]);
    kinks += std::max(0.0, std::floor(end) - std::ceil(begin) + 1);
    first[axis] = std::max(0, static_cast<int>(std::floor(begin)));
    last[axis] = std::min(nodes - 1, static_cast<int>(std::ceil(end)));
  }
  // Looking at the nodes is worth it for few of them; the whole grid is no smoother than its worst.
  constexpr double kFew = 1024;
  const NodeRange around{first[0], last[0], first[1], last[1]};
  const bool is_few = around.nodes() <= kFew;
  const double curvature = is_few ? twist(*grid_, around) : curvature_;
  const double kink = kinks == 0 ? 0 : is_few ? largest_kink(*grid_, around) : kink_;
  return curvature * square / 6 + kinks * kink * std::sqrt(square) / 2;
}

// With the potential a omega / k exp(k z) sin(k . x - omega t + phase), whose surface is the
// cosine.
Vec3 SurfaceNow::velocity(const Vec3& p) const {
  Vec3 sum = Vec3::Zero();
  for (const Component& c : components_) {
    const auto [sine, cosine] = elementary::sin_cos(c.kx * p[0] + c.ky * p[1] + c.phase);
    const double speed = c.amplitude * c.omega * elementary::exp(c.k * std::min(p[2] - mean_, 0.0));
    sum += speed * Vec3(cosine * c.kx / c.k, cosine * c.ky / c.k, sine);
  }
  return sum;
}

}  // namespace plimsoll
