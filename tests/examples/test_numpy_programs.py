"""The examples as NumPy programs, on `tfnp.numpy`: each function in every mode against NumPy."""

from __future__ import annotations

import functools

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np
from tests.examples.programs import compare, load
from tests.examples.test_examples import CALLS

RNG = numpy.random.default_rng(3)
ARGUMENTS = {
    "solve": (RNG.random((3, 3)) + 3 * numpy.eye(3), RNG.random(3)),
    "clip_softly": (RNG.standard_normal((4, 5)) * 3, numpy.float64(0.25)),
    "make_board": (),
}
MODES = {
    "eager": lambda function: function,
    "graph": tf.function,
    "xla": functools.partial(tf.function, jit_compile=True),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ARGUMENTS)
def test_the_program_does_what_numpy_does(name, mode):
    options = {"size": 5} if name == "make_board" else {}
    expected = getattr(load("numpy_programs", numpy), name)(*ARGUMENTS[name], **options)
    arguments = [np.array(argument) for argument in ARGUMENTS[name]]
    run = MODES[mode](functools.partial(getattr(load("numpy_programs", np), name), **options))
    compare(expected, run(*arguments))


LISTS = ("kalman_filter", "walk")
"""Functions that append to a list in a loop, which a graph unrolls only if it knows the length."""
PROGRAMS = [(call, mode) for call in CALLS for mode in (*call.modes, *["dims"] * (call.function not in LISTS))]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("call", "mode"),
    [pytest.param(call, mode, id=f"{call.example}-{call.function}-{mode}") for call, mode in PROGRAMS],
)
def test_an_example_is_a_numpy_program(call, mode):
    arrays = call.arrays(numpy.random.default_rng(7))
    expected = getattr(load(call.example, numpy), call.function)(*arrays, **call.options)
    function = functools.partial(getattr(load(call.example, np), call.function), **call.options)
    arguments = tf.nest.map_structure(np.array, arrays)
    if mode == "dims":
        specs = tf.nest.map_structure(describe, arrays)
        run = tf.function(function, input_signature=specs)
    else:
        run = MODES[mode](function)
    compare(expected, run(*arguments))


def describe(array):
    """Return the type of an array of which a function knows the rank only."""
    dtype = "string" if array.dtype.kind == "U" else array.dtype
    return np.ArraySpec([None] * array.ndim, dtype)
