// What pictures of several bodies have in common: colors and their legend, a view from where most
// is seen, words and a scale.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "picture/annotation.h"
#include "picture/body_drawing.h"
#include "picture/placed_mesh.h"

namespace plimsoll::picture {

constexpr Color kStrong{205, 20, 30};  ///< Of what the picture is about.

/// Which color stands for what, in words; or what a scale of colors does, from left to right.
struct LegendEntry {
  Color color;
  std::string words;
  std::vector<Color> scale = {};  ///< Drawn in place of the color, unless it is empty.
};

/// Where the words are; the frame of the bodies leaves room for a legend.
[[nodiscard]] PictureLayout layout_with_legend(PixelSize size, std::size_t facts);

/// The name of a file without its folders, long ones without their middle; or of standard input.
[[nodiscard]] std::string short_name(const std::string& name);

[[nodiscard]] DrawnSurface surface_of(const PlacedMesh& body, Color color);

/// Of views all around and a little from above that fit the surfaces into the frame, the one of the
/// largest score: of the drawing in small of all surfaces, as the view would show them. The first
/// view, that of other pictures, gives way only to one that is better by a fifth.
[[nodiscard]] ParallelView best_view(std::span<const DrawnSurface> surfaces,
                                     const PictureLayout& layout,
                                     const std::function<double(BodyDrawing&)>& score);

/// A title above the bodies, below it the legend, as far as there is room for it, and facts and a
/// scale below the bodies. Nothing in pictures that are too small for words.
void draw_words(Picture& picture, const std::string& title, std::span<const LegendEntry> legend,
                const std::vector<Fact>& facts, const PictureLayout& layout,
                double pixels_per_meter);

/// What is smaller than that gets a finder, whose radius this is too [pixels].
[[nodiscard]] double finder_size(const PictureLayout& layout);

/// A circle of the strong color around a place that is too small to be found without it.
void draw_finder(Picture& picture, const Spot& at, const PictureLayout& layout);

}  // namespace plimsoll::picture
