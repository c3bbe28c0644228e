// How far images of 32 x 32 pixels are off for the bodies of [Kim2006, sec. 5.3] as they heave and
// roll, and how many peels they take.
#pragma once

#include <plimsoll/water_image.h>

#include <functional>
#include <string>
#include <vector>

#include "shared/objects.h"

namespace plimsoll::bench {

/// Sphere, rectangular box, torus and teapot, with their middle at the origin.
[[nodiscard]] std::vector<PaperObject> floating_objects();
/// A body moved so that the middle of its box is at the origin.
[[nodiscard]] TriangleMesh centered(TriangleMesh mesh);

/// A body in still water at z = `level`.
struct Immersion {
  std::string attitude;  ///< "upright", or "askew": turned by 40 degrees about (1, 2, 3).
  std::string motion;    ///< "heave", or "roll".
  double at = 0;         ///< Of the body's height under water, or the angle about x [degree].
  Similarity world_from_body = Similarity::Identity();
  double level = 0;
};

/// Heave from dry to wet in 40 steps, and roll in 72 with the water at the middle of the box.
[[nodiscard]] std::vector<Immersion> immersions(const MeshView& mesh);

struct ImmersionError {
  Immersion pose;
  double of_whole = 0;  ///< Of the volume, relative to that of the body,
  double of_wet = 0;    ///< and of its wet part; NaN where that is nothing.
  int peels = 0;
  std::size_t unbalanced_columns = 0;
};

using MeasureAfloat = std::function<Result<WaterImage>(const Similarity&, const SurfaceNow&)>;

/// Against the exact clip, for all immersions.
[[nodiscard]] Result<std::vector<ImmersionError>> errors_afloat(const MeshView& mesh,
                                                                const MeasureAfloat& measure);

}  // namespace plimsoll::bench
