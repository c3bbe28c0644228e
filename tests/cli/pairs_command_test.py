"""`plimsoll pairs`: what it answers, in which form, and what it refuses."""
import json
import math
import os
import unittest

from program import FACES, ProgramTest, box, off, run


def moved(x, y=0, z=0):
    return f"1,0,0,{x},0,1,0,{y},0,0,1,{z},0,0,0,1"


# z = 0.5, x from -1 to 2 and y from 0.25 to 2: it cuts walls of a unit box.
SHEET = off([(-1, 0.25, 0.5), (2, 0.25, 0.5), (0.5, 2, 0.5)], [(0, 1, 2)])


class Pairs(ProgramTest):
    def rows(self, *arguments):
        out = self.folder / "pairs.csv"
        answer = self.answer("pairs", *arguments, "--list", out)
        rows = [tuple(map(int, row.split(","))) for row in out.read_text().split()]
        self.assertEqual(len(rows), answer["pairs"])
        return answer, rows

    def test_the_answer_has_the_members_of_the_reference(self):
        answer = self.answer("pairs", self.box(), self.box("other.off", corner=(0.5, 0.25, 0.125)))
        self.assertEqual(list(answer), ["status", "method", "notices", "pairs", "body_pairs",
                                        "surviving", "views", "resolution", "renderer"])
        self.assertEqual((answer["status"], answer["method"]), ("ok", "exact"))
        self.assertEqual(answer["body_pairs"], 1)
        for name in ("surviving", "views", "resolution", "renderer"):
            self.assertIsNone(answer[name])

    def test_a_search_for_near_triangles_ends_where_it_may_not_take_the_work(self):
        # Two cones with their tips in opposite directions: their boxes overlap, their sides do not.
        ring = [(math.cos(math.pi * k / 32), math.sin(math.pi * k / 32), 0) for k in range(64)]
        faces = [f for k in range(64) for f in ((k, (k + 1) % 64, 64), ((k + 1) % 64, k, 65))]
        cone = self.write("cone.off", off([*ring, (0, 0, 1), (0, 0, 0)], faces))
        over = "1,0,0,1.2,0,-1,0,0,0,0,-1,1.1,0,0,0,1"
        question = ["pairs", cone, cone, "--pose-b", over, "--within", 0.1]
        self.assertEqual(self.answer(*question, "--max-work", 1)["pairs"], 0)
        error = self.refused(6, *question, "--max-work", 1e-9, code="resource_limit")
        self.assertIn("--max-work", error["message"])
        # By scanline the limit ends what is drawn too.
        question += ["--method", "far", "--backend", "cpu"]
        self.assertEqual(self.answer(*question, "--max-work", 10)["pairs"], 0)
        error = self.refused(6, *question, "--max-work", 1e-5, code="resource_limit")
        self.assertEqual(error["where"], "--max-work")
        self.assertIn("pixels", error["message"])

    def test_an_open_sheet_cuts_the_walls_of_a_box(self):
        _, rows = self.rows(self.box(), self.write("sheet.off", SHEET))
        self.assertEqual({row[0] for row in rows}, {0})
        self.assertEqual({row[2:] for row in rows}, {(1, 0)})
        # Not the floor and the lid, nor the wall y = 0.
        touched = {row[1] for row in rows}
        self.assertTrue(touched <= {6, 7, 8, 9, 10, 11} and len(touched) >= 4, touched)

    def test_touching_counts_and_a_gap_of_a_rounding_does_not(self):
        part = self.box()
        self.assertGreater(self.answer("pairs", part, part, "--pose-b", moved(1))["pairs"], 0)
        beyond = moved(1.0000000000000002)
        self.assertEqual(self.answer("pairs", part, part, "--pose-b", beyond)["pairs"], 0)
        # 1 + 1.0000000000000002 is rounded to 2, as --pose promises.
        for x, touching in ((2, 1), (2.0000000000000004, 0)):
            self.assertEqual(self.answer("pairs", part, part, "--pose-a", beyond, "--pose-b",
                                         moved(x))["body_pairs"], touching)

    def test_a_body_within_another_is_no_pair(self):
        inner = self.box("inner.off", (0.5, 0.5, 0.5), (0.25, 0.25, 0.25))
        self.assertEqual(self.answer("pairs", self.box(), inner)["pairs"], 0)
        out = run("pairs", self.box(), inner)[1]
        self.assertIn("no two of 2 bodies touch", out)
        self.assertIn("plimsoll distance tells", out)
        self.assertNotIn("plimsoll distance", run("pairs", inner, inner)[1])

    def test_a_search_ends_where_it_may_not_take_the_work(self):
        # Triangles that slant side by side: their boxes meet.
        one = self.write("slant.off", off([(0, 0, 0), (1, 0, 1), (0, 1, 1)], [(0, 1, 2)]))
        other = ("--pose-b", moved(0.1, 0.1, -0.1))
        self.assertEqual(self.answer("pairs", one, one, *other, "--max-work", "1")["pairs"], 0)
        error = self.refused(6, "pairs", one, one, *other, "--max-work", "1e-9", code="resource_limit")
        self.assertIn("more work", error["message"])
        self.refused(2, "pairs", one, one, "--max-work", "-1", code="usage")

    def test_poses_have_the_letters_of_the_bodies(self):
        part = self.box()
        answer, rows = self.rows(part, part, part, "--pose-b", moved(5), f"--pose-c={moved(5.5)}")
        self.assertEqual(answer["body_pairs"], 1)
        self.assertEqual({(row[0], row[2]) for row in rows}, {(1, 2)})
        self.refused(2, "pairs", part, part, "--pose-c", moved(1), code="usage")
        self.refused(2, "pairs", part, part, "--pose-b", "1,2", code="usage")
        self.refused(2, "pairs", part, part, "--pose-aa", moved(1), code="usage")
        pose = self.write("pose.json", "[[1,0,0,9],[0,1,0,0],[0,0,1,0],[0,0,0,1]]")
        self.assertEqual(self.answer("pairs", part, part, "--pose-b", f"@{pose}")["pairs"], 0)

    def test_rows_ascend_and_self_adds_those_within_a_body(self):
        # A box and a sheet through it in one file, beside a second box that touches it.
        both = off(box() + [(-1, 0.25, 0.5), (2, 0.25, 0.5), (0.5, 2, 0.5)], FACES + [(8, 9, 10)])
        both = self.write("both.off", both)
        part = self.box()
        _, without = self.rows(both, part, "--pose-b", moved(0, 1))
        answer, rows = self.rows(both, part, "--pose-b", moved(0, 1), "--self")
        self.assertEqual(rows, sorted(rows))
        self.assertEqual([row for row in rows if row[0] != row[2]], without)
        within = [row for row in rows if row[0] == row[2]]
        self.assertTrue(within and all(i == 0 and t < u and u == 12 for i, t, _, u in within))
        self.assertEqual(answer["body_pairs"], 1)
        # One body alone, and what is said of it.
        self.assertEqual(self.answer("pairs", both, "--self")["pairs"], len(within))
        out = run("pairs", both, "--self")[1]
        self.assertIn(f"{len(within)} pairs  within 0 {both}", out)
        self.assertIn("that share a vertex are left out", out)
        self.assertEqual(self.answer("pairs", part, "--self")["pairs"], 0)
        self.refused(2, "pairs", part, code="usage")

    def test_degenerate_triangles_meet_as_segments_and_points(self):
        sheet = self.write("sheet.off", SHEET)
        point = self.write("point.off", off([(0.5, 1, 0.5)], [(0, 0, 0)]))
        line = self.write("line.off", off([(0.5, 1, 0), (0.5, 1, 1), (0.5, 1, 0.7)], [(0, 1, 2)]))
        for other in (point, line):
            self.assertEqual(self.answer("pairs", sheet, other)["pairs"], 1)
            self.assertEqual(self.answer("pairs", other, sheet, "--pose-a",
                                         moved(0, 0, 9))["pairs"], 0)
        self.assertEqual(self.answer("pairs", point, line)["pairs"], 1)

    def test_units_are_those_of_the_files(self):
        small = self.box("small.off", (1000, 1000, 1000))
        answer = self.answer("pairs", small, small, "--units", "mm", "--pose-b", moved(1))
        self.assertGreater(answer["pairs"], 0)
        answer = self.answer("pairs", small, small, "--units", "mm", "--pose-b", moved(2))
        self.assertEqual(answer["pairs"], 0)

    def test_a_scene_needs_no_density_and_its_bodies_have_poses(self):
        self.box()
        self.write("sheet.off", SHEET)
        scene = {"bodies": [
            {"shape": {"shape": "mesh", "file": "box.off"}},
            {"name": "sheet", "shape": {"shape": "mesh", "file": "sheet.off"}},
            {"name": "twice", "shape": {"shape": "mesh", "file": "box.off", "scale": 2},
             "pose": [[1, 0, 0, 10], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], "count": 2,
             "spacing": [2, 2, 2]},
            {"name": "posed within its shape", "shape": {
                "shape": "mesh", "file": "box.off",
                "pose": [[1, 0, 0, 15], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]},
             "pose": [[1, 0, 0, -1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}]}
        file = self.write("scene.json", json.dumps(scene))
        answer, rows = self.rows(file)
        self.assertEqual(answer["body_pairs"], 3)
        self.assertEqual({(row[0], row[2]) for row in rows}, {(0, 1), (2, 3), (3, 4)})
        self.assertIn("1 sheet", run("pairs", file)[1])
        self.refused(2, "pairs", file, "--pose-a", moved(1), code="usage")
        self.refused(2, "pairs", file, "--units", "mm", code="usage")
        # To let them float, they have to weigh something.
        self.refused(3, "simulate", file)

    def test_within_finds_what_is_closer_and_no_pair_at_just_the_distance(self):
        part = self.box()
        apart = ("--pose-b", moved(3))
        for distance, closer in (("2", 0), ("2.0000000000000004", 1), ("1e9", 1)):
            answer = self.answer("pairs", part, part, *apart, "--within", distance)
            self.assertEqual(answer["body_pairs"], closer, distance)
        # All of one box with all of the other; and within each those without a common vertex.
        answer, rows = self.rows(part, part, *apart, "--within", 100)
        self.assertEqual(len(rows), 144)
        _, rows = self.rows(part, part, *apart, "--within", 100, "--self")
        self.assertEqual(rows, sorted(rows))
        for k in (0, 1):
            within = [(t, u) for i, t, j, u in rows if (i, j) == (k, k)]
            self.assertEqual(within, [(t, u) for t in range(12) for u in range(t + 1, 12)
                                      if not set(FACES[t]) & set(FACES[u])])
        # What meets is closer than anything.
        touching = self.rows(part, part, "--pose-b", moved(1))[1]
        self.assertEqual(self.rows(part, part, "--pose-b", moved(1), "--within", 1e-300)[1],
                         touching)
        self.assertEqual(self.rows(part, part, *apart, "--within", "250cm"),
                         self.rows(part, part, *apart, "--within", 2.5))
        out = run("pairs", part, part, *apart, "--within", 2.5)[1]
        self.assertIn("1 pair of bodies is closer than 2.5 m among 2 bodies", out)
        self.assertIn("no two of 2 bodies are closer than 1.5 m",
                      run("pairs", part, part, *apart, "--within", 1.5)[1])
        for bad in ("0", "-1", "nan", "inf", "x"):
            self.refused(2, "pairs", part, part, f"--within={bad}", code="usage")

    def test_within_is_of_all_bodies_of_a_scene(self):
        self.box()
        bodies = [{"shape": {"shape": "mesh", "file": "box.off"},
                   "pose": [[1, 0, 0, x], [0, 1, 0, y], [0, 0, 1, 0], [0, 0, 0, 1]]}
                  for x, y in ((0, 0), (1.5, 0), (0, 3), (1.5, 3), (9, 9))]
        scene = self.write("scene.json", json.dumps({"bodies": bodies}))
        _, rows = self.rows(scene, "--within", 0.75)
        self.assertEqual({(row[0], row[2]) for row in rows}, {(0, 1), (2, 3)})
        _, rows = self.rows(scene, "--within", 2.1)
        # Across the corner it is the root of 0.5^2 + 2^2, less than 2.07.
        self.assertEqual({(row[0], row[2]) for row in rows},
                         {(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)})

    def test_pairs_that_a_scene_ignores_are_left_out_whatever_is_asked(self):
        self.box()
        bodies = [{"name": f"b{i}", "shape": {"shape": "mesh", "file": "box.off"},
                   "pose": [[1, 0, 0, 0.9 * i], [0, 1, 0, 0.05 * i], [0, 0, 1, 0.03 * i], [0, 0, 0, 1]]}
                  for i in range(4)]

        def scene(ignored):
            return self.write("scene.json", json.dumps({"bodies": bodies, "ignore": ignored}))

        for ignored, left in (([], {(0, 1), (1, 2), (2, 3)}), ([["b1", "b2"]], {(0, 1), (2, 3)}),
                              ([["b0", "b1"], ["b3", "b2"]], {(1, 2)})):
            for options in ((), ("--within", 0.01), ("--method", "far", "--backend", "cpu")):
                answer, rows = self.rows(scene(ignored), *options)
                self.assertEqual(answer["body_pairs"], len(left))
                self.assertEqual({(row[0], row[2]) for row in rows}, left)
        path = scene([["b0", "b1"], ["b3", "b2"]])
        self.assertIn("touches among 4 bodies, 2 pairs left out\n", run("pairs", path)[1])
        self.assertIn("no two of 4 bodies touch, 3 pairs left out\n",
                      run("pairs", scene([["b0", "b1"], ["b2", "b3"], ["b1", "b2"]]))[1])
        (notice,) = self.answer("pairs", scene([["b0", "b1"], ["b3", "b2"]]))["notices"]
        self.assertEqual((notice["code"], notice["message"]),
                         ("ignore", "2 pairs of bodies are left out, as the scene says: b0 and b1, b2 and b3"))
        # Pairs of one body are none that could be ignored.
        _, rows = self.rows(scene([["b0", "b1"]]), "--self", "--within", 9)
        self.assertIn((0, 0), {(row[0], row[2]) for row in rows})
        self.assertNotIn((0, 1), {(row[0], row[2]) for row in rows})
        for wrong, where in (([["b0", "b9"]], "ignore[0][1]"), ([["b0", "b0"]], "ignore[0]"),
                             ([["b0", "b1"], ["b1", "b0"]], "ignore[1]")):
            error = self.refused(3, "pairs", scene(wrong))
            self.assertTrue(error["where"].endswith(where), error)

    def test_what_is_no_mesh_or_not_there_yet_is_said(self):
        part = self.box()
        ball = self.write("ball.json", '{"shape": "sphere", "radius": 1}')
        error = self.refused(3, "pairs", part, ball, code="unavailable")
        self.assertIn("ball.json", error["where"])
        self.refused(2, "pairs", part, part, "--method", "guess", code="usage")
        self.refused(2, "pairs", part, part, "--resolution", 64, code="usage")
        self.refused(2, "pairs", part, part, "--backend", "cpu", code="usage")
        self.refused(2, "pairs", code="usage")
        self.refused(2, "pairs", part, part, "--list", part, code="usage")
        self.refused(3, "pairs", part, self.folder / "absent.off")

    def test_culling_finds_the_same_pairs_and_says_what_it_left(self):
        parts = self.box(), self.write("sheet.off", SHEET)
        _, rows = self.rows(*parts)
        missing = json.loads(run("info", "--json")[1])["gl"]["unavailable"]
        if os.environ.get("PLIMSOLL_REQUIRE_GL"):
            self.assertIsNone(missing)
        for more in (("--backend", "cpu"), ()) if missing is None else (("--backend", "cpu"),):
            for pixels in 16, 333:
                answer, found = self.rows(*parts, "--method", "far", "--resolution", pixels, *more)
                self.assertEqual(found, rows)
                self.assertEqual(answer["method"], "far")
                self.assertEqual(answer["views"], 3)
                self.assertEqual(answer["resolution"], [pixels, pixels])
                self.assertEqual(len(answer["surviving"]), 2)
                self.assertTrue(answer["renderer"])
                left = {(row[0], row[1]) for row in rows}, {(row[2], row[3]) for row in rows}
                for body in 0, 1:
                    self.assertGreaterEqual(answer["surviving"][body], len(left[body]))
        if missing is None:
            answer, _ = self.rows(*parts, "--method", "cullide")
            self.assertEqual([notice["code"] for notice in answer["notices"]], ["may_miss"])

    def test_culling_keeps_what_is_closer_than_a_distance(self):
        part = self.box()
        for distance, count in ((0.4, 0), (0.6, 1)):
            answer, rows = self.rows(part, part, "--pose-b", moved(1.5), "--within", distance)
            far, found = self.rows(part, part, "--pose-b", moved(1.5), "--within", distance,
                                   "--method", "far", "--backend", "cpu")
            self.assertEqual(found, rows)
            self.assertEqual(far["body_pairs"], count)

    def test_options_of_culling_are_checked(self):
        part, far = self.box(), ("--method", "far")
        for more in (("--resolution", 15), ("--resolution", "64x32"), ("--backend", "gpu"), ("--resolution", "many")):
            self.refused(2, "pairs", part, part, *far, *more, code="usage")
        for more in (("--backend", "cpu"), ("--within", 0.1)):
            self.refused(2, "pairs", part, part, "--method", "cullide", *more, code="usage")

    def test_pairs_of_one_body_are_found_by_its_tree_and_that_is_said(self):
        both = off(box() + [(-1, 0.25, 0.5), (2, 0.25, 0.5), (0.5, 2, 0.5)], FACES + [(8, 9, 10)])
        both = self.write("both.off", both)
        _, rows = self.rows(both, "--self")
        self.assertTrue(rows)
        answer, found = self.rows(both, "--self", "--method", "far", "--backend", "cpu")
        self.assertEqual(found, rows)
        self.assertIn("self_by_tree", [notice["code"] for notice in answer["notices"]])
        self.assertIsNone(answer["renderer"])  # nothing was drawn

    def test_a_mesh_within_a_shape_is_put_where_the_shape_says(self):
        self.box()
        shape = self.write("shape.json", json.dumps(
            {"shape": "mesh", "file": "box.off", "scale": 0.5,
             "pose": [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}))
        self.assertGreater(self.answer("pairs", self.box(), shape)["pairs"], 0)
        self.assertEqual(self.answer("pairs", self.box(), shape, "--pose-b",
                                     moved(0.25))["pairs"], 0)

    def test_one_shape_is_looked_at_by_itself(self):
        self.box()
        mesh = {"shape": "mesh", "file": "box.off"}
        for text in (json.dumps(mesh), json.dumps({"pose": [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
                                                   "shape": "box", "size": [2, 1, 1]})):
            shape = self.write("shape.json", text)
            self.assertEqual(self.answer("pairs", shape, "--self")["pairs"], 0)
            self.assertIn("--self", self.refused(2, "pairs", shape, code="usage")["message"])
        crossed = self.write("crossed.off", off(box() + [(-1, 0.25, 0.5), (2, 0.25, 0.5), (0.5, 2, 0.5)],
                                                FACES + [(8, 9, 10)]))
        shape = self.write("shape.json", json.dumps({**mesh, "file": crossed.name}))
        self.assertEqual(self.answer("pairs", shape, "--self")["pairs"],
                         self.answer("pairs", crossed, "--self")["pairs"])
        scene = self.write("scene.json", json.dumps({"bodies": [{"name": "shape", "shape": mesh}]}))
        self.assertEqual(self.answer("pairs", scene, "--self")["pairs"], 0)
        wrong = self.write("wrong.json", '{"shape": "box", "size": [1, 1]}')
        self.assertIn("expected 3 numbers", self.refused(3, "pairs", wrong, "--self")["message"])

    def test_one_body_may_come_from_standard_input(self):
        answer = self.answer("pairs", self.box(), "-", "--input-format", "off",
                             stdin=SHEET.encode())
        self.assertGreater(answer["pairs"], 0)


if __name__ == "__main__":
    unittest.main()
