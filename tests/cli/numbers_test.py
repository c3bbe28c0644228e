"""Numbers that pass through a pose, a unit or a sum on their way to the answer."""
import csv
import json
import math
import re
import unittest

from program import FACES, ProgramTest

TURNED = "0,-1,0,5,1,0,0,6,0,0,1,7,0,0,0,1"  # a quarter turn about z, then moved
TWICE = "2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,1"


class Mass(ProgramTest):
    def test_a_volume_near_the_least_double_is_not_called_known(self):
        # The least double is 5e-324: of 1e-319 that is over a millionth, of 1e-314 it is not.
        box = self.box(size=(1, 1e-157, 1e-157))
        self.assertEqual(self.answer("mass", box)["status"], "ok")
        box = self.box(size=(1, 1e-159, 1e-160))
        self.assertEqual(self.answer("mass", box, expected=4)["status"], "tolerance")

    def test_an_assembly_shows_the_worst_closure_of_its_parts(self):
        torn = self.box("torn.off", faces=FACES[1:])
        whole = self.box("whole.off", corner=(3, 0, 0))
        for order in ((torn, whole), (whole, torn)):
            answer = self.answer("mass", *order, expected=4)
            parts = [part["input"]["closure_residual"] for part in answer["parts"]]
            self.assertGreater(max(parts), 0)
            self.assertEqual(answer["input"]["closure_residual"], max(parts))


    def test_an_estimate_of_more_than_a_tenth_is_no_answer(self):
        wire = self.write("wire.json", json.dumps({"shape": "torus", "major": 3, "minor": 0.05}))
        for pixels, code, status in ((8, 4, "tolerance"), (64, 0, "ok")):
            answer = self.answer("mass", wire, "--method", "image", "--resolution", pixels,
                                 expected=code)
            self.assertEqual(answer["status"], status)
            self.assertEqual(answer["error_estimate"]["volume"] > 0.1 * answer["volume"], code == 4)

    def test_patches_have_an_estimate_and_meshes_a_bound(self):
        flat = [[x, y, 0] for x in (0, 1) for y in (0, 1)]
        patches = self.folder / "lid.bpt"
        corners = "\n".join(" ".join(map(str, point)) for point in flat)
        patches.write_text(f"1\n1 1\n{corners}\n")
        shape = self.write("lid.json", json.dumps({"shape": "bezier", "file": "lid.bpt"}))
        answer = self.answer("mass", shape, expected=4)
        self.assertIsNone(answer["error_bound"])
        self.assertIsNotNone(answer["error_estimate"])
        answer = self.answer("mass", self.box())
        self.assertIsNone(answer["error_estimate"])
        self.assertIsNotNone(answer["error_bound"])

    def test_defects_are_where_they_are_said_to_be(self):
        # The face (0, 2, 3) is away: its edges are there, each with a triangle on one side.
        defects = self.answer("mass", self.box(faces=FACES[1:]), expected=4)["defects"]
        self.assertEqual(sorted(defect["at"] for defect in defects),
                         [[0, 0.5, 0], [0.5, 0.5, 0], [0.5, 1, 0]])


class Submerge(ProgramTest):
    def test_what_could_not_be_decided_is_not_called_sound(self):
        formula = self.write("f.json", json.dumps(
            {"shape": "implicit", "expression": "sin(1/(x^2+y^2+z^2)^4)",
             "bounds": [[-1] * 3, [1] * 3]}))
        answer = self.answer("submerge", formula, "--plane", "0,0,1,0", "--method", "image",
                             "--resolution", "1", expected=4)
        self.assertEqual(answer["status"], "tolerance")

    def test_a_pose_is_put_onto_the_pose_that_a_shape_has(self):
        # 2 x 4 x 6 about the origin, moved by (1, 0, 0) and then turned and moved by the option.
        shape = self.write("s.json", json.dumps(
            {"shape": "box", "size": [2, 4, 6],
             "pose": [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}))
        answer = self.answer("submerge", shape, "--plane", "0,0,1,7", "--pose", TURNED)
        self.assertAlmostEqual(answer["volume"], 24, delta=1e-12)
        for found, true in zip(answer["center_of_buoyancy"], (5, 7, 5.5)):
            self.assertAlmostEqual(found, true, delta=1e-12)


class Float(ProgramTest):
    def test_a_held_beam_that_rolls_over_is_not_stable(self):
        # GM along the beam is 10^3 / 12 / 5 - 1/4, across it 1 / 12 / (1/2) - 1/4.
        answer = self.answer("float", self.box(size=(10, 1, 1)), "--density", 500, "--rho", 1000,
                             "--attitude", "fixed")
        (found,) = answer["equilibria"]
        self.assertAlmostEqual(found["metacentric_heights"][0], 1 / 6 - 1 / 4, delta=1e-12)
        self.assertAlmostEqual(found["metacentric_heights"][1], 50 / 3 - 1 / 4, delta=1e-10)
        self.assertFalse(found["stable"])

    def test_a_held_body_has_its_center_of_buoyancy_in_the_frame_of_the_file(self):
        answer = self.answer("float", self.box(size=(2, 4, 6)), "--density", 250, "--rho", 1000,
                             "--attitude", "fixed", "--pose", TURNED)
        (found,) = answer["equilibria"]
        for value, true in zip(found["center_of_buoyancy"], (1, 2, 0.75)):
            self.assertAlmostEqual(value, true, delta=1e-12)

    def test_a_center_of_mass_grows_with_the_body(self):
        # 0.4 below the middle of a cube that the pose makes twice as large: BG is 0.8 - 0.5.
        answer = self.answer("float", self.box(), "--density", 500, "--rho", 1000, "--com",
                             "0.5,0.5,0.1", "--pose", TWICE)
        upright = [found for found in answer["equilibria"]
                   if found["up_body"][2] > 1 - 1e-9 and found["stable"]]
        self.assertEqual(len(upright), 1)
        for height in upright[0]["metacentric_heights"]:
            self.assertAlmostEqual(height, 16 / 12 / 4 - (0.2 - 0.5), delta=1e-11)


    def test_a_residual_is_relative_to_the_size(self):
        found = []
        for size in (1, 1024):
            box = self.box(size=(2 * size, 4 * size, 6 * size))
            answer = self.answer("float", box, "--density", 300, "--attitude", "fixed", "--up",
                                 "1,2,3")
            found.append(answer["equilibria"][0]["residual"])
        self.assertGreater(found[0], 0.1)
        self.assertAlmostEqual(found[0], found[1], delta=1e-12)


class Gz(ProgramTest):
    def barge(self):
        return self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))

    def test_the_area_to_40_degrees_is_that_of_the_closed_form(self):
        # Wall-sided as far as the deck stays dry: at 40 degrees a barge of depth 6 in all.
        tall = self.box(size=(10, 4, 6), corner=(-5, -2, -3))
        answer = self.answer("gz", tall, "--density", 500, "--rho", 1000, "--com", "0,0,-1.5",
                             "--heel", "0:40:10")
        bm, gm = 16 / 12 / 3, 16 / 12 / 3
        cosine = math.cos(math.radians(40))
        self.assertAlmostEqual(answer["areas"]["0-40"],
                               gm * (1 - cosine) + bm * (1 / cosine + cosine - 2) / 2, delta=1e-11)

    def test_the_vanishing_angle_is_in_degrees(self):
        answer = self.answer("gz", self.barge(), "--density", 500, "--rho", 1000, "--heel",
                             "0:180:5")
        # Half immersed it is the same body either way up: nothing rights it at a right angle.
        self.assertAlmostEqual(answer["vanishing_deg"], 90, delta=1e-6)

    def test_the_last_angle_counts_though_steps_of_a_tenth_are_no_doubles(self):
        answer = self.answer("gz", self.barge(), "--density", 500, "--heel", "0:0.3:0.1")
        self.assertEqual(len(answer["heel_deg"]), 4)

    @staticmethod
    def height_at(x, drawn):
        """Of a line through points that ascend."""
        for (x0, y0), (x1, y1) in zip(drawn, drawn[1:]):
            if x <= x1 + 1e-6:
                return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        raise AssertionError(f"the curve ends before {x}")

    def test_the_table_has_trims_in_degrees_and_the_picture_arms_upward(self):
        # Heavier at one end: it trims by the slope of G against the metacenter, in radians 0.5
        # over GM along the hull, to first order.
        table, plot = self.folder / "gz.csv", self.folder / "gz.svg"
        self.answer("gz", self.barge(), "--density", 500, "--rho", 1000, "--com", "0.05,0,0",
                    "--heel", "0:40:10", "--csv", table, "--plot", plot)
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        gm_along = 100 / 12 / 1.5 - 0.75
        self.assertAlmostEqual(abs(float(rows[0]["trim_deg"])), math.degrees(0.05 / gm_along),
                               delta=0.01)
        (curve,) = re.findall(r'<path style="[^"]*stroke-width:2.5;[^"]*" d="M ([^"CZ]*)"',
                              plot.read_text())
        drawn = sorted(tuple(map(float, point.split())) for point in curve.split("L"))
        arms = [float(row["gz_m"]) for row in rows]
        (first, _), (last, _) = drawn[0], drawn[-1]
        heights = [self.height_at(first + (last - first) * k / (len(arms) - 1), drawn)
                   for k in range(len(arms))]
        self.assertEqual(heights.index(min(heights)), arms.index(max(arms)))


class Simulate(ProgramTest):
    def scene(self, *bodies):
        return self.write("scene.json", json.dumps({"gravity": [0, 0, 0], "fluid": {"density": 0},
                                                    "bodies": bodies}))

    def rows(self, scene, *arguments):
        path = self.folder / "trajectory.csv"
        self.answer("simulate", scene, *arguments, "--out", path)
        with open(path, newline="") as file:
            return [{key: float(value) for key, value in row.items() if key != "body"}
                    for row in csv.DictReader(file)]

    def test_a_spinning_ball_turns_by_quaternions_that_do_not_jump(self):
        ball = {"shape": {"shape": "sphere", "radius": 1}, "density": 1,
                "angular_velocity": [1, 2, 3]}
        rows = self.rows(self.scene(ball), "--seconds", "4", "--dt", "0.05")
        for before, row in zip(rows, rows[1:]):
            for axis, rate in zip("xyz", (1, 2, 3)):
                self.assertAlmostEqual(row["w" + axis], rate, delta=1e-12)
            self.assertGreater(sum(before[key] * row[key] for key in ("qw", "qx", "qy", "qz")), 0)
        # It has turned more than once around: the scalar part has been to -1.
        self.assertLess(min(row["qw"] for row in rows), -0.9)

    def test_one_broken_mesh_is_told_whatever_stands_behind_it(self):
        self.box("torn.off", faces=FACES[1:])
        self.box("whole.off")
        bodies = [{"shape": {"shape": "mesh", "file": name}, "density": 500}
                  for name in ("torn.off", "whole.off")]
        for order in (bodies, bodies[::-1]):
            answer = self.answer("simulate", self.scene(*order), "--seconds", "0.01", expected=4)
            self.assertEqual(answer["status"], "open")


if __name__ == "__main__":
    unittest.main()
