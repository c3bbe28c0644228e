// Where the centers of few balls should be that contain a solid and hardly reach out of it.
//
// A ball about c may grow to the radius d(c) + h, d the depth of c, and reaches out of the solid by
// h at most: so the excess at which it covers x is |x - c| - d(c), and that of all balls is the
// largest, over the solid, of the least of their excesses,
//
//     H(c_1 .. c_n) = max_x min_i |x - c_i| - d(c_i).
//
// Each ball of the solid lies in one about a point of the medial axis, which covers all that it
// does at the same excess: so only such centers are looked at. The search takes samples of the
// surface for the solid and descends along sums of the q-th power of their excesses, one ball after
// the other in its own cell of samples, as Lloyd's algorithm does, for q from 2, which spreads the
// balls, to 64, which stands for the largest. Then the ball that others can best do without is put
// where the excess is the largest, while that helps.
//
// With a plane to keep to, a ball that the plane leaves less room than d(c) + h is larger farther
// from the plane: moved along its normal n by t, its room grows by t, and it contains what it was,
// until d(c + t n) + h is as small. So with an excess to aim at, such balls are raised so far. As h
// gets less, so does the aim.
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "spheres/growing_ball.h"
#include "spheres/medial_ball.h"
#include "spheres/unit_solid.h"

namespace plimsoll {

class CoverSearch {
 public:
  /// `progress` is told what part is done, and ends the search where it says false. Samples are as
  /// many as `count` balls need.
  CoverSearch(const UnitSolid& solid, std::size_t count,
              const std::function<bool(double share)>& progress);

  /// The best balls that were found, `count` at most; none where no point of the solid was.
  [[nodiscard]] std::vector<GrowingBall> find(std::size_t count);
  /// Better ones near those that were found last, with more samples: points of the solid where a
  /// proof has found the excess to be large.
  [[nodiscard]] std::vector<GrowingBall> find_near(std::span<const Vec3> samples);
  /// Of the samples, of the balls that were found last.
  [[nodiscard]] double excess() const { return excess_; }
  [[nodiscard]] bool is_interrupted() const { return is_interrupted_; }

 private:
  struct Mover {
    MedialBall ball;
    double room = 0;  ///< What it may grow to, less a little, of which the search keeps clear.
    double step = 0;  ///< How far it is moved next.
    bool is_raised = false;
  };
  /// Which ball covers a sample first, and when.
  struct First {
    std::uint32_t ball = 0;
    double excess = std::numeric_limits<double>::infinity();
  };
  /// Of all samples.
  struct Cells {
    std::vector<First> first;
    double largest = 0;     // excess
    std::size_t worst = 0;  // the sample that has it
  };

  void take_samples(std::size_t count);
  void use_samples(std::size_t on_surface);
  void add_candidates(std::span<const Vec3> samples);
  [[nodiscard]] std::span<const Vec3> samples() const { return {samples_.data(), in_use_}; }
  [[nodiscard]] Mover mover(const MedialBall& ball) const;
  [[nodiscard]] Mover raised(const MedialBall& ball) const;
  void aim(std::vector<Mover>& movers);
  void make_candidates();
  [[nodiscard]] std::vector<Mover> spread(std::size_t count, std::size_t start);
  [[nodiscard]] Mover mover_for(const Vec3& sample, double excess) const;
  [[nodiscard]] double excess_of(const Mover& mover, const Vec3& sample) const;
  [[nodiscard]] First first_to_cover(std::span<const Mover> movers, const Vec3& sample,
                                     std::uint32_t except, First known) const;
  void find_cells(std::span<const Mover> movers, std::span<const Vec3> samples, Cells& cells) const;
  [[nodiscard]] Cells cells_of(std::span<const Mover> movers, std::span<const Vec3> samples) const;
  void descend(std::vector<Mover>& movers, std::span<const Vec3> samples, int doublings,
               int sweeps);
  void move(Mover& mover, std::span<const Vec3> cell, double scale, int doublings) const;
  [[nodiscard]] std::vector<Mover> moved(const Mover& mover, const Vec3& center) const;
  void reuse(std::vector<Mover>& movers) const;
  void relocate(std::vector<Mover>& movers);
  [[nodiscard]] bool relocate(std::vector<Mover>& movers, const Cells& cells, std::uint32_t number);
  [[nodiscard]] bool goes_on(double share);
  [[nodiscard]] std::vector<GrowingBall> best();

  const UnitSolid& solid_;
  const std::function<bool(double share)>& progress_;
  std::vector<Vec3> samples_;      // in the solid and corners; then of the surface, evenly spread
  std::size_t inner_samples_ = 0;  // how many are not of the surface
  std::size_t in_use_ = 0;         // the first of them
  std::vector<MedialBall> balls_below_;  // the surface
  std::vector<Mover> candidates_;        // of them
  double aim_ = 0;                       // at an excess, with a plane
  std::vector<Mover> movers_;
  double excess_ = 0;
  double steepness_ = 30;  // of the excess beyond a ball's room
  double share_ = 0;       // that is done
  bool is_interrupted_ = false;
};

}  // namespace plimsoll
