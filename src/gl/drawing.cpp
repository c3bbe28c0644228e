#include "gl/drawing.h"

namespace plimsoll::gl {

void clear_images(int width, int height, int color_images, bool with_depth) {
  constexpr float kZero[4] = {0, 0, 0, 0};
  constexpr float kFar = 1;
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, width, height);
  for (GLint image = 0; image < color_images; ++image) glClearBufferfv(GL_COLOR, image, kZero);
  if (with_depth) {
    glDepthMask(GL_TRUE);
    glClearBufferfv(GL_DEPTH, 0, &kFar);
  }
  glDisable(GL_SCISSOR_TEST);
}

AddedColors::AddedColors() {
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
}

AddedColors::~AddedColors() { glDisable(GL_BLEND); }

}  // namespace plimsoll::gl
