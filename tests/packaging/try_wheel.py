"""Build sdist and wheel, install the wheel where nothing else is, and run a smoke test there.

    python tests/packaging/try_wheel.py [--resolution highest|lowest-direct] [--python PYTHON]

Without a resolution, the exact versions of `ci/constraints.txt` are installed; with one, the newest versions that the
ranges in `pyproject.toml` allow, or the oldest of the requirements that it names: `tox -e package`, `tox -e
lowest-py311` and so on.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SMOKE = Path(__file__).with_name("smoke.py")


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run a command, and end with its status if it fails."""
    print("$", *command, flush=True)
    subprocess.run([str(part) for part in command], cwd=cwd, check=True)


def build(folder: Path) -> Path:
    """Build the sdist, and from it the wheel. Return the wheel."""
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, environment: Path, options: argparse.Namespace) -> Path:
    """Install the wheel into a new environment. Return its Python."""
    uv = shutil.which("uv") or "uv"
    run(uv, "venv", "--quiet", "--python", options.python, environment)
    python = environment / "bin" / "python"
    if options.resolution:  # "direct" are the requirements that are named here
        required = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
        versions = ["--resolution", options.resolution, *required]
    else:
        versions = ["--constraint", options.constraint]
    run(uv, "pip", "install", "--quiet", "--python", python, *versions, wheel)
    return python


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--resolution", choices=["highest", "lowest-direct"])
    parser.add_argument("--constraint", default=ROOT / "ci" / "constraints.txt")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--keep", type=Path, help="a folder in which sdist and wheel are left")
    return parser.parse_args()


def main() -> None:
    """Build, install, try."""
    options = arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder / "dist")
        python = install(wheel, folder / "environment", options)
        run(python, SMOKE, cwd=folder)  # away from the sources, which would be imported instead
        if options.keep:
            shutil.copytree(folder / "dist", options.keep, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
