"""Runs the built program and makes small meshes for it. PLIMSOLL_PROGRAM names the program."""
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import zipfile

import packages
import schema

PROGRAM = os.environ["PLIMSOLL_PROGRAM"]

# A box [0, 1]^3, faces counter-clockwise from outside.
CORNERS = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
FACES = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3),
         (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)]


def note(arguments):
    """Keeps which options were given, for options_test."""
    if "PLIMSOLL_GIVEN" not in os.environ or not arguments:
        return
    folder = pathlib.Path(os.environ["PLIMSOLL_GIVEN"])
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / str(os.getpid()), "a") as file:
        for argument in map(str, arguments[1:]):
            if argument.startswith("--"):
                file.write(f"{arguments[0]} {argument.partition('=')[0]}\n")


def run(*arguments, stdin=b"", environment=None):
    """(exit code, stdout, stderr). What it prints as JSON has to be as docs/schema says."""
    note(arguments)
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True,
                          timeout=120, env={**os.environ, **(environment or {})})
    out, err = (text.decode(errors="surrogateescape") for text in (done.stdout, done.stderr))
    schema.check(arguments, out)
    return done.returncode, out, err


def commands():
    """As the program lists them."""
    return re.findall(r"^  (\w+)  +[A-Z]", run("--help")[1], re.MULTILINE)


def box(size=(1, 1, 1), corner=(0, 0, 0)):
    return [tuple(c + s * u for c, s, u in zip(corner, size, unit)) for unit in CORNERS]


def off(vertices, faces=FACES):
    lines = ["OFF", f"{len(vertices)} {len(faces)} 0"]
    lines += [" ".join(repr(float(x)) for x in vertex) for vertex in vertices]
    lines += [" ".join(map(str, (len(face), *face))) for face in faces]
    return "\n".join(lines) + "\n"


def threemf(mesh, attributes="", build='<item objectid="1"/>'):
    """The bytes of a 3MF package whose object 1 holds `mesh`, its XML."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("_rels/.rels", '<?xml version="1.0"?><Relationships xmlns="http://'
                         'schemas.openxmlformats.org/package/2006/relationships"><Relationship '
                         'Target="/3D/3dmodel.model" Id="r" Type="http://schemas.microsoft.com/'
                         '3dmanufacturing/2013/01/3dmodel"/></Relationships>')
        archive.writestr("3D/3dmodel.model", '<?xml version="1.0"?><model xmlns="http://schemas.'
                         f'microsoft.com/3dmanufacturing/core/2015/02" {attributes}><resources>'
                         f'<object id="1">{mesh}</object></resources><build>{build}</build></model>')
    return package.getvalue()


def threemf_mesh(vertices, faces=FACES, more=""):
    """The XML of a mesh; `more` follows its triangles."""
    corners = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in vertices)
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in faces)
    return f"<mesh><vertices>{corners}</vertices><triangles>{triangles}</triangles>{more}</mesh>"


class ProgramTest(unittest.TestCase):
    """Each test has a folder of its own, `self.folder`."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def assert_rounded(self, found, true, roundings, of=None):
        """`found` is `true` but for so many roundings of numbers as large as `of`, or as `true`."""
        size = abs(true) if of is None else of
        self.assertAlmostEqual(found, true, delta=roundings * 2**-53 * size)

    def package(self, name):
        """A Python package that scripts/setup installs under build/python; without it the test skips
        and says so, unless PLIMSOLL_REQUIRE_PACKAGES is set."""
        found = packages.find(name)
        if found is None:
            self.skipTest(f"no Python package {name}: scripts/setup installs it")
        return found

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def box(self, name="box.off", size=(1, 1, 1), corner=(0, 0, 0), faces=FACES):
        return self.write(name, off(box(size, corner), faces))

    def answer(self, *arguments, stdin=b"", expected=0):
        """The JSON object of a run, whose exit code is as expected."""
        code, out, err = run(*arguments, "--json", stdin=stdin)
        self.assertEqual(code, expected, out + err)
        return json.loads(out)

    def refused(self, expected, *arguments, stdin=b"", code=None):
        """The error object of a run that is refused the same way with and without --json."""
        exit_code, out, err = run(*arguments, stdin=stdin)
        self.assertEqual((exit_code, out), (expected, ""), err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        exit_code, out, err = run(*arguments, "--json", stdin=stdin)
        self.assertEqual(exit_code, expected, err)
        document = json.loads(out)
        self.assertEqual(list(document), ["error"])
        self.assertEqual(list(document["error"]), ["code", "message", "where"])
        if code is not None:
            self.assertEqual(document["error"]["code"], code)
        return document["error"]
