#!/usr/bin/env python3
"""The volume that two solids share, by Manifold and CGAL beside Plimsoll, in the same poses.

Plimsoll runs as a program of its own, overlap on_request, that times itself and CGAL when it is told to, as in
pairs.py. Prints a CSV to stdout, the rest to stderr.

usage: overlap.py OVERLAP [--cache DIR] [--rounds N] [SCENE...]
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # else numpy's threads would be counted as Manifold's
import manifold3d
import numpy as np

SCENES = [f"{body}_{size}" for body, sizes in (("bunny", ("5k", "75k", "700k")), ("armadillo", ("5k", "52k", "700k")),
                                               ("knot", ("5k", "70k", "700k"))) for size in sizes] + ["aside_dragon_dinosaur"]


class Body:
    """What overlap on_request has written of a body."""

    def __init__(self, folder, name):
        self.points = np.fromfile(folder / f"vertices_{name}", np.float64).reshape(-1, 3)
        self.corners = np.fromfile(folder / f"triangles_{name}", np.uint32).reshape(-1, 3).astype(np.uint64)

    def at(self, pose):
        """A solid of Manifold in the world, or nothing where it has none of this mesh."""
        points = np.ascontiguousarray(self.points @ pose[:, :3].T + pose[:, 3])
        solid = manifold3d.Manifold(manifold3d.Mesh64(points, self.corners))
        return solid if solid.status() == manifold3d.Error.NoError else None


class Question:
    """A pose, and what every system said and took [us]."""

    def __init__(self, line):
        values = [float(word) for word in line.split(",")]
        self.share, self.volume = values[:2]
        self.poses = np.array(values[2:]).reshape(2, 3, 4)
        self.ours, self.cpu, self.wall, self.cgal = [], [], [], math.nan
        self.volumes = {"manifold": math.nan, "cgal": math.nan}

    def ask_manifold(self, bodies):
        solids = [body.at(pose) for body, pose in zip(bodies, self.poses)]
        if None in solids:
            return
        cpu, wall = time.process_time(), time.perf_counter()
        self.volumes["manifold"] = (solids[0] ^ solids[1]).volume()  # evaluated only when it is asked for
        self.cpu.append(1e6 * (time.process_time() - cpu))
        self.wall.append(1e6 * (time.perf_counter() - wall))

    def difference(self, system):
        return abs(self.volumes[system] / self.volume - 1)


class Ours:
    """The program, which answers a word with a line of numbers."""

    def __init__(self, program, scene, cache, folder):
        self.process = subprocess.Popen([program, "on_request", scene, str(folder), "--cache", cache], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        count = int(self.process.stdout.readline())
        self.questions = [Question(self.process.stdout.readline()) for _ in range(count)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def ask(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return [float(number) for number in self.process.stdout.readline().split()]


def thread_count():
    return len(os.listdir("/proc/self/task"))


def ask_all(ours, bodies, rounds):
    for _ in range(rounds):
        for question, microseconds in zip(ours.questions, ours.ask("ours")):
            question.ours.append(microseconds)
        for question in ours.questions:
            question.ask_manifold(bodies)
    answers = ours.ask("cgal")
    for question, microseconds, volume in zip(ours.questions, answers[::2], answers[1::2]):
        question.volumes["cgal"] = volume
        question.cgal = math.nan if math.isnan(volume) else microseconds


def median_of(questions, samples):
    """Over the poses, of the median over the rounds."""
    each = [statistics.median(samples(question)) for question in questions if samples(question)]
    return statistics.median(each) if each else math.nan


def print_rows(scene, triangles, questions):
    for share in dict.fromkeys(question.share for question in questions):
        alike = [question for question in questions if question.share == share]
        ours = median_of(alike, lambda question: question.ours)
        cpu, wall = median_of(alike, lambda question: question.cpu), median_of(alike, lambda question: question.wall)
        cgal = median_of(alike, lambda question: [question.cgal])
        apart = [max(question.difference(system) for question in alike) for system in ("manifold", "cgal")]
        print(f"{scene},{triangles},{share:g},{len(alike)},{ours:.4g},{cpu:.4g},{wall:.4g},{thread_count()},{cgal:.4g},"
              f"{cpu / ours:.4g},{wall / ours:.4g},{cgal / ours:.4g},{apart[0]:.2g},{apart[1]:.2g}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--cache", default="data/cache")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("scenes", nargs="*", default=SCENES)
    options = parser.parse_intermixed_args()
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)
    print("scene,triangles,share,poses,ours_us,manifold_cpu_us,manifold_wall_us,manifold_threads,cgal_us,manifold_cpu_ratio,"
          "manifold_wall_ratio,cgal_ratio,manifold_difference,cgal_difference", flush=True)
    for scene in options.scenes:
        print(scene, file=sys.stderr)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            with Ours(options.program, scene, options.cache, folder) as ours:
                bodies = [Body(folder, "a"), Body(folder, "b")]
                ask_all(ours, bodies, options.rounds)
            print_rows(scene, sum(len(body.corners) for body in bodies), ours.questions)
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
