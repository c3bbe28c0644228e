// Booleans of primitives drawn from a seed, and what is inside of them by their definition.
#pragma once

#include <plimsoll/shape.h>

#include <utility>
#include <vector>

#include "shape/random_shape.h"

namespace plimsoll::test {

inline Shape boolean(BooleanOperation operation, std::vector<Shape> of) {
  return {Boolean{operation, std::move(of)}};
}
inline Shape united(std::vector<Shape> of) {
  return boolean(BooleanOperation::kUnion, std::move(of));
}
inline Shape difference(std::vector<Shape> of) {
  return boolean(BooleanOperation::kDifference, std::move(of));
}
inline Shape moved(Shape shape, const Vec3& by) {
  shape.pose.translation() += by;
  return shape;
}

/// Of primitives about the origin, `nesting` Booleans deep at most.
inline Shape random_boolean(Random& random, int nesting) {
  if (nesting == 0 || random.below(4) == 0) {
    Shape shape = random_primitive(random, static_cast<int>(random.below(kPrimitiveKinds)));
    shape.pose.translation() /= 2;
    return shape;
  }
  std::vector<Shape> of;
  for (std::uint64_t count = 1 + random.below(3); count > 0; --count)
    of.push_back(random_boolean(random, nesting - 1));
  Shape shape = boolean(static_cast<BooleanOperation>(random.below(3)), std::move(of));
  shape.pose = random_pose(random);
  shape.pose.translation() /= 4;
  return shape;
}

/// Whether a point is in a Boolean of primitives.
inline bool holds(const Shape& shape, const Vec3& p_world) {
  const auto* solid = std::get_if<Boolean>(&shape.solid);
  if (solid == nullptr) return outside(shape, p_world) < 0;
  const Vec3 p = shape.pose.inverse() * p_world;
  bool inside = holds(solid->of[0], p);
  for (std::size_t i = 1; i < solid->of.size(); ++i) {
    const bool in_part = holds(solid->of[i], p);
    if (solid->operation == BooleanOperation::kUnion) inside = inside || in_part;
    if (solid->operation == BooleanOperation::kIntersection) inside = inside && in_part;
    if (solid->operation == BooleanOperation::kDifference) inside = inside && !in_part;
  }
  return inside;
}

}  // namespace plimsoll::test
