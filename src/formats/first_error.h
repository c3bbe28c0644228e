// Remembers the first thing that a reader finds wrong. Later ones are often its consequence, so a
// reader may go on with harmless values and ask at the end of each loop whether it failed.
#pragma once

#include <plimsoll/result.h>

#include <string>
#include <string_view>
#include <utility>

namespace plimsoll {

class FirstError {
 public:
  /// `file` stands for the file in messages.
  explicit FirstError(std::string_view file) : file_(file) {}

  /// `place` is the place within the file: "accessors[3].count"; may be empty.
  void set(ErrorCode code, std::string message, const std::string& place) {
    if (failed_) return;
    failed_ = true;
    error_ = {code, std::move(message), place.empty() ? file_ : file_ + ": " + place};
    spot_ = place;
  }
  /// What is wrong at `place` is wrong at `spot` within it: the key that no object may have there.
  void set_at(std::string message, const std::string& place, std::string spot) {
    if (failed_) return;
    set(std::move(message), place);
    spot_ = std::move(spot);
  }
  /// Malformed, the most common case.
  void set(std::string message, const std::string& place) {
    set(ErrorCode::kMalformed, std::move(message), place);
  }
  /// Takes over what another function found.
  void set(Error error) {
    if (failed_) return;
    failed_ = true;
    error_ = std::move(error);
  }

  [[nodiscard]] bool failed() const { return failed_; }
  /// Precondition: failed().
  [[nodiscard]] const Error& error() const { return error_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// The place to look at in the document; empty for the whole.
  [[nodiscard]] const std::string& spot() const { return spot_; }

 private:
  std::string file_;
  bool failed_ = false;
  Error error_;
  std::string spot_;
};

}  // namespace plimsoll
