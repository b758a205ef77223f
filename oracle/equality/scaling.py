"""Scale groups: which axes of a result belong to one problem, and so share one scale of errors."""

from __future__ import annotations

import operator

import numpy as np

from oracle.case.model import Case
from oracle.equality.matrix_perturbation import FACTORED
from oracle.inventory import NAMES
from oracle.reference.outcome import bind_arguments

TRANSFORMS = tuple(name for name in NAMES if name.startswith("fft.") and not name.endswith(("freq", "shift")))
"""The Fourier transforms."""

STACKED = FACTORED - {"linalg.lstsq", "linalg.norm", "linalg.tensorinv", "linalg.tensorsolve"}
"""Functions that take a stack of matrices, each a problem of its own."""


def axes(case: Case, rank: int) -> tuple[int, ...]:
    """Return the axes of a result of this rank along which its numbers are one problem's: all, but of stacks and of
    Fourier transforms of several rows.
    """
    if len(case.calls()) == 1 and case.name in STACKED:
        return tuple(range(_stack_rank(case), rank))
    if len(case.calls()) == 1 and case.name in TRANSFORMS:
        return _find_axes(case, rank)
    return tuple(range(rank))


def _stack_rank(case: Case) -> int:
    """Return how many dimensions count matrices."""
    operands = [
        *case.args[: 2 if case.name == "linalg.solve" else 1],
        *(case.kwargs.get(name) for name in ("a", "A", "b")),
    ]
    return max(0, *(np.ndim(value) - 2 for value in operands))


def _find_axes(case: Case, rank: int) -> tuple[int, ...]:
    arguments = bind_arguments(case)
    chosen = arguments.get("axes", arguments.get("axis"))
    if chosen is None:
        chosen = range(-(rank if arguments.get("s") is None else len(arguments["s"])), 0)
    return tuple({operator.index(axis) % rank for axis in np.atleast_1d(chosen)})
