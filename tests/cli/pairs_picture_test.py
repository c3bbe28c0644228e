"""The pictures of `plimsoll pairs --picture`: what is marked, where, and what is refused."""
import json
import os
import pathlib
import pty
import signal
import subprocess
import unittest

from pictures import is_ghost, is_pale, is_strong, places, png
from program import FACES, PROGRAM, ProgramTest, box, off, run

WIDTH, HEIGHT = 1600, 900


def boxes(*parts):
    """A mesh of several boxes, each (size, corner)."""
    vertices, faces = [], []
    for size, corner in parts:
        faces += [tuple(v + len(vertices) for v in face) for face in FACES]
        vertices += box(size, corner)
    return off(vertices, faces)


class PairsPicture(ProgramTest):
    def draw(self, *arguments):
        """The answer and the rows of the picture."""
        out = self.folder / "out.png"
        answer = self.answer("pairs", *arguments, "--picture", out)
        width, height, rows = png(out)
        self.assertEqual((width, height), (WIDTH, HEIGHT))
        return answer, rows

    # Posts at the corners of a square, and a plate on one of them: that to the right, or that to the
    # left.
    def test_what_touches_is_red_where_it_is(self):
        corners = [(0, 0, 0), (9, 0, 0), (0, 9, 0), (9, 9, 0)]
        posts = self.write("posts.off", boxes(*[((1, 1, 1), corner) for corner in corners]))
        for (x, y, _), is_right in ((corners[1], True), (corners[2], False)):
            plate = self.box("plate.off", (0.5, 0.5, 0.25), (x + 0.25, y + 0.25, 1))
            answer, rows = self.draw(posts, plate)
            self.assertEqual(answer["body_pairs"], 1)
            red = places(rows, is_strong)
            self.assertGreater(len(red), 1000)
            self.assertEqual({x > WIDTH / 2 for x, _ in red}, {is_right})
            # The floor of the plate and what is below it are hidden.
            self.assertGreater(len(places(rows, is_pale)), 100)

    def test_nothing_is_red_where_nothing_touches(self):
        part, other = self.box(), self.box("other.off", corner=(1.5, 0, 0))
        answer, rows = self.draw(part, other)
        self.assertEqual(answer["pairs"], 0)
        self.assertEqual(places(rows, lambda p: is_strong(p) or is_pale(p)), [])
        # Both are drawn, in colors of their own, and named so.
        for color in ((222, 190, 138), (150, 178, 120)):
            self.assertGreater(len(places(rows, lambda p, c=color: p == c)), 100)

    def test_within_marks_what_is_closer(self):
        part, other = self.box(), self.box("other.off", corner=(1.5, 0, 0))
        _, rows = self.draw(part, other, "--within", 0.6)
        self.assertGreater(len(places(rows, is_strong)), 3000)

    # Two crumbs touch, ten thousand of their sizes beside a box: nobody would see them.
    def test_what_is_too_small_to_be_seen_has_a_circle(self):
        crumb = self.box("crumb.off", (1e-3, 1e-3, 1e-3), (9, 0, 0))
        _, rows = self.draw(self.box(), crumb, crumb, "--pose-c", "1,0,0,0.001,0,1,0,0,0,0,1,0,0,0,0,1")
        red = places(rows, is_strong)
        xs, ys = [x for x, _ in red], [y for _, y in red]
        self.assertGreater(min(xs), WIDTH / 2)
        # A capital is 900 / 58 pixels high, and the circle 3 of them across.
        for low, high in ((min(xs), max(xs)), (min(ys), max(ys))):
            self.assertAlmostEqual(high - low, 3 * HEIGHT / 58, delta=4)
        self.assertGreater(len(red), 200)

    def test_what_another_body_hides_shines_through(self):
        case = self.box("case.off", (3, 3, 3))
        inner = self.box("inner.off", corner=(0.5, 1, 1))
        answer, rows = self.draw(case, inner, inner, "--pose-c", "1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1")
        self.assertEqual(answer["body_pairs"], 1)
        self.assertEqual(places(rows, is_strong), [])
        self.assertGreater(len(places(rows, is_pale)), 3000)

    # Whichever is drawn first; the names beside their colors are gray.
    def test_a_body_inside_another_is_seen_through_it(self):
        case, inner = self.box("case.off", (3, 3, 3)), self.box("inner.off", corner=(1, 1, 1))
        rows = self.draw(case, inner)[1]
        self.assertGreater(len(places(rows, is_ghost)), 3000)
        rows = self.draw(case, self.box("beside.off", corner=(4, 0, 0)))[1]
        self.assertLess(len(places(rows, is_ghost)), 1000)  # where tan fades into paper
        # Now the inner one is tan, and seen through green.
        rows = self.draw(inner, case)[1]
        green = places(rows, lambda p: p[0] > 90 and 1.12 * p[0] < p[1] > p[2])
        mixture = places(rows, lambda p: p[0] > 90 and p[0] < p[1] < 1.12 * p[0] and p[2] < p[0])
        self.assertGreater(min(len(green), len(mixture)), 3000)

    def test_triangles_without_area_are_marked_too(self):
        sheet = self.write("sheet.off", off([(0, 0, 0), (4, 0, 0), (0, 4, 0)], [(0, 1, 2)]))
        line = self.write("line.off", off([(1, 1, 0), (1, 1, 4), (1, 1, 2)], [(0, 1, 2)]))
        _, rows = self.draw(line, sheet)
        red = places(rows, is_strong)
        self.assertGreater(len({y for _, y in red if y < HEIGHT / 2}), 100)

    def test_within_one_body_and_in_scenes(self):
        both = self.write("both.off", boxes(((1, 1, 1), (0, 0, 0)), ((1, 1, 1), (0.5, 0.5, 0.5))))
        self.assertGreater(len(places(self.draw(both, "--self")[1], is_strong)), 3000)
        self.box()
        scene = {"bodies": [{"name": "box", "shape": {"shape": "mesh", "file": "box.off"}, "count": 27,
                             "spacing": [1.5, 1.5, 1.5]},
                            {"name": "odd", "shape": {"shape": "mesh", "file": "box.off"},
                             "pose": [[1, 0, 0, 0.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}]}
        answer, rows = self.draw(self.write("scene.json", json.dumps(scene)))
        self.assertGreater(answer["body_pairs"], 0)
        self.assertGreater(len(places(rows, is_strong)), 100)
        # All boxes have one color, and the odd one another.
        for color, expected in (((222, 190, 138), True), ((150, 178, 120), True), ((168, 160, 200), False)):
            found = len(places(rows, lambda p, c=color: p == c))
            self.assertEqual(found > 50, expected, color)

    def test_the_picture_is_the_same_from_run_to_run_and_the_answer_too(self):
        part = self.box()
        arguments = ("pairs", part, part, "--pose-b", "1,0,0,0.5,0,1,0,0.25,0,0,1,0.125,0,0,0,1")
        first, second = self.folder / "first.png", self.folder / "second.PNG"
        plain = run(*arguments)
        self.assertEqual(run(*arguments, "--picture", first), plain)
        self.assertEqual(run(*arguments, f"--picture={second}", "--list", self.folder / "list.csv"), plain)
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_what_cannot_be_written_is_refused_before_anything_is_read(self):
        part, absent = self.box(), self.folder / "absent.off"
        for name in ("out.jpg", "out.svg"):
            out = self.folder / name
            self.refused(2, "pairs", absent, absent, "--picture", out, code="usage")
            self.assertFalse(out.exists())
        before = part.read_bytes()
        part.rename(self.folder / "part.png")
        part = self.folder / "part.png"
        self.refused(2, "pairs", part, absent, "--picture", part, code="usage")
        self.assertEqual(part.read_bytes(), before)
        both = self.folder / "both.png"
        other = pathlib.Path(self.folder, ".", "..", self.folder.name, "both.png")
        self.refused(2, "pairs", absent, absent, "--picture", both, "--list", other, code="usage")
        self.assertIn("--picture", run("pairs", "--help")[1])


def all_of(terminal):
    """What was written to it, in however many pieces; the other end is closed."""
    said = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # EIO: nothing is left
            return said
        if not part:
            return said
        said += part


class Waiting(ProgramTest):
    """While a body is read from a pipe that nobody writes to."""

    def start(self, command, **streams):
        pipe = self.folder / "pipe.off"
        os.mkfifo(pipe)
        self.write("out.png", "earlier")
        return subprocess.Popen([PROGRAM, command, str(self.box()), str(pipe), "--picture",
                                 str(self.folder / "out.png")], **streams)

    def test_a_terminal_is_told_what_is_done_and_an_interrupt_leaves_files_alone(self):
        for command, said in (("pairs", b"reading "), ("distance", b"reading ")):
            with self.subTest(command):
                self.setUp()
                ours, theirs = pty.openpty()
                process = self.start(command, stdout=subprocess.PIPE, stderr=theirs)
                os.close(theirs)
                with process, process.stdout as out:
                    told = b""
                    while said not in told:
                        told += os.read(ours, 4096)
                    process.send_signal(signal.SIGINT)
                    self.assertEqual(process.wait(timeout=60), 130)
                    self.assertEqual(out.read(), b"")
                os.close(ours)
                self.assertEqual((self.folder / "out.png").read_text(), "earlier")
                self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_the_line_is_gone_at_the_end_and_none_is_written_to_files(self):
        part = self.box()
        apart = "1,0,0,3,0,1,0,0,0,0,1,0,0,0,0,1"
        for command in ("pairs", "distance"):
            ours, theirs = pty.openpty()
            subprocess.run([PROGRAM, command, part, part, "--pose-b", apart], stdout=subprocess.DEVNULL, stderr=theirs,
                           check=True)
            os.close(theirs)
            said = all_of(ours)
            os.close(ours)
            self.assertTrue(said.endswith(b"\r"), said)
            self.assertEqual(said.split(b"\r")[-2].strip(), b"")
            self.assertEqual(run(command, part, part, "--pose-b", apart)[2], "")


if __name__ == "__main__":
    unittest.main()
