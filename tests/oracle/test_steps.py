"""Functions applied to one element several times: as far from NumPy's answer as its steps let it, and no farther."""

from __future__ import annotations

import numpy as np
import pytest

from oracle.steps import are_near


@pytest.mark.parametrize(
    ("ufunc", "start", "times", "apart", "is_right"),
    [
        (np.exp, -2.0, 5, 1e-5, True),
        (np.exp, -2.0, 5, 1e-3, False),
        (np.exp, -2.0, 1, 1e-5, False),
        (np.sqrt, 16.0, 3, 1e-5, False),
        (np.cos, 1.0, 40, 1e-7, True),
        (np.cos, 1.0, 40, 1e-4, False),
    ],
)
def test_steps_enlarge_what_is_allowed(ufunc, start, times, apart, is_right):
    array, indices = np.array([start], np.float32), np.zeros(times, int)
    expected = array.copy()
    ufunc.at(expected, indices)
    actual = expected * np.float32(1 + apart)
    assert are_near(ufunc, {"a": array, "indices": indices}, expected, actual) == is_right
