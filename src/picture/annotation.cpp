#include "picture/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll::picture {
namespace {

/// 1, 2 or 5 times a power of ten, the largest below `most`.
double round_length_below(double limit) {
  const double power = std::pow(10.0, std::floor(std::log10(limit)));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= limit) return factor * power;
  return power;
}

}  // namespace

PictureLayout layout_for(PixelSize size, std::size_t facts) {
  PictureLayout layout;
  layout.has_words = size.width >= 640 && size.height >= 400;
  layout.letter = std::clamp(size.height / 58.0, 8.0, 40.0);
  const double margin = layout.has_words ? 2 * layout.letter : 0;
  const double head = layout.has_words ? 4 * layout.letter : 0;
  // A value such as "-0.01234, 0.01234, -0.01234" is some 19 capitals wide.
  layout.columns = static_cast<std::size_t>(
      std::clamp((size.width - 2 * margin) / (20 * layout.letter), 2.0, 5.0));
  const double rows = std::ceil(static_cast<double>(facts) / static_cast<double>(layout.columns));
  const double foot = layout.has_words ? 3.6 * layout.letter * rows + 0.8 * layout.letter : 0;
  layout.body = {margin, head, size.width - 2 * margin, size.height - head - foot};
  layout.facts = {margin, size.height - foot, layout.body.width, foot};
  return layout;
}

Spot spot_of(const ParallelView& view, const Vec3& p) {
  const Vec3 seen = view(p);
  return {seen.x(), seen.y()};
}

void draw_marks(Picture& picture, std::vector<Mark> marks, double letter_size) {
  std::sort(marks.begin(), marks.end(),
            [](const Mark& a, const Mark& b) { return a.at.y < b.at.y; });
  const double radius = 0.36 * letter_size, row = 1.45 * letter_size;
  double sum = 0, right = 0;
  for (const Mark& mark : marks) {
    sum += mark.at.y;
    right = std::max(right, mark.at.x);
  }
  // As near to their points as the rows allow: spread about their middle where they crowd.
  std::vector<double> rows;
  for (const Mark& mark : marks)
    rows.push_back(rows.empty() ? mark.at.y : std::max(mark.at.y, rows.back() + row));
  double shift = 0;
  for (std::size_t i = 0; i < marks.size(); ++i)
    shift += (rows[i] - marks[i].at.y) / static_cast<double>(marks.size());
  for (double& y : rows) y -= shift;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Spot from{right + 1.1 * letter_size, rows[i]};
    stroke(picture, marks[i].at, from, 1.2, marks[i].color);
    disc(picture, marks[i].at, radius + 1.5, kPaper);
  }
  for (std::size_t i = 0; i < marks.size(); ++i) {
    disc(picture, marks[i].at, radius, marks[i].color);
    letter_on(picture, {right + 1.4 * letter_size, rows[i] + letter_size / 2}, marks[i].name,
              letter_size, marks[i].color, kPaper);
  }
}

void draw_measure(Picture& picture, const Spot& a, const Spot& b, double bar) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (!(length > 0)) return;
  const double nx = -(b.y - a.y) / length * bar / 2, ny = (b.x - a.x) / length * bar / 2;
  stroke(picture, a, b, 1.6, kInk);
  for (const Spot& end : {a, b})
    stroke(picture, {end.x - nx, end.y - ny}, {end.x + nx, end.y + ny}, 1.6, kInk);
}

void draw_scale(Picture& picture, double pixels_per_meter, const Rectangle& frame,
                double letter_size) {
  const double length = round_length_below(0.22 * frame.width / pixels_per_meter);
  const double pixels = length * pixels_per_meter, size = 0.85 * letter_size;
  const double right = frame.x + frame.width - letter_size;
  const double y = frame.y + frame.height - 0.8 * letter_size;
  draw_measure(picture, {right - pixels, y}, {right, y}, 0.8 * letter_size);
  const std::string text = fmt::format("{:g} m", length);
  letter_on(picture, {right - (pixels + lettered_width(text, size)) / 2, y - 0.7 * size}, text,
            size, kInk, kPaper);
}

void draw_facts(Picture& picture, const std::vector<Fact>& facts, const PictureLayout& layout) {
  const Rectangle& frame = layout.facts;
  const double letter_size = layout.letter, row = 3.6 * letter_size;
  const double name_size = 0.72 * letter_size, value_size = 0.92 * letter_size;
  stroke(picture, {frame.x, frame.y}, {frame.x + frame.width, frame.y}, 1, kRule);
  std::vector<double> width(layout.columns, 0);
  for (std::size_t i = 0; i < facts.size(); ++i)
    width[i % layout.columns] =
        std::max({width[i % layout.columns], lettered_width(facts[i].first, name_size),
                  lettered_width(facts[i].second, value_size)});
  const double gap = 1.2 * letter_size;
  const double all = std::accumulate(width.begin(), width.end(), 0.0);
  const double spare = frame.width - all - gap * static_cast<double>(layout.columns);
  const double shrink = spare < 0 ? std::max(0.0, spare + all) / all : 1;
  const double more = gap + std::max(0.0, spare) / static_cast<double>(layout.columns);
  double x = frame.x;
  for (std::size_t column = 0; column < layout.columns; ++column) {
    for (std::size_t i = column; i < facts.size(); i += layout.columns) {
      const double y = frame.y + static_cast<double>(i / layout.columns) * row + 1.6 * letter_size;
      letter(picture, {x, y}, facts[i].first, shrink * name_size, kPale);
      letter(picture, {x, y + 1.45 * letter_size}, facts[i].second, shrink * value_size, kInk);
    }
    x += shrink * width[column] + more;
  }
}

void letter_within(Picture& picture, const Spot& at, std::string_view text, double size,
                   double width, Color color) {
  const double needed = lettered_width(text, size);
  letter(picture, at, text, needed > width ? size * width / needed : size, color);
}

}  // namespace plimsoll::picture
