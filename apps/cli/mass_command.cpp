#include <fmt/format.h>
#include <plimsoll/patches.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "commands.h"
#include "engine_options.h"
#include "input.h"
#include "mass_report.h"
#include "output.h"
#include "reports.h"
#include "solid_input.h"
#include "text.h"

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
numbered from 0 in the file's order, a polygon being the fan from its first corner.

Meshes: STL, OBJ, PLY, OFF, glTF, GLB, 3MF. Shapes (SHAPE.json): box, sphere, ellipsoid, torus,
cylinder, capsule, cone, mesh, bezier, nurbs, implicit, and union, intersection, difference of them.

--method image looks at the solid along parallel columns, through the centers of the pixels of an
image, and sums what it meets; it states an estimate of its error, not a bound. It measures formulas
and Booleans, which have no exact integrals. --backend gl draws meshes, patches and primitives by
OpenGL, all at once or, by --algorithm peel, layer after layer.

Formats: text (the default), json, csv, and complete documents with one rigid body for robot
simulators: urdf, sdf (1.9), mjcf.

Exit codes: 0 done; 2 usage; 3 input unreadable or refused; 4 answered, but the mesh is not
sound, or the file holds geometry that is not read: the answer says why; 6 not enough memory; 1
internal error.

Examples:
  plimsoll mass bunny.obj --density 1000
  plimsoll mass bracket.stl --units mm --mass 0.350 --format urdf
  plimsoll mass hull.ply=7850 mast.ply=2700 --json
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
  bool json = false;
};

// The arguments, checked.
struct MassJob {
  std::vector<PartArgument> parts;
  std::optional<double> density;
  std::optional<double> mass;
  Reading reading{.notices = std::make_shared<Notices>("mass")};
  std::string format = "text";
  bool check_intersections = false;
  std::optional<EngineOptions> image;  // Else exact.
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
  line.option("--format", "F", arguments.format, "text json urdf sdf mjcf csv (text)");
  line.flag("--json", arguments.json, "The same as --format json");
  line.option("--input-format", "F", arguments.input_format,
              "Of standard input: stl obj ply off gltf glb 3mf");
  line.option("--method", "M", arguments.method, "exact image (exact)");
  declare_engine(line, arguments.engine);
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

void check_method(MassJob& job, const MassArguments& arguments) {
  if (arguments.method != "exact" && arguments.method != "image")
    throw usage_failure(fmt::format("found \"{}\", expected exact or image", arguments.method),
                        "--method");
  if (arguments.method == "image")
    job.image = checked_engine(arguments.engine);
  else if (arguments.engine.any())
    throw usage_failure("--resolution, --axis, --backend and --algorithm are of --method image",
                        "--method");
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
  job.format = checked_format(arguments);
  set_unit(job.reading, arguments.units);
  set_weld(job.reading, arguments.weld);
  job.check_intersections = arguments.check_intersections;
  if (arguments.density && arguments.mass)
    throw usage_failure("--density and --mass exclude each other");
  if (arguments.density) job.density = parse_positive(*arguments.density, "--density");
  if (arguments.mass) job.mass = parse_positive(*arguments.mass, "--mass");
  check_parts(job, arguments);
  check_method(job, arguments);
  return job;
}

void scale(MeshHealth& health, double meters) {
  health.surface_area *= meters * meters;
  for (Defect& defect : health.defects) defect.at *= meters;
}

void scale(Rims& rims, double meters) {
  const double cubed = meters * meters * meters;
  for (Rim& rim : rims.rims) {
    rim.length *= meters;
    rim.area *= meters * meters;
    rim.center *= meters;
    rim.fan_cap_volume *= cubed;
    rim.plane_cap_volume *= cubed;
  }
  rims.fan_volume *= cubed;
  rims.plane_volume *= cubed;
  rims.cap_differences *= cubed;
}

MassOptions options_of(const PartArgument& part, const NamedUnit& unit, const MassJob& job) {
  MassOptions options;
  options.unit = unit.ratio;
  options.density = part.density.value_or(job.density.value_or(1));
  // That of an assembly is shared out among its parts.
  if (job.parts.size() == 1) options.mass = job.mass.value_or(0);
  return options;
}

MeshHealth health_of(const TriangleMesh& mesh, const NamedUnit& unit, const MassJob& job) {
  HealthOptions options;
  options.check_self_intersections = job.check_intersections;
  MeshHealth health = examine(mesh, options);
  scale(health, unit.meters());
  return health;
}

// A part, and the shape that it is where an engine other than the tetrahedra is asked.
struct WeighedShape {
  Shape shape;
  std::optional<TriangleMesh> mesh = std::nullopt;  // what is diagnosed, and drawn as it is
  NamedUnit unit = meters();                        // of both
  bool partial = false;
};

// A mesh, or what patches are as one, in the world; nothing of other shapes. Whether patches close
// shows in triangles however coarse.
std::optional<TriangleMesh> mesh_of(const Shape& shape) {
  constexpr int kSegments = 16;  // of each patch
  std::optional<TriangleMesh> mesh;
  if (const auto* solid = std::get_if<MeshSolid>(&shape.solid)) mesh = *solid->mesh;
  if (const auto* solid = std::get_if<PatchSolid>(&shape.solid)) {
    Result<TriangleMesh> flat = tessellate_uniform(*solid->surface, kSegments);
    if (!flat) throw failure_of(flat.error());
    mesh = std::move(*flat);
  }
  if (mesh)
    for (Vec3& v : mesh->vertices) v = shape.pose * v;
  return mesh;
}

// What is wrong with a mesh or patches within a Boolean; `place` names it: "of[1]". Columns that
// cross it do not show it: where a lid is missing they may still enter and leave.
void say_faults_within(const Shape& shape, const std::string& place, Notices& notices,
                       PartReport& part) {
  if (const auto* boolean = std::get_if<Boolean>(&shape.solid)) {
    for (std::size_t i = 0; i < boolean->of.size(); ++i)
      say_faults_within(boolean->of[i],
                        fmt::format("{}{}of[{}]", place, place.empty() ? "" : ".", i), notices,
                        part);
    return;
  }
  const std::optional<TriangleMesh> mesh = place.empty() ? std::nullopt : mesh_of(shape);
  if (!mesh) return;
  const MeshHealth health = examine(*mesh);
  if (health.unbalanced_edges == 0 && health.inconsistent_edges == 0) return;
  part.undecided = true;
  notices.say(part.name,
              {"not_closed",
               fmt::format("{} bounds no solid: {} edges of it are not run along equally often "
                           "both ways; weigh it alone to see where",
                           place, std::max(health.unbalanced_edges, health.inconsistent_edges))});
}

WeighedShape read_part_body(const PartArgument& part, const MassJob& job) {
  if (!is_shape(part.name)) {
    SolidFile file = read_solid(part, job.reading);
    auto mesh = std::make_shared<const TriangleMesh>(std::move(file.mesh));
    return {{MeshSolid{mesh}}, *mesh, file.unit, file.partial};
  }
  WeighedShape body{.shape = read_shape_of(part.name, job.reading),
                    .unit = job.reading.unit.value_or(meters())};
  body.mesh = mesh_of(body.shape);
  return body;
}

// Numbers of one digit up to a ten thousandth of the mesh's size, down to what its doubles resolve.
std::vector<double> round_tolerances(double size) {
  std::vector<double> tolerances;
  if (!(size > 0) || !std::isfinite(size)) return tolerances;
  const int last = static_cast<int>(std::floor(std::log10(size))) - 4;
  for (int exponent = last - 12; exponent <= last; ++exponent)
    for (int digit = 1; digit <= 9; ++digit)
      if (const auto number = parse_number(fmt::format("{}e{}", digit, exponent));
          number && *number <= 1e-4 * size)
        tolerances.push_back(*number);
  return tolerances;
}

std::optional<Closing> closing_of(const TriangleMesh& mesh, const LengthUnit& unit) {
  const double meters = unit.numerator / unit.denominator;
  const std::vector<double> in_meters =
      round_tolerances(meters * bounding_box(mesh).diagonal().norm());
  std::vector<double> tolerances;
  for (const double tolerance : in_meters) tolerances.push_back(tolerance / meters);
  const std::optional<double> found = closing_tolerance(mesh, tolerances);
  if (!found) return std::nullopt;
  MassOptions options;
  options.unit = unit;
  const auto place = std::find(tolerances.begin(), tolerances.end(), *found) - tolerances.begin();
  return Closing{in_meters[static_cast<std::size_t>(place)],
                 mass_properties(weld(mesh, *found).mesh, options).volume};
}

// Of meshes and primitives; no box of other shapes is known to be tight.
Box3 box_of(const Shape& shape, double meters) {
  const bool is_loose = std::holds_alternative<PatchSolid>(shape.solid) ||
                        std::holds_alternative<ImplicitSolid>(shape.solid) ||
                        std::holds_alternative<Boolean>(shape.solid);
  Box3 box = is_loose ? Box3() : bounding_box(shape);
  if (!box.isEmpty()) box = Box3(meters * box.min(), meters * box.max());
  return box;
}

PartReport described(const PartArgument& argument, const WeighedShape& body, const MassJob& job) {
  PartReport part;
  part.name = argument.name;
  part.partial = body.partial;
  part.is_mesh = body.mesh.has_value();
  part.box = box_of(body.shape, body.unit.meters());
  if (part.is_mesh) {
    part.health = health_of(*body.mesh, body.unit, job);
    if (part.health.boundary_edges > 0) part.rims = find_rims(*body.mesh);
    if (part.rims) scale(*part.rims, body.unit.meters());
    if (part.rims) part.closing = closing_of(*body.mesh, body.unit.ratio);
  } else {
    part.health.surface_area = std::numeric_limits<double>::quiet_NaN();
  }
  say_faults_within(body.shape, "", *job.reading.notices, part);
  return part;
}

void measure_exactly(const WeighedShape& body, const MassOptions& options, PartReport& part) {
  const Result<ShapeMass> found = mass_properties(body.shape, options);
  if (!found) {
    Failure failure = failure_of(found.error());
    if (found.error().code == ErrorCode::kUnavailable)
      failure.message =
          "formulas and Booleans have no exact integrals: --method image measures them";
    failure.where = part.name;
    throw failure;
  }
  part.mass = found->body.properties;
  part.error = found->body.error;
  part.estimated = !found->is_proven;
  part.health.surface_area = found->surface_area;
}

// Parts measured one by one; a mass given for all of them is shared out by volume.
MassReport weigh_shapes(const MassJob& job, const std::vector<WeighedShape>& bodies) {
  std::optional<ImageMeter> meter;
  if (job.image) meter.emplace(*job.image, *job.reading.notices);
  std::vector<PartReport> parts;
  std::vector<WeighedBody> weighed;
  for (std::size_t p = 0; p < bodies.size(); ++p) {
    PartReport part = described(job.parts[p], bodies[p], job);
    MassOptions options = options_of(job.parts[p], bodies[p].unit, job);
    if (job.mass && bodies.size() > 1) options.density = 1;
    if (meter) {
      ImageOptions image;
      image.density = options.density;
      image.mass = options.mass;
      image.unit = options.unit;
      meter->measure(bodies[p].shape, image, part);
    } else {
      measure_exactly(bodies[p], options, part);
    }
    weighed.push_back({part.mass, part.error});
    parts.push_back(std::move(part));
  }
  WeighedBody total = bodies.size() == 1 ? weighed.front() : combined(weighed);
  if (job.mass && bodies.size() > 1) {
    const double factor = *job.mass / total.properties.mass;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const WeighedBody scaled = with_density_times(factor, weighed[p]);
      parts[p].mass = scaled.properties;
      parts[p].error = scaled.error;
    }
    total = with_density_times(factor, total);
  }
  for (PartReport& part : parts) part.status = status_of(part);
  return assemble(std::move(parts), total);
}

// Meshes by tetrahedra, carried through in double-double.
MassReport weigh_meshes(const MassJob& job, const std::vector<WeighedShape>& bodies) {
  std::vector<AssemblyPart> assembled;
  for (std::size_t p = 0; p < bodies.size(); ++p)
    assembled.push_back({*bodies[p].mesh, options_of(job.parts[p], bodies[p].unit, job)});
  const double shared_mass = bodies.size() > 1 ? job.mass.value_or(0) : 0;
  const Assembly assembly = assembly_mass_properties(assembled, shared_mass);
  std::vector<PartReport> parts;
  for (std::size_t p = 0; p < bodies.size(); ++p) {
    PartReport part = described(job.parts[p], bodies[p], job);
    part.mass = assembly.parts[p];
    part.error = part.mass.error_bound;
    part.status = status_of(part);
    parts.push_back(std::move(part));
  }
  const MassProperties& total = parts.size() == 1 ? assembly.parts.front() : assembly.total;
  return assemble(std::move(parts), {total, total.error_bound});
}

MassReport weigh(const MassJob& job) {
  std::vector<WeighedShape> bodies;
  for (const PartArgument& part : job.parts) bodies.push_back(read_part_body(part, job));
  const bool all_meshes = std::all_of(bodies.begin(), bodies.end(), [](const WeighedShape& body) {
    return std::holds_alternative<MeshSolid>(body.shape.solid);
  });
  MassReport report =
      all_meshes && !job.image ? weigh_meshes(job, bodies) : weigh_shapes(job, bodies);
  report.notices = job.reading.notices;
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
  CommandLine line("plimsoll mass", kAbout, kNotes);
  MassArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  const MassJob job = checked(given);
  const MassReport report = weigh(job);
  print_output(written(report, job.format));
  return is_sound(report.status) ? kDone : kUnsound;
}

}  // namespace plimsoll::cli
