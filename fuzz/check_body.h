// Questions about one body: points and rays, health, mass, water.
#pragma once

#include <plimsoll/buoyancy.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/submersion.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "check_answer.h"
#include "tiny_bodies.h"

namespace plimsoll::fuzz {

// ---- points and rays

inline bool is_place(const Vec3& p) { return p.allFinite() && p.cwiseAbs().maxCoeff() <= kLargest; }

inline void check_nearest(const Body& body, const Vec3& point, const NearestOnSurface& nearest) {
  check_bounds(nearest.lower, nearest.distance, nearest.upper);
  require(nearest.at.has_value(), "a surface that is nowhere");
  require(nearest.at->triangle < body.count(), "a triangle that the mesh has not");
  Magnitudes numbers = body.all;
  numbers.add(point);
  if (numbers.are_rounded()) return;
  KnownDistance known;
  for (const Corners& t : body.corners) known.add(t, {&point, 1});
  known.check(nearest.lower, nearest.upper);
}

/// What is said of a point.
struct Sides {
  int winding = 0;
  double generalized = 0;
  SignedDistance distance;
  bool is_inside = false;
};

/// Of a closed surface.
inline Sides check_sides(SurfaceProbe& probe, const Vec3& point, const NearestOnSurface& nearest) {
  const Result<int> winding = probe.winding_number(point);
  const Result<double> generalized = probe.generalized_winding_number(point);
  const Result<SignedDistance> distance = probe.signed_distance(point);
  const Result<bool> inside = probe.contains(point);
  require(is_answered(winding) && is_answered(generalized) && is_answered(distance) &&
              is_answered(inside),
          "a closed surface without sides");
  require(std::fabs(distance->distance) == distance->nearest.distance, "two distances");
  if (distance->distance < 0) require(*inside, "a depth outside");
  if (!*inside) require(distance->distance >= 0, "a depth outside");
  if (nearest.lower > 0) {
    require(*inside == (*winding != 0), "inside where nothing winds around");
    require((distance->distance < 0) == *inside, "a distance of the wrong sign");
    require(is_near(*generalized, *winding, 1e-9), "another winding number of a closed surface");
  }
  return {*winding, *generalized, *distance, *inside};
}

/// Of one that is not closed, unless its corners are equal.
inline void check_no_sides(SurfaceProbe& probe, const Vec3& point) {
  require(is_answered(probe.generalized_winding_number(point)), "refused without need");
  const Result<int> winding = probe.winding_number(point);
  const Result<SignedDistance> distance = probe.signed_distance(point);
  const Result<bool> inside = probe.contains(point);
  require(
      is_answered(winding) == is_answered(distance) && is_answered(winding) == is_answered(inside),
      "a surface that is closed for some questions");
  if (!winding) require(winding.error().code == ErrorCode::kNotClosed, "refused without need");
}

/// Nothing where the surface is not met, or nothing was asked.
inline std::optional<RayHit> check_ray(SurfaceProbe& probe, const Body& body, const Ray& ray) {
  const Result<std::optional<RayHit>> hit = probe.first_hit(ray);
  const bool is_ray = is_place(ray.direction) && !ray.direction.isZero(0);
  require(is_answered(hit) == is_ray, "a ray that was refused without need, or taken");
  if (!is_ray || !*hit) return std::nullopt;
  require((*hit)->along >= 0, "a hit behind the origin");
  require((*hit)->triangle < body.count(), "a triangle that the mesh has not");
  const double half = (*hit)->along / 2;
  if (!std::isfinite(half)) return **hit;
  const Result<std::optional<RayHit>> nearer = probe.first_hit(ray, half);
  require(is_answered(nearer) && (!*nearer || (*nearer)->along <= half), "a hit beyond the limit");
  return **hit;
}

/// Of `given` the first is a corner.
inline void check_probe(const Body& body, std::span<const Vec3> given, const Vec3& direction) {
  Result<SurfaceProbe> probe = SurfaceProbe::of(body.tree, body.pose);
  if (!is_taken(probe, body.terms, body.reach)) return;
  std::vector<Vec3> points;
  std::vector<Ray> rays;
  std::vector<NearestOnSurface> nearest;
  std::vector<std::optional<RayHit>> hits;
  std::vector<Sides> sides;
  for (const Vec3& point : given) {
    const Result<NearestOnSurface> found = probe->nearest(point);
    require(is_answered(found) == is_place(point), "a point refused without need, or taken");
    if (!found) continue;
    check_nearest(body, point, *found);
    points.push_back(point);
    rays.push_back({point, direction});
    nearest.push_back(*found);
    hits.push_back(check_ray(*probe, body, rays.back()));
    if (body.is_closed)
      sides.push_back(check_sides(*probe, point, *found));
    else
      check_no_sides(*probe, point);
  }
  const bool is_ray = is_place(direction) && !direction.isZero(0);
  const bool begins_at_corner = !points.empty() && points.front() == given.front();
  if (begins_at_corner && !body.own.are_rounded()) {
    require(nearest.front().lower == 0, "a corner that is not on the surface");
    require(hits.front().has_value() == is_ray, "a ray from a corner that meets nothing");
    require(!body.is_closed || sides.front().is_inside, "a corner outside of its solid");
  }

  // All at once, in another order.
  const auto all = nearest_on_surface(body.tree, body.pose, points);
  require(is_answered(all), "points refused together");
  for (std::size_t i = 0; i < points.size(); ++i)
    require((*all)[i].distance == nearest[i].distance &&
                (*all)[i].at->triangle == nearest[i].at->triangle &&
                (*all)[i].at->at == nearest[i].at->at,
            "another nearest point together");
  if (is_ray) {
    const auto met = first_hits(body.tree, body.pose, rays);
    require(is_answered(met), "rays refused together");
    for (std::size_t i = 0; i < rays.size(); ++i) {
      require((*met)[i].has_value() == hits[i].has_value(), "another hit together");
      if (hits[i])
        require((*met)[i]->along == hits[i]->along && (*met)[i]->triangle == hits[i]->triangle,
                "another hit together");
    }
  }
  if (!body.is_closed) return;
  const auto windings = winding_numbers(body.tree, body.pose, points);
  const auto generalized = generalized_winding_numbers(body.tree, body.pose, points);
  const auto distances = signed_distance(body.tree, body.pose, points);
  const auto insides = contains(body.tree, body.pose, points);
  require(is_answered(windings) && is_answered(generalized) && is_answered(distances) &&
              is_answered(insides),
          "points refused together");
  for (std::size_t i = 0; i < points.size(); ++i)
    require((*windings)[i] == sides[i].winding && (*generalized)[i] == sides[i].generalized &&
                (*distances)[i].distance == sides[i].distance.distance &&
                ((*insides)[i] != 0) == sides[i].is_inside,
            "other sides together");
}

// ---- one body: health, mass, water

inline void check_health(const Body& body) {
  const MeshHealth& health = body.health;
  require(health.triangles == body.count(), "a wrong count");
  require(health.status == worst_of(health.findings), "a status that is not the worst finding");
  require((health.unbalanced_edges == 0) == body.is_closed, "closed for one only");
  require(health.self_intersecting_pairs.has_value(), "pairs that were asked for");
  require(is_at_most(0, health.surface_area), "an area below 0");
  require(health.defects.size() <= Body::kHealth.max_defects, "more defects than asked for");
  for (const Defect& defect : health.defects) {
    require(defect.triangle < body.count(), "a triangle that the mesh has not");
    require(defect.at.allFinite(), "a defect that is nowhere");
  }
}

inline void check_numbers(const MassProperties& mass) {
  const MassError& error = mass.error_bound;
  require(mass.volume >= 0 && mass.mass >= 0, "a volume below 0, or none");
  require(is_error(error.volume) && is_error(error.center_of_mass) && is_error(error.inertia),
          "a bound that is no number");
}

/// Both sums of a closed surface, and what holds of a solid.
inline void check_mass(const Body& body) {
  const MassProperties tight = mass_properties(body.checked),
                       fast = mass_properties(body.checked, {.precision = Precision::kFast});
  check_numbers(tight);
  check_numbers(fast);
  if (body.is_closed && std::isnormal(tight.volume) && std::isnormal(fast.volume)) {
    const MassError &of_tight = tight.error_bound, &of_fast = fast.error_bound;
    require(!tight.center_of_mass.hasNaN() && !fast.center_of_mass.hasNaN(),
            "a center that is nowhere");
    require(is_near(tight.volume, fast.volume, of_tight.volume + of_fast.volume),
            "volumes farther apart than their bounds");
    for (int i = 0; i < 3; ++i) {
      require(is_near(tight.center_of_mass[i], fast.center_of_mass[i],
                      of_tight.center_of_mass + of_fast.center_of_mass),
              "centers farther apart than their bounds");
      for (int j = 0; j < 3; ++j)
        require(
            is_near(tight.inertia(i, j), fast.inertia(i, j), of_tight.inertia + of_fast.inertia),
            "inertias farther apart than their bounds");
    }
  }
  const MassProperties& mass = body.mass;
  if (!body.is_sound || !std::isnormal(mass.volume)) return;
  const Box3 box = box_of(body.corners);
  const double outside =
      (box.min() - mass.center_of_mass).cwiseMax(mass.center_of_mass - box.max()).maxCoeff();
  require(is_at_most(outside, mass.error_bound.center_of_mass), "a center out of the box");
  const double room = box.sizes().prod();
  if (std::isnormal(room))
    require(is_at_most(mass.volume, with_room(room) + mass.error_bound.volume),
            "a solid larger than its box");
}

/// The wet part by all who tell.
struct WetParts {
  std::array<Submersion, 3> by;

  WetParts(const Body& body, SubmersionTracker& tracker, const WaterPlane& water)
      : by{submersion(body.checked, water), body.solid.submersion(water),
           tracker.submersion(water)} {}

  void check(bool is_sound, const MassProperties& whole) const {
    for (const Submersion& wet : by) {
      require(!std::isnan(wet.volume), "a volume that is no number");
      require(is_error(wet.volume_error), "an error that is no number");
      if (!is_sound) continue;
      require(wet.volume >= 0, "a volume under water below 0");
      require(is_at_most(wet.volume, whole.volume + whole.error_bound.volume + wet.volume_error),
              "more under water than there is");
      require(is_near(wet.volume, by[0].volume, wet.volume_error + by[0].volume_error),
              "volumes farther apart than their errors");
    }
  }
  void check_no_less_than(const WetParts& lower) const {
    for (std::size_t i = 0; i < by.size(); ++i)
      require(is_at_most(lower.by[i].volume,
                         by[i].volume + by[i].volume_error + lower.by[i].volume_error),
              "less under a higher plane");
  }
  void check_whole(const MassProperties& whole) const {
    for (const Submersion& wet : by)
      require(is_near(wet.volume, whole.volume, wet.volume_error + whole.error_bound.volume),
              "another volume of all of it");
  }
  void check_dry() const {
    for (const Submersion& wet : by)
      require(wet.volume == 0 && wet.center_of_buoyancy.isZero(0) && wet.wetted_area == 0 &&
                  wet.waterplane.area == 0,
              "something under water of what is dry");
  }
};

inline void check_submersion(const Body& body, const WaterPlane& given, double other_offset) {
  SubmersionTracker tracker(body.solid);
  if (!is_plane(given)) {
    for (const Submersion& wet : WetParts(body, tracker, given).by)
      require(std::isnan(wet.volume) && wet.volume_error == kInfinite, "a part under no plane");
    return;
  }
  const auto under = [&](double offset) { return WetParts(body, tracker, {given.normal, offset}); };
  const MassProperties whole = mass_properties(body.checked);
  const bool is_sound = body.is_closed && plimsoll::is_sound(body.health.status);
  const auto [low, high] = std::minmax(given.offset, other_offset);
  const WetParts lower = under(low), higher = under(high);
  lower.check(is_sound, whole);
  higher.check(is_sound, whole);
  if (is_sound) higher.check_no_less_than(lower);
  double farthest = 0;
  for (const Triangle& t : body.mesh.triangles)
    for (const std::uint32_t v : t)
      farthest = std::max(farthest, given.normal.cwiseAbs().dot(body.mesh.vertices[v].cwiseAbs()));
  const double beyond = 2 * farthest;
  if (!(beyond > 1e-290 && beyond < kInfinite)) return;
  under(-beyond).check_dry();
  const WetParts all = under(beyond);
  all.check(is_sound, whole);
  if (is_sound) all.check_whole(whole);
}

/// Forces that do not fit a number are refused.
template <class T>
inline bool is_lifted(const Result<T>& answer) {
  if (is_answered(answer)) return true;
  require(answer.error().code == ErrorCode::kResourceLimit, "refused without need");
  return false;
}

inline void check_lift(const Buoyancy& wet) {
  require(wet.volume >= 0 && std::isfinite(wet.volume) && wet.center.allFinite() &&
              wet.lift.allFinite() && wet.lift_moment.allFinite(),
          "a buoyancy that is no number");
}

inline void check_buoyancy(const Body& body, double height) {
  constexpr double kHighest = 1e60;
  if (!body.is_placed) return;
  const double level = std::clamp(height, -kHighest, kHighest);
  const SurfaceNow still = *FreeSurface::create(StillWater{level})->at(0, 9.8);
  const Result<BuoyantForce> pushed = buoyancy(body.checked, body.pose, still),
                             by_tree = buoyancy(body.solid, body.pose, {Vec3::UnitZ(), level});
  const bool is_pushed = is_lifted(pushed), is_pushed_by_tree = is_lifted(by_tree);
  if (is_pushed) check_lift(pushed->wet);
  if (is_pushed && is_pushed_by_tree && body.is_sound) {
    require(is_at_most(length(pushed->force - by_tree->force),
                       with_room(pushed->force_error + by_tree->force_error)),
            "forces farther apart than their errors");
    require(is_at_most(length(pushed->torque - by_tree->torque),
                       with_room(pushed->torque_error + by_tree->torque_error)),
            "torques farther apart than their errors");
  }
  // Waves longer than the body, so that it is cut into few pieces.
  const double size = box_of(body.corners).sizes().maxCoeff();
  if (!(size > 1e-50 && size < 1e50)) return;
  const Result<FreeSurface> waves =
      FreeSurface::create(Waves{level, {{size / 64, 4 * size, 30, 0.5}}});
  if (!is_answered(waves)) return;
  const Result<SurfaceNow> now = waves->at(0, 9.8);
  if (!is_answered(now)) return;
  const Result<Buoyancy> wet = buoyancy(body.checked, body.pose, *now, 1e-3 * size);
  if (is_lifted(wet)) check_lift(*wet);
}

}  // namespace plimsoll::fuzz
