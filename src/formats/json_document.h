// A JSON document read as one thing: limits, what is malformed, what its check refuses.
#pragma once

#include <plimsoll/result.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "formats/file_bytes.h"
#include "formats/json_place.h"
#include "formats/json_value.h"
#include "formats/text_scanner.h"

namespace plimsoll {

inline constexpr std::uint64_t kMaxDocument = std::uint64_t{64} << 20;
/// A shape takes two levels, its object and the array it stands in; what is around and within it a
/// few more.
inline constexpr std::size_t kMaxJsonDepth = 2 * 64 + 24;

/// `where` is "pond.json: bodies[0]"; the place in the text comes after the file's name, as in
/// "pond.json:3:14: bodies[0]".
inline Error placed(Error error, const std::string& name, std::string_view text,
                    std::size_t offset) {
  if (error.where.starts_with(name))
    error.where.insert(name.size(), line_and_column(text, offset)).insert(name.size(), 1, ':');
  return error;
}

/// A text that is no JSON, for the reason `code`.
inline Error not_json(std::string_view text, const std::string& name, simdjson::error_code code) {
  const std::string no_json = "found no JSON: ";
  const std::optional<JsonFault> fault = json_fault(text);
  if (!fault) return {ErrorCode::kMalformed, no_json + simdjson::error_message(code), name};
  const std::string found = fault->offset < text.size() ? in_quotes(text.substr(fault->offset, 1))
                                                        : "the end of the text";
  return placed(
      {ErrorCode::kMalformed, no_json + "found " + found + ", expected " + fault->expected, name},
      name, text, fault->offset);
}

/// Calls read(document, first_error) and check(what it gave) for a JSON text.
template <class Read, class Check>
auto parse_document(std::span<const std::byte> data, const std::string& name, const Read& read,
                    const Check& check)
    -> Result<decltype(read(std::declval<JsonValue>(), std::declval<FirstError&>()))> {
  if (data.size() > kMaxDocument)
    return Error{ErrorCode::kResourceLimit, "found more than 64 MB of JSON", name};
  std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  simdjson::dom::parser parser;
  simdjson::error_code code =
      parser.allocate(std::max<std::size_t>(text.size(), 32), kMaxJsonDepth);
  simdjson::dom::element root;
  if (code == simdjson::SUCCESS) code = parser.parse(text.data(), text.size()).get(root);
  if (code == simdjson::MEMALLOC)
    return Error{ErrorCode::kResourceLimit, "not enough memory", name};
  if (code == simdjson::DEPTH_ERROR)
    return Error{ErrorCode::kResourceLimit, "found values nested deeper than any shape", name};
  if (code != simdjson::SUCCESS) return not_json(text, name, code);

  FirstError first_error(name);
  auto found = read(JsonValue(root, first_error), first_error);
  if (!first_error.failed()) {
    const Result<void> sound = check(found);
    if (sound) return found;
    const bool limit = sound.error().code == ErrorCode::kResourceLimit;
    first_error.set(limit ? ErrorCode::kResourceLimit : ErrorCode::kMalformed,
                    sound.error().message, sound.error().where);
  }
  return placed(first_error.error(), name, text, json_offset(text, first_error.spot()));
}

/// What `parse` gives, or the error that it threw for want of memory.
template <class Parse>
auto guarded(const std::string& name, const Parse& parse) -> decltype(parse()) {
  try {
    return parse();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResourceLimit, "not enough memory", name};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kUnreadable, exception.what(), name};
  }
}

}  // namespace plimsoll
