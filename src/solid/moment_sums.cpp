// The sums have a fixed shape. Triangles fall into chunks of 4096, a chunk into 16 blocks of 32
// groups of eight. Triangle i of every group adds to virtual lane i of eight. A block's sums are
// added to the chunk's lane by lane; the lanes of all chunks then in order, as balls. The last one
// to eight triangles are copied to a group of their own, filled up with empty triangles, which
// counts as a chunk. Hence the result depends neither on the width of the vectors nor on the number
// of threads, nor on how the triangles are stored.
//
// Error: the terms' and the sums' roundings relative to the magnitude of what is summed are counted
// by evaluating the same code on growth.h. The magnitude of 2 D is sum |2 a_i| (|e_j f_k| + |e_k
// f_j|), which the kernel sums alongside. Those of p_i, q_i and r_i are at most W_i, the greatest
// |2 a_i| + |e_i| + |f_i| of any triangle, hence those of the first moments 3 W_i and of the second
// 3 W_i W_j times as large.
#include "solid/moment_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "solid/growth.h"
#include "solid/moment_kernel.h"

namespace plimsoll {
namespace {
#include "solid/tetrahedron_terms.inc"

constexpr std::size_t kParallelChunks = 8;  // 5 us each; waking a thread costs about as much

/// The triangles of a mesh as the kernel takes them: corners three scalars apart with one readable
/// behind, in whole groups, where they lie if possible and else copied.
class Groups {
 public:
  explicit Groups(const MeshView& mesh) : mesh_(mesh) {
    if (mesh.triangle_count() > 0) whole_ = (mesh.triangle_count() - 1) / kLanes * kLanes;
    if (mesh.stride() == 3) return;
    compact_.reserve(3 * mesh.vertex_count() + 1);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      const Vec3 p = mesh.vertex(v);
      compact_.insert(compact_.end(), {p.x(), p.y(), p.z()});
    }
    compact_.push_back(0);
  }

  /// Chunks of whole groups, and one for the rest if there is any.
  [[nodiscard]] std::size_t chunks() const {
    return (whole_ + kChunk - 1) / kChunk + (whole_ < mesh_.triangle_count());
  }

  /// Calls sum(corners, first) for a chunk, with corners of doubles or floats.
  template <class Sum>
  void visit(std::size_t chunk, const Sum& sum) const {
    const std::size_t first = chunk * kChunk;
    if (first >= whole_) {
      sum_copied(whole_, mesh_.triangle_count(), sum);
    } else if (!compact_.empty()) {
      sum(Corners<double>{compact_.data(), mesh_.indices(), whole_}, first);
    } else if (names_last_vertex(first)) {
      sum_copied(first, std::min(first + kChunk, whole_), sum);
    } else if (mesh_.doubles() != nullptr) {
      sum(Corners<double>{mesh_.doubles(), mesh_.indices(), whole_}, first);
    } else {
      sum(Corners<float>{mesh_.floats(), mesh_.indices(), whole_}, first);
    }
  }

 private:
  /// Whether a triangle of the chunk has a corner with nothing behind it.
  [[nodiscard]] bool names_last_vertex(std::size_t first) const {
    if (mesh_.is_packed()) return false;
    const auto last = static_cast<std::uint32_t>(mesh_.vertex_count() - 1);
    const std::size_t end = std::min(first + kChunk, whole_);
    std::uint32_t found = 0;  // no early exit: this way compilers use vectors
    for (std::size_t i = 3 * first; i < 3 * end; ++i) found |= mesh_.indices()[i] == last;
    return found != 0;
  }

  /// Sums a copy of triangles begin to end, the last group filled up with triangles whose corners
  /// coincide.
  template <class Sum>
  void sum_copied(std::size_t begin, std::size_t end, const Sum& sum) const {
    const std::size_t count = (end - begin + kLanes - 1) / kLanes * kLanes;
    std::vector<double> corners;
    corners.reserve(9 * count + 1);
    for (std::size_t i = 0; i < count; ++i) {
      const bool real = begin + i < end;
      const Triangle t = mesh_.triangle(real ? begin + i : begin);
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 p = mesh_.vertex(t[real ? k : 0]);
        corners.insert(corners.end(), {p.x(), p.y(), p.z()});
      }
    }
    corners.push_back(0);
    sum(Corners<double>{corners.data(), nullptr, count}, std::size_t{0});
  }

  const MeshView& mesh_;
  std::size_t whole_ = 0;
  std::vector<double> compact_;
};

/// Ten sums, their magnitude and W.
struct Totals {
  Ball sum[10];
  double magnitude = 0;
  double width[3] = {};
};

Totals total_of_lanes(const ChunkSums& lanes, Precision precision) {
  Totals totals;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (int i = 0; i < 10; ++i) {
      const double low = precision == Precision::kTight ? lanes.low[i][lane] : 0;
      totals.sum[i] = totals.sum[i] + Ball(lanes.high[i][lane], low, 0);
    }
    totals.magnitude += lanes.magnitude[lane];
    for (int i = 0; i < 3; ++i) totals.width[i] = std::fmax(totals.width[i], lanes.width[i][lane]);
  }
  return totals;
}

/// How much the kernel's sums may be off, in units of u (fast) or u^2 (tight) times the magnitude.
struct Growths {
  double term[10];
};
template <class Growth>
constexpr Growths kernel_growths(Growth input) {
  const Growth corner_and_edges[3] = {input, input, input};
  const TetrahedronTerms<Growth> terms =
      tetrahedron_terms(corner_and_edges, corner_and_edges, corner_and_edges);
  Growths growths{};
  for (int i = 0; i < 10; ++i) {
    const Growth of_block = accumulated(terms.sum[i], kBlockGroups);
    growths.term[i] = accumulated(of_block, kChunkBlocks).k;
  }
  return growths;
}
constexpr Growths kPlainGrowths = kernel_growths(PlainGrowth{1});  // differences: one rounding
constexpr Growths kDoubleDoubleGrowths = kernel_growths(DoubleDoubleGrowth{0, 1});  // exact pairs

/// Covers terms of higher order in u and the rounding of the magnitude itself, a sum of up to 512
/// terms in each lane and of up to 2^20 chunks: fewer than 2^22 roundings of relative size u.
constexpr double kSlack = 1 + 0x1p-30;

/// Adds to each sum's radius what the kernel may have lost.
void widen(Totals& totals, std::size_t triangles, Precision precision) {
  const bool tight = precision == Precision::kTight;
  const double unit = tight ? kUnitRoundoff * kUnitRoundoff : kUnitRoundoff;
  const Growths& growths = tight ? kDoubleDoubleGrowths : kPlainGrowths;
  const double* w = totals.width;
  // Error terms and products below 2^-1022 may vanish, each by less than 2^-1074 times W^4.
  const double widest = std::fmax(1.0, std::fmax(w[0], std::fmax(w[1], w[2])));
  const double vanished = static_cast<double>(triangles) * 0x1p-1060 * std::pow(widest, 4);
  for (int i = 0; i < 10; ++i) {
    double magnitude = totals.magnitude;
    if (i >= 4) {
      magnitude *= 3 * w[kSecondRow[i - 4]] * w[kSecondColumn[i - 4]];
    } else if (i >= 1) {
      magnitude *= 3 * w[i - 1];
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
  const Groups groups(mesh);
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
    for (int i = 0; i < 3; ++i) totals.width[i] = std::fmax(totals.width[i], chunk.width[i]);
  }
  widen(totals, mesh.triangle_count(), precision);
  return divided(totals.sum);
}

AreaSums sum_areas(const MeshView& mesh) {
  const Groups groups(mesh);
  std::vector<std::array<double, 4>> of_chunk(groups.chunks());
  parallel_for_each_index(of_chunk.size(), kParallelChunks, [&](std::size_t i) {
    ChunkSums lanes;
    groups.visit(
        i, [&](const auto& corners, std::size_t first) { sum_chunk_areas(corners, first, lanes); });
    of_chunk[i] = {};
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t lane = 0; lane < kLanes; ++lane) of_chunk[i][k] += lanes.high[k][lane];
  });
  Ball total[4];  // a million chunks' worth of plain additions would show
  for (const auto& chunk : of_chunk)
    for (std::size_t k = 0; k < 4; ++k) total[k] = total[k] + Ball(chunk[k]);
  return {total[0].rounded(), {total[1].rounded(), total[2].rounded(), total[3].rounded()}};
}

}  // namespace plimsoll
