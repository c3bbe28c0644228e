#!/usr/bin/env python3
"""Nearest points, signed distances and rays by Open3D and libigl beside Plimsoll, on the same lists.

Plimsoll runs as a program of its own, surface_probe on_request, that times itself when it is told
to, as in distance.py. Every system answers a whole list in one call, on one thread. Prints a CSV to
stdout, the rest to stderr.

usage: probe.py SURFACE_PROBE [--cache DIR] [--rounds N] [SCENE...]
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

for name in ("IGL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"  # before the packages start their threads
import igl  # noqa: E402
import numpy as np  # noqa: E402
import open3d  # noqa: E402

SCENES = ["bunny_5k", "bunny_75k", "bunny_700k", "aside_knot_70k"]
OF_FLOATS, OF_DOUBLES = 1e-6, 1e-12  # of the size, beyond which a distance is off
OF_RAYS = 1e-4  # a ray that just misses an edge meets what is behind
MOST_OFF = 1e-3  # of the answers, beyond which a system is wrong


def read(path, kind, columns):
    return np.fromfile(path, dtype=kind).reshape(-1, columns)


class Mesh:
    """The mesh as each package wants it."""

    def __init__(self, folder):
        self.vertices = read(folder / "vertices", np.float64, 3)
        self.triangles = read(folder / "triangles", np.uint32, 3).astype(np.int64)
        self.tree = igl.AABB()
        self.tree.init(self.vertices, self.triangles)
        self.scene = open3d.t.geometry.RaycastingScene(nthreads=1)
        self.scene.add_triangles(open3d.core.Tensor(self.vertices.astype(np.float32)),
                                 open3d.core.Tensor(self.triangles.astype(np.uint32)))

    def winding_numbers(self, points):
        return igl.winding_number(self.vertices, self.triangles, points)

    def distance_systems(self, points):
        """Name, tolerance and function of each, of distances without a sign."""
        floats = open3d.core.Tensor(points.astype(np.float32))
        return [
            ("open3d_compute_distance", OF_FLOATS,
             lambda: self.scene.compute_distance(floats, nthreads=1).numpy()),
            ("libigl_aabb", OF_DOUBLES,
             lambda: np.sqrt(self.tree.squared_distance(self.vertices, self.triangles, points)[0])),
            ("libigl_point_mesh_squared_distance", OF_DOUBLES,
             lambda: np.sqrt(igl.point_mesh_squared_distance(points, self.vertices,
                                                             self.triangles)[0])),
        ]

    def field_systems(self, points):
        """The same of distances below 0 inside."""
        floats = open3d.core.Tensor(points.astype(np.float32))

        def libigl(sign):
            return lambda: igl.signed_distance(points, self.vertices, self.triangles, sign)[0]

        def libigl_parts():
            squared = self.tree.squared_distance(self.vertices, self.triangles, points)[0]
            winds = igl.fast_winding_number(self.vertices, self.triangles, points)
            return np.where(winds > 0.5, -1, 1) * np.sqrt(squared)

        return [
            ("open3d_compute_signed_distance", OF_FLOATS,
             lambda: self.scene.compute_signed_distance(floats, nthreads=1).numpy()),
            ("libigl_signed_distance_pseudonormal", OF_DOUBLES,
             libigl(igl.SIGNED_DISTANCE_TYPE_PSEUDONORMAL)),
            ("libigl_signed_distance_fast_winding", OF_DOUBLES,
             libigl(igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER)),
            ("libigl_aabb_fast_winding", OF_DOUBLES, libigl_parts),
        ]

    def ray_systems(self, rays):
        """The same of lengths of directions up to what a ray meets, infinite where that is nothing."""
        floats = open3d.core.Tensor(rays.astype(np.float32))
        origins, directions = rays[:, :3].copy(), rays[:, 3:].copy()

        def libigl():
            number, along, _ = self.tree.intersect_ray_first(self.vertices, self.triangles, origins,
                                                             directions)
            return np.where(number >= 0, along, np.inf)

        return [
            ("open3d_cast_rays", OF_RAYS,
             lambda: self.scene.cast_rays(floats, nthreads=1)["t_hit"].numpy()),
            ("libigl_aabb", OF_RAYS, libigl),
        ]


def differences(found, expected):
    with np.errstate(invalid="ignore"):
        return np.where(found == expected, 0, np.abs(found - expected))


class Rival:
    """A system that answers one list.

    `error` is the largest finite difference from ours in sizes, `off` the number of answers beyond
    the tolerance, `wrong_signs` the number whose side is not the true one; `ours_wrong` that of ours.
    """

    def __init__(self, system, expected, size, winds):
        self.name, tolerance, self.ask = system
        self.samples = []
        found = np.asarray(self.ask(), dtype=np.float64)
        error = differences(np.abs(found), np.abs(expected)) / size
        self.error = error[np.isfinite(error)].max()
        self.off = np.count_nonzero(~(error <= tolerance))
        self.wrong_signs = self.ours_wrong = 0
        # Within the tolerance of the surface, floats cannot tell on which side a point is.
        apart = np.flatnonzero((np.sign(found) != np.sign(expected)) & (expected != 0)
                               & (np.abs(expected) > tolerance * size))
        if len(apart) > 0:
            is_inside = np.abs(winds(apart)) > 0.5
            self.wrong_signs = np.count_nonzero((found[apart] < 0) != is_inside)
            self.ours_wrong = np.count_nonzero((expected[apart] < 0) != is_inside)
        if self.off + self.wrong_signs > MOST_OFF * len(expected):
            self.name += " (wrong)"

    def take_turn(self):
        """CPU time of the process: were a package to use two threads, both would count."""
        start = time.process_time()
        self.ask()
        self.samples.append(time.process_time() - start)


class Questions:
    """A list, and all who answer it."""

    def __init__(self, name, mesh, folder, size):
        self.name = name
        is_rays = name.startswith("rays")
        questions = read(folder / ("grid" if name == "field" else name), np.float64,
                         6 if is_rays else 3)
        self.count = len(questions)
        expected = np.fromfile(folder / f"{name}_answers", dtype=np.float64)
        if is_rays:
            systems = mesh.ray_systems(questions)
        else:
            systems = (mesh.field_systems if name == "field" else mesh.distance_systems)(questions)
        self.rivals = [Rival(system, expected, size,
                             lambda these: mesh.winding_numbers(questions[these]))
                       for system in systems]
        self.of_ours = {"probe": [], "batch": []}

    def say_faults(self, scene):
        for rival in self.rivals:
            begin = f"{scene}: {self.name}: {rival.name}"
            if rival.off > 0:
                print(f"{begin}: {rival.off} of {self.count} answers are off, distances by up to "
                      f"{rival.error:.2g} of the size", file=sys.stderr)
            if rival.wrong_signs > 0:
                print(f"{begin}: {rival.wrong_signs} wrong signs", file=sys.stderr)
            if rival.ours_wrong > 0:
                print(f"{begin}: {rival.ours_wrong} WRONG SIGNS OF OURS", file=sys.stderr)

    def print_rows(self, scene, triangles):
        begin = f"{scene},{triangles},{self.name}"
        ours = {name: statistics.median(samples) for name, samples in self.of_ours.items()}
        ours_wrong = max(rival.ours_wrong for rival in self.rivals)
        for name, nanoseconds in ours.items():
            print(f"{begin},{name},1,{nanoseconds:.4g},{nanoseconds / ours['batch']:.4g},0,0,{ours_wrong}")
        for rival in self.rivals:
            nanoseconds = 1e9 * statistics.median(rival.samples) / self.count
            print(f"{begin},{rival.name},1,{nanoseconds:.4g},{nanoseconds / ours['batch']:.4g},"
                  f"{rival.error:.2g},{rival.off},{rival.wrong_signs}", flush=True)


def run(scene, surface_probe, cache, rounds, folder):
    command = [surface_probe, "on_request", scene, folder, "--cache", cache]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ours:
        first = ours.stdout.readline().split()
        if len(first) < 3:
            sys.exit(f"{scene}: {surface_probe} did not answer")
        triangles, size = int(first[0]), float(first[1])
        print(f"{scene}: {triangles} triangles", file=sys.stderr)
        folder = pathlib.Path(folder)
        mesh = Mesh(folder)
        lists = [Questions(name, mesh, folder, size) for name in first[2:]]
        for questions in lists:
            questions.say_faults(scene)
        for _ in range(rounds):
            ours.stdin.write("\n")
            ours.stdin.flush()
            words = iter(ours.stdout.readline().split())
            for questions in lists:
                for samples in questions.of_ours.values():
                    samples.append(float(next(words)))
                for rival in questions.rivals:
                    rival.take_turn()
        ours.stdin.close()
    for questions in lists:
        questions.print_rows(scene, triangles)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("surface_probe")
    parser.add_argument("--cache", default="data/cache")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("scenes", nargs="*", default=SCENES)
    arguments = parser.parse_intermixed_args()
    print(f"open3d {open3d.__version__}, load average {os.getloadavg()[0]:.2f}", file=sys.stderr)
    print("scene,triangles,questions,system,threads,ns_per_question,ratio_to_ours,error,off,"
          "wrong_signs", flush=True)
    for scene in arguments.scenes:
        with tempfile.TemporaryDirectory() as folder:
            run(scene, arguments.surface_probe, arguments.cache, arguments.rounds, folder)
    print(f"load average {os.getloadavg()[0]:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
