#!/usr/bin/env python3
"""Draws bounds of the volume by the budget, and prints what overlap_*.csv say about the aims, as a CSV.

  bench/plots/overlap.py FOLDER > summary.csv       FOLDER has overlap_*.csv; overlap_intervals.svg goes there too

`met` is empty where there is no aim. An exponent of growth is the slope of log time over log triangles between two sizes.
"""
import csv, math, pathlib, sys

import svg

FOLDER = pathlib.Path(sys.argv[1])
SIZES = {"bunny": ["5k", "75k", "700k"], "armadillo": ["5k", "52k", "700k"], "knot": ["5k", "70k", "700k"]}
MIDDLE = [f"{body}_{sizes[1]}" for body, sizes in SIZES.items()]
AIMS_US = {"0.02": 250, "0.1": 600, "0.5": 1600}
AIMS_SMALL_US = {"boxes": 2, "hulls_64": 15}
USUAL = "volume_and_force"


def rows(name):
    path = FOLDER / f"overlap_{name}.csv"
    if not path.exists():
        return []
    with open(path) as file:
        return list(csv.DictReader(file))


def draw_intervals():
    table = rows("intervals")
    panels = []
    for scene in dict.fromkeys(row["scene"] for row in table):
        points = [{key: float(row[key]) for key in ("budget_us", "lower", "upper", "force_error")} for row in table if row["scene"] == scene]
        panel = svg.Panel(scene, (8, 1.25e4), (0, 11), svg.decades(1, 4), [(k, f"{k}") for k in range(0, 11, 2)], "budget, us", "" if panels else "over the volume that is shared", "y")
        for k, (column, dash) in enumerate((("upper", ""), ("lower", ""), ("force_error", "6 3"))):
            panel.line([(point["budget_us"], min(point[column], 11)) for point in points], 1.8, svg.COLORS[k], svg.MARKS[k], dash)
        panel.level(1, "exact", svg.COLORS[7])
        panels.append(panel)
    legend = [(words, svg.COLORS[k], svg.MARKS[k], dash) for k, (words, dash) in
              enumerate((("upper bound", ""), ("lower bound", ""), ("error of the force", "6 3")))]
    svg.write(FOLDER / "overlap_intervals.svg", "Bounds of the volume that two bodies share, by the budget",
              "Overlaps of 10 % of a body: medians of 64 poses at random; one thread. The force's error is over the force; what is above 11 is drawn there.",
              panels, 3, legend, (280, 250))


def tell(question, case, figure, most=None, least=None):
    aim = "" if most is None and least is None else f"at most {most:g}" if least is None else f"at least {least:g}"
    met = "" if aim == "" else "yes" if (figure <= most if least is None else figure >= least) else "no"
    out.writerow([question, case, f"{figure:.3g}", aim, met])


def case(row):
    return f"{row['scene']}, {100 * float(row['share']):g} %"


def in_modes(table):
    """(scene, share, mode, threads): row"""
    return {(row["scene"], row["share"], row["mode"], row["threads"]): row for row in table}


def tell_times():
    cold = in_modes(rows("cold"))
    for (scene, share, mode, threads), row in cold.items():
        if mode == USUAL and threads == "1":
            tell("cold, us, median", case(row), float(row["us_median"]), AIMS_US[share] if scene in MIDDLE else None)
            two = cold[scene, share, mode, "2"]
            tell("cold, gain of a second thread", case(row), float(row["us_mean"]) / float(two["us_mean"]))
        elif threads == "1":
            usual = cold[scene, share, USUAL, "1"]
            tell(f"cold, {mode} over {USUAL}", case(row), float(row["us_median"]) / float(usual["us_median"]))
    for row in rows("path"):
        if row["mode"] == USUAL and row["threads"] == "1":
            tell("path, us, median", case(row), float(row["us_median"]))
            tell("path, us, 99th percentile", case(row), float(row["us_99th"]), 1000 if row["scene"] in MIDDLE else None)
    for row in rows("small"):
        if row["mode"] == USUAL:
            tell("small bodies, us", case(row), float(row["us"]), AIMS_SMALL_US[row["scene"]])
    return cold


def tell_growth(cold):
    for body, sizes in SIZES.items():
        for share in AIMS_US:
            try:
                of = [cold[f"{body}_{size}", share, USUAL, "1"] for size in sizes]
            except KeyError:
                continue  # a run of some scenes
            for small, large in ((of[0], of[1]), (of[1], of[2]), (of[0], of[2])):
                times = float(large["us_median"]) / float(small["us_median"])
                tell("cold, exponent of growth with triangles", f"{case(small)}, to {large['scene']}",
                     math.log(times) / math.log(float(large["triangles"]) / float(small["triangles"])))
            tell("cold, time of 700k over that of the middle size", case(of[2]), float(of[2]["us_median"]) / float(of[1]["us_median"]),
                 3.5 if share == "0.1" else None)


def tell_rivals():
    for row in rows("rivals"):
        is_aim = not row["scene"].startswith("aside")
        for column, words, least in (("manifold_cpu_ratio", "Manifold's CPU time over ours", 20), ("manifold_wall_ratio", "Manifold's time on the clock over ours", None),
                                     ("cgal_ratio", "CGAL's time over ours", 200)):
            if not math.isnan(float(row[column])):
                tell(words, case(row), float(row[column]), least=least if is_aim else None)
    for system in ("manifold", "cgal"):
        apart = [float(row[f"{system}_difference"]) for row in rows("rivals")]
        if apart := [difference for difference in apart if not math.isnan(difference)]:
            tell("largest difference of the volume, over the volume", system, max(apart))


draw_intervals()
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["question", "case", "figure", "aim", "met"])
tell_growth(tell_times())
tell_rivals()
