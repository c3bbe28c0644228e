"""What `plimsoll mass` answers: numbers, units, assemblies, health, and each of its formats."""
import csv
import io
import os
import pty
import subprocess
import unittest
from fractions import Fraction
from random import Random

from program import PROGRAM, FACES, ProgramTest, box, off, run

KEYS = ["status", "method", "input", "notices", "defects", "rims", "density", "volume", "mass", "surface_area",
        "center_of_mass", "inertia", "principal_moments", "principal_axes", "error_bound",
        "error_estimate", "image"]
INPUT_KEYS = ["vertices", "triangles", "shells", "inward_shells", "boundary_edges",
              "nonmanifold_edges", "nonmanifold_vertices", "inconsistent_edges",
              "unbalanced_edges", "repeated_index_triangles", "zero_area_triangles",
              "duplicate_triangles", "self_intersecting_pairs", "closure_residual",
              "shift_sensitivity", "welded", "inverted", "bounding_box",
              "unit"]


class Numbers(ProgramTest):
    def test_the_object_has_the_documented_keys(self):
        answer = self.answer("mass", self.box())
        self.assertEqual(list(answer), KEYS)
        self.assertEqual(list(answer["input"]), INPUT_KEYS)
        self.assertEqual(list(answer["error_bound"]), ["volume", "center_of_mass", "inertia"])
        self.assertEqual((answer["status"], answer["method"]), ("ok", "exact"))
        self.assertIsNone(answer["input"]["self_intersecting_pairs"])
        self.assertIsNone(answer["error_estimate"])
        self.assertIsNone(answer["image"])

    # A box of edges a, b, c has the moments m (b^2 + c^2) / 12; all numbers here are dyadic.
    def test_a_box_weighs_what_it_weighs(self):
        answer = self.answer("mass", self.box(size=(2, 4, 1), corner=(1, 1, 1)), "--density", "3")
        self.assertEqual((answer["volume"], answer["mass"], answer["density"]), (8, 24, 3))
        self.assertEqual(answer["surface_area"], 28)
        self.assertEqual(answer["center_of_mass"], [2, 3, 1.5])
        self.assertEqual(answer["inertia"], [[34, 0, 0], [0, 10, 0], [0, 0, 40]])
        self.assertEqual(answer["principal_moments"], [10, 34, 40])
        self.assertEqual([[abs(x) for x in axis] for axis in answer["principal_axes"]],
                         [[0, 1, 0], [1, 0, 0], [0, 0, 1]])

    def test_a_given_mass_sets_the_density(self):
        answer = self.answer("mass", self.box(size=(2, 4, 1)), "--mass", "24")
        self.assertEqual((answer["mass"], answer["density"]), (24, 3))
        self.assertEqual(answer["inertia"][2][2], 40)

    # 127 and 381 are the inch's 127 / 5000 m and the foot's 381 / 1250 m.
    def test_units_are_exact_ratios(self):
        for unit, edge in [("m", 1), ("mm", 1e-3), ("cm", 1e-2), ("in", 0.0254), ("ft", 0.3048)]:
            answer = self.answer("mass", self.box(size=(1000, 1000, 1000)), "--units", unit)
            exact = (1000 * edge) ** 3
            with self.subTest(unit):  # the comparison itself rounds three times
                self.assertAlmostEqual(answer["volume"] / exact, 1, delta=4 * 2**-53)
                self.assertAlmostEqual(answer["surface_area"] / (6 * (1000 * edge) ** 2), 1,
                                       delta=8 * 2**-53)
                self.assertAlmostEqual(answer["center_of_mass"][0] / (500 * edge), 1,
                                       delta=4 * 2**-53)
        answer = self.answer("mass", self.box(size=(1000,) * 3), "--units", "mm")
        self.assertEqual((answer["volume"], answer["center_of_mass"]), (1, [0.5] * 3))

    def test_defects_are_placed_in_meters(self):
        part = self.box(size=(1000, 1000, 1000), faces=FACES[1:])
        answer = self.answer("mass", part, "--units", "mm", expected=4)
        self.assertEqual(answer["status"], "open")
        self.assertEqual({d["kind"] for d in answer["defects"]}, {"boundary_edge"})
        self.assertEqual(list(answer["defects"][0]), ["kind", "triangle", "at"])
        for defect in answer["defects"]:
            self.assertLessEqual(max(map(abs, defect["at"])), 1)


class Assemblies(ProgramTest):
    def setUp(self):
        super().setUp()
        self.left = self.box("left.off", (1, 1, 1), (-1, 0, 0))
        self.right = self.box("right.off", (1, 1, 1), (0, 0, 0))

    def test_two_halves_weigh_as_the_whole(self):
        whole = self.answer("mass", self.box(size=(2, 1, 1), corner=(-1, 0, 0)), "--density", "6")
        halves = self.answer("mass", self.left, self.right, "--density", "6")
        self.assertEqual(list(halves), [key for key in KEYS if key != "rims"] + ["parts"])
        self.assertEqual(list(halves["parts"][0])[:4], ["file", "status", "input", "rims"])
        for key in ["status", "volume", "mass", "density", "center_of_mass", "inertia"]:
            self.assertEqual(halves[key], whole[key], key)
        self.assertEqual(halves["input"]["triangles"], 24)
        self.assertEqual([part["file"] for part in halves["parts"]],
                         [str(self.left), str(self.right)])
        self.assertEqual([part["mass"] for part in halves["parts"]], [6, 6])

    # Weights 1 and 3 at x = -1/2 and 1/2 balance at 1/4.
    def test_each_part_may_have_its_density(self):
        answer = self.answer("mass", self.left, f"{self.right}=3")
        self.assertEqual((answer["mass"], answer["density"]), (4, 2))
        self.assertEqual(answer["center_of_mass"], [0.25, 0.5, 0.5])
        answer = self.answer("mass", f"{self.left}=2", self.right, "--density", "6")
        self.assertEqual([part["density"] for part in answer["parts"]], [2, 6])

    def test_a_mass_is_that_of_all_parts(self):
        answer = self.answer("mass", self.left, self.right, "--mass", "12")
        self.assertEqual((answer["mass"], answer["density"]), (12, 6))
        self.assertEqual([part["mass"] for part in answer["parts"]], [6, 6])
        whole = self.answer("mass", self.box(size=(2, 1, 1), corner=(-1, 0, 0)), "--mass", "12")
        self.assertEqual(answer["inertia"], whole["inertia"])

    # Boxes between doubles, so that fractions give the exact answer. The bound may not be too wide
    # either: the sums are rounded at the end, where the density and the total are too.
    def test_the_bound_holds_when_a_mass_is_shared_out(self):
        boxes = [((0.1, 0.2, 0.3), (0.7, -0.3, 1.1)), ((1.3, 0.7, 0.1), (-3.3, 0.9, 0.13)),
                 ((0.01, 5.1, 0.37), (12.1, 0.3, -7.7))]
        paths = [self.box(f"{k}.off", *sides) for k, sides in enumerate(boxes)]
        answer = self.answer("mass", *paths, "--mass", "0.7")
        ends = [(v[0], v[7]) for v in (box(*sides) for sides in boxes)]
        center, inertia = self.exact(ends, Fraction(0.7))
        bound = answer["error_bound"]
        for i in range(3):
            self.assertLessEqual(abs(Fraction(answer["center_of_mass"][i]) - center[i]),
                                 bound["center_of_mass"])
            for j in range(3):
                self.assertLessEqual(abs(Fraction(answer["inertia"][i][j]) - inertia[i][j]),
                                     bound["inertia"])
        self.assertLess(bound["inertia"], 4 * 2**-53 * max(map(max, answer["inertia"])))

    def exact(self, ends, mass):
        """Center and inertia of boxes between opposite corners, of one density."""
        boxes = [([Fraction(a) for a in low], [Fraction(b) for b in high]) for low, high in ends]
        volumes = [(b[0] - a[0]) * (b[1] - a[1]) * (b[2] - a[2]) for a, b in boxes]
        masses = [mass * volume / sum(volumes) for volume in volumes]
        middles = [[(a[i] + b[i]) / 2 for i in range(3)] for a, b in boxes]
        center = [sum(m * c[i] for m, c in zip(masses, middles)) / mass for i in range(3)]
        second = [[sum(m * ((c[i] - center[i]) * (c[j] - center[j]) +
                            ((b[i] - a[i])**2 / 12 if i == j else 0))
                       for m, c, (a, b) in zip(masses, middles, boxes))
                   for j in range(3)] for i in range(3)]
        trace = second[0][0] + second[1][1] + second[2][2]
        return center, [[(trace if i == j else 0) - second[i][j] for j in range(3)]
                        for i in range(3)]

    def test_the_gravest_status_counts(self):
        hole = self.box("hole.off", faces=FACES[1:])
        inverted = self.box("inverted.off", (1, 1, 1), (5, 0, 0), [f[::-1] for f in FACES])
        answer = self.answer("mass", self.left, inverted)
        self.assertEqual((answer["status"], answer["input"]["inverted"]), ("inverted", True))
        self.assertEqual(answer["volume"], 2)
        answer = self.answer("mass", inverted, self.left, hole, expected=4)
        self.assertEqual(answer["status"], "open")
        self.assertEqual([p["status"] for p in answer["parts"]], ["inverted", "ok", "open"])
        self.assertEqual({d["part"] for d in answer["defects"]}, {2})
        self.assertIsNone(answer["error_bound"])
        self.assertEqual([p["error_bound"] is None for p in answer["parts"]], [False, False, True])


class Health(ProgramTest):
    def status(self, part, expected):
        answer = self.answer("mass", part, expected=expected)
        text = run("mass", part)[1]
        self.assertIn(answer["status"], text.splitlines()[0])
        self.assertEqual("WARNING" in text, expected == 4)
        self.assertEqual("what to do" in text, expected == 4)
        return answer, text

    def test_a_hole_is_placed_and_measured(self):
        answer, text = self.status(self.box(faces=FACES[1:]), 4)
        self.assertEqual(answer["status"], "open")
        self.assertEqual(answer["input"]["boundary_edges"], 3)
        self.assertGreater(answer["input"]["shift_sensitivity"], 0)
        self.assertIn("3 edges have a triangle on one side only", text)
        self.assertIn("fill the hole at triangle", text)
        self.assertIn("closed by a cap over its rim, the volume is 1 m^3", text)
        self.assertIsNone(answer["error_bound"])  # it would bound roundings, not the body

    def test_a_turned_face_is_named(self):
        answer, text = self.status(self.box(faces=[FACES[0][::-1], *FACES[1:]]), 4)
        self.assertEqual(answer["status"], "inconsistent")
        self.assertIn("turn the faces to agree", text)

    def test_a_solid_in_a_solid_is_not_weighed_in_silence(self):
        inner = [tuple(i + 8 for i in face) for face in FACES]
        vertices = box((3, 3, 3)) + box((1, 1, 1), (1, 1, 1))
        answer, text = self.status(self.write("nested.off", off(vertices, FACES + inner)), 4)
        self.assertEqual(answer["status"], "nested")
        self.assertIn("counted twice", text)
        cavity = self.write("cavity.off", off(vertices, FACES + [f[::-1] for f in inner]))
        answer, text = self.status(cavity, 0)
        self.assertEqual((answer["status"], answer["volume"]), ("ok", 26))
        self.assertIn("a cavity", text)

    def test_shells_through_each_other_are_found(self):
        second = [tuple(i + 8 for i in face) for face in FACES]
        vertices = box((2, 2, 2)) + box((2, 2, 2), (1, 0.5, 0.25))
        part = self.write("crossed.off", off(vertices, FACES + second))
        answer, text = self.status(part, 4)
        self.assertEqual(answer["status"], "self_intersecting")
        self.assertIn("unite", text)
        answer = self.answer("mass", part, "--check-intersections", expected=4)
        self.assertGreater(answer["input"]["self_intersecting_pairs"], 0)

    def test_a_flat_solid_has_no_center(self):
        answer, text = self.status(self.box(size=(1, 1, 0)), 4)
        self.assertEqual((answer["status"], answer["volume"], answer["mass"]),
                         ("zero_volume", 0, 0))
        for key in ["center_of_mass", "inertia", "principal_moments", "principal_axes"]:
            self.assertIsNone(answer[key], key)
        self.assertIn("thickness", text)
        for form in ["urdf", "sdf", "mjcf", "urdf-inertial"]:
            code, out, err = run("mass", self.folder / "box.off", "--format", form)
            self.assertEqual((code, out), (4, ""))
            self.assertIn("no center of mass", err)
        answer = self.answer("mass", self.folder / "box.off", "--mass", "2", expected=4)
        self.assertIsNone(answer["density"])

    # 1e130 cubed is beyond the largest double, 1e-130 cubed below the smallest.
    def test_numbers_beyond_a_double_are_not_made_up(self):
        for edge, volume in [(1e130, None), (1e-130, 0)]:
            answer, text = self.status(self.box(size=(edge,) * 3), 4)
            self.assertEqual((answer["status"], answer["volume"]), ("tolerance", volume))
            self.assertIn("too large or too small", text)
            self.assertIsNotNone(answer["error_bound"])

    def test_an_inverted_solid_is_measured_as_if_turned(self):
        answer, text = self.status(self.box(faces=[f[::-1] for f in FACES]), 0)
        self.assertEqual((answer["status"], answer["volume"]), ("inverted", 1))
        self.assertTrue(answer["input"]["inverted"])
        self.assertIn("as if turned outward", text)


class Formats(ProgramTest):
    def test_csv_has_a_row_for_each_part_and_the_total(self):
        left, right = self.box('a,"b".off'), self.box("right.off", (1, 1, 1), (1, 0, 0))
        code, out, _ = run("mass", left, f"{right}=3", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual((code, len(rows)), (0, 3))
        self.assertEqual([row["part"] for row in rows], [str(left), str(right), "total"])
        self.assertEqual([float(row["mass"]) for row in rows], [1, 3, 4])
        answer = self.answer("mass", left, f"{right}=3")
        self.assertEqual(float(rows[2]["iyy"]), answer["inertia"][1][1])
        self.assertEqual(float(rows[2]["center_x"]), answer["center_of_mass"][0])
        flat = list(csv.DictReader(io.StringIO(
            run("mass", self.box(size=(1, 1, 0)), "--format", "csv")[1])))
        self.assertEqual((flat[0]["volume"], flat[0]["center_x"], flat[0]["ixx"]), ("0", "", ""))
        self.assertEqual((rows[2]["volume_error"] != "", rows[2]["error_is"]), (True, "bound"))
        self.assertEqual((flat[0]["volume_error"], flat[0]["error_is"]), ("", ""))

    def test_a_document_of_an_unsound_mesh_says_so(self):
        part = self.box(faces=FACES[1:])
        for form in ["urdf", "sdf", "mjcf"]:
            code, out, _ = run("mass", part, "--format", form)
            self.assertEqual(code, 4)
            self.assertIn("DO NOT TRUST", out)
            code, block, _ = run("mass", part, "--format", f"{form}-inertial")
            self.assertEqual(code, 4)
            self.assertTrue(block.startswith("<!-- DO NOT TRUST"), block)

    def test_the_inertial_element_alone_is_that_of_the_document(self):
        part = self.box(size=(0.1, 0.2, 0.3))
        for form in ["urdf", "sdf", "mjcf"]:
            code, block, err = run("mass", part, "--density", "7", "--format", f"{form}-inertial")
            self.assertEqual((code, err), (0, ""))
            self.assertTrue(block.startswith("<inertial"), block)
            lines = [line.strip() for line in block.splitlines()]
            document = run("mass", part, "--density", "7", "--format", form)[1]
            inside = [line.strip() for line in document.splitlines()]
            first = inside.index(lines[0])
            self.assertEqual(inside[first:first + len(lines)], lines)
        code, _, err = run("mass", part, "--format", "csv-inertial")
        self.assertEqual(code, 2)
        self.assertIn("urdf-inertial", err)

    def test_the_unit_of_a_mesh_is_said(self):
        part = self.box()
        self.assertEqual(self.answer("mass", part)["input"]["unit"], "meters")
        self.assertEqual(self.answer("mass", part, "--units", "mm")["input"]["unit"], "millimeters")
        self.assertIn("closed; read in inches", run("mass", part, "--units", "in")[1])
        ball = self.write("ball.json", '{"shape": "sphere", "radius": 2}')
        self.assertIsNone(self.answer("mass", ball)["input"]["unit"])
        self.assertEqual(self.answer("mass", ball, part)["input"]["unit"], "meters")

    def test_a_document_without_a_density_says_what_it_was_weighed_at(self):
        for form in ("urdf", "sdf", "mjcf-inertial"):
            self.assertIn("weighed at 1 kg/m^3", run("mass", self.box(), "--format", form)[2])
            for given in (["--density", "3"], ["--mass", "3"]):
                self.assertNotIn("weighed at",
                                 run("mass", self.box(), "--format", form, *given)[2])

    def test_a_surface_that_is_there_twice_is_said_to_be(self):
        code, out, _ = run("mass", self.box(faces=FACES + FACES))
        self.assertEqual(code, 4)
        self.assertIn("12 triangles have the corners of an earlier one: the surface is there twice",
                      " ".join(out.split()))

    def test_what_lies_upon_itself_is_undecided_where_it_may_not_take_the_work(self):
        # Triangles in one plane, each there again, turned over and cut into three.
        corners = [[(k, 0, 0), (4 - k, 3, 0), (0.5 * k, 5 - k, 0)] for k in range(3)]
        vertices, faces = [], []
        for triangle in corners:
            v = len(vertices)
            vertices += [*triangle, tuple(sum(x) / 3 for x in zip(*triangle))]
            faces += [(v, v + 1, v + 2), (v + 1, v, v + 3), (v + 2, v + 1, v + 3), (v, v + 2, v + 3)]
        flat = self.write("flat.off", off(vertices, faces))
        self.assertEqual(self.answer("mass", flat, expected=4)["status"], "zero_volume")
        self.assertEqual(self.answer("mass", flat, "--max-work", 30, expected=4)["status"],
                         "zero_volume")
        self.assertEqual(self.answer("mass", flat, "--max-work", 1e-6, expected=4)["status"],
                         "undecided")
        self.assertIn("--max-work", run("mass", flat, "--max-work", "1e-6")[1])
        error = self.refused(2, "mass", flat, "--max-work", "none", code="usage")
        self.assertEqual(error["where"], "--max-work")

    def test_needles_in_one_place_are_undecided_where_it_may_not_take_the_work(self):
        # Through one ball in all directions, so thin that none meets another.
        random = Random(1)
        vertices, faces = [], []
        for v in range(0, 1000, 4):
            tip = [random.uniform(-1, 1) for _ in range(3)]
            end = [0.2 * random.uniform(-1, 1) - x for x in tip]
            vertices += [tip, end, [end[0] + 1e-9, *end[1:]], [end[0], end[1] + 1e-9, end[2]]]
            turned = tip[2] > end[2]
            faces += [(v + a, v + (c if turned else b), v + (b if turned else c))
                      for a, b, c in [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]]
        needles = self.write("needles.off", off(vertices, faces))
        question = ["mass", needles, "--check-intersections"]
        whole = self.answer(*question)
        self.assertEqual((whole["status"], whole["input"]["self_intersecting_pairs"]), ("ok", 0))
        cut = self.answer(*question, "--max-work", 1e-6, expected=4)
        self.assertEqual(cut["status"], "undecided")
        notice = next(n for n in cut["notices"] if n["code"] == "pairs")
        self.assertIn("--max-work", notice["message"])

    def test_a_document_names_the_mesh_it_came_from(self):
        part = self.box("a--b.off")
        for form in ["urdf", "sdf", "mjcf"]:
            lines = run("mass", part, "--format", form)[1].splitlines()
            self.assertRegex(lines[1], "^<!-- plimsoll .*, from .*a-.?-b.off, 1 kg/m.3 -->$")
            code, out, err = run("mass", "-", "--input-format", "off", "--format", form,
                                 stdin=part.read_bytes())
            self.assertIn(", from standard input, 1 kg/m^3 -->", out, err)

    def test_text_shows_values_units_and_bound(self):
        code, out, err = run("mass", self.box(size=(0.1, 0.2, 0.3)), "--density", "1000")
        self.assertEqual((code, err), (0, ""))
        for words in ["0.006 m^3", "6 kg", "1000 kg/m^3", "0.05 ", "0.15 ", "kg m^2",
                      "error below", "8 vertices, 12 triangles, 1 shell"]:
            self.assertIn(words, out)
        for line in out.splitlines():
            self.assertLessEqual(len(line), 100, line)

    def colored(self, **environment):
        """The text on a terminal."""
        ours, theirs = pty.openpty()
        subprocess.run([PROGRAM, "mass", self.box()], stdout=theirs,
                       env={**os.environ, "TERM": "xterm", **environment}, check=True)
        os.close(theirs)
        text = os.read(ours, 65536)
        os.close(ours)
        return b"\x1b[" in text

    def test_colors_are_for_terminals_that_want_them(self):
        self.assertTrue(self.colored(NO_COLOR=""))
        self.assertFalse(self.colored(NO_COLOR="1"))
        self.assertFalse(self.colored(NO_COLOR="", TERM="dumb"))
        self.assertNotIn("\x1b[", run("mass", self.box(), environment={"TERM": "xterm"})[1])


if __name__ == "__main__":
    unittest.main()
