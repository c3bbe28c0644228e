// The planes that submersion is measured on, and the random numbers that they are made of.
#pragma once

#include <plimsoll/solid_tree.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace plimsoll::bench {

/// Uniform in 0..1, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  double number() { return 0x1p-53 * static_cast<double>(bits_() >> 11); }

  Vec3 direction() {
    const double z = 2 * number() - 1;
    const double angle = 2 * std::numbers::pi * number();
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }

 private:
  std::mt19937_64 bits_;
};

/// A body of half the density of water at rest in it, heaving by 1e-3 of the longest edge of its
/// box and rolling by 1e-3 radians about where it rests: 1,024 moments, some 100 to a period of
/// heave and 256 to one of roll.
[[nodiscard]] std::vector<WaterPlane> hot_planes(const MeshView& mesh, const SolidTree& tree);

/// 4,096 planes that cut the body: evenly distributed directions, levels evenly distributed between
/// where it is dry and where it is under water.
[[nodiscard]] std::vector<WaterPlane> random_planes(const SolidTree& tree);

/// Evenly distributed, the same on every machine.
[[nodiscard]] std::vector<Vec3> random_directions(int count);

}  // namespace plimsoll::bench
