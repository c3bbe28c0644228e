#!/usr/bin/env python3
# Makes teapot.off of teapot.bpt: body with lid, handle and spout, three closed solids that pass
# through each other, cut into flat pieces and united into one. Needs numpy and manifold3d (PyPI).
#
#   scenes/unite_teapot.py [segments]      pieces along each side of a patch (8)
import math, pathlib, sys

import manifold3d
import numpy as np

HERE = pathlib.Path(__file__).parent


def patches(text):
    numbers = iter(text.split())
    for _ in range(int(next(numbers))):
        degree_u, degree_v = int(next(numbers)), int(next(numbers))
        count = (degree_u + 1) * (degree_v + 1)
        points = [float(next(numbers)) for _ in range(3 * count)]
        yield np.array(points).reshape(degree_v + 1, degree_u + 1, 3)  # u fastest


def bernstein(degree, t):
    return np.array([math.comb(degree, i) * t**i * (1 - t) ** (degree - i) for i in range(degree + 1)])


def triangles(patch, n):
    """Corners of the pieces, 3 x 3 each. Patches of degree 1 across are fans and rings, one step deep."""
    rows, columns = patch.shape[0] - 1, patch.shape[1] - 1
    across = 1 if columns == 1 else n
    at = [[np.einsum("v,u,vuk->k", bernstein(rows, j / n), bernstein(columns, i / across), patch)
           for i in range(across + 1)] for j in range(n + 1)]
    for j in range(n):
        for i in range(across):
            a, b, c, d = at[j][i], at[j][i + 1], at[j + 1][i + 1], at[j + 1][i]
            yield from ((a, b, c), (a, c, d))


def welded(soup):
    index, vertices, faces = {}, [], []
    for corners in soup:
        face = []
        for p in corners:
            key = tuple(np.round(p, 9) + 0.0)
            if key not in index:
                index[key] = len(vertices)
                vertices.append(key)
            face.append(index[key])
        if len(set(face)) == 3:
            faces.append(face)
    return np.array(vertices), np.array(faces)


segments = int(sys.argv[1]) if len(sys.argv) > 1 else 8
surface = list(patches((HERE / "teapot.bpt").read_text()))
PARTS = [[*range(0, 16), *range(24, 36)], [*range(16, 20), *range(36, 40)], [*range(20, 24), *range(40, 44)]]
solid = manifold3d.Manifold()
for part in PARTS:
    vertices, faces = welded(t for p in part for t in triangles(surface[p], segments))
    solid += manifold3d.Manifold(manifold3d.Mesh64(vertices, faces.astype(np.uint64)))
mesh = solid.to_mesh64()
lines = ["OFF", f"{len(mesh.vert_properties)} {len(mesh.tri_verts)} 0"]
lines += ["{!r} {!r} {!r}".format(*map(float, p[:3])) for p in mesh.vert_properties]
lines += ["3 {} {} {}".format(*t) for t in mesh.tri_verts]
(HERE / "teapot.off").write_text("\n".join(lines) + "\n")
print(f"volume {solid.volume():.6f} in {len(mesh.tri_verts)} triangles")
