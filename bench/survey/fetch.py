"""Meshes out of packages. Packages are only unpacked: nothing is installed, no code of theirs runs."""
import csv
import gzip
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

MESH = re.compile(r"\.(stl|stlb|obj|ply|off|3mf|gltf|glb)(\.gz)?$", re.IGNORECASE)
# A glTF file names files beside it.
BESIDE = re.compile(r"\.(bin|gltf\.bin)$", re.IGNORECASE)
ARCHIVE = re.compile(r"\.(tar\.gz|tgz|zip)$", re.IGNORECASE)


def collections():
    with open(pathlib.Path(__file__).with_name("collections.tsv"), newline="") as table:
        return list(csv.DictReader(table, delimiter="\t"))


def members(name, content):
    """Name and bytes of what an archive holds."""
    if name.endswith((".whl", ".zip")):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist():
                if not member.is_dir():
                    yield member.filename, archive.read(member)
    else:
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for member in archive:
                if member.isfile():
                    yield member.name, archive.extractfile(member).read()


def keep(name, content, folder):
    """Writes a mesh into the folder, at its path in the package; opens archives within."""
    parts = [part for part in pathlib.PurePosixPath(name).parts if part not in ("/", "..", ".")]
    path = folder.joinpath(*parts)
    if MESH.search(name) or BESIDE.search(name):
        if path.suffix.lower() == ".gz":
            path, content = path.with_suffix(""), gzip.decompress(content)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    elif ARCHIVE.search(name):
        for inner, inner_content in members(name, content):
            keep(f"{name}/{inner}", inner_content, folder)


def run(*command, folder):
    for attempt in range(3):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout
    sys.exit(f"survey: {' '.join(command[:4])} ... failed:\n{done.stderr.strip()[-2000:]}")


def download(source, package, version, folder):
    """The package's own file, in the folder."""
    if source == "debian":
        run("apt-get", "download", "-qq", "-o", "APT::Sandbox::User=", package, folder=folder)
    elif source == "npm":
        run("npm", "pack", "--silent", f"{package}@{version}", folder=folder)
    else:
        run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
            "--no-deps", "--only-binary", ":all:", "--python-version", "3.11", "--platform",
            "manylinux2014_x86_64", "--dest", ".", f"{package}=={version}", folder=folder)
    return next(folder.iterdir())


def fetched(collection, cache):
    """The folder with the meshes of a collection; fetches what is not there yet."""
    source, package, version = (collection[key] for key in ("source", "package", "version"))
    name = re.sub(r"[^A-Za-z0-9.]+", "-", f"{package} {version}").strip("-")
    folder = cache / name
    if folder.is_dir():
        return folder
    print(f"survey: fetching {package} {version}".rstrip(), file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=cache) as work:
        work = pathlib.Path(work)
        (work / "package").mkdir()
        (work / name).mkdir()
        archive = download(source, package, version, work / "package")
        if source == "debian":
            run("dpkg-deb", "-x", archive.name, "content", folder=archive.parent)
            content = archive.parent / "content"
            for path in sorted(content.rglob("*")):
                if path.is_file() and not path.is_symlink():
                    keep(str(path.relative_to(content)), path.read_bytes(), work / name)
        else:
            for member, bytes_of_member in members(archive.name, archive.read_bytes()):
                keep(member, bytes_of_member, work / name)
        shutil.move(work / name, folder)
    return folder
