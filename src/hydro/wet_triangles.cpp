#include "hydro/wet_triangles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace plimsoll {
namespace {

using Corners = std::array<Vec3, 3>;

// int max(d, 0) over a triangle of area 1 on which d is linear. Where one corner is wet the wet
// part is a triangle with the shares d0 / (d0 - d1) and d0 / (d0 - d2) of two edges; where one is
// dry, all less such a part.
double mean_depth(std::array<double, 3> d) {
  std::sort(d.begin(), d.end(), std::greater<>());
  const auto tip = [](double top, double b, double c) {
    return top / 3 * (top / (top - b)) * (top / (top - c));
  };
  if (d[0] <= 0) return 0;
  if (d[2] >= 0) return (d[0] + d[1] + d[2]) / 3;
  if (d[1] <= 0) return tip(d[0], d[1], d[2]);
  return (d[0] + d[1] + d[2]) / 3 - tip(d[2], d[1], d[0]);
}

// Twice the area seen from above, positive where the triangle looks up.
double twice_area(const Corners& p) {
  const Vec3 a = p[1] - p[0], b = p[2] - p[0];
  return a.x() * b.y() - a.y() * b.x();
}

class WetSum {
 public:
  WetSum(const Lattice& lattice, const SurfaceSamples& surface)
      : lattice_(lattice),
        surface_(surface),
        highest_(*std::max_element(surface.heights.begin(), surface.heights.end())) {}

  void add(const Corners& p) {
    if (std::min({p[0].z(), p[1].z(), p[2].z()}) >= highest_) return;
    constexpr double kFlat = 4;  // pixels over which the surface counts as a plane
    const auto [from, length] = longest_edge(p);
    if (!surface_.slopes.empty() && length > kFlat) {
      const Vec3 &a = p[from], &b = p[(from + 1) % 3], &c = p[(from + 2) % 3];
      const Vec3 middle = (a + b) / 2;
      add({a, middle, c});
      add({middle, b, c});
      return;
    }
    const auto depth = [&](const Vec3& q) { return height_at(q) - q.z(); };
    volume_ -= twice_area(p) / 2 * mean_depth({depth(p[0]), depth(p[1]), depth(p[2])});
  }

  [[nodiscard]] double volume() const { return volume_ * lattice_.dx * lattice_.dy; }

 private:
  static std::pair<std::size_t, double> longest_edge(const Corners& p) {
    std::pair<std::size_t, double> longest{0, 0};
    for (std::size_t k = 0; k < 3; ++k) {
      const double length = (p[(k + 1) % 3] - p[k]).head<2>().norm();
      if (length > longest.second) longest = {k, length};
    }
    return longest;
  }

  // From the nearest pixel's center along its slope.
  [[nodiscard]] double height_at(const Vec3& p) const {
    if (surface_.slopes.empty()) return surface_.heights.front();
    const auto nearest = [](double at, int count) {
      return std::clamp(std::round(at), 0.0, count - 1.0);
    };
    const double column = nearest(p.x(), lattice_.width), row = nearest(p.y(), lattice_.height);
    const auto i = static_cast<std::size_t>(row) * static_cast<std::size_t>(lattice_.width) +
                   static_cast<std::size_t>(column);
    return surface_.heights[i] + surface_.slopes[i].x() * (p.x() - column) * lattice_.dx +
           surface_.slopes[i].y() * (p.y() - row) * lattice_.dy;
  }

  const Lattice& lattice_;
  const SurfaceSamples& surface_;
  double highest_;
  double volume_ = 0;  // over pixels
};

}  // namespace

double wet_volume(std::span<const Triangle> triangles, std::span<const Vec3> vertices,
                  const Lattice& lattice, const SurfaceSamples& surface) {
  WetSum sum(lattice, surface);
  for (const Triangle& t : triangles) sum.add({vertices[t[0]], vertices[t[1]], vertices[t[2]]});
  return sum.volume();
}

}  // namespace plimsoll
