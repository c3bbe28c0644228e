"""Options that several commands share do in each what they say."""
import unittest

from program import FACES, ProgramTest, box, off, run

UPRIGHT = ["--density", "400"]


def torn(size, corner=(0, 0, 0)):
    """A box of which every face has corners of its own, up to 2e-4 apart."""
    corners = box(size, corner)
    vertices = [tuple(c + 1e-4 * ((n % 3) - 1) for c in corners[v])
                for n, v in enumerate(v for face in FACES for v in face)]
    return off(vertices, [(n, n + 1, n + 2) for n in range(0, len(vertices), 3)])


class CommonOptions(ProgramTest):
    def test_standard_input_is_read_in_the_format_that_is_stated(self):
        text = off(box())
        body = self.write("box.off", text)
        other = self.box("other.off", corner=(0.5, 0.25, 0.25))
        for command, rest in (("submerge", ["--plane", "0,0,1,0.25"]), ("float", ["--density", "700"]),
                              ("gz", UPRIGHT), ("overlap", [other]), ("spheres", ["--count", "9"]),
                              ("probe", ["--grid", "0.25", "--out", self.folder / "field.csv"])):
            with self.subTest(command):
                read = self.answer(command, "-", *rest, "--input-format", "off", stdin=text.encode())
                named = self.answer(command, body, *rest)
                for key in ("volume", "equilibria", "poses", "heel_deg", "arms", "count", "coverage", "points"):
                    self.assertEqual(read.get(key), named.get(key), key)
                self.refused(3, command, "-", *rest, "--input-format", "stl", stdin=text.encode())
                self.refused(2, command, "-", *rest, "--input-format", "doc", code="usage", stdin=text.encode())

    def test_a_torn_body_is_closed_by_welding(self):
        body, far = self.write("torn.off", torn((1, 1, 1))), self.box("far.off", corner=(3, 0, 0))
        near = self.box("near.off", corner=(0.5, 0, 0))
        points = self.write("points.csv", "x,y,z\n0.5,0.5,0.5\n")
        self.refused(3, "overlap", body, near)
        shared = self.answer("overlap", body, near, "--weld", "1mm", expected=4)
        self.assertAlmostEqual(shared["volume"], 0.5, delta=1e-3)
        self.assertEqual(self.answer("distance", body, far, expected=4)["status"], "open")
        distance = self.answer("distance", body, far, "--weld", "1mm")
        self.assertEqual(distance["status"], "ok")
        self.assertAlmostEqual(distance["distance"], 2, delta=1e-3)
        self.assertEqual(self.answer("probe", body, "--points", points, expected=4)["status"], "open")
        self.assertEqual(self.answer("probe", body, "--points", points, "--weld", "1mm")["inside"], 1)
        torn_apart = self.answer("pairs", body, far, "--self")["pairs"]
        welded = self.answer("pairs", body, far, "--self", "--weld", "1mm")["pairs"]
        self.assertGreater(torn_apart, 0)
        self.assertEqual(welded, 0)

    def test_a_limit_of_work_that_is_not_met_changes_nothing_and_none_is_refused(self):
        body, other = self.box(), self.box("other.off", corner=(0.5, 0.25, 0.25))
        for command, rest in (("submerge", ["--plane", "0,0,1,0.25"]), ("gz", UPRIGHT), ("overlap", [other])):
            with self.subTest(command):
                self.assertEqual(self.answer(command, body, *rest, "--max-work", "5"),
                                 self.answer(command, body, *rest))
                for none in ("0", "-1", "nan", "much"):
                    self.refused(2, command, body, *rest, "--max-work", none, code="usage")

    def test_a_waterline_is_drawn_with_the_water_on_the_side_that_is_stated(self):
        body = self.box(size=(1, 2, 3))
        pictures = []
        for up in ("0,0,1", "1,0,0"):
            path = self.folder / f"{up}.png"
            code, _, err = run("render", body, "--what", "waterline", *UPRIGHT, "--up", up, "-o", path)
            self.assertEqual(code, 0, err)
            pictures.append(path.read_bytes())
        code, _, err = run("render", body, "--what", "waterline", *UPRIGHT, "-o", self.folder / "default.png")
        self.assertEqual(code, 0, err)
        self.assertEqual((self.folder / "default.png").read_bytes(), pictures[0])
        self.refused(2, "render", body, "--what", "mass", "--up", "1,0,0", "-o", self.folder / "x.png")

    def test_culling_keeps_what_is_near_and_ends_where_it_takes_too_long(self):
        a, b = self.box(), self.box("b.off", corner=(3, 0, 0))
        out = self.folder / "culling.png"
        beside_b = ["--pose-a", "1,0,0,2,0,1,0,0,0,0,1,0,0,0,0,1"]
        for options, expected in (([], 0), (["--within", "5"], 24), (beside_b, 24)):
            code, text, err = run("render", a, b, "--what", "culling", "-o", out, *options)
            self.assertEqual(code, 0, err)
            self.assertEqual(int(text.split(" triangles left")[0].split()[-1]), expected, options)
        self.refused(6, "render", a, b, "--what", "culling", "--within", "5", "--backend", "cpu", "--max-work", "1e-9", "-o", out)


if __name__ == "__main__":
    unittest.main()
