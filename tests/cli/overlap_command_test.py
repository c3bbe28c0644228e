"""`plimsoll overlap`: what the exact method answers, in which form, and what it refuses."""
import json
import unittest

from program import FACES, ProgramTest, box, off, run

MEMBERS = ["status", "method", "notices", "volume", "center", "bounds", "force_a", "torque_a", "force_b", "torque_b",
           "force_model", "one_sided", "patch_areas", "curve_length", "contacts", "pieces", "coverage", "separation", "complete"]


def moved(x, y, z, scale=1):
    return f"{scale},0,0,{x},0,{scale},0,{y},0,0,{scale},{z},0,0,0,1"


class Overlap(ProgramTest):
    def test_cubes_share_a_box(self):
        box = self.box()
        answer = self.answer("overlap", box, box, "--pose-b", moved(0.75, 0.5, 0.25))
        self.assertEqual(list(answer), MEMBERS)
        self.assertEqual((answer["status"], answer["method"], answer["force_model"]), ("ok", "exact", "gradient"))
        # All numbers on the way have few digits.
        self.assertEqual(answer["volume"], 0.25 * 0.5 * 0.75)
        self.assertEqual(answer["center"], [0.875, 0.75, 0.625])
        self.assertEqual(answer["force_a"], [-0.375, -0.1875, -0.125])
        self.assertEqual(answer["force_b"], [0.375, 0.1875, 0.125])
        # Each of A's three faces is pushed in the middle of its part, about A's origin; a few roundings of 1.
        for found, wanted in zip(answer["torque_a"], (0.0234375, -0.125, 0.1171875)):
            self.assertAlmostEqual(found, wanted, delta=2**-49)
        self.assertEqual(len(answer["contacts"]), 1)
        self.assertEqual(answer["contacts"][0]["force_a"], answer["force_a"])
        self.assertEqual(answer["patch_areas"], [0.6875, 0.6875])
        self.assertIs(answer["one_sided"], False)
        self.assertLessEqual(answer["bounds"][0], answer["volume"])
        self.assertGreaterEqual(answer["bounds"][1], answer["volume"])
        text = run("overlap", box, box, "--pose-b", moved(0.75, 0.5, 0.25))[1]
        for words in ("the bodies share 9.38 % of", "mean depth that way", "A wants to go"):
            self.assertIn(words, text)

    def test_bodies_that_touch_share_nothing(self):
        box = self.box()
        for pose in (moved(1, 0, 0), moved(1, 0.5, 0.25), moved(1, 1, 0), moved(1, 1, 1), moved(-1, 0, 0)):
            answer = self.answer("overlap", box, box, "--pose-b", pose)
            self.assertEqual((answer["volume"], answer["center"], answer["bounds"]), (0, None, [0, 0]))
            self.assertEqual((answer["force_a"], answer["torque_a"], answer["contacts"]), ([0, 0, 0], [0, 0, 0], []))
            self.assertIs(self.answer("distance", box, box, "--pose-b", pose)["overlaps"], False)

    def test_faces_in_one_plane_make_the_force_one_sided(self):
        box = self.box()
        answer = self.answer("overlap", box, box, "--pose-b", moved(0.5, 0, 0))
        self.assertEqual(answer["volume"], 0.5)
        self.assertIs(answer["one_sided"], True)
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["one_sided"])
        self.assertIs(self.answer("distance", box, box, "--pose-b", moved(0.5, 0, 0))["overlaps"], True)
        same = self.answer("overlap", box, box)
        self.assertEqual((same["volume"], same["center"]), (1, [0.5, 0.5, 0.5]))

    def test_a_way_apart_is_as_long_as_cubes_are_deep(self):
        box = self.box()
        answer = self.answer("overlap", box, box, "--pose-b", moved(0.75, 0.125, 0), "--separate")
        # Ways are not made shorter for less than a millionth.
        self.assertAlmostEqual(answer["separation"]["length"], 0.25, delta=1e-6)
        x, y, z = answer["separation"]["translation"]
        apart = self.answer("overlap", box, box, "--pose-a", moved(x, y, z), "--pose-b", moved(0.75, 0.125, 0))
        self.assertEqual(apart["volume"], 0)

    def test_pieces_are_listed_where_they_are_asked_for(self):
        two_boxes = off(box() + box(size=(1, 2, 1), corner=(3, 0, 0)), FACES + [[8 + v for v in face] for face in FACES])
        posts, bar = self.write("posts.off", two_boxes), self.box("bar.off", size=(6, 4, 0.5))
        pose = moved(-1, -1, 0.25)
        answer = self.answer("overlap", posts, bar, "--pose-b", pose, "--pieces")
        self.assertEqual([piece["volume"] for piece in answer["pieces"]], [1, 0.5])
        for piece, center in zip(answer["pieces"], ([3.5, 1, 0.5], [0.5, 0.5, 0.5])):
            for found, wanted in zip(piece["center"], center):
                self.assertAlmostEqual(found, wanted, delta=2**-49)  # a few roundings of 4
        self.assertIsNone(self.answer("overlap", posts, bar, "--pose-b", pose)["pieces"])
        text = run("overlap", posts, bar, "--pose-b", pose, "--pieces")[1]
        self.assertIn("it is in              2 pieces", text)
        crossing = off(box() + box(corner=(0.5, 0.25, 0.125)), FACES + [[8 + v for v in face] for face in FACES])
        answer = self.answer("overlap", self.write("crossing.off", crossing), bar, "--pose-b", pose, "--pieces", expected=4)
        self.assertIsNone(answer["pieces"])
        self.assertIn("pieces", [notice["code"] for notice in answer["notices"]])

    def test_a_budget_leaves_bounds_that_hold(self):
        box = self.box()
        answer = self.answer("overlap", box, box, "--pose-b", moved(0.75, 0.5, 0.25), "--budget-us", "1e6")
        self.assertIs(answer["complete"], True)
        code, out, _ = run("overlap", box, box, "--pose-b", moved(0.75, 0.5, 0.25), "--budget-us", "1e-3", "--json")
        hurried = json.loads(out)
        self.assertEqual((code, hurried["status"]), (0, "ok") if hurried["complete"] else (4, "tolerance"))
        self.assertLessEqual(hurried["bounds"][0], 0.09375)
        self.assertGreaterEqual(hurried["bounds"][1], 0.09375)

    def test_forces_that_cancel_have_no_direction(self):
        bar, plate = self.box("bar.off", (0.2, 0.2, 9)), self.box("plate.off", (3, 3, 0.5))
        text = run("overlap", bar, plate, "--pose-a", moved(1, 1.2, -4), "--pose-b", "0.6,0.8,0,0,-0.8,0.6,0,3,0,0,1,0,0,0,0,1")[1]
        self.assertIn("nowhere: forces cancel", text)
        self.assertNotIn("mean depth", text)

    def test_a_surface_that_crosses_itself_is_not_ok(self):
        # One shell: its two ends are tied across each other.
        path = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (1, 2, 0), (1, -1, 0.05)]
        square = ((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2))
        vertices, faces = [], []
        for k, (x, y, z) in enumerate(path):
            way = [b - a for a, b in zip(path[max(k - 1, 0)], path[min(k + 1, len(path) - 1)])]
            size = (way[0] ** 2 + way[1] ** 2) ** 0.5
            side = (-way[1] / size, way[0] / size)
            vertices += [(x + s * side[0], y + s * side[1], z + t) for s, t in square]
            if k:
                a, b = 4 * (k - 1), 4 * k
                faces += [(a + i, a + (i + 1) % 4, b + (i + 1) % 4, b + i) for i in range(4)]
        faces += [(3, 2, 1, 0), tuple(range(len(vertices) - 4, len(vertices)))]
        name = self.write("tied.off", off(vertices, faces))
        code, out, _ = run("overlap", name, self.box(size=(9, 9, 9)), "--pose-b", moved(-4, -4, -4), "--json")
        self.assertEqual((code, json.loads(out)["status"]), (4, "self_intersecting"))

    def test_a_body_without_volume_is_said(self):
        flat = self.write("flat.off", off([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 1)]))
        code, text, _ = run("overlap", flat, self.box(), "--pose-b", moved(-0.1, -0.1, -0.5))
        self.assertEqual(code, 4)
        self.assertNotIn("nan", text)

    def test_what_bounds_no_volume_is_refused(self):
        box, pot = self.box(), self.box("pot.off", faces=FACES[:-2])
        self.refused(3, "overlap", box, pot, code="open")
        for option in ("--separate", "--pieces"):
            self.refused(2, "overlap", box, box, option, "--method", "spheres", code="usage")
        self.refused(2, "overlap", box, box, "--spheres", "10", code="usage")

    def test_a_picture_is_drawn(self):
        box, path = self.box(), str(self.folder / "overlap.png")
        self.answer("overlap", box, box, "--pose-b", moved(0.75, 0.5, 0.25), "--picture", path)
        with open(path, "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")


if __name__ == "__main__":
    unittest.main()
