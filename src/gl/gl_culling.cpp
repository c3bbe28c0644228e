#include <plimsoll/gl_culling.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cull/colliding_set.h"
#include "cull/cull_options.h"
#include "gl/context.h"
#include "gl/rasterization_probe.h"
#include "gl/visibility.h"

namespace plimsoll {

struct GlCulling::State {
  std::shared_ptr<GlContext::State> context;
  VisibilityImage image;
  double fattening = 1;
};

void GlCulling::Deleter::operator()(State* state) const {
  gl::delete_in_context(state->context, state);
}

GlCulling::GlCulling(std::unique_ptr<State, Deleter> state) : state_(std::move(state)) {}

Result<GlCulling> GlCulling::create(const GlContext& context) {
  const gl::Current current(*context.state());
  if (Result<void> made = current.status(); !made) return made.error();
  std::unique_ptr<State, Deleter> state(new State{context.state(), {}, 1});
  Result<VisibilityImage> image = VisibilityImage::create();
  if (!image) return image.error();
  state->image = std::move(*image);
  const Result<double> fattening = needed_fattening(state->image);
  if (!fattening) return fattening.error();
  state->fattening = *fattening;
  return GlCulling(std::move(state));
}

double GlCulling::fattening() const { return state_->fattening; }

Result<Culling> GlCulling::cull(std::span<const CullBody> bodies, const CullOptions& options) {
  if (Result<void> usable = check_cull_options(options); !usable) return usable.error();
  const GlInfo& info = state_->context->info;
  if (options.resolution > info.largest_image)
    return Error{ErrorCode::kInvalidArgument,
                 "found " + std::to_string(options.resolution) +
                     " pixels, expected no more than this OpenGL draws: " +
                     std::to_string(info.largest_image),
                 "resolution"};
  const Result<CullScene> scene = CullScene::create(bodies);
  if (!scene) return scene.error();
  const gl::Current current(*state_->context);
  if (Result<void> made = current.status(); !made) return made.error();
  if (Result<void> bound = state_->image.bind(options.resolution); !bound) return bound.error();
  const bool is_far = options.method == CullMethod::kFar;
  GlVisibility renderer(state_->image, options.method, options.resolution, state_->fattening);
  Culling culling = cull_with(renderer, *scene, options, is_far ? state_->fattening : 0);
  if (Result<void> drawn = gl::reported_error("culling"); !drawn) return drawn.error();
  culling.renderer = info.renderer;
  return culling;
}

}  // namespace plimsoll
