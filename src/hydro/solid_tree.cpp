// The public face of the moment tree: what lies wholly on one side, the walk for the rest, and the
// two kinds of sums put together.
#include <plimsoll/solid_tree.h>

#include <cmath>
#include <string>

#include "core/sole_owner.h"
#include "hydro/moment_tree.h"
#include "hydro/small_body.h"
#include "hydro/water_plane.h"
#include "hydro/water_work.h"
#include "mesh/cluster.h"
#include "mesh/trusted_mesh.h"
#include "shape/unit_of_length.h"

namespace plimsoll {
namespace {

std::size_t bytes(const auto& array) { return array.capacity() * sizeof(array[0]); }
std::size_t bytes(const SmallBody& body) {
  return sizeof(body) + bytes(body.blocks) + bytes(body.normals) + bytes(body.moments) +
         bytes(body.balls);
}

/// The form of it that is asked, if the body is small.
std::shared_ptr<const SmallBody> small_form(const MomentTree& tree) {
  if (tree.triangles->triangles > SmallBody::kMaxTriangles) return nullptr;
  return std::make_shared<const SmallBody>(make_small_body(tree));
}

}  // namespace

void add_wet_patch(const SurfaceMoments& patch, const Vec3& apex, WetTotals& totals) {
  WetVolume sums{totals[kWetVolume], Vec3::Map(&totals[kWetFirst])};
  add_wet_patch(patch, apex, sums);
  totals[kWetVolume] = sums.volume;
  Vec3::Map(&totals[kWetFirst]) = sums.first;
  totals[kWetArea] += 3 * patch.sum[kPatchArea];
}

Submersion submersion_of(const MomentTree& tree, const ClipPlane& plane,
                         const SubmersionParts& parts, TreeTotals& totals) {
  add_wet_patch(totals.wet, plane.apex, totals.clipped);
  return submersion_of(totals.clipped, tree.triangles->frame, plane, tree.whole, totals.additions,
                       parts);
}

SolidTree::SolidTree(const CheckedMesh& mesh) : SolidTree(MeshTree(mesh, TreeQuality::kBalanced)) {}

SolidTree::SolidTree(const MeshTree& triangles)
    : tree_(std::make_shared<MomentTree>(moment_tree_of(triangles.tree_))),
      small_(small_form(*tree_)) {}

Submersion SolidTree::submersion(const WaterPlane& water, const SubmersionParts& parts) const {
  std::uint64_t triangles = 0;
  return counted_submersion(*this, water, parts, triangles);
}

Submersion counted_submersion(const SolidTree& body, const WaterPlane& water,
                              const SubmersionParts& parts, std::uint64_t& triangles) {
  if (!is_plane(water)) return unknown_submersion();
  const MomentTree& tree = *body.tree_;
  if (body.small_) {
    triangles += tree.triangles->triangles;
    return small_body_submersion(*body.small_, water, parts);
  }
  const ClipPlane plane = clip_plane(water, tree.triangles->frame);
  TreeTotals totals;
  sum_wet_parts(tree, plane, parts.wetted_area, parts.waterplane, totals);
  triangles += TriangleTree::kLeafTriangles * totals.leaves;
  return submersion_of(tree, plane, parts, totals);
}

const TriangleTree& triangles_of(const SolidTree& solid) { return *solid.tree_->triangles; }

Result<void> SolidTree::refit(const CheckedMesh& mesh) {
  if (!is_sole_owner(tree_)) tree_ = std::make_shared<MomentTree>(*tree_);
  if (Result<void> refitted = plimsoll::refit(tree_->triangles, mesh.view()); !refitted)
    return refitted;
  find_moments(*tree_);
  small_ = small_form(*tree_);
  return {};
}

// A cell of the grid that the surface passes is left with a vertex, of which a surface has one for
// two triangles; a piece of plane of area S meets some 1.5 S / c^2 cells of side c.
std::optional<SolidTree> SolidTree::coarse(std::size_t triangles) const {
  const TriangleTree& tree = *tree_->triangles;
  if (tree.triangles == 0 || triangles == 0) return std::nullopt;
  TriangleMesh mesh;
  for (const VertexRow& v : tree.vertices)
    mesh.vertices.push_back(
        (tree.frame.center + Vec3(v.x[0], v.x[1], v.x[2])).unaryExpr([&](double x) {
          return std::ldexp(x, tree.frame.exponent);
        }));
  for (const TriangleTree::Leaf& leaf : tree.leaves)
    for (std::size_t t = 0; t < TriangleTree::kLeafTriangles; ++t)
      mesh.triangles.push_back({leaf.corner[0][t], leaf.corner[1][t], leaf.corner[2][t]});
  double doubled_area = 0;
  for (std::size_t k = 0; k < TriangleTree::kChildren; ++k)
    doubled_area += tree_->moments[k].sum[kPatchArea];
  const double cell = std::ldexp(std::sqrt(1.5 * doubled_area / static_cast<double>(triangles)),
                                 tree.frame.exponent);
  if (!(cell > 0)) return std::nullopt;
  const TriangleMesh fewer = cluster_vertices(mesh, cell);
  SolidTree result(trusted(fewer));
  const double ratio = result.signed_volume() / signed_volume();
  if (!(std::fabs(ratio - 1) <= 0.25) || 2 * result.triangle_count() > tree.triangles)
    return std::nullopt;
  return result;
}

SolidTree SolidTree::in_units_of(int exponent) const {
  SolidTree result = *this;
  const auto triangles = std::make_shared<TriangleTree>(*tree_->triangles);
  triangles->frame.exponent -= exponent;
  Box3& box = triangles->box;
  box = {times_power_of_two(box.min(), -exponent), times_power_of_two(box.max(), -exponent)};
  result.tree_ = std::make_shared<MomentTree>(*tree_);
  result.tree_->triangles = triangles;
  result.small_ = small_form(*result.tree_);
  return result;
}

double SolidTree::signed_volume() const {
  return std::ldexp(tree_->whole.volume / 6, 3 * tree_->triangles->frame.exponent);
}
Box3 SolidTree::box() const { return tree_->triangles->box; }
std::size_t SolidTree::triangle_count() const { return tree_->triangles->triangles; }
std::size_t SolidTree::memory() const {
  std::size_t all = sizeof(*tree_) + bytes(tree_->moments) + memory_of(*tree_->triangles);
  if (small_) all += bytes(*small_);
  if (const SpanningMoments* spanning = tree_->spanning->made()) all += spanning->memory();
  if (const std::vector<AreaParts>* areas = tree_->areas->made()) all += bytes(*areas);
  return all;
}

}  // namespace plimsoll
