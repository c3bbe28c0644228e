// Scenes of contact whose outcome follows from statics.
#pragma once

namespace plimsoll::bench {

/// Prints a row for each scene: what is expected, and what came.
int findings();

}  // namespace plimsoll::bench
