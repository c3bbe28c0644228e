// SCENE.json: what it says, and how what is wrong with it is told.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/scene.h>

#include <string>

#include "support/document_place.h"
#include "support/scratch_folder.h"
#include "support/surface_at.h"

namespace plimsoll {
namespace {

Result<Scene> read(const std::string& text, const std::filesystem::path& folder = {}) {
  return read_scene(std::as_bytes(std::span(text.data(), text.size())), "pond.json", folder);
}

Scene read_sound(const std::string& text) {
  const Result<Scene> scene = read(text);
  REQUIRE_MESSAGE(scene, text, ": ", scene.error().where, " ", scene.error().message);
  return *scene;
}

const std::string kBall = R"({"shape": {"shape": "sphere", "radius": 1}, "density": 300})";

std::string with_ball(const std::string& members) {
  return "{" + members + (members.empty() ? "" : ", ") + R"("bodies": [)" + kBall + "]}";
}
std::string ball_with(const std::string& members) {
  return R"({"bodies": [{"shape": {"shape": "sphere", "radius": 1}, )" + members + "}]}";
}

void check_refused(const std::string& text, const std::string& where, const std::string& message,
                   ErrorCode code = ErrorCode::kMalformed) {
  const Result<Scene> scene = read(text);
  CAPTURE(text);
  REQUIRE_FALSE(scene);
  CAPTURE(scene.error().message);
  CHECK(scene.error().code == code);
  CHECK(test::without_line(scene.error().where) ==
        "pond.json" + (where.empty() ? "" : ": " + where));
  CHECK(scene.error().message.find(message) != std::string::npos);
}

}  // namespace

TEST_CASE("what is left out has the values that the format states") {
  const Scene dry = read_sound(with_ball(""));
  CHECK(dry.environment.fluid_density == 0);
  CHECK(dry.environment.gravity == 9.80665);
  CHECK(!dry.environment.drag.quadratic);
  CHECK(dry.environment.drag.angular == 0.5);
  CHECK(!dry.contact);
  REQUIRE(dry.bodies.size() == 1);
  CHECK(dry.bodies[0].density == 300);
  CHECK(!dry.bodies[0].is_kinematic);
  CHECK(dry.bodies[0].velocity == Vec3::Zero());

  const Scene wet = read_sound(with_ball(R"("fluid": {})"));
  CHECK(wet.environment.fluid_density == 1025);
  CHECK(std::get<StillWater>(wet.environment.surface).height == 0);
  CHECK(wet.environment.force == FluidForce::kPressure);
  CHECK(wet.left_out == std::vector<std::string>{"fluid.density", "drag.quadratic"});
}

TEST_CASE("what a fluid has by default is listed where it matters") {
  const std::string waves =
      R"("surface": {"type": "waves", "components": [{"amplitude": 1, "wavelength": 9}]})";
  const auto left_out = [&](const std::string& fluid, const std::string& rest = "") {
    return read_sound(with_ball("\"fluid\": {" + fluid + "}" + rest)).left_out;
  };
  using Names = std::vector<std::string>;
  CHECK(read_sound(with_ball("")).left_out.empty());
  CHECK(left_out(R"("density": 1000)") == Names{"drag.quadratic"});
  CHECK(left_out(R"("density": 1000)", R"(, "drag": {"quadratic": 1})").empty());
  CHECK(left_out(waves) == Names{"fluid.density", "fluid.force", "drag.quadratic"});
  CHECK(left_out(waves + R"(, "force": "weight", "density": 1)") == Names{"drag.quadratic"});
}

TEST_CASE("bodies of which only the place counts need no density") {
  const std::string text = R"({"bodies": [{"shape": {"shape": "sphere", "radius": 1}}]})";
  CHECK(!read(text));
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  const Result<Scene> scene = read_scene(bytes, "pond.json", {}, SceneUse::kPlaces);
  REQUIRE(scene);
  CHECK(scene->bodies.size() == 1);
}

TEST_CASE("a body has a mass in place of a density, and then a center and an inertia") {
  const auto body = [](const std::string& members) {
    return read_sound(ball_with(members)).bodies[0];
  };
  const RigidBody post =
      body(R"("density": 7, "fixed": true, "velocity": [1, 2, 3], "angular_velocity": [1, 0, 0])");
  CHECK(post.is_kinematic);
  CHECK((post.velocity.isZero(0) && post.angular_velocity.isZero(0)));  // it stays
  CHECK(!body(R"("density": 7, "mass": null, "center_of_mass": null, "inertia": null)").mass);
  CHECK(body(R"("mass": 12, "density": null)").mass->mass == 12);
  CHECK(!body(R"("mass": 12)").mass->center_of_mass);
  CHECK(body(R"("mass": 12, "center_of_mass": [1, 2, 3])").mass->center_of_mass == Vec3(1, 2, 3));
  const RigidBody keeled = body(R"("mass": 2, "inertia": [[2, 0.5, 0], [0.5, 3, 0], [0, 0, 4]])");
  REQUIRE(keeled.mass->inertia);
  CHECK((*keeled.mass->inertia)(0, 1) == 0.5);
  CHECK((*keeled.mass->inertia)(2, 2) == 4);
}

TEST_CASE("a mass that no body has is refused by its place") {
  const auto refused = [](const std::string& members, const char* where, const char* message) {
    check_refused(ball_with(members), "bodies[0]" + std::string(where), message);
  };
  refused(R"("density": 1, "mass": 2)", ".mass", "beside a density");
  refused(R"("velocity": [0, 0, 0])", "", "neither \"density\" nor \"mass\"");
  refused(R"("mass": 0)", ".mass", "positive");
  refused(R"("mass": "2")", ".mass", "expected a number");
  refused(R"("density": 1, "center_of_mass": [0, 0, 0])", ".center_of_mass", "without a \"mass\"");
  refused(R"("density": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]])", ".inertia", "without");
  refused(R"("mass": 1, "center_of_mass": [0, 0])", ".center_of_mass", "expected 3");
  refused(R"("mass": 1, "inertia": [1, 1, 1])", ".inertia[0]", "expected an array");
  refused(R"("mass": 1, "inertia": [[1, 0, 0], [0, 1, 0]])", ".inertia", "3 rows of 3");
  refused(R"("mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0]])", ".inertia[2]", "expected 3");
  refused(R"("mass": 1, "inertia": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]])", ".inertia", "symmetric");
  refused(R"("mass": 1, "inertia": [[1, 2, 0], [2, 1, 0], [0, 0, 1]])", ".inertia", "positive");
  refused(R"("mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 3]])", ".inertia",
          "none larger than the sum");
}

TEST_CASE("what is wrong in a scene is told by line and column") {
  const Result<Scene> value = read(
      "{\"bodies\": [\n  {\"shape\": {\"shape\": \"sphere\", \"radius\": 1},\n"
      "   \"density\": -3}]}");
  REQUIRE_FALSE(value);
  CHECK(value.error().where == "pond.json:3:15: bodies[0].density");
  const Result<Scene> syntax = read("{\"bodies\": [\n  {\"shape\": 1,,}]}");
  REQUIRE_FALSE(syntax);
  CHECK(syntax.error().where == "pond.json:2:15");
  CHECK(syntax.error().message == "found no JSON: found \",\", expected a key in quotes");
}

TEST_CASE("everything that can be said is taken up") {
  const Scene scene = read_sound(R"({
    "fluid": {"density": 1025, "force": "pressure", "surface": {"type": "waves", "height": 2,
      "components": [{"amplitude": 0.1, "wavelength": 3, "direction_deg": 90, "phase": 1},
                     {"amplitude": 0.2, "wavelength": 4}]}},
    "gravity": [0, 0, -1.62], "drag": {"linear": 1, "quadratic": 2, "angular": 3},
    "added_mass": {"linear": 0.5, "angular": 0.25}, "contact": {"method": "exact", "stiffness": 1e6},
    "bodies": [{"name": "post", "shape": {"shape": "box", "size": [1, 1, 4]}, "fixed": true},
               {"name": "duck", "shape": {"shape": "sphere", "radius": 1}, "density": 200,
                "pose": [[0, -1, 0, 5], [1, 0, 0, 6], [0, 0, 1, 7], [0, 0, 0, 1]],
                "velocity": [1, 2, 3], "angular_velocity": [4, 5, 6], "count": 9,
                "spacing": [1, 10, 100]}]})");
  const Environment& environment = scene.environment;
  CHECK(environment.gravity == 1.62);
  CHECK(environment.force == FluidForce::kPressure);
  CHECK(environment.fluid_density == 1025);
  CHECK(environment.drag.linear == 1);
  CHECK(environment.drag.quadratic == 2);
  CHECK(environment.drag.angular == 3);
  CHECK(environment.added_mass.linear == 0.5);
  CHECK(environment.added_mass.angular == 0.25);
  const auto& waves = std::get<Waves>(environment.surface);
  CHECK(waves.height == 2);
  REQUIRE(waves.components.size() == 2);
  CHECK(waves.components[0].amplitude == 0.1);
  CHECK(waves.components[0].wavelength == 3);
  CHECK(waves.components[0].direction_deg == 90);
  CHECK(waves.components[0].phase == 1);
  CHECK(waves.components[1].amplitude == 0.2);
  CHECK(waves.components[1].wavelength == 4);
  CHECK(waves.components[1].direction_deg == 0);
  CHECK(waves.components[1].phase == 0);
  REQUIRE(scene.contact);
  CHECK(scene.contact->method == ContactMethod::kExact);
  CHECK(scene.contact->stiffness == 1e6);
  REQUIRE(scene.bodies.size() == 10);
  CHECK(scene.bodies[0].is_kinematic);
  CHECK(scene.bodies[1].name == "duck[0]");
  CHECK(!scene.bodies[1].is_kinematic);
  CHECK(scene.bodies[1].density == 200);
  CHECK(scene.bodies[1].velocity == Vec3(1, 2, 3));
  CHECK(scene.bodies[1].pose.translation() == Vec3(5, 6, 7));
  CHECK(scene.bodies[9].name == "duck[8]");
  // Nine stand on a lattice of three: three along x, three along y.
  CHECK(scene.bodies[9].pose.translation() == Vec3(5 + 2, 6 + 20, 7));
  CHECK(scene.bodies[9].pose.linear()(0, 1) == -1);
  CHECK(scene.bodies[9].angular_velocity == Vec3(4, 5, 6));
}

TEST_CASE("a grid of heights has a row for each y") {
  const Scene scene = read_sound(with_ball(
      R"("fluid": {"surface": {"type": "heights", "origin": [1, 2], "spacing": [0.5, 0.25],
         "heights": [[0, 1, 2], [3, 4, 5]]}})"));
  const SurfaceNow surface = test::surface_at(scene.environment.surface, 0, 9.8);
  CHECK(surface.height(1, 2) == 0);
  CHECK(surface.height(2, 2) == 2);
  CHECK(surface.height(1, 2.25) == 3);
  CHECK(surface.height(1.25, 2.125) == 2);
  CHECK(surface.height(-9, 9) == 3);
}

TEST_CASE("meshes are looked up from the scene's folder, and bodies of one file share one mesh") {
  const test::ScratchFolder folder;
  REQUIRE(write_mesh(make_box({1, 2, 3}), folder.path() / "box.off"));
  const std::string mesh = R"({"shape": {"shape": "mesh", "file": "box.off"}, "density": 1)";
  const Result<Scene> scene =
      read(R"({"bodies": [)" + mesh + R"(, "count": 2}, )" + mesh + "}]}", folder.path());
  REQUIRE(scene);
  REQUIRE(scene->bodies.size() == 3);
  const auto of = [&](int i) { return std::get<MeshSolid>(scene->bodies[i].shape.solid).mesh; };
  CHECK(of(0) == of(1));
  CHECK(of(0) == of(2));
}

TEST_CASE("a body's rotation that was rounded becomes the nearest, and that is said") {
  const Scene scene = read_sound(ball_with(
      R"("density": 1, "pose": [0.955336, -0.29552, 0, 1, 0.29552, 0.955336, 0, 2, 0, 0, 1, 3,
                                0, 0, 0, 1])"));
  CHECK(check_pose(scene.bodies[0].pose));
  CHECK(scene.bodies[0].pose.translation() == Vec3(1, 2, 3));
  REQUIRE(scene.notices.size() == 1);
  CHECK(scene.notices[0].code == "pose");
  CHECK(scene.notices[0].message.starts_with("bodies[0].pose is no rotation"));
  CHECK(read_sound(ball_with(R"("density": 1)")).notices.empty());
}

/// Two single bodies and two of a count, with these pairs to be ignored.
std::string with_ignored(const std::string& pairs) {
  const std::string ball = R"("shape": {"shape": "sphere", "radius": 1}, "density": 1)";
  return R"({"ignore": )" + pairs + R"(, "bodies": [{"name": "arm", )" + ball + "}, {" + ball +
         R"(}, {"name": "duck", "count": 2, )" + ball + "}]}";
}

TEST_CASE("pairs to be ignored are found by names, in any order") {
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(read_sound(with_ball("")).ignored.empty());
  CHECK(read_sound(with_ignored("[]")).ignored.empty());
  const Scene scene = read_sound(
      with_ignored(R"([["duck[1]", "duck[0]"], ["arm", "body 1"], ["duck[1]", "arm"]])"));
  CHECK(scene.ignored == Pairs{{0, 1}, {0, 3}, {2, 3}});
}

TEST_CASE("a pair to be ignored that is none is refused by its place") {
  check_refused(with_ignored("3"), "ignore", "expected an array");
  check_refused(with_ignored(R"(["arm", "duck[0]"])"), "ignore[0]", "expected an array");
  check_refused(with_ignored(R"([["arm"]])"), "ignore[0]", "found 1 items");
  check_refused(with_ignored(R"([["arm", "duck[0]", "duck[1]"]])"), "ignore[0]", "found 3 items");
  check_refused(with_ignored(R"([["arm", 1]])"), "ignore[0][1]", "expected a string");
  check_refused(with_ignored(R"([["arm", "duck"]])"), "ignore[0][1]",
                "\"duck\", which no body has");
  check_refused(with_ignored(R"([["arm", "arm"]])"), "ignore[0]", "one body twice");
  check_refused(with_ignored(R"([["arm", "duck[0]"], ["duck[0]", "arm"]])"), "ignore[1]",
                "expected each once");
}

TEST_CASE("what is wrong is refused by its place") {
  check_refused("{", "", "no JSON");
  check_refused("{}", "", "\"bodies\"");
  check_refused(R"({"bodies": []})", "bodies", "no body");
  check_refused(R"({"bodies": 3})", "bodies", "expected an array");
  check_refused(with_ball(R"("fluids": {})"), "", "\"fluids\"");
  check_refused(with_ball(R"("gravity": [0, -9.8, 0])"), "gravity", "0, 0, -g");
  check_refused(with_ball(R"("gravity": [0, 0])"), "gravity", "expected 3");
  for (const char* key : {"linear", "quadratic", "angular"})
    check_refused(with_ball(R"("drag": {")" + std::string(key) + R"(": -1})"),
                  "drag." + std::string(key), "found the number -1, expected it not below 0");
  for (const char* key : {"linear", "angular"})
    check_refused(with_ball(R"("added_mass": {")" + std::string(key) + R"(": -1})"),
                  "added_mass." + std::string(key), "found the number -1, expected it not below 0");
  check_refused(with_ball(R"("added_mass": {"quadratic": 1})"), "added_mass", "\"quadratic\"");
  check_refused(with_ball(R"("fluid": {"density": -1})"), "fluid.density", "not below 0");
  check_refused(with_ball(R"("fluid": {"force": "magic"})"), "fluid.force", "weight or pressure");
  check_refused(with_ball(R"("fluid": {"surface": {"type": "foam"}})"), "fluid.surface.type",
                "plane, waves or heights");
  check_refused(with_ball(R"("fluid": {"surface": {"type": "waves", "components":
                          [{"amplitude": 1, "wavelength": 0}]}})"),
                "fluid.surface", "components[0]");
  check_refused(with_ball(R"("fluid": {"surface": {"type": "waves"}})"), "fluid.surface",
                "components");
  check_refused(with_ball(R"("fluid": {"surface": {"type": "heights", "heights": [[0], [1, 2]]}})"),
                "fluid.surface.heights[1]", "expected 1");
  check_refused(R"({"bodies": [{"density": 1}]})", "bodies[0]", "\"shape\"");
  check_refused(R"({"bodies": [{"shape": {"shape": "sphere", "radius": 1}}]})", "bodies[0]",
                "\"density\"");
  check_refused(R"({"bodies": [{"shape": {"shape": "sphere", "radius": -1}, "density": 1}]})",
                "bodies[0].shape.radius", "positive");
  check_refused(ball_with(R"("density": 0)"), "bodies[0].density", "positive");
  check_refused(ball_with(R"("density": 1, "count": 0)"), "bodies[0]", "count of 0");
  check_refused(ball_with(R"("density": 1, "count": 100001)"), "bodies[0]", "100000",
                ErrorCode::kResourceLimit);
  check_refused(ball_with(R"("density": 1, "pose": [1,0,0,0, 0,2,0,0, 0,0,1,0, 0,0,0,1])"),
                "bodies[0].pose", "");
  check_refused(ball_with(R"("density": 1, "weight": 2)"), "bodies[0]", "\"weight\"");
  check_refused(R"({"bodies": [{"name": "a", "shape": {"shape": "sphere", "radius": 1},
                 "density": 1}, {"name": "a", "shape": {"shape": "sphere", "radius": 1},
                 "density": 1}]})",
                "bodies[1]", "twice");
  check_refused(R"({"bodies": [{"name": "a", "shape": {"shape": "sphere", "radius": 1},
                 "density": 1, "count": 2}, {"name": "a[1]", "shape": {"shape": "sphere",
                 "radius": 1}, "density": 1}]})",
                "bodies[1]", "twice");
  check_refused(R"({"bodies": [{"shape": {"shape": "mesh", "file": "no.off"}, "density": 1}]})",
                "bodies[0].shape.file", "no folder", ErrorCode::kUnsupported);
}

}  // namespace plimsoll
