"""The example of NumPy programs: each function in every mode against NumPy."""

from __future__ import annotations

import functools

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np
from tests.examples.programs import compare, load

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
