#include "json_writer.h"
#include "reports.h"

namespace plimsoll::cli {
namespace {

using Layout = JsonWriter::Layout;

void write_input(JsonWriter& out, const MeshHealth& health, bool inverted) {
  out.key("input");
  out.begin_object();
  out.member("vertices", std::uint64_t{health.vertices});
  out.member("triangles", std::uint64_t{health.triangles});
  out.member("shells", std::uint64_t{health.shells.size()});
  out.member("inward_shells", std::uint64_t{health.inward_shells});
  out.member("boundary_edges", std::uint64_t{health.boundary_edges});
  out.member("nonmanifold_edges", std::uint64_t{health.nonmanifold_edges});
  out.member("nonmanifold_vertices", std::uint64_t{health.nonmanifold_vertices});
  out.member("inconsistent_edges", std::uint64_t{health.inconsistent_edges});
  out.member("unbalanced_edges", std::uint64_t{health.unbalanced_edges});
  out.member("repeated_index_triangles", std::uint64_t{health.repeated_index_triangles});
  out.member("zero_area_triangles", std::uint64_t{health.zero_area_triangles});
  out.member("duplicate_triangles", std::uint64_t{health.duplicate_triangles});
  if (health.self_intersecting_pairs)
    out.member("self_intersecting_pairs", std::uint64_t{*health.self_intersecting_pairs});
  else
    out.null_member("self_intersecting_pairs");
  out.member("closure_residual", health.closure_residual);
  out.member("shift_sensitivity", health.shift_sensitivity);
  out.member("inverted", inverted);
  out.end_object();
}

void write_defects(JsonWriter& out, const MassReport& report) {
  out.key("defects");
  out.begin_array(Layout::kLines);
  for (const PartDefect& found : report.defects) {
    out.begin_object();
    out.member("kind", to_string(found.defect.kind));
    out.member("triangle", std::uint64_t{found.defect.triangle});
    out.member("at", found.defect.at);
    if (report.is_assembly()) out.member("part", std::uint64_t{found.part});
    out.end_object();
  }
  out.end_array();
}

void write_numbers(JsonWriter& out, const MassProperties& mass, double surface_area) {
  const bool placed = mass.center_of_mass.allFinite();
  out.member("density", mass.density);
  out.member("volume", mass.volume);
  out.member("mass", mass.mass);
  out.member("surface_area", surface_area);
  out.member("center_of_mass", mass.center_of_mass);
  out.member("inertia", mass.inertia);
  const std::optional<PrincipalAxes> axes = axes_of(mass);
  if (axes) {
    out.member("principal_moments", axes->moments);
    out.member("principal_axes", axes->axes);
  } else {
    out.null_member("principal_moments");
    out.null_member("principal_axes");
  }
  out.key("error_bound");
  out.begin_object();
  out.member("volume", mass.error_bound.volume);
  if (placed)
    out.member("center_of_mass", mass.error_bound.center_of_mass);
  else
    out.null_member("center_of_mass");
  if (axes)
    out.member("inertia", mass.error_bound.inertia);
  else
    out.null_member("inertia");
  out.end_object();
}

void write_part(JsonWriter& out, const PartReport& part) {
  out.begin_object();
  out.member("file", part.name);
  out.member("status", to_string(part.status));
  write_input(out, part.health, part.mass.inverted);
  write_numbers(out, part.mass, part.health.surface_area);
  out.end_object();
}

}  // namespace

std::string json_report(const MassReport& report) {
  JsonWriter out;
  out.begin_object(Layout::kLines);
  out.member("status", to_string(report.status));
  out.member("method", "exact");
  write_input(out, report.health, report.mass.inverted);
  write_defects(out, report);
  write_numbers(out, report.mass, report.health.surface_area);
  out.null_member("error_estimate");
  out.null_member("image");
  if (report.is_assembly()) {
    out.key("parts");
    out.begin_array(Layout::kLines);
    for (const PartReport& part : report.parts) write_part(out, part);
    out.end_array();
  }
  out.end_object();
  return out.text() + "\n";
}

}  // namespace plimsoll::cli
