"""Where real meshes are, of Debian's libcgal-demo: in the data folder beside the source tree, or fetched."""
import os
import pathlib
import unittest

SOURCE = pathlib.Path(os.environ["PLIMSOLL_SOURCE_DIR"])
SCANS = [pathlib.Path(os.environ.get("PLIMSOLL_SHARED_DATA", "")) / "meshes/cgal", SOURCE / "data/cache/cgal"]


def find_scans():
    """Their folder, or None."""
    return next((folder.resolve() for folder in SCANS if (folder / "bunny00.off").is_file()), None)


def scans():
    """Their folder. Without one the test is skipped, or fails where PLIMSOLL_REQUIRE_DATA is set."""
    found = find_scans()
    if found is None and "PLIMSOLL_REQUIRE_DATA" in os.environ:
        raise AssertionError("PLIMSOLL_REQUIRE_DATA is set and there are no scans")
    if found is None:
        raise unittest.SkipTest("no scans: scripts/fetch-meshes cgal brings them")
    return found
