// Files that are written whole or not at all.
#pragma once

#include <plimsoll/result.h>

#include <cstdio>
#include <filesystem>
#include <functional>

namespace plimsoll {

/// Lets `write` fill a file under another name beside `path`, and renames it when it is complete; a
/// link at `path` is followed, so that it stays one. `write` returns false where it failed.
/// Errors: `Unreadable` if it cannot be written, or is there and not a regular file.
[[nodiscard]] Result<void> write_whole_file(const std::filesystem::path& path,
                                            const std::function<bool(std::FILE*)>& write);

}  // namespace plimsoll
