#include "spelling.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace plimsoll::cli {
namespace {

/// By dynamic programming over the beginnings of both words.
std::size_t changes_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchanged = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + exchanged});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// The first of those with the fewest changes, if there are fewer than `limit`, from the word to
/// the other's first `length` letters.
std::optional<std::string> nearest_beginning(std::string_view word,
                                             std::span<const std::string> words, std::size_t limit,
                                             std::size_t length) {
  std::optional<std::string> nearest;
  for (const std::string& other : words) {
    const std::size_t changes = changes_between(word, std::string_view(other).substr(0, length));
    if (changes >= limit) continue;
    limit = changes;
    nearest = other;
  }
  return nearest;
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> words) {
  if (auto whole = nearest_beginning(word, words, word.size() / 3 + 1, std::string_view::npos))
    return whole;
  return nearest_beginning(word, words, word.size() / 6 + 1, word.size());
}

}  // namespace plimsoll::cli
