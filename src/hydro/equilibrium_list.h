// The equilibria found so far: what each is, and which are the same.
#pragma once

#include <plimsoll/equilibrium.h>

#include <vector>

namespace plimsoll {

/// What a pose at rest is: its kind by the signs of the metacentric heights or, where one is zero,
/// by the energies around it; and whether it is one of a circle of such poses, or of a sphere.
[[nodiscard]] Equilibrium classified(const FloatingBody& body, const FloatingState& at);

class EquilibriumList {
 public:
  explicit EquilibriumList(const FloatingBody& body) : body_(body) {}

  /// Adds a pose, or its starts to the one that it is.
  void add(const FloatingState& at, int starts);

  /// The sum that is 2 if none is missing.
  [[nodiscard]] int characteristic() const;
  /// Whether it is 2 and there is a highest pose as well as a lowest.
  [[nodiscard]] bool is_complete() const;

  /// Stable ones first, then by starts, then by energy.
  [[nodiscard]] std::vector<Equilibrium> sorted() const;

 private:
  [[nodiscard]] bool is_same(const Equilibrium& known, const FloatingState& at) const;

  const FloatingBody& body_;
  std::vector<Equilibrium> found_;
  std::vector<int> index_;  // of the characteristic, one for each
};

}  // namespace plimsoll
