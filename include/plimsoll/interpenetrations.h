// Bodies of a World that pass through each other, as they do where nothing keeps them apart.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/world.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// Two bodies, a < b, and a point of the world that lies in both.
struct Interpenetration {
  BodyId a, b;
  Vec3 at = Vec3::Zero();  ///< [m]
};

/// Pairs of bodies that share space.
struct Interpenetrations {
  std::vector<Interpenetration> first;  ///< In order, kMaxNamedPairs at most.
  std::size_t count = 0;                ///< All that were found.
  bool is_all = true;                   ///< Else a limit ended the search: there may be more.
};
inline constexpr std::size_t kMaxNamedPairs = 100;

/// Looks for pairs of bodies that share space. What it finds is so, up to 1e-9 of the bodies' size,
/// 1e-4 for patches: the point is inside both. What is thinner than its probes are apart it can
/// miss: where the boxes of two bodies meet it tries 7 x 7 lines, and on each piece of a line
/// within the one body 7 points. Pairs of which both are kinematic are not looked at, nor columns
/// of meshes that do not close there. O(pairs whose boxes meet), in parallel.
///
/// It remembers the pairs that it found, 2^20 at most (16 MiB), and then looks for no more. One
/// call looks at no more than 2^22 pairs whose boxes meet, some seconds of simple shapes.
class InterpenetrationSearch {
 public:
  /// Of the bodies of `world`; those that come later are looked at too. Errors: as check_shape and
  /// tessellate.
  [[nodiscard]] static Result<InterpenetrationSearch> create(const World& world);

  InterpenetrationSearch(InterpenetrationSearch&&) noexcept;
  InterpenetrationSearch& operator=(InterpenetrationSearch&&) noexcept;
  ~InterpenetrationSearch();

  /// Looks for this pair no more: its bodies may share space.
  void ignore(BodyId a, BodyId b);

  /// The pairs that share space as `world` is now and were not found by an earlier call.
  /// Errors: as create, for bodies that have come. Precondition: the world that it was created for.
  [[nodiscard]] Result<Interpenetrations> find(const World& world);

 private:
  struct State;
  explicit InterpenetrationSearch(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
