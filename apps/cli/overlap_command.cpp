#include <fmt/format.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "answer.h"
#include "commands.h"
#include "file_writer.h"
#include "judge.h"
#include "overlap_report.h"
#include "picture_file.h"
#include "polyhedron.h"
#include "sphere_bodies.h"
#include "sphere_overlap_report.h"
#include "text.h"
#include "work_option.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Finds the volume that two solids share, and the forces that drive them apart. Exact, with\n"
    "bounds, or by spheres inside the solids. SI units, world coordinates.";

constexpr const char* kNotes =
    R"(The volume is exact but for rounding, which bounds enclose. Forces are those of a potential that is
the volume itself: force_a is minus its gradient with respect to where A is moved [m^2], torque_a
about A's body origin [m^3]. The forces on A and B are opposite. Each closed part of the curve in
which the surfaces cross has its own share. The mean depth is the volume over the force: how deep
they overlap along it; where most of the force cancels, as round a rod through a plate, there is
none. Bodies that only touch share no volume. Where faces of both lie in one plane the volume has no
gradient: the force is that of A shrunk by a little, and it is said. In a turned pose faces that
should lie in one plane do so but for rounding, which then decides whether they cross: a volume that
is not above its bounds' width is none.

--separate looks for a short translation after which A shares no volume with B, which is decided
exactly there: its length is an upper bound of the depth to which the bodies penetrate, and not
always the least. It takes some hundred questions more, which --budget-us is not of.

--pieces lists the connected parts of what the bodies share, each with its volume and its center.
Those that touch along edges alone are two, unless a body touches itself there; what is not above
its rounding is left out.

With --budget-us the search ends in time, or some microseconds later: where that is too early for the
exact answer, bounds still enclose the volume, and it is the middle of them; the force has an error of
its own, and what else needs the whole curve is null. The budget is not of reading and building.

A surface that is not closed bounds nothing and is refused. Of closed surfaces that cross themselves
the volume is the integral of the product of the numbers of times that they wind around each point:
the status says that this may not be what the solids share.

A SHAPE.json may be a mesh or a box; other shapes are refused.

--picture draws the bodies as glass, the curve in which their surfaces cross, the center of what
they share and the directions of the forces.

--method spheres packs both bodies with spheres anew (one packing where they are the same mesh),
which takes seconds; in the library a tree is built once, or loaded (sphere_tree.h), and asked in
microseconds. volume is then what the spheres share, each as large as the part of the solid that it
stands for: an estimate; bounds enclose the true volume, and where the lower one is 0 the bodies may
be apart.

With --budget-us the search ends in time, and what it has not reached counts as expected,
in the forces too; complete is then false. The budget is of the query, not of reading, packing or
the bounds. Forces are those of Weller and Zachmann 2009, eq. (6)-(9), for a stiffness of 1: a force
is a volume [m^3], a torque, about the body's center of mass, a volume times a length [m^4]. Forces
on A and B are not opposite: each sphere leaves along the other surface's normal. --picture draws
the spheres that meet; a force below 2^-20 of the volume, which is rounding or little more, has no
arrow.

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused, or not available
in this version; 4 answered, but a mesh is not sound, or bounds of the exact method are farther apart
than a billionth of the smaller body: the answer says why; 6 not enough memory or room, or more than
--max-work; 1 internal error.

Examples:
  plimsoll overlap gripper.stl part.obj --pose-a @gripper_pose.json
  plimsoll overlap a.ply b.ply --separate --picture overlap.png
  plimsoll overlap a.ply b.ply --method spheres --spheres 5000 --budget-us 100 --json)";

struct OverlapArguments {
  TwoBodiesArguments bodies;
  SphereArguments spheres;
  std::optional<std::string> max_work;
  std::optional<std::string> picture;
  bool separate = false;
  bool pieces = false;
  bool json = false;
};

void declare(CommandLine& line, OverlapArguments& arguments) {
  declare_two_bodies(line, arguments.bodies);
  declare_spheres(line, arguments.spheres, "exact spheres (exact)");
  line.flag("--separate", arguments.separate,
            "Also a short translation of A that parts the bodies");
  line.flag("--pieces", arguments.pieces, "Also the connected parts of what they share");
  declare_work(line, arguments.max_work,
               "Most work of the search (600), and of examining each mesh (16), in seconds");
  line.option("--picture", "OUT.png", arguments.picture, "Draw the bodies too");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

/// What vertices that are not where the files have them may change the volume by.
double volume_in_doubt(const std::array<Body, 2>& bodies) {
  double swept = 0;
  for (const Body& body : bodies) swept += swept_volume({body.shape.solid, body.pose});
  return swept;
}

/// The bounds say less than a billionth of the smaller body.
bool is_wide(const OverlapReport& report) {
  const double smaller = std::min(report.volumes[0], report.volumes[1]);
  return !(report.bounds[1] - report.bounds[0] <= 1e-9 * smaller);
}

/// Sets the bounds of the volume, and the status where they are wide.
void set_bounds(OverlapReport& report) {
  const Overlap& shared = report.shared;
  double lower = shared.volume, upper = shared.volume;
  if (shared.overlaps) {
    lower -= shared.volume_error;
    upper += shared.volume_error;
  }
  if (report.estimate) {
    lower = report.estimate->lower;
    upper = report.estimate->upper;
  }
  const double doubt = volume_in_doubt(report.bodies);
  report.bounds = {std::max(lower - doubt, 0.0), upper + doubt};
  if (report.shared.pieces)
    for (OverlapPiece& piece : *report.shared.pieces) piece.volume_error += doubt;
  if (is_wide(report)) report.status = std::min(report.status, Status::kTolerance);
}

OverlapReport measure(const OverlapArguments& arguments) {
  Progress progress;
  progress.begin("reading the bodies");
  OverlapReport report;
  report.bodies = read_two_polyhedra(arguments.bodies, "overlap");
  HealthOptions health = examination(arguments.max_work);
  health.check_self_intersections = true;
  std::optional<SolidTree> solids[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const Body& body = report.bodies[i];
    progress.begin("building the tree of " + printable(body.name));
    const CheckedMesh mesh = checked_mesh(mesh_of(body, "exact shared volume"));
    const Verdict verdict = judge(body.name, body.shape, body.partial, health);
    if (verdict.has_rim())
      throw Failure{kRejected, to_string(verdict.status()),
                    fmt::format("found a mesh that is {}, which bounds no volume; expected a "
                                "closed one",
                                verdict.rim_fault()),
                    body.name};
    report.status = std::min(report.status, verdict.status());
    solids[i].emplace(MeshTree(mesh));
    const double scale = body.pose.linear().col(0).stableNorm();
    report.volumes[i] = std::abs(solids[i]->signed_volume()) * scale * scale * scale;
  }
  progress.begin("following the curve in which the surfaces cross");
  OverlapSearch search;
  const double max_work = parse_work(arguments.max_work).value_or(PairSearch::kMaxWork);
  const OverlapParts parts{
      .contacts = true, .curve = arguments.picture.has_value(), .pieces = arguments.pieces};
  const auto& [a, b] = report.bodies;
  if (arguments.spheres.budget) {
    Result<OverlapEstimate> estimate =
        search.estimate(*solids[0], a.pose, *solids[1], b.pose,
                        {.max_time = budget_of(arguments.spheres), .max_work = max_work}, parts);
    if (!estimate) throw failure_of(estimate.error());
    if (estimate->exact)
      report.shared = *std::move(estimate->exact);
    else
      report.estimate = *std::move(estimate);
  } else {
    Result<Overlap> shared =
        search.overlap(*solids[0], a.pose, *solids[1], b.pose, parts, max_work);
    if (!shared) throw failure_of(shared.error());
    report.shared = *std::move(shared);
  }
  set_bounds(report);
  if (arguments.separate) {
    progress.begin("looking for a way apart");
    const Result<Separation> apart = separation(search, *solids[0], a.pose, *solids[1], b.pose);
    if (!apart) throw failure_of(apart.error());
    report.separation = *apart;
  }
  if (report.estimate)
    a.notices->say(names_of(report.bodies),
                   {"budget", "the search ended in time: the volume is the middle of its bounds"});
  if (arguments.pieces && !report.estimate && !report.shared.pieces)
    a.notices->say(names_of(report.bodies),
                   {"pieces",
                    "a surface winds more than once around what the bodies share, and does not "
                    "bound it: its connected parts are not told"});
  if (report.shared.is_one_sided)
    report.bodies[0].notices->say(
        names_of(report.bodies),
        {"one_sided",
         "faces of both bodies lie in one plane and have area in common: the volume has no "
         "gradient, and the force is that of A shrunk by a little"});
  return report;
}

SphereOverlapReport measure_spheres(const OverlapArguments& arguments) {
  const double budget = budget_of(arguments.spheres);
  Progress progress;
  progress.begin("reading the bodies");
  SphereOverlapReport report{
      pack_bodies(read_two_polyhedra(arguments.bodies, "overlap"), arguments.spheres, progress),
      {}};
  SphereSearch search;
  const Result<SphereVolume> shared =
      search.volume(report.packed.a(), report.packed.bodies[0].pose, report.packed.b(),
                    report.packed.bodies[1].pose, {.max_time = budget});
  if (!shared) throw failure_of(shared.error());
  report.shared = *shared;
  const double swept = volume_in_doubt(report.packed.bodies);
  report.shared.lower = std::max(report.shared.lower - swept, 0.0);
  report.shared.upper += swept;
  if (!shared->is_complete)
    report.packed.bodies[0].notices->say(
        names_of(report.packed.bodies),
        {"budget",
         "the search ended in time: pairs of spheres that it has not reached count as "
         "expected"});
  return report;
}

}  // namespace

ExitCode run_overlap(const Arguments& arguments) {
  CommandLine line("plimsoll overlap", kAbout, kNotes);
  OverlapArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  check_png_name(given.picture, "--picture");
  spare_inputs(given.picture, arguments);
  const auto draw = [&](const picture::Picture& drawn) { write_picture(drawn, *given.picture); };
  if (asks_spheres(given.spheres)) {
    if (given.max_work) throw usage_failure("it is of --method exact", "--max-work");
    if (given.separate) throw usage_failure("it is of --method exact", "--separate");
    if (given.pieces) throw usage_failure("it is of --method exact", "--pieces");
    const SphereOverlapReport report = measure_spheres(given);
    return answer_and_write(report, report.packed.status, given.json, [&] {
      if (given.picture) draw(picture::draw_sphere_overlap(overlap_scene(report), {1600, 900}));
    });
  }
  const OverlapReport report = measure(given);
  return answer_and_write(report, report.status, given.json, [&] {
    if (given.picture) draw(picture::draw_overlap(overlap_scene(report), {1600, 900}));
  });
}

}  // namespace plimsoll::cli
