// What the robot formats have in common: a name, a word about where the numbers come from, and
// whether they can be those of a rigid body at all.
#pragma once

#include <string>

#include "mass_report.h"

namespace plimsoll::cli {

/// A name that every consumer takes, from the file's: "bunny" for "meshes/bunny.obj".
[[nodiscard]] std::string body_name(const MassReport& report);

/// XML comments: the files, the density, and what the status says against the numbers.
[[nodiscard]] std::string provenance(const MassReport& report);

/// Throws Failure (exit 4) unless the mass is positive and some body has this inertia, naming
/// `format`.
void require_rigid_body(const MassReport& report, const char* format);

/// "x y z" with the digits that bring the same doubles back; -0 as 0.
[[nodiscard]] std::string numbers(const Vec3& vector);
[[nodiscard]] std::string number(double value);

}  // namespace plimsoll::cli
