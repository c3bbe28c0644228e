"""The picture of the theory of hydrostatics is what its benchmark draws. PLIMSOLL_RECORD=1 writes it anew."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from pictures import ALIKE, mean_difference, png
from scans import SOURCE, scans

SHOWN = SOURCE / "docs/images/kim2006_figure10.png"


class Figure10(unittest.TestCase):
    def test_the_picture_in_the_docs_is_what_the_benchmark_draws(self):
        cache = scans().parent  # in which the benchmark looks for the folder cgal
        with tempfile.TemporaryDirectory() as folder:
            drawn = pathlib.Path(folder, "figure10.png")
            picture = subprocess.run([os.environ["PLIMSOLL_PROGRAM"], "--cache", cache], check=True, capture_output=True).stdout
            subprocess.run([sys.executable, SOURCE / "bench/plots/kim2006_figure10.py", drawn], input=picture, check=True)
            if "PLIMSOLL_RECORD" in os.environ:
                shutil.copy(drawn, SHOWN)
            (width, height, rows), (wide, high, others) = png(drawn), png(SHOWN)
        self.assertEqual((width, height), (wide, high))
        self.assertLess(mean_difference(rows, others), ALIKE)


if __name__ == "__main__":
    unittest.main()
