"""MuJoCo reads back the numbers that --format mjcf wrote. Needs its Python package, which
scripts/setup installs under build/python; without it the test skips and says so, unless
PLIMSOLL_REQUIRE_PACKAGES is set."""
import unittest

import packages
from program import ProgramTest, box, off, run

mujoco, numpy = packages.find("mujoco"), packages.find("numpy")


# A box turned and sheared, so that no entry of its tensor vanishes.
def skewed(scale=1.0, corner=(0, 0, 0)):
    return [tuple(c + scale * x for c, x in zip(corner, (0.3 * x + 0.1 * y, 0.2 * y + 0.05 * x,
                                                         0.4 * z + 0.15 * x)))
            for x, y, z in box()]


class MuJoCo(ProgramTest):
    def setUp(self):
        super().setUp()
        self.package("mujoco")

    def load(self, name, vertices, *options):
        """The body in MuJoCo, and our own JSON for it."""
        path = self.write(name, off(vertices))
        code, document, err = run("mass", path, *options, "--format", "mjcf")
        self.assertEqual(code, 0, err)
        model = mujoco.MjModel.from_xml_string(document)
        self.assertEqual(model.nbody, 2)
        return model, self.answer("mass", path, *options)

    # Mass and position are kept as read. The tensor is one of moments and a quaternion, which both
    # sides round: its entries come back to some units of 2^-53 of the largest.
    def agrees(self, model, answer):
        rotation = numpy.zeros(9)
        mujoco.mju_quat2Mat(rotation, model.body_iquat[1])
        rotation = rotation.reshape(3, 3)
        tensor = rotation @ numpy.diag(model.body_inertia[1]) @ rotation.T
        expected = numpy.array(answer["inertia"])
        self.assertEqual(model.body_mass[1], answer["mass"])
        self.assertEqual(model.body_ipos[1].tolist(), answer["center_of_mass"])
        self.assertLess(abs(tensor - expected).max(), 1e-14 * abs(expected).max())
        off_diagonal = expected - numpy.diag(numpy.diag(expected))
        self.assertGreater(abs(off_diagonal).max(), 1e-3 * abs(expected).max())

    def test_the_numbers_come_back(self):
        for name, vertices, options in [
                ("plain.off", skewed(), ["--density", "2700"]),
                ("far.off", skewed(corner=(12.3, -4.56, 1e4)), ["--mass", "0.1"]),
                ("small.off", skewed(2e-3), ["--density", "7800"]),
                ("large.off", skewed(1e3), ["--units", "ft"])]:
            with self.subTest(name):
                self.agrees(*self.load(name, vertices, *options))

    def test_any_name_loads(self):
        for name in ["world.off", 'a & b <"c">.off', "__m__.off", "a::b.off", "gr\u00fcn.off"]:
            with self.subTest(name):
                model, _ = self.load(name, skewed())
                self.assertTrue(model.body(1).name)

    # A rod along (1, 1, 0) turns most easily about itself: the axis of the smallest moment is the
    # rod's only if the sign of the off-diagonal entries is the one MuJoCo means. The quaternion is
    # rounded; of the angle that costs only the square shows.
    def test_a_slanting_rod_keeps_its_direction(self):
        rod = [(x + 0.05 * y, x - 0.05 * y, 0.1 * z) for x, y, z in box()]
        model, _ = self.load("rod.off", [(b, a, c) for a, b, c in rod])
        rotation = numpy.zeros(9)
        mujoco.mju_quat2Mat(rotation, model.body_iquat[1])
        axis = rotation.reshape(3, 3)[:, model.body_inertia[1].argmin()]
        self.assertAlmostEqual(abs(axis @ [1, 1, 0]) / 2**0.5, 1, delta=16 * 2**-53)

    def test_what_mujoco_would_refuse_is_not_written(self):
        speck = self.box("speck.off", size=(1e-4,) * 3)
        code, out, err = run("mass", speck, "--format", "mjcf", "--units", "m")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("MuJoCo takes none below", err)

    # Two moments of a leaf add up to the third but for its thickness squared, so that rounding may
    # break the inequality that MuJoCo asks for.
    def test_a_leaf_is_loaded_or_refused_by_us(self):
        loaded = 0
        for thickness in [10.0**-k for k in range(1, 13)]:
            vertices = [(x + 0.3 * z, y - x / 3, z + y / 7)
                        for x, y, z in box(size=(1, 1, thickness))]
            code, out, err = run("mass", self.write("leaf.off", off(vertices)), "--format", "mjcf")
            if code == 0:
                mujoco.MjModel.from_xml_string(out)
                loaded += 1
            else:
                self.assertEqual((code, "flat" in err), (3, True))
        self.assertGreaterEqual(loaded, 6)


if __name__ == "__main__":
    unittest.main()
