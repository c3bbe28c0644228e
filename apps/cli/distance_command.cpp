#include <fmt/format.h>
#include <plimsoll/distance.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "answer.h"
#include "commands.h"
#include "distance_report.h"
#include "distance_scene.h"
#include "file_writer.h"
#include "judge.h"
#include "output.h"
#include "picture_file.h"
#include "polyhedron.h"
#include "solid_input.h"
#include "sphere_bodies.h"
#include "text.h"
#include "work_option.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Measures how far two bodies are apart, and where they are nearest. Exact, with bounds; SI\n"
    "units, world coordinates.";

constexpr const char* kNotes =
    R"(Two distances: that of the surfaces, and that of the solids, which is 0 where one touches, crosses
or lies in the other. Of open meshes only the first is known. Surfaces touch where they have a point
in common and no edge of one passes through a face of the other: boxes of which two sides lie in one
plane may touch so and overlap. Whether closed bodies share volume is decided exactly.

A SHAPE.json may be a mesh or a box. Curved primitives, patches, formulas and Booleans are no
triangles, and are refused.

Translations of poses are in meters, whatever --units says.

--picture draws the bodies and the line between their nearest points, dashed where a body hides it;
where that is too short to be seen, there is a circle around it.

With --tolerance T the bounds differ by no more than T of the lower one: 1e-3 suffices for most, and
takes far less where the surfaces run along each other. distance is then that of two points that may
not be the nearest. A search that would take more work than --max-work seconds ends with an error,
and an examination of a mesh with the status undecided: that is counted, not measured, and the same
on every machine.

--method spheres packs both bodies with --spheres N spheres and asks these, then the triangles that
they keep [Weller and Zachmann 2009]: the packing takes seconds, the question microseconds. bounds
enclose the distance of the solids; surface_distance is null where spheres of both meet. With
--budget-us the question ends in time, or some microseconds later: distance is then the least that
was found, bounds enclose the true one all the same, and what they leave open is null. The budget is
not of reading and packing.

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused, or not available
in this version; 4 answered, but a mesh is not sound: the answer says why; 6 not enough memory or
room, or more than --max-work; 1 internal error.

Examples:
  plimsoll distance gripper.stl part.obj --pose-a @gripper_pose.json
  plimsoll distance cup.off saucer.off --picture nearest.png
  plimsoll distance cup.off saucer.off --method spheres --budget-us 200
  plimsoll distance a.ply a.ply --pose-b 1,0,0,0.25,0,1,0,0,0,0,1,0,0,0,0,1 --json)";

struct DistanceArguments {
  TwoBodiesArguments bodies;
  SphereArguments spheres;
  std::optional<std::string> tolerance, max_work;
  std::optional<std::string> picture;
  bool json = false;
};

void declare(CommandLine& line, DistanceArguments& arguments) {
  declare_two_bodies(line, arguments.bodies);
  declare_spheres(line, arguments.spheres, "exact spheres (exact)");
  line.option("--tolerance", "T", arguments.tolerance,
              "How far the bounds may differ, over the lower one (0)");
  declare_work(line, arguments.max_work,
               "Most work of the search (60), and of examining each mesh (16), in seconds");
  line.option("--picture", "OUT.png", arguments.picture,
              "Draw the bodies with their nearest points too");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

DistanceLimits limits_of(const DistanceArguments& arguments) {
  DistanceLimits limits;
  if (arguments.tolerance) limits.tolerance = parse_positive(*arguments.tolerance, "--tolerance");
  limits.max_work = parse_work(arguments.max_work).value_or(limits.max_work);
  return limits;
}

DistanceReport measure(std::array<Body, 2> bodies, const DistanceLimits& limits,
                       const HealthOptions& health, Progress& progress) {
  DistanceReport report;
  std::optional<MeshTree> meshes[2];
  std::optional<DistanceTree> trees[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const Body& body = bodies[i];
    progress.begin("building the tree of " + printable(body.name));
    const CheckedMesh mesh = checked_mesh(mesh_of(body, "exact distance"));
    const Verdict verdict = judge(body.name, body.shape, body.partial, health);
    if (verdict.has_rim()) report.faults[i] = verdict.rim_fault();
    report.status = std::min(report.status, verdict.status());
    meshes[i].emplace(mesh);
    trees[i].emplace(*meshes[i]);
  }
  progress.begin("looking for the nearest points");
  DistanceSearch search;
  Result<SurfaceDistance> surfaces =
      search.find(*trees[0], bodies[0].pose, *trees[1], bodies[1].pose, limits);
  if (!surfaces) throw failure_of(surfaces.error());
  report.surfaces = *surfaces;
  const double moved = bodies[0].vertex_error() + bodies[1].vertex_error();
  report.surfaces.lower = std::max(report.surfaces.lower - moved, 0.0);
  report.surfaces.upper += moved;
  report.distance = report.surfaces.distance;
  if (!report.is_open_somewhere() && report.surfaces.meeting == SurfaceMeeting::kTouches) {
    progress.begin("looking whether one body lies in the other");
    const SolidTree solids[2] = {SolidTree(*meshes[0]), SolidTree(*meshes[1])};
    OverlapSearch overlaps;
    const auto lies_in = [&](std::size_t inner, std::size_t outer) {
      const Result<std::optional<bool>> answer =
          overlaps.lies_in(solids[inner], bodies[inner].pose, solids[outer], bodies[outer].pose);
      if (!answer) throw failure_of(answer.error());
      return *answer;
    };
    const std::optional<bool> a_in_b = lies_in(0, 1), b_in_a = lies_in(1, 0);
    if (a_in_b == true)
      report.which = Containment::kAInB;
    else if (b_in_a == true)
      report.which = Containment::kBInA;
    else if (a_in_b && b_in_a)
      report.which = Containment::kNone;
    if (is_sound(report.status)) {
      const Result<Overlap> shared =
          overlaps.overlap(solids[0], bodies[0].pose, solids[1], bodies[1].pose, {.volume = false});
      if (!shared) throw failure_of(shared.error());
      report.shares_volume = shared->overlaps;
      if (!shared->overlaps) report.which = Containment::kNone;
    }
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

SphereDistanceReport measure_spheres(const DistanceArguments& arguments) {
  const double budget = budget_of(arguments.spheres);
  Progress progress;
  progress.begin("reading the bodies");
  SphereDistanceReport report{
      pack_bodies(read_two_polyhedra(arguments.bodies, "distance"), arguments.spheres, progress),
      {},
      {},
      {}};
  const std::array<Body, 2>& bodies = report.packed.bodies;
  SphereSearch search;
  Result<SphereTreeDistance> found = search.distance(
      report.packed.a(), bodies[0].pose, report.packed.b(), bodies[1].pose, {.max_time = budget});
  if (!found) throw failure_of(found.error());
  report.moved = bodies[0].vertex_error() + bodies[1].vertex_error();
  for (double* lower : {&found->lower, &found->surfaces_lower})
    *lower = std::max(*lower - report.moved, 0.0);
  found->upper += report.moved;
  report.found = *found;
  if (found->lower > 0) report.which = Containment::kNone;
  if (!found->is_complete) {
    bodies[0].notices->say(names_of(bodies),
                           {"budget",
                            "the search ended in time: the distance is the least that it found, "
                            "and the bounds enclose the true one"});
    return report;
  }
  if (found->spheres_meet || found->lower > 0 || found->distance == 0) return report;
  // The spheres leave open whether one body lies in the other.
  progress.begin("looking whether one body lies in the other");
  std::optional<DistanceTree> trees[2];
  for (std::size_t i = 0; i < 2; ++i)
    trees[i].emplace(MeshTree(checked_mesh(mesh_of(bodies[i], "distance"))));
  const Result<Containment> which =
      containment(*trees[0], bodies[0].pose, *trees[1], bodies[1].pose);
  if (!which) throw failure_of(which.error());
  report.which = *which;
  return report;
}

template <class Report>
void draw(const Report& report, const std::optional<std::string>& path) {
  if (path) write_picture(picture::draw_distance(distance_scene(report), {1600, 900}), *path);
}

}  // namespace

ExitCode run_distance(const Arguments& arguments) {
  CommandLine line("plimsoll distance", kAbout, kNotes);
  DistanceArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  check_png_name(given.picture, "--picture");
  spare_inputs(given.picture, arguments);
  if (asks_spheres(given.spheres)) {
    if (given.tolerance) throw usage_failure("it is of --method exact", "--tolerance");
    if (given.max_work) throw usage_failure("it is of --method exact", "--max-work");
    const SphereDistanceReport report = measure_spheres(given);
    return answer_and_write(report, report.packed.status, given.json,
                            [&] { draw(report, given.picture); });
  }
  if (given.spheres.budget) throw usage_failure("it is of --method spheres", "--budget-us");
  const DistanceLimits limits = limits_of(given);
  const DistanceReport report = [&] {
    Progress progress;
    progress.begin("reading the bodies");
    return measure(read_two_polyhedra(given.bodies, "distance"), limits,
                   examination(given.max_work), progress);
  }();
  if (report.may_be_within())
    report.bodies[0].notices->say(names_of(report.bodies),
                                  {"contained",
                                   "the surfaces touch at vertices from which no way leads into "
                                   "the body: whether the one lies "
                                   "in the other is not decided"});
  return answer_and_write(report, report.status, given.json, [&] { draw(report, given.picture); });
}

}  // namespace plimsoll::cli
