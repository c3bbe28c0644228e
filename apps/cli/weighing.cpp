#include "weighing.h"

#include <fmt/format.h>
#include <plimsoll/elementary.h>
#include <plimsoll/patches.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "failure.h"
#include "judge.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

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

// A mesh, or what patches are as one, in the world, to be drawn; nothing of other shapes.
std::optional<TriangleMesh> mesh_of(const Shape& shape) {
  constexpr int kSegments = 16;  // of each patch
  std::optional<TriangleMesh> mesh;
  if (const auto* solid = std::get_if<MeshSolid>(&shape.solid)) mesh = *solid->mesh;
  if (const auto* solid = std::get_if<PatchSolid>(&shape.solid)) {
    Result<TriangleMesh> flat = tessellate_uniform(*solid->surface, kSegments);
    if (!flat) throw failure_of(flat.error());
    mesh = std::move(*flat);
  }
  if (mesh) mesh = posed(std::move(*mesh), shape.pose);
  return mesh;
}

WeighedShape read_part_body(const PartArgument& part, const MassJob& job) {
  if (!is_shape(part.name)) {
    SolidFile file = read_solid(part, job.reading);
    const std::optional<SeamWeld> welded = file.welded();
    const MeshSolid solid = mesh_solid(std::move(file.body));
    return {.shape = {solid},
            .mesh = solid.mesh,
            .checked = checked_mesh(*solid.mesh),
            .unit = file.unit,
            .partial = file.partial,
            .vertex_error = solid.vertex_error,
            .welded = welded};
  }
  const ShapeFile file = read_shape_of(part.name, job.reading);
  WeighedShape body{
      .shape = file.shape, .unit = job.reading.unit.value_or(meters()), .welded = file.welded};
  if (std::optional<TriangleMesh> mesh = mesh_of(body.shape)) {
    body.mesh = std::make_shared<const TriangleMesh>(std::move(*mesh));
    body.checked = checked_mesh(*body.mesh);
  }
  if (const auto* solid = std::get_if<MeshSolid>(&body.shape.solid))
    body.vertex_error = posed(*solid, body.shape.pose).vertex_error;
  return body;
}

// Numbers of one digit up to a ten thousandth of the mesh's size, down to what its doubles resolve.
std::vector<double> round_tolerances(double size) {
  std::vector<double> tolerances;
  if (!(size > 0) || !std::isfinite(size)) return tolerances;
  const int last = static_cast<int>(std::floor(elementary::log10(size))) - 4;
  for (int exponent = last - 12; exponent <= last; ++exponent)
    for (int digit = 1; digit <= 9; ++digit)
      if (const auto number = parse_number(fmt::format("{}e{}", digit, exponent));
          number && *number <= 1e-4 * size)
        tolerances.push_back(*number);
  return tolerances;
}

std::optional<Closing> closing_of(const CheckedMesh& mesh, const LengthUnit& unit) {
  const double meters = unit.numerator / unit.denominator;
  const std::vector<double> in_meters =
      round_tolerances(meters * bounding_box(mesh).diagonal().norm());
  std::vector<double> tolerances;
  for (const double tolerance : in_meters) tolerances.push_back(tolerance / meters);
  const Result<std::optional<double>> closing = closing_tolerance(mesh, tolerances);
  if (!closing || !*closing) return std::nullopt;
  const double found = **closing;
  MassOptions options;
  options.unit = unit;
  const auto place = std::find(tolerances.begin(), tolerances.end(), found) - tolerances.begin();
  return Closing{in_meters[static_cast<std::size_t>(place)],
                 mass_properties(checked_mesh(weld(mesh, found)->mesh), options).volume};
}

// The box of a mesh or a primitive; no box of other shapes is known to be tight.
Box3 box_of(const WeighedShape& body) {
  const Shape& shape = body.shape;
  const bool is_loose = std::holds_alternative<PatchSolid>(shape.solid) ||
                        std::holds_alternative<ImplicitSolid>(shape.solid) ||
                        std::holds_alternative<Boolean>(shape.solid);
  const bool is_mesh_as_read = std::holds_alternative<MeshSolid>(shape.solid) &&
                               shape.pose.matrix() == Similarity::Identity().matrix();
  Box3 box = is_loose ? Box3() : is_mesh_as_read ? bounding_box(body.checked) : bounding_box(shape);
  const double meters = body.unit.meters();
  if (!box.isEmpty()) box = Box3(meters * box.min(), meters * box.max());
  return box;
}

// What has too wide an error because its vertices are rounded, but for welding, has the status
// `tolerance`, and that is said.
void judge_rounding(const WeighedShape& body, const MassJob& job, PartReport& part) {
  Shape shape = body.shape;
  auto* solid = std::get_if<MeshSolid>(&shape.solid);
  if (solid == nullptr || !is_reached(part.mass, {}, part.estimated)) return;
  const double welding = body.welded ? body.welded->farthest_move : 0;
  solid->vertex_error = std::max(solid->vertex_error - welding, 0.0);
  const MassError error = displacement_error(shape, part.mass, body.unit.ratio);
  part.misplaced = error.volume > 0 && !is_reached(part.mass, error, part.estimated);
  if (!part.misplaced) return;
  job.reading.notices->say(
      part.name,
      {"rounding", fmt::format("transforms place it so far from the origin that its vertices are "
                               "rounded by up to {:.2g} m",
                               posed(*solid, shape.pose).vertex_error * body.unit.meters())});
}

PartReport described(const PartArgument& argument, const WeighedShape& body, const MassJob& job) {
  PartReport part;
  part.name = argument.name;
  part.partial = body.partial;
  part.welded = body.welded;
  if (part.welded) {
    part.welded->tolerance *= body.unit.meters();
    part.welded->farthest_move *= body.unit.meters();
  }
  part.is_mesh = body.mesh != nullptr;
  part.box = box_of(body);
  const Verdict verdict = judge(part.name, body.shape, body.partial, job.health);
  say_faulty_parts(part.name, verdict, *job.reading.notices);
  if (part.is_mesh) {
    const CheckedMesh& mesh = body.checked;
    part.health = *verdict.surface();
    scale(part.health, body.unit.meters());
    part.unit = body.unit.plural;
    if (part.health.has_more_pairs)
      job.reading.notices->say(
          part.name, {"pairs", fmt::format("stopped counting at {} pairs of triangles that meet: "
                                           "there are too many, or --max-work is too little",
                                           *part.health.self_intersecting_pairs)});
    if (part.health.boundary_edges > 0) part.rims = find_rims(mesh);
    if (part.rims) scale(*part.rims, body.unit.meters());
    if (part.rims) part.closing = closing_of(mesh, body.unit.ratio);
  } else {
    part.health.findings = verdict.health.findings;
    part.health.surface_area = std::numeric_limits<double>::quiet_NaN();
  }
  return part;
}

void measure_exactly(const WeighedShape& body, const MassOptions& options, bool offers_image,
                     PartReport& part) {
  const Result<ShapeMass> found = mass_properties(body.shape, options);
  if (!found) {
    Failure failure = failure_of(found.error());
    if (found.error().code == ErrorCode::kUnavailable)
      failure.message = std::string("formulas and Booleans have no exact integrals") +
                        (offers_image ? ": --method image measures them"
                                      : "; expected a mesh, patches or a primitive");
    failure.where = part.name;
    throw failure;
  }
  part.mass = found->body.properties;
  part.error = found->body.error;
  part.estimated = !found->is_proven;
  part.health.surface_area = found->surface_area;
}

// Of a mesh it is known what no column met.
void settle_empty(const WeighedShape& body, PartReport& part) {
  if (part.mass.volume != 0 || part.undecided || part.is_mesh) return;
  const double missed = part.error.volume / elementary::pow(body.unit.meters(), 3);
  if (shows_nothing(missed, bounding_box(body.shape))) part.error.volume = 0;
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
      settle_empty(bodies[p], part);
    } else {
      measure_exactly(bodies[p], options, job.offers_image, part);
    }
    judge_rounding(bodies[p], job, part);
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
  for (PartReport& part : parts) {
    part.status = status_of(part);
    if (part.image && part.status == Status::kTolerance && part.mass.volume == 0)
      say_missed(part.name, *part.image, part.error.volume, *job.reading.notices);
  }
  return assemble(std::move(parts), total);
}

// Meshes by tetrahedra, carried through in double-double.
MassReport weigh_meshes(const MassJob& job, const std::vector<WeighedShape>& bodies) {
  std::vector<AssemblyPart> assembled;
  for (std::size_t p = 0; p < bodies.size(); ++p) {
    MassOptions options = options_of(job.parts[p], bodies[p].unit, job);
    options.vertex_error = bodies[p].vertex_error;
    assembled.push_back({bodies[p].checked, options});
  }
  const double shared_mass = bodies.size() > 1 ? job.mass.value_or(0) : 0;
  const Assembly assembly = assembly_mass_properties(assembled, shared_mass);
  std::vector<PartReport> parts;
  for (std::size_t p = 0; p < bodies.size(); ++p) {
    PartReport part = described(job.parts[p], bodies[p], job);
    part.mass = assembly.parts[p];
    part.error = part.mass.error_bound;
    judge_rounding(bodies[p], job, part);
    part.status = status_of(part);
    parts.push_back(std::move(part));
  }
  const MassProperties& total = parts.size() == 1 ? assembly.parts.front() : assembly.total;
  return assemble(std::move(parts), {total, total.error_bound});
}

}  // namespace

Weighing weigh(const MassJob& job) {
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
  return {std::move(report), std::move(bodies)};
}

}  // namespace plimsoll::cli
