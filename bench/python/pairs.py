#!/usr/bin/env python3
"""Pairs of triangles that touch, by coal beside Plimsoll, on the same frames.

Plimsoll runs as a program of its own, pairs on_request, that times itself when it is told to, as in
submersion.py. Prints a CSV to stdout, the rest to stderr.

usage: pairs.py PAIRS [--cache DIR] [--rounds N] [SCENARIO...]
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import coal
import numpy as np

SCENARIOS = ["bunnies_70k_rigid", "bunnies_70k_deforming", "similar_5k_rigid", "similar_70k_rigid",
             "similar_5k_deforming", "similar_70k_deforming", "aside_armadillos_rigid",
             "aside_armadillos_deforming"]
BODIES = (0, 1)


def read(path, kind):
    return np.fromfile(path, dtype=kind)


class Body:
    """What pairs on_request has written of a body, in coal's types."""

    def __init__(self, folder, body, frames, is_rigid):
        self.triangles = read(folder / f"triangles_{body}_0", np.uint32).reshape(-1, 3).astype(np.int64)
        self.vertices = [read(folder / f"vertices_{body}_{0 if is_rigid else f}", np.float64).reshape(-1, 3)
                         for f in range(frames)]
        matrices = [read(folder / f"pose_{body}_{f}", np.float64).reshape(3, 4) for f in range(frames)]
        self.poses = [coal.Transform3s(np.ascontiguousarray(m[:, :3]), m[:, 3].copy()) for m in matrices]

    def model(self, kind, frame):
        model = kind()
        model.beginModel(len(self.triangles), len(self.vertices[frame]))
        model.addVertices(self.vertices[frame])
        model.addTriangles(self.triangles)
        model.endModel()
        return model


class Rival:
    """Two models of coal. It has no exact test, and a pose of its own rounding."""

    def __init__(self, name, kind, bodies, is_rigid, expected):
        self.name, self.kind, self.bodies, self.expected = name, kind, bodies, expected
        self.is_rigid = is_rigid
        self.models = self.built(0)
        self.samples, self.missing, self.extra = [], 0, 0
        # Pairs by number only; contact points and normals would cost more.
        self.request = coal.CollisionRequest()
        self.request.num_max_contacts = 2**31 - 1
        self.request.enable_contact = False

    def built(self, frame):
        return [body.model(self.kind, frame) for body in self.bodies]

    def find(self, frame):
        """Seconds of the process, and the result."""
        a, b = (body.poses[frame] for body in self.bodies)
        start = time.process_time()
        if not self.is_rigid:
            self.models = self.built(frame)
        result = coal.CollisionResult()
        coal.collide(self.models[0], a, self.models[1], b, self.request, result)
        return time.process_time() - start, result

    def take_turn(self, frames):
        for frame in range(frames):
            seconds, result = self.find(frame)
            if frame == 0:
                continue  # does not count
            self.samples.append(1e3 * seconds)
            contacts = (result.getContact(i) for i in range(result.numContacts()))
            found = {(contact.b1, contact.b2) for contact in contacts}
            self.missing += len(self.expected[frame] - found)
            self.extra += len(found - self.expected[frame])


def percentile(samples):
    return float(np.quantile(samples, 0.99, method="nearest"))


def run(scenario, program, cache, rounds, folder):
    folder = pathlib.Path(folder)
    command = [program, "on_request", scenario, str(folder), "--cache", cache]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ours:
        count, kind = ours.stdout.readline().split()
        frames, is_rigid = int(count), kind == "rigid"
        pairs = [read(folder / f"pairs_{f}", np.uint32).reshape(-1, 2) for f in range(frames)]
        expected = [set(map(tuple, of_frame.tolist())) for of_frame in pairs]
        bodies = [Body(folder, body, frames, is_rigid) for body in BODIES]
        rivals = [Rival(f"coal_{name}{'' if is_rigid else '_rebuilt'}", kind, bodies, is_rigid, expected)
                  for name, kind in (("obbrss", coal.BVHModelOBBRSS), ("obb", coal.BVHModelOBB))]
        print(f"{scenario}: {kind}, {frames} frames", file=sys.stderr)
        of_ours = []
        for _ in range(rounds):
            ours.stdin.write("\n")
            ours.stdin.flush()
            of_ours += [float(word) for word in ours.stdout.readline().split()[1:]]
            for rival in rivals:
                rival.take_turn(frames)
        ours.stdin.close()

    triangles = sum(len(body.triangles) for body in bodies)
    usual = int(statistics.median(len(of_frame) for of_frame in pairs))
    base = statistics.median(of_ours)
    start = f"{scenario},2,{triangles},{usual}"
    print(f"{start},{'ours' if is_rigid else 'ours_rebuilt_fast'},1,{base:.4g},{percentile(of_ours):.4g},1,"
          f"{len(of_ours)},0,0")
    for rival in rivals:
        mark = " (differs)" if rival.missing + rival.extra else ""
        each = statistics.median(rival.samples)
        print(f"{start},{rival.name}{mark},1,{each:.4g},{percentile(rival.samples):.4g},{each / base:.4g},"
              f"{len(rival.samples)},{rival.missing},{rival.extra}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs")
    parser.add_argument("--cache", default="data/cache")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("scenarios", nargs="*", default=SCENARIOS)
    arguments = parser.parse_intermixed_args()
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)
    print("scenario,bodies,triangles,pairs,system,threads,median_ms,p99_ms,ratio_to_ours,frames,missing,extra",
          flush=True)
    for scenario in arguments.scenarios:
        with tempfile.TemporaryDirectory() as folder:
            run(scenario, arguments.pairs, arguments.cache, arguments.rounds, folder)
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
