"""What trimesh reads and integrates: the mass properties of a file, and how far rounding lets them be off."""
import concurrent.futures
import logging
import math
import os
import signal
import warnings

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy starts its threads
import numpy as np  # noqa: E402
import trimesh  # noqa: E402

# What has no numbers is told in a column.
warnings.simplefilter("ignore")
logging.getLogger("trimesh").setLevel(logging.CRITICAL)

SECONDS = 120  # for a file; the largest here takes some 20
METERS = {"millimeter": 1e-3, "millimeters": 1e-3, "mm": 1e-3, "centimeter": 1e-2, "cm": 1e-2,
          "meter": 1, "meters": 1, "m": 1, "inch": 0.0254, "inches": 0.0254, "foot": 0.3048,
          "feet": 0.3048, "micron": 1e-6, "microns": 1e-6}


def rounding(mesh, properties):
    """Bounds of what trimesh's sums can be off, for volume, center and inertia.

    It sums n terms for each moment, about the origin. With A the sum of the triangles' areas and R
    the largest distance of a vertex from the origin, the terms' sizes add up to less than A R
    (volume), A R^2 (first moments) and A R^3 (second moments). A sum of n terms in any order, each of
    fewer than 64 operations, is off by less than (n + 64) eps of that [Higham2002, sec. 4.2]. The
    center divides the first by the volume; the inertia moves to the center.
    """
    sides = mesh.triangles[:, 1:] - mesh.triangles[:, :1]
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).sum() / 2
    reach = np.linalg.norm(mesh.vertices, axis=1).max()
    unit = (len(mesh.faces) + 64) * np.finfo(float).eps
    volume, first, second = (unit * area * reach ** power for power in (1, 2, 3))
    size = abs(properties.volume)
    distance = np.linalg.norm(properties.center_mass)
    center = (first + distance * volume) / (size - volume) if size > volume else np.inf
    return {"volume": volume, "center": center,
            "inertia": 3 * second + 4 * size * distance * center + 2 * distance**2 * volume}


def read(path):
    """The mesh in meters, its vertices as they stand in the file."""
    mesh = trimesh.load_scene(path, process=False).to_mesh()
    # Only 3MF files and glTF name their unit; glTF's is the meter.
    if path.lower().endswith(".3mf"):
        mesh.apply_scale(METERS[mesh.units])
    return mesh


def weighed(path):
    def stop(*_):
        raise TimeoutError(f"more than {SECONDS} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        mesh = read(path)
        if len(mesh.faces) == 0:
            return {"error": "no faces"}
        properties = mesh.mass_properties
        if not all(map(math.isfinite, [properties.volume, *properties.center_mass])):
            return {"error": "its numbers are not finite"}
        bounds = rounding(mesh, properties)
        merged = mesh.copy()
        merged.merge_vertices(merge_tex=True, merge_norm=True)
        return {"volume": float(properties.volume), "center": properties.center_mass.tolist(),
                "inertia": properties.inertia.tolist(), "triangles": len(mesh.faces),
                "bounds": {name: float(bound) for name, bound in bounds.items()},
                "is_volume": bool(merged.is_volume)}
    except Exception as error:  # whatever the file makes of a reader
        return {"error": f"{type(error).__name__}: {error}"[:200]}
    finally:
        signal.alarm(0)


def weigh_all(paths):
    """An answer for each path, in order."""
    with concurrent.futures.ProcessPoolExecutor() as pool:
        yield from pool.map(weighed, map(str, paths), chunksize=4)
