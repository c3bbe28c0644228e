"""What is wrong with a body is said by every command in the same words, for meshes and inside shapes."""
import json
import unittest

from program import ProgramTest, run

CORNERS = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
INWARD = [quad[::-1] for quad in QUADS]
HULL = ((0, 0, 0), (2, 2, 2), [QUADS[0]] + QUADS[2:])  # without its top
BESIDE = [("alone", None, "ok"),
          ("nested", ((0.5, 0.5, 0.25), (1, 1, 0.75), QUADS), "nested"),
          ("through its side", ((1.5, 0.5, 0.25), (3, 1, 0.75), QUADS), "self_intersecting"),
          ("inward beside it", ((4, 0, 0), (5, 1, 1), INWARD), "inconsistent"),
          ("a cavity", ((0.5, 0.5, 0.25), (1, 1, 0.75), INWARD), "ok"),
          ("beside it", ((4, 0, 0), (5, 1, 1), QUADS), "ok")]
BALL = {"shape": "sphere", "radius": 0.1}


class Judge(ProgramTest):
    def boxes(self, name, *boxes):
        vertices, faces = [], []
        for low, high, quads in boxes:
            faces += [[len(vertices) + q for q in quad] for quad in quads]
            vertices += [[(low, high)[c[k]][k] for k in range(3)] for c in CORNERS]
        lines = [f"OFF {len(vertices)} {len(faces)} 0"] + ["{} {} {}".format(*v) for v in vertices]
        return self.write(name, "\n".join(lines + [" ".join(map(str, [len(f), *f])) for f in faces]))

    def parts(self):
        self.boxes("tube.off", ((0, 0, 0), (1, 1, 1), QUADS[2:]))
        self.boxes("pair.off", ((0, 0, 0), (1, 1, 1), QUADS), ((2, 0, 0), (3, 1, 1), INWARD))
        self.boxes("nested.off", ((0, 0, 0), (1, 1, 1), QUADS), ((.2, .2, .2), (.8, .8, .8), QUADS))
        self.boxes("whole.off", ((0, 0, 0), (1, 1, 1), QUADS))
        self.boxes("inward.off", ((0, 0, 0), (1, 1, 1), INWARD))
        squares = [[CORNERS[c] for c in (q[0], q[1], q[3], q[2])] for q in QUADS[1:]]
        self.write("lid.bpt", "5\n" + "".join(
            "1 1\n" + "".join("{} {} {}\n".format(*p) for p in square) for square in squares))
        mesh = lambda name: {"shape": "mesh", "file": name}
        turned = {"pose": [[0, -2, 0, 0], [2, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]}
        return [("open", {"shape": "union", "of": [mesh("tube.off"), BALL]}),
                ("open", {"shape": "difference", "of": [BALL, mesh("tube.off")]}),
                ("open", {"shape": "union", "of": [BALL, {"shape": "union", "of": [mesh("tube.off")], **turned}]}),
                ("open", {"shape": "bezier", "file": "lid.bpt"}),
                ("open", {"shape": "union", "of": [{"shape": "bezier", "file": "lid.bpt"}]}),
                ("inconsistent", {"shape": "union", "of": [mesh("pair.off")]}),
                ("nested", {"shape": "union", "of": [BALL, mesh("nested.off")]}),
                ("ok", {"shape": "union", "of": [mesh("inward.off"), BALL]}),
                ("ok", {"shape": "union", "of": [mesh("whole.off"), BALL]})]

    def test_a_dry_rim_excuses_nothing_but_itself(self):
        for what, box, status in BESIDE:
            hull = self.boxes("hull.off", HULL, *([box] if box else []))
            for arguments in (["submerge", hull, "--plane", "0,0,1,1.2"],
                              ["float", hull, "--mass", 3500, "--com", "1,1,0.5", "--attitude", "fixed"],
                              ["gz", hull, "--mass", 3500, "--com", "1,1,0.5", "--heel", "0:10:5", "--trim",
                               "fixed"]):
                with self.subTest(what=what, command=arguments[0]):
                    answer = self.answer(*arguments, expected=0 if status == "ok" else 4)
                    self.assertEqual(answer["status"], status)
            flooded = self.answer("submerge", hull, "--plane", "0,0,1,2.5", expected=4)
            self.assertEqual(flooded["status"], "open")

    def test_what_is_wrong_inside_a_shape_is_the_status_of_each_answer(self):
        for status, shape in self.parts():
            path = self.write("shape.json", json.dumps(shape))
            scene = self.write("scene.json", json.dumps({"bodies": [{"shape": shape, "density": 500}]}))
            image = ["--method", "image", "--resolution", 64]
            for arguments in (["mass", path, *image], ["submerge", path, "--plane", "0,0,1,0.5", *image],
                              ["simulate", scene, "--seconds", "0.01", "--method", "image"]):
                with self.subTest(shape=shape, command=arguments[0]):
                    if run(*arguments)[0] == 3:  # such a body may have no volume, and no mass to move
                        refusal = json.loads(run(*arguments, "--json")[1])["error"]
                        self.assertEqual((arguments[0], refusal["code"]), ("simulate", status))
                        continue
                    answer = self.answer(*arguments, expected=0 if status == "ok" else 4)
                    self.assertEqual(answer["status"], status)
                    if status != "ok" and shape["shape"] != "bezier":
                        self.assertTrue(any("of[" in n["message"] for n in answer["notices"]))

    def test_bodies_of_one_surface_are_judged_once(self):
        self.parts()
        shape = {"shape": "union", "of": [{"shape": "mesh", "file": "tube.off"}, BALL]}
        scene = self.write("scene.json", json.dumps({"bodies": [{"shape": shape, "density": 500, "count": 8}]}))
        answer = self.answer("simulate", scene, "--seconds", "0", "--method", "image", expected=4)
        self.assertEqual(sum("of[0]" in n["message"] for n in answer["notices"]), 1)

    def test_what_is_empty_has_no_volume(self):
        self.parts()
        cube = {"shape": "mesh", "file": "whole.off"}
        for shape in ({"shape": "difference", "of": [BALL, {"shape": "sphere", "radius": 1}]},
                      {"shape": "difference", "of": [cube, cube]}):
            answer = self.answer("mass", self.write("empty.json", json.dumps(shape)), "--method", "image", expected=4)
            self.assertEqual((answer["status"], answer["volume"]), ("zero_volume", 0))
            self.assertEqual(answer["error_estimate"]["volume"], 0)

    def test_what_is_empty_has_no_volume_in_water_either(self):
        self.parts()
        self.boxes("flat.off", ((0, 0, 0), (1, 1, 0), QUADS))
        cube, flat = {"shape": "mesh", "file": "whole.off"}, {"shape": "mesh", "file": "flat.off"}
        away = {"pose": [[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}
        for shape in ({"shape": "intersection", "of": [BALL, {**BALL, **away}]},
                      {"shape": "difference", "of": [BALL, {"shape": "sphere", "radius": 1}]},
                      {"shape": "difference", "of": [cube, cube]},
                      {"shape": "difference", "of": [flat, {"shape": "box", "size": [1, 1, 1], **away}]},
                      {"shape": "implicit", "expression": "x^2+1", "bounds": [[-1] * 3, [1] * 3]}):
            path = self.write("empty.json", json.dumps(shape))
            for plane in ("0,0,1,9", "0,0,1,0.01", "1,2,3,-99"):
                answer = self.answer("submerge", path, "--plane", plane, "--method", "image",
                                     "--resolution", 32, expected=4)
                self.assertEqual((answer["status"], answer["volume"]), ("zero_volume", 0))
        # What is dry is not empty.
        dry = self.write("dry.json", json.dumps({"shape": "union", "of": [cube, BALL]}))
        for body in (dry, self.folder / "whole.off"):
            answer = self.answer("submerge", body, "--plane", "0,0,1,-2", "--method", "image")
            self.assertEqual((answer["status"], answer["volume"]), ("ok", 0))

    def test_a_mesh_between_the_columns_is_not_empty(self):
        rods = [((x, y, 0), (x + 1e-3, y + 1e-3, 1), QUADS) for x, y in ((.1, 0), (.63, .77), (.87, .25))]
        path = self.boxes("rods.off", *rods)
        for command in (["mass", path], ["submerge", path, "--plane", "0,0,1,2"]):
            answer = self.answer(*command, "--method", "image", "--resolution", 32, expected=4)
            self.assertEqual((answer["status"], answer["volume"]), ("tolerance", 0))
            self.assertGreaterEqual(answer["error_estimate"]["volume"], 3e-6)
            self.assertEqual([n["code"] for n in answer["notices"]], ["missed"])

    def test_what_has_no_volume_does_not_sink(self):
        flat = self.boxes("flat.off", ((0, 0, 0), (1, 1, 0), QUADS))
        tiny = self.boxes("tiny.off", ((0, 0, 0), (1e-110, 1e-110, 1e-110), QUADS))
        for command in ("float", "gz"):
            self.refused(3, command, flat, "--density", 500, code="zero_volume")
            self.refused(3, command, tiny, "--units", "m", "--density", 500, code="tolerance")

    def test_what_overflows_does_not_sink(self):
        size = [1e102, 1e102, 1.1e102]
        box = self.write("box.json", json.dumps({"shape": "box", "size": size}))
        mesh = self.boxes("box.off", ((0, 0, 0), size, QUADS))
        for body in ([box], [mesh, "--units", "m"]):
            for command in ("float", "gz"):
                error = self.refused(3, command, *body, "--density", 500, code="tolerance")
                self.assertIn("a mass beyond 1.8e308 kg", error["message"])
            held = self.answer("float", *body, "--density", 1, "--attitude", "fixed")
            self.assertTrue(held["floats"])
            sunk = self.answer("float", *body, "--density", 2, "--rho", 1e-3)
            self.assertEqual(sunk["floats"], False)

    def test_an_open_surface_without_volume_is_open(self):
        sheet = self.boxes("sheet.off", ((0, 0, 0), (1, 1, 1), QUADS[:1]))
        for command in ("float", "gz"):
            self.refused(3, command, sheet, "--mass", 300, "--com", ".5,.5,.2", code="open")

    def test_refusals_of_extreme_sizes_name_what_is_wrong(self):
        def box(size):
            return self.write("box.json", json.dumps({"shape": "box", "size": [size] * 3}))
        def scene(size):
            return self.write("scene.json", json.dumps(
                {"bodies": [{"shape": {"shape": "box", "size": [size] * 3}, "density": 500}]}))
        for size, words in ((1e110, "beyond 1.8e308"), (1e-110, "below")):
            self.assertIn(words, self.refused(3, "spheres", box(size), "--count", 3)["message"])
            error = self.refused(3, "simulate", scene(size), "--seconds", 0.1)
            self.assertIn(words, error["message"])
            self.assertIn("shape", error["where"])

    def test_advice_names_options_that_the_command_has(self):
        self.parts()
        shape = self.write("shape.json", json.dumps({"shape": "union", "of": [{"shape": "mesh", "file": "whole.off"}]}))
        error = self.refused(3, "render", shape, "--what", "mass", "-o", self.folder / "x.png", code="unavailable")
        self.assertNotIn("--method", error["message"])
        self.assertIn("--method image", run("mass", shape)[2])

    def test_a_closed_mesh_has_no_rims(self):
        self.parts()
        for mesh in (self.folder / "whole.off", self.write("ball.json", json.dumps(BALL))):
            self.assertEqual(self.answer("mass", mesh)["rims"], {
                "count": 0, "capped_volume": None, "capped_volume_flat": None, "cap_differences": None,
                "closed_by_weld": None, "list": []})


if __name__ == "__main__":
    unittest.main()
