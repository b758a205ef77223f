"""Environments with certain releases of packages, made by uv and kept for the next time.

uv's resolver tells what the index has, with the user's own settings: final releases that have a wheel for the
interpreter and were not yanked.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from oracle.harness import run_program

FOLDER = Path(".fuzz", "environments")
MOST_RELEASES = 400
SECONDS = 1800.0  # for an installation: some wheels have gigabytes
READY = "ready"  # the file that is written last
BOX = " \u00d7\u2502\u2570\u2500\u25b6"  # what uv draws beside its messages
_PINNED = re.compile(r"^(?P<name>[\w.-]+)(?:\[.*\])?==(?P<version>[^\s;]+)", re.MULTILINE)
_PACKAGE = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?:\[[\w,.-]+\])?", re.ASCII)


class Unavailable(RuntimeError):
    """Raised where uv, a package, a release or an environment is not available; the message says why."""


def find_uv() -> str:
    """Return the path of uv: the installed package's, or the one on the path. Raises Unavailable."""
    if find_spec("uv") is not None:
        return str(import_module("uv").find_uv_bin())
    found = shutil.which("uv")
    if found is None:
        raise Unavailable("environments are made by uv, which is not installed: python -m pip install uv")
    return found


def check_package(name: str) -> str:
    """Return the name of a package, with extras or without. Raises Unavailable for anything else."""
    if not _PACKAGE.fullmatch(name):
        raise Unavailable(f"{name!r} is no name of a package")
    return name


def list_releases(package: str, interpreter: str = sys.executable) -> Iterator[str]:
    """Yield the releases of a package that can be installed for an interpreter, the newest first. Raises Unavailable if
    there is none.
    """
    bound = ""
    for count in range(MOST_RELEASES):
        command = [find_uv(), "pip", "compile", "--quiet", "--no-deps", "--only-binary", ":all:", "--no-header"]
        command += ["--no-annotate", "--python", interpreter, "-"]
        done = _run(command, 120.0, f"{check_package(package)}{bound}\n")
        pinned = _PINNED.search(done.stdout) if done.returncode == 0 else None
        if pinned is None:
            if count == 0:
                raise Unavailable(f"no release of {package} for {interpreter}: {_shorten(done.stderr)}")
            return
        yield pinned["version"]
        bound = f"<{pinned['version']}"


def make_environment(requirements: Sequence[str], interpreter: str = sys.executable, folder: Path = FOLDER) -> Path:
    """Return the interpreter of an environment with these packages: one that was made before, or a new one.

    Raises Unavailable if they cannot be installed together.
    """
    key = "\n".join([*sorted(requirements), os.path.realpath(interpreter)])
    directory = folder / hashlib.sha256(key.encode()).hexdigest()[:16]
    python = directory / "bin" / "python"
    if (directory / READY).exists():
        return python.absolute()
    shutil.rmtree(directory, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    steps = [["venv", "--quiet", "--no-project", "--python", interpreter, str(directory)]]
    options = ["--quiet", "--only-binary", ":all:", "--prerelease", "explicit", "--python", str(python)]
    steps += [["pip", "install", *options, *requirements]]
    for step in steps:
        done = _run([find_uv(), *step], SECONDS)
        if done.returncode:
            raise Unavailable(f"{', '.join(requirements)}: {_shorten(done.stderr)}")
    (directory / READY).write_text("\n".join(requirements) + "\n", encoding="utf-8")
    return python.absolute()


def _run(command: Sequence[str], seconds: float, text: str = "") -> subprocess.CompletedProcess[str]:
    try:
        return run_program(command, seconds, text=text)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{' '.join(command[1:3])} did not end within {seconds:g} s") from None


def _shorten(text: str) -> str:
    """Return the last lines of an output as one."""
    lines = [line.strip(BOX) for line in text.splitlines() if line.strip()]
    return " ".join(lines)[:300] or "no output"
