// The nearest triangles of two bodies that boxes do not tell apart.
//
// Pairs of parts are opened, the nearest first, as distance.cpp does by boxes; here their gaps are
// those of their hulls. The surface that runs within a hull is not where the hull is: a hollow
// patch's lies behind its border. Where the nearest point of one hull lies on a triangle and that
// of the other does not, it is the other that is opened. So a cone in a cone costs one gap for each
// triangle of the outer one: the inner one is its own hull, and is not opened at all.
#pragma once

#include <cstddef>
#include <vector>

#include "proximity/hull_gap.h"
#include "proximity/nearest_triangles.h"
#include "proximity/search_work.h"

namespace plimsoll {

class HullSearch {
 public:
  /// Pairs of parts that wait.
  struct Waiting {
    Part part[2];
    HullGap hulls;
    std::size_t number;
  };
  struct Memory {
    HullGaps gaps;
    std::vector<Waiting> nearest_first, last_first;
  };

  HullSearch(const PosedBodies& bodies, Memory& memory, NearestTriangles& triangles,
             SearchWork& work);

  /// Measures all triangles that may be nearest, or until surfaces are found to cross. Returns
  /// whether it came to an end before the work was exhausted and with no more than so many gaps.
  [[nodiscard]] bool run(std::size_t max_gaps);

 private:
  void offer(const Part& a, const Part& b, const Triple<double>& n);
  [[nodiscard]] bool take(Waiting& taken);
  void open(const Waiting& pair);
  [[nodiscard]] int side_to_open(const Waiting& pair) const;

  /// So many wait in the order of their gaps: 21 MB. Once there are more, the last that was found
  /// is opened first, so that no more than some dozens are added.
  static constexpr std::size_t kMaxOrdered = std::size_t{1} << 18;

  const TriangleTree* tree_[2];
  Memory& memory_;
  NearestTriangles& triangles_;
  SearchWork& work_;
  std::size_t number_ = 0;
};

}  // namespace plimsoll
