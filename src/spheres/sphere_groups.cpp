#include "spheres/sphere_groups.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/no_index.h"
#include "core/parallel.h"
#include "core/power_of_two.h"
#include "spheres/enclosing_ball.h"

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// A node, the box around the centers below it, and the largest radius that is taken there.
struct Bounds {
  Box3 box{};
  double radius = -kInfinite;  ///< None so far.

  /// No sphere that was taken below is nearer to the point.
  [[nodiscard]] double gap(const Vec3& point) const {
    return std::sqrt(box.squaredExteriorDistance(point)) * (1 - 0x1p-50) - radius;
  }
};

}  // namespace

SphereGroups::SphereGroups(const HierarchyLayout& layout)
    : branching_(layout.branching),
      nodes_(layout.children.size()),
      leaves_(layout.spheres.size()),
      order_(layout.spheres.size()) {
  std::uint32_t next = 1;
  std::size_t leaf = 0;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    node.children = layout.children[i];
    if (node.children == 0) {
      node.first = layout.spheres[leaf++];
      node.end = 1;  // how many spheres, until places are known
      leaves_[node.first] = i;
      continue;
    }
    node.first = next;
    for (std::uint32_t k = 0; k < node.children; ++k) nodes_[next++].parent = i;
  }
  for (std::size_t i = nodes_.size(); i > 1;) {
    const Node& node = nodes_[--i];
    nodes_[node.parent].end += node.end;
  }
  for (const Node& node : nodes_) {
    if (node.children == 0) order_[node.begin] = node.first;
    std::uint32_t begin = node.begin;
    for (std::uint32_t k = 0; k < node.children; ++k) {
      Node& child = nodes_[node.first + k];
      child.begin = begin;
      begin = child.end += begin;
    }
  }
}

std::vector<double> SphereGroups::radii_in_turn(std::span<const Vec3> centers,
                                                std::span<const double> depths,
                                                std::span<const double> first_radii) const {
  std::vector<Bounds> bounds(nodes_.size());
  for (std::size_t i = nodes_.size(); i > 0;) {
    const Node& node = nodes_[--i];
    if (node.children == 0) bounds[i].box.extend(centers[node.first]);
    if (i > 0) bounds[node.parent].box.extend(bounds[i].box);
  }
  std::vector<std::pair<double, std::uint32_t>> waiting;
  const auto room = [&](std::uint32_t sphere, double limit) {
    waiting.assign(1, {bounds[0].gap(centers[sphere]), 0});
    while (!waiting.empty() && limit > 0) {
      const auto [gap, number] = waiting.back();
      waiting.pop_back();
      if (!(gap < limit) || number == leaves_[sphere]) continue;
      const Node& node = nodes_[number];
      if (node.children == 0) {
        limit = gap;
        continue;
      }
      const auto from = static_cast<std::ptrdiff_t>(waiting.size());
      for (std::uint32_t k = node.first; k < node.first + node.children; ++k)
        if (const double below = bounds[k].gap(centers[sphere]); below < limit)
          waiting.emplace_back(below, k);
      std::sort(waiting.begin() + from, waiting.end(), std::greater<>());  // the nearest is next
    }
    return limit;
  };
  std::vector<double> radii(centers.size());
  for (const bool is_first : {true, false})
    for (std::uint32_t sphere = 0; sphere < centers.size(); ++sphere) {
      const double limit =
          is_first ? std::min(depths[sphere], first_radii[sphere]) : depths[sphere];
      if (!(limit > radii[sphere])) continue;
      const double radius = room(sphere, limit);
      if (!(radius > radii[sphere])) continue;
      radii[sphere] = radius;
      bounds[0].radius = std::max(bounds[0].radius, radius);
      for (std::uint32_t i = leaves_[sphere]; i > 0; i = nodes_[i].parent)
        bounds[i].radius = std::max(bounds[i].radius, radius);
    }
  return radii;
}

HierarchyLayout SphereGroups::layout_of_present(std::span<const PlacedSphere> spheres) const {
  // Counts of those present, before each place of the order.
  std::vector<std::uint32_t> before(order_.size() + 1), numbers(spheres.size(), kNoIndex);
  std::vector<PlacedSphere> present;
  double size = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const PlacedSphere& sphere = spheres[order_[i]];
    if (sphere.radius > 0) present.push_back(sphere);
    if (sphere.radius > 0) size = std::max({size, sphere.center.lpNorm<1>(), sphere.radius});
    before[i + 1] = static_cast<std::uint32_t>(present.size());
  }
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    if (spheres[i].radius > 0) numbers[i] = next++;

  const auto count = [&](std::uint32_t i) {
    return before[nodes_[i].end] - before[nodes_[i].begin];
  };
  const auto branching_point = [&](std::uint32_t i) {
    while (nodes_[i].children > 0) {
      std::uint32_t child = nodes_[i].first;
      while (count(child) == 0) ++child;
      if (count(child) < count(i)) break;
      i = child;
    }
    return i;
  };
  HierarchyLayout layout;
  layout.branching = branching_;
  std::vector<std::uint32_t> inner;
  std::vector<std::uint32_t> level{branching_point(0)};
  for (std::size_t k = 0; k < level.size(); ++k) {
    const Node& node = nodes_[level[k]];
    const std::size_t known = level.size();
    for (std::uint32_t i = node.first; i < node.first + node.children; ++i)
      if (count(i) > 0) level.push_back(branching_point(i));
    layout.children.push_back(static_cast<std::uint8_t>(level.size() - known));
    if (node.children == 0)
      layout.spheres.push_back(numbers[node.first]);
    else
      inner.push_back(level[k]);
  }
  // Balls are found in units in which the largest length is about 1.
  const int exponent = exponent_of(size);
  for (PlacedSphere& sphere : present) {
    for (double& x : sphere.center) x = times_power_of_two(x, -exponent);
    sphere.radius = times_power_of_two(sphere.radius, -exponent);
  }
  layout.centers.resize(inner.size());
  parallel_for_each_index(inner.size(), [&](std::size_t k) {
    const std::uint32_t begin = before[nodes_[inner[k]].begin];
    Vec3& center = layout.centers[k];
    center = smallest_enclosing_ball(std::span(present).subspan(begin, count(inner[k]))).center;
    for (double& x : center) x = times_power_of_two(x, exponent);
  });
  return layout;
}

}  // namespace plimsoll
