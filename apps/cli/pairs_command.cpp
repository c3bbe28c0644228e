#include <fmt/format.h>
#include <plimsoll/contact_bodies.h>
#include <plimsoll/distance.h>
#include <plimsoll/scene.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "commands.h"
#include "file_writer.h"
#include "json_writer.h"
#include "output.h"
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
density. The letter of --pose-a is that of the body: --pose-c puts the third.

--within D finds the triangles that are closer than D, in meters, instead; those that meet are among
them. That is decided exactly too.

--self adds the pairs of triangles of one body; those that share a vertex are left out.

--list writes a row for each pair: body, triangle, body, triangle. All are counted from 0, triangles
in the order of the file after polygons were split. The body of the smaller number comes first, of
one body the triangle of the smaller number. Rows ascend.

Exit codes: 0 done; 2 usage; 3 input unreadable or refused, or not available in this version; 6 not
enough memory; 1 internal error.

Examples:
  plimsoll pairs cup.off saucer.off --pose-a 1,0,0,0,0,1,0,0,0,0,1,0.02,0,0,0,1
  plimsoll pairs robot.stl rack.obj --units mm --list pairs.csv
  plimsoll pairs gear.stl case.stl --units mm --within 0.0005
  plimsoll pairs scene.json --self --json)";

struct PairsArguments {
  std::vector<std::string> bodies;
  std::map<char, std::optional<std::string>> poses;  // by the body's letter
  std::optional<std::string> units, weld, input_format, list, resolution, within;
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

/// A body of triangles in its place.
struct PlacedMesh {
  std::string name;
  std::shared_ptr<const TriangleMesh> mesh;
  Similarity world_from_mesh = Similarity::Identity();
};

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
                                    const std::shared_ptr<Notices>& notices) {
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
    bodies[i].name = parts[i].name;
    bodies[i].mesh = mesh_of(read_body(parts[i], reading).shape, parts[i].name);
  }
  return bodies;
}

std::vector<PlacedMesh> read_bodies(const PairsArguments& given,
                                    const std::shared_ptr<Notices>& notices) {
  if (given.bodies.empty()) throw usage_failure("found no MESH, expected two or more");
  const std::string first = as_given(given.bodies.front());
  if (given.bodies.size() == 1 && is_shape(first)) return read_scene_bodies(first, given, *notices);
  if (given.bodies.size() == 1 && !given.self)
    throw usage_failure("found one MESH, expected two or more, or --self");
  return read_meshes(given, notices);
}

/// Of two bodies that touch, or of one and itself.
struct BodyReport {
  std::uint32_t a, b;
  std::vector<ContactPair> pairs;
};

struct PairsReport {
  std::shared_ptr<Notices> notices;
  std::optional<double> within;  // [m]
  std::vector<PlacedMesh> bodies;
  std::vector<BodyReport> touching;  // ascending

  [[nodiscard]] std::size_t pairs() const {
    std::size_t count = 0;
    for (const BodyReport& body : touching) count += body.pairs.size();
    return count;
  }
  /// Of different bodies.
  [[nodiscard]] std::size_t body_pairs() const {
    return static_cast<std::size_t>(std::count_if(
        touching.begin(), touching.end(), [](const BodyReport& body) { return body.a != body.b; }));
  }
};

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

void find_touching(bool self, PairsReport& report) {
  Trees<MeshTree> trees;
  ContactBodies bodies;
  ContactSearch search;
  for (std::uint32_t i = 0; i < report.bodies.size(); ++i) {
    const PlacedMesh& body = report.bodies[i];
    const MeshTree& tree = trees.of(body.mesh);
    const Result<BodyId> id = bodies.add(tree, body.world_from_mesh);
    if (!id) throw_for(id.error(), body.name);
    if (self) add_pairs(search.self_pairs(tree, body.world_from_mesh), i, i, report);
  }
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

void find_near(double distance, bool self, PairsReport& report) {
  Trees<DistanceTree> trees;
  NearPairSearch search;
  const auto pose = [&](std::uint32_t i) { return report.bodies[i].world_from_mesh; };
  const auto tree = [&](std::uint32_t i) { return trees.of(report.bodies[i].mesh); };
  std::vector<Box3> boxes;
  for (std::uint32_t i = 0; i < report.bodies.size(); ++i) {
    boxes.push_back(box_around(tree(i), pose(i)));
    for (std::uint32_t k = 0; k < i; ++k)
      if (!(boxes[k].exteriorDistance(boxes[i]) > distance * 1.000001))
        add_pairs(search.pairs(tree(k), pose(k), tree(i), pose(i), distance), k, i, report);
    if (self) add_pairs(search.self_pairs(tree(i), distance, pose(i)), i, i, report);
  }
}

void find_pairs(bool self, PairsReport& report) {
  if (report.within) {
    find_near(*report.within, self, report);
  } else {
    find_touching(self, report);
  }
  std::sort(report.touching.begin(), report.touching.end(),
            [](const BodyReport& x, const BodyReport& y) {
              return std::tie(x.a, x.b) < std::tie(y.a, y.b);
            });
}

void write_list(const PairsReport& report, const std::string& path) {
  std::vector<std::array<std::uint32_t, 4>> rows;
  rows.reserve(report.pairs());
  for (const BodyReport& body : report.touching)
    for (const ContactPair& pair : body.pairs) rows.push_back({body.a, pair.a, body.b, pair.b});
  std::sort(rows.begin(), rows.end());
  std::string text;
  for (const auto& [i, t, j, u] : rows)
    fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", i, t, j, u);
  write_file(text, path);
}

std::string json_report(const PairsReport& report) {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("status", "ok");
  out.member("method", "exact");
  report.notices->write(out, true);
  out.member("pairs", static_cast<std::uint64_t>(report.pairs()));
  out.member("body_pairs", static_cast<std::uint64_t>(report.body_pairs()));
  for (const char* name : {"surviving", "views", "resolution", "renderer"}) out.null_member(name);
  out.end_object();
  return out.text() + "\n";
}

std::string text_report(const PairsReport& report) {
  constexpr std::size_t kShown = 20;
  const std::size_t count = report.bodies.size();
  const std::string closer =
      report.within ? fmt::format("closer than {} m", *report.within) : std::string();
  // What one pair does, what several do, and what there is none of.
  const auto said = [&](const std::string& one, const std::string& more) {
    if (!report.within) return std::pair(one, more);
    return std::pair("is " + closer, "are " + closer);
  };
  std::string text;
  if (count > 1) {
    const auto [touches, touch] = said("touches", "touch");
    text += report.body_pairs() == 0
                ? fmt::format("no two of {} bodies {}\n", count, touch)
                : fmt::format("{} among {} bodies\n",
                              counted(report.body_pairs(), "pair of bodies " + touches,
                                      "pairs of bodies " + touch),
                              count);
  }
  const auto [meets, meet] = said("meets", "meet");
  text += report.pairs() == 0 ? fmt::format("no triangles {}\n", meet)
                              : counted(report.pairs(), "pair of triangles " + meets,
                                        "pairs of triangles " + meet) +
                                    "\n";
  for (std::size_t i = 0; i < std::min(kShown, report.touching.size()); ++i) {
    const BodyReport& body = report.touching[i];
    const auto named = [&](std::uint32_t k) {
      return fmt::format("{} {}", k, printable(report.bodies[k].name));
    };
    text += fmt::format(
        "  {:>10}  {}\n", body.pairs.size(),
        body.a == body.b ? "within " + named(body.a) : named(body.a) + " and " + named(body.b));
  }
  if (report.touching.size() > kShown)
    text += fmt::format("  and {} more; --list writes all\n", report.touching.size() - kShown);
  return text;
}

}  // namespace

ExitCode run_pairs(const Arguments& arguments) {
  CommandLine line("plimsoll pairs", kAbout, kNotes);
  PairsArguments given;
  find_pose_options(arguments, given);
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  check_method(given);
  spare_inputs(given.list, arguments);
  PairsReport report;
  if (given.within) report.within = parse_positive(*given.within, "--within");
  report.notices = std::make_shared<Notices>("pairs");
  report.bodies = read_bodies(given, report.notices);
  find_pairs(given.self, report);
  if (given.list) write_list(report, *given.list);
  print_output(given.json ? json_report(report) : text_report(report));
  return kDone;
}

}  // namespace plimsoll::cli
