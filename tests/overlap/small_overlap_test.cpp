// Small overlaps of bodies of many triangles: what is far from them leaves no rounding behind.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "overlap/overlap_checks.h"
#include "overlap/solid_sums.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using test::solid;

/// The triangles within two edges of a vertex, and a cone that closes them, with its apex under the
/// vertex.
TriangleMesh cap_around(const TriangleMesh& mesh, std::uint32_t vertex) {
  std::vector<char> is_near(mesh.vertices.size(), 0);
  const auto has_near = [&](const Triangle& t) {
    return std::any_of(t.begin(), t.end(), [&](std::uint32_t v) { return is_near[v] != 0; });
  };
  is_near[vertex] = 1;
  std::vector<std::uint32_t> ring;
  for (const Triangle& t : mesh.triangles)
    if (has_near(t)) ring.insert(ring.end(), t.begin(), t.end());
  for (const std::uint32_t v : ring) is_near[v] = 1;
  TriangleMesh cap{mesh.vertices, {}};
  const auto apex = static_cast<std::uint32_t>(cap.vertices.size());
  cap.vertices.push_back(0.95 * mesh.vertices[vertex]);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> runs;
  for (const Triangle& t : mesh.triangles) {
    if (!has_near(t)) continue;
    cap.triangles.push_back(t);
    for (std::size_t k = 0; k < 3; ++k) ++runs[{t[k], t[(k + 1) % 3]}];
  }
  for (const auto& [edge, count] : runs)
    if (!runs.contains({edge.second, edge.first}))
      cap.triangles.push_back({edge.second, edge.first, apex});
  return cap;
}

// A small tetrahedron holds a vertex of a ball of 82,000 triangles, and crosses none but the
// triangles around it. The sums that hang on its edges reach over the ball; those of a cap of the
// same triangles do not. Sums of doubles alone would be off by some 1e-18, more than the bounds.
TEST_CASE("the rest of a large body changes a small overlap by no more than the bounds") {
  const TriangleMesh ball = make_icosphere(1, 6);
  const SolidTree large = solid(ball);
  OverlapSearch search;
  Random random(412);
  double widest = 0;
  for (int n = 0; n < 40; ++n) {
    CAPTURE(n);
    const auto vertex = static_cast<std::uint32_t>(random.below(ball.vertices.size()));
    const SolidTree small = solid(cap_around(ball, vertex));
    const SolidTree needle = solid({{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
                                    {{0, 1, 3}, {0, 2, 1}, {0, 3, 2}, {1, 2, 3}}});
    Similarity pose = test::random_similarity(random, 0, 0.0015);
    pose.translation() = ball.vertices[vertex];
    const Similarity here = Similarity::Identity();
    const Result<Overlap> of_large = search.overlap(large, here, needle, pose);
    const Result<Overlap> of_small = search.overlap(small, here, needle, pose);
    REQUIRE(of_large);
    REQUIRE(of_small);
    CHECK(of_large->volume > 0);
    CHECK(std::fabs(of_large->curve_length - of_small->curve_length) <=
          1e-14 * of_small->curve_length);  // the same segments in another order
    CHECK(std::fabs(of_large->volume - of_small->volume) <=
          of_large->volume_error + of_small->volume_error);
    widest = std::max(widest, of_large->volume_error);
  }
  CHECK(widest < 4e-18);  // else this shows nothing
}

// Moments that are powers of two: what is summed is exact, and tells which of them are in it.
TEST_CASE("moments of what is whole are summed one by one, with the size of what makes a volume") {
  WideMoments moments;
  for (std::size_t i = 0; i < kPatchSums; ++i) {
    moments.high[i] = std::ldexp(i % 2 == 0 ? 1 : -1, static_cast<int>(i));
    moments.low[i] = 0x1p-60F * static_cast<float>(i + 1);  // of `high`
  }
  WindingSums sums;
  CHECK(sums.is_empty);
  sums.add(-3, moments);
  sums.add(1, moments);
  CHECK_FALSE(sums.is_empty);
  for (std::size_t i = 0; i < kPatchSums; ++i) {
    CHECK(sums.high[i] == -2 * moments.high[i]);
    CHECK(sums.low[i] == -2 * moments.high[i] * double{moments.low[i]});
  }
  // The volume is of x N_x, y N_y and z N_z, on the diagonal of nine products.
  CHECK(sums.size_x18 == 4 * (0x1p0 + 0x1p4 + 0x1p8));
  for (int i = 0; i < 3; ++i) CHECK(sums.normal_size[i] == 4 * std::ldexp(1, kPatchNormal + i));
}

}  // namespace
}  // namespace plimsoll
