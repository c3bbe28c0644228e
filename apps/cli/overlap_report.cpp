#include "overlap_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "diagnosis.h"
#include "json_writer.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

std::string in_words(const Vec3& v, const char* unit) {
  return fmt::format("{:.9g} {:.9g} {:.9g} {}", v[0] + 0.0, v[1] + 0.0, v[2] + 0.0, unit);
}

/// "the bodies share 15.1 % of A's volume"; of the smaller.
std::string relation(const OverlapReport& report) {
  if (report.estimate) return "out of time: the volume is known by its bounds";
  if (!report.shared.overlaps) return "the bodies share no volume";
  const bool is_b = report.volumes[1] < report.volumes[0];
  if (!(report.volumes[is_b ? 1 : 0] > 0)) return "the surfaces cross; a body has no volume";
  const double share = report.shared.volume / report.volumes[is_b ? 1 : 0];
  if (report.shared.curve_length == 0)
    return is_b ? "B lies in A, or a part of it does" : "A lies in B, or a part of it does";
  const char* const as_often =
      report.status == Status::kSelfIntersecting ? ", counted as often as the surfaces wind" : "";
  return fmt::format("the bodies share {:.3g} % of {}'s volume{}", 100 * share, is_b ? 'B' : 'A',
                     as_often);
}

}  // namespace

picture::OverlapScene overlap_scene(const OverlapReport& report) {
  const auto placed = [](const Body& body) {
    return picture::PlacedMesh{body.name, std::get<MeshSolid>(body.shape.solid).mesh, body.pose};
  };
  std::string title = report.estimate ? fmt::format("between {:.6g} and {:.6g} m^3 in common",
                                                    report.bounds[0], report.bounds[1])
                      : report.shared.overlaps
                          ? fmt::format("{:.6g} m^3 in common", report.shared.volume)
                          : "no volume in common";
  if (!is_sound(report.status))
    title += fmt::format(" (of a mesh, {})", cli::in_words(report.status));
  return {{placed(report.bodies[0]), placed(report.bodies[1])}, report.shared, std::move(title)};
}

std::string text_report(const OverlapReport& report) {
  constexpr std::size_t kMostRows = 10;  // of a list
  const Overlap& shared = report.shared;
  std::string text =
      fmt::format("A {} and B {}: {} - {}\n", printable(report.bodies[0].name),
                  printable(report.bodies[1].name), to_string(report.status), relation(report));
  const auto row = [&](const std::string& label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  row("shared volume", fmt::format("{:.15g} m^3, between {:.17g} and {:.17g}", report.volume(),
                                   report.bounds[0], report.bounds[1]));
  if (report.estimate)
    row("force on A", in_words(report.estimate->force_a, "m^2") +
                          fmt::format(", off by {:.3g} m^2 or less", report.estimate->force_error));
  if (report.separation) {
    // All digits: nine may leave a little in common.
    const Vec3& by = report.separation->translation;
    row("A is parted by",
        fmt::format("{:.17g} {:.17g} {:.17g} m", by[0] + 0.0, by[1] + 0.0, by[2] + 0.0));
    row("which is", fmt::format("{:.9g} m: the depth is not larger", report.separation->length));
  }
  if (report.estimate || !shared.overlaps) return text;
  row("center", shared.center ? in_words(*shared.center, "m") : "none: the volume is too small");
  const double push = shared.force_a.stableNorm();
  const char* const one_sided = shared.is_one_sided ? " (one-sided: faces lie in one plane)" : "";
  row("force on A", in_words(shared.force_a, "m^2") + one_sided);
  row("torque on A", in_words(shared.torque_a, "m^3, about its origin"));
  row("force on B", in_words(shared.force_b, "m^2"));
  row("torque on B", in_words(shared.torque_b, "m^3, about its origin"));
  if (picture::has_direction(shared)) {
    row("A wants to go", in_words(shared.force_a / push, "(a direction)"));
    if (const auto& [of_a, of_b] = shared.patch_areas; 4 * push >= std::min(of_a, of_b))
      row("mean depth that way", fmt::format("{:.6g} m", shared.volume / push));
  } else if (shared.curve_length > 0) {
    row("A wants to go", "nowhere: forces cancel");
  }
  row("surface inside", fmt::format("{:.9g} m^2 of A in B, {:.9g} m^2 of B in A",
                                    shared.patch_areas[0], shared.patch_areas[1]));
  row("curve of crossing",
      fmt::format("{:.9g} m in {}", shared.curve_length,
                  counted(shared.contacts.size(), "closed part", "closed parts")));
  if (const std::size_t count = shared.contacts.size(); count > 1) {
    for (std::size_t i = 0; i < std::min(count, kMostRows); ++i)
      row(fmt::format("  force on A, part {}", i + 1), in_words(shared.contacts[i].force_a, "m^2"));
    if (count > kMostRows) row("", "others: see --json");
  }
  if (!shared.pieces) return text;
  const std::vector<OverlapPiece>& pieces = *shared.pieces;
  row("it is in", counted(pieces.size(), "piece", "pieces"));
  for (std::size_t i = 0; i < std::min(pieces.size(), kMostRows); ++i)
    row(fmt::format("  piece {}", i + 1),
        fmt::format("{:.12g} m^3, center ", pieces[i].volume) + in_words(pieces[i].center, "m"));
  if (pieces.size() > kMostRows) row("", "others: see --json");
  return text;
}

namespace {

void write_separation(JsonWriter& out, const OverlapReport& report) {
  if (!report.separation) return out.null_member("separation");
  out.key("separation");
  out.begin_object();
  out.member("translation", report.separation->translation);
  out.member("length", report.separation->length);
  out.end_object();
}

void write_pieces(JsonWriter& out, const OverlapReport& report) {
  if (!report.shared.pieces) return out.null_member("pieces");
  out.key("pieces");
  out.begin_array();
  for (const OverlapPiece& piece : *report.shared.pieces) {
    out.begin_object();
    out.member("volume", piece.volume);
    out.member("volume_error", piece.volume_error);
    out.member("center", piece.center);
    out.end_object();
  }
  out.end_array();
}

void write_estimate(JsonWriter& out, const OverlapReport& report) {
  const OverlapEstimate& estimate = *report.estimate;
  out.member("volume", estimate.volume);
  out.null_member("center");
  out.array_member("bounds", report.bounds);
  out.member("force_a", estimate.force_a);
  out.null_member("torque_a");
  out.member("force_b", Vec3(-estimate.force_a));
  out.null_member("torque_b");
  out.member("force_model", "gradient");
  out.member("force_error", estimate.force_error);
  for (const char* exact_only :
       {"one_sided", "patch_areas", "curve_length", "contacts", "pieces", "coverage"})
    out.null_member(exact_only);
  write_separation(out, report);
  out.member("complete", false);
}

}  // namespace

void write_members(JsonWriter& out, const OverlapReport& report) {
  const Overlap& shared = report.shared;
  out.member("status", to_string(report.status));
  out.member("method", "exact");
  report.bodies[0].notices->write(out, true);
  if (report.estimate) return write_estimate(out, report);
  out.member("volume", shared.volume);
  if (shared.center)
    out.member("center", *shared.center);
  else
    out.null_member("center");
  out.array_member("bounds", report.bounds);
  out.member("force_a", shared.force_a);
  out.member("torque_a", shared.torque_a);
  out.member("force_b", shared.force_b);
  out.member("torque_b", shared.torque_b);
  out.member("force_model", "gradient");
  out.member("one_sided", shared.is_one_sided);
  out.array_member("patch_areas", shared.patch_areas);
  out.member("curve_length", shared.curve_length);
  out.key("contacts");
  out.begin_array();
  for (const OverlapContact& contact : shared.contacts) {
    out.begin_object();
    out.member("force_a", contact.force_a);
    out.member("torque_a", contact.torque_a);
    out.member("curve_length", contact.curve_length);
    out.end_object();
  }
  out.end_array();
  write_pieces(out, report);
  out.null_member("coverage");
  write_separation(out, report);
  out.member("complete", true);
}

}  // namespace plimsoll::cli
