// A value that is made where it is first asked for, by any thread.
#pragma once

#include <plimsoll/parallel.h>

#include <atomic>
#include <mutex>
#include <tuple>
#include <utility>

namespace plimsoll {

template <class T>
class Lazy {
 public:
  Lazy() = default;
  /// Made already.
  explicit Lazy(T value) {
    std::ignore = this->value([&] { return std::move(value); });
  }

  /// What `make` returned the first time. Precondition: it would return the same each time.
  template <class Make>
  [[nodiscard]] const T& value(const Make& make) {
    std::call_once(once_, [&] {
      // In an arena of its own: while the parts of `make` are awaited, this thread takes up no work
      // that may ask for the same value.
      with_threads(thread_limit(), [&] { value_ = make(); });
      is_made_ = true;
    });
    return value_;
  }
  /// The value, if it was made; else null.
  [[nodiscard]] const T* made() const { return is_made_ ? &value_ : nullptr; }

 private:
  std::once_flag once_;
  T value_;
  std::atomic<bool> is_made_ = false;
};

}  // namespace plimsoll
