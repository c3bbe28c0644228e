// Newell's teapot, the first free-form body that everybody knew.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/patches.h>

namespace plimsoll {

/// The 32 bicubic patches of M. Newell's teapot of 1975 as F. Crow published them [Crow1987], in
/// their units: z up, spout toward +x, handle toward -x, standing on z = 0, 3.15 high. Rim, body
/// and bottom are patches 0 to 15, handle 16 to 19, spout 20 to 23, lid 24 to 31. All are turned
/// outward; the published ones face inward when read with their second index as v.
///
/// These are three surfaces, and they are open:
///   - the gap between the rim (radius 1.4) and the lid (radius 1.3), both at z = 2.4;
///   - the two ends of the handle, inside the body;
///   - the foot of the spout, inside the body in the plane x = 1.7, and its tip at z = 2.4.
[[nodiscard]] PatchSurface teapot();

/// The teapot and 12 patches that close it: a flat ring over the gap (32 to 35), and on each end of
/// handle (36 to 39) and spout (40 to 43) a flat fan about the middle of its symmetry axis.
/// What results is three closed solids that pass through each other: body with lid (volume
/// 25.2511), handle (0.2630) and spout (0.6560), 26.1701 in all. The shares of the handle (0.0080)
/// and of the spout (0.1666) inside the body count twice.
[[nodiscard]] PatchSurface closed_teapot();

/// The closed teapot with every patch in segments x segments quadrilaterals, the ring and the fans
/// one step deep: 64 segments^2 + 8 segments triangles, and five more vertices than half as many
/// (the handle touches the body in one). 5 segments make 1640 triangles and 825 vertices, the
/// nearest to the 1628 and 821 of [Kim2006]. No triangles unless 2 <= segments <= 500.
[[nodiscard]] TriangleMesh make_teapot(int segments);

}  // namespace plimsoll
