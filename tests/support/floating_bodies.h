// Bodies afloat.
#pragma once

#include <plimsoll/floating.h>
#include <plimsoll/mass_properties.h>

#include "support/checked.h"

namespace plimsoll::test {

/// The solid, evenly filled, of so many times the density of the water.
inline FloatingBody homogeneous(const TriangleMesh& mesh, double relative_density) {
  const MassProperties mass = mass_properties(test::checked(mesh));
  return floating_body(SolidTree(test::checked(mesh)), mass.center_of_mass,
                       relative_density * mass.volume);
}

}  // namespace plimsoll::test
