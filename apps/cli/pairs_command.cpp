#include <fmt/format.h>
#include <plimsoll/body_pairs.h>
#include <plimsoll/distance.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "answer.h"
#include "bodies_input.h"
#include "commands.h"
#include "culling_options.h"
#include "file_writer.h"
#include "output.h"
#include "pairs_report.h"
#include "pairs_scene.h"
#include "picture/placed_mesh.h"
#include "picture_file.h"
#include "solid_input.h"
#include "text.h"
#include "work_option.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Finds the triangles of several bodies that meet. Meshes may be open, torn or soups.";

constexpr const char* kNotes =
    R"(A triangle is a closed set: two meet if they have a point in common, be it one corner. That is
decided exactly, of the vertices as the poses round them. One without area is the segment or the
point that its corners span. A body that lies in another without touching it is no pair.

Bodies are meshes, a SHAPE.json of a mesh or a box among them, or those of one SCENE.json:
{"bodies": [{"shape": {"shape": "mesh", "file": "chair.off", "scale": 1}, "pose": [[...], ...]}],
"ignore": [["seat", "leg"], ...]}, as in `plimsoll simulate`, without need of a density; "ignore"
names pairs of bodies that are left out. Shapes other than meshes and boxes have no triangles of
their own, and are refused. The letter of --pose-a is that of the body: --pose-c puts the third.
Translations of poses are in meters, whatever --units says.

--within D finds the triangles that are closer than D instead; those that meet are among
them. That is decided exactly too.

--method far finds the same pairs by drawing: bodies, then parts of them, that lie in front of all
others along x, y or z, or behind them, touch none, and are culled [Govindaraju2004]; what is left is
decided exactly. Triangles are fattened by what --resolution pixels cannot show, so no pair is lost at
any. It needs OpenGL 3.3, or --backend cpu, which draws on the processor by rules under which nothing
is to be fattened. Without graphics hardware exact is faster.
--method cullide fattens nothing, and loses pairs: it is there to be compared with. Pairs of --self are
found by the tree whatever the method.

--self adds the pairs of triangles of one body; those that share a vertex are left out.

A search that would take more work than --max-work seconds, beside a microsecond for each pair that it
finds, ends with an error: work is counted, so that it ends alike on every machine with as many threads.
All pairs of bodies are one search, of --within each pair is one, and of --self each body; with far
what the processor draws is one, and the exact test of what is left. What OpenGL draws is not counted.

--picture draws the bodies, each in its color, and the triangles that were found in red: paler where
something hides them, and with a circle around those that are too small to be seen.

--list writes a row for each pair: body, triangle, body, triangle. All are counted from 0, triangles
in the order of the file after polygons were split. The body of the smaller number comes first, of
one body the triangle of the smaller number. Rows ascend.

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused, or not available
in this version; 6 not enough memory or room, more than --max-work, or too many triangles of
--within that only hundreds of digits tell apart; 1 internal error.

Examples:
  plimsoll pairs cup.off saucer.off --pose-a 1,0,0,0,0,1,0,0,0,0,1,0.02,0,0,0,1
  plimsoll pairs robot.stl rack.obj --units mm --list pairs.csv
  plimsoll pairs cup.off saucer.off --picture touching.png
  plimsoll pairs gear.stl case.stl --units mm --within 0.5mm
  plimsoll pairs scene.json --self --json
  plimsoll pairs scene.json --method far --resolution 512)";

constexpr int kPixels = 1024;  // of a view

struct PairsArguments {
  BodiesArguments bodies;
  CullingArguments culling;
  std::optional<std::string> list, picture;
  bool self = false, json = false;
};

void declare(CommandLine& line, const Arguments& arguments, PairsArguments& given) {
  declare_bodies(line, arguments, given.bodies);
  given.bodies.expected = "two or more, or --self";
  given.culling.method = "exact";
  line.option("--method", "M", given.culling.method,
              "exact, or by visibility: far cullide (exact)");
  declare_culling(line, given.culling, kPixels);
  line.option("--within", "D", given.culling.within,
              "Pairs of triangles that are closer than D: [m], or as 1mm");
  declare_work(line, given.culling.max_work,
               "End with an error after so much work of a search, in seconds (600)");
  line.flag("--self", given.self, "Also pairs within a body");
  line.option("--list", "FILE", given.list, "Write all pairs as CSV; - is stdout");
  line.option("--picture", "OUT.png", given.picture,
              "Draw the bodies with the triangles that were found too");
  line.flag("--json", given.json, "One JSON object on stdout");
}

/// Nothing for --method exact.
std::optional<CullingJob> culling_job(const PairsArguments& given) {
  if (given.culling.method != "exact") {
    if (given.culling.method != "far" && given.culling.method != "cullide")
      throw usage_failure(fmt::format("found \"{}\", expected exact, cullide or far",
                                      printable(given.culling.method)),
                          "--method");
    return parse_culling(given.culling, kPixels);
  }
  for (const auto& [option, name] : {std::pair{&given.culling.resolution, "--resolution"},
                                     std::pair{&given.culling.backend, "--backend"}})
    if (*option) throw usage_failure("it is of --method far and cullide", name);
  return std::nullopt;
}

void check_outputs(const PairsArguments& given, const Arguments& arguments) {
  check_png_name(given.picture, "--picture");
  check_apart(given.list, given.picture, "--picture");
  spare_inputs(given.list, arguments);
  spare_inputs(given.picture, arguments);
  check_stdout(given.list, "--list", given.json);
}

/// The meshes of bodies, checked, and their trees: one for all bodies of a mesh, each made when it
/// is asked for.
class Trees {
 public:
  const CheckedMesh& mesh(const picture::PlacedMesh& body) {
    auto found = meshes_.find(body.mesh.get());
    if (found == meshes_.end())
      found = meshes_.emplace(body.mesh.get(), checked_mesh(*body.mesh)).first;
    return found->second;
  }
  const MeshTree& pairs(const picture::PlacedMesh& body) {
    auto found = pairs_.find(body.mesh.get());
    if (found == pairs_.end()) found = pairs_.emplace(body.mesh.get(), MeshTree(mesh(body))).first;
    return found->second;
  }
  const DistanceTree& distance(const picture::PlacedMesh& body) {
    auto found = distance_.find(body.mesh.get());
    if (found == distance_.end())
      found = distance_.emplace(body.mesh.get(), DistanceTree(pairs(body))).first;
    return found->second;
  }

 private:
  std::map<const TriangleMesh*, CheckedMesh> meshes_;
  std::map<const TriangleMesh*, MeshTree> pairs_;
  std::map<const TriangleMesh*, DistanceTree> distance_;
};

[[noreturn]] void throw_for(Error error, const std::string& name) {
  if (error.where == "max_work") error.message += ": a larger --max-work";
  error.where = name;
  throw failure_of(error);
}

/// Of two bodies, or of one and itself. Throws Failure.
void add_pairs(const Result<std::span<const TrianglePair>>& pairs, std::uint32_t i, std::uint32_t k,
               PairsReport& report) {
  if (!pairs) throw_for(pairs.error(), report.bodies[i].name);
  if (!pairs->empty()) report.touching.push_back({i, k, {pairs->begin(), pairs->end()}});
}

/// "building trees: 3 of 50 bodies"
std::string of_bodies(const char* what, std::size_t done, const PairsReport& report) {
  return fmt::format("{} {} of {} bodies", what, done, report.bodies.size());
}

/// What searches may take [us].
void find_touching(Trees& trees, double max_work, PairsReport& report, Progress& progress) {
  BodyPairSearch bodies;
  std::vector<BodyId> ids;
  progress.begin("building trees");
  for (std::uint32_t i = 0; i < report.bodies.size(); ++i) {
    progress.say([&] { return of_bodies("building trees:", i, report); });
    const picture::PlacedMesh& body = report.bodies[i];
    const Result<BodyId> id = bodies.add(trees.pairs(body), body.world_from_mesh);
    if (!id) throw_for(id.error(), body.name);
    ids.push_back(*id);
  }
  for (const auto& [a, b] : report.ignored)
    if (Result<void> done = bodies.ignore(ids[a], ids[b]); !done) throw failure_of(done.error());
  progress.begin("looking for triangles that meet");
  // None was removed: bodies have the places in which they were added.
  const Result<std::span<const TouchingBodies>> touching = bodies.pairs(max_work);
  if (!touching) throw_for(touching.error(), report.bodies.front().name);
  for (const TouchingBodies& found : *touching)
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

void find_near(Trees& trees, double max_work, PairsReport& report, Progress& progress) {
  const double distance = *report.within;
  NearPairSearch search;
  std::vector<Box3> boxes;
  progress.begin("looking for triangles that are near");
  for (std::uint32_t i = 0; i < report.bodies.size(); ++i) {
    progress.say([&] { return of_bodies("looking for triangles that are near:", i, report); });
    const picture::PlacedMesh& body = report.bodies[i];
    const DistanceTree& tree = trees.distance(body);
    boxes.push_back(box_around(tree, body.world_from_mesh));
    for (std::uint32_t k = 0; k < i; ++k) {
      if (report.is_ignored(k, i)) continue;
      const picture::PlacedMesh& other = report.bodies[k];
      if (!(boxes[k].exteriorDistance(boxes[i]) > distance * 1.000001))
        add_pairs(search.pairs(trees.distance(other), other.world_from_mesh, tree,
                               body.world_from_mesh, distance, max_work),
                  k, i, report);
    }
  }
}

void find_visible(const CullingJob& job, Trees& trees, double max_work, PairsReport& report,
                  Progress& progress) {
  if (report.bodies.size() < 2) return;  // there is nothing to be seen apart
  progress.begin("culling what is seen to be apart");
  std::vector<CullBody> bodies;
  for (const picture::PlacedMesh& body : report.bodies)
    bodies.push_back({trees.mesh(body), body.world_from_mesh});
  Culling left = cull(bodies, job);
  progress.begin("looking for triangles that meet");
  Result<std::vector<CulledPairs>> pairs = culled_pairs(bodies, left, max_work);
  if (!pairs) throw_for(pairs.error(), report.bodies.front().name);
  for (CulledPairs& found : *pairs)
    if (!report.is_ignored(found.a, found.b))
      report.touching.push_back({found.a, found.b, std::move(found.pairs)});
  report.culling = {std::move(left), job.options.resolution};
  if (job.options.method == CullMethod::kCullide)
    report.notices->say_of_option("--method",
                                  {"may_miss",
                                   "cullide may miss pairs where pixels are too coarse; far and "
                                   "exact miss none"});
}

/// Pairs of one body, which views cannot tell apart.
void find_within_bodies(Trees& trees, double max_work, PairsReport& report, Progress& progress) {
  progress.begin("looking for triangles of one body");
  PairSearch search;
  NearPairSearch near_search;
  for (std::uint32_t i = 0; i < report.bodies.size(); ++i) {
    progress.say([&] { return of_bodies("looking for triangles of one body:", i, report); });
    const picture::PlacedMesh& body = report.bodies[i];
    add_pairs(report.within ? near_search.self_pairs(trees.distance(body), *report.within,
                                                     body.world_from_mesh, max_work)
                            : search.self_pairs(trees.pairs(body), body.world_from_mesh, max_work),
              i, i, report);
  }
  if (report.method != "exact")
    report.notices->say_of_option("--self",
                                  {"self_by_tree",
                                   "pairs of one body are found by its tree: views tell bodies "
                                   "apart, not parts of one"});
}

void find_pairs(const std::optional<CullingJob>& culling, double max_work, PairsReport& report,
                Progress& progress) {
  Trees trees;
  if (culling) {
    find_visible(*culling, trees, max_work, report, progress);
  } else if (report.within) {
    find_near(trees, max_work, report, progress);
  } else {
    find_touching(trees, max_work, report, progress);
  }
  if (report.with_self) find_within_bodies(trees, max_work, report, progress);
  std::sort(report.touching.begin(), report.touching.end(),
            [](const BodyReport& x, const BodyReport& y) {
              return std::tie(x.a, x.b) < std::tie(y.a, y.b);
            });
}

/// Names the first of the pairs of bodies that were not asked about.
void say_ignored(const std::string& scene, const PairsReport& report) {
  if (report.ignored.empty()) return;
  constexpr std::size_t kNamed = 4;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, report.ignored.size()); ++i)
    names += fmt::format("{}{} and {}", i == 0 ? "" : ", ",
                         printable(report.bodies[report.ignored[i].first].name),
                         printable(report.bodies[report.ignored[i].second].name));
  if (report.ignored.size() > kNamed) names += ", ...";
  report.notices->say(scene,
                      {"ignore", fmt::format("{} left out, as the scene says: {}",
                                             counted(report.ignored.size(), "pair of bodies is",
                                                     "pairs of bodies are"),
                                             names)});
}

}  // namespace

ExitCode run_pairs(const Arguments& arguments) {
  CommandLine line("plimsoll pairs", kAbout, kNotes);
  PairsArguments given;
  declare(line, arguments, given);
  if (!line.parse(arguments)) return kDone;
  const std::optional<CullingJob> culling = culling_job(given);
  const double max_work = parse_work(given.culling.max_work).value_or(PairSearch::kMaxWork);
  check_outputs(given, arguments);
  PairsReport report;
  report.method = given.culling.method;
  if (given.culling.within) report.within = parse_length(*given.culling.within, "--within");
  report.with_self = given.self;
  report.notices = std::make_shared<Notices>("pairs");
  Progress progress;
  BodiesInput input = read_bodies(given.bodies, given.self ? 1 : 2, report.notices, progress);
  report.bodies = std::move(input.bodies);
  report.ignored = std::move(input.ignored);
  find_pairs(culling, max_work, report, progress);
  say_ignored(given.bodies.names.front(), report);
  const auto draw = [&] {
    if (!given.picture) return;
    progress.begin("drawing");
    write_picture(picture::draw_pairs(pairs_scene(report), {1600, 900}), *given.picture);
  };
  if (!given.list) return answer_and_write(report, Status::kOk, given.json, draw);
  return answer_and_write(report, Status::kOk, given.json, csv_rows(report), *given.list, draw);
}

}  // namespace plimsoll::cli
