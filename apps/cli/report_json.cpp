#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>

#include "json_writer.h"
#include "reports.h"

namespace plimsoll::cli {
namespace {

using Layout = JsonWriter::Layout;

// The rims of a part, and its volume with every one closed, by fans or flat: null where there are
// none, or caps alone do not close the mesh.
void write_rims(JsonWriter& out, const PartReport& part) {
  constexpr std::size_t kMaxRims = 100;
  const std::optional<CappedVolume> capped = capped_volume(part);
  const std::span<const Rim> rims =
      capped ? std::span<const Rim>(part.rims->rims) : std::span<const Rim>();
  const auto member = [&](const char* name, std::optional<double> value) {
    if (value)
      out.member(name, *value);
    else
      out.null_member(name);
  };
  const auto of_caps = [&](double CappedVolume::* value) {
    return capped ? std::optional((*capped).*value) : std::nullopt;
  };
  out.key("rims");
  out.begin_object();
  out.member("count", std::uint64_t{rims.size()});
  member("capped_volume", of_caps(&CappedVolume::by_fans));
  member("capped_volume_flat", of_caps(&CappedVolume::by_planes));
  member("cap_differences", of_caps(&CappedVolume::differences));
  member("closed_by_weld", part.closing ? std::optional(part.closing->tolerance) : std::nullopt);
  out.key("list");
  out.begin_array(rims.empty() ? Layout::kInline : Layout::kLines);
  for (const Rim& rim : rims.first(std::min(rims.size(), kMaxRims))) {
    out.begin_object();
    out.member("triangle", std::uint64_t{rim.triangle});
    out.member("edges", std::uint64_t{rim.vertices.size()});
    out.member("length", rim.length);
    out.member("area", rim.area);
    out.member("center", rim.center);
    out.member("cap_volume", capped->turn * rim.fan_cap_volume);
    out.member("cap_volume_flat", capped->turn * rim.plane_cap_volume);
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

void write_box(JsonWriter& out, const Box3& box) {
  if (box.isEmpty()) return out.null_member("bounding_box");
  out.key("bounding_box");
  out.begin_array();
  out.value(box.min());
  out.value(box.max());
  out.end_array();
}

// Null where nothing was.
void write_welded(JsonWriter& out, const std::optional<SeamWeld>& welded) {
  if (!welded) return out.null_member("welded");
  out.key("welded");
  out.begin_object();
  out.member("tolerance", welded->tolerance);
  out.member("merged", std::uint64_t{welded->merged});
  out.end_object();
}

// What is not a mesh has none of these counts.
void write_no_mesh(JsonWriter& out, const std::optional<SeamWeld>& welded, bool inverted,
                   const Box3& box) {
  out.key("input");
  out.begin_object();
  for (const char* name :
       {"vertices", "triangles", "shells", "inward_shells", "boundary_edges", "nonmanifold_edges",
        "nonmanifold_vertices", "inconsistent_edges", "unbalanced_edges",
        "repeated_index_triangles", "zero_area_triangles", "duplicate_triangles",
        "self_intersecting_pairs", "closure_residual", "shift_sensitivity"})
    out.null_member(name);
  write_welded(out, welded);
  out.member("inverted", inverted);
  write_box(out, box);
  out.null_member("unit");
  out.end_object();
}

// `units`: those that meshes were read in; empty where there is none.
void write_input(JsonWriter& out, const MeshHealth& health, const std::string& units,
                 const std::optional<SeamWeld>& welded, bool inverted, const Box3& box) {
  if (units.empty()) return write_no_mesh(out, welded, inverted, box);
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
  write_welded(out, welded);
  out.member("inverted", inverted);
  write_box(out, box);
  out.member("unit", units);
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

void write_error(JsonWriter& out, const char* name, const MassProperties& mass,
                 const MassError& error) {
  out.key(name);
  out.begin_object();
  out.member("volume", error.volume);
  if (mass.center_of_mass.allFinite())
    out.member("center_of_mass", error.center_of_mass);
  else
    out.null_member("center_of_mass");
  if (mass.inertia.allFinite())
    out.member("inertia", error.inertia);
  else
    out.null_member("inertia");
  out.end_object();
}

void write_numbers(JsonWriter& out, const MassProperties& mass, const MassError& error,
                   bool estimated, bool bounded, double surface_area) {
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
  if (!estimated && bounded)
    write_error(out, "error_bound", mass, error);
  else
    out.null_member("error_bound");
  if (estimated)
    write_error(out, "error_estimate", mass, error);
  else
    out.null_member("error_estimate");
}

void write_part(JsonWriter& out, const PartReport& part) {
  out.begin_object();
  out.member("file", part.name);
  out.member("status", to_string(part.status));
  write_input(out, part.health, part.unit, part.welded, part.mass.inverted, part.box);
  write_rims(out, part);
  write_numbers(out, part.mass, part.error, part.estimated, has_bound(part.status),
                part.health.surface_area);
  write_image(out, part.image);
  out.end_object();
}

}  // namespace

void write_image(JsonWriter& out, const std::optional<ImageReport>& image) {
  if (!image) return out.null_member("image");
  out.key("image");
  out.begin_object();
  out.member("backend", image->backend);
  out.member("renderer", image->renderer);
  out.key("resolution");
  out.begin_array();
  out.value(static_cast<std::uint64_t>(image->width));
  out.value(static_cast<std::uint64_t>(image->height));
  out.end_array();
  out.member("algorithm", image->algorithm);
  out.member("peels", static_cast<std::uint64_t>(image->passes));
  out.member("fragments", std::uint64_t{image->fragments});
  out.end_object();
}

// Those of its meshes, "millimeters, meters".
std::string units_of(const MassReport& report) {
  std::set<std::string> units;
  for (const PartReport& part : report.parts)
    if (part.is_mesh) units.insert(part.unit);
  return fmt::format("{}", fmt::join(units, ", "));
}

void write_members(JsonWriter& out, const MassReport& report) {
  out.member("status", to_string(report.status));
  const PartReport& first = report.parts.front();
  out.member("method", first.image ? "image" : "exact");
  write_input(out, report.health, units_of(report), report.welded(), report.mass.inverted,
              report.box);
  report.notices->write(out, report.is_assembly());
  write_defects(out, report);
  if (!report.is_assembly()) write_rims(out, first);
  write_numbers(out, report.mass, report.error, report.estimated, has_bound(report.status),
                report.health.surface_area);
  write_image(out, first.image);
  if (report.is_assembly()) {
    out.key("parts");
    out.begin_array(Layout::kLines);
    for (const PartReport& part : report.parts) write_part(out, part);
    out.end_array();
  }
}

}  // namespace plimsoll::cli
