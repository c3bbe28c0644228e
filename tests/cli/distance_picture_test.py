"""The pictures of `plimsoll distance --picture`: the line between the nearest points, and where."""
import unittest

from pictures import is_ghost, is_strong, places, png
from program import FACES, ProgramTest, off, run

WIDTH, HEIGHT = 1600, 900
CAPITAL = HEIGHT / 58


def moved(x, y, z, scale=1):
    return f"{scale},0,0,{x},0,{scale},0,{y},0,0,{scale},{z},0,0,0,1"


class DistancePicture(ProgramTest):
    def draw(self, *arguments, expected=0):
        """The answer and the rows of the picture."""
        out = self.folder / "out.png"
        answer = self.answer("distance", *arguments, "--picture", out, expected=expected)
        width, height, rows = png(out)
        self.assertEqual((width, height), (WIDTH, HEIGHT))
        return answer, rows

    def red(self, *arguments, expected=0):
        """The answer, and where the picture is red."""
        answer, rows = self.draw(*arguments, expected=expected)
        return answer, places(rows, is_strong)

    def extent(self, spots):
        """Width and height of what they take."""
        return [max(way) - min(way) for way in zip(*spots)]

    # It runs for 2 of 4 meters, and there is a letter beyond either end.
    def test_the_line_lies_between_the_bodies(self):
        box = self.box()
        _, red = self.red(box, box, "--pose-b", moved(3, 0.25, 0))
        self.assertGreater(len(red), 1000)
        beside = [x for x, _ in red if not 0.25 * WIDTH < x < 0.75 * WIDTH]
        self.assertEqual(beside, [])
        self.assertGreater(self.extent(red)[0], 200)

    def test_a_gap_too_small_to_be_seen_has_a_circle(self):
        box = self.box()
        circles = []
        for gap in (1e-9, 0):
            answer, red = self.red(box, box, "--pose-b", moved(1 + gap, 1 + gap, 1 + gap))
            self.assertEqual(answer["distance"] == 0, gap == 0)
            circles.append(red)
            width, height = self.extent(red)
            self.assertGreater(width, 3 * CAPITAL)
            self.assertLess(width, 8 * CAPITAL)
            self.assertGreater(height, 2.8 * CAPITAL)
            self.assertLess(height, 5 * CAPITAL)
            middle = sum(x for x, _ in red) / len(red)
            self.assertAlmostEqual(middle, WIDTH / 2, delta=3 * CAPITAL)
        self.assertLess(abs(len(circles[0]) - len(circles[1])), 200)

    def test_surfaces_that_cross_have_no_line(self):
        box = self.box()
        answer, red = self.red(box, box, "--pose-b", moved(0.5, 0.5, 0.25))
        self.assertIsNone(answer["point_a"])
        self.assertEqual(red, [])

    def test_a_line_inside_a_body_is_seen_through_it(self):
        box = self.box()
        answer, rows = self.draw(box, box, "--pose-b", moved(0.4, 0.4, 0.4, scale=0.2))
        self.assertEqual(answer["contained"], "b_in_a")
        self.assertGreater(len(places(rows, is_strong)), 300)
        self.assertGreater(len(places(rows, is_ghost)), 3000)

    def test_open_and_flat_bodies_are_drawn_and_far_ones_alike(self):
        pot, flat = self.box("pot.off", faces=FACES[:-2]), self.box("flat.off", size=(1, 1, 0))
        for part in (pot, flat):
            _, red = self.red(part, self.box(), "--pose-b", moved(2, 0, 0), expected=4)
            self.assertGreater(len(red), 500)
        # A segment is a line, and a point is seen at least by its circle.
        line = self.write("line.off", off([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)]))
        point = self.write("point.off", off([(1, 0, 0)], [(0, 0, 0)]))
        _, rows = self.draw(line, self.box(corner=(0, 1, 0)), expected=4)
        tan = places(rows, lambda p: p[0] > 100 and 0.8 * p[0] < p[1] < 0.9 * p[0] and p[2] < 0.75 * p[0])
        self.assertGreater(self.extent(tan)[0], WIDTH / 4)
        self.assertGreater(len(self.red(point, point, expected=4)[1]), 200)
        # 2^20 m from the origin the numbers of the boxes are exact still.
        box, far = self.box(), self.box("far.off", corner=(2**20, -2**20, 2**20))
        self.assertEqual(self.red(box, box, "--pose-b", moved(2, 0.5, 0))[1],
                         self.red(far, far, "--pose-b", moved(2, 0.5, 0))[1])

    # A tall wall, and the gap before it or behind it: hidden, its line would be dashed and thinner.
    def test_the_view_is_one_from_which_the_line_is_seen(self):
        wall = self.box("wall.off", (9, 0.5, 9), (-4.5, -0.25, 0))
        before, behind = (len(self.red(wall, self.box("crumb.off", (0.5, 0.5, 0.5), (-0.25, y, 4)))[1])
                          for y in (-2.5, 2))
        self.assertGreater(before, 300)
        self.assertAlmostEqual(before, behind, delta=0.1 * before)

    def test_the_answer_is_the_same_and_so_is_the_picture(self):
        box, first, second = self.box(), self.folder / "first.png", self.folder / "second.png"
        arguments = ("distance", box, box, "--pose-b", moved(2, 2, 2))
        plain = run(*arguments)
        for out in (first, second):
            self.assertEqual(run(*arguments, "--picture", out), plain)
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_what_cannot_be_written_is_refused_before_anything_is_read(self):
        absent, out = self.folder / "absent.off", self.folder / "out.gif"
        self.refused(2, "distance", absent, absent, "--picture", out, code="usage")
        self.assertFalse(out.exists())
        part = self.box("part.png")
        before = part.read_bytes()
        self.refused(2, "distance", part, absent, f"--picture={part}", code="usage")
        self.assertEqual(part.read_bytes(), before)
        self.assertIn("--picture", run("distance", "--help")[1])


if __name__ == "__main__":
    unittest.main()
