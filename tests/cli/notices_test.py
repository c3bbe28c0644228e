"""What is said about the input: on stderr, in JSON as "notices", and where it is the status."""
import json
import unittest

from program import FACES, ProgramTest, box, off, run, threemf, threemf_mesh

LATTICE = ('xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"',
           '<b:beamlattice radius="1"/>')


class NoticesTest(ProgramTest):
    def said(self, *arguments, expected=0):
        """The notices of a run, each of which must be a line of stderr, and nothing else."""
        code, _, err = run(*arguments)
        self.assertEqual(code, expected, err)
        notices = self.answer(*arguments, expected=expected)["notices"]
        lines = err.splitlines()
        self.assertEqual(len(lines), len(notices), err)
        for line, notice in zip(lines, notices):
            self.assertTrue(line.startswith(f"plimsoll {arguments[0]}: "), line)
            self.assertTrue(line.endswith(notice["message"]), (line, notice))
            self.assertRegex(notice["code"], "^[a-z][a-z_0-9]*$")
        return notices

    def package(self, name, *arguments, **keywords):
        path = self.folder / name
        path.write_bytes(threemf(*arguments, **keywords))
        return path


class Notices(NoticesTest):
    def test_every_command_repeats_in_json_what_it_says(self):
        part = self.write("part.off", off(box()) + "3 0 1 2\n")
        picture = self.folder / "part.png"
        for arguments in [["mass", part], ["submerge", part, "--plane", "0,0,1,0.5"],
                          ["float", part, "--density", 500], ["gz", part, "--density", 500],
                          ["render", part, "--what", "waterline", "--plane", "0,0,1,0.5", "-o",
                           picture]]:
            with self.subTest(arguments[0]):
                [notice] = self.said(*arguments)
                self.assertEqual(list(notice), ["code", "message"])
                self.assertEqual(notice["code"], "passed_over")
                self.assertIn("line 23", notice["message"])
        self.assertEqual(self.said("mass", self.box()), [])

    def test_pairs_beyond_what_is_counted_are_said(self):
        boxes = [box(corner=(0.001 * i, 0.002 * i, 0.003 * i)) for i in range(300)]
        faces = [tuple(8 * i + v for v in face) for i in range(300) for face in FACES]
        pile = self.write("pile.off", off([v for one in boxes for v in one], faces))
        [notice] = self.said("mass", pile, "--check-intersections", expected=4)
        self.assertEqual(notice["code"], "pairs")
        answer = self.answer("mass", pile, "--check-intersections", expected=4)
        self.assertEqual(answer["status"], "self_intersecting")
        self.assertIn(f'at {answer["input"]["self_intersecting_pairs"]} pairs', notice["message"])
        self.assertIn("at least", run("mass", pile, "--check-intersections")[1])

    def test_meshes_within_documents_have_their_units_remarked_on(self):
        self.box("ship.off", size=(60, 10, 6)), self.box("barge.off", size=(50, 10, 6))
        part = lambda name, **more: {"shape": "mesh", "file": name, **more}
        both = lambda *of: {"shape": "union", "of": list(of)}
        write = lambda name, value: self.write(name, json.dumps(value))
        shape = write("ship.json", both(part("ship.off"), part("barge.off"), part("ship.off")))
        images = "--method", "image", "--resolution", 16
        for arguments in [["mass", shape, *images],
                          ["submerge", shape, "--plane", "0,0,1,1", *images]]:
            with self.subTest(arguments[0]):
                [notice] = self.said(*arguments)
                self.assertEqual(notice["code"], "unit")
                self.assertTrue(notice["message"].startswith("of[0]: measures 60 x 10 x 6 m"))
                self.assertIn('"scale": 0.001', notice["message"])
                self.assertTrue(notice["message"].endswith("(said of the first such mesh only)"))
                self.assertEqual(self.said(*arguments, "--units", "m"), [])
        alone = write("alone.json", part("ship.off"))
        for arguments in [["float", alone, "--density", 500], ["mass", alone]]:
            [notice] = self.said(*arguments)
            self.assertTrue(notice["message"].startswith("measures 60 x 10 x 6 m"))
        one = write("one.json", both(part("ship.off", scale=1), part("barge.off", scale=0.001)))
        self.assertNotIn("unit", [notice["code"] for notice in self.said("mass", one, *images)])
        scene = write("scene.json", {"fluid": {"density": 1000}, "drag": {"quadratic": 1}, "bodies": [
            {"shape": part("ship.off"), "density": 500}]})
        [notice] = self.said("simulate", scene, "--seconds", 0.01)
        self.assertTrue(notice["message"].startswith("bodies[0].shape: measures 60 x 10 x 6 m"))

    def test_notices_of_an_assembly_name_their_file(self):
        left = self.write("left.off", off(box()) + "3 0 1 2\n")
        right = self.box("right.off", corner=(1, 0, 0))
        [notice] = self.said("mass", left, right)
        self.assertEqual(notice["file"], str(left))

    def test_what_an_image_may_have_missed_is_a_notice(self):
        shape = self.write("shape.json", '{"shape": "union", "of": [{"shape": "mesh", "file": '
                                         '"open.off"}]}')
        self.write("open.off", off(box(), [(0, 2, 3)]))
        codes = [n["code"] for n in self.said("mass", shape, "--method", "image", expected=4)]
        self.assertIn("open", codes)


class FarOff(NoticesTest):
    """Lengths in arguments that were meant in millimeters put things a thousand times too far."""

    def far(self, code, *arguments, said, expected=0):
        notices = [n["message"] for n in self.said(*arguments, expected=expected)
                   if n["code"] == code]
        self.assertEqual(len(notices), said, (arguments, notices))
        return notices

    def pose(self, x):
        return f"1,0,0,{x},0,1,0,0,0,0,1,0,0,0,0,1"

    # Its diagonal is 0.07 m.
    def test_a_center_or_a_plane_ten_sizes_from_the_body_is_said(self):
        part = self.box(size=(0.06, 0.02, 0.03))
        for z, said in [(0.5, 0), (0.72, 0), (0.74, 1), (15, 1)]:
            plane = f"0,0,2,{2 * z}"
            self.far("plane", "submerge", part, "--plane", plane, said=said)
            self.far("plane", "spheres", part, "--count", 5, "--keep", f"0,0,1,-{z}", said=z > 0.7)
            self.far("center_of_mass", "gz", part, "--mass", 0.01, "--heel", "0:20:10", "--com",
                     f"0,0,{z}", said=said)
            self.far("plane", "render", part, "--what", "waterline", "--plane", plane, "-o",
                     self.folder / "a.png", said=said)
        [notice] = self.far("plane", "submerge", part, "--plane", "0,0,1,15", said=1)
        self.assertIn("15 m away from the body, whose box has a diagonal of 0.07 m", notice)
        self.assertIn("--plane is in meters", notice)
        # The pose brings the body to the water.
        pose = "1,0,0,0,0,1,0,0,0,0,1,15,0,0,0,1"
        self.far("plane", "submerge", part, "--plane", "0,0,1,15", "--pose", pose, said=0)

    def test_a_body_that_a_pose_puts_a_hundred_sizes_away_is_said(self):
        part = self.box(size=(0.06, 0.02, 0.03))
        for x, said in [(1, 0), (6.9, 0), (7.1, 1), (500, 1)]:
            for command in (["submerge", part, "--plane", "0,0,1,0"],
                            ["float", part, "--density", 500, "--attitude", "fixed"],
                            ["render", part, "--what", "waterline", "--plane", "0,0,1,0.01", "-o",
                             self.folder / "a.png"]):
                messages = self.far("pose", *command, "--pose", self.pose(x), said=said)
                self.assertTrue(all("--pose is in meters" in message for message in messages))

    def test_bodies_that_poses_put_a_hundred_sizes_apart_are_said(self):
        part = self.box(size=(0.06, 0.02, 0.03))
        for x, said in [(1, 0), (7, 0), (7.2, 1), (500, 1)]:
            for command in ("distance", "pairs"):
                self.far("apart", command, part, part, "--pose-b", self.pose(x), said=said)
        messages = self.far("apart", "pairs", part, part, part, "--pose-b", self.pose(0.02),
                            "--pose-c", self.pose(-30), said=1)
        self.assertIn("--pose-c is in meters", messages[0])
        # Two that lie beside each other far from a third are near enough to one.
        self.far("apart", "pairs", part, part, part, "--pose-b", self.pose(-30), "--pose-c",
                 self.pose(-30.02), said=0)
        self.assertNotIn("unit of its own", messages[0])


class Partial(NoticesTest):
    def lattice(self):
        return self.package("lattice.3mf", threemf_mesh(box(), more=LATTICE[1]), LATTICE[0])

    def test_geometry_that_is_not_read_is_the_status(self):
        part = self.lattice()
        answer = self.answer("mass", part, expected=4)
        self.assertEqual((answer["status"], answer["error_bound"]), ("partial", None))
        self.assertIn("partial", [notice["code"] for notice in answer["notices"]])
        text = run("mass", part)[1]
        self.assertIn("WARNING", text)
        self.assertIn("not read", text)
        self.assertIn("DO NOT TRUST", run("mass", part, "--format", "urdf")[1])

    def test_a_graver_status_comes_first(self):
        path = self.package("open.3mf", threemf_mesh(box(), [(0, 2, 3)], LATTICE[1]), LATTICE[0])
        self.assertEqual(self.answer("mass", path, expected=4)["status"], "open")
        parts = self.answer("mass", self.lattice(), self.box(), expected=4)
        self.assertEqual(parts["status"], "partial")
        self.assertEqual([p["status"] for p in parts["parts"]], ["partial", "ok"])

    def test_no_command_answers_for_a_part_as_if_it_were_the_whole(self):
        part = self.lattice()
        for arguments in [["submerge", part, "--plane", "0,0,1,0.0005"],
                          ["float", part, "--density", 500],
                          ["float", part, "--density", 500, "--attitude", "fixed"],
                          ["gz", part, "--density", 500],
                          ["render", part, "--what", "waterline", "--plane", "0,0,1,0.0005", "-o",
                           self.folder / "a.png"]]:
            with self.subTest(arguments):
                answer = self.answer(*arguments, expected=4)
                self.assertEqual(answer["status"], "partial")
                self.assertIsNone(answer.get("error_bound"))


class UnitHints(NoticesTest):
    def test_a_size_that_suggests_another_unit_is_said(self):
        for size, words in [(85, "--units mm"), (1e-4, "smaller than a millimeter")]:
            [notice] = self.said("mass", self.box(size=(size,) * 3))
            self.assertEqual(notice["code"], "unit")
            self.assertIn(words, notice["message"])
        self.assertEqual(self.said("mass", self.box(size=(0.85, 0.6, 0.4))), [])
        self.assertEqual(self.said("mass", self.box(size=(85, 60, 40)), "--units", "m"), [])
        self.assertEqual(self.answer("mass", self.box(size=(85, 60, 40)))["volume"], 204000)

    def test_a_remark_on_units_is_made_of_one_file_of_many(self):
        parts = [self.box(f"{x}.off", (85, 60, 40), (x, 0, 0)) for x in (0, 85)]
        [notice] = self.said("mass", *parts)
        self.assertIn("first such file only", notice["message"])

    # The box has edges of one unit: its volume is the unit's cube, rounded three times.
    def test_a_unit_that_the_file_names_applies_and_is_said(self):
        for unit, plural, meters in [("micron", "microns", 1e-6), ("inch", "inches", 0.0254),
                                     ("foot", "feet", 0.3048), ("meter", "meters", 1),
                                     ("centimeter", "centimeters", 0.01)]:
            with self.subTest(unit):
                path = self.package("part.3mf", threemf_mesh(box()), f'unit="{unit}"')
                [notice] = self.said("mass", path)
                self.assertEqual(notice["code"], "unit")
                self.assertIn(f"read in {plural}, the unit that the file names", notice["message"])
                self.assert_rounded(self.answer("mass", path)["volume"], meters**3, 4)

    def test_3mf_without_a_unit_is_in_millimeters(self):
        path = self.package("part.3mf", threemf_mesh(box()))
        [notice] = self.said("mass", path)
        self.assertIn("read in millimeters, the unit of its format", notice["message"])
        answer = self.answer("mass", path)
        self.assert_rounded(answer["volume"], 1e-9, 4)
        self.assert_rounded(answer["surface_area"], 6e-6, 8)
        for coordinate in answer["center_of_mass"]:
            self.assert_rounded(coordinate, 5e-4, 4)

    def test_a_given_unit_overrides_that_of_the_file_and_is_said(self):
        path = self.package("part.3mf", threemf_mesh(box()), 'unit="inch"')
        [notice] = self.said("mass", path, "--units", "mm")
        self.assertIn("read in millimeters, as --units says, and not in inches", notice["message"])
        self.assert_rounded(self.answer("mass", path, "--units", "mm")["volume"], 1e-9, 4)
        self.assertEqual(self.said("mass", path, "--units", "in"), [])

    def test_each_part_of_an_assembly_has_its_own_unit(self):
        small = self.package("small.3mf", threemf_mesh(box()), 'unit="centimeter"')
        hole = self.package("hole.3mf", threemf_mesh(box(), FACES[1:]), 'unit="centimeter"')
        answer = self.answer("mass", small, self.box(corner=(2, 0, 0)))
        self.assert_rounded(answer["parts"][0]["volume"], 1e-6, 4)
        self.assertEqual(answer["parts"][1]["volume"], 1)
        shared = self.answer("mass", small, self.box(corner=(2, 0, 0)), "--method", "image",
                             "--mass", "2")
        volumes = [part["volume"] for part in shared["parts"]]
        self.assert_rounded(volumes[0], 1e-6 * volumes[1], 64)  # the same columns, scaled
        for defect in self.answer("mass", hole, self.box(), expected=4)["defects"]:
            self.assertLessEqual(max(map(abs, defect["at"])), 0.01)

    def test_every_command_reads_3mf_in_its_unit(self):
        path = self.package("part.3mf", threemf_mesh(box()))
        wet = self.answer("submerge", path, "--plane", "0,0,1,0.0005")
        self.assert_rounded(wet["volume"], 5e-10, 8)
        self.assert_rounded(self.answer("float", path, "--density", 500)["volume"], 1e-9, 8)
        self.assertEqual([n["code"] for n in wet["notices"]], ["unit"])


if __name__ == "__main__":
    unittest.main()
