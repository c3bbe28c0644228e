"""`plimsoll render --what culling`: what it draws of a round of views, and what it refuses."""
import struct
import unittest

from pictures import png
from program import ProgramTest, run

PARTS = ("--what", "culling", "--backend", "cpu", "--size", "360x300")


def moved(x, y=0):
    return f"1,0,0,{x},0,1,0,{y},0,0,1,0,0,0,0,1"


class RenderCulling(ProgramTest):
    def draw(self, *arguments):
        out = self.folder / "out.png"
        return self.answer("render", *arguments, *PARTS, "-o", out), out

    def reddish(self, path):
        """How many pixels are of what a view left: red, or a body's color with red behind it."""
        rows = png(path)[2]
        return sum(1 for row in rows for red, *others in row if red > 1.7 * max(others))

    def test_a_round_of_boxes_that_touch_and_of_boxes_apart(self):
        part = self.box()
        answer, out = self.draw(part, part, "--pose-b", moved(0.5))
        self.assertEqual(list(answer), ["status", "notices", "file", "size", "rounds", "round", "left", "renderer"])
        self.assertEqual((answer["status"], answer["size"], answer["renderer"]),
                         ("ok", [360, 300], "processor"))
        self.assertEqual(list(struct.unpack(">II", out.read_bytes()[16:24])), [360, 300])
        self.assertGreater(answer["rounds"], 2)
        self.assertGreater(self.reddish(out), 1000)
        # Seen along x they are side by side, and both go.
        answer, out = self.draw(part, part, "--pose-b", moved(0, 1.5))
        self.assertEqual((answer["rounds"], answer["round"], answer["left"]), (1, 1, 0))
        self.assertEqual(self.reddish(out), 0)

    def test_any_round_may_be_drawn_and_no_other(self):
        part = self.box()
        rounds = self.draw(part, part, "--pose-b", moved(0.5))[0]["rounds"]
        for number in 1, rounds:
            self.draw(part, part, "--pose-b", moved(0.5), "--round", number)
        for number in 0, rounds + 1, "first", 1.5:
            self.refused(2, "render", part, part, "--pose-b", moved(0.5), *PARTS, "--round", number,
                         "-o", self.folder / "no.png", code="usage")
        self.assertFalse((self.folder / "no.png").exists())

    def test_what_is_wrong_is_said_and_nothing_written(self):
        part, out = self.box(), self.folder / "no.png"
        for wrong in ([part, part], [part, "-o", out],
                      [part, part, "-o", self.folder / "no.jpg"], [part, part, "-o", part],
                      [part, part, "-o", out, "--resolution", 8],
                      [part, part, "-o", out, "--method", "exact"]):
            self.refused(2, "render", *wrong, *PARTS, code="usage")
        self.assertFalse(out.exists())
        self.refused(3, "render", part, self.folder / "absent.off", *PARTS, "-o", out)

    def test_its_help_is_its_own(self):
        code, text, _ = run("render", "--what", "culling", "--help")
        self.assertEqual(code, 0)
        self.assertIn("--round", text)
        self.assertIn("BODIES", text)


if __name__ == "__main__":
    unittest.main()
