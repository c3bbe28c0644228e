"""The files that examples in README.md and --help name, as small as they may be: boxes, mostly."""
import json
import math

from program import FACES, box, off

# A boat of 4 x 2 x 1.5 m: a box whose keel is half as wide.
HULL = [(x, y if z > 0 else y / 2, z) for x, y, z in box((4, 2, 1.5), (-2, -1, 0))]


def stl(vertices, faces=FACES):
    lines = ["solid part"]
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [" ".join(["vertex", *map(repr, map(float, vertices[v]))]) for v in face]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid part"]) + "\n"


def obj(vertices, faces=FACES):
    lines = ["v " + " ".join(repr(float(x)) for x in vertex) for vertex in vertices]
    return "\n".join(lines + ["f " + " ".join(str(v + 1) for v in face) for face in faces]) + "\n"


def ply(vertices, faces=FACES):
    lines = ["ply", "format ascii 1.0", f"element vertex {len(vertices)}", "property double x",
             "property double y", "property double z", f"element face {len(faces)}",
             "property list uchar int vertex_indices", "end_header"]
    lines += [" ".join(repr(float(x)) for x in vertex) for vertex in vertices]
    return "\n".join(lines + [" ".join(map(str, (3, *face))) for face in faces]) + "\n"


def shifted(vertices, by):
    return [tuple(x + d for x, d in zip(vertex, by)) for vertex in vertices]


def ball(count=8):
    """A closed mesh of a unit ball: rings of latitude between two poles."""
    rings = [[(math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), math.cos(a))
              for b in (2 * math.pi * k / (2 * count) for k in range(2 * count))]
             for a in (math.pi * i / count for i in range(1, count))]
    vertices = [(0, 0, 1), *(v for ring in rings for v in ring), (0, 0, -1)]
    wide, last = 2 * count, len(vertices) - 1

    def at(i, k):
        return 1 + i * wide + k % wide

    faces = []
    for k in range(wide):
        faces += [(0, at(0, k), at(0, k + 1)), (last, at(count - 2, k + 1), at(count - 2, k))]
        for i in range(count - 2):
            faces += [(at(i, k), at(i + 1, k), at(i + 1, k + 1)), (at(i, k), at(i + 1, k + 1), at(i, k + 1))]
    return vertices, faces


def write_files(folder, scenes):
    def write(name, text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text))

    round_, faces = ball()
    for name in ("bunny.off", "hull.off"):
        write(name, off(round_, faces))
    write("bunny.obj", obj(round_, faces))
    write("hull.stl", stl(HULL))
    write("hull.ply", ply(HULL))
    write("mast.ply", ply(box((0.1, 0.1, 5), (0, 0, 1))))
    for name in ("frame.stl", "bracket.stl", "part.stl", "gear.stl", "gripper.stl", "links/upper.stl", "links/lower.stl"):
        write(name, stl(box((40, 20, 10))))
    write("robot.stl", stl(box((300, 200, 900))))
    write("finger.stl", stl(box((80, 15, 12))))
    write("case.stl", stl(box((50, 30, 20), (40.25, 0, 0))))
    write("rack.obj", obj(box((400, 300, 1000), (250, 0, 0))))
    write("part.obj", obj(box((40, 20, 10), (20, 5, 5))))
    write("table.obj", obj(box((1.2, 0.8, 0.75))))
    write("cup.off", off(box((0.08, 0.08, 0.1), (-0.04, -0.04, 0))))
    write("saucer.off", off(box((0.15, 0.15, 0.02), (-0.075, -0.075, 0))))
    write("a.ply", ply(round_, faces))
    write("b.ply", ply(shifted(round_, (1, 0.3, 0.2)), faces))
    write("scan_with_holes.ply", ply(round_, faces[3:]))
    write("ring.json", {"shape": "torus", "major": 1, "minor": 0.25})
    write("teapot.json", {"shape": "sphere", "radius": 1})
    write("buoy.json", {"shape": "capsule", "radius": 0.4, "height": 1})
    pose = [1, 0, 0, 5, 0, 0.8, -0.6, 0, 0, 0.6, 0.8, 0, 0, 0, 0, 1]
    write("part_pose.json", pose)
    write("gripper_pose.json", pose)
    seat = {"name": "seat", "density": 600, "shape": {"shape": "mesh", "file": "table.obj"}}
    leg = {"name": "leg", "density": 600, "shape": {"shape": "mesh", "file": "mast.ply"},
           "pose": [1, 0, 0, 0.5, 0, 1, 0, 0.4, 0, 0, 1, -4, 0, 0, 0, 1]}
    write("scene.json", {"bodies": [seat, leg]})
    duck = {"name": "duck", "density": 300, "shape": {"shape": "mesh", "file": "bunny.off", "scale": 0.2},
            "pose": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.3, 0, 0, 0, 1]}
    log = {"name": "log", "density": 700, "shape": {"shape": "cylinder", "radius": 0.2, "height": 1},
           "pose": [1, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0.1, 0, 0, 0, 1]}
    write("pond.json", {"bodies": [duck, log]})
    for kind in ("json", "csv"):
        write(f"press.{kind}", (scenes / f"drag.{kind}").read_text())
    write("samples.csv", "x,y,z\n0,0,0\n1.5,0,0\n0,0.2,-1.25\n")
