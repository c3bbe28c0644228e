"""The same bytes whatever the C library takes the processor for.

It chooses its sines, powers and exponentials by the instruction sets it finds. Glibc can be told
to overlook some; where that setting means nothing, all runs are alike and nothing is tested.
"""
import json
import math
import unittest

from program import ProgramTest, off, run

FEWER = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"}
TIMED = ('seconds"', '"steps_per_second"', '"other"')  # members that no two runs share


def turned(x, y, z):
    """By z about z, then y about y, then x about x: a pose of nine digits would be rounded."""
    pose = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    for axis, angle in ((2, z), (1, y), (0, x)):
        c, s = math.cos(angle), math.sin(angle)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        pose[i], pose[j] = ([c * a - s * b for a, b in zip(pose[i], pose[j])],
                            [s * a + c * b for a, b in zip(pose[i], pose[j])])
    return pose


class SameBits(ProgramTest):
    def check(self, *arguments):
        def told(environment):
            code, out, err = run(*arguments, "--json", environment=environment)
            self.assertIn(code, (0, 4), out + err)
            return code, [line for line in out.splitlines() if not any(t in line for t in TIMED)]

        with self.subTest(arguments=arguments[:2]):
            self.assertEqual(told(FEWER), told({}))

    def shape(self, name, **members):
        return self.write(name, json.dumps(members))

    def test_bodies_on_waves(self):
        waves = [{"amplitude": 0.3 / k, "wavelength": 3 / k, "direction_deg": 17 * k, "phase": 0.4 * k}
                 for k in range(1, 4)]
        self.box("box.off")
        shapes = [{"shape": "mesh", "file": "box.off"}, {"shape": "torus", "major": 0.5, "minor": 0.2},
                  {"shape": "ellipsoid", "radii": [0.3, 0.4, 0.5]}]
        bodies = [{"name": f"b{i}", "shape": shape, "density": 400 + 50 * i,
                   "pose": [[1, 0, 0, 3 * i], [0, 1, 0, 0], [0, 0, 1, 0.1], [0, 0, 0, 1]],
                   "angular_velocity": [0.3, 0.2, 0.1]} for i, shape in enumerate(shapes)]
        scene = self.shape("scene.json", bodies=bodies,
                           fluid={"surface": {"type": "waves", "components": waves}})
        self.check("simulate", scene, "--seconds", 0.5)
        self.check("simulate", scene, "--seconds", 0.01, "--method", "image")

    def test_righting_arms_and_poses_at_rest(self):
        ring = self.shape("torus.json", shape="torus", major=1, minor=0.3)
        self.check("gz", ring, "--density", 500, "--heel", "0:90:5", "--com", "0.1,0.05,0.02")
        self.check("float", ring, "--density", 700, "--starts", 8)
        egg = self.shape("egg.json", shape="ellipsoid", radii=[1, 1.3, 0.7])
        self.check("gz", egg, "--density", 500, "--heel", "0:180:10", "--com", "0.1,0.05,0.02")

    def test_mass_and_water_by_image(self):
        formula = {"shape": "implicit", "bounds": [[-3, -2, -9], [3, 2, 9]], "expression":
                   "1 - exp(sin(3*x) * y) * x^2 - abs(y)^2.3 - atan2(z, 2 + x)^2"}
        ring = {"shape": "torus", "major": 1, "minor": 0.3, "pose": turned(0.3, 0.2, 0.5)}
        ends = [(math.cos(math.pi * k / 9), math.sin(math.pi * k / 9)) for k in range(18)]
        prism = self.write("prism.off", off([(x, y, z) for z in (0, 1) for x, y in ends], [
            tuple(range(17, -1, -1)), tuple(range(18, 36)),
            *((i, (i + 1) % 18, 18 + (i + 1) % 18, 18 + i) for i in range(18))]))
        for body in (prism, self.shape("union.json", shape="union", of=[ring, formula])):
            image = (body, "--method", "image", "--resolution")
            self.check("mass", *image, 24)
            self.check("submerge", *image, 64, "--plane", "0.1,0.2,1,0.1")

    def test_spheres_in_a_body(self):
        self.check("spheres", self.box("box.off"), "--count", 200)


if __name__ == "__main__":
    unittest.main()
