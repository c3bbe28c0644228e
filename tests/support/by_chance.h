// How often a thing may happen among random cases before its claimed probability is refuted.
//
// Of n independent cases in each of which it happens with probability p or less, more than
// max_by_chance(n, p) have it in one of 10,000 campaigns at most: an upper quantile of the
// binomial distribution. So a correct claim survives nearly every new draw, and a claim that is
// wrong by some sqrt(p (1 - p) / n) fails. A median is such a claim: half of the cases lie beyond
// it.
#pragma once

#include <cmath>

namespace plimsoll::test {

/// How seldom a true claim may fail.
inline constexpr double kFalseAlarm = 1e-4;

/// Logarithm of the probability of exactly k of n; 0 < p < 1.
inline double log_binomial(int n, int k, double p) {
  return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) + k * std::log(p) +
         (n - k) * std::log1p(-p);
}

/// The least k with P(more than k of n) <= kFalseAlarm, summed from the tail.
inline int max_by_chance(int n, double p) {
  double tail = 0;
  for (int k = n; k > 0; --k) {
    tail += std::exp(log_binomial(n, k, p));
    if (tail > kFalseAlarm) return k;
  }
  return 0;
}

/// The greatest k with P(fewer than k of n) <= kFalseAlarm, where each has it with probability p or
/// more.
inline int min_by_chance(int n, double p) { return n - max_by_chance(n, 1 - p); }

}  // namespace plimsoll::test
