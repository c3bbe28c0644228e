"""`plimsoll simulate`: what it answers, its files, and what it refuses."""
import csv
import json
import math
import os
import pathlib
import struct
import unittest

from pictures import places, png
from program import FACES, ProgramTest, run

BOX = {"shape": {"shape": "box", "size": [1, 1, 1]}, "density": 500}
G = 9.80665
GL = json.loads(run("info", "--json")[1])["gl"]


class Simulate(ProgramTest):
    def scene(self, bodies, name="scene.json", **members):
        return self.write(name, json.dumps({**members, "bodies": bodies}))

    def pond(self, *bodies, **members):
        return self.scene(list(bodies), **{"fluid": {"density": 1000}, **members})

    def rows(self, *arguments):
        path = self.folder / "trajectory.csv"
        answer = self.answer("simulate", *arguments, "--out", path)
        with open(path, newline="") as file:
            return answer, list(csv.DictReader(file))

    def test_the_answer_has_the_members_of_the_reference(self):
        answer = self.answer("simulate", self.pond({**BOX, "count": 3}), "--seconds", "0.5", "--dt", "0.01")
        self.assertEqual(list(answer), ["status", "notices", "bodies", "steps", "seconds", "wall_seconds",
                                        "steps_per_second", "share", "energy", "state_hash"])
        self.assertEqual((answer["status"], answer["bodies"], answer["steps"]), ("ok", 3, 50))
        self.assert_rounded(answer["seconds"], 0.5, 2)  # 50 times 0.01
        self.assertEqual(list(answer["share"]), ["buoyancy", "other"])
        self.assert_rounded(sum(answer["share"].values()), 1, 8)
        self.assertEqual(list(answer["energy"]), ["start", "end", "dissipated"])
        energy = answer["energy"]
        # The energy is kept up to the oscillation of the method, (omega h)^2 / 4 with omega = 4.4.
        self.assertAlmostEqual(energy["start"], energy["end"] + energy["dissipated"],
                               delta=1e-3 * abs(energy["start"]) + 3 * 500 * G * 1e-4)
        self.assertRegex(answer["state_hash"], "^[0-9a-f]{16}$")

    def test_what_is_read_is_not_written_over(self):
        scene = self.pond(BOX)
        before = scene.read_text()
        link = self.folder / "link.csv"
        link.symlink_to(scene)
        for out in (scene, link, self.folder / "." / "scene.json"):
            self.refused(2, "choose another name", "simulate", scene, "--seconds", "0.1", "--out", out)
        self.refused(2, "choose another name", "simulate", scene, "--seconds", "0.1", f"--out={scene}")
        self.assertEqual(scene.read_text(), before)

    def test_the_hash_does_not_depend_on_threads(self):
        scene = self.pond({**BOX, "count": 40, "angular_velocity": [1, 2, 3]})
        hashes = {self.answer("simulate", scene, "--seconds", "0.5", "--threads", n)["state_hash"]
                  for n in (1, 2, 4)}
        self.assertEqual(len(hashes), 1)

    def test_a_thrown_body_follows_a_parabola_in_the_trajectory(self):
        body = {**BOX, "name": "a, b", "velocity": [1, 2, 3], "pose": [1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1]}
        answer, rows = self.rows(self.scene([body]), "--seconds", "1", "--dt", "0.01", "--every", "10")
        self.assertEqual(list(rows[0]), "time body x y z qw qx qy qz vx vy vz wx wy wz submerged_volume".split())
        self.assertEqual(len(rows), 11)
        for row in rows:
            t = float(row["time"])
            self.assertEqual(row["body"], "a, b")
            for key, value in dict(x=5 + t, y=6 + 2 * t, z=7 + 3 * t - G * t * t / 2, vz=3 - G * t,
                                   qw=1, submerged_volume=0).items():
                # The step is exact for a parabola; each of 100 rounds three sums of up to 11.
                self.assert_rounded(float(row[key]), value, 3 * 100, of=11)

    def test_a_box_let_go_bobs_with_the_period_of_linear_theory_and_comes_to_rest(self):
        body = {**BOX, "pose": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.05, 0, 0, 0, 1]}
        free = self.pond(body, drag={"linear": 0, "quadratic": 0, "angular": 0})
        _, rows = self.rows(free, "--seconds", "10", "--dt", "0.005")
        heights = [float(row["z"]) for row in rows]
        ups = [i for i in range(1, len(heights)) if heights[i - 1] < 0 <= heights[i]]
        period = 0.005 * (ups[-1] - ups[0]) / (len(ups) - 1)
        # Each end is known to a step; the method's own error is (omega h)^2 / 24 of a period.
        true = 2 * math.pi * math.sqrt(0.5 / G)
        self.assertAlmostEqual(period, true, delta=0.005 * 2 / (len(ups) - 1)
                               + true * (2 * math.pi / true * 0.005) ** 2 / 24)
        _, rows = self.rows(self.pond(body, drag={"linear": 2}), "--seconds", "20", "--every", "4000")
        # Drag of 2 /s halves to a rate of 1 /s at which 0.05 m decays, in 20 s.
        left = 0.05 * math.exp(-20) * 1.2  # its envelope begins a little higher
        self.assertAlmostEqual(float(rows[-1]["z"]), 0, delta=left)
        self.assertAlmostEqual(float(rows[-1]["submerged_volume"]), 0.5, delta=left)

    def test_waves_carry_along_and_have_no_energy_of_their_own(self):
        waves = {"type": "waves", "components": [{"amplitude": 0.1, "wavelength": 8}]}
        scene = self.scene([BOX], fluid={"density": 1000, "surface": waves, "force": "pressure"})
        answer, rows = self.rows(scene, "--seconds", "5", "--dt", "0.01")
        self.assertIsNone(answer["energy"]["start"])
        self.assertGreater(max(abs(float(row["vx"])) for row in rows), 0.1)

    def test_an_unsound_mesh_moves_and_is_told(self):
        self.box(faces=FACES[1:])
        body = {"name": "hull", "shape": {"shape": "mesh", "file": "box.off"}, "density": 500}
        scene = self.pond(body)
        answer = self.answer("simulate", scene, "--seconds", "0.1", expected=4)
        self.assertEqual(answer["status"], "open")
        self.assertIn("hull: open", run("simulate", scene, "--seconds", "0.1")[2])

    def test_frames_are_pictures_of_the_size_asked_for(self):
        frames = self.folder / "frames"
        self.answer("simulate", self.pond({**BOX, "velocity": [3, 0, 0]}), "--seconds", "0.2", "--record", frames, "--fps", "10",
                    "--size", "160x90")
        files = sorted(path.name for path in frames.iterdir())
        self.assertEqual(files, ["frame_00000.png", "frame_00001.png", "frame_00002.png"])
        data = (frames / files[0]).read_bytes()
        self.assertEqual(struct.unpack(">II", data[16:24]), (160, 90))
        self.assertFalse(data == (frames / files[2]).read_bytes(), "the box did not move")

    # A box that has sunk into a floor: its arrow stands on the red line round its foot.
    def test_frames_show_forces_of_contact_and_where_surfaces_cross(self):
        floor = {"name": "floor", "fixed": True, "density": 1000, "shape": {"shape": "box", "size": [3, 3, 0.2]},
                 "pose": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -0.1], [0, 0, 0, 1]]}
        crate = {"name": "crate", "density": 500, "shape": {"shape": "box", "size": [1, 1, 1]},
                 "pose": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.499], [0, 0, 0, 1]]}
        seen = {}
        for name, contact in (("meets", {"contact": {"stiffness": 5e6}}), ("passes", {})):
            scene = self.write(f"{name}.json", json.dumps({"bodies": [floor, crate], "fluid": {"density": 0}, **contact}))
            frames = self.folder / name
            self.answer("simulate", scene, "--seconds", "0.1", "--record", frames, "--fps", "10", "--size", "320x200")
            rows = png(frames / "frame_00001.png")[2]
            seen[name] = [{at for at in places(rows, lambda pixel: tuple(pixel) == color)}
                          for color in ((150, 30, 140), (215, 35, 25))]
        self.assertEqual(seen["passes"], [set(), set()])
        arrow, line = seen["meets"]
        self.assertGreater(len(arrow), 20)
        self.assertGreater(len(line), 40)
        middle = sum(x for x, _ in arrow) / len(arrow)
        self.assertAlmostEqual(middle, sum(x for x, _ in line) / len(line), delta=10)
        # Upward: of an arrow the upper half, with the head, is wider.
        heights = [y for _, y in arrow]
        half = (min(heights) + max(heights)) / 2
        self.assertGreater(sum(y < half for y in heights), 1.2 * sum(y > half for y in heights))

    def test_by_image_bodies_of_any_kind_float_about_where_they_do_exactly(self):
        ball = {"shape": "implicit", "expression": "x^2+y^2+z^2-1/4", "bounds": [[-1, -1, -1], [1, 1, 1]]}
        drag = {"linear": 3, "quadratic": 1, "angular": 1}
        scene = self.pond({"shape": ball, "density": 500}, drag=drag)
        self.refused(3, "image method", "simulate", scene)
        engines = [["--backend", "cpu"]]
        if GL["unavailable"] is None:
            scene_of_meshes = self.pond({"shape": {"shape": "sphere", "radius": 0.5}, "density": 500}, name="ball.json", drag=drag)
            engines += [["--backend", "gl"], ["--backend", "gl", "--algorithm", "peel"]]
        for engine in engines:
            given = scene if "cpu" in engine else scene_of_meshes
            answer, rows = self.rows(given, "--seconds", "3", "--dt", "0.02", "--method", "image",
                                     "--resolution", "32", *engine)
            self.assertEqual(list(answer)[-1], "image")
            self.assertEqual(answer["image"]["resolution"], [32, 32])
            # A ball that is never quite under water: each column has one wet crossing, the lower.
            self.assertEqual(answer["image"]["peels"], 1)
            self.assertGreater(answer["image"]["fragments"], 150 * 500)
            # The image displaces the mass, exactly but for when 3 s end; the true volume is off by
            # the pixels along the rim, 4 x 32 of either sign, each as deep as a diagonal from it.
            pixel = 1 / 32
            depth = math.sqrt(2 * 0.5 * math.sqrt(2) * pixel)
            self.assertAlmostEqual(float(rows[-1]["submerged_volume"]), math.pi / 12,
                                   delta=math.sqrt(4 * 32) * pixel**2 * depth)
        self.refused(2, "--axis", "simulate", scene, "--method", "image", "--axis", "x")

    def test_overlapping_patches_are_told(self):
        pot = {"shape": "bezier", "file": str(pathlib.Path(os.environ["PLIMSOLL_SOURCE_DIR"], "scenes", "teapot.bpt"))}
        answer = self.answer("simulate", self.pond({"shape": pot, "density": 500}), "--seconds", "0.1", expected=4)
        self.assertEqual(answer["status"], "self_intersecting")

    def test_no_time_is_no_step(self):
        answer = self.answer("simulate", self.pond(BOX), "--seconds", "0")
        self.assertEqual(answer["steps"], 0)
        self.assertIsNone(answer["steps_per_second"])
        self.assertIsNone(answer["share"]["buoyancy"])

    def test_what_is_not_there_yet_exits_3(self):
        rest = {"name": "rest", "density": 500, "shape": {"shape": "difference", "of": [
            {"shape": "box", "size": [1, 1, 1]}, {"shape": "sphere", "radius": 0.4}]}}
        self.refused(3, "no triangles", "simulate", self.pond(rest, contact={}), "--method", "image")

    def test_what_is_wrong_in_contact_is_named(self):
        for key, value in (("method", "magic"), ("friction", -1), ("stiffness", "hard"), ("stiffness", 0),
                           ("damping", "none"), ("spheres", 0), ("sleep_after", 0), ("bounce", 1)):
            self.refused(3, f"contact.{key}" if key != "bounce" else "bounce", "simulate",
                         self.pond(BOX, contact={key: value}))

    def test_a_box_rests_on_a_floor(self):
        floor = {"name": "floor", "shape": {"shape": "box", "size": [9, 9, 1]}, "fixed": True,
                 "pose": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.5, 0, 0, 0, 1]}
        box = {**BOX, "name": "box", "pose": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.5, 0, 0, 0, 1]}
        path = self.folder / "resting.json"
        contact = {"stiffness": 4e7, "damping": 0.5, "friction": 0.5}
        path.write_text(json.dumps({"contact": contact, "bodies": [box, floor]}))
        out = self.folder / "out.csv"
        answer = self.answer("simulate", path, "--seconds", "1", "--out", out)
        self.assertEqual(answer["notices"], [])
        self.assertGreater(answer["share"]["contact"], 0.5)
        self.assertAlmostEqual(sum(answer["share"].values()), 1)
        with open(out, newline="") as file:
            height = [float(row["z"]) for row in csv.DictReader(file) if row["body"] == "box"][-1]
        self.assertAlmostEqual((0.5 - height) / (BOX["density"] * 9.80665 / 4e7), 1, 3)
        energy = answer["energy"]
        self.assertAlmostEqual(energy["end"] + energy["dissipated"], energy["start"], delta=1e-4 * energy["start"])
        self.assertIn("1 pair of bodies touches", run("simulate", path, "--seconds", "0.1")[1])
        self.assertNotEqual(float(self.rows(path, "--seconds", "1")[1][-2]["vz"]), 0)
        path.write_text(json.dumps({"contact": {**contact, "sleep_after": 0.1}, "bodies": [box, floor]}))
        self.assertEqual(float(self.rows(path, "--seconds", "1")[1][-2]["vz"]), 0)
        path.write_text(json.dumps({"contact": {}, "bodies": [box, floor], "ignore": [[box["name"], "floor"]]}))
        said, rows = self.rows(path, "--seconds", "0.3")
        self.assertIn("contact.friction is 0.5", said["notices"][0]["message"])
        self.assertAlmostEqual(float(rows[-2]["vz"]), -9.80665 * 0.3, 9)

    def test_bodies_deep_in_each_other_are_told(self):
        plate = {"name": "plate", "shape": {"shape": "box", "size": [9, 9, 0.02]}, "fixed": True}
        box = {**BOX, "pose": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, 1], "velocity": [0, 0, -3]}
        path = self.folder / "deep.json"
        path.write_text(json.dumps({"contact": {"stiffness": 1e5, "damping": 0, "friction": 0}, "bodies": [box, plate]}))
        notices = {notice["code"]: notice["message"] for notice in self.answer("simulate", path, "--seconds", "0.3")["notices"]}
        self.assertIn("near the middle", notices["contact_depth"])

    def test_refusals_name_the_place(self):
        scene = self.pond(BOX)
        self.refused(3, "no.json", "simulate", self.folder / "no.json")
        self.refused(2, "--dt", "simulate", scene, "--dt", "0")
        self.refused(2, "--seconds", "simulate", scene, "--seconds", "-1")
        self.refused(2, "--seconds", "simulate", scene, "--seconds", "1e9", "--dt", "1e-9")
        self.refused(2, "--method", "simulate", scene, "--method", "magic")
        self.refused(2, "--method", "simulate", scene, "--resolution", "32")
        self.refused(2, "--threads", "simulate", scene, "--threads", "0")
        self.refused(2, "--every", "simulate", scene, "--every", "2")
        self.refused(2, "--size", "simulate", scene, "--size", "10x10")
        frames = self.folder / "frames"
        self.refused(2, "--fps", "simulate", scene, "--record", frames, "--fps", "1e300")
        self.answer("simulate", scene, "--seconds", "0", "--record", frames, "--size", "16x9")
        self.refused(2, "earlier recording", "simulate", scene, "--record", frames)
        self.refused(2, "missing", "simulate", scene, "--out", self.folder / "missing" / "t.csv")
        self.refused(3, "bodies[0].density", "simulate", self.pond({**BOX, "density": -1}))
        tiny = self.pond({**BOX, "shape": {"shape": "sphere", "radius": 1e-15}})
        self.refused(6, "shorter step", "simulate", tiny)

    def refused(self, code, text, *arguments):
        found, _, stderr = run(*arguments)
        self.assertEqual(found, code, stderr)
        self.assertIn(text, stderr)


if __name__ == "__main__":
    unittest.main()
