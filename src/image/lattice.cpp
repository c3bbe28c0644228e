#include "image/lattice.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace plimsoll {
namespace {

constexpr int kMaxSide = 16384;  // pixels; as graphics hardware allows
constexpr const char* kOptions = "image options";

Error invalid(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message), kOptions};
}

Result<void> check(const ImageOptions& options) {
  if (options.axis < 0 || options.axis > 2) return invalid("found no axis 0, 1 or 2");
  if (Result<void> usable = check_resolution(options.width, options.height, kMaxSide, kOptions);
      !usable)
    return usable;
  if (!(options.density > 0) || !std::isfinite(options.density))
    return invalid("found a density that is not positive and finite");
  if (!(options.mass >= 0) || !std::isfinite(options.mass))
    return invalid("found a mass that is not finite, or below 0");
  if (!(options.margin >= 0) || !(options.margin <= 1))
    return invalid("found a margin outside 0 to 1");
  const double play = 1 - 1 / (1 + options.margin);  // of the image, in bodies
  if (!(2 * std::abs(options.shift_u) <= play * options.width + 1e-9) ||
      !(2 * std::abs(options.shift_v) <= play * options.height + 1e-9))
    return invalid("found a shift that moves the body out of the margin");
  return {};
}

}  // namespace

Result<void> check_resolution(int width, int height, int max_side, const char* where) {
  for (const int side : {width, height})
    if (side < 1 || side > max_side)
      return Error{ErrorCode::kInvalidArgument,
                   "found a resolution of " + std::to_string(side) + ", expected 1 to " +
                       std::to_string(max_side) + " pixels",
                   where};
  return {};
}

Result<View> view_of(const Box3& box, const ImageOptions& options) {
  if (Result<void> usable = check(options); !usable) return usable.error();
  View view;
  view.axis = options.axis;
  const Vec3 size = box.max() - box.min();
  if (!size.allFinite()) return invalid("found a body whose size does not fit a double");
  const double half = size.maxCoeff() / 2;
  constexpr double kLargest = 1e60;  // fifth powers fit a double
  if (half > 0 && (half > kLargest || half < 1 / kLargest))
    return invalid("found a body " +
                   std::string(2 * half > 1 ? "more than 2e60" : "less than 2e-60") +
                   " across, too large or too small for an image");
  const double scale = half > 0 ? half : 1;
  view.world_from_view.linear().setZero();
  for (int k = 0; k < 3; ++k) view.world_from_view.linear()((options.axis + 1 + k) % 3, k) = scale;
  view.world_from_view.translation() = box.min() + size / 2;
  // Measured from the box's corner: far from the origin, half of a thin box may be rounded to 0.
  const Vec3 corner = (box.min() - view.world_from_view.translation()) / scale;
  const int u = (options.axis + 1) % 3;
  const int v = (options.axis + 2) % 3;
  Lattice& lattice = view.lattice;
  lattice.width = options.width;
  lattice.height = options.height;
  lattice.dx = size[u] / scale * (1 + options.margin) / options.width;
  lattice.dy = size[v] / scale * (1 + options.margin) / options.height;
  lattice.x0 = corner[u] - options.margin / 2 * size[u] / scale + options.shift_u * lattice.dx;
  lattice.y0 = corner[v] - options.margin / 2 * size[v] / scale + options.shift_v * lattice.dy;
  view.depth = std::max(-corner[options.axis], corner[options.axis] + size[options.axis] / scale);
  return view;
}

}  // namespace plimsoll
