#include "mass_report.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::cli {
namespace {

constexpr std::size_t kMaxDefects = 100;

void add(MeshHealth& sum, const MeshHealth& part) {
  sum.findings |= part.findings;
  sum.vertices += part.vertices;
  sum.triangles += part.triangles;
  sum.inward_shells += part.inward_shells;
  sum.boundary_edges += part.boundary_edges;
  sum.nonmanifold_edges += part.nonmanifold_edges;
  sum.inconsistent_edges += part.inconsistent_edges;
  sum.unbalanced_edges += part.unbalanced_edges;
  sum.nonmanifold_vertices += part.nonmanifold_vertices;
  sum.repeated_index_triangles += part.repeated_index_triangles;
  sum.zero_area_triangles += part.zero_area_triangles;
  sum.duplicate_triangles += part.duplicate_triangles;
  if (part.self_intersecting_pairs)
    sum.self_intersecting_pairs =
        sum.self_intersecting_pairs.value_or(0) + *part.self_intersecting_pairs;
  sum.has_more_pairs = sum.has_more_pairs || part.has_more_pairs;
  sum.surface_area += part.surface_area;
  sum.closure_residual = std::max(sum.closure_residual, part.closure_residual);
  sum.shift_sensitivity = std::max(sum.shift_sensitivity, part.shift_sensitivity);
  sum.shells.insert(sum.shells.end(), part.shells.begin(), part.shells.end());
}

// The first defect of every part, then the second of every part, and so on, so that a part with
// many does not hide another's; then by part.
std::vector<PartDefect> first_defects(const std::vector<PartReport>& parts) {
  std::vector<PartDefect> chosen;
  bool more = true;
  for (std::size_t rank = 0; more; ++rank) {
    more = false;
    for (std::size_t p = 0; p < parts.size() && chosen.size() < kMaxDefects; ++p) {
      if (rank >= parts[p].health.defects.size()) continue;
      chosen.push_back({p, parts[p].health.defects[rank]});
      more = true;
    }
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const PartDefect& a, const PartDefect& b) { return a.part < b.part; });
  return chosen;
}

}  // namespace

Status status_of(MeshStatus status) {
  switch (status) {
    case MeshStatus::kOpen:
      return Status::kOpen;
    case MeshStatus::kInconsistent:
      return Status::kInconsistent;
    case MeshStatus::kNested:
      return Status::kNested;
    case MeshStatus::kSelfIntersecting:
      return Status::kSelfIntersecting;
    case MeshStatus::kUndecided:
      return Status::kUndecided;
    case MeshStatus::kZeroVolume:
      return Status::kZeroVolume;
    case MeshStatus::kInverted:
      return Status::kInverted;
    case MeshStatus::kOk:
      return Status::kOk;
  }
  return Status::kOpen;
}

const char* to_string(Status status) {
  switch (status) {
    case Status::kOpen:
      return "open";
    case Status::kInconsistent:
      return "inconsistent";
    case Status::kNested:
      return "nested";
    case Status::kSelfIntersecting:
      return "self_intersecting";
    case Status::kUndecided:
      return "undecided";
    case Status::kZeroVolume:
      return "zero_volume";
    case Status::kPartial:
      return "partial";
    case Status::kTolerance:
      return "tolerance";
    case Status::kInverted:
      return "inverted";
    case Status::kOk:
      return "ok";
  }
  return "unknown";
}

bool is_sound(Status status) { return status == Status::kOk || status == Status::kInverted; }

bool has_bound(Status status) { return is_sound(status) || status == Status::kTolerance; }

Status with_missing_parts(Status status, bool partial) {
  return partial ? std::min(status, Status::kPartial) : status;
}

// Of exact numbers the volume, the largest moment, and the center as seen from the origin or in
// radii of gyration.
bool is_reached(const MassProperties& mass, const MassError& error, bool estimated) {
  const double inertia = mass.inertia.cwiseAbs().maxCoeff();
  const double radius = std::sqrt(inertia / mass.mass);
  const bool finite = std::isfinite(mass.density) && mass.density > 0 && std::isfinite(mass.mass) &&
                      std::isfinite(mass.volume) && mass.center_of_mass.allFinite() &&
                      mass.inertia.allFinite();
  if (estimated) return finite && error.volume <= 0.1 * mass.volume;
  constexpr double kEnough = 0x1p-20;
  return finite && error.volume <= kEnough * mass.volume && error.inertia <= kEnough * inertia &&
         error.center_of_mass <= kEnough * (radius + mass.center_of_mass.cwiseAbs().maxCoeff());
}

bool shows_nothing(double missed, const Box3& box) {
  constexpr double kEnough = 1e-3;
  return box.isEmpty() || missed <= kEnough * box.sizes().prod();
}

Status status_of(const PartReport& part) {
  Status status = status_of(worst_of(part.health.findings));
  if (!part.is_mesh && is_sound(status))
    status = part.mass.volume == 0
                 ? (part.error.volume > 0 ? Status::kTolerance : Status::kZeroVolume)
             : part.mass.inverted ? Status::kInverted
                                  : Status::kOk;
  // Welding takes digits off the bound of what else is exact: one is enough.
  const bool is_rough = part.estimated || part.welded;
  const bool reached =
      !part.undecided && !part.misplaced && is_reached(part.mass, part.error, is_rough);
  return with_missing_parts(is_sound(status) && !reached ? Status::kTolerance : status,
                            part.partial);
}

std::optional<CappedVolume> capped_volume(const PartReport& part) {
  if (!part.rims || part.rims->rims.empty()) return std::nullopt;
  // An open surface has no outside; the sum's sign was taken off, and that of the caps may differ.
  const double sum = part.mass.inverted ? -part.mass.volume : part.mass.volume;
  CappedVolume capped;
  capped.turn = part.rims->fan_volume < 0 ? -1 : 1;
  capped.by_fans = capped.turn * part.rims->fan_volume;
  capped.by_planes = capped.turn * part.rims->plane_volume;
  capped.differences = part.rims->cap_differences;
  capped.missing = 1 - capped.turn * sum / capped.by_fans;
  return capped;
}

MassReport assemble(std::vector<PartReport> parts, const WeighedBody& total) {
  MassReport report;
  report.mass = total.properties;
  report.error = total.error;
  for (const PartReport& part : parts) {
    report.status = std::min(report.status, part.status);
    report.estimated = report.estimated || part.estimated;
    add(report.health, part.health);
    report.box.extend(part.box);
  }
  if (std::any_of(parts.begin(), parts.end(),
                  [](const PartReport& part) { return part.box.isEmpty(); }))
    report.box.setEmpty();
  report.mass.inverted = std::any_of(parts.begin(), parts.end(),
                                     [](const PartReport& part) { return part.mass.inverted; });
  report.defects = first_defects(parts);
  report.parts = std::move(parts);
  const bool is_rough = report.estimated || report.welded();
  if (is_sound(report.status) && !is_reached(report.mass, report.error, is_rough))
    report.status = Status::kTolerance;
  return report;
}

std::optional<SeamWeld> MassReport::welded() const {
  std::optional<SeamWeld> all;
  for (const PartReport& part : parts) {
    if (!part.welded) continue;
    if (!all) all.emplace();
    all->tolerance = std::max(all->tolerance, part.welded->tolerance);
    all->farthest_move = std::max(all->farthest_move, part.welded->farthest_move);
    all->merged += part.welded->merged;
    all->collapsed += part.welded->collapsed;
  }
  return all;
}

std::optional<PrincipalAxes> axes_of(const MassProperties& mass) {
  if (!mass.inertia.allFinite()) return std::nullopt;
  return principal_axes(mass.inertia);
}

double moment_bound(const PrincipalAxes& axes, const MassError& error) {
  return error.inertia + 0x1p-48 * axes.moments.cwiseAbs().maxCoeff();
}

}  // namespace plimsoll::cli
