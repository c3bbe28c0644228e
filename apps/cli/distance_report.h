// What `plimsoll distance` measured, and how it is said.
#pragma once

#include <plimsoll/distance.h>

#include <array>
#include <optional>
#include <string>

#include "mass_report.h"
#include "solid_input.h"
#include "sphere_bodies.h"

namespace plimsoll::cli {

class JsonWriter;

struct DistanceReport {
  std::array<Body, 2> bodies;  ///< Meshes.
  Status status = Status::kOk;
  const char* faults[2] = {};  ///< Verdict::rim_fault of meshes that do not close.
  SurfaceDistance surfaces;    ///< Its bounds include how far vertices are out of place.
  /// Unless a mesh is open, or the surfaces cross, or touch and it was not decided.
  std::optional<Containment> which;
  /// Whether the solids share volume, where their surfaces touch and bound solids.
  std::optional<bool> shares_volume;
  double distance = 0;  ///< Of the solids, as far as that is known.

  [[nodiscard]] bool is_open_somewhere() const {
    return faults[0] != nullptr || faults[1] != nullptr;
  }
  /// Where the surfaces of closed bodies touch: one may lie in the other.
  [[nodiscard]] bool may_be_within() const {
    return !is_open_somewhere() && surfaces.meeting == SurfaceMeeting::kTouches && !which;
  }
  [[nodiscard]] bool is_within() const { return which && *which != Containment::kNone; }
  /// Whether the solids share volume; nothing where that is not known.
  [[nodiscard]] std::optional<bool> overlaps() const;
  [[nodiscard]] bool is_of_solids() const {
    return which || surfaces.meeting != SurfaceMeeting::kApart;
  }
};

/// How the bodies lie to each other: "the bodies are apart".
[[nodiscard]] std::string relation(const DistanceReport& report);

[[nodiscard]] std::string text_report(const DistanceReport& report);
/// The members of its JSON object.
void write_members(JsonWriter& out, const DistanceReport& report);

/// What --method spheres measured.
struct SphereDistanceReport {
  SphereBodies packed;
  SphereTreeDistance found;          ///< Its bounds include `moved`.
  double moved = 0;                  ///< How far vertices of both are from where they belong [m].
  std::optional<Containment> which;  ///< Where it is known, and the surfaces are apart.

  [[nodiscard]] bool is_within() const { return which && *which != Containment::kNone; }
  /// Whether the distance is that of the surfaces. Not where spheres meet, where of nested bodies
  /// the spheres are nearer to each other than the surfaces, and where the search ended before it
  /// was known whether one body lies in the other.
  [[nodiscard]] bool has_surfaces() const {
    return !found.spheres_meet && found.surfaces_lower <= found.distance &&
           (found.is_complete || which || found.distance == 0);
  }
  /// Whether the nearest points are those of the surfaces, or of what a search in time found.
  [[nodiscard]] bool has_points() const {
    return found.point_a && (has_surfaces() || !found.is_complete);
  }
  [[nodiscard]] double distance() const { return is_within() ? 0 : found.distance; }
  /// The search ended in time, and the distance is not known but for its bounds.
  [[nodiscard]] bool is_out_of_time() const { return !found.is_complete && !found.spheres_meet; }
  /// What encloses the distance of the solids.
  [[nodiscard]] std::array<double, 2> bounds() const;
};

[[nodiscard]] std::string text_report(const SphereDistanceReport& report);
void write_members(JsonWriter& out, const SphereDistanceReport& report);

}  // namespace plimsoll::cli
