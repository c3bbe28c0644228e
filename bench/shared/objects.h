// The bodies of [Kim2006, table 1], rebuilt: the paper gives their names and counts only.
#pragma once

#include <plimsoll/mesh.h>

#include <string>
#include <vector>

namespace plimsoll::bench {

struct PaperObject {
  std::string name;
  TriangleMesh mesh;
  int paper_vertices = 0;  ///< 0 where the paper does not have the body.
  int paper_faces = 0;
  int paper_peels = 0;
};

/// Cube, sphere (not in the paper), teapot, torus, knot and pipe. The torus keeps its doubled
/// seams.
[[nodiscard]] std::vector<PaperObject> generated_objects();

/// The bunny, made of a dense closed scan.
[[nodiscard]] PaperObject bunny_of(const MeshView& scan);

}  // namespace plimsoll::bench
