#!/usr/bin/env python3
"""The volume under a water plane by manifold3d, trimesh and Capytaine beside Plimsoll, on the same
meshes and planes.

Plimsoll runs as a program of its own, submersion on_request, that times itself when it is told to,
as in mass_properties.py. Prints a CSV to stdout, the rest to stderr.

usage: submersion.py SUBMERSION [--cache DIR] [--rounds N] [SCENARIO...]
"""
import argparse
import logging
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy starts its threads
import capytaine  # noqa: E402
import manifold3d  # noqa: E402
import numpy as np  # noqa: E402
import trimesh  # noqa: E402

SCENARIOS = ["bunny_4k", "bunny_16k", "bunny_75k"]
BATCH_SECONDS = 5e-3
LONG_SECONDS = 0.5  # what takes longer has few rounds, planes to be checked and planes in its turn
FEW = 3
TOLERANCE = 1e-9  # of the whole volume, beyond which an answer is wrong
UP = np.array([0.0, 0.0, 1.0])


class Plane:
    """The water is below dot(normal, p) = offset; `wet` is the volume that Plimsoll finds there."""

    def __init__(self, words):
        *self.normal, self.offset, self.wet = (float(word) for word in words)
        self.normal = np.array(self.normal)


def turned(vertices, plane):
    """The vertices in a frame whose z = 0 is the plane."""
    axis = np.eye(3)[np.argmin(np.abs(plane.normal))]
    u = np.cross(axis, plane.normal)
    u /= np.linalg.norm(u)
    frame = np.stack([u, np.cross(plane.normal, u), plane.normal])
    return vertices @ frame.T - plane.offset * UP


def systems(vertices, faces):
    """Name, what a plane is made into before the clock runs, and what is timed."""
    solid = manifold3d.Manifold(manifold3d.Mesh64(vertices, faces.astype(np.uint64)))
    mesh = trimesh.Trimesh(vertices, faces, process=False)

    def manifold3d_trim(plane):
        return solid.trim_by_plane(-plane.normal, -plane.offset).volume()

    def trimesh_slice(plane):
        return mesh.slice_plane(plane.offset * plane.normal, -plane.normal, cap=True).volume

    # Knows water at z = 0 only. immersed_part() is this, but remembers its answers.
    def capytaine_body(plane):
        return capytaine.Mesh(turned(vertices, plane), faces, auto_check=False)

    def capytaine_clip(body):
        return body.clipped(origin=np.zeros(3), normal=UP).volume

    as_is = lambda plane: plane  # noqa: E731
    return [("manifold3d_trim_by_plane", as_is, manifold3d_trim),
            ("trimesh_slice_plane", as_is, trimesh_slice),
            ("capytaine_clipped", capytaine_body, capytaine_clip)]


class Rival:
    """One system with one list of planes, asked about one after the other."""

    def __init__(self, name, prepare, wet_volume, planes, whole):
        self.name, self.wet_volume, self.next = name, wet_volume, 0
        first = prepare(planes[0])
        self.one_call = -time.process_time()
        self.ask(first)
        self.one_call += time.process_time()
        self.is_slow = self.one_call > LONG_SECONDS
        planes = planes[:FEW] if self.is_slow else planes
        self.prepared = [prepare(plane) for plane in planes]
        errors = [abs(self.ask(p) - plane.wet) for p, plane in zip(self.prepared, planes)]
        self.error = float(np.max(errors)) / whole  # NaN where it gave up
        self.calls = 1 if self.is_slow else max(1, round(BATCH_SECONDS / max(self.one_call, 1e-7)))
        self.samples = []

    def ask(self, prepared):
        try:
            return self.wet_volume(prepared)
        except Exception as error:  # theirs, of many kinds
            print(f"{self.name}: {type(error).__name__}: {error}", file=sys.stderr)
            return float("nan")

    def time_batch(self):
        """CPU seconds of the process per call: were a library to use two threads, both would count."""
        start = time.process_time()
        for _ in range(self.calls):
            self.wet_volume(self.prepared[self.next])
            self.next = (self.next + 1) % len(self.prepared)
        return (time.process_time() - start) / self.calls

    def take_turn(self, round_number):
        if not np.isnan(self.error) and not (self.is_slow and round_number >= FEW):
            self.samples.append(1e6 * self.time_batch())


def read_planes(program):
    """What on_request tells before it waits: triangles, whole volume, and the lists of planes."""
    triangles, whole = program.stdout.readline().split()
    planes = {"hot": [], "random": []}
    while words := program.stdout.readline().split():
        planes[words[0]].append(Plane(words[1:]))
    return int(triangles), float(whole), planes


def run(scenario, submersion, cache, rounds, folder):
    path = str(pathlib.Path(folder) / f"{scenario}.ply")
    command = [submersion, "on_request", scenario, path, "--cache", cache]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ours:
        triangles, whole, planes = read_planes(ours)
        mesh = trimesh.load(path, process=False)
        rivals = systems(np.ascontiguousarray(mesh.vertices, dtype=np.float64),
                         np.asarray(mesh.faces))
        print(f"{scenario}: {triangles} triangles", file=sys.stderr)
        lists = {name: [Rival(*rival, planes[name], abs(whole)) for rival in rivals]
                 for name in planes}
        of_ours = {name: [] for name in planes}
        for number in range(rounds):
            ours.stdin.write("\n")
            ours.stdin.flush()
            for name, word in zip(("hot", "random"), ours.stdout.readline().split()):
                of_ours[name].append(float(word))
            for members in lists.values():
                for rival in members:
                    rival.take_turn(number)
        ours.stdin.close()

    for name, members in lists.items():
        base = statistics.median(of_ours[name])
        print(f"{scenario}_{name},{triangles},tree,1,{base:.4g},1,0")
        for rival in members:
            if not rival.samples:
                continue
            mark = "" if rival.error <= TOLERANCE else " (wrong)"
            each = statistics.median(rival.samples)
            print(f"{scenario}_{name},{triangles},{rival.name}{mark},1,{each:.4g},{each / base:.4g},"
                  f"{rival.error:.2g}", flush=True)
    os.remove(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("submersion")
    parser.add_argument("--cache", default="data/cache")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("scenarios", nargs="*", default=SCENARIOS)
    arguments = parser.parse_intermixed_args()
    logging.disable(logging.WARNING)  # Capytaine's on every open mesh
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)
    print("scenario,triangles,system,threads,us_per_query,ratio_to_ours,volume_error", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for scenario in arguments.scenarios:
            run(scenario, arguments.submersion, arguments.cache, arguments.rounds, folder)
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
