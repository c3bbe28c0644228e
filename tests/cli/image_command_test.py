"""`plimsoll mass` by image and of shapes: what it answers, and in which form."""
import json
import math
import os
import unittest

from program import ProgramTest, run

REQUIRED = os.environ.get("PLIMSOLL_REQUIRE_GL") is not None


def gl_available():
    return json.loads(run("info", "--json")[1])["gl"]["renderer"] is not None


class ImageTest(ProgramTest):
    def shape(self, document, name="shape.json"):
        return self.write(name, json.dumps(document))

    def by_image(self, path, *options, expected=0):
        return self.answer("mass", path, "--method", "image", *options, expected=expected)


class Meshes(ImageTest):
    def test_a_box_by_image_has_an_estimate_and_no_bound(self):
        answer = self.by_image(self.box(size=(2, 3, 5)), "--resolution", "64x32", "--axis", "x")
        self.assertEqual(answer["method"], "image")
        self.assertIsNone(answer["error_bound"])
        self.assertEqual(list(answer["error_estimate"]), ["volume", "center_of_mass", "inertia"])
        # Walls end where they are, so the volume is exact but for a rounding in each of 64 rows.
        self.assert_rounded(answer["volume"], 30, 64)
        self.assertEqual(answer["image"]["backend"], "cpu")
        self.assertEqual(answer["image"]["resolution"], [64, 32])
        self.assertEqual(answer["image"]["algorithm"], "additive")
        self.assertEqual(answer["image"]["peels"], 1)
        self.assertEqual(answer["input"]["triangles"], 12)

    def test_units_mass_and_density_mean_the_same_as_exactly(self):
        box = self.box(size=(200, 300, 500))
        for options in (["--units", "mm", "--density", "7850"], ["--units", "cm", "--mass", "3"]):
            exact = self.answer("mass", box, *options)
            image = self.by_image(box, *options)
            for key in ("volume", "mass", "density"):  # a rounding in each of 256 rows
                self.assert_rounded(image[key], exact[key], 256)
            # Across n rows the midpoint rule loses 1 / n^2 of the second moment (image-engine.md).
            for found, true in zip(image["principal_moments"], exact["principal_moments"]):
                self.assertAlmostEqual(found, true, delta=true / 256**2)

    def test_a_broken_mesh_keeps_its_status(self):
        from program import FACES
        torn = self.box(faces=FACES[1:])
        self.assertEqual(self.by_image(torn, expected=4)["status"], "open")

    @unittest.skipUnless(REQUIRED or gl_available(), "nothing draws here")
    def test_opengl_draws_the_same_box_in_both_ways(self):
        box = self.box(size=(2, 3, 5), corner=(0.1, 0.2, 0.3))
        for algorithm, peels in (("additive", 1), ("peel", 2)):
            answer = self.by_image(box, "--backend", "gl", "--algorithm", algorithm)
            self.assertAlmostEqual(answer["volume"], 30, delta=answer["error_estimate"]["volume"])
            self.assertEqual(answer["image"]["backend"], "gl")
            self.assertEqual(answer["image"]["algorithm"], algorithm)
            self.assertEqual(answer["image"]["peels"], peels)
            self.assertTrue(answer["image"]["renderer"])


class Shapes(ImageTest):
    def test_primitives_are_exact(self):
        ball = self.shape({"shape": "sphere", "radius": 1.5})
        answer = self.answer("mass", ball, "--density", "1000")
        self.assertEqual(answer["method"], "exact")
        # Both sides are rounded in pi and in up to five products.
        self.assert_rounded(answer["volume"], 4 / 3 * math.pi * 1.5**3, 12)
        self.assert_rounded(answer["surface_area"], 9 * math.pi, 12)
        self.assertLess(answer["error_bound"]["volume"], 65 * 2**-53 * answer["volume"])  # 64
        self.assertIsNone(answer["input"]["triangles"])
        self.assertIsNone(answer["image"])

    def test_a_boolean_by_image_is_within_its_estimate(self):
        ring = self.shape({"shape": "difference",
                           "of": [{"shape": "sphere", "radius": 1.25},
                                  {"shape": "cylinder", "radius": 0.75, "height": 4}]})
        answer = self.by_image(ring)
        self.assertEqual(answer["status"], "ok")
        self.assertAlmostEqual(answer["volume"], math.pi * 8 / 6,
                               delta=answer["error_estimate"]["volume"])
        # Mostly 0.01 pixel^3 where a silhouette has a cusp (image-engine.md), at most one to a row.
        self.assertLess(answer["error_estimate"]["volume"], 256 * 0.01 * (2.5 / 256) ** 3)
        self.assertIsNone(answer["surface_area"])

    def test_meshes_in_shapes_lie_beside_them(self):
        self.box("part.off", size=(1, 1, 1))
        pair = self.shape({"shape": "union", "of": [
            {"shape": "mesh", "file": "part.off", "scale": 2},
            {"shape": "box", "size": [1, 1, 1], "pose": [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}]})
        answer = self.by_image(pair)
        self.assertAlmostEqual(answer["volume"], 9, delta=answer["error_estimate"]["volume"])

    def test_a_mesh_without_a_lid_in_a_boolean_is_told_of(self):
        from program import FACES
        self.box("part.off", size=(1, 1, 1), faces=FACES[:-1])  # no column along z crosses it
        pair = self.shape({"shape": "union", "of": [
            {"shape": "mesh", "file": "part.off"},
            {"shape": "sphere", "radius": 0.2}]})
        code, _, err = run("mass", pair, "--method", "image")
        self.assertEqual(code, 4)
        self.assertIn("of[0] is no solid", err)
        self.assertEqual(self.answer("mass", pair, "--method", "image", expected=4)["status"], "open")

    def test_patches_with_very_different_weights_are_weighed(self):
        rows = [[[0, 0, z, w], [x, y, z, w], [x, y, -z, w], [0, 0, -z, w]]
                for x, y, w, z in ((1, 0, 1, -1), (0, 1, 1e-3, -1), (-1, 0, 1, -1), (0, -1, 1, -1),
                                   (1, 0, 1, -1))]
        prism = self.shape({"shape": "nurbs", "degree": [1, 1], "points": rows,
                            "knots": [[0, 0, 1, 2, 3, 4, 4], [0, 0, 1, 2, 3, 3]]})
        answer = self.answer("mass", prism)
        self.assertAlmostEqual(answer["volume"], 4, delta=answer["error_estimate"]["volume"])
        # The rules are refined until they agree to 1e-13 of what a weight of 1e-3 magnifies.
        self.assertLess(answer["error_estimate"]["volume"], 4 * 1e-13 / 1e-3)

    def test_parts_of_an_assembly_may_be_shapes(self):
        box = self.box(size=(1, 1, 1))
        ball = self.shape({"shape": "sphere", "radius": 1,
                           "pose": [[1, 0, 0, 4], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]})
        answer = self.answer("mass", f"{box}=2", f"{ball}=3")
        mass = 2 + 3 * 4 / 3 * math.pi
        self.assert_rounded(answer["mass"], mass, 12)
        self.assert_rounded(answer["center_of_mass"][0], (2 * 0.5 + 4 * 4 * math.pi) / mass, 24)
        shared = self.answer("mass", box, ball, "--mass", "10", "--method", "image")
        self.assert_rounded(shared["mass"], 10, 8)  # two parts, scaled and added

    def test_errors_name_the_place_in_the_document(self):
        cases = [({"shape": "sphere", "radius": -1}, "radius"),
                 ({"shape": "union", "of": [{"shape": "box"}]}, "of[0]"),
                 ({"shape": "cube"}, "cube"),
                 ({"shape": "implicit", "expression": "x^^2", "bounds": [[0, 0, 0], [1, 1, 1]]},
                  "column 3")]
        for document, word in cases:
            with self.subTest(word):
                error = self.refused(3, "mass", self.shape(document), "--method", "image")
                self.assertIn(word, error["message"] + error["where"])

    @unittest.skipUnless(REQUIRED or gl_available(), "nothing draws here")
    def test_formulas_and_booleans_are_not_drawn(self):
        ball = self.shape({"shape": "implicit", "expression": "x^2+y^2+z^2-1",
                           "bounds": [[-2, -2, -2], [2, 2, 2]]})
        self.refused(3, "mass", ball, "--method", "image", "--backend", "gl", code="unavailable")


if __name__ == "__main__":
    unittest.main()
