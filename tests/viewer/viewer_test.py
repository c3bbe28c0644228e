"""The viewer in a window that nobody sees: it opens, moves, does what each control says, survives
other sizes, and says what is wrong where it cannot begin."""
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import unittest
import zlib

from hidden_display import hidden_display
from pictures import ALIKE, mean_difference, png
from program import PROGRAM, ProgramTest
from scans import SOURCE, scans

# All kinds of bodies: triangles, a primitive, one that does not move, and one without triangles.
SCENE = {
    "fluid": {"density": 1000, "surface": {"type": "plane", "height": 0.5}},
    "bodies": [
        {"name": "buoy", "density": 400, "shape": {"shape": "sphere", "radius": 0.4}},
        {"name": "crate", "density": 600, "shape": {"shape": "mesh", "file": "crate.off"},
         "count": 4, "spacing": [1.5, 1.5, 1], "pose": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1]},
        {"name": "keel", "mass": 150, "center_of_mass": [0, 0, -0.2], "inertia": [[10, 0, 0], [0, 10, 0], [0, 0, 12]],
         "shape": {"shape": "box", "size": [0.8, 0.6, 0.5]}, "pose": [2, 0, 0, 4, 0, 2, 0, 3, 0, 0, 2, 1, 0, 0, 0, 1]},
        {"name": "pole", "fixed": True, "shape": {"shape": "cylinder", "radius": 0.1, "height": 3},
         "pose": [1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]},
        {"name": "ring\u001b[31m", "density": 300, "shape": {"shape": "torus", "major": 0.5, "minor": 0.2},
         "pose": [1, 0, 0, -2, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1]},
    ],
}

# A cube held over a block, which it meets when it is led down.
TOOL_SCENE = {
    "fluid": {"density": 0},
    "bodies": [
        {"name": "tool", "density": 1000, "shape": {"shape": "box", "size": [0.1, 0.1, 0.1]},
         "pose": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.12, 0, 0, 0, 1]},
        {"name": "block", "fixed": True, "density": 1000, "shape": {"shape": "box", "size": [0.4, 0.4, 0.1]}},
    ],
}


def run(*arguments, display=None):
    """(exit code, stdout, stderr) of the viewer on the display of that name, or on none."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    if display:
        environment["DISPLAY"] = display
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=300,
                          env=environment)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def pixels(path):
    """(width, height, raw rows before PNG's filters are undone) of an 8 bit RGB file."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return (*struct.unpack(">II", data[16:24]), zlib.decompress(packed))


def untimed(rows):
    """A picture without what the panel says under Times."""
    return [row[:85] + row[336:] if 118 <= y < 190 else row for y, row in enumerate(rows)]


class ViewerTest(ProgramTest):
    def scene(self, name="scene.json", scene=None):
        self.box("crate.off", size=(0.8, 0.6, 0.5))
        return self.write(name, json.dumps(scene or SCENE))


class WithoutDisplay(ViewerTest):
    def refused(self, expected, *arguments):
        code, out, err = run(*arguments)
        self.assertEqual((code, out), (expected, ""), err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        return err

    def test_it_says_so_and_what_draws_without_one(self):
        err = self.refused(3, self.scene())
        self.assertIn("no display: ", err)
        self.assertIn("plimsoll render and plimsoll simulate --record draw without one", err)

    def test_help_needs_none(self):
        code, out, _ = run("--help")
        self.assertEqual(code, 0)
        for word in ("Mouse:", "Keys:", "--screenshot"):
            self.assertIn(word, out)

    def test_bad_scenes_are_refused_before_a_window_opens(self):
        for text, words in [("{", "scene.json"), ('{"bodies": []}', "no body"),
                            ('{"bodies": [{"shape": {"shape": "sphere", "radius": -1}, "density": 1}]}',
                             "radius"),
                            ('{"bodies": [{"shape": {"shape": "mesh", "file": "gone.off"}, "density": 1}]}',
                             "gone.off")]:
            with self.subTest(text):
                self.assertIn(words, self.refused(3, self.write("scene.json", text)))
        self.assertIn("gone.json", self.refused(3, self.folder / "gone.json"))

    def test_a_body_that_the_scene_has_not_is_refused_before_a_window_opens(self):
        err = self.refused(2, self.scene(), "--select", "kee\x1bl")
        self.assertIn(r'--select: found "kee\x1bl", expected the name of a body of the scene, such as "buoy"', err)

    def test_wrong_arguments_are_refused(self):
        scene = self.scene()
        for arguments in [("--frames", "0"), ("--frames", "x"), ("--frames", "1.5"), ("--exercise",),
                          ("--screenshot", "a.png"), ("--culling", "0"), ("--frames", "1", "--select"), ("--frames", "10", "--exercise"), ("--what",)]:
            with self.subTest(arguments):
                self.refused(2, scene, *arguments)


class InAWindow(ViewerTest):
    @classmethod
    def setUpClass(cls):
        if shutil.which("Xvfb"):
            cls.display = cls.enterClassContext(hidden_display())
            return
        missing = "Xvfb is missing (Debian: xvfb)"
        if os.environ.get("PLIMSOLL_REQUIRE_GL"):
            raise AssertionError(f"PLIMSOLL_REQUIRE_GL is set, and {missing}")
        raise unittest.SkipTest(missing)

    def shown(self, *arguments):
        return run(*arguments, display=self.display)

    # Two tests may run at once, and a server that is left behind would hold its number.
    def test_displays_have_numbers_of_their_own_and_end(self):
        with hidden_display() as first, hidden_display() as second:
            self.assertEqual(len({first, second, self.display}), 3)
        code, _, err = run(self.scene(), "--frames", 1, display=first)
        self.assertEqual(code, 3)
        self.assertIn("no display: ", err)

    def test_a_display_that_cannot_be_says_why(self):
        with self.assertRaisesRegex(RuntimeError, "Xvfb did not start within 60 s: .*1x"):
            with hidden_display(screen="1x"):
                pass

    # Not one color, and the rows of the panel's text are not those of the water.
    def test_it_opens_moves_and_is_seen(self):
        out = self.folder / "out.png"
        code, text, err = self.shown(self.scene(), "--frames", 12, "--screenshot", out)
        self.assertEqual((code, err), (0, ""), text)
        self.assertRegex(text, r"^12 frames of .*; 39 steps of .*; the scene is at 0\.195 s\n$")
        width, height, rows = pixels(out)
        self.assertEqual((width, height), (1280, 800))
        self.assertGreater(len(set(rows)), 100)

    # The program itself looks whether each control did what it says, and names those that did not.
    def test_every_control_does_what_it_says(self):
        out = self.folder / "out.png"
        code, text, err = self.shown(self.scene(), "--frames", 200, "--exercise", "--screenshot", out)
        self.assertEqual((code, err), (0, ""), text)
        self.assertRegex(text, "^200 frames")
        self.assertEqual(pixels(out)[:2], (1280, 800))

    # The loop of the hand goes on in real time, however long a frame takes.
    def test_the_mouse_leads_a_tool_that_feels_what_it_meets(self):
        scene = self.write("tool.json", json.dumps(TOOL_SCENE))
        out = self.folder / "out.png"
        code, text, err = self.shown(scene, "--haptics", "--frames", 250, "--exercise", "--screenshot", out)
        self.assertEqual((code, err), (0, ""), text)
        self.assertRegex(text, r"^\d+ ticks of the hand, \d+ late; the force came \d+ us after .*\n$")

    def test_a_tool_that_does_not_move_is_refused(self):
        scene = self.scene(scene={"bodies": [{**TOOL_SCENE["bodies"][1]}]})
        code, out, err = self.shown(scene, "--haptics", "--frames", 1)
        self.assertEqual((code, out), (3, ""))
        self.assertIn("scene.json: bodies[0]: found \"fixed\": true, expected a tool that moves freely", err)

    # Another body turns so fast that no step follows it.
    def test_a_hand_whose_loop_fails_says_why(self):
        mad = {"density": 1, "shape": {"shape": "box", "size": [0.1, 0.2, 0.3]}, "angular_velocity": [1e9, 0, 0],
               "pose": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0, 0, 1]}
        scene = self.write("mad.json", json.dumps({**TOOL_SCENE, "bodies": [*TOOL_SCENE["bodies"], mad]}))
        out = self.folder / "out.png"
        code, text, err = self.shown(scene, "--haptics", "--frames", 30, "--screenshot", out)
        self.assertEqual(code, 6, err)
        self.assertNotIn("ticks of the hand", text)
        self.assertRegex(err, "found .*expected")
        self.assertEqual(pixels(out)[:2], (1280, 800))

    # What is shown beside the same scene without: the boxes cover the bodies, and there is no water.
    def test_views_of_culling_are_shown(self):
        plain, first, last = (self.folder / name for name in ("plain.png", "first.png", "last.png"))
        for picture, arguments in ((plain, ()), (first, ("--culling", 1)), (last, ("--culling", 1000))):
            code, text, err = self.shown(self.scene(), "--frames", 3, "--screenshot", picture, *arguments)
            self.assertEqual((code, err), (0, ""), text)
        self.assertEqual(len({pixels(picture)[2] for picture in (plain, first, last)}), 3)

    def test_it_begins_with_a_body_selected(self):
        out, none = self.folder / "out.png", self.folder / "none.png"
        for picture, arguments in ((none, ()), (out, ("--select", "keel"))):
            code, _, err = self.shown(self.scene(), "--frames", 2, "--screenshot", picture, *arguments)
            self.assertEqual((code, err), (0, ""))
        (*_, rows), (*_, others) = png(out), png(none)
        self.assertNotEqual(untimed(rows), untimed(others))

    # PLIMSOLL_RECORD=1 writes them anew.
    def test_pictures_of_the_readme_are_what_their_commands_draw(self):
        shutil.copytree(SOURCE / "scenes", self.folder / "scenes")
        (self.folder / "data/cache").mkdir(parents=True)
        (self.folder / "data/cache/cgal").symlink_to(scans())
        readme = (SOURCE / "README.md").read_text()
        commands = re.findall(r"^build/release/plimsoll_viewer (.* --screenshot (viewer\w*\.png))", readme, re.MULTILINE)
        self.assertEqual({name for _, name in commands}, set(re.findall(r"docs/images/(viewer\w*\.png)", readme)))
        for command, name in commands:
            with self.subTest(command):
                done = subprocess.run([PROGRAM, *shlex.split(command)], cwd=self.folder, capture_output=True, timeout=300,
                                      env={**os.environ, "DISPLAY": self.display})
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                shown = SOURCE / "docs/images" / name
                if "PLIMSOLL_RECORD" in os.environ:
                    shutil.copy(self.folder / name, shown)
                (width, height, rows), (wide, high, others) = png(self.folder / name), png(shown)
                self.assertEqual((width, height), (wide, high))
                self.assertLess(mean_difference(untimed(rows), untimed(others)), ALIKE)

    def test_scenes_without_fluid_or_triangles_are_shown(self):
        bodies = [{"density": 1, "shape": {"shape": "box", "size": [1, 2, 3]}},
                  {"density": 500, "shape": {"shape": "difference", "of": [
                      {"shape": "sphere", "radius": 1}, {"shape": "cylinder", "radius": 0.5, "height": 3}]}}]
        for scene in [{"bodies": bodies}, {"bodies": bodies, "fluid": {}}]:
            code, _, err = self.shown(self.scene(scene=scene), "--frames", 5)
            self.assertEqual((code, err), (0, ""))

    def test_a_screenshot_that_cannot_be_written_is_an_error(self):
        code, _, err = self.shown(self.scene(), "--frames", 1, "--screenshot", self.folder / "no" / "out.png")
        self.assertEqual(code, 2, err)
        self.assertIn("out.png", err)


if __name__ == "__main__":
    unittest.main()
