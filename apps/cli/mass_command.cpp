#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <set>

#include "commands.h"
#include "input.h"
#include "mass_report.h"
#include "output.h"
#include "reports.h"
#include "text.h"
#include "units.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Weighs the solid that a mesh encloses: volume, mass, center of mass, inertia, and how far\n"
    "the numbers can be trusted. SI units; the frame is the file's.";

constexpr const char* kNotes =
    R"(Several meshes are the parts of one rigid body. MESH=DENSITY gives a part its own density;
--density holds for the others. --mass is the whole body's, at one density throughout, so that
it excludes MESH=DENSITY. The counts of all parts are added up, the status is the gravest. Parts
that overlap each other are not noticed: the space they share counts for both. Triangles are
numbered from 0 in the file's order, a polygon being the fan from its first corner.

Formats: text (the default), json, csv, and complete documents with one rigid body for robot
simulators: urdf, sdf (1.9), mjcf.

Exit codes: 0 done; 2 usage; 3 input unreadable or refused; 4 answered, but the mesh is not
sound: the answer says why; 6 not enough memory; 1 internal error.

Examples:
  plimsoll mass bunny.obj --density 1000
  plimsoll mass bracket.stl --units mm --mass 0.350 --format urdf
  plimsoll mass hull.ply=7850 mast.ply=2700 --json)";

struct MassArguments {
  std::vector<std::string> meshes;
  std::optional<std::string> density;
  std::optional<std::string> mass;
  std::optional<std::string> units;
  std::optional<std::string> input_format;
  std::optional<std::string> format;
  std::string method = "exact";
  std::vector<std::string> image;  // The engine options of the image method.
  bool check_intersections = false;
  bool json = false;
};

// The arguments, checked.
struct MassJob {
  std::vector<PartArgument> parts;
  std::optional<double> density;
  std::optional<double> mass;
  NamedUnit unit;
  bool unit_given = false;
  std::optional<MeshFormat> input_format;
  std::string format = "text";
  bool check_intersections = false;
};

void declare(CLI::App& app, MassArguments& arguments) {
  app.footer(kNotes);
  app.add_option("MESH", arguments.meshes,
                 "STL, OBJ, PLY, OFF, glTF, GLB or 3MF; - is standard input; MESH=DENSITY")
      ->type_name("");
  app.add_option("--density", arguments.density, "Density [kg/m^3]; 1 if neither is given")
      ->type_name("D");
  app.add_option("--mass", arguments.mass, "Mass [kg] instead of the density")->type_name("M");
  app.add_option("--units", arguments.units, "What the file's numbers are in: m mm cm in ft (m)")
      ->type_name("U");
  app.add_flag("--check-intersections", arguments.check_intersections,
               "Also whether the surface passes through itself");
  app.add_option("--format", arguments.format, "text json urdf sdf mjcf csv (text)")
      ->type_name("F");
  app.add_flag("--json", arguments.json, "The same as --format json");
  app.add_option("--input-format", arguments.input_format,
                 "Of standard input: stl obj ply off gltf glb 3mf")
      ->type_name("F");
  app.add_option("--method", arguments.method, "exact; image is not available in this version")
      ->type_name("M");
  for (const char* name : {"--resolution", "--axis", "--backend", "--algorithm"})
    app.add_option(name, arguments.image, "Of --method image: not available in this version")
        ->type_name("X")
        ->expected(1);
}

std::string checked_format(const MassArguments& arguments) {
  static const std::set<std::string> kFormats = {"text", "json", "urdf", "sdf", "mjcf", "csv"};
  const std::string format = arguments.format.value_or(arguments.json ? "json" : "text");
  if (!kFormats.contains(format))
    throw usage_failure(
        fmt::format("found \"{}\", expected text, json, urdf, sdf, mjcf or csv", format),
        "--format");
  if (arguments.json && format != "json")
    throw usage_failure(fmt::format("--json and --format {} exclude each other", format));
  return format;
}

NamedUnit checked_unit(const MassArguments& arguments) {
  const std::string symbol = arguments.units.value_or("m");
  const std::optional<NamedUnit> unit = unit_of_symbol(symbol);
  if (!unit)
    throw usage_failure(fmt::format("found \"{}\", expected m, mm, cm, in or ft", symbol),
                        "--units");
  return *unit;
}

void check_method(const MassArguments& arguments) {
  if (arguments.method != "exact" && arguments.method != "image")
    throw usage_failure(fmt::format("found \"{}\", expected exact or image", arguments.method),
                        "--method");
  if (arguments.method == "image") throw unavailable("--method image is");
  if (!arguments.image.empty())
    throw unavailable("--resolution, --axis, --backend and --algorithm, of the image method, are");
}

void check_parts(MassJob& job, const MassArguments& arguments) {
  if (arguments.meshes.empty()) throw usage_failure("found no MESH, expected one or more");
  for (const std::string& argument : arguments.meshes)
    job.parts.push_back(parse_part(as_given(argument)));
  std::size_t from_stdin = 0;
  for (const PartArgument& part : job.parts) {
    from_stdin += part.is_standard_input() ? 1 : 0;
    if (part.density && job.mass)
      throw usage_failure("--mass and MESH=DENSITY exclude each other: which part would give way?",
                          part.name);
  }
  if (from_stdin > 1) throw usage_failure("standard input can be read once only", "-");
  if (from_stdin == 1 && !job.input_format)
    throw usage_failure("standard input has no name to tell its format by: say --input-format",
                        "-");
  if (from_stdin == 0 && job.input_format)
    throw usage_failure("it tells the format of standard input, and no MESH is -",
                        "--input-format");
}

MassJob checked(const MassArguments& arguments) {
  MassJob job;
  job.format = checked_format(arguments);
  job.unit = checked_unit(arguments);
  job.unit_given = arguments.units.has_value();
  job.check_intersections = arguments.check_intersections;
  if (arguments.density && arguments.mass)
    throw usage_failure("--density and --mass exclude each other");
  if (arguments.density) job.density = parse_positive(*arguments.density, "--density");
  if (arguments.mass) job.mass = parse_positive(*arguments.mass, "--mass");
  if (arguments.input_format) {
    job.input_format = mesh_format_from_name(*arguments.input_format);
    if (!job.input_format)
      throw usage_failure(fmt::format("found \"{}\", expected stl, obj, ply, off, gltf, glb or 3mf",
                                      *arguments.input_format),
                          "--input-format");
  }
  check_parts(job, arguments);
  check_method(arguments);
  return job;
}

// The unit is never guessed, but a file read in another than its own is said so.
void say_own_unit(const std::string& name, const MeshFile& file, const MassJob& job) {
  const std::optional<NamedUnit> own = unit_of_length(*file.meters_per_unit);
  if (own && own->symbol == job.unit.symbol) return;
  const std::string advice =
      own ? fmt::format("; --units {} takes it as it says", own->symbol) : "";
  print_message(
      fmt::format("plimsoll mass: {}: the file says its unit is the {}, but it is read in "
                  "{}{}",
                  name, printable(file.unit), job.unit.plural, advice));
}

// A file that names no unit, where none was given either, is read in meters. Robots and their parts
// measure centimeters to some meters: above 30 m the numbers are more likely millimeters (of a
// thing of 3 cm or more), and below 1 mm they cannot be those of a thing drawn in meters. Ships are
// larger; --units m says so.
void say_unlikely_size(const std::string& name, const Box3& box) {
  constexpr double kLarge = 30;
  constexpr double kSmall = 1e-3;
  const double diagonal = box.diagonal().norm();
  const Vec3 size = box.sizes();
  const std::string measures = fmt::format(
      "plimsoll mass: {}: measures {:.4g} x {:.4g} x {:.4g} m "
      "if its unit is the meter",
      name, size.x(), size.y(), size.z());
  if (diagonal > kLarge)
    print_message(measures + "; --units mm reads millimeters, --units m confirms meters");
  else if (diagonal < kSmall && diagonal > 0)
    print_message(measures + ", smaller than a millimeter; --units m confirms it");
}

void say_notes(const PartArgument& part, const MeshFile& file, const MassJob& job) {
  const std::string name = printable(part.is_standard_input() ? "standard input" : part.name);
  for (const std::string& warning : file.warnings)
    print_message(fmt::format("plimsoll mass: {}: {}", name, printable(warning)));
  if (file.meters_per_unit)
    say_own_unit(name, file, job);
  else if (!job.unit_given)
    say_unlikely_size(name, bounding_box(file.mesh));
}

void scale(MeshHealth& health, double meters) {
  health.surface_area *= meters * meters;
  for (Defect& defect : health.defects) defect.at *= meters;
}

TriangleMesh read_solid(const PartArgument& part, const MassJob& job) {
  const MeshFile file = read_part(part, job.input_format);
  if (Result<void> usable = check_mesh(file.mesh); !usable) {
    Failure failure = failure_of(usable.error());
    failure.where = part.name + (failure.where.empty() ? "" : ", " + failure.where);
    throw failure;
  }
  say_notes(part, file, job);
  return weld(file.mesh);
}

MassOptions options_of(const PartArgument& part, const MassJob& job) {
  MassOptions options;
  options.unit = job.unit.ratio;
  options.density = part.density.value_or(job.density.value_or(1));
  // That of an assembly is shared out among its parts.
  if (job.parts.size() == 1) options.mass = job.mass.value_or(0);
  return options;
}

MassReport weigh(const MassJob& job) {
  std::vector<TriangleMesh> meshes;
  std::vector<AssemblyPart> bodies;
  for (const PartArgument& part : job.parts) meshes.push_back(read_solid(part, job));
  for (std::size_t p = 0; p < meshes.size(); ++p)
    bodies.push_back({meshes[p], options_of(job.parts[p], job)});
  const double shared_mass = bodies.size() > 1 ? job.mass.value_or(0) : 0;
  const Assembly assembly = assembly_mass_properties(bodies, shared_mass);
  HealthOptions health_options;
  health_options.check_self_intersections = job.check_intersections;
  std::vector<PartReport> parts;
  for (std::size_t p = 0; p < meshes.size(); ++p) {
    MeshHealth health = examine(meshes[p], health_options);
    scale(health, job.unit.meters());
    const MassProperties& mass = assembly.parts[p];
    parts.push_back({job.parts[p].name, status_of(health, mass), mass, std::move(health)});
  }
  const MassProperties total = parts.size() == 1 ? assembly.parts.front() : assembly.total;
  MassReport report = assemble(std::move(parts), total);
  report.density_given =
      job.mass || job.density ||
      std::any_of(job.parts.begin(), job.parts.end(),
                  [](const PartArgument& part) { return part.density.has_value(); });
  return report;
}

std::string written(const MassReport& report, const std::string& format) {
  if (format == "json") return json_report(report);
  if (format == "urdf") return urdf_document(report);
  if (format == "sdf") return sdf_document(report);
  if (format == "mjcf") return mjcf_document(report);
  if (format == "csv") return csv_report(report);
  return text_report(report, color_wanted());
}

}  // namespace

ExitCode run_mass(const Arguments& arguments) {
  CLI::App app(kAbout, "plimsoll mass");
  MassArguments given;
  declare(app, given);
  if (!parse_arguments(app, arguments)) return kDone;
  const MassJob job = checked(given);
  const MassReport report = weigh(job);
  print_output(written(report, job.format));
  return is_sound(report.status) ? kDone : kUnsound;
}

}  // namespace plimsoll::cli
