#include "contact/depth_samples.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kSmallShare = 1.0 / 256;
constexpr int kMostQuarters = 5;
constexpr int kMostFaces = 8;  // that a part is cut between

/// A part of a triangle, and the depth at its centroid.
struct PartSample {
  PlaneSums sums;
  LocalDepth local;

  [[nodiscard]] double integral() const { return sums.area * local.depth; }
};

/// A linear depth over the plane of a triangle.
struct PlaneDepth {
  Vec2 gradient;
  double offset;

  [[nodiscard]] double at(const Vec2& x) const { return gradient.dot(x) + offset; }
};

/// The parts of one triangle.
class Sampler {
 public:
  Sampler(const BodyTriangle& triangle, PressureDepth& depth, std::vector<DepthSample>& samples)
      : depth_(depth),
        samples_(samples),
        origin_(triangle.in_world({0, 0})),
        outward_(triangle.outward()),
        unit_area_(triangle.area_in_world(1)) {
    along_.col(0) = triangle.in_world({1, 0}) - origin_;
    along_.col(1) = triangle.in_world({0, 1}) - origin_;
  }

  /// Of the plane's coordinates, in the world.
  [[nodiscard]] double unit_area() const { return unit_area_; }

  [[nodiscard]] PartSample sample(std::span<const ConvexPiece> pieces) const {
    PartSample part{sums_of(pieces), {}};
    if (part.sums.area > 0) part.local = depth_.near(in_world(part.sums.centroid()), outward_);
    return part;
  }

  /// Adds a part as one sample: with the depth of its centroid, linear if it is so there.
  void add(std::span<const ConvexPiece> pieces, const PartSample& part) const {
    if (!(part.sums.area > 0)) return;
    Vec2 center = part.sums.centroid();
    const double depth = part.local.depth;
    const Vec3 middle = in_world(center);
    double square = depth * depth;
    if (depth > 0 && part.local.is_linear) {
      const Vec2 gradient = along_.transpose() * part.local.gradient;
      const LinearMeans means = linear_means(pieces, center, depth, gradient);
      // No farther than the part reaches: beyond it the depth is not that linear one.
      if (means.moment.squaredNorm() <= means.reach * square) {
        center += means.moment / depth;
        square = means.square;
      }
    }
    samples_.push_back({middle, in_world(center), outward_, unit_area_ * part.sums.area, depth,
                        square, part.local.growth});
  }

  /// Adds a part beside edges at which the surface bends: PressureDepth.
  void add_bent(std::span<const ConvexPiece> pieces, PartSample part) const {
    if (!(part.sums.area > 0)) return;
    if (depth_.has_columns()) {
      double less = 0;  // of the cross-section, over the height [m]
      for (const ConvexPiece& piece : pieces) less += bent_edges(piece);
      const double mean = 1 - part.local.depth / 4 * less / (unit_area_ * part.sums.area);
      part.local.depth *= std::clamp(mean, 0.0, 2.0);
    }
    add(pieces, part);
  }

  /// Adds a part in quarters, as small as the integral asks for: it may change by `enough`, in
  /// units of `part`.
  void add_in_quarters(std::span<const ConvexPiece> pieces, const PartSample& part, double enough,
                       int cuts = 1) const {
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
      of[q] = sample(quarter[q]);
      sum += of[q].integral();
    }
    if (cuts >= kMostQuarters || std::fabs(sum - part.integral()) <= enough) {
      for (std::size_t q = 0; q < 4; ++q) add_bent(quarter[q], of[q]);
      return;
    }
    for (std::size_t q = 0; q < 4; ++q) add_in_quarters(quarter[q], of[q], enough, cuts + 1);
  }

  /// Adds a convex part in cells, after it was cut where one flat face gives way to another.
  void add_by_faces(const ConvexPiece& piece, const PartSample& part, double cell, double small,
                    double enough, int faces = 1) const {
    if (!(part.sums.area > 0)) return;
    if (!part.local.is_linear) return add_cells(piece, cell, small, enough);
    const Vec2 centroid = part.sums.centroid();
    const PlaneDepth first = below(part.local, centroid);
    // Concave: no depth is more than the plane's.
    double least = 0;
    std::size_t corner = piece.size;
    for (std::size_t k = 0; k < piece.size; ++k) {
      const double beyond = depth_at_corner(piece.corner[k]) - first.at(piece.corner[k]);
      if (std::fabs(beyond) > std::fabs(least)) {
        least = beyond;
        corner = k;
      }
    }
    constexpr double kSame = 1e-9;  // of the depth
    const double same = kSame * part.local.depth;
    if (std::fabs(least) <= same) return add_linear(piece, first, part.local, cell);
    if (faces >= kMostFaces || least > 0) return add_cells(piece, cell, small, enough);
    // Beside the corner, where two faces may meet, by so little that the first is not nearest yet:
    // no depth grows faster than the distance.
    constexpr double kAside = 0.25;
    const Vec2& at = piece.corner[corner];
    const double way = (in_world(centroid) - in_world(at)).norm();
    const Vec2 beside = at + std::min(kAside, kAside * -least / way) * (centroid - at);
    const LocalDepth local = depth_.near(in_world(beside), outward_);
    const PlaneDepth second = below(local, beside);
    if (!local.is_linear || second.at(at) - first.at(at) > least / 2)
      return add_cells(piece, cell, small, enough);
    const PlaneLine line{first.gradient - second.gradient, second.offset - first.offset};
    const ConvexPiece nearer_first = piece.cut(line, -1), nearer_second = piece.cut(line, 1);
    if (nearer_first.size < 3 || nearer_second.size < 3)
      return add_cells(piece, cell, small, enough);
    for (const ConvexPiece& rest : {nearer_first, nearer_second})
      add_by_faces(rest, sample({&rest, 1}), cell, small, enough, faces + 1);
  }

 private:
  PressureDepth& depth_;
  std::vector<DepthSample>& samples_;
  Vec3 origin_;
  Eigen::Matrix<double, 3, 2> along_;  // world from plane
  Vec3 outward_;
  double unit_area_;

  /// Of corners that several pieces have: what was asked before.
  struct KnownDepth {
    Vec2 at;
    double depth;
  };
  mutable std::vector<KnownDepth> known_;

  [[nodiscard]] Vec3 in_world(const Vec2& x) const { return origin_ + along_ * x; }

  /// The lengths of a piece's edges times the tangents of half the angles at them.
  [[nodiscard]] double bent_edges(const ConvexPiece& piece) const {
    constexpr double kBeyond = 1e-3;  // of the way from the middle to the edge
    const Vec3 middle = in_world(sums_of({&piece, 1}).centroid());
    double sum = 0;
    for (std::size_t k = 0; k < piece.size; ++k) {
      const Vec3 from = in_world(piece.corner[k]);
      const Vec3 to = in_world(piece.corner[k + 1 < piece.size ? k + 1 : 0]);
      const double length = (to - from).norm();
      if (!(length > 0)) continue;
      const Vec3 along = (to - from) / length, off = from - middle;
      const Vec3 beyond = off - along.dot(off) * along;
      const double way = beyond.norm();
      if (!(way > 0)) continue;
      sum += length * depth_.bend((from + to) / 2 + kBeyond * beyond, outward_, beyond / way);
    }
    return sum;
  }

  [[nodiscard]] double depth_at_corner(const Vec2& x) const {
    for (const KnownDepth& known : known_)
      if (known.at == x) return known.depth;
    known_.push_back({x, depth_.at(in_world(x), outward_)});
    return known_.back().depth;
  }

  [[nodiscard]] PlaneDepth below(const LocalDepth& local, const Vec2& x) const {
    const Vec2 gradient = along_.transpose() * local.gradient;
    return {gradient, local.depth - gradient.dot(x)};
  }

  /// Calls take(cell) for what of a piece lies in each cell of a grid.
  template <class Take>
  static void for_each_cell(const ConvexPiece& piece, double cell, const Take& take) {
    Vec2 low = piece.corner[0], high = low;
    for (std::size_t k = 1; k < piece.size; ++k) {
      low = low.cwiseMin(piece.corner[k]);
      high = high.cwiseMax(piece.corner[k]);
    }
    const Vec2 first = (low / cell).array().floor(), last = (high / cell).array().floor();
    if (!std::isfinite(cell) || first == last) return take(piece);
    for (double row = first.y(); row <= last.y(); ++row) {
      ConvexPiece strip = piece;
      if (row > first.y()) strip = strip.cut(1, row * cell, 1);
      if (row < last.y()) strip = strip.cut(1, (row + 1) * cell, -1);
      for (double column = first.x(); column <= last.x() && strip.size > 2; ++column) {
        ConvexPiece in_cell = strip;
        if (column > first.x()) in_cell = in_cell.cut(0, column * cell, 1);
        if (column < last.x()) in_cell = in_cell.cut(0, (column + 1) * cell, -1);
        if (in_cell.size > 2) take(in_cell);
      }
    }
  }

  void add_linear(const ConvexPiece& piece, const PlaneDepth& depth, LocalDepth local,
                  double cell) const {
    for_each_cell(piece, cell, [&](const ConvexPiece& in_cell) {
      PartSample part{sums_of({&in_cell, 1}), local};
      if (!(part.sums.area > 0)) return;
      part.local.depth = std::max(0.0, depth.at(part.sums.centroid()));
      add({&in_cell, 1}, part);
    });
  }

  void add_cells(const ConvexPiece& piece, double cell, double small, double enough) const {
    for_each_cell(piece, cell, [&](const ConvexPiece& in_cell) {
      const PartSample part = sample({&in_cell, 1});
      if (part.sums.area <= small)
        add_bent({&in_cell, 1}, part);
      else
        add_in_quarters({&in_cell, 1}, part, enough);
    });
  }
};

}  // namespace

void add_depth_samples(const InnerParts& inner, PressureDepth& depth,
                       std::vector<DepthSample>& samples) {
  std::vector<Sampler> samplers;  // of each triangle
  std::vector<PartSample> parts;
  double area = 0, integral = 0;
  std::size_t of_sampler = 0;
  for (const InnerPart& part : inner.parts()) {
    if (samplers.empty() || part.triangle != of_sampler) {
      samplers.emplace_back(inner.triangle(part), depth, samples);
      of_sampler = part.triangle;
    }
    const Sampler& sampler = samplers.back();
    parts.push_back(sampler.sample(inner.pieces(part)));
    area += sampler.unit_area() * parts.back().sums.area;
    integral += sampler.unit_area() * parts.back().integral();
  }
  auto sampler = samplers.cbegin();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const InnerPart& part = inner.parts()[i];
    if (i > 0 && part.triangle != inner.parts()[i - 1].triangle) ++sampler;
    const double unit = sampler->unit_area();
    const double small = kSmallShare * area / unit, enough = kSmallShare * integral / unit;
    const std::span<const ConvexPiece> pieces = inner.pieces(part);
    if (parts[i].sums.area <= small)
      sampler->add_bent(pieces, parts[i]);
    else if (pieces.size() == 1)
      sampler->add_by_faces(pieces[0], parts[i], part.cell, small, enough);
    else
      sampler->add_in_quarters(pieces, parts[i], enough);
  }
}

}  // namespace plimsoll
