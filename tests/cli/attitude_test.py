"""How a floating body lies: heel and trim, and whether it would stay so."""
import math
import unittest

from program import FACES, ProgramTest, box, off, run

FLIPPED = [face[::-1] if number == 0 else face for number, face in enumerate(FACES)]


class Attitude(ProgramTest):
    def test_the_attitude_of_a_held_body_is_that_of_its_file(self):
        box = self.box(size=(8, 4, 3), corner=(-4, -2, -1.5))
        given = ("float", box, "--density", 500, "--rho", 1000, "--attitude", "fixed")
        c, s = math.cos(math.radians(15)), math.sin(math.radians(15))
        about_x = f"1,0,0,3,0,{c},{-s},0,0,{s},{c},0,0,0,0,1"
        about_y = f"{2 * c},0,{2 * s},0,0,2,0,5,{-2 * s},0,{2 * c},0,0,0,0,1"
        for more, heel, trim in (([], 0, 0), (["--pose", about_x], 15, 0), (["--pose", about_y], 0, -15),
                                 (["--up", f"0,{s},{c}"], 15, 0), (["--up", f"{s},0,{c}"], 0, 15)):
            with self.subTest(more=more):
                (found,) = self.answer(*given, *more)["equilibria"]
                self.assertAlmostEqual(found["heel_deg"], heel, delta=1e-12)
                self.assertAlmostEqual(found["trim_deg"], trim, delta=1e-12)
                self.assertIn(f"{heel or 0:10.2f}{trim or 0:10.2f}", run(*given, *more)[1])
        # The picture says it too: it is another one where the body is held as it lies.
        pictures = []
        for more in ([], ["--up", f"0,{s},{c}"], ["--pose", about_x]):
            out = self.folder / "out.png"
            self.answer(*given, *more, "--picture", out)
            pictures.append(out.read_bytes())
        self.assertNotEqual(pictures[0], pictures[1])

    # A body let go lies by the same angles as one that is held in the pose found.
    def test_a_free_body_has_the_attitude_of_its_pose(self):
        box = self.box(size=(8, 4, 3), corner=(-4, -2, -1.5))
        given = ("float", box, "--density", 500, "--rho", 1000, "--com", "0.1,-0.2,0")
        free = max(self.answer(*given)["equilibria"], key=lambda found: found["up_body"][2])
        self.assertGreater(free["heel_deg"], 1)  # down where the weight is, at negative y
        self.assertLess(free["trim_deg"], 0)  # and at positive x, the axis points under the water
        pose = ",".join(repr(x) for row in free["pose"] for x in row)
        (held,) = self.answer(*given, "--attitude", "fixed", "--pose", pose)["equilibria"]
        self.assertAlmostEqual(held["heel_deg"], free["heel_deg"], delta=1e-9)
        self.assertAlmostEqual(held["trim_deg"], free["trim_deg"], delta=1e-9)
        self.assertTrue(held["stable"])

    def test_a_held_body_that_would_turn_is_not_said_to_rest(self):
        barge = self.box(size=(10, 4, 3), corner=(-5, -2, -1.5))
        given = ["float", barge, "--density", 500, "--rho", 1000, "--attitude", "fixed", "--com"]
        (found,) = self.answer(*given, "0,0.25,0")["equilibria"]
        self.assertFalse(found["stable"])
        self.assertAlmostEqual(found["residual"], 0.25 / 120**(1 / 3), delta=1e-12)
        words = run(*given, "0,0.25,0")[1]
        self.assertIn("held, not at rest", words)
        self.assertIn("righting arm 0.25 m", words)
        for height, expected in ((0, True), (5, False)):
            (found,) = self.answer(*given, f"0,0,{height}")["equilibria"]
            self.assertEqual(found["stable"], expected)
            words = run(*given, f"0,0,{height}")[1]
            self.assertIn("held, stable" if expected else "held, unstable", words)
            self.assertNotIn("righting arm", words)


class Rims(ProgramTest):
    """Hulls that do not close, and boxes with a face that is turned over."""

    def hull(self):
        faces = [face for face in FACES if face not in ((4, 5, 7), (4, 7, 6))]
        return self.box(size=(10, 4, 3), corner=(-5, -2, -1.5), faces=faces)

    # In a shallow bath no start ends with the rim under water.
    def test_poses_whose_rims_are_dry_are_sound(self):
        given = ["float", self.hull(), "--mass", 12000, "--rho", 1000, "--com", "0,0,-30"]
        answer = self.answer(*given, expected=4)  # poses may be missing
        self.assertTrue(all(found["rim_lowest"] > 0 for found in answer["equilibria"]))
        self.assertEqual((answer["status"], answer["complete"]), ("ok", "incomplete"))
        self.assertIn("ok - open, with a dry rim", run(*given)[1])

    def test_a_closed_mesh_with_a_face_turned_over_is_not_called_open(self):
        part = self.box("flip.off", size=(10, 4, 3), corner=(-5, -2, -1.5), faces=FLIPPED)
        other = self.box("other.off", corner=(20, 0, 0))
        for command in (["mass", part], ["float", part, "--density", 500], ["gz", part, "--density", 500],
                        ["gz", part, "--mass", 60000, "--com", "0,0,0"], ["distance", part, other],
                        ["submerge", part, "--plane", "0,0,1,0"], ["distance", other, part]):
            with self.subTest(command=command[0]):
                code, out, err = run(*command)
                self.assertEqual(code, 4, err)
                self.assertIn("inconsistent", out)
                self.assertNotRegex(out + err, r"\bopen\b|\brim\b")
                answer = self.answer(*command, expected=4)
                self.assertEqual(answer["status"], "inconsistent")
                self.assertNotIn("open", [notice["code"] for notice in answer["notices"]])
        self.assertIn("B is not turned one way", run("distance", other, part)[1])
        hull = self.hull()
        self.assertIn("A is open and B is not turned one way", run("distance", hull, self.box(
            "far.off", corner=(20, 0, 0), faces=FLIPPED))[1])


if __name__ == "__main__":
    unittest.main()
