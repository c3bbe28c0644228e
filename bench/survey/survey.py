#!/usr/bin/env python3
"""Weighs the meshes of collections.tsv with Plimsoll and with trimesh, and tells where they differ.

usage: survey.py PLIMSOLL CACHE RESULTS

Writes RESULTS/files.csv, a row for each file (`closes`: what --weld makes of it a closed surface), and RESULTS/summary.md, which it also prints. Says on
stderr what is no longer as the files.csv there told. Exits with 1 if the two differ where
explained.tsv gives no reason, or a reason there is no longer needed.

Volume, center of mass and inertia are compared where both read the file and the surface is closed:
the sum over an open one depends on the point about which it is taken. They agree if they differ by
no more than Plimsoll's error bound and trimesh's rounding (second_reader.py) add up to.
"""
import collections
import csv
import hashlib
import io
import json
import math
import pathlib
import subprocess
import sys

import fetch
import second_reader

HERE = pathlib.Path(__file__).parent
# A surface with these is closed, and its numbers are the sum over all of it.
CLOSED = {"ok", "nested", "self_intersecting", "undecided", "inverted"}
COLUMNS = ["collection", "file", "sha256", "triangles", "status", "closes", "volume", "trimesh"]
AT_ONCE = 400  # files for one process
FORMATS = ["stl", "obj", "ply", "off", "3mf", "gltf", "glb"]


def meshes(cache):
    """Collection, path in it and digest of each file; the first one of several with one content."""
    seen = set()
    for collection in fetch.collections():
        folder = fetch.fetched(collection, cache)
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or not fetch.MESH.search(path.name):
                continue
            digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
            if digest not in seen:
                seen.add(digest)
                yield {"collection": folder.name, "file": str(path.relative_to(folder)),
                       "sha256": digest, "path": path}


def plimsoll_answers(program, paths):
    for first in range(0, len(paths), AT_ONCE):
        some = [str(path) for path in paths[first:first + AT_ONCE]]
        done = subprocess.run([program, "mass", "--each", "--check-intersections", "--json", *some],
                              capture_output=True, text=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if done.returncode not in (0, 4, 5) or len(answers) != len(some):
            sys.exit(f"survey: plimsoll ended with {done.returncode} after {len(answers)} of "
                     f"{len(some)} files; the next was {some[len(answers):][:1]}\n{done.stderr[-2000:]}")
        yield from answers
        print(f"survey: weighed {first + len(some)} of {len(paths)} files", file=sys.stderr)


def norm(values):
    return math.sqrt(sum(norm(v) ** 2 if isinstance(v, list) else v * v for v in values))


def difference(a, b):
    return [difference(x, y) for x, y in zip(a, b)] if isinstance(a, list) else a - b


def agree(ours, theirs):
    """Whether volume, center and inertia are the same but for rounding."""
    sign = -1 if ours["input"]["inverted"] else 1  # Plimsoll turns an inverted mesh
    own = ours["error_bound"] or {"volume": 0, "center_of_mass": 0, "inertia": 0}
    bounds = theirs["bounds"]
    # Bounds hold for each component; a vector has 3, a matrix 9.
    return (abs(ours["volume"] - sign * theirs["volume"]) <= own["volume"] + bounds["volume"] and
            norm(difference(ours["center_of_mass"], theirs["center"])) <=
            math.sqrt(3) * own["center_of_mass"] + bounds["center"] and
            norm(difference(ours["inertia"], [[sign * x for x in row] for row in theirs["inertia"]]))
            <= 3 * own["inertia"] + bounds["inertia"])


def verdict(ours, theirs):
    """In how far the two readers agree, in words that begin with `differs` where they should not."""
    if "error" in ours:
        return "nor has it" if "error" in theirs else "differs: it has numbers"
    if "error" in theirs:
        return "has no numbers"
    if ours["status"] in CLOSED:
        return "agrees" if agree(ours, theirs) else "differs: other numbers"
    return "takes it for a volume" if theirs["is_volume"] else "not compared"


def row(mesh, ours, theirs):
    failed = "error" in ours
    return {"collection": mesh["collection"], "file": mesh["file"], "sha256": mesh["sha256"],
            "triangles": "" if failed else ours["input"]["triangles"],
            "status": ours["error"]["code"] if failed else ours["status"],
            "closes": "" if failed or not ours["rims"] else ours["rims"]["closed_by_weld"] or "",
            "volume": "" if failed or ours["volume"] is None else f"{ours['volume']:.9g}",
            "trimesh": verdict(ours, theirs)}


def table(rows, of_row, of_column, columns=None):
    """Counts as Markdown."""
    counts = collections.Counter((of_row(r), of_column(r)) for r in rows)
    columns = columns or sorted({column for _, column in counts})
    lines = ["| | " + " | ".join(columns) + " | all |", "| --- " * (len(columns) + 2) + "|"]
    names = sorted({name for name, _ in counts},
                   key=lambda name: -sum(counts[name, column] for column in columns))
    for name in [*names, None]:
        cells = [sum(n for (other, of), n in counts.items() if of == column and name in (other, None))
                 for column in columns]
        lines.append(f"| {name or 'all'} | " + " | ".join(str(n or "") for n in cells) +
                     f" | {sum(cells)} |")
    return "\n".join(lines)


def kind(r):
    return pathlib.PurePosixPath(r["file"]).suffix[1:].lower().replace("stlb", "stl")


def explanations():
    with open(HERE / "explained.tsv", newline="") as lines:
        return {(line["collection"], line["file"]): line["reason"]
                for line in csv.DictReader(lines, delimiter="\t")}


def summary(rows, reasons):
    differing = [r for r in rows if r["trimesh"].startswith("differs")]
    by_reason = collections.defaultdict(list)
    for r in differing:
        reason = reasons.get((r["collection"], r["file"]), "**not explained**")
        by_reason[r["trimesh"].removeprefix("differs: "), reason].append(r)
    out = io.StringIO()
    print(f"""# {len(rows):,} real files

`scripts/survey` unpacked the meshes of {len({r["collection"] for r in rows})} packages, weighed each file with
`plimsoll mass --each --check-intersections` and with trimesh {second_reader.trimesh.__version__}. A file that is there twice counts once.

## What they are

{table(rows, lambda r: r["status"], kind, FORMATS)}

{table(rows, lambda r: r["collection"], kind, FORMATS)}

## Beside trimesh

Volume, center of mass and inertia are compared where the surface is closed. They agree if they differ
by no more than the error bound and trimesh's rounding. trimesh "has no numbers" where it refuses the
file or gives none that are finite; "nor has it" is said of files that Plimsoll refuses. trimesh "takes
it for a volume" where the surface is closed and turned one way once vertices are merged that are the
same to eight decimals{weld(rows)}.

{table(rows, lambda r: r["status"], lambda r: r["trimesh"].partition(":")[0])}

## Where they differ, and why
""", file=out)
    for (what, reason), of_reason in sorted(by_reason.items()):
        print(f"- {len(of_reason)} ({what}): {reason}", file=out)
        for r in of_reason[:3]:
            print(f"  - `{r['collection']}/{r['file']}`", file=out)
        if len(of_reason) > 3:
            print(f"  - and {len(of_reason) - 3} more", file=out)
    return out.getvalue()


def weld(rows):
    """How many of those that only trimesh takes for a volume `--weld` closes."""
    taken = [r for r in rows if r["trimesh"] == "takes it for a volume"]
    closed = sum(1 for r in taken if r["closes"])
    return f"; `--weld` closes {closed} of those {len(taken)}, and Plimsoll says so" if taken else ""


def tell_changes(rows, path):
    if not path.is_file():
        return
    with open(path, newline="") as lines:
        before = {(r["collection"], r["file"]): r for r in csv.DictReader(lines)}
    now = {(r["collection"], r["file"]): {key: str(value) for key, value in r.items()} for r in rows}
    for key in sorted(before.keys() | now.keys()):
        old, new = before.get(key), now.get(key)
        if old != new:
            what = ("is new" if old is None else "is gone" if new is None else
                    ", ".join(f"{name} was {old.get(name) or 'none'}, is {new[name] or 'none'}"
                              for name in COLUMNS if old.get(name) != new[name]))
            print(f"survey: {'/'.join(key)}: {what}", file=sys.stderr)


def main():
    program, cache, results = (pathlib.Path(argument) for argument in sys.argv[1:])
    cache.mkdir(parents=True, exist_ok=True)
    results.mkdir(parents=True, exist_ok=True)
    found = list(meshes(cache))
    paths = [mesh["path"] for mesh in found]
    ours = list(plimsoll_answers(program, paths))
    print("survey: reading them with trimesh", file=sys.stderr)
    theirs = second_reader.weigh_all(paths)
    rows = [row(*each) for each in zip(found, ours, theirs, strict=True)]
    reasons = explanations()
    told = summary(rows, reasons)
    tell_changes(rows, results / "files.csv")
    with open(results / "files.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (results / "summary.md").write_text(told)
    print(told, end="")
    differing = {(r["collection"], r["file"]) for r in rows if r["trimesh"].startswith("differs")}
    for key in sorted(differing ^ reasons.keys()):
        print(f"survey: {'/'.join(key)}: " + ("differs without a reason in explained.tsv"
              if key in differing else "has a reason in explained.tsv and does not differ"),
              file=sys.stderr)
    return 1 if differing != reasons.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
