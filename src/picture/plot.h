// Curves over an axis as an SVG document. Labels find their own places.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace plimsoll::picture {

struct PlotPoint {
  double x, y;
};

/// A dot, or a ring where the curve does not go on, with a label close to it.
struct PlotMark {
  PlotPoint at;
  std::string text;
  bool is_ring = false;
};

/// A dashed line, with a label close to it or none.
struct PlotLine {
  PlotPoint from, to;
  std::string text;
};

/// A dotted line from the bottom to the top.
struct PlotBorder {
  double x;
  std::string text;
};

struct Plot {
  std::string title, x_label, y_label;
  bool x_is_angle = false;                     ///< In degrees; the axis says so.
  std::vector<std::vector<PlotPoint>> curves;  ///< Pieces of the curve, each drawn as one line.
  std::vector<PlotLine> lines;                 ///< Drawn as far as the curves reach.
  std::vector<PlotBorder> borders;
  std::vector<PlotMark> marks;
};

/// The document. The axes hold all curves and marks, and y = 0. Letters are outlines, the same
/// wherever it is shown; its title and description say in words what the axes, marks, lines and
/// borders are, for programs that search or read aloud. Precondition: a curve of a point or more.
/// Throws std::bad_alloc.
[[nodiscard]] std::string svg_document(const Plot& plot);

/// Several of them below each other in one document.
[[nodiscard]] std::string svg_document(std::span<const Plot> plots);

}  // namespace plimsoll::picture
