// Where labels of a plot stand: close to what they name, and clear of what is drawn.
#pragma once

#include <span>
#include <vector>

#include "picture/strokes.h"

namespace plimsoll::picture {

/// What has been drawn where, and where labels are.
class LabelPlaces {
 public:
  /// Labels stand inside of that where there is room.
  explicit LabelPlaces(const Rectangle& inside) : inside_(inside) {}

  void add_line(const Spot& a, const Spot& b);

  /// Takes the place near one of the anchors where a label of that size covers least.
  Rectangle take(std::span<const Spot> anchors, double width, double height);

 private:
  [[nodiscard]] double cost(const Rectangle& place) const;

  Rectangle inside_;
  std::vector<Spot> drawn_;
  std::vector<Rectangle> taken_;
};

}  // namespace plimsoll::picture
