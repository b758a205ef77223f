"""Classes of arguments: each holds where it should."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fuzz.generate.argument_classes import array_classes, scalar_classes

REVERSED = ("not contiguous", "negative strides")
OF_MATRICES = {"stacked", "not finite", "rectangular", "singular", "ill-conditioned", "symmetric"}


@pytest.mark.parametrize(
    ("array", "classes"),
    [
        (np.zeros((0, 3)), {"empty", "rank 2"}),
        (np.array(-0.0), {"one element", "rank 0", "dtype kind f", "negative zero"}),
        (np.array([1, 2, 2]), {"2 to 8 elements", "rank 1", "dtype kind i", "ties", "sorted"}),
        (np.array([math.nan, math.nan]), {"2 to 8 elements", "rank 1", "dtype kind f", "nan", "all nan"}),
        (np.array(5e-324), {"one element", "rank 0", "dtype kind f", "subnormal", "fractional"}),
        (np.array([-math.inf, 1.0]), {"2 to 8 elements", "rank 1", "dtype kind f", "-infinity", "negative"}),
        (np.array([1e300, 1.0]), {"2 to 8 elements", "rank 1", "dtype kind f", "large"}),
        (np.array(["a"] * 70), {"65 to 1,000 elements", "rank 1", "dtype kind U"}),
        (np.array(["b", "a"])[::-1], {"2 to 8 elements", "rank 1", "dtype kind U", *REVERSED}),
    ],
)  # fmt: skip
def test_an_array_is_in_its_classes(array, classes):
    assert set(array_classes(array)) == classes


@pytest.mark.parametrize(
    ("matrix", "classes"),
    [
        (np.ones((2, 2)), {"singular", "symmetric"}),
        (np.diag([1.0, 1e-9]), {"ill-conditioned", "symmetric"}),
        (np.array([[1.0, math.nan], [0.0, 1.0]]), {"not finite"}),
        (np.ones((3, 2, 3)), {"stacked", "rectangular"}),
        (np.array([[1.0, 2.0], [0.0, 1.0]]), set()),
    ],
)
def test_a_matrix_is_in_its_classes(matrix, classes):
    assert set(array_classes(matrix, is_matrix=True)) & OF_MATRICES == classes


@pytest.mark.parametrize(
    ("value", "classes"),
    [
        (0.0, {"Python float", "Python 0.0"}),
        (-0.0, {"Python float", "Python -0.0"}),
        (-3, {"Python int", "negative scalar"}),
        (np.float32(2), {"NumPy scalar"}),
        (True, set()),
        (math.nan, {"Python float", "Python nan"}),
    ],
)
def test_a_number_is_in_its_classes(value, classes):
    assert set(scalar_classes(value)) == classes
