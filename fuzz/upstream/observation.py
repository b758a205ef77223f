"""Running the scripts: whether each bug still occurs, what the script printed, and with which versions."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from fuzz.repro.runner import Ending, rerun, run_afresh
from fuzz.upstream.bugs import Bug

THERE, GONE, UNCLEAR = "there", "gone", "unclear"
MEMORY_BYTES = 8 << 30
NAMES = {
    "bottleneck": "Bottleneck",
    "tensorflow": "TensorFlow",
    "numba": "Numba",
    "numpy": "NumPy",
    "jax": "JAX",
    "torch": "PyTorch",
    "keras": "Keras",
    "mlx": "MLX",
    "pint": "Pint",
    "dask": "Dask",
    "scipy": "SciPy",
}
COMPANIONS = {"jax": ("jaxlib",), "keras": ("jax", "torch", "tensorflow")}
"""Whose version matters as well, where it is installed."""

LONGEST = 1200
"""How many characters of an output are kept."""

_BOTH = re.compile(r"^expected\b(.*?)^actual\b(.*)", re.MULTILINE | re.DOTALL)
_ALONE = re.compile(r"^expected\b(.*)()", re.MULTILINE)
_NOISE = re.compile(r"(?:WARNING:|[IWEF]\d{4} |\d{4}-\d\d-\d\d \d\d:)")
_CHECK = re.compile(r"\] ((?:Check failed|Non-OK).*)")
_ADDRESS = re.compile(r"0x[0-9a-f]{4,}")


@dataclass(frozen=True)
class Observation:
    """The result of a script: "there", "gone" or "unclear"; its output, or how it ended; and the versions."""

    status: str
    expected: str
    actual: str
    versions: str


def observe(bug: Bug) -> Observation:
    """Run the script of a bug, within limits of time and memory; in an interpreter of its own if it sets an environment
    variable.
    """
    is_alone = re.search(r"\bos\.environ\b", bug.code)
    modules = ("numpy", bug.library)
    ending = run_afresh(bug.path, bug.seconds) if is_alone else rerun(bug.path, bug.seconds, modules, MEMORY_BYTES)
    return judge(bug, ending, describe_versions(bug.library))


def judge(bug: Bug, ending: Ending, versions: str = "") -> Observation:
    """Return the observation for the way in which a script ended."""
    expected, actual = read_output(ending.output)
    if bug.effect == "hang" and ending.late:
        status, actual = THERE, f"no end within {bug.seconds:g} seconds"
    elif bug.effect == "crash" and ending.signal in bug.signals and not ending.late:
        check = _CHECK.search(ending.output)
        why = f": {_ADDRESS.sub('0x...', check[1].strip())}" if check else ""
        status, actual = THERE, f"the process ends with {ending.signal}{why}"
    elif ending.signal or ending.late or ending.uncaught or not (expected and actual):
        status, actual = UNCLEAR, _describe_trouble(bug, ending)
    elif ending.status == 0:
        status = GONE
    elif ending.status == 1 and bug.effect not in ("crash", "hang"):
        status = THERE
    else:
        status, actual = UNCLEAR, _describe_trouble(bug, ending)
    return Observation(status, expected, actual[:LONGEST], versions)


def read_output(text: str) -> tuple[str, str]:
    """Return what a script printed after `expected` and after `actual`, without log output of libraries."""
    lines = [line.rstrip() for line in text.splitlines() if not _NOISE.match(line)]
    shown = "\n".join(lines) + "\n"
    found = _BOTH.search(shown) or _ALONE.search(shown)
    return ("", "") if found is None else (found[1].strip()[:LONGEST], found[2].strip()[:LONGEST])


def _describe_trouble(bug: Bug, ending: Ending) -> str:
    """Return how a script ended that shows neither the presence nor the absence of its bug."""
    ended = f"was ended by {ending.signal}" if ending.signal else f"ended with status {ending.status}"
    how = f"did not end within {bug.seconds:g} seconds" if ending.late else ended
    return f"the script {how}: {ending.last_line}"


@cache
def describe_versions(library: str) -> str:
    """Return the versions of the library, NumPy and Python, and the machine's architecture."""
    installed = {one.metadata["Name"].lower(): one.version for one in metadata.distributions()}
    packages = dict.fromkeys((library, *COMPANIONS.get(library, ()), "numpy"))
    found = [f"{NAMES.get(package, package)} {installed[package]}" for package in packages if package in installed]
    where = f"{platform.system()} {platform.machine()}"
    return ", ".join([*found, f"Python {platform.python_version()}", where])


def read_observations(folder: Path) -> dict[str, Observation]:
    """Return the stored observations, from which pages are made, by the bug's id."""
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    return {key: Observation(**value) for file in files for key, value in file.items()}


def write_observations(folder: Path, observations: Mapping[str, Observation], bugs: Mapping[str, Bug]) -> None:
    """Store the observations of these bugs, in one file for each library."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, dict[str, Any]] = {bug.library: {} for bug in bugs.values()}
    for key in sorted(observations.keys() & bugs.keys()):
        files[bugs[key].library][key] = asdict(observations[key])
    for library, own in files.items():
        (folder / f"{library}.json").write_text(json.dumps(own, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
