// The triangles of all bodies as culling takes them: in the world, in units and about a center that
// keep digits, and in an order in which those that follow each other are near each other.
#pragma once

#include <plimsoll/culling.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tree/body_frame.h"

namespace plimsoll {

/// Neighboring triangles of one body, by their places in the scene's arrays.
struct CullPart {
  std::uint32_t body = 0;
  std::size_t first = 0, count = 0;
  /// Whether they may touch others of bodies earlier in the list [0], and later [1].
  std::array<bool, 2> may_touch{true, true};
};

struct CullScene {
  BodyFrame frame;  ///< Of what is below.
  std::vector<std::array<Vec3, 3>> corners;
  std::vector<std::uint32_t> numbers;  ///< Of the triangles, in their meshes.
  std::vector<CullPart> bodies;        ///< Those with triangles.
  std::size_t body_count = 0;          ///< With those without.

  /// Errors: `InvalidArgument` for poses.
  [[nodiscard]] static Result<CullScene> create(std::span<const CullBody> bodies);

  /// `parts`, cut into pieces of that many triangles.
  [[nodiscard]] std::vector<CullPart> cut(std::span<const CullPart> parts,
                                          std::size_t triangles) const;

  /// The numbers of the triangles of `parts`, by bodies, ascending.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> numbers_of(
      std::span<const CullPart> parts) const;
};

/// Errors: `InvalidArgument` for a pose that check_pose (shape.h) refuses, or that may take a
/// vertex beyond 1e300; `where` as given.
[[nodiscard]] Result<void> check_cull_body(const CullBody& body, const std::string& where);
/// The same of all, `where` being "body 0" and so on.
[[nodiscard]] Result<void> check_cull_bodies(std::span<const CullBody> bodies);

/// The corners of a triangle, posed as posed() does [m].
[[nodiscard]] std::array<Vec3, 3> posed_corners(const CullBody& body, std::size_t triangle);

}  // namespace plimsoll
