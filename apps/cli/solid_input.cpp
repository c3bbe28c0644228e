#include "solid_input.h"

#include <fmt/format.h>
#include <plimsoll/elementary.h>
#include <plimsoll/mass_properties.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "failure.h"
#include "far_off.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

// Files of one assembly have their units in common as a rule, and one remark is enough.
void remark(const Reading& reading, const std::string& kind, const std::string& name,
            const std::string& message) {
  const char* first = reading.parts > 1 ? " (said of the first such file only)" : "";
  reading.notices->say_once(kind, name, {"unit", message + first});
}

std::optional<NamedUnit> own_unit(const MeshFile& file) {
  if (!file.meters_per_unit) return std::nullopt;
  return unit_of_length(file.meters_per_unit->numerator / file.meters_per_unit->denominator);
}

// The file's own unit applies unless another one is given. Both are said; that glTF is in meters,
// as everything is where nothing is said, is not.
void say_own_unit(const std::string& name, const MeshFile& file, const NamedUnit& own,
                  const Reading& reading) {
  const bool is_named = !file.unit.empty();
  const bool is_usual = !is_named && own.symbol == "m";
  if (reading.unit ? reading.unit->symbol == own.symbol : is_usual) return;
  const char* whose = is_named ? "the unit that the file names" : "the unit of its format";
  remark(reading, fmt::format("own: {} {}", own.plural, is_named), name,
         reading.unit ? fmt::format("read in {}, as --units says, and not in {}, {}",
                                    reading.unit->plural, own.plural, whose)
                      : fmt::format("read in {}, {}; --units overrides it", own.plural, whose));
}

// A file that names no unit, where none was given either, is read in meters. Ships are large;
// --units m says so.
void say_unlikely_size(const std::string& name, const Box3& box, const Reading& reading) {
  const std::optional<Notice> notice =
      notice_of_size(box, "; --units mm reads millimeters, --units m confirms meters",
                     ", smaller than a millimeter; --units m confirms it");
  const char* kind = box.diagonal().norm() > 1 ? "large" : "small";
  if (notice) remark(reading, kind, name, notice->message);
}

std::string name_of(const PartArgument& part) {
  return part.is_standard_input() ? "standard input" : part.name;
}

void say_welding(const PartArgument& part, const SeamWeld& welding, const NamedUnit& unit,
                 const Reading& reading) {
  const std::string tolerance = fmt::format("{:.6g} m", *reading.weld);
  const std::string what =
      welding.merged == 0
          ? fmt::format("no vertex is closer than {} to another", tolerance)
          : fmt::format("{} than {} to another {} made one with it, moved by at most {:.3g} m",
                        counted(welding.merged, "vertex closer", "vertices closer"), tolerance,
                        welding.merged == 1 ? "was" : "were",
                        welding.farthest_move * unit.meters());
  const std::string collapsed =
      welding.collapsed == 0
          ? ""
          : fmt::format("; {} to an edge or a point",
                        counted(welding.collapsed, "triangle collapsed", "triangles collapsed"));
  reading.notices->say(name_of(part), {"weld", what + collapsed});
}

void say_notes(const PartArgument& part, const MeshFile& file, const CheckedMesh& mesh,
               const Reading& reading) {
  const std::string name = name_of(part);
  for (const Notice& notice : file.notices) reading.notices->say(name, notice);
  if (!reading.units_matter) return;
  if (const std::optional<NamedUnit> own = own_unit(file))
    say_own_unit(name, file, *own, reading);
  else if (!reading.unit)
    say_unlikely_size(name, bounding_box(mesh), reading);
}

}  // namespace

NamedUnit meters() { return *unit_of_symbol("m"); }

void set_unit(Reading& reading, const std::optional<std::string>& symbol) {
  if (!symbol) return;
  reading.unit = unit_of_symbol(*symbol);
  if (!reading.unit)
    throw usage_failure(fmt::format("found \"{}\", expected m, mm, cm, in or ft", *symbol),
                        "--units");
}

void set_weld(Reading& reading, const std::optional<std::string>& tolerance) {
  if (!tolerance) return;
  reading.weld = meters_of(*tolerance);
  if (reading.weld && *reading.weld >= 0 && std::isfinite(*reading.weld)) return;
  throw usage_failure(
      fmt::format("found \"{}\", expected a length of 0 or more in meters, or with a "
                  "unit, as in 10mm",
                  printable(*tolerance)),
      "--weld");
}

void declare_weld(CommandLine& line, std::optional<std::string>& target) {
  line.option("--weld", "TOL", target,
              "Make vertices closer than TOL one: [m], or as 1mm; 0 leaves seams open");
}

void set_input_format(Reading& reading, const std::optional<std::string>& name,
                      std::span<const PartArgument> parts) {
  if (name) {
    reading.input_format = mesh_format_from_name(*name);
    if (!reading.input_format)
      throw usage_failure(
          fmt::format("found \"{}\", expected stl, obj, ply, off, gltf, glb or 3mf", *name),
          "--input-format");
  }
  reading.parts = parts.size();
  std::size_t from_stdin = 0;
  for (const PartArgument& part : parts) from_stdin += part.is_standard_input() ? 1 : 0;
  if (from_stdin > 1) throw usage_failure("standard input can be read once only", "-");
  if (from_stdin == 1 && !reading.input_format)
    throw usage_failure("standard input has no name to tell its format by: say --input-format",
                        "-");
  if (from_stdin == 0 && reading.input_format)
    throw usage_failure("it tells the format of standard input, and no MESH is -",
                        "--input-format");
}

std::optional<SeamWeld> SolidFile::welded() const {
  if (!body.by_tolerance || !body.by_seam)
    return body.by_tolerance && body.by_tolerance->merged > 0 ? body.by_tolerance : body.by_seam;
  SeamWeld both = *body.by_seam;
  both.tolerance = std::max(both.tolerance, body.by_tolerance->tolerance);
  both.merged += body.by_tolerance->merged;
  both.collapsed += body.by_tolerance->collapsed;
  both.farthest_move += body.by_tolerance->farthest_move;
  return both;
}

SolidFile read_solid(const PartArgument& part, const Reading& reading) {
  const MeshFile file = read_part(part, reading.input_format);
  const auto failure_in_file = [&](const Error& error) {
    Failure failure = failure_of(error);
    failure.where = part.name + (failure.where.empty() ? "" : ", " + failure.where);
    return failure;
  };
  const Result<CheckedMesh> mesh = CheckedMesh::borrow(file.mesh);
  if (!mesh) throw failure_in_file(mesh.error());
  say_notes(part, file, *mesh, reading);
  const NamedUnit unit = reading.unit.value_or(own_unit(file).value_or(meters()));
  WeldOptions options;
  if (reading.weld == 0.0) options.seams = Seams::kKeep;
  if (reading.weld > 0.0) {
    const double size = bounding_box(*mesh).diagonal().stableNorm() * unit.meters();
    if (!(*reading.weld < size))
      throw usage_failure(
          fmt::format("found {} m, expected less than the {:.3g} m that {} measures", *reading.weld,
                      size, name_of(part)),
          "--weld");
    options.tolerance = *reading.weld / unit.meters();
  }
  Result<MeshBody> body = mesh_body(file, options);
  if (!body) throw failure_in_file(body.error());
  if (body->by_tolerance) say_welding(part, *body->by_tolerance, unit, reading);
  if (body->by_seam) {
    Notice notice = notice_of(*body->by_seam, unit.meters());
    notice.message += "; --weld 0 leaves it open";
    reading.notices->say(name_of(part), notice);
  }
  return {std::move(*body), unit, file.partial};
}

ShapeFile read_shape_of(const std::string& name, const Reading& reading) {
  if (reading.weld > 0.0) {
    Failure failure = unavailable("--weld of a SHAPE.json, but 0, is");
    failure.where = name;
    throw failure;
  }
  Result<ShapeFile> file =
      read_shape(std::filesystem::path(name), reading.weld ? Seams::kKeep : Seams::kWeld);
  if (!file) throw failure_of(file.error());
  for (const Notice& notice : file->notices)
    if (notice.code != "unit" || !reading.unit) reading.notices->say(name, notice);
  return std::move(*file);
}

namespace {

/// What says how files are read.
void declare_reading(CommandLine& line, std::optional<std::string>& units,
                     std::optional<std::string>& weld, std::optional<std::string>& input_format) {
  line.option("--units", "U", units,
              "What the file's numbers are in: m mm cm in ft (its own, or m)");
  declare_weld(line, weld);
  line.option("--input-format", "F", input_format,
              "Of standard input: stl obj ply off gltf glb 3mf");
}

}  // namespace

void declare_body(CommandLine& line, BodyArguments& arguments, bool with_pose) {
  line.positional("MESH", arguments.mesh, "Mesh file or SHAPE.json; - is standard input");
  if (with_pose)
    line.option("--pose", "T", arguments.pose,
                "world_from_body: 16 numbers by rows [m], or @file.json (identity)");
  declare_reading(line, arguments.units, arguments.weld, arguments.input_format);
}

void declare_two_bodies(CommandLine& line, TwoBodiesArguments& arguments) {
  line.positional("A", arguments.meshes[0], "Mesh file or SHAPE.json; - is standard input");
  line.positional("B", arguments.meshes[1], "The other; may be the same file");
  line.option("--pose-a", "T", arguments.poses[0],
              "world_from_body of A: 16 numbers by rows [m], or @file.json (identity)");
  line.option("--pose-b", "T", arguments.poses[1], "The same of B");
  declare_reading(line, arguments.units, arguments.weld, arguments.input_format);
}

const TriangleMesh* Body::mesh() const {
  const auto* solid = std::get_if<MeshSolid>(&shape.solid);
  return solid != nullptr ? solid->mesh.get() : nullptr;
}

double Body::vertex_error() const {
  const auto* solid = std::get_if<MeshSolid>(&shape.solid);
  return solid == nullptr ? 0 : solid->vertex_error * elementary::cbrt(pose.linear().determinant());
}

namespace {

// A body that has no volume is not asked.
void judge_rounding(Body& body) {
  constexpr double kEnough = 0.1;  // one digit
  const double swept = swept_volume(body.shape);
  if (swept == 0) return;
  const Result<ShapeMass> mass = mass_properties(body.shape);
  const double volume = mass ? mass->body.properties.volume : 0;
  body.is_lost = volume > 0 && !(swept <= kEnough * volume);
  if (body.is_lost)
    body.notices->say(
        body.name,
        {"rounding", fmt::format("its vertices are rounded by up to {:.2g} m, so that no "
                                 "digit of its volume is certain",
                                 body.vertex_error())});
}

/// A body in meters, where its pose puts it.
Body read_placed(const PartArgument& part, const std::optional<std::string>& pose,
                 const char* pose_option, const Reading& reading) {
  Body body{.name = part.name, .notices = reading.notices};
  if (pose) body.pose = parse_pose(*pose, pose_option, *body.notices);
  if (!is_shape(part.name)) {
    SolidFile file = read_solid(part, reading);
    body.is_welded = file.welded().has_value();
    body.shape.solid = mesh_solid(std::move(file.body), file.unit.ratio);
    body.partial = file.partial;
    judge_rounding(body);
    return body;
  }
  const NamedUnit unit = reading.unit.value_or(meters());
  ShapeFile file = read_shape_of(part.name, reading);
  body.is_welded = file.welded.has_value();
  body.shape = std::move(file.shape);
  if (auto* solid = std::get_if<MeshSolid>(&body.shape.solid)) {
    // A mesh within a SHAPE.json is one like any other.
    const MeshSolid placed = posed(*solid, body.shape.pose);
    MeshBody in_unit;
    in_unit.mesh = *placed.mesh;
    in_unit.vertex_error = placed.vertex_error;
    *solid = mesh_solid(std::move(in_unit), unit.ratio);
    body.shape.pose.setIdentity();
    judge_rounding(body);
  } else {
    body.shape.pose.linear() *= unit.meters();
    body.shape.pose.translation() *= unit.meters();
  }
  return body;
}

}  // namespace

Body read_body(const PartArgument& part, const Reading& reading) {
  return read_placed(part, std::nullopt, "", reading);
}

Body read_body(const BodyArguments& arguments, const char* command) {
  Reading reading{.notices = std::make_shared<Notices>(command)};
  set_unit(reading, arguments.units);
  set_weld(reading, arguments.weld);
  const PartArgument part{as_given(arguments.mesh), std::nullopt};
  if (part.name.empty()) throw usage_failure("found no MESH, expected one");
  set_input_format(reading, arguments.input_format, {&part, 1});
  return read_placed(part, arguments.pose, "--pose", reading);
}

std::array<Body, 2> read_two_bodies(const TwoBodiesArguments& arguments, const char* command) {
  Reading reading{.notices = std::make_shared<Notices>(command)};
  set_unit(reading, arguments.units);
  set_weld(reading, arguments.weld);
  std::array<PartArgument, 2> parts;
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i].name = as_given(arguments.meshes[i]);
    if (parts[i].name.empty()) throw usage_failure("expected two bodies, A and B");
  }
  set_input_format(reading, arguments.input_format, parts);
  constexpr const char* kOptions[] = {"--pose-a", "--pose-b"};
  std::array<Body, 2> bodies;
  PlacedBox boxes[2];
  for (std::size_t i = 0; i < 2; ++i) {
    bodies[i] = read_placed(parts[i], arguments.poses[i], kOptions[i], reading);
    boxes[i] = {bodies[i].name, bounding_box(bodies[i].shape).transformed(bodies[i].pose),
                arguments.poses[i] ? kOptions[i] : ""};
  }
  remark_if_apart(boxes, *reading.notices);
  return bodies;
}

std::string names_of(const std::array<Body, 2>& bodies) {
  if (bodies[0].name == bodies[1].name) return bodies[0].name;
  return bodies[0].name + " and " + bodies[1].name;
}

CheckedMesh checked_mesh(const TriangleMesh& mesh) {
  Result<CheckedMesh> checked = CheckedMesh::borrow(mesh);
  if (!checked) throw failure_of(checked.error());
  return std::move(*checked);
}

namespace {

Similarity read_pose_file(const std::filesystem::path& path) {
  const Result<Similarity> read = read_pose(path);
  if (!read && read.error().code == ErrorCode::kMalformed)
    throw usage_failure(read.error().message, read.error().where);
  if (!read) throw failure_of(read.error());
  return *read;
}

Similarity parse_matrix(const std::string& text, const char* option) {
  Similarity pose;
  Eigen::Matrix<double, 4, 4, Eigen::RowMajor> rows;
  parse_numbers(text, option, {rows.data(), 16});
  if (rows.row(3) != Eigen::RowVector4d(0, 0, 0, 1))
    throw usage_failure("found another last row, expected 0,0,0,1 in a row-major 4x4 matrix",
                        option);
  pose.matrix() = rows;
  return pose;
}

}  // namespace

Similarity parse_pose(const std::string& text, const char* option, Notices& notices) {
  const Similarity given =
      text.starts_with('@') ? read_pose_file(text.substr(1)) : parse_matrix(text, option);
  const Result<Similarity> nearest = nearest_similarity(given);
  if (!nearest) throw usage_failure(nearest.error().message, option);
  const double moved = (nearest->matrix() - given.matrix()).cwiseAbs().maxCoeff();
  if (moved > 0)
    notices.say_of_option(option,
                          {"pose", fmt::format("the matrix is no rotation times one scale; it was "
                                               "replaced by the nearest, {:.2g} off in an entry",
                                               moved)});
  return *nearest;
}

void parse_numbers(const std::string& text, const char* option, std::span<double> into) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string field = text.substr(std::min(begin, text.size()), end - begin);
    const std::optional<double> number = parse_number(field);
    const bool is_last = i + 1 == into.size();
    if (!number || !std::isfinite(*number) || (end == text.size()) != is_last)
      throw usage_failure(fmt::format("found \"{}\", expected {} numbers with commas between them",
                                      printable(text), into.size()),
                          option);
    into[i] = *number;
    begin = end + 1;
  }
}

}  // namespace plimsoll::cli
