// Letters on a picture, of DejaVu Sans.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "picture/strokes.h"

namespace plimsoll::picture {

/// `text` is UTF-8, and what is not is written as printable() has it. `size` is the height of a
/// capital; `at` is where the first letter stands.
void letter(Picture& picture, const Spot& at, std::string_view text, double size, Color color);

/// The same on a rim of paper, for letters on a drawing.
void letter_on(Picture& picture, const Spot& at, std::string_view text, double size, Color color,
               Color paper);

[[nodiscard]] double lettered_width(std::string_view text, double size, bool is_bold = false);

/// Lets a context of Cairo's write as letter() does; sizes are those of letter().
void use_font(cairo_t* context, double size, bool is_bold = false);

/// Why letters are not of DejaVu Sans, for people; nothing where they are. They are of another font
/// then, whichever the system has in its place.
[[nodiscard]] std::optional<std::string> font_problem();

}  // namespace plimsoll::picture
