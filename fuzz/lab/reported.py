"""Bugs that users reported of libraries with NumPy's names, and which findings of a run show them again.

`reported_bugs.toml` has one table for each: the release that has it, NumPy's name, the report, the call with both
answers, and a condition on findings. The bugs are in two halves, drawn by a hash of the report: one to tune by, and one
set apart to measure by, which nobody looks at who works on what is drawn or judged.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.generate.arrays import BFLOAT16, kind
from fuzz.triage.structure import list_features
from oracle import Case

HALVES = TUNED, APART = ("tuned", "apart")
TABLE = Path(__file__).with_name("reported_bugs.toml")
WORDS = {"b": "bool", "i": "int", "u": "uint", "c": "complex"}
FLOATS = {2: "half", 4: "single", 8: "double"}
LARGE = 2**31
BIG_OPTION = 300  # more digits, or powers of ten, than a float64 has
CONDITIONS = frozenset(("nan", "infinity", "-infinity", "negative", "negative zero", "zero", "zeros", "empty"))
CONDITIONS |= {"equal elements", "number", "large number", "over 300", "asymmetric", "broadcast"}
CONDITIONS |= {*WORDS.values(), *FLOATS.values()}
"""The conditions on a minimal case, beside the features of its structure (`axis=negative`, `rank over 1`), its
keywords (`keyword start`) and the finding's symptom (`symptom sign of zero`).
"""


@dataclass(frozen=True)
class ReportedBug:
    """A bug in a release of a library: `call` gives `numpy` in NumPy, and `gives` there.

    A finding shows it that has one of the `names`, `kinds` and `modes` (any mode if there is none), and whose minimal
    case meets all conditions in `needs`; one of several joined by "|" is enough, and each may be a pattern.
    """

    library: str
    release: str
    name: str
    link: str
    says: str
    call: str
    numpy: str
    gives: str
    kinds: tuple[str, ...]
    names: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def half(self) -> str:
        """The half in which it is: by a hash of the report, so that nobody chooses."""
        return HALVES[hashlib.sha256(self.link.encode()).digest()[0] % 2]

    def is_shown(self, row: Mapping[str, Any], case: Case) -> bool:
        """Return whether a line of findings.jsonl, with its minimal case, shows the bug."""
        if row["name"] not in (self.name, *self.names) or row["kind"] not in self.kinds or not isinstance(case, Case):
            return False
        modes = {mode.partition("@")[0] for mode in row["modes"]}
        met = list_conditions(case, row.get("symptom", ""))
        return (not self.modes or not modes.isdisjoint(self.modes)) and all(_is_met(need, met) for need in self.needs)


def load_reported(path: Path = TABLE) -> list[ReportedBug]:
    """Return the bugs of a table."""
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["bug"]
    return [ReportedBug(**{key: _freeze(value) for key, value in row.items()}) for row in rows]


def _freeze(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def list_conditions(case: Case, symptom: str = "") -> frozenset[str]:
    """Return all conditions that a case meets."""
    met = set(list_features(case)) | {f"keyword {key}" for call in case.calls() for key in call.kwargs}
    operands = [value for value in case.leaves() if not isinstance(value, bool) and _is_numeric(value)]
    for operand in operands:
        met.update(_describe(operand))
    if len({one.shape for one in operands if isinstance(one, np.ndarray) and one.ndim}) > 1:
        met.add("broadcast")
    return frozenset(met | ({f"symptom {symptom}"} if symptom else set()))


def _is_met(need: str, met: frozenset[str]) -> bool:
    return any(fnmatchcase(one, pattern.strip()) for pattern in need.split("|") for one in met)


def _is_numeric(value: Any) -> bool:
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.newbyteorder("=") == BFLOAT16 or kind(value.dtype) in "biufc"
    return isinstance(value, int | float | complex)


def _describe(operand: Any) -> Iterator[str]:
    if isinstance(operand, np.ndarray | np.generic):
        sort = kind(operand.dtype)
        yield WORDS.get(sort) or FLOATS.get(operand.dtype.itemsize, "")
    if not np.ndim(operand):
        yield "number"
    array = np.asarray(operand)
    yield from _describe_elements(array if array.dtype.kind in "biufc" else array.astype(np.float64))


def _describe_elements(array: np.ndarray) -> Iterator[str]:
    parts = (array.real, array.imag) if array.dtype.kind == "c" else (array,)
    tests = {
        "empty": not array.size,
        "nan": np.isnan(array).any(),
        "infinity": any(np.isposinf(part).any() for part in parts),
        "-infinity": any(np.isneginf(part).any() for part in parts),
        "negative": any((part < 0).any() for part in parts),
        "negative zero": any(((part == 0) & np.signbit(part.astype(np.float64))).any() for part in parts),
        "zero": (array == 0).any(),
        "zeros": array.ndim and array.size and (array == 0).all(),
        "equal elements": array.size and (array == array.flat[0]).all(),
        "large number": any((np.abs(part.astype(np.float64)) > LARGE).any() for part in parts),
        "over 300": array.dtype.kind in "iu" and (np.abs(array.astype(np.float64)) > BIG_OPTION).any(),
    }
    yield from (name for name, is_so in tests.items() if is_so)
    if array.ndim == 2 and array.shape[0] == array.shape[1] and (array != array.conj().T).any():
        yield "asymmetric"


def find_shown(
    bugs: Sequence[ReportedBug], rows: Sequence[tuple[Mapping[str, Any], Case]]
) -> dict[ReportedBug, list[str]]:
    """Return, for each bug, the ids of the findings that show it."""
    return {bug: [row["id"] for row, case in rows if bug.is_shown(row, case)] for bug in bugs}
