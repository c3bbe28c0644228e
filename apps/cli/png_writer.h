// PNG files.
#pragma once

#include <optional>
#include <string>

#include "picture.h"

namespace plimsoll::cli {

/// Writes `picture` as an RGB image of 8 bits. The file is whole or not there: it is written beside
/// its place under another name and then moved, over what was there. Devices and pipes are written
/// to as they are. Throws Failure, which leaves everything as it was.
void write_png(const Picture& picture, const std::string& path);

/// Throws Failure (usage) where the name promises another format: "body.jpg".
void check_png_name(const std::optional<std::string>& path, const char* option);

}  // namespace plimsoll::cli
