#!/usr/bin/env python3
"""Prints what surface_probe.csv and surface_probe_python.csv say about the aims, as a CSV; --readme
puts their figures into the tables of bench/README.md, or its copy, instead.

  bench/plots/probe_summary.py [--readme README.md] surface_probe.csv [surface_probe_python.csv]

The exponent of growth is the slope of log time over log triangles by least squares, over the sizes of the bunny. `met` is empty
where there is no aim. Scenes that were kept aside come last.
"""
import argparse, csv, math, pathlib

NEAREST, RAYS = ("points_near", "points_far", "grid"), ("rays", "rays_outward")


def rows_of(path):
    with open(path) as file:
        yield from csv.DictReader(file)


def fields(r):
    """Scene, question, system without its mark, threads, microseconds."""
    if "scenario" in r:
        question = next(q for q in ("rays_outward", *NEAREST, "rays") if r["scenario"].endswith("_" + q))
        scene = r["scenario"].removesuffix("_" + question)
    else:
        scene, question = r["scene"], r["questions"]
    return scene, question, r["system"].removesuffix(" (wrong)"), int(r["threads"]), float(r["ns_per_question"]) / 1000


def table(path):
    """Microseconds by scene and question, of each system and number of threads; wrong rows of others are left out."""
    found = {}
    for r in rows_of(path):
        if r["system"].startswith("libigl") and r["system"].endswith("(wrong)"):
            continue
        scene, question, system, threads, us = fields(r)
        found.setdefault((scene, question), {})[system, threads] = us
    return dict(sorted(found.items(), key=lambda item: item[0][0].startswith("aside")))


def least(row, *begins):
    """Of the rows whose names begin so; infinite where all were wrong."""
    return min((us for (system, threads), us in row.items() if threads == 1 and system.startswith(begins)), default=math.inf)


def short(us):
    return f"{us:.3g}" if us < math.inf else "wrong"


def cpp_table(found):
    lines = ["| scene, questions | one | list | 2 threads | signed, one | signed, list | CGAL | Embree, one | Embree, list | Embree over ours |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for (scene, question), row in found.items():
        us = lambda system, threads=1: short(row[system, threads]) if (system, threads) in row else ""
        list_of_embree = least(row, "embree_float_") if question in RAYS else None
        ratios = [row["embree_float", 1] / row["probe", 1]]
        if list_of_embree:
            ratios.append(list_of_embree / row["batch", 1])
        cells = [us("probe"), us("batch"), us("batch", 2), us("probe_signed"), us("batch_signed"), us("cgal_aabb_tree"), us("embree_float"),
                 short(list_of_embree) if list_of_embree else "", ", ".join(f"{ratio:.2f}" for ratio in ratios)]
        lines.append(f"| `{scene}`, `{question}` | " + " | ".join(cells) + " |")
    return lines


def python_table(found):
    lines = ["| scene, questions | one | list | Open3D | libigl | Open3D over ours | libigl over ours |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for (scene, question), row in found.items():
        open3d, libigl = least(row, "open3d"), least(row, "libigl")
        ours = row["batch", 1]
        cells = [row["probe", 1], ours, open3d, libigl]
        lines.append(f"| `{scene}`, `{question}` | " + " | ".join(map(short, [*cells, open3d / ours, libigl / ours])) + " |")
    return lines


def put_into_readme(readme, tables):
    """Each between two comments that name it."""
    text = readme.read_text()
    for name, lines in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        head, rest = text.split(begin)
        text = head + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1]
    readme.write_text(text)


def tell(question, case, figure, most=None, least=None):
    aim = "" if most is None and least is None else f"at most {most:.3g}" if least is None else f"at least {least:.3g}"
    met = "" if aim == "" else "yes" if (figure <= most if least is None else figure >= least) else "no"
    print(f"{question},{case},{figure:.3g},{aim},{met}")


def summarize(in_process, in_python):
    print("question,case,figure,aim,met")
    for (scene, question), row in in_process.items():
        aim = 2 if question in NEAREST else 1 / 3
        tell("embree_float / probe", f"{scene}; {question}", row["embree_float", 1] / row["probe", 1], least=aim)
    for (scene, question), row in in_process.items():
        if question in RAYS:
            tell("the faster list of embree_float / batch", f"{scene}; {question}", least(row, "embree_float_") / row["batch", 1], least=1 / 3)
        else:
            tell("cgal_aabb_tree / probe", f"{scene}; {question}", row["cgal_aabb_tree", 1] / row["probe", 1])
    for question in (*NEAREST, *RAYS):
        bunnies = [(triangles[scene], row["probe", 1]) for (scene, of), row in in_process.items() if of == question and scene.startswith("bunny")]
        if len(bunnies) > 1:
            x, y = ([math.log(value) for value in column] for column in zip(*bunnies))
            mx, my = sum(x) / len(x), sum(y) / len(y)
            slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
            tell("exponent of growth", f"bunny; {question}; {len(bunnies)} sizes", slope)
    for (scene, question), row in in_python.items():
        aim = 1 / 3 if question in RAYS else 2
        tell("open3d / batch", f"{scene}; {question}", least(row, "open3d") / row["batch", 1], least=aim)
    for (scene, question), row in in_python.items():
        if least(row, "libigl") < math.inf:
            tell("the fastest of libigl / batch", f"{scene}; {question}", least(row, "libigl") / row["batch", 1])
    signs = {}
    for r in python_rows:
        name = "ours" if r["system"] in ("probe", "batch") else fields(r)[2]
        if r["questions"] == "field":
            signs[name] = signs.get(name, 0) + int(r["wrong_signs"])
    for name, wrong in signs.items():
        tell("wrong signs of a field", name, wrong, 0 if name == "ours" else None)


parser = argparse.ArgumentParser()
parser.add_argument("--readme", type=pathlib.Path)
parser.add_argument("paths", nargs="+")
given = parser.parse_args()
paths = given.paths
triangles = {fields(r)[0]: int(r["triangles"]) for r in rows_of(paths[0])}
python_rows = list(rows_of(paths[1])) if len(paths) > 1 else []
tables = table(paths[0]), table(paths[1]) if len(paths) > 1 else {}
if given.readme:
    machine = pathlib.Path(paths[0]).resolve().parent.name
    measured = {"surface_probe": [f"Measured on `{machine}`.", "", *cpp_table(tables[0])]}
    if tables[1]:
        measured["surface_probe_python"] = python_table(tables[1])
    put_into_readme(given.readme, measured)
else:
    summarize(*tables)
