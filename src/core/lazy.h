// A value that is made where it is first asked for, by any thread.
#pragma once

#include <atomic>
#include <mutex>

namespace plimsoll {

template <class T>
class Lazy {
 public:
  /// What `make` returned the first time. Precondition: it would return the same each time.
  template <class Make>
  [[nodiscard]] const T& value(const Make& make) {
    std::call_once(once_, [&] {
      value_ = make();
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
