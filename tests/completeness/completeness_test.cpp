// Every pose in which a body floats, and what is claimed of the list: against closed forms,
// symmetry, and searches from many more directions.
#include <doctest/doctest.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "stability/equilibrium_list.h"
#include "support/by_chance.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/floating_bodies.h"
#include "support/random_mesh.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

using test::homogeneous;

FloatingBody cube(double density) { return homogeneous(make_box({1, 1, 1}), density); }

std::ptrdiff_t count(const Equilibria& all, EquilibriumKind kind) {
  return std::count_if(all.found.begin(), all.found.end(),
                       [&](const Equilibrium& found) { return found.kind == kind; });
}
std::ptrdiff_t count(const Equilibria& all, EquilibriumFamily family) {
  return std::count_if(all.found.begin(), all.found.end(),
                       [&](const Equilibrium& found) { return found.family == family; });
}

// 64 starts find six of the eight corners that symmetry makes stable, and four saddles too few.
TEST_CASE("a cube of density 0.2 has 50 poses, all of them found") {
  const Equilibria all = find_equilibria(cube(0.2));
  CHECK(all.complete == Completeness::kProven);
  CHECK(count(all, EquilibriumKind::kMinimum) == 6 + 8);
  CHECK(count(all, EquilibriumKind::kSaddle) == 24);
  CHECK(count(all, EquilibriumKind::kMaximum) == 12);
}

TEST_CASE("a barge is let go once, and its upright pose is found all the same") {
  FloatingBody barge = homogeneous(make_box({100, 20, 10}), 0.4);
  barge.center_of_mass = {0, 0, 1};
  const Equilibria all = find_equilibria(barge, {.starts = 1});
  CHECK(all.complete == Completeness::kProven);
  CHECK(std::any_of(all.found.begin(), all.found.end(), [](const Equilibrium& found) {
    return found.kind == EquilibriumKind::kMinimum && found.state.up[2] > 1 - 1e-12;
  }));
}

// Its symmetries turn a pose into at most 48; whatever is found must be closed under them. A search
// misses poses without knowing; the proof is what is tested here.
TEST_CASE("what is proven of a cube has the symmetry of the cube") {
  for (int i = 1; i < 50; i += test::is_full_run() ? 1 : test::kAddressSanitizer ? 18 : 6) {
    const double density = i / 50.0;
    CAPTURE(density);
    const Equilibria all = find_equilibria(cube(density), {.starts = 16});
    CHECK(all.complete != Completeness::kIncomplete);
    if (all.complete != Completeness::kProven) continue;
    for (const Equilibrium& found : all.found) {
      if (found.family != EquilibriumFamily::kNone) continue;
      const Vec3& up = found.state.up;
      for (const Vec3& image :
           {Vec3(-up[0], up[1], up[2]), Vec3(up[1], up[2], up[0]), Vec3(up[1], up[0], up[2])})
        CHECK(std::any_of(all.found.begin(), all.found.end(), [&](const Equilibrium& other) {
          // Two searches end within an arm of 1e-12 over a metacentric height of 1e-7 or more.
          return (other.state.up - image).norm() <= 1e-5;
        }));
    }
  }
}

// With the cube's edges along z cut by the water and r = tan t (cos, sin) the slope of its plane,
// E, continued, is (1 - s) / 2 + |r|^2 / (24 s), so that all tilts with |r|^2 = 12 s (1 - s) - 2
// are at rest. They are a circle as long as the water reaches no corner, |r_x| + |r_y| <= 2 s: up
// to the density (6 - sqrt 8) / 14 = 0.2265; and what is left of it up to 1/4.
double neutral_slope(double density) { return std::sqrt(12 * density * (1 - density) - 2); }

TEST_CASE("a cube of density 0.22 turns freely about each of its axes at one tilt") {
  for (const double density : {0.22, 0.78}) {
    const Equilibria all = find_equilibria(cube(density));
    CHECK(all.complete == Completeness::kProven);
    CHECK(count(all, EquilibriumFamily::kAxis) == 6);
    CHECK(count(all, EquilibriumFamily::kArc) == 0);
    for (const Equilibrium& found : all.found) {
      if (found.family != EquilibriumFamily::kAxis) continue;
      CHECK(found.family_axis.cwiseAbs().maxCoeff() >= 1 - 1e-9);
      const double cosine = std::fabs(found.family_axis.dot(found.state.up));
      CHECK(std::fabs(std::acos(cosine) - std::atan(neutral_slope(density))) <= 1e-9);
    }
  }
}

TEST_CASE("a cube of density 0.23 has 24 arcs of neutral poses, each listed once with its ends") {
  for (const double density : {0.23, 0.77}) {
    if (density > 0.5 && !test::is_full_run()) continue;
    const double wet = std::min(density, 1 - density);  // or dry, the other way up
    // The list is whole long before the proof.
    const Equilibria all = find_equilibria(cube(density), {.max_states = 40'000});
    CHECK(all.complete != Completeness::kIncomplete);
    CHECK(all.minima_minus_saddles_plus_maxima == 2);
    CHECK(count(all, EquilibriumFamily::kArc) == 24);
    for (const Equilibrium& found : all.found) {
      if (found.family == EquilibriumFamily::kNone) {
        CHECK(found.state.metacentric_heights.cwiseAbs().minCoeff() > 1e-6);
        continue;
      }
      CHECK(found.family == EquilibriumFamily::kArc);
      for (const Vec3& up : {found.arc.front(), found.arc.back()}) {
        Vec3 r = up.cwiseAbs();
        std::sort(r.data(), r.data() + 3);
        r /= r[2];
        CHECK(std::fabs(std::hypot(r[0], r[1]) - neutral_slope(density)) <= 1e-9);
        // The height grows as the square of the way beyond the end, and is told from zero at 1e-11.
        CHECK(std::fabs(r[0] + r[1] - 2 * wet) <= 1e-5);
      }
    }
  }
}

// The two moments of a regular polygon are equal, so that prisms over it have the same arcs.
TEST_CASE("prisms over a triangle have arcs of neutral poses") {
  const Equilibria all = find_equilibria(homogeneous(make_cylinder(1, 1.2, 3), 0.3));
  CHECK(all.complete == Completeness::kProven);
  CHECK(count(all, EquilibriumFamily::kArc) == 6);
}

// Half wet, it rests with an edge on top, and turns over a side on top to the next, a millionth of
// its size higher.
TEST_CASE("a post of 64 sides is proven to rest in 64 ways") {
  const Equilibria all = find_equilibria(homogeneous(make_cylinder(1, 3, 64), 0.5));
  CHECK(all.complete == Completeness::kProven);
  CHECK(count(all, EquilibriumKind::kMinimum) == 64);
  CHECK(count(all, EquilibriumKind::kSaddle) == 64);
  CHECK(count(all, EquilibriumKind::kMaximum) == 2);
}

/// The convex hull of points in general position, by trying all triples.
TriangleMesh hull_of(const std::vector<Vec3>& points) {
  TriangleMesh mesh;
  mesh.vertices = points;
  const auto n = static_cast<std::uint32_t>(points.size());
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      for (std::uint32_t k = j + 1; k < n; ++k) {
        const Vec3 normal = (points[j] - points[i]).cross(points[k] - points[i]);
        double low = 0, high = 0;
        for (const Vec3& p : points) {
          low = std::min(low, normal.dot(p - points[i]));
          high = std::max(high, normal.dot(p - points[i]));
        }
        const double room = 1e-12 * (high - low);
        if (high <= room) mesh.triangles.push_back({i, j, k});
        if (low >= -room) mesh.triangles.push_back({i, k, j});
      }
  return mesh;
}

TriangleMesh random_hull(Random& random, int corners) {
  const Vec3 sides(1, random.uniform(0.2, 1), random.uniform(0.2, 1));
  std::vector<Vec3> points;
  while (static_cast<int>(points.size()) < corners) {
    const Vec3 p = test::random_vector(random);
    if (p.norm() <= 1) points.push_back(sides.cwiseProduct(p));
  }
  return hull_of(points);
}

TriangleMesh random_prism(Random& random) {
  TriangleMesh prism =
      make_cylinder(1, random.uniform(0.3, 3), 3 + static_cast<int>(random.below(6)));
  Mat3 shear = Mat3::Identity();
  shear(0, 1) = random.uniform(-0.5, 0.5);
  shear(1, 1) = random.uniform(0.4, 1);
  for (Vec3& v : prism.vertices) v = shear * v;
  return prism;
}

/// Poses that a search from many directions finds and the list lacks.
int contradictions(const FloatingBody& body, const Equilibria& all, int starts) {
  const Equilibria dense = find_equilibria(body, {.starts = starts, .all_kinds = false});
  return static_cast<int>(
      std::count_if(dense.found.begin(), dense.found.end(), [&](const Equilibrium& found) {
        return std::none_of(all.found.begin(), all.found.end(), [&](const Equilibrium& known) {
          // As above; around what is not isolated nothing is claimed.
          return (known.state.up - found.state.up).norm() <= 1e-5 + known.loop_angle ||
                 known.family != EquilibriumFamily::kNone;
        });
      }));
}

// How many are proven is no law: the claim is 95 of 100.
TEST_CASE("nearly all bodies are proven, and no search contradicts a proof") {
  Random random(29);
  int proven = 0, bodies = 0;
  for (int i = 0; i < test::campaign(100); ++i)
    for (int kind = 0; kind < 3; ++kind) {
      const TriangleMesh mesh = kind == 0   ? random_hull(random, 4)
                                : kind == 1 ? random_hull(random, 12)
                                            : random_prism(random);
      for (int k = 0; k < 5; ++k) {
        const FloatingBody body = homogeneous(mesh, random.uniform(0.02, 0.98));
        const Equilibria all = find_equilibria(body);
        ++bodies;
        if (all.complete != Completeness::kProven) continue;
        ++proven;
        CHECK(contradictions(body, all, test::is_full_run() && bodies % 25 == 0 ? 10'000 : 300) ==
              0);
      }
    }
  CHECK(proven >= test::min_by_chance(bodies, 0.95));
}

// A center of mass 1e-9 off the middle rights the ball by an arm 600 times what a search leaves
// over.
TEST_CASE("a ball that is a little heavier below has two poses") {
  FloatingBody ball = *floating_body(Shape{Sphere{1}}, 0.4 * 4 / 3 * std::numbers::pi);
  CHECK(find_equilibria(ball).found.size() == 1);
  ball.center_of_mass = {0, 0, 1e-9};
  const Equilibria all = find_equilibria(ball);
  CHECK(all.found.size() == 2);
  CHECK(count(all, EquilibriumFamily::kAll) == 0);
}

// GM is 0 upright: at density (3 - sqrt 3) / 6, where 1 / (12 s) = (1 - s) / 2. Around such a pose
// the gradient is nearly zero, which is no circle of poses.
TEST_CASE("a cube that is neutral upright rests in one pose there") {
  const Equilibria all = find_equilibria(cube((3 - std::sqrt(3.0)) / 6));
  CHECK(all.minima_minus_saddles_plus_maxima == 2);
  CHECK(all.complete != Completeness::kIncomplete);
}

// With GM = -1e-5 upright it leans a third of a degree, in any direction.
TEST_CASE("a pose close to a circle of poses is not one of them") {
  const double volume = std::numbers::pi;
  FloatingBody drum = *floating_body(Shape{Cylinder{1, 1}}, volume / 2);
  drum.center_of_mass = {0, 0, 0.25001};
  const Equilibria all = find_equilibria(drum);
  CHECK(all.minima_minus_saddles_plus_maxima == 2);
  CHECK(std::any_of(all.found.begin(), all.found.end(), [](const Equilibrium& found) {
    return found.state.up[2] > 1 - 1e-9 && found.family == EquilibriumFamily::kNone;
  }));
}

// The upright pose of that drum, and the circle around it: of each, a loop holds nothing else.
TEST_CASE("loops are no wider than a third of the way to the next pose") {
  for (const double height : {1e-5, 1e-4, 1e-3}) {
    FloatingBody drum = *floating_body(Shape{Cylinder{1, 1}}, std::numbers::pi / 2);
    drum.center_of_mass = {0, 0, 0.25 + height};
    EquilibriumList list(drum);
    // GM + BM tan^2 / 2 = 0 (wall-sided) with BM = 1 / 2.
    const double lean = std::atan(2 * std::sqrt(height));
    list.add(float_upright(drum, {std::sin(lean), 0, std::cos(lean)}), 0);
    list.add(float_upright(drum, {0, 0, 1}), 0);
    REQUIRE(list.size() == 2);
    for (const double loop : list.loops(0.1)) {
      CHECK(loop > 0);
      CHECK(loop <= lean / 3 * (1 + 1e-9));
    }
  }
}

TEST_CASE("a pose that is listed is at rest as nearly as was asked for") {
  for (const Equilibrium& found : find_equilibria(cube(0.227), {.max_states = 20'000}).found)
    if (std::fabs(found.state.metacentric_heights[0]) > 1e-9) CHECK(found.residual <= 1e-12);
}

TEST_CASE("a ring of 48 hills and 48 passes is found as a whole" *
          doctest::skip(test::kAddressSanitizer)) {
  const Equilibria all = find_equilibria(homogeneous(make_torus(1, 0.4, 24, 12), 0.3));
  CHECK(all.minima_minus_saddles_plus_maxima == 2);
  CHECK(count(all, EquilibriumKind::kMaximum) == 48);
}

TEST_CASE("nothing is proven of bodies whose poses lie too close together") {
  const Equilibria all = find_equilibria(homogeneous(make_icosphere(1, 3), 0.3));
  CHECK(all.complete != Completeness::kProven);
}

TEST_CASE("scans are proven") {
  if (!test::has_shared_data()) return;
  for (const char* name : {"cgal/bunny00.off", "cgal/elephant.off", "cgal/fandisk.off"}) {
    CAPTURE(name);
    const FloatingBody body = homogeneous(test::load(std::string("meshes/") + name), 0.4);
    const Equilibria all = find_equilibria(body);
    CHECK(all.complete == Completeness::kProven);
    if (test::is_full_run()) CHECK(contradictions(body, all, 1000) == 0);
    if (test::kAddressSanitizer) break;
  }
}

TEST_CASE("bodies of revolution are proven but for a loop around each pose") {
  for (const Shape& shape : {Shape{Cylinder{1, 3}}, Shape{Torus{3, 1}}, Shape{Cone{1, 1}},
                             Shape{Ellipsoid{Vec3(1, 0.8, 0.5)}}}) {
    const double volume = mass_properties(shape)->body.properties.volume;
    const Equilibria all = find_equilibria(*floating_body(shape, 0.4 * volume));
    CHECK(all.complete == Completeness::kProven);
    for (const Equilibrium& found : all.found) {
      CHECK(found.loop_angle > 0);
      CHECK(found.loop_angle <= 0.1);
    }
  }
}

}  // namespace
}  // namespace plimsoll
