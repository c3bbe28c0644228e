"""`plimsoll distance`: what it answers, in which form, and what it refuses."""
import json
import math
import unittest

from program import FACES, ProgramTest, run


def moved(x, y, z, scale=1):
    return f"{scale},0,0,{x},0,{scale},0,{y},0,0,{scale},{z},0,0,0,1"


class Distance(ProgramTest):
    def test_the_answer_has_the_members_of_the_reference(self):
        box = self.box()
        answer = self.answer("distance", box, box, "--pose-b", moved(3, 0.25, 0))
        self.assertEqual(list(answer), ["status", "method", "notices", "distance", "surface_distance",
                                        "contained", "point_a", "point_b", "bounds"])
        self.assertEqual((answer["status"], answer["method"], answer["contained"]), ("ok", "exact", "no"))
        self.assertEqual((answer["distance"], answer["surface_distance"]), (2, 2))
        self.assertEqual(answer["point_a"][0], 1)
        self.assertEqual(answer["point_b"][0], 3)
        self.assertEqual(answer["point_a"][1:], answer["point_b"][1:])
        self.assertLessEqual(answer["bounds"][0], 2)
        self.assertGreaterEqual(answer["bounds"][1], 2)
        # 2^-43 of the largest distance of two corners.
        self.assertLess(answer["bounds"][1] - answer["bounds"][0], 2**-43 * 5)

    def test_corners_that_are_nearest_are_named(self):
        box = self.box()
        answer = self.answer("distance", box, box, "--pose-b", moved(2, 2, 2))
        self.assert_rounded(answer["distance"], math.sqrt(3), 4)
        self.assertEqual(answer["point_a"], [1, 1, 1])
        self.assertEqual(answer["point_b"], [2, 2, 2])
        out = run("distance", box, box, "--pose-b", moved(2, 2, 2))[1]
        self.assertIn("the bodies are apart", out)
        self.assertIn("1 1 1 m, a corner of triangle", out)

    def test_what_lies_inside_is_said(self):
        box = self.box()
        inside = moved(0.25, 0.25, 0.25, scale=0.5)
        for poses, which in ((("--pose-a", inside), "a_in_b"), (("--pose-b", inside), "b_in_a")):
            answer = self.answer("distance", box, box, *poses)
            self.assertEqual((answer["distance"], answer["surface_distance"], answer["contained"]),
                             (0, 0.25, which))
            self.assertEqual(answer["bounds"], [0, 0])
            self.assertIsNotNone(answer["point_a"])
        out = run("distance", box, box, "--pose-b", inside)[1]
        self.assertIn("B lies in A", out)

    def test_touching_and_crossing_are_told_apart(self):
        box = self.box()
        touching = self.answer("distance", box, box, "--pose-b", moved(1, 0.5, 0.25))
        self.assertEqual((touching["distance"], touching["surface_distance"], touching["contained"]),
                         (0, 0, "no"))
        self.assertEqual(touching["point_a"], touching["point_b"])
        crossing = self.answer("distance", box, box, "--pose-b", moved(0.5, 0.5, 0.25))
        self.assertEqual((crossing["distance"], crossing["bounds"]), (0, [0, 0]))
        self.assertIsNone(crossing["point_a"])
        self.assertIsNone(crossing["point_b"])
        out = run("distance", box, box, "--pose-b", moved(0.5, 0.5, 0.25))[1]
        self.assertIn(f"A {box} and B {box}: ok - the surfaces cross", out)
        self.assertIn("none, for the surfaces cross", out)

    def test_a_body_that_touches_from_within_is_not_said_to_be_outside(self):
        box = self.box()
        code, out, said = run("distance", box, box, "--pose-b", moved(0.25, 0, 0.25, scale=0.5), "--json")
        self.assertEqual(code, 0)
        answer = json.loads(out)
        self.assertEqual((answer["distance"], answer["contained"]), (0, None))
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["contained"])
        self.assertIn("whether it lies in that is not decided", said)
        for pose in (moved(1, 0, 0), moved(1, 1, 1), moved(0.5, 0, 0)):
            answer = self.answer("distance", box, box, "--pose-b", pose)
            self.assertEqual((answer["distance"], answer["contained"], answer["notices"]), (0, "no", []))

    def test_an_open_mesh_has_the_distance_of_its_surface_alone(self):
        box, pot = self.box(), self.box("pot.off", faces=FACES[:-2])
        answer = self.answer("distance", box, pot, "--pose-a", moved(0.25, 0.25, 0.25, scale=0.5),
                             expected=4)
        self.assertEqual((answer["status"], answer["contained"]), ("open", None))
        self.assertEqual((answer["distance"], answer["surface_distance"]), (0.25, 0.25))
        self.assertIn("B is open", run("distance", box, pot, "--pose-a",
                                            moved(0.25, 0.25, 0.25, scale=0.5))[1])

    def test_units_and_standard_input(self):
        box = self.box()
        answer = self.answer("distance", box, "-", "--input-format", "off", "--units", "mm", "--pose-b",
                             moved(0.003, 0, 0), stdin=box.read_bytes())
        self.assert_rounded(answer["distance"], 0.002, 4)
        self.refused(2, "distance", "-", "-", "--input-format", "off", code="usage")

    def test_poses_that_were_printed_with_few_digits_are_made_rotations_and_said(self):
        box = self.box()
        pose = "0.99999,0,0,3,0,1,0,0,0,0,1,0,0,0,0,1"
        answer = self.answer("distance", box, box, "--pose-b", pose)
        [notice] = answer["notices"]
        self.assertEqual((notice["code"], notice["option"]), ("pose", "--pose-b"))
        self.assertNotIn("file", notice)
        self.refused(2, "distance", box, box, "--pose-a", "1,1,0,0,0,1,0,0,0,0,1,0,0,0,0,1", code="usage")

    def test_what_is_not_there_yet_or_cannot_be_asked_is_refused(self):
        box = self.box()
        self.refused(2, "distance", box, code="usage")
        self.refused(2, "distance", box, box, "--method", "fast", code="usage")
        self.refused(2, "distance", box, box, "--spheres", "100", code="usage")
        self.refused(2, "distance", box, box, "--budget-us", "100", code="usage")
        self.refused(2, "distance", box, box, "--method", "spheres", "--budget-us", "0", code="usage")
        ball = self.write("ball.json", '{"shape": "sphere", "radius": 1}')
        error = self.refused(3, "distance", box, ball, code="unavailable")
        self.assertTrue(error["where"].endswith("ball.json"))


if __name__ == "__main__":
    unittest.main()
