"""What README says of the library is what tests/consumer builds against the installed library."""
import os
import re
import unittest

SOURCE = os.environ["PLIMSOLL_SOURCE_DIR"]


def text(*path):
    with open(os.path.join(SOURCE, *path)) as file:
        return file.read()


class Documentation(unittest.TestCase):
    def test_every_program_in_the_readme_is_one_that_a_user_of_the_installed_library_builds(self):
        shown = re.findall(r"^```cpp\n(.*?)^```$", text("README.md"), re.MULTILINE | re.DOTALL)
        self.assertEqual(shown, [text("tests", "consumer", name) for name in ("main.cpp", "cover.cpp")])


if __name__ == "__main__":
    unittest.main()
