// A body of triangles in its place.
#pragma once

#include <plimsoll/mesh.h>

#include <memory>
#include <string>

namespace plimsoll::picture {

struct PlacedMesh {
  std::string name;  ///< As people know it.
  std::shared_ptr<const TriangleMesh> mesh;
  Similarity world_from_mesh = Similarity::Identity();
};

}  // namespace plimsoll::picture
