"""Differences, slopes, areas."""

from __future__ import annotations

from tests.tfnp.agreement import agree, array


def test_widths_are_taken_along_the_axis():
    x = array(3, 4) * 0.5
    for axis in (0, 1):
        agree("trapezoid", array(3, 4) ** 2, x, axis=axis, modes=("eager",))
