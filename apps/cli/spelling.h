// Words that were meant by misspelt ones.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::cli {

/// The word that the given one becomes by the fewest letters left out, put in, exchanged or swapped
/// with a neighbor, the first of several, if these are no more than a third of its letters. Else
/// the word whose beginning it becomes so by no more than a sixth: "--dens" is meant for
/// "--density".
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word,
                                                      std::span<const std::string> words);

}  // namespace plimsoll::cli
