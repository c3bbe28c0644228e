// Whether an OpenGL rasterizes boxes as FAR's proof needs it.
#pragma once

#include <plimsoll/result.h>

#include "gl/visibility.h"

namespace plimsoll {

/// The least fattening of view_volume.h, 1 or more, for which lemma 2 of [Govindaraju2004] holds
/// here: of some hundred triangles as hard as they come, fattened so, each pixel that the triangle
/// touches has fragments of the near and the far side of its box, and their depths bound those of
/// the triangle in the pixel. A finite number of triangles proves nothing; docs/theory/culling.md
/// has the proof and what it takes for granted. Errors: `Unavailable` where no fattening up to 3 is
/// enough; also as OpenGL reports them.
[[nodiscard]] Result<double> needed_fattening(VisibilityImage& image);

}  // namespace plimsoll
