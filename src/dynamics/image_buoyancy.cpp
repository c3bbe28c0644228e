// The engine of columns: one WaterColumns for each body, which keeps its memory between steps.
#include <plimsoll/engines.h>

#include <utility>
#include <vector>

#include "core/parallel.h"
#include "dynamics/check_query.h"
#include "dynamics/engine_memory.h"
#include "dynamics/world_checks.h"

namespace plimsoll {
namespace {

class ImageEngine final : public BuoyancyEngine {
 public:
  ImageEngine(const WaterImageOptions& options, std::shared_ptr<ImageTally> tally)
      : options_(options), tally_(std::move(tally)) {
    options_.has_estimate = false;
  }

  Result<void> add(std::uint32_t body, const Shape& shape) override {
    const bool is_in_use = body < bodies_.size() && bodies_[body] != nullptr;
    if (Result<void> usable = check_number(body, is_in_use); !usable) return usable;
    Result<WaterColumns> columns = WaterColumns::create(shape, options_);
    if (!columns) return columns.error();
    if (body >= bodies_.size()) bodies_.resize(body + std::size_t{1});
    bodies_[body] = std::make_shared<WaterColumns>(*std::move(columns));
    return {};
  }

  void remove(std::uint32_t body) override {
    if (body < bodies_.size()) bodies_[body].reset();
  }

  Result<void> answer(std::span<const BuoyancyQuery> queries, const SurfaceNow& surface,
                      std::span<Buoyancy> answers) override {
    if (Result<void> fine = check_places(queries.size(), answers.size()); !fine) return fine;
    for (const BuoyancyQuery& query : queries) {
      const bool has_body = query.body < bodies_.size() && bodies_[query.body] != nullptr;
      if (!is_answerable(query, has_body)) return unanswerable(query, has_body);
    }
    std::vector<WaterImage> images(queries.size());
    std::vector<Result<void>> fine(queries.size());
    parallel_for_each_index(queries.size(), [&](std::size_t i) {
      const Similarity pose(queries[i].world_from_body);
      Result<WaterImage> image = bodies_[queries[i].body]->measure(pose, surface);
      if (image)
        images[i] = *std::move(image);
      else
        fine[i] = in_body(image.error(), queries[i].body);
    });
    for (const Result<void>& of_body : fine)
      if (!of_body) return of_body;
    for (std::size_t i = 0; i < images.size(); ++i) {
      answers[i] = images[i].buoyancy;
      if (tally_) tally_->add(images[i]);
    }
    return {};
  }

  /// Columns keep room between calls, and nothing that answers depend on.
  [[nodiscard]] std::shared_ptr<const Memory> save() const override { return remembered(bodies_); }
  void restore(const Memory& memory) override {
    if (const auto* kept = recalled<Bodies>(memory)) bodies_ = *kept;
  }

 private:
  using Bodies = std::vector<std::shared_ptr<WaterColumns>>;  // by number

  WaterImageOptions options_;
  std::shared_ptr<ImageTally> tally_;
  Bodies bodies_;
};

}  // namespace

std::shared_ptr<BuoyancyEngine> image_buoyancy(const WaterImageOptions& options,
                                               std::shared_ptr<ImageTally> tally) {
  return std::make_shared<ImageEngine>(options, std::move(tally));
}

}  // namespace plimsoll
