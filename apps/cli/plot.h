// A curve over an axis as an SVG document.
#pragma once

#include <string>
#include <vector>

namespace plimsoll::cli {

struct PlotPoint {
  double x, y;
};

struct PlotMark {
  PlotPoint at;
  std::string text;
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<std::vector<PlotPoint>> curves;  ///< Pieces of the curve, each drawn as one line.
  std::vector<PlotPoint> tangent;              ///< Two points of a dashed line; or none.
  std::vector<PlotMark> marks;
};

/// The document. Every curve has a point or more.
[[nodiscard]] std::string svg_document(const Plot& plot);

}  // namespace plimsoll::cli
