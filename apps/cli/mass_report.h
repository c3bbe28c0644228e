// What `plimsoll mass` found, before it is written in one of its formats. SI units throughout.
#pragma once

#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>

#include <optional>
#include <string>
#include <vector>

namespace plimsoll::cli {

/// MeshStatus, with what a sound mesh's answer may still lack.
enum class Status {
  kOpen,
  kInconsistent,
  kNested,
  kSelfIntersecting,
  kZeroVolume,
  kTolerance,  ///< The accuracy was not reached: no digit of the volume is certain, or the numbers
               ///< do not fit a double.
  kInverted,
  kOk,
};

[[nodiscard]] const char* to_string(Status status);
[[nodiscard]] bool is_sound(Status status);  ///< Exit code 0.

/// The status of an answer: its mesh's, or kTolerance.
[[nodiscard]] Status status_of(const MeshHealth& health, const MassProperties& mass);

struct PartReport {
  std::string name;  ///< As on the command line.
  Status status = Status::kOk;
  MassProperties mass;
  MeshHealth health;  ///< Places and area in meters.
};

struct PartDefect {
  std::size_t part;
  Defect defect;
};

struct MassReport {
  std::vector<PartReport> parts;  ///< One or more.
  Status status = Status::kOk;    ///< The gravest of the parts'.
  MassProperties mass;            ///< Of all together.
  MeshHealth health;  ///< Counts and areas: sums; residual, sensitivity: the worst of the parts'.
                      ///< `defects` is empty: see below.
  std::vector<PartDefect> defects;  ///< The first hundred, each part's gravest first.

  bool density_given = true;  ///< Else it is 1 for want of a better.

  [[nodiscard]] bool is_assembly() const { return parts.size() > 1; }
};

/// The report on `parts`, which weigh `total` together.
[[nodiscard]] MassReport assemble(std::vector<PartReport> parts, const MassProperties& total);

/// Principal axes where there is an inertia; nothing without.
[[nodiscard]] std::optional<PrincipalAxes> axes_of(const MassProperties& mass);

}  // namespace plimsoll::cli
