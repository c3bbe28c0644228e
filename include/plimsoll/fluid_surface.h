// The free surface of a fluid over the plane z = 0 of the world: still, waves, or a grid of
// heights. z points up; the fluid is what lies under the surface.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// Of sea water of 15 degrees and 35 g of salt in a kilogram, rounded: what water is where nobody
/// says which [kg/m^3].
inline constexpr double kSeawaterDensity = 1025;

/// A plane.
struct StillWater {
  double height = 0;  ///< [m]
};

/// A plane wave of small amplitude on deep water.
struct WaveComponent {
  double amplitude = 0;      ///< [m]
  double wavelength = 1;     ///< [m]
  double direction_deg = 0;  ///< Where the crests go, from x towards y.
  double phase = 0;          ///< At the origin and time 0 [rad].
};

/// k a, wave number times amplitude.
[[nodiscard]] double steepness(const WaveComponent& wave);

/// Waves on deep water break where k a is above this: the highest that keeps its form is 0.142 of
/// its length high [Michell1893]. Sums of cosines differ from a wave well before.
inline constexpr double kBreakingSteepness = 0.44;

/// The sum over the components of amplitude cos(k . x - omega t + phase), omega^2 = g k
/// [Airy1845]; upon a mean height.
struct Waves {
  double height = 0;  ///< [m]
  std::vector<WaveComponent> components;
};

/// Heights at the nodes of a lattice, bilinear between them, and beyond its border as at the
/// nearest point of it. It does not move.
struct HeightGrid {
  Vec2 origin{0, 0};            ///< Of node (0, 0) [m].
  Vec2 spacing{1, 1};           ///< Of nodes along x and y [m].
  int columns = 0;              ///< Nodes along x, at least 2.
  int rows = 0;                 ///< Nodes along y, at least 2.
  std::vector<double> heights;  ///< rows x columns, row-major [m].
};

using FluidSurface = std::variant<StillWater, Waves, HeightGrid>;

/// Checks that all numbers are finite, 1e60 at most, wavelengths and spacings positive, 1e-60 at
/// least, amplitudes not negative, waves a thousand at most, and that a grid has its heights.
/// Errors: `InvalidArgument`; `where` as in "components[1]". O(components), O(nodes of a grid).
[[nodiscard]] Result<void> check_fluid_surface(const FluidSurface& surface);

class SurfaceNow;

/// A fluid surface that was checked. It owns its description, which copies share.
class FreeSurface {
 public:
  /// Still water of height 0.
  FreeSurface();
  FreeSurface(const FreeSurface&) = default;  // shares; so does a move, which leaves it usable
  FreeSurface& operator=(const FreeSurface&) = default;
  /// Errors and cost: as check_fluid_surface.
  [[nodiscard]] static Result<FreeSurface> create(FluidSurface description);

  [[nodiscard]] const FluidSurface& description() const;
  /// Whether it changes with time.
  [[nodiscard]] bool is_moving() const { return std::holds_alternative<Waves>(description()); }

  /// The surface at `time` [s]. `gravity` [m/s^2] sets the speed of waves; without gravity they
  /// stand still. O(components). Errors: `InvalidArgument` unless the time is finite and gravity
  /// finite and not negative, and where waves have gone through more than 1e300 radians.
  [[nodiscard]] Result<SurfaceNow> at(double time, double gravity) const;

 private:
  struct Checked;
  explicit FreeSurface(std::shared_ptr<const Checked> checked);
  std::shared_ptr<const Checked> checked_;
};

/// A surface at one time, ready to be asked at many places: FreeSurface::at. It owns, or shares
/// with others of the same surface, all that it needs. At points that are not numbers all but still
/// water is NaN.
class SurfaceNow {
 public:
  /// Over (x, y) [m].
  [[nodiscard]] double height(double x, double y) const;
  /// Its derivatives by x and y; of a grid, from one side where it has a kink.
  [[nodiscard]] Vec2 slope(double x, double y) const;
  /// Both over the lattice of all (x[i], y[j]), the values for one y after the other; to rounding.
  /// Waves cost as many cosines as there are x and y, not pairs of them. `slopes` may be empty:
  /// then they are not wanted. NaN where there are not as many heights, or slopes, as pairs.
  void over_lattice(std::span<const double> x, std::span<const double> y, std::span<double> heights,
                    std::span<Vec2> slopes) const;
  /// Of the fluid at `p` [m/s]: deep-water waves of first order, which die away as exp(k z) below
  /// the mean height and are above it as at it; else zero.
  [[nodiscard]] Vec3 velocity(const Vec3& p) const;

  /// The surface is nowhere lower or higher [m].
  [[nodiscard]] double lowest() const { return lowest_; }
  [[nodiscard]] double highest() const { return highest_; }
  [[nodiscard]] bool is_plane() const { return lowest_ == highest_; }
  /// Without its waves [m]; of a grid, the mean of its nodes.
  [[nodiscard]] double mean_height() const { return mean_; }
  /// Over a triangle that, seen from above, is inside the rectangle from `low` to `high`, the
  /// linear interpolation between the surface's heights at its corners is no farther from the
  /// surface than this; 0 for planes [m].
  [[nodiscard]] double interpolation_error(const Vec2& low, const Vec2& high) const;

 private:
  friend class FreeSurface;
  struct Component {
    double amplitude, kx, ky, k, omega, phase;  // phase: at the time
  };
  SurfaceNow() = default;
  struct Cell {
    double h00, h10, h01, h11;
    double s, t;    // in [0, 1]
    double ds, dt;  // by x and y; 0 beyond the border
  };
  [[nodiscard]] Cell cell_at(double x, double y) const;

  std::vector<Component> components_;
  std::shared_ptr<const HeightGrid> grid_;  // none, but of a grid
  double mean_ = 0, lowest_ = 0, highest_ = 0;
  double curvature_ = 0;  // no second derivative is larger, but for
  double kink_ = 0;       // jumps of the slope between cells, along x and y together
};

}  // namespace plimsoll
