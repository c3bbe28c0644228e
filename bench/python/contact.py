#!/usr/bin/env python3
"""Bodies that meet in other engines beside Plimsoll: Bullet, MuJoCo and Drake, on the same scenes.

contact_scenes writes each scene, moves it itself, and judges what every engine has left: which
bodies share space then, how much, and what became of the energy. Engines take what they can of a
shape: Bullet triangles (GImpact), in floats; MuJoCo and Drake convex hulls; all of them boxes and
balls as such. Prints a CSV to stdout, the rest to stderr.

usage: contact.py CONTACT_SCENES [--step SECONDS...] [SCENE...]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import mujoco
import numpy as np
import pybullet
from pydrake.geometry import (AddCompliantHydroelasticProperties, AddContactMaterial, Box, Convex,
                              ProximityProperties, Sphere)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction)
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

GRAVITY = 9.80665


class Body:
    def __init__(self, row, folder):
        self.name, self.fixed, self.mass = row["name"], row["fixed"], row["mass"]
        self.mesh = str(folder / row["mesh"])
        self.box, self.sphere = row.get("box"), row.get("sphere")
        self.center = np.array(row["center"])
        self.inertia = np.array(row["inertia"]).reshape(3, 3)  # about the center
        pose = np.array(row["pose"]).reshape(3, 4)
        self.turn, self.origin = pose[:, :3], pose[:, 3]


class Scene:
    def __init__(self, folder):
        scene = json.loads((folder / "scene.json").read_text())
        self.seconds, self.friction, self.damping = scene["seconds"], scene["friction"], scene["damping"]
        self.bodies = [Body(row, folder) for row in scene["bodies"]]


def state_line(body, turn, origin, velocity_of_origin, spin):
    """`spin` is in the world."""
    velocity = velocity_of_origin + np.cross(spin, turn @ body.center)
    return " ".join(repr(float(x)) for x in [*np.column_stack([turn, origin]).ravel(), *velocity, *spin])


def quaternion(turn):
    """w, x, y, z"""
    result = np.zeros(4)
    mujoco.mju_mat2Quat(result, turn.ravel())
    return result


def timed(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def by_mujoco(scene, step):
    def words(numbers):
        return " ".join(repr(float(x)) for x in numbers)

    meshes, bodies = [], []
    for i, body in enumerate(scene.bodies):
        if body.box:
            shape = f'type="box" size="{words(np.array(body.box) / 2)}"'
        elif body.sphere:
            shape = f'type="sphere" size="{body.sphere}"'
        else:
            meshes.append(f'<mesh name="m{i}" file="{body.mesh}"/>')
            shape = f'type="mesh" mesh="m{i}"'
        # A contact without damping is told by its stiffness, over the mass: as deep as Plimsoll's.
        bounces = 'solref="-98066 0"' if scene.damping == 0 else ""
        j = body.inertia
        free = "" if body.fixed else (
            f'<freejoint/><inertial pos="{words(body.center)}" mass="{body.mass!r}" fullinertia="'
            f'{words([j[0, 0], j[1, 1], j[2, 2], j[0, 1], j[0, 2], j[1, 2]])}"/>')
        bodies.append(f'<body name="b{i}" pos="{words(body.origin)}" quat="{words(quaternion(body.turn))}">{free}'
                      f'<geom {shape} friction="{scene.friction} 0 0" condim="{3 if scene.friction else 1}" {bounces}/></body>')
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step}" gravity="0 0 {-GRAVITY}" cone="elliptic"/><asset>{"".join(meshes)}'
        f'</asset><worldbody>{"".join(bodies)}</worldbody></mujoco>')
    data = mujoco.MjData(model)

    def run():
        for _ in range(round(scene.seconds / step)):
            mujoco.mj_step(model, data)

    cpu = timed(run)
    lines = []
    for i, body in enumerate(scene.bodies):
        if body.fixed:
            continue
        number = model.body(f"b{i}").id
        mujoco.mj_kinematics(model, data)
        turn = data.xmat[number].reshape(3, 3)
        at = model.jnt_dofadr[model.body_jntadr[number]]
        lines.append(state_line(body, turn, data.xpos[number], data.qvel[at:at + 3],
                                turn @ data.qvel[at + 3:at + 6]))
    return cpu, lines


def by_drake(scene, step):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=step)
    plant.set_contact_model(ContactModel.kHydroelasticWithFallback)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -GRAVITY])
    made = []
    for i, body in enumerate(scene.bodies):
        shape = Box(*body.box) if body.box else Sphere(body.sphere) if body.sphere else Convex(body.mesh)
        properties = ProximityProperties()
        AddContactMaterial(dissipation=0.0 if scene.damping == 0 else 1.0,
                           friction=CoulombFriction(scene.friction, scene.friction), properties=properties)
        AddCompliantHydroelasticProperties(0.1, 1e7, properties)
        pose = RigidTransform(RotationMatrix.ProjectToRotationMatrix(body.turn), body.origin)
        if body.fixed:
            plant.RegisterCollisionGeometry(plant.world_body(), pose, shape, f"g{i}", properties)
            made.append(None)
            continue
        about_origin = body.inertia + body.mass * (
            body.center @ body.center * np.eye(3) - np.outer(body.center, body.center))
        j = about_origin / body.mass
        made.append(plant.AddRigidBody(f"b{i}", SpatialInertia(
            body.mass, body.center, UnitInertia(j[0, 0], j[1, 1], j[2, 2], j[0, 1], j[0, 2], j[1, 2]))))
        plant.RegisterCollisionGeometry(made[-1], RigidTransform(), shape, f"g{i}", properties)
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for body, drawn in zip(scene.bodies, made):
        if drawn is not None:
            plant.SetFreeBodyPose(context, drawn,
                                  RigidTransform(RotationMatrix.ProjectToRotationMatrix(body.turn), body.origin))
    simulator.Initialize()
    cpu = timed(lambda: simulator.AdvanceTo(scene.seconds))
    lines = []
    for body, drawn in zip(scene.bodies, made):
        if drawn is None:
            continue
        pose = plant.EvalBodyPoseInWorld(context, drawn)
        motion = plant.EvalBodySpatialVelocityInWorld(context, drawn)
        lines.append(state_line(body, pose.rotation().matrix(), pose.translation(),
                                motion.translational(), motion.rotational()))
    return cpu, lines


def by_bullet(scene, step):
    client = pybullet.connect(pybullet.DIRECT)
    pybullet.setGravity(0, 0, -GRAVITY)
    pybullet.setTimeStep(step)
    numbers = []
    for body in scene.bodies:
        values, axes = np.linalg.eigh(body.inertia)
        if np.linalg.det(axes) < 0:
            axes[:, 0] = -axes[:, 0]
        # Its bodies are at their centers, along their principal axes.
        turn = np.transpose(axes)
        w, x, y, z = quaternion(turn)
        place = dict(collisionFramePosition=-turn @ body.center, collisionFrameOrientation=[x, y, z, w])
        if body.box:
            shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=np.array(body.box) / 2, **place)
        elif body.sphere:
            shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=body.sphere, **place)
        else:
            shape = pybullet.createCollisionShape(pybullet.GEOM_MESH, fileName=body.mesh,
                                                  flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH, **place)
        w, x, y, z = quaternion(body.turn @ axes)
        number = pybullet.createMultiBody(0 if body.fixed else body.mass, shape,
                                          basePosition=body.origin + body.turn @ body.center,
                                          baseOrientation=[x, y, z, w])
        bounces = 1 if scene.damping == 0 else 0
        pybullet.changeDynamics(number, -1, lateralFriction=scene.friction, restitution=bounces,
                                linearDamping=0, angularDamping=0)
        if not body.fixed:
            pybullet.changeDynamics(number, -1, localInertiaDiagonal=values)
        numbers.append((number, axes))

    def run():
        for _ in range(round(scene.seconds / step)):
            pybullet.stepSimulation()

    cpu = timed(run)
    lines = []
    for body, (number, axes) in zip(scene.bodies, numbers):
        if body.fixed:
            continue
        center, turn = pybullet.getBasePositionAndOrientation(number)
        velocity, spin = pybullet.getBaseVelocity(number)
        turn = np.array(pybullet.getMatrixFromQuaternion(turn)).reshape(3, 3) @ axes.T
        arm = turn @ body.center
        lines.append(state_line(body, turn, np.array(center) - arm,
                                np.array(velocity) - np.cross(spin, arm), np.array(spin)))
    pybullet.disconnect(client)
    return cpu, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CONTACT_SCENES")
    parser.add_argument("--step", type=float, nargs="+", default=[0.005, 0.001])
    parser.add_argument("--ours", type=float, nargs="*", default=[0.005], help="steps of Plimsoll")
    parser.add_argument("scenes", metavar="SCENE", nargs="*", default=["tumble", "heap"])
    given = parser.parse_args()
    print("scene,system,step_ms,cpu_s_per_s,pairs,shared_of_volume,deepest_m,lost,fastest_m_s,energy_change", flush=True)
    for name in given.scenes:
        with tempfile.TemporaryDirectory(prefix="contact.") as made:
            folder = pathlib.Path(made)
            subprocess.run([given.program, "write", name, folder], check=True)
            scene = Scene(folder)

            def row(system, step, state):
                judged = subprocess.run([given.program, "judge", name], input=state, text=True, check=True,
                                        capture_output=True).stdout.strip()
                print(f"{name},{system},{1e3 * step:g},{judged}", flush=True)

            for step in given.step:
                for system, move in [("bullet", by_bullet), ("mujoco", by_mujoco), ("drake", by_drake)]:
                    print(f"contact: {name} by {system}, steps of {1e3 * step:g} ms", file=sys.stderr)
                    cpu, lines = move(scene, step)
                    row(system, step, "\n".join([repr(cpu), *lines]))
            for step in given.ours:
                print(f"contact: {name} by plimsoll, steps of {1e3 * step:g} ms", file=sys.stderr)
                row("plimsoll", step, subprocess.run([given.program, "run", name, str(step)], check=True, text=True,
                                                     stdout=subprocess.PIPE).stdout)


if __name__ == "__main__":
    main()
