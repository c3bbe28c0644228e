// The judge of a body: every command asks it what is wrong with one, and answers with the worst of
// what it finds that the question at hand cannot do without.
#pragma once

#include <plimsoll/shape_health.h>
#include <plimsoll/submersion.h>

#include <string>

#include "mass_report.h"
#include "notices.h"

namespace plimsoll::cli {

struct Verdict {
  ShapeHealth health;
  bool partial = false;  ///< MeshFile::partial.

  /// Of the body itself, if it is a mesh or patches; else null.
  [[nodiscard]] const MeshHealth* surface() const;

  /// Whether the body itself is a mesh, or patches, that does not close. A dry rim is sound where
  /// it is made of boundary edges alone.
  [[nodiscard]] bool has_rim() const;

  /// Where it does not close, one noun: a rim, or only edges at which faces are turned apart.
  [[nodiscard]] const char* rim_name() const;

  /// What is wrong with it then, after "is": "open", or "not turned one way".
  [[nodiscard]] const char* rim_fault() const;

  /// `rim`: what becomes of the rim of the body; kNeeded unless it has one of its own.
  [[nodiscard]] Status status(RimUse rim = RimUse::kNeeded) const;
};

/// Judges a body. Throws Failure.
[[nodiscard]] Verdict judge(const std::string& name, const Shape& shape, bool partial,
                            const HealthOptions& options = {});

/// A body's name, its status, and a warning where that forbids to trust the numbers. Where all of a
/// rim is dry they are right, and it is said; not so of a mesh of which it `is_unknown` what it
/// weighs.
[[nodiscard]] std::string heading_in_water(const std::string& name, Status status,
                                           const Verdict& verdict, bool is_unknown = false);

/// Says which parts of a Boolean are at fault.
void say_faulty_parts(const std::string& name, const Verdict& verdict, Notices& notices);

/// The status of what is said about the part of a body, posed, under a plane. Water is closed off
/// by the plane: a boundary edge does no harm where it is dry.
[[nodiscard]] Status status_in_water(const Verdict& verdict, const Shape& shape,
                                     const WaterPlane& water);

}  // namespace plimsoll::cli
