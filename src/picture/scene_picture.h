// Bodies in water as a picture.
#pragma once

#include <plimsoll/fluid_surface.h>
#include <plimsoll/mesh.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "picture/picture.h"
#include "picture/raster.h"

namespace plimsoll::picture {

/// What is drawn over a picture of bodies that touch.
struct ContactMarks {
  struct Push {
    Vec3 at = Vec3::Zero();
    Vec3 force = Vec3::Zero();  ///< [N]
  };
  std::vector<Push> pushes;
  std::vector<std::array<Vec3, 2>> crossings;  ///< Segments of curves.
};

struct ColoredBody {
  std::shared_ptr<const TriangleMesh> mesh;
  Similarity world_from_mesh = Similarity::Identity();
  Color color;
};

/// Looks down from the front, turned a little, so that all of `points` are seen with some room.
[[nodiscard]] ParallelView scene_view(std::span<const Vec3> points, PixelSize size);

/// The bodies, opaque and lit from the left, and the water over them, the bluer the more of it
/// there is between a point and the eye. Lines on the water are a round number of meters apart: 1,
/// 2 or 5 times a power of ten. Without `surface` there is no water.
[[nodiscard]] Picture draw_scene(std::span<const ColoredBody> bodies, const SurfaceNow* surface,
                                 const ParallelView& view, PixelSize size);

/// Curves in red, and over them arrows in purple, a newton so many pixels long.
void draw_contacts(Picture& picture, const ParallelView& view, const ContactMarks& marks,
                   double pixels);

}  // namespace plimsoll::picture
