"""The files that `plimsoll spheres` writes for other programs."""
import math
import re
import struct
import unittest
import xml.etree.ElementTree
import zlib

from program import FACES, ProgramTest, box, off, run

# A number with a point: what YAML 1.1 takes for one with or without an exponent.
YAML_NUMBER = re.compile(r"-?\d+\.\d+(e[-+]\d+)?")


class SphereFiles(ProgramTest):
    def packed(self, name, *arguments, mesh=None, expected=0):
        """The answer, and the text of the file that was written."""
        out = self.folder / name
        answer = self.answer("spheres", mesh or self.box(size=(2, 1, 1)), "--count", "12", "--out",
                             out, *arguments, expected=expected)
        return answer, out.read_text()

    def rows(self, text):
        """x, y, z, radius of each sphere of a CSV."""
        lines = text.splitlines()
        self.assertEqual(lines[0], "x,y,z,radius")
        return [tuple(map(float, line.split(","))) for line in lines[1:]]

    # A ball of radius 1/2 is the largest that fits, wherever along the box; 1e-9 is far above the
    # rounding of coordinates near 1.
    def test_the_answer_fits_the_spheres(self):
        answer, text = self.packed("box.csv")
        rows = self.rows(text)
        self.assertEqual((answer["status"], answer["count"], len(rows)), ("ok", 12, 12))
        radii = [row[3] for row in rows]
        self.assertAlmostEqual(radii[0], 0.5, delta=0.03 * 0.5)
        self.assertEqual(radii, sorted(radii, reverse=True))
        for x, y, z, radius in rows:
            inside = min(x, 2 - x, y, 1 - y, z, 1 - z)
            self.assertGreaterEqual(inside, radius - 1e-9)
        volume = sum(4 / 3 * math.pi * radius**3 for radius in radii)
        self.assertAlmostEqual(answer["coverage"], volume / 2, delta=1e-12)
        self.assertGreater(answer["build_seconds"], 0)
        # Each sphere has a leaf, of more than its four numbers.
        self.assertGreater(answer["bytes"], 12 * 32)

    # For a link named after the file, numbers that bring the same doubles back.
    def test_yaml_has_the_spheres_as_curobo_reads_them(self):
        text = self.packed("finger.yaml", mesh=self.box("finger.off", (2, 1, 1)))[1]
        rows = self.rows(self.packed("finger.csv", mesh=self.folder / "finger.off")[1])
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        self.assertEqual(lines[:2], ["collision_spheres:", '  "finger":'])
        self.assertEqual(len(lines), 2 + 2 * len(rows))
        for (x, y, z, radius), center, size in zip(rows, lines[2::2], lines[3::2]):
            found = re.fullmatch(r"    - center: \[(.*), (.*), (.*)\]", center).groups()
            found += re.fullmatch(r"      radius: (.*)", size).groups()
            for number in found:
                self.assertTrue(YAML_NUMBER.fullmatch(number), number)
            self.assertEqual(tuple(map(float, found)), (x, y, z, radius))

    def test_numbers_in_yaml_are_none_but_numbers(self):
        text = self.packed("tiny.yaml", mesh=self.box("tiny.off", (2e-7, 1e-7, 1e-7)))[1]
        numbers = re.findall(r"radius: (.*)", text)
        self.assertEqual(len(numbers), 12)
        for number in numbers:
            self.assertTrue(YAML_NUMBER.fullmatch(number), number)
            self.assertIn("e-", number)

    def test_a_reader_of_yaml_finds_the_spheres(self):
        yaml = self.package("yaml")
        name = 'yes: "no" #1'
        text = self.packed("out.yaml", mesh=self.box(name + ".off", (2, 1, 1)))[1]
        spheres = yaml.safe_load(text)["collision_spheres"]
        self.assertEqual(list(spheres), [name])
        self.assertEqual(len(spheres[name]), 12)
        for sphere in spheres[name]:
            self.assertEqual([type(x) for x in (*sphere["center"], sphere["radius"])], 4 * [float])

    def test_srdf_has_the_spheres_of_a_link(self):
        name = 'a<b>&"c'
        mesh = self.box(name + ".off", (2, 1, 1))
        robot = xml.etree.ElementTree.fromstring(self.packed("out.srdf", mesh=mesh)[1])
        rows = self.rows(self.packed("out.csv", mesh=mesh)[1])
        self.assertEqual((robot.tag, robot.get("name")), ("robot", name))
        link, = robot
        self.assertEqual((link.tag, link.get("link")), ("link_sphere_approximation", name))
        found = [(*map(float, sphere.get("center").split()), float(sphere.get("radius")))
                 for sphere in link]
        self.assertEqual({sphere.tag for sphere in link}, {"sphere"})
        self.assertEqual(found, rows)

    # Radii larger by the proved protrusion contain every point: corners are farthest from spheres.
    def test_planners_are_told_that_spheres_do_not_contain_the_solid(self):
        for name in ("box.yaml", "box.srdf"):
            answer, text = self.packed(name)
            self.assertIn("do not contain the solid", text)
            growth = float(re.search(r"farther than (\S+) m", text)[1])
            self.assertEqual(growth, answer["largest_protrusion"])
            rows = self.rows(self.packed("box.csv")[1])
            for corner in box(size=(2, 1, 1)):
                self.assertLessEqual(min(math.dist(corner, row[:3]) - row[3] for row in rows), growth)
            text = self.packed(name, "--keep", "1,0,0,1")[1]
            self.assertIn("do not contain the part of the solid that is kept", text)

    def test_a_link_may_have_a_name_of_its_own(self):
        self.assertIn('\n  "left finger":\n', self.packed("a.yaml", "--link", "left finger")[1])
        text = self.packed("a.srdf", "--link", "l<1>", mesh=self.box("hand.off"))[1]
        robot = xml.etree.ElementTree.fromstring(text)
        self.assertEqual((robot.get("name"), robot[0].get("link")), ("hand", "l<1>"))
        for more in (["--out", self.folder / "a.csv", "--link", "a"], ["--link", "a"],
                     ["--out", self.folder / "b.yaml", "--link", ""]):
            self.refused(2, "spheres", self.box(), *more, code="usage")

    # The documented header: magic, version, checksum of the rest, counts.
    def test_ist_holds_the_tree_and_the_mesh(self):
        out = self.folder / "box.ist"
        self.answer("spheres", self.box(), "--count", "20", "--out", out)
        data = out.read_bytes()
        self.assertEqual(data[:8], b"\x89IST\r\n\x1a\n")
        version, checksum = struct.unpack("<II", data[8:16])
        self.assertEqual((version, checksum), (1, zlib.crc32(data[16:])))
        vertices, triangles, spheres, _, nodes = struct.unpack("<5Q", data[24:64])
        self.assertEqual((vertices, triangles, spheres), (8, 12, 20))
        self.assertGreater(nodes, 20)

    def test_a_mesh_that_is_not_sound_is_said_in_its_files(self):
        pair = self.write("pair.off", self.crossing_boxes())
        for name in ("pair.yaml", "pair.srdf"):
            answer, text = self.packed(name, mesh=pair, expected=4)
            self.assertEqual(answer["status"], "self_intersecting")
            self.assertIn("DO NOT TRUST THESE SPHERES: status self_intersecting", text)

    def crossing_boxes(self):
        return off(box() + box(corner=(0.5, 0.25, 0.125)),
                   FACES + [tuple(v + 8 for v in face) for face in FACES])

    def clump(self, name, *arguments):
        """The comments, and the rows that are not empty, of a clump's file."""
        out = self.folder / name
        self.answer("spheres", self.box("grain.off", (2, 1, 1)), *arguments, "--out", out)
        lines = out.read_text().splitlines()
        comments = [line for line in lines if line.startswith("#")]
        return comments, [line.split() for line in lines if line and not line.startswith("#")]

    def numbers(self, line):
        """volume, center, inertia of a comment."""
        found = re.search(r"volume (.*), center of mass (.*), inertia about it \(xx yy zz xy xz yz\) (.*)", line)
        return [list(map(float, group.split())) for group in found.groups()]

    # A box of 2 x 1 x 1: 2, its middle, (1 + 1) 2 / 12 and (4 + 1) 2 / 12.
    def check_masses(self, comments, rows):
        solid = self.numbers(next(line for line in comments if line.startswith("# the solid: ")))
        self.assertEqual(solid[:2], [[2], [1, 0.5, 0.5]])
        for found, expected in zip(solid[2], (1 / 3, 5 / 6, 5 / 6, 0, 0, 0)):
            self.assertAlmostEqual(found, expected, delta=1e-14)
        union = self.numbers(next(line for line in comments if line.startswith("# the union of the spheres: ")))
        total = sum(4 / 3 * math.pi * float(row[3]) ** 3 for row in rows)
        self.assertLessEqual(union[0][0], total * (1 + 1e-12))
        return union[0][0], total

    # Inner spheres do not overlap; those of a cover do.
    def test_clumps_have_the_mass_of_the_solid_beside_that_of_the_union(self):
        for name in ("a.liggghts", "a.yade"):
            comments, rows = self.clump(name, "--count", "7")
            self.assertEqual({len(row) for row in rows}, {5 if name == "a.yade" else 4})
            union, total = self.check_masses(comments, rows)
            self.assertEqual(len(rows), 7)
            self.assertAlmostEqual(union, total, delta=1e-12)
            comments, rows = self.clump(name, "--cover", "2")
            union, total = self.check_masses(comments, rows)
            self.assertGreater(union, 2)
            self.assertLess(union, 0.99 * total)

    def test_a_molecule_is_one_of_lammps(self):
        comments, rows = self.clump("a.lammps", "--cover", "2")
        csv = self.rows(self.packed("a.csv", mesh=self.folder / "grain.off")[1])
        self.assertEqual(len(csv), 12)
        self.assertEqual(rows[0], ["2", "atoms"])
        self.assertEqual(rows[1], ["2", "mass"])
        self.assertEqual(rows[2], ["1", "0.5", "0.5", "com"])
        self.assertEqual((len(rows[3]), rows[3][6]), (7, "inertia"))
        titles = [number for number, row in enumerate(rows) if row[0] in ("Coords", "Types", "Diameters", "Masses")]
        self.assertEqual([rows[number][0] for number in titles], ["Coords", "Types", "Diameters", "Masses"])
        self.assertEqual(titles, [4, 7, 10, 13])
        for title in titles:
            self.assertEqual([row[0] for row in rows[title + 1:title + 3]], ["1", "2"])
        for sphere in (1, 2):
            radius = float(rows[10 + sphere][1]) / 2
            self.assertAlmostEqual(float(rows[13 + sphere][1]), 4 / 3 * math.pi * radius**3, delta=1e-12)

    def test_an_ending_of_no_format_is_refused(self):
        for name in ("box.txt", "box", "box.yml"):
            error = self.refused(2, "spheres", self.box(), "--out", self.folder / name, code="usage")
            self.assertIn(".csv, .json, .yaml, .srdf, .liggghts, .lammps, .yade or .ist", error["message"])
            self.assertFalse((self.folder / name).exists())

    def test_without_spheres_there_is_no_tree(self):
        out = self.folder / "none.ist"
        answer = self.answer("spheres", self.box(), "--min-radius", "1")
        self.assertEqual((answer["count"], answer["bytes"]), (0, 0))
        code, _, err = run("spheres", self.box(), "--min-radius", "1", "--out", out)
        self.assertEqual(code, 4)
        self.assertIn("found no spheres, expected one to make a tree of", err)
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
