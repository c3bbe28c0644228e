// Sums and products of doubles without rounding: what adaptive predicates fall back on.
#pragma once

#include <array>

namespace plimsoll {

struct Parts {
  double high, low;  // high + low is the exact value, high its rounding
};

inline Parts exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// The product by splitting into halves [Dekker1971]: exact unless something overflows or
// underflows.
inline Parts halves(double a) {
  const double scaled = 134217729.0 * a;  // 2^27 + 1
  const double high = scaled - (scaled - a);
  return {high, a - high};
}

inline Parts exact_product(double a, double b) {
  const double product = a * b;
  const Parts x = halves(a), y = halves(b);
  const double low = ((x.high * y.high - product) + x.high * y.low + x.low * y.high);
  return {product, low + x.low * y.low};
}

// An unevaluated sum of doubles that do not overlap, in ascending order of magnitude, zeros left
// out: the last one has the sign of the whole. [Shewchuk1997, theorem 10]
template <int N>
class Expansion {
 public:
  void add(double term) {
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      const Parts parts = exact_sum(term, terms_[i]);
      if (parts.low != 0) terms_[kept++] = parts.low;
      term = parts.high;
    }
    if (term != 0) terms_[kept++] = term;
    size_ = kept;
  }
  void add_product(double a, double b) {
    const Parts parts = exact_product(a, b);
    add(parts.low);
    add(parts.high);
  }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] double operator[](int i) const { return terms_[i]; }
  [[nodiscard]] int sign() const {
    return size_ == 0 ? 0 : (terms_[size_ - 1] > 0) - (terms_[size_ - 1] < 0);
  }
  /// The sum, to a unit in the last place; its sign is exact.
  [[nodiscard]] double value() const {
    double sum = 0;
    for (int i = 0; i < size_; ++i) sum += terms_[i];
    return sum;
  }

 private:
  std::array<double, N> terms_{};
  int size_ = 0;
};

}  // namespace plimsoll
