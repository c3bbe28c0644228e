#include "distance_report.h"

#include <fmt/format.h>

#include "json_writer.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

const char* contained(const std::optional<Containment>& which) {
  if (which == Containment::kAInB) return "a_in_b";
  return which == Containment::kBInA ? "b_in_a" : "no";
}

void write_overlaps(const std::optional<bool>& overlaps, JsonWriter& out) {
  if (overlaps)
    out.member("overlaps", *overlaps);
  else
    out.null_member("overlaps");
}

std::string in_words(const Vec3& p) {
  return fmt::format("{:.9g} {:.9g} {:.9g} m", p[0], p[1], p[2]);
}

std::string in_words(const NearestPoint& point) {
  const char* part = point.part == TrianglePart::kCorner ? "a corner"
                     : point.part == TrianglePart::kEdge ? "an edge"
                                                         : "the face";
  return fmt::format("{}, {} of triangle {}", in_words(point.at), part, point.triangle);
}

/// "A is open", "A is open and B is not turned one way".
std::string faults_in_words(const DistanceReport& report) {
  const auto of = [&](std::size_t i) {
    const char* fault = report.faults[i];
    return fault ? fmt::format("{} is {}", i == 0 ? 'A' : 'B', fault) : std::string();
  };
  const std::string a = of(0), b = of(1);
  return a + (a.empty() || b.empty() ? "" : " and ") + b;
}

}  // namespace

std::optional<bool> DistanceReport::overlaps() const {
  if (!is_sound(status)) return std::nullopt;
  if (surfaces.meeting == SurfaceMeeting::kCrosses || is_within()) return true;
  if (surfaces.meeting == SurfaceMeeting::kApart && which) return false;
  return shares_volume;
}

std::string relation(const DistanceReport& report) {
  if (report.surfaces.meeting == SurfaceMeeting::kCrosses) return "the surfaces cross";
  if (report.surfaces.meeting == SurfaceMeeting::kTouches) {
    if (report.may_be_within()) return "the surfaces touch, and one body may lie in the other";
    if (!report.is_within()) {
      const std::optional<bool> overlaps = report.overlaps();
      if (!overlaps) return "the surfaces touch; whether the bodies overlap is not decided";
      return *overlaps ? "the surfaces touch, and the bodies overlap" : "the bodies touch";
    }
    return report.which == Containment::kAInB ? "the surfaces touch, and A lies in B"
                                              : "the surfaces touch, and B lies in A";
  }
  if (!report.which)
    return fmt::format("the surfaces are apart; {}, so that nothing is known to be inside it",
                       faults_in_words(report));
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
      fmt::format("A {} and B {}: {} - {}\n", printable(report.bodies[0].name),
                  printable(report.bodies[1].name), to_string(report.status), relation(report));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  const SurfaceDistance& surfaces = report.surfaces;
  if (report.is_of_solids()) row("distance", fmt::format("{:.15g} m", report.distance));
  row("of the surfaces", fmt::format("{:.15g} m, between {:.17g} and {:.17g}", surfaces.distance,
                                     surfaces.lower, surfaces.upper));
  if (!surfaces.nearest) {
    row("nearest points", surfaces.meeting == SurfaceMeeting::kCrosses
                              ? "none, for the surfaces cross"
                              : "none, for a mesh has no triangles");
    return text;
  }
  row("nearest point of A", in_words(surfaces.nearest->on_a));
  row("nearest point of B", in_words(surfaces.nearest->on_b));
  return text;
}

void write_members(JsonWriter& out, const DistanceReport& report) {
  out.member("status", to_string(report.status));
  out.member("method", "exact");
  report.bodies[0].notices->write(out, true);
  out.member("distance", report.distance);
  out.member("surface_distance", report.surfaces.distance);
  if (report.is_open_somewhere() || report.may_be_within())
    out.null_member("contained");
  else
    out.member("contained", contained(report.which));
  write_overlaps(report.overlaps(), out);
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
}

std::array<double, 2> SphereDistanceReport::bounds() const {
  if (is_within()) return {0, 0};
  if (found.spheres_meet) return {0, moved};
  return {which ? found.surfaces_lower : found.lower, found.upper};
}

std::string text_report(const SphereDistanceReport& report) {
  const SphereTreeDistance& found = report.found;
  const char* relation = found.spheres_meet      ? "the bodies overlap"
                         : report.is_within()    ? "a part of one body lies in the other"
                         : !(found.distance > 0) ? "the surfaces meet"
                         : report.has_surfaces()
                             ? "the bodies are apart"
                             : "out of time: whether the bodies are apart is not known";
  std::string text = fmt::format(
      "A {} and B {}: {} - {}\n", printable(report.packed.bodies[0].name),
      printable(report.packed.bodies[1].name), to_string(report.packed.status), relation);
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  const char* how = report.is_out_of_time() ? " (out of time: the least found)" : "";
  row("distance", fmt::format("{:.15g} m{}, between {:.17g} and {:.17g}", report.distance(), how,
                              report.bounds()[0], report.bounds()[1]));
  if (report.has_surfaces() && found.is_complete)
    row("of the surfaces", fmt::format("{:.15g} m, between {:.17g} and {:.17g}", found.distance,
                                       found.surfaces_lower, found.upper));
  if (report.has_points()) {
    row("nearest point of A", in_words(*found.point_a) + how);
    row("nearest point of B", in_words(*found.point_b) + how);
  } else {
    row("nearest points", found.spheres_meet ? "none, for spheres of both meet"
                          : report.is_within()
                              ? "none, for spheres of both are nearer than the surfaces"
                              : "none, for the surfaces touch or cross");
  }
  row("coverage",
      fmt::format("{:.4f} and {:.4f}", report.packed.a().coverage(), report.packed.b().coverage()));
  return text;
}

void write_members(JsonWriter& out, const SphereDistanceReport& report) {
  const SphereTreeDistance& found = report.found;
  out.member("status", to_string(report.packed.status));
  out.member("method", "spheres");
  report.packed.bodies[0].notices->write(out, true);
  out.member("distance", report.distance());
  if (report.has_surfaces())
    out.member("surface_distance", found.distance);
  else
    out.null_member("surface_distance");
  if (report.which)
    out.member("contained", contained(report.which));
  else
    out.null_member("contained");
  write_overlaps(found.spheres_meet || report.is_within() ? true
                 : report.which                           ? std::optional(false)
                                                          : std::nullopt,
                 out);
  for (const bool is_b : {false, true}) {
    const char* name = is_b ? "point_b" : "point_a";
    if (report.has_points())
      out.member(name, is_b ? *found.point_b : *found.point_a);
    else
      out.null_member(name);
  }
  out.array_member("bounds", report.bounds());
  out.array_member("coverage",
                   std::array{report.packed.a().coverage(), report.packed.b().coverage()});
  out.member("complete", found.is_complete);
}

}  // namespace plimsoll::cli
