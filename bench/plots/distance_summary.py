#!/usr/bin/env python3
"""Prints what distance_cold.csv, distance_moving.csv and distance_steps.csv say about the aims, as a CSV.

  bench/plots/distance_summary.py distance_cold.csv distance_moving.csv distance_steps.csv

The exponent of growth is the slope of log time over log triangles by least squares, over the sizes of the bunny. `met` is empty
where there is no aim. Scenes that were kept aside come last.
"""
import csv, math, sys

time, ratio, error, triangles = {}, {}, {}, {}
for path in sys.argv[1:4]:
    with open(path) as file:
        for r in csv.DictReader(file):
            key = r["scene"], r["gap"], r["step"]
            system = r["system"].removesuffix(" (wrong)")
            time[key, system], ratio[key, system] = float(r["us_median"]), float(r["ratio_to_ours"])
            error[key, system] = float(r["error"])
            triangles[r["scene"]] = int(r["triangles"])
questions = sorted(dict.fromkeys(key for key, _ in time), key=lambda key: key[0].startswith("aside"))
plain = ("swept_spheres", "swept_spheres_queue")
is_cold = lambda key: key[2] == "cold"
is_70k = lambda key: key[0] in ("bunny_75k", "knot_70k")

print("question,case,figure,aim,met")


def tell(question, case, figure, most=None, least=None):
    aim = "" if most is None and least is None else f"at most {most:g}" if least is None else f"at least {least:g}"
    met = "" if aim == "" else "yes" if (figure <= most if least is None else figure >= least) else "no"
    print(f"{question},{case},{figure:.3g},{aim},{met}")


case = lambda key: f"{key[0]}; gap {100 * float(key[1]):g} %" + ("" if is_cold(key) else f"; step {key[2]}")
for key in filter(is_cold, questions):
    tell("us cold", case(key), time[key, "distance"], 50 if is_70k(key) and float(key[1]) <= 0.05 else None)
for key in questions:
    if key[2] == "0.0001":  # 0.01 % of the size and 0.03 degrees
        tell("us moving at 1 kHz", case(key), time[key, "distance"], 40 if is_70k(key) else None)
for key in filter(is_cold, questions):
    tell("fcl_obbrss / distance when cold", case(key), ratio[key, "fcl_obbrss"], least=20 if is_70k(key) else None)
for key in questions:
    tell("the faster plain tree / distance", case(key), min(ratio[key, system] for system in plain), least=1)
gaps = dict.fromkeys(gap for scene, gap, step in filter(is_cold, questions) if scene.startswith("bunny"))
for gap in gaps:
    bunnies = [key for key in questions if is_cold(key) and key[0].startswith("bunny") and key[1] == gap]
    x = [math.log(triangles[key[0]]) for key in bunnies]
    y = [math.log(time[key, "distance"]) for key in bunnies]
    if len(bunnies) > 1:
        mx, my = sum(x) / len(x), sum(y) / len(y)
        slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
        tell("exponent of growth when cold", f"bunny; gap {100 * float(gap):g} %; {len(bunnies)} sizes", slope)
for system in dict.fromkeys(system for _, system in time):
    if system != "distance":
        tell("largest difference over size", system, max(e for (_, of), e in error.items() if of == system), 1e-9)
