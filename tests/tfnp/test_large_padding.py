"""Padding of large arrays, which copies them and gathers the padding alone: equality with NumPy, in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import take_gradient
from tests.tfnp.test_large_arrays import all_ops, check_same, run_everywhere, vector

MODES = ["edge", "wrap", "reflect", "symmetric"]
WIDTHS = [5, (0, 3), (4, 0), ((2, 3), (70, 150)), ((90, 41), (0, 0)), 0]


@pytest.mark.sample(23)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("width", WIDTHS, ids=str)
def test_modes_that_repeat_elements(mode: str, width: Any) -> None:
    for shape in ((1, 5000), (5000, 1), (40, 120), (64, 64)):  # the width is above some of the lengths
        array = vector(int(np.prod(shape)), "d").reshape(shape)
        check_same("pad", array, width, mode)


@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefdFD"])
def test_every_dtype(dtype: str) -> None:
    array = vector(5000, dtype)
    if dtype in "efdFD":
        array[[0, 3, -2]] = -0.0, np.nan, np.inf
    for mode in MODES:
        expected = np.pad(array, (4, 7000), mode)
        actual = tfnp.pad(tf.constant(array), (4, 7000), mode).numpy()
        assert actual.dtype == expected.dtype
        assert actual.tobytes() == expected.tobytes()  # -0.0, too


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", [*MODES, "median", "maximum"])
def test_graphs(mode: str) -> None:
    array = vector(4800, "d").reshape(40, 120)
    for result in run_everywhere(lambda x: tfnp.pad(x, ((3, 50), (0, 7)), mode), array):
        np.testing.assert_array_equal(result, np.pad(array, ((3, 50), (0, 7)), mode))


def test_graphs_hold_no_index_of_each_element() -> None:
    """The positions of the padding are constants of the graph; those of all elements would be as large as the array."""
    graph = tf.function(lambda x: tfnp.pad(x, 9, "wrap"), autograph=False)
    spec = tf.TensorSpec([10**6], tf.float64)
    constants = [op for op in all_ops(graph.get_concrete_function(spec).graph) if op.type == "Const"]
    assert max(op.outputs[0].shape.num_elements() for op in constants) <= 18


@pytest.mark.parametrize("mode", MODES)
def test_gradients(mode: str) -> None:
    """Each element's gradient counts how often it appears."""
    slope = take_gradient(lambda x: tfnp.pad(x, (3, 12000), mode), tf.constant(vector(5000, "d")))
    appearances = np.bincount(np.pad(np.arange(5000), (3, 12000), mode))
    np.testing.assert_array_equal(tf.convert_to_tensor(slope), appearances)
