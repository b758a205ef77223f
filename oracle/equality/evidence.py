"""Evidence: NumPy's outcomes for variations of a case (more precise, flushed, perturbed), each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import matrix_perturbation, table
from oracle.equality.forms import to_native
from oracle.reference.dtypes import EPSILON, is_inexact, to_double
from oracle.reference.environments import run_rounded
from oracle.reference.outcome import Outcome, run_numpy
from oracle.transforms import precision

Path = tuple[Any, ...]


def is_like(other: Any, expected: np.ndarray) -> bool:
    return isinstance(other, np.ndarray) and other.shape == expected.shape and other.dtype.kind in "biufcV"


def at(outcome: Outcome, path: Path) -> Any:
    """Return the part of an outcome's value at the path, an array in native byte order; None where there is none."""
    if outcome.kind != "ok":
        return None
    value: Any = (outcome.value, outcome.after)
    try:
        for step in path:
            value = value[step]
    except (LookupError, TypeError):
        return None
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    array = np.asarray(value)
    return array if array.dtype.isnative else to_native(array)


def flat_at(outcome: Outcome, path: Path) -> Any:
    """Return the part at the path with at least one dimension: ufuncs make NumPy scalars of 0-d arrays. Python's
    numbers are arrays, too.
    """
    value = at(outcome, path)
    return np.atleast_1d(value) if isinstance(value, (np.ndarray, bool, int, float, complex)) else value


@dataclass
class Evidence:
    """A case in one mode, and NumPy's outcomes for its variations.

    `compiled` means by XLA; `shapeless` that the subject saw no shapes, `traced` that it saw no values. `precision` is
    the rounding unit in which the subject calculates by design, where NumPy does so more precisely; else 0.
    """

    case: Case
    expected: Outcome
    compiled: bool
    shapeless: bool = False
    traced: bool = False
    precision: float = 0.0

    @cached_property
    def is_program(self) -> bool:
        return len(self.case.calls()) > 1

    @cached_property
    def is_inexact_program(self) -> bool:
        """Return whether inner calls may return values that are not bitwise equal to NumPy's."""
        return any(
            table.relation_of(call.name, kind).rule != "exact" for call in self.case.calls()[:-1] for kind in "fc"
        ) or (self.is_program and table.relation_of(self.case.name).rule not in ("exact", "shape"))

    @cached_property
    def flushed(self) -> Outcome | None:
        """NumPy's outcome for inputs without subnormal numbers; None where there are none to begin with."""
        return run_numpy(precision.flush(self.case)) if precision.has_subnormals(self.case) else None

    @cached_property
    def raised(self) -> Outcome:
        """NumPy's outcome for the smallest normal numbers instead of subnormal ones."""
        return run_numpy(precision.flush(self.case, to_normal=True))

    @cached_property
    def upcast(self) -> Outcome:
        """NumPy's outcome in more precision."""
        elementwise = table.relation_of(self.case.name).rule == "ulps"
        return precision.wider(self.case, integers=elementwise and not self.is_program)

    @cached_property
    def magnitudes(self) -> Outcome:
        """NumPy's outcome in more precision for the sizes of the numbers: the sum of the terms' sizes."""
        return run_numpy(precision.magnitudes(precision.widen(self.case)))

    @cached_property
    def finite_magnitudes(self) -> Outcome:
        """NumPy's outcome for magnitudes, without infinite and nan terms."""
        return run_numpy(precision.magnitudes(precision.widen(self.case), finite=True))

    @cached_property
    def factors(self) -> tuple[Outcome, Outcome]:
        """NumPy's outcomes for the sizes of the large factors alone, and of the small ones."""
        return run_numpy(precision.sizes(self.case, np.maximum)), run_numpy(precision.sizes(self.case, np.minimum))

    @cached_property
    def moved(self) -> list[Outcome]:
        """NumPy's outcomes for perturbed inputs; of a program, for perturbed results of its inner calls too."""
        return self._move_by(table.SEEDS)

    @cached_property
    def moved_again(self) -> list[Outcome]:
        """NumPy's outcomes for further perturbations."""
        return self._move_by(table.MORE_SEEDS)

    def _move_by(self, seeds: tuple[int, ...]) -> list[Outcome]:
        return matrix_perturbation.move(self.case, EPSILON.get(self.working, 2.0**-52), seeds)

    @cached_property
    def rounded(self) -> list[Outcome]:
        """NumPy's outcomes in the directed rounding modes."""
        return run_rounded(self.case)

    @cached_property
    def in_double(self) -> Case:
        """The case in double precision, with floating numbers for integers if NumPy takes them."""
        floats = self.case.map_arrays(lambda array: to_double(array) if is_inexact(array.dtype) else array)
        converted = floats.map_arrays(lambda array: array.astype(float) if array.dtype.kind in "iu" else array)
        return converted if run_numpy(converted).ok else floats

    @cached_property
    def moved_by_precision(self) -> list[Outcome]:
        """NumPy's outcomes in double precision: for the inputs themselves, then for inputs that move by a rounding
        error of the subject's own precision.
        """
        return [run_numpy(self.in_double), *matrix_perturbation.move(self.in_double, self.precision, table.SEEDS)]

    @cached_property
    def working(self) -> np.dtype:
        """The coarsest floating dtype among the inputs, and those asked for."""
        dtypes = [array.dtype for array in self.case.arrays() if array.dtype in EPSILON]
        dtypes += [
            named for named in map(precision.dtype_named, precision.spell_out(self.case).leaves()) if named in EPSILON
        ]
        return max(dtypes, key=EPSILON.__getitem__, default=np.dtype(np.float64))

    @cached_property
    def finite_sum(self) -> Outcome:
        """NumPy's outcome in more precision, without the terms that are infinite or nan."""
        return run_numpy(precision.without_infinities(precision.widen(self.case)))

    def reference(self, path: Path, expected: np.ndarray) -> np.ndarray | None:
        """Return the outcome in higher precision, if there is one."""
        reference = flat_at(self.upcast, path)
        if (
            not isinstance(reference, np.ndarray)
            or reference.shape != expected.shape
            or reference.dtype == expected.dtype
        ):
            return None
        return reference
