// The box of a shape that is known to pass check_shape.
#pragma once

#include <plimsoll/shape.h>

namespace plimsoll {

/// bounding_box without the check. Precondition: check_shape.
[[nodiscard]] Box3 box_of_checked(const Shape& shape);

}  // namespace plimsoll
