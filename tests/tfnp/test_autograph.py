"""AutoGraph leaves functions of tfnp alone, silently, and converts those of the user that they call."""

from __future__ import annotations

import inspect
import logging
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.autograph.impl import api

import tfnp

MODULES = (tfnp, tfnp.emath, tfnp.fft, tfnp.linalg, tfnp.random, tfnp.strings, tfnp.lib.stride_tricks, tfnp.polynomial)
POLYNOMIALS = ("chebyshev", "hermite", "hermite_e", "laguerre", "legendre", "polynomial", "polyutils")


def list_callables() -> Iterator[tuple[str, Any]]:
    """Yield the public functions, and the methods of public classes."""
    for module in (*MODULES, *(getattr(tfnp.polynomial, name) for name in POLYNOMIALS)):
        for name in dir(module):
            value = getattr(module, name)
            if name.startswith("_") or not getattr(value, "__module__", "").startswith("tfnp."):
                continue
            if isinstance(value, types.FunctionType):
                yield f"{module.__name__}.{name}", value
            if isinstance(value, type):
                for key in dir(value):
                    method = inspect.getattr_static(value, key)
                    method = method.__func__ if isinstance(method, classmethod | staticmethod) else method
                    if isinstance(method, types.FunctionType) and method.__module__.startswith("tfnp."):
                        yield f"{module.__name__}.{name}.{key}", method


def test_every_public_function_and_method_is_left_alone() -> None:
    callables = dict(list_callables())
    assert len(callables) > 800
    assert [name for name, value in callables.items() if not api.is_autograph_artifact(value)] == []


def double_if_positive(x: tf.Tensor) -> tf.Tensor:
    return 2 * x if x > 0 else x


def run_many(x: tf.Tensor) -> tf.Tensor:
    with tfnp.numpy_behavior():
        total = tfnp.sum(tfnp.sort(x)) + x.mean() + x[1:].sum() + tfnp.add.reduce(x) + x.at[0].set(1.0)[0]
        if total > 0:
            total += tfnp.sum(tfnp.vectorize(double_if_positive)(x))
        total += tfnp.sum(tfnp.frompyfunc(double_if_positive, 1, 1)(x))
        total += tfnp.apply_along_axis(lambda row: double_if_positive(row[0]), 0, x)
        total += tfnp.piecewise(x, [x > 1], [lambda x: 2 * x])[0] + tfnp.unwrap(x)[0] + tfnp.r_[x, 1.0][0]
        total += tfnp.poly1d([1.0, 2.0])(x)[0] + tfnp.poly1d([1.0, 2.0]).deriv()(x)[0]
        total += tfnp.polynomial.Polynomial([1.0, 2.0])(x)[0] + tfnp.polynomial.chebyshev.chebval(x, [1.0, 2.0])[0]
        total += tfnp.linalg.det(tfnp.diag(x)) + tfnp.fft.rfft(x).real[0] + x.flat[0]
        total += tfnp.random.default_rng(0).normal(size=3)[0] + tfnp.emath.sqrt(x)[0].real
        with tfnp.errstate(all="ignore"):
            total += tfnp.float64(1) + tfnp.meshgrid(x, x)[0][0, 0]
        return total


def test_nothing_of_tfnp_is_converted(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    converted, convert = [], api._convert_actual

    def record(entity: Any, context: Any) -> Any:
        converted.append(entity)
        return convert(entity, context)

    monkeypatch.setattr(api, "_convert_actual", record)
    x = tf.constant([3.0, -1.0, 2.0], tf.float64)
    with caplog.at_level(logging.WARNING):
        result = tf.function(run_many)(x)
    assert [entity for entity in converted if entity.__module__.startswith("tfnp")] == []
    assert double_if_positive in converted
    assert caplog.records == []
    expected = tf.function(run_many, autograph=False)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        expected(x)
    np.testing.assert_allclose(result, run_many(x))


@pytest.mark.parametrize("function", [tfnp.sort, tfnp.add, tfnp.polynomial.polynomial.polyadd])
def test_a_function_of_tfnp_is_traced_by_itself(function: Any, caplog: pytest.LogCaptureFixture) -> None:
    operands = [tf.constant([3.0, 1.0, 2.0], tf.float64)] * (1 if function is tfnp.sort else 2)
    np.testing.assert_array_equal(tf.function(function)(*operands), function(*operands))
    assert caplog.records == []
