// What must hold of answers, whatever was asked: an error says what is wrong, and numbers are
// numbers.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check_reader.h"

namespace plimsoll::fuzz {

/// Whether there is an answer. An error has a message.
template <class T>
[[nodiscard]] bool is_answered(const Result<T>& answer) {
  require(answer.has_value() || !answer.error().message.empty(), "an error without a message");
  return answer.has_value();
}

/// Not more, as far as both are numbers.
[[nodiscard]] inline bool is_at_most(double x, double most) { return !(x > most); }

/// Whether an error is a number from 0 on, or infinite.
[[nodiscard]] inline bool is_error(double x) { return x >= 0; }

/// The numbers of an answer, which are compared bit by bit.
class Bits {
 public:
  void add(double number) { bits_.push_back(std::bit_cast<std::uint64_t>(number)); }
  template <class Derived>
  void add(const Eigen::DenseBase<Derived>& numbers) {
    for (Eigen::Index i = 0; i < numbers.rows(); ++i)
      for (Eigen::Index j = 0; j < numbers.cols(); ++j) add(numbers.derived()(i, j));
  }

  friend bool operator==(const Bits&, const Bits&) = default;

 private:
  std::vector<std::uint64_t> bits_;
};

/// Choices that follow from a text: a document has no room for them.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> text) {
    for (const std::uint8_t byte : text) left_ = (left_ ^ byte) * 0x100000001B3u;  // FNV-1a
  }

  /// From 0 to `count` - 1.
  [[nodiscard]] int below(int count) {
    left_ ^= left_ >> 29;
    left_ *= 0x9E3779B97F4A7C15u;
    return static_cast<int>((left_ >> 33) % static_cast<std::uint64_t>(count));
  }
  [[nodiscard]] bool one_in(int count) { return below(count) == 0; }

 private:
  std::uint64_t left_ = 0xCBF29CE484222325u;
};

}  // namespace plimsoll::fuzz
