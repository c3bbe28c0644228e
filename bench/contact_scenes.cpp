// Scenes of bodies that meet, for other engines too: writes them as files, moves them, and judges
// where an engine has left its bodies. bench/python/contact.py runs all; README.md tells how to
// read what it prints.
//
//   contact_scenes write SCENE FOLDER     scene.json, and a mesh for each body, as OBJ
//   contact_scenes run SCENE STEP         moves the bodies; prints a state
//   contact_scenes judge SCENE < STATE    prints what the state shows
//
// A state has a line of seconds of processor time, and one for each body that moves: its origin's
// pose, a row of [R | t] after the other, the velocity of its center of mass and its angular
// velocity, in the world.
#include <fmt/format.h>
#include <plimsoll/contact.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/overlap.h>
#include <plimsoll/parallel.h>
#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "clocks.h"
#include "got.h"

namespace plimsoll::bench {
namespace {

struct ContactScene {
  std::vector<RigidBody> bodies;
  ContactLaw law;
  double seconds = 0;  ///< That it lasts.
};

/// The fifty bodies of scenes/kim2006_basin.json, balls, boxes, rings, teapots and bunnies, fall
/// into its basin without water.
ContactScene heap() {
  Scene scene = got(read_scene("scenes/kim2006_basin.json"), "scenes/kim2006_basin.json");
  return {std::move(scene.bodies), {.damping = 0.2, .friction = 0.3}, 3};
}

/// A box falls on an edge and tumbles, without damping and friction: its energy stays.
ContactScene tumble() {
  RigidBody box, floor;
  box.name = "box";
  box.shape = {BoxSolid{{1, 0.7, 0.4}}};
  box.pose.translation() = Vec3(0, 0, 1.1);
  box.pose.linear() = Eigen::AngleAxisd(0.3, Vec3(1, 2, 0).normalized()).toRotationMatrix();
  floor.name = "floor";
  floor.shape = {BoxSolid{{40, 40, 1}}};
  floor.is_kinematic = true;
  floor.pose.translation() = Vec3(0.1, 0.2, -0.5);
  return {{box, floor}, {.damping = 0, .friction = 0}, 5};
}

ContactScene scene_of(std::string_view name) {
  if (name == "heap") return heap();
  if (name == "tumble") return tumble();
  fmt::print(stderr, "contact_scenes: no scene \"{}\", expected heap or tumble\n", name);
  std::exit(2);
}

World world_of(const ContactScene& scene) {
  Environment air;
  air.fluid_density = 0;
  return got(World::create(air, scene.bodies), "bodies");
}

// ---- files

template <class Matrix>
std::string list_of(const Matrix& m) {
  std::string text;
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.cols(); ++j)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", m(i, j));
  return "[" + text + "]";
}

/// The triangles of a body in its own frame.
TriangleMesh triangles_of(const Shape& shape) {
  constexpr double kFlatness = 1e-3;
  auto made = got(to_triangles(shape, kFlatness), "a shape");
  return std::move(made->mesh);
}

int write(const ContactScene& scene, const std::filesystem::path& folder) {
  const World world = world_of(scene);
  std::string bodies;
  for (const BodyId id : world.ids()) {
    const MassProperties mass = *world.mass(id);
    const Shape shape = *world.shape(id);
    const std::string file = fmt::format("{}.obj", id.index);
    got(write_mesh(triangles_of(shape), folder / file), "a mesh");
    std::string kind;
    if (const auto* box = std::get_if<BoxSolid>(&shape.solid))
      kind = fmt::format(R"("box": {}, )", list_of(box->size));
    if (const auto* ball = std::get_if<Sphere>(&shape.solid))
      kind = fmt::format(R"("sphere": {}, )", ball->radius);
    const Pose pose = world.body(id)->pose;
    bodies += fmt::format(
        R"({}{{"name": "{}", "fixed": {}, {}"mesh": "{}", "mass": {}, "center": {}, "inertia": {}, "pose": {}}})",
        bodies.empty() ? "" : ",\n  ", *world.name(id), world.is_kinematic(id), kind, file,
        mass.mass, list_of(mass.center_of_mass), list_of(mass.inertia),
        list_of(Eigen::Matrix<double, 3, 4>(pose.matrix().topRows<3>())));
  }
  std::FILE* out = std::fopen((folder / "scene.json").c_str(), "w");
  if (out == nullptr) {
    fmt::print(stderr, "contact_scenes: cannot write to {}\n", folder.string());
    return 1;
  }
  fmt::print(out, "{{\"seconds\": {}, \"friction\": {}, \"damping\": {}, \"bodies\": [\n  {}]}}\n",
             scene.seconds, scene.law.friction, scene.law.damping, bodies);
  return std::fclose(out) == 0 ? 0 : 1;
}

// ---- runs

int run(const ContactScene& scene, double step) {
  World world = world_of(scene);
  got(world.set_contact(scene.law), "contact");
  with_threads(1, [&] {
    const auto steps = static_cast<int>(std::lround(scene.seconds / step));
    const Times taken = time_calls(
        [&] {
          for (int i = 0; i < steps; ++i) got(world.step(step), "a step");
        },
        1);
    fmt::print("{}\n", taken.cpu);
  });
  for (const BodyId id : world.ids()) {
    if (world.is_kinematic(id)) continue;
    const BodyState body = *world.body(id);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) fmt::print("{} ", body.pose.matrix()(i, j));
    const Vec3 arm = body.center_of_mass - body.pose.translation();
    const Vec3 velocity = body.velocity + body.angular_velocity.cross(arm);
    fmt::print("{} {} {} {} {} {}\n", velocity.x(), velocity.y(), velocity.z(),
               body.angular_velocity.x(), body.angular_velocity.y(), body.angular_velocity.z());
  }
  return 0;
}

// ---- judgement

struct Judged {
  SolidTree solid;
  MassProperties mass;
  bool is_fixed;
  Pose pose;
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();

  [[nodiscard]] Vec3 center() const { return pose * mass.center_of_mass; }
  [[nodiscard]] double energy() const {
    constexpr double kGravity = 9.80665;
    const Vec3 spin = pose.linear().transpose() * angular_velocity;
    return mass.mass * (kGravity * center().z() + velocity.squaredNorm() / 2) +
           spin.dot(mass.inertia * spin) / 2;
  }
};

double energy_of(const std::vector<Judged>& bodies) {
  double sum = 0;
  for (const Judged& body : bodies)
    if (!body.is_fixed) sum += body.energy();
  return sum;
}

int judge(const ContactScene& scene) {
  const World world = world_of(scene);
  std::vector<Judged> bodies;
  double volumes = 0;
  for (const BodyId id : world.ids()) {
    bodies.push_back({SolidTree(MeshTree(got(
                          CheckedMesh::from_triangles(triangles_of(*world.shape(id))), "a mesh"))),
                      *world.mass(id), world.is_kinematic(id), world.body(id)->pose});
    if (!bodies.back().is_fixed) volumes += bodies.back().mass.volume;
  }
  const double before = energy_of(bodies);
  double cpu = 0, fastest = 0;
  std::cin >> cpu;
  for (Judged& body : bodies) {
    if (body.is_fixed) continue;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) std::cin >> body.pose.matrix()(i, j);
    for (Vec3* way : {&body.velocity, &body.angular_velocity})
      for (double& x : *way) std::cin >> x;
    fastest = std::max(fastest, body.velocity.norm());
  }
  if (!std::cin) {
    fmt::print(stderr, "contact_scenes: the state ends early, expected 18 numbers for each body\n");
    return 1;
  }
  OverlapSearch overlap;
  ContactSearch contact;
  int pairs = 0, lost = 0;
  double shared = 0, deepest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].is_fixed && bodies[i].center().z() < -3) ++lost;
    for (std::size_t k = i + 1; k < bodies.size(); ++k) {
      const Judged &a = bodies[i], &b = bodies[k];
      if (a.is_fixed && b.is_fixed) continue;
      const Similarity pose_a(a.pose.matrix()), pose_b(b.pose.matrix());
      const double volume =
          got(overlap.overlap(a.solid, pose_a, b.solid, pose_b), "an overlap").volume;
      if (!(volume > 0)) continue;
      ++pairs;
      shared += volume;
      const ContactForces forces =
          got(contact.forces(a.solid, pose_a, b.solid, pose_b, {.points = true}), "a contact");
      for (const ContactPoint& point : forces.points)
        if (point.area > 0) deepest = std::max(deepest, point.push / point.area);
    }
  }
  fmt::print("{:.4g},{},{:.3g},{:.3g},{},{:.3g},{:.3g}\n", cpu / scene.seconds, pairs,
             shared / volumes, deepest, lost, fastest, energy_of(bodies) / before - 1);
  return 0;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  const std::string_view part = argc > 2 ? argv[1] : "";
  if (part == "write" && argc == 4) return write(scene_of(argv[2]), argv[3]);
  if (part == "run" && argc == 4) return run(scene_of(argv[2]), std::atof(argv[3]));
  if (part == "judge" && argc == 3) return judge(scene_of(argv[2]));
  fmt::print(stderr, "usage: {} write SCENE FOLDER | run SCENE STEP | judge SCENE < STATE\n",
             argv[0]);
  return 2;
}
