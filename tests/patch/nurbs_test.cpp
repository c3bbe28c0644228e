// NURBS as Bezier patches, against Cox and de Boor's definition of the basis.
#include <doctest/doctest.h>
#include <plimsoll/patches.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "patch/patch_shapes.h"

namespace plimsoll {
namespace {

// N_i,p(t) by its recurrence, 0/0 taken as 0 [PieglTiller1997, eq. (2.5)].
double basis(const std::vector<double>& knots, std::size_t i, int p, double t) {
  if (p == 0) return knots[i] <= t && t < knots[i + 1] ? 1 : 0;
  const auto n = static_cast<std::size_t>(p);
  const double left = knots[i + n] - knots[i], right = knots[i + n + 1] - knots[i + 1];
  double sum = 0;
  if (left > 0) sum += (t - knots[i]) / left * basis(knots, i, p - 1, t);
  if (right > 0) sum += (knots[i + n + 1] - t) / right * basis(knots, i + 1, p - 1, t);
  return sum;
}

Vec3 point_of(const NurbsSurface& s, double u, double v) {
  const std::size_t rows = s.knots_u.size() - static_cast<std::size_t>(s.degree_u) - 1;
  const std::size_t columns = s.points.size() / rows;
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const WeightedPoint& p = s.points[i * columns + j];
      const double share =
          p.w() * basis(s.knots_u, i, s.degree_u, u) * basis(s.knots_v, j, s.degree_v, v);
      sum += share * p.head<3>();
      weight += share;
    }
  }
  return sum / weight;
}

// The starts and ends of the spans that are the surface.
std::vector<double> breaks(const std::vector<double>& knots, int degree) {
  std::vector<double> result;
  for (std::size_t k = static_cast<std::size_t>(degree);
       k + static_cast<std::size_t>(degree) < knots.size(); ++k)
    if (result.empty() || knots[k] > result.back()) result.push_back(knots[k]);
  return result;
}

void check_same_surface(const NurbsSurface& nurbs) {
  const Result<PatchSurface> found = to_bezier(nurbs);
  REQUIRE_MESSAGE(found, found.error().message);
  CHECK(check_patches(*found));
  const auto at_u = breaks(nurbs.knots_u, nurbs.degree_u);
  const auto at_v = breaks(nurbs.knots_v, nurbs.degree_v);
  REQUIRE(found->patches.size() == (at_u.size() - 1) * (at_v.size() - 1));
  std::size_t number = 0;
  for (std::size_t i = 0; i + 1 < at_u.size(); ++i) {
    for (std::size_t j = 0; j + 1 < at_v.size(); ++j) {
      const BezierPatch& patch = found->patches[number++];
      for (const double s : {0.0, 0.25, 0.8}) {
        for (const double t : {0.0, 0.5, 0.9}) {
          const Vec3 expected = point_of(nurbs, at_u[i] + s * (at_u[i + 1] - at_u[i]),
                                         at_v[j] + t * (at_v[j + 1] - at_v[j]));
          // Points are of size 1, and every step takes weighted means: 4 for each degree.
          CHECK((evaluate(patch, s, t).position - expected).norm() < 1e-14);
        }
      }
    }
  }
}

NurbsSurface with_random_points(int p, int q, std::vector<double> knots_u,
                                std::vector<double> knots_v) {
  Random random(5);
  NurbsSurface s{p, q, std::move(knots_u), std::move(knots_v), {}};
  const std::size_t count = (s.knots_u.size() - static_cast<std::size_t>(p) - 1) *
                            (s.knots_v.size() - static_cast<std::size_t>(q) - 1);
  for (std::size_t i = 0; i < count; ++i)
    s.points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                        random.uniform(0.3, 3)});
  return s;
}

TEST_CASE("patches of a NURBS surface are the surface, whatever the knots") {
  const std::vector<double> clamped{0, 0, 0, 0, 1, 1.5, 1.5, 4, 4, 4, 4};
  const std::vector<double> open{-3, -2, -1.2, 0, 1, 2.5, 3, 4, 5};
  const std::vector<double> full{0, 0, 0, 1, 1, 2, 2, 2};
  check_same_surface(with_random_points(3, 3, clamped, open));
  check_same_surface(with_random_points(3, 2, open, full));
  check_same_surface(with_random_points(2, 3, full, clamped));
  check_same_surface(with_random_points(1, 2, {0, 0, 1, 3, 3}, {0, 1, 2, 3, 4, 5}));
  check_same_surface(test::nurbs_sphere(1));
  check_same_surface(test::nurbs_torus(0.7, 0.3));
}

TEST_CASE("more equal knots at an end than the degree needs leave out points without effect") {
  check_same_surface(with_random_points(2, 2, {0, 0, 0, 0, 1, 2, 2, 2}, {0, 0, 0, 1, 1, 1, 1, 1}));
}

TEST_CASE("a patch in NURBS form keeps its points to the last bit") {
  const NurbsSurface one = with_random_points(3, 2, {0, 0, 0, 0, 1, 1, 1, 1}, {2, 2, 2, 5, 5, 5});
  const Result<PatchSurface> found = to_bezier(one);
  REQUIRE(found);
  REQUIRE(found->patches.size() == 1);
  CHECK(found->patches[0].points == one.points);
}

void check_refused(const NurbsSurface& surface, const std::string& where,
                   const std::string& message) {
  const Result<PatchSurface> found = to_bezier(surface);
  REQUIRE_FALSE(found);
  CAPTURE(found.error().message);
  CHECK(found.error().code == ErrorCode::kInvalidArgument);
  CHECK(found.error().where == where);
  CHECK(found.error().message.find(message) != std::string::npos);
}

TEST_CASE("knots at fault are named") {
  const NurbsSurface sound = test::nurbs_sphere(1);
  NurbsSurface s = sound;
  s.knots_u[4] = 0.5;
  check_refused(s, "knots in u", "found knot 4 below knot 3");
  s = sound;
  s.knots_v[2] = std::nan("");
  check_refused(s, "knots in v", "knot 2 is not finite");
  s = sound;
  s.knots_u = {0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 4, 4};
  check_refused(s, "knots in u", "found knot 3 repeated more than 2 times");
  s = sound;
  s.knots_u.assign(12, 1);
  check_refused(s, "knots in u", "found knots 2 to 9 equal");
  s = sound;
  s.knots_v.pop_back();
  check_refused(s, "points", "found 45 points, expected 9 x 4");
  s = sound;
  s.knots_u.clear();
  check_refused(s, "knots in u", "found 0 knots, expected 6 or more for the degree 2");
  s = sound;
  s.degree_v = 1000000;
  check_refused(s, "knots in v", "found the degree 1000000");
  s = sound;
  s.points[44].w() = 0;
  check_refused(s, "point 44", "found a weight that is not above 0");
  check_refused({}, "knots in u", "found 0 knots");
}

}  // namespace
}  // namespace plimsoll
