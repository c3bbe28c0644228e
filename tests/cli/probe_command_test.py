"""`plimsoll probe`: distances of points and of grids, their files and pictures, and what it refuses."""
import csv
import json
import math
import struct
import unittest

from pictures import is_strong, png
from program import FACES, ProgramTest, run

HEADER = ["x", "y", "z", "signed_distance", "nearest_x", "nearest_y", "nearest_z", "triangle"]


def distance(point, size=(1, 1, 1)):
    """From a box with a corner at the origin, below 0 inside."""
    off = [max(-x, x - s) for x, s in zip(point, size)]
    return max(off) if max(off) <= 0 else math.hypot(*(max(x, 0) for x in off))


class Probe(ProgramTest):
    def points(self, *rows, header="x,y,z"):
        return self.write("points.csv", "".join(line + "\n" for line in (header, *(",".join(map(str, r)) for r in rows))))

    def rows(self, path):
        with open(path) as file:
            reader = csv.DictReader(file)
            rows = [[float(x) for x in row.values()] for row in reader]
        self.assertEqual(reader.fieldnames, HEADER)
        return rows

    # Nodes on faces are points of the surface: 0 away, and not inside.
    def test_of_a_grid_through_a_box_the_nodes_within_are_inside(self):
        box = self.box(size=(1, 2, 3))
        answer = self.answer("probe", box, "--grid", "0.25")
        self.assertEqual((answer["points"], answer["inside"], answer["greatest"]), (5 * 9 * 13, 3 * 7 * 11, 0))

    # The grid goes as far as to contain the box.
    def test_a_grid_wider_than_the_box_has_a_node_on_either_side(self):
        self.assertEqual(self.answer("probe", self.box(), "--grid", "1e12")["points"], 8)

    # Rounding of coordinates near 1.
    def test_points_have_their_distances(self):
        places = [(0.5, 0.5, 0.75), (2, 0.5, 0.5), (2, 3, 0.5), (-1, -1, -1), (0.5, 0.25, 1)]
        out = self.folder / "out.csv"
        answer = self.answer("probe", self.box(), "--points", self.points(*places), "--out", out)
        self.assertEqual(list(answer), ["status", "points", "notices", "inside", "least", "greatest",
                                        "microseconds_per_point", "grid"])
        self.assertEqual((answer["status"], answer["points"], answer["inside"], answer["grid"]), ("ok", 5, 1, None))
        self.assertGreater(answer["microseconds_per_point"], 0)
        rows = self.rows(out)
        self.assertEqual([tuple(row[:3]) for row in rows], places)
        for row in rows:
            self.assertAlmostEqual(row[3], distance(row[:3]), delta=1e-15)
            self.assertAlmostEqual(abs(row[3]), math.dist(row[:3], row[4:7]), delta=1e-15)
            self.assertAlmostEqual(distance(row[4:7]), 0, delta=1e-15)
            self.assertIn(row[7], range(12))
        self.assertEqual(answer["least"], min(row[3] for row in rows))
        self.assertEqual(answer["greatest"], max(row[3] for row in rows))
        code, text, err = run("probe", self.box(), "--points", self.points(*places), "--out", "-")
        self.assertEqual((code, text), (0, out.read_text()))
        self.assertIn("inside      1", err)

    def test_points_are_in_the_world(self):
        out = self.folder / "out.csv"
        self.answer("probe", self.box(), "--pose", "2,0,0,10,0,2,0,0,0,0,2,0,0,0,0,1", "--points",
                    self.points((11, 1, 1), (13, 1, 1)), "--out", out)
        self.assertEqual([row[3] for row in self.rows(out)], [-1, 1])

    # From 0 to 1 and beyond in steps of 0.3: four steps, and of 0.5 in two; 0.25 mm is exact.
    def test_a_grid_contains_the_box(self):
        out = self.folder / "out.csv"
        answer = self.answer("probe", self.box(size=(1, 0.5, 0.25)), "--grid", "300mm", "--out", out)
        self.assertEqual(answer["grid"], {"origin": [0, 0, 0], "spacing": 0.3, "shape": [5, 3, 2]})
        rows = self.rows(out)
        self.assertEqual(len(rows), 30)
        nodes = [(0.3 * i, 0.3 * j, 0.3 * k) for i in range(5) for j in range(3) for k in range(2)]
        for row, node in zip(rows, nodes):
            for x, expected in zip(row[:3], node):
                self.assertAlmostEqual(x, expected, delta=1e-15)
            self.assertAlmostEqual(row[3], distance(node, (1, 0.5, 0.25)), delta=1e-15)
        answer = self.answer("probe", self.box(), "--grid", "0.125")
        self.assertEqual((answer["points"], answer["inside"]), (9**3, 7**3))

    # numpy.lib.format: the magic, version 1.0, the length of a dictionary that ends at a multiple of 64.
    def test_an_array_of_numpy_has_the_same_values(self):
        table, array = self.folder / "out.csv", self.folder / "out.npy"
        mesh = self.box(size=(1, 0.5, 0.25))
        for out in (table, array):
            self.answer("probe", mesh, "--grid", "0.1", "--out", out)
        data = array.read_bytes()
        self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
        length, = struct.unpack("<H", data[8:10])
        self.assertEqual((10 + length) % 64, 0)
        header = data[10:10 + length]
        self.assertEqual(header[-1:], b"\n")
        self.assertEqual(eval(header.decode()), {"descr": "<f8", "fortran_order": False, "shape": (11, 6, 4)})
        values = struct.unpack(f"<{11 * 6 * 4}d", data[10 + length:])
        self.assertEqual(list(values), [row[3] for row in self.rows(table)])

    # 70,000 points are more than a block of 65,536.
    def test_many_points_have_the_same_distances_as_few(self):
        out = self.folder / "out.csv"
        places = [(i / 1000, (i * 7 % 1000) / 500 - 0.5, (i * 13 % 1000) / 500 - 0.5) for i in range(70000)]
        answer = self.answer("probe", self.box(), "--points", self.points(*places), "--out", out)
        self.assertEqual(answer["points"], 70000)
        rows = self.rows(out)
        self.assertEqual(len(rows), 70000)
        for row, place in zip(rows[::997], places[::997]):
            self.assertAlmostEqual(row[3], distance(place), delta=1e-14)

    def test_an_open_mesh_has_no_inside(self):
        out = self.folder / "out.csv"
        mesh = self.box("open.off", faces=FACES[:-1])
        answer = self.answer("probe", mesh, "--points", self.points((0.5, 0.5, 0.5), (2, 0.5, 0.5)), "--out", out,
                             expected=4)
        self.assertEqual((answer["status"], answer["inside"]), ("open", None))
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["sign"])
        self.assertEqual([row[3] for row in self.rows(out)], [0.5, 1])
        code, text, _ = run("probe", mesh, "--points", self.points((0.5, 0.5, 0.5)))
        self.assertEqual(code, 4)
        self.assertIn("the distance to an open surface has no sign", text)

    # The slice has room around the body; inside is blue, outside brown, the surface red.
    def test_a_slice_is_drawn(self):
        out = self.folder / "slice.png"
        self.answer("probe", self.box(size=(3, 2, 1)), "--grid", "0.5", "--picture", out)
        width, height, rows = png(out)
        self.assertEqual((width, height), (1600, 900))
        colors = [pixel for row in rows for pixel in row[::3]]
        blue = sum(1 for r, g, b in colors if b > r + 15)
        brown = sum(1 for r, g, b in colors if r > b + 15)
        self.assertGreater(blue, 10000)
        self.assertGreater(brown, blue / 2)
        self.assertGreater(sum(is_strong(pixel) for row in rows[200:700] for pixel in row), 500)

    def test_what_cannot_be_answered_is_refused(self):
        mesh, points = self.box(), self.points((0, 0, 0))
        self.refused(2, "probe", mesh, code="usage")
        self.refused(2, "probe", mesh, "--points", points, "--grid", "1", code="usage")
        for wrong in (("--grid", "0"), ("--grid", "-1"), ("--grid", "1e-6"), ("--grid", "0.5", "--out", "a.txt"),
                      ("--points", points, "--out", "a.npy"), ("--points", points, "--picture", "a.jpg"),
                      ("--points", points, "--out", points), ("--points", points, "--out", mesh)):
            self.refused(2, "probe", mesh, *wrong, code="usage")
        self.assertEqual(points.read_text(), "x,y,z\n0,0,0\n")
        ball = self.write("ball.json", json.dumps({"shape": "sphere", "radius": 1}))
        self.refused(3, "probe", ball, "--points", points, code="unavailable")

    def test_a_table_that_is_none_says_where(self):
        mesh = self.box()
        for text, line, found in (("", 1, "nothing"), ("a,b,c\n", 1, "a,b,c"), ("x,y,z\n", 1, "nothing"),
                                  ("x,y,z\n1,2,3\n\n1,2\n", 4, "1,2"), ("x,y,z\n1,2,nan\n", 2, "1,2,nan"),
                                  ("x,y,z\n1,2,3,4\n", 2, "1,2,3,4")):
            error = self.refused(3, "probe", mesh, "--points", self.write("wrong.csv", text), code="malformed")
            self.assertIn(found, error["message"])
            self.assertRegex(error["where"], rf"wrong\.csv.*\b{line}\b")
        self.refused(3, "probe", mesh, "--points", self.folder / "none.csv", code="unreadable")


if __name__ == "__main__":
    unittest.main()
