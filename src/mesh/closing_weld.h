// Welding that closes a surface, by the least tolerance that does.
#pragma once

#include <plimsoll/mesh.h>

#include <optional>
#include <span>

namespace plimsoll {

struct ClosingWeld {
  double tolerance = 0;
  Welding welding;
};

/// The least of `tolerances`, which ascend from 0 on, that closes an open surface, and the mesh
/// welded by it. They are bisected by the rims alone; the least that closes these, and up to three
/// after it, are tried on the mesh. Nothing where none of them closes it, where it is closed, and
/// where two triangles run along an edge the same way. Precondition: check_mesh.
/// O(n + m log m log k) for m edges at rims and k tolerances.
[[nodiscard]] std::optional<ClosingWeld> closing_weld(const MeshView& mesh,
                                                      std::span<const double> tolerances);

/// Whether some edge is certainly not run along equally often both ways; an open surface passes for
/// a closed one once in 2^64. O(triangles): no edge is looked up.
[[nodiscard]] bool is_surely_open(const MeshView& mesh);

}  // namespace plimsoll
