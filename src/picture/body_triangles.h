// Bodies of a scene as they are drawn: triangles and colors.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/shape.h>

#include <map>
#include <memory>
#include <string>

#include "picture/picture.h"

namespace plimsoll::picture {

struct BodyTriangles {
  std::shared_ptr<const TriangleMesh> mesh;
  Similarity body_from_mesh = Similarity::Identity();
  bool is_box = false;  ///< The body has no triangles: its box is drawn in its place.
};

/// A mesh as it is, patches and primitives to a share of their size. Errors: as to_triangles.
[[nodiscard]] Result<BodyTriangles> body_triangles(const Shape& shape, double flatness);

/// One color for all of a kind: for "duck[3]" that of "duck".
class KindColors {
 public:
  [[nodiscard]] Color of(const std::string& name);

 private:
  std::map<std::string, Color> colors_;
};

}  // namespace plimsoll::picture
