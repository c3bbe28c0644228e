#include "contact/depth_samples.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kSmallShare = 1.0 / 256;
constexpr int kMostCuts = 5;

/// A part of a triangle, by its centroid.
struct PartSample {
  PlaneSums sums;
  double depth = 0;

  [[nodiscard]] double integral() const { return sums.area * depth; }
};

class Sampler {
 public:
  Sampler(SurfaceDepth& depth, std::vector<DepthSample>& samples)
      : depth_(depth), samples_(samples) {}

  PartSample sample(const BodyTriangle& triangle, std::span<const ConvexPiece> pieces) const {
    PartSample part{sums_of(pieces)};
    if (part.sums.area > 0) part.depth = depth_.at(triangle.in_world(part.sums.centroid()));
    return part;
  }

  void add(const BodyTriangle& triangle, const PartSample& part) const {
    if (!(part.sums.area > 0)) return;
    samples_.push_back({triangle.in_world(part.sums.centroid()), triangle.outward(),
                        triangle.area_in_world(part.sums.area), part.depth});
  }

  /// `enough`: what the integral may change by, in units of `part`.
  void cut(const BodyTriangle& triangle, std::span<const ConvexPiece> pieces,
           const PartSample& part, double enough, int cuts) const {
    if (!(part.sums.area > 0)) return;
    const Vec2 middle = part.sums.centroid();
    std::array<std::vector<ConvexPiece>, 4> quarter;
    std::array<PartSample, 4> of;
    double sum = 0;
    for (std::size_t q = 0; q < 4; ++q) {
      const double right = (q & 1U) != 0 ? 1 : -1, up = (q & 2U) != 0 ? 1 : -1;
      for (const ConvexPiece& piece : pieces) {
        const ConvexPiece cut = piece.cut(0, middle.x(), right).cut(1, middle.y(), up);
        if (cut.size > 2) quarter[q].push_back(cut);
      }
      of[q] = sample(triangle, quarter[q]);
      sum += of[q].integral();
    }
    if (cuts >= kMostCuts || std::fabs(sum - part.integral()) <= enough) {
      for (const PartSample& found : of) add(triangle, found);
      return;
    }
    for (std::size_t q = 0; q < 4; ++q) cut(triangle, quarter[q], of[q], enough, cuts + 1);
  }

 private:
  SurfaceDepth& depth_;
  std::vector<DepthSample>& samples_;
};

}  // namespace

void add_depth_samples(const InnerParts& inner, SurfaceDepth& depth,
                       std::vector<DepthSample>& samples) {
  const Sampler sampler(depth, samples);
  std::vector<PartSample> parts;
  double area = 0, integral = 0;
  for (const InnerPart& part : inner.parts()) {
    const BodyTriangle& triangle = inner.triangle(part);
    parts.push_back(sampler.sample(triangle, inner.pieces(part)));
    area += triangle.area_in_world(parts.back().sums.area);
    integral += triangle.area_in_world(parts.back().integral());
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const InnerPart& part = inner.parts()[i];
    const BodyTriangle& triangle = inner.triangle(part);
    if (triangle.area_in_world(parts[i].sums.area) <= kSmallShare * area) {
      sampler.add(triangle, parts[i]);
      continue;
    }
    const double enough = kSmallShare * integral / triangle.area_in_world(1);
    sampler.cut(triangle, inner.pieces(part), parts[i], enough, 1);
  }
}

}  // namespace plimsoll
