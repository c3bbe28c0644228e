// How the library reports input it cannot use: a value or an Error, never an exception.
#pragma once

#include <plimsoll/assert.h>

#include <string>
#include <utility>
#include <variant>

namespace [[gnu::visibility("default")]] plimsoll {

enum class ErrorCode {
  kInvalidArgument,  ///< A parameter outside its documented range.
  kUnreadable,       ///< The file cannot be opened or read.
  kMalformed,        ///< The data breaks the rules of its format.
  kUnsupported,      ///< Well-formed, but uses something this version does not read.
  kNoSolid,          ///< Well-formed, but holds no triangle.
  kNotClosed,        ///< The triangles do not bound a solid.
  kResourceLimit,    ///< Would need more memory or time than the stated limit.
  kUnavailable,      ///< Not available in this version or on this machine.
};

/// The code in `snake_case`, as the command line prints it: "malformed".
[[nodiscard]] const char* to_string(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;  ///< What was found and what was expected, for a person.
  std::string where;    ///< File, line, byte offset or element; may be empty.
};

/// A value or an `Error`, with the names of std::expected. Ask before you take the value: to take
/// that of an error is a fault of the program, which stops there if PLIMSOLL_ENABLE_ASSERTS is
/// defined and else is undefined, as with std::expected's `operator*`.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  /// Precondition: has_value().
  [[nodiscard]] T& value() & { return *pointer(); }
  [[nodiscard]] const T& value() const& { return *const_cast<Result*>(this)->pointer(); }
  [[nodiscard]] T&& value() && { return std::move(*pointer()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return pointer(); }
  const T* operator->() const { return &value(); }

  /// Precondition: !has_value().
  [[nodiscard]] const Error& error() const {
    PLIMSOLL_ASSERT(!has_value(), "error() of a Result that holds a value");
    return *std::get_if<1>(&state_);
  }

 private:
  T* pointer() {
    PLIMSOLL_ASSERT(has_value(), "value() of a Result that holds an error");
    return std::get_if<0>(&state_);
  }
  std::variant<T, Error> state_;
};

/// Success or an `Error`.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}

  [[nodiscard]] bool has_value() const { return !failed_; }
  explicit operator bool() const { return has_value(); }

  /// Precondition: !has_value().
  [[nodiscard]] const Error& error() const {
    PLIMSOLL_ASSERT(failed_, "error() of a Result that holds a value");
    return error_;
  }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace plimsoll
