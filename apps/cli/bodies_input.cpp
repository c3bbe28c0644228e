#include "bodies_input.h"

#include <fmt/format.h>
#include <plimsoll/scene.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "failure.h"
#include "far_off.h"
#include "input.h"
#include "polyhedron.h"
#include "solid_input.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

/// The letters of all options --pose-x that were given, and those of the first two bodies.
void find_pose_options(const Arguments& arguments, BodiesArguments& given) {
  constexpr std::string_view kOption = "--pose-";
  given.poses['a'] = given.poses['b'] = std::nullopt;
  for (const std::string& argument : arguments) {
    const std::size_t end = std::min(argument.find('='), argument.size());
    if (end != kOption.size() + 1 || !argument.starts_with(kOption)) continue;
    const char letter = argument[kOption.size()];
    if (letter >= 'a' && letter <= 'z') given.poses[letter] = std::nullopt;
  }
}

/// Throws Failure for shapes that are not made of triangles.
std::shared_ptr<const TriangleMesh> mesh_of(const Shape& shape, const std::string& name) {
  if (std::optional<MeshSolid> solid = polyhedron_of(shape)) return solid->mesh;
  Failure failure = unavailable("pairs of a body that is no mesh and no box are");
  failure.where = name;
  throw failure;
}

/// Whether a document has a member of that name, not counting those of its members.
bool has_member(const std::string& path, std::string_view name) {
  std::ifstream in(path, std::ios::binary);
  int depth = 0;
  std::string string;
  for (char c; in.get(c);) {
    if (c == '"') {
      string.clear();
      while (in.get(c) && c != '"')
        if (c != '\\' || in.get(c)) string += c;
      if (depth == 1 && string == name && (in >> std::ws).peek() == ':') return true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

BodiesInput read_scene_bodies(const std::string& name, const BodiesArguments& given,
                              Notices& notices) {
  for (const auto& [letter, pose] : given.poses)
    if (pose)
      throw usage_failure("a scene says where its bodies are", fmt::format("--pose-{}", letter));
  if (given.units || given.weld || given.input_format)
    throw usage_failure("it is of meshes, and a scene was given", given.units  ? "--units"
                                                                  : given.weld ? "--weld"
                                                                               : "--input-format");
  Result<Scene> scene = read_scene(std::filesystem::path(name), SceneUse::kPlaces);
  if (!scene) throw failure_of(scene.error());
  for (const Notice& notice : scene->notices) notices.say(name, notice);
  BodiesInput input;
  for (const RigidBody& body : scene->bodies)
    input.bodies.push_back({body.name, mesh_of(body.shape, name + ": " + body.name), body.pose});
  input.ignored = std::move(scene->ignored);
  return input;
}

std::vector<picture::PlacedMesh> read_meshes(const BodiesArguments& given,
                                             const std::shared_ptr<Notices>& notices,
                                             Progress& progress) {
  Reading reading{.notices = notices};
  set_unit(reading, given.units);
  set_weld(reading, given.weld);
  std::vector<PartArgument> parts;
  for (const std::string& argument : given.names)
    parts.push_back({as_given(argument), std::nullopt});
  set_input_format(reading, given.input_format, parts);
  std::vector<picture::PlacedMesh> bodies(parts.size());
  std::vector<PlacedBox> boxes(parts.size());
  for (const auto& [letter, pose] : given.poses) {
    if (!pose) continue;
    const std::string option = fmt::format("--pose-{}", letter);
    const auto place = static_cast<std::size_t>(letter - 'a');
    if (place >= bodies.size())
      throw usage_failure(
          fmt::format("found {}, expected one for it", counted(bodies.size(), "body", "bodies")),
          option);
    bodies[place].world_from_mesh = parse_pose(*pose, option.c_str(), *notices);
    boxes[place].option = option;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    progress.begin("reading " + printable(parts[i].name));
    bodies[i].name = parts[i].name;
    const Shape shape = read_body(parts[i], reading).shape;
    bodies[i].mesh = mesh_of(shape, parts[i].name);
    boxes[i].name = parts[i].name;
    boxes[i].box = bounding_box(shape).transformed(bodies[i].world_from_mesh);
  }
  remark_if_apart(boxes, *notices);
  return bodies;
}

}  // namespace

void declare_bodies(CommandLine& line, const Arguments& arguments, BodiesArguments& given) {
  find_pose_options(arguments, given);
  line.positional("BODIES", given.names,
                  "Meshes or SHAPE.json, or one SCENE.json; - is standard input");
  for (auto& [letter, pose] : given.poses)
    line.option(fmt::format("--pose-{}", letter).c_str(), "T", pose,
                "world_from_body: 16 numbers by rows [m], or @file.json (identity)");
  line.option("--units", "U", given.units,
              "What the files' numbers are in: m mm cm in ft (their own, or m)");
  declare_weld(line, given.weld);
  line.option("--input-format", "F", given.input_format,
              "Of standard input: stl obj ply off gltf glb 3mf");
}

BodiesInput read_bodies(const BodiesArguments& given, std::size_t fewest,
                        const std::shared_ptr<Notices>& notices, Progress& progress) {
  if (given.names.empty()) throw usage_failure("found no MESH, expected " + given.expected);
  const std::string first = as_given(given.names.front());
  if (given.names.size() == 1 && is_shape(first) && !has_member(first, "shape")) {
    progress.begin("reading " + printable(first));
    return read_scene_bodies(first, given, *notices);
  }
  if (given.names.size() < fewest)
    throw usage_failure("found one MESH, expected " + given.expected);
  return {read_meshes(given, notices, progress), {}};
}

}  // namespace plimsoll::cli
