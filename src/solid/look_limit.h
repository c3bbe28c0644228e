// A limit of work that is counted, so that answers do not depend on the speed of a machine.
#pragma once

#include <atomic>
#include <cstdint>

namespace plimsoll {

/// How many looks a search takes: at a cell by a line that may cut it, or at a triangle by a ray.
/// Several threads may count. Which of them comes to the limit may depend on threads; whether any
/// does, does not, where each would end at the same count without the limit.
class LookLimit {
 public:
  explicit LookLimit(std::uint64_t limit) : limit_(limit) {}

  void add(std::uint64_t looks) { taken_.fetch_add(looks, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_exceeded() const { return taken() > limit_; }

 private:
  std::uint64_t limit_;
  std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace plimsoll
