#include "peel_view.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::viewer {
namespace {

constexpr int kPixels = 128;  // of the longer side
constexpr int kMaxPeels = 24;
// What is left to the frames between, so that a machine which takes long for the peels still draws.
constexpr double kEvery = 0.25;  // [s]
constexpr double kRest = 5;      // times what the last took

GlImageOptions options_for(const Box3& box, int axis) {
  const double across = box.sizes()[(axis + 1) % 3], up = box.sizes()[(axis + 2) % 3];
  const double pixels = kPixels / std::max(across, up);
  GlImageOptions options;
  options.image.axis = axis;
  options.image.width = std::max(1, static_cast<int>(std::lround(across * pixels)));
  options.image.height = std::max(1, static_cast<int>(std::lround(up * pixels)));
  options.algorithm = ImageAlgorithm::kPeel;
  options.max_peels = kMaxPeels;
  return options;
}

}  // namespace

Result<void> PeelView::make_engine() {
  if (engine_) return {};
  Result<GlContext> context = GlContext::create();
  if (!context) return context.error();
  Result<GlImageEngine> engine = GlImageEngine::create(*context);
  if (!engine) return engine.error();
  context_ = *std::move(context);
  engine_ = *std::move(engine);
  return {};
}

Result<std::vector<PeelImage>> PeelView::peel(const BodyModel& model, const Pose& world_from_body,
                                              int axis) {
  if (model.is_box)
    return Error{ErrorCode::kUnavailable, "formulas and Booleans have no triangles to peel", {}};
  if (Result<void> made = make_engine(); !made) return made.error();
  const TriangleMesh mesh = posed_mesh(model, world_from_body);
  const Result<CheckedMesh> checked = CheckedMesh::borrow(mesh);
  if (!checked) return checked.error();
  const Box3 box = plimsoll::bounding_box(*checked);
  if (!(box.sizes().minCoeff() > 0))
    return Error{ErrorCode::kInvalidArgument, "the body is flat", {}};
  return engine_->peels(*checked, options_for(box, axis));
}

void PeelView::show(const picture::PeelPicture& drawn) {
  size_ = {drawn.picture.width(), drawn.picture.height()};
  tiles_ = drawn.tiles;
  ranges_ = drawn.ranges;
  if (!texture_) texture_.emplace();
  glBindTexture(GL_TEXTURE_2D, *texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, size_.width, size_.height, 0, GL_BGRA,
               GL_UNSIGNED_INT_8_8_8_8_REV, drawn.picture.pixels().data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glBindTexture(GL_TEXTURE_2D, 0);
}

void PeelView::update(std::size_t body, const BodyModel& model, const Pose& world_from_body,
                      int axis) {
  const auto start = std::chrono::steady_clock::now();
  const double age = std::chrono::duration<double>(start - last_).count();
  const bool is_another = body != body_ || axis != axis_;
  if (age < (is_another ? 0 : std::max(kEvery, kRest * seconds_))) return;
  body_ = body;
  axis_ = axis;
  const Result<std::vector<PeelImage>> peels = peel(model, world_from_body, axis);
  problem_ = !peels           ? peels.error().message
             : peels->empty() ? "found no peels: seen so, the body falls between the pixels"
                              : "";
  count_ = problem_.empty() ? static_cast<int>(peels->size()) : 0;
  if (count_ > 0) {
    if (const auto drawn = picture::draw_peels(*peels, axis, std::nullopt)) {
      show(*drawn);
    } else {
      problem_ = drawn.error().message;
      count_ = 0;
    }
  }
  last_ = std::chrono::steady_clock::now();
  seconds_ = std::chrono::duration<double>(last_ - start).count();
}

std::array<float, 4> PeelView::corners(int peel, int target) const {
  const int x = tiles_.x + peel % tiles_.columns * tiles_.step_x;
  const int y = tiles_.y + target * tiles_.step_y + peel / tiles_.columns * tiles_.band_step;
  const auto share = [](int part, int whole) {
    return static_cast<float>(part) / static_cast<float>(whole);
  };
  return {share(x, size_.width), share(y, size_.height), share(x + tiles_.size.width, size_.width),
          share(y + tiles_.size.height, size_.height)};
}

}  // namespace plimsoll::viewer
