"""Classes of arguments: each holds where it should, and a plant puts an array into its class."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from fuzz.generate.argument_classes import MATRIX_PLANTS, PLANTS, array_classes, scalar_classes
from fuzz.generate.arrays import kind

REVERSED = ("not contiguous", "negative strides")
ARRAYS = [
    np.array([[2.0, 3.0], [5.0, 7.0]], np.float32),
    np.array([[2, 3], [5, 7]], np.int8),
    np.array([[2, 3], [5, 7]], np.uint64),
    np.array([[2 + 1j, 3], [5, 7]], np.complex128),
    np.array([[2.0, 3.0], [5.0, 7.0]], ml_dtypes.bfloat16),
    np.array([["a", "b"], ["c", "d"]]),
]


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
    assert set(array_classes(matrix, is_matrix=True)) & MATRIX_PLANTS.keys() == classes


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


@pytest.mark.parametrize("missing", [*PLANTS, *MATRIX_PLANTS])
def test_a_plant_puts_an_array_into_its_class(missing):
    fitting, plant = (PLANTS | MATRIX_PLANTS)[missing]
    hosts = [array for array in ARRAYS if kind(array.dtype) in fitting]
    if missing == "byte-swapped":
        hosts = [array for array in hosts if array.dtype.newbyteorder() != array.dtype]
    assert hosts
    for array in hosts:
        assert missing in array_classes(plant(array.copy()), is_matrix=True), array.dtype


def test_a_plant_leaves_its_array_as_it_was():
    for array in ARRAYS:
        before = array.copy()
        for fitting, plant in PLANTS.values():
            if kind(array.dtype) in fitting:
                plant(array)
        assert (array == before).all()
        assert array.flags.writeable
