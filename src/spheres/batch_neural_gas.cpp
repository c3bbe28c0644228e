// Each of T rounds moves the k centers w_i to
//
//   w_i = sum_j h(k_ij) v_j x_j / sum_j h(k_ij) v_j,  h(rank) = exp(-rank / lambda),
//   lambda = lambda_0 (0.01 / lambda_0)^(t / T),  lambda_0 = k / 2,
//
// x_j and v_j the center and the volume of sphere j, k_ij the number of centers that are nearer to
// x_j than w_i [Hammer2006; Weller2009, sec. 3.2]. The weight v_j is the control of magnification:
// large spheres attract more centers.
//
// A sample of a large set learns: the spheres at which the running sum of the volumes passes equal
// steps, each with the number of steps that it passes as its weight. A part of space then has the
// weight in the sample that it has in the set, to about one step.
#include "spheres/batch_neural_gas.h"

#include <plimsoll/assert.h>
#include <plimsoll/elementary.h>
#include <plimsoll/types.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/power_of_two.h"

namespace plimsoll {
namespace {

constexpr double kLastRange = 0.01;

/// Coordinates from a corner of the box around the centers, in units of its size; radii in units of
/// the largest.
struct Frame {
  Vec3 origin = Vec3::Zero();
  double per_length = 1;
  double largest_radius = 0;
  bool is_point = false;  ///< All centers are equal, as far as lengths have squares.

  explicit Frame(std::span<const PlacedSphere> spheres) {
    Box3 box;
    for (const PlacedSphere& sphere : spheres) {
      box.extend(sphere.center);
      largest_radius = std::max(largest_radius, sphere.radius);
    }
    origin = box.min();
    const double size = box.sizes().maxCoeff();
    is_point = !(size > 0x1p-1000);
    if (!is_point) per_length = times_power_of_two(1, -exponent_of(size));
  }

  [[nodiscard]] Vec3 place(const PlacedSphere& sphere) const {
    return (sphere.center - origin) * per_length;
  }
  /// The same factor of all volumes is left out.
  [[nodiscard]] double volume(const PlacedSphere& sphere) const {
    if (!(largest_radius > 0)) return 1;
    const double r = sphere.radius / largest_radius;
    return r * r * r;
  }
};

template <std::size_t count>
struct Centers {
  std::array<double, count> x{}, y{}, z{};

  [[nodiscard]] std::array<double, count> squared_distances(double px, double py, double pz) const {
    std::array<double, count> squared;
    for (std::size_t i = 0; i < count; ++i) {
      const double dx = x[i] - px, dy = y[i] - py, dz = z[i] - pz;
      squared[i] = dx * dx + dy * dy + dz * dz;
    }
    return squared;
  }
};

class Sample {
 public:
  Sample(std::span<const PlacedSphere> spheres, const Frame& frame) {
    if (spheres.size() <= BatchNeuralGas::kSampleSize) {
      for (const PlacedSphere& sphere : spheres) add(frame.place(sphere), frame.volume(sphere));
    } else {
      take_steps(spheres, frame);
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double x(std::size_t i) const { return x_[i]; }
  [[nodiscard]] double y(std::size_t i) const { return y_[i]; }
  [[nodiscard]] double z(std::size_t i) const { return z_[i]; }
  [[nodiscard]] double weight(std::size_t i) const { return weight_[i]; }

 private:
  void add(const Vec3& place, double weight) {
    x_[size_] = place[0];
    y_[size_] = place[1];
    z_[size_] = place[2];
    weight_[size_++] = weight;
  }

  void take_steps(std::span<const PlacedSphere> spheres, const Frame& frame) {
    double whole = 0;
    for (const PlacedSphere& sphere : spheres) whole += frame.volume(sphere);
    const double step = whole / BatchNeuralGas::kSampleSize;
    double sum = 0, passed = 0;
    for (const PlacedSphere& sphere : spheres) {
      sum += frame.volume(sphere);
      if (sum < (passed + 0.5) * step) continue;
      const double until = std::floor(sum / step + 0.5);
      add(frame.place(sphere), until - passed);
      passed = until;
      if (size_ == x_.size()) break;
    }
  }

  using Numbers = std::array<double, BatchNeuralGas::kSampleSize>;
  Numbers x_, y_, z_, weight_;
  std::size_t size_ = 0;
};

/// Centers at spheres that stand evenly in the sample.
template <std::size_t count>
Centers<count> first_centers(const Sample& sample) {
  Centers<count> centers;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = (2 * i + 1) * sample.size() / (2 * count);
    centers.x[i] = sample.x(at);
    centers.y[i] = sample.y(at);
    centers.z[i] = sample.z(at);
  }
  return centers;
}

/// How many values are less than each; of two that are equal the earlier one counts as less.
template <std::size_t count>
std::array<std::uint8_t, count> ranks(const std::array<double, count>& values) {
  std::array<std::uint8_t, count> ranks{};
  for (std::size_t i = 1; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const bool is_less = values[i] < values[j];  // else values[j] comes first
      ranks[j] += is_less;
      ranks[i] += !is_less;
    }
  return ranks;
}

template <std::size_t count>
Centers<count> moved(const Centers<count>& centers, const Sample& sample,
                     std::span<const double> pulls) {
  Centers<count> sums;
  std::array<double, count> weights{};
  for (std::size_t s = 0; s < sample.size(); ++s) {
    const double x = sample.x(s), y = sample.y(s), z = sample.z(s), weight = sample.weight(s);
    const auto rank = ranks(centers.squared_distances(x, y, z));
    for (std::size_t i = 0; i < count; ++i) {
      const double w = pulls[rank[i]] * weight;
      weights[i] += w;
      sums.x[i] += w * x;
      sums.y[i] += w * y;
      sums.z[i] += w * z;
    }
  }
  Centers<count> next = centers;  // what nothing pulls stays
  for (std::size_t i = 0; i < count; ++i) {
    if (!(weights[i] > 0)) continue;
    next.x[i] = sums.x[i] / weights[i];
    next.y[i] = sums.y[i] / weights[i];
    next.z[i] = sums.z[i] / weights[i];
  }
  return next;
}

/// The spheres of each cluster, and the sphere that is farthest from the center of its own.
template <std::size_t count>
struct Assignment {
  std::array<std::size_t, count> sizes{};
  std::size_t farthest = 0;
  double squared_distance = 0;

  [[nodiscard]] std::size_t empty_cluster() const {
    return std::find(sizes.begin(), sizes.end(), 0U) - sizes.begin();
  }
};

template <std::size_t count>
Assignment<count> assign(const Centers<count>& centers, std::span<const PlacedSphere> spheres,
                         const Frame& frame, std::span<std::uint8_t> clusters) {
  Assignment<count> assignment;
  for (std::size_t s = 0; s < spheres.size(); ++s) {
    const Vec3 place = frame.place(spheres[s]);
    const auto squared = centers.squared_distances(place[0], place[1], place[2]);
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < count; ++i)
      if (squared[i] < squared[nearest]) nearest = i;
    clusters[s] = static_cast<std::uint8_t>(nearest);
    ++assignment.sizes[nearest];
    if (squared[nearest] > assignment.squared_distance) {
      assignment.squared_distance = squared[nearest];
      assignment.farthest = s;
    }
  }
  return assignment;
}

/// The second half of the largest cluster, in the order of the spheres, becomes one of its own.
template <std::size_t count>
void halve_largest(Assignment<count>& assignment, std::span<std::uint8_t> clusters) {
  auto& sizes = assignment.sizes;
  const std::size_t empty = assignment.empty_cluster();
  const std::size_t largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  for (std::size_t s = clusters.size(); s > 0 && sizes[empty] < sizes[largest] - 1;) {
    --s;
    if (clusters[s] != largest) continue;
    clusters[s] = static_cast<std::uint8_t>(empty);
    ++sizes[empty];
    --sizes[largest];
  }
}

}  // namespace

BatchNeuralGas::BatchNeuralGas(std::size_t cluster_count) : cluster_count_(cluster_count) {
  PLIMSOLL_ASSERT(cluster_count >= 2 && cluster_count <= kMaxClusters, "not 2 to 16 clusters");
  const double first_range = static_cast<double>(cluster_count) / 2;
  for (std::size_t t = 0; t < kRounds; ++t) {
    const double range =
        first_range * elementary::pow(kLastRange / first_range, static_cast<double>(t) / kRounds);
    for (std::size_t rank = 0; rank < kMaxClusters; ++rank)
      pulls_[t][rank] = elementary::exp(-static_cast<double>(rank) / range);
  }
}

// An empty cluster is seeded again at the sphere that is farthest from its center. That sphere then
// stays with it, so that no cluster is seeded twice.
template <std::size_t count>
void BatchNeuralGas::cluster_into(std::span<const PlacedSphere> spheres,
                                  std::span<std::uint8_t> clusters) const {
  const Frame frame(spheres);
  const Sample sample(spheres, frame);
  Centers<count> centers = first_centers<count>(sample);
  if (!frame.is_point)
    for (const Pulls& pulls : pulls_) centers = moved(centers, sample, pulls);
  Assignment<count> assignment = assign(centers, spheres, frame, clusters);
  while (assignment.empty_cluster() < count && assignment.squared_distance > 0) {
    const std::size_t empty = assignment.empty_cluster();
    const Vec3 place = frame.place(spheres[assignment.farthest]);
    centers.x[empty] = place[0];
    centers.y[empty] = place[1];
    centers.z[empty] = place[2];
    assignment = assign(centers, spheres, frame, clusters);
  }
  while (assignment.empty_cluster() < count) halve_largest(assignment, clusters);
}

void BatchNeuralGas::cluster(std::span<const PlacedSphere> spheres,
                             std::span<std::uint8_t> clusters) const {
  PLIMSOLL_ASSERT(spheres.size() >= cluster_count_, "fewer spheres than clusters");
  PLIMSOLL_ASSERT(spheres.size() == clusters.size(), "one cluster for each sphere");
  const auto dispatch = [&]<std::size_t... less_2>(std::index_sequence<less_2...>) {
    (void)((cluster_count_ == less_2 + 2 && (cluster_into<less_2 + 2>(spheres, clusters), true)) ||
           ...);
  };
  dispatch(std::make_index_sequence<kMaxClusters - 1>());
}

}  // namespace plimsoll
