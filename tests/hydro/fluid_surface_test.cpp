// Free surfaces: what is refused, what is owned, and that nothing that is asked crashes.
#include <doctest/doctest.h>
#include <plimsoll/elementary.h>
#include <plimsoll/fluid_surface.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "support/approx.h"
#include "support/surface_at.h"

namespace plimsoll {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const HeightGrid kGrid{{0, 0}, {1, 2}, 2, 2, {0, 1, 3, 7}};
const Waves kWaves{0.5, {{0.2, 3, 30, 0.7}, {0.1, 1, 200, 0}}};

// A surface comes from a checked description alone; no description can be borrowed.
static_assert(!std::is_constructible_v<SurfaceNow, const FluidSurface&, double, double>);
static_assert(!std::is_constructible_v<SurfaceNow, FluidSurface, double, double>);
static_assert(!std::is_constructible_v<SurfaceNow, HeightGrid, double, double>);
static_assert(!std::is_constructible_v<FreeSurface, FluidSurface>);
static_assert(!std::is_default_constructible_v<SurfaceNow>);
static_assert(std::is_copy_constructible_v<SurfaceNow> &&
              std::is_copy_constructible_v<FreeSurface>);

std::string refused(const FluidSurface& description) {
  const Result<FreeSurface> surface = FreeSurface::create(description);
  return surface ? "" : surface.error().where;
}

}  // namespace

TEST_CASE("what is not a number is no surface") {
  CHECK(refused(StillWater{kNan}) == "height");
  CHECK(refused(Waves{kNan, {}}) == "height");
  for (const double bad : {kNan, kInfinity}) {
    CHECK(refused(Waves{0, {{bad, 1, 0, 0}}}) == "components[0]");
    CHECK(refused(Waves{0, {{1, bad, 0, 0}}}) == "components[0]");
    CHECK(refused(Waves{0, {{1, 1, bad, 0}}}) == "components[0]");
    CHECK(refused(Waves{0, {{1, 1, 0, bad}}}) == "components[0]");
    for (int axis = 0; axis < 2; ++axis) {
      HeightGrid grid = kGrid;
      grid.origin[axis] = bad;
      CHECK(refused(grid) == "origin");
      grid = kGrid;
      grid.spacing[axis] = bad;
      CHECK(refused(grid) == "spacing");
    }
    HeightGrid grid = kGrid;
    grid.heights[3] = bad;
    CHECK(refused(grid) == "heights");
  }
  CHECK(refused(kGrid).empty());
}

TEST_CASE("a time or a gravity that is not one gives an error, and no NaN") {
  for (const FluidSurface& description :
       {FluidSurface(StillWater{1}), FluidSurface(kWaves), FluidSurface(kGrid)}) {
    const Result<FreeSurface> surface = FreeSurface::create(description);
    REQUIRE(surface);
    for (const double bad : {kNan, kInfinity, -kInfinity}) {
      CHECK(!surface->at(bad, 9.81));
      CHECK(!surface->at(0, bad));
    }
    CHECK(!surface->at(0, -1));
    for (const double time : {-1e6, 0.0, 1e6}) {
      const Result<SurfaceNow> now = surface->at(time, 9.81);
      REQUIRE(now);
      CHECK(std::isfinite(now->height(0.3, 0.4)));
      CHECK(now->velocity({0.3, 0.4, -1}).allFinite());
    }
  }
  const Result<FreeSurface> waves = FreeSurface::create(kWaves);
  CHECK(!waves->at(1e308, 9.81));  // the angle overflows
  // Without gravity waves have no speed: [Airy1845] with g = 0.
  CHECK(waves->at(5, 0)->height(1, 2) == waves->at(0, 0)->height(1, 2));
}

// Those of a C library differ from them in the last digit of some angles: here 37 cosines of 2000.
TEST_CASE("heights and slopes of a wave are by the sines that are the same everywhere") {
  const Result<FreeSurface> surface = FreeSurface::create(Waves{0, {{0.2, 3, 0, 0.7}}});
  REQUIRE(surface);
  const SurfaceNow now = *surface->at(0, 9.8);
  const double k = 2 * std::numbers::pi / 3;
  for (int i = 0; i < 2000; ++i) {
    const double x = 0.01 * i - 10, phase = k * x + 0.7;
    CHECK(now.height(x, 0) == 0.2 * elementary::cos(phase));
    CHECK(now.slope(x, 0).x() == -(0.2 * elementary::sin(phase) * k));
  }
}

TEST_CASE("a surface outlives what it was made of") {
  auto grid = std::make_unique<HeightGrid>(kGrid);
  std::optional<FreeSurface> surface(*FreeSurface::create(*grid));
  grid->heights.assign(4, 1e3);
  grid.reset();
  const SurfaceNow now = *surface->at(0, 9.81);
  surface.reset();
  CHECK(now.height(0, 0) == 0);
  CHECK(now.height(1, 2) == 7);
  const SurfaceNow copy = now;
  CHECK(copy.height(0.5, 1) == now.height(0.5, 1));
}

TEST_CASE("a surface that was moved from can still be asked") {
  FreeSurface one = *FreeSurface::create(StillWater{2});
  const FreeSurface other = std::move(one);
  CHECK(one.at(0, 1)->height(0, 0) == 2);  // NOLINT(bugprone-use-after-move)
  CHECK(other.at(0, 1)->height(0, 0) == 2);
  CHECK(FreeSurface().at(0, 1)->highest() == 0);
}

// Where the point is not a number the height is none, of a grid too, whose cell it would name.
TEST_CASE("points that are not numbers have no height, and no crash") {
  const SurfaceNow grid = test::surface_at(kGrid, 0, 9.81);
  CHECK(std::isnan(grid.height(kNan, 0)));
  CHECK(std::isnan(grid.height(0, kNan)));
  CHECK(std::isnan(grid.slope(kNan, 0)[0]));
  CHECK(std::isnan(test::surface_at(kWaves, 0, 9.81).height(kNan, 0)));
  CHECK(grid.height(kInfinity, kInfinity) == 7);
  CHECK(grid.height(-kInfinity, 0) == 0);
  CHECK(grid.interpolation_error({kNan, 0}, {1, 1}) == kInfinity);
  CHECK(grid.interpolation_error({-kInfinity, 0}, {1, 1}) == kInfinity);
  const SurfaceNow still = test::surface_at(StillWater{3}, 0, 9.81);
  CHECK(still.height(kNan, kNan) == 3);
  CHECK(still.interpolation_error({kNan, 0}, {1, 1}) == 0);
}

/// All level but one node.
HeightGrid spike(int columns, int rows, int column, int row) {
  HeightGrid grid{{-3, 5}, {0.5, 2}, columns, rows, {}};
  grid.heights.assign(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0);
  grid.heights[static_cast<std::size_t>(row) * columns + column] = 3;
  return grid;
}

// Along a line of nodes the slope jumps by 3 / spacing at both neighbors of the spike, and by twice
// that at the spike; at the border, beyond which the surface is level, only by as much. The second
// derivative is 3 / (dx dy) in the cells around it. The bound adds a sixth of it times the square
// of the diagonal to half the diagonal for each line of nodes that the rectangle meets, times both
// jumps. Grids of many nodes are looked at as a whole.
TEST_CASE("a spike of a grid of any shape bounds the interpolation by its own slopes") {
  constexpr int kShapes[][2] = {{2, 2}, {5, 3}, {3, 5}, {2, 6}, {6, 2}, {40, 30}};
  for (const auto& [columns, rows] : kShapes)
    for (int row = 0; row < rows; row += rows > 10 ? 7 : 1)
      for (int column = 0; column < columns; column += columns > 10 ? 13 : 1) {
        CAPTURE(columns);
        CAPTURE(rows);
        CAPTURE(column);
        CAPTURE(row);
        const HeightGrid grid = spike(columns, rows, column, row);
        const SurfaceNow now = test::surface_at(grid, 0, 9.81);
        const auto place = [&](double along_x, double along_y) {
          return Vec2(grid.origin + grid.spacing.cwiseProduct(Vec2(along_x, along_y)));
        };
        const auto jump = [](int at, int nodes) { return at > 0 && at < nodes - 1 ? 6.0 : 3.0; };
        const Vec2 size(0.5 * (columns - 1), 2.0 * (rows - 1));
        const double slopes = jump(column, columns) / 0.5 + jump(row, rows) / 2;
        CHECK(now.interpolation_error(place(0, 0), place(columns - 1, rows - 1)) ==
              test::approx(3 * size.squaredNorm() / 6 + (columns + rows) * slopes * size.norm() / 2)
                  .epsilon(1e-14));
        // Within a cell, away from the nodes, there is no kink.
        for (int y = 0; y + 1 < rows; ++y)
          for (int x = 0; x + 1 < columns; ++x) {
            const bool is_beside = (column == x || column == x + 1) && (row == y || row == y + 1);
            const Vec2 half(0.25, 1);
            CHECK(now.interpolation_error(place(x + 0.25, y + 0.25), place(x + 0.75, y + 0.75)) ==
                  test::approx(is_beside ? 3 * half.squaredNorm() / 6 : 0).epsilon(1e-14));
          }
      }
}

}  // namespace plimsoll
