"""`plimsoll simulate`: what it says of a scene, and what it leaves behind however it ends."""
import csv
import json
import math
import signal
import subprocess
import time
import unittest

import schema
from program import PROGRAM, ProgramTest, run

BOX = {"shape": {"shape": "box", "size": [1, 1, 1]}, "density": 500}


def at(x, y, z):
    return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1]


def waves(*components):
    return {"type": "waves", "components": [dict(amplitude=a, wavelength=l) for a, l in components]}


def rows_of(trajectory):
    return list(csv.DictReader(trajectory.read_text().splitlines()))


class SceneTest(ProgramTest):
    def scene(self, bodies, name="scene.json", **members):
        return self.write(name, json.dumps({**members, "bodies": bodies}))

    def pond(self, *bodies, **members):
        """Everything said that could be left out."""
        return self.scene(list(bodies), **{"fluid": {"density": 1000}, "drag": {"quadratic": 1}, **members})

    def notices(self, scene, *arguments):
        """The messages by code, which are on stderr too."""
        code, out, err = run("simulate", scene, "--seconds", "0.01", *arguments, "--json")
        self.assertEqual(code, 0, err)
        found = json.loads(out)["notices"]
        for notice in found:
            self.assertEqual(list(notice), ["code", "message"])
            self.assertIn(notice["message"], err)
        self.assertEqual(len(err.splitlines()), len(found), err)
        return {notice["code"]: notice["message"] for notice in found}


class Notices(SceneTest):
    def test_a_scene_that_says_all_gets_no_notice(self):
        self.assertEqual(self.notices(self.pond(BOX)), {})
        code, out, err = run("simulate", self.pond(BOX), "--seconds", "0.01")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("1000 kg/m^3, still", out)
        self.assertIn("quadratic 1 /m", out)

    def test_what_an_image_weighs_is_said_with_its_estimate(self):
        tank = lambda wall: {"density": 500, "shape": {"shape": "difference", "of": [
            {"shape": "box", "size": [1, 1, 1]}, {"shape": "box", "size": [1 - 2 * wall] * 3}]}}
        image = ("--method", "image")
        said = self.notices(self.pond(tank(0.1)), *image)
        self.assertEqual(list(said), ["image_mass"])
        self.assertRegex(said["image_mass"], '"body 0" is weighed by an image: its 0.488 m.3 may be')
        self.assertNotIn("so is", said["image_mass"])
        said = self.notices(self.pond(tank(0.2), {**tank(0.1), "pose": at(5, 0, 0)},
                                      {**BOX, "pose": at(9, 0, 0)}), *image)
        self.assertIn("so is another body, off by", said["image_mass"])
        wire = {"shape": "implicit", "expression": "(sqrt(x^2+y^2)-1)^2+z^2-0.000002",
                "bounds": [[-1.1, -1.1, -0.1], [1.1, 1.1, 0.1]]}
        scene = self.pond(tank(0.1), {"density": 500, "shape": wire, "pose": at(5, 0, 0)})
        answer = self.answer("simulate", scene, "--seconds", "0.005", *image, "--resolution", 16, expected=4)
        self.assertEqual(answer["status"], "tolerance")
        self.assertIn("\"body 1\" is weighed by an image", answer["notices"][0]["message"])
        still = self.pond({**tank(0.1), "fixed": True}, {**BOX, "pose": at(9, 0, 0)})
        self.assertNotIn("image_mass", self.notices(still, *image))

    def test_a_rotation_printed_with_few_digits_is_replaced_and_said(self):
        turned = [0.955336, -0.29552, 0, 0, 0.29552, 0.955336, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        said = self.notices(self.pond({**BOX, "pose": turned}))
        self.assertEqual(list(said), ["pose"])
        self.assertIn("bodies[0].pose is no rotation times one scale", said["pose"])
        shape = self.write("turned.json", json.dumps({**BOX["shape"], "pose": turned}))
        code, out, err = run("mass", shape, "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual([notice["code"] for notice in json.loads(out)["notices"]], ["pose"])
        self.assertIn("turned.json: pose is no rotation", err)

    def test_defaults_are_said(self):
        said = self.notices(self.scene([BOX], fluid={}))["defaults"]
        self.assertIn("1025 kg/m^3", said)
        self.assertIn("drag.quadratic is 1/L", said)
        self.assertNotIn("fluid.force", said)  # still water: both forces are one
        said = self.notices(self.scene([BOX], fluid={"density": 1000, "surface": waves((0.1, 9))}))["defaults"]
        self.assertIn("fluid.force is pressure", said)
        self.assertNotIn("1025", said)
        self.assertNotIn("defaults", self.notices(self.scene([BOX])))

    def test_the_default_density_is_that_of_sea_water_and_of_float(self):
        scene = self.scene([{**BOX, "density": 1024}, {**BOX, "density": 1026, "pose": at(5, 0, 0)}],
                           fluid={}, drag={"linear": 3})
        trajectory = self.folder / "t.csv"
        self.answer("simulate", scene, "--seconds", "30", "--every", "6000", "--out", trajectory)
        light, heavy = rows_of(trajectory)[-2:]
        self.assertGreater(float(light["z"]), -1)
        self.assertLess(float(heavy["z"]), -0.5)
        self.assertTrue(self.answer("float", self.box(), "--density", 1024)["floats"])
        self.assertFalse(self.answer("float", self.box(), "--density", 1026)["floats"])

    def test_waves_that_would_break_are_told_with_their_steepness(self):
        def steep(*components):
            fluid = {"density": 1000, "force": "pressure", "surface": waves(*components)}
            return self.notices(self.pond(BOX, fluid=fluid)).get("steepness")
        self.assertIsNone(steep((0.43 / (2 * math.pi), 1)))
        self.assertRegex(steep((0.45 / (2 * math.pi), 1)), r"components\[0\].*k a = 0\.45.*0\.44")
        together = steep((0.25 / (2 * math.pi), 1), (0.5 / (2 * math.pi), 2))
        self.assertRegex(together, r"all crests meet.*k a = 0\.5:")
        self.assertRegex(steep((0.01, 1), (1, 2)), r"components\[1\].*k a = 3\.14")

    def test_bodies_that_pass_through_each_other_are_told(self):
        apart = self.pond({**BOX, "count": 2, "spacing": [1.5, 1, 1]})
        self.assertEqual(self.notices(apart), {})
        into = self.pond({**BOX, "name": "left"}, {**BOX, "name": "right", "pose": at(0.9, 0, 0)}, name="into.json")
        said = self.notices(into)["overlap"]
        for words in ["1 pair", '"left" and "right"', "at 0 s", 'has no "contact"']:
            self.assertIn(words, said)
        self.assertIn("no bodies were seen to overlap", run("simulate", apart, "--seconds", "0")[1])
        self.assertIn("1 pair was seen", run("simulate", into, "--seconds", "0")[1])

    def test_pairs_that_the_scene_ignores_may_overlap(self):
        bodies = [{**BOX, "name": name, "pose": at(x, 0, 0)} for name, x in (("a", 0), ("b", 0.5), ("c", 0.9))]
        said = self.notices(self.pond(*bodies, ignore=[["a", "b"], ["c", "a"]]))["overlap"]
        self.assertNotIn("a and", said)
        everything = [["a", "b"], ["c", "a"], ["b", "c"]]
        self.assertNotIn("overlap", self.notices(self.pond(*bodies, ignore=everything)))

    def test_bodies_that_come_to_overlap_later_are_told_when(self):
        still = {**BOX, "name": "post", "fixed": True, "pose": at(3, 0, 5)}
        thrown = {**BOX, "name": "ball", "shape": {"shape": "sphere", "radius": 0.5},
                  "velocity": [2, 0, 0], "pose": at(0, 0, 5)}
        scene = self.scene([still, thrown], gravity=[0, 0, 0])
        self.assertEqual(self.answer("simulate", scene, "--seconds", "0.75")["notices"], [])
        (notice,) = self.answer("simulate", scene, "--seconds", "1.5")["notices"]
        # They touch after 1 s, and are looked at again a quarter of a second later.
        self.assertIn("at 1.25 s", notice["message"])

    def test_images_that_miss_walls_are_told(self):
        box = lambda *size: {"shape": "box", "size": size}
        tube = lambda wall: {"name": f"wall {wall}", "density": 300, "shape": {
            "shape": "difference", "of": [box(1, 1, 1), box(1 - 2 * wall, 1 - 2 * wall, 2)]}}
        scene = self.pond(tube(0.0005), {"name": "box", **BOX})
        image = "--method", "image", "--resolution", 64
        said = self.notices(scene, *image)
        self.assertEqual(list(said), ["image_mass", "thin_parts"])
        self.assertIn("\"wall 0.0005\" starts, images of 64x64 pixels have 0 m^3 of its 0.001999 m^3",
                      said["thin_parts"])
        self.assertNotIn("other bodies", said["thin_parts"])
        both = self.pond(tube(0.0005), tube(0.002), name="both.json")
        self.assertIn("of 1 other body it is off too", self.notices(both, *image)["thin_parts"])
        # A wall of four pixels.
        said = self.notices(self.pond(tube(0.0625), name="thick.json"), *image)
        self.assertEqual(list(said), ["image_mass"])

    def test_less_than_a_step_is_told(self):
        scene = self.pond(BOX)
        for seconds, words in [("0.002", "no step is taken"), ("0.004", "one step is taken")]:
            answer = self.answer("simulate", scene, "--seconds", seconds)
            self.assertEqual([notice["code"] for notice in answer["notices"]], ["seconds"])
            self.assertIn(words, answer["notices"][0]["message"])
        for seconds in ("0", "0.005"):
            self.assertEqual(self.answer("simulate", scene, "--seconds", seconds)["notices"], [])

    def test_help_says_what_is_not_there(self):
        self.assertNotIn("contact", run("--help")[1].split("Not available")[0].lower())
        text = run("simulate", "--help")[1]
        for words in ["pushes with K A d", "BM / GM", "1/L", "1025", "share a point"]:
            self.assertIn(words, text)


class Masses(SceneTest):
    def test_a_low_center_of_mass_rights_what_would_turn_over(self):
        tall = {"shape": {"shape": "box", "size": [1, 1, 3]}, "mass": 1500,
                "pose": [1, 0, 0, 0, 0, 0.995004165278, -0.0998334166468, 0, 0, 0.0998334166468, 0.995004165278, 0, 0, 0, 0, 1]}
        trajectory = self.folder / "t.csv"

        def uprightness(**members):
            scene = self.pond({**tall, **members}, drag={"linear": 1, "angular": 2})
            self.answer("simulate", scene, "--seconds", "30", "--out", trajectory, "--every", "6000")
            row = rows_of(trajectory)[-1]
            return 1 - 2 * (float(row["qx"]) ** 2 + float(row["qy"]) ** 2)
        self.assertLess(uprightness(), 0.2)
        self.assertGreater(uprightness(center_of_mass=[0, 0, -1]), 0.9999)

    def test_a_center_outside_of_the_body_is_told(self):
        def said(center):
            body = {"name": "ship", "shape": BOX["shape"], "mass": 500, "center_of_mass": center}
            return self.notices(self.pond(body)).get("center_of_mass")
        self.assertIsNone(said([0, 0, -0.4]))
        self.assertIn('"ship"', said([0, 0, -400]))

    def test_a_mass_is_refused_by_line_and_column(self):
        scene = self.write("s.json", '{"bodies": [\n {"shape": {"shape": "sphere", "radius": 1},\n'
                                     '  "mass": 3, "density": 4}]}')
        error = self.refused(3, "simulate", scene, code="malformed")
        self.assertTrue(error["where"].endswith("s.json:3:11: bodies[0].mass"), error)


class Endings(SceneTest):
    def start(self, scene, *arguments):
        """A run of 5000 s, once some of its trajectory is written."""
        self.out = self.folder / "t.csv"
        process = subprocess.Popen([PROGRAM, "simulate", scene, "--seconds", "5000", "--out", self.out, *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not any(path.stat().st_size > 1e5 for path in self.folder.glob("*.part")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        return process

    def test_signals_keep_what_was_computed(self):
        for number, name in [(signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")]:
            process = self.start(self.pond(BOX), "--json")
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number, err)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["scene.json", "t.csv"])
            schema.check(["simulate", "--json"], out.decode())
            answer = json.loads(out)
            self.assertEqual([notice["code"] for notice in answer["notices"]], ["interrupted"])
            self.assertIn(name, answer["notices"][0]["message"])
            rows = rows_of(self.out)
            self.assertEqual(len(rows), answer["steps"] + 1)
            self.assertTrue(all(len(row) == 16 and None not in row.values() for row in rows))
            self.assertAlmostEqual(float(rows[-1]["time"]), answer["seconds"], delta=1e-12)
            self.assertLess(answer["seconds"], 5000)
            self.out.unlink()

    def test_no_draft_stays_where_a_second_signal_ends_it_at_once(self):
        # Steps that take a second, so that the first signal does not end it yet.
        balls = {"shape": {"shape": "sphere", "radius": 0.5}, "density": 500, "count": 3000, "spacing": [2, 2, 2]}
        fluid = {"density": 1000, "force": "pressure", "surface": waves((0.1, 9))}
        process = self.start(self.pond(balls, fluid=fluid))
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_a_trajectory_to_standard_output_is_alone_there(self):
        scene = self.pond(BOX)
        arguments = ["simulate", scene, "--seconds", "0.1", "--every", "5"]
        self.answer(*arguments, "--out", self.folder / "t.csv")
        code, out, err = run(*arguments, "--out", "-")
        self.assertEqual(code, 0, err)
        self.assertEqual(out, (self.folder / "t.csv").read_text())
        self.assertIn("simulated     0.1 s in 20 steps", err)
        code, out, err = run(*arguments, "--out", "-", "--json")
        self.assertEqual(code, 2)
        self.assertEqual(json.loads(out)["error"]["where"], "--out -")

    def test_a_reader_that_goes_away_ends_the_run(self):
        process = subprocess.Popen([PROGRAM, "simulate", self.pond(BOX), "--seconds", "5000", "--out", "-"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertIn(b"steps", process.stderr.read())
        process.stderr.close()

    def test_units_are_remarked_on_once(self):
        parts = [self.box(f"{i}.off", size=(100 + i, 50, 30)) for i in range(3)]
        code, _, err = run("mass", *parts)
        self.assertEqual(code, 0)
        self.assertEqual(err.count("--units mm"), 1)
        self.assertIn("first such file", err)
        tiny = self.box("tiny.off", size=(1e-4, 1e-4, 1e-4))
        self.assertEqual(len(run("mass", *parts, tiny)[2].splitlines()), 2)


if __name__ == "__main__":
    unittest.main()
