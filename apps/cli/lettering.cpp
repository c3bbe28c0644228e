#include "lettering.h"

#include <algorithm>
#include <cmath>

#include "raster.h"

namespace plimsoll::cli {
namespace {

constexpr double kRows = 7;                                    // of a capital
constexpr double kGap = 2.0, kBlank = 3.2, kThickness = 0.95;  // dots

double distance(const Spot& p, const Spot& a, const Spot& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double share =
      square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - share * dx, p.y - a.y - share * dy);
}

/// The dots of a letter.
struct Dots {
  std::uint64_t rows;

  [[nodiscard]] bool at(int column, int row) const {
    if (column < 0 || column > 4 || row < 0 || row > 7) return false;
    return (rows >> (8 * (7 - row) + (4 - column)) & 1) != 0;
  }
  [[nodiscard]] bool has_column(int column) const {
    for (int row = 0; row < 8; ++row)
      if (at(column, row)) return true;
    return false;
  }
  [[nodiscard]] int first() const {
    int column = 0;
    while (column < 4 && !has_column(column)) ++column;
    return column;
  }
  [[nodiscard]] int last() const {
    int column = 4;
    while (column > 0 && !has_column(column)) --column;
    return column;
  }
};

Dots dots_of(char name) { return {letter_rows(name == '0' ? 'O' : name)}; }

/// How far on the next letter begins.
double advance(char name) {
  const Dots dots = dots_of(name);
  return dots.rows == 0 ? kBlank : dots.last() - dots.first() + kGap;
}

/// Lines from dot to dot: along rows and columns, and across where no row or column joins them.
template <class Line>
void join(const Dots& dots, const Line& line) {
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 5; ++column) {
      if (!dots.at(column, row)) continue;
      line(column, row, column, row);
      const bool right = dots.at(column + 1, row), below = dots.at(column, row + 1);
      if (right) line(column, row, column + 1, row);
      if (below) line(column, row, column, row + 1);
      if (dots.at(column + 1, row + 1) && !right && !below) line(column, row, column + 1, row + 1);
      if (dots.at(column - 1, row + 1) && !dots.at(column - 1, row) && !below)
        line(column, row, column - 1, row + 1);
    }
}

void write(Picture& picture, const Spot& at, std::string_view text, double size, double thickness,
           Color color) {
  const double dot = size / kRows;
  double x = at.x;
  for (const char name : text) {
    const Dots dots = dots_of(name);
    const int first = dots.first();
    join(dots, [&](int column, int row, int to_column, int to_row) {
      const auto spot = [&](int i, int j) {
        return Spot{x + (i - first + 0.5) * dot, at.y + (j - kRows + 0.5) * dot};
      };
      stroke(picture, spot(column, row), spot(to_column, to_row), thickness * dot, color);
    });
    x += advance(name) * dot;
  }
}

/// Colors the pixels no farther than `reach` from a figure, whose borders become smooth; a and b
/// are two corners of its box.
template <class Distance>
void draw_near(Picture& picture, const Spot& a, const Spot& b, double reach, Color color,
               const Distance& far) {
  const double room = reach + 1;
  const int x0 = static_cast<int>(std::floor(std::min(a.x, b.x) - room));
  const int x1 = static_cast<int>(std::ceil(std::max(a.x, b.x) + room));
  const int y0 = static_cast<int>(std::floor(std::min(a.y, b.y) - room));
  const int y1 = static_cast<int>(std::ceil(std::max(a.y, b.y) + room));
  for (int y = std::max(y0, 0); y < std::min(y1, picture.height()); ++y)
    for (int x = std::max(x0, 0); x < std::min(x1, picture.width()); ++x) {
      const double covered = std::clamp(reach + 0.5 - far({x + 0.5, y + 0.5}), 0.0, 1.0);
      if (covered > 0) picture.set(x, y, mixed(picture.at(x, y), color, covered));
    }
}

}  // namespace

void stroke(Picture& picture, const Spot& a, const Spot& b, double width, Color color) {
  draw_near(picture, a, b, width / 2, color, [&](const Spot& p) { return distance(p, a, b); });
}

void dashes(Picture& picture, const Spot& a, const Spot& b, double width, double length,
            Color color) {
  const double whole = std::hypot(b.x - a.x, b.y - a.y);
  for (double from = 0; from < whole; from += 2 * length) {
    const double to = std::min(from + length, whole);
    const auto spot = [&](double s) {
      return Spot{a.x + (b.x - a.x) * s / whole, a.y + (b.y - a.y) * s / whole};
    };
    stroke(picture, spot(from), spot(to), width, color);
  }
}

void disc(Picture& picture, const Spot& middle, double radius, Color color) {
  stroke(picture, middle, middle, 2 * radius, color);
}

void ring(Picture& picture, const Spot& middle, double radius, double width, Color color) {
  const Spot low{middle.x - radius, middle.y - radius}, high{middle.x + radius, middle.y + radius};
  draw_near(picture, low, high, width / 2, color, [&](const Spot& p) {
    return std::fabs(std::hypot(p.x - middle.x, p.y - middle.y) - radius);
  });
}

void letter(Picture& picture, const Spot& at, std::string_view text, double size, Color color) {
  write(picture, at, text, size, kThickness, color);
}

void letter_on(Picture& picture, const Spot& at, std::string_view text, double size, Color color,
               Color paper) {
  write(picture, at, text, size, kThickness + 2.5, paper);
  letter(picture, at, text, size, color);
}

double lettered_width(std::string_view text, double size) {
  double width = 0;
  for (const char name : text) width += advance(name);
  return width * size / kRows;
}

}  // namespace plimsoll::cli
