#!/usr/bin/env python3
"""Draws how far spheres reach out of links of robots, by their number.

  bench/plots/links.py FOLDER       FOLDER has covers.csv; covers.svg goes there too
"""
import csv, pathlib, sys

import svg

FOLDER = pathlib.Path(sys.argv[1])
FITS = {"plimsoll": "Plimsoll, proved", "medial_inflated": "medial axis", "voxel_inflated": "voxels", "gradient_inflated": "gradient"}

with open(FOLDER / "covers.csv") as file:
    table = list(csv.DictReader(file))
panels = []
for link in dict.fromkeys(row["link"] for row in table):
    of_link = [row for row in table if row["link"] == link]
    title = link.replace("_", " ") + (" (kept aside)" if of_link[0]["held_out"] == "yes" else "")
    panel = svg.Panel(title, (8, 125), (0.01, 0.6), [(n, f"{n}") for n in (10, 30, 100)],
                      [(y, f"{100 * y:g} %") for y in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)], "spheres", "" if len(panels) % 4 else "protrusion, of the size")
    for k, fit in enumerate(FITS):
        points = [(float(row["asked"]), float(row["largest_over_size"])) for row in of_link if row["fit"] == fit]
        panel.line(points, 1.8, svg.COLORS[k], svg.MARKS[k])
    panels.append(panel)
legend = [(words, svg.COLORS[k], svg.MARKS[k], "") for k, words in enumerate(FITS.values())]
svg.write(FOLDER / "covers.svg", "How far spheres reach out of the link that they contain",
          "Largest protrusion over the diagonal of the box. All but Plimsoll's are larger by one length, the least at which they contain 100,000 samples of the surface.",
          panels, 4, legend, (230, 230))
