// Triangles clipped one by one, all of them: for a single plane, or a mesh that deforms.
#include <plimsoll/submersion.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "hydro/clip_kernel.h"
#include "hydro/small_body.h"
#include "hydro/water_plane.h"
#include "mesh/edges.h"
#include "mesh/trusted_mesh.h"
#include "solid/framed_moments.h"

namespace plimsoll {
namespace {

/// The box of all vertices, in the order of memory: a third of the time that bounding_box() takes.
/// Where some might be far away, or not numbers, and no triangle's, that is asked.
Box3 body_box(const MeshView& mesh) {
  if (mesh.triangle_count() == 0) return {};
  Vec3 low = mesh.vertex(mesh.triangle(0)[0]);
  Vec3 high = low;
  Vec3 sum = low;  // not finite if any is not
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 x = mesh.vertex(v);
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
    sum += x;
  }
  constexpr double kFar = 1e3;  // sizes; that much of the nearness of heights is to spare
  const Box3 all(low, high);
  const Box3 sampled = sampled_box(mesh);
  const bool is_tight = sum.allFinite() && !sampled.isEmpty() &&
                        all.sizes().maxCoeff() <= kFar * sampled.sizes().maxCoeff();
  return is_tight ? all : bounding_box(mesh);
}

WetTotals totals_of(const MeshView& mesh, const ClipPlane& plane, std::size_t& chunks) {
  const TriangleGroups groups(mesh);
  chunks = groups.chunks();
  std::vector<WetTotals> of_chunk(chunks);
  parallel_for_each_index(chunks, kParallelChunks, [&](std::size_t i) {
    WetLanes lanes;
    groups.visit(i, [&](const auto& corners, std::size_t first) {
      clip_chunk(corners, first, plane, lanes);
    });
    of_chunk[i] = {};
    add_lanes(lanes, of_chunk[i]);
  });
  WetTotals totals{};
  for (const WetTotals& chunk : of_chunk)
    for (std::size_t i = 0; i < kWetSums; ++i) totals[i] += chunk[i];
  return totals;
}

/// Few triangles, as given; points, which add nothing, fill the last block.
struct FewTriangles {
  /// Beyond, reading them in vectors is faster.
  static constexpr std::size_t kMax = 64;

  std::array<CornerBlock, kMax / kLanes> blocks;
  std::size_t count;  // of blocks

  explicit FewTriangles(const MeshView& mesh)
      : count((mesh.triangle_count() + kLanes - 1) / kLanes) {
    mesh.doubles() != nullptr ? fill(mesh, mesh.doubles()) : fill(mesh, mesh.floats());
  }

 private:
  template <class Scalar>
  void fill(const MeshView& mesh, const Scalar* coordinates) {
    for (std::size_t t = 0; t < kLanes * count; ++t) {
      const bool is_real = t < mesh.triangle_count();
      const Triangle corners = mesh.triangle(is_real ? t : 0);
      for (std::size_t k = 0; k < 3; ++k) {
        const Scalar* x = coordinates + mesh.stride() * corners[is_real ? k : 0];
        for (std::size_t i = 0; i < 3; ++i)
          blocks[t / kLanes].corner[k][i][t % kLanes] = static_cast<double>(x[i]);
      }
    }
  }
};

}  // namespace

Submersion submersion(const CheckedMesh& checked, const WaterPlane& water) {
  if (!is_plane(water)) return unknown_submersion();
  const MeshView& mesh = checked.view();
  if (mesh.triangle_count() <= FewTriangles::kMax) {
    FewTriangles few(mesh);
    return blocks_submersion(few.blocks.data(), few.count, water);
  }
  const BodyFrame frame = body_frame(body_box(mesh));
  const ClipPlane plane = clip_plane(water, frame);
  std::size_t chunks = 0;
  TriangleMesh scaled;
  if (frame.exponent != 0) scaled = rescaled(mesh, frame.exponent);
  const WetTotals totals = totals_of(frame.exponent == 0 ? mesh : MeshView(scaled), plane, chunks);
  return submersion_of(totals, frame, plane, whole_body(totals, plane),
                       kBlockGroups + kChunkBlocks + kLanes + chunks);
}

std::vector<Vec3> rim_points(const CheckedMesh& checked) {
  const MeshView& mesh = checked.view();
  const Edges edges = find_edges(mesh);
  std::vector<std::uint32_t> corners;
  for (const auto* faulty : {&edges.boundary, &edges.inconsistent, &edges.unbalanced})
    for (const std::uint32_t h : *faulty) {
      corners.push_back(start_of(mesh, h));
      corners.push_back(end_of(mesh, h));
    }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  std::vector<Vec3> points;
  points.reserve(corners.size());
  for (const std::uint32_t v : corners) points.push_back(mesh.vertex(v));
  return points;
}

std::optional<double> rim_height(const CheckedMesh& mesh, const WaterPlane& water) {
  const double length = water.normal.stableNorm();
  std::optional<double> lowest;
  for (const Vec3& p : rim_points(mesh)) {
    const double height = (water.normal / length).dot(p) - water.offset / length;
    lowest = std::min(lowest.value_or(height), height);
  }
  return lowest;
}

}  // namespace plimsoll
