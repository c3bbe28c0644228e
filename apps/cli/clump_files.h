// Clumps of spheres for programs that simulate grains.
#pragma once

#include <string>

#include "sphere_set.h"

namespace plimsoll::cli {

/// Rows of x y z radius, for `fix particletemplate/multisphere` of LIGGGHTS.
[[nodiscard]] std::string liggghts_file(const SphereSet& set);

/// A molecule template of LAMMPS, for `fix rigid/small`: with mass, center and inertia of the
/// solid, of density 1, if they are known.
[[nodiscard]] std::string lammps_file(const SphereSet& set);

/// Rows of x y z radius clump, for `ymport.textClumps` of YADE.
[[nodiscard]] std::string yade_file(const SphereSet& set);

}  // namespace plimsoll::cli
