"""The example that writes to its arrays: in every mode against NumPy, and its gradients against differences."""

from __future__ import annotations

import functools

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np
from tests.examples.programs import compare, load

INITIAL = numpy.random.default_rng(7).random(9)
OPTIONS = {"rate": 0.3, "steps": 4}
MODES = {
    "eager": lambda function: function,
    "graph": tf.function,
    "xla": functools.partial(tf.function, jit_compile=True),
}


@pytest.mark.parametrize("mode", MODES)
def test_the_solver_does_what_numpy_does(mode):
    expected = load("inplace_solver", numpy).diffuse(INITIAL, **OPTIONS)
    solve = functools.partial(load("inplace_solver", np).diffuse, **OPTIONS)
    initial = np.array(INITIAL)
    compare(expected, MODES[mode](solve)(initial))
    assert initial.tolist() == INITIAL.tolist()


def test_the_solver_takes_any_length():
    solve = functools.partial(load("inplace_solver", np).diffuse, **OPTIONS)
    traced = tf.function(solve, input_signature=[np.ArraySpec([None], "float64")])
    for length in (4, 9):
        expected = load("inplace_solver", numpy).diffuse(INITIAL[:length], **OPTIONS)
        compare(expected, traced(np.array(INITIAL[:length])))


def test_the_gradient_is_that_of_the_solver():
    solver = load("inplace_solver", numpy)
    h = 1e-6
    slopes = [
        (solver.diffuse(INITIAL + h * unit, **OPTIONS)[4] - solver.diffuse(INITIAL - h * unit, **OPTIONS)[4]) / (2 * h)
        for unit in numpy.eye(9)
    ]
    found = load("inplace_solver", np).influence(np.array(INITIAL), 4, **OPTIONS)
    numpy.testing.assert_allclose(found, slopes, atol=1e-8)
