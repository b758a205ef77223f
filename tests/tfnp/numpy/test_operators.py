"""Operators in place, and AutoGraph's operators: conditions that are numbers."""

from __future__ import annotations

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np

MODES = {"eager": lambda function: function, "graph": tf.function, "xla": tf.function(jit_compile=True)}
SQUARE = numpy.array([[1.0, 2.0], [3.0, 4.0]])


def multiply(x, y):
    x = x.copy()
    x @= y
    return x


@pytest.mark.parametrize("policy", ["tensorflow", "numpy"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("x", "y"),
    [(SQUARE, SQUARE), (SQUARE[0], SQUARE), (SQUARE, SQUARE[0]), (SQUARE, SQUARE[:, :1]), (SQUARE[0, 0], SQUARE)],
)
def test_products_in_place_keep_the_number_of_dimensions(x, y, mode, policy):
    with np.calculate_with(policy):
        call = MODES[mode](multiply)
        try:
            expected = multiply(x, y)
        except ValueError:
            with pytest.raises(ValueError, match=r"matri|matmul|dimension|broadcast|shape"):
                call(np.array(x), np.array(y))
        else:
            numpy.testing.assert_array_equal(call(np.array(x), np.array(y)), expected)


def subtract_one_if_odd(x):
    total = x.sum()
    if total & 1:
        total -= 1
    return total


def round_up_to_eight(x):
    total = x.sum()
    while total & 7:
        total += 1
    return total


def fill_if_empty(x):
    if not len(x):
        return np.ones(3, int)
    return x[:3] * 2


def add_one_if_no_sum(x):
    return x + 1 if not x.sum() else x


@pytest.mark.parametrize("mode", ["graph", "xla"])
@pytest.mark.parametrize(
    ("function", "values"),
    [
        (subtract_one_if_odd, [[3], [4]]),
        (round_up_to_eight, [[3, 4], [4, 4]]),
        (fill_if_empty, [[], [1, 2, 3]]),
        (add_one_if_no_sum, [[1, -1], [1, 1]]),
    ],
)
def test_numbers_are_conditions_in_graphs(function, values, mode):
    call = MODES[mode](function)
    for value in values:
        x = np.array(value, dtype=int)
        numpy.testing.assert_array_equal(call(x), function(x))


def test_a_length_that_a_graph_does_not_know_is_a_condition():
    call = tf.function(fill_if_empty, input_signature=[np.ArraySpec([None], "int64")])
    for value in ([], [1, 2, 3]):
        x = np.array(value, dtype=int)
        numpy.testing.assert_array_equal(call(x), fill_if_empty(x))


def test_numbers_are_no_conditions_of_tensorflows_operations():
    with pytest.raises((TypeError, ValueError)):
        tf.function(lambda x: tf.logical_not(x.sum()))(np.array([1, 2]))


def test_an_array_that_a_graph_does_not_know_is_formatted_as_its_type():
    texts = []
    tf.function(lambda x: texts.append(f"{x} {x.sum():>30}"))(np.array([1, 2]))
    assert "shape=" in texts[0]
    assert "int64" in texts[0]
    assert f"{np.array([1, 2])} {np.array(2.5):.2f}" == "[1 2] 2.50"
