"""Deviations of two arrays have names, and subnormal numbers may be zeros."""

from __future__ import annotations

import numpy as np
import pytest

from oracle.ops.numeric import find_deviation


@pytest.mark.parametrize(
    ("expected", "actual", "symptom"),
    [
        ([1.0], [np.nan], "nan for a number"),
        ([np.nan], [1.0], "a number for nan"),
        ([np.inf], [1.0], "a number for an infinity"),
        ([0.0], [-0.0], "sign of zero"),
        ([1.0], [0.0], "zero for a number"),
        ([1.0], [1.0 + 2**-52], "rounding"),
        ([1.0], [1.0 + 2**-45], "inaccurate"),
        ([1.0], [2.0], "another number"),
        ([1], [2], "another integer"),
        ([True], [False], "another bool"),
        ([[1.0]], [1.0], "shape"),
    ],
)
def test_deviations_have_names(expected, actual, symptom):
    assert find_deviation(np.array(expected), np.array(actual)).symptom == symptom
    assert find_deviation(np.array(expected), np.array(expected)) is None


def test_subnormal_numbers_may_be_zeros_but_zeros_keep_their_sign():
    assert find_deviation(np.array([1e-310]), np.array([0.0])) is None
    assert find_deviation(np.array([1e-310]), np.array([0.0]), flushes=False) is not None
    assert find_deviation(np.array([0.0]), np.array([-0.0])) is not None
