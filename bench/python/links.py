#!/usr/bin/env python3
"""Spheres that stand for links of robots: Plimsoll's covers beside three other fits, on the same meshes.

The links are visual meshes of robots in the package pybullet (`pybullet_data`). The other fits are written here from their descriptions:

  medial    spheres about poles of a Voronoi diagram of the surface, all larger by one stand-off, the least at which a greedy choice of N
            covers samples of the surface; each then shrinks to what it is to cover. "Expand" of the Sphere-Tree Construction Toolkit
            [Bradshaw2004], which foam [Coumar2025] runs.
  voxel     centers of voxels that lie inside, each as deep as its sphere is large: VOXEL of NVIDIA cuRobo. Of 160 lattices that which leaves
            the least gap.
  gradient  the voxel fit, moved by Adam against gaps and protrusion: in the manner of MorphIt [Nechyporenko2025] and of cuRobo's default.

`*_inflated` is a fit with all radii larger by its largest gap, the least at which it contains all samples of the surface. `plimsoll_as_*` is
Plimsoll's cover with all radii smaller by one length, so that it has the coverage of a fit that does not cover all.

One judge measures all, by samples that no fit has seen and libigl's distances. Prints a CSV to stdout, the rest to stderr.

usage: links.py PLIMSOLL [--count N...] [LINK...]
"""
import argparse
import heapq
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import igl
import numpy as np
import pybullet_data
import trimesh
from scipy.ndimage import map_coordinates
from scipy.spatial import Voronoi
from scipy.spatial.distance import cdist

# Name: file, meters in its unit, whether it was kept aside: no parameter of a fit was chosen on it.
LINKS = {
    "laikago_lower_leg": ("laikago/lower_leg_3.stl", 1, False),
    "xarm6_link3": ("xarm/xarm_description/meshes/xarm6/visual/link3.stl", 1, False),
    "xarm_knuckle": ("xarm/xarm_gripper/meshes/left_outer_knuckle.STL", 1, False),
    "panda_link1": ("franka_panda/meshes/visual/link1.obj", 1, False),
    "wsg50_guide": ("gripper/meshes/GUIDE_WSG50_110.stl", 1e-3, False),
    "minitaur_bracket": ("quadruped/microtaur/fr12_h101.stl", 1, False),
    "cheetah_abad": ("mini_cheetah/meshes/mini_abad.obj", 1, True),
}
SURFACE_SAMPLES, INSIDE_SAMPLES, UNION_SAMPLES = 100_000, 100_000, 200_000
POINTS_OF_ALL, POINTS_OF_ONE = 60_000, 200  # on the spheres: for the largest protrusion; of each, as cuRobo takes them
FIT_SAMPLES = 8000


class Link:
    def __init__(self, name):
        path, self.unit, self.held_out = LINKS[name]
        self.name, self.path = name, pathlib.Path(pybullet_data.getDataPath()) / path
        mesh = trimesh.load(self.path, force="mesh", process=False)
        mesh.merge_vertices(merge_tex=True, merge_norm=True)
        mesh.apply_scale(self.unit)
        assert mesh.is_watertight and mesh.volume > 0, self.path
        self.mesh, self.vertices = mesh, np.ascontiguousarray(mesh.vertices, dtype=np.float64)
        self.triangles = np.ascontiguousarray(mesh.faces, dtype=np.int64)
        self.low, self.high = mesh.bounds
        self.size = np.linalg.norm(self.high - self.low)

    def distance(self, points):
        """Signed: below 0 in the solid."""
        if len(points) == 0:
            return np.zeros(0)
        sign = igl.SignedDistanceType.SIGNED_DISTANCE_TYPE_PSEUDONORMAL
        return igl.signed_distance(np.ascontiguousarray(points), self.vertices, self.triangles, sign)[0]

    def surface(self, count, seed):
        return np.asarray(trimesh.sample.sample_surface(self.mesh, count, seed=seed)[0])

    def inside(self, count, seed):
        random, found = np.random.default_rng(seed), []
        share = self.mesh.volume / np.prod(self.high - self.low)
        while sum(map(len, found)) < count:
            points = random.uniform(self.low, self.high, (int(1.1 * count / share), 3))
            found.append(points[self.distance(points) < 0])
        return np.concatenate(found)[:count]


def in_chunks(points, work, size=20_000):
    return np.concatenate([work(points[k:k + size]) for k in range(0, len(points), size)])


def gaps(points, centers, radii):
    """How far points are out of all spheres; below 0 inside."""
    return in_chunks(points, lambda some: (cdist(some, centers) - radii).min(axis=1))


def directions(count, random):
    """A lattice of Fibonacci on the unit sphere, turned at random."""
    k = np.arange(count) + 0.5
    z, turn = 1 - 2 * k / count, np.pi * (1 + 5 ** 0.5) * k
    flat = np.sqrt(1 - z * z)
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
    return np.column_stack([flat * np.cos(turn), flat * np.sin(turn), z]) @ axes


# What is measured.


class Judge:
    def __init__(self, link):
        self.link = link
        self.surface = np.vstack([link.surface(SURFACE_SAMPLES, 1), link.vertices])
        self.inside = link.inside(INSIDE_SAMPLES, 2)

    def gap(self, centers, radii):
        return max(0.0, gaps(self.surface, centers, radii).max())

    def largest_protrusion(self, centers, radii, random):
        """Of the union's surface: points on all spheres that lie in no other, then twice more points about the farthest."""
        share = radii ** 2 / np.sum(radii ** 2)
        counts = np.maximum(100, np.round(POINTS_OF_ALL * share)).astype(int)
        owner = np.repeat(np.arange(len(radii)), counts)
        rays = np.vstack([directions(count, random) for count in counts])
        largest, width = 0.0, 4 / np.sqrt(counts.min())
        for _ in range(3):
            points = centers[owner] + radii[owner, None] * rays
            free = in_chunks(np.column_stack([points, owner]), lambda some: (
                cdist(some[:, :3], centers) - radii + 1e-9 * self.link.size).min(axis=1) >= 0)
            owner, rays = owner[free], rays[free]
            distance = self.link.distance(points[free])
            if len(distance) == 0:
                break
            largest = max(largest, distance.max())
            top = np.argsort(distance)[-20:]
            owner = np.repeat(owner[top], 200)
            rays = np.repeat(rays[top], 200, axis=0) + width * random.normal(size=(len(owner), 3)) / 2
            rays /= np.linalg.norm(rays, axis=1)[:, None]
            width /= 8
        return largest

    def row(self, centers, radii):
        random, size = np.random.default_rng(3), self.link.size
        covered = np.mean(gaps(self.inside, centers, radii) <= 0)
        surface = gaps(self.surface[:SURFACE_SAMPLES], centers, radii)
        largest = self.largest_protrusion(centers, radii, random)
        points = np.vstack([c + r * directions(POINTS_OF_ONE, random) for c, r in zip(centers, radii)])
        out = self.link.distance(points)
        low, high = (centers - radii[:, None]).min(axis=0), (centers + radii[:, None]).max(axis=0)
        union = np.mean(gaps(random.uniform(low, high, (UNION_SAMPLES, 3)), centers, radii) <= 0)
        over = np.prod(high - low) / self.link.mesh.volume
        return [len(radii), covered, (covered * (1 - covered) / INSIDE_SAMPLES) ** 0.5, np.mean(surface <= 1e-9 * size),
                1e3 * self.gap(centers, radii), 1e3 * largest, largest / size, 1e3 * out[out > 0].mean() if np.any(out > 0) else 0.0,
                np.mean(out > 0), union * over, (union * (1 - union) / UNION_SAMPLES) ** 0.5 * over]


# The fits: each gives centers and radii.


def by_plimsoll(program, link, count):
    """Also the protrusion that Plimsoll proves, and its CPU time."""
    with tempfile.TemporaryDirectory(prefix="links.") as made:
        out = pathlib.Path(made) / "cover.json"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "spheres", link.path, "--units", "mm" if link.unit == 1e-3 else "m", "--cover", str(count),
                        "--out", out, "--json"], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cover = json.loads(out.read_text())
    assert cover["covers"] and cover["status"] == "ok", cover["status"]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (np.array([s["center"] for s in cover["spheres"]]), np.array([s["radius"] for s in cover["spheres"]]),
            cover["largest_protrusion"], cpu)


def samples_to_cover(link):
    """Of the surface, corners among them."""
    vertices, random = link.vertices, np.random.default_rng(4)
    some = vertices[random.permutation(len(vertices))[:FIT_SAMPLES // 4]]
    return np.vstack([link.surface(FIT_SAMPLES, 5), some])


def poles(link, samples):
    """The farthest vertex of each Voronoi cell in the solid, and its depth."""
    diagram = Voronoi(samples)
    depth = np.full(len(diagram.vertices), -1.0)
    near = np.all((diagram.vertices > link.low) & (diagram.vertices < link.high), axis=1)
    depth[near] = -link.distance(diagram.vertices[near])
    found = set()
    for region in diagram.point_region:
        cell = [k for k in diagram.regions[region] if k >= 0]
        if cell and (best := max(cell, key=depth.__getitem__)) is not None and depth[best] > 0:
            found.add(best)
    found = np.array(sorted(found))
    return diagram.vertices[found], depth[found]


def greedy(covers, most):
    """Rows of a matrix of truths that together have a truth in each column, or None if that takes more than `most`."""
    heap = [(-gain, j) for j, gain in enumerate(np.count_nonzero(covers, axis=1))]
    heapq.heapify(heap)
    left, chosen = np.ones(covers.shape[1], dtype=bool), []
    while left.any():
        if len(chosen) == most:
            return None
        while True:  # gains only shrink, so an up-to-date one that stays on top is the largest
            gain, j = heapq.heappop(heap)
            now = -np.count_nonzero(covers[j] & left)
            if not heap or now <= heap[0][0]:
                break
            heapq.heappush(heap, (now, j))
        if now == 0:
            return None
        chosen.append(j)
        left &= ~covers[j]
    return chosen


def by_medial_axis(link, count):
    samples = samples_to_cover(link)
    centers, depths = poles(link, samples)
    pick = np.random.default_rng(6).permutation(len(depths))[:4000]
    centers, depths = centers[pick], depths[pick]
    distance = cdist(centers, samples).astype(np.float32)
    excess = distance - depths[:, None].astype(np.float32)
    low, high, best = 0.0, link.size, None
    while high - low > 1e-3 * high:
        middle = (low + high) / 2 if best else min(2 * low + 0.01 * link.size, high)
        if found := greedy(excess <= middle, count):
            high, best = middle, found
        else:
            low = middle
    for level in np.linspace(0.7 * high, high, 16)[:-1]:  # a greedy choice may do with less than where it failed
        if found := greedy(excess <= level, count):
            best = found
            break
    owner = excess[best].argmin(axis=0)
    radii = np.array([distance[j, owner == k].max() if np.any(owner == k) else 0 for k, j in enumerate(best)])
    return centers[best][radii > 0], radii[radii > 0] * (1 + 1e-6)  # distances are floats


def by_voxels(link, count):
    random, samples = np.random.default_rng(7), samples_to_cover(link)
    extent = link.high - link.low
    lattices = []
    for pitch in (link.mesh.volume / count) ** (1 / 3) * np.geomspace(0.6, 2.5, 40):
        for turn in range(4):  # in the middle of the box, and shifted
            counts = np.maximum(1, np.round(extent / pitch).astype(int))
            steps = [low + (np.arange(n) + 0.5) * width / n for low, width, n in zip(link.low, extent, counts)]
            lattice = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, 3)
            lattices.append(lattice + (turn > 0) * random.uniform(-0.5, 0.5, 3) * extent / counts)
    depths = -in_chunks(np.vstack(lattices), link.distance, 400_000)
    best, least = None, np.inf
    for lattice, depth in zip(lattices, np.split(depths, np.cumsum([len(lattice) for lattice in lattices])[:-1])):
        kept = np.argsort(-depth)[:count]
        kept = kept[depth[kept] > 0]
        if len(kept) and (gap := gaps(samples[::4], lattice[kept], depth[kept]).max()) < least:
            best, least = (lattice[kept], depth[kept]), gap
    return best


class Field:
    """Signed distances in a lattice, with their gradients."""

    def __init__(self, link):
        margin = 0.15 * link.size
        self.low, high = link.low - margin, link.high + margin
        self.step = ((high - self.low).prod() / 4e5) ** (1 / 3)
        counts = np.ceil((high - self.low) / self.step).astype(int) + 1
        nodes = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1).reshape(-1, 3)
        values = in_chunks(self.low + self.step * nodes, link.distance, 100_000).reshape(counts)
        self.fields = [values, *np.gradient(values, self.step)]

    def __call__(self, points):
        at = ((points - self.low) / self.step).T
        value, *gradient = [map_coordinates(field, at, order=1, mode="nearest") for field in self.fields]
        return value, np.column_stack(gradient)


def by_gradient(link, count, steps=400):
    centers, radii = by_voxels(link, count)
    random, unit = np.random.default_rng(8), (link.mesh.volume / count) ** (1 / 3)
    if len(radii) < count:  # the lattice has fewer
        points = link.inside(count - len(radii), 9)
        centers, radii = np.vstack([centers, points]), np.concatenate([radii, -link.distance(points)])
    surface = samples_to_cover(link)[::3]
    samples = np.vstack([surface, link.inside(1000, 10)])
    field, state = Field(link), np.column_stack([centers, radii]) / unit
    first, second, best, least = np.zeros_like(state), np.zeros_like(state), None, np.inf
    for step in range(1, steps + 1):
        state[:, 3] = np.maximum(state[:, 3], 1e-3)
        centers, radii, slope = unit * state[:, :3], unit * state[:, 3], np.zeros_like(state)
        # Gaps: the mean of their fourth power. A sample is for the sphere that is nearest.
        away = cdist(samples, centers)
        nearest = (away - radii).argmin(axis=1)
        rows = np.arange(len(samples))
        gap = np.maximum(away[rows, nearest] - radii[nearest], 0) / unit
        push = 4 * GAP_WEIGHT * gap ** 3 / len(samples)
        toward = (centers[nearest] - samples) / np.maximum(away[rows, nearest], 1e-12)[:, None]
        np.add.at(slope, nearest, np.column_stack([push[:, None] * toward, -push]))
        # Protrusion: that of points on the spheres.
        rays = directions(48, random)
        points = centers[:, None, :] + radii[:, None, None] * rays
        value, gradient = field(points.reshape(-1, 3))
        push = 4 * (np.maximum(value, 0) / unit) ** 3 / len(value)
        pull = (push[:, None] * gradient).reshape(points.shape)
        slope[:, :3] += pull.sum(axis=1)
        slope[:, 3] += np.einsum("ijk,jk->i", pull, rays)
        if step % 10 == 0 or step == 1:  # keeps what protrudes least once it is inflated
            inflated = radii + gap[:len(surface)].max() * unit
            now = field((centers[:, None, :] + inflated[:, None, None] * directions(200, random)).reshape(-1, 3))[0].max()
            if now < least:
                best, least = (centers.copy(), radii.copy()), now
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope ** 2
        if step % 20 == 0 and step < 0.7 * steps:  # density control: what serves least goes to where gaps are largest
            for k in np.argsort(np.bincount(nearest, minlength=len(state)))[:max(1, len(state) // 20)]:
                worst = gap.argmax()
                place = samples[worst] - 0.1 * unit * field(samples[worst:worst + 1])[1][0]  # a little below the surface
                state[k], first[k], second[k] = [*place / unit, 0.1], 0, 0
                gap[np.linalg.norm(samples - samples[worst], axis=1) < unit] = 0
        rate = RATE * (1 - step / (steps + 1))
        state -= rate * (first / (1 - 0.9 ** step)) / (np.sqrt(second / (1 - 0.99 ** step)) + 1e-16)
    return best


# Chosen among 1, 3, 10, 30 and 100 and among 0.03 and 0.1, on three links that are not held out, for the least inflated protrusion.
GAP_WEIGHT, RATE = 1, 0.03  # of gaps over protrusion; of Adam, in cubes of the volume that a sphere stands for
RIVALS = {"medial": by_medial_axis, "voxel": by_voxels, "gradient": by_gradient}


def run(program, name, counts, rivals):
    link = Link(name)
    judge = Judge(link)
    print(f"links: {name}: {len(link.triangles)} triangles, {link.size:.4g} m, {link.mesh.volume / link.mesh.convex_hull.volume:.2f} of its hull",
          file=sys.stderr)

    def tell(fit, centers, radii, cpu, proved=""):
        words = ["" if isinstance(x, str) else f"{x:.6g}" for x in [*judge.row(centers, radii), cpu, proved]]
        print(f"{name},{len(link.triangles)},{link.size:.6g},{'yes' if link.held_out else 'no'},{fit},{count}," + ",".join(words), flush=True)

    for count in counts:
        *ours, proved, ours_cpu = by_plimsoll(program, link, count)
        of_ours = gaps(judge.inside, *ours)
        tell("plimsoll", *ours, ours_cpu, 1e3 * proved)
        for fit in rivals:
            start = time.process_time()
            centers, radii = RIVALS[fit](link, count)
            cpu = time.process_time() - start
            tell(fit, centers, radii, cpu)
            tell(fit + "_inflated", centers, radii + judge.gap(centers, radii), cpu)
            less = -np.quantile(of_ours, np.mean(gaps(judge.inside, centers, radii) <= 0))
            left = ours[1] > less
            tell("plimsoll_as_" + fit, ours[0][left], ours[1][left] - less, ours_cpu)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PLIMSOLL")
    parser.add_argument("--count", type=int, nargs="+", default=[10, 30, 100])
    parser.add_argument("--rival", nargs="*", default=list(RIVALS))
    parser.add_argument("links", metavar="LINK", nargs="*", default=list(LINKS))
    given = parser.parse_intermixed_args()
    print(f"links: load average {os.getloadavg()[0]:.2f}", file=sys.stderr)
    print("link,triangles,size_m,held_out,fit,asked,spheres,coverage,coverage_error,surface_coverage,largest_gap_mm,largest_protrusion_mm,"
          "largest_over_size,mean_protrusion_mm,protruding_share,volume_ratio,volume_ratio_error,cpu_s,proved_protrusion_mm", flush=True)
    for name in given.links:
        run(given.program, name, given.count, given.rival)
    print(f"links: load average {os.getloadavg()[0]:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
