// Evaluating formulas. The parser is in parse_expression.cpp.
#include <plimsoll/expression.h>

#include "shape/expression_program.h"

namespace plimsoll {

double Expression::operator()(const Vec3& p) const {
  RealAlgebra numbers;
  return run(program_->instructions, std::array<double, 3>{p.x(), p.y(), p.z()}, numbers);
}

Interval Expression::range(const Box3& box) const {
  const Vec3 &low = box.min(), &high = box.max();
  IntervalAlgebra intervals;
  const Interval range =
      run(program_->instructions,
          std::array<Interval, 3>{{{low.x(), high.x()}, {low.y(), high.y()}, {low.z(), high.z()}}},
          intervals);
  if (intervals.domain.nowhere) return {kInfinity, -kInfinity};
  return range;
}

SlopeRange Expression::range_along(const Box3& box, const Vec3& direction) const {
  std::array<SlopedInterval, 3> point;
  for (int i = 0; i < 3; ++i)
    point[static_cast<std::size_t>(i)] = {{box.min()[i], box.max()[i]},
                                          {direction[i], direction[i]}};
  SlopeAlgebra sloped;
  const SlopedInterval range = run(program_->instructions, point, sloped);
  const Domain domain = sloped.intervals.domain;
  if (domain.nowhere) return {{kInfinity, -kInfinity}, kWholeLine, false};
  return {range.value, domain.everywhere ? range.slope : kWholeLine, domain.everywhere};
}

}  // namespace plimsoll
