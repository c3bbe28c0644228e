"""What `plimsoll mass` says about the mesh that it read: its box, its rims."""
import base64
import decimal
import json
import math
import struct
import unittest

from program import CORNERS, FACES, ProgramTest, box, off, run


class Boxes(ProgramTest):
    """`bounding_box`, in meters."""

    def test_the_box_of_a_mesh_is_in_meters(self):
        part = self.box(size=(2, 4, 8), corner=(-1, 0, 1))
        self.assertEqual(self.answer("mass", part)["input"]["bounding_box"],
                         [[-1, 0, 1], [1, 4, 9]])
        (low, high) = self.answer("mass", part, "--units", "cm")["input"]["bounding_box"]
        for found, true in zip(low + high, (-1, 0, 1, 1, 4, 9)):  # 1/100 and the product are rounded
            self.assert_rounded(found, true / 100, 2)

    def test_the_box_of_an_assembly_holds_those_of_its_parts(self):
        answer = self.answer("mass", self.box("a.off", (1, 1, 1), (-1, 0, 0)),
                             self.box("b.off", (1, 2, 1)))
        self.assertEqual(answer["input"]["bounding_box"], [[-1, 0, 0], [1, 2, 1]])
        self.assertEqual([part["input"]["bounding_box"] for part in answer["parts"]],
                         [[[-1, 0, 0], [0, 1, 1]], [[0, 0, 0], [1, 2, 1]]])

    def test_a_vertex_that_no_triangle_names_is_not_in_the_box(self):
        part = self.write("part.off", off(box() + [(9, 9, 9)], FACES))
        self.assertEqual(self.answer("mass", part)["input"]["bounding_box"], [[0] * 3, [1] * 3])

    def test_a_box_begins_at_0_where_the_file_says_minus_0(self):
        part = self.write("part.off", off([[x or -0.0 for x in corner] for corner in CORNERS]))
        (low, _) = self.answer("mass", part)["input"]["bounding_box"]
        self.assertEqual([math.copysign(1, x) for x in low], [1, 1, 1])

    # The box of a Boolean may be larger than the body: none is better than a wrong one.
    def test_a_primitive_has_a_box_and_a_boolean_none(self):
        ball = self.write("ball.json", '{"shape": "sphere", "radius": 2}')
        self.assertEqual(self.answer("mass", ball)["input"]["bounding_box"], [[-2] * 3, [2] * 3])
        cut = self.write("cut.json", """{"shape": "intersection", "of": [
            {"shape": "sphere", "radius": 2}, {"shape": "box", "size": [1, 1, 9]}]}""")
        answer = self.answer("mass", cut, ball, "--method", "image")
        self.assertIsNone(answer["parts"][0]["input"]["bounding_box"])
        self.assertEqual(answer["parts"][1]["input"]["bounding_box"], [[-2] * 3, [2] * 3])
        self.assertIsNone(answer["input"]["bounding_box"])


class Rims(ProgramTest):
    """What an open mesh would weigh with caps over its rims."""

    # Without two opposite faces the sum is 2/3, and does not move with the point of reference.
    def test_a_tube_of_two_open_ends_says_what_it_lacks(self):
        tube = self.box(size=(2, 2, 2), faces=FACES[4:])
        answer = self.answer("mass", tube, "--units", "cm", expected=4)
        self.assertEqual(answer["input"]["shift_sensitivity"], 0)
        self.assert_rounded(answer["volume"], 8e-6 * 2 / 3, 8)
        rims = answer["rims"]
        self.assertEqual(rims["count"], 2)
        for key in ("capped_volume", "capped_volume_flat"):
            self.assert_rounded(rims[key], 8e-6, 16)
        self.assert_rounded(rims["cap_differences"], 0, 16, of=8e-6)
        self.assertEqual(sorted(rim["center"][2] for rim in rims["list"]), [0, 0.02])
        for rim in rims["list"]:
            self.assertEqual(rim["edges"], 4)
            self.assert_rounded(rim["length"], 0.08, 8)
            self.assert_rounded(rim["area"], 4e-4, 8)
            self.assert_rounded(rim["cap_volume"], 8e-6 / 6, 16)
        report = " ".join(run("mass", tube, "--units", "cm")[1].split())
        self.assertIn("have a triangle on one side only: the surface does not close, it has 2 rims", report)
        self.assertIn("closed by caps over its 2 rims, the volume is 8e-06 m^3: the sum below is "
                      "33.3 % too small", report)

    def test_a_tube_turned_inward_lacks_the_same(self):
        tube = self.box(faces=[(a, c, b) for a, b, c in FACES[4:]])
        rims = self.answer("mass", tube, expected=4)["rims"]
        self.assert_rounded(rims["capped_volume"], 1, 16)
        self.assert_rounded(rims["list"][0]["cap_volume"], 1 / 6, 16)
        self.assertIn("33.3 % too small", " ".join(run("mass", tube)[1].split()))

    def test_each_part_of_an_assembly_has_its_own(self):
        answer = self.answer("mass", self.box("a.off", faces=FACES[2:]), self.box("b.off"),
                             expected=4)
        self.assertNotIn("rims", answer)
        self.assertEqual(answer["parts"][0]["rims"]["count"], 1)
        self.assertEqual(answer["parts"][1]["rims"],
                         {"count": 0, "capped_volume": None, "capped_volume_flat": None,
                          "cap_differences": None, "closed_by_weld": None, "list": []})

    def test_a_single_triangle_encloses_nothing_and_says_so(self):
        report = " ".join(run("mass", self.box(faces=FACES[:1]))[1].split())
        self.assertIn("closed by a cap over its rim, the surface encloses nothing", report)

    # Caps do not turn triangles: then the reference point is moved instead.
    def test_a_triangle_turned_over_beside_a_hole_leaves_caps_out(self):
        part = self.box(faces=[(0, 3, 2)] + FACES[1:11])
        rims = self.answer("mass", part, expected=4)["rims"]
        self.assertEqual((rims["count"], rims["capped_volume"]), (0, None))
        self.assertIn("if the reference point moves", run("mass", part)[1])


class Welding(ProgramTest):
    """--weld TOL: vertices closer than that are made one."""

    def shaken(self, name="shaken.off", size=1, by=1e-6, faces=FACES):
        """A box whose triangles have corners of their own, each moved along x, up to `by`."""
        corners, triangles = [], []
        for face in faces:
            for corner in face:
                x, y, z = box((size,) * 3)[corner]
                corners.append((x + size * by * (len(corners) % 3 - 1), y, z))
            triangles.append(tuple(range(len(corners) - 3, len(corners))))
        return self.write(name, off(corners, triangles))

    # Corners are 0, 1 or 2 millionths apart, and TOL is no farther than they may move.
    def test_faces_that_were_shaken_apart_are_closed(self):
        part = self.shaken()
        self.assertEqual(self.answer("mass", part, expected=4)["status"], "open")
        answer = self.answer("mass", part, "--weld", "3e-6")
        self.assertEqual(answer["status"], "ok")
        self.assertEqual(answer["input"]["vertices"], 8)
        self.assertEqual(answer["input"]["welded"]["tolerance"], 3e-6)
        self.assertGreater(answer["input"]["welded"]["merged"], 8)
        self.assertAlmostEqual(answer["volume"], 1, delta=4 * 3e-6)
        self.assertLessEqual(abs(answer["volume"] - 1), answer["error_bound"]["volume"])
        self.assertEqual([notice["code"] for notice in answer["notices"]], ["weld"])
        message = run("mass", part, "--weld", "3e-6")[2]
        self.assertRegex(message, r"^plimsoll mass: .*shaken.off: \d+ vertices closer than 3e-06 m to "
                                  r"another were made one with it, moved by at most 2e-06 m\n$")

    def test_the_tolerance_is_in_meters_after_units(self):
        part = self.shaken(size=1000)
        for unit, tolerance in [("mm", "3e-6"), ("m", "3e-3")]:
            answer = self.answer("mass", part, "--units", unit, "--weld", tolerance)
            self.assertEqual(answer["status"], "ok")
        self.answer("mass", part, "--units", "m", "--weld", "3e-6", expected=4)

    def test_an_open_mesh_that_welding_closes_says_with_which_tolerance(self):
        part = self.shaken(size=1000)
        report = " ".join(run("mass", part, "--units", "mm")[1].split())
        self.assertIn("closes when vertices closer than 3e-06 m are made one: --weld 3e-06", report)
        self.assertIn("welded so, the volume is 1 m^3", report)
        rims = self.answer("mass", part, "--units", "mm", expected=4)["rims"]
        self.assertEqual(rims["closed_by_weld"], 3e-6)
        self.answer("mass", part, "--units", "mm", "--weld", str(rims["closed_by_weld"]))
        # A hole stays one, and 1e-3 of the size is no seam.
        for other in (self.shaken(faces=FACES[1:]), self.shaken(by=1e-3)):
            self.assertNotIn("--weld", run("mass", other)[1])
            self.assertIsNone(self.answer("mass", other, expected=4)["rims"]["closed_by_weld"])

    def test_triangles_that_collapse_are_counted(self):
        needle = self.box(size=(1, 1, 1e-9))
        message = run("mass", needle, "--weld", "1e-6")[2]
        self.assertIn("4 vertices closer than 1e-06 m to another were made one with it", message)
        self.assertIn("; 8 triangles collapsed to an edge or a point", message)
        self.assertIn("no vertex is closer than 1e-12 m to another",
                      run("mass", needle, "--weld", "1e-12")[2])

    def test_other_commands_weld_too(self):
        part = self.shaken()
        for command in (["submerge", part, "--plane", "0,0,1,0.5"],
                        ["float", part, "--density", "500"], ["gz", part, "--density", "500"]):
            self.answer(*command, expected=4)
            self.answer(*command, "--weld", "3e-6")
        picture = self.folder / "picture.png"
        code, out, err = run("render", part, "--what", "waterline", "--density", "500", "--weld",
                             "3e-6", "-o", picture)
        self.assertEqual(code, 0, err)

    def test_a_bad_tolerance_is_refused(self):
        part = self.box()
        for tolerance in ("-1", "nan", "inf", "1 m", "", "1e999"):
            self.refused(2, "mass", part, f"--weld={tolerance}", code="usage")
        ball = self.write("ball.json", '{"shape": "sphere", "radius": 2}')
        self.refused(3, "mass", ball, "--weld", "1e-6", code="unavailable")

    def test_a_tolerance_as_large_as_the_mesh_is_refused(self):
        part = self.box()
        for tolerance in ("1.8", "1e200"):
            self.refused(2, "mass", part, "--weld", tolerance, code="usage")
        self.refused(2, "mass", part, "--units", "mm", "--weld", "0.0018", code="usage")
        self.assertEqual(self.answer("mass", part, "--weld", "0.5")["volume"], 1)


def seamed(size, gap):
    """The bytes of a binary STL of a box, one of whose corners is lower by `gap` in one face."""
    corners = box((size,) * 3)
    triangles = b""
    for number, face in enumerate(FACES):
        points = [list(corners[v]) for v in face]
        if number == 0:
            points[0][2] -= gap
        triangles += struct.pack("<12fH", 0, 0, 0, *sum(points, []), 0)
    return bytes(80) + struct.pack("<I", len(FACES)) + triangles


class Seams(ProgramTest):
    """Seams that the file's own rounding may have opened: of an STL, floats."""

    def seam(self, gap=5e-8, size=1, name="seam.stl"):
        path = self.folder / name
        path.write_bytes(seamed(size, gap * size))
        return path

    def test_a_seam_within_the_rounding_of_floats_is_closed(self):
        for size in (0.003, 1, 700):
            for gap in (3.9e-18, 5e-8):
                with self.subTest(size=size, gap=gap):
                    part = self.seam(gap, size)
                    answer = self.answer("mass", part, "--units", "m")
                    self.assertEqual(answer["status"], "ok")
                    welded = answer["input"]["welded"]
                    self.assertEqual(welded["merged"], 1)
                    self.assertTrue(gap * size * 0.99 < welded["tolerance"] < 2**-22 * size)
                    # The corner may be where either face has it: a pyramid of the gap's height on
                    # two faces, one for each of the other axes.
                    self.assertGreaterEqual(answer["error_bound"]["volume"], gap * size**3 / 6)
                    self.assertLessEqual(answer["error_bound"]["volume"], 1e-6 * size**3)
                    self.assertAlmostEqual(answer["volume"], size**3, delta=1e-6 * size**3)
                    [notice] = answer["notices"]
                    self.assertEqual(notice["code"], "weld")
                    self.assertRegex(notice["message"], "^1 vertex that is up to .* m from another was "
                                                        "made one with it.*--weld 0 leaves it open$")
                    kept = self.answer("mass", part, "--units", "m", "--weld", "0", expected=4)
                    self.assertEqual((kept["status"], kept["input"]["welded"]), ("open", None))

    def test_a_wider_seam_stays_open_and_names_the_weld(self):
        answer = self.answer("mass", self.seam(3e-6), expected=4)
        self.assertEqual(answer["status"], "open")
        self.assertIsNone(answer["input"]["welded"])
        self.assertAlmostEqual(answer["rims"]["closed_by_weld"], 4e-6)

    def test_all_commands_close_it(self):
        part, other = self.seam(), self.box(corner=(3, 0, 0))
        shape = self.write("shape.json", json.dumps({"shape": "mesh", "file": "seam.stl"}))
        joined = self.write("joined.json", json.dumps(
            {"shape": "union", "of": [{"shape": "mesh", "file": "seam.stl"},
                                      {"shape": "sphere", "radius": 0.1}]}))
        scene = self.write("scene.json", json.dumps(
            {"bodies": [{"shape": {"shape": "mesh", "file": "seam.stl"}, "density": 500}]}))
        for body in (part, shape):
            for command in (["mass", body], ["submerge", body, "--plane", "0,0,1,0.5"],
                            ["float", body, "--density", "500"], ["gz", body, "--density", "500"],
                            ["distance", body, other], ["pairs", body, other],
                            ["spheres", body, "--count", "20"],
                            ["overlap", body, other, "--method", "spheres", "--spheres", "20"],
                            ["submerge", body, "--plane", "0,0,1,0.5", "--method", "image"]):
                with self.subTest(command=command):
                    answer = self.answer(*command)
                    self.assertEqual(answer["status"], "ok")
                    self.assertIn("weld", [notice["code"] for notice in answer["notices"]])
                    if command[0] in ("submerge", "float"):
                        self.assertEqual(self.answer(*command, "--weld", "0", expected=4)["status"],
                                         "open")
        self.assertEqual(self.answer("mass", joined, "--method", "image")["status"], "ok")
        answer = self.answer("mass", joined, "--method", "image", "--weld", "0", expected=4)
        self.assertIn("open", [notice["code"] for notice in answer["notices"]])
        answer = self.answer("simulate", scene, "--seconds", "0.01")
        self.assertEqual(answer["status"], "ok")
        self.assertIn("weld", [notice["code"] for notice in answer["notices"]])

    def test_the_parts_of_an_assembly_are_counted_together(self):
        other = self.seam(3e-8, 2, "other.stl")
        answer = self.answer("mass", self.seam(), other)
        self.assertEqual(answer["status"], "ok")
        self.assertEqual(answer["input"]["welded"]["merged"], 2)
        self.assertEqual([part["input"]["welded"]["merged"] for part in answer["parts"]], [1, 1])


class Units(ProgramTest):
    """Coordinates that a unit rounds: the bounds know it."""

    def far(self):
        return self.box("far.off", corner=(1e9, 1e9, 1e9))  # [mm]; in meters 1e-7 of a mm apart

    def test_a_wet_volume_has_the_bound_of_its_rounded_corners(self):
        answer = self.answer("submerge", self.far(), "--units", "mm", "--plane", "0,0,1,1e7",
                             expected=4)  # six digits are not reached: mass says so too
        bound = answer["error_bound"]["volume"]
        self.assertLessEqual(abs(answer["volume"] - 1e-9), bound)
        self.assertTrue(1e-16 < bound <= 1e-12)
        answer = self.answer("submerge", self.far(), "--units", "mm", "--plane", "0,0,1,1e7",
                             "--method", "image")
        self.assertLessEqual(abs(answer["volume"] - 1e-9), answer["error_estimate"]["volume"])

    def test_a_mesh_within_a_shape_is_rounded_as_one_alone(self):
        self.far()
        shape = self.write("far.json", json.dumps({"shape": "mesh", "file": "far.off"}))
        answer = self.answer("submerge", shape, "--units", "mm", "--plane", "0,0,1,1e7",
                             expected=4)
        self.assertLessEqual(abs(answer["volume"] - 1e-9), answer["error_bound"]["volume"])
        self.assertTrue(1e-16 < answer["error_bound"]["volume"] <= 1e-12)
        answer = self.answer("distance", shape, self.box("near.off"), "--units", "mm")
        low, high = map(decimal.Decimal, answer["bounds"])
        self.assertTrue(low <= decimal.Decimal(3).sqrt() * decimal.Decimal("999999.999") <= high)

    def test_a_distance_has_it_too(self):
        other = self.box("other.off", corner=(1e9 + 3.3, 1e9, 1e9))
        true = (1e9 + 3.3 - (1e9 + 1)) / 1000  # as the files have it; the division is rounded
        for method in ([], ["--method", "spheres", "--spheres", "50"]):
            answer = self.answer("distance", self.far(), other, "--units", "mm", *method)
            low, high = answer["bounds"]
            self.assertTrue(low <= true <= high)
            self.assertLess(high - low, 1e-7)

    def test_a_shared_volume_has_it_too(self):
        answer = self.answer("overlap", self.far(), self.far(), "--units", "mm", "--method", "spheres",
                             "--spheres", "200")
        low, high = answer["bounds"]
        self.assertTrue(low <= 1e-9 <= high)


class Placements(ProgramTest):
    """Transforms within a file, which round what they place far from the origin."""

    def scene(self, *nodes):
        corners = [x for corner in box() for x in corner]
        indices = [i for face in FACES for i in face]
        data = struct.pack("<24f", *corners) + struct.pack(f"<{len(indices)}H", *indices)
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        return self.write("scene.gltf", json.dumps({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}],
            "nodes": [{"mesh": 0, **node} for node in nodes],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5123, "count": len(indices),
                           "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": 96},
                            {"buffer": 0, "byteOffset": 96, "byteLength": 2 * len(indices)}],
            "buffers": [{"byteLength": len(data), "uri": uri}]}))

    def test_the_bound_holds_for_what_is_placed_not_for_what_is_rounded(self):
        for shift, size, status in [(0, 0.3, "ok"), (100, 0.3, "ok"), (1e5, 0.3, "ok"),
                                    (1e7, 1e-3, "tolerance"), (1e9, 1e-3, "tolerance")]:
            with self.subTest(shift=shift, size=size):
                part = self.scene({"translation": [shift, 0, 0], "scale": [size] * 3})
                answer = self.answer("mass", part, expected=0 if status == "ok" else 4)
                self.assertEqual(answer["status"], status)
                # 3 ulp for the expected value itself.
                self.assertLessEqual(abs(answer["volume"] - size**3),
                                     answer["error_bound"]["volume"] + 3 * 2**-52 * size**3)
                self.assertEqual("rounding" in [n["code"] for n in answer["notices"]],
                                 status != "ok")

    # Within a SHAPE.json, and under water.
    def test_wherever_the_file_is_read_the_bound_is_the_same(self):
        self.scene({"translation": [1e9, 0.1, 0], "scale": [0.3] * 3})
        shape = self.write("far.json", json.dumps({"shape": "mesh", "file": "scene.gltf"}))
        for body, arguments in [(self.folder / "scene.gltf", []), (shape, [])]:
            for command in (["mass", body], ["submerge", body, "--plane", "0,0,1,9"],
                            ["mass", body, "--method", "image"]):
                with self.subTest(command=command):
                    code, out, err = run(*command, "--json")
                    answer = json.loads(out)
                    bound = (answer["error_bound"] or answer["error_estimate"])["volume"]
                    self.assertGreater(bound, 1e-8)
                    self.assertLessEqual(abs(answer["volume"] - 0.027), bound)

    def test_what_is_lost_in_rounding_is_not_answered_as_sound(self):
        part = self.scene({"translation": [1e15, 0, 0]})
        for command in (["submerge", part, "--plane", "1,0,0,1.00000000000000005e15"],
                        ["float", part, "--density", "500"], ["gz", part, "--density", "500"]):
            with self.subTest(command=command):
                answer = self.answer(*command, expected=4)
                self.assertEqual(answer["status"], "tolerance")
                self.assertIn("rounding", [notice["code"] for notice in answer["notices"]])

    def test_what_rounding_changes_entirely_has_no_bound(self):
        for nodes in ([{"translation": [1e15, 0, 0], "scale": [0.3] * 3}],
                      [{}, {"translation": [1e17, 0, 0]}]):
            part = self.scene(*nodes)
            answer = self.answer("mass", part, expected=4)
            self.assertEqual(answer["status"], "tolerance")
            self.assertIsNone(answer["error_bound"]["volume"])
            report = run("mass", part)[1]
            self.assertIn("so far from the origin", " ".join(report.split()))
            self.assertIn("not bounded", report)


if __name__ == "__main__":
    unittest.main()
