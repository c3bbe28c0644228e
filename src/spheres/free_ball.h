// Balls that grow in the space that walls and other balls leave free.
//
// The free radius f(x) is the largest radius of a ball about x that meets no wall and overlaps no
// ball: f(x) = min_k |x - a_k| - r_k over points a_k of the walls (r_k = 0) and balls. A ball about
// a local maximum of f touches walls and balls on all sides: it cannot grow by a small move.
#pragma once

#include <plimsoll/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spheres/ball_tree.h"
#include "spheres/unit_solid.h"
#include "tree/triangle_tree.h"

namespace plimsoll {

/// A point of a wall, or a ball, that a free ball touches or comes near to.
struct Contact {
  Vec3 at = Vec3::Zero();
  double radius = 0;              ///< 0: a point of a wall.
  std::uint32_t ball = kNoIndex;  ///< kNoIndex: a wall.
  /// The wall is taken for a plane with this normal, or, where that is 0, for the point alone.
  Vec3 normal = Vec3::Zero();
};

/// What free balls avoid.
struct Obstacles {
  const TriangleTree* walls = nullptr;
  const BallTree* balls = nullptr;
  const KeptSpace* kept = nullptr;  ///< Its plane is a wall; null: there is none.
};

/// Contacts near a point, nearest first.
struct NearContacts {
  static constexpr std::size_t kMost = 12;
  std::array<Contact, kMost> contacts;
  std::size_t count = 0;
};

struct FreeBall {
  Vec3 center = Vec3::Zero();
  double radius = 0;  ///< At most 0 where the center lies in a ball.
  NearContacts near;
};

/// The free radius at `center`, in `near` what is nearest. `limit`: no larger one is looked for.
/// Contacts that are known to be near make the search shorter; the radius may then be too large by
/// what their distance is rounded.
[[nodiscard]] FreeBall free_ball(const Obstacles& obstacles, const Vec3& center, double limit,
                                 const NearContacts* known = nullptr);

/// Moves the ball to a local maximum of the free radius, to about 1e-3 of it: a bundle method,
/// whose model of f are the planes of all contacts met on the way. No step is longer than the ball
/// is large, so that the center stays on its side of the walls.
[[nodiscard]] FreeBall climb(const Obstacles& obstacles, FreeBall ball);

/// Moves a ball to a local maximum among its contacts alone, or until its radius is `enough`: what
/// it may become near there, while f is not asked.
[[nodiscard]] FreeBall climb_among_contacts(FreeBall ball, double enough);

/// What a ball of that radius meets, nearest first: balls, and points of walls in directions that
/// are at least 30 degrees apart. The ball `except` is left out.
[[nodiscard]] std::vector<Contact> contacts_of(const Obstacles& obstacles, const Vec3& center,
                                               double radius, std::uint32_t except);

}  // namespace plimsoll
