"""`plimsoll spheres`, and `overlap` and `distance` by spheres: what they answer, and what they refuse."""
import csv
import json
import math
import re
import unittest

from program import FACES, ProgramTest, box as corners, off, run


MEMBERS = ["status", "count", "notices", "coverage", "largest_protrusion", "build_seconds", "bytes", "end",
           "solid_volume", "resolution", "doubtful_share"]


def moved(x, y, z, scale=1):
    return f"{scale},0,0,{x},0,{scale},0,{y},0,0,{scale},{z},0,0,0,1"


class Spheres(ProgramTest):
    def test_the_answer_has_the_members_of_the_reference(self):
        answer = self.answer("spheres", self.box(), "--count", "9")
        self.assertEqual(list(answer), MEMBERS)
        self.assertEqual((answer["status"], answer["count"], answer["notices"]), ("ok", 9, []))
        self.assertEqual((answer["end"], answer["solid_volume"], answer["resolution"]), ("count", 1, None))
        corner = (2 - math.sqrt(3)) / 2
        volume = 4 / 3 * math.pi * (0.5**3 + 8 * corner**3)
        self.assertAlmostEqual(answer["coverage"], volume, delta=0.01 * volume)

    def test_spheres_are_written_the_largest_first(self):
        out = self.folder / "spheres.csv"
        answer = self.answer("spheres", self.box(), "--count", "100", "--out", out)
        with open(out) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["x", "y", "z", "radius"])
        radii = [float(row["radius"]) for row in rows]
        self.assertEqual(len(rows), answer["count"])
        self.assertEqual(radii, sorted(radii, reverse=True))
        volume = sum(4 / 3 * math.pi * r**3 for r in radii)
        self.assertAlmostEqual(volume, answer["coverage"], delta=1e-12)
        code, text, err = run("spheres", self.box(), "--count", "100", "--out", "-")
        self.assertEqual((code, text), (0, out.read_text()))
        self.assertIn("100 spheres", err)

    def test_a_document_has_the_masses_of_solid_and_spheres(self):
        out = self.folder / "spheres.json"
        answer = self.answer("spheres", self.box(size=(1, 2, 3)), "--count", "300", "--out", out)
        document = json.loads(out.read_text())
        self.assertEqual(len(document["spheres"]), answer["count"])
        self.assertEqual(document["solid"]["volume"], 6)
        self.assertEqual(document["solid"]["center_of_mass"], [0.5, 1, 1.5])
        self.assertAlmostEqual(document["packing"]["volume"] / 6, answer["coverage"], delta=1e-12)
        for member in ("status", "end", "coverage", "largest_protrusion"):
            self.assertEqual(document[member], answer[member])
        self.assertIsNone(document["keep"])

    # Rounding of sums of a few numbers of order 1.
    def test_a_document_of_a_part_has_the_masses_of_the_part(self):
        out = self.folder / "spheres.json"
        answer = self.answer("spheres", self.box(size=(1, 2, 3)), "--count", "300", "--keep",
                             "0,0,2,2", "--out", out)
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["keep", "inertia"])
        document = json.loads(out.read_text())
        self.assertEqual(document["keep"], [0, 0, 2, 2])
        solid = document["solid"]
        for found, true in zip((solid["volume"], *solid["center_of_mass"]), (4, 0.5, 1, 2)):
            self.assertAlmostEqual(found, true, delta=1e-14)
        self.assertIsNone(solid["inertia"])
        self.assertIsNotNone(document["packing"]["inertia"])
        self.assertEqual((document["coverage"], document["end"]), (answer["coverage"], "count"))
        self.assertAlmostEqual(document["packing"]["volume"] / 4, answer["coverage"], delta=1e-12)

    def test_lengths_may_have_a_unit(self):
        for radius in ("0.1", "100mm", "10cm"):
            answer = self.answer("spheres", self.box(), "--min-radius", radius)
            self.assertEqual(answer["count"], 9)
            self.assertEqual([notice["code"] for notice in answer["notices"]], ["count"])
            self.assertIn("no more room", answer["notices"][0]["message"])
            self.assertEqual(answer["end"], "radius")

    # Whatever the file's numbers are in.
    def test_planes_and_welding_tolerances_may_have_a_unit(self):
        box = self.box(size=(100, 100, 100))
        for offset in ("0.025", "25mm", "2.5cm"):
            answer = self.answer("spheres", box, "--units", "mm", "--count", "5", "--keep", f"0,0,1,{offset}")
            self.assertAlmostEqual(answer["solid_volume"], 0.1 * 0.1 * 0.075, delta=1e-18)
        for wrong in ("0,0,1,25km", "0,0,1mm,1", "1mm", "0,0,1,2,3mm"):
            self.refused(2, "spheres", box, "--keep", wrong, code="usage")
        for tolerance in ("1e-6", "0.001mm"):
            answer = self.answer("spheres", box, "--units", "mm", "--count", "5", "--weld", tolerance)
            self.assertEqual([notice["code"] for notice in answer["notices"]], ["weld"])
            self.assertIn("closer than 1e-06 m", answer["notices"][0]["message"])
        self.refused(2, "spheres", box, "--weld", "1km", code="usage")

    def test_a_packing_ends_at_a_share_of_the_solid(self):
        answer = self.answer("spheres", self.box(), "--until", "coverage=0.7")
        self.assertGreaterEqual(answer["coverage"], 0.7)
        self.assertLess(answer["coverage"], 0.72)
        self.assertEqual(answer["end"], "coverage")

    def test_a_part_of_a_solid_is_packed_as_the_part(self):
        box, half = self.box(), self.box("half.off", size=(0.5, 1, 1))
        out = self.folder / "kept.csv"
        answer = self.answer("spheres", box, "--count", "500", "--keep", "2,0,0,1", "--out", out)
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["keep"])
        part = self.answer("spheres", half, "--count", "500")
        self.assertAlmostEqual(answer["coverage"], part["coverage"], delta=0.02)
        with open(out) as file:
            rows = [[float(x) for x in row.values()] for row in csv.DictReader(file)]
        self.assertEqual(len(rows), 500)
        self.assertAlmostEqual(rows[0][3], 0.25, delta=0.0025)
        for x, y, z, radius in rows:
            self.assertGreaterEqual(x - radius, 0.5 - 1e-14)
            self.assertLessEqual(max(x, y, z) + radius, 1 + 1e-14)
            self.assertGreaterEqual(min(y, z) - radius, -1e-14)
        yaml = self.folder / "kept.yaml"
        self.answer("spheres", box, "--count", "5", "--keep", "0,0,1,0.5", "--out", yaml)
        self.assertIn("of the part of the solid that is kept", yaml.read_text())

    def test_half_spaces_that_hold_nothing_are_refused(self):
        box = self.box()
        error = self.refused(3, "spheres", box, "--keep", "0,0,1,1.5", code="invalid_argument")
        self.assertIn("--keep", error["where"])
        for wrong in ("0,0,0,1", "0,0,1", "0,0,1,inf", "up"):
            self.refused(2, "spheres", box, "--keep", wrong, code="usage")
        self.refused(3, "spheres", box, "--keep", "0,0,1,0.5", "--out", "part.ist",
                     code="unavailable")

    # From the plane of a lid that is missing, the rest is half of the sky: inside ends there, and all
    # centers of cubes below count. A face that is turned counts twice against what it closes.
    def test_meshes_that_do_not_close_are_packed_where_they_wind_around_the_center_of_a_cube(self):
        open_box = self.box("open.off", faces=FACES[:-1])
        for mesh, status, words in (
                (open_box, "open", "the mesh is open"),
                (self.box("turned.off", faces=FACES[:-1] + [tuple(reversed(FACES[-1]))]), "inconsistent",
                 "the mesh is not turned one way")):
            out = self.folder / "spheres.json"
            answer = self.answer("spheres", mesh, "--count", "20", "--out", out, expected=4)
            self.assertEqual(list(answer), MEMBERS)
            self.assertEqual((answer["status"], answer["bytes"], answer["resolution"]), (status, 0, 33))
            notice = next(n["message"] for n in answer["notices"] if n["code"] == "inside")
            self.assertIn(words, notice)
            self.assertGreater(answer["doubtful_share"], 0)
            file = json.loads(out.read_text())
            self.assertEqual(file["doubtful_share"], answer["doubtful_share"])
            self.assertEqual(file["solid"]["volume"], answer["solid_volume"])
            half_diagonal = math.sqrt(3) / 2 / 33
            for sphere in file["spheres"]:
                for x in sphere["center"]:
                    self.assertLessEqual(abs(x - 0.5) + sphere["radius"], 0.5 + half_diagonal)
            if status == "open":
                self.assertAlmostEqual(answer["solid_volume"], 1, delta=1e-12)
                self.assertEqual(len(file["spheres"]), 20)
        yaml_file = self.folder / "spheres.yaml"
        self.answer("spheres", open_box, "--count", "20", "--out", yaml_file, expected=4)
        self.assertIn("DO NOT TRUST THESE SPHERES: status open", yaml_file.read_text())
        self.assertNotIn("proved", yaml_file.read_text())
        code, text, _ = run("spheres", open_box, "--count", "20")
        self.assertEqual(code, 4)
        self.assertIn("of what may be inside", text)
        picture = self.folder / "open.png"
        self.answer("spheres", open_box, "--count", "20", "--picture", picture, expected=4)
        self.assertTrue(picture.exists())
        for wrong in (("--cover", "8"), ("--keep", "0,0,1,0"), ("--out", "open.ist")):
            self.refused(3, "spheres", open_box, *wrong, code="open")
        sheet = self.write("sheet.off", off([(1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 1, 2)]))
        error = self.refused(3, "spheres", sheet, code="open")
        self.assertIn("expected a surface that encloses something", error["message"])

    def test_what_cannot_be_packed_is_refused(self):
        box = self.box()
        # A second box, turned inward beside the first: spheres in it stand for less than nothing.
        two = self.write("two.off", off(corners() + corners((0.5, 0.5, 0.5), (3, 0, 0)),
                                        FACES + [tuple(8 + v for v in reversed(f)) for f in FACES]))
        error = self.refused(3, "spheres", two, "--count", "20", code="inconsistent")
        self.assertIn("winds around all of it the same way", error["message"])
        self.assertIn("two.off", error["where"])
        flat = self.box("flat.off", size=(1, 1, 0))
        self.refused(3, "spheres", flat, code="zero_volume")
        for wrong in (("--count", "0"), ("--until", "0.9"), ("--until", "coverage=2"),
                      ("--min-radius", "-1"), ("--out", "spheres.txt")):
            self.refused(2, "spheres", box, *wrong, code="usage")
        self.refused(2, "spheres", box, "--out", box, code="usage")


COVER_MEMBERS = ["status", "count", "notices", "covers", "coverage", "largest_protrusion", "build_seconds", "bytes",
                 "end", "solid_volume", "resolution"]


class Covers(ProgramTest):
    def rows(self, path):
        with open(path) as file:
            return [tuple(map(float, row.values())) for row in csv.DictReader(file)]

    # Eight cells in a row, of half a diagonal sqrt(0.025^2 + 0.03^2 + 0.025^2). The limit is that of
    # sphere_cover_test.
    def test_spheres_contain_the_body(self):
        out = self.folder / "spheres.csv"
        size = (0.4, 0.06, 0.05)
        bar = self.box("bar.off", size)
        answer = self.answer("spheres", bar, "--cover", "8", "--out", out)
        self.assertEqual(list(answer), COVER_MEMBERS)
        self.assertEqual((answer["status"], answer["covers"], answer["coverage"], answer["end"], answer["notices"]),
                         ("ok", True, 1, "count", []))
        self.assertLess(answer["largest_protrusion"], 1.06 * (math.sqrt(0.025**2 + 0.03**2 + 0.025**2) - 0.025))
        rows = self.rows(out)
        self.assertEqual(len(rows), answer["count"])
        radii = [row[3] for row in rows]
        self.assertEqual(radii, sorted(radii, reverse=True))
        for i, j, k in ((i, j, k) for i in range(41) for j in range(7) for k in range(6)):
            point = (size[0] * i / 40, size[1] * j / 6, size[2] * k / 5)
            self.assertTrue(any(math.dist(point, row[:3]) <= row[3] * (1 + 1e-12) for row in rows), point)
        for row in rows:
            depth = min(min(row[n], size[n] - row[n]) for n in range(3))
            self.assertLessEqual(row[3] - depth, answer["largest_protrusion"] + 1e-12)
        text = run("spheres", bar, "--cover", "8")[1]
        self.assertIn("8 spheres around the solid: as many spheres as asked for", text)

    # A sphere alone about the cube is sqrt(3) / 2 large.
    def test_fewer_spheres_say_why(self):
        box = self.box()
        answer = self.answer("spheres", box, "--cover", "3")
        self.assertEqual((answer["count"], answer["end"]), (1, "count"))
        self.assertEqual([notice["message"] for notice in answer["notices"]], ["more spheres would not help"])
        answer = self.answer("spheres", box, "--cover", "8", "--min-radius", "0.6")
        self.assertEqual((answer["count"], answer["end"]), (1, "radius"))
        self.assertEqual([notice["message"] for notice in answer["notices"]],
                         ["with more spheres one would be smaller than 0.6 m"])

    def test_a_side_stays_free(self):
        out = self.folder / "spheres.csv"
        answer = self.answer("spheres", self.box(), "--cover", "12", "--keep", "0,0,2,-500mm", "--out", out)
        self.assertEqual(answer["end"], "count")
        for x, y, z, radius in self.rows(out):
            self.assertGreaterEqual(z - radius, -0.25 - 1e-12)
        error = self.refused(3, "spheres", self.box(), "--cover", "6", "--keep", "0,0,1,0", code="invalid_argument")
        self.assertIn("found no cover that keeps to the half space", error["message"])
        self.assertIn("--keep", error["where"])

    def test_files_say_that_the_spheres_contain_the_body(self):
        box = self.box("finger.off")
        for name in ("c.yaml", "c.srdf"):
            out = self.folder / name
            self.answer("spheres", box, "--cover", "1", "--out", out)
            text = out.read_text()
            self.assertIn("1 sphere that contains all of the solid, which is proved", text)
            self.assertNotIn("do not contain", text)
        out = self.folder / "c.json"
        answer = self.answer("spheres", box, "--cover", "1", "--out", out)
        document = json.loads(out.read_text())
        self.assertIs(document["covers"], True)
        self.assertEqual(document["solid"]["volume"], 1)
        self.assertNotIn("packing", document)
        radius = document["spheres"][0]["radius"]
        self.assertAlmostEqual(document["union"]["volume"], 4 / 3 * math.pi * radius**3, delta=1e-12)
        self.assertEqual(document["largest_protrusion"], answer["largest_protrusion"])

    def test_what_makes_no_cover_is_refused(self):
        box = self.box()
        for wrong in (("--cover", "0"), ("--cover", "10001"), ("--cover", "8", "--count", "5"),
                      ("--cover", "8", "--until", "coverage=0.5"), ("--cover", "8", "--min-radius", "-1")):
            self.refused(2, "spheres", box, *wrong, code="usage")
        self.refused(3, "spheres", box, "--cover", "8", "--out", self.folder / "a.ist", code="unavailable")
        self.refused(3, "spheres", self.box("open.off", faces=FACES[:-1]), "--cover", "8", code="open")
        self.refused(3, "spheres", self.box("flat.off", size=(1, 1, 0)), "--cover", "8", code="zero_volume")
        ball = self.write("ball.json", json.dumps({"shape": "sphere", "radius": 1}))
        error = self.refused(3, "spheres", ball, "--cover", "8", code="unavailable")
        self.assertIn("covers are of meshes alone", error["message"])


class OfShapes(ProgramTest):
    def shape(self, **shape):
        return self.write("shape.json", json.dumps(shape))

    def test_a_primitive_is_packed_on_a_lattice(self):
        out = self.folder / "spheres.csv"
        ball = self.shape(shape="sphere", radius=1, pose=[2, 0, 0, 5, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1])
        answer = self.answer("spheres", ball, "--count", "50", "--out", out)
        self.assertEqual(list(answer), MEMBERS)
        self.assertEqual((answer["status"], answer["bytes"], answer["resolution"]), ("ok", 0, 33))
        self.assertEqual(answer["end"], "count" if answer["count"] == 50 else "radius")
        self.assertAlmostEqual(answer["solid_volume"], 32 / 3 * math.pi, delta=1e-9)
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["lattice"] +
                         (["count"] if answer["count"] < 50 else []))
        self.assertIn("33 cubes", answer["notices"][0]["message"])
        with open(out) as file:
            rows = [[float(number) for number in row.values()] for row in csv.DictReader(file)]
        self.assertEqual(len(rows), answer["count"])
        # An odd number of cubes has one about the ball's center.
        self.assertAlmostEqual(rows[0][3], 2, delta=1e-9)
        for x, y, z, radius in rows:
            self.assertLessEqual(math.dist((x, y, z), (5, 0, 0)) + radius, 2 + 1e-12)

    def test_the_volume_of_a_boolean_is_measured_and_that_is_said(self):
        out = self.folder / "spheres.json"
        ring = self.shape(shape="difference", of=[{"shape": "sphere", "radius": 1},
                                                  {"shape": "cylinder", "radius": 0.6, "height": 3}])
        answer = self.answer("spheres", ring, "--count", "200", "--out", out)
        self.assertEqual((answer["status"], answer["count"]), ("ok", 200))
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["volume", "lattice"])
        document = json.loads(out.read_text())
        volume = math.pi / 6 * 1.6**3  # the napkin ring, as high as the cylinder cuts
        self.assertAlmostEqual(document["solid"]["volume"], volume, delta=1e-4 * volume)
        self.assertAlmostEqual(document["packing"]["volume"] / document["solid"]["volume"],
                               answer["coverage"], delta=1e-9)
        for sphere in document["spheres"]:
            x, y, z = sphere["center"]
            self.assertLessEqual(math.hypot(x, y, z) + sphere["radius"], 1 + 1e-12)
            self.assertGreaterEqual(math.hypot(x, y) - sphere["radius"], 0.6 - 1e-12)

    def test_finer_lattices_come_with_larger_counts(self):
        formula = self.shape(shape="implicit", expression="x^2+y^2+z^2-1", bounds=[[-2, -2, -2], [2, 2, 2]])
        few = self.answer("spheres", formula, "--count", "20")
        many = self.answer("spheres", formula, "--count", "20000")
        for answer, cubes in ((few, "33 cubes"), (many, "69 cubes")):
            self.assertTrue(any(cubes in notice["message"] for notice in answer["notices"]))
        self.assertGreater(many["count"], 300)
        self.assertGreater(many["coverage"], few["coverage"])
        self.assertLess(many["largest_protrusion"], few["largest_protrusion"])

    def test_what_is_of_meshes_alone_is_refused(self):
        box = self.shape(shape="box", size=[1, 1, 1])
        for out in ("--out", self.folder / "tree.ist"), ("--picture", self.folder / "tree.png"):
            self.refused(3, "spheres", box, *out, code="unavailable")
            self.assertFalse(out[1].exists())
        self.refused(3, "spheres", box, "--keep", "0,0,1,0", code="unavailable")
        ball = self.write("ball.json", '{"shape": "sphere", "radius": 1}')
        for command in ("overlap", "distance"):
            self.refused(3, command, ball, self.box(), "--method", "spheres", code="unavailable")
        nothing = self.shape(shape="difference", of=[{"shape": "sphere", "radius": 1},
                                                     {"shape": "sphere", "radius": 2}])
        self.refused(3, "spheres", nothing, code="zero_volume")
        self.box("open.off", faces=FACES[:-1])
        part = self.shape(shape="union", of=[{"shape": "sphere", "radius": 1},
                                             {"shape": "mesh", "file": "open.off"}])
        self.refused(3, "spheres", part, code="open")


class BySpheres(ProgramTest):
    def test_the_overlap_of_boxes_lies_within_its_bounds(self):
        box = self.box()
        answer = self.answer("overlap", box, box, "--pose-b", moved(0.5, 0, 0), "--method", "spheres",
                             "--spheres", "2000")
        self.assertEqual(list(answer), ["status", "method", "notices", "volume", "center", "bounds",
                                        "force_a", "torque_a", "force_b", "torque_b", "force_model",
                                        "patch_areas", "curve_length", "contacts", "coverage",
                                        "separation", "complete"])
        self.assertIs(answer["complete"], True)
        self.assertEqual((answer["status"], answer["method"], answer["force_model"]),
                         ("ok", "spheres", "volume"))
        low, high = answer["bounds"]
        self.assertLess(low, 0.5)
        self.assertGreater(high, 0.5)
        # With parts of the solid in place of spheres, 3 % is what is aimed at from 2 % overlap on.
        self.assertAlmostEqual(answer["volume"], 0.5, delta=0.03 * 0.5)
        # A lies to the left of B, and is pushed there.
        self.assertLess(answer["force_a"][0], 0)
        self.assertGreater(answer["force_b"][0], 0)

    def test_bodies_apart_share_nothing(self):
        box = self.box()
        answer = self.answer("overlap", box, box, "--pose-b", moved(2, 0, 0), "--method", "spheres",
                             "--spheres", "100")
        self.assertEqual((answer["volume"], answer["bounds"], answer["center"]), (0, [0, 0], None))
        self.assertEqual(answer["force_a"], [0, 0, 0])

    def test_a_budget_that_is_too_small_is_said(self):
        box = self.box()
        answer = self.answer("overlap", box, box, "--pose-b", moved(0.3, 0.1, 0), "--method", "spheres",
                             "--spheres", "5000", "--budget-us", "1")
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["budget"])
        self.assertIs(answer["complete"], False)
        self.assertLessEqual(answer["bounds"][0], answer["volume"])
        self.assertLessEqual(answer["volume"], answer["bounds"][1])
        other = self.box("other.off", size=(1, 1, 2))
        arguments = ("overlap", box, other, "--method", "spheres", "--spheres", "2000", "--budget-us", "1")
        # What is said of both names both.
        self.assertEqual([notice["file"] for notice in self.answer(*arguments)["notices"]],
                         [f"{box} and {other}"])
        rows = [line for line in run(*arguments)[1].splitlines() if "(out of time: partly estimated)" in line]
        self.assertEqual([line.split("  ")[1] for line in rows],
                         ["shared volume", "force on A", "torque on A", "force on B", "torque on B"])

    # A mesh in two files is packed once, and what is said of it names both.
    def test_what_is_said_of_one_packing_of_two_files_names_both(self):
        a, b = (self.box(name, faces=FACES[:-1]) for name in ("a.off", "b.off"))
        for command in ("overlap", "distance"):
            error = self.refused(3, command, a, b, "--method", "spheres", code="open")
            self.assertEqual(error["where"], f"{a} and {b}")

    # Between the spheres in their corners boxes may share volume or not.
    def test_an_estimate_that_leaves_open_whether_bodies_meet_says_so(self):
        box = self.box()
        for shift, is_open in ((0.99, True), (0.5, False), (2, False)):
            pose = moved(shift, shift if is_open else 0, 0)
            arguments = ("overlap", box, box, "--pose-b", pose, "--method", "spheres", "--spheres", "500")
            answer, text = self.answer(*arguments), run(*arguments)[1]
            self.assertEqual(answer["volume"] > 0 and answer["bounds"][0] == 0, is_open)
            self.assertEqual("they may be apart" in text, is_open)

    def test_components_below_the_rounding_of_the_largest_are_said_to_be_0(self):
        box = self.box()
        arguments = ("overlap", box, box, "--pose-b", moved(0.5, 0, 0), "--method", "spheres",
                     "--spheres", "1")
        force, text = self.answer(*arguments)["force_a"], run(*arguments)[1]
        shown = [float(x) for x in re.search(r"force on A +(\S+) (\S+) (\S+) m\^3", text).groups()]
        for exact, said in zip(force, shown):
            if abs(exact) <= 2**-53 * max(map(abs, force)):
                self.assertEqual(said, 0)
            else:
                self.assertAlmostEqual(said, exact, delta=1e-5 * abs(exact))
        # A body in the middle of a sphere is not turned; what is left of its torque is rounding.
        part = self.box("part.off", (0.2, 0.2, 0.2), (0.4, 0.4, 0.4))
        arguments = ("overlap", part, box, "--method", "spheres", "--spheres", "100")
        answer, text = self.answer(*arguments), run(*arguments)[1]
        self.assertLess(math.hypot(*answer["torque_a"]), 1e-19)
        self.assertRegex(text, r"torque on A +0 0 0 m\^4")

    def test_the_distance_includes_the_triangles(self):
        box = self.box()
        answer = self.answer("distance", box, box, "--pose-b", moved(3, 0.25, 0), "--method", "spheres",
                             "--spheres", "50")
        self.assertEqual((answer["method"], answer["contained"], answer["overlaps"]),
                         ("spheres", "no", False))
        self.assertAlmostEqual(answer["distance"], 2, delta=1e-13)
        self.assertLessEqual(answer["bounds"][0], 2)
        self.assertGreaterEqual(answer["bounds"][1], 2)
        self.assertAlmostEqual(answer["point_a"][0], 1, delta=1e-13)
        self.assertEqual(list(answer), ["status", "method", "notices", "distance", "surface_distance",
                                        "contained", "overlaps", "point_a", "point_b", "bounds",
                                        "coverage", "complete"])
        self.assertIs(answer["complete"], True)
        self.assertEqual(answer["coverage"][0], answer["coverage"][1])
        self.assertGreater(answer["coverage"][0], 0.5)
        text = run("distance", box, box, "--pose-b", moved(3, 0.25, 0), "--method", "spheres", "--spheres",
                   "50")[1]
        for label in ("distance", "of the surfaces"):
            found, low, high = map(float, re.search(f"  {label} +(\\S+) m, between (\\S+) and (\\S+)",
                                                    text).groups())
            self.assertAlmostEqual(found, 2, delta=1e-13)
            self.assertTrue(low <= 2 <= high)
        for label, x in (("A", 1), ("B", 3)):
            self.assertRegex(text, f"nearest point of {label} +{x} ")

    def test_a_distance_that_ends_in_time_has_bounds(self):
        box = self.box()
        arguments = ("distance", box, box, "--pose-b", moved(1.5, 0.25, 0), "--method", "spheres",
                     "--spheres", "5000")
        answer = self.answer(*arguments, "--budget-us", "1")
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["budget"])
        low, high = answer["bounds"]
        self.assertLessEqual(low, 0.5)
        self.assertGreaterEqual(high, 0.5)
        # A microsecond suffices for one pair of spheres.
        self.assertGreater(high, 0.5 + 1e-9)
        self.assertGreaterEqual(answer["distance"], 0.5)
        code, text, _ = run(*arguments, "--budget-us", "1")
        self.assertEqual(code, 0)
        self.assertIs(answer["complete"], False)
        for label in ("distance", "nearest point of A", "nearest point of B"):
            self.assertRegex(text, f"  {label} .* \\(out of time: the least found\\)")
        # Time enough: as without a budget.
        answer = self.answer(*arguments, "--budget-us", "1e9")
        self.assertEqual((answer["notices"], answer["contained"]), ([], "no"))
        self.assertAlmostEqual(answer["surface_distance"], 0.5, delta=1e-13)

    def test_what_time_has_left_open_is_null(self):
        # Boxes that touch but for a hair: parts of both reach across it.
        box = self.box()
        answer = self.answer("distance", box, box, "--pose-b", moved(1.0001, 0.1, 0), "--method",
                             "spheres", "--spheres", "500", "--budget-us", "1")
        self.assertEqual(answer["bounds"][0], 0)
        self.assertEqual((answer["surface_distance"], answer["contained"], answer["overlaps"]),
                         (None, None, None))
        self.assertLess(answer["distance"], 2)

    def test_a_body_in_another_is_at_distance_0(self):
        outer, inner = self.box(), self.box("inner.off", size=(0.01, 0.01, 0.01))
        # In a corner, where few spheres of the box reach.
        answer = self.answer("distance", outer, inner, "--pose-b", moved(0.002, 0.002, 0.002),
                             "--method", "spheres", "--spheres", "20")
        self.assertEqual((answer["distance"], answer["contained"], answer["overlaps"]),
                         (0, "b_in_a", True))
        self.assertEqual(answer["bounds"], [0, 0])

    def test_points_that_are_not_the_surfaces_are_not_named(self):
        # A small cube in the middle of a large one: the balls of both are nearer than the surfaces.
        box = self.box()
        small = "0.02,0,0,.14,0,0.02,0,.14,0,0,0.02,.14,0,0,0,1"
        answer = self.answer("distance", box, box, "--pose-b", small, "--method", "spheres",
                             "--spheres", "1")
        self.assertEqual((answer["distance"], answer["contained"]), (0, "b_in_a"))
        text = run("distance", box, box, "--pose-b", small, "--method", "spheres", "--spheres", "1")[1]
        for member in ("surface_distance", "point_a", "point_b"):
            self.assertIsNone(answer[member])
        self.assertIn("none, for spheres of both are nearer than the surfaces", text)
        # Corners that cross where no spheres meet.
        crossing = ("distance", box, box, "--pose-b", moved(0.99, 0.99, 0.99), "--method", "spheres",
                    "--spheres", "100")
        answer = self.answer(*crossing)
        self.assertEqual((answer["distance"], answer["surface_distance"]), (0, 0))
        self.assertIsNone(answer["point_a"])
        self.assertIn("none, for the surfaces touch or cross", run(*crossing)[1])

    def test_what_spheres_cannot_be_asked_is_refused(self):
        box, open_box = self.box(), self.box("open.off", faces=FACES[:-1])
        self.refused(2, "overlap", box, box, "--spheres", "10", code="usage")
        for command in ("overlap", "distance"):
            self.refused(3, command, box, open_box, "--method", "spheres", "--spheres", "10",
                         code="open")
            self.refused(2, command, box, box, "--method", "spheres", "--spheres", "0", code="usage")


if __name__ == "__main__":
    unittest.main()
