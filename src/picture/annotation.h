// What is said on pictures of bodies: marks with letters, measures, a scale, facts below.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "picture/lettering.h"
#include "picture/picture.h"
#include "picture/raster.h"

namespace plimsoll::picture {

constexpr Color kPaper{255, 255, 255};
constexpr Color kInk{45, 50, 55};
constexpr Color kPale{120, 126, 132};
constexpr Color kRule{215, 219, 223};

/// A point of the body with its letter.
struct Mark {
  Spot at;
  Color color;
  const char* name;
};

/// A name and a value.
using Fact = std::pair<std::string, std::string>;

[[nodiscard]] Spot spot_of(const ParallelView& view, const Vec3& p);

/// Dots, and their letters in a column to the right of them, none over another.
void draw_marks(Picture& picture, std::vector<Mark> marks, double letter_size);

/// A line with a bar at either end.
void draw_measure(Picture& picture, const Spot& a, const Spot& b, double bar);

/// A measure of a round length, with that length, in the lower right corner of a frame.
void draw_scale(Picture& picture, double pixels_per_meter, const Rectangle& frame,
                double letter_size);

/// Where a picture has what: words and letters need room that a small one does not have.
struct PictureLayout {
  bool has_words = false;
  double letter = 15;       ///< Height of a capital.
  std::size_t columns = 5;  ///< Of facts.
  Rectangle body, facts;
};
[[nodiscard]] PictureLayout layout_for(PixelSize size, std::size_t facts);

/// Columns of a name over its value, below a rule, none over another: letters become smaller where
/// the words do not fit.
void draw_facts(Picture& picture, const std::vector<Fact>& facts, const PictureLayout& layout);

/// As letter(), smaller where the text is wider than `width`.
void letter_within(Picture& picture, const Spot& at, std::string_view text, double size,
                   double width, Color color);

}  // namespace plimsoll::picture
