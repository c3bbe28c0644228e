#include <fmt/format.h>
#include <plimsoll/contact_bodies.h>
#include <plimsoll/distance.h>
#include <plimsoll/scene.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "commands.h"
#include "file_writer.h"
#include "output.h"
#include "pairs_picture.h"
#include "pairs_report.h"
#include "placed_mesh.h"
#include "png_writer.h"
#include "solid_input.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Finds the triangles of several bodies that meet. Meshes may be open, torn or soups.";

constexpr const char* kNotes =
    R"(A triangle is a closed set: two meet if they have a point in common, be it one corner. That is
decided exactly, of the vertices as the poses round them. One without area is the segment or the
point that its corners span. A body that lies in another without touching it is no pair.

Bodies are meshes, or those of one SCENE.json: {"bodies": [{"shape": {"shape": "mesh", "file":
"chair.off", "scale": 1}, "pose": [[...], ...]}]}, as in `plimsoll simulate`, without need of a
density. The letter of --pose-a is that of the body: --pose-c puts the third. Translations of poses
are in meters, whatever --units says.

--within D finds the triangles that are closer than D, in meters, instead; those that meet are among
them. That is decided exactly too.

--self adds the pairs of triangles of one body; those that share a vertex are left out.

--picture draws the bodies, each in its color, and the triangles that were found in red: paler where
something hides them, and with a circle around those that are too small to be seen.

--list writes a row for each pair: body, triangle, body, triangle. All are counted from 0, triangles
in the order of the file after polygons were split. The body of the smaller number comes first, of
one body the triangle of the smaller number. Rows ascend.

Exit codes: 0 done; 2 usage; 3 input unreadable or refused, or not available in this version; 6 not
enough memory; 1 an output cannot be written, or internal error.

Examples:
  plimsoll pairs cup.off saucer.off --pose-a 1,0,0,0,0,1,0,0,0,0,1,0.02,0,0,0,1
  plimsoll pairs robot.stl rack.obj --units mm --list pairs.csv
  plimsoll pairs cup.off saucer.off --picture touching.png
  plimsoll pairs gear.stl case.stl --units mm --within 0.0005
  plimsoll pairs scene.json --self --json)";

struct PairsArguments {
  std::vector<std::string> bodies;
  std::map<char, std::optional<std::string>> poses;  // by the body's letter
  std::optional<std::string> units, weld, input_format, list, picture, resolution, within;
  std::string method = "exact";
  bool self = false, json = false;
};

/// The letters of all options --pose-x that were given, and those of the first two bodies.
void find_pose_options(const Arguments& arguments, PairsArguments& given) {
  constexpr std::string_view kOption = "--pose-";
  given.poses['a'] = given.poses['b'] = std::nullopt;
  for (const std::string& argument : arguments) {
    const std::size_t end = std::min(argument.find('='), argument.size());
    if (end != kOption.size() + 1 || !argument.starts_with(kOption)) continue;
    const char letter = argument[kOption.size()];
    if (letter >= 'a' && letter <= 'z') given.poses[letter] = std::nullopt;
  }
}

void declare(CommandLine& line, PairsArguments& given) {
  line.positional("BODIES", given.bodies,
                  "Meshes or SHAPE.json, or one SCENE.json; - is standard input");
  line.option("--method", "M", given.method,
              "exact; cullide and far are not available yet (exact)");
  for (auto& [letter, pose] : given.poses)
    line.option(fmt::format("--pose-{}", letter).c_str(), "T", pose,
                "world_from_body: 16 numbers, row by row, or @file.json (identity)");
  line.option("--units", "U", given.units,
              "What the files' numbers are in: m mm cm in ft (their own, or m)");
  declare_weld(line, given.weld);
  line.option("--input-format", "F", given.input_format,
              "Of standard input: stl obj ply off gltf glb 3mf");
  line.option("--resolution", "N", given.resolution, "Of the methods by image");
  line.option("--within", "D", given.within,
              "Pairs of triangles that are closer than D instead of those that meet [m]");
  line.flag("--self", given.self, "Also pairs within a body");
  line.option("--list", "FILE", given.list, "Write all pairs as CSV");
  line.option("--picture", "OUT.png", given.picture,
              "Draw the bodies with the triangles that were found too");
  line.flag("--json", given.json, "One JSON object on stdout");
}

void check_method(const PairsArguments& given) {
  if (given.method == "cullide" || given.method == "far")
    throw unavailable("--method " + given.method + " is");
  if (given.method != "exact")
    throw usage_failure(
        fmt::format("found \"{}\", expected exact, cullide or far", printable(given.method)),
        "--method");
  if (given.resolution) throw usage_failure("it is of --method cullide and far", "--resolution");
}

void check_outputs(const PairsArguments& given, const Arguments& arguments) {
  spare_inputs(given.list, arguments);
  spare_inputs(given.picture, arguments);
  check_png_name(given.picture, "--picture");
  const auto place = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  if (given.list && given.picture && place(*given.list) == place(*given.picture))
    throw usage_failure("found the file of --list, expected another", "--picture");
}

/// Throws Failure for shapes that are not made of triangles.
std::shared_ptr<const TriangleMesh> mesh_of(const Shape& shape, const std::string& name) {
  const auto* solid = std::get_if<MeshSolid>(&shape.solid);
  if (solid == nullptr) {
    Failure failure = unavailable("pairs of a body that is no mesh are");
    failure.where = name;
    throw failure;
  }
  if (shape.pose.matrix() == Similarity::Identity().matrix()) return solid->mesh;
  return std::make_shared<const TriangleMesh>(posed(*solid->mesh, shape.pose));
}

std::vector<PlacedMesh> read_scene_bodies(const std::string& name, const PairsArguments& given,
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
  std::vector<PlacedMesh> bodies;
  for (const RigidBody& body : scene->bodies)
    bodies.push_back({body.name, mesh_of(body.shape, name + ": " + body.name), body.pose});
  return bodies;
}

std::vector<PlacedMesh> read_meshes(const PairsArguments& given,
                                    const std::shared_ptr<Notices>& notices, Progress& progress) {
  Reading reading{.notices = notices};
  set_unit(reading, given.units);
  set_weld(reading, given.weld);
  std::vector<PartArgument> parts;
  for (const std::string& argument : given.bodies)
    parts.push_back({as_given(argument), std::nullopt});
  set_input_format(reading, given.input_format, parts);
  std::vector<PlacedMesh> bodies(parts.size());
  for (const auto& [letter, pose] : given.poses) {
    if (!pose) continue;
    const std::string option = fmt::format("--pose-{}", letter);
    const auto place = static_cast<std::size_t>(letter - 'a');
    if (place >= bodies.size())
      throw usage_failure(
          fmt::format("found {}, expected one for it", counted(bodies.size(), "body", "bodies")),
          option);
    bodies[place].world_from_mesh = parse_pose(*pose, option.c_str(), *notices);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    progress.begin("reading " + printable(parts[i].name));
    bodies[i].name = parts[i].name;
    bodies[i].mesh = mesh_of(read_body(parts[i], reading).shape, parts[i].name);
  }
  return bodies;
}

std::vector<PlacedMesh> read_bodies(const PairsArguments& given,
                                    const std::shared_ptr<Notices>& notices, Progress& progress) {
  if (given.bodies.empty()) throw usage_failure("found no MESH, expected two or more");
  const std::string first = as_given(given.bodies.front());
  if (given.bodies.size() == 1 && is_shape(first)) {
    progress.begin("reading " + printable(first));
    return read_scene_bodies(first, given, *notices);
  }
  if (given.bodies.size() == 1 && !given.self)
    throw usage_failure("found one MESH, expected two or more, or --self");
  return read_meshes(given, notices, progress);
}

/// One tree for all bodies of one mesh.
template <class Tree>
class Trees {
 public:
  const Tree& of(const std::shared_ptr<const TriangleMesh>& mesh) {
    auto found = trees_.find(mesh.get());
    if (found == trees_.end())
      found = trees_.emplace(mesh.get(), Tree(MeshTree(checked_mesh(*mesh)))).first;
    return found->second;
  }

 private:
  std::map<const TriangleMesh*, Tree> trees_;
};

[[noreturn]] void throw_for(Error error, const std::string& name) {
  error.where = name;
  throw failure_of(error);
}

/// Of two bodies, or of one and itself. Throws Failure.
void add_pairs(const Result<std::span<const ContactPair>>& pairs, std::uint32_t i, std::uint32_t k,
               PairsReport& report) {
  if (!pairs) throw_for(pairs.error(), report.bodies[i].name);
  if (!pairs->empty()) report.touching.push_back({i, k, {pairs->begin(), pairs->end()}});
}

/// "building trees: 3 of 50 bodies"
std::string of_bodies(const char* what, std::size_t done, const PairsReport& report) {
  return fmt::format("{} {} of {} bodies", what, done, report.bodies.size());
}

void find_touching(PairsReport& report, Progress& progress) {
  Trees<MeshTree> trees;
  ContactBodies bodies;
  ContactSearch search;
  progress.begin("building trees");
  for (std::uint32_t i = 0; i < report.bodies.size(); ++i) {
    progress.say([&] { return of_bodies("building trees:", i, report); });
    const PlacedMesh& body = report.bodies[i];
    const MeshTree& tree = trees.of(body.mesh);
    const Result<BodyId> id = bodies.add(tree, body.world_from_mesh);
    if (!id) throw_for(id.error(), body.name);
    if (report.with_self) add_pairs(search.self_pairs(tree, body.world_from_mesh), i, i, report);
  }
  progress.begin("looking for triangles that meet");
  // None was removed: bodies have the places in which they were added.
  for (const BodyContacts& found : bodies.contacts())
    report.touching.push_back(
        {found.a.index, found.b.index, {found.pairs.begin(), found.pairs.end()}});
}

/// Around a posed body, with room for what posing rounds.
Box3 box_around(const DistanceTree& tree, const Similarity& world_from_mesh) {
  Box3 box;
  for (int corner = 0; corner < 8; ++corner)
    box.extend(world_from_mesh * tree.box().corner(static_cast<Box3::CornerType>(corner)));
  const double largest = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff();
  return {box.min().array() - 0x1p-40 * largest, box.max().array() + 0x1p-40 * largest};
}

void find_near(double distance, PairsReport& report, Progress& progress) {
  Trees<DistanceTree> trees;
  NearPairSearch search;
  const auto pose = [&](std::uint32_t i) { return report.bodies[i].world_from_mesh; };
  const auto tree = [&](std::uint32_t i) { return trees.of(report.bodies[i].mesh); };
  std::vector<Box3> boxes;
  progress.begin("looking for triangles that are near");
  for (std::uint32_t i = 0; i < report.bodies.size(); ++i) {
    progress.say([&] { return of_bodies("looking for triangles that are near:", i, report); });
    boxes.push_back(box_around(tree(i), pose(i)));
    for (std::uint32_t k = 0; k < i; ++k)
      if (!(boxes[k].exteriorDistance(boxes[i]) > distance * 1.000001))
        add_pairs(search.pairs(tree(k), pose(k), tree(i), pose(i), distance), k, i, report);
    if (report.with_self) add_pairs(search.self_pairs(tree(i), distance, pose(i)), i, i, report);
  }
}

void find_pairs(PairsReport& report, Progress& progress) {
  if (report.within) {
    find_near(*report.within, report, progress);
  } else {
    find_touching(report, progress);
  }
  std::sort(report.touching.begin(), report.touching.end(),
            [](const BodyReport& x, const BodyReport& y) {
              return std::tie(x.a, x.b) < std::tie(y.a, y.b);
            });
}

}  // namespace

ExitCode run_pairs(const Arguments& arguments) {
  CommandLine line("plimsoll pairs", kAbout, kNotes);
  PairsArguments given;
  find_pose_options(arguments, given);
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  check_method(given);
  check_outputs(given, arguments);
  PairsReport report;
  if (given.within) report.within = parse_positive(*given.within, "--within");
  report.with_self = given.self;
  report.notices = std::make_shared<Notices>("pairs");
  Progress progress;
  report.bodies = read_bodies(given, report.notices, progress);
  find_pairs(report, progress);
  if (given.list) write_file(csv_rows(report), *given.list);
  if (given.picture) {
    progress.begin("drawing");
    write_png(draw_pairs(report, {1600, 900}), *given.picture);
  }
  print_output(given.json ? json_report(report) : text_report(report));
  return kDone;
}

}  // namespace plimsoll::cli
