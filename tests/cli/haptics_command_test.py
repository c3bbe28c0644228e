"""`plimsoll haptics`: its answer, its trace, and what it refuses."""
import csv
import json
import math
import unittest

from program import ProgramTest, run

SIDE, STIFFNESS = 0.1, 2e5
HEADER = "time,x,y,z,qw,qx,qy,qz\n"


class Haptics(ProgramTest):
    def scene(self, name="press.json", tool=None, **members):
        tool = {"name": "tool", "shape": {"shape": "box", "size": [SIDE] * 3}, "density": 1000, **(tool or {})}
        block = {"name": "block", "shape": {"shape": "box", "size": [0.4, 0.4, 0.2]}, "fixed": True,
                 "pose": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -0.1], [0, 0, 0, 1]]}
        contact = {"stiffness": STIFFNESS, "damping": 0.2, "friction": 0}
        return self.write(name, json.dumps({"gravity": [0, 0, 0], "contact": contact, "bodies": [tool, block],
                                            **members}))

    def path(self, ticks=400, depth=0.005, name="path.csv", **changes):
        """Down from 1 mm over the block, and up again."""
        rows = []
        for k in range(ticks):
            down = (0.001 + depth) * (1 - math.cos(2 * math.pi * k / (ticks - 1))) / 2
            rows.append(f"{k / 1000},0.01,0.02,{SIDE / 2 + 0.001 - down!r},1,0,0,0")
        for row, text in changes.items():
            rows[int(row[1:])] = text
        return self.write(name, HEADER + "\n".join(rows) + "\n")

    def trace(self, *arguments):
        out = self.folder / "trace.csv"
        answer = self.answer("haptics", *arguments, "--out", out)
        with open(out, newline="") as file:
            return answer, [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def test_the_answer_has_the_members_of_the_reference(self):
        answer = self.answer("haptics", self.scene(), "--path", self.path())
        self.assertEqual(list(answer), ["status", "notices", "method", "ticks", "late_ticks",
                                        "late_ticks_of_empty_loop", "latency_us", "query_us", "least_energy",
                                        "largest_step_of_work"])
        self.assertEqual((answer["status"], answer["method"], answer["ticks"]), ("ok", "exact", 400))
        for member in ("late_ticks", "late_ticks_of_empty_loop", "latency_us"):
            self.assertIsNone(answer[member])
        times = answer["query_us"]
        self.assertEqual(list(times), ["p50", "p99", "p999", "max"])
        self.assertEqual(sorted(times.values()), list(times.values()))
        self.assertGreaterEqual(answer["least_energy"], -answer["largest_step_of_work"])
        self.assertGreater(answer["largest_step_of_work"], 0)

    def test_a_row_of_the_trace_is_a_tick(self):
        _, rows = self.trace(self.scene(), "--path", self.path(), "--coupling", "2000,40")
        self.assertEqual(len(rows), 400)
        self.assertEqual(list(rows[0]), ["time", "x", "y", "z", "qw", "qx", "qy", "qz", "fx", "fy", "fz", "tx",
                                         "ty", "tz", "volume", "query_us"])
        self.assertEqual([row["time"] for row in rows], [k / 1000 for k in range(400)])
        for row in rows:
            depth = max(0, SIDE / 2 - row["z"])
            # Turned by no more than the rims of faces push unevenly.
            self.assertAlmostEqual(row["volume"], SIDE ** 2 * depth, delta=1e-9)
            if depth == 0:
                self.assertEqual(row["fz"], 0)
        deepest = min(rows, key=lambda row: row["z"])
        # Damping is nothing where the tool turns back, and rims take depth over side at most.
        self.assertAlmostEqual(deepest["fz"] / (STIFFNESS * deepest["volume"]), 1, delta=0.06)

    def test_spheres_meet_instead_of_surfaces(self):
        exact, surfaces = self.trace(self.scene(), "--path", self.path())
        answer, spheres = self.trace(self.scene(), "--path", self.path(), "--method", "spheres", "--spheres", "2000")
        self.assertEqual(answer["method"], "spheres")
        # Spheres leave room below faces: less is shared, and that pushes.
        for key in ("volume", "fz"):
            found, most = (max(row[key] for row in rows) for rows in (spheres, surfaces))
            self.assertGreater(found, 0)
            self.assertLess(found, most)
        own = self.scene("own.json", contact={"method": "spheres", "spheres": 500, "stiffness": STIFFNESS})
        self.assertEqual(self.answer("haptics", own, "--path", self.path())["method"], "spheres")
        self.assertEqual(self.answer("haptics", own, "--path", self.path(), "--method", "exact")["method"], "exact")

    # Stiffness times the volume, rims included, but for what damping adds or takes.
    def test_the_shared_volume_pushes(self):
        scene = self.scene(contact={"stiffness": STIFFNESS, "damping": 0, "friction": 0})
        answer, rows = self.trace(scene, "--path", self.path(), "--method", "volume")
        self.assertEqual(answer["method"], "volume")
        self.assertGreater(max(row["volume"] for row in rows), 1e-5)
        for row in rows:
            self.assertAlmostEqual(row["fz"], STIFFNESS * row["volume"], delta=1e-9 + 1e-6 * row["fz"])
        own = self.scene("own.json", contact={"method": "volume", "stiffness": STIFFNESS})
        self.assertEqual(self.answer("haptics", own, "--path", self.path())["method"], "volume")

    def test_spheres_are_as_many_as_the_scene_or_the_option_says(self):
        law = {"stiffness": STIFFNESS, "damping": 0.2, "friction": 0}
        pushes = []
        for name, contact, options in (("count.json", {**law, "spheres": 300}, ["--method", "spheres"]),
                                       ("method.json", {**law, "spheres": 300, "method": "spheres"}, []),
                                       ("option.json", law, ["--method", "spheres", "--spheres", "300"]),
                                       ("other.json", law, ["--method", "spheres", "--spheres", "600"])):
            rows = self.trace(self.scene(name, contact=contact), "--path", self.path(), *options)[1]
            pushes.append([row["fz"] for row in rows])
        self.assertEqual(pushes[0], pushes[1])
        self.assertEqual(pushes[0], pushes[2])
        self.assertNotEqual(pushes[0], pushes[3])

    def test_a_slow_hand_feels_the_contact(self):
        rows = "".join(f"{k / 1000},0,0,{SIDE / 2 - 5e-6 * k:.7f},1,0,0,0\n" for k in range(500))
        slow = self.write("slow.csv", HEADER + rows)
        text = run("haptics", self.scene(), "--path", slow)[1]
        put_in = float(text.split("put in ")[1].split()[0])
        self.assertIn("0 ticks were limited", text)
        # What a contact of stiffness K A and the coupling hold, one behind the other, and their dampers took: at
        # 5 mm/s some 2 %.
        depth, contact, coupling = 5e-6 * 499, STIFFNESS * SIDE ** 2, 1 / (16 * 1e-3 ** 2)
        held = depth ** 2 / 2 / (1 / contact + 1 / coupling)
        self.assertAlmostEqual(put_in / held, 1, delta=0.05)

    def test_a_budget_ends_the_queries_of_a_tick(self):
        answer, rows = self.trace(self.scene(), "--path", self.path(), "--method", "spheres", "--spheres", "2000",
                                  "--budget-us", "1")
        self.assertEqual(answer["ticks"], 400)
        self.assertGreater(max(row["fz"] for row in rows), 0)
        # What was not reached pushes as it is expected to.
        whole = self.trace(self.scene(), "--path", self.path(), "--method", "spheres", "--spheres", "2000")[1]
        self.assertNotEqual([row["fz"] for row in rows], [row["fz"] for row in whole])

    def test_real_time_tells_what_is_late(self):
        plot = self.folder / "times.svg"
        answer = self.answer("haptics", self.scene(), "--path", self.path(), "--realtime", "--plot", plot)
        self.assertIn("Latency", plot.read_text())
        self.assertEqual(answer["late_ticks"] > 0, answer["latency_us"]["max"] > 1000)
        self.assertLessEqual(answer["late_ticks_of_empty_loop"], answer["ticks"])
        times = list(answer["latency_us"].values())
        self.assertEqual(sorted(times), times)

    def test_the_plot_shows_force_torque_volume_and_times(self):
        plot = self.folder / "trace.svg"
        self.answer("haptics", self.scene(), "--path", self.path(), "--plot", plot)
        text = plot.read_text()
        for label in ("force [N]", "torque [N m]", "volume [m^3]", "ticks"):
            self.assertIn(label, text)
        names = [part.split('"')[0] for part in text.split('id="')[1:]]
        self.assertEqual(len(names), len(set(names)))

    def test_contact_left_out_is_that_of_an_empty_one(self):
        scene = json.loads(self.scene().read_text())
        del scene["contact"]
        answer = self.answer("haptics", self.write("bare.json", json.dumps(scene)), "--path", self.path())
        self.assertIn("defaults", [notice["code"] for notice in answer["notices"]])

    def told(self, expected, words, *arguments):
        error = self.refused(expected, *arguments)
        self.assertIn(words, error["where"] + ": " + error["message"])

    def test_what_is_wrong_is_told(self):
        scene, path = self.scene(), self.path()
        self.told(2, "PATH.csv", "haptics", scene)
        self.told(2, "--method spheres", "haptics", scene, "--path", path, "--spheres", "100")
        self.told(2, "--method spheres", "haptics", scene, "--path", path, "--budget-us", "100")
        self.told(2, "STIFFNESS,DAMPING", "haptics", scene, "--path", path, "--coupling", "-1,2")
        self.told(2, "exact", "haptics", scene, "--path", path, "--method", "exakt")
        self.told(2, "another name", "haptics", scene, "--path", path, "--out", path)
        self.told(3, "none.csv", "haptics", scene, "--path", self.folder / "none.csv")
        self.told(3, "path.csv:3", "haptics", scene, "--path", self.path(r1="0.001,0,0,0,0,0,0,0"))
        self.told(3, "path.csv:3", "haptics", scene, "--path", self.path(r1="0.0015,0,0,0,1,0,0,0"))
        self.told(3, "not 0.0015", "haptics", scene, "--path", self.path(r1="0.0015,0,0,0,1,0,0,0"))
        kept = self.write("kept.csv", "kept")
        for row, words in (("0.001,1,0,0,1,0,0,0", "m/s"), ("0.001,0.01,0.02,0.051,0,1,0,0", "rad/s")):
            jump = self.path(r1=row)
            self.told(3, words, "haptics", scene, "--path", jump, "--out", kept)
            self.told(3, "pose 2", "haptics", scene, "--path", jump, "--out", kept)
        self.assertEqual(kept.read_text(), "kept")
        path = self.path()
        for option in ("--out", "--plot"):
            self.told(2, "cannot be written", "haptics", scene, "--path", path, option, "/none/there.svg")
        self.told(3, "fixed", "haptics", self.scene("fixed.json", {"fixed": True}), "--path", path)
        self.told(6, "1000", "haptics", scene, "--path", path, "--coupling", "1e15,0")
        stiff = self.scene("stiff.json", contact={"stiffness": 1e300})
        code, _, said = run("haptics", stiff, "--path", path, "--out", self.folder / "part.csv")
        self.assertEqual(code, 6)
        self.assertIn("of 400; the trace has the ticks before it", said)
        self.assertIn("stiff.json: bodies[0]", said)
        ball = {"shape": {"shape": "implicit", "expression": "x^2+y^2+z^2-1e-2", "bounds": [[-1] * 3, [1] * 3]}}
        self.told(3, "formulas", "haptics", self.scene("ball.json", ball), "--path", path)


if __name__ == "__main__":
    unittest.main()
