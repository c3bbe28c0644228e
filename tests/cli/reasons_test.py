"""What is said of an answer that cannot be trusted, and of files that cannot be written."""
import json
import unittest

from program import FACES, ProgramTest, off, run


def words(*arguments):
    """What a command prints, on one line."""
    return " ".join(run(*arguments)[1].split())


def tube(wall):
    return json.dumps({"shape": "difference", "of": [
        {"shape": "cylinder", "radius": 1, "height": 1},
        {"shape": "cylinder", "radius": 1 - wall, "height": 2}]})


class Reasons(ProgramTest):
    def test_pixels_that_are_too_coarse_are_the_reason_and_not_the_unit(self):
        part = self.write("tube.json", tube(1e-4))
        given = ("mass", part, "--method", "image", "--resolution", 30)
        self.assertEqual(self.answer(*given, expected=4)["status"], "tolerance")
        text = words(*given)
        self.assertIn("pixels", text)
        self.assertIn("--resolution", text)
        self.assertNotIn("another unit", text)

    def test_what_no_column_met_is_not_called_flat(self):
        ball = {"shape": "sphere", "radius": 1}
        apart = {**ball, "pose": [[1, 0, 0, 3], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}
        part = self.write("empty.json", json.dumps({"shape": "intersection", "of": [ball, apart]}))
        given = ("mass", part, "--method", "image", "--resolution", 30)
        self.assertEqual(self.answer(*given, expected=4)["status"], "zero_volume")
        self.assertIn("no column of the image of 30 x 30 pixels met anything", words(*given))
        self.assertNotIn("thickness", words(*given))

    def test_welding_that_moves_too_much_is_the_reason(self):
        # A wedge: its low end, 20 mm high, becomes an edge.
        corners = [(x, y, z * (0.1 - 0.08 * x)) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        part = self.write("wedge.off", off(corners))
        self.assertIn("by up to 2e-05 m", words("mass", part, "--units", "mm", "--weld", "0.025mm"))
        given = ("mass", part, "--weld", "25mm")
        answer = self.answer(*given, expected=4)
        self.assertEqual(answer["status"], "tolerance")
        text = words(*given)
        self.assertIn("welding moved vertices by up to 0.02 m", text)
        self.assertNotIn("use another unit", text)
        self.assertIn(f"volume {answer['volume']:.9g} m^3", text)

    def test_numbers_beyond_a_double_have_the_unit_for_a_reason(self):
        part = self.box(size=(1e-70, 1e-70, 1e-70))
        self.assertIn("use another unit", words("mass", part))

    def test_an_image_of_what_is_wet_estimates_its_center(self):
        part = self.box(size=(2, 3, 1), corner=(0.1, 0.2, 0))
        for up in ("0,0,1,0.4", "0,0.6,0.8,0.5"):
            exact = self.answer("submerge", part, "--plane", up)
            image = "submerge", part, "--plane", up, "--method", "image", "--resolution", 48
            answer = self.answer(*image)
            center = words(*image).split("center of buoyancy")[1]
            estimate = 1.05 * float(center.split("off by an estimated ")[1].split()[0])  # of two digits
            self.assertLess(estimate, 0.1)
            for found, true in zip(answer["center_of_buoyancy"], exact["center_of_buoyancy"]):
                self.assertLessEqual(abs(found - true), estimate + 1e-12)
            self.assertEqual(list(exact["error_bound"]), ["volume"])
            self.assertEqual(list(answer["error_estimate"]), ["volume"])

    def test_a_seam_that_changes_no_volume_is_as_large(self):
        # The first triangle's first corner is farther off than rounding, along its own edge.
        vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1),
                    (1e-5, 0, 0)]
        faces = [(8, *FACES[0][1:]), *FACES[1:]]
        text = words("mass", self.write("seam.off", off(vertices, faces)))
        self.assertIn("weld", text)
        self.assertNotRegex(text, r"sum below is 0 %")


class Places(ProgramTest):
    """Files beside an answer that cannot be written."""

    def test_the_answer_is_there_all_the_same(self):
        part, other = self.box(), self.box("other.off", corner=(3, 0, 0))
        nowhere = self.folder / "missing"
        for command, out in ((["mass", part], ["--picture", nowhere / "a.png"]),
                             (["float", part, "--density", 500], ["--picture", nowhere / "a.png"]),
                             (["gz", part, "--density", 500], ["--plot", nowhere / "a.svg"]),
                             (["gz", part, "--density", 500], ["--csv", nowhere / "a.csv"]),
                             (["distance", part, other], ["--picture", nowhere / "a.png"]),
                             (["pairs", part, other], ["--picture", nowhere / "a.png"]),
                             (["pairs", part, other], ["--list", nowhere / "a.csv"]),
                             (["spheres", part, "--count", 9], ["--out", nowhere / "a.csv"])):
            with self.subTest(command=command[0], out=out[0]):
                code, text, err = run(*command, *out)
                self.assertEqual(code, 2)
                self.assertIn("cannot be written", err)
                timeless = lambda words: words.split("  built in")[0]
                self.assertEqual(timeless(text), timeless(run(*command)[1]))
                code, text, _ = run(*command, *out, "--json")
                self.assertEqual((code, json.loads(text)["error"]["code"]), (2, "output"))
        for command in ("mass", "float", "gz", "simulate", "pairs", "spheres", "render", "distance", "overlap"):
            self.assertIn("2 usage, or no place to write", " ".join(run(command, "--help")[1].split()))

    def test_one_file_for_two_outputs_is_not_called_an_input(self):
        part, other = self.box(), self.box("other.off", corner=(3, 0, 0))
        table = self.write("gz.csv", "earlier")
        message = self.refused(2, "gz", part, "--density", 500, "--csv", table, "--plot", table,
                               code="usage")["message"]
        self.assertIn("ends in .svg", message)
        same = self.write("same.png", "earlier")
        message = self.refused(2, "pairs", part, other, "--list", same, "--picture", same,
                               code="usage")["message"]
        self.assertIn("another output", message)
        self.assertEqual(table.read_text() + same.read_text(), "earlierearlier")

    def test_a_scene_is_told_from_a_shape(self):
        scene = self.write("scene.json", json.dumps(
            {"bodies": [{"shape": {"shape": "sphere", "radius": 1}, "density": 500}]}))
        for command in (["mass", scene], ["float", scene, "--density", 500], ["pairs", self.box(), scene]):
            self.assertIn("a scene", self.refused(3, *command)["message"])

    def test_an_inertial_block_ends_its_line(self):
        part = self.box()
        for form in ("urdf", "sdf", "mjcf"):
            for name in (form, f"{form}-inertial"):
                out = run("mass", part, "--format", name)[1]
                self.assertTrue(out.endswith(">\n") and not out.endswith("\n\n"), repr(out[-20:]))


if __name__ == "__main__":
    unittest.main()
