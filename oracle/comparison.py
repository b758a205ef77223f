"""How an outcome departs from NumPy's: status, error class, structure, dtype, shape, value, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from oracle.case import Case
from oracle.modes import Mode
from oracle.outcome import Outcome

KINDS = (
    "value",
    "dtype",
    "shape",
    "structure",
    "missing error",
    "spurious error",
    "different error",
    "crash",
    "hang",
    "memory",
    "inputs changed",
    "nondeterminism",
    "retrace",
    "static shape",
    "gradient",
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One departure: its kind, the mode that shows it, and what a reader needs to see."""

    kind: str
    mode: Mode
    detail: str

    def __str__(self) -> str:
        return f"{self.kind} in {self.mode}: {self.detail}"


def compare(case: Case, expected: Outcome, actual: Outcome, mode: Mode) -> Difference | None:
    """The first departure of the outcome from NumPy's, if there is one."""
    found = departure(case, expected, actual, mode)
    return None if found is None else Difference(found[0], mode, found[1])


def departure(case: Case, expected: Outcome, actual: Outcome, mode: Mode) -> tuple[str, str] | None:
    """Kind and detail of the first departure."""
    if actual.kind == "unsupported" or expected.kind not in ("ok", "error"):
        return None
    if actual.kind not in ("ok", "error"):
        return actual.kind, str(actual.error or "")
    if expected.error is not None:
        if actual.error is None:
            return "missing error", f"NumPy raises {expected.error}; got {_shown(actual.value)}"
        if actual.error.bases != expected.error.bases:
            return "different error", f"NumPy raises {expected.error}; got {actual.error}"
        return None
    if actual.error is not None:
        return "spurious error", f"{actual.error}; NumPy gives {_shown(expected.value)}"
    found = tree(expected.value, actual.value, "")
    if found is None and expected.after:
        found = tree(expected.after, actual.after, "out")
    return found


def tree(expected: Any, actual: Any, path: str) -> tuple[str, str] | None:
    """Kind and detail of the first departure of one result from another."""
    if isinstance(expected, (np.ndarray, np.generic)):
        if not isinstance(actual, (np.ndarray, np.generic)):
            return "structure", f"{path} expected an array, got {_shown(actual)}".lstrip()
        return leaf(np.asarray(expected), np.asarray(actual), path)
    if isinstance(expected, (tuple, list)):
        if not isinstance(actual, tuple if isinstance(expected, tuple) else list) or len(actual) != len(expected):
            return "structure", f"{path} expected {_shown(expected)}, got {_shown(actual)}".lstrip()
        for i, (left, right) in enumerate(zip(expected, actual, strict=True)):
            found = tree(left, right, f"{path}[{i}]")
            if found is not None:
                return found
        return None
    if type(expected) is not type(actual) and not isinstance(actual, type(expected)):
        return "structure", f"{path} expected {_shown(expected)}, got {_shown(actual)}".lstrip()
    if expected != actual and expected == expected:
        return "value", f"{path} expected {_shown(expected)}, got {_shown(actual)}".lstrip()
    return None


def leaf(expected: np.ndarray, actual: np.ndarray, path: str) -> tuple[str, str] | None:
    """Kind and detail of the first departure of one array from another."""
    if expected.dtype != actual.dtype:
        return "dtype", f"{path} expected {expected.dtype}, got {actual.dtype}".lstrip()
    if expected.shape != actual.shape:
        return "shape", f"{path} expected {expected.shape}, got {actual.shape}".lstrip()
    if expected.tobytes() == actual.tobytes():
        return None
    same = (
        np.isclose(expected, actual, rtol=1e-5, atol=1e-8, equal_nan=True)
        if expected.dtype.kind in "fc"
        else expected == actual
    )
    if same.all():
        return None
    return "value", f"{path} expected {_shown(expected)}, got {_shown(actual)}".lstrip()


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 200 else text[:197] + "..."
