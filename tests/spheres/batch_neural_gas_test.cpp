#include "spheres/batch_neural_gas.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ball_cases.h"

namespace plimsoll {
namespace {

using Clusters = std::vector<std::uint8_t>;

Clusters clusters_of(const std::vector<PlacedSphere>& spheres, std::size_t count) {
  Clusters clusters(spheres.size());
  BatchNeuralGas(count).cluster(spheres, clusters);
  return clusters;
}

std::vector<std::size_t> sizes_of(const Clusters& clusters, std::size_t count) {
  std::vector<std::size_t> sizes(count);
  for (const std::uint8_t cluster : clusters) ++sizes.at(cluster);
  return sizes;
}

/// The formula, with sorted centers, for all spheres.
Clusters by_definition(const std::vector<PlacedSphere>& spheres, std::size_t count) {
  std::vector<Vec3> centers;
  for (std::size_t i = 0; i < count; ++i)
    centers.push_back(spheres[(2 * i + 1) * spheres.size() / (2 * count)].center);
  const auto by_distance = [&](const Vec3& x) {
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return (centers[i] - x).norm() < (centers[j] - x).norm();
    });
    return order;
  };
  const double first = 0.5 * static_cast<double>(count), rounds = BatchNeuralGas::kRounds;
  for (double t = 0; t < rounds; ++t) {
    const double lambda = first * std::pow(0.01 / first, t / rounds);
    std::vector<Vec3> sums(count, Vec3::Zero());
    std::vector<double> weights(count);
    for (const PlacedSphere& sphere : spheres) {
      const auto order = by_distance(sphere.center);
      for (std::size_t rank = 0; rank < count; ++rank) {
        const double w = std::exp(-static_cast<double>(rank) / lambda) * std::pow(sphere.radius, 3);
        sums[order[rank]] += w * sphere.center;
        weights[order[rank]] += w;
      }
    }
    for (std::size_t i = 0; i < count; ++i) centers[i] = sums[i] / weights[i];
  }
  Clusters clusters;
  for (const PlacedSphere& sphere : spheres)
    clusters.push_back(static_cast<std::uint8_t>(by_distance(sphere.center)[0]));
  return clusters;
}

// Random centers have no ties that rounding decides.
TEST_CASE("clusters are those of the definition") {
  Random random(1);
  for (std::size_t count = 2; count <= 16; ++count) {
    const std::vector<PlacedSphere> spheres =
        test::ball_case(random, 0, std::min<std::size_t>(40 + 6 * count, 128));
    const Clusters expected = by_definition(spheres, count);
    const std::vector<std::size_t> sizes = sizes_of(expected, count);
    REQUIRE(std::find(sizes.begin(), sizes.end(), 0U) == sizes.end());
    CHECK(clusters_of(spheres, count) == expected);
  }
}

// More spheres than the centers are learned from.
TEST_CASE("heaps far from each other are the clusters") {
  Random random(2);
  std::vector<PlacedSphere> spheres;
  for (std::size_t i = 0; i < 4000; ++i) {
    const std::size_t heap = random.below(4);
    const Vec3 middle(heap == 1 ? 9 : 0, heap == 2 ? 9 : 0, heap == 3 ? 9 : 0);
    spheres.push_back({middle + test::point_in_cube(random), random.uniform(0.1, 0.2)});
  }
  const Clusters clusters = clusters_of(spheres, 4);
  for (std::size_t i = 0; i < spheres.size(); ++i)
    for (std::size_t j = 0; j < 20; ++j)
      REQUIRE((clusters[i] == clusters[j]) == ((spheres[i].center - spheres[j].center).norm() < 4));
}

// A thousand small spheres have 1e-6 of the volume of one large one.
TEST_CASE("the volume attracts centers, not the number of spheres") {
  Random random(3);
  std::vector<PlacedSphere> spheres = {
      {{4, 0, 0}, 1}, {{-4, 0, 0}, 1}, {{0, 4, 0}, 1}, {{0, -4, 0}, 1}};
  for (int i = 0; i < 1000; ++i)
    spheres.push_back({Vec3(0.1, 0.2, 4) + test::point_in_cube(random), 1e-3});
  Clusters clusters = clusters_of(spheres, 4);
  clusters.resize(4);
  std::sort(clusters.begin(), clusters.end());
  CHECK(clusters == Clusters{0, 1, 2, 3});
}

TEST_CASE("no cluster is empty") {
  Random random(4);
  for (std::size_t count = 2; count <= 16; ++count)
    for (int kind = 0; kind < test::kBallCaseKinds; ++kind) {
      CAPTURE(count);
      CAPTURE(kind);
      const std::size_t spheres = count + random.below(400);
      const auto sizes =
          sizes_of(clusters_of(test::ball_case(random, kind, spheres), count), count);
      CHECK(*std::min_element(sizes.begin(), sizes.end()) > 0);
    }
}

TEST_CASE("spheres at one place are shared out") {
  const std::vector<PlacedSphere> spheres(1000, PlacedSphere{{1, 2, 3}, 0.5});
  CHECK(sizes_of(clusters_of(spheres, 4), 4) == std::vector<std::size_t>(4, 250));
}

// One large sphere draws all centers to itself: what lies farthest gets the clusters that are left.
TEST_CASE("an empty cluster is seeded at the farthest sphere") {
  std::vector<PlacedSphere> spheres = {{{0, 0, 0}, 1}};
  for (int i = 1; i < 40; ++i) spheres.push_back({Vec3(3 + 1e-3 * i, 0, 0), 0});
  for (int i = 1; i < 40; ++i) spheres.push_back({Vec3(0, 4 + 1e-3 * i, 0), 0});
  const Clusters clusters = clusters_of(spheres, 3);
  CHECK(clusters[0] != clusters[1]);
  CHECK(clusters[0] != clusters[40]);
  CHECK(clusters[1] != clusters[40]);
  CHECK(clusters[1] == clusters[39]);
  CHECK(clusters[40] == clusters[78]);
}

// Powers of two change no rounding.
TEST_CASE("clusters are the same at any scale") {
  Random random(5);
  for (const std::size_t size : {100U, 1000U}) {
    std::vector<PlacedSphere> spheres = test::ball_case(random, 6, size);
    const Clusters expected = clusters_of(spheres, 4);
    for (const int exponent : {-900, -200, 200, 480}) {
      std::vector<PlacedSphere> scaled = spheres;
      for (PlacedSphere& sphere : scaled)
        sphere = {sphere.center * std::ldexp(1, exponent), std::ldexp(sphere.radius, exponent)};
      CHECK(clusters_of(scaled, 4) == expected);
    }
  }
}

}  // namespace
}  // namespace plimsoll
