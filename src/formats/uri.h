// URIs as mesh files use them: data inside the URI, names of parts, names of files. Files are
// looked for in one directory and below it, and nowhere else.
#pragma once

#include <plimsoll/result.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

[[nodiscard]] bool is_data_uri(std::string_view uri);

/// Decodes "data:<type>;base64,<text>" into `bytes`. Returns what is wrong with it; empty: nothing.
[[nodiscard]] std::string decode_data_uri(std::string_view uri, std::vector<std::byte>& bytes);

/// Decodes %41 and the like. Errors, as a message in `fault`: % without two hex digits, or %00.
[[nodiscard]] std::string decode_percent(std::string_view uri, std::string& fault);

/// The file that the relative `uri` names, which exists and lies in `directory` after all links
/// are followed. Errors: `Unsupported` for absolute paths, schemes and ways out of the directory;
/// `Malformed`; `Unreadable` if there is no such regular file. `where` stays empty.
[[nodiscard]] Result<std::filesystem::path> resolve_uri(std::string_view uri,
                                                        const std::filesystem::path& directory);

}  // namespace plimsoll
