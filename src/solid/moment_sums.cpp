// The sums have a fixed shape. Triangles fall into chunks of 4096, a chunk into 16 blocks of 32
// groups of eight. Triangle i of every group adds to virtual lane i of eight. A block's sums are
// added to the chunk's lane by lane, then the lanes, then the chunks in order, as balls. The last
// one to eight triangles are copied to a group of their own, filled up with empty triangles, which
// counts as a chunk. Hence the result depends neither on the width of the vectors nor on the number
// of threads, nor on how the triangles are stored.
//
// Error: the terms' and the sums' roundings relative to the magnitude of what is summed are counted
// by evaluating the same code on growth.h. The magnitude of 2 D is sum |2 a_i| (|e_j f_k| + |e_k
// f_j|), which the kernel sums alongside. The kernel also finds P_i^2, the greatest p_i^2 + q_i^2 +
// r_i^2 of any triangle; by Cauchy and Schwarz |p_i| + |q_i| + |r_i| <= sqrt(3) P_i and |p_i p_j| +
// |q_i q_j| + |r_i r_j| <= P_i P_j, which are the magnitudes of the other factors.
#include "solid/moment_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "simd/kernel.h"
#include "solid/growth.h"
#include "solid/moment_kernel.h"

namespace plimsoll {
namespace {
#include "solid/tetrahedron_terms.inc"

/// What the kernel asks of each triangle.
bool may_have_no_area(const MeshView& mesh, std::size_t t) {
  const Triangle v = mesh.triangle(t);
  const Vec3 a = mesh.vertex(v[0]);
  const Vec3 e = mesh.vertex(v[1]) - a;
  const Vec3 f = mesh.vertex(v[2]) - a;
  return !(e.cross(f).squaredNorm() > kNarrow * e.squaredNorm() * f.squaredNorm());
}

/// Ten sums, their magnitude and P^2.
struct Totals {
  Ball sum[10];
  double magnitude = 0;
  double square[3] = {};
};

/// The lanes' sums one after another, as the kernel adds double-doubles: balls would cost more than
/// the kernel does.
Totals total_of_lanes(const ChunkSums& lanes, Precision precision) {
  Totals totals;
  for (int i = 0; i < 10; ++i) {
    double high = 0;
    double low = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      double error = 0;
      two_sum(high, lanes.high[i][lane], high, error);
      low += error + (precision == Precision::kTight ? lanes.low[i][lane] : 0);
    }
    totals.sum[i] = Ball(high, low, 0);
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    totals.magnitude += lanes.magnitude[lane];
    for (int i = 0; i < 3; ++i)
      totals.square[i] = std::fmax(totals.square[i], lanes.square[i][lane]);
  }
  return totals;
}

/// How much the kernel's sums may be off, in units of u (fast) or u^2 (tight) times the magnitude.
struct Growths {
  double term[10];
};
template <class Growth>
constexpr Growths kernel_growths(Growth difference, Growth midpoint) {
  const Growth corner_or_edge[3] = {difference, difference, difference};
  const Growth d = doubled_volume(corner_or_edge, corner_or_edge, corner_or_edge);
  const DoubledMidpoints<Growth> midpoints = {{midpoint, midpoint, midpoint},
                                              {midpoint, midpoint, midpoint},
                                              {midpoint, midpoint, midpoint}};
  const TetrahedronTerms<Growth> terms = tetrahedron_terms(d, midpoints);
  Growths growths{};
  for (int i = 0; i < 10; ++i) {
    const Growth of_block = accumulated(terms.sum[i], kBlockGroups);
    const Growth of_lane = accumulated(of_block, kChunkBlocks);
    growths.term[i] = accumulated(of_lane, kLanes).k;
  }
  return growths;
}
// Corners and edges are differences of given numbers: one rounding in plain double, none as a pair
// (h, l) with |l| <= u |h|. The midpoints are sums of them, whose errors count in P_i:
//
//   |2 a| = |p + q - r| <= sqrt(3) P,   |e| = |r - q| <= sqrt(2) P,   |f| <= sqrt(2) P,
//
// so that in plain double p and q are off by at most (sqrt(3) + sqrt(2) + 1) u P and r = p + f by
// sqrt(2) + 1 more, below 7 u P. As pairs, |l| is below 7 u P likewise, and the sums of the l round
// by less than 20 u^2 P [4.2 + 3.2 and 5.6 + 6.6]. Errors of at most g P in each of p, q, r change
// p + q + r by 3 g P, and p_i p_j + q_i q_j + r_i r_j by 2 sqrt(3) g P_i P_j (first order): as if
// each were off by sqrt(3) g relative to the magnitudes above. sqrt(3) 7 < 13 and sqrt(3) 20 < 35.
constexpr Growths kPlainGrowths = kernel_growths(PlainGrowth{1}, PlainGrowth{13});
constexpr Growths kDoubleDoubleGrowths =
    kernel_growths(DoubleDoubleGrowth{0, 1}, DoubleDoubleGrowth{35, 13});

/// Covers terms of higher order in u and the rounding of the magnitude itself, a sum of up to 512
/// terms in each lane and of up to 2^20 chunks: fewer than 2^22 roundings of relative size u.
constexpr double kSlack = 1 + 0x1p-30;
constexpr double kRootOfThree = 1.7320508075688774;  // rounded up

/// Adds to each sum's radius what the kernel may have lost.
void widen(Totals& totals, std::size_t triangles, Precision precision) {
  const bool tight = precision == Precision::kTight;
  const double unit = tight ? kUnitRoundoff * kUnitRoundoff : kUnitRoundoff;
  const Growths& growths = tight ? kDoubleDoubleGrowths : kPlainGrowths;
  double p[3];  // what underflow may have taken from the squares is put back
  for (int i = 0; i < 3; ++i) p[i] = std::sqrt(totals.square[i] + 0x1p-1070);
  // Error terms and products below 2^-1022 may vanish, each by less than 2^-1074 times P^4.
  const double widest = std::fmax(1.0, std::fmax(p[0], std::fmax(p[1], p[2])));
  const double vanished =
      static_cast<double>(triangles) * 0x1p-1060 * widest * widest * widest * widest;
  for (int i = 0; i < 10; ++i) {
    double magnitude = totals.magnitude;
    if (i >= 4) {
      magnitude *= p[kSecondRow[i - 4]] * p[kSecondColumn[i - 4]];
    } else if (i >= 1) {
      magnitude *= kRootOfThree * p[i - 1];
    }
    totals.sum[i].rad += (growths.term[i] * unit * magnitude * kSlack + vanished) * Ball::kUp;
  }
}

Moments divided(const Ball (&sum)[10]) {
  Moments m;
  m.volume = sum[0] / Ball(12);
  for (int i = 0; i < 3; ++i) m.first[i] = sum[1 + i] / Ball(96);
  for (int i = 0; i < 6; ++i) m.second[i] = sum[4 + i] / Ball(240);
  return m;
}

}  // namespace

Moments sum_moments(const MeshView& mesh, const Vec3& apex, Precision precision) {
  const TriangleGroups groups(mesh);
  std::vector<Totals> of_chunk(groups.chunks());
  parallel_for_each_index(of_chunk.size(), kParallelChunks, [&](std::size_t i) {
    ChunkSums lanes;
    groups.visit(i, [&](const auto& corners, std::size_t first) {
      sum_chunk(corners, first, apex, precision, lanes);
    });
    of_chunk[i] = total_of_lanes(lanes, precision);
  });
  Totals totals;
  for (const Totals& chunk : of_chunk) {
    for (int i = 0; i < 10; ++i) totals.sum[i] = totals.sum[i] + chunk.sum[i];
    totals.magnitude += chunk.magnitude;
    for (int i = 0; i < 3; ++i) totals.square[i] = std::fmax(totals.square[i], chunk.square[i]);
  }
  widen(totals, mesh.triangle_count(), precision);
  return divided(totals.sum);
}

AreaSums sum_areas(const MeshView& mesh) {
  const TriangleGroups groups(mesh);
  std::vector<std::array<double, 5>> of_chunk(groups.chunks());
  parallel_for_each_index(of_chunk.size(), kParallelChunks, [&](std::size_t i) {
    ChunkSums lanes;
    groups.visit(
        i, [&](const auto& corners, std::size_t first) { sum_chunk_areas(corners, first, lanes); });
    of_chunk[i] = {};
    for (std::size_t k = 0; k < of_chunk[i].size(); ++k)
      for (std::size_t lane = 0; lane < kLanes; ++lane) of_chunk[i][k] += lanes.high[k][lane];
  });
  AreaSums sums;
  Ball total[4];  // a million chunks' worth of plain additions would show
  for (std::size_t i = 0; i < of_chunk.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) total[k] = total[k] + Ball(of_chunk[i][k]);
    if (of_chunk[i][4] == 0) continue;
    const auto [begin, end] = groups.range(i);
    for (std::size_t t = begin; t < end; ++t)
      if (may_have_no_area(mesh, t)) sums.narrow.push_back(static_cast<std::uint32_t>(t));
  }
  sums.doubled_area = total[0].rounded();
  sums.normal_sum = {total[1].rounded(), total[2].rounded(), total[3].rounded()};
  return sums;
}

}  // namespace plimsoll
