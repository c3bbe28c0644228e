#include <plimsoll/mass_properties.h>
#include <plimsoll/sphere_cover.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/no_index.h"
#include "spheres/clearance.h"
#include "spheres/cover_proof.h"
#include "spheres/cover_search.h"
#include "spheres/packing_options.h"
#include "spheres/unit_solid.h"

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostCoveringSpheres = 10'000;
constexpr std::size_t kMostPieces = std::size_t{1} << 24;
constexpr std::size_t kMostCubes = std::size_t{1} << 24;

/// In units of the solid.
struct ProvedCover {
  std::vector<PlacedSphere> spheres;
  std::size_t count = 0;      ///< Of spheres that were asked for.
  double excess = kInfinite;  ///< The most by which a radius exceeds the depth of its center.
};

class Coverer {
 public:
  /// Spheres keep to `room`.
  Coverer(const ClosedMesh& mesh, const std::optional<HalfSpace>& room,
          const std::function<bool(double share)>& progress)
      : progress_(progress), solid_(mesh, room) {}

  /// With that many spheres.
  Result<ProvedCover> cover(std::size_t count) {
    CoverSearch search(solid_, count, progress_);
    std::vector<GrowingBall> balls = rounded(search.find(count));
    if (balls.empty())
      return Error{ErrorCode::kInvalidArgument,
                   "found no point inside, expected a solid thicker than 2^-24 of its size", ""};
    ProvedCover best;
    constexpr int kTurns = 16, kInVain = 4;
    constexpr double kWorthwhile = 0.999;
    int better = 0;  // turn in which a better cover was found last
    bool takes_too_much = false;
    for (int turn = 0; turn < kTurns && turn < better + kInVain; ++turn) {
      const std::optional<SurfaceCover> surface =
          cover_surface(solid_, balls, search.excess(), kMostPieces);
      if (!surface) {
        takes_too_much = true;
        break;
      }
      std::vector<Vec3> beyond = surface->beyond;
      if (surface->excess < best.excess) {
        std::optional<ProvedCover> proved = cover_inside(*surface, balls, beyond);
        if (!proved) {
          takes_too_much = true;
          break;
        }
        if (proved->excess < kWorthwhile * best.excess) better = turn;
        if (proved->excess < best.excess) best = *std::move(proved);
      }
      is_interrupted_ = search.is_interrupted();
      if (is_interrupted_ || beyond.empty()) break;
      balls = rounded(search.find_near(beyond));
    }
    if (best.excess == kInfinite && takes_too_much) return too_many_pieces();
    if (best.excess == kInfinite)
      return Error{ErrorCode::kInvalidArgument,
                   "found no cover that keeps to the half space, expected more spheres, or a plane "
                   "farther from the solid",
                   "keep"};
    best.count = count;
    return best;
  }

  [[nodiscard]] const UnitSolid& solid() const { return solid_; }
  [[nodiscard]] bool is_interrupted() const { return is_interrupted_; }

 private:
  /// About centers as the mesh's frame has them, which rounding may have moved out of the solid.
  [[nodiscard]] std::vector<GrowingBall> rounded(std::vector<GrowingBall> balls) const {
    for (GrowingBall& ball : balls) {
      ball.center = solid_.from_mesh(solid_.to_mesh(ball.center));
      const double distance = nearest_wall(solid_.tree, ball.center, kInfinite).distance;
      ball.depth =
          solid_.contains(ball.center) ? distance : -distance - 0x1p-40 * solid_.tree.frame.reach;
      ball.room = solid_.kept_depth(ball.center);
    }
    return balls;
  }

  static Error too_many_pieces() {
    return {ErrorCode::kResourceLimit,
            "found no proof that the spheres contain the solid in 2^24 pieces of it, expected "
            "fewer spheres or a simpler solid",
            ""};
  }

  /// Balls of the radii with which they cover the surface, grown until they cover the solid; or
  /// all at the excess at which they do, if that is less. Adds to `beyond` what is covered last.
  [[nodiscard]] std::optional<ProvedCover> cover_inside(const SurfaceCover& surface,
                                                        const std::vector<GrowingBall>& balls,
                                                        std::vector<Vec3>& beyond) const {
    const double tolerance = 1e-3 * surface.excess;
    std::vector<GrowingBall> needed, least;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      if (!(surface.radii[i] > 0)) continue;
      needed.push_back(balls[i]);
      least.push_back({balls[i].center, surface.radii[i], balls[i].room});
    }
    const std::optional<SolidCover> more =
        cover_solid(solid_, least, 0, tolerance, kInfinite, kMostCubes);
    if (!more) return std::nullopt;
    ProvedCover cover = grown(needed, least, more->excess);
    if (more->excess <= tolerance) return cover;
    const std::optional<SolidCover> all =
        cover_solid(solid_, balls, surface.excess, tolerance, surface.excess, kMostCubes);
    if (!all) return std::nullopt;
    beyond.insert(beyond.end(), all->beyond.begin(), all->beyond.end());
    ProvedCover even = grown(balls, balls, all->excess);
    return even.excess < cover.excess ? even : cover;
  }

  /// `grown` at that excess, about centers as deep as those of `balls`, and a little more for what
  /// distances are rounded; without those that lie in others.
  [[nodiscard]] ProvedCover grown(const std::vector<GrowingBall>& balls,
                                  const std::vector<GrowingBall>& grown, double excess) const {
    ProvedCover cover;
    if (excess == kInfinite) return cover;  // whatever they grow to, their room is too small
    const double rounded_up = excess + 0x1p-44 * solid_.tree.frame.reach;
    cover.excess = 0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const double radius = grown[i].radius(rounded_up);
      if (lies_in_another(i, grown, rounded_up)) continue;
      cover.spheres.push_back({balls[i].center, radius});
      cover.excess = std::max(cover.excess, radius - balls[i].depth);
    }
    return cover;
  }

  static bool lies_in_another(std::size_t number, const std::vector<GrowingBall>& balls,
                              double excess) {
    const GrowingBall& inner = balls[number];
    return std::any_of(balls.begin(), balls.end(), [&](const GrowingBall& outer) {
      const double farthest = (inner.center - outer.center).norm() + inner.radius(excess);
      return &outer != &inner && farthest * (1 + 0x1p-48) < outer.radius(excess);
    });
  }

  const std::function<bool(double share)>& progress_;
  UnitSolid solid_;
  bool is_interrupted_ = false;
};

Result<void> check_cover(const CoverOptions& options) {
  const auto error = [](const char* message, const char* where) {
    return Error{ErrorCode::kInvalidArgument, message, where};
  };
  if (options.max_count == 0 || options.max_count > kMostCoveringSpheres)
    return error("expected a number of spheres from 1 to 10,000", "max_count");
  if (!(options.min_radius >= 0 && options.min_radius < kInfinite))
    return error("expected a radius of 0 or more", "min_radius");
  if (options.keep) return check_half_space(*options.keep);
  return {};
}

/// What spheres keep to: the half space, or as far beyond it as the solid reaches.
std::optional<HalfSpace> room_for(const ClosedMesh& solid, const std::optional<HalfSpace>& keep) {
  if (!keep) return std::nullopt;
  HalfSpace room = *keep;
  const MeshView& view = solid.view();
  for (std::size_t t = 0; t < view.triangle_count(); ++t)
    for (const std::uint32_t v : view.triangle(t))
      room.offset = std::min(room.offset, keep->normal.dot(view.vertex(v)));
  return room;
}

double least_radius(const ProvedCover& cover) {
  double least = kInfinite;
  for (const PlacedSphere& sphere : cover.spheres) least = std::min(least, sphere.radius);
  return least;
}

/// The most spheres, up to `max_count`, of which none is smaller than `min_radius`, in units of the
/// solid; of one that is smaller the radius is made that. Where so few find no cover, more may.
Result<ProvedCover> cover_by_large(Coverer& coverer, std::size_t max_count, double min_radius) {
  Result<ProvedCover> best = coverer.cover(max_count);
  if (!best || least_radius(*best) >= min_radius) return best;
  best = coverer.cover(1);
  std::size_t count = 1, too_many = max_count;
  while (!coverer.is_interrupted() && count + 1 < too_many) {
    const std::size_t middle = count + (too_many - count) / 2;
    Result<ProvedCover> more = coverer.cover(middle);
    if (more && least_radius(*more) < min_radius) {
      too_many = middle;
    } else {
      if (more) best = std::move(more);
      count = middle;
    }
  }
  if (!best || least_radius(*best) >= min_radius) return best;
  PlacedSphere& only = best->spheres.front();
  if (min_radius > coverer.solid().kept_depth(only.center))
    return Error{ErrorCode::kInvalidArgument,
                 "found no cover by spheres of that radius that keeps to the half space, expected "
                 "a smaller one",
                 "min_radius"};
  best->excess += min_radius - only.radius;
  only.radius = min_radius;
  return best;
}

}  // namespace

Result<SphereCover> cover_with_spheres(const ClosedMesh& solid, const CoverOptions& options) {
  if (Result<void> usable = check_cover(options); !usable) return usable.error();
  const double volume = mass_properties(solid).volume;
  if (!(volume > 0) || !std::isfinite(volume))
    return Error{ErrorCode::kInvalidArgument,
                 "found a solid without volume, or one whose volume is no double", "solid"};
  Coverer coverer(solid, room_for(solid, options.keep), options.progress);
  const UnitSolid& unit = coverer.solid();
  Result<ProvedCover> found =
      cover_by_large(coverer, options.max_count, options.min_radius / unit.to_mesh(1.0));
  if (!found) return found.error();
  SphereCover cover;
  cover.solid_volume = volume;
  cover.largest_protrusion = unit.to_mesh(found->excess);
  for (const PlacedSphere& sphere : found->spheres)
    cover.spheres.push_back({unit.to_mesh(sphere.center), unit.to_mesh(sphere.radius)});
  std::stable_sort(
      cover.spheres.begin(), cover.spheres.end(),
      [](const PlacedSphere& a, const PlacedSphere& b) { return a.radius > b.radius; });
  const bool is_ended_by_radius = options.min_radius > 0 && found->count < options.max_count;
  cover.end = coverer.is_interrupted() ? CoverEnd::kInterrupted
              : is_ended_by_radius     ? CoverEnd::kRadius
                                       : CoverEnd::kCount;
  return cover;
}

}  // namespace plimsoll
