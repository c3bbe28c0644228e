"""`plimsoll distance`: what it answers, in which form, and what it refuses."""
import json
import math
import unittest

from program import FACES, ProgramTest, off, run


def moved(x, y, z, scale=1):
    return f"{scale},0,0,{x},0,{scale},0,{y},0,0,{scale},{z},0,0,0,1"


class Distance(ProgramTest):
    def test_the_answer_has_the_members_of_the_reference(self):
        box = self.box()
        answer = self.answer("distance", box, box, "--pose-b", moved(3, 0.25, 0))
        self.assertEqual(list(answer), ["status", "method", "notices", "distance", "surface_distance",
                                        "contained", "overlaps", "point_a", "point_b", "bounds"])
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
            self.assertIs(answer["overlaps"], True)
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
        self.assertEqual((crossing["contained"], crossing["overlaps"]), ("no", True))
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
        self.assertEqual((answer["distance"], answer["contained"], answer["overlaps"]), (0, "b_in_a", True))
        self.assertEqual(answer["notices"], [])
        self.assertIn("the surfaces touch, and B lies in A",
                      run("distance", box, box, "--pose-b", moved(0.25, 0, 0.25, scale=0.5))[1])
        # In an arm of an L, which is not convex.
        profile = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
        angle = self.write("angle.off", off(
            [(x, y, z) for z in (0, 1) for x, y in profile],
            [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4), (6, 7, 8), (6, 8, 9), (6, 9, 10), (6, 10, 11)]
            + [(i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6) for i in range(6)]))
        answer = self.answer("distance", box, angle)
        self.assertEqual((answer["distance"], answer["contained"], answer["overlaps"], answer["notices"]),
                         (0, "a_in_b", True, []))
        # Half of it in the notch.
        answer = self.answer("distance", box, angle, "--pose-a", moved(0.5, 0.5, 0))
        self.assertEqual((answer["contained"], answer["overlaps"]), ("no", True))
        for pose, overlaps in ((moved(1, 0, 0), False), (moved(1, 1, 1), False), (moved(0.5, 0, 0), True)):
            answer = self.answer("distance", box, box, "--pose-b", pose)
            self.assertEqual((answer["distance"], answer["contained"], answer["notices"]), (0, "no", []))
            self.assertIs(answer["overlaps"], overlaps)

    def test_boxes_of_a_shape_are_triangles_and_curved_shapes_are_refused(self):
        shape = self.write("box.json", json.dumps(
            {"shape": "box", "size": [1, 1, 1],
             "pose": [1, 0, 0, 0.5, 0, 1, 0, 0.5, 0, 0, 1, 0.5, 0, 0, 0, 1]}))
        by_shape = self.answer("distance", shape, shape, "--pose-b", moved(3, 4, 0))
        by_mesh = self.answer("distance", self.box(), self.box(), "--pose-b", moved(3, 4, 0))
        self.assertEqual(by_shape["distance"], by_mesh["distance"])
        self.assertEqual((by_shape["contained"], by_shape["overlaps"]), ("no", False))
        self.assertGreater(self.answer("pairs", shape, self.box(), "--pose-b", moved(1, 0, 0))["pairs"], 0)
        for curved in ({"shape": "sphere", "radius": 1}, {"shape": "cylinder", "radius": 1, "height": 1},
                       {"shape": "union", "of": [{"shape": "box", "size": [1, 1, 1]}]}):
            ball = self.write("ball.json", json.dumps(curved))
            for command in ("distance", "pairs"):
                self.refused(3, command, ball, self.box(), code="unavailable")

    def test_an_open_mesh_has_the_distance_of_its_surface_alone(self):
        box, pot = self.box(), self.box("pot.off", faces=FACES[:-2])
        answer = self.answer("distance", box, pot, "--pose-a", moved(0.25, 0.25, 0.25, scale=0.5),
                             expected=4)
        self.assertEqual((answer["status"], answer["contained"], answer["overlaps"]), ("open", None, None))
        self.assertEqual((answer["distance"], answer["surface_distance"]), (0.25, 0.25))
        crossing = self.answer("distance", box, pot, "--pose-a", moved(0.5, 0.5, 0.3), expected=4)
        self.assertEqual((crossing["surface_distance"], crossing["contained"], crossing["overlaps"]),
                         (0, None, None))
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

    def test_bounds_with_a_tolerance_hold_and_are_as_near_as_it_says(self):
        box = self.box()
        answer = self.answer("distance", box, box, "--pose-b", moved(3, 0.25, 0), "--tolerance", "0.01")
        low, high = answer["bounds"]
        self.assertTrue(low <= 2 <= high <= 1.0101 * low)
        self.refused(2, "distance", box, box, "--tolerance", "-1", code="usage")
        self.refused(2, "distance", box, box, "--tolerance", "1e-3", "--method", "spheres", code="usage")

    def test_a_search_ends_where_it_may_not_take_the_work(self):
        box = self.box()
        pose = ("--pose-b", moved(3, 0.25, 0))
        self.assertEqual(self.answer("distance", box, box, *pose, "--max-work", "1")["distance"], 2)
        error = self.refused(6, "distance", box, box, *pose, "--max-work", "1e-9", code="resource_limit")
        self.assertEqual(error["where"], "max_work")

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
