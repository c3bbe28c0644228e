#include "gl/depth_peeling.h"

#include <string>

#include "gl/drawing.h"
#include "gl/query_pool.h"

namespace plimsoll::gl {

LayerDepths make_layer_depths(int width, int height, bool with_stencil) {
  LayerDepths depths;
  depths.attachment = with_stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT;
  for (Texture& image : depths.images)
    image =
        make_texture(with_stencil ? GL_DEPTH32F_STENCIL8 : GL_DEPTH_COMPONENT32F, width, height);
  return depths;
}

void LayerDepths::attach(int image) const {
  glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, attachment, GL_TEXTURE_2D, images[image].name(), 0);
}

Result<int> peel(const Peeling& peeling, const std::function<void(int)>& draw,
                 const std::function<Result<void>(int)>& finish) {
  const GLuint program = peeling.program.name();
  QueryPool queries(peeling.width, peeling.height);
  for (int layer = 0;; ++layer) {
    const Framebuffer& framebuffer = layer == 0 ? peeling.first_layer : peeling.other_layers;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
    peeling.depths.attach(layer % 2);
    clear_images(peeling.width, peeling.height, peeling.color_images, true);
    glActiveTexture(GL_TEXTURE0 + kPreviousDepthUnit);
    glBindTexture(GL_TEXTURE_2D, peeling.depths.images[1 - layer % 2].name());
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "previous_depth"), kPreviousDepthUnit);
    glUniform1i(glGetUniformLocation(program, "is_first"), layer == 0 ? 1 : 0);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    queries.clear();
    const std::size_t query = queries.begin();
    draw(layer);
    queries.end(peeling.triangle_count);
    glDisable(GL_DEPTH_TEST);
    if (!queries.any_passed(query)) return layer;
    if (layer >= peeling.max_layers)
      return Error{ErrorCode::kResourceLimit,
                   "found more than " + std::to_string(peeling.max_layers) +
                       " peels: take the additive algorithm, which needs one pass, or allow more",
                   "peel"};
    if (Result<void> finished = finish(layer); !finished) return finished.error();
  }
}

}  // namespace plimsoll::gl
