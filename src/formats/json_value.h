// JSON values that know where they stand, so that what is wrong with one can be told as
// "accessors[3].count". A value of the wrong kind is recorded in the FirstError and read as zero.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/first_error.h"

namespace plimsoll {

class JsonValue {
 public:
  JsonValue(simdjson::dom::element root, FirstError& first_error)
      : element_(root), first_error_(&first_error) {}

  /// "accessors[3].count"; empty for the whole document.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] FirstError& first_error() const { return *first_error_; }
  void fail(std::string message) const { first_error_->set(std::move(message), path()); }
  void fail_unsupported(std::string message) const {
    first_error_->set(ErrorCode::kUnsupported, std::move(message), path());
  }

  [[nodiscard]] bool is_object() const { return element_.is_object(); }
  [[nodiscard]] bool is_null() const { return element_.is_null(); }

  /// The value of `key`, which must outlive it as this value must; nothing if there is none. A key
  /// that is there twice is an error: it would mean different things to different readers.
  [[nodiscard]] std::optional<JsonValue> member(std::string_view key) const;
  /// The same for a key that must be there; where it is not, nothing and an error.
  [[nodiscard]] std::optional<JsonValue> required(std::string_view key) const;

  /// Refuses an object that has any key but these.
  void allow_keys(std::span<const std::string_view> known) const;

  /// Calls `visit(item)` for each item of an array, until something is wrong.
  template <class Visit>
  void for_each_item(Visit visit) const {
    simdjson::dom::array items;
    if (!as_array(items)) return;
    std::size_t index = 0;
    for (const simdjson::dom::element item : items) {
      visit(JsonValue(item, *this, {}, index++));
      if (first_error_->failed()) return;
    }
  }
  /// The number of items of an array; 0 and an error if it is none.
  [[nodiscard]] std::size_t count_items() const;

  [[nodiscard]] double number() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::string_view text() const;
  /// A whole number, at most 2^53: larger ones are not exact in every JSON reader.
  [[nodiscard]] std::uint64_t natural() const;
  /// An index into `what` ("accessors"), of which there are `count`.
  [[nodiscard]] std::uint32_t index(std::size_t count, std::string_view what) const;

  /// "the number 3", "an array", ...: for messages.
  [[nodiscard]] std::string describe() const;

 private:
  JsonValue(simdjson::dom::element element, const JsonValue& parent, std::string_view key,
            std::size_t index)
      : element_(element),
        first_error_(parent.first_error_),
        parent_(&parent),
        key_(key),
        index_(index) {}
  [[nodiscard]] bool as_array(simdjson::dom::array& items) const;
  void fail_kind(std::string_view expected) const;

  simdjson::dom::element element_;
  FirstError* first_error_;
  const JsonValue* parent_ = nullptr;
  std::string_view key_;  // empty for an item of an array
  std::size_t index_ = 0;
};

/// Values of members that may be absent.
[[nodiscard]] std::uint64_t natural_or(const JsonValue& object, std::string_view key,
                                       std::uint64_t otherwise);
[[nodiscard]] std::uint32_t index_or(const JsonValue& object, std::string_view key,
                                     std::size_t count, std::string_view what,
                                     std::uint32_t otherwise);

}  // namespace plimsoll
