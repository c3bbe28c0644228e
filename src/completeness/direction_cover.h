// Shows where on the sphere of up-vectors no pose at rest can be, cell by cell.
//
// Among all parts of a solid that have the volume V, the one below the water's plane has the lowest
// center: n . B(n) <= n . B(m) for all m. So E, continued as a function homogeneous of degree 1, is
// the support function of a convex body, the centers turned about G, and with q = G - B
//
//   n . q(m) <= E(n)  for all n and m.
//
// A pose at rest has q(n) = E(n) n. Then E(n) (n . m) = q(n) . m <= E(m) for all m; hence for any
// two directions l and m with n . m > 0
//
//   (n . q(l)) (n . m) <= E(m),
//
// and where that is false, nothing is at rest. It needs no derivative of the energy and no bound of
// any: what was asked at l and m alone settles a whole neighborhood, for l = m a disc on the uphill
// side of m with m on its rim, of the diameter |grad E| / E in the plane that touches the sphere at
// m. The left side less the right is a quadratic form of n. Over the spherical triangle of the
// directions v_i, n is a sum of v_i with weights >= 0: the form is positive if its polar form is
// for each two of them.
//
// The other way is F(0) + H y, which F(y) departs from by curvature_change() |y| at most
// (isolation.h): the better one where E is large beside its Hessian.
#pragma once

#include <plimsoll/elementary.h>
#include <plimsoll/floating.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "completeness/isolation.h"
#include "completeness/search_signs.h"

namespace plimsoll {

class DirectionCover {
 public:
  /// What is known of a direction.
  struct Probe {
    Vec3 up, apart;  ///< apart = G - B.
    double energy = 0, error = 0;
  };
  /// The probes of the cells that a cell is a part of.
  struct Ancestor {
    std::array<Probe, 2> probes;
    int count = 0;
    std::shared_ptr<const Ancestor> parent;
  };
  /// A spherical triangle, counterclockwise from outside, in which a pose at rest may be.
  struct Cell {
    std::array<Vec3, 3> corner;
    std::shared_ptr<const Ancestor> ancestor;
    double level = 0;        ///< Of the water, for a direction nearby [m].
    double change_rate = 0;  ///< curvature_change() over slope, as last found; 0 if never.
    bool may_hold = false;   ///< To first order, a pose at rest is in it or near: at `target`.
    Vec3 target = Vec3::Zero();
    SearchSigns signs = kDown;  ///< Of the Hessian in its middle.

    [[nodiscard]] Vec3 middle() const { return (corner[0] + corner[1] + corner[2]).normalized(); }
    /// No corner is farther from the middle [rad].
    [[nodiscard]] double radius() const {
      const Vec3 center = middle();
      double cosine = 1;
      for (const Vec3& v : corner) cosine = std::min(cosine, v.dot(center));
      return elementary::acos(cosine);
    }
  };

  explicit DirectionCover(const FloatingBody& body);

  /// Asks the body once or twice for each open cell. Those in which nothing is at rest, but for the
  /// isolated poses, are settled; the others are still open.
  void settle(std::span<const IsolatedPose> isolated);
  /// Cuts each open cell into four.
  void split();
  /// Leaves open cells as they are for which `is_left(cell)`.
  template <class IsLeft>
  void leave(const IsLeft& is_left) {
    const auto end = std::stable_partition(open_.begin(), open_.end(),
                                           [&](const Cell& cell) { return !is_left(cell); });
    left_.insert(left_.end(), std::move_iterator(end), std::move_iterator(open_.end()));
    open_.erase(end, open_.end());
  }

  [[nodiscard]] const std::vector<Cell>& open() const { return open_; }
  /// Those that were left.
  [[nodiscard]] const std::vector<Cell>& left() const { return left_; }
  /// How often the body was asked for a floating state; one that takes many levels counts as
  /// several (HeaveState::cost).
  [[nodiscard]] std::size_t states() const { return states_; }

 private:
  const FloatingBody& body_;
  std::vector<Cell> open_, left_;
  std::size_t states_ = 0;
};

}  // namespace plimsoll
