// Sums three images of integrands along rows and columns, in the three ways of ImageReduction.
#pragma once

#include <plimsoll/gl_image.h>

#include <array>
#include <span>
#include <vector>

#include "gl/context.h"
#include "gl/objects.h"

namespace plimsoll {

/// The terms that a pixel holds, in the order of the targets: xz yz zz/2 z | xxz xyz xzz/2 count |
/// yyz yzz/2 zzz/3 sgn, all but the count times sgn(n_z).
using TwelveSums = std::array<double, 12>;

/// The images that a body is drawn into.
struct IntegrandTargets {
  int width = 0;
  int height = 0;
  gl::Framebuffer framebuffer;
  gl::Texture textures[3];
};

[[nodiscard]] Result<IntegrandTargets> make_targets(int width, int height);

/// Where the sums along the lines of a part of an image are added.
struct LineSums {
  std::span<TwelveSums> rows;
  std::span<TwelveSums> columns;
};

class GlReduction {
 public:
  /// With a context current.
  [[nodiscard]] static Result<GlReduction> create(const GlInfo& info);

  [[nodiscard]] bool has_compute() const { return compute_.name() != 0; }

  /// Adds the sums over the first `width` x `height` pixels of `targets`.
  [[nodiscard]] Result<void> add(ImageReduction how, const IntegrandTargets& targets, int width,
                                 int height, const LineSums& sums);

 private:
  Result<void> read_back(const IntegrandTargets& targets, int width, int height,
                         const LineSums& sums);
  Result<void> halve(const IntegrandTargets& targets, int width, int height, bool along_rows,
                     std::span<TwelveSums> lines);
  Result<void> compute(const IntegrandTargets& targets, int width, int height, bool along_rows,
                       std::span<TwelveSums> lines);

  gl::Program halve_;
  gl::Program compute_;
  gl::VertexArray no_attributes_;
  gl::Buffer results_;
  IntegrandTargets halves_[2];
  std::vector<float> pixels_;
};

}  // namespace plimsoll
