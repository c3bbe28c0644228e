#include "contact/depth_samples.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kSmallShare = 1.0 / 512;
constexpr int kMostCuts = 5;

/// A part of a triangle, by its centroid.
struct PartSample {
  PlaneSums sums;
  double depth = 0;

  [[nodiscard]] double integral() const { return sums.area * depth; }
};

class Sampler {
 public:
  Sampler(Depths& depths, std::vector<DepthSample>& samples) : depths_(depths), samples_(samples) {}

  Result<PartSample> sample(const BodyTriangle& triangle,
                            std::span<const ConvexPiece> pieces) const {
    PartSample part{sums_of(pieces)};
    if (!(part.sums.area > 0)) return part;
    const Result<double> depth = depths_.at(triangle.in_world(part.sums.centroid()));
    if (!depth) return depth.error();
    part.depth = *depth;
    return part;
  }

  void add(const BodyTriangle& triangle, const PartSample& part) const {
    if (!(part.sums.area > 0)) return;
    samples_.push_back({triangle.in_world(part.sums.centroid()), triangle.outward(),
                        triangle.area_in_world(part.sums.area), part.depth});
  }

  /// `enough`: what the integral may change by, in units of `part`.
  Result<void> cut(const BodyTriangle& triangle, std::span<const ConvexPiece> pieces,
                   const PartSample& part, double enough, int cuts) const {
    if (!(part.sums.area > 0)) return {};
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
      const Result<PartSample> sampled = sample(triangle, quarter[q]);
      if (!sampled) return sampled.error();
      of[q] = *sampled;
      sum += of[q].integral();
    }
    if (cuts >= kMostCuts || std::fabs(sum - part.integral()) <= enough) {
      for (const PartSample& found : of) add(triangle, found);
      return {};
    }
    for (std::size_t q = 0; q < 4; ++q)
      if (Result<void> done = cut(triangle, quarter[q], of[q], enough, cuts + 1); !done)
        return done;
    return {};
  }

 private:
  Depths& depths_;
  std::vector<DepthSample>& samples_;
};

}  // namespace

Result<double> Depths::at(const Vec3& x) {
  constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  const double within = (distance_ + (x - last_).norm()) * (1 + 0x1p-20);
  last_ = x;
  for (const double farthest : {within, kAnywhere}) {
    const Result<NearestOnSurface> nearest = probe_.nearest(x, farthest);
    if (!nearest) return nearest.error();
    distance_ = nearest->distance;
    if (nearest->at) break;
  }
  return distance_;
}

Result<void> add_depth_samples(const InnerParts& inner, Depths& depths,
                               std::vector<DepthSample>& samples) {
  const Sampler sampler(depths, samples);
  std::vector<PartSample> parts;
  double area = 0, integral = 0;
  for (const InnerPart& part : inner.parts()) {
    const BodyTriangle& triangle = inner.triangle(part);
    const Result<PartSample> sampled = sampler.sample(triangle, inner.pieces(part));
    if (!sampled) return sampled.error();
    parts.push_back(*sampled);
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
    if (Result<void> done = sampler.cut(triangle, inner.pieces(part), parts[i], enough, 1); !done)
      return done;
  }
  return {};
}

}  // namespace plimsoll
