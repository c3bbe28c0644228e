"""Python packages that scripts/setup installs under build/python."""
import functools
import importlib
import os
import pathlib
import sys


@functools.cache
def find(name):
    """None where there is no such package; a failure if PLIMSOLL_REQUIRE_PACKAGES is set."""
    own = (pathlib.Path(__file__).parents[2] / "build/python/lib").glob("*/site-packages")
    sys.path += [str(folder) for folder in own if str(folder) not in sys.path]
    try:
        return importlib.import_module(name)
    except ImportError:
        if "PLIMSOLL_REQUIRE_PACKAGES" in os.environ:
            raise AssertionError(f"PLIMSOLL_REQUIRE_PACKAGES is set and there is no Python package {name}")
        return None
