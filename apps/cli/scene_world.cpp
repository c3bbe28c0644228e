#include "scene_world.h"

#include <fmt/format.h>
#include <plimsoll/shape.h>

#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "diagnosis.h"
#include "judge.h"
#include "solid_input.h"

namespace plimsoll::cli {
namespace {

std::string default_in_words(const std::string& key) {
  if (key == "fluid.density")
    return fmt::format("{} is {} kg/m^3, sea water", key, kSeawaterDensity);
  if (key == "fluid.force") return key + " is pressure";
  if (key == "contact.damping")
    return fmt::format("{} is {} of critical", key, ContactLaw{}.damping);
  if (key == "contact.friction") return fmt::format("{} is {}", key, ContactLaw{}.friction);
  if (key == "contact.stiffness")
    return key + " is such that a body of the size L sinks in by L/10,000 under its weight";
  return key + " is 1/L, L the cube root of a body's volume";
}

void say_defaults(const Scene& scene, const std::string& name, Notices& notices) {
  std::string list;
  for (const std::string& key : scene.left_out)
    list += (list.empty() ? "" : "; ") + default_in_words(key);
  if (!list.empty()) notices.say(name, {"defaults", "what the scene does not say: " + list});
}

void say_steepness(const Waves& waves, const std::string& name, Notices& notices) {
  const std::string limit =
      fmt::format("k a = {{:.3g}}: waves break above {}, and sums of cosines are no longer waves",
                  kBreakingSteepness);
  double sum = 0;
  bool is_any_steep = false;
  for (std::size_t i = 0; i < waves.components.size(); ++i) {
    const double own = steepness(waves.components[i]);
    sum += own;
    if (!(own > kBreakingSteepness)) continue;
    is_any_steep = true;
    notices.say(name,
                {"steepness", fmt::format("fluid.surface.components[{}]: its steepness is ", i) +
                                  fmt::format(fmt::runtime(limit), own)});
  }
  if (sum > kBreakingSteepness && !is_any_steep)
    notices.say(name, {"steepness", "fluid.surface: where all crests meet, the steepness is " +
                                        fmt::format(fmt::runtime(limit), sum)});
}

/// Lengths in another unit, or a frame that is not the body's, are the likely cause.
void say_far_center(const Scene& scene, const std::string& name, Notices& notices) {
  for (const RigidBody& body : scene.bodies) {
    if (!body.mass || !body.mass->center_of_mass) continue;
    const Vec3& center = *body.mass->center_of_mass;
    const Box3 box = bounding_box(body.shape);
    if (box.contains(center)) continue;
    return notices.say(
        name, {"center_of_mass",
               fmt::format("\"{}\": its center of mass ({:.4g}, {:.4g}, {:.4g}) m is outside of "
                           "its own box, ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g})",
                           body.name, center[0], center[1], center[2], box.min()[0], box.min()[1],
                           box.min()[2], box.max()[0], box.max()[1], box.max()[2])});
  }
}

/// The meshes and patches in a shape; within a Boolean they are judged in another way.
using Surfaces = std::set<std::pair<const void*, bool>>;

void add_surfaces(const Shape& shape, bool is_part, Surfaces& surfaces) {
  if (const auto* boolean = std::get_if<Boolean>(&shape.solid))
    for (const Shape& part : boolean->of) add_surfaces(part, true, surfaces);
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid))
    surfaces.emplace(mesh->mesh.get(), is_part);
  if (const auto* patches = std::get_if<PatchSolid>(&shape.solid))
    surfaces.emplace(patches->surface.get(), is_part);
}

}  // namespace

Scene read_scene_of(const std::string& name) {
  if (name.empty()) throw usage_failure("found no SCENE.json, expected one");
  Result<Scene> scene = read_scene(std::filesystem::path(name));
  if (!scene) throw failure_of(scene.error());
  return *std::move(scene);
}

void say_about_scene(const Scene& scene, const std::string& name, Notices& notices) {
  for (const Notice& notice : scene.notices) notices.say(name, notice);
  say_defaults(scene, name, notices);
  say_far_center(scene, name, notices);
  if (const auto* waves = std::get_if<Waves>(&scene.environment.surface);
      waves != nullptr && scene.environment.fluid_density > 0)
    say_steepness(*waves, name, notices);
}

std::vector<Status> judge_bodies(const Scene& scene, const std::string& name, Notices& notices) {
  std::vector<Status> statuses;
  std::map<Surfaces, Status> known;
  for (const RigidBody& body : scene.bodies) {
    Surfaces surfaces;
    add_surfaces(body.shape, false, surfaces);
    const auto [place, is_new] = known.try_emplace(std::move(surfaces), Status::kOk);
    Status& status = place->second;
    if (is_new && !place->first.empty()) {
      const Verdict verdict = judge(body.name, body.shape, false);
      say_faulty_parts(body.name, verdict, notices);
      status = verdict.status();
      if (!is_sound(status))
        notices.say(name, {"status", fmt::format("{}: {} - {}: do not trust how it moves",
                                                 body.name, to_string(status), in_words(status))});
    }
    statuses.push_back(status);
  }
  return statuses;
}

Failure world_failure(const Error& error, const std::string& scene,
                      std::span<const Status> statuses) {
  Failure failure = failure_of(error);
  std::size_t body = statuses.size();
  const bool is_of_body = std::sscanf(error.where.c_str(), "bodies[%zu]", &body) == 1;
  if (!is_of_body && !error.where.starts_with("contact")) return failure;
  failure.where = scene + ": " + failure.where;
  if (body < statuses.size() && !is_sound(statuses[body]) && failure.exit_code == kRejected &&
      error.code != ErrorCode::kUnavailable)
    failure.code = to_string(statuses[body]);
  return failure;
}

}  // namespace plimsoll::cli
