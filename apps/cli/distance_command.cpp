#include <fmt/format.h>
#include <plimsoll/distance.h>
#include <plimsoll/mesh_health.h>

#include <algorithm>
#include <optional>

#include "commands.h"
#include "json_writer.h"
#include "mass_report.h"
#include "output.h"
#include "solid_input.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Measures how far two bodies are apart, and where they are nearest. Exact, with bounds; SI\n"
    "units, world coordinates.";

constexpr const char* kNotes =
    R"(Two distances: that of the surfaces, and that of the solids, which is 0 where one touches,
crosses or lies in the other. Of open meshes only the first is known.

Exit codes: 0 done; 2 usage; 3 input unreadable or refused, or not available in this version; 4
answered, but a mesh is not sound: the answer says why; 6 not enough memory; 1 internal error.

Examples:
  plimsoll distance gripper.stl part.obj --pose-a @gripper_pose.json
  plimsoll distance a.ply a.ply --pose-b 1,0,0,0.25,0,1,0,0,0,0,1,0,0,0,0,1 --json)";

struct DistanceArguments {
  TwoBodiesArguments bodies;
  std::string method = "exact";
  std::optional<std::string> spheres, budget, picture;
  bool json = false;
};

struct DistanceReport {
  std::array<Body, 2> bodies;
  Status status = Status::kOk;
  bool is_open[2] = {};
  SurfaceDistance surfaces;
  std::optional<Containment> which;  // unless a mesh is open, or the surfaces meet
  double distance = 0;               // of the solids, as far as that is known
};

void declare(CommandLine& line, DistanceArguments& arguments) {
  declare_two_bodies(line, arguments.bodies);
  line.option("--method", "M", arguments.method, "exact spheres (exact)");
  line.option("--spheres", "N", arguments.spheres, "Inner spheres of each body");
  line.option("--budget-us", "B", arguments.budget, "Microseconds that the query may take");
  line.option("--picture", "FILE", arguments.picture,
              "The bodies and their nearest points, as PNG");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

void check(const DistanceArguments& arguments) {
  if (arguments.method != "exact" && arguments.method != "spheres")
    throw usage_failure(fmt::format("found \"{}\", expected exact or spheres", arguments.method),
                        "--method");
  if (arguments.method == "spheres") throw unavailable("distances of inner spheres are");
  if (arguments.spheres) throw usage_failure("it is of --method spheres", "--spheres");
  if (arguments.budget) throw unavailable("queries that end in time are");
  if (arguments.picture) throw unavailable("pictures of distances are");
}

const TriangleMesh& mesh_of(const Body& body) {
  if (body.mesh() != nullptr) return *body.mesh();
  throw Failure{kRejected, "unavailable",
                "found a shape that is no mesh, expected two meshes: other shapes have no exact "
                "distance in this version",
                body.name};
}

DistanceReport measure(std::array<Body, 2> bodies) {
  DistanceReport report;
  std::optional<DistanceTree> trees[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const Body& body = bodies[i];
    const CheckedMesh mesh = checked_mesh(mesh_of(body));
    const MeshHealth health = examine(mesh);
    report.is_open[i] = health.unbalanced_edges > 0;
    report.status =
        std::min(report.status, with_missing_parts(status_of(health.status), body.partial));
    trees[i].emplace(MeshTree(mesh));
  }
  DistanceSearch search;
  Result<SurfaceDistance> surfaces =
      search.find(*trees[0], bodies[0].pose, *trees[1], bodies[1].pose);
  if (!surfaces) throw failure_of(surfaces.error());
  report.surfaces = *surfaces;
  report.distance = report.surfaces.distance;
  const bool is_open = report.is_open[0] || report.is_open[1];
  if (!is_open && report.surfaces.contact == SurfaceContact::kApart) {
    const Result<Containment> which =
        containment(*trees[0], bodies[0].pose, *trees[1], bodies[1].pose);
    if (!which) throw failure_of(which.error());
    report.which = *which;
    if (*which != Containment::kNone) report.distance = 0;
  }
  report.bodies = std::move(bodies);
  return report;
}

const char* contained(const DistanceReport& report) {
  if (report.which == Containment::kAInB) return "a_in_b";
  return report.which == Containment::kBInA ? "b_in_a" : "no";
}

std::string json_report(const DistanceReport& report) {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("status", to_string(report.status));
  out.member("method", "exact");
  report.bodies[0].notices->write(out, true);
  out.member("distance", report.distance);
  out.member("surface_distance", report.surfaces.distance);
  if (report.is_open[0] || report.is_open[1])
    out.null_member("contained");
  else
    out.member("contained", contained(report));
  const auto& nearest = report.surfaces.nearest;
  for (const bool is_b : {false, true}) {
    const char* name = is_b ? "point_b" : "point_a";
    if (nearest)
      out.member(name, is_b ? nearest->on_b.at : nearest->on_a.at);
    else
      out.null_member(name);
  }
  const bool is_zero = report.distance == 0 && report.surfaces.distance > 0;
  out.key("bounds");
  out.begin_array();
  out.value(is_zero ? 0 : report.surfaces.lower);
  out.value(is_zero ? 0 : report.surfaces.upper);
  out.end_array();
  out.end_object();
  return out.text() + "\n";
}

std::string in_words(const NearestPoint& point) {
  const char* part = point.part == TrianglePart::kCorner ? "a corner"
                     : point.part == TrianglePart::kEdge ? "an edge"
                                                         : "the face";
  return fmt::format("{:.9g} {:.9g} {:.9g} m, {} of triangle {}", point.at[0], point.at[1],
                     point.at[2], part, point.triangle);
}

std::string relation(const DistanceReport& report) {
  if (report.surfaces.contact == SurfaceContact::kCrosses) return "the surfaces cross";
  if (report.surfaces.contact == SurfaceContact::kTouches) return "the surfaces touch";
  if (!report.which) return "the surfaces are apart; a mesh is open, so that nothing is inside it";
  switch (*report.which) {
    case Containment::kAInB:
      return "the surfaces are apart, and A lies in B";
    case Containment::kBInA:
      return "the surfaces are apart, and B lies in A";
    case Containment::kPartly:
      return "the surfaces are apart, and a part of one body lies in the other";
    case Containment::kNone:
      break;
  }
  return "the bodies are apart";
}

std::string text_report(const DistanceReport& report) {
  std::string text =
      fmt::format("{} and {}: {} - {}\n", printable(report.bodies[0].name),
                  printable(report.bodies[1].name), to_string(report.status), relation(report));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  const SurfaceDistance& surfaces = report.surfaces;
  if (report.which || surfaces.contact != SurfaceContact::kApart)
    row("distance", fmt::format("{:.15g} m", report.distance));
  row("of the surfaces", fmt::format("{:.15g} m, between {:.17g} and {:.17g}", surfaces.distance,
                                     surfaces.lower, surfaces.upper));
  if (!surfaces.nearest) return text;
  row("nearest point of A", in_words(surfaces.nearest->on_a));
  row("nearest point of B", in_words(surfaces.nearest->on_b));
  return text;
}

}  // namespace

ExitCode run_distance(const Arguments& arguments) {
  CommandLine line("plimsoll distance", kAbout, kNotes);
  DistanceArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  check(given);
  const DistanceReport report = measure(read_two_bodies(given.bodies, "distance"));
  print_output(given.json ? json_report(report) : text_report(report));
  return is_sound(report.status) ? kDone : kUnsound;
}

}  // namespace plimsoll::cli
