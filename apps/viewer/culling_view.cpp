#include "culling_view.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::viewer {
namespace {

// What is left to the frames between, so that a machine which takes long still draws.
constexpr double kEvery = 0.25;  // [s]
constexpr double kRest = 5;      // times what the last took

std::size_t count_of(const std::vector<std::vector<std::uint32_t>>& triangles) {
  std::size_t count = 0;
  for (const std::vector<std::uint32_t>& of : triangles) count += of.size();
  return count;
}

void append(TriangleMesh& to, const TriangleMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  to.vertices.insert(to.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
  for (const Triangle& t : mesh.triangles)
    to.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

bool are_equal(std::span<const Pose> a, std::span<const Pose> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Pose& p, const Pose& q) { return p.matrix() == q.matrix(); });
}

}  // namespace

Result<void> CullingView::make_engine() {
  if (engine_) return {};
  Result<GlContext> context = GlContext::create();
  if (!context) return context.error();
  Result<GlCulling> engine = GlCulling::create(*context);
  if (!engine) return engine.error();
  context_ = *std::move(context);
  engine_ = *std::move(engine);
  return {};
}

Result<std::vector<CullView>> CullingView::cull(int pixels) {
  if (Result<void> made = make_engine(); !made) return made.error();
  Result<Culling> culling = engine_->cull(bodies_, {.resolution = pixels, .keeps_views = true});
  if (!culling) return culling.error();
  if (culling->views.empty())
    return Error{ErrorCode::kInvalidArgument, "no two bodies have triangles to be culled", {}};
  return std::move(culling->views);
}

void CullingView::update(std::span<const BodyModel> models, std::span<const Pose> poses,
                         int pixels) {
  const auto start = std::chrono::steady_clock::now();
  const double age = std::chrono::duration<double>(start - last_).count();
  const bool is_same = pixels == pixels_ && are_equal(poses, poses_);
  if (is_same || (pixels == pixels_ && age < std::max(kEvery, kRest * seconds_))) return;
  pixels_ = pixels;
  poses_.assign(poses.begin(), poses.end());
  bodies_.clear();
  meshes_.clear();
  for (std::size_t i = 0; i < models.size(); ++i)
    if (models[i].is_box)
      meshes_.emplace_back();  // it stands for a body that has no triangles
    else
      meshes_.push_back(posed_mesh(models[i], poses[i]));
  for (const TriangleMesh& mesh : meshes_) bodies_.push_back({CheckedMesh::borrow(mesh).value()});
  Result<std::vector<CullView>> views = cull(pixels);
  problem_ = views ? "" : views.error().message;
  views_ = views ? *std::move(views) : std::vector<CullView>();
  ++version_;
  last_ = std::chrono::steady_clock::now();
  seconds_ = std::chrono::duration<double>(last_ - start).count();
}

CullingView::Boxes CullingView::boxes(std::size_t view) const {
  Boxes boxes;
  const CullView& now = views_[view];
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    std::vector<std::uint32_t> before, culled;
    if (view > 0)
      before = views_[view - 1].surviving[i];
    else
      for (std::uint32_t t = 0; t < meshes_[i].triangles.size(); ++t) before.push_back(t);
    const std::vector<std::uint32_t>& left = now.surviving[i];
    std::set_difference(before.begin(), before.end(), left.begin(), left.end(),
                        std::back_inserter(culled));
    append(boxes.left, fattened_boxes(bodies_[i], left, now.radius).value());
    append(boxes.culled, fattened_boxes(bodies_[i], culled, now.radius).value());
  }
  return boxes;
}

std::size_t CullingView::count_before(std::size_t view) const {
  if (view > 0) return count_after(view - 1);
  std::size_t count = 0;
  for (const TriangleMesh& mesh : meshes_) count += mesh.triangles.size();
  return count;
}

std::size_t CullingView::count_after(std::size_t view) const {
  return count_of(views_[view].surviving);
}

}  // namespace plimsoll::viewer
