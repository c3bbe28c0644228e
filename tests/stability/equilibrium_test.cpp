// Floating at rest against closed forms, theorems and real meshes.
#include <doctest/doctest.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <simdjson.h>

#include <cmath>
#include <numbers>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/floating_bodies.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

using test::homogeneous;

double size_of(const FloatingBody& body) { return std::cbrt(body.volume); }

// The prism of unit square section floats upright below a relative density of (3 - sqrt 3) / 6, on
// an edge above 9/32, and leans between [truth/analytic.json, group floating]. Long, so that it
// does not stand up on an end.
TEST_CASE("a beam floats on its side, leaning or on an edge, by its density") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const auto path = (test::shared_data() / "truth" / "analytic.json").string();
  const TriangleMesh beam = make_box({20, 1, 1});
  int cases = 0;
  for (const simdjson::dom::element entry : parser.load(path)["cases"].get_array()) {
    double heel_deg = 0;
    if (entry["values"]["stable_heel_degrees"].get(heel_deg) != simdjson::SUCCESS) continue;
    const double density = entry["parameters"]["s"];
    CAPTURE(density);
    const Equilibria all = find_equilibria(homogeneous(beam, density));
    CHECK(all.minima_minus_saddles_plus_maxima == 2);
    int stable = 0;
    for (const Equilibrium& found : all.found) {
      if (found.kind != EquilibriumKind::kMinimum) continue;
      ++stable;
      const Vec3 up = found.state.up.cwiseAbs();
      CHECK(up[0] <= 1e-12);  // the arm, of a size of 2.7, over a GM of 20^2 / 12 at least
      const double heel = std::atan2(std::min(up[1], up[2]), std::max(up[1], up[2]));
      // Where it leans only just, the arm grows with the cube of the angle, and 1e-12 of it is
      // 1e-6 of an angle; the cases here are away from there.
      CHECK(std::abs(heel * 180 / std::numbers::pi - heel_deg) <= 1e-7);
    }
    CHECK(stable == (heel_deg == 0 || heel_deg == 45 ? 4 : 8));
    ++cases;
  }
  CHECK(cases == 6);
}

/// The state of the shape upright, its density relative to the water given.
FloatingState upright(const Shape& shape, double density, const Vec3& up) {
  const double volume = mass_properties(shape)->body.properties.volume;
  const Result<FloatingBody> body = floating_body(shape, density * volume);
  REQUIRE(body);
  return float_upright(*body, up);
}

// Draughts are known to a rounding of volumes over the waterplane; 1e-12 of sizes up to 3.
void check_draught(const simdjson::dom::element& entry) {
  const auto number = [&](const char* group, const char* name) {
    double value = 0;
    return entry[group][name].get(value) == simdjson::SUCCESS
               ? value
               : std::numeric_limits<double>::quiet_NaN();
  };
  const double s = number("parameters", "s"), r = number("parameters", "r");
  const double h = number("parameters", "h");
  bool stable = false;
  const bool tells = entry["values"]["upright_is_stable"].get(stable) == simdjson::SUCCESS;
  const std::string_view kind = entry["shape"];
  if (kind.starts_with("ball")) {
    CHECK(std::abs(upright({Sphere{r}}, s, {0, 0, 1}).level + r - number("values", "depth")) <=
          1e-12);
  } else if (kind.starts_with("homogeneous cone")) {  // apex down: the water's normal is -z
    const FloatingState state = upright({Cone{r, h}}, s, {0, 0, -1});
    CHECK(std::abs(state.level + h - number("values", "apex_depth")) <= 1e-12);
    CHECK((state.metacentric_heights[0] > 0) == stable);
  } else if (tells) {
    const FloatingState state = upright({Cylinder{r, h}}, s, {0, 0, 1});
    CHECK(std::abs(state.level + h / 2 - number("values", "depth")) <= 1e-12);
    for (const double height : state.metacentric_heights)
      CHECK(std::abs(height - number("values", "metacentric_height")) <= 1e-11);
    CHECK((state.metacentric_heights[0] > 0) == stable);
  }
}

TEST_CASE("balls, cones and cylinders float as their closed forms say") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const auto path = (test::shared_data() / "truth" / "analytic.json").string();
  for (const simdjson::dom::element entry : parser.load(path)["cases"].get_array())
    if (entry["group"].get_string().value() == "floating") check_draught(entry);
}

TEST_CASE("bodies of revolution rest in circles of poses, and a ball in any") {
  const auto found_for = [](const Shape& shape) {
    const double volume = mass_properties(shape)->body.properties.volume;
    const Equilibria all = find_equilibria(*floating_body(shape, volume / 2));
    CHECK(all.minima_minus_saddles_plus_maxima == 2);
    CHECK(all.lost_starts == 0);
    return all.found;
  };
  const auto ball = found_for({Sphere{0.7}});
  REQUIRE(ball.size() == 1);
  CHECK(ball[0].family == EquilibriumFamily::kAll);
  CHECK(ball[0].starts == 64);
  // Long ones lie down, flat ones stand; the other pose is the top of the hill.
  Shape log{Cylinder{1, 3}};
  log.pose = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()) * log.pose;
  const Vec3 axis = log.pose.linear().col(2);
  for (const Shape& shape : {log, Shape{Capsule{1, 3}}, Shape{Cone{1, 3}}}) {
    const auto found = found_for(shape);
    REQUIRE(found.size() == 3);
    CHECK(found[0].family == EquilibriumFamily::kAxis);
    CHECK(found[0].kind == EquilibriumKind::kMinimum);
    CHECK(found[1].kind == EquilibriumKind::kMaximum);
  }
  CHECK(std::abs(found_for(log)[0].family_axis.dot(axis)) >= 1 - 1e-9);
  for (const Shape& shape : {Shape{Cylinder{1, 1}}, Shape{Torus{3, 1}}}) {
    const auto found = found_for(shape);
    REQUIRE(found.size() == 3);
    CHECK(found[0].family == EquilibriumFamily::kNone);
    CHECK(found[2].family == EquilibriumFamily::kAxis);
    CHECK(found[2].kind == EquilibriumKind::kMaximum);
  }
}

TEST_CASE("a cube of density 1/2 floats on a corner, and all of its poses are found") {
  const Equilibria all = find_equilibria(homogeneous(make_box({1, 1, 1}), 0.5));
  int count[3] = {};
  for (const Equilibrium& found : all.found) ++count[static_cast<int>(found.kind)];
  CHECK(count[0] == 8);   // corners
  CHECK(count[1] == 12);  // edges: at rest to third order, which the Hessian does not tell
  CHECK(count[2] == 6);   // faces
  CHECK(all.minima_minus_saddles_plus_maxima == 2);
  CHECK(all.lost_starts == 0);
}

// A wall-sided body whose waterplane has the second moment I about any axis, leaned over to the
// slope t: with BM = I / V and BG below it, the center of mass is (BG + BM t^2 / 2) / sqrt(1 + t^2)
// above that of buoyancy. A square box of relative density 1/2 and the height sqrt(2/3) of its side
// has BG = BM, where that is BM (1 + t^4 / 8 - ...): neither metacentric height tells that it
// rests there, and it does.
TEST_CASE("a box of no metacentric height either way rests upright by the fourth power of heel") {
  const FloatingBody body = homogeneous(make_box({1, 1, std::sqrt(2.0 / 3)}), 0.5);
  const FloatingState upright = float_upright(body, {0, 0, 1});
  REQUIRE(upright.metacentric_heights.cwiseAbs().maxCoeff() <= 1e-14);
  for (const double up : {1.0, -1.0}) {
    const std::optional<Equilibrium> rest = come_to_rest(body, {0, 0, up});
    REQUIRE(rest);
    CHECK(rest->state.up == Vec3(0, 0, up));
    CHECK(rest->kind == EquilibriumKind::kMinimum);
    CHECK(rest->family == EquilibriumFamily::kNone);
  }
  for (const bool all_kinds : {true, false}) {
    CAPTURE(all_kinds);
    const Equilibria all = find_equilibria(body, {.all_kinds = all_kinds});
    int found_upright = 0;
    for (const Equilibrium& found : all.found) {
      // Arms of 1e-12 are those of leaning by the third root of that, some 1e-4.
      if (std::fabs(found.state.up[2]) < 1 - 1e-6) continue;
      ++found_upright;
      CHECK(found.kind == EquilibriumKind::kMinimum);
      CHECK(found.family == EquilibriumFamily::kNone);
    }
    CHECK(found_upright == 2);
    if (all_kinds) CHECK(all.minima_minus_saddles_plus_maxima == 2);
  }
}

TEST_CASE("a body that sinks, or weighs nothing, rests nowhere") {
  FloatingBody body = homogeneous(make_box({1, 2, 3}), 0.5);
  for (const double displacement : {6.0, 7.0, 0.0, -1.0, std::nan("")}) {
    body.displacement = displacement;
    const Equilibria none = find_equilibria(body);
    CHECK(none.found.empty());
    CHECK((none.complete == Completeness::kProven) == (displacement >= 0));
    CHECK(!come_to_rest(body, {0, 0, 1}));
  }
}

TEST_CASE("a center of mass far below holds a body upright in one pose only") {
  FloatingBody body = homogeneous(make_bumpy_sphere(1, 0.2, 20, 31), 0.5);
  body.center_of_mass = {0, 0, -2};
  const Equilibria all = find_equilibria(body);
  REQUIRE(all.found.size() == 2);
  CHECK(all.found[0].kind == EquilibriumKind::kMinimum);
  CHECK(all.found[0].starts == 64);
  // The bumps are 0.2 high: the center of buoyancy, 1.6 above that of mass or more, is no farther
  // to the side.
  CHECK(all.found[0].state.up[2] > std::cos(0.2 / 1.6));
  CHECK(all.found[1].kind == EquilibriumKind::kMaximum);
  CHECK(all.found[1].state.up[2] < -std::cos(0.2 / 1.6));
}

TEST_CASE("a mesh of a ball is at rest in many poses, and each is one") {
  const FloatingBody ball = homogeneous(make_icosphere(1, 2), 0.3);
  const Equilibria all = find_equilibria(ball);
  CHECK(all.lost_starts == 0);
  for (const Equilibrium& found : all.found)
    CHECK(found.residual <= EquilibriumOptions().tolerance);
}

// The coarse body only says where to begin.
TEST_CASE("who begins with a coarse body comes to rest where others do") {
  Random random(23);
  for (const TriangleMesh& mesh :
       {make_bumpy_sphere(1, 0.3, 40, 61), make_bumpy_sphere(1, 0.5, 90, 120)}) {
    if (test::kAddressSanitizer && mesh.triangles.size() > 10000) continue;
    const FloatingBody body = homogeneous(mesh, 0.4);
    REQUIRE(body.coarse);
    const Equilibria all = find_equilibria(body);
    CHECK(all.minima_minus_saddles_plus_maxima == 2);
    for (int i = 0; i < 20; ++i) {
      const auto rest = come_to_rest(body, test::random_vector(random).normalized());
      REQUIRE(rest);
      const auto is_this = [&](const Equilibrium& known) {
        return known.kind == rest->kind && (known.state.up - rest->state.up).norm() <= 1e-9;
      };
      CHECK(std::any_of(all.found.begin(), all.found.end(), is_this));
    }
  }
}

// From here the coarse body leads to where the search of the body itself ends nowhere.
TEST_CASE("a start that a coarse body leads astray begins again without it") {
  const FloatingBody body = homogeneous(make_cylinder(1, 2, 1000), 0.9);
  REQUIRE(body.coarse);
  for (const Vec3& up : {Vec3(-0.79179094110013792, -0.27604577469556713, 0.54485395829018457),
                         Vec3(-0.53201182715051754, -0.838599410240775, 0.1171086884726848)}) {
    const auto rest = come_to_rest(body, up);
    REQUIRE(rest);
    CHECK(rest->residual <= 1e-10);
  }
}

// Ten meshes of the collection, from round to knotted, at densities that let them float high, half
// and low.
TEST_CASE("whatever the start, a body comes to rest") {
  if (!test::has_shared_data()) return;
  Random random(17);
  for (const char* name :
       {"cgal/bunny00.off", "cgal/armadillo.off", "cgal/knot1.off", "cgal/elephant.off",
        "cgal/turbine.off", "cgal/cheese.off", "cgal/fandisk.off", "prusa/torus.stl",
        "libigl/fertility.off", "trimesh/ballA.off"}) {
    const TriangleMesh mesh = test::load(std::string("meshes/") + name);
    for (const double density : {0.1, 0.5, 0.9}) {
      const FloatingBody body = homogeneous(mesh, density);
      for (int i = 0; i < test::campaign(334); ++i) {
        const Vec3 up = test::random_vector(random).normalized();
        CAPTURE(name);
        CAPTURE(density);
        CAPTURE(up);
        const std::optional<Equilibrium> found = come_to_rest(body, up);
        REQUIRE(found);
        CHECK(found->residual <= 1e-10);
        CHECK(std::abs(found->state.wet.volume - body.displacement) <= 1e-12 * body.volume);
        const double flat = 1e-8 * size_of(body);
        if (found->kind == EquilibriumKind::kMinimum)
          CHECK(found->state.metacentric_heights.minCoeff() >= -flat);
      }
    }
  }
}

}  // namespace
}  // namespace plimsoll
