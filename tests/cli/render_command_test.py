"""What `plimsoll render` draws: the picture of the peels, pixel by pixel, and how it fails."""
import functools
import json
import os
import stat
import struct
import subprocess
import unittest

from pictures import png
from program import FACES, PROGRAM, ProgramTest, box, off, run, threemf, threemf_mesh

GL = json.loads(run("info", "--json")[1])["gl"]
WHITE = (255, 255, 255)


class RenderTest(ProgramTest):
    def setUp(self):
        super().setUp()
        if GL["unavailable"] is None:
            return
        if os.environ.get("PLIMSOLL_REQUIRE_GL"):
            self.fail(f"PLIMSOLL_REQUIRE_GL is set, and {GL['unavailable']}")
        self.skipTest(f"OpenGL is unavailable: {GL['unavailable']}")

    def draw(self, part, *options):
        """The answer, and pixel(peel, target, i, j) of the picture, (i, j) counted from the lower
        left corner of the image that was drawn."""
        out = self.folder / "out.png"
        size = [] if "--size" in options else ["--size", "500x400"]  # small ones are read sooner
        answer = self.answer("render", part, "--what", "peels", "-o", out, *size, *options)
        self.assertEqual(list(struct.unpack(">II", out.read_bytes()[16:24])), answer["size"])
        decoded = functools.cache(lambda: png(out)[2])  # takes a second: only where it is asked for
        tiles, image = answer["tiles"], answer["image"]
        factor = tiles["size"][0] / image["resolution"][0]

        def pixel(peel, target, i, j):
            x = tiles["first"][0] + peel % tiles["columns"] * tiles["step"][0]
            y = (tiles["first"][1] + target * tiles["step"][1] +
                 peel // tiles["columns"] * tiles["band_step"] + tiles["size"][1] - 1)
            return decoded()[y - int((j + 0.5) * factor)][x + int((i + 0.5) * factor)]

        return answer, pixel

    def leaves_nothing(self, *names):
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names))


class Peels(RenderTest):
    # Lower and upper face of the cube [-1, 1]^3 have sgn(n_z) z = 1, so that their integrands are
    # (x, y, z/2), (x^2, x y, x z/2) and (y^2, y z/2, 1/3), with z = 1 in the first peel and -1 in
    # the second. 16 pixels have their centers at (i + 1/2) / 8 - 1, the outermost at 15/16: the
    # ranges are 15/16 and, twice, its square.
    def test_each_pixel_of_a_box_has_the_color_of_its_integrands(self):
        answer, pixel = self.draw(self.box(size=(3, 3, 3), corner=(7, -5, 11)), "--resolution", 16)
        self.assertEqual((answer["status"], answer["peels"]), ("ok", 2))
        self.assertEqual(answer["image"]["resolution"], [16, 16])
        self.assertEqual((answer["image"]["backend"], answer["image"]["algorithm"],
                          answer["image"]["peels"], answer["image"]["fragments"]),
                         ("gl", "peel", 2, 512))
        edge = 15 / 16
        ranges = (edge, edge**2, edge**2)
        for found, expected in zip(answer["ranges"], ranges):
            self.assertAlmostEqual(found, expected, delta=1e-5)  # float32
        for peel, z in enumerate((1, -1)):
            for i, j in [(0, 0), (15, 0), (0, 15), (8, 8), (3, 11), (12, 5)]:
                x, y = (i + 0.5) / 8 - 1, (j + 0.5) / 8 - 1
                terms = ((x, y, z / 2), (x * x, x * y, x * z / 2), (y * y, y * z / 2, 1 / 3))
                for target in range(3):
                    with self.subTest(peel=peel, target=target, pixel=(i, j)):
                        for found, term in zip(pixel(peel, target, i, j), terms[target]):
                            # Rounded to an integer: half, and a float near to the number.
                            self.assertAlmostEqual(found, 127 + 127 * term / ranges[target],
                                                   delta=0.51)

    # Cubes at two opposite corners of the square that is seen: the other two quarters are empty.
    def test_where_there_is_no_surface_the_picture_is_white(self):
        corners = box() + box(corner=(1, 1, 0))
        faces = FACES + [tuple(v + 8 for v in face) for face in FACES]
        answer, pixel = self.draw(self.write("two.off", off(corners, faces)), "--resolution", 8)
        self.assertEqual((answer["peels"], answer["image"]["fragments"]), (2, 64))
        for peel in (0, 1):
            for target in range(3):
                for i, j in [(0, 0), (3, 3), (4, 4), (7, 7)]:
                    self.assertNotIn(255, pixel(peel, target, i, j))
                for i, j in [(4, 3), (7, 0), (0, 7), (3, 4)]:
                    self.assertEqual(pixel(peel, target, i, j), WHITE)

    def test_the_image_has_the_proportions_of_the_body(self):
        part = self.box(size=(1, 2, 4))
        for axis, expected in [("x", [32, 64]), ("y", [64, 16]), ("z", [32, 64])]:
            answer, _ = self.draw(part, "--resolution", 64, "--axis", axis)
            self.assertEqual(answer["image"]["resolution"], expected)
        answer, _ = self.draw(part, "--resolution", "20x30")
        self.assertEqual(answer["image"]["resolution"], [20, 30])
        self.assertEqual(self.draw(part)[0]["image"]["resolution"], [128, 256])

    def test_pixels_become_whole_squares(self):
        out = self.folder / "out.png"
        answer = self.answer("render", self.box(size=(1, 2, 1)), "--what", "peels", "-o", out,
                             "--resolution", 50)
        self.assertEqual(answer["tiles"]["size"], [125, 250])
        self.assertEqual(list(png(out)[:2]), answer["size"])

    def test_a_picture_has_the_size_that_is_asked_for(self):
        for size, expected in [("480x640", [480, 640]), ("500", [500, 500])]:
            answer, pixel = self.draw(self.box(), "--resolution", 16, "--size", size)
            self.assertEqual(answer["size"], expected)
            self.assertEqual(answer["tiles"]["size"][0] % 16, 0)
            self.assertEqual(pixel(0, 0, 0, 0)[:2], (0, 0))

    # Twelve plates above each other are 24 surfaces, eight at most side by side.
    def test_many_peels_stand_in_several_bands(self):
        faces = [tuple(v + 8 * k for v in face) for k in range(12) for face in FACES]
        plates = sum((box(size=(4, 4, 0.1), corner=(0, 0, k)) for k in range(12)), [])
        answer, pixel = self.draw(self.write("plates.off", off(plates, faces)), "--resolution", 8,
                                  "--size", "500x900")
        self.assertEqual(answer["peels"], 24)
        self.assertLessEqual(answer["tiles"]["columns"], 8)
        # Red and green are sgn(n_z) z times x and y: from peel to peel the sign alternates.
        first, second = pixel(0, 0, 0, 0), pixel(1, 0, 0, 0)
        self.assertTrue(first[0] < 127 < second[0], (first, second))
        self.assertTrue(pixel(22, 0, 0, 0)[0] > 127 > pixel(23, 0, 0, 0)[0])

    def test_more_peels_than_are_drawn_are_refused(self):
        faces = [tuple(v + 8 * k for v in face) for k in range(33) for face in FACES]
        plates = sum((box(size=(4, 4, 0.1), corner=(0, 0, k)) for k in range(33)), [])
        part = self.write("plates.off", off(plates, faces))
        error = self.refused(6, "render", part, "--what", "peels", "-o", self.folder / "out.png",
                             "--resolution", 8, code="resource_limit")
        self.assertIn("64 peels", error["message"])
        self.leaves_nothing("plates.off")

    def test_shapes_with_a_surface_are_drawn(self):
        torus = self.write("torus.json", '{"shape": "torus", "major": 1, "minor": 0.4}')
        self.assertEqual(self.draw(torus, "--resolution", 32)[0]["peels"], 2)
        self.assertEqual(self.draw(torus, "--resolution", 32, "--axis", "x")[0]["peels"], 4)

    def test_standard_input_is_drawn(self):
        out = self.folder / "out.png"
        answer = self.answer("render", "-", "--input-format", "off", "--what", "peels", "-o", out,
                             stdin=off(box()).encode())
        self.assertEqual((answer["file"], answer["peels"]), (str(out), 2))

    def test_an_open_surface_is_drawn_and_called_so(self):
        part = self.box(faces=FACES[2:])  # without its lower face
        out = self.folder / "out.png"
        code, text, err = run("render", part, "--what", "peels", "-o", out, "--resolution", 16)
        self.assertEqual(code, 4, err)
        self.assertIn("1 peel of 16x16 pixels", text)
        self.assertEqual(self.answer("render", part, "--what", "peels", "-o", out, expected=4)["status"], "open")
        self.assertIn("in 256 columns of pixels the peels do not balance", err)

    def test_a_body_without_peels_says_so(self):
        flat = self.box(size=(1, 1, 0))
        for axis in "xyz":
            self.refused(4, "render", flat, "--what", "peels", "-o", self.folder / "out.png",
                         "--axis", axis, code="no_peels")
        self.leaves_nothing("box.off")


class Files(RenderTest):
    def test_peels_have_no_unit_and_say_nothing_of_one(self):
        package = self.folder / "part.3mf"
        package.write_bytes(threemf(threemf_mesh(box())))
        for part in [package, self.box(size=(85, 60, 40))]:
            code, _, err = run("render", part, "--what", "peels", "--resolution", 8, "-o",
                               self.folder / "peels.png")
            self.assertEqual((code, err), (0, ""))

    def test_a_picture_replaces_the_one_before_and_nothing_else_is_left(self):
        out = self.write("out.png", "old")
        self.draw(self.box(), "--resolution", 8)
        self.leaves_nothing("box.off", "out.png")

    def test_a_link_stays_one(self):
        (self.folder / "elsewhere").mkdir()
        (self.folder / "out.png").symlink_to("elsewhere/real.png")
        self.draw(self.box(), "--resolution", 8)
        self.assertTrue((self.folder / "out.png").is_symlink())
        self.assertEqual([p.name for p in (self.folder / "elsewhere").iterdir()], ["real.png"])

    def test_a_device_stays_one(self):
        part = self.box()
        self.answer("render", part, "--what", "peels", "-o", "/dev/null", "--resolution", 8)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        error = self.refused(6, "render", part, "--what", "peels", "-o", "/dev/full",
                             "--resolution", 8, code="output")
        self.assertIn("No space left", error["message"])

    def test_what_cannot_be_written_leaves_nothing(self):
        part = self.box()
        folder = self.folder / "folder"
        folder.mkdir()
        for out in [self.folder / "missing" / "out.png", folder, part / "out.png"]:
            with self.subTest(out):
                error = self.refused(2, "render", part, "--what", "peels", "-o", out,
                                     "--resolution", 8, code="output")
                self.assertEqual(error["where"], str(out))
        self.leaves_nothing("box.off", "folder")
        self.assertEqual(list(folder.iterdir()), [])

    # A limit on the size of files stands in for a full disk.
    def test_a_picture_cut_short_leaves_the_old_one(self):
        part, out = self.box(), self.write("out.png", "old")
        limited = 'trap "" XFSZ; ulimit -f 1; exec "$0" render "$1" --what peels -o "$2"'
        done = subprocess.run(["bash", "-c", limited, PROGRAM, part, out], capture_output=True,
                              env={**os.environ, "MESA_SHADER_CACHE_DISABLE": "1"})
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertEqual(out.read_text(), "old")
        self.leaves_nothing("box.off", "out.png")


class Refused(RenderTest):
    def setUp(self):  # none of these comes as far as OpenGL
        ProgramTest.setUp(self)

    def test_wrong_arguments_are_usage_errors(self):
        part, out = self.box(), self.folder / "out.png"
        for wrong in [[part, "-o", out], [part, "--what", "peels"], ["--what", "peels", "-o", out],
                      [part, "--what", "pears", "-o", out], [part, "--what", "peels", "-o", ""],
                      *[[part, "--what", "peels", "-o", out, *more] for more in
                        [["--size", "0x5"], ["--size", "5x"], ["--size", "99999"], ["--size", "a"],
                         ["--resolution", "0"], ["--resolution", "1.5"], ["--axis", "w"],
                         ["--backend", "gl"], ["--input-format", "off"], ["more.off"]]]]:
            with self.subTest(wrong):
                self.refused(2, "render", *wrong, code="usage")
        self.leaves_nothing("box.off")

    def test_what_has_no_triangles_is_refused(self):
        ball = '{"shape": "sphere", "radius": 1}'
        for text in ['{"shape": "union", "of": [%s, %s]}' % (ball, ball),
                     '{"shape": "implicit", "expression": "x^2+y^2+z^2-1", '
                     '"bounds": [[-2,-2,-2],[2,2,2]]}']:
            shape = self.write("shape.json", text)
            error = self.refused(3, "render", shape, "--what", "peels", "-o",
                                 self.folder / "out.png", code="unavailable")
            self.assertIn("no triangles to draw", error["message"])
        self.leaves_nothing("shape.json")

    def test_a_missing_mesh_is_refused_by_name(self):
        error = self.refused(3, "render", self.folder / "no.stl", "--what", "peels", "-o",
                             self.folder / "out.png")
        self.assertIn("no.stl", error["where"])

    def test_the_help_names_what_is_drawn(self):
        code, text, _ = run("render", "--help")
        self.assertEqual(code, 0)
        self.assertIn("Examples:", text)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 100, line)


class TooSmall(RenderTest):
    def test_a_size_without_room_is_a_usage_error(self):
        error = self.refused(2, "render", self.box(), "--what", "peels", "-o",
                             self.folder / "out.png", "--size", "100x90", code="usage")
        self.assertEqual(error["where"], "--size")
        self.leaves_nothing("box.off")

    # Eight peels 16384 wide would stand side by side; one does not fit beside its labels.
    def test_pictures_larger_than_any_are_refused(self):
        out = self.folder / "out.png"
        error = self.refused(6, "render", self.box(), "--what", "peels", "-o", out, "--resolution",
                             "16384x8", code="resource_limit")
        self.assertEqual(error["where"], "--size")
        self.leaves_nothing("box.off")
        self.draw(self.box(), "--resolution", "16384x800", "--size", "800x600")
        for what, *more in (["mass"], ["waterline", "--density", "500"], ["peels"], ["spheres"]):
            error = self.refused(6, "render", self.box(), "--what", what, *more, "-o", out,
                                 "--size", "16384", code="resource_limit")
            self.assertEqual(error["where"], "--size")
            self.assertIn("GB", error["message"])

    def test_the_waterline_of_a_body_in_a_plane_and_afloat(self):
        box = self.box(size=(2, 1, 0.5))
        out = self.folder / "w.png"
        for water in (["--plane", "0.1,0,1,0.3"], ["--density", "500"], ["--mass", "300", "--rho", "1000"]):
            answer = self.answer("render", box, "--what", "waterline", *water, "--size", "300x150", "-o", out)
            self.assertEqual(answer, {"status": "ok", "notices": [], "file": str(out),
                                      "size": [300, 150]})
            self.assertEqual(struct.unpack(">II", out.read_bytes()[16:24]), (300, 150))
            out.unlink()
        self.refused(2, "render", box, "--what", "waterline", "-o", out, code="usage")
        self.refused(2, "render", box, "--what", "waterline", "--plane", "0,0,1,1", "--density", "5", "-o", out, code="usage")
        self.refused(2, "render", box, "--what", "waterline", "--density", "5", "--axis", "x", "-o", out, code="usage")
        self.refused(2, "render", box, "--what", "peels", "--density", "5", "-o", out, code="usage")
        self.refused(4, "render", box, "--what", "waterline", "--density", "5000", "-o", out, code="sinks")
        self.assertFalse(out.exists())
        torn = self.box(name="torn.off", faces=FACES[1:])
        self.answer("render", torn, "--what", "waterline", "--plane", "0,0,1,0.3", "-o", out, expected=4)
        self.assertTrue(out.exists())


if __name__ == "__main__":
    unittest.main()
