#!/usr/bin/env python3
"""Prints what pairs.csv (and pairs_python.csv, if given) say about the aims, as a CSV.

  bench/plots/pairs_summary.py pairs.csv [pairs_python.csv]

A rival's row is its fastest of those that do the same: with trees kept, rebuilt, or refit. Where bodies are rigid, a
library without poses has to rebuild. The exponent of growth is the slope of log time over log size by least squares.
`met` is empty where there is no aim.
"""
import csv, math, sys

rows = {}  # scenario: system: row
sizes = {}
for path in sys.argv[1:3]:
    with open(path) as file:
        for r in csv.DictReader(file):
            name = r["system"].removesuffix(" (differs)")
            of = rows.setdefault(r["scenario"], {})
            if not (name.startswith("ours") and (name, int(r["threads"])) in of):  # ours once, from pairs.csv
                r["base"] = float(r["median_ms"]) / float(r["ratio_to_ours"])  # ours in the same run
                of[name, int(r["threads"])] = r
            sizes.setdefault(r["scenario"], (int(r["bodies"]), int(r["triangles"]), int(r["pairs"])))

print("question,case,figure,aim,met")


def tell(question, case, figure, most=None, least=None):
    aim = "" if most is None and least is None else f"at most {most:g}" if least is None else f"at least {least:g}"
    met = "" if aim == "" else "yes" if (figure <= most if least is None else figure >= least) else "no"
    print(f"{question},{case},{figure:.3g},{aim},{met}")


def time(scenario, system, threads=1, figure="median_ms"):
    r = rows.get(scenario, {}).get((system, threads))
    return float(r[figure]) if r and r[figure] else None


def first_of_ours(scenario):
    return next(name for name, threads in rows[scenario] if name.startswith("ours"))


def fastest(scenario, library, ending):
    """The name of the library's fastest row of the kind, one thread."""
    kinds = {"refit": lambda name: name.endswith("_refit"), "rebuilt": lambda name: "_refit" not in name}
    found = [(float(r["ratio_to_ours"]), name) for (name, threads), r in rows[scenario].items()
             if name.startswith(library + "_") and threads == 1 and kinds[ending](name)]
    return min(found)[1] if found else None


AIMS_MS = {"bunnies_70k_rigid": 1.0, "bunnies_70k_deforming": 3.0, "breaking": 4.5}
AIMS_RATIO = {("bunnies_70k_rigid", "fcl"): 12, ("bunnies_70k_deforming", "embree"): 5,
              ("bunnies_70k_deforming", "bullet"): 13, ("bunnies_70k_deforming", "fcl"): 18}
LIBRARIES = ("fcl", "bullet", "embree", "cgal", "coal")

for s in rows:
    system = first_of_ours(s)
    tell(f"ms per frame; {system}", s, time(s, system), AIMS_MS.get(s))
    tell(f"ms per frame; {system}; 99th percentile", s, time(s, system, figure="p99_ms"))
    for name in ("ours_rebuilt_balanced", "ours_refit"):
        if time(s, name):
            tell(f"ms per frame; {name}", s, time(s, name))
    for library in LIBRARIES:
        for kind in ("rebuilt", "refit"):
            name = fastest(s, library, kind)
            if name is None:
                continue
            r = rows[s][name, 1]
            ours = time(s, "ours_refit") if kind == "refit" else r["base"]
            if ours:
                against = "ours_refit" if kind == "refit" else system
                tell(f"{name} / {against}", s, float(r["median_ms"]) / ours,
                     least=AIMS_RATIO.get((s, library)) if kind == "rebuilt" else None)
    for name, threads in rows[s]:
        if threads == 2 and name.startswith("ours"):
            one = "ours" if name == "ours_two_searches" else name
            tell(f"gain of two threads; {name}", s, time(s, one) / time(s, name, 2))


def slope(points):
    points = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y]
    mx, my = (sum(values) / len(points) for values in zip(*points))
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)


def tell_growth(question, case, scenarios, size):
    known = [s for s in scenarios if s in rows]
    if len(known) < 2:
        return
    systems = [first_of_ours(known[0])]
    systems += [name for library in LIBRARIES if (name := fastest(known[0], library, "rebuilt"))]
    for system in systems:
        points = [(sizes[s][size], time(s, system)) for s in known]
        if all(y for _, y in points):
            tell(f"exponent of growth {question}; {system}", f"{case}; {len(known)} sizes", slope(points))


for end in ("rigid", "deforming"):
    tell_growth("with triangles", f"similar pairs; {end}", [f"similar_{n}_{end}" for n in ("5k", "70k", "700k")], 1)
tell_growth("with pairs", "70k rigid", [f"bunnies_70k_rigid_{n}_pairs" for n in (400, 800, 1700, 3600, 6900)], 2)
for kind in ("spread_few_move", "spread_all_move", "heap", "around_a_huge"):
    tell_growth("with bodies", kind, [f"{kind}_{n}" for n in (2500, 10000)], 0)
for s in rows:
    for (name, threads), r in rows[s].items():
        if int(r["missing"]) + int(r["extra"]) > 0:
            tell(f"pairs missing and extra; {name}", f"{s}; {r['frames']} frames", int(r["missing"]) + int(r["extra"]))
