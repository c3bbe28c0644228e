#include "picture/body_triangles.h"

#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape.h>

#include <array>
#include <utility>

namespace plimsoll::picture {
namespace {

TriangleMesh box_of(const Shape& shape) {
  const Box3 box = bounding_box(shape);
  TriangleMesh mesh = make_box(box.sizes());
  for (Vec3& v : mesh.vertices) v += box.center();
  return mesh;
}

}  // namespace

Result<BodyTriangles> body_triangles(const Shape& shape, double flatness) {
  if (const auto* solid = std::get_if<MeshSolid>(&shape.solid))
    return BodyTriangles{solid->mesh, shape.pose};
  Result<std::optional<ShapeMesh>> drawn =
      to_triangles(shape, flatness * bounding_box(shape).diagonal().stableNorm());
  if (!drawn) return drawn.error();
  BodyTriangles body;
  body.is_box = !drawn->has_value();
  body.mesh =
      std::make_shared<const TriangleMesh>(body.is_box ? box_of(shape) : std::move((*drawn)->mesh));
  return body;
}

Color KindColors::of(const std::string& name) {
  constexpr std::array<Color, 6> kPalette{{{214, 93, 68},
                                           {232, 178, 62},
                                           {118, 168, 88},
                                           {196, 140, 190},
                                           {222, 214, 198},
                                           {150, 120, 96}}};
  const Color next = kPalette[colors_.size() % kPalette.size()];
  return colors_.try_emplace(name.substr(0, name.find('[')), next).first->second;
}

}  // namespace plimsoll::picture
