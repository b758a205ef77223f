"""Uninitialised elements: a mask of those that NumPy promises; others are what was in memory."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from oracle.accepted_differences.model import Query
from oracle.case.model import Case
from oracle.equality import table
from oracle.inventory import FACTS
from oracle.reference.outcome import Outcome, bind_arguments, overlaps, run_numpy, ufunc_inputs


def leaves_elements_open(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy leaves elements of the result uninitialised."""
    if not expected.ok:
        return False
    rules = [table.relation_of(call.name).rule for call in case.calls()]
    return ("shape" in rules and not case.name.startswith("random.")) or mask_of_promised(case, ()) is not None


def are_unspecified(query: Query) -> np.ndarray | bool:
    """Return which elements NumPy does not specify."""
    wrong = query.deviation.wrong
    if wrong is None:
        return False
    if table.relation_of(query.case.name).rule == "shape":
        return np.ones(wrong.shape, bool)
    promised = mask_of_promised(query.case, wrong.shape)
    return False if promised is None else ~np.broadcast_to(promised, wrong.shape)


def mask_of_promised(case: Case, shape: tuple[int, ...]) -> np.ndarray | None:
    """Return which elements NumPy promises; None where it promises all. What a ufunc leaves out by `where=`, it leaves
    uninitialised if it was given no `out=`, and so does `empty`; so are real signals made of no Fourier coefficients,
    and bits unpacked from no bytes.
    """
    calls = case.calls()
    if overlaps(calls) or any(map(_has_no_coefficients, calls)) or any(map(_has_no_bytes, calls)):
        return np.zeros(shape, bool)
    if any(_leaves_gaps(call) or table.relation_of(call.name).rule == "shape" for call in calls[:-1]):
        return np.zeros(shape, bool)
    if case.name == "fromstring" and isinstance(sep := case.kwargs.get("sep"), str) and sep:
        return np.arange(sum(shape)) < _count_read(case)
    if _leaves_gaps(case):
        chosen = case.kwargs["where"]
        if isinstance(chosen, Case):
            return np.zeros(shape, bool)
        try:
            mask = np.asarray(chosen, bool)
        except (TypeError, ValueError):  # which is an error of the call, too
            return None
        return np.broadcast_to(mask, shape or mask.shape)  # of an error there is no shape
    return None


def _count_read(case: Case) -> int:
    """Return how many numbers a text has: of others that were asked for, NumPy leaves what was in memory."""
    options = {name: value for name, value in case.kwargs.items() if name != "count"}
    outcome = run_numpy(Case(case.name, case.args[:2], options))
    return np.size(outcome.value) if outcome.ok else sys.maxsize


TO_REAL = FACTS["numpy"]["inverse_real_transforms"]


def _has_no_coefficients(call: Case) -> bool:
    array = call.args[0] if call.args else call.kwargs.get("a")
    if call.name in TO_REAL and isinstance(array, Case):
        array = run_numpy(array).value
    if call.name not in TO_REAL or not isinstance(array, (np.ndarray, list, tuple)):
        return False
    try:
        return np.size(array) == 0
    except ValueError:  # of rows of different lengths, an error of the call, too
        return False


def _has_no_bytes(call: Case) -> bool:
    """Return whether bits are unpacked from rows without a byte: NumPy pads others with zeros up to `count`."""
    if call.name != "unpackbits":
        return False
    arguments = bind_arguments(call, programs=True)
    array: Any = arguments.get("a")
    if isinstance(array, Case):
        array = run_numpy(array).value
    axis = arguments.get("axis")
    try:
        shape = np.shape(array)
        return (math.prod(shape) if axis is None else shape[axis]) == 0
    except (IndexError, TypeError, ValueError):  # which is an error of the call, too
        return False


def _leaves_gaps(case: Case) -> bool:
    count = ufunc_inputs(case.name)
    if count is None or case.kwargs.get("where", True) is True:
        return False
    out = case.kwargs.get("out")
    return (out is None or out is Ellipsis) and len(case.args) <= count
