#include <fmt/format.h>

#include <optional>

#include "answer.h"
#include "commands.h"
#include "engine_options.h"
#include "file_writer.h"
#include "mass_each.h"
#include "mass_scene.h"
#include "picture_file.h"
#include "reports.h"
#include "weighing.h"
#include "work_option.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Weighs the solid that a mesh or shape encloses: volume, mass, center of mass, inertia, and\n"
    "how far the numbers can be trusted. SI units; the frame is the file's.";

constexpr const char* kNotes =
    R"(Several meshes are the parts of one rigid body. MESH=DENSITY gives a part its own density;
--density holds for the others. --mass is the whole body's, at one density throughout, so that
it excludes MESH=DENSITY. The counts of all parts are added up, the status is the gravest. Parts
that overlap each other are not noticed: the space they share counts for both. Triangles are
numbered from 0 in the file's order. A polygon of n corners is n - 2 of them: the fan from its first
corner where that does not fold, else ears cut off one after the other.

--each weighs the meshes one by one instead, each by --density, or as heavy as --mass: a row of text
or CSV, or a JSON object on a line, for each as soon as it is weighed. A mesh that cannot be weighed
has a row with the reason ({"file": ..., "error": {...}}), and the others are weighed all the same.
The exit code is then 5; else 4 if some mesh is not sound, for it was weighed; else 0.

Meshes: STL, OBJ, PLY, OFF, glTF, GLB, 3MF. Shapes (SHAPE.json): box, sphere, ellipsoid, torus,
cylinder, capsule, cone, mesh, bezier, nurbs, implicit, and union, intersection, difference of them.

--method image looks at the solid along parallel columns, through the centers of the pixels of an
image, and sums what it meets; it states an estimate of its error, not a bound. It measures formulas
and Booleans, which have no exact integrals. Formulas may take about half a minute of one processor
for an image, and more is refused (exit 6): fewer pixels or narrower bounds take less. --backend gl
draws meshes, patches and primitives by OpenGL, all at once or, by --algorithm peel, layer after
layer.

Formats: text (the default), json, csv, and complete documents with one rigid body for robot
simulators: urdf, sdf (1.9), mjcf; urdf-inertial, sdf-inertial and mjcf-inertial are the inertial
element alone, to be put into a document.

--picture draws the body with its center of mass (G), its principal axes (I, II, III) and the box
that has its mass and moments; of a mesh that is not sound, the places of the text report in red,
with their numbers.

A seam that the file's own rounding may have opened (2^-23 of the largest coordinate for floats, one
of the last decimal in text) is closed, and that is said; --weld 0 takes the file as it is.

Status: ok; inverted, measured as if turned outward; and, with exit code 4: open, inconsistent (not
turned one way), nested (a shell within another turned the same way), self_intersecting, undecided
(to tell would take more work than --max-work seconds, counted, not measured), zero_volume, partial
(geometry of the file was not read), tolerance (six digits were not reached).

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused; 4 answered, but
the mesh is not sound, or the file holds geometry that is not read: the answer says why; 5 some
meshes of --each could not be weighed; 6 a limit of time or memory; 1 internal error.

Examples:
  plimsoll mass bunny.obj --density 1000
  plimsoll mass bracket.stl --units mm --mass 0.350 --format urdf-inertial
  plimsoll mass hull.ply=7850 mast.ply=2700 --json
  plimsoll mass --each links/*.stl --units mm --format csv
  plimsoll mass ring.json --method image --resolution 512)";

struct MassArguments {
  std::vector<std::string> meshes;
  std::optional<std::string> density;
  std::optional<std::string> mass;
  std::optional<std::string> units;
  std::optional<std::string> weld;
  std::optional<std::string> input_format;
  std::optional<std::string> format;
  std::string method = "exact";
  EngineArguments engine;
  bool check_intersections = false;
  std::optional<std::string> max_work;
  bool each = false;
  std::optional<std::string> picture;
  bool json = false;
};

void declare(CommandLine& line, MassArguments& arguments) {
  line.positional("MESH", arguments.meshes,
                  "Mesh file or SHAPE.json; - is standard input; MESH=DENSITY");
  line.option("--density", "D", arguments.density, "Density [kg/m^3]; 1 if neither is given");
  line.option("--mass", "M", arguments.mass, "Mass [kg] instead of the density");
  line.option("--units", "U", arguments.units,
              "What the file's numbers are in: m mm cm in ft (its own, or m)");
  declare_weld(line, arguments.weld);
  line.flag("--check-intersections", arguments.check_intersections,
            "Also whether the surface passes through itself");
  declare_work(line, arguments.max_work, "Most work of examining each mesh, in seconds (16)");
  line.flag("--each", arguments.each, "Weigh the meshes one by one: a row for each");
  line.option("--format", "F", arguments.format,
              "text json csv urdf sdf mjcf, or urdf-inertial ... (text)");
  line.option("--picture", "OUT.png", arguments.picture,
              "Draw the body with its principal axes and its defects too");
  line.flag("--json", arguments.json, "The same as --format json");
  line.option("--input-format", "F", arguments.input_format,
              "Of standard input: stl obj ply off gltf glb 3mf");
  line.option("--method", "M", arguments.method, "exact image (exact)");
  declare_engine(line, arguments.engine);
}

std::string checked_format(const MassArguments& arguments) {
  const std::string format = arguments.format.value_or(arguments.json ? "json" : "text");
  parse_choice(format,
               {"text", "json", "csv", "urdf", "sdf", "mjcf", "urdf-inertial", "sdf-inertial",
                "mjcf-inertial"},
               "--format");
  if (arguments.json && format != "json")
    throw usage_failure(fmt::format("--json and --format {} exclude each other", format));
  if (arguments.each && robot_output(format))
    throw usage_failure(fmt::format("--each writes text, json or csv; {} is of one body", format),
                        "--format");
  return format;
}

void check_parts(MassJob& job, const MassArguments& arguments) {
  if (arguments.meshes.empty()) throw usage_failure("found no MESH, expected one or more");
  for (const std::string& argument : arguments.meshes)
    job.parts.push_back(parse_part(as_given(argument)));
  for (const PartArgument& part : job.parts)
    if (part.density && job.mass)
      throw usage_failure("--mass and MESH=DENSITY exclude each other: which part would give way?",
                          part.name);
  set_input_format(job.reading, arguments.input_format, job.parts);
}

MassJob checked(const MassArguments& arguments) {
  MassJob job;
  set_unit(job.reading, arguments.units);
  set_weld(job.reading, arguments.weld);
  job.health = examination(arguments.max_work);
  job.health.check_self_intersections = arguments.check_intersections;
  if (arguments.density && arguments.mass)
    throw usage_failure("--density and --mass exclude each other");
  if (arguments.density) job.density = parse_positive(*arguments.density, "--density");
  if (arguments.mass) job.mass = parse_positive(*arguments.mass, "--mass");
  check_parts(job, arguments);
  job.image = image_engine(arguments.method, arguments.engine);
  return job;
}

std::string written(const MassReport& report, const std::string& format) {
  if (format == "json") return json_report(report);
  if (const auto robot = robot_output(format)) return robot_text(report, *robot);
  if (format == "csv") return csv_report(report);
  return text_report(report, color_wanted());
}

}  // namespace

ExitCode run_mass(const Arguments& arguments) {
  CommandLine line("plimsoll mass", kAbout, kNotes);
  MassArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  check_png_name(given.picture, "--picture");
  spare_inputs(given.picture, arguments);
  const std::string format = checked_format(given);
  const MassJob job = checked(given);
  if (given.each && given.picture)
    throw usage_failure("a picture is of one body, and --each weighs several", "--picture");
  if (given.each) return weigh_each(job, format);
  const Weighing weighing = weigh(job);
  const MassReport& report = weighing.report;
  if (!report.density_given && robot_output(format))
    job.reading.notices->say(report.parts.front().name,
                             {"density", "weighed at 1 kg/m^3, for want of --density or --mass"});
  const std::string document = written(report, format);
  print_and_write(format == "json", document, [&] {
    if (given.picture)
      write_picture(picture::draw_mass(mass_scene(weighing), {1600, 900}), *given.picture);
  });
  return exit_code_of(report.status);
}

}  // namespace plimsoll::cli
