// The engine of columns: one WaterColumns for each body, which keeps its memory between steps.
#include <plimsoll/dynamics.h>

#include <string>

#include "core/parallel.h"

namespace plimsoll {

Result<BuoyancyEngine> image_buoyancy(std::span<const Shape> shapes,
                                      const WaterImageOptions& options,
                                      std::shared_ptr<ImageTally> tally) {
  WaterImageOptions without_estimate = options;
  without_estimate.has_estimate = false;
  auto bodies = std::make_shared<std::vector<WaterColumns>>();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Result<WaterColumns> columns = WaterColumns::create(shapes[i], without_estimate);
    if (!columns) {
      Error error = columns.error();
      const std::string within = error.where.empty() ? "" : "." + error.where;
      error.where = "bodies[" + std::to_string(i) + "]" + within;
      return error;
    }
    bodies->push_back(*std::move(columns));
  }
  return BuoyancyEngine([bodies, tally](std::span<const BuoyancyQuery> queries,
                                        const SurfaceNow& surface,
                                        std::span<Buoyancy> answers) -> Result<void> {
    std::vector<WaterImage> images(queries.size());
    parallel_for_each_index(queries.size(), [&](std::size_t i) {
      const Similarity pose(queries[i].world_from_body);
      images[i] = (*bodies)[queries[i].body].measure(pose, surface);
    });
    for (std::size_t i = 0; i < images.size(); ++i) {
      answers[i] = images[i].buoyancy;
      if (tally) tally->add(images[i]);
    }
    return {};
  });
}

}  // namespace plimsoll
