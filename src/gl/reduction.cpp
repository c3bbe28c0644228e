#include "gl/reduction.h"

#include <algorithm>

#include "gl/image_shaders.h"

namespace plimsoll {
namespace {

void bind_sources(const IntegrandTargets& targets) {
  for (GLuint k = 0; k < 3; ++k) {
    glActiveTexture(GL_TEXTURE0 + k);
    glBindTexture(GL_TEXTURE_2D, targets.textures[k].name());
  }
}

void add_texel(const float* texel, std::size_t target, TwelveSums& sums) {
  for (std::size_t c = 0; c < 4; ++c) sums[4 * target + c] += static_cast<double>(texel[c]);
}

}  // namespace

Result<IntegrandTargets> make_targets(int width, int height) {
  IntegrandTargets targets;
  targets.width = width;
  targets.height = height;
  targets.framebuffer = gl::Framebuffer::make();
  glBindFramebuffer(GL_FRAMEBUFFER, targets.framebuffer.name());
  constexpr GLenum kAttachments[3] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                      GL_COLOR_ATTACHMENT2};
  for (int k = 0; k < 3; ++k) {
    targets.textures[k] = gl::make_texture(GL_RGBA32F, width, height);
    glFramebufferTexture2D(GL_FRAMEBUFFER, kAttachments[k], GL_TEXTURE_2D,
                           targets.textures[k].name(), 0);
  }
  glDrawBuffers(3, kAttachments);
  if (Result<void> complete = gl::check_framebuffer("making images"); !complete)
    return complete.error();
  return targets;
}

Result<GlReduction> GlReduction::create(const GlInfo& info) {
  GlReduction reduction;
  Result<gl::Program> halve = gl::make_program(
      {{GL_VERTEX_SHADER, shaders::kCoverVertex}, {GL_FRAGMENT_SHADER, shaders::kHalveFragment}});
  if (!halve) return halve.error();
  reduction.halve_ = std::move(*halve);
  glUseProgram(reduction.halve_.name());
  constexpr const char* kSources[3] = {"source0", "source1", "source2"};
  for (GLint k = 0; k < 3; ++k)
    glUniform1i(glGetUniformLocation(reduction.halve_.name(), kSources[k]), k);
  reduction.no_attributes_ = gl::VertexArray::make();
  if (gl::has_version(info, 4, 3)) {
    Result<gl::Program> compute = gl::make_program({{GL_COMPUTE_SHADER, shaders::kComputeSums}});
    if (!compute) return compute.error();
    reduction.compute_ = std::move(*compute);
    reduction.results_ = gl::Buffer::make();
  }
  return reduction;
}

Result<void> GlReduction::add(ImageReduction how, const IntegrandTargets& targets, int width,
                              int height, const LineSums& sums) {
  if (how == ImageReduction::kReadback) return read_back(targets, width, height, sums);
  for (const bool along_rows : {true, false}) {
    const std::span<TwelveSums> lines = along_rows ? sums.rows : sums.columns;
    Result<void> done = how == ImageReduction::kCompute
                            ? compute(targets, width, height, along_rows, lines)
                            : halve(targets, width, height, along_rows, lines);
    if (!done) return done;
  }
  return {};
}

Result<void> GlReduction::read_back(const IntegrandTargets& targets, int width, int height,
                                    const LineSums& sums) {
  const auto columns = static_cast<std::size_t>(width);
  pixels_.resize(4 * columns * static_cast<std::size_t>(height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, targets.framebuffer.name());
  for (std::size_t k = 0; k < 3; ++k) {
    glReadBuffer(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(k));
    glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, pixels_.data());
    const float* texel = pixels_.data();
    for (TwelveSums& row : sums.rows)
      for (std::size_t i = 0; i < columns; ++i, texel += 4) {
        add_texel(texel, k, row);
        add_texel(texel, k, sums.columns[i]);
      }
  }
  return gl::reported_error("reading back");
}

// Pass after pass: half the image is added to the other half, until one line is left.
Result<void> GlReduction::halve(const IntegrandTargets& targets, int width, int height,
                                bool along_rows, std::span<TwelveSums> lines) {
  const int first_half_width = along_rows ? (width + 1) / 2 : width;
  const int first_half_height = along_rows ? height : (height + 1) / 2;
  for (IntegrandTargets& half : halves_)
    if (half.width < first_half_width || half.height < first_half_height) {
      Result<IntegrandTargets> made = make_targets(std::max(half.width, first_half_width),
                                                   std::max(half.height, first_half_height));
      if (!made) return made.error();
      half = std::move(*made);
    }
  glUseProgram(halve_.name());
  glBindVertexArray(no_attributes_.name());
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  const IntegrandTargets* source = &targets;
  int next = 0;
  while ((along_rows ? width : height) > 1) {
    const int half = ((along_rows ? width : height) + 1) / 2;
    glUniform2i(glGetUniformLocation(halve_.name(), "size"), width, height);
    glUniform2i(glGetUniformLocation(halve_.name(), "partner"), along_rows ? half : 0,
                along_rows ? 0 : half);
    (along_rows ? width : height) = half;
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, halves_[next].framebuffer.name());
    glViewport(0, 0, width, height);
    bind_sources(*source);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    source = &halves_[next];
    next = 1 - next;
  }
  pixels_.resize(4 * lines.size());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source->framebuffer.name());
  for (std::size_t k = 0; k < 3; ++k) {
    glReadBuffer(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(k));
    glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, pixels_.data());
    for (std::size_t i = 0; i < lines.size(); ++i) add_texel(&pixels_[4 * i], k, lines[i]);
  }
  return gl::reported_error("reducing");
}

Result<void> GlReduction::compute(const IntegrandTargets& targets, int width, int height,
                                  bool along_rows, std::span<TwelveSums> lines) {
  const std::size_t floats = 12 * lines.size();
  glUseProgram(compute_.name());
  glUniform1i(glGetUniformLocation(compute_.name(), "line_length"), along_rows ? width : height);
  glUniform1i(glGetUniformLocation(compute_.name(), "by_row"), along_rows ? 1 : 0);
  bind_sources(targets);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, results_.name());
  glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(floats * sizeof(float)), nullptr,
               GL_STREAM_READ);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
  glDispatchCompute(static_cast<GLuint>(lines.size()), 1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  pixels_.resize(floats);
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(floats * sizeof(float)),
                     pixels_.data());
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) add_texel(&pixels_[12 * i + 4 * k], k, lines[i]);
  return gl::reported_error("reducing");
}

}  // namespace plimsoll
