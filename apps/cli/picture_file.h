// Files of pictures.
#pragma once

#include <optional>
#include <string>

#include "picture/picture.h"

namespace plimsoll::cli {

/// Writes `picture` as a PNG file of RGB of 8 bits. The file is whole or not there: it is written
/// beside its place under another name and then moved, over what was there. Devices and pipes are
/// written to as they are. Throws Failure, which leaves everything as it was.
void write_png(const picture::Picture& picture, const std::string& path);

/// The same of a picture with words: check_font() first.
void write_picture(const picture::Picture& picture, const std::string& path);

/// Says on stderr if letters are of another font than they should be.
void check_font();

/// Throws Failure (usage) where the name does not end in .png, in letters of either case. For "-",
/// stdout, it gives that to the picture, unless JSON takes it, which is a Failure too.
void check_png_name(const std::optional<std::string>& path, const char* option);
/// The same for plots, which are SVG.
void check_svg_name(const std::optional<std::string>& path, const char* option);

}  // namespace plimsoll::cli
