"""Running the scripts: whether each bug still occurs, what the script printed, and with which versions."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

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

_OUTPUT = re.compile(r"^expected\b(?P<expected>.*?)^actual\b(?P<actual>.*)", re.MULTILINE | re.DOTALL)
_NOISE = re.compile(r"(?:WARNING:|[IWEF]\d{4} |\d{4}-\d\d-\d\d \d\d:)")
_CHECK = re.compile(r"\] ((?:Check failed|Non-OK).*)")
_ADDRESS = re.compile(r"0x[0-9a-f]{4,}")
_SETS_ENVIRONMENT = re.compile(r"\bos\.environ\b")


@dataclass(frozen=True)
class Observation:
    """The result of a script: "there", "gone" or "unclear"; its output, or how it ended; and the versions."""

    status: str
    expected: str
    actual: str
    versions: str


def is_installed(library: str) -> bool:
    """Return whether the library of a script is installed."""
    return find_spec(library) is not None


def observe(bug: Bug) -> Observation:
    """Run the script of a bug, within limits of time and memory."""
    if _SETS_ENVIRONMENT.search(bug.code):
        ending = run_afresh(bug.path, bug.seconds)
    else:
        ending = rerun(bug.path, bug.seconds, ("numpy", bug.library), MEMORY_BYTES)
    return judge(bug, ending, describe_versions(bug.library))


def judge(bug: Bug, ending: Ending, versions: str = "") -> Observation:
    """Return the observation for the way in which a script ended."""
    expected, actual = read_output(ending.output)
    if bug.effect == "hang" and ending.late:
        return Observation(THERE, expected, f"no end within {bug.seconds:g} seconds", versions)
    if bug.effect == "crash" and ending.signal in bug.signals and not ending.late:
        check = _CHECK.search(ending.output)
        why = f": {_ADDRESS.sub('0x...', check[1].strip())}" if check else ""
        actual = f"the process ends with {ending.signal}{why}"
        return Observation(THERE, expected, actual[:LONGEST], versions)
    if ending.signal is None and not ending.late and not ending.uncaught and ending.status in (0, 1):
        is_there = ending.status == 1 and bug.effect not in ("crash", "hang")
        if expected and actual and (is_there or ending.status == 0):
            return Observation(THERE if is_there else GONE, expected, actual, versions)
    return Observation(UNCLEAR, expected, _trouble(bug, ending), versions)


def read_output(text: str) -> tuple[str, str]:
    """Return what a script printed after `expected` and after `actual`, without log output of libraries."""
    lines = [line.rstrip() for line in text.splitlines() if not _NOISE.match(line)]
    found = _OUTPUT.search("\n".join(lines) + "\n")
    if found is None:
        alone = next((line for line in lines if line.startswith("expected")), "")
        return alone.removeprefix("expected").strip(), ""
    return found["expected"].strip()[:LONGEST], found["actual"].strip()[:LONGEST]


def _trouble(bug: Bug, ending: Ending) -> str:
    """Return how a script ended that shows neither the presence nor the absence of its bug."""
    if ending.late:
        how = f"did not end within {bug.seconds:g} seconds"
    elif ending.signal:
        how = f"was ended by {ending.signal}"
    else:
        how = f"ended with status {ending.status}"
    last = next((line.strip() for line in reversed(ending.output.splitlines()) if line.strip()), "no output")
    return f"the script {how}: {last}"[:LONGEST]


def describe_versions(library: str) -> str:
    """Return the versions of the library, NumPy and Python, and the machine's architecture."""
    found = [
        f"{NAMES.get(package, package)} {version}"
        for package in dict.fromkeys((library, *COMPANIONS.get(library, ()), "numpy"))
        if (version := _version(package))
    ]
    where = f"{platform.system()} {platform.machine()}"
    return ", ".join([*found, f"Python {platform.python_version()}", where])


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def read_observations(folder: Path) -> dict[str, Observation]:
    """Return the stored observations, from which pages are made, by the bug's id."""
    return {
        key: Observation(**value)
        for path in sorted(folder.glob("*.json"))
        for key, value in json.loads(path.read_text(encoding="utf-8")).items()
    }


def write_observations(folder: Path, observations: Mapping[str, Observation], bugs: Mapping[str, Bug]) -> None:
    """Store the observations of these bugs, in one file for each library."""
    folder.mkdir(parents=True, exist_ok=True)
    for library in sorted({bug.library for bug in bugs.values()}):
        own = {
            key: asdict(one)
            for key, one in sorted(observations.items())
            if key in bugs and bugs[key].library == library
        }
        (folder / f"{library}.json").write_text(json.dumps(own, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
