"""Elements that are not selected have a gradient of zero: in eager mode, in graphs, under XLA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests import tiers
from tests.tfnp.agreement import take_gradient

MODES = ("eager", "graph", "unknown shapes", "xla")
NAN, INF = np.nan, np.inf
MASK = np.array([False, True, False, True, True])
HALF = np.sqrt(0.5)


class Case(NamedTuple):
    """A function of a vector, elements of the vector, and the gradient of the sum of results."""

    name: str
    function: Callable[[tf.Tensor], Any]
    x: Sequence[complex]
    expected: Sequence[complex]


def masked(name: str, x: Sequence[float], expected: Sequence[float], **options: Any) -> Case:
    return Case(f"{name} with where", lambda x: getattr(tfnp, name)(x, where=MASK, **options), x, expected)


SPOILT = [NAN, 2.0, -INF, 5.0, 3.0]
DEVIATIONS = [0, -4 / 3, 0, 5 / 3, -1 / 3]
CASES = [
    Case("piecewise", lambda x: tfnp.piecewise(x, [x <= 0, x > 0], [0.0, tfnp.sqrt]), [0, 4], [0, 0.25]),
    Case(
        "piecewise of three",
        lambda x: tfnp.piecewise(x, [x < 0, x > 0], [lambda x: tfnp.log(-x), tfnp.log, 2.0]),
        [0, 4, -2],
        [0, 0.25, -0.5],
    ),
    Case(
        "piecewise that selects nothing",
        lambda x: tfnp.piecewise(x, [x < -9, x > 0], [tfnp.sqrt, tfnp.log]),
        [0, 4, -2],
        [0, 0.25, 0],
    ),
    Case("where", lambda x: tfnp.where(x > 0, 3 * x, 1.0), [0, 4, NAN], [0, 3, 0]),
    Case("select", lambda x: tfnp.select([x > 1, x > 0], [3 * x, 2 * x], 5.0), [NAN, 4, -1, 0.5], [0, 3, 0, 2]),
    Case("choose", lambda x: tfnp.choose([0, 1, 0], [x, 3 * x]), [NAN, 4, INF], [1, 3, 1]),
    Case("nan_to_num", lambda x: tfnp.nan_to_num(x) ** 2, [NAN, INF, -INF, 2], [0, 0, 0, 4]),
    Case("clip", lambda x: tfnp.clip(x, -1, 1) ** 2, [-INF, INF, 0.5], [0, 0, 1]),
    Case("sqrt with where", lambda x: tfnp.sqrt(x, where=x > 0), [0, 4, -1], [0, 0.25, 0]),
    Case("log with where", lambda x: tfnp.log(x, where=x > 0), [0, 4, -1], [0, 0.25, 0]),
    Case("divide with where", lambda x: tfnp.divide(1.0, x, where=x != 0), [0, 4, -1], [0, -1 / 16, -1]),
    Case("power with where", lambda x: tfnp.power(x, 0.5, where=x > 0), [0, 4, -1], [0, 0.25, 0]),
    Case("arcsin with where", lambda x: tfnp.arcsin(x, where=abs(x) < 1), [1, 0, 2], [0, 1, 0]),
    masked("sum", SPOILT, MASK),
    masked("mean", SPOILT, MASK / 3),
    masked("prod", SPOILT, [0, 15, 0, 6, 10]),
    masked("max", SPOILT, [0, 0, 0, 1, 0], initial=1.0),
    masked("min", SPOILT, [0, 1, 0, 0, 0], initial=9.0),
    masked("var", SPOILT, np.array(DEVIATIONS) * 2 / 3),
    masked("std", SPOILT, np.array(DEVIATIONS) / 3 / np.std([2, 5, 3])),
    Case("nanvar", tfnp.nanvar, [NAN, 2, NAN, 5, 3], np.array(DEVIATIONS) * 2 / 3),
    Case("nanprod", tfnp.nanprod, [NAN, 2, NAN, 5, 3], [0, 15, 0, 6, 10]),
    Case("nanmedian", tfnp.nanmedian, [NAN, 2, NAN, 5, 3], [0, 0, 0, 0, 1]),
    Case("hypot", lambda x: tfnp.hypot(x, 1.0), [INF, -INF, 1], [1, -1, HALF]),
    Case("hypot of infinity", lambda x: tfnp.hypot(INF, x), [0, -1e300, 1, INF], [0, 0, 0, HALF]),
    Case("hypot that overflows", lambda x: tfnp.hypot(x, 1.5e308), [1.5e308, -1.5e308], [HALF, -HALF]),
    Case("power of infinity", lambda x: tfnp.power(INF, x), [-1, -0.5], [0, 0]),
    Case("power to infinity", lambda x: tfnp.power(x, [INF, -INF]), [0.5, 2], [0, 0]),
    Case("arctan2", lambda x: tfnp.arctan2(x, INF), [0, 1, -1], [0, 0, 0]),
    Case("abs", tfnp.abs, [complex(INF, 0), complex(1, -INF), 3 - 4j, 0j], [1, -1j, 0.6 - 0.8j, 0]),
    Case("imaginary part of a product", lambda x: tfnp.imag(x * (2 + 0j)), [complex(0, INF), 3 - 4j], [2j, 2j]),
    Case("angle", tfnp.angle, [complex(INF, 0), 3 - 4j], [0, 0.16 + 0.12j]),
]


def differentiate(cases: Sequence[Case], tensors: Sequence[tf.Tensor]) -> list[tf.Tensor]:
    gradients = []
    for case, x in zip(cases, tensors, strict=True):
        gradients.append(take_gradient(case.function, x))
    return gradients


@pytest.mark.sample(4)
@pytest.mark.parametrize("mode", MODES)
def test_gradients(mode: str) -> None:
    """All cases are differentiated by one function; what is traced takes a third of them in the first tier."""
    cases = CASES if mode == "eager" or tiers.is_full else CASES[MODES.index(mode) - 1 :: 3]
    tensors = [tf.constant(np.array(case.x) * 1.0) for case in cases]

    def run(*tensors: tf.Tensor) -> list[tf.Tensor]:
        return differentiate(cases, tensors)

    if mode == "unknown shapes":
        signature = [tf.TensorSpec([None], tensor.dtype) for tensor in tensors]
        run = tf.function(run, signature, autograph=False)
    elif mode != "eager":
        run = tf.function(run, autograph=False, jit_compile=mode == "xla")
    for case, gradient in zip(cases, run(*tensors), strict=True):
        found = tf.convert_to_tensor(gradient)
        np.testing.assert_allclose(found, np.array(case.expected), rtol=1e-6, atol=1e-12, err_msg=case.name)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_function_of_piecewise_sees_its_own_elements(compiled: bool) -> None:
    @tf.function(autograph=False, jit_compile=compiled)
    def differentiate_parameter(x: tf.Tensor, scale: tf.Tensor) -> Any:
        return take_gradient(lambda scale: tfnp.piecewise(x, [x > 0], [lambda x: scale * tfnp.sqrt(x)]), scale)

    x = tf.constant([-1.0, 4.0, 9.0])
    assert differentiate_parameter(x, tf.constant(2.0)).numpy() == 5.0
    assert differentiate_parameter(-x[1:], tf.constant(2.0)).numpy() == 0.0


def test_the_gradient_of_a_variable_with_where() -> None:
    variable = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        result = tfnp.sqrt(variable, where=variable > 0)
    np.testing.assert_allclose(tape.gradient(result, variable), [0, 0.25])
