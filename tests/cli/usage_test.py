"""How the program is asked, and how it says that it cannot answer: exit codes and error objects."""
import json
import os
import subprocess
import unittest

from program import PROGRAM, ProgramTest, box, off, run


class Commands(ProgramTest):
    def test_every_command_explains_itself(self):
        code, overview, err = run("--help")
        self.assertEqual((code, err), (0, ""))
        for command in ["mass", "info", "render", "submerge", "float", "gz", "pairs", "simulate", "haptics",
                        "distance", "overlap", "spheres", "probe"]:
            self.assertIn(f"  {command} ", overview)
            code, out, err = run(command, "--help")
            self.assertEqual((code, err), (0, ""))
            self.assertIn("--json", out)
        for line in run("mass", "--help")[1].splitlines():
            self.assertLessEqual(len(line), 100, line)

    def test_help_and_version_are_commands_too(self):
        self.assertEqual(run("help"), run("--help"))
        self.assertEqual(run("help", "float"), run("float", "--help"))
        self.assertEqual(run("version"), run("--version"))
        self.assertIn("--json", run("version", "--help")[1])
        self.assertEqual("plimsoll " + self.answer("version")["version"] + "\n", run("version")[1])
        self.refused(2, "version", "more", code="usage")
        self.refused(2, "help", "weigh", code="usage")
        self.refused(2, "help", "float", "gz", code="usage")

    def test_the_nearest_name_is_told(self):
        for wrong, nearest in (("flaot", "float"), ("gs", None), ("distanc", "distance"), ("masss", "mass"),
                               ("weigh", None)):
            message = self.refused(2, wrong, code="usage")["message"]
            self.assertEqual(message, f'found no command "{wrong}"' +
                             (f', the nearest is "{nearest}"' if nearest else ""))
        for wrong, nearest in (("--densty", "--density"), ("--dnesity=3", "--density"), ("--jsn", "--json"),
                               ("--dens", "--density"), ("--dense=1", "--density"), ("--pic", "--picture"),
                               ("--weight", None), ("--xyz", None), ("--o", None)):
            error = self.refused(2, "mass", self.box(), wrong, code="usage")
            self.assertEqual(error["where"], wrong.split("=")[0])
            self.assertEqual(error["message"], "found no such option" +
                             (f", the nearest is {nearest}" if nearest else ""))
        error = self.refused(2, "spheres", self.box(), "more", "--coutn", "5", code="usage")
        self.assertEqual((error["where"], error["message"]), ("more", "found this argument, expected none more"))

    def test_no_command_or_an_unknown_one_is_a_usage_error(self):
        self.assertEqual(run()[0], 2)
        self.refused(2, "weigh", code="usage")
        self.refused(2, "--weigh", code="usage")
        code, out, _ = run("--json")
        self.assertEqual((code, json.loads(out)["error"]["code"]), (2, "usage"))

    def test_version_is_one_line(self):
        code, out, _ = run("--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^plimsoll \d+\.\d+\.\d+\n$")

    def test_info_tells_what_was_found(self):
        info = self.answer("info")
        self.assertIn(info["simd_level"], info["simd_levels"])
        self.assertGreaterEqual(info["threads"], 1)
        # One or the other: what draws, or why nothing does.
        self.assertNotEqual(info["gl"]["renderer"] is None, info["gl"]["unavailable"] is None)
        self.assertIn(info["version"], run("info")[1])
        self.refused(2, "info", "extra", code="usage")


class Usage(ProgramTest):
    def test_an_option_that_is_repeated_or_has_no_value_is_named(self):
        error = self.refused(2, "mass", self.box(), "--density", "1", "--density", "2", code="usage")
        self.assertEqual((error["where"], error["message"]),
                         ("--density", "found it 2 times, expected it once"))
        code, _, err = run("mass", self.box(), "--units")
        self.assertEqual(code, 2)
        self.assertIn("--units: found nothing after it, expected ", err)

    def test_wrong_arguments_are_usage_errors(self):
        part = self.box()
        for wrong in [["--unknown"], ["--density", "0"], ["--density", "-1"], ["--density", "nan"],
                      ["--density", "inf"], ["--density", "1e999"], ["--density", "heavy"],
                      ["--density", "1x"], ["--density"], ["--mass", "0"],
                      ["--mass", "1", "--density", "1"], ["--units", "yard"], ["--format", "xml"],
                      ["--method", "guess"], ["--input-format", "off"], ["--density", "1",
                      "--density", "2"]]:
            with self.subTest(wrong):
                self.refused(2, "mass", part, *wrong, code="usage")
        self.refused(2, "mass", code="usage")
        self.refused(2, "mass", f"{part}=0", code="usage")
        self.refused(2, "mass", f"{part}=iron", code="usage")
        self.refused(2, "mass", f"{part}=7800", "--mass", "1", code="usage")
        self.assertEqual(run("mass", part, "--json", "--format", "urdf")[0], 2)

    def drawn(self):
        """What draws, the option that names its picture last, and the picture's first bytes."""
        part, far = self.box(), self.box("far.off", corner=(3, 0, 0))
        png, svg = b"\x89PNG\r\n", b"<?xml"
        return [(["mass", part, "--density", 1, "--picture"], png),
                (["float", part, "--density", 500, "--starts", 4, "--picture"], png),
                (["gz", part, "--density", 500, "--heel", "0:40:10", "--plot"], svg),
                (["distance", part, far, "--picture"], png), (["pairs", part, far, "--picture"], png),
                (["overlap", part, far, "--method", "spheres", "--spheres", 50, "--picture"], png),
                (["spheres", part, "--count", 20, "--picture"], png),
                (["render", part, "--what", "mass", "-o"], png)]

    def test_a_picture_for_standard_output_leaves_the_report_to_standard_error(self):
        # Each takes seconds under a sanitizer, where half of them are enough.
        drawn = self.drawn()[::2 if os.environ["PLIMSOLL_SANITIZED"] != "-1" else 1]
        for arguments, start in drawn:
            with self.subTest(arguments):
                self.refused_as_usage(*arguments, "-", "--json")
                done = subprocess.run([PROGRAM, *map(str, arguments), "-"], capture_output=True, cwd=self.folder)
                path = self.folder / ("picture.svg" if b"xml" in start else "picture.png")
                told = subprocess.run([PROGRAM, *map(str, arguments), path], capture_output=True)
                self.assertEqual(done.returncode, told.returncode, done.stderr)
                self.assertTrue(done.stdout.startswith(start))
                self.assertEqual(done.stdout, path.read_bytes())
                for line in told.stdout.splitlines():
                    if b"built in" in line:  # so many seconds
                        continue
                    self.assertIn(line.replace(bytes(path), b"-"), done.stderr)
                self.assertFalse((self.folder / "-").exists())
        part = self.box()
        self.refused_as_usage("gz", part, "--density", 500, "--csv", "-", "--plot", "-")

    def test_pictures_and_plots_are_named_for_their_format(self):
        for arguments, start in self.drawn():
            right = "svg" if b"xml" in start else "png"
            for name in ("noext", "a.jpg", ".png", "a.png.", "a.svg" if right == "png" else "a.png"):
                with self.subTest(arguments, name=name):
                    self.refused_as_usage(*arguments, self.folder / name)
        part = self.box()
        for name in ("a.PNG", "a.Png"):
            self.assertEqual(run("mass", part, "--picture", self.folder / name)[0], 0)
        self.assertEqual(run("spheres", part, "--count", 5, "--out", self.folder / "a.CSV")[0], 0)
        self.refused_as_usage("spheres", part, "--count", 5, "--out", self.folder / "noext")

    def refused_as_usage(self, *arguments):
        code, _, err = run(*arguments)
        self.assertEqual(code, 2, err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)

    def test_what_is_refused_is_told_as_it_was_typed(self):
        part = self.box()
        for plane in ("0,0,1mm,5mm", "0,0,1", "0,0,1,2,3", "0,0,1,"):
            for arguments in (["submerge", part, "--plane"], ["spheres", part, "--count", 5, "--keep"]):
                self.assertIn(f'"{plane}"', self.refused(2, *arguments, plane, code="usage")["message"])
        error = self.refused(2, "float", part, "--density", 1, "--com", "10,5,6mm", code="usage")
        self.assertIn("a unit on each number but zeros", error["message"])

    def test_help_tells_which_exit_codes_there_are(self):
        for command in (["render", "--what", "culling"], ["render"], ["pairs"], ["distance"]):
            self.assertIn("2 usage, or no place to write", " ".join(run(*command, "--help")[1].split()))

    def test_engine_options_belong_to_the_image_method(self):
        part = self.box()
        for options in [["--resolution", "512"], ["--axis", "x"], ["--backend", "gl"],
                        ["--algorithm", "peel"], ["--method", "exact", "--axis", "x"]]:
            with self.subTest(options):
                error = self.refused(2, "mass", part, *options, code="usage")
                self.assertIn("--method image", error["message"])
        for wrong in [["--resolution", "0"], ["--resolution", "-3"], ["--resolution", "20000"],
                      ["--resolution", "1.5"], ["--resolution", "16x"], ["--resolution", "x16"],
                      ["--resolution", "16x16x16"], ["--axis", "w"], ["--backend", "gpu"],
                      ["--algorithm", "guess"]]:
            with self.subTest(wrong):
                self.refused(2, "mass", part, "--method", "image", *wrong, code="usage")

    def test_what_a_method_cannot_do_is_not_done_by_another(self):
        part = self.box()
        error = self.refused(3, "mass", part, "--method", "image", "--algorithm", "peel",
                             code="unavailable")
        self.assertIn("gl", error["message"])
        ball = self.write("ball.json", '{"shape": "implicit", "expression": "x^2+y^2+z^2-1", '
                                       '"bounds": [[-2, -2, -2], [2, 2, 2]]}')
        error = self.refused(3, "mass", ball, code="unavailable")
        self.assertEqual(error["where"], str(ball))
        self.assertIn("--method image", error["message"])

    def test_a_file_that_is_not_a_mesh_is_refused_by_name(self):
        for path in [self.folder / "missing.stl", self.folder, self.write("empty.obj", ""),
                     self.write("noise.ply", "ply\nnoise\n"), self.write("name.xyz", "1 2 3\n"),
                     self.folder / "a=b.stl"]:
            with self.subTest(path.name):
                error = self.refused(3, "mass", path)
                self.assertIn(path.name, error["where"])

    def test_an_answer_that_cannot_be_written_is_an_error(self):
        part = self.box()
        for options in [[], ["--json"]]:
            with open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, "mass", part, *options], stdout=full,
                                      stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 6)
            self.assertIn(b"No space left", done.stderr)
            done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", PROGRAM, "mass", part,
                                   *options], stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"cannot be written", done.stderr)

    def test_a_reader_that_goes_away_is_no_error(self):
        part = self.box()
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([PROGRAM, "mass", part], stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_signals_have_their_exit_codes(self):
        for signal, expected in [(2, 130), (15, 143)]:
            child = subprocess.Popen([PROGRAM, "mass", "-", "--input-format", "off"],
                                     stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            # More than a pipe holds (64 KiB), so that it has begun to read: the handlers are set.
            child.stdin.write(b" " * 1_000_000)
            child.stdin.flush()
            child.send_signal(signal)
            self.assertEqual(child.wait(timeout=30), expected)
            child.stdin.close()

    @unittest.skipIf(os.environ["PLIMSOLL_SANITIZED"] != "-1", "sanitizers need more memory")
    def test_too_little_memory_is_said(self):
        count = 1_500_000
        path = self.folder / "many.stl"
        path.write_bytes(bytes(80) + count.to_bytes(4, "little") + bytes(50 * count))
        limited = 'ulimit -v 150000; exec "$0" mass "$1" --json'
        done = subprocess.run(["sh", "-c", limited, PROGRAM, path], capture_output=True)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], "resource_limit")


    # It has no end. A reader that took it for a file would ask for 8 GiB.
    @unittest.skipIf(os.environ["PLIMSOLL_SANITIZED"] != "-1", "sanitizers need more memory")
    def test_a_device_is_read_as_far_as_standard_input_would_be(self):
        error = self.refused(6, "mass", "/dev/zero", code="resource_limit")
        self.assertIn(f"more than {2**30} bytes", error["message"])
        self.assertIn("device or pipe", error["message"])


class Names(ProgramTest):
    def test_any_file_name_works(self):
        for name in ["with space.off", "gr\u00fcn.off", "a=b.off", "a=7.off", "-dash.off",
                     'quote".off', "=.off", "line\nbreak.off"]:
            with self.subTest(name):
                part = self.box(name)
                self.assertEqual(self.answer("mass", part)["volume"], 1)
                self.assertEqual(self.answer("mass", f"{part}=3")["mass"], 3)
                self.assertEqual(run("mass", part)[0], 0)

    def test_a_name_that_is_no_text_stays_valid_json(self):
        name = os.fsencode(self.folder) + b"/\xff\xfe\x1b[31m.off"
        with open(name, "w") as file:
            file.write(off(box()))
        done = subprocess.run([PROGRAM, "mass", name, name, "--json"], capture_output=True)
        self.assertEqual(done.returncode, 0)
        answer = json.loads(done.stdout.decode("utf-8"))
        self.assertIn("\ufffd\ufffd\x1b[31m.off", answer["parts"][0]["file"])
        text = subprocess.run([PROGRAM, "mass", name], capture_output=True).stdout
        self.assertNotIn(b"\x1b", text)

    def test_a_name_like_a_commands_is_a_file(self):
        self.box("info")
        done = subprocess.run([PROGRAM, "mass", "info", "--json"], cwd=self.folder,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_standard_input_is_a_mesh_too(self):
        mesh = off(box((2, 1, 1))).encode()
        answer = self.answer("mass", "-", "--input-format", "off", stdin=mesh)
        self.assertEqual(answer["volume"], 2)
        answer = self.answer("mass", "-=7800", "--input-format", "off", stdin=mesh)
        self.assertEqual(answer["mass"], 15600)
        self.refused(2, "mass", "-", stdin=mesh, code="usage")
        self.refused(2, "mass", "-", "-", "--input-format", "off", stdin=mesh, code="usage")
        self.refused(2, "mass", "-", "--input-format", "dwg", stdin=mesh, code="usage")
        error = self.refused(3, "mass", "-", "--input-format", "off", stdin=b"")
        self.assertIn("standard input", error["where"])


if __name__ == "__main__":
    unittest.main()
