#include "engine.h"

#include <plimsoll/gl_water_image.h>
#include <plimsoll/shape_mesh.h>
#include <plimsoll/water_image.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace plimsoll::viewer {
namespace {

Error at(Error error, std::size_t body) {
  error.where = "bodies[" + std::to_string(body) + "]";
  return error;
}

Result<BuoyancyEngine> column_engine(std::span<const Shape> shapes) {
  auto bodies = std::make_shared<std::vector<WaterColumns>>();
  for (const Shape& shape : shapes) {
    Result<WaterColumns> columns = WaterColumns::create(shape, {.has_estimate = false});
    if (!columns) return at(columns.error(), bodies->size());
    bodies->push_back(*std::move(columns));
  }
  return BuoyancyEngine([bodies](std::span<const BuoyancyQuery> queries, const SurfaceNow& surface,
                                 std::span<Buoyancy> answers) -> Result<void> {
    for (std::size_t k = 0; k < queries.size(); ++k)
      answers[k] = (*bodies)[queries[k].body]
                       .measure(Similarity(queries[k].world_from_body), surface)
                       .buoyancy;
    return {};
  });
}

/// Bodies on graphics hardware; those of one mesh share it.
class GlBodies {
 public:
  explicit GlBodies(GlWaterImage image) : image_(std::move(image)) {}

  [[nodiscard]] Result<void> add(const Shape& shape) {
    if (const auto* solid = std::get_if<MeshSolid>(&shape.solid)) {
      const auto known = meshes_.find(solid->mesh.get());
      if (known != meshes_.end()) return keep(known->second, shape.pose);
      const Result<GlMeshId> mesh = image_.upload(*solid->mesh);
      if (!mesh) return mesh.error();
      meshes_.emplace(solid->mesh.get(), *mesh);
      return keep(*mesh, shape.pose);
    }
    const double flatness = bounding_box(shape).diagonal().norm() / 1000;
    const Result<std::optional<ShapeMesh>> drawn = to_triangles(shape, flatness);
    if (!drawn) return drawn.error();
    if (!*drawn)
      return Error{ErrorCode::kUnavailable, "formulas and Booleans have no triangles to draw", {}};
    const Result<GlMeshId> mesh = image_.upload((*drawn)->mesh);
    if (!mesh) return mesh.error();
    return keep(*mesh, Similarity::Identity());
  }

  [[nodiscard]] Result<void> answer(std::span<const BuoyancyQuery> queries,
                                    const SurfaceNow& surface, const GlWaterOptions& options,
                                    std::span<Buoyancy> answers) {
    std::vector<GlWaterBody> posed;
    for (const BuoyancyQuery& query : queries) {
      posed.push_back(bodies_[query.body]);
      posed.back().world_from_mesh =
          Similarity(query.world_from_body) * posed.back().world_from_mesh;
    }
    const Result<std::vector<WaterImage>> measured = image_.measure(posed, surface, options);
    if (!measured) return measured.error();
    for (std::size_t k = 0; k < queries.size(); ++k) answers[k] = (*measured)[k].buoyancy;
    return {};
  }

 private:
  Result<void> keep(GlMeshId mesh, const Similarity& body_from_mesh) {
    bodies_.push_back({mesh, body_from_mesh});
    return {};
  }

  GlWaterImage image_;
  std::map<const TriangleMesh*, GlMeshId> meshes_;
  std::vector<GlWaterBody> bodies_;  // posed in the frames of their bodies
};

Result<BuoyancyEngine> gl_engine(std::span<const Shape> shapes, ImageAlgorithm algorithm) {
  Result<GlContext> context = GlContext::create();
  if (!context) return context.error();
  Result<GlWaterImage> image = GlWaterImage::create(*context);
  if (!image) return image.error();
  const auto bodies = std::make_shared<GlBodies>(*std::move(image));
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (Result<void> added = bodies->add(shapes[i]); !added) return at(added.error(), i);
  GlWaterOptions options;
  options.image.has_estimate = false;
  options.algorithm = algorithm;
  return BuoyancyEngine([bodies, options](std::span<const BuoyancyQuery> queries,
                                          const SurfaceNow& surface, std::span<Buoyancy> answers) {
    return bodies->answer(queries, surface, options, answers);
  });
}

}  // namespace

Result<BuoyancyEngine> make_engine(Method method, std::span<const Shape> shapes) {
  switch (method) {
    case Method::kExact:
      return exact_buoyancy(shapes);
    case Method::kImage:
      return column_engine(shapes);
    case Method::kGlImage:
      return gl_engine(shapes, ImageAlgorithm::kAdditive);
    case Method::kGlPeel:
      return gl_engine(shapes, ImageAlgorithm::kPeel);
  }
  return Error{ErrorCode::kInvalidArgument, "found no such method", "method"};
}

}  // namespace plimsoll::viewer
