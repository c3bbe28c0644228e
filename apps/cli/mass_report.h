// What `plimsoll mass` found, before it is written in one of its formats. SI units throughout.
#pragma once

#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/rims.h>
#include <plimsoll/shape_io.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "notices.h"

namespace plimsoll::cli {

/// MeshStatus, with what a sound mesh's answer may still lack.
enum class Status {
  kOpen,
  kInconsistent,
  kNested,
  kSelfIntersecting,
  kUndecided,
  kZeroVolume,
  kPartial,    ///< The file holds geometry that was not read and would change the answer.
  kTolerance,  ///< The accuracy was not reached: no digit of the volume is certain, or the numbers
               ///< do not fit a double.
  kInverted,
  kOk,
};

[[nodiscard]] const char* to_string(Status status);
[[nodiscard]] bool is_sound(Status status);  ///< Exit code 0.

/// Whether an error bound says anything about the body: of a surface that is no solid it would
/// bound the roundings alone.
[[nodiscard]] bool has_bound(Status status);

/// The status of an answer about a body that was read only in part, or not.
[[nodiscard]] Status with_missing_parts(Status status, bool partial);

/// The same word for a mesh's health.
[[nodiscard]] Status status_of(MeshStatus status);

/// How an image was made.
struct ImageReport {
  std::string backend;
  std::string renderer;
  std::string algorithm;
  int width = 0, height = 0;
  int passes = 0;
  std::size_t fragments = 0;
};

/// What welding with a tolerance would make of an open mesh.
struct Closing {
  double tolerance = 0;  ///< [m]
  double volume = 0;     ///< [m^3]
};

struct PartReport {
  std::string name;  ///< As on the command line.
  Status status = Status::kOk;
  MassProperties mass;
  MassError error;                 ///< Proven, or
  bool estimated = false;          ///< estimated.
  bool undecided = false;          ///< Parts of the body may be missing.
  bool partial = false;            ///< MeshFile::partial.
  bool misplaced = false;          ///< Rounded vertices alone make the error too large.
  std::optional<SeamWeld> welded;  ///< Vertices made one beyond those of equal coordinates [m].
  bool is_mesh = true;             ///< Else there is no `health` but its findings and area.
  std::string unit;                ///< What a mesh's numbers were read in: "millimeters".
  MeshHealth health;  ///< Places and area in meters; the area NaN where it is not known.
  Box3 box;  ///< In meters; empty where there is none, or only one that need not be tight is known.
  std::optional<Rims> rims;  ///< Of an open mesh, in meters; nothing where caps do not close it.
  std::optional<Closing> closing;  ///< Of an open mesh, where a small tolerance closes it.
  std::optional<ImageReport> image;
};

/// What the rims of an open part say about its volume, turned outward.
struct CappedVolume {
  double turn = 1;         ///< -1 where the part's rims are to be turned over for that.
  double by_fans = 0;      ///< [m^3]
  double by_planes = 0;    ///< [m^3]
  double differences = 0;  ///< Of the two caps of each rim, added up [m^3].
  double missing = 0;      ///< What the part's volume lacks of `by_fans`, relative to that.
};
/// Nothing where there are no rims, or caps do not close the mesh.
[[nodiscard]] std::optional<CappedVolume> capped_volume(const PartReport& part);

/// Whether the accuracy was reached: six digits of exact numbers, one of an image's volume.
[[nodiscard]] bool is_reached(const MassProperties& mass, const MassError& error, bool estimated);

/// An image of what is no mesh, in which no column found anything, shows an empty body, unless more
/// than a thousandth of its box may have been missed, `missed` [cube of the box's unit].
[[nodiscard]] bool shows_nothing(double missed, const Box3& box);

/// The status of a part's answer: its mesh's, or kTolerance.
[[nodiscard]] Status status_of(const PartReport& part);

struct PartDefect {
  std::size_t part;
  Defect defect;
};

struct MassReport {
  std::vector<PartReport> parts;  ///< One or more.
  Status status = Status::kOk;    ///< The gravest of the parts'.
  MassProperties mass;            ///< Of all together.
  MassError error;                ///< Likewise; proven unless that of a part is
  bool estimated = false;         ///< estimated.
  MeshHealth health;  ///< Counts and areas: sums; residual, sensitivity: the worst of the parts'.
                      ///< `defects` is empty: see below.
  std::vector<PartDefect> defects;  ///< The first hundred, each part's gravest first.

  Box3 box;  ///< Of all parts; empty where that of a part is.

  /// Of the parts: counts added up, the largest lengths.
  [[nodiscard]] std::optional<SeamWeld> welded() const;

  bool density_given = true;  ///< Else it is 1 for want of a better.
  std::shared_ptr<const Notices> notices;

  [[nodiscard]] bool is_assembly() const { return parts.size() > 1; }
};

/// The report on `parts`, which weigh `total` together.
[[nodiscard]] MassReport assemble(std::vector<PartReport> parts, const WeighedBody& total);

/// Principal axes where there is an inertia; nothing without.
[[nodiscard]] std::optional<PrincipalAxes> axes_of(const MassProperties& mass);

/// What the moments of these axes may be off by: the diagonalization adds some units in the last
/// place of the largest.
[[nodiscard]] double moment_bound(const PrincipalAxes& axes, const MassError& error);

}  // namespace plimsoll::cli
