#include "picture/peel_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "picture/lettering.h"

namespace plimsoll::picture {
namespace {

constexpr int kMaxColumns = 8;
constexpr int kTileSide =
    256;  // pixels that a tile's longer side has at least, where they fit whole

constexpr Color kPaper = {255, 255, 255};
constexpr Color kFrame = {190, 190, 190};
constexpr Color kInk = {40, 40, 40};
constexpr Color kChannelInks[3] = {{190, 0, 0}, {0, 120, 0}, {0, 0, 200}};

// The integrands in the letters of the axes a, b, c of the view, c that of the columns.
constexpr const char* kTerms[3][3] = {
    {"ac", "bc", "c²/2"}, {"a²c", "abc", "ac²/2"}, {"b²c", "bc²/2", "c³/3"}};

std::string in_letters(std::string text, int axis) {
  for (char& letter : text)
    for (int k = 0; k < 3; ++k)
      if (letter == static_cast<char>('a' + k)) {
        letter = static_cast<char>('x' + (axis + 1 + k) % 3);
        break;
      }
  return text;
}

char axis_letter(int axis) { return static_cast<char>('x' + axis % 3); }

std::string caption_for(int axis) {
  return fmt::format(
      "Each color channel is the term written at the left in that color, times +1 on "
      "faces that look to the eye and -1 on the others. Mid gray is zero, m the "
      "largest magnitude in a row. {} points right, {} up, {} to the eye, from the "
      "middle of the box, in halves of its longest edge.",
      axis_letter(axis + 1), axis_letter(axis + 2), axis_letter(axis));
}

// Letters are as high as 7 dots, lines 12 dots apart; a dot has `scale` pixels.
constexpr int kCapital = 7, kLine = 12;

int width_of(const std::string& text, int scale) {
  return static_cast<int>(std::ceil(lettered_width(text, kCapital * scale)));
}

// The upper left corner is at (x, y).
void write(Picture& picture, int x, int y, const std::string& text, int scale, Color color) {
  letter(picture, {static_cast<double>(x), static_cast<double>(y + kCapital * scale)}, text,
         kCapital * scale, color);
}

std::vector<std::string> wrapped(const std::string& text, int width, int scale) {
  std::vector<std::string> lines(1);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (width_of(line + " " + word, scale) <= width)
      line += " " + word;
    else
      lines.push_back(word);
    begin = end + 1;
  }
  return lines;
}

std::array<double, 3> ranges_of(std::span<const PeelImage> peels) {
  std::array<double, 3> ranges{};
  for (const PeelImage& peel : peels)
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t k = 0; k < peel.targets[t].size(); ++k)
        if (k % 4 != 3)
          ranges[t] = std::max(ranges[t], std::abs(static_cast<double>(peel.targets[t][k])));
  return ranges;
}

std::uint8_t channel(double value, double range) {
  const double part = range > 0 ? std::clamp(value / range, -1.0, 1.0) : 0;
  return static_cast<std::uint8_t>(std::lround(127 + 127 * part));
}

constexpr const char* kWidestLabel = "m=8.8e-08";
constexpr int kLabelLines = 4;

// Everything but the images: what stands where.
struct Layout {
  int text = 2;  // scale of the letters
  int margin = 0;
  int line = 0;
  int label_width = 0;
  int columns = 0;
  int bands = 0;
  int gap = 0;
  PixelSize tile;
  PixelSize size;
  std::vector<std::string> caption;

  [[nodiscard]] int legend_top() const { return margin + bands * band_step(); }
  [[nodiscard]] int band_step() const { return line + 3 * step_y() + gap; }
  [[nodiscard]] int step_y() const { return std::max(tile.height, kLabelLines * line) + gap; }
  [[nodiscard]] int step_x() const { return tile.width + gap; }
};

Layout layout_without_tiles(std::size_t peels, int max_columns, int text) {
  Layout layout;
  const int count = static_cast<int>(peels);
  layout.bands = (count + max_columns - 1) / max_columns;
  layout.columns = (count + layout.bands - 1) / layout.bands;
  layout.text = text;
  layout.margin = 6 * text;
  layout.line = kLine * text;
  layout.gap = 4 * text;
  layout.label_width = width_of(kWidestLabel, text) + layout.gap;
  return layout;
}

int natural_width(const Layout& layout) {
  return 2 * layout.margin + layout.label_width + layout.columns * layout.step_x();
}

int legend_height(const Layout& layout) {
  return static_cast<int>(layout.caption.size() + 1) * layout.line + layout.line / 2;
}

void set_caption(Layout& layout, int width, int axis) {
  layout.caption = wrapped(caption_for(axis), width - 2 * layout.margin, layout.text);
}

constexpr const char *kLowEnd = "-m ", *kHighEnd = " +m   white: no surface";

int bar_width(int text) { return 80 * text; }

// The bar and its ends must fit beneath a lonely small tile too.
int least_width(const Layout& layout) {
  return 2 * layout.margin + width_of(kLowEnd, layout.text) + bar_width(layout.text) +
         width_of(kHighEnd, layout.text);
}

Layout natural_layout(const PeelImage& peel, std::size_t peels, int axis) {
  Layout layout = layout_without_tiles(peels, kMaxColumns, 2);
  const int factor = std::max(1, kTileSide / std::max(peel.width, peel.height));
  layout.tile = {factor * peel.width, factor * peel.height};
  layout.size.width = std::max(natural_width(layout), least_width(layout));
  set_caption(layout, layout.size.width, axis);
  layout.size.height = layout.legend_top() + legend_height(layout) + layout.margin;
  return layout;
}

// The largest tiles that leave room for the rest, in at most so many columns.
std::optional<Layout> layout_in(PixelSize size, int max_columns, int text, const PeelImage& peel,
                                std::size_t peels, int axis) {
  Layout layout = layout_without_tiles(peels, max_columns, text);
  if (size.width < least_width(layout)) return std::nullopt;
  layout.size = size;
  set_caption(layout, size.width, axis);
  const int across = (size.width - natural_width(layout)) / layout.columns;
  const int below = legend_height(layout) + layout.margin;
  const int down = (size.height - layout.margin - below) / layout.bands - layout.line - layout.gap;
  const int tile_height = down / 3 - layout.gap;
  double scale = std::min(static_cast<double>(across) / peel.width,
                          static_cast<double>(tile_height) / peel.height);
  if (scale >= 1) scale = std::floor(scale);
  layout.tile = {static_cast<int>(scale * peel.width), static_cast<int>(scale * peel.height)};
  constexpr int kLeastTile = 16;
  const bool fits = std::max(layout.tile.width, layout.tile.height) >= kLeastTile &&
                    std::min(layout.tile.width, layout.tile.height) >= 1 &&
                    layout.legend_top() + below <= size.height;
  return fits ? std::optional(layout) : std::nullopt;
}

// The arrangement with the largest tiles; with small letters where large ones leave no room.
std::optional<Layout> largest_layout(PixelSize size, const PeelImage& peel, std::size_t peels,
                                     int axis) {
  constexpr int kLargeLettersFrom = 800;
  for (int text = size.width >= kLargeLettersFrom ? 2 : 1; text >= 1; --text) {
    std::optional<Layout> best;
    for (int columns = kMaxColumns; columns >= 1; --columns) {
      const std::optional<Layout> layout = layout_in(size, columns, text, peel, peels, axis);
      if (layout && (!best || layout->tile.width > best->tile.width)) best = layout;
    }
    if (best) return best;
  }
  return std::nullopt;
}

Result<Layout> layout_of(const PeelImage& peel, std::size_t peels, int axis,
                         std::optional<PixelSize> size) {
  if (size) {
    if (const std::optional<Layout> layout = largest_layout(*size, peel, peels, axis))
      return *layout;
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}x{} leaves no room for {} peels and their legend", size->width,
                             size->height, peels),
                 "size"};
  }
  const Layout layout = natural_layout(peel, peels, axis);
  if (std::max(layout.size.width, layout.size.height) > Picture::kMaxSide)
    return Error{ErrorCode::kResourceLimit,
                 fmt::format("found a picture of {}x{} pixels, expected sides of {} or less",
                             layout.size.width, layout.size.height, Picture::kMaxSide),
                 "size"};
  return layout;
}

void draw_tile(Picture& picture, const PeelImage& peel, std::size_t target, double range, int x,
               int y, PixelSize tile) {
  fill(picture, {x - 1.0, y - 1.0, tile.width + 2.0, tile.height + 2.0}, kFrame);
  for (int row = 0; row < tile.height; ++row)
    for (int column = 0; column < tile.width; ++column) {
      const int i = static_cast<int>(std::int64_t{column} * peel.width / tile.width);
      const int j = peel.height - 1 -  // OpenGL has the bottom row first
                    static_cast<int>(std::int64_t{row} * peel.height / tile.height);
      const std::size_t k =
          4 * (static_cast<std::size_t>(j) * static_cast<std::size_t>(peel.width) +
               static_cast<std::size_t>(i));
      const float* v = peel.targets[target].data() + k;
      const bool is_surface = peel.targets[1][k + 3] != 0;
      picture.set(x + column, y + row,
                  is_surface
                      ? Color{channel(v[0], range), channel(v[1], range), channel(v[2], range)}
                      : kPaper);
    }
}

void write_labels(Picture& picture, const Layout& layout, int axis, std::size_t target,
                  double range, int y) {
  y += std::max(0, (layout.tile.height - kLabelLines * layout.line) / 2);
  for (std::size_t k = 0; k < 3; ++k) {
    write(picture, layout.margin, y, in_letters(kTerms[target][k], axis), layout.text,
          kChannelInks[k]);
    y += layout.line;
  }
  write(picture, layout.margin, y, fmt::format("m={:.2g}", range), layout.text, kInk);
}

void write_heading(Picture& picture, const Layout& layout, std::size_t peel, int x, int y) {
  std::string heading = fmt::format("peel {}", peel + 1);
  if (peel == 0 && width_of(heading + ", nearest", layout.text) <= layout.tile.width)
    heading += ", nearest";
  if (width_of(heading, layout.text) > layout.tile.width) heading = std::to_string(peel + 1);
  write(picture, x + (layout.tile.width - width_of(heading, layout.text)) / 2, y, heading,
        layout.text, kInk);
}

// The shades from -range to +range, and what white means.
void draw_legend(Picture& picture, const Layout& layout) {
  int y = layout.legend_top();
  for (const std::string& line : layout.caption) {
    write(picture, layout.margin, y, line, layout.text, kInk);
    y += layout.line;
  }
  y += layout.line / 2;
  int x = layout.margin;
  const auto say = [&](const std::string& words) {
    write(picture, x, y, words, layout.text, kInk);
    x += width_of(words, layout.text);
  };
  say(kLowEnd);
  const int width = bar_width(layout.text), height = kCapital * layout.text;
  fill(picture, {x - 1.0, y - 1.0, width + 2.0, height + 2.0}, kFrame);
  for (int i = 0; i < width; ++i) {
    const std::uint8_t shade = channel(2.0 * i / (width - 1) - 1, 1);
    fill(picture, {static_cast<double>(x + i), static_cast<double>(y), 1, 1.0 * height},
         {shade, shade, shade});
  }
  x += width;
  say(kHighEnd);
}

}  // namespace

Result<PeelPicture> draw_peels(std::span<const PeelImage> peels, int axis,
                               std::optional<PixelSize> size) {
  const Result<Layout> found = layout_of(peels.front(), peels.size(), axis, size);
  if (!found) return found.error();
  const Layout& layout = *found;
  PeelTiles tiles;
  tiles.size = layout.tile;
  tiles.columns = layout.columns;
  tiles.x = layout.margin + layout.label_width;
  tiles.y = layout.margin + layout.line;
  tiles.step_x = layout.step_x();
  tiles.step_y = layout.step_y();
  tiles.band_step = layout.band_step();
  PeelPicture drawn{Picture(layout.size.width, layout.size.height, kPaper), tiles,
                    ranges_of(peels)};
  for (std::size_t p = 0; p < peels.size(); ++p) {
    const int column = static_cast<int>(p) % tiles.columns;
    const int x = tiles.x + column * tiles.step_x;
    const int top = tiles.y + static_cast<int>(p) / tiles.columns * tiles.band_step;
    write_heading(drawn.picture, layout, p, x, top - layout.line);
    for (std::size_t t = 0; t < 3; ++t) {
      const int y = top + static_cast<int>(t) * tiles.step_y;
      if (column == 0) write_labels(drawn.picture, layout, axis, t, drawn.ranges[t], y);
      draw_tile(drawn.picture, peels[p], t, drawn.ranges[t], x, y, tiles.size);
    }
  }
  draw_legend(drawn.picture, layout);
  return drawn;
}

}  // namespace plimsoll::picture
