"""Build sdist and wheel of both distributions, install them where nothing else is, and run a smoke test there.

    python tests/packaging/try_wheel.py [--only tfnp|harness] [--resolution highest|lowest-direct] [--numpy 2.1 2.2 ...]

Without a resolution, the exact versions of `ci/constraints.txt` are installed; with one, the newest versions that the
ranges in each `pyproject.toml` allow, or the oldest of the requirements that it names: `tox -e package`, `tox -e
lowest-py311` and so on. `--numpy` tries each series of releases of NumPy in turn: `tox -e numpy`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = {"tfnp": ROOT, "harness": ROOT / "fuzz"}
PACKAGES = {"tfnp": ["tfnp"], "harness": ["oracle", "fuzz"]}
LEFT_OUT = {f"fuzz/{file}" for file in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")}
MOST_MEGABYTES = 150  # of the harness with all that it needs


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run a command, and end with its status if it fails."""
    print("$", *command, flush=True)
    subprocess.run([str(part) for part in command], cwd=cwd, check=True)


def build(name: str, folder: Path) -> Path:
    """Build the sdist, the wheel from it, and the wheel from the tree, which must be the same. Return the wheel."""
    run(sys.executable, "-m", "build", "--outdir", folder, FOLDERS[name])
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder / "tree", FOLDERS[name])
    (wheel,) = folder.glob("*.whl")
    from_sdist, from_tree = read_wheel(wheel), read_wheel(folder / "tree" / wheel.name)
    differing = sorted(path for path, _ in from_sdist.items() ^ from_tree.items())
    assert not differing, f"wheels from sdist and tree differ in {differing}"
    missing = list_tracked(name) - from_sdist.keys()
    assert not missing, f"the wheel lacks {sorted(missing)}"
    shutil.rmtree(folder / "tree")
    return wheel


def list_tracked(name: str) -> set[str]:
    """Return the files of a distribution's packages that git tracks."""
    command = ["git", "ls-files", *PACKAGES[name]]
    tracked = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return {*tracked} - LEFT_OUT


def read_wheel(wheel: Path) -> dict[str, bytes]:
    """Return the files of a wheel; not the list of them, whose order is that of the build."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


def list_versions(names: Sequence[str], options: argparse.Namespace) -> list[str]:
    """Return the arguments that say which versions to install."""
    if options.numpy:
        return [f"numpy=={options.numpy}.*"]
    if not options.resolution:
        return ["--constraint", str(ROOT / "ci" / "constraints.txt")]
    projects = [tomllib.loads((FOLDERS[name] / "pyproject.toml").read_text())["project"] for name in names]
    required = [one for project in projects for one in project["dependencies"]]  # "direct" is what is named here
    prereleases = ["--prerelease", "allow"] if options.prereleases else []
    return ["--resolution", options.resolution, *prereleases, *required]


def install(requirements: Sequence[object], environment: Path, versions: Sequence[str], python: str) -> Path:
    """Install wheels into a new environment, say how large it is and how long it took. Return its Python."""
    uv = shutil.which("uv") or "uv"
    run(uv, "venv", "--quiet", "--python", python, environment)
    installed = environment / "bin" / "python"
    begun = time.monotonic()
    run(uv, "pip", "install", "--quiet", "--link-mode", "copy", "--python", installed, *versions, *requirements)
    seconds = time.monotonic() - begun
    (packages,) = environment.glob("lib/python3*/site-packages")
    print(f"installed: {count_megabytes(packages):.0f} MB in {seconds:.1f} s", flush=True)
    return installed


def count_megabytes(folder: Path) -> float:
    """Return the size of a folder's files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def try_alone(name: str, wheel: Path, folder: Path, options: argparse.Namespace) -> None:
    """Try one distribution in an environment without the other."""
    environment = folder / f"{name}-{options.numpy or options.resolution or 'pinned'}"
    python = install([wheel], environment, list_versions([name], options), options.python)
    run(python, ROOT / "tests" / "packaging" / f"smoke_{name}.py", cwd=folder)  # away from the sources
    size = count_megabytes(environment)
    assert name != "harness" or size <= MOST_MEGABYTES, f"the harness takes {size:.0f} MB, more than {MOST_MEGABYTES}"


def try_together(wheels: dict[str, Path], folder: Path, options: argparse.Namespace) -> None:
    """Try tfnp with its extra, which is the harness of the same version."""
    requirements = [f"tfnp[fuzz] @ {wheels['tfnp'].as_uri()}", wheels["harness"]]
    python = install(requirements, folder / "together", list_versions(list(wheels), options), options.python)
    run(python, ROOT / "tests" / "packaging" / "smoke_together.py", cwd=folder)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", choices=list(FOLDERS))
    parser.add_argument("--resolution", choices=["highest", "lowest-direct"])
    parser.add_argument("--prereleases", action="store_true", help="with a resolution, pre-releases, too")
    parser.add_argument("--numpy", nargs="+", default=[""], help="series of releases of NumPy, such as 2.1")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--keep", type=Path, help="a folder in which sdists and wheels are left")
    return parser.parse_args()


def main() -> None:
    """Build, install, try."""
    options = read_arguments()
    names = [options.only] if options.only else list(FOLDERS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheels = {one: build(one, folder / "dist" / one) for one in names}
        for series in options.numpy:
            chosen = argparse.Namespace(**vars(options) | {"numpy": series})
            for one, wheel in wheels.items():
                try_alone(one, wheel, folder, chosen)
            if len(wheels) > 1:
                try_together(wheels, folder, chosen)
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            for path in (folder / "dist").glob("*/*"):
                if path.suffix in {".whl", ".gz"}:
                    shutil.copy2(path, options.keep)


if __name__ == "__main__":
    main()
