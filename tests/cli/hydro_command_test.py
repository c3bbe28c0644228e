"""`plimsoll submerge`, `float` and `gz`: what they answer, in which form, and what they refuse."""
import itertools
import json
import math
import os
import pathlib
import re
import unittest
from xml.etree import ElementTree

from program import FACES, ProgramTest, off, run

REQUIRED = os.environ.get("PLIMSOLL_REQUIRE_GL") is not None


def gl_available():
    return json.loads(run("info", "--json")[1])["gl"]["renderer"] is not None


CLIP = 1e-14     # submersion.h: the error of a cut mesh, of the sum of the absolute terms
CLOSED = 1e-12   # submersion.h: the error of shapes in closed form, of the whole body's value
SETTLED = 1e-12  # equilibrium.h: the righting arm of a body at rest, of its volume's cube root

ROTATION = "0,-1,0,5,1,0,0,6,0,0,1,7,0,0,0,1"  # a quarter turn about z, then moved


class Outputs(ProgramTest):
    def test_what_is_read_is_not_written_over(self):
        box = self.box()
        before = box.read_text()
        for arguments in (("gz", box, "--density", 500, "--csv", box), ("gz", box, "--density", 500, "--plot", box),
                          ("float", box, "--density", 500, "--picture", box),
                          ("render", box, "--what", "peels", "-o", box)):
            self.refused(2, *arguments, code="usage")
        shape = self.write("shape.json", json.dumps({"shape": "mesh", "file": "box.off"}))
        self.refused(2, "float", shape, "--density", 500, "--picture", box, code="usage")
        pose = self.write("pose.json", "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]")
        self.refused(2, "float", box, "--density", 500, "--pose", f"@{pose}", "--picture", pose,
                     code="usage")
        self.assertEqual(box.read_text(), before)


class Submerge(ProgramTest):
    def test_the_answer_has_the_members_of_the_reference(self):
        answer = self.answer("submerge", self.box(size=(2, 4, 6)), "--plane", "0,0,1,1.5")
        self.assertEqual(list(answer), ["status", "method", "notices", "volume",
                                        "center_of_buoyancy", "wetted_area", "waterplane",
                                        "rim_lowest", "error_bound", "error_estimate", "image"])
        self.assertEqual(list(answer["waterplane"]), ["area", "center", "second_moments", "axes"])
        self.assertEqual((answer["status"], answer["method"]), ("ok", "exact"))
        # All products are whole numbers of eighths; what is left are divisions.
        self.assert_rounded(answer["volume"], 12, 2)
        self.assert_rounded(answer["wetted_area"], 8 + 12 * 1.5, 2)
        for found, true in zip(answer["center_of_buoyancy"], (1, 2, 0.75)):
            self.assert_rounded(found, true, 4)
        self.assertIsNone(answer["rim_lowest"])
        self.assertIsNone(answer["error_estimate"])
        self.assertIsNone(answer["image"])
        # 200 roundings and one for each addition, of the area of 88 times the reach, over 3.
        self.assertLess(answer["error_bound"]["volume"],
                        400 * 2**-53 * 88 * math.hypot(2, 4, 6) / 3)

    def test_the_pose_moves_the_body_and_not_the_water(self):
        box = self.box(size=(2, 4, 6))
        pose = self.write("pose.json", json.dumps(
            [[0, -1, 0, 5], [1, 0, 0, 6], [0, 0, 1, 7], [0, 0, 0, 1]]))
        for given in (ROTATION, f"@{pose}"):
            answer = self.answer("submerge", box, "--plane", "0,0,2,17", "--pose", given)
            self.assert_rounded(answer["volume"], 12, 2)
            for found, true in zip(answer["center_of_buoyancy"], (3, 7, 7.75)):
                self.assert_rounded(found, true, 4)

    def test_units_come_before_the_pose(self):
        box = self.box(size=(2000, 4000, 6000))
        answer = self.answer("submerge", box, "--units", "mm", "--plane=0,0,1,8.5", "--pose",
                             ROTATION)
        self.assert_rounded(answer["volume"], 12, 2)

    def test_dry_bodies_have_no_center(self):
        answer = self.answer("submerge", self.box(), "--plane", "0,0,1,-1")
        self.assertEqual(answer["volume"], 0)
        self.assertIsNone(answer["center_of_buoyancy"])
        self.assertIsNone(answer["waterplane"]["center"])
        self.assertIn("dry", run("submerge", self.box(), "--plane", "0,0,1,-1")[1])

    def test_an_open_hull_is_sound_while_its_rim_is_dry(self):
        hull = self.box(faces=[face for face in FACES if face not in ((4, 5, 7), (4, 7, 6))])
        answer = self.answer("submerge", hull, "--plane", "0,0,2,0.5")
        self.assertEqual(answer["status"], "ok")
        words = run("submerge", hull, "--plane", "0,0,2,0.5")[1]
        self.assertIn("ok - open, with a dry rim", words)
        self.assertNotIn("closed", words)
        self.assertEqual(answer["rim_lowest"], 0.75)
        self.assert_rounded(answer["volume"], 0.25, 2)
        flooded = self.answer("submerge", hull, "--plane", "0.1,0,1,1.05", expected=4)
        self.assertEqual(flooded["status"], "open")
        self.assertLess(flooded["rim_lowest"], 0)

    def test_a_hull_that_is_turned_two_ways_is_not_sound_because_it_is_open(self):
        faces = [face for face in FACES if face not in ((4, 5, 7), (4, 7, 6))]
        faces[0] = faces[0][::-1]
        answer = self.answer("submerge", self.box(faces=faces), "--plane", "0,0,1,0.5", expected=4)
        self.assertEqual(answer["status"], "open")

    def test_a_face_that_is_turned_over_is_a_fault_under_dry_seams_too(self):
        for k in range(6):
            faces = [face[::-1] if i // 2 == k else face for i, face in enumerate(FACES)]
            turned = self.box(faces=faces)
            for arguments in (["submerge", turned, "--plane", "0,0,1,0.4"], ["submerge", turned, "--plane", "0,0,1,-1"],
                              ["submerge", turned, "--plane", "0,0,1,0.4", "--method", "image", "--resolution", 16],
                              ["float", turned, "--mass", 400, "--com", "0.5,0.5,0.5", "--attitude", "fixed"],
                              ["gz", turned, "--mass", 400, "--com", "0.5,0.5,0.5", "--heel", "0:10:5"]):
                with self.subTest(arguments, k=k):
                    self.assertEqual(self.answer(*arguments, expected=4)["status"], "inconsistent")

    def test_shapes_are_measured_in_closed_form(self):
        ball = self.write("ball.json", json.dumps({"shape": "sphere", "radius": 1.5}))
        answer = self.answer("submerge", ball, "--plane", "0,0,1,0")
        half = 2 * math.pi / 3 * 1.5**3
        self.assertAlmostEqual(answer["volume"], half, delta=CLOSED * 2 * half)
        formula = self.write("f.json", json.dumps(
            {"shape": "implicit", "expression": "x^2+y^2+z^2-1", "bounds": [[-2] * 3, [2] * 3]}))
        self.refused(3, "submerge", formula, "--plane", "0,0,1,0", code="unavailable")

    def test_by_image_any_shape_is_measured_with_an_estimate(self):
        formula = self.write("f.json", json.dumps(
            {"shape": "implicit", "expression": "x^2+y^2+z^2-1", "bounds": [[-2] * 3, [2] * 3]}))
        cap = math.pi / 3 * 1.5**2 * (3 - 1.5)
        box = self.box(size=(2, 4, 6))
        for path, plane, volume in ((formula, "0,0,2,1", cap), (box, "0,0,2,3", 12)):
            answer = self.answer("submerge", path, "--plane", plane, "--method", "image",
                                 "--resolution", "64")
            self.assertEqual((answer["method"], answer["image"]["backend"]), ("image", "cpu"))
            self.assertIsNone(answer["error_bound"])
            self.assertIsNone(answer["waterplane"]["area"])
            # The estimate speaks of sampling; summing adds a rounding for each of the 64^2 columns.
            self.assertAlmostEqual(answer["volume"], volume, delta=answer["error_estimate"]["volume"]
                                   + 64**2 * 2**-53 * volume)
        self.assert_rounded(answer["center_of_buoyancy"][2], 0.75, 64**2)

    @unittest.skipUnless(REQUIRED or gl_available(), "nothing draws here")
    def test_the_published_peels_find_what_is_under_a_tilted_plane(self):
        box = self.box(size=(2, 4, 6))
        ball = self.write("ball.json", json.dumps({"shape": "sphere", "radius": 1.5}))
        for path, plane in ((box, "0.3,-0.1,2,5"), (ball, "1,1,1,0.5")):
            exact = self.answer("submerge", path, "--plane", plane)
            answer = self.answer("submerge", path, "--plane", plane, "--method", "image",
                                 "--backend", "gl", "--algorithm", "peel", "--resolution", "128")
            self.assertEqual(sorted(answer), sorted(exact))
            image = answer["image"]
            self.assertEqual((image["backend"], image["algorithm"]), ("gl", "peel"))
            self.assertEqual(image["resolution"], [128, 128])
            self.assertLessEqual(image["peels"], 2)
            self.assertGreater(image["fragments"], 0)
            self.assertIsNone(answer["error_bound"])
            self.assertAlmostEqual(answer["volume"], exact["volume"],
                                   delta=answer["error_estimate"]["volume"])
            # One row of the 128 under the deepest column, twice as deep as the mean one, a pixel,
            # and what is sampled, pixels of either sign at the silhouettes: less than a row.
            estimate = answer["error_estimate"]["volume"] / exact["volume"]
            self.assertLess(estimate, 3 / 128)
            # Such a share, as far away as two corners of the box are, moves the center no farther.
            for found, true in zip(answer["center_of_buoyancy"], exact["center_of_buoyancy"]):
                self.assertAlmostEqual(found, true, delta=estimate * math.hypot(2, 4, 6))
        dry = self.answer("submerge", box, "--plane", "0,0,1,-1", "--method", "image", "--backend",
                          "gl", "--algorithm", "peel")
        self.assertEqual((dry["volume"], dry["image"]["peels"]), (0, 0))
        self.assertIsNone(dry["center_of_buoyancy"])
        formula = self.write("f.json", json.dumps(
            {"shape": "implicit", "expression": "x^2+y^2+z^2-1", "bounds": [[-2] * 3, [2] * 3]}))
        self.refused(3, "submerge", formula, "--plane", "0,0,1,0", "--method", "image", "--backend",
                     "gl", "--algorithm", "peel", code="unavailable")

    def test_columns_may_run_along_any_axis_of_the_world(self):
        box = self.box(size=(2, 4, 6))
        union = self.write("u.json", json.dumps({"shape": "union", "of": [
            {"shape": "mesh", "file": "box.off"}, {"shape": "sphere", "radius": 1}]}))
        for plane in ("0,0,1,2.5", "1,2,3,9"):
            exact = self.answer("submerge", box, "--plane", plane)
            for body in (box, union):
                along_normal = self.answer("submerge", body, "--plane", plane, "--method", "image")
                for axis in "xyz":
                    found = self.answer("submerge", body, "--plane", plane, "--method", "image",
                                        "--axis", axis)
                    true = exact if body == box else along_normal
                    off = found["error_estimate"]["volume"] + (0 if body == box else
                                                               true["error_estimate"]["volume"])
                    self.assertLessEqual(abs(found["volume"] - true["volume"]), 1e-12 + off)
                    for x, y in zip(found["center_of_buoyancy"], true["center_of_buoyancy"]):
                        self.assertAlmostEqual(x, y, delta=0.01)
        # Pixels are those of a picture along x: 16 over y, 8 over z.
        found = self.answer("submerge", box, "--plane", "0,0,1,2.5", "--method", "image", "--axis", "x",
                            "--resolution", "16x8")
        self.assertEqual(found["image"]["resolution"], [16, 8])

    def test_walls_between_columns_are_in_the_estimate_and_the_status(self):
        profile = [(0, 0), (1, 0), (1, .01), (.5015, .01), (.5015, 5), (.4985, 5), (.4985, .01),
                   (0, .01)]
        rib = self.write("rib.off", "OFF\n16 10 0\n"
                         + "".join(f"{x} {y} {z}\n" for x in (0, 1) for y, z in profile)
                         + "8 7 6 5 4 3 2 1 0\n8 8 9 10 11 12 13 14 15\n"
                         + "".join(f"4 {k} {(k + 1) % 8} {8 + (k + 1) % 8} {8 + k}\n"
                                   for k in range(8)))
        ways = [[]]
        if REQUIRED or gl_available():
            ways += [["--backend", "gl"], ["--backend", "gl", "--algorithm", "peel"]]
        for way in ways:
            # Along x or y the rows of the processor may run across the rib, and see it.
            for command, seen in ((["mass", rib], False),
                                  (["submerge", rib, "--plane", "0,0,1,6"], not way)):
                answer = self.answer(*command, "--method", "image", *way, expected=0 if seen else 4)
                self.assertEqual(answer["status"], "ok" if seen else "tolerance")
                off = abs(answer["volume"] - 0.02497)
                self.assertLess(off, 1e-12) if seen else self.assertGreater(off, 0.0149)
                self.assertLessEqual(off, answer["error_estimate"]["volume"])
        # The same rib, of which next to nothing is wet: more than a digit of that is not asked.
        answer = self.answer("submerge", rib, "--plane", "0.01,0,1,0.00001", "--method", "image",
                             "--resolution", "16")
        self.assertLess(answer["error_estimate"]["volume"], 0.02497e-3)

    def test_by_image_an_open_hull_is_sound_while_its_rim_is_dry(self):
        hull = self.box(faces=[face for face in FACES if face not in ((4, 5, 7), (4, 7, 6))])
        ways = [[]]
        if REQUIRED or gl_available():
            ways += [["--backend", "gl"], ["--backend", "gl", "--algorithm", "peel"]]
        for way in ways:
            answer = self.answer("submerge", hull, "--plane", "0,0,2,0.5", "--method", "image", *way)
            self.assertEqual(answer["status"], "ok")
            self.assertAlmostEqual(answer["volume"], 0.25,
                                   delta=answer["error_estimate"]["volume"] + 1e-12)

    def test_a_body_that_its_pose_rounds_is_known_to_so_few_digits(self):
        size = (0.001, 0.0013, 0.0017)
        self.box(size=size)
        far = 1e9 / 3
        shape = self.write("far.json", json.dumps({"shape": "mesh", "file": "box.off", "pose": [
            [1, 0, 0, far], [0, 1, 0, -far], [0, 0, 1, far], [0, 0, 0, 1]]}))
        for command in (["mass"], ["submerge", "--plane", "0,0,1,1e9"]):
            for method in ("exact", "image"):
                answer = self.answer(command[0], shape, *command[1:], "--method", method,
                                     expected=4 if method == "exact" else 0)
                self.assertEqual(answer["status"], "tolerance" if method == "exact" else "ok")
                error = answer["error_bound"] or answer["error_estimate"]
                off = abs(answer["volume"] - math.prod(size))
                self.assertGreater(off, 1e-15)
                self.assertLessEqual(off, error["volume"])

    def test_the_water_may_be_anywhere(self):
        box = self.box(size=(0.3, 0.7, 0.9))
        whole = self.answer("mass", box)["volume"]
        shape = self.write("b.json", json.dumps({"shape": "box", "size": [0.3, 0.7, 0.9]}))
        union = self.write("u.json", json.dumps({"shape": "union", "of": [{"shape": "mesh", "file": "box.off"}]}))
        ways = [[], ["--axis", "x"]]
        if REQUIRED or gl_available():
            ways += [["--backend", "gl"], ["--backend", "gl", "--algorithm", "peel"]]
        for body, offset in itertools.product((box, shape, union), (1e3, 1e9, 1e17, 1e200)):
            for way in ways:
                if body != box and "gl" in way: continue
                answer = self.answer("submerge", body, "--plane", f"0,0,1,{offset}", "--method",
                                     "image", "--resolution", 32, *way)
                off = abs(answer["volume"] - whole)
                self.assertLessEqual(off, answer["error_estimate"]["volume"] + 1e-15)
                self.assertLess(answer["error_estimate"]["volume"], whole * (0.1 if "gl" in way else 1e-6))

    def test_a_mesh_within_a_shape_is_a_mesh(self):
        self.box(size=(2, 4, 6))
        shape = self.write("s.json", json.dumps({"shape": "mesh", "file": "box.off", "scale": 0.5}))
        answer = self.answer("submerge", shape, "--plane", "0,0,1,1")
        self.assert_rounded(answer["volume"], 2, 2)

    def test_what_is_wrong_is_refused(self):
        box = self.box()
        for wrong in [[], ["--plane", "0,0,1"], ["--plane", "0,0,0,1"], ["--plane", "0,0,1,x"],
                      ["--plane", "0,0,1,nan"], ["--plane", "0,0,1,0,0"], ["--plane", ""],
                      ["--plane", "0,0,1,0", "--pose", "1,2,3"],
                      ["--plane", "0,0,1,0", "--pose", "2,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1"],
                      ["--plane", "0,0,1,0", "--pose", "-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1"],
                      ["--plane", "0,0,1,0", "--pose", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2"],
                      ["--plane", "0,0,1,0", "--method", "guess"],
                      ["--plane", "0,0,1,0", "--resolution", "32"]]:
            with self.subTest(wrong):
                self.refused(2, "submerge", box, *wrong, code="usage")
        # The processor has no depth buffer: the message names the backend that has one.
        answer = self.refused(3, "submerge", box, "--plane", "0,0,1,0", "--method", "image",
                              "--algorithm", "peel", code="unavailable")
        self.assertIn("--backend gl", answer["message"])
        self.refused(2, "submerge", box, "--plane", "0,0,1,0", "--method", "image", "--backend", "gl",
                     "--algorithm", "peel", "--axis", "x", code="usage")
        self.refused(3, "submerge", self.folder / "none.stl", "--plane", "0,0,1,0")
        self.refused(3, "submerge", box, "--plane", "0,0,1,0", "--pose", "@none.json")
        bad = self.write("bad.json", "[1, 2")
        self.refused(2, "submerge", box, "--plane", "0,0,1,0", "--pose", f"@{bad}", code="usage")


class Float(ProgramTest):
    def test_a_flat_box_rests_on_two_sides(self):
        answer = self.answer("float", self.box(size=(4, 4, 1)), "--density", 512.5)
        self.assertEqual(list(answer), ["status", "notices", "rho", "mass", "volume", "floats",
                                        "complete", "minima_minus_saddles_plus_maxima", "equilibria"])
        self.assertEqual(answer["rho"], 1025)
        self.assertEqual(answer["mass"], 512.5 * 16)
        self.assertEqual(answer["minima_minus_saddles_plus_maxima"], 2)
        stable = [found for found in answer["equilibria"] if found["stable"]]
        self.assertEqual(len(stable), 2)
        gm = 16 * 16 / 12 / 8 - 0.25
        tilt = SETTLED * 16 ** (1 / 3) / gm  # what is left of it, seen in the draught at a corner
        for found in stable:
            self.assertEqual(found["kind"], "minimum")
            self.assertAlmostEqual(abs(found["up_body"][2]), 1, delta=tilt)
            self.assertAlmostEqual(found["draught"], 0.5, delta=tilt * math.hypot(2, 2) + CLIP)
            self.assertAlmostEqual(found["waterplane_area"], 16, delta=tilt * 16 + CLIP * 16)
            for height in found["metacentric_heights"]:
                self.assertAlmostEqual(height, gm, delta=tilt * gm + CLIP * gm)
            # The pose puts the body in a world whose water is z <= 0.
            row = found["pose"][2]
            depth = sum(row[k] * found["center_of_buoyancy"][k] for k in range(3)) + row[3]
            self.assertAlmostEqual(depth, -0.25, delta=tilt + CLIP)
        self.assertEqual(sum(found["starts"] for found in answer["equilibria"]), 64)

    def test_a_held_body_only_rises_or_sinks(self):
        box = self.box(size=(2, 2, 2))
        answer = self.answer("float", box, "--mass", 1025, "--attitude", "fixed", "--up", "1,1,0",
                             "--pose", "3,0,0,10,0,3,0,0,0,0,3,0,0,0,0,1")
        (found,) = answer["equilibria"]
        self.assertIsNone(answer["minima_minus_saddles_plus_maxima"])
        # A wedge of legs w below a cut square to the diagonal: 6 w^2 / 2 = 1.
        draught = math.sqrt(2 / 6) / math.sqrt(2)
        # The displacement is met to 1e-14 (floating.h), and summed from terms of the whole, 6^3.
        error = (1e-14 + CLIP) * 6**3
        self.assertAlmostEqual(found["submerged_volume"], 1, delta=error)
        # It grows as draught^2: relatively the draught is off by half as much.
        self.assertAlmostEqual(found["draught"], draught, delta=error / 2 * draught)
        # In the file's frame, where the edge is at the origin and lengths are a third.
        self.assertAlmostEqual(found["plane_offset"], draught / 3, delta=error / 2 * draught / 3)
        self.assert_rounded(found["up_body"][0], math.sqrt(0.5), 4)

    def test_a_held_body_is_told_of_in_the_frame_of_its_file(self):
        # By R = ((1, 0, 0), (0, .6, -.8), (0, .8, .6)), and moved: the water's normal is, in the
        # file, R^T (0, 0, 1).
        box = self.box(size=(2, 2, 2), corner=(-1, -1, -1))
        answer = self.answer("float", box, "--density", 512.5, "--attitude", "fixed", "--pose",
                             "1,0,0,3,0,0.6,-0.8,5,0,0.8,0.6,7,0,0,0,1")
        (found,) = answer["equilibria"]
        for axis, (number, true) in enumerate(zip(found["up_body"], (0, 0.8, 0.6))):
            self.assertAlmostEqual(number, true, delta=CLIP, msg=f"up_body[{axis}]")
        # Half of the cube is under the plane through its middle.
        self.assertAlmostEqual(found["plane_offset"], 0, delta=1e-13)

    def test_a_held_body_keeps_its_heading(self):
        # Longer along x than along y, whose axes of heel would change places.
        box = self.box(size=(2, 1, 1), corner=(-1, -0.5, -0.5))
        half = ("float", box, "--density", 512.5, "--attitude", "fixed")
        (found,) = self.answer(*half)["equilibria"]
        self.assertEqual([row[:3] for row in found["pose"][:3]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        turn = [[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]]
        pose = "0.6,-0.8,0,5,0.8,0.6,0,6,0,0,1,7,0,0,0,1"
        (found,) = self.answer(*half, "--pose", pose)["equilibria"]
        for row, wanted, place in zip(found["pose"], turn, (5, 6, 0)):
            for number, true in zip(row, (*wanted, place)):
                self.assertAlmostEqual(number, true, delta=1e-13)

    def test_a_free_body_turns_no_farther_than_it_has_to(self):
        box = self.box(size=(4, 2, 1), corner=(-2, -1, -0.5))
        # Turned about the vertical, and by 0.1 about the x axis of the world, which is what is lost.
        c, s = math.cos(0.1), math.sin(0.1)
        pose = f"0.6,-0.8,0,0,{c * 0.8},{c * 0.6},{-s},0,{s * 0.8},{s * 0.6},{c},0,0,0,0,1"
        answer = self.answer("float", box, "--density", 512.5, "--pose", pose)
        upright = [found for found in answer["equilibria"] if found["up_body"][2] > 0.999]
        self.assertEqual(len(upright), 1)
        for row, wanted in zip(upright[0]["pose"], ((0.6, -0.8, 0), (0.8, 0.6, 0), (0, 0, 1))):
            for number, true in zip(row[:3], wanted):
                self.assertAlmostEqual(number, true, delta=1e-6)

    def test_what_is_too_heavy_sinks(self):
        answer = self.answer("float", self.box(), "--density", 1026)
        self.assertEqual((answer["floats"], answer["equilibria"]), (False, []))
        self.assertIn("sinks", run("float", self.box(), "--density", 1026)[1])

    def test_a_center_of_mass_is_taken_as_given(self):
        answer = self.answer("float", self.box(), "--density", 500, "--com", "0.5,0.5,-1")
        stable = [found for found in answer["equilibria"] if found["stable"]]
        self.assertEqual(len(stable), 1)
        # Of the arm, 1e-12, times the square of 1 / GM only second order is left: roundings.
        self.assert_rounded(stable[0]["up_body"][2], 1, 4)

    def test_a_center_of_mass_has_units_of_its_own(self):
        block = self.box(size=(40, 30, 20), corner=(-20, -15, 0))
        given = ("float", block, "--units", "mm", "--mass", "0.012", "--rho", "1000", "--com")
        inches = 0.01 / 0.0254
        answers = [self.answer(*given, com) for com in ("0,0,0.01", "0,0,10mm", "0,0,1cm", "0m,0,0.01m",
                                                         f"0,0,{inches!r}in")]
        for answer in answers:
            self.assertEqual(answer["notices"], [])
            self.assertEqual(len(answer["equilibria"]), len(answers[0]["equilibria"]))
            for found, first in zip(answer["equilibria"], answers[0]["equilibria"]):
                self.assertAlmostEqual(found["draught"], first["draught"], delta=1e-9)
        (notice,) = self.answer(*given, "0,0,10")["notices"]
        self.assertIn("center of mass is 9.98 m away", notice["message"])
        for wrong in ("1,2,10mm", "0,0", "0,0,0,0", "0,0,10parsec", "0,0,infmm", ",,"):
            self.refused(2, *given, wrong, code="usage")

    def test_an_open_hull_says_where_its_rim_is(self):
        faces = [face for face in FACES if face not in ((4, 5, 7), (4, 7, 6))]
        hull = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5), faces=faces)
        given = ["float", hull, "--mass", 60000, "--rho", 1000, "--com", "0,0,-0.5"]
        held = self.answer(*given, "--attitude", "fixed")
        self.assertEqual(held["status"], "ok")
        self.assertAlmostEqual(held["equilibria"][0]["rim_lowest"], 1.5, delta=1e-13)
        words = run(*given, "--attitude", "fixed")[1]
        self.assertIn("ok - open, with a dry rim", words)
        self.assertIn("over the water", words)
        # Of all poses some have the rim under water.
        free = self.answer(*given, expected=4)
        self.assertEqual(free["status"], "open")
        upright = [found for found in free["equilibria"] if found["up_body"][2] > 0.999]
        self.assertAlmostEqual(upright[0]["rim_lowest"], 1.5, delta=1e-12)
        words = run(*given)[1]
        self.assertIn("trust the numbers below only where the rim is dry", words)
        wet = [found for found in free["equilibria"] if found["rim_lowest"] < 0]
        self.assertEqual(words.count("it does not float so"), len(wet))

    def test_the_picture_is_of_the_pose_that_was_asked_for(self):
        box = self.box(size=(3, 2, 1), corner=(-1.5, -1, -0.5))
        given = ["float", box, "--density", 500, "--com", "0,0,-0.1"]
        poses = self.answer(*given)["equilibria"]
        upright = max((k for k, pose in enumerate(poses) if pose["stable"]),
                      key=lambda k: poses[k]["up_body"][2]) + 1
        pictures = {}
        for name, more in (("given", []), ("same", ["--picture-pose", upright]),
                           ("other", ["--picture-pose", upright % len(poses) + 1]),
                           ("over", ["--up", "0,0,-1"])):
            file = self.folder / f"{name}.png"
            self.answer(*given, *more, "--picture", file)
            pictures[name] = file.read_bytes()
        self.assertEqual(pictures["given"], pictures["same"])
        self.assertNotEqual(pictures["given"], pictures["other"])
        self.assertNotEqual(pictures["given"], pictures["over"])
        none = self.folder / "none.png"
        for wrong in ("0", "1.5", "x", len(poses) + 1):
            self.refused(2, *given, "--picture", none, "--picture-pose", wrong, code="usage")
        self.refused(2, *given, "--picture-pose", 1, code="usage")
        self.assertFalse(none.exists())

    def test_a_ball_rests_anyhow(self):
        ball = self.write("ball.json", json.dumps({"shape": "sphere", "radius": 1.5}))
        answer = self.answer("float", ball, "--density", 500, "--rho", 1000)
        (found,) = answer["equilibria"]
        self.assertEqual(found["family"], "all")
        # The volume of the ball over its waterplane, that far off, is 4 / 3 of its radius.
        self.assertAlmostEqual(found["draught"], 1.5, delta=CLOSED * 4 / 3 * 1.5)
        self.assertEqual(answer["minima_minus_saddles_plus_maxima"], 2)

    def test_what_is_wrong_is_refused(self):
        box = self.box()
        for wrong in [[], ["--mass", "1", "--density", "1"], ["--mass", "0"], ["--density", "x"],
                      ["--mass", "1", "--rho", "-1"], ["--mass", "1", "--up", "0,0,0"],
                      ["--mass", "1", "--up", "0,0"], ["--mass", "1", "--attitude", "loose"],
                      ["--mass", "1", "--starts", "0"], ["--mass", "1", "--starts", "1.5"],
                      ["--mass", "1", "--com", "1,2"], ["--mass", "1e-300"],
                      ["--density", "1e-4"]]:
            with self.subTest(wrong):
                self.refused(2, "float", box, *wrong, code="usage")
        torn = self.box("torn.off", faces=FACES[1:])
        self.assertEqual(self.answer("float", torn, "--density", 500, expected=4)["status"], "open")


class Gz(ProgramTest):
    def test_a_barge_is_wall_sided(self):
        barge = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))
        answer = self.answer("gz", barge, "--density", 500, "--rho", 1000, "--heel", "-30:30:15")
        self.assertEqual(answer["heel_deg"], [-30, -15, 0, 15, 30])
        bm, gm = 16 / 12 / 1.5, 16 / 12 / 1.5 - 0.75
        error = CLIP * 10 * 4 * 3 * math.hypot(10, 4, 3) / 60  # moments of all, over the wet half
        for heel, arm in zip(answer["heel_deg"], answer["gz"]):
            angle = math.radians(heel)
            expected = math.sin(angle) * (gm + bm * math.tan(angle) ** 2 / 2)
            self.assertAlmostEqual(arm, expected, delta=error)
        self.assertAlmostEqual(answer["gm"], gm, delta=error)
        areas = answer["areas"]
        # Differences of energies, which are heights of less than a meter.
        self.assert_rounded(areas["0-40"], areas["0-30"] + areas["30-40"], 4, of=1)
        # The integral of sin (gm + bm tan^2 / 2) is gm (1 - cos) + bm (1 / cos + cos - 2) / 2.
        cosine = math.cos(math.radians(30))
        self.assertAlmostEqual(areas["0-30"],
                               gm * (1 - cosine) + bm * (1 / cosine + cosine - 2) / 2,
                               delta=error * 2)  # the difference of two heights
        self.assertIsNone(answer["vanishing_deg"])

    def test_curves_are_written_and_drawn(self):
        barge = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))
        table, plot = self.folder / "gz.csv", self.folder / "gz.svg"
        code, out, err = run("gz", barge, "--density", 500, "--heel", "0:180:30", "--csv", table,
                             "--plot", plot)
        self.assertEqual(code, 0, err)
        self.assertIn("vanishing angle", out)
        rows = table.read_text().splitlines()
        self.assertEqual(rows[0], "heel_deg,gz_m,trim_deg,plane_offset_m,energy_m,area_m_rad,piece,rim_height_m")
        self.assertEqual(len(rows), 8)
        self.assertEqual(ElementTree.parse(plot).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        drawing = plot.read_text()
        for text in ("Righting arms of box.off", "180°", "largest", "GM ", "vanishes at"):
            self.assertIn(text, drawing)
        self.assertEqual(drawing.count("stroke-width:2.5"), 1)  # the curve is one line

    def test_a_curve_goes_to_standard_output_and_no_file_is_written_twice(self):
        barge = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))
        given = ("gz", barge, "--density", 500, "--heel", "0:180:30")
        table = self.folder / "gz.csv"
        run(*given, "--csv", table)
        code, out, err = run(*given, "--csv", "-")
        self.assertEqual((code, out), (0, table.read_text()))
        self.assertIn("vanishing angle", err)
        self.refused(2, *given, "--csv", self.folder / "a.svg", "--plot", self.folder / "x" / ".." / "a.svg",
                     code="usage")
        code, out, _ = run(*given, "--csv", "-", "--json")
        self.assertEqual((code, json.loads(out)["error"]["where"]), (2, "--csv -"))
        error = self.refused(2, *given[:4], "--heel", "0:180:1e-300", code="usage")
        self.assertIn("found 1.8e+302 angles", error["message"])

    def test_a_table_has_nineteen_rows_unless_heels_are_asked_for(self):
        barge = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))
        given = ("gz", barge, "--density", 500)
        self.assertEqual(run(*given)[1].split("heel deg")[1].count("\n"), 1 + 19)
        self.assertEqual(len(self.answer(*given)["heel_deg"]), 181)
        self.assertEqual(run(*given, "--heel", "0:40:1")[1].split("heel deg")[1].count("\n"), 1 + 41)

    def test_no_component_is_minus_zero(self):
        box = self.box(size=(2, 1, 1), corner=(-1, -0.5, -0.5))
        self.assertNotIn("-0.000000", run("float", box, "--density", 500)[1])
        for turn in ("-1,-0.0,0,-0.0,0,-1,0,0,0,0,1,-0.0,0,0,0,1", "1,0,0,0,0,-1,0,0,0,0,-1,0,0,0,0,1"):
            words = run("submerge", box, "--plane", "0,0,-1,0.5", "--pose", turn)[1]
            self.assertIn("waterplane area", words)
            self.assertNotRegex(words, r"-0( |$)")

    def test_where_no_trim_is_stable_it_is_said_that_there_is_no_curve(self):
        slab = self.box(size=(0.543, 2.268, 1.105))
        answer = self.answer("gz", slab, "--density", 500, "--heel", "0:10:5")
        self.assertEqual(answer["gz"], [None, None, None])
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["no_curve"])
        answer = self.answer("gz", slab, "--density", 500, "--heel", "0:10:5", "--trim", "fixed")
        self.assertEqual(answer["notices"], [])

    def test_the_answer_has_trim_level_and_energy(self):
        barge = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))
        answer = self.answer("gz", barge, "--density", 500, "--rho", 1000, "--heel", "0:40:20")
        self.assertEqual(list(answer), [
            "status", "notices", "floats", "heel_deg", "gz", "trim_deg", "plane_offset", "energy", "gm",
            "areas", "vanishing_deg", "loll_deg", "list_deg", "largest", "jumps", "rim_immersion_deg",
            "upright_trim_is_unstable"])
        for trim, level in zip(answer["trim_deg"], answer["plane_offset"]):
            self.assertAlmostEqual(trim, 0, delta=1e-12)
            self.assertAlmostEqual(level, 0, delta=1e-14)
        # Upright G is 0.75 m over B; by 40 degrees the energy has risen by the area.
        self.assertAlmostEqual(answer["energy"][0], 0.75, delta=1e-14)
        self.assertAlmostEqual(answer["energy"][2] - answer["energy"][0], answer["areas"]["0-40"],
                               delta=1e-14)
        self.assertEqual((answer["jumps"], answer["rim_immersion_deg"]), ([], []))
        self.assertFalse(answer["upright_trim_is_unstable"])

    # GZ = sin phi (GM + BM tan^2 phi / 2) has its second root at tan^2 phi = -2 GM / BM.
    def test_the_angle_of_loll_is_said_and_marked(self):
        barge = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))
        plot, bm, gm = self.folder / "gz.svg", 16 / 12 / 1.5, -0.1
        given = ["gz", barge, "--density", 500, "--rho", 1000, "--com", f"0,0,{bm - gm - 0.75}"]
        answer = self.answer(*given, "--plot", plot)
        loll = math.degrees(math.atan(math.sqrt(-2 * gm / bm)))
        self.assertAlmostEqual(answer["loll_deg"], loll, delta=1e-8)
        self.assertIn(f"angle of loll {loll:.1f}°", plot.read_text())
        self.assertIn("angle of loll", run(*given)[1])
        self.assertIsNone(answer["list_deg"])

    # With its weight y to the side it rests where sin phi (GM + BM tan^2 phi / 2) = -y cos phi.
    def test_a_list_is_said_and_marked_on_either_side(self):
        barge = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))
        plot, bm, gm = self.folder / "gz.svg", 16 / 12 / 1.5, 0.2
        for y in (-0.05, 0.05):
            given = ["gz", barge, "--density", 500, "--rho", 1000, "--com",
                     f"0,{y},{bm - gm - 0.75}", "--heel", "-60:60:10"]
            answer = self.answer(*given, "--plot", plot)
            tangent = math.tan(math.radians(answer["list_deg"]))
            self.assertAlmostEqual(tangent * (gm + bm * tangent**2 / 2), -y, delta=1e-10)
            self.assertIsNone(answer["loll_deg"])
            self.assertIn(f"list {answer['list_deg']:.1f}°", plot.read_text())
            self.assertIn("angle of list", run(*given)[1])

    def test_an_angle_that_was_asked_for_is_said_as_it_was(self):
        barge = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))
        for last in (10, 60 / 7, 15, 14.9):  # 15 degrees in radians are 15 - 2e-15 again, 14.9 are more
            largest = self.answer("gz", barge, "--density", 500, "--heel", f"0:{last!r}:{last!r}")["largest"]
            self.assertEqual(largest["heel_deg"], last)

    # The oracle of righting_arms_trim_test.cpp has the numbers; here it is how they are said.
    def test_a_jump_of_the_trim_is_said_and_breaks_the_line(self):
        corners = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
        body = self.write("tet.off", off(corners, [(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)]))
        table, plot = self.folder / "gz.csv", self.folder / "gz.svg"
        answer = self.answer("gz", body, "--density", 205, "--heel", "0:120:1", "--csv", table,
                             "--plot", plot)
        self.assertTrue(answer["upright_trim_is_unstable"])
        (jump,) = answer["jumps"]
        self.assertAlmostEqual(jump, answer["vanishing_deg"], delta=1e-8)
        trims, gz = answer["trim_deg"], answer["gz"]
        after = math.ceil(jump)
        self.assertGreater(abs(trims[after] - trims[after - 1]), 19)
        self.assertLess(gz[0], 0)
        self.assertLess(answer["gm"], 0)
        self.assertIsNone(answer["loll_deg"])  # upright is no pose of rest
        rows = [line.split(",") for line in table.read_text().splitlines()[1:]]
        self.assertEqual([row[6] for row in rows], ["0"] * after + ["1"] * (121 - after))
        # Trapezoids of a degree are off by h^3 / 12 of the change of slope, 3: by 1e-4.
        area = sum((a + b) / 2 for a, b in zip(gz[:30], gz[1:31])) * math.pi / 180
        self.assertAlmostEqual(area, answer["areas"]["0-30"], delta=1e-4)
        self.assertAlmostEqual(float(rows[30][5]), answer["areas"]["0-30"], delta=1e-14)
        self.assertEqual(plot.read_text().count("stroke-width:2.5"), 2)
        self.assertIn("trim jumps at", plot.read_text())
        words = run("gz", body, "--density", 205, "--heel", "0:120:30")[1]
        self.assertIn("a trim of 0 is unstable", words)
        self.assertIn("the trim jumps from", words)

    def test_where_heel_is_neutral_the_arms_are_zero_and_all_is_a_number(self):
        ball = self.write("ball.json", json.dumps({"shape": "sphere", "radius": 1.5}))
        rod = self.write("rod.json", json.dumps({"shape": "cylinder", "radius": 1, "height": 4}))
        for body, *more in ((ball,), (ball, "--axis", "1,2,0.5"), (ball, "--trim", "fixed"),
                            (rod, "--up", "1,0,0", "--axis", "0,0,1"),
                            (rod, "--up", "1,0,0", "--axis", "0,1,0"),
                            (rod, "--axis", "0,1,0", "--trim", "fixed")):
            table, plot = self.folder / "gz.csv", self.folder / "gz.svg"
            given = ["gz", body, "--density", 500, "--heel", "-180:180:30", *more, "--csv", table,
                     "--plot", plot]
            answer = self.answer(*given)
            if body == ball or "0,0,1" in more:
                self.assertEqual(answer["gz"], [0] * 13)
                self.assertEqual(answer["gm"], 0)
                self.assertIsNone(answer["vanishing_deg"])
            code, words, _ = run(*given)
            self.assertEqual(code, 0)
            for text in (words, table.read_text(), plot.read_text()):
                self.assertNotRegex(text, r"(?i)(?<![a-z])-?(nan|inf)(?![a-z])")

    # Half in water, 4 wide and 3 high: the edge of the deck goes under at atan(1.5 / 2).
    def test_the_arms_of_an_open_hull_end_where_its_rim_goes_under(self):
        faces = [face for face in FACES if face not in ((4, 5, 7), (4, 7, 6))]
        hull = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5), faces=faces)
        table, plot = self.folder / "gz.csv", self.folder / "gz.svg"
        given = ["gz", hull, "--mass", 60000, "--rho", 1000, "--com", "0,0,-0.2"]
        answer = self.answer(*given, "--heel", "-60:60:20", "--csv", table, "--plot", plot)
        angle = math.degrees(math.atan(1.5 / 2))
        self.assertEqual(answer["status"], "ok")
        self.assertEqual(len(answer["rim_immersion_deg"]), 2)
        for found, true in zip(answer["rim_immersion_deg"], (-angle, angle)):
            self.assertAlmostEqual(found, true, delta=1e-8)
        self.assertEqual([arm is None for arm in answer["gz"]],
                         [True, True, False, False, False, True, True])
        self.assertIsNotNone(answer["areas"]["0-30"])
        self.assertIsNone(answer["areas"]["0-40"])
        rows = table.read_text().splitlines()
        self.assertAlmostEqual(float(rows[4].split(",")[7]), 1.5, delta=1e-13)
        self.assertEqual(rows[1], "-60,,,,,,,")
        self.assertIn("rim under at", plot.read_text())
        words = run(*given)[1]
        self.assertIn("ok - open, with a dry rim", words)
        self.assertNotIn("closed", words)
        self.assertIn("degrees the rim goes under", words)
        # What an open mesh is filled with is not known.
        code, _, err = run("gz", hull, "--density", 500)
        self.assertEqual(code, 4)
        self.assertIn("--mass and --com", err)

    def test_a_unit_is_remarked_on_once(self):
        ship = self.box("ship.off", size=(60, 10, 6))
        for command, *more in (["gz", "--density", 500], ["submerge", "--plane", "0,0,1,3"],
                               ["float", "--density", 500, "--attitude", "fixed"], ["mass"]):
            code, _, err = run(command, ship, *more)
            self.assertEqual(code, 0, err)
            self.assertEqual(err.count("if its unit is the meter"), 1, err)

    def test_what_is_wrong_is_refused(self):
        box = self.box()
        for wrong in [["--heel", "0:180"], ["--heel", "0:180:0"], ["--heel", "10:0:1"],
                      ["--heel", "0:1e9:1"], ["--heel", "0:180:1e-9"], ["--axis", "0,0,1"],
                      ["--axis", "0,0,0"], ["--trim", "loose"], ["--pose", ROTATION]]:
            with self.subTest(wrong):
                self.refused(2, "gz", box, "--density", "500", *wrong, code="usage")

    def test_patches_float_as_triangles_and_it_is_said(self):
        # A ball of six rational patches would do; the teapot is there, three solids in each other.
        pot = pathlib.Path(os.environ["PLIMSOLL_SOURCE_DIR"], "scenes", "teapot.bpt")
        shape = self.write("pot.json", json.dumps({"shape": "bezier", "file": str(pot)}))
        code, out, err = run("float", shape, "--density", "500", "--starts", "8", "--json")
        self.assertEqual(code, 4, err)
        self.assertRegex(err, "cut into [0-9]+ triangles, no farther than")
        answer = json.loads(out)
        self.assertEqual(answer["status"], "self_intersecting")
        # Newell's teapot has 26.1701 m^3 (teapot_test.cpp); the triangles lie within the surface of
        # 44 m^2 and no farther from it than is said.
        flatness = float(re.search("no farther than ([0-9.e-]+)", err)[1])
        self.assertAlmostEqual(answer["volume"], 26.1701, delta=flatness * 44 + 5e-5)
        self.assertTrue(answer["equilibria"][0]["stable"])


if __name__ == "__main__":
    unittest.main()
