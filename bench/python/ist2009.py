#!/usr/bin/env python3
"""The exact volumes that inner spheres are measured against, by manifold3d and CGAL beside ours.

Plimsoll's program tells the mesh, the poses, its volumes and CGAL's. Prints a CSV to stdout.

usage: ist2009.py IST2009 [BODY...]
"""
import argparse
import csv
import io
import subprocess
import time

import manifold3d
import numpy as np

BODIES = ["screwdriver_488k", "torso_470k"]


def read_mesh(program, body):
    text = subprocess.run([program, "mesh", "--only", body], check=True, capture_output=True, text=True).stdout
    lines = text.splitlines()
    vertices, faces = (int(word) for word in lines[1].split()[:2])
    points = np.array([line.split() for line in lines[2:2 + vertices]], dtype=np.float64)
    corners = np.array([line.split()[1:] for line in lines[2 + vertices:2 + vertices + faces]], dtype=np.uint64)
    return points, corners


def solid_of(points, corners):
    solid = manifold3d.Manifold(manifold3d.Mesh64(points, corners))
    assert solid.status() == manifold3d.Error.NoError, solid.status()
    return solid


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("bodies", nargs="*", default=BODIES)
    options = parser.parse_args()
    print("body,share,ours,cgal_difference,manifold_difference,ours_s,cgal_s,manifold_s")
    for body in options.bodies:
        points, corners = read_mesh(options.program, body)
        still = solid_of(points, corners)
        poses = subprocess.run([options.program, "booleans", "--only", body], check=True, capture_output=True, text=True).stdout
        for row in csv.DictReader(io.StringIO(poses)):
            pose = np.array([[float(row[f"m{i}{j}"]) for j in range(4)] for i in range(3)])
            moved = solid_of(points @ pose[:, :3].T + pose[:, 3], corners)
            start = time.thread_time()
            wall = time.perf_counter()
            volume = (still ^ moved).volume()  # evaluated only when it is asked for
            seconds = max(time.thread_time() - start, time.perf_counter() - wall)
            ours = float(row["ours"])
            print(f"{body},{row['share']},{ours:.12g},{float(row['cgal']) / ours - 1:.2g},{volume / ours - 1:.2g},"
                  f"{row['ours_s']},{row['cgal_s']},{seconds:.3g}", flush=True)


if __name__ == "__main__":
    main()
