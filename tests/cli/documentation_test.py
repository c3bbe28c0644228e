"""What README.md, docs and --help show can be done: programs are those that tests/consumer builds,
commands run and print what tests/cli/documented.txt has, pictures come out as those in docs/images.

After a change that means to change what is printed or drawn, PLIMSOLL_RECORD=1 writes documented.txt
and the pictures anew.
"""
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from documented_files import write_files
from pictures import ALIKE, mean_difference, png
from program import PROGRAM, commands, note, run
from scans import SOURCE, find_scans, scans

RECORD = pathlib.Path(__file__).with_name("documented.txt")
# How long something takes is not the same twice.
TIME = re.compile(r"\b[\d.e+-]+ (ns|us|ms|s|min|h)\b|\b[\d.e+,-]+ steps (a|per) second|\b\d+ % of (it|the time)"
                  r'|(?<="build_seconds": )[\d.e+-]+|(?<="microseconds_per_point": )[\d.e+-]+')
RENDERER = re.compile(r"(drawn by|a picture of \d+x\d+ by) .*")
IN_TIME = re.compile("--budget-us|--realtime")
# Pictures in docs/images that a command writes under another name.
RENAMED = {"scenes/kim2006.json": ("frames/frame_00150.png", "kim2006_figure9.png"),
           "scenes/kim2006_basin.json": ("frames/frame_00002.png", "kim2006_basin.png"),
           "scenes/tumble.json": ("frames/frame_00003.png", "tumbling.png"),
           "scenes/drag.json": ("trace.svg", "drag.svg")}
# What the program answers, with another exit code than 0.
EXPECTED = {"plimsoll spheres scan_with_holes.ply --count 500 --out scan.csv": 4}


def fenced(text, languages):
    return re.findall(rf"^```(?:{languages})\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands_in(text):
    """Of blocks, and of the running text those that name a file as it might be called."""
    for block in fenced(text, "sh|"):
        for line in block.replace("\\\n", " ").splitlines():
            line = " ".join(re.sub(r"\s+#.*", "", line).split())
            if line.startswith(("plimsoll ", "build/release/plimsoll ")):
                yield line.removeprefix("build/release/")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for command in re.findall(r"`(plimsoll [^`]+)`", prose):
        if re.search(r"[a-z0-9]\.(stl|off|obj|ply|json)\b", command):
            yield " ".join(command.split())


def commands_of_texts():
    texts = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("**/*.md"))]
    return dict.fromkeys(command for path in texts for command in commands_in(path.read_text()))


def commands_of_help():
    for command in commands():
        examples = run(command, "--help")[1].partition("\nExamples:\n")[2]
        yield from (line.strip() for line in examples.splitlines() if line.startswith("  plimsoll "))


def can_run(command):
    """Whether something draws here, where a command needs it."""
    if not re.search("--what (peels|culling)|--method far", command) or "PLIMSOLL_REQUIRE_GL" in os.environ:
        return True
    return json.loads(run("info", "--json")[1])["gl"]["renderer"] is not None


def needs_scan(command):
    return re.search(r"\b(bunny00|anchor)\.off\b|\bkim2006", command) is not None


def made(folder, before):
    """Files that a command has written, a line each, or one for a folder of them."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink() or before.get(path) == path.stat().st_mtime_ns:
            continue
        if path.suffix == ".png":
            kind = "{} x {} pixels".format(*struct.unpack(">II", path.read_bytes()[16:24]))
        elif path.suffix == ".gz" or path.name == "trace.svg" or re.search("time|_us|_ms", path.read_text(errors="replace").partition("\n")[0]):
            kind = "written"
        else:
            kind = "sha256 " + hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        name = path.name if path.parent == folder else f"{path.parent.name}/*{path.suffix}"
        found.setdefault((name, kind), []).append(path)
    return [f"-> {name}: {kind}" + (f", {len(paths)} files" if len(paths) > 1 else "") for (name, kind), paths in found.items()]


def shown_pictures(command, folder):
    """(what the command drew, what docs/images shows)"""
    images = SOURCE / "docs/images"
    for scene, (drawn, name) in RENAMED.items():
        if f"{scene} " in command:
            yield folder / drawn, images / name
    for name in re.findall(r"[\w]+\.png", command):
        if (images / name).is_file():
            yield folder / name, images / name


def difference(one, other):
    """The mean difference of their colors, of 255. Of two plots of a trace, the last of which shows times, 0 or 255."""
    if one.read_bytes() == other.read_bytes():
        return 0
    if one.suffix == ".svg":
        return 0 if one.read_text().rpartition("<title>")[0] == other.read_text().rpartition("<title>")[0] else 255
    (width, height, rows), (wide, high, others) = png(one), png(other)
    if (width, height) != (wide, high):
        return 255
    return mean_difference(rows, others)


def parts(text):
    """{command: what it printed and wrote}"""
    return dict(part.split("\n", 1) for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:])


class Documentation(unittest.TestCase):
    maxDiff = None

    def test_every_program_in_the_readme_is_one_that_a_user_of_the_installed_library_builds(self):
        shown = fenced((SOURCE / "README.md").read_text(), "cpp")
        built = [(SOURCE / "tests/consumer" / name).read_text() for name in ("main.cpp", "cover.cpp")]
        self.assertEqual(shown, built)

    def run_all(self, commands):
        """What they print and write, as documented.txt has it."""
        text = ""
        with tempfile.TemporaryDirectory() as scratch:
            folder, bin_ = pathlib.Path(scratch, "work"), pathlib.Path(scratch, "bin")
            folder.mkdir()
            bin_.mkdir()
            (bin_ / "plimsoll").symlink_to(PROGRAM)
            write_files(folder, SOURCE / "scenes")
            shutil.copytree(SOURCE / "scenes", folder / "scenes")
            if find_scans():
                (folder / "data/cache").mkdir(parents=True)
                (folder / "data/cache/cgal").symlink_to(scans())
                for name in ("bunny00.off", "anchor.off"):
                    (folder / name).symlink_to(scans() / name)
            for command in commands:
                shutil.rmtree(folder / "frames", ignore_errors=True)  # no command writes among frames of others
                before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
                local = command.replace("../../../scenes/", "scenes/")
                done = subprocess.run(["bash", "-o", "pipefail", "-c", local], cwd=folder, text=True, capture_output=True, timeout=300,
                                      env={**os.environ, "PATH": f"{bin_}:{os.environ['PATH']}"})
                note(shlex.split(command.partition(" | ")[0])[1:])
                self.assertEqual(done.returncode, EXPECTED.get(command, 0), command + "\n" + done.stdout + done.stderr)
                for drawn, shown in shown_pictures(command, folder):
                    if "PLIMSOLL_RECORD" in os.environ:
                        shutil.copy(drawn, shown)
                    self.assertLess(difference(drawn, shown), ALIKE, f"{shown.name} is not what {command} draws")
                text += f"$ {command}\n"
                for line in [*done.stdout.splitlines(), *done.stderr.splitlines(), *made(folder, before)]:
                    if not IN_TIME.search(command):
                        text += RENDERER.sub(r"\1 RENDERER", TIME.sub("TIME", line)).rstrip() + "\n"
                text += "\n"
        return text

    def check(self, commands):
        commands = [command for command in commands if can_run(command)]
        recorded, found = parts(RECORD.read_text()), parts(self.run_all(commands))
        if "PLIMSOLL_RECORD" in os.environ:
            recorded.update(found)
            shown = dict.fromkeys([*commands_of_texts(), *commands_of_help()])
            RECORD.write_text("".join(f"$ {command}\n{recorded[command]}" for command in shown if command in recorded))
            return
        for command in commands:
            with self.subTest(command):
                self.assertEqual(found[command].splitlines(), recorded.get(command, "not recorded").splitlines())

    def test_commands_of_texts_do_what_is_recorded(self):
        self.check([command for command in commands_of_texts() if not needs_scan(command)])

    def test_commands_of_texts_that_read_scans_do_what_is_recorded(self):
        scans()  # or the test is skipped
        self.check([command for command in commands_of_texts() if needs_scan(command)])

    def test_examples_of_help_do_what_is_recorded(self):
        self.check([*commands_of_help()])

    def test_the_first_picture_of_the_readme_is_what_its_script_draws(self):
        script = SOURCE / "docs/images/principal_axes.py"
        with tempfile.NamedTemporaryFile(suffix=".svg") as drawn:
            subprocess.run([sys.executable, script, PROGRAM, drawn.name], check=True)
            self.assertEqual(pathlib.Path(drawn.name).read_text(), script.with_suffix(".svg").read_text())

    def test_every_picture_shown_is_there_and_no_other(self):
        texts = [SOURCE / "README.md", *(SOURCE / "docs").glob("**/*.md"), SOURCE / "bench/README.md"]
        shown = {pathlib.Path(name).name for path in texts for name in re.findall(r"images/([\w.]+\.(?:png|svg))", path.read_text())}
        self.assertEqual(shown, {path.name for path in (SOURCE / "docs/images").iterdir() if path.suffix in (".png", ".svg")})

    def test_every_command_shown_is_recorded_and_no_other(self):
        self.assertEqual(set(parts(RECORD.read_text())), {*commands_of_texts(), *commands_of_help()})


if __name__ == "__main__":
    unittest.main()
