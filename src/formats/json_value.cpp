#include "formats/json_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

constexpr std::uint64_t kMaxNatural = std::uint64_t{1} << 53;

}  // namespace

std::string JsonValue::path() const {
  // Values nest as deep as the code that reads them, so this does not recurse far.
  if (parent_ == nullptr) return {};
  const std::string before = parent_->path();
  if (key_.empty()) return before + '[' + std::to_string(index_) + ']';
  return before.empty() ? std::string(key_) : before + '.' + std::string(key_);
}

std::optional<JsonValue> JsonValue::member(std::string_view key) const {
  simdjson::dom::object object;
  if (element_.get(object) != simdjson::SUCCESS) {
    fail_kind("an object");
    return {};
  }
  std::optional<JsonValue> found;
  for (const simdjson::dom::key_value_pair field : object) {
    if (field.key != key) continue;
    const JsonValue value(field.value, *this, key, 0);
    if (found.has_value()) {
      value.fail("found this key twice in one object, expected it once");
      return {};
    }
    found.emplace(value);
  }
  return found;
}

std::optional<JsonValue> JsonValue::required(std::string_view key) const {
  std::optional<JsonValue> value = member(key);
  if (!value) fail("found no \"" + std::string(key) + "\", which is required here");
  return value;
}

void JsonValue::allow_keys(std::span<const std::string_view> known) const {
  simdjson::dom::object object;
  if (element_.get(object) != simdjson::SUCCESS) return fail_kind("an object");
  for (const simdjson::dom::key_value_pair field : object) {
    if (std::find(known.begin(), known.end(), field.key) != known.end()) continue;
    std::string expected;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (i > 0) expected += i + 1 == known.size() ? " or " : ", ";
      expected += known[i];
    }
    return first_error_->set_at("found the key " + in_quotes(field.key) + ", expected " + expected,
                                path(), JsonValue(field.value, *this, field.key, 0).path());
  }
}

std::size_t JsonValue::count_items() const {
  simdjson::dom::array items;
  if (!as_array(items)) return 0;
  std::size_t count = 0;  // array::size() stops at 2^24 - 1
  for (auto item = items.begin(); item != items.end(); ++item) ++count;
  return count;
}

double JsonValue::number() const {
  double value = 0;
  if (element_.get(value) != simdjson::SUCCESS) fail_kind("a number");
  return value;
}

bool JsonValue::boolean() const {
  bool value = false;
  if (element_.get(value) != simdjson::SUCCESS) fail_kind("true or false");
  return value;
}

std::string_view JsonValue::text() const {
  std::string_view value;
  if (element_.get(value) != simdjson::SUCCESS) fail_kind("a string");
  return value;
}

std::uint64_t JsonValue::natural() const {
  std::uint64_t value = 0;
  if (element_.get(value) != simdjson::SUCCESS) {
    // "36.0" is the same JSON number as "36".
    double real = 0;
    if (element_.get(real) != simdjson::SUCCESS || !(real >= 0) || real > 0x1p53 ||
        real != std::floor(real)) {
      fail_kind("a whole number that is not negative");
      return 0;
    }
    value = static_cast<std::uint64_t>(real);
  }
  if (value > kMaxNatural) {
    fail("found " + std::to_string(value) + ", expected at most 2^53");
    return 0;
  }
  return value;
}

std::uint32_t JsonValue::index(std::size_t count, std::string_view what) const {
  const std::uint64_t value = natural();
  if (first_error_->failed()) return 0;
  if (value >= count || value >= std::numeric_limits<std::uint32_t>::max()) {
    fail("found index " + std::to_string(value) + ", expected one below " + std::to_string(count) +
         ", the number of " + std::string(what));
    return 0;
  }
  return static_cast<std::uint32_t>(value);
}

std::string JsonValue::describe() const {
  switch (element_.type()) {
    case simdjson::dom::element_type::ARRAY:
      return "an array";
    case simdjson::dom::element_type::OBJECT:
      return "an object";
    case simdjson::dom::element_type::STRING:
      return "the string " + in_quotes(text());
    case simdjson::dom::element_type::BOOL:
      return boolean() ? "true" : "false";
    case simdjson::dom::element_type::NULL_VALUE:
      return "null";
    default:
      return "the number " + simdjson::minify(element_);
  }
}

bool JsonValue::as_array(simdjson::dom::array& items) const {
  if (element_.get(items) == simdjson::SUCCESS) return true;
  fail_kind("an array");
  return false;
}

void JsonValue::fail_kind(std::string_view expected) const {
  fail("found " + describe() + ", expected " + std::string(expected));
}

std::uint64_t natural_or(const JsonValue& object, std::string_view key, std::uint64_t otherwise) {
  const std::optional<JsonValue> value = object.member(key);
  return value ? value->natural() : otherwise;
}

std::uint32_t index_or(const JsonValue& object, std::string_view key, std::size_t count,
                       std::string_view what, std::uint32_t otherwise) {
  const std::optional<JsonValue> value = object.member(key);
  return value ? value->index(count, what) : otherwise;
}

}  // namespace plimsoll
