// The engine of images on graphics hardware: meshes stay there, poses go there with each step.
#include <plimsoll/gl_dynamics.h>
#include <plimsoll/shape_mesh.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "image/shape_parts.h"

namespace plimsoll {
namespace {

Error in_body(Error error, std::size_t i) {
  const std::string within = error.where.empty() ? "" : "." + error.where;
  error.where = "bodies[" + std::to_string(i) + "]" + within;
  return error;
}

/// A body as it is drawn: a mesh on the hardware and its place in the body.
struct DrawnSolid {
  GlMeshId mesh;
  Similarity body_from_mesh = Similarity::Identity();
};

class GlEngine {
 public:
  GlEngine(GlWaterImage image, const GlWaterOptions& options, std::shared_ptr<ImageTally> tally)
      : image_(std::move(image)), options_(options), tally_(std::move(tally)) {}

  Result<void> add(const Shape& shape) {
    const auto* solid = std::get_if<MeshSolid>(&shape.solid);
    const void* shared = solid != nullptr ? solid->mesh.get() : nullptr;
    const auto known = uploaded_.find(shared);
    if (shared != nullptr && known != uploaded_.end()) {
      solids_.push_back({known->second, shape.pose});
      return {};
    }
    Result<TriangleMesh> mesh = triangles_of(shape);
    if (!mesh) return mesh.error();
    const Result<GlMeshId> id = image_.upload(*mesh);
    if (!id) return id.error();
    if (shared != nullptr) uploaded_[shared] = *id;
    solids_.push_back({*id, shape.pose});
    return {};
  }

  Result<void> operator()(std::span<const BuoyancyQuery> queries, const SurfaceNow& surface,
                          std::span<Buoyancy> answers) {
    std::vector<GlWaterBody> bodies;
    for (const BuoyancyQuery& query : queries) {
      const DrawnSolid& solid = solids_[query.body];
      bodies.push_back({solid.mesh, query.world_from_body * solid.body_from_mesh});
    }
    const Result<std::vector<WaterImage>> images = image_.measure(bodies, surface, options_);
    if (!images) return images.error();
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answers[i] = (*images)[i].buoyancy;
      if (tally_) tally_->add((*images)[i]);
    }
    return {};
  }

 private:
  /// In the frame of the shape before its pose.
  Result<TriangleMesh> triangles_of(const Shape& shape) const {
    Shape home = shape;
    home.pose.setIdentity();
    const int pixels = std::max(options_.image.width, options_.image.height);
    const double flatness = bounding_box(home).diagonal().norm() / (100.0 * pixels);
    Result<ShapeMesh> drawn = required_triangles(to_triangles(home, flatness));
    if (!drawn) return drawn.error();
    return std::move(drawn->mesh);
  }

  GlWaterImage image_;
  GlWaterOptions options_;
  std::shared_ptr<ImageTally> tally_;
  std::vector<DrawnSolid> solids_;
  std::map<const void*, GlMeshId> uploaded_;
};

}  // namespace

Result<BuoyancyEngine> gl_buoyancy(const GlContext& context, std::span<const Shape> shapes,
                                   const GlWaterOptions& options,
                                   std::shared_ptr<ImageTally> tally) {
  Result<GlWaterImage> image = GlWaterImage::create(context);
  if (!image) return image.error();
  GlWaterOptions without_estimate = options;
  without_estimate.image.has_estimate = false;
  auto engine = std::make_shared<GlEngine>(*std::move(image), without_estimate, std::move(tally));
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (Result<void> usable = check_shape(shapes[i]); !usable) return in_body(usable.error(), i);
    if (Result<void> added = engine->add(shapes[i]); !added) return in_body(added.error(), i);
  }
  return BuoyancyEngine([engine](auto... arguments) { return (*engine)(arguments...); });
}

}  // namespace plimsoll
