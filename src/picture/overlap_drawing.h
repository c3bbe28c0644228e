// What pictures of two bodies that overlap have in common.
#pragma once

#include <plimsoll/mesh.h>

#include <array>

#include "picture/body_drawing.h"
#include "picture/lettering.h"
#include "picture/picture.h"

namespace plimsoll::picture {

inline constexpr std::array<Color, 2> kBodyColors{{{224, 160, 60}, {70, 130, 200}}};

/// A view of both, posed, that fills the layout.
[[nodiscard]] ParallelView overlap_view(const std::array<TriangleMesh, 2>& meshes,
                                        const PictureLayout& layout);

/// An arrow of that length in pixels, shorter where it is seen from ahead.
void draw_arrow(Picture& picture, const ParallelView& view, const Vec3& from, const Vec3& way,
                double pixels, Color color);

}  // namespace plimsoll::picture
