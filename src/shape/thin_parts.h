// Parts of a shape that columns some distance apart may miss.
#pragma once

#include <plimsoll/shape.h>

namespace plimsoll {

/// The sum of the volumes of all primitives in `shape`, be they added or taken off, whose
/// projection along the world axis `axis` is narrower than `width` in some direction: no more than
/// this can be missing, or too much, for not having been seen. Formulas and meshes count for
/// nothing: what is thin in them is not known.
[[nodiscard]] double thin_volume(const Shape& shape, int axis, double width);

}  // namespace plimsoll
