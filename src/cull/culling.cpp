#include <plimsoll/culling.h>

#include <cmath>
#include <string>

#include "core/number_text.h"
#include "cull/colliding_set.h"
#include "cull/cull_options.h"
#include "cull/scan_visibility.h"
#include "cull/triangle_box.h"

namespace plimsoll {

std::size_t Culling::surviving_count() const {
  std::size_t count = 0;
  for (const std::vector<std::uint32_t>& of : surviving) count += of.size();
  return count;
}

Result<void> check_within(double within) {
  if (within >= 0 && std::isfinite(within)) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found " + to_text(within) + ", expected a finite number no less than 0", "within"};
}

Result<void> check_cull_options(const CullOptions& options) {
  const auto wrong = [](std::string message, const char* where) {
    return Error{ErrorCode::kInvalidArgument, std::move(message), where};
  };
  constexpr int kFewest = CullOptions::kMinResolution, kMost = CullOptions::kMaxResolution;
  if (options.resolution < kFewest || options.resolution > kMost)
    return wrong("found " + std::to_string(options.resolution) + " pixels, expected " +
                     std::to_string(kFewest) + " to " + std::to_string(kMost),
                 "resolution");
  if (options.part_triangles < 1) return wrong("found 0, expected 1 or more", "part_triangles");
  if (Result<void> usable = check_within(options.within); !usable) return usable;
  if (!(options.max_pixels >= 0))
    return wrong("found " + to_text(options.max_pixels) + ", expected a number not below 0",
                 "max_pixels");
  if (options.within > 0 && options.method == CullMethod::kCullide)
    return wrong("found " + to_text(options.within) + ", expected 0: CULLIDE fattens nothing",
                 "within");
  return {};
}

Result<void> check_triangles(const CullBody& body, std::span<const std::uint32_t> triangles) {
  const std::size_t count = body.mesh.view().triangle_count();
  for (const std::uint32_t t : triangles)
    if (t >= count)
      return Error{ErrorCode::kInvalidArgument,
                   "found triangle " + std::to_string(t) + " of a mesh that has " +
                       std::to_string(count) + ", counted from 0",
                   "triangles"};
  return {};
}

Result<Culling> cull_by_scanline(std::span<const CullBody> bodies, const CullOptions& options) {
  if (Result<void> usable = check_cull_options(options); !usable) return usable.error();
  if (options.method == CullMethod::kCullide)
    return Error{ErrorCode::kUnavailable,
                 "CULLIDE is what graphics hardware draws: GlCulling has it", "method"};
  const Result<CullScene> scene = CullScene::create(bodies);
  if (!scene) return scene.error();
  ScanVisibility renderer(options.max_pixels);
  Culling culling = cull_with(renderer, *scene, options, 0);
  if (renderer.is_exhausted())
    return Error{ErrorCode::kResourceLimit,
                 "found triangles that take more pixels than " + to_text(options.max_pixels) +
                     " to draw, expected fewer or smaller ones, a lower resolution, a shorter "
                     "distance, or more pixels",
                 "max_pixels"};
  culling.work.pixels = renderer.pixels();
  culling.renderer = "processor";
  return culling;
}

Result<TriangleMesh> fattened_boxes(const CullBody& body, std::span<const std::uint32_t> triangles,
                                    double radius) {
  if (!(radius >= 0) || std::isinf(radius))
    return Error{ErrorCode::kInvalidArgument,
                 "found " + to_text(radius) + ", expected a finite number no less than 0",
                 "radius"};
  if (Result<void> usable = check_cull_body(body, "world_from_body"); !usable)
    return usable.error();
  if (Result<void> known = check_triangles(body, triangles); !known) return known.error();
  TriangleMesh boxes;
  for (const std::uint32_t t : triangles) {
    const std::array<Vec3, 3> corners = posed_corners(body, t);
    // About a corner, so that a box far from the origin keeps its shape.
    const Vec3& origin = corners[0];
    const auto first = static_cast<std::uint32_t>(boxes.vertices.size());
    for (const Vec3& p : corners_of(box_around(from(origin, corners)), radius))
      boxes.vertices.push_back(origin + p);
    for (const Triangle& face : kBoxTriangles)
      boxes.triangles.push_back({first + face[0], first + face[1], first + face[2]});
  }
  return boxes;
}

}  // namespace plimsoll
