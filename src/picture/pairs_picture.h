// Bodies and the triangles of theirs that meet, as a picture.
#pragma once

#include <plimsoll/pairs.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "picture/annotation.h"
#include "picture/picture.h"
#include "picture/placed_mesh.h"

namespace plimsoll::picture {

/// Triangles of two bodies that were found, or of one and itself.
struct MarkedPairs {
  std::uint32_t a, b;  ///< Places in the list of bodies.
  std::span<const TrianglePair> pairs;
};

/// What is drawn and said. It refers to what the caller keeps.
struct PairsScene {
  std::span<const PlacedMesh> bodies;
  std::vector<MarkedPairs> touching;
  std::string title;
  std::vector<Fact> facts;
};

/// The bodies from where most of the triangles that were found is seen, each in a color that the
/// legend explains; many of one kind ("duck[3]") have one. What hides another body lets it shine
/// through. The triangles are red, paler where they are hidden; where those of two bodies are too
/// small to be seen there is a circle around them. Words above and below.
[[nodiscard]] Picture draw_pairs(const PairsScene& scene, PixelSize size);

}  // namespace plimsoll::picture
