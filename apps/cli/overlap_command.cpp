#include <plimsoll/elementary.h>

#include <fmt/format.h>
#include <plimsoll/mass_properties.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "answer.h"
#include "commands.h"
#include "diagnosis.h"
#include "file_writer.h"
#include "picture/overlap_picture.h"
#include "picture_file.h"
#include "polyhedron.h"
#include "sphere_bodies.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Estimates the volume that two solids share, and the forces that push them apart, by spheres\n"
    "inside them. SI units, world coordinates.";

constexpr const char* kNotes =
    R"(Ask --method spheres: exact volumes are not available in this version. Each run packs both bodies
with spheres anew (one packing where they are the same mesh), which takes seconds; in the library a
tree is built once, or loaded (sphere_tree.h), and asked in microseconds. volume is what the spheres
share, each as large as the part of the solid that it stands for: an estimate; bounds enclose the
true volume, and where the lower one is 0 the bodies may be apart. With --budget-us the search ends
in time, and what it has not reached counts as expected, in the forces too; complete is then false.
The budget is of the query, not of reading, packing or the bounds.

Forces are those of Weller and Zachmann 2009, eq. (6)-(9), for a stiffness of 1: a force is a volume
[m^3], a torque, about the body's center of mass, a volume times a length [m^4]. Forces on A and B
are not opposite: each sphere leaves along the other surface's normal.

A SHAPE.json may be a mesh or a box; other shapes are refused.

--picture draws the bodies as glass, in it the spheres that meet, the center of what they share and
the directions of the forces; one below 2^-20 of the volume, which is rounding or little more, has
no arrow.

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused, or not available
in this version; 4 answered, but a mesh is not sound: the answer says why; 6 not enough memory or
room; 1 internal error.

Examples:
  plimsoll overlap gripper.stl part.obj --pose-a @gripper_pose.json --method spheres
  plimsoll overlap a.ply b.ply --method spheres --spheres 5000 --budget-us 100 --json)";

struct OverlapArguments {
  TwoBodiesArguments bodies;
  SphereArguments spheres;
  std::optional<std::string> picture;
  bool separate = false;
  bool json = false;
};

void declare(CommandLine& line, OverlapArguments& arguments) {
  declare_two_bodies(line, arguments.bodies);
  declare_spheres(line, arguments.spheres,
                  "spheres; exact, the default, is not available in this version");
  line.flag("--separate", arguments.separate,
            "Also a translation that parts the bodies (not available in this version)");
  line.option("--picture", "OUT.png", arguments.picture, "Draw the bodies too");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

struct OverlapReport {
  SphereBodies packed;
  SphereVolume shared;
};

/// The volume is estimated, and the bounds do not exclude that there is none.
bool may_be_apart(const SphereVolume& shared) { return shared.volume > 0 && !(shared.lower > 0); }

/// A force or torque as it is printed: what is rounding is 0. Each pair of spheres pushes as hard
/// as the volume that it shares, at a point and in a direction that are rounded to 2^-53. So no sum
/// of these is known better than to that share of its largest component, nor of `size`: the shared
/// volume, for torques times the length of a cube of it, over which the points are spread.
Vec3 without_rounding(const Vec3& v, double size) {
  const double rounding = 0x1p-53 * std::max(v.cwiseAbs().maxCoeff(), size);
  return v.unaryExpr([&](double x) { return std::abs(x) <= rounding ? 0.0 : x; });
}

picture::OverlapScene scene_of(const OverlapReport& report) {
  const SphereBodies& packed = report.packed;
  const auto placed = [&](const Body& body) {
    return picture::PlacedMesh{body.name, std::get<MeshSolid>(body.shape.solid).mesh, body.pose};
  };
  std::string title = report.shared.volume > 0
                          ? fmt::format("{:.4g} m^3 in common{}{}", report.shared.volume,
                                        report.shared.is_complete
                                            ? ""
                                            : " (out of time: volume and forces partly estimated)",
                                        may_be_apart(report.shared) ? "; they may be apart" : "")
                          : "no spheres meet";
  if (!is_sound(packed.status)) title += fmt::format(" (of a mesh, {})", in_words(packed.status));
  return {{placed(packed.bodies[0]), placed(packed.bodies[1])},
          {packed.a(), packed.b()},
          report.shared,
          std::move(title)};
}

std::string text_report(const OverlapReport& report) {
  const SphereVolume& shared = report.shared;
  std::string text =
      fmt::format("A {} and B {}: {} - by {} and {}\n", printable(report.packed.bodies[0].name),
                  printable(report.packed.bodies[1].name), to_string(report.packed.status),
                  counted(report.packed.a().spheres().size(), "sphere", "spheres"),
                  counted(report.packed.b().spheres().size(), "sphere", "spheres"));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  const auto vector = [](const Vec3& v, const char* unit) {
    return fmt::format("{:.6g} {:.6g} {:.6g} {}", v[0], v[1], v[2], unit);
  };
  const char* how = shared.is_complete ? "" : " (out of time: partly estimated)";
  row("shared volume",
      fmt::format("{:.6g} m^3{}, between {:.6g} and {:.6g}{}", shared.volume, how, shared.lower,
                  shared.upper, may_be_apart(shared) ? ": they may be apart" : ""));
  row("center", shared.center ? vector(*shared.center, "m") : "none");
  const double moment = shared.volume * elementary::cbrt(shared.volume);
  row("force on A", vector(without_rounding(shared.force_a, shared.volume), "m^3") + how);
  row("torque on A", vector(without_rounding(shared.torque_a, moment), "m^4") + how);
  row("force on B", vector(without_rounding(shared.force_b, shared.volume), "m^3") + how);
  row("torque on B", vector(without_rounding(shared.torque_b, moment), "m^4") + how);
  row("coverage",
      fmt::format("{:.4f} and {:.4f}", report.packed.a().coverage(), report.packed.b().coverage()));
  return text;
}

void write_members(JsonWriter& out, const OverlapReport& report) {
  const SphereVolume& shared = report.shared;
  out.member("status", to_string(report.packed.status));
  out.member("method", "spheres");
  report.packed.bodies[0].notices->write(out, true);
  out.member("volume", shared.volume);
  if (shared.center)
    out.member("center", *shared.center);
  else
    out.null_member("center");
  out.array_member("bounds", std::array{shared.lower, shared.upper});
  out.member("force_a", shared.force_a);
  out.member("torque_a", shared.torque_a);
  out.member("force_b", shared.force_b);
  out.member("torque_b", shared.torque_b);
  out.member("force_model", "volume");
  for (const char* exact_only : {"patch_areas", "curve_length", "contacts"})
    out.null_member(exact_only);
  out.array_member("coverage",
                   std::array{report.packed.a().coverage(), report.packed.b().coverage()});
  out.null_member("separation");
  out.member("complete", shared.is_complete);
}

OverlapReport measure(const OverlapArguments& arguments) {
  const double budget = budget_of(arguments.spheres);
  Progress progress;
  progress.begin("reading the bodies");
  OverlapReport report{
      pack_bodies(read_two_polyhedra(arguments.bodies, "overlap"), arguments.spheres, progress),
      {}};
  SphereSearch search;
  const Result<SphereVolume> shared =
      search.volume(report.packed.a(), report.packed.bodies[0].pose, report.packed.b(),
                    report.packed.bodies[1].pose, {.max_time = budget});
  if (!shared) throw failure_of(shared.error());
  report.shared = *shared;
  double swept = 0;
  for (const Body& body : report.packed.bodies)
    swept += swept_volume({body.shape.solid, body.pose});
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
  if (!asks_spheres(given.spheres))
    throw unavailable("exact shared volumes (--method spheres estimates them) are");
  if (given.separate) throw unavailable("translations that part bodies are");
  check_png_name(given.picture, "--picture");
  spare_inputs(given.picture, arguments);
  const OverlapReport report = measure(given);
  return answer_and_write(report, report.packed.status, given.json, [&] {
    if (given.picture)
      write_picture(picture::draw_overlap(scene_of(report), {1600, 900}), *given.picture);
  });
}

}  // namespace plimsoll::cli
