#!/usr/bin/env python3
"""Prints what submersion.csv, submersion_trees.csv and submersion_rest.csv say about the aims, as a CSV.

  bench/plots/submersion_summary.py submersion.csv submersion_trees.csv submersion_rest.csv

The exponent of growth is the slope of log time over log triangles by least squares, over the sizes of the bunny. What
CGAL's copy of the mesh takes has been taken off its time. Ours is the tracker for a body that moves little (hot), else
the tree. `met` is empty where there is no aim.
"""
import csv, math, sys

rows = {}
for path in sys.argv[1:4]:
    with open(path) as file:
        rows[path] = list(csv.DictReader(file))
queries, trees, rest = rows.values()
time, error, triangles = {}, {}, {}
for r in queries:
    key = r["scenario"], r["system"].removesuffix(" (wrong)"), int(r["threads"])
    time[key] = float(r["us_per_query"])
    error[key] = float(r["volume_error"] or "nan")
    triangles[r["scenario"]] = int(r["triangles"])
fleet = [s for s in triangles if s.startswith("fleet")]
scenarios = [s for s in triangles if s not in fleet]
hot = [s for s in scenarios if s.endswith("_hot")]
random = [s for s in scenarios if s.endswith("_random")]

print("question,case,figure,aim,met")


def tell(question, case, figure, most=None, least=None):
    aim = "" if most is None and least is None else f"at most {most:g}" if least is None else f"at least {least:g}"
    met = "" if aim == "" else "yes" if (figure <= most if least is None else figure >= least) else "no"
    print(f"{question},{case},{figure:.3g},{aim},{met}")


of_tree = lambda s: time[s, "tree", 1]
ours = lambda s: "tracker" if s in hot else "tree"
of_ours = lambda s: time[s, ours(s), 1]
for s, most in (("bunny_75k_hot", 8), ("bunny_75k_random", 12), ("bunny_1m_hot", 30), ("bunny_1m_random", 100)):
    if s in triangles:
        tell(f"us per plane, {ours(s)}", s, of_ours(s), most)
for s in ("knot_70k_hot", "knot_70k_random", "knot_1m_hot", "knot_1m_random", "bumpy_1m_hot", "bumpy_1m_random"):
    if s in triangles:
        tell(f"us per plane, {ours(s)}", s, of_ours(s))
for s in hot:
    tell("us per plane, tree", s, of_tree(s))
for name, family, most in (("hot", hot, 0.6), ("random", random, None)):
    bunnies = [s for s in family if s.startswith("bunny")]
    x = [math.log(triangles[s]) for s in bunnies]
    y = [math.log(of_ours(s)) for s in bunnies]
    if len(bunnies) > 1:
        mx, my = sum(x) / len(x), sum(y) / len(y)
        slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
        tell("exponent of growth", f"bunny {name}; {len(bunnies)} sizes", slope, most)


def ratio(system, s, least=None):
    if system != ours(s) and (s, system, 1) in time:
        rival = time[s, system, 1] - time.get((s, system + "_copy", 1), 0)
        tell(f"{system} / {ours(s)}", s, rival / of_ours(s), least=least)


for system, least in (("cgal_clip", 5000), ("vtk_clip_closed_surface", 800), ("naive_clip", None), ("clip_all", None), ("tracker", None)):
    for s in scenarios:
        ratio(system, s, least if s.startswith("bunny_75k") else None)
for system in dict.fromkeys(system for _, system, _ in time if not system.startswith("tree")):
    known = [e for (_, of, _), e in error.items() if of == system and not math.isnan(e)]
    if known:
        tell("largest error over volume", system, max(known), 1e-9)
for s in scenarios:
    tell("waterplane for more [%]", s, 100 * (time[s, "tree_waterplane", 1] / of_tree(s) - 1), 15)
for s in scenarios:
    tell("everything for more [%]", s, 100 * (time[s, "tree_everything", 1] / of_tree(s) - 1))
for r in trees:
    small = r["scenario"].startswith("hull")
    tell("build [ns per triangle]", r["scenario"], float(r["build_ns_per_triangle"]), None if small else 100)
    tell("memory [bytes per triangle]", r["scenario"], float(r["bytes_per_triangle"]), None if small else 80)
    tell("refit [ns per triangle]", r["scenario"], float(r["refit_ns_per_triangle"]))
for r in rest:
    is_aim = r["scenario"] in ("bunny_75k", "knot_70k")
    tell("ms per start at rest", f'{r["scenario"]}; density {r["density"]}', float(r["median_ms_per_start"]),
         0.25 if is_aim else None)
for s in fleet:
    tell("gain of two threads", s, time[s, "tree", 1] / time[s, "tree", 2])
