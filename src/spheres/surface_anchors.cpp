#include "spheres/surface_anchors.h"

#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "core/parallel.h"

namespace plimsoll {
namespace {

/// Along the axes and the diagonals of cubes: of equal length, so that lengths along them compare.
const std::array<Vec3, 7>& chord_directions() {
  const double x = std::sqrt(1.0 / 3);
  static const std::array<Vec3, 7> directions{Vec3(1, 0, 0), Vec3(0, 1, 0),  Vec3(0, 0, 1),
                                              Vec3(x, x, x), Vec3(-x, x, x), Vec3(x, -x, x),
                                              Vec3(x, x, -x)};
  return directions;
}

/// The weights of a triangle's corners that make a point of it. The corner off the longest edge
/// has its height over that edge's line, and what is left along the edge goes to the others: in
/// needles too the sum is off by rounding of their size alone.
std::array<double, 3> weights_of(const std::array<Vec3, 3>& corner, const Vec3& point) {
  std::size_t off = 0;
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k)
    if (const double length = (corner[(k + 2) % 3] - corner[(k + 1) % 3]).lpNorm<1>();
        length > longest) {
      longest = length;
      off = k;
    }
  const std::size_t a = (off + 1) % 3, b = (off + 2) % 3;
  std::array<double, 3> weights{};
  weights[a] = 1;
  if (!(longest > 0)) return weights;
  const auto from_a = [&](const Vec3& x) { return Vec3((x - corner[a]) / longest); };
  const Vec3 edge = from_a(corner[b]), to_off = from_a(corner[off]), to_point = from_a(point);
  const double squared = edge.squaredNorm();
  const Vec3 height = to_off - edge * (edge.dot(to_off) / squared);
  if (!height.isZero(0))
    weights[off] = std::clamp(height.dot(to_point) / height.squaredNorm(), 0.0, 1.0);
  weights[b] = edge.dot(to_point - weights[off] * to_off) / squared;
  weights[a] = 1 - weights[off] - weights[b];
  return weights;
}

struct Chord {
  const RayHit *ahead, *behind;
  double weight;
};

/// The chords through a point, given its rays by pairs; their weights make 1.
std::vector<Chord> chords_of(std::span<const std::optional<RayHit>> hits) {
  std::vector<Chord> chords;
  double shortest = std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t k = 0; k < hits.size(); k += 2) {
    const std::optional<RayHit>&ahead = hits[k], &behind = hits[k + 1];
    if (!ahead || !behind) continue;
    const double least = std::min(ahead->along, behind->along);
    if (!(least > 0)) continue;
    shortest = std::min(shortest, least);
    chords.push_back({&*ahead, &*behind, 0});
  }
  for (Chord& chord : chords) {
    const double closeness = shortest / chord.ahead->along + shortest / chord.behind->along;
    const double squared = closeness * closeness, fourth = squared * squared;
    chord.weight = fourth * fourth;
    sum += chord.weight;
  }
  for (Chord& chord : chords) chord.weight /= sum;
  return chords;
}

}  // namespace

void SurfaceAnchors::add(const MeshView& mesh, std::uint32_t triangle, const Vec3& at,
                         double weight) {
  const Triangle v = mesh.triangle(triangle);
  const std::array<double, 3> weights =
      weights_of({mesh.vertex(v[0]), mesh.vertex(v[1]), mesh.vertex(v[2])}, at);
  for (std::size_t k = 0; k < 3; ++k) anchors_.push_back({weight * weights[k], v[k]});
}

Result<SurfaceAnchors> SurfaceAnchors::of(const ClosedMesh& solid, const MeshTree& triangles,
                                          std::span<const Vec3> points) {
  const std::array<Vec3, 7>& directions = chord_directions();
  constexpr std::size_t kRays = 2 * std::tuple_size_v<std::array<Vec3, 7>>;
  std::vector<Ray> rays;
  for (const Vec3& point : points)
    for (const Vec3& direction : directions)
      for (const double side : {1.0, -1.0}) rays.push_back({point, side * direction});
  const Similarity here = Similarity::Identity();
  const Result<std::vector<std::optional<RayHit>>> hits = first_hits(triangles, here, rays);
  if (!hits) return hits.error();

  SurfaceAnchors tied;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::vector<Chord> chords = chords_of(std::span(*hits).subspan(kRays * i, kRays));
    for (const auto& [ahead, behind, weight] : chords) {
      const double length = ahead->along + behind->along;
      tied.add(solid.view(), ahead->triangle, ahead->at, weight * (behind->along / length));
      tied.add(solid.view(), behind->triangle, behind->at, weight * (ahead->along / length));
    }
    if (chords.empty()) {
      const Result<std::vector<NearestOnSurface>> found =
          nearest_on_surface(triangles, here, points.subspan(i, 1));
      if (!found) return found.error();
      tied.add(solid.view(), found->front().at->triangle, found->front().at->at, 1);
    }
    tied.first_.push_back(tied.anchors_.size());
  }
  return tied;
}

std::vector<Vec3> SurfaceAnchors::carried(const MeshView& deformed) const {
  constexpr std::size_t kWorthwhile = 256;
  std::vector<Vec3> points(first_.size() - 1);
  parallel_for_each_index(points.size(), kWorthwhile, [&](std::size_t i) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = first_[i]; k < first_[i + 1]; ++k)
      sum += anchors_[k].weight * deformed.vertex(anchors_[k].vertex);
    points[i] = sum;
  });
  return points;
}

std::size_t SurfaceAnchors::memory() const {
  return first_.size() * sizeof(std::size_t) + anchors_.size() * sizeof(Anchor);
}

}  // namespace plimsoll
