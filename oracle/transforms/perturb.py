"""Perturbation: NumPy's outcome for inputs that change by a rounding error."""

from __future__ import annotations

import cmath
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.polynomial import polyutils

from oracle.case.layout import copy_array
from oracle.case.model import Case
from oracle.reference import bfloat16
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.dtypes import EPSILON, WIDER, is_inexact
from oracle.reference.memory_safety import is_memory_unsafe
from oracle.reference.outcome import (
    Outcome,
    adapt_to_bfloat16,
    bind_arguments,
    copy_for_numpy,
    depends_on_layout,
    find_in_numpy,
    run_copied,
)
from oracle.reference.polynomials import list_parts, mixes_with_ones, replace_coefficients, to_floating


def move(
    case: Case, epsilon: float, seeds: Iterable[int], is_sum: Callable[[str], bool] = lambda name: False
) -> list[Outcome]:
    """Return NumPy's outcomes when every floating number changes by about `epsilon` times its magnitude, in a direction
    that each seed decides: inputs, and the results of a program's inner calls. Zeros that sums give change their sign.

    If NumPy rejects those, as a quantile above 1, all move towards zero, or away from it.
    """
    mapped = _with_domain_of_roots(case)
    floating = to_floating(mapped)
    if is_memory_unsafe(floating):
        return [Outcome(kind="unsupported") for _ in seeds]
    zeros, reads_layout = _size_of_zeros(case.name), depends_on_layout(floating)
    look_up = adapt_to_bfloat16(find_in_numpy) if bfloat16.concerns(floating) else find_in_numpy
    is_program = len(case.calls()) > 1

    def run(seed: int, direction: float | None) -> Outcome:
        shake = Shake(epsilon, seed, zeros, direction)
        other = _with_points(mapped, floating.map_leaves(shake.array, shake.other))
        find = partial(_find_shaken, shake, look_up, is_sum) if is_program else look_up
        outcome = run_copied(copy_for_numpy(other) if reads_layout else other, find)
        if mapped is not case and outcome.ok:
            outcome.value["domain"] = np.array(mapped.kwargs["domain"])
        return outcome

    outcomes = []
    for seed in seeds:
        outcome = run(seed, None)
        for direction in (-1.0, 1.0):
            if outcome.kind == "ok":
                break
            outcome = run(seed, direction)
        outcomes.append(outcome)
    return outcomes


def _find_shaken(shake: Shake, find: Callable[[str], Any], is_sum: Callable[[str], bool], name: str) -> Any:
    """Return NumPy's object for a name; of a function, one that changes the results."""
    function = find(name)
    if not callable(function):
        return function
    turn = shake.turn_zeros if is_sum(name) else lambda value: value
    return lambda *args, **kwargs: shake.result(turn(function(*args, **kwargs)))


def _with_domain_of_roots(case: Case) -> Case:
    """Return the case with the domain that `fromroots` finds by itself: its ends map to exact numbers, which do not
    move unless the domain does.
    """
    finds_domain = OF_ROOTS.fullmatch(case.name) and case.kwargs.get("domain", ()) is None
    roots = bind_arguments(case).get("roots") if finds_domain else None
    if not isinstance(roots, np.ndarray) or roots.ndim != 1 or not roots.size or roots.dtype.kind not in "iuf":
        return case
    return Case(case.name, case.args, {**case.kwargs, "domain": polyutils.getdomain(roots + 0.0).tolist()})


OF_ROOTS = re.compile(r"polynomial\.[A-Z]\w+\.fromroots")


def _with_points(case: Case, moved: Case) -> Case:
    """Return the moved case in which each domain or window that was a single point is one again."""
    points = {key: case.kwargs[key] for key in ("domain", "window") if _is_point(case.kwargs.get(key))}
    return Case(moved.name, moved.args, {**moved.kwargs, **points}) if points else moved


def _is_point(value: Any) -> bool:
    return isinstance(value, (list, tuple, np.ndarray)) and len(value) == 2 and bool(value[0] == value[1])


def _size_of_zeros(name: str) -> Callable[[np.ndarray], float] | None:
    """Return the magnitude by which zeros move; None if they do not.

    They do where results are operands again, or are rounded together with others.
    """
    if mixes_with_ones(name):
        return lambda array: float(np.abs(array.flat[-1])) if array.size else 1.0
    return (lambda _: 1.0) if name.endswith(".at") else None


class Shake:
    """Small random changes of numbers, from a seed. Zeros change as if they had magnitude `zeros`. With `direction`,
    all real numbers change in it, by up to `epsilon`.
    """

    def __init__(
        self,
        epsilon: float,
        seed: int,
        zeros: Callable[[np.ndarray], float] | None = None,
        direction: float | None = None,
    ) -> None:
        self.epsilon, self.random, self.zeros = epsilon, np.random.default_rng(seed), zeros
        self.directions = [-1.0, 1.0] if direction is None else [0.0, direction]

    def array(self, array: np.ndarray) -> np.ndarray:
        """Return a copy with every element changed; of integers, those that are rounded on conversion to floats."""
        if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
            steps = (array.astype(float) * 2.0**-52 * self.random.integers(0, 2, array.shape)).astype(array.dtype)
            return (array - steps).astype(array.dtype)
        if not is_inexact(array.dtype):
            return copy_array(array)
        if array.dtype.kind == "c":
            directions = np.exp(2j * np.pi * self.random.random(array.shape))
        else:
            directions = self.random.choice(self.directions, array.shape)
        upcast = array.astype(
            WIDER.get(array.dtype.newbyteorder("="), array.dtype) if array.dtype != BFLOAT16 else float
        )
        epsilon = max(
            self.epsilon, EPSILON.get(array.dtype.newbyteorder("="), 0) if array.dtype != BFLOAT16 else 2.0**-7
        )
        if self.zeros is not None:
            upcast = np.where(upcast == 0, epsilon * directions * self.zeros(upcast), upcast)
        moved = upcast * (1 + epsilon * directions)
        if array.dtype.kind == "c":  # infinity times a complex number has nan for a part
            moved = np.where(np.isfinite(upcast), moved, upcast)
        return moved.astype(array.dtype)

    def other(self, value: Any) -> Any:
        """Return an argument that is not an array, changed if it is a number."""
        if type(value) is float:
            return value * (1 + self.epsilon * float(self.random.choice(self.directions)))
        if type(value) is complex:
            return value * (1 + self.epsilon * cmath.exp(2j * cmath.pi * self.random.random()))
        if isinstance(value, np.generic) and is_inexact(value.dtype):
            return self.array(np.asarray(value))[()]
        return value

    def turn_zeros(self, value: Any) -> Any:
        """Return the result of a sum with some zeros negated: a sum of zeros has either sign."""
        if not isinstance(value, np.ndarray | np.floating) or not is_inexact(value.dtype) or value.dtype.kind == "c":
            return value
        turned = np.where((value == 0) & (self.random.random(value.shape) < 0.5), -value, value)
        return turned if isinstance(value, np.ndarray) else value.dtype.type(turned)

    def result(self, value: Any) -> Any:
        """Return the result of an inner call, changed."""
        if isinstance(value, np.ndarray):
            return self.array(value)
        if type(value) in (tuple, list):
            return type(value)([self.result(item) for item in value])
        return self.other(value) if list_parts(value) is None else replace_coefficients(value, self.array(value.coef))
