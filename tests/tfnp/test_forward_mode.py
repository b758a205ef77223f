"""Forward mode gives the derivative that reverse mode gives: in eager mode, through graphs, of gradients."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.eager import record

import tfnp
from tests.tfnp.differentiable_calls import KERNELS, SELECTIONS, Call, list_kernels
from tfnp._core import ops

BEHAVIORS = {"off": contextlib.nullcontext, "on": tfnp.numpy_behavior}


def draw(seed: int, tensor: tf.Tensor) -> tf.Tensor:
    rng, shape = np.random.default_rng(seed), tensor.shape
    values = rng.normal(size=shape) + (1j * rng.normal(size=shape) if tensor.dtype.is_complex else 0)
    return tf.constant(values, tensor.dtype)


def multiply(a: tf.Tensor, b: tf.Tensor | None) -> float:
    """Return the scalar product; 0 with a derivative that is None."""
    return 0.0 if b is None else float(np.vdot(np.asarray(a), np.asarray(tf.convert_to_tensor(b))).real)


def assert_same_derivative(call: Call, wrap=lambda function: function) -> None:
    """Compare `upstream * (J tangent)` of forward mode with `(upstream * J) tangent` of reverse mode."""
    operands = [tf.constant(operand) for operand in call.operands]
    tangents = [draw(1 + index, operand) for index, operand in enumerate(operands)]
    function = wrap(call.function)
    with tf.GradientTape() as tape:
        tape.watch(operands)
        result = call.function(*operands)
    upstream = draw(0, result)
    slopes = tape.gradient(result, operands, upstream)
    with tf.autodiff.ForwardAccumulator(operands, tangents) as accumulator:
        result = function(*operands)
    expected = sum(map(multiply, tangents, slopes))
    assert multiply(upstream, accumulator.jvp(result)) == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("call", KERNELS, ids=lambda call: call.name)
@pytest.mark.sample(7)
def test_kernels_with_gradients_of_their_own(call: Call) -> None:
    assert_same_derivative(call)


@pytest.mark.parametrize("call", KERNELS, ids=lambda call: call.name)
@pytest.mark.sample(3)
def test_kernels_with_gradients_of_their_own_in_graphs(call: Call) -> None:
    assert_same_derivative(call, lambda function: tf.function(function, autograph=False))


@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize("call", SELECTIONS, ids=lambda call: call.name)
@pytest.mark.sample(4)
def test_selections(call: Call, behavior: str) -> None:
    with BEHAVIORS[behavior]():
        assert_same_derivative(call)


def differentiate_squares(call: Call, *operands: tf.Tensor) -> list[tf.Tensor]:
    with tf.GradientTape() as tape:
        tape.watch(operands)
        result = tf.reduce_sum(tf.square(tf.abs(call.function(*operands))))
    return [tf.convert_to_tensor(slope) for slope in tape.gradient(result, operands, unconnected_gradients="zero")]


@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize("call", SELECTIONS, ids=lambda call: call.name)
@pytest.mark.sample(3)
def test_forward_over_reverse_of_selections(call: Call, behavior: str) -> None:
    (operand,) = map(tf.constant, call.operands)
    with BEHAVIORS[behavior]():
        assert_same_derivative(Call(call.name, lambda x: differentiate_squares(call, x)[0], (operand.numpy(),)))


@pytest.mark.parametrize("call", KERNELS, ids=lambda call: call.name)
@pytest.mark.sample(2)
def test_forward_over_reverse_of_kernels(call: Call) -> None:
    if call.name != "spacing of float16":
        gradient = Call(call.name, lambda *operands: differentiate_squares(call, *operands)[0], call.operands)
        assert_same_derivative(gradient)


def draw_complex(length: int) -> np.ndarray:
    return np.asarray(draw(length, tf.zeros(length, tf.complex128)))


LONG_SERIES = [
    Call("convert", lambda c: tfnp.polynomial.Legendre(c).convert(domain=[0, 2]).coef, (draw_complex(4),)),
    Call("hermfromroots", tfnp.polynomial.hermite.hermfromroots, (draw_complex(9),)),
    Call("legval", lambda c: tfnp.polynomial.legendre.legval(0.5, c), (draw_complex(60),)),
    Call("hermmul", tfnp.polynomial.hermite.hermmul, (draw_complex(12), draw_complex(12))),
]


@pytest.mark.parametrize("call", LONG_SERIES, ids=lambda call: call.name)
@pytest.mark.sample(2)
def test_long_series_are_not_traced_while_derivatives_are_recorded(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """TensorFlow takes a minute for the second derivative of a traced loop, and has no forward mode for it."""
    monkeypatch.setattr(tf, "function", None)
    assert_same_derivative(call)


@pytest.mark.full
@pytest.mark.parametrize("call", LONG_SERIES, ids=lambda call: call.name)
def test_forward_over_reverse_of_long_series(call: Call) -> None:
    assert_same_derivative(Call(call.name, lambda *c: differentiate_squares(call, *c)[0], call.operands))


@pytest.mark.parametrize("name", ["diff", "ediff1d", "cumprod", "hypot", "median", "piecewise", "linalg.inv"])
@pytest.mark.sample(1)
def test_forward_over_reverse_under_xla(name: str) -> None:
    (call,) = [call for call in (*KERNELS, *SELECTIONS) if call.name == name]
    operands = [tf.constant(operand) for operand in call.operands]
    tangents = [draw(1 + index, operand) for index, operand in enumerate(operands)]

    def differentiate_along(*operands: tf.Tensor) -> tf.Tensor:
        with tf.autodiff.ForwardAccumulator(list(operands), tangents) as accumulator:
            gradient = differentiate_squares(call, *operands)[0]
        return accumulator.jvp(gradient, unconnected_gradients="zero")

    compiled = tf.function(differentiate_along, autograph=False, jit_compile=True)
    np.testing.assert_allclose(compiled(*operands), differentiate_along(*operands), rtol=1e-6, atol=1e-9)


FOR_XLA_ALONE = {
    "tfnp._kernels.complex.powers._power_by_logarithm",
    "tfnp._kernels.linalg.elimination._find_determinant_for_xla",
}
"""Kernels that a graph without XLA does not have."""


@pytest.mark.full
def test_every_kernel_with_a_gradient_of_its_own_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    called, record_operation = set(), record.record_operation

    def record_name(name: str, *args: Any, **kwargs: Any) -> None:
        called.add(name)
        record_operation(name, *args, **kwargs)

    monkeypatch.setattr(record, "record_operation", record_name)
    for call in (*KERNELS, Call("cbrt of many", tfnp.cbrt, (np.linspace(1, 2, 5000),))):
        operands = [tf.constant(operand) for operand in call.operands]
        with tf.GradientTape() as outer:
            outer.watch(operands)
            with tf.GradientTape() as tape:
                tape.watch(operands)
                result = call.function(*operands)
            tape.gradient(result, operands)
        tf.function(call.function, autograph=False).get_concrete_function(*operands)
    kernels = set(list_kernels())
    assert len(kernels) > 50
    assert kernels - called == FOR_XLA_ALONE


def test_a_part_that_xla_replaces_has_its_gradients() -> None:
    @tf.function(jit_compile=True, autograph=False)
    def differentiate(x: tf.Tensor, y: tf.Tensor) -> list[tf.Tensor]:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            result = tf.square(ops.xla_dynamic_update_slice(x, y, tf.constant([1], tf.int64)))
        return tape.gradient(result, [x, y])

    of_array, of_part = differentiate(tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([5.0, 6.0]))
    assert of_array.numpy().tolist() == [2.0, 0.0, 0.0, 8.0]
    assert of_part.numpy().tolist() == [10.0, 12.0]
