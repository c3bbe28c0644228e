// A weighed body as a picture.
#pragma once

#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "picture/annotation.h"
#include "picture/picture.h"

namespace plimsoll::picture {

/// A part where it is [m].
struct WeighedPart {
  TriangleMesh mesh;
  bool is_inverted = false;  ///< The triangles are turned the other way.
};

/// The box of even density that has a body's mass and moments: its edges along the principal axes
/// are sqrt(6 (I_j + I_k - I_i) / m) long.
struct EquivalentBox {
  Vec3 center;
  Mat3 axes;  ///< Rows.
  Vec3 half;  ///< Of the edges.

  [[nodiscard]] Vec3 corner(unsigned bits) const;
};

/// Nothing where the moments are those of no body.
[[nodiscard]] std::optional<EquivalentBox> equivalent_box(const MassProperties& mass);

/// A place where a part bounds no solid.
struct WrongPlace {
  std::size_t part = 0;
  Vec3 at = Vec3::Zero();
  std::vector<std::uint32_t> loop;  ///< Vertices of the part's mesh: a hole's, or a triangle's.
  double rim_length = 0;            ///< Of a hole [m].
};

/// What is drawn and said.
struct MassScene {
  std::vector<WeighedPart> parts;
  std::optional<Vec3> center_of_mass;
  std::optional<EquivalentBox> box;
  std::vector<WrongPlace> wrong;
  std::string title, remark;
  bool is_sound = true;  ///< Else the remark is a warning.
  std::vector<Fact> facts;
};

/// The body from the front and a little above, the inner side of its surface darker; its center of
/// mass (G) and principal axes (I, II, III, by ascending moments), and the box of even density that
/// has its mass and moments; lines are dashed where the body hides them. What is wrong is red and
/// has its number, counted from 1. Below, a scale and the facts. Pictures under 640 x 400 have no
/// words but letters and numbers at the marks.
[[nodiscard]] Picture draw_mass(const MassScene& scene, PixelSize size);

}  // namespace plimsoll::picture
