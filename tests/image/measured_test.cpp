// What is said of the error of an image, from its sums and rows; and which centers a triangle has.
#include "image/measured.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/random.h"
#include "image/scan_triangle.h"

namespace plimsoll {
namespace {

View unit_view() {
  View view;
  view.axis = 2;
  view.world_from_view = Similarity::Identity();
  view.lattice = {32, 32, -1, -1, 2.0 / 32, 2.0 / 32};
  view.depth = 1;
  return view;
}

/// The moments of a box of sizes (a, b, c) about `m`: 1 x y z xx yy zz xy xz yz.
TenMoments box_moments(const Vec3& size, const Vec3& m) {
  const double v = size.prod();
  TenMoments t = {v, v * m[0], v * m[1],        v * m[2],        0,
                  0, 0,        v * m[0] * m[1], v * m[0] * m[2], v * m[1] * m[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<long>(i);
    t[4 + i] = v * (size[k] * size[k] / 12 + m[k] * m[k]);
  }
  return t;
}

// Each of the ten sums as wrong as is said, one after the other; to first order in 1e-6.
TEST_CASE("numbers of a body move no farther than its sums allow") {
  constexpr double kError = 1e-6, kFirstOrder = 1 - 1e-4;
  constexpr double kSecondOrder = 1e-9;  // 3 kg (1e-6 / 0.06)^2, by the center that moves
  const View view = unit_view();
  for (const auto& [mass, middle] :
       {std::pair(0.0, Vec3(0.6, -0.5, 0.7)), std::pair(3.0, Vec3(0.6, -0.5, 0.7)),
        std::pair(3.0, Vec3(0, 0, 0))}) {
    ImageOptions options;
    options.mass = mass;
    const TenMoments sums = box_moments({0.5, 0.3, 0.4}, middle);
    const MassProperties right = measured(sums, TenMoments{}, view, options).properties;
    for (std::size_t k = 0; k < 10; ++k) {
      CAPTURE(k);
      CAPTURE(mass);
      TenMoments errors{}, wrong = sums;
      errors[k] = kError;
      wrong[k] += kError;
      const MassError said = measured(sums, errors, view, options).error_estimate;
      const MassProperties found = measured(wrong, TenMoments{}, view, options).properties;
      CHECK(std::abs(found.volume - right.volume) <= said.volume + 1e-15);
      CHECK((found.center_of_mass - right.center_of_mass).cwiseAbs().maxCoeff() * kFirstOrder <=
            said.center_of_mass);
      CHECK((found.inertia - right.inertia).cwiseAbs().maxCoeff() * kFirstOrder <=
            said.inertia + kSecondOrder);
    }
  }
}

// A round plate, whose rows 2 sqrt(r^2 - y^2) end as steeply as can be, at any place between rows.
TEST_CASE("the sum of sampled rows is within its estimate, and mostly not far within") {
  const View view = unit_view();
  const Lattice& lattice = view.lattice;
  Random random(86);
  constexpr int kPlates = 400;
  int outside = 0, near = 0;
  for (int i = 0; i < kPlates; ++i) {
    const double radius = random.uniform(0.3, 0.8), middle = random.uniform(-0.1, 0.1);
    Marginals marginals;
    for (int j = 0; j < lattice.height; ++j) {
      const double y = lattice.y0 + (j + 0.5) * lattice.dy - middle;
      TenMoments row{};
      row[0] = 2 * std::sqrt(std::max(0.0, radius * radius - y * y));
      marginals.rows.push_back(row);
    }
    const TenMoments sums = sum_of_rows(marginals.rows, lattice.dy);
    const double error = std::abs(sums[0] - std::numbers::pi * radius * radius);
    const double estimate = measured(sums, marginals, view, {}, 0, 0).error_estimate.volume;
    outside += error > estimate ? 1 : 0;
    near += error > estimate / 50 ? 1 : 0;
  }
  CHECK(outside <= kPlates / 100);
  CHECK(near >= kPlates / 2);
}

/// Rows of a body that swells and shrinks, each a plate about (x, y, z).
Marginals rows_about(const Vec3& middle, const Lattice& lattice) {
  Marginals marginals;
  for (int j = 0; j < lattice.height; ++j) {
    const double t = (j + 0.5) / lattice.height;
    const double width = 0.3 * std::sqrt(t * (1 - t));
    const Vec3 at = middle + Vec3(0.05 * t, (t - 0.5) * 0.4, 0.02 * t * t);
    TenMoments row = box_moments({width, 1, 0.3 * width}, at);
    row[5] -= row[0] / 12;  // a row has no width of its own
    marginals.rows.push_back(row);
  }
  return marginals;
}

// The center is where the errors count; the origin of the sums is not.
TEST_CASE("an estimate does not depend on where in the image the body is") {
  const View view = unit_view();
  const auto estimate = [&](const Vec3& middle) {
    const Marginals marginals = rows_about(middle, view.lattice);
    return measured(sum_of_rows(marginals.rows, view.lattice.dy), marginals, view, {}, 0, 0)
        .error_estimate;
  };
  const MassError here = estimate({0, 0, 0});
  for (const Vec3& middle : {Vec3(0.5, 0, 0), Vec3(0, 0.5, 0.1), Vec3(-0.3, 0.2, 0.6)}) {
    const MassError there = estimate(middle);
    CHECK(std::abs(there.volume / here.volume - 1) <= 1e-9);
    CHECK(std::abs(there.center_of_mass / here.center_of_mass - 1) <= 1e-6);
    CHECK(std::abs(there.inertia / here.inertia - 1) <= 1e-6);
  }
}

TEST_CASE("what is lost, rounded, or changed beside a row is added to the estimate") {
  const View view = unit_view();
  Marginals marginals = rows_about(Vec3::Zero(), view.lattice);
  const TenMoments sums = sum_of_rows(marginals.rows, view.lattice.dy);
  const auto volume_error = [&](double rounding, double lost) {
    return measured(sums, marginals, view, {}, rounding, lost).error_estimate.volume;
  };
  const double alone = volume_error(0, 0);
  CHECK(std::abs(volume_error(0, 1e-3) - alone - 1e-3) <= 1e-15);
  CHECK(std::abs(volume_error(1e-4, 0) - alone - 1e-4 * 8) <= 1e-15);  // of a box of edge 2
  TenMoments change{};
  change[0] = -0.01;
  marginals.beside.push_back(change);
  CHECK(std::abs(volume_error(0, 0) - alone - 0.01 * view.lattice.dy) <= 1e-15);
}

// Corners on whole columns, and just beyond whole rows, where the end of a row's section is rounded
// to beyond the corner.
TEST_CASE("a triangle covers no center outside its own columns and rows") {
  Random random(121);
  const auto near_whole = [&] {
    const double whole = static_cast<double>(random.below(8));
    return whole + (random.below(2) == 0 ? 0 : 1e-15 * static_cast<double>(random.below(5)));
  };
  for (int i = 0; i < 20'000; ++i) {
    Vec3 p[3];
    for (Vec3& v : p)
      v = {random.below(2) == 0 ? near_whole() : random.uniform(0, 8), near_whole(), 0};
    const auto [left, right] = std::minmax({p[0].x(), p[1].x(), p[2].x()});
    const auto [low, high] = std::minmax({p[0].y(), p[1].y(), p[2].y()});
    int outside = 0;
    for_each_center(p[0], p[1], p[2], [&](int column, int row, double, double) {
      if (column < left || column >= right || row < low || row >= high) ++outside;
    });
    CHECK(outside == 0);
  }
}

}  // namespace
}  // namespace plimsoll
