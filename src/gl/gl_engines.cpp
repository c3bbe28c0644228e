// The engine of images on graphics hardware: meshes stay there, poses go there with each step.
#include <plimsoll/gl_engines.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "dynamics/check_query.h"
#include "dynamics/engine_memory.h"
#include "image/shape_parts.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

/// A body as it is drawn: a mesh on the hardware and its place in the body.
struct DrawnSolid {
  GlMeshId mesh;
  Similarity body_from_mesh = Similarity::Identity();
};

class GlEngine final : public BuoyancyEngine {
 public:
  GlEngine(GlWaterImage image, const GlWaterOptions& options, std::shared_ptr<ImageTally> tally)
      : image_(std::move(image)), options_(options), tally_(std::move(tally)) {}

  Result<void> add(std::uint32_t body, const Shape& shape) override {
    const bool is_in_use = body < solids_.size() && solids_[body].has_value();
    if (Result<void> usable = check_number(body, is_in_use); !usable) return usable;
    if (Result<void> usable = check_shape(shape); !usable) return usable;
    const Result<GlMeshId> mesh = uploaded(shape);
    if (!mesh) return mesh.error();
    if (body >= solids_.size()) solids_.resize(body + std::size_t{1});
    solids_[body] = DrawnSolid{*mesh, shape.pose};
    return {};
  }

  void remove(std::uint32_t body) override {
    if (body < solids_.size()) solids_[body].reset();
  }

  Result<void> answer(std::span<const BuoyancyQuery> queries, const SurfaceNow& surface,
                      std::span<Buoyancy> answers) override {
    if (Result<void> fine = check_places(queries.size(), answers.size()); !fine) return fine;
    std::vector<GlWaterBody> bodies;
    for (const BuoyancyQuery& query : queries) {
      const bool has_body = query.body < solids_.size() && solids_[query.body].has_value();
      if (!is_answerable(query, has_body)) return unanswerable(query, has_body);
      const DrawnSolid& solid = *solids_[query.body];
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

  std::shared_ptr<const Memory> save() const override { return remembered(solids_); }
  void restore(const Memory& memory) override {
    if (const auto* kept = recalled<Solids>(memory)) solids_ = *kept;
  }

 private:
  using Solids = std::vector<std::optional<DrawnSolid>>;  // by number
  struct Uploaded {
    std::shared_ptr<const TriangleMesh> mesh;  // kept, so that no other takes its place in memory
    GlMeshId id;
  };

  Result<GlMeshId> uploaded(const Shape& shape) {
    const auto* solid = std::get_if<MeshSolid>(&shape.solid);
    if (solid != nullptr) {
      const auto known = uploaded_.find(solid->mesh.get());
      if (known != uploaded_.end()) return known->second.id;
      Result<GlMeshId> id = image_.upload(trusted(*solid->mesh));
      if (id) uploaded_[solid->mesh.get()] = {solid->mesh, *id};
      return id;
    }
    const Result<TriangleMesh> mesh = triangles_of(shape);
    if (!mesh) return mesh.error();
    return image_.upload(trusted(*mesh));
  }

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
  Solids solids_;
  std::map<const TriangleMesh*, Uploaded> uploaded_;
};

}  // namespace

Result<std::shared_ptr<BuoyancyEngine>> gl_buoyancy(const GlContext& context,
                                                    const GlWaterOptions& options,
                                                    std::shared_ptr<ImageTally> tally) {
  Result<GlWaterImage> image = GlWaterImage::create(context);
  if (!image) return image.error();
  GlWaterOptions without_estimate = options;
  without_estimate.image.has_estimate = false;
  return std::shared_ptr<BuoyancyEngine>(
      std::make_shared<GlEngine>(*std::move(image), without_estimate, std::move(tally)));
}

}  // namespace plimsoll
