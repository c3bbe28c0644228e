#!/usr/bin/env python3
"""Draws the figures of [Weller2009, sec. 6] from our results, and holds its claims against them.

  bench/plots/ist2009.py FOLDER > claims.csv        FOLDER has ist2009_*.csv; the .svg files go there too
"""
import csv, math, pathlib, sys

import svg

FOLDER = pathlib.Path(sys.argv[1])
COLORS, MARKS = svg.COLORS, svg.MARKS
COUNT_TICKS = [(1e3, "1k"), (5e3, "5k"), (2e4, "20k"), (1e5, "100k"), (5e5, "500k")]


def rows(name):
    with open(FOLDER / f"ist2009_{name}.csv") as file:
        return [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def only(table, **wanted):
    return [row for row in table if all(row[key] == value for key, value in wanted.items())]


def mean(table, column):
    return sum(row[column] for row in table) / len(table)


def worst(table, column):
    return max(row[column] for row in table)


def distinct(table, column):
    return list(dict.fromkeys(row[column] for row in table))


def by_count(table, column, of):
    return [(count, of(only(table, spheres=count), column)) for count in sorted(distinct(table, "spheres"))]


distance, volume = rows("distance"), rows("volume")
EXACT = [("exact", "ours, exact"), ("swept_spheres", "swept spheres, exact"), ("fcl_obbrss", "FCL, exact")]
SPHERES = [("spheres", "spheres"), ("nearest_pair", "nearest triangles"), ("refined", "all near triangles")]


def draw_distances():
    panels = []
    for body in distinct(distance, "body"):
        of_body = only(distance, body=body)
        time = svg.Panel(f"{body}: time", (3e3, 8e5), (0.5, 1e5), COUNT_TICKS[1:], svg.decades(0, 5), "spheres", "us, mean and (dashed) worst")
        error = svg.Panel(f"{body}: error", (3e3, 8e5), (1e-18, 0.1), COUNT_TICKS[1:], svg.decades(-18, -2)[::4], "spheres", "mean error over the size")
        for k, (system, _) in enumerate(SPHERES):
            table = only(of_body, system=system)
            time.line(by_count(table, "us_mean", mean), 1.8, COLORS[k], MARKS[k])
            time.line(by_count(table, "us_worst", worst), 1.2, COLORS[k], MARKS[k], "6 3")
            error.line(by_count(table, "error_of_size_mean", mean), 1.8, COLORS[k], MARKS[k])
        for k, (system, words) in enumerate(EXACT):
            table = only(of_body, system=system)
            time.level(mean(table, "us_mean"), words, COLORS[3 + k])
        panels += [time, error]
    legend = [(words, COLORS[k], MARKS[k], "") for k, (_, words) in enumerate(SPHERES)]
    svg.write(FOLDER / "ist2009_distance.svg", "Distance by inner spheres again (figures 7 and 8)",
              "Gaps of 0.1 to 10 % of the size, 1e-4 of the size a step; one thread.", panels, 2, legend, (330, 250))


RADII = [("primary", "primary radii"), ("published", "as published"), ("shares", "by exact shares")]


def draw_volumes():
    panels = []
    for body in distinct(volume, "body"):
        of_body = only(volume, body=body)
        for share, words in ((None, "0.5 to 10 %"), (0.5, "50 %")):
            table = [row for row in of_body if (row["share"] == 0.5) == (share == 0.5)]
            time = svg.Panel(f"{body}, {words}: time", (700, 4e5), (0.001, 100), COUNT_TICKS[:4] + [(2.5e5, "250k")], svg.decades(-3, 2), "spheres",
                             "ms, mean and (dashed) worst")
            for k, (system, _) in enumerate((("shares", ""), ("blocks", ""))):
                time.line(by_count(only(table, system=system), "ms_mean", mean), 1.8, COLORS[2 + k], MARKS[2 + k])
                time.line(by_count(only(table, system=system), "ms_worst", worst), 1.2, COLORS[2 + k], MARKS[2 + k], "6 3")
            time.level(5, "200 Hz")
            exact = only(table, system="exact")
            if exact:
                time.level(mean(exact, "ms_mean"), "ours, exact", COLORS[4])
            error = svg.Panel(f"{body}, {words}: error", (700, 4e5), (1e-4, 2), COUNT_TICKS[:4] + [(2.5e5, "250k")], svg.decades(-4, 0), "spheres", "mean error")
            for k, (system, _) in enumerate(RADII):
                error.line(by_count(only(table, system=system), "error_mean", mean), 1.8, COLORS[k], MARKS[k])
            error.line(by_count(only(table, system="bounds"), "error_mean", mean), 1.8, COLORS[7], MARKS[7], "2 3")
            error.level(0.007, "0.7 %")
            panels += [time, error]
    legend = [(words, COLORS[k], MARKS[k], "") for k, (_, words) in enumerate(RADII)]
    legend += [("blocks of sixteen", COLORS[3], MARKS[3], ""), ("width of the bounds", COLORS[7], MARKS[7], "2 3")]
    svg.write(FOLDER / "ist2009_volume.svg", "Penetration volume by inner spheres again (figure 9)", "Against exact volumes; one thread.", panels, 2, legend)


def draw_tests():
    table = rows("tests")
    error = svg.Panel("error", (7, 1.5e5), (1e-3, 10), svg.decades(1, 5), svg.decades(-3, 1), "pairs opened", "mean and (dashed) worst error")
    time = svg.Panel("time", (7, 1.5e5), (1, 1e5), svg.decades(1, 5), svg.decades(0, 5), "pairs opened", "us")
    orders = distinct(table, "order")
    for k, order in enumerate(orders):
        of_order = only(table, order=order)
        error.line([(row["expansions"], row["error_mean"]) for row in of_order], 1.8, COLORS[k], MARKS[k])
        error.line([(row["expansions"], row["error_worst"]) for row in of_order], 1.2, COLORS[k], MARKS[k], "6 3")
        time.line([(row["expansions"], row["us_mean"]) for row in of_order], 1.8, COLORS[k], MARKS[k])
    svg.write(FOLDER / "ist2009_tests.svg", f"Penetration volume within a budget again (figure 10): {table[0]['body']}, {table[0]['spheres']:,.0f} spheres",
              "Overlaps of 2, 10 and 50 %, against exact volumes.", [error, time], 2, [(order, COLORS[k], MARKS[k], "") for k, order in enumerate(orders)])


def draw_path():
    table = [row for row in rows("path") if row["body"].startswith("screwdriver")]
    last = worst(table, "step")
    panels = []
    for what in ("force", "torque"):
        top = worst(table, what) * 1.1 or 1
        size = svg.Panel(f"{what}: magnitude", (0, last), (0, top), [(k * last / 4, f"{k * last / 4:.0f}") for k in range(5)],
                         [(k * top / 4, f"{k * top / 4:.2g}") for k in range(5)], "step", "over volume" if what == "force" else "over volume x size", "xy")
        axis = svg.Panel(f"{what}: direction", (0, last), (-1.05, 1.05), [(k * last / 4, f"{k * last / 4:.0f}") for k in range(5)],
                         [(k / 2, f"{k / 2:g}") for k in range(-2, 3)], "step", "x, y, z of the unit vector", "xy")
        for k, direction in enumerate(("cones", "centers")):
            of = only(table, direction=direction)
            size.line([(row["step"], row[what]) for row in of], 1.6, COLORS[k], "", "" if k == 0 else "5 3")
            for i, letter in enumerate("xyz"):
                points = [(row["step"], row[f"{what}_{letter}"]) for row in of if row[what] > 0]
                axis.line(points, 1.4, COLORS[2 + i], "", "" if k == 0 else "5 3")
        panels += [size, axis]
    legend = [("cones, as published", COLORS[0], "", ""), ("along centers", COLORS[1], "", "5 3")]
    legend += [(letter, COLORS[2 + i], "", "") for i, letter in enumerate("xyz")]
    svg.write(FOLDER / "ist2009_path.svg", "Force and torque along a path again (figure 6)", "Two screwdrivers of 50,000 spheres; k_c = 1.", panels, 2, legend)


def draw_stages():
    table = rows("stages")
    voxels, spheres = only(table, kind="voxel"), only(table, kind="sphere")
    left, right = min(row["x"] for row in voxels), worst(voxels, "x")
    low, high = min(row["y"] for row in voxels), worst(voxels, "y")
    deepest, cube = worst(voxels, "number"), voxels[0]["size"]
    scale = 300 / (right - left + cube)
    width, height = 300, scale * (high - low + cube)
    out, total = [], 4 * (width + 30) + 20
    for k, (words, limit) in enumerate((("voxels' distances from the surface", None), ("the largest sphere", 1), ("20 spheres", 20), ("all spheres", math.inf))):
        x0 = 20 + k * (width + 30)
        at = lambda x, y: (x0 + scale * (x - left + cube / 2), 40 + scale * (high - y + cube / 2))
        out.append(svg.text(x0 + width / 2, 26, words, 15))
        runs = []  # voxels side by side of one shade
        for row in voxels:
            shade = round(235 - 190 * row["number"] / deepest) if limit is None else 225
            if runs and runs[-1][0] == shade and runs[-1][2] == row["y"] and abs(runs[-1][3] + cube - row["x"]) < 0.1 * cube:
                runs[-1][3] = row["x"]
            else:
                runs.append([shade, row["x"], row["y"], row["x"]])
        for shade, first, middle, last in runs:
            x, y = at(first - cube / 2, middle + cube / 2)
            out.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{scale * (last - first + cube) + 0.3:.1f}" height="{scale * cube + 0.3:.1f}" fill="rgb({shade},{shade},{shade + 12})"/>')
        chosen = sorted(spheres, key=lambda row: row["number"])[:int(min(limit or 0, len(spheres)))]
        for row in chosen:
            x, y = at(row["x"], row["y"])
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{scale * row["size"]:.2f}" fill="{COLORS[0]}" fill-opacity="0.55" stroke="#123" stroke-width="0.5"/>')
    with open(FOLDER / "ist2009_stages.svg", "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{total:.0f}" height="{height + 60:.0f}"><rect width="100%" height="100%" fill="#fff"/>\n' +
                   "\n".join(out) + "\n</svg>\n")


def claims():
    """(claim, published, measured, whether it holds)"""
    most = max(row["spheres"] for row in distance)
    for body in distinct(distance, "body"):
        table = only(distance, body=body)
        spheres = only(table, system="spheres", spheres=most)
        yield (f"{body}: mean time of a distance with {most:,.0f} spheres", "below 500 us", f"{mean(spheres, 'us_mean'):.3g} us", mean(spheres, "us_mean") < 500)
        yield (f"{body}: mean error of a distance, over the size", "about 0.5 %", f"{100 * mean(spheres, 'error_of_size_mean'):.2g} %",
               mean(spheres, "error_of_size_mean") <= 0.005)
        yield (f"{body}: the same over the distance", "about 0.5 %", f"{100 * mean(spheres, 'error_of_distance_mean'):.2g} %",
               mean(spheres, "error_of_distance_mean") <= 0.005)
        ratios = [mean(only(table, system="swept_spheres"), "us_mean") / value for _, value in by_count(only(table, system="spheres"), "us_mean", mean)]
        yield (f"{body}: times faster than an exact search by swept spheres", "20 to 120", f"{min(ratios):.3g} to {max(ratios):.3g}", min(ratios) >= 20)
        ratios = [mean(only(table, system="exact"), "us_mean") / value for _, value in by_count(only(table, system="spheres"), "us_mean", mean)]
        yield (f"{body}: times faster than our exact search", "", f"{min(ratios):.3g} to {max(ratios):.3g}", "")
        for system, words in (("nearest_pair", "those of the nearest spheres"), ("refined", "those of all spheres that may be nearest")):
            refined = only(table, system=system, spheres=most)
            yield (f"{body}: worst error over the distance with triangles, {words}", "below 1.2e-7 (float)", f"{worst(refined, 'error_of_distance_worst'):.2g}",
                   worst(refined, "error_of_distance_worst") < 1.2e-7)
            yield (f"{body}: time with triangles over time without, {words}", "negligibly more",
                   f"{mean(refined, 'us_mean') / mean(spheres, 'us_mean'):.3g}", mean(refined, "us_mean") < 1.2 * mean(spheres, "us_mean"))
    most = max(row["spheres"] for row in volume)
    for body in distinct(volume, "body"):
        table = [row for row in only(volume, body=body, spheres=most)]
        light = [row for row in table if row["share"] <= 0.1]
        for system, words in (("shares", "the published walk"), ("blocks", "blocks")):
            of = only(light, system=system)
            yield (f"{body}: mean time of a volume with {most:,.0f} spheres, overlaps to 10 %, {words}", "about 5 ms", f"{mean(of, 'ms_mean'):.3g} ms", mean(of, "ms_mean") <= 5)
            heavy = only(table, system=system, share=0.5)
            yield (f"{body}: the same, overlap of 50 %, {words}", "", f"{mean(heavy, 'ms_mean'):.3g} ms", "")
        for system, words in RADII:
            error = mean(only(light, system=system), "error_mean")
            yield (f"{body}: mean error of a volume, overlaps to 10 %, spheres off the lattice, {words}", "about 0.7 %", f"{100 * error:.2g} %", error <= 0.007)
    polygons = rows("polygons")
    for column, words in (("distance_us", "distance"), ("refined_us", "distance with triangles"), ("volume_ms", "volume")):
        values = [row[column] for row in polygons]
        yield (f"time of a {words}, {polygons[-1]['triangles']:,.0f} triangles over {polygons[0]['triangles']:,.0f}", "independent", f"{values[-1] / values[0]:.3g}",
               values[-1] < 1.5 * values[0])
    lattice = only(rows("voxels"), packing="lattice")[-1]
    yield (f"{lattice['body']}: mean error of a volume, packed as published to the end, {lattice['spheres']:,.0f} spheres, as published", "about 0.7 %",
           f"{100 * lattice['published']:.2g} %", lattice["published"] <= 0.007)
    for row in rows("packings"):
        if row["spheres"] == 250_000:
            yield (f"{row['body']}: memory of 250,000 spheres", "a few MB", f"{row['mb']:.3g} MB", row["mb"] < 10)
    for body in distinct(rows("branching"), "body"):
        table = only(rows("branching"), body=body)
        total = {children: mean(only(table, children=children), "ms_mean") for children in distinct(table, "children")}
        best = min(total, key=total.get)
        yield (f"{body}: children with which volumes are fastest, pair by pair", "4", f"{best:.0f}; 4 takes {total[4.0] / total[best]:.3g} of its time", best == 4)


draw_distances()
draw_volumes()
draw_tests()
draw_path()
draw_stages()
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["claim", "published", "measured", "holds"])
for claim, published, measured, holds in claims():
    out.writerow([claim, published, measured, holds if holds == "" else "yes" if holds else "no"])
