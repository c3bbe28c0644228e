"""The pictures of packings: `plimsoll render --what spheres` and `plimsoll spheres --picture`."""
import collections
import math
import unittest

from pictures import is_strong, places, png
from program import ProgramTest

WIDTH, HEIGHT = 1600, 900


def is_blue(pixel):
    """Whether it is of the color of the largest sphere, lit or in shade, behind the surface."""
    red, green, blue = pixel
    return blue > red + 35 and blue > green + 15


def is_red(pixel):
    """Whether it is of the color of the smallest sphere."""
    red, green, blue = pixel
    return red > blue + 60 and red > green + 40


def is_tan(pixel):
    """Whether it is of the color of the first body's spheres, lit or in shade."""
    red, green, blue = pixel
    return red > 90 and 0.6 * red < green < 0.8 * red and blue < 0.5 * red


class SpheresPicture(ProgramTest):
    def draw(self, *arguments, size=(WIDTH, HEIGHT)):
        """The rows of the picture."""
        out = self.folder / "out.png"
        answer = self.answer("render", *arguments, "--what", "spheres", "-o", out)
        width, height, rows = png(out)
        self.assertEqual((answer["status"], answer["size"]), ("ok", list(size)))
        self.assertEqual((width, height), size)
        return rows

    # The body and the spheres are seen twice, whole and cut open.
    def test_large_and_small_spheres_have_their_colors_on_either_side(self):
        rows = self.draw(self.box(), "--spheres", "500")
        for is_colored in (is_blue, is_red):
            spots = [(x, y) for x, y in places(rows, is_colored) if y < 0.55 * HEIGHT]
            left = [x for x, _ in spots if x < WIDTH / 2]
            self.assertGreater(len(left), 200)
            self.assertGreater(len(spots) - len(left), 200)

    # Balls are round, and the one of a cube is in the middle of it: to two pixels for the borders
    # of both, in a picture without words.
    def test_one_sphere_is_a_disc_in_the_middle(self):
        rows = self.draw(self.box(), "--spheres", "1", "--size", "400x300", size=(400, 300))
        spots = places(rows, is_blue)
        across, up = ([spot[axis] for spot in spots] for axis in (0, 1))
        self.assertAlmostEqual(max(across) - min(across), max(up) - min(up), delta=2)
        self.assertAlmostEqual((max(across) + min(across)) / 2, 199.5, delta=2)
        self.assertAlmostEqual((max(up) + min(up)) / 2, 149.5, delta=2)

    def test_both_commands_draw_the_same(self):
        box, more = self.box(), ["--keep", "0,0,1,250mm", "--min-radius", "5cm"]
        for packing in ([], more):
            pictures = []
            for arguments in (["render", box, "--what", "spheres", "--spheres", "50", *packing, "-o"],
                              ["render", box, "--what", "spheres", "--count", "50", *packing, "-o"],
                              ["spheres", box, "--count", "50", *packing, "--picture"]):
                self.answer(*arguments, self.folder / "out.png")
                pictures.append((self.folder / "out.png").read_bytes())
            self.assertEqual(pictures, 3 * pictures[:1])

    # The spheres are in the upper half, whose border runs around the box, and is seen in either view.
    def test_a_part_is_drawn_with_the_plane_that_cuts_it_off(self):
        box = self.box(size=(1, 1, 2))
        self.assertEqual(places(self.draw(box, "--spheres", "1"), is_strong), [])
        rows = self.draw(box, "--spheres", "1", "--keep", "0,0,1,1")
        red = [(x, y) for x, y in places(rows, is_strong) if 150 < y < 0.55 * HEIGHT]
        for is_right in (False, True):
            xs = [x for x, _ in red if (x > WIDTH / 2) == is_right]
            self.assertGreater(max(xs) - min(xs), 100)
        blue = [y for _, y in places(rows, is_blue) if 150 < y < 0.55 * HEIGHT]
        # In rows from above; the largest ball of the half reaches its plane, seen from 24 degrees.
        self.assertLess(sum(blue) / len(blue), sum(y for _, y in red) / len(red))

    def shifted(self, command, shift):
        """The answer about two boxes, and the rows of the picture."""
        box, out = self.box(), self.folder / "out.png"
        answer = self.answer(command, box, box, "--pose-b", f"1,0,0,{shift},0,1,0,0,0,0,1,0,0,0,0,1",
                             "--method", "spheres", "--spheres", "200", "--picture", out)
        width, height, rows = png(out)
        self.assertEqual((width, height), (WIDTH, HEIGHT))
        # Without words and legend.
        return answer, rows[HEIGHT // 8:4 * HEIGHT // 5]

    # Boxes side by side: B's spheres on the right of the center of what they share.
    def test_an_overlap_has_the_spheres_that_meet_and_its_center(self):
        answer, rows = self.shifted("overlap", 0.75)
        self.assertGreater(answer["volume"], 0)
        red = [x for x, _ in places(rows, is_strong)]
        blue = [x for x, _ in places(rows, is_blue)]
        self.assertGreater(len(red), 100)
        self.assertGreater(len(blue), 1000)
        self.assertAlmostEqual(sum(red) / len(red), WIDTH / 2, delta=WIDTH / 50)
        self.assertGreater(sum(blue) / len(blue), sum(red) / len(red))

    def test_bodies_apart_have_no_center_of_an_overlap(self):
        answer, rows = self.shifted("overlap", 1.5)
        self.assertIsNone(answer["center"])
        self.assertEqual(places(rows, is_strong), [])

    # The arrow of A is of a dark tan, as is the outline, which is far from the center. Balls that
    # nearly coincide push with a 10^9th of their volume.
    def test_forces_that_cancel_have_no_arrow(self):
        def is_arrow(pixel):
            return all(abs(x - y) < 3 for x, y in zip(pixel, (146, 104, 39)))

        box, out = self.box(), self.folder / "out.png"
        for shift in ("0.75", "1e-9"):
            answer = self.answer("overlap", box, box, "--pose-b", f"1,0,0,{shift},0,1,0,0,0,0,1,0,0,0,0,1",
                                 "--method", "spheres", "--spheres", "1", "--picture", out)
            force = math.hypot(*answer["force_a"])
            self.assertGreater(force, 0)
            self.assertEqual(force > 2**-20 * answer["volume"], shift == "0.75")
            rows = png(out)[2]
            red = [(x, y) for x, y in places(rows, is_strong) if HEIGHT // 8 < y < 4 * HEIGHT // 5]
            x, y = (sum(spot[axis] for spot in red) // len(red) for axis in (0, 1))
            near = [row[x - 45:x + 45] for row in rows[y - 45:y + 45]]
            self.assertEqual(len(places(near, is_arrow)) > 50, shift == "0.75")

    # A ball of the cube is in a ball of the larger cube, which alone would be seen.
    def test_spheres_are_seen_in_a_body_that_hides_them(self):
        small, large = self.box("small.off", (0.2, 0.2, 0.2), (0.4, 0.4, 0.4)), self.box()
        out = self.folder / "out.png"
        for bodies, is_seen in (((small, large), is_tan), ((large, small), is_blue)):
            self.answer("overlap", *bodies, "--method", "spheres", "--spheres", "1", "--picture", out)
            rows = png(out)[2][HEIGHT // 8:4 * HEIGHT // 5]
            spots = places(rows, is_seen)
            self.assertGreater(len(spots), 500)
            self.assertLess(max(x for x, _ in spots) - min(x for x, _ in spots), WIDTH / 6)

    def test_a_distance_by_spheres_is_drawn_where_it_is_known(self):
        answer, rows = self.shifted("distance", 2)
        self.assertAlmostEqual(answer["distance"], 1, delta=1e-12)
        self.assertGreater(len(places(rows, is_strong)), 500)
        answer, rows = self.shifted("distance", 0.5)
        self.assertEqual(answer["distance"], 0)
        self.assertEqual(places(rows, is_strong), [])

    # The first words below are one length, or two with what encloses them: some 10 letters or 20.
    def test_a_distance_that_ended_in_time_is_drawn_with_its_bounds(self):
        box, out, ends = self.box(), self.folder / "out.png", []
        for budget in ("1e9", "1"):
            answer = self.answer("distance", box, box, "--pose-b", "1,0,0,1.5,0,1,0,0.25,0,0,1,0,0,0,0,1",
                                 "--method", "spheres", "--spheres", "5000", "--budget-us", budget,
                                 "--picture", out)
            self.assertEqual(answer["complete"], budget != "1")
            rows = png(out)[2]
            words = [row[:WIDTH // 5] for row in rows[-HEIGHT // 12:]]
            ends.append(max(x for x, _ in places(words, lambda p: max(p) < 100)))
        self.assertLess(ends[0], WIDTH / 9)
        self.assertGreater(ends[1], WIDTH / 7)

    # Of a long box the cut runs along it, through all four of its balls, each cut flat: of one
    # color, but for the outline and the borders of the balls.
    def test_a_long_body_is_cut_along_it(self):
        rows = self.draw(self.box(size=(1, 4, 1)), "--spheres", "4")[HEIGHT // 8:HEIGHT // 2]
        halves = []
        for half in ([row[:WIDTH // 2] for row in rows], [row[WIDTH // 2:] for row in rows]):
            spots = places(half, is_blue)
            halves.append((max(x for x, _ in spots) - min(x for x, _ in spots),
                           collections.Counter(half[y][x] for x, y in spots).most_common(1)[0][1] / len(spots)))
        (whole, whole_share), (cut, cut_share) = halves
        self.assertGreater(cut, 0.8 * whole)
        self.assertGreater(cut_share, 0.5)
        self.assertLess(whole_share, 0.3)

    def test_options_of_other_pictures_are_refused(self):
        box, out = self.box(), self.folder / "out.png"
        for more in (["--what", "mass", "--spheres", "10"], ["--what", "spheres", "--rho", "1000"],
                     ["--what", "spheres", "--axis", "x"], ["--what", "spheres", "--spheres", "0"],
                     ["--what", "mass", "--keep", "0,0,1,0"], ["--what", "peels", "--min-radius", "1"],
                     ["--what", "waterline", "--count", "5"],
                     ["--what", "spheres", "--spheres", "5", "--count", "5"]):
            self.refused(2, "render", box, "-o", out, *more, code="usage")
        self.refused(2, "spheres", box, "--picture", self.folder / "out.jpg", code="usage")
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
