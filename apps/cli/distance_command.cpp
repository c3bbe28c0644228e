#include <fmt/format.h>
#include <plimsoll/distance.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "answer.h"
#include "commands.h"
#include "distance_report.h"
#include "distance_scene.h"
#include "file_writer.h"
#include "output.h"
#include "picture_file.h"
#include "solid_input.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Measures how far two bodies are apart, and where they are nearest. Exact, with bounds; SI\n"
    "units, world coordinates.";

constexpr const char* kNotes =
    R"(Two distances: that of the surfaces, and that of the solids, which is 0 where one touches,
crosses or lies in the other. Of open meshes only the first is known. Surfaces touch where they
have a point in common and no edge of one passes through a face of the other: boxes of which two
sides lie in one plane may touch so and overlap.

Translations of poses are in meters, whatever --units says.

--picture draws the bodies and the line between their nearest points, dashed where a body hides it;
where that is too short to be seen, there is a circle around it.

Exit codes: 0 done; 2 usage; 3 input unreadable or refused, or not available in this version; 4
answered, but a mesh is not sound: the answer says why; 6 not enough memory; 1 an output cannot be
written, or internal error.

Examples:
  plimsoll distance gripper.stl part.obj --pose-a @gripper_pose.json
  plimsoll distance cup.off saucer.off --picture nearest.png
  plimsoll distance a.ply a.ply --pose-b 1,0,0,0.25,0,1,0,0,0,0,1,0,0,0,0,1 --json)";

struct DistanceArguments {
  TwoBodiesArguments bodies;
  std::string method = "exact";
  std::optional<std::string> spheres, budget, picture;
  bool json = false;
};

void declare(CommandLine& line, DistanceArguments& arguments) {
  declare_two_bodies(line, arguments.bodies);
  line.option("--method", "M", arguments.method, "exact spheres (exact)");
  line.option("--spheres", "N", arguments.spheres, "Inner spheres of each body");
  line.option("--budget-us", "B", arguments.budget, "Microseconds that the query may take");
  line.option("--picture", "OUT.png", arguments.picture,
              "Draw the bodies with their nearest points too");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

void check(const DistanceArguments& arguments) {
  if (parse_choice(arguments.method, {"exact", "spheres"}, "--method") == 1)
    throw unavailable("distances of inner spheres are");
  if (arguments.spheres) throw usage_failure("it is of --method spheres", "--spheres");
  if (arguments.budget) throw unavailable("queries that end in time are");
}

const TriangleMesh& mesh_of(const Body& body) {
  if (body.mesh() != nullptr) return *body.mesh();
  throw Failure{kRejected, "unavailable",
                "found a shape that is no mesh, expected two meshes: other shapes have no exact "
                "distance in this version",
                body.name};
}

/// Whether a vertex of the body was found outside the other, a closed one, and not on its surface:
/// then it does not lie in that.
bool reaches_out(const Body& body, const MeshTree& other, const Similarity& world_from_other) {
  Result<SurfaceProbe> probe = SurfaceProbe::of(other, world_from_other);
  if (!probe) throw failure_of(probe.error());
  const TriangleMesh placed = posed(mesh_of(body), body.pose);
  std::vector<bool> is_known(placed.vertices.size());
  for (const Triangle& triangle : placed.triangles)
    for (const std::uint32_t v : triangle) {
      if (is_known[v]) continue;
      is_known[v] = true;
      const Result<NearestOnSurface> nearest = probe->nearest(placed.vertices[v]);
      if (!nearest) throw failure_of(nearest.error());
      if (!(nearest->lower > 0)) continue;
      const Result<int> winding = probe->winding_number(placed.vertices[v]);
      if (!winding) throw failure_of(winding.error());
      if (*winding == 0) return true;
    }
  return false;
}

DistanceReport measure(std::array<Body, 2> bodies, Progress& progress) {
  DistanceReport report;
  std::optional<MeshTree> meshes[2];
  std::optional<DistanceTree> trees[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const Body& body = bodies[i];
    progress.begin("building the tree of " + printable(body.name));
    const CheckedMesh mesh = checked_mesh(mesh_of(body));
    const MeshHealth health = examine(mesh);
    report.is_open[i] = health.unbalanced_edges > 0;
    report.status =
        std::min(report.status, with_missing_parts(status_of(health.status), body.partial));
    meshes[i].emplace(mesh);
    trees[i].emplace(*meshes[i]);
  }
  progress.begin("looking for the nearest points");
  DistanceSearch search;
  Result<SurfaceDistance> surfaces =
      search.find(*trees[0], bodies[0].pose, *trees[1], bodies[1].pose);
  if (!surfaces) throw failure_of(surfaces.error());
  report.surfaces = *surfaces;
  report.distance = report.surfaces.distance;
  if (!report.is_open_somewhere() && report.surfaces.meeting == SurfaceMeeting::kTouches) {
    progress.begin("looking whether one body may lie in the other");
    report.may_be_within = !reaches_out(bodies[0], *meshes[1], bodies[1].pose) ||
                           !reaches_out(bodies[1], *meshes[0], bodies[0].pose);
  }
  if (!report.is_open_somewhere() && report.surfaces.meeting == SurfaceMeeting::kApart) {
    progress.begin("looking whether one body lies in the other");
    const Result<Containment> which =
        containment(*trees[0], bodies[0].pose, *trees[1], bodies[1].pose);
    if (!which) throw failure_of(which.error());
    report.which = *which;
    if (*which != Containment::kNone) report.distance = 0;
  }
  report.bodies = std::move(bodies);
  return report;
}

}  // namespace

ExitCode run_distance(const Arguments& arguments) {
  CommandLine line("plimsoll distance", kAbout, kNotes);
  DistanceArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  spare_inputs(given.picture, arguments);
  check_png_name(given.picture, "--picture");
  check(given);
  const DistanceReport report = [&] {
    Progress progress;
    progress.begin("reading the bodies");
    DistanceReport measured = measure(read_two_bodies(given.bodies, "distance"), progress);
    if (given.picture) {
      progress.begin("drawing");
      write_picture(picture::draw_distance(distance_scene(measured), {1600, 900}), *given.picture);
    }
    return measured;
  }();
  if (report.may_be_within)
    report.bodies[0].notices->say(
        report.bodies[0].name,
        {"contained",
         "the surfaces touch, and no corner of one body was found outside the other: "
         "whether it lies in that is not decided"});
  return answer(report, report.status, given.json);
}

}  // namespace plimsoll::cli
