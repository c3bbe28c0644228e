// Triangles clipped one by one, all of them: for a single plane, or a mesh that deforms.
#include <plimsoll/submersion.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "hydro/clip_kernel.h"
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

/// Six times the signed volume about the center of the frame: D there is (apex + a) . N.
double whole_volume(const WetTotals& totals, const ClipPlane& plane) {
  const Vec3 normal(totals[kWholeNormal], totals[kWholeNormal + 1], totals[kWholeNormal + 2]);
  return totals[kWholeVolume] + plane.apex.dot(normal);
}

}  // namespace

Submersion submersion(const CheckedMesh& checked, const WaterPlane& water) {
  if (!is_plane(water)) return unknown_submersion();
  const MeshView& mesh = checked.view();
  const BodyFrame frame = body_frame(body_box(mesh));
  const ClipPlane plane = clip_plane(water, frame);
  std::size_t chunks = 0;
  TriangleMesh scaled;
  if (frame.exponent != 0) scaled = rescaled(mesh, frame.exponent);
  const WetTotals totals = totals_of(frame.exponent == 0 ? mesh : MeshView(scaled), plane, chunks);
  const WholeBody whole{whole_volume(totals, plane), totals[kMagnitude]};
  return submersion_of(totals, frame, plane, whole, kBlockGroups + kChunkBlocks + kLanes + chunks);
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
