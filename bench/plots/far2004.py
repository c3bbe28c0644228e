#!/usr/bin/env python3
"""Draws far2004.svg: figure 6 of [Govindaraju2004] from our results, and what is left by resolutions and by sizes of sub-objects.

  bench/plots/far2004.py FOLDER        that has far2004_figure6.csv, far2004_resolutions.csv and far2004_parts.csv
"""
import csv, pathlib, sys

import svg

FOLDER = pathlib.Path(sys.argv[1])
SCENES = {"breaking": 0, "bunnies": 1, "leaves": 2, "aside_knot_in_sphere": 3}


def rows(name):
    with open(FOLDER / f"far2004_{name}.csv") as file:
        return list(csv.DictReader(file))


panels = []
panel = svg.Panel("Pairs of bodies of a breaking scene (figure 6)", (3.5, 350), (1, 5000), [(n, str(n)) for n in (4, 10, 30, 100, 300)],
                  [(10 ** k, f"{10 ** k:,}") for k in range(4)], "bodies", "pairs")
found = [row for row in rows("figure6") if row["scene"] == "breaking"]
for k, (column, words) in enumerate((("pairs_of_boxes", "boxes of bodies"), ("pairs_left_by_far", "left by FAR"), ("pairs_that_touch", "that touch"))):
    panel.line([(int(row["bodies"]), max(int(row[column]), 1)) for row in found], 1.8, svg.COLORS[k + 4], svg.MARKS[k])
panels.append(panel)
TICKS = [(n, f"{n:g}") for n in (1, 1.5, 2, 5, 10, 20, 50)]
for name, column, words, ticks in (("resolutions", "resolution", "pixels along a side of a view", [64, 128, 256, 512, 1024, 2048]),
                                   ("parts", "part_triangles", "triangles of a sub-object, at 1024 x 1024", [1, 4, 16, 64])):
    panel = svg.Panel(f"Triangles left over triangles that touch", (ticks[0] * 0.8, ticks[-1] * 1.25), (0.9, 60), [(n, str(n)) for n in ticks], TICKS, words,
                      "")
    panel.level(1.5, "1.5")
    for scene, k in SCENES.items():
        for refined, dash in (("0", "6 3"), ("1", "")):
            points = [(int(row[column]), float(row["left_over_touching"])) for row in rows(name) if row["scene"] == scene and row["refined"] == refined]
            panel.line(points, 1.8, svg.COLORS[k], svg.MARKS[k], dash)
    panels.append(panel)
legend = [(scene, svg.COLORS[k], svg.MARKS[k], "") for scene, k in SCENES.items()]
legend += [("dashed: as published", "#555", "circle", "6 3"), ("boxes of bodies", svg.COLORS[4], svg.MARKS[0], ""),
           ("left by FAR", svg.COLORS[5], svg.MARKS[1], ""), ("that touch", svg.COLORS[6], svg.MARKS[2], "")]
svg.write(FOLDER / "far2004.svg", "FAR again", "Rasterized by llvmpipe.", panels, 3, legend)
