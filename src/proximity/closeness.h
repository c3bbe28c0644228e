// Whether two triangles are closer than a distance, decided exactly.
#pragma once

#include <plimsoll/result.h>

#include <cstddef>

#include "proximity/triangle_distance.h"

namespace plimsoll {

/// Tells of triangles of any size whether they are closer than a distance. Doubles answer nearly
/// always. Where a pair is near that distance, or hundreds of thousands of times as long as it,
/// twice the digits of doubles answer; where these leave it open, whole numbers, which take the
/// longer the more digits coordinates have.
class Closeness {
 public:
  /// `distance` is a number; it may be infinite. `max_work` is the time that all questions together
  /// may take which doubles leave open, in microseconds of a core of 3 GHz: it is counted, not
  /// measured, and so the same everywhere.
  Closeness(double distance, double max_work);

  /// What a search among so many triangles may take: three seconds, and a tenth of a millisecond
  /// for each.
  [[nodiscard]] static double max_work_of(std::size_t triangles);

  [[nodiscard]] double distance() const { return distance_; }

  /// Precondition: they have no point in common; `squared` is that of their nearest_points. Means
  /// nothing once is_exhausted().
  [[nodiscard]] bool holds(const TripleCorners<double>& a, const TripleCorners<double>& b,
                           double squared);

  /// Whether the questions took more than they may.
  [[nodiscard]] bool is_exhausted() const { return work_left_ < 0; }
  /// What is then said: `ResourceLimit`.
  [[nodiscard]] static Error too_much_work();

 private:
  [[nodiscard]] bool have_near_features(const TripleCorners<double>& a,
                                        const TripleCorners<double>& b);

  double distance_;
  double surely_closer_, surely_farther_;  // squares
  double work_left_;
};

}  // namespace plimsoll
