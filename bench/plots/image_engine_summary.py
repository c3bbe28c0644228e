#!/usr/bin/env python3
"""Prints what image_engine.csv says about the aims, and how time grows, as a CSV.

  bench/plots/image_engine_summary.py image_engine.csv

A power is the slope between two measurements on logarithmic axes: of time in n from 256^2 to 1024^2, in triangles
from the small to the large sphere at 32^2. `beyond` takes off what an empty image costs: time(n) - time(32).
"""
import csv, math, sys

with open(sys.argv[1]) as file:
    rows = list(csv.DictReader(file))
time = {(r["scenario"], r["system"], int(r["resolution"])): float(r["cpu_us"]) for r in rows}
peels = {r["scenario"]: int(r["peels"]) for r in rows}
triangles = {r["scenario"]: int(r["triangles"]) for r in rows}
systems = list(dict.fromkeys(r["system"] for r in rows))
resolutions = sorted({int(r["resolution"]) for r in rows})
drawn = [s for s in systems if not s.startswith("exact")]

print("question,case,least,median,most,aim,met")


def tell(question, case, figures, aim=""):
    ordered = sorted(figures)
    met = "" if aim == "" else f"{sum(f >= aim for f in ordered)} of {len(ordered)}"
    print(f"{question},{case},{ordered[0]:.3g},{ordered[len(ordered) // 2]:.3g},{ordered[-1]:.3g},{aim},{met}")


for peel in ("peel_readback", "peel_log"):
    for scenario in peels:
        ratios = [time[scenario, peel, n] / time[scenario, "additive_readback", n] for n in resolutions]
        tell(f"{peel} / additive_readback", f"{scenario} ({peels[scenario]} peels)", ratios, 10 if peels[scenario] >= 6 else 3)
for scenario in peels:
    ratios = [time[scenario, "additive_readback", n] / time[scenario, "cpu", n] for n in resolutions if n <= 256]
    tell("additive_readback / cpu", f"{scenario} up to 256", ratios, 4)
slope = lambda t0, t1, x0, x1: math.log(t1 / t0) / math.log(x1 / x0)
for s in drawn:
    tell(f"power of n in {s}", "256 to 1024; all meshes", [slope(time[m, s, 256], time[m, s, 1024], 256, 1024) for m in peels])
for s in drawn:
    pixels = [slope(time[m, s, 512] - time[m, s, 32], time[m, s, 1024] - time[m, s, 32], 512, 1024) for m in peels
              if time[m, s, 512] > 1.2 * time[m, s, 32]]
    if pixels:
        tell(f"power of n beyond 32 in {s}", "512 to 1024; all meshes", pixels)
small, large = "sphere_5k", "sphere_500k"
for s in systems:
    tell(f"power of triangles in {s}", "spheres at 32", [slope(time[small, s, 32], time[large, s, 32], triangles[small], triangles[large])])
for s in ("peel_readback", "peel_log"):
    # Least squares of log time against log peels at 1024^2, where pixels outweigh triangles.
    x = [math.log(peels[m]) for m in peels]
    y = [math.log(time[m, s, 1024]) for m in peels]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    tell(f"power of peels in {s}", "all meshes at 1024", [sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)])
