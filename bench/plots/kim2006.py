#!/usr/bin/env python3
"""Draws figures 4 and 5 of [Kim2006] from our results: kim2006_error.svg and kim2006_time.svg.

  bench/plots/kim2006.py FOLDER        that has kim2006_accuracy.csv and kim2006_speed.csv
"""
import csv, pathlib, sys

import svg

FOLDER = pathlib.Path(sys.argv[1])
RESOLUTIONS = [16, 32, 64, 128, 256, 512]


def rows(name):
    with open(FOLDER / name) as file:
        return list(csv.DictReader(file))


def draw_errors():
    found = {}  # the largest of the four quantities
    for row in rows("kim2006_accuracy.csv"):
        for measure in ("rms", "worst"):
            key = row["rule"], measure, row["object"], int(row["resolution"])
            found[key] = max(found.get(key, 0), float(row[measure]))
    objects = list(dict.fromkeys(key[2] for key in found))
    panels = []
    for measure, words in (("rms", "root mean square"), ("worst", "worst case")):
        for rule, rule_words in (("pixel_center", "pixel centers, as published"), ("exact_coverage", "exact coverage, our default")):
            panel = svg.Panel(f"{rule_words}: {words}", (14, 590), (1e-7, 0.3), [(n, f"{n}\u00b2") for n in RESOLUTIONS], svg.decades(-7, -1),
                              "pixels" if measure == "worst" else "", "relative error" if rule == "pixel_center" else "")
            panel.level(0.05, "the paper: 5 % from 32\u00b2 on")
            panel.slope(64, 1e-5, 512, -2, "1/n\u00b2")
            panel.mark_x(32, "")
            for k, name in enumerate(objects):
                panel.line([(n, found[rule, measure, name, n]) for n in RESOLUTIONS], 1.8, svg.COLORS[k], svg.MARKS[k])
            panels.append(panel)
    legend = [(name, svg.COLORS[k], svg.MARKS[k], "") for k, name in enumerate(objects)]
    svg.write(FOLDER / "kim2006_error.svg", "Error against resolution (figure 4)",
              "Largest of mass, Ixx, Iyy, Izz; views along x, y, z, 32 placements of the pixels each.", panels, 2, legend, (380, 270))


METHODS = {"mirtich": "Mirtich", "exact_fast": "exact sums (ours)", "peel_log": "peel, log reduction", "peel_readback": "peel, readback",
           "additive_readback": "additive, one pass", "cpu": "processor, exact", "cpu_pixel_center": "processor, centers"}


def draw_times():
    found = {(row["method"], int(row["resolution"]), row["object"]): (int(row["faces"]), float(row["cpu_us"])) for row in rows("kim2006_speed.csv")}
    objects = sorted({key[2] for key in found}, key=lambda name: found["mirtich", 64, name][0])
    low, high = 0.3, 1e7
    panels = []
    for n in (32, 64, 128):
        panel = svg.Panel(f"{n} x {n} pixels", (8, 14000), (low, high), [(10 ** k, f"{10 ** k:,}") for k in range(1, 5)],
                          [(1, "1 us"), (10, "10 us"), (100, "100 us"), (1e3, "1 ms"), (1e4, "10 ms"), (1e5, "100 ms"), (1e6, "1 s")],
                          "faces", "processor time" if n == 32 else "")
        for name in objects:
            panel.mark_x(found["mirtich", n, name][0], name)
        for k, method in enumerate(METHODS):
            panel.line([found[method, n, name] for name in objects], 2.6 if method == "mirtich" else 1.8, svg.COLORS[(k + 6) % 8], svg.MARKS[k],
                       "6 3" if method == "exact_fast" else "")
        if n == 64:
            panel.note([found["mirtich", n, name] for name in ("bunny", "pipe")], "rings: where peeling is faster in the paper")
        panels.append(panel)
    legend = [(words, svg.COLORS[(k + 6) % 8], svg.MARKS[k], "6 3" if method == "exact_fast" else "") for k, (method, words) in enumerate(METHODS.items())]
    svg.write(FOLDER / "kim2006_time.svg", "Time against faces (figure 5)",
              "CPU time of all threads of the process; OpenGL draws on the processor here, where the paper had a graphics card.",
              panels, 3, legend, (310, 330))


draw_errors()
draw_times()
