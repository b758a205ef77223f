"""Where a number or NumPy's array is made of an array that a tape watches, a warning or an error says so."""

from __future__ import annotations

import cmath
import math
import warnings

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np
from tfnp.numpy.lost_gradients import LostGradientWarning

CONVERSIONS = {
    "float": float,
    "math": math.sqrt,
    "cmath": cmath.sqrt,
    "item": lambda x: x.item(),
    "float64": numpy.float64,
    "asarray": numpy.asarray,
}


@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions_warn_at_the_line_of_the_caller(name):
    x = np.array(4.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.warns(LostGradientWarning, match="loses the gradient") as caught:
            CONVERSIONS[name](x * 2)
        with np.calculate_with("auto", lost_gradients="raise"), pytest.raises(TypeError, match="loses the gradient"):
            x.item()
    assert {warning.filename for warning in caught} == {__file__}


@pytest.mark.parametrize("name", CONVERSIONS)
def test_what_has_no_gradient_does_not_warn(name):
    x = np.array(4.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CONVERSIONS[name](x)
        with tf.GradientTape() as tape:
            CONVERSIONS[name](x * 2)
            tape.watch(x)
            assert f"{x} {x!r} {bool(x)} {len(x[None])}" == "4.0 array(4.) True 1"
            with np.calculate_with("auto", lost_gradients="ignore"):
                CONVERSIONS[name](x * 2)
        CONVERSIONS[name](x * 2)


def test_other_values_are_errors():
    with pytest.raises(ValueError, match="warn, raise, ignore"):
        np.calculate_with("auto", lost_gradients="print")
