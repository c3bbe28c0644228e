"""The picture of a weighed body: `plimsoll render --what mass`, `plimsoll mass --picture`."""
import unittest

from pictures import places, png
from program import FACES, ProgramTest, off, run

INK, BOX, RED = (45, 50, 55), (0, 90, 160), (205, 20, 30)
WIDTH, HEIGHT = 800, 450
LETTER = max(8, HEIGHT / 58)  # of which the layout is a multiple: see layout_of
HEAD, FOOT = 4 * LETTER, (3.6 * 2 + 0.8) * LETTER


class MassPicture(ProgramTest):
    def draw(self, part, *options, expected=0, size=(WIDTH, HEIGHT)):
        """The answer, and the rows of pixels."""
        out = self.folder / "out.png"
        answer = self.answer("render", part, "--what", "mass", "-o", out, "--size",
                             f"{size[0]}x{size[1]}", *options, expected=expected)
        width, height, rows = png(out)
        self.assertEqual([width, height], answer["size"])
        self.assertEqual([width, height], list(size))
        return answer, rows

    def places(self, rows, is_wanted):
        """(x, y) of the pixels above the facts that are wanted."""
        return places(rows[:int(HEIGHT - FOOT)], is_wanted)

    def test_the_center_of_a_box_is_in_the_middle_and_nothing_is_red(self):
        answer, rows = self.draw(self.box(size=(2, 4, 1), corner=(5, 5, 5)))
        self.assertEqual((answer["status"], answer["notices"]), ("ok", []))
        self.assertEqual(rows[round((HEAD + HEIGHT - FOOT) / 2)][WIDTH // 2], INK)
        self.assertEqual(self.places(rows, lambda pixel: pixel == RED), [])

    # The box of its mass and moments is the body itself: its lines, three pixels wide, end where the
    # body does.
    def test_the_equivalent_box_of_a_box_lies_on_it(self):
        _, rows = self.draw(self.box(size=(2, 2, 2)))
        blue = [x for x, _ in self.places(rows, lambda pixel: pixel == BOX)]
        hull = [x for x, _ in self.places(
            rows, lambda pixel: pixel[0] > pixel[2] + 40 and pixel[1] > pixel[2] + 15)]
        for end in (min, max):
            self.assertLessEqual(abs(end(blue) - end(hull)), 3)

    def test_a_hole_is_red_and_has_the_number_of_the_report(self):
        part = self.box(faces=FACES[1:])
        answer, rows = self.draw(part, expected=4)
        self.assertEqual(answer["status"], "open")
        # Its edges are longer than half the frame is high, and a pixel wide even within their rims;
        # the disc of the number has some 140 pixels.
        self.assertGreater(len(self.places(rows, lambda pixel: pixel == RED)), 400)
        self.assertRegex(" ".join(run("mass", part)[1].split()),
                         r"where 1 hole of 3 edges, 3.414 m around at triangle 0, about \(")

    # Triangle 10 is one of the face x = 1, seen on the right; triangle 8 of x = 0, on the left.
    def test_a_hole_is_drawn_around_what_is_missing(self):
        for face, expected in [(10, True), (8, False)]:
            _, rows = self.draw(self.box(faces=FACES[:face] + FACES[face + 1:]), expected=4)
            red = [x for x, _ in self.places(rows, lambda pixel: pixel == RED)]
            right = sum(x > WIDTH / 2 for x in red) > len(red) / 2
            self.assertEqual(right, expected)

    # The face x = 1 is right of the middle; triangles beside it reach to x = 0, on the left.
    def test_a_hole_of_four_edges_is_red_along_them_only(self):
        _, rows = self.draw(self.box(faces=FACES[:10]), expected=4)
        red = [x for x, _ in self.places(rows, lambda pixel: pixel == RED)]
        self.assertGreater(min(red), WIDTH / 2)

    def test_the_longest_holes_come_first_and_the_rest_is_said(self):
        vertices, faces = [], []
        for i in range(14):  # open tetrahedra, each smaller than the one before
            first, s = len(vertices), 14 - i
            vertices += [(20 * i, 0, 0), (20 * i + s, 0, 0), (20 * i, s, 0), (20 * i, 0, s)]
            faces += [(first, first + 1, first + 3), (first + 1, first + 2, first + 3),
                      (first + 2, first, first + 3)]
        report = run("mass", self.write("many.off", off(vertices, faces)), "--units", "m")[1]
        lines = [line.split() for line in report.splitlines() if "hole of 3 edges" in line]
        self.assertEqual(len(lines), 12)
        lengths = [float(line[line.index("edges,") + 1]) for line in lines]
        self.assertEqual(lengths, sorted(lengths, reverse=True))
        self.assertIn("and more", report)

    def test_mass_draws_the_same_picture_after_weighing(self):
        for part, expected in [(self.box("a.off"), 0), (self.box("b.off", faces=FACES[1:]), 4)]:
            first, second = self.folder / "first.png", self.folder / "second.png"
            code, report, err = run("mass", part, "--density", "3", "--picture", first)
            self.assertEqual(code, expected, err)
            self.assertIn("kg/m^3", report)
            self.answer("render", part, "--what", "mass", "--density", "3", "-o", second,
                        expected=expected)
            self.assertEqual(first.read_bytes(), second.read_bytes())

    # The sums over a surface that bounds nothing have their center anywhere.
    def test_what_has_no_center_is_drawn_without_one(self):
        flat = self.box("flat.off", size=(1, 1, 0))
        _, rows = self.draw(flat, expected=4)
        self.assertEqual(self.places(rows, lambda pixel: pixel == BOX), [])
        lone = self.box("lone.off", faces=FACES[:1])
        _, rows = self.draw(lone, expected=4)
        self.assertEqual(self.places(rows, lambda pixel: pixel == BOX), [])
        self.assertGreater(len(self.places(rows, lambda pixel: pixel == RED)), 100)

    def test_sizes_without_words_and_shapes_without_triangles_are_drawn(self):
        self.draw(self.box(), size=(120, 80))
        ball = self.write("ball.json", '{"shape": "sphere", "radius": 2}')
        _, rows = self.draw(ball, "--units", "cm")
        self.assertNotEqual(self.places(rows, lambda pixel: pixel == BOX), [])

    def test_without_the_font_pictures_are_drawn_and_it_is_said(self):
        fonts = self.write("fonts.conf", '<?xml version="1.0"?><fontconfig></fontconfig>')
        out, plot = self.folder / "out.png", self.folder / "gz.svg"
        for command in (["mass", self.box(), "--picture", out],
                        ["gz", self.box(), "--density", "500", "--plot", plot]):
            code, _, err = run(*command, environment={"FONTCONFIG_FILE": str(fonts)})
            self.assertEqual(code, 0, err)
            self.assertRegex(err, r"the font DejaVu Sans is missing \(Debian: fonts-dejavu-core\)")
            self.assertNotIn("font", run(*command)[2])
        self.assertTrue(out.exists() and plot.exists())

    # An error of Cairo's over such bytes would end all drawing after them.
    def test_any_name_is_written(self):
        rows = [self.draw(self.box(name))[1] for name in ("\udcff\n.off", "b.off")]
        ink = [len(places(picture, lambda pixel: pixel == INK)) for picture in rows]
        self.assertGreater(ink[0], ink[1])
        foot = int(HEIGHT - FOOT)
        self.assertEqual(rows[0][foot:], rows[1][foot:])

    def test_what_does_not_belong_to_it_is_refused(self):
        part, out = self.box(), self.folder / "out.png"
        for option in (["--plane", "0,0,1,0"], ["--com", "0,0,0"], ["--resolution", "64"],
                       ["--mass", "1", "--density", "1"]):
            self.refused(2, "render", part, "--what", "mass", "-o", out, *option, code="usage")
        self.refused(2, "mass", "--each", part, "--picture", out, code="usage")
        for name in ("body.jpg", "body.SVG"):
            out = self.folder / name
            self.refused(2, "render", part, "--what", "mass", "-o", out, code="usage")
            self.refused(2, "mass", part, "--picture", out, code="usage")
            self.assertFalse(out.exists())
        before = part.read_bytes()
        self.assertEqual(run("mass", part, "--picture", part)[0], 2)
        self.assertEqual(part.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
