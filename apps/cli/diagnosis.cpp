#include "diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text.h"

namespace plimsoll::cli {
namespace {

// "triangle 812, near (0.1, 0.2, 0.3) m", of the first defect of that kind; empty if none is
// listed.
std::string place_of(DefectKind kind, const MeshHealth& health) {
  const auto found = std::find_if(health.defects.begin(), health.defects.end(),
                                  [&](const Defect& defect) { return defect.kind == kind; });
  if (found == health.defects.end()) return {};
  return fmt::format("triangle {}, near ({:.6g}, {:.6g}, {:.6g}) m", found->triangle, found->at.x(),
                     found->at.y(), found->at.z());
}

std::string at(const std::string& place) { return place.empty() ? "" : " at " + place; }

// ", it has 2 rims"
std::string with_rims(const PartReport& part) {
  if (!part.rims || part.rims->rims.empty()) return {};
  return fmt::format(", it has {}", counted(part.rims->rims.size(), "rim", "rims"));
}

std::string closing_advice(const PartReport& part) {
  if (part.closing)
    return fmt::format(
        "it is a seam, for it closes when vertices closer than {0} m are made one: --weld {0}",
        part.closing->tolerance);
  return fmt::format("fill the hole{}; if it is a seam, merge the points along it",
                     at(place_of(DefectKind::kBoundaryEdge, part.health)));
}

void add_edge_faults(const PartReport& part, std::vector<Finding>& faults) {
  const MeshHealth& health = part.health;
  if (health.boundary_edges > 0)
    faults.push_back(
        {fmt::format("{} a triangle on one side only: the surface does not close{}",
                     counted(health.boundary_edges, "edge has", "edges have"), with_rims(part)),
         closing_advice(part)});
  const std::string place = at(place_of(DefectKind::kUnbalancedEdge, health));
  if (health.inconsistent_edges > 0)
    faults.push_back({fmt::format("along {} both triangles run the same way: some faces are "
                                  "turned over",
                                  counted(health.inconsistent_edges, "edge", "edges")),
                      fmt::format("turn the faces to agree, beginning{}", place)});
  const std::size_t pairs_known = health.boundary_edges + health.inconsistent_edges;
  if (health.unbalanced_edges > pairs_known)
    faults.push_back(
        {fmt::format("{} three triangles or more that do not pair up",
                     counted(health.unbalanced_edges - pairs_known, "edge joins", "edges join")),
         fmt::format("remove the extra or doubled face{}", place)});
}

void add_shell_faults(const PartReport& part, std::vector<Finding>& faults) {
  const MeshHealth& health = part.health;
  const std::string nested = place_of(DefectKind::kNestedShell, health);
  if (health.findings.nested)
    faults.push_back(
        {fmt::format("{} lies inside another that is turned the same way: the space within is "
                     "counted twice",
                     health.shells.size() == 1 ? "a piece of the surface" : "a shell"),
         fmt::format("turn the inner one over if it is a cavity, remove it if it is left over, "
                     "unite the two if they overlap{}",
                     at(nested))});
  const std::string inward = place_of(DefectKind::kInwardShell, health);
  if (health.findings.opposed)
    faults.push_back({"separate shells are turned opposite ways: what one adds the other takes off",
                      fmt::format("turn the inward shell over{}", at(inward))});
  const std::string place = at(place_of(DefectKind::kSelfIntersection, health));
  if (health.findings.undecided)
    faults.push_back(
        {"there are more pieces, or places where surfaces meet, than can be followed: whether "
         "they pass through each other is not decided",
         fmt::format("unite the pieces that touch{}, or let `plimsoll mass --max-work` do more",
                     place)});
  if (!health.findings.self_intersecting) return;
  const std::string pairs = health.self_intersecting_pairs
                                ? fmt::format("the surface passes through itself in {}{}",
                                              health.has_more_pairs ? "at least " : "",
                                              counted(*health.self_intersecting_pairs,
                                                      "pair of triangles", "pairs of triangles"))
                            : health.shells.size() > 1 ? "shells pass through each other"
                                                       : "the surface passes through itself";
  faults.push_back({pairs + ": space can be counted twice, or not at all",
                    fmt::format("unite the overlapping pieces, or mend the surface{}", place)});
  if (health.duplicate_triangles > 0)
    faults.push_back(
        {fmt::format("{} the corners of an earlier one{}",
                     counted(health.duplicate_triangles, "triangle has", "triangles have"),
                     2 * health.duplicate_triangles >= health.triangles
                         ? ": the surface is there twice"
                         : ""),
         "remove those that are there twice"});
}

/// "the image of 64 x 64 pixels"
std::string in_words(const ImageReport& image) {
  return fmt::format("the image of {} x {} pixels", image.width, image.height);
}

Finding empty_body(const PartReport& part) {
  if (part.image)
    return {fmt::format("no column of {} met anything: the body is empty, or thinner than a pixel "
                        "wherever it is",
                        in_words(*part.image)),
            "a higher --resolution, or another --axis, shows what is thin"};
  return {"the surface closes but is flat: no volume, so no center and no inertia",
          "give the body a thickness"};
}

bool is_in_range(const MassProperties& mass) {
  return mass.volume > 0 && std::isfinite(mass.volume) && std::isfinite(mass.mass) &&
         mass.mass > 0 && mass.center_of_mass.allFinite() && mass.inertia.allFinite();
}

/// "7.3 % of the volume"
std::string share_of_volume(const PartReport& part) {
  if (part.error.volume >= part.mass.volume) return "all of its volume, or more";
  return fmt::format("{:.2g} % of the volume", 100 * part.error.volume / part.mass.volume);
}

/// Why the accuracy was not reached.
Finding lack_of_accuracy(const PartReport& part) {
  if (part.misplaced)
    return {
        "the file's transforms place it so far from the origin that rounding moves its vertices",
        "move it to the origin, or export it by itself"};
  if (part.image && part.undecided)
    return {"parts of the body may be missing from the image: stderr says why",
            "mend what stderr names, or measure the parts one by one"};
  if (part.image && part.mass.volume == 0)
    return {fmt::format("no column of {} met the body, and up to {:.2g} m^3 may lie between them",
                        in_words(*part.image), part.error.volume),
            "take a higher --resolution, or another --axis"};
  if (is_in_range(part.mass) && part.image)
    return {
        fmt::format("the pixels are too coarse: {} may be off by an estimated {}",
                    in_words(*part.image), share_of_volume(part)),
        fmt::format("take a higher --resolution, or another --axis{}",
                    part.is_mesh ? "; without --method image the mesh is measured exactly" : "")};
  if (is_in_range(part.mass) && part.estimated)
    return {fmt::format("the integrals over its patches may be off by an estimated {}",
                        share_of_volume(part)),
            "split the patches where they bend most"};
  if (is_in_range(part.mass) && part.welded && part.welded->farthest_move > 0)
    return {fmt::format("welding moved vertices by up to {:.2g} m: that may change the volume by "
                        "more than a tenth",
                        part.welded->farthest_move),
            "weld less, by a smaller --weld"};
  return {
      "the numbers are too large or too small for a double: the error bound is more than a "
      "millionth of some",
      "use another unit"};
}

void add_number_faults(const PartReport& part, std::vector<Finding>& faults) {
  if (part.status == Status::kZeroVolume) faults.push_back(empty_body(part));
  if (part.status == Status::kPartial)
    faults.push_back(
        {"the file holds geometry that is not read and would change the numbers: stderr "
         "says what",
         "export the whole body as triangles"});
  if (part.status == Status::kTolerance) faults.push_back(lack_of_accuracy(part));
}

void add_notes(const PartReport& part, std::vector<std::string>& notes) {
  const MeshHealth& health = part.health;
  const auto note = [&](std::size_t count, const char* one, const char* many, const char* what) {
    if (count > 0) notes.push_back(fmt::format("{} {}", counted(count, one, many), what));
  };
  if (part.status == Status::kOk)
    note(health.inward_shells, "shell is", "shells are", "turned inward inside another: a cavity");
  if (health.unbalanced_edges == 0)
    note(health.nonmanifold_edges, "edge joins", "edges join",
         "more than two triangles; they pair up, which is sound");
  note(health.nonmanifold_vertices, "vertex joins", "vertices join",
       "pieces of surface that touch nowhere else nearby");
  if (!health.findings.self_intersecting)
    note(health.duplicate_triangles, "triangle has", "triangles have",
         "the corners of an earlier one");
  note(health.zero_area_triangles, "triangle has", "triangles have", "no area");
  note(health.repeated_index_triangles, "triangle names", "triangles name",
       "a vertex twice: left out");
  if (!health.findings.self_intersecting && !health.findings.undecided)
    note(health.self_intersecting_pairs.value_or(0), "pair", "pairs",
         "of triangles touch or cross outside their shared corners");
}

}  // namespace

Diagnosis diagnose(const PartReport& part) {
  Diagnosis diagnosis;
  if (!is_sound(part.status)) {
    if (part.is_mesh) {
      add_edge_faults(part, diagnosis.faults);
      add_shell_faults(part, diagnosis.faults);
    } else if (!is_sound(status_of(worst_of(part.health.findings)))) {
      diagnosis.faults.push_back({"a mesh or patches in it are no solid: stderr says which",
                                  "weigh them alone to see where"});
    }
    add_number_faults(part, diagnosis.faults);
  }
  add_notes(part, diagnosis.notes);
  return diagnosis;
}

std::string in_words(Status status) {
  switch (status) {
    case Status::kOpen:
      return "the surface is not closed";
    case Status::kInconsistent:
      return "the surface is not turned one way";
    case Status::kNested:
      return "space is counted twice";
    case Status::kSelfIntersecting:
      return "the surface passes through itself";
    case Status::kUndecided:
      return "whether the surface passes through itself is not decided";
    case Status::kZeroVolume:
      return "the surface encloses nothing";
    case Status::kPartial:
      return "the file holds more of the body than was read";
    case Status::kTolerance:
      return "the accuracy was not reached";
    case Status::kInverted:
      return "closed, but turned inward; measured as if turned outward";
    case Status::kOk:
      return "closed, turned outward";
  }
  return {};
}

}  // namespace plimsoll::cli
