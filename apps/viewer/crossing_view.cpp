#include "crossing_view.h"

#include <plimsoll/rotation.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>

namespace plimsoll::viewer {
namespace {

constexpr double kTime = 0.02;  // of a frame, after which no other contact is begun [s]

/// A rod with three sides about the segment.
void append_rod(TriangleMesh& mesh, const std::array<Vec3, 2>& segment, double thickness) {
  const Vec3 along = segment[1] - segment[0];
  const Mat3 turn = rotation_between(Vec3::UnitZ(), along);
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& end : segment)
    for (int k = 0; k < 3; ++k) {
      const double angle = 2 * std::numbers::pi * k / 3;
      mesh.vertices.emplace_back(end + thickness / 2 *
                                           (turn * Vec3(std::cos(angle), std::sin(angle), 0)));
    }
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t next = (k + 1) % 3;
    mesh.triangles.push_back({first + k, first + next, first + 3 + next});
    mesh.triangles.push_back({first + k, first + 3 + next, first + 3 + k});
  }
}

}  // namespace

void CrossingView::update(std::span<const BodyModel> models, std::span<const Pose> poses,
                          std::vector<Touching> touching, double thickness) {
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  ++version_;
  mesh_.vertices.clear();
  mesh_.triangles.clear();
  problem_.clear();
  count_ = touching.size();
  followed_ = 0;
  length_ = 0;
  std::ranges::sort(touching, std::greater(), &Touching::depth);
  for (const Touching& pair : touching) {
    if (passed() > kTime) break;
    ++followed_;
    const BodyModel &a = models[pair.a], &b = models[pair.b];
    const auto curve = crossings_.of({"", a.mesh, world_from_mesh(a, poses[pair.a])},
                                     {"", b.mesh, world_from_mesh(b, poses[pair.b])});
    if (!curve) {
      problem_ = curve.error().message;
      continue;
    }
    for (const std::array<Vec3, 2>& segment : *curve) {
      length_ += (segment[1] - segment[0]).norm();
      append_rod(mesh_, segment, thickness);
    }
  }
}

}  // namespace plimsoll::viewer
