#!/usr/bin/env python3
"""Draws image_engine.svg: time against resolution for each mesh.

  bench/plots/image_engine.py FOLDER        that has image_engine.csv
"""
import csv, pathlib, sys

import svg

SYSTEMS = {"peel_log": "peel, log reduction", "peel_readback": "peel, readback", "additive_readback": "additive, readback", "additive_log": "additive, log reduction",
           "additive_compute": "additive, compute", "cpu": "processor, exact", "cpu_pixel_center": "processor, centers", "exact_fast": "exact sums"}
RESOLUTIONS = [32, 64, 128, 256, 512, 1024]

folder = pathlib.Path(sys.argv[1])
found, about = {}, {}
with open(folder / "image_engine.csv") as file:
    for row in csv.DictReader(file):
        found[row["scenario"], row["system"], int(row["resolution"])] = float(row["cpu_us"])
        about[row["scenario"]] = f'{row["scenario"]}: {int(row["triangles"]):,} triangles, {row["peels"]} peels'
panels = []
for k, (scenario, words) in enumerate(about.items()):
    panel = svg.Panel(words, (27, 1210), (8, 1e7), [(n, f"{n}\u00b2") for n in RESOLUTIONS],
                      [(10, "10 us"), (100, "100 us"), (1e3, "1 ms"), (1e4, "10 ms"), (1e5, "100 ms"), (1e6, "1 s")],
                      "pixels", "processor time" if k % 3 == 0 else "")
    panel.slope(256, 3e5, 1024, 2, "n\u00b2")
    for i, system in enumerate(SYSTEMS):
        panel.line([(n, found[scenario, system, n]) for n in RESOLUTIONS], 1.8, svg.COLORS[i], svg.MARKS[i], "6 3" if system == "exact_fast" else "")
    panels.append(panel)
legend = [(words, svg.COLORS[i], svg.MARKS[i], "6 3" if system == "exact_fast" else "") for i, (system, words) in enumerate(SYSTEMS.items())]
svg.write(folder / "image_engine.svg", "The image engine by every way it has",
          "CPU time of all threads of the process; OpenGL draws on the processor (llvmpipe).", panels, 3, legend, (310, 280))
