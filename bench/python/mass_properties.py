#!/usr/bin/env python3
"""Mass properties by trimesh, libigl and manifold3d beside Plimsoll, on the same meshes.

Plimsoll runs as a program of its own, on_request, that times itself when it is told to, so that all
take turns within a round as they do in mass_properties.cpp. Python's call overhead, some
microseconds, is part of the others' figures. Prints a CSV to stdout, the rest to stderr.

usage: mass_properties.py ON_REQUEST [--cache DIR] [--rounds N] [SCENARIO...]
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy starts its threads
import igl  # noqa: E402
import manifold3d  # noqa: E402
import numpy as np  # noqa: E402
import trimesh  # noqa: E402

SCENARIOS = ["bunny_70k", "knot_1k", "knot_8k", "knot_70k", "knot_1m", "knot_4m", "bumpy_1m"]
BATCH_SECONDS = 5e-3


def systems(vertices, faces):
    """Name and function of each; a function returns the volume and, if it has one, the center."""
    faces64 = np.ascontiguousarray(faces, dtype=np.int64)
    solid = manifold3d.Manifold(manifold3d.Mesh64(vertices, faces.astype(np.uint64)))

    def libigl_moments():
        volume, first, _ = igl.moments(vertices, faces64)
        return volume, first / volume

    def libigl_centroid():
        center, volume = igl.centroid(vertices, faces64)
        return volume, center

    def trimesh_mass_properties():
        found = trimesh.triangles.mass_properties(vertices[faces])
        return found.volume, found.center_mass

    def manifold3d_volume():
        return solid.volume(), None

    return [libigl_moments, libigl_centroid, trimesh_mass_properties, manifold3d_volume]


def fault(found, volume, center):
    """What is wrong with an answer, or nothing."""
    if not abs(found[0] / volume - 1) <= 1e-6:
        return f"volume {found[0]:.6g}, should be {volume:.6g}"
    if found[1] is not None and not np.linalg.norm(found[1] - center) <= 1e-6 * volume ** (1 / 3):
        return f"center {found[1]}, should be {center}"
    return None


def time_batch(function, calls):
    """CPU seconds of the process per call: were a library to use two threads, both would count."""
    start = time.process_time()
    for _ in range(calls):
        function()
    return (time.process_time() - start) / calls


def ask(ours):
    """Nanoseconds per triangle of Plimsoll's two precisions."""
    ours.stdin.write("\n")
    ours.stdin.flush()
    return [float(word) for word in ours.stdout.readline().split()]


def run(scenario, on_request, cache, rounds, folder):
    path = str(pathlib.Path(folder) / f"{scenario}.ply")
    command = [on_request, scenario, path, "--cache", cache]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ours:
        first = ours.stdout.readline().split()
        if len(first) != 5:
            sys.exit(f"{scenario}: {on_request} did not answer")
        triangles, volume = int(first[0]), float(first[1])
        center = np.array([float(word) for word in first[2:]])
        mesh = trimesh.load(path, process=False)
        rivals = systems(np.ascontiguousarray(mesh.vertices, dtype=np.float64),
                         np.asarray(mesh.faces))
        print(f"{scenario}: {triangles} triangles", file=sys.stderr)

        rows = {"ours_fast_indexed_double": [], "ours_tight_indexed_double": []}
        calls, names = [], []
        for function in rivals:
            wrong = fault(function(), volume, center)
            if wrong:
                print(f"{scenario}: {function.__name__}: {wrong}", file=sys.stderr)
            names.append(function.__name__ + (" (wrong)" if wrong else ""))
            calls.append(max(1, round(BATCH_SECONDS / max(time_batch(function, 1), 1e-7))))
            rows[names[-1]] = []
        for _ in range(rounds):
            for name, nanoseconds in zip(list(rows)[:2], ask(ours)):
                rows[name].append(nanoseconds)
            for name, function, count in zip(names, rivals, calls):
                rows[name].append(1e9 * time_batch(function, count) / triangles)
        ours.stdin.close()

    medians = {name: statistics.median(values) for name, values in rows.items()}
    base = medians["ours_fast_indexed_double"]
    for name, value in medians.items():
        print(f"{scenario},{triangles},{name},1,{value:.4g},{value / base:.4g}", flush=True)
    os.remove(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("on_request")
    parser.add_argument("--cache", default="data/cache")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("scenarios", nargs="*", default=SCENARIOS)
    arguments = parser.parse_intermixed_args()
    print(f"trimesh {trimesh.__version__}, load average {os.getloadavg()[0]:.2f}", file=sys.stderr)
    print("scenario,triangles,system,threads,ns_per_triangle,ratio_to_ours", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for scenario in arguments.scenarios:
            run(scenario, arguments.on_request, arguments.cache, arguments.rounds, folder)
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
