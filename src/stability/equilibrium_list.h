// The equilibria found so far: what each is, and which are the same.
#pragma once

#include <plimsoll/equilibrium.h>

#include <optional>
#include <vector>

#include "completeness/direction_cover.h"
#include "completeness/neutral_curve.h"

namespace plimsoll {

/// What a pose at rest is: its kind by the signs of the metacentric heights or, where one is zero,
/// by the gradient around it; and whether it is one of a curve of such poses, or of a sphere.
[[nodiscard]] Equilibrium classified(const FloatingBody& body, const FloatingState& at);

class EquilibriumList {
 public:
  explicit EquilibriumList(const FloatingBody& body);

  /// Adds a pose, or its starts to the one that it is.
  void add(const FloatingState& at, int starts);

  /// Whether a pose at rest within `angle` of `up` is known.
  [[nodiscard]] bool knows(const Vec3& up, double angle) const;
  [[nodiscard]] std::vector<IsolatedPose> isolated() const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// What comparing directions with what is listed took, in microseconds of a core of 3 GHz.
  [[nodiscard]] double work() const { return 0.05 * static_cast<double>(looked_at_); }

  /// How wide a loop may be around each entry [rad], no wider than `widest` and a third of the way
  /// to the next entry; 0 for what is isolated.
  [[nodiscard]] std::vector<double> loops(double widest) const;
  /// The entry whose loop at the angle given holds the cell.
  [[nodiscard]] std::optional<std::size_t> loop_around(const DirectionCover::Cell& cell,
                                                       const std::vector<double>& angle) const;
  /// Draws loops() around what is not isolated, just so wide that each of the cells lies in one.
  /// Whether that can be. The indices are then those of the gradient round these loops.
  bool enclose(const std::vector<DirectionCover::Cell>& cells, double widest);
  /// The indices of what has a Hessian that is zero one way, by loops that hold nothing else
  /// listed.
  void find_indices();

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
    NeutralCurve curve;  ///< Of one point where it is at rest alone.
    int index = 1;       ///< Its share in the characteristic.
    IsolatedPose alone;  ///< Slope 0 where it is not known to be alone.
  };

  /// Without the isolated pose; curves are traced in steps of `step` [rad].
  [[nodiscard]] Entry entry_of(const FloatingState& at, double step) const;
  /// Adds the starts to the entry that it is; whether there is one.
  bool count_as_known(const FloatingState& at, int starts);
  [[nodiscard]] bool is_same(const Entry& known, const FloatingState& at) const;
  /// How far a pose may be from the known one and be the same [rad].
  [[nodiscard]] double same_angle(const Entry& known, const FloatingState& at) const;
  /// Whether a loop around it stands for what the Hessian cannot tell.
  [[nodiscard]] bool may_be_enclosed(const Entry& entry) const;

  void find_index(Entry& entry, double angle) const;

  friend Equilibrium classified(const FloatingBody& body, const FloatingState& at);

  [[nodiscard]] double distance_from(const Entry& entry, const Vec3& up) const;
  [[nodiscard]] bool is_near(const Entry& entry, double angle, const Vec3& up) const;

  const FloatingBody& body_;
  const double size_;  ///< Cube root of the volume [m].
  std::vector<Entry> entries_;
  mutable std::size_t looked_at_ = 0;  ///< Pieces of curves.
};

}  // namespace plimsoll
