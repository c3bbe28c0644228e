"""Every option of every command is given by some test. The other tests of the program note what they
give in the folder PLIMSOLL_GIVEN, and run before this one."""
import os
import pathlib
import re
import unittest

from program import PROGRAM, commands, run

GIVEN = pathlib.Path(os.environ["PLIMSOLL_GIVEN"])


class Options(unittest.TestCase):
    def test_every_option_of_every_command_is_given_by_a_test(self):
        # What was given before the program or a test has changed may be given no more.
        changed = max(path.stat().st_mtime for path in [pathlib.Path(PROGRAM), *pathlib.Path(__file__).parent.glob("*.py")])
        given = {line for path in GIVEN.iterdir() if path.stat().st_mtime > changed
                 for line in path.read_text().splitlines()}
        self.assertIn("mass", commands())
        missing = []
        for command in commands():
            text = run(command, "--help")[1]
            if command == "render":  # which has options of its own for culling
                text += run(command, "--what", "culling", "--help")[1]
            options = re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.MULTILINE)
            missing += [f"{command} {option}" for option in options if f"{command} {option}" not in given]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
