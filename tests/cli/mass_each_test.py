"""`plimsoll mass --each`: bodies one by one, a row for each."""
import csv
import io
import json
import os
import signal
import subprocess
import unittest

from program import PROGRAM, FACES, ProgramTest, box, off, run


class Each(ProgramTest):
    def lines(self, *arguments, expected, stdin=b""):
        code, out, err = run("mass", "--each", *arguments, stdin=stdin)
        self.assertEqual(code, expected, out + err)
        return out.splitlines()

    def objects(self, *arguments, expected, stdin=b""):
        return [json.loads(line) for line in
                self.lines(*arguments, "--json", expected=expected, stdin=stdin)]

    def test_each_line_is_what_the_mesh_alone_has(self):
        parts = [self.box("a.off"), self.box("b.off", (2, 4, 1)),
                 self.write("ball.json", '{"shape": "sphere", "radius": 2}')]
        for part, found in zip(parts, self.objects(*parts, "--density", "3", expected=0)):
            self.assertEqual(list(found)[0], "file")
            self.assertEqual(found.pop("file"), str(part))
            self.assertEqual(found, self.answer("mass", part, "--density", "3"))

    def test_one_broken_file_of_forty_does_not_lose_the_rest(self):
        parts = [self.box(f"{i}.off", (i + 1, 1, 1)) for i in range(40)]
        parts[17].write_text("OFF\n8 12 0\n0 0 zero\n")
        parts[23].unlink()
        found = self.objects(*parts, expected=5)
        self.assertEqual([one["file"] for one in found], [str(part) for part in parts])
        for i, one in enumerate(found):
            if i not in (17, 23):
                self.assertEqual(one["volume"], i + 1)
                continue
            self.assertEqual(list(one), ["file", "error"])
            self.assertEqual(one["error"]["code"], "malformed" if i == 17 else "unreadable")
            alone = json.loads(run("mass", parts[i], "--json")[1])
            self.assertEqual(one["error"], alone["error"])
        _, _, err = run("mass", "--each", *parts)
        self.assertIn("plimsoll mass: 2 of 40 bodies could not be weighed", err)

    def test_the_rows_of_csv_are_alike(self):
        parts = [self.box("a,b.off"), self.folder / "none.off", self.box("c.off", faces=FACES[1:])]
        rows = list(csv.reader(io.StringIO("\n".join(
            self.lines(*parts, "--format", "csv", expected=5)))))
        self.assertEqual(rows[0][0], "file")
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        named = [dict(zip(rows[0], row)) for row in rows[1:]]
        self.assertEqual([row["file"] for row in named], [str(part) for part in parts])
        self.assertEqual([row["status"] for row in named], ["ok", "", "open"])
        self.assertEqual([row["volume"] for row in named][:2], ["1", ""])
        self.assertEqual([row["error_code"] for row in named], ["", "unreadable", ""])
        self.assertIn("cannot", named[1]["error"])
        bad = self.folder / "bad.obj"
        bad.write_text("v 0 0 0\nv 20,000 0 0\n")
        row = dict(zip(rows[0], list(csv.reader(self.lines(bad, "--format", "csv",
                                                           expected=5)))[1]))
        self.assertTrue(row["error"].startswith(f"{bad}:2: found"), row["error"])

    def test_the_rows_of_text_have_a_heading(self):
        lines = self.lines(self.box("a.off", (2, 1, 1)), self.folder / "none.off", expected=5)
        self.assertEqual(lines[0].split()[0], "status")
        self.assertEqual(lines[1].split(), ["ok", "1", "2", "2", str(self.folder / "a.off")])
        self.assertTrue(lines[2].startswith("failed "), lines[2])
        self.assertEqual(lines[2].count("none.off"), 1)

    # It was weighed, and says what is wrong; a failure is graver.
    def test_a_mesh_that_is_not_sound_is_an_answer(self):
        whole, holed = self.box("a.off"), self.box("b.off", faces=FACES[1:])
        self.assertEqual([one["status"] for one in self.objects(whole, holed, whole, expected=4)],
                         ["ok", "open", "ok"])
        self.objects(holed, self.folder / "none.off", expected=5)

    def test_the_same_file_twice_has_two_rows_and_standard_input_one(self):
        part = self.box()
        found = self.objects(part, "-", part, "--input-format", "off", expected=0,
                             stdin=off(box((3, 1, 1))).encode())
        self.assertEqual([(one["file"], one["volume"]) for one in found],
                         [(str(part), 1), ("-", 3), (str(part), 1)])
        self.refused(2, "mass", "--each", "-", "-", "--input-format", "off", code="usage")

    def test_masses_and_densities_are_each_mesh_s_own(self):
        small, large = self.box("a.off"), self.box("b.off", (2, 1, 1))
        self.assertEqual([one["density"] for one in
                          self.objects(small, large, "--mass", "6", expected=0)], [6, 3])
        self.assertEqual([one["mass"] for one in
                          self.objects(f"{small}=5", large, "--density", "2", expected=0)], [5, 4])

    # 50 m are remarked on, of each file for itself.
    def test_what_is_said_of_a_file_is_in_its_own_notices(self):
        large, small = self.box("a.off", (50, 1, 1)), self.box("b.off")
        found = self.objects(large, small, large, expected=0)
        self.assertEqual([[notice["code"] for notice in one["notices"]] for one in found],
                         [["unit"], [], ["unit"]])

    def test_a_document_of_one_body_is_not_for_several(self):
        for form in ["urdf", "sdf", "mjcf", "sdf-inertial"]:
            self.assertEqual(run("mass", "--each", self.box(), "--format", form)[0], 2)

    # The second file never comes: it is a pipe that nobody writes to.
    def test_rows_that_are_known_are_written_before_an_interrupt(self):
        pipe = self.folder / "pipe.off"
        os.mkfifo(pipe)
        process = subprocess.Popen([PROGRAM, "mass", "--each", "--json", str(self.box()), str(pipe)],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with process, process.stdout as out:
            self.assertEqual(json.loads(out.readline())["volume"], 1)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 130)


if __name__ == "__main__":
    unittest.main()
