// Questions about what two solids share: volume, its bounds, how to part them, contact forces.
#pragma once

#include <plimsoll/contact.h>
#include <plimsoll/overlap.h>
#include <plimsoll/separation.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

#include "check_answer.h"
#include "tiny_bodies.h"
#include "tiny_meshes.h"

namespace plimsoll::fuzz {

/// Both bound solids: bounds of volumes nest.
inline void check_shared(OverlapSearch& search, const TwoBodies& two, const Overlap& shared) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const double most = shared.volume + shared.volume_error,
               least = shared.volume - shared.volume_error;
  for (const Body* body : {&a, &b})
    require(is_at_most(least, body->mass.volume + body->mass.error_bound.volume),
            "more shared than a body holds");
  const auto back = search.overlap(b.solid, b.pose, a.solid, a.pose, {}, kWork);
  if (two.is_taken(back))
    require(is_near(back->volume, shared.volume, back->volume_error + shared.volume_error),
            "another shared volume from the other side");
  if (shared.pieces) {
    double sum = 0, error = 0;
    for (const OverlapPiece& piece : *shared.pieces) {
      require(piece.volume > 0 && is_error(piece.volume_error), "a piece without volume");
      sum += piece.volume;
      error += piece.volume_error;
    }
    require(is_at_most(sum - error, most), "pieces larger than the whole");
  }
  const auto inside = search.lies_in(a.solid, a.pose, b.solid, b.pose, kWork);
  if (two.is_taken(inside) && inside->value_or(false) && two.are_exact()) {
    const MassProperties& mass = a.mass;
    require(is_near(shared.volume, mass.volume, shared.volume_error + mass.error_bound.volume),
            "a body inside another that shares a part of itself");
  }
}

inline void check_estimate(OverlapSearch& search, const TwoBodies& two, const Overlap& shared,
                           double max_work) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const auto found = search.estimate(a.solid, a.pose, b.solid, b.pose, {.max_work = max_work});
  if (!two.is_taken(found) || !two.are_sound()) return;
  require(found->lower >= 0 && found->lower <= found->upper, "bounds out of order");
  require(is_error(found->force_error), "an error that is no number");
  require(is_at_most(found->lower, shared.volume + shared.volume_error) &&
              is_at_most(shared.volume - shared.volume_error, found->upper),
          "bounds that do not enclose the volume");
  if (shared.is_one_sided) return;
  const double rounding = 1e-9 * (shared.patch_areas[0] + shared.patch_areas[1]);
  require(
      is_at_most(length(found->force_a - shared.force_a), with_room(found->force_error) + rounding),
      "a force farther off than its error");
}

inline void check_separation(OverlapSearch& search, const TwoBodies& two) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const auto found = separation(search, a.solid, a.pose, b.solid, b.pose);
  if (!is_answered(found)) return;  // also where poses are rounded far
  require(is_near(found->length, length(found->translation), 1e-12 * found->length),
          "another length");
  Similarity moved = a.pose;
  moved.translation() += found->translation;
  const auto after = search.overlap(a.solid, moved, b.solid, b.pose, {}, kWork);
  if (is_answered(after)) require(!after->overlaps, "bodies that still share volume");
}

inline void check_contact(const TwoBodies& two, bool overlaps, const ContactOptions& options) {
  const auto& [a, b] = std::tie(two.a, two.b);
  ContactSearch search;
  const auto found = search.forces(a.solid, a.pose, b.solid, b.pose, options, kWork);
  if (!two.is_taken(found)) return;
  require(found->overlaps == overlaps, "contact without an overlap, or none with one");
  require(found->energy.has_value() == options.energy, "an energy that was not asked for, or was");
  if (!overlaps)
    require(found->force_a.isZero(0) && found->area == 0 && found->points.empty(),
            "a force where nothing is shared");
  if (!two.is_usual) return;
  require(found->force_a.allFinite() && found->torque_a.allFinite() && found->force_b.allFinite() &&
              found->torque_b.allFinite(),
          "a force that is no number");
  require(found->area >= 0, "an area below 0");
  require(!found->energy || std::isfinite(*found->energy), "an energy that is no number");
  require(is_at_most(length(found->force_a + found->force_b), 1e-12 * length(found->force_a)),
          "forces that are not opposite");
  Vec3 sum = Vec3::Zero();
  double pushes = 0;
  for (const ContactPoint& point : found->points) {
    require(point.area >= 0 && point.push >= 0 && point.pressed >= 0, "a point that pulls");
    sum += point.push * point.way;
    pushes += point.push;
  }
  if (options.points)
    require(is_at_most(length(sum - found->force_a), 1e-9 * pushes), "points of another force");
}

inline void check_overlap(const TwoBodies& two, const std::optional<Containment>& inside,
                          Bytes& bytes) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const std::uint8_t choice = bytes.byte();
  OverlapSearch search;
  const OverlapParts parts{
      .contacts = true, .curve = true, .second_derivative = true, .pieces = true};
  const auto shared = search.overlap(a.solid, a.pose, b.solid, b.pose, parts, kWork);
  if (!two.are_closed()) {
    // Equal vertices count as one: it may be closed all the same.
    static_cast<void>(is_answered(shared));
    return;
  }
  if (!two.is_taken(shared)) return;
  require(shared->volume >= 0 && is_error(shared->volume_error), "a volume that is no number");
  require(shared->overlaps || shared->volume == 0, "a volume of what does not overlap");
  require(shared->center.has_value() == (shared->volume > shared->volume_error),
          "a center of what may be nothing, or none");
  if (!shared->force_a.hasNaN())
    require(shared->force_b == -shared->force_a, "forces that are not opposite");
  require(is_at_most(0, shared->curve_length), "a length below 0");
  if (two.is_usual)
    require(shared->force_a.allFinite() && shared->torque_a.allFinite() &&
                shared->torque_b.allFinite() && std::isfinite(shared->curve_length),
            "a force that is no number");
  if (two.are_sound()) {
    check_shared(search, two, *shared);
    if (inside == Containment::kNone)
      require(!shared->overlaps, "an overlap of surfaces and solids that are apart");
  }
  constexpr double kBudgets[] = {0, 5, 50, 1e5};
  check_estimate(search, two, *shared, kBudgets[choice % 4]);
  const bool are_small = a.count() <= 4 && b.count() <= 4;
  if (choice / 4 % 4 == 0 && are_small && two.are_sound()) check_separation(search, two);
  if (choice / 16 % 2 == 0)
    check_contact(two, shared->overlaps,
                  {.potential = choice / 32 % 4 == 0 && are_small ? ContactPotential::kLesserDepth
                                                                  : ContactPotential::kMeanDepth,
                   .points = true,
                   .energy = choice / 128 == 0 && are_small});
}

}  // namespace plimsoll::fuzz
