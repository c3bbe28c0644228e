#!/usr/bin/env python3
"""The distance of two meshes by Coal beside Plimsoll, on the same meshes and poses.

Plimsoll runs as a program of its own, distance on_request, that times itself when it is told to, as
in mass_properties.py. Prints a CSV to stdout, the rest to stderr.

usage: distance.py DISTANCE [--cache DIR] [--rounds N] [SCENE...]
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
import trimesh

SCENES = ["bunny_5k", "bunny_75k", "knot_70k"]
TOLERANCE = 1e-9  # of the size, beyond which an answer is wrong


def transform(words):
    rows = np.array([float(word) for word in words]).reshape(3, 4)
    return coal.Transform3s(np.ascontiguousarray(rows[:, :3]), np.ascontiguousarray(rows[:, 3]))


class Pose:
    """`distance` is what Plimsoll finds."""

    def __init__(self, words):
        self.a, self.b = transform(words[:12]), transform(words[12:24])
        self.distance = float(words[24])


def model(path):
    mesh = trimesh.load(path, process=False)
    vertices = np.asarray(mesh.vertices, dtype=np.float64)
    made = coal.BVHModelOBBRSS()
    made.beginModel(len(mesh.faces), len(vertices))
    made.addVertices(np.ascontiguousarray(vertices))
    made.addTriangles(np.ascontiguousarray(mesh.faces, dtype=np.int64))
    made.endModel()
    return made


class Rival:
    """Coal with one list of poses, asked about one after the other."""

    def __init__(self, a, b, poses, size):
        self.a, self.b, self.poses = a, b, poses
        self.request = coal.DistanceRequest()
        self.request.enable_signed_distance = False  # one of surfaces that meet is not asked for
        self.samples = [[] for _ in poses]
        self.error = max(abs(self.ask(pose) - pose.distance) for pose in poses) / size

    def ask(self, pose):
        result = coal.DistanceResult()
        return coal.distance(self.a, pose.a, self.b, pose.b, self.request, result)

    def take_turn(self):
        for pose, samples in zip(self.poses, self.samples):
            start = time.thread_time()
            self.ask(pose)
            samples.append(1e6 * (time.thread_time() - start))

    def median(self):
        return statistics.median(statistics.median(samples) for samples in self.samples)


def read_poses(program):
    """What on_request tells before it waits: triangles, the size, and lists of poses."""
    triangles, size = program.stdout.readline().split()
    poses = {}
    while words := program.stdout.readline().split():
        poses.setdefault((float(words[0]), float(words[1])), []).append(Pose(words[2:]))
    return int(triangles), float(size), poses


def run(scene, distance, cache, rounds, folder):
    paths = [str(pathlib.Path(folder) / f"{scene}_{body}.ply") for body in "ab"]
    command = [distance, "on_request", scene, *paths, "--cache", cache]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ours:
        triangles, size, lists = read_poses(ours)
        print(f"{scene}: {triangles} triangles", file=sys.stderr)
        a, b = (model(path) for path in paths)
        rivals = {motion: Rival(a, b, poses, size) for motion, poses in lists.items()}
        of_ours = {motion: [] for motion in lists}
        for _ in range(rounds):
            ours.stdin.write("\n")
            ours.stdin.flush()
            for motion, word in zip(lists, ours.stdout.readline().split()):
                of_ours[motion].append(float(word))
            for rival in rivals.values():
                rival.take_turn()
        ours.stdin.close()

    for (gap, step), rival in rivals.items():
        base = statistics.median(of_ours[gap, step])
        begin = f"{scene},{triangles},{gap:g},{step if step > 0 else 'cold'}"
        mark = "" if rival.error <= TOLERANCE else " (wrong)"
        if mark:
            print(f"{begin}: coal_obbrss: off by {rival.error:.2g} of the size", file=sys.stderr)
        print(f"{begin},distance,1,{base:.4g},1,0")
        print(f"{begin},coal_obbrss{mark},1,{rival.median():.4g},{rival.median() / base:.4g},"
              f"{rival.error:.2g}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("distance")
    parser.add_argument("--cache", default="data/cache")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("scenes", nargs="*", default=SCENES)
    arguments = parser.parse_intermixed_args()
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)
    print("scene,triangles,gap,step,system,threads,us_median,ratio_to_ours,error", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for scene in arguments.scenes:
            run(scene, arguments.distance, arguments.cache, arguments.rounds, folder)
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
