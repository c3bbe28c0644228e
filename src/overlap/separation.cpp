#include <plimsoll/elementary.h>
#include <plimsoll/separation.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "overlap/hull_extents.h"

namespace plimsoll {
namespace {

/// Directions spread evenly over the sphere: a spiral.
std::vector<Vec3> spread_directions(std::size_t count) {
  std::vector<Vec3> directions;
  for (std::size_t i = 0; i < count; ++i) {
    const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(count);
    const double turn = static_cast<double>(i) * std::numbers::pi * (3 - std::sqrt(5.0));
    const double radius = std::sqrt(1 - z * z);
    directions.emplace_back(radius * elementary::cos(turn), radius * elementary::sin(turn), z);
  }
  return directions;
}

class Separator {
 public:
  Separator(OverlapSearch& search, const SolidTree& a, const Similarity& world_from_a,
            const SolidTree& b, const Similarity& world_from_b)
      : search_(search), a_(a), b_(b), world_from_a_(world_from_a), world_from_b_(world_from_b) {}

  Result<Separation> find() {
    Result<Overlap> here = ask(Vec3::Zero(), {.contacts = true});
    if (!here) return here.error();
    if (!here->overlaps) return best_;
    scale_ = std::cbrt(std::min(volume_of(a_, world_from_a_), volume_of(b_, world_from_b_)));
    least_push_ = 1e-13 * scale_ * scale_;
    best_.length = std::numeric_limits<double>::infinity();
    try_hulls();
    try_from(Vec3::Zero());
    constexpr std::size_t kMostContacts = 6;
    for (std::size_t i = 0; i < std::min(here->contacts.size(), kMostContacts); ++i)
      try_way(here->contacts[i].force_a);
    if (here->center) try_way(world_from_a_ * center_of(a_) - *here->center);
    try_rays();
    if (error_) return *error_;
    if (!std::isfinite(best_.length))
      return Error{ErrorCode::kInvalidArgument,
                   "found no translation that parts the bodies, expected poses that are not "
                   "rounded by a part of the bodies' size",
                   "world_from_a"};
    best_.queries = queries_;
    return best_;
  }

 private:
  static constexpr double kEnough = 1e-6;  // of the length: what is gained is not worth more
  /// By what part of it a turned way is lengthened: the normal is rounded.
  static constexpr double kTurnedTooFar = 0x1p-21;
  static constexpr std::size_t kSpread = 200;

  static double volume_of(const SolidTree& solid, const Similarity& pose) {
    const double scale = pose.linear().col(0).norm();
    return std::fabs(solid.signed_volume()) * scale * scale * scale;
  }
  static Vec3 center_of(const SolidTree& solid) { return solid.box().center(); }

  [[nodiscard]] Result<Overlap> ask(const Vec3& translation, const OverlapParts& parts) {
    ++queries_;
    Similarity pose = world_from_a_;
    pose.translation() += translation;
    return search_.overlap(a_, pose, b_, world_from_b_, parts);
  }
  /// Whether the bodies share volume after a translation. False too where that failed.
  [[nodiscard]] bool meet(const Vec3& translation) {
    const Result<Overlap> there = ask(translation, {.volume = false});
    if (!there) error_ = there.error();
    return there && there->overlaps;
  }

  /// Takes the directions in which the convex hulls come apart after the shortest ways.
  void try_hulls() {
    constexpr std::size_t kTried = 4, kSteps = 24;
    struct Way {
      double length;
      Vec3 direction;
    };
    const HullExtents extents(a_, world_from_a_, b_, world_from_b_);
    std::vector<Way> ways;
    for (const Vec3& direction : directions_) ways.push_back({extents.depth(direction), direction});
    std::sort(ways.begin(), ways.end(),
              [](const Way& x, const Way& y) { return x.length < y.length; });
    for (std::size_t i = 0; i < kTried; ++i) {
      Way way = ways[i];
      // The depth of hulls along d has the gradient x_b - x_a of the vertices that touch.
      double step = 0.25;
      for (std::size_t k = 0; k < kSteps; ++k) {
        const Vec3 gradient = extents.difference(way.direction);
        const Vec3 across = gradient - gradient.dot(way.direction) * way.direction;
        if (!(across.norm() > 0)) break;
        const Vec3 next = (way.direction - step * across.normalized()).normalized();
        const double length = extents.depth(next);
        if (length < way.length)
          way = {length, next};
        else
          step /= 2;
      }
      refine(way.length * (1 + 0x1p-30) * way.direction);
    }
  }

  /// Takes directions in which nothing is shared nearer than after the best way so far.
  void try_rays() {
    constexpr double kNearer = 1e-3;  // of the length: how much
    for (const Vec3& direction : directions_) refine((1 - kNearer) * best_.length * direction);
  }

  void try_way(const Vec3& way) {
    if (way.stableNorm() > 0) try_from(0.05 * scale_ * way.stableNormalized());
  }
  void try_from(const Vec3& start) { refine(descended(start)); }

  /// Goes where the volume is less until there is none, each step to where it would vanish if it
  /// fell as the square of the depth. Infinite where nothing leads out.
  [[nodiscard]] Vec3 descended(Vec3 at) {
    constexpr int kSteps = 100;
    for (int i = 0; i < kSteps && !error_; ++i) {
      const Result<Overlap> there = ask(at, {});
      if (!there) {
        error_ = there.error();
        break;
      }
      if (!there->overlaps) return at;
      const double push = there->force_a.stableNorm();
      // Nothing pushes a body that is within the other, or what pushes is balanced to rounding.
      if (!(push > least_push_)) break;
      const double step = std::clamp(2 * there->volume / push, 1e-9 * scale_, 0.5 * scale_);
      at += step / push * there->force_a;
    }
    return Vec3::Constant(std::numeric_limits<double>::infinity());
  }

  /// Shortens a translation after which nothing is shared; does nothing to others. It is drawn back
  /// until the bodies touch, then turned to the normal of where they do.
  void refine(Vec3 way) {
    constexpr int kTurns = 16;
    constexpr double kCoarse = 0x1p-14, kFine = 0x1p-34, kDeep = 0x1p-16;
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kTurns && !error_; ++i) {
      if (!way.allFinite() || meet(way) || error_) return;
      Border border;
      narrow(way, kCoarse, border);
      if (border.inside * way.norm() < (1 - kEnough) * best_.length) {
        narrow(way, kFine, border);
        keep(border.outside * way);
      }
      const double length = border.outside * way.norm();
      if (!(length < (1 - kEnough) * before)) return;
      before = length;
      // Deep enough for the force to stand out of its rounding.
      const Result<Overlap> touching = ask((border.inside - kDeep) * way, {.volume = false});
      if (!touching) return;
      const double push = touching->force_a.stableNorm();
      if (!(push > least_push_)) return;
      const Vec3 normal = touching->force_a / push;
      const double along = border.outside * way.dot(normal);
      if (!(along > 0)) return;
      way = descended(along * (1 + kTurnedTooFar) * normal);
    }
  }

  void keep(const Vec3& translation) {
    if (!(translation.norm() < best_.length)) return;
    best_.translation = translation;
    best_.length = translation.norm();
  }

  /// Parts of a way: something is shared after `inside`, nothing after `outside`.
  struct Border {
    double inside = 0, outside = 1;
  };
  /// Halves what is between them.
  void narrow(const Vec3& way, double fine, Border& border) {
    // A way that was turned mostly ends just behind the border.
    double middle = 1 - 2 * kTurnedTooFar;
    while (border.outside - border.inside > fine) {
      if (border.outside < 1 || border.inside > 0) middle = (border.inside + border.outside) / 2;
      (meet(middle * way) ? border.inside : border.outside) = middle;
    }
  }

  OverlapSearch& search_;
  const SolidTree &a_, &b_;
  Similarity world_from_a_, world_from_b_;
  double scale_ = 1;       // the side of a cube of the smaller body's volume
  double least_push_ = 0;  // below it a force may be rounding
  std::vector<Vec3> directions_ = spread_directions(kSpread);
  Separation best_;
  std::size_t queries_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<Separation> separation(OverlapSearch& search, const SolidTree& a,
                              const Similarity& world_from_a, const SolidTree& b,
                              const Similarity& world_from_b) {
  return Separator(search, a, world_from_a, b, world_from_b).find();
}

}  // namespace plimsoll
