"""What `plimsoll float` claims of its list of poses, and how it says so."""
import json
import math
import unittest

from program import ProgramTest, box, off, run


def pentagram(height=1.0):
    """A prism whose outline passes through itself: one shell, closed, consistently turned."""
    ring = [(math.cos(4 * math.pi * k / 5), math.sin(4 * math.pi * k / 5)) for k in range(5)]
    vertices = [(x, y, z) for z in (0.0, height) for x, y in [*ring, (0.0, 0.0)]]
    faces = []
    for k in range(5):
        n = (k + 1) % 5
        faces += [(5, n, k), (11, 6 + k, 6 + n), (k, n, 6 + n), (k, 6 + n, 6 + k)]
    return off(vertices, faces)


def ball(rounds=3):
    """An icosahedron, its triangles cut into four again and again, on the unit sphere."""
    golden = (1 + math.sqrt(5)) / 2
    corners = [tuple((v[(axis + k) % 3]) for k in range(3))
               for axis in range(3) for a in (-1, 1) for b in (-golden, golden) for v in [(0, a, b)]]
    near = [(i, j, k) for i in range(12) for j in range(i) for k in range(j)
            if max(math.dist(corners[i], corners[j]), math.dist(corners[j], corners[k]),
                   math.dist(corners[k], corners[i])) < 2.1]
    unit = lambda v: tuple(x / math.hypot(*v) for x in v)
    middle = lambda a, b: unit([x + y for x, y in zip(a, b)])
    triangles = [[unit(corners[i]) for i in t] for t in near]
    for _ in range(rounds):
        triangles = [t for a, b, c in triangles for ab, bc, ca in
                     [(middle(a, b), middle(b, c), middle(c, a))]
                     for t in ([a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca])]
    outward = lambda a, b, c: (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                               + a[2] * (b[0] * c[1] - b[1] * c[0])) > 0
    points, faces = {}, []
    for a, b, c in triangles:
        corners = (a, b, c) if outward(a, b, c) else (a, c, b)
        faces.append([points.setdefault(tuple(round(x, 12) for x in v), len(points))
                      for v in corners])
    return off(list(points), faces)


class Proof(ProgramTest):
    def cube(self):
        return self.write("cube.json", json.dumps({"shape": "box", "size": [1, 1, 1]}))

    def test_every_pose_of_a_cube_is_found_and_it_is_proven(self):
        question = ["float", self.cube(), "--density", 0.2, "--rho", 1]
        answer = self.answer(*question)
        self.assertEqual((answer["complete"], len(answer["equilibria"])), ("proven", 50))
        self.assertEqual(sum(found["stable"] for found in answer["equilibria"]), 14)
        self.assertIn("proven: there is no other pose\n", run(*question)[1])

    def test_a_search_that_may_not_take_the_work_says_what_it_left(self):
        cube = self.write("cube.off", off(box()))
        question = ["float", cube, "--density", 0.2, "--rho", 1]
        self.assertEqual(self.answer(*question, "--max-work", 30)["complete"], "proven")
        answer = self.answer(*question, "--max-work", 1e-9, expected=4)
        self.assertEqual((answer["complete"], len(answer["equilibria"])), ("incomplete", 1))
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["max_work"])
        self.assertIn("--max-work", answer["notices"][0]["message"])
        self.assertEqual(self.refused(2, *question, "--max-work", 0, code="usage")["where"], "--max-work")

    def test_one_start_is_enough_for_a_barge(self):
        barge = self.write("barge.json", json.dumps({"shape": "box", "size": [100, 20, 10]}))
        answer = self.answer("float", barge, "--mass", 8.2e6, "--com", "0,0,1", "--starts", 1)
        self.assertEqual(answer["complete"], "proven")
        self.assertTrue(any(found["stable"] and found["up_body"][2] > 1 - 1e-12
                            for found in answer["equilibria"]))

    def test_an_arc_of_neutral_poses_is_one_family_with_two_ends(self):
        question = ["float", self.cube(), "--density", 0.245, "--rho", 1]
        answer = self.answer(*question)
        arcs = [found for found in answer["equilibria"] if found["family"] == "arc"]
        self.assertEqual(len(arcs), 24)
        self.assertEqual(answer["minima_minus_saddles_plus_maxima"], 2)
        slope = math.sqrt(12 * 0.245 * 0.755 - 2)  # docs/theory/hydrostatics.md
        for arc in arcs:
            points = arc["arc"]["points"]
            self.assertEqual(arc["arc"]["ends"], [points[0], points[-1]])
            for up in points:
                steepest = max(map(abs, up))
                # Poses are at rest to an arm of 1e-9 over the height across the arc, 0.04.
                self.assertAlmostEqual(math.sqrt(1 - steepest ** 2) / steepest, slope, delta=1e-7)
        self.assertIn("one of an arc of", run(*question)[1])

    def test_a_circle_of_poses_needs_no_axis_of_symmetry(self):
        answer = self.answer("float", self.cube(), "--density", 0.22, "--rho", 1)
        families = [found["family"] for found in answer["equilibria"] if found["family"]]
        self.assertEqual(families, ["axis"] * 6)

    def test_a_surface_that_passes_through_itself_is_not_proven(self):
        star = self.write("star.off", pentagram())
        answer = self.answer("float", star, "--density", 512)
        self.assertEqual(answer["complete"], "consistent")
        self.assertIn("passes through itself", run("float", star, "--density", 512)[1])

    def test_a_list_that_does_not_add_up_is_incomplete(self):
        # Hundreds of poses with next to no righting arm between them: the search ends before it
        # has them all, or it is lucky and their count adds up; exit 4 says which.
        balloon = self.write("ball.off", ball())
        code, out, _ = run("float", balloon, "--density", 307, "--json")
        answer = json.loads(out)
        self.assertNotEqual(answer["complete"], "proven")
        is_short = answer["minima_minus_saddles_plus_maxima"] != 2
        self.assertEqual((answer["complete"] == "incomplete", code), (is_short, 4 if is_short else 0))
        if is_short:
            self.assertIn("does not add up", run("float", balloon, "--density", 307)[1])

    def test_nothing_is_claimed_of_a_body_that_is_held_or_sinks(self):
        cube = self.cube()
        for arguments in (["--density", 500, "--attitude", "fixed"], ["--density", 2000]):
            answer = self.answer("float", cube, *arguments)
            self.assertIsNone(answer["complete"])
            self.assertIsNone(answer["minima_minus_saddles_plus_maxima"])


if __name__ == "__main__":
    unittest.main()
