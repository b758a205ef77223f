"""The calls that are measured of each name: the plainest that the fuzzer draws, and the same with larger arrays."""

from __future__ import annotations

import numpy as np

from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from oracle import Case, run_numpy

DRAWS = 48
"""How many cases of a name are drawn."""
MOST_BYTES = 1 << 16
COMMON = ("float64", "int64", "float32", "int32", "bool", "complex128")


def select_simplest_cases(name: str) -> list[Case]:
    """Return valid cases of the name, the simplest first; the same every time."""
    found = []
    for seed in range(DRAWS):
        case = draw_case(SeedChoices(seed), name)
        if any(array.size == 0 or array.nbytes > MOST_BYTES for array in case.arrays()):
            continue
        if run_numpy(case).ok:
            found.append((_weigh(case), seed, case))
    return [case for *_, case in sorted(found, key=lambda entry: entry[:2])]


def _weigh(case: Case) -> tuple[int, ...]:
    """Return a sort key: how far a case is from a typical call, with arrays rather than scalars, few options, common
    dtypes.
    """
    arrays = case.arrays()
    return (
        not any(array.size > 1 for array in arrays),
        sum(isinstance(value, list) for value in (*case.args, *case.kwargs.values())),
        len(case.kwargs),
        sum(array.ndim == 0 for array in arrays),
        sum(COMMON.index(array.dtype.name) if array.dtype.name in COMMON else len(COMMON) for array in arrays),
        sum(array.ndim for array in arrays),
    )


def grow(case: Case, elements: int) -> Case | None:
    """Return the case with all arrays repeated along their axes, until the largest has about so many elements; None if
    nothing grows, or NumPy refuses it then.
    """
    largest = max(case.arrays(), key=lambda array: array.size, default=None)
    if largest is None or not largest.ndim:
        return None
    factor = max(round((elements / largest.size) ** (1 / largest.ndim)), 1)
    grown = case.map_arrays(lambda array: np.tile(array, (factor,) * array.ndim) if array.ndim else array)
    return grown if run_numpy(grown).ok else None
