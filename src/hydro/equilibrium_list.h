// The equilibria found so far: what each is, and which are the same.
#pragma once

#include <plimsoll/equilibrium.h>

#include <vector>

#include "hydro/direction_cover.h"
#include "hydro/neutral_curve.h"

namespace plimsoll {

/// What a pose at rest is: its kind by the signs of the metacentric heights or, where one is zero,
/// by the gradient around it; and whether it is one of a curve of such poses, or of a sphere.
[[nodiscard]] Equilibrium classified(const FloatingBody& body, const FloatingState& at);

class EquilibriumList {
 public:
  explicit EquilibriumList(const FloatingBody& body) : body_(body) {}

  /// Adds a pose, or its starts to the one that it is.
  void add(const FloatingState& at, int starts);

  /// Whether a pose at rest at `up` would be one that is known.
  [[nodiscard]] bool knows(const Vec3& up) const;
  [[nodiscard]] std::vector<IsolatedPose> isolated() const;

  /// Draws loops around what is not isolated, so wide that all of the cells lie inside. Whether
  /// each cell lies in just one, no other pose does, and none is wider than `widest` [rad]. The
  /// indices are then those of the gradient round these loops.
  bool enclose(const std::vector<DirectionCover::Cell>& cells, double widest);

  /// Whether all directions are at rest.
  [[nodiscard]] bool has_all() const;
  /// The sum that is 2 if none is missing.
  [[nodiscard]] int characteristic() const;
  /// Whether it is 2 and there is a highest pose as well as a lowest.
  [[nodiscard]] bool is_consistent() const;

  /// Stable ones first, then by starts, then by energy.
  [[nodiscard]] std::vector<Equilibrium> sorted() const;

 private:
  struct Entry {
    Equilibrium equilibrium;
    NeutralCurve curve;    ///< Of one point where it is at rest alone.
    int index = 1;         ///< Its share in the characteristic.
    double isolation = 0;  ///< isolation_slope().
  };

  [[nodiscard]] Entry entry_of(const FloatingState& at) const;
  [[nodiscard]] bool is_same(const Entry& known, const FloatingState& at) const;
  /// Whether a loop around it stands for what the Hessian cannot tell.
  [[nodiscard]] bool may_be_enclosed(const Entry& entry) const;

  friend Equilibrium classified(const FloatingBody& body, const FloatingState& at);

  const FloatingBody& body_;
  std::vector<Entry> entries_;
};

}  // namespace plimsoll
