#include "picture/bodies_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "picture/lettering.h"

namespace plimsoll::picture {
namespace {

constexpr int kLegendRows = 2;
constexpr double kLegendRow = 1.7;  // capitals
constexpr double kScale = 12;       // of colors, capitals

ParallelView fitted_view(std::span<const DrawnSurface> surfaces, double turn,
                         const Rectangle& frame, double room) {
  constexpr double kElevation = 24;
  ParallelView view = view_from(kElevation, turn);
  Box3 turned;
  for (const DrawnSurface& surface : surfaces) extend(turned, view, surface);
  if (turned.isEmpty() || turned.sizes().maxCoeff() == 0) {  // a point is seen as if a meter wide
    const Vec3 at = turned.isEmpty() ? Vec3(0, 0, 0) : turned.center();
    turned = Box3(Vec3(at.array() - 0.5), Vec3(at.array() + 0.5));
  }
  fit(view, turned, frame, room);
  return view;
}

/// Colors from left to right, mixed between.
void draw_color_scale(Picture& picture, const Rectangle& frame, std::span<const Color> colors) {
  const int left = static_cast<int>(frame.x), top = static_cast<int>(frame.y);
  const int width = static_cast<int>(frame.width), height = static_cast<int>(frame.height);
  for (int x = 0; x < width; ++x) {
    const double place = (x + 0.5) / width * static_cast<double>(colors.size() - 1);
    const std::size_t k =
        std::min(static_cast<std::size_t>(place), std::max<std::size_t>(colors.size(), 2) - 2);
    const Color color = mixed(colors[k], colors[std::min(k + 1, colors.size() - 1)],
                              place - static_cast<double>(k));
    for (int y = 0; y < height; ++y) picture.set(left + x, top + y, color);
  }
}

/// Entries one after the other in rows; what has no place is counted. Letters are `size` high.
void draw_legend(Picture& picture, std::span<const LegendEntry> legend, const Spot& at,
                 double width, double size) {
  const double gap = 1.6 * size, square = 0.9 * size, row = kLegendRow * size;
  const auto sample_width = [&](const LegendEntry& entry) {
    return entry.scale.empty() ? square : kScale * size;
  };
  const auto needed = [&](double sample, const std::string& words) {
    return sample + 0.6 * size + lettered_width(words, size) + gap;
  };
  Spot place = at;
  int rows = 1;
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const std::string more = fmt::format("and {} more", legend.size() - i);
    const bool is_last = i + 1 == legend.size();
    const double sample = sample_width(legend[i]);
    const double end = place.x + needed(sample, legend[i].words) - gap;
    // In the last row there has to be room for the count of those that have none.
    const double rest = rows == kLegendRows && !is_last ? needed(square, more) : 0;
    if (end + rest > at.x + width && place.x > at.x) {
      if (rows == kLegendRows) {
        letter(picture, place, more, size, kPale);
        return;
      }
      ++rows;
      place = {at.x, place.y + row};
    }
    if (legend[i].scale.empty()) {
      const Spot dot{place.x + square / 2, place.y - square / 2};
      disc(picture, dot, square / 2 + 1, kPale);
      disc(picture, dot, square / 2, legend[i].color);
    } else {
      draw_color_scale(picture, {place.x, place.y - square, sample, square}, legend[i].scale);
    }
    const double left = place.x + sample + 0.6 * size;
    letter_within(picture, {left, place.y}, legend[i].words, size, at.x + width - left, kInk);
    place.x += needed(sample, legend[i].words);
  }
}

}  // namespace

PictureLayout layout_with_legend(PixelSize size, std::size_t facts) {
  PictureLayout layout = layout_for(size, facts);
  if (!layout.has_words) return layout;
  const double legend = kLegendRows * kLegendRow * layout.letter;
  layout.body.y += legend;
  layout.body.height -= legend;
  return layout;
}

std::string short_name(const std::string& name) {
  constexpr std::size_t kMax = 32, kStart = 17, kEnd = 12;
  if (name == "-") return "standard input";
  const std::string file = std::filesystem::path(name).filename().string();
  if (file.size() <= kMax) return file;
  const auto letter_from = [&](std::size_t at) {  // not within one of several bytes
    while (at < file.size() && (static_cast<unsigned char>(file[at]) & 0xC0) == 0x80) ++at;
    return at;
  };
  return file.substr(0, letter_from(kStart)) + "..." + file.substr(letter_from(file.size() - kEnd));
}

DrawnSurface surface_of(const PlacedMesh& body, Color color) {
  constexpr Color kInside{92, 104, 116};
  return {body.mesh.get(), body.world_from_mesh, color, mixed(color, kInside, 0.45), false};
}

ParallelView best_view(std::span<const DrawnSurface> surfaces, const PictureLayout& layout,
                       const std::function<double(BodyDrawing&)>& score) {
  constexpr PixelSize kSmall{240, 135};
  constexpr double kFirst = 28, kBetter = 1.2;
  constexpr int kViews = 8;
  double best = 0, turn = kFirst;
  for (int k = 0; k < kViews; ++k) {
    const double other = kFirst + k * 360.0 / kViews;
    BodyDrawing small(kSmall, fitted_view(surfaces, other, {0, 0, kSmall.width, kSmall.height}, 0),
                      false);
    for (const DrawnSurface& surface : surfaces) small.draw(surface);
    const double found = score(small) * (k == 0 ? kBetter : 1);
    if (found <= best) continue;
    best = found;
    turn = other;
  }
  return fitted_view(surfaces, turn, layout.body, 4 * layout.letter);
}

void draw_words(Picture& picture, const std::string& title, std::span<const LegendEntry> legend,
                const std::vector<Fact>& facts, const PictureLayout& layout,
                double pixels_per_meter) {
  if (!layout.has_words) return;
  const double left = layout.facts.x, width = layout.facts.width, size = layout.letter;
  letter_within(picture, {left, 2.4 * size}, title, 1.15 * size, width, kInk);
  draw_legend(picture, legend, {left, 4.6 * size}, width, 0.92 * size);
  draw_scale(picture, pixels_per_meter, layout.body, size);
  if (!facts.empty()) draw_facts(picture, facts, layout);
}

double finder_size(const PictureLayout& layout) { return 1.5 * layout.letter; }

void draw_finder(Picture& picture, const Spot& at, const PictureLayout& layout) {
  const double radius = finder_size(layout);
  ring(picture, at, radius, 5.5, kPaper);
  ring(picture, at, radius, 2.5, kStrong);
}

}  // namespace plimsoll::picture
