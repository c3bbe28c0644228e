// Lengths in arguments that put something so far from a body that they were probably meant in
// another unit: they are in meters, whatever --units says of the files.
#pragma once

#include <plimsoll/submersion.h>
#include <plimsoll/types.h>

#include <span>
#include <string>

#include "notices.h"

namespace plimsoll::cli {

/// No body is balanced about a point ten of its own sizes away. `box` is the body's, in the frame
/// of the center.
void remark_if_far(const Vec3& center_of_mass, const Box3& box, const std::string& name,
                   Notices& notices);

/// A plane ten sizes from the body, in the world, leaves it wholly on one side.
void remark_if_far(const WaterPlane& plane, const char* option, const Box3& box,
                   const std::string& name, Notices& notices);

/// No --pose moves a body a hundred of its own sizes; `box` is the body's before that.
void remark_if_far(const Similarity& pose, const Box3& box, const std::string& name,
                   Notices& notices);

struct PlacedBox {
  std::string name;
  Box3 box;            ///< World coordinates.
  std::string option;  ///< What put it there; empty where nothing did.
};
/// Of bodies that were put a hundred sizes, of the larger, away from the nearest of the others.
/// O(n^2) for n of them.
void remark_if_apart(std::span<const PlacedBox> bodies, Notices& notices);

}  // namespace plimsoll::cli
