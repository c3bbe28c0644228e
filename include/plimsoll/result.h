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

/// Ends the program, in every build, with the words and the place of `error`, where a value was
/// taken of a Result that holds none. As a failed assertion does: by the handler of assert.h, if
/// that returns by abort().
[[noreturn]] void value_of_error(const Error& error);
/// The same where the error was taken of a Result that holds a value.
[[noreturn]] void error_of_value();

/// A value or an `Error`, with the names of std::expected. Ask before you take the value: to take
/// that of an error is a fault of the program, which ends there with the error's words
/// (value_of_error). It is never undefined.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  /// Precondition: has_value().
  [[nodiscard]] T& value() & { return const_cast<T&>(std::as_const(*this).value()); }
  [[nodiscard]] const T& value() const& {
    const T* value = std::get_if<0>(&state_);
    if (value == nullptr) [[unlikely]]
      value_of_error(error());
    return *value;
  }
  /// A value of its own, so that `for (const auto& x : *f())` and `const auto& x = *f()` keep it.
  [[nodiscard]] T value() && { return std::move(value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// Precondition: !has_value().
  [[nodiscard]] const Error& error() const {
    const Error* error = std::get_if<1>(&state_);
    if (error == nullptr) [[unlikely]]
      error_of_value();
    return *error;
  }

 private:
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
    if (!failed_) [[unlikely]]
      error_of_value();
    return error_;
  }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace plimsoll
