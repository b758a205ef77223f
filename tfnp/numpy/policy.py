"""The policy that says whether TensorFlow or NumPy calculates in eager mode."""

from __future__ import annotations

import os
from collections import Counter
from types import TracebackType
from typing import Any, Final, Literal

Mode = Literal["auto", "tensorflow", "numpy"]
LostGradients = Literal["warn", "raise", "ignore"]
_MODES: Final = ("auto", "tensorflow", "numpy")
_LOST_GRADIENTS: Final = ("warn", "raise", "ignore")

SCALARS: Final = -1
"""The limit of functions that NumPy calculates for numbers alone."""
SMALL: Final = 1 << 15
"""The limit of functions that take NumPy less time than TensorFlow up to this number of elements, and for any number
where an array has no tensor.

With copies, of 10**6 float64 on two busy cores, in NumPy's times: `sum`, `max` and `mean` 2.5, `sqrt`, `exp`, `clip`
and `tanh` 8, `where` 4, `concatenate` 13, `A @ v` 4, `A.T @ v` 18; `unique` and `nonzero` 0.8.
"""
ANY: Final = float("inf")
"""The limit of functions that take TensorFlow many times longer, or whose results programs expect from LAPACK.

Of 10**6 float64, in NumPy's times: `sort` 23, `partition` 10, `isin` 9, `argmax` and `interp` 8, `argsort` 5,
`bincount` 4, `take` 3 to 26 by dtype.
"""


class Policy:
    """The policy in force: asked once a call.

    `uses_numpy` is False for the policy "tensorflow"; `is_always` is True for "numpy", which has no limits of size.
    `counts` counts the calls that NumPy calculates, by name and reason, while it is not None.
    """

    mode: Mode = "auto"
    uses_numpy = True
    is_always = False
    lost_gradients: LostGradients = "warn"
    counts: Counter[tuple[str, str]] | None = None


class calculate_with:  # noqa: N801 - called as a function
    """Choose who calculates in eager mode, from now on or in a `with` block.

    By "auto", NumPy calculates where all arrays of a call are in the processor's memory, no gradient is recorded, and
    it takes less time than TensorFlow: with numbers alone, with small arrays, with arrays that would have to be copied
    to a tensor, and what takes TensorFlow many times longer. By "tensorflow", TensorFlow calculates all that it can; by
    "numpy", NumPy all that has no gradient, for any number of elements. Graphs are TensorFlow's. The environment
    variable TFNP_NUMPY has the policy at the start.

    `lost_gradients` says what happens where a number or NumPy's array is made of an array that a tape watches, as by
    `float(x)` and `math.sqrt(x)`: a warning, once for each line, a TypeError, or nothing. It stays if it is None.

    Raise ValueError for another policy.
    """

    def __init__(self, mode: Mode, *, lost_gradients: LostGradients | None = None) -> None:
        _check("the policy", mode, _MODES)
        _check("lost_gradients", lost_gradients, (None, *_LOST_GRADIENTS))
        self._before = Policy.mode, Policy.lost_gradients
        _set(mode, lost_gradients or Policy.lost_gradients)

    def __enter__(self) -> None:
        """Do nothing: the policy is in force already."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _set(*self._before)


def _check(name: str, value: str | None, values: tuple[Any, ...]) -> None:
    if value not in values:
        raise ValueError(f"{name} must be one of {', '.join(map(str, values))}, not {value!r}")


def _set(mode: Mode, lost_gradients: LostGradients) -> None:
    Policy.lost_gradients = lost_gradients
    Policy.mode, Policy.uses_numpy, Policy.is_always = mode, mode != "tensorflow", mode == "numpy"


def count(name: Any, reason: str) -> None:
    """Count a call that NumPy calculates."""
    if Policy.counts is not None:
        Policy.counts[str(name), reason] += 1


_initial: Any = os.environ.get("TFNP_NUMPY", "auto")
_check("TFNP_NUMPY", _initial, _MODES)
_set(_initial, "warn")
