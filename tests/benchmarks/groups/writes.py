"""What it costs to write to arrays of `tfnp.numpy`, which change as NumPy's do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tfnp.numpy
from tests.benchmarks.measurement import Group, Row


def rows(n: int) -> Iterator[Row]:
    """Each row writes the same values again and again, so that all rounds write as much."""
    rng = np.random.default_rng(0)
    large, mask = rng.standard_normal(n), rng.random(n) < 0.5

    def write_slice(x: Any, _: Any) -> Any:
        x[1:3] = 1.0
        return x

    def write_masked(x: Any, where: Any) -> Any:
        x[where] = 0.0
        return x

    def add_in_place(x: Any, zeros: Any) -> Any:
        x += zeros
        return x

    yield compare("x[1:3] = 1.0, 8 elements", write_slice, np.zeros(8), mask)
    yield compare("x[mask] = 0.0", write_masked, large, mask)
    yield compare("x += y", add_in_place, large, np.zeros(n))


def compare(name: str, write: Callable[[Any, Any], Any], array: np.ndarray, operand: np.ndarray) -> Row:
    """Return a row of a function that changes its first argument, and returns it."""
    x, y, a = tfnp.numpy.array(array), tfnp.numpy.array(operand), array.copy()
    return Row(name, {"tfnp.numpy": lambda: write(x, y), "numpy": lambda: write(a, operand)}, "Writes")


GROUP = Group(
    "Writing to arrays",
    "Programs of `tfnp.numpy` that write to an array, on a million elements where nothing else is said.",
    rows,
)
