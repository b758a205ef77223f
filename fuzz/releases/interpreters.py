"""Interpreters other than this one, with the packages of the harness on their path."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from fuzz.releases.environments import Unavailable
from oracle.harness import Interpreter, run_program

HOME = Path(__file__).parents[2]
PACKAGES = ("oracle", "fuzz")
FOLDER = Path(".fuzz", "harness")
NEEDED = ("numpy", "ml_dtypes")
"""Packages that the other environment must have beside the subject, since they are compiled for its interpreter."""

ADDED = ("hypothesis", "_hypothesis_globals", "sortedcontainers", "mpmath")
"""Packages that the harness adds, after the other environment's. One with compiled modules, as Hypothesis has since
6.170, runs in interpreters of the same minor version alone: any other environment must have it, too.
"""

OLDEST = (3, 11)
SECONDS = 60.0
_QUESTION = f"""
import importlib.util, json, sys
from importlib import metadata
missing = [name for name in {(*NEEDED, *ADDED)!r} if importlib.util.find_spec(name) is None]
versions = {{str(one.metadata["Name"]): one.version for one in metadata.distributions()}}
print(json.dumps({{"python": list(sys.version_info[:3]), "missing": missing, "versions": versions}}))
"""


def find_interpreter(text: str) -> Interpreter | None:
    """Return the interpreter of a path or a program's name; None for no text. Raises Unavailable if it cannot run the
    harness.
    """
    if not text:
        return None
    python = _find_program(text)
    asked = _ask(python)
    if tuple(asked["python"]) < OLDEST:
        raise Unavailable(f"{text} is Python {'.'.join(map(str, asked['python']))}; the harness needs 3.11 or later")
    is_other = asked["python"][:2] != list(sys.version_info[:2])
    missing = [name for name in asked["missing"] if name in NEEDED or (is_other and _is_compiled(name))]
    if missing:
        raise Unavailable(f"{text} lacks what the harness needs: {text} -m pip install {' '.join(missing)}")
    entries = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    paths = (link_packages(FOLDER), *(Path(entry) for entry in entries), Path.cwd())
    return Interpreter(python, tuple(str(path.absolute()) for path in paths), (str(_link_added().absolute()),))


def list_versions(text: str) -> dict[str, str]:
    """Return the versions of what an interpreter has installed, and its own, by name."""
    asked = _ask(_find_program(text))
    return {"python": ".".join(map(str, asked["python"])), **asked["versions"]}


def link_packages(folder: Path) -> Path:
    """Return a folder below this one with links to this project's packages alone: beside them may lie the libraries of
    this environment, which another interpreter must not import. Another checkout of the project has another folder, as
    its runs may go on at the same time.
    """
    links = _name_for(folder, HOME)
    for package in PACKAGES:
        _link(links / package, HOME / package)
    return links


def _name_for(folder: Path, path: Path) -> Path:
    return folder / hashlib.sha256(os.fsencode(path)).hexdigest()[:12]


def _is_compiled(package: str) -> bool:
    """Return whether a package of this environment has compiled modules."""
    found = importlib.util.find_spec(package)
    folders = found.submodule_search_locations if found is not None else None
    return any(next(Path(folder).rglob(pattern), None) for folder in folders or () for pattern in ("*.so", "*.pyd"))


def _link_added() -> Path:
    folder = _name_for(FOLDER.with_name("harness-needs"), Path(sys.prefix))
    for package in ADDED:
        found = importlib.util.find_spec(package)
        if found is not None and found.origin is not None:
            origin = Path(found.origin)
            _link(folder / origin.name, origin) if origin.stem == package else _link(folder / package, origin.parent)
    return folder


def _link(link: Path, target: Path) -> None:
    if not link.is_symlink() or link.readlink() != target:
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(target)


def _find_program(text: str) -> str:
    found = shutil.which(text)
    if found is None:
        raise Unavailable(f"no interpreter {text!r}")
    return os.path.abspath(found)


@lru_cache(maxsize=4)
def _ask(python: str) -> dict[str, Any]:
    try:
        done = run_program([python, "-I", "-c", _QUESTION], SECONDS)
        done.check_returncode()
        return dict(json.loads(done.stdout.splitlines()[-1]))
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise Unavailable(f"{python} is no Python that runs: {error}") from None
